//! What a check did not look at although the model can do it: because an option leaves it out, or because two act at one instant
//! and one order of them was looked at.

use motet_engine::{Limits, Settings, check_all};
use motet_evidence::{Fairness, Verdict};
use motet_model::{AtomId, Clash, Haste, Review};
use motet_property::{Claim, Feature, Kind, features};
use motet_render::{NoticeReport, Report};

use crate::checking::check::place;
use crate::checking::slicing::keeps_verdict;
use crate::loading::load::{Loaded, Ready};

/// Where a check looked at parts of a model only, clashes are looked for in so many states of the whole.
const LIMIT_STATES: u64 = 300;

/// Whether an option leaves out runs. What is drawn leaves out who decides, and every run stays possible.
pub(crate) fn drops_runs(option: &str) -> bool {
    !option.ends_with("=random")
}

/// Marks the claims whose verdicts are about the runs only that some options left. A run that shows something is one of the
/// whole model, and so is what it shows; and a number is about the chances that it was asked with.
pub(crate) fn narrow(ready: &Ready, options: Vec<String>, report: &mut Report) {
    if options.is_empty() {
        return;
    }
    let drops = options.iter().any(|option| drops_runs(option));
    for (claim, told) in ready.claims.iter().zip(&mut report.claims) {
        let stands = match &told.outcome.verdict {
            Verdict::Unknown(_) => true,
            Verdict::Value { .. } => !drops,
            verdict => is_shown(claim, verdict) && told.outcome.evidence.is_some(),
        };
        if !stands {
            told.narrowed.clone_from(&options);
        }
    }
    report.narrowed = options;
}

/// Whether a verdict is shown by one run alone.
fn is_shown(claim: &Claim<AtomId>, verdict: &Verdict) -> bool {
    const MORE: &[Feature] = &[
        Feature::Branching,
        Feature::Chance,
        Feature::Filter,
        Feature::Knowledge,
        Feature::LongRun,
        Feature::Reward,
    ];
    let asks_more = features(&claim.formula).iter().any(|feature| MORE.contains(feature));
    let shows = match claim.kind {
        Kind::Possible => *verdict == Verdict::Holds,
        _ => *verdict == Verdict::Fails,
    };
    shows && !asks_more
}

/// Marks the claims whose verdicts about all runs were found in one order of turns, where another may give another.
pub(crate) fn in_one_order(ready: &Ready, fairness: Fairness, report: &mut Report) {
    let review = ready.system.review.as_ref();
    let orders = |clashes: Vec<Clash>| clashes.into_iter().filter_map(|clash| clash.order).collect();
    let all: Vec<String> = orders(review.clashes(None));
    if all.is_empty() {
        return;
    }
    let mut assumed = Vec::new();
    for assumption in ready.assumptions() {
        assumption.formula.for_each_atom(&mut |atom| assumed.push(*atom));
    }
    for (claim, told) in ready.claims.iter().zip(&mut report.claims) {
        // A run that shows something is a run of the model, whatever the other orders lead to.
        let shown = is_shown(claim, &told.outcome.verdict) && told.outcome.evidence.is_some();
        if shown || matches!(told.outcome.verdict, Verdict::Unknown(_)) {
            continue;
        }
        let mut atoms = assumed.clone();
        claim.formula.for_each_atom(&mut |atom| atoms.push(*atom));
        // What cannot have an influence on the atoms of a claim can have one on claims about more than these.
        told.orders = match keeps_verdict(claim, fairness, Haste::Kept) {
            true => orders(review.clashes(Some(&atoms))),
            false => all.clone(),
        };
    }
}

/// What two did at one instant, as notices about the model.
pub(crate) fn clashes(loaded: &Loaded, review: &dyn Review, seen: &str) -> Vec<NoticeReport> {
    let told = |clash: Clash| {
        let mut notice = clash.notice;
        notice.message.push_str(seen);
        NoticeReport { place: place(loaded, &notice), notice, more: 0, tale: None }
    };
    review.clashes(None).into_iter().map(told).collect()
}

/// The same of a model of which only parts were searched: in its first states.
pub(crate) fn clashes_at_first(loaded: &Loaded, ready: &Ready) -> Vec<NoticeReport> {
    let review = ready.system.review.as_ref();
    if !review.may_clash() {
        return Vec::new();
    }
    let limits = Limits { states: Some(LIMIT_STATES), ..Limits::default() };
    let settings = Settings { limits, threads: 1, ..Settings::default() };
    let answer = check_all(ready.system.model.as_ref(), &[], &settings, &mut |_| {});
    let seen = match answer.coverage.complete {
        true => String::new(),
        false => {
            format!(" (seen in the first {} states; others were not looked at)", answer.coverage.states)
        }
    };
    clashes(loaded, review, &seen)
}
