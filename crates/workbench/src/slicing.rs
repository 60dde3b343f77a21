//! Each claim on a model of its own: what cannot influence it is left out.

use std::sync::Arc;

use motet_engine::Progress;
use motet_evidence::Fairness;
use motet_model::{AtomId, AtomText, Haste, System};
use motet_property::{Bound, Claim, Feature, Fragment, Interval, Kind, Path, Unit, features, fragment};
use motet_render::{ClaimReport, Report};
use motet_source::Spanned;

use crate::check::{CheckOptions, check};
use crate::load::{Loaded, Ready};
use crate::moments::sees_moments;

/// Claims that are checked together, with the atoms they mention.
struct Part {
    claims: Vec<Claim<AtomId>>,
    atoms: Vec<Spanned<AtomText>>,
}

/// Checks all selected claims, each on a model without what cannot influence it. Claims that a slice could change, and those
/// that need everything, are checked on the whole model. `watch` is told how far the search is.
#[must_use]
pub fn check_sliced(loaded: &Loaded, options: &CheckOptions, watch: &mut dyn FnMut(Progress)) -> Report {
    let Some(ready) = &loaded.ready else { return check(loaded, options, watch) };
    let fairness = options.fairness.unwrap_or(ready.fairness());
    let asked: Vec<usize> =
        (0..ready.claims.len()).filter(|&at| ready.claims[at].kind != Kind::Assume).collect();
    let mut whole: Vec<usize> = Vec::new();
    let mut groups: Vec<(Vec<String>, Vec<usize>)> = Vec::new();
    for at in asked {
        let part = part(ready, &[at]);
        let slice = ready.draft.slice(&part.atoms);
        let slice =
            slice.filter(|slice| part.claims.iter().all(|claim| keeps_verdict(claim, fairness, slice.haste)));
        match slice {
            None => whole.push(at),
            Some(slice) => match groups.iter_mut().find(|(left_out, _)| *left_out == slice.left_out) {
                Some((_, places)) => places.push(at),
                None => groups.push((slice.left_out, vec![at])),
            },
        }
    }
    let mut reports: Vec<Report> = Vec::new();
    for (left_out, places) in groups {
        match run(loaded, ready, options, &left_out, &places, watch) {
            Some(report) => reports.push(report),
            // Together they need more than each alone.
            None => {
                let alone =
                    places.iter().filter_map(|&at| run(loaded, ready, options, &left_out, &[at], watch));
                reports.extend(alone);
            }
        }
    }
    let assumed = ready.claims.iter().any(|claim| claim.kind == Kind::Assume);
    if !whole.is_empty() || (assumed && reports.is_empty()) || ready.claims.is_empty() {
        reports.insert(0, on_whole(loaded, ready, &whole, options, watch));
    }
    merged(ready, reports)
}

/// The claims with these places, and all assumptions, over their own atoms.
fn part(ready: &Ready, places: &[usize]) -> Part {
    let mut numbers: Vec<AtomId> = Vec::new();
    let wanted = |at: &usize| places.contains(at) || ready.claims[*at].kind == Kind::Assume;
    let all: Vec<usize> = (0..ready.claims.len()).filter(wanted).collect();
    for &at in &all {
        ready.claims[at].formula.for_each_atom(&mut |atom| {
            if !numbers.contains(atom) {
                numbers.push(*atom);
            }
        });
    }
    let renumbered = |atom: &AtomId| {
        let place = numbers.iter().position(|known| known == atom).expect("all atoms were collected");
        AtomId(u32::try_from(place).expect("atoms are numbered in 32 bits"))
    };
    let claims = all.iter().map(|&at| {
        let claim = &ready.claims[at];
        Claim { formula: claim.formula.map_atoms(&renumbered), ..claim.clone() }
    });
    let claims = claims.collect();
    Part { claims, atoms: numbers.iter().map(|atom| ready.atoms[atom.index()].clone()).collect() }
}

/// Checks these claims on the model without these parts; `None` if together they need one of them.
fn run(
    loaded: &Loaded,
    ready: &Ready,
    options: &CheckOptions,
    left_out: &[String],
    places: &[usize],
    watch: &mut dyn FnMut(Progress),
) -> Option<Report> {
    let part = part(ready, places);
    let slice = ready.draft.slice(&part.atoms).filter(|slice| slice.left_out == left_out)?;
    let sliced = Ready {
        system: slice.system,
        claims: part.claims,
        atoms: part.atoms,
        asked: ready.asked,
        draft: ready.draft.clone(),
    };
    let mut report = check(&loaded.with(sliced), options, watch);
    let states = report.coverage.as_ref().map_or(0, |coverage| coverage.states);
    let names: Vec<&str> = places.iter().map(|&at| ready.claims[at].name.as_str()).collect();
    let (names_text, left_out_text) = (names.join(", "), left_out.join(", "));
    report.remarks = vec![format!("{names_text} without {left_out_text}: {states} states")];
    // Notices about the model are about all of it.
    report.notices.clear();
    report.claims.retain(|claim| names.contains(&claim.name.as_str()));
    for claim in &mut report.claims {
        claim.left_out = left_out.to_vec();
    }
    Some(report)
}

