//! The plan of a sweep: parallel tracks to and fro, as a lawn is mown, and patches for spots that were missed.

use std::ops::Range;

use crate::coverage::{Cell, Coverage};
use crate::geometry::{Leg, Point};

/// How far tracks reach beyond the area, so that turns are made outside, in metres.
pub const LEAD: f64 = 22.0;
/// How far patches reach beyond the spots, in metres.
const PATCH_LEAD: f64 = 30.0;
/// Missed spots of one track that are no further apart than this many columns are one patch.
const GAP: usize = 10;
/// Cells are about as large as this, in metres.
const CELL: f64 = 5.0;

/// The area, with its south-western corner in the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Metres from west to east.
    pub width: f64,
    /// Metres from south to north.
    pub height: f64,
    /// How many parallel tracks there are.
    pub n_tracks: usize,
}

/// What a leg is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A track of the area, or what is left of it.
    Track,
    /// Spots that were missed.
    Patch,
}

/// One leg of the plan, and the cells it is there for.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// The way.
    pub leg: Leg,
    /// What it is there for.
    pub purpose: Purpose,
    /// Which track it belongs to, from the south.
    pub track: usize,
    /// Columns of cells.
    pub columns: Range<usize>,
    /// Rows of cells.
    pub rows: Range<usize>,
}

