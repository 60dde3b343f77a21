//! Each claim on a model of its own: what cannot influence it is left out.

use std::sync::Arc;

use motet_engine::{Progress, Strategies};
use motet_evidence::{Fairness, Over};
use motet_model::{AtomId, AtomText, Haste, System};
use motet_property::{Bound, Claim, Feature, Fragment, Interval, Kind, Path, Unit, features, fragment};
use motet_render::{ClaimReport, Report};
use motet_source::{Problems, Spanned};

use crate::checking::check::{CheckOptions, check};
use crate::checking::fair_chance::is_about_states;
use crate::checking::narrowing::clashes_at_first;
use crate::checking::symmetry::{Likes, groups};
use crate::loading::load::{Loaded, Ready};
use crate::loading::moments::sees_moments;

/// Claims that are checked together, with the atoms they mention.
struct Part {
    claims: Vec<Claim<AtomId>>,
    atoms: Vec<Spanned<AtomText>>,
}

/// What claims that are checked together have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Company {
    /// What is left out for them.
    left_out: Vec<String>,
    /// Who is interchangeable for them.
    alike: Vec<Vec<String>>,
}

impl Company {
    fn is_plain(&self) -> bool {
        self.left_out.is_empty() && self.alike.is_empty()
    }
}

/// Whether what cannot influence a claim is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slicing {
    Sliced,
    Whole,
}

/// Checks all selected claims, each on a model without what cannot influence it. Claims that a slice could change, and those
/// that need everything, are checked on the whole model. `watch` is told how far the search is.
#[must_use]
pub fn check_sliced(loaded: &Loaded, options: &CheckOptions, watch: &mut dyn FnMut(Progress)) -> Report {
    check_apart(loaded, options, Slicing::Sliced, watch)
}

/// Checks all selected claims, together where the same members are interchangeable for them. `watch` is told how far the
/// search is.
#[must_use]
pub fn check_symmetric(loaded: &Loaded, options: &CheckOptions, watch: &mut dyn FnMut(Progress)) -> Report {
    check_apart(loaded, options, Slicing::Whole, watch)
}

fn check_apart(
    loaded: &Loaded,
    options: &CheckOptions,
    slicing: Slicing,
    watch: &mut dyn FnMut(Progress),
) -> Report {
    let Some(ready) = &loaded.ready else { return check(loaded, options, watch) };
    let fairness = options.fairness.unwrap_or(ready.fairness());
    let asked: Vec<usize> =
        (0..ready.claims.len()).filter(|&at| ready.claims[at].kind != Kind::Assume).collect();
    let mut groups: Vec<(Company, Vec<usize>)> = Vec::new();
    for at in asked {
        let company = company(ready, options, slicing, fairness, at);
        match groups.iter_mut().find(|(known, _)| *known == company) {
            Some((_, places)) => places.push(at),
            None => groups.push((company, vec![at])),
        }
    }
    // What all claims have in common is found on the very model that was loaded.
    let together = groups.len() == 1 && groups[0].0.left_out.is_empty();
    let is_whole = |company: &Company| company.is_plain() || together;
    let whole: Vec<usize> = groups
        .iter()
        .filter(|(company, _)| is_whole(company))
        .flat_map(|(_, places)| places.clone())
        .collect();
    groups.retain(|(company, _)| !is_whole(company));
    let mut reports: Vec<Report> = Vec::new();
    for (company, places) in groups {
        match run(loaded, ready, options, &company, &places, watch) {
            Some(report) => reports.push(report),
            // Together they need more than each alone.
            None => {
                let alone =
                    places.iter().filter_map(|&at| run(loaded, ready, options, &company, &[at], watch));
                reports.extend(alone);
            }
        }
    }
    let assumed = ready.claims.iter().any(|claim| claim.kind == Kind::Assume);
    if !whole.is_empty() || (assumed && reports.is_empty()) || ready.claims.is_empty() {
        let apart = !reports.is_empty();
        let mut report = on_whole(loaded, ready, &whole, options, watch);
        let names: Vec<String> = whole.iter().map(|&at| ready.claims[at].name.clone()).collect();
        tell_claims(&mut report, if apart { &names } else { &[] });
        reports.insert(0, report);
    }
    let is_apart = !reports.is_empty() && reports.iter().all(|report| report.notices.is_empty());
    let mut report = merged(ready, reports);
    if is_apart && slicing == Slicing::Sliced {
        report.notices = clashes_at_first(loaded, ready);
    }
    report
}

