//! What many random runs have in common: delays, busy time, counts and costs.

use motet_evidence::Measure;
use motet_model::TimeUnit;

use serde::Serialize;

use crate::runs::deadline::measure_name;
use crate::typesetting::duration::{duration, instant};
use crate::typesetting::number::grouped;
use crate::typesetting::page::{Extent, Tone, View, pad, plain};

/// Rows of each table unless the reader wants all.
const LIMIT_ROWS: usize = 12;
/// Letters of the bar that shows a share.
const BAR: u32 = 20;

/// How long a claim's answers took over all runs, in the model's unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Delays {
    /// What was measured.
    #[serde(serialize_with = "measure_name")]
    pub measure: Measure,
    /// How many waits were answered.
    pub answered: u64,
    /// How many were not when their run ended.
    pub unanswered: u64,
    /// The mean, rounded to a whole unit.
    pub mean: u64,
    /// Half of the waits were not longer.
    pub median: u64,
    /// 95 % of the waits were not longer.
    pub p95: u64,
    /// The longest.
    pub longest: u64,
    /// The run with the longest, from 0.
    pub longest_run: u64,
}

impl Delays {
    /// Sums up the waits of all runs, given as (length, run). `None` when nothing was waited for.
    #[must_use]
    pub fn of(measure: Measure, waits: &[(u64, u64)], unanswered: u64) -> Option<Self> {
        let mut lengths: Vec<u64> = waits.iter().map(|(length, _)| *length).collect();
        lengths.sort_unstable();
        let answered = lengths.len() as u64;
        if answered == 0 {
            return (unanswered > 0).then_some(Self {
                measure,
                answered,
                unanswered,
                mean: 0,
                median: 0,
                p95: 0,
                longest: 0,
                longest_run: 0,
            });
        }
        let sum: u128 = lengths.iter().map(|length| u128::from(*length)).sum();
        let count = u128::from(answered);
        let mean = u64::try_from((sum + count / 2) / count).unwrap_or(u64::MAX);
        // The nearest rank: the least length that this share of the waits does not exceed.
        let rank = |percent: usize| lengths[(lengths.len() * percent).div_ceil(100).max(1) - 1];
        let longest = lengths[lengths.len() - 1];
        let longest_run = waits.iter().find(|(length, _)| *length == longest).map_or(0, |(_, run)| *run);
        let (median, p95) = (rank(50), rank(95));
        Some(Self { measure, answered, unanswered, mean, median, p95, longest, longest_run })
    }

    /// `mean 12 min, p50 10 min, p95 31 min, max 44 min in run 417`.
    pub(crate) fn text(&self, unit: TimeUnit) -> String {
        let unanswered = match self.unanswered {
            0 => String::new(),
            number => format!("{} unanswered", grouped(number)),
        };
        if self.answered == 0 {
            return unanswered;
        }
        let show = |amount: u64| match self.measure {
            Measure::Arrival => instant(amount, unit),
            _ => duration(amount, unit),
        };
        let mean = if unit == TimeUnit::Milliseconds { self.mean / 1000 * 1000 } else { self.mean };
        let comma = if unanswered.is_empty() { "" } else { ", " };
        format!(
            "mean {}, p50 {}, p95 {}, max {} in run {}{comma}{unanswered}",
            show(mean),
            show(self.median),
            show(self.p95),
            show(self.longest),
            self.longest_run
        )
    }
}

/// How busy a lane was.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LaneTally {
    /// Its name.
    pub name: String,
    /// The share of the time of all runs in which it worked, from 0 to 1: the sum of [`crate::Chronicle::busy`] over
    /// the sum of [`crate::Chronicle::end`].
    pub busy: f64,
}

/// How often an activity was begun.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ActivityTally {
    /// Whose.
    pub lane: String,
    /// Its name.
    pub name: String,
    /// How often in all runs together.
    pub count: u64,
}

/// What a lane spent or earned of a resource.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CostTally {
    /// Whose.
    pub lane: String,
    /// The resource: `cost`, `energy`.
    pub resource: String,
    /// The mean over all runs.
    pub mean: f64,
    /// The most in one run.
    pub most: f64,
}