impl Area {
    /// The grid for this area: every track has its own rows.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        let columns = (self.width / CELL).round().max(1.0) as usize;
        Coverage::new(self.width, self.height, columns, self.n_tracks * self.rows_each())
    }

    /// Rows of cells of a track.
    #[must_use]
    pub fn rows_each(&self) -> usize {
        (self.spacing() / CELL).round().max(1.0) as usize
    }

    /// Metres between tracks.
    #[must_use]
    pub fn spacing(&self) -> f64 {
        self.height / self.n_tracks as f64
    }

    fn rows_of(&self, track: usize) -> Range<usize> {
        track * self.rows_each()..(track + 1) * self.rows_each()
    }

    /// All that remains to be swept. Spots that were missed come first, nearest first; then the tracks that are not yet done, from
    /// where they are not.
    #[must_use]
    pub fn lay_out(&self, coverage: &Coverage, from: Point) -> Vec<Planned> {
        let mut plan = self.patches(coverage, from);
        for track in 0..self.n_tracks {
            plan.extend(self.rest_of(coverage, track));
        }
        plan
    }

    /// The part of a track that has not been passed, in its direction: odd ones are swept westward.
    fn rest_of(&self, coverage: &Coverage, track: usize) -> Option<Planned> {
        let rows = self.rows_of(track);
        let is_open =
            |column: &usize| rows.clone().any(|row| matches!(coverage.cell(*column, row), Cell::Open(_)));
        let first = (0..coverage.columns()).find(is_open)?;
        let last = (0..coverage.columns()).rev().find(is_open)?;
        let north = (track as f64 + 0.5) * self.spacing();
        let (width, _) = coverage.size();
        let west = Point::new(first as f64 * width - LEAD, north);
        let east = Point::new((last + 1) as f64 * width + LEAD, north);
        let (begin, end) = if track.is_multiple_of(2) { (west, east) } else { (east, west) };
        let leg = Leg { begin, end };
        Some(Planned { leg, purpose: Purpose::Track, track, columns: first..last + 1, rows })
    }

    /// A leg for each group of missed spots, in the order in which the nearest is next.
    #[must_use]
    pub fn patches(&self, coverage: &Coverage, from: Point) -> Vec<Planned> {
        let mut left: Vec<Planned> =
            (0..self.n_tracks).flat_map(|track| self.patches_of(coverage, track)).collect();
        let mut plan = Vec::new();
        let mut place = from;
        let near = |place: Point, patch: &Planned| {
            place.distance(patch.leg.begin).min(place.distance(patch.leg.end))
        };
        while let Some(next) =
            (0..left.len()).min_by(|a, b| near(place, &left[*a]).total_cmp(&near(place, &left[*b])))
        {
            let mut patch = left.remove(next);
            if place.distance(patch.leg.end) < place.distance(patch.leg.begin) {
                patch.leg = Leg { begin: patch.leg.end, end: patch.leg.begin };
            }
            place = patch.leg.end;
            plan.push(patch);
        }
        plan
    }

    fn patches_of(&self, coverage: &Coverage, track: usize) -> Vec<Planned> {
        let rows = self.rows_of(track);
        let missed = |column: usize| {
            rows.clone().filter(move |row| matches!(coverage.cell(column, *row), Cell::Missed(..)))
        };
        let mut runs: Vec<Range<usize>> = Vec::new();
        for column in (0..coverage.columns()).filter(|column| missed(*column).next().is_some()) {
            match runs.last_mut() {
                Some(run) if column - run.end <= GAP => run.end = column + 1,
                _ => runs.push(column..column + 1),
            }
        }
        let (width, height) = coverage.size();
        let patch = |columns: Range<usize>| {
            let spots: Vec<usize> = columns.clone().flat_map(missed).collect();
            let (low, high) =
                spots.iter().fold((usize::MAX, 0), |(low, high), row| (low.min(*row), high.max(*row)));
            let north = (low + high + 1) as f64 / 2.0 * height;
            let begin = Point::new(columns.start as f64 * width - PATCH_LEAD, north);
            let end = Point::new(columns.end as f64 * width + PATCH_LEAD, north);
            Planned { leg: Leg { begin, end }, purpose: Purpose::Patch, track, columns, rows: low..high + 1 }
        };
        runs.into_iter().map(patch).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: Area = Area { width: 300.0, height: 200.0, n_tracks: 5 };

    #[test]
    fn tracks_go_to_and_fro_and_hold_every_cell_once() {
        let coverage = AREA.coverage();
        let plan = AREA.lay_out(&coverage, Point::default());
        assert_eq!(plan.len(), 5);
        for pair in plan.windows(2) {
            let turn = pair[0].leg.end.distance(pair[1].leg.begin);
            assert!((turn - 40.0).abs() < 1e-9, "the next track begins beside the end of this: {turn}");
        }
        let n_cells: usize = plan.iter().map(|leg| leg.columns.len() * leg.rows.len()).sum();
        assert_eq!(n_cells, coverage.columns() * coverage.rows());
    }

    #[test]
    fn missed_spots_are_laid_out_first_and_what_was_passed_is_not_laid_out_again() {
        let mut coverage = AREA.coverage();
        // The first track was passed without a single ping: all of it is one patch.
        coverage.pass(0..60, 0..8);
        let plan = AREA.lay_out(&coverage, Point::new(320.0, 20.0));
        assert_eq!(plan.len(), 5);
        assert_eq!((plan[0].purpose, plan[0].track), (Purpose::Patch, 0));
        assert!(plan[0].leg.begin.east > plan[0].leg.end.east, "it begins at the near end");
        assert!(plan[1..].iter().all(|leg| leg.purpose == Purpose::Track && leg.track > 0));
    }

    #[test]
    fn spots_far_apart_are_patches_of_their_own_and_near_ones_share_one() {
        let mut coverage = AREA.coverage();
        coverage.pass(2..3, 0..1);
        coverage.pass(8..9, 1..2);
        coverage.pass(50..51, 7..8);
        let patches = AREA.patches(&coverage, Point::default());
        let found: Vec<_> = patches.iter().map(|patch| (patch.columns.clone(), patch.rows.clone())).collect();
        assert_eq!(found, [(2..9, 0..2), (50..51, 7..8)]);
    }

    #[test]
    fn nothing_is_laid_out_when_everything_was_swept_or_given_up() {
        let mut coverage = AREA.coverage();
        for _ in 0..3 {
            coverage.pass(0..60, 0..40);
        }
        assert_eq!(AREA.lay_out(&coverage, Point::default()), []);
    }
}
