//! Random runs as text: one run step by step, or many as a table.

use motet_model::TimeUnit;

use crate::numbers::statistics::{ActivityTally, CostTally, Delays, LaneTally, activities, busy, costs};
use crate::typesetting::duration::duration;
use crate::typesetting::number::{count, grouped, seconds};
use crate::typesetting::page::{Tone, View, pad, plain};

/// Many random runs.
#[derive(Clone, Debug, Default)]
pub struct Simulation {
    /// How many runs.
    pub runs: u64,
    /// Steps of each at most.
    pub steps: u64,
    /// How many ended because nothing could happen any more.
    pub stuck: u64,
    /// How many ended because a bound of the model was exceeded.
    pub exceeded: u64,
    /// Wall time.
    pub seconds: f64,
    /// Per claim.
    pub claims: Vec<ClaimTally>,
    /// How often each notice happened.
    pub notices: Vec<(String, u64)>,
    /// The command that repeats it.
    pub again: String,
    /// What times count.
    pub unit: TimeUnit,
    /// How much model time each run was given; `None` when only the number of steps ends a run.
    pub time: Option<u64>,
    /// How busy each lane was; empty for models without a clock.
    pub lanes: Vec<LaneTally>,
    /// How often each activity was begun; empty for models without a clock.
    pub activities: Vec<ActivityTally>,
    /// Costs per lane and resource; empty when nobody gave costs.
    pub costs: Vec<CostTally>,
}

/// How often a claim was violated.
#[derive(Clone, Debug, Default)]
pub struct ClaimTally {
    /// The claim.
    pub name: String,
    /// Runs that violate it, whatever comes after.
    pub violated: u64,
    /// Runs that satisfy it, whatever comes after.
    pub satisfied: u64,
    /// The first run that violates it, from 0.
    pub first: Option<u64>,
    /// How long its answers took, for claims that wait for something; see [`crate::waits`].
    pub delays: Option<Delays>,
}

/// The table of many runs.
#[must_use]
pub fn simulation(simulation: &Simulation, view: &View) -> String {
    let runs = count(usize::try_from(simulation.runs).unwrap_or(usize::MAX), "run");
    let each = match simulation.time {
        Some(time) => format!("{} each", duration(time, simulation.unit)),
        None => format!("at most {} steps each", grouped(simulation.steps)),
    };
    let mut page = format!("{runs} · {each} · {}\n\n", seconds(simulation.seconds));
    page.push_str(&claims(simulation, view));
    for (text, runs) in &simulation.notices {
        page.push_str(&format!("  {} of {} runs: {}\n", runs, simulation.runs, plain(text)));
    }
    if simulation.stuck > 0 {
        // A model with a clock that stops has come to its end; one without has got stuck.
        let verb = if simulation.unit == TimeUnit::Milliseconds { "came to an end" } else { "got stuck" };
        page.push_str(&format!("  {} of {} runs {verb}\n", simulation.stuck, simulation.runs));
    }
    if simulation.exceeded > 0 {
        page.push_str(&format!("  {} of {} runs exceeded a bound\n", simulation.exceeded, simulation.runs));
    }
    page.push_str(&busy(&simulation.lanes, view));
    page.push_str(&activities(&simulation.activities, simulation.runs, view));
    page.push_str(&costs(&simulation.costs, view));
    page.push_str(&outcome(simulation, &runs));
    page.push_str(&format!("Again: {}\n", simulation.again));
    view.finish(page)
}

/// A row per claim, and under it how long its answers took.
fn claims(simulation: &Simulation, view: &View) -> String {
    let mut page = String::new();
    let name = simulation.claims.iter().map(|claim| claim.name.chars().count()).max().unwrap_or(0).max(5);
    if !simulation.claims.is_empty() {
        let title = pad("claim", name);
        page.push_str(&format!("  {title}  violated  95 % interval      satisfied  open\n"));
    }
    for claim in &simulation.claims {
        let (low, high) = interval(claim.violated, simulation.runs);
        let open = simulation.runs.saturating_sub(claim.violated + claim.satisfied);
        let range = format!("[{low:.4}, {high:.4}]");
        let title = pad(&plain(&claim.name), name);
        let first = claim.first.map(|run| format!("   first in run {run}")).unwrap_or_default();
        page.push_str(&format!(
            "  {title}  {:>8}  {range:<17}  {:>9}  {open:>4}{first}\n",
            claim.violated, claim.satisfied
        ));
        if let Some(delays) = &claim.delays {
            let text = delays.text(simulation.unit);
            page.push_str(&format!("  {}  {}\n", pad("", name), view.paint(Tone::Quiet, &text)));
        }
    }
    page
}

/// What the runs say of the claims, without saying too much.
fn outcome(simulation: &Simulation, runs: &str) -> String {
    let named = |wanted: &dyn Fn(&ClaimTally) -> bool| -> Vec<&str> {
        let found = simulation.claims.iter().filter(|claim| wanted(claim));
        found.map(|claim| claim.name.as_str()).collect()
    };
    let mut page = String::new();
    let undecided = named(&|claim| claim.violated + claim.satisfied == 0);
    if !undecided.is_empty() {
        let names = undecided.join(", ");
        page.push_str(&format!("  {names}: open on every run; no finite run may be able to decide it\n"));
    }
    page.push('\n');
    match named(&|claim| claim.violated > 0).as_slice() {
        [] => page.push_str(&format!("no violation in {runs} (not a proof, use check)\n")),
        names => page.push_str(&format!("{} failed on some run\n", names.join(", "))),
    }
    page
}

/// Wilson's score interval for a share, at 95 %. It is honest for small counts, where the textbook one is not.
#[expect(clippy::cast_precision_loss, reason = "four digits are shown")]
pub(crate) fn interval(hits: u64, total: u64) -> (f64, f64) {
    if total == 0 {
        return (0.0, 1.0);
    }
    const Z: f64 = 1.959_964;
    let n = total as f64;
    let share = hits as f64 / n;
    let middle = share + Z * Z / (2.0 * n);
    let spread = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    (((middle - spread) / scale).max(0.0), ((middle + spread) / scale).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_hit_in_a_thousand_runs_still_leaves_a_chance() {
        // Wilson's interval for 0 of 1000: [0, z²/(n + z²)] = [0, 0.003827].
        let (low, high) = interval(0, 1000);
        assert!(low.abs() < 1e-12 && (high - 0.003_827).abs() < 1e-6, "{low} {high}");
    }
}
