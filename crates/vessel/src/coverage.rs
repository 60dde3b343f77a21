//! What the sonar has seen of the area: a grid of cells, each swept when enough pings reached it.

use crate::geometry::Point;
use crate::hull::Motion;

/// Pings that a cell needs.
const ENOUGH: u8 = 3;
/// How far the sonar sees to either side in a flat sea, in metres, and how much less for each metre of wave height.
const REACH: (f64, f64) = (24.0, 3.6);
/// Half the width of the beam along the hull, in metres.
const BEAM: f64 = 4.0;
/// A ping is lost when the hull turns or sways faster: radians a second, metres a second.
const STEADY: (f64, f64) = (0.12, 0.55);
/// A cell that was missed this often is charted as one that cannot be swept.
const TRIES: u8 = 3;

/// What is known of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Not yet swept, with the pings that reached it.
    Open(u8),
    /// Swept.
    Swept,
    /// Passed and not swept, with the pings since and how often.
    Missed(u8, u8),
    /// Missed so often that nobody goes back for it.
    GivenUp,
}

/// The grid. Cell 0 is in the south-west, cells of a row follow each other.
#[derive(Clone, Debug)]
pub struct Coverage {
    columns: usize,
    rows: usize,
    size: (f64, f64),
    cells: Vec<Cell>,
    changed: Vec<usize>,
}

impl Coverage {
    /// A grid over an area of so many metres, with so many cells.
    #[must_use]
    pub fn new(width: f64, height: f64, columns: usize, rows: usize) -> Self {
        Self {
            columns,
            rows,
            size: (width / columns as f64, height / rows as f64),
            cells: vec![Cell::Open(0); columns * rows],
            changed: Vec::new(),
        }
    }

    /// How many columns there are.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The size of a cell in metres, east and north.
    #[must_use]
    pub fn size(&self) -> (f64, f64) {
        self.size
    }

    /// A cell.
    #[must_use]
    pub fn cell(&self, column: usize, row: usize) -> Cell {
        self.cells[row * self.columns + column]
    }

    /// The middle of a cell.
    #[must_use]
    pub fn middle(&self, column: usize, row: usize) -> Point {
        Point::new((column as f64 + 0.5) * self.size.0, (row as f64 + 0.5) * self.size.1)
    }

    /// One ping from where the vessel is, in a sea of this height. Says whether it was good for anything.
    pub fn ping(&mut self, motion: &Motion, height: f64) -> bool {
        if motion.yaw.abs() > STEADY.0 || motion.sway.abs() > STEADY.1 {
            return false;
        }
        let reach = (REACH.0 - REACH.1 * height).max(BEAM);
        let (sine, cosine) = motion.heading.sin_cos();
        let around = reach.hypot(BEAM);
        for row in span(motion.place.north, around, self.size.1, self.rows) {
            for column in span(motion.place.east, around, self.size.0, self.columns) {
                let middle = self.middle(column, row);
                let (east, north) = (middle.east - motion.place.east, middle.north - motion.place.north);
                let ahead = east * sine + north * cosine;
                let abeam = east * cosine - north * sine;
                if ahead.abs() <= BEAM && abeam.abs() <= reach {
                    self.hear(row * self.columns + column);
                }
            }
        }
        true
    }

    fn hear(&mut self, at: usize) {
        self.cells[at] = match self.cells[at] {
            Cell::Open(heard) if heard + 1 < ENOUGH => Cell::Open(heard + 1),
            Cell::Missed(heard, tries) if heard + 1 < ENOUGH => Cell::Missed(heard + 1, tries),
            Cell::Swept | Cell::GivenUp => return,
            Cell::Open(_) | Cell::Missed(..) => {
                self.changed.push(at);
                Cell::Swept
            }
        };
    }

    /// The cells of a rectangle were passed: those that are not swept are missed. Says how many.
    pub fn pass(&mut self, columns: std::ops::Range<usize>, rows: std::ops::Range<usize>) -> usize {
        let mut n_missed = 0;
        for row in rows {
            for column in columns.clone() {
                let at = row * self.columns + column;
                let tries = match self.cells[at] {
                    Cell::Open(_) => 1,
                    Cell::Missed(_, tries) => tries + 1,
                    Cell::Swept | Cell::GivenUp => continue,
                };
                self.cells[at] = if tries < TRIES { Cell::Missed(0, tries) } else { Cell::GivenUp };
                n_missed += usize::from(tries < TRIES);
                self.changed.push(at);
            }
        }
        n_missed
    }

