//! A model whole and without what cannot influence its claims.

use motet_evidence::Fairness;
use motet_render::Report;
use motet_workbench::{CheckOptions, Limits, Loaded, Settings, check, check_sliced};

/// Checks the claims on the whole model and on slices, with at most so many states.
#[must_use]
pub fn both(loaded: &Loaded, fairness: Option<Fairness>, states: u64) -> (Report, Report) {
    let limits = Limits { states: Some(states), ..Limits::default() };
    let options = CheckOptions { fairness, ..Settings { limits, ..Settings::default() }.into() };
    (check(loaded, &options, &mut |_| {}), check_sliced(loaded, &options, &mut |_| {}))
}

/// Names and verdicts, in order.
#[must_use]
pub fn verdicts(report: &Report) -> Vec<(String, String)> {
    report.claims.iter().map(|claim| (claim.name.clone(), format!("{:?}", claim.outcome.verdict))).collect()
}