/// What can be left out for a claim, and who is interchangeable for it.
fn company(
    ready: &Ready,
    options: &CheckOptions,
    slicing: Slicing,
    fairness: Fairness,
    at: usize,
) -> Company {
    let part = part(ready, &[at]);
    // Situations that a slice takes for one may each owe a choice of their own.
    if options.settings.strategies == Strategies::FairToChoices && !part.claims.iter().all(is_about_states) {
        return Company { left_out: Vec::new(), alike: Vec::new() };
    }
    let slice = (slicing == Slicing::Sliced).then(|| ready.draft.slice(&part.atoms)).flatten();
    let slice =
        slice.filter(|slice| part.claims.iter().all(|claim| keeps_verdict(claim, fairness, slice.haste)));
    let left_out = slice.as_ref().map_or_else(Vec::new, |slice| slice.left_out.clone());
    if options.symmetry.is_none() {
        return Company { left_out, alike: Vec::new() };
    }
    let system = match slice {
        Some(slice) => Some(slice.system),
        None => own_system(ready, &part),
    };
    let alike = system.map_or_else(Vec::new, |system| groups(&system, &part.claims, options, fairness));
    Company { left_out, alike }
}

/// The model with the atoms of these claims alone; `None` for claims that need more than atoms.
fn own_system(ready: &Ready, part: &Part) -> Option<System> {
    let needs_more = |claim: &Claim<AtomId>| {
        features(&claim.formula).iter().any(|one| matches!(one, Feature::Knowledge | Feature::Reward))
    };
    if part.claims.iter().any(needs_more) {
        return None;
    }
    ready.draft.system(&part.atoms, &mut Problems::new())
}

/// Says for which claims members were interchangeable.
fn tell_claims(report: &mut Report, names: &[String]) {
    let Some(symmetry) = &mut report.symmetry else { return };
    symmetry.interchangeable.iter_mut().for_each(|one| one.claims = names.to_vec());
    symmetry.obstacles.iter_mut().for_each(|one| one.claims = names.to_vec());
}

/// What a slice for the claim with this place leaves out.
pub(crate) fn left_out(ready: &Ready, options: &CheckOptions, fairness: Fairness, at: usize) -> Vec<String> {
    let options = CheckOptions { symmetry: None, ..options.clone() };
    company(ready, &options, Slicing::Sliced, fairness, at).left_out
}

/// Who would be interchangeable for the claim with this place.
pub(crate) fn alike(
    ready: &Ready,
    options: &CheckOptions,
    fairness: Fairness,
    at: usize,
) -> Vec<Vec<String>> {
    let options = CheckOptions { symmetry: Some(Likes::All), ..options.clone() };
    company(ready, &options, Slicing::Whole, fairness, at).alike
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

/// Checks these claims on the model without what is left out for them; `None` if together they need some of it.
fn run(
    loaded: &Loaded,
    ready: &Ready,
    options: &CheckOptions,
    company: &Company,
    places: &[usize],
    watch: &mut dyn FnMut(Progress),
) -> Option<Report> {
    let part = part(ready, places);
    let left_out = &company.left_out;
    let system = if left_out.is_empty() {
        own_system(ready, &part)?
    } else {
        ready.draft.slice(&part.atoms).filter(|slice| slice.left_out == *left_out)?.system
    };
    let own = Ready {
        system,
        claims: part.claims,
        atoms: part.atoms,
        asked: ready.asked,
        draft: ready.draft.clone(),
    };
    let mut report = check(&loaded.with(own), options, watch);
    let states = report.coverage.as_ref().map_or(0, |coverage| coverage.states);
    let names: Vec<String> = places.iter().map(|&at| ready.claims[at].name.clone()).collect();
    let names_text = names.join(", ");
    report.remarks = if left_out.is_empty() {
        vec![format!("{names_text}: {states} states")]
    } else {
        vec![format!("{names_text} without {}: {states} states", left_out.join(", "))]
    };
    tell_claims(&mut report, &names);
    if let Some(symmetry) = &mut report.symmetry {
        symmetry.apart.clone_from(&names);
    }
    // Notices about the model are about all of it.
    report.notices.clear();
    report.claims.retain(|claim| names.contains(&claim.name));
    for claim in &mut report.claims {
        claim.left_out.clone_from(left_out);
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
        all.over = match (all.over, report.over) {
            (None | Some(Over::One), over @ Some(_)) => over,
            (over, _) => over,
        };
        all.claims.extend(report.claims);
        all.remarks.extend(report.remarks);
        all.reductions.extend(report.reductions);
        all.engine_failures.extend(report.engine_failures);
        all.internal.extend(report.internal);
        all.stop = all.stop.or(report.stop);
        let options = report.narrowed.into_iter().filter(|option| !all.narrowed.contains(option));
        let options: Vec<String> = options.collect();
        all.narrowed.extend(options);
        match (&mut all.symmetry, report.symmetry) {
            (Some(known), Some(more)) => known.extend(more),
            (none, more) => *none = none.take().or(more),
        }
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
pub(crate) fn keeps_verdict(claim: &Claim<AtomId>, fairness: Fairness, haste: Haste) -> bool {
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
    path.interval().is_some_and(counted) || path.operands().any(counts_steps)
}