    /// Cells that changed since the last time this was asked, each once, in order.
    pub fn changes(&mut self) -> Vec<usize> {
        let mut changed = std::mem::take(&mut self.changed);
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    /// A cell by its number.
    #[must_use]
    pub fn numbered(&self, at: usize) -> Cell {
        self.cells[at]
    }

    /// How many cells there are of each kind.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for cell in &self.cells {
            match cell {
                Cell::Open(_) => tally.open += 1,
                Cell::Swept => tally.swept += 1,
                Cell::Missed(..) => tally.missed += 1,
                Cell::GivenUp => tally.given_up += 1,
            }
        }
        tally
    }
}

/// How many cells there are of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Not yet passed.
    pub open: usize,
    /// Swept.
    pub swept: usize,
    /// Missed.
    pub missed: usize,
    /// Charted as impossible.
    pub given_up: usize,
}

/// The cells of one axis that lie around a place.
fn span(place: f64, around: f64, size: f64, n: usize) -> std::ops::Range<usize> {
    // A cast from a float stops at the ends of the range, so that far places give an empty span.
    let first = ((place - around) / size).floor().max(0.0) as usize;
    let last = ((place + around) / size).ceil().max(0.0) as usize;
    first.min(n)..last.min(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eastward(east: f64, north: f64) -> Motion {
        let heading = std::f64::consts::FRAC_PI_2;
        Motion { place: Point::new(east, north), heading, surge: 3.0, ..Motion::default() }
    }

    /// Sweeps along a line at a speed, a ping every 0.6 s, and counts the swept cells.
    fn swept(speed: f64, height: f64, off: f64) -> usize {
        let mut coverage = Coverage::new(100.0, 40.0, 20, 8);
        let mut east = -20.0;
        while east < 120.0 {
            coverage.ping(&eastward(east, 20.0 + off), height);
            east += 0.6 * speed;
        }
        coverage.pass(0..20, 0..8);
        let tally = coverage.tally();
        assert_eq!(tally.open + tally.swept + tally.missed + tally.given_up, 160);
        tally.swept
    }

    #[test]
    fn a_straight_run_in_a_calm_sweeps_every_cell() {
        assert_eq!(swept(3.0, 0.5, 0.0), 160);
    }

    #[test]
    fn waves_speed_and_drift_each_leave_cells_out() {
        // The outermost middles are 17.5 m off; in 2 m waves the sonar sees 16.8 m: two rows of twenty are missed.
        assert_eq!(swept(3.0, 2.0, 0.0), 120);
        // 8 m of beam at 5 m/s are 2.7 pings; three are needed.
        assert!(swept(5.0, 0.5, 0.0) < 160);
        assert!(swept(3.0, 0.5, 6.0) < 160);
    }

    #[test]
    fn a_turning_or_swaying_hull_hears_nothing() {
        let mut coverage = Coverage::new(100.0, 40.0, 20, 8);
        assert!(!coverage.ping(&Motion { yaw: 0.2, ..eastward(50.0, 20.0) }, 0.0));
        assert!(!coverage.ping(&Motion { sway: -0.7, ..eastward(50.0, 20.0) }, 0.0));
        assert!(coverage.ping(&eastward(50.0, 20.0), 0.0));
    }

    #[test]
    fn a_cell_is_given_up_after_the_third_try() {
        let mut coverage = Coverage::new(10.0, 10.0, 2, 2);
        assert_eq!((0..4).map(|_| coverage.pass(0..2, 0..1)).collect::<Vec<_>>(), [2, 2, 0, 0]);
        let tally = coverage.tally();
        assert_eq!((tally.open, tally.missed, tally.given_up), (2, 0, 2));
    }

    #[test]
    fn a_far_away_ping_reaches_nothing() {
        let mut coverage = Coverage::new(100.0, 40.0, 20, 8);
        for place in [1e9, -1e9] {
            assert!(coverage.ping(&eastward(place, place), 0.0));
        }
        assert_eq!(coverage.changes(), Vec::<usize>::new());
    }

    #[test]
    fn every_change_is_told_once() {
        let mut coverage = Coverage::new(100.0, 40.0, 20, 8);
        for _ in 0..2 * ENOUGH {
            coverage.ping(&eastward(50.0, 20.0), 0.0);
        }
        let changes = coverage.changes();
        assert!(!changes.is_empty() && changes.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(coverage.changes(), Vec::<usize>::new());
    }
}
