//! A model whole and with fewer states.

use motet_evidence::Fairness;
use motet_render::{ReductionResult, Report};
use motet_workbench::{CheckOptions, Limits, Loaded, Reduce, Settings, check};

use crate::agreement::Compared;

/// Checks the claims on all states and on fewer, one after the other, each with at most so many states. What the whole model
/// does not answer is not compared. Counted are models of which some reduction left something out.
#[must_use]
pub fn compared(loaded: &Loaded, fairness: Option<Fairness>, states: u64) -> Compared {
    let limits = Limits { states: Some(states), ..Limits::default() };
    let whole = CheckOptions { fairness, ..Settings { limits, ..Settings::default() }.into() };
    let all = check(loaded, &whole, &mut |_| {});
    if all.stop.is_some() {
        return None;
    }
    let (mut holds, mut others) = (0, 0);
    for (partial_order, chains) in
        [(Reduce::Yes, Reduce::No), (Reduce::No, Reduce::Yes), (Reduce::Yes, Reduce::Yes)]
    {
        let settings = Settings { partial_order, chains, ..whole.settings.clone() };
        let options = CheckOptions { settings, ..whole.clone() };
        let fewer = check(loaded, &options, &mut |_| {});
        if let Err(message) = agree(&all, &fewer) {
            return Some(Err(format!("{partial_order:?} {chains:?}: {message}")));
        }
        if fewer
            .reductions
            .iter()
            .any(|one| matches!(one.result, ReductionResult::Used(_, saved) if saved > 0))
        {
            let held =
                fewer.claims.iter().filter(|claim| claim.outcome.verdict == motet_evidence::Verdict::Holds);
            let held = held.count();
            holds += held;
            others += fewer.claims.len() - held;
        }
    }
    (holds + others > 0).then_some(Ok((holds, others)))
}

/// Verdicts are the same, and so are the codes of the notices; evidence that does not replay is reported by the check itself.
fn agree(all: &Report, fewer: &Report) -> Result<(), String> {
    let told = |report: &Report| {
        let claims = report.claims.iter();
        let claims: Vec<String> =
            claims.map(|claim| format!("{}: {:?}", claim.name, claim.outcome.verdict)).collect();
        let mut notices: Vec<String> = report
            .notices
            .iter()
            .map(|notice| format!("{} {:?}", notice.notice.code, notice.place))
            .collect();
        notices.sort();
        notices.dedup();
        (claims, notices)
    };
    if !fewer.internal.is_empty() {
        return Err(fewer.internal.join("\n"));
    }
    let (one, other) = (told(all), told(fewer));
    if one == other { Ok(()) } else { Err(format!("{one:?}\n{other:?}")) }
}
