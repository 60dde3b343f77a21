//! Words of claims that never change: likely a name is meant differently, or the model lacks the step that changes it.
//!
//! A claim that fails says with it why; one that holds says less than it seems to. Where the claim itself says no more than that
//! its atom never changes (`never p`, which holds), there is nothing to add.

use std::collections::BTreeMap;

use motet_engine::Report;
use motet_evidence::{Outcome, Vacuity, Verdict};
use motet_model::{AtomId, Notice};
use motet_property::{Claim, Formula, Kind, Path};
use motet_source::{Severity, Span};

use crate::loading::atoms::atoms;
use crate::loading::load::Ready;

/// Remarks about atoms of claims that have one truth in every reachable state.
pub(crate) fn constants(ready: &Ready, answer: &Report) -> Vec<Notice> {
    let constant: BTreeMap<AtomId, bool> = answer.constant_atoms().into_iter().collect();
    let mut spoken: Vec<AtomId> = Vec::new();
    for (claim, outcome) in ready.claims.iter().zip(&answer.outcomes) {
        let fails = claim.kind == Kind::Property && outcome.verdict == Verdict::Fails;
        let found = match fails {
            true => atoms(&claim.formula),
            false => beside_the_claim(ready, claim, outcome, &constant),
        };
        spoken.extend(found);
    }
    let told = constant.iter().filter(|(atom, _)| spoken.contains(atom));
    told.map(|(atom, value)| {
        let atom = &ready.atoms[atom.index()];
        Notice {
            code: "M0310",
            severity: Severity::Hint,
            message: format!("`{}` is {value} in every reachable state", atom.node),
            span: Some(atom.span),
            help: "check the name, or look for the step that should change it".to_owned(),
        }
    })
    .collect()
}

/// The atoms of a claim whose truth never changes and of which the claim says more than that. A quantifier writes an atom out for each
/// member; it is spoken of where all of them are dead.
fn beside_the_claim(
    ready: &Ready,
    claim: &Claim<AtomId>,
    outcome: &Outcome,
    constant: &BTreeMap<AtomId, bool>,
) -> Vec<AtomId> {
    if matches!(outcome.verdict, Verdict::Unknown(_)) || claim.kind == Kind::Assume {
        return Vec::new();
    }
    let mut said = Vec::new();
    settled(&claim.formula, &mut said);
    if let Vacuity::NeverTriggered(trigger) = &outcome.vacuity {
        settled(trigger, &mut said);
    }
    let all = atoms(&claim.formula);
    let place = |atom: AtomId| ready.atoms[atom.index()].span;
    let dead = |span: Span| all.iter().all(|&atom| place(atom) != span || constant.contains_key(&atom));
    let mut found: Vec<AtomId> = Vec::new();
    for &atom in &all {
        let known = found.iter().any(|&other| place(other) == place(atom));
        if !said.contains(&atom) && !known && dead(place(atom)) {
            found.push(atom);
        }
    }
    found
}

/// The atoms of which a formula says no more than that they are so, or not so, at all moments or some: `G (!p & q)`.
fn settled(path: &Path<AtomId>, said: &mut Vec<AtomId>) {
    match path {
        Path::Now(formula) => settled_now(formula, said),
        Path::Not(a) | Path::Always(_, a) | Path::Eventually(_, a) => settled(a, said),
        Path::And(a, b) => {
            settled(a, said);
            settled(b, said);
        }
        _ => {}
    }
}

fn settled_now(formula: &Formula<AtomId>, said: &mut Vec<AtomId>) {
    match formula {
        Formula::Atom(atom) => said.push(*atom),
        Formula::Not(a) => match &**a {
            // `!(p | q)` says it of both, `!(p & q)` of neither.
            Formula::Or(a, b) => {
                for part in [a, b] {
                    settled_now(&Formula::Not(part.clone()), said);
                }
            }
            Formula::Atom(atom) => said.push(*atom),
            Formula::Not(a) => settled_now(a, said),
            _ => {}
        },
        Formula::And(a, b) => {
            settled_now(a, said);
            settled_now(b, said);
        }
        Formula::Runs(_, path) => settled(path, said),
        Formula::Chance(_, _, path) => settled(path, said),
        _ => {}
    }
}