/// Checks these claims on the very model that was loaded, so that their runs are its runs.
fn on_whole(
    loaded: &Loaded,
    ready: &Ready,
    places: &[usize],
    options: &CheckOptions,
    watch: &mut dyn FnMut(Progress),
) -> Report {
    let wanted = |at: &usize| places.contains(at) || ready.claims[*at].kind == Kind::Assume;
    let claims = (0..ready.claims.len()).filter(wanted).map(|at| ready.claims[at].clone()).collect();
    let system = System {
        model: Arc::clone(&ready.system.model),
        words: Arc::clone(&ready.system.words),
        review: Arc::clone(&ready.system.review),
        export: Arc::clone(&ready.system.export),
        summary: ready.system.summary.clone(),
    };
    let (atoms, draft) = (ready.atoms.clone(), ready.draft.clone());
    check(&loaded.with(Ready { system, claims, atoms, asked: ready.asked, draft }), options, watch)
}

/// One report, with the claims in their order and the counts of the largest exploration.
fn merged(ready: &Ready, reports: Vec<Report>) -> Report {
    let mut reports = reports.into_iter();
    let Some(mut all) = reports.next() else { return Report::default() };
    for report in reports {
        all.claims.extend(report.claims);
        all.remarks.extend(report.remarks);
        all.reductions.extend(report.reductions);
        all.engine_failures.extend(report.engine_failures);
        all.internal.extend(report.internal);
        all.stop = all.stop.or(report.stop);
        let states =
            |coverage: &Option<motet_evidence::Coverage>| coverage.as_ref().map_or(0, |one| one.states);
        if states(&report.coverage) > states(&all.coverage) {
            all.coverage = report.coverage;
        }
    }
    let place = |claim: &ClaimReport| ready.claims.iter().position(|other| other.name == claim.name);
    all.claims.sort_by_key(place);
    all
}

/// Whether a model without what cannot influence the atoms of a claim gives the same verdict. Knowledge, rewards and numbers
/// of states are about all of the model. A slice that repeats less must not be asked for steps, for whether anything at all can
/// happen, or for numbers. Where those who are left out may delay the others, claims that wait for something can tell unless
/// runs are fair, and claims with bounds always. Where they do not, they still make moments ([`sees_moments`]).
fn keeps_verdict(claim: &Claim<AtomId>, fairness: Fairness, haste: Haste) -> bool {
    const WHOLE: &[Feature] = &[Feature::Knowledge, Feature::Reward, Feature::Filter];
    const BLIND: &[Feature] = &[
        Feature::Next,
        Feature::Automaton,
        Feature::Deadlock,
        Feature::Chance,
        Feature::LongRun,
        Feature::Wait,
        Feature::Past,
        Feature::Branching,
    ];
    let used = features(&claim.formula);
    if used.iter().any(|feature| WHOLE.contains(feature)) {
        return false;
    }
    if haste == Haste::Stepwise {
        return true;
    }
    if used.iter().any(|feature| BLIND.contains(feature)) || counts_steps(&claim.formula) {
        return false;
    }
    let about_states = matches!(fragment(claim), Fragment::Invariant(_) | Fragment::Reachability(_));
    let timed = used.contains(&Feature::Bound) || used.contains(&Feature::Clock);
    match (haste, fairness) {
        (Haste::Kept, _) => !sees_moments(&claim.formula),
        (Haste::Stepwise, _) => true,
        (Haste::Delayed, Fairness::None) => about_states,
        (Haste::Delayed, Fairness::Weak | Fairness::Strong) => !timed,
    }
}

/// Whether some bound counts steps, of which a slice has fewer.
fn counts_steps(path: &Path<AtomId>) -> bool {
    let steps = |bound: &Bound| matches!(bound.unit, Some(Unit::Steps) | None);
    let counted = |when: &Interval| when.low.iter().chain(&when.high).any(steps);
    match path {
        Path::Now(_) | Path::Accepted(_) => false,
        Path::Not(a) | Path::Next(a) => counts_steps(a),
        Path::Eventually(when, a) | Path::Always(when, a) => counted(when) || counts_steps(a),
        Path::And(a, b) | Path::Or(a, b) | Path::Implies(a, b) | Path::Iff(a, b) => {
            counts_steps(a) || counts_steps(b)
        }
        Path::Until(when, a, b) | Path::Weak(when, a, b) | Path::Release(when, a, b) => {
            counted(when) || counts_steps(a) || counts_steps(b)
        }
    }
}