/// Busy time per lane, the busiest first.
pub(crate) fn busy(lanes: &[LaneTally], view: &View) -> String {
    let mut order: Vec<&LaneTally> = lanes.iter().collect();
    order.sort_by(|a, b| b.busy.total_cmp(&a.busy).then_with(|| a.name.cmp(&b.name)));
    let shown = shown(order.len(), view);
    let width = width(order.iter().take(shown).map(|lane| lane.name.as_str()));
    let mut page = heading("busy time", lanes.is_empty(), view);
    for lane in order.iter().take(shown) {
        let share = lane.busy.clamp(0.0, 1.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share times 20 is small"
        )]
        let filled = (share * f64::from(BAR)).round() as usize;
        let bar = format!("{}{}", "▇".repeat(filled), "·".repeat(BAR as usize - filled));
        let name = pad(&plain(&lane.name), width);
        page.push_str(&format!("  {name}  {:>3.0} %  {bar}\n", share * 100.0));
    }
    page + &more(order.len(), shown)
}

/// How often each activity was begun, the most frequent first.
pub(crate) fn activities(tallies: &[ActivityTally], runs: u64, view: &View) -> String {
    let mut order: Vec<&ActivityTally> = tallies.iter().collect();
    order.sort_by(|a, b| (b.count, &a.lane, &a.name).cmp(&(a.count, &b.lane, &b.name)));
    let shown = shown(order.len(), view);
    let lane = width(order.iter().take(shown).map(|tally| tally.lane.as_str()));
    let name = width(order.iter().take(shown).map(|tally| tally.name.as_str()));
    let mut page = heading("activities begun", tallies.is_empty(), view);
    for tally in order.iter().take(shown) {
        #[expect(clippy::cast_precision_loss, reason = "two digits are shown")]
        let mean = tally.count as f64 / runs.max(1) as f64;
        let (who, what) = (pad(&plain(&tally.lane), lane), pad(&plain(&tally.name), name));
        page.push_str(&format!("  {who}  {what}  {mean:>9.2} a run  {:>9} in all\n", grouped(tally.count)));
    }
    page + &more(order.len(), shown)
}

/// Costs per lane and resource, in the given order.
pub(crate) fn costs(tallies: &[CostTally], view: &View) -> String {
    let shown = shown(tallies.len(), view);
    let lane = width(tallies.iter().take(shown).map(|tally| tally.lane.as_str()));
    let resource = width(tallies.iter().take(shown).map(|tally| tally.resource.as_str()));
    let mut page = heading("costs", tallies.is_empty(), view);
    for tally in tallies.iter().take(shown) {
        let (who, what) = (pad(&plain(&tally.lane), lane), pad(&plain(&tally.resource), resource));
        page.push_str(&format!("  {who}  {what}  mean {:>9.2}  most {:>9.2}\n", tally.mean, tally.most));
    }
    page + &more(tallies.len(), shown)
}

fn heading(title: &str, empty: bool, view: &View) -> String {
    if empty { String::new() } else { format!("\n  {}\n", view.paint(Tone::Strong, title)) }
}

fn shown(rows: usize, view: &View) -> usize {
    if view.extent == Extent::Full { rows } else { rows.min(LIMIT_ROWS) }
}

fn more(rows: usize, shown: usize) -> String {
    match rows - shown {
        0 => String::new(),
        more => format!("  {} more, --full to see all\n", grouped(more as u64)),
    }
}

fn width<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    names.map(|name| name.chars().count()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_the_nearest_ranks_of_the_waits() {
        let waits: Vec<(u64, u64)> = (1..=100).rev().map(|length| (length, 1000 - length)).collect();
        let delays = Delays::of(Measure::Response, &waits, 0).unwrap();
        assert_eq!((delays.median, delays.p95, delays.longest), (50, 95, 100));
        // 1 + ... + 100 is 5050: 50.5 in the mean, and a half is rounded up.
        assert_eq!((delays.mean, delays.longest_run), (51, 900));
        assert_eq!(Delays::of(Measure::Response, &[], 0), None);
    }
}
