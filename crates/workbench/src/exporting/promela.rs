//! Claims as Spin reads them.

use std::collections::BTreeSet;

use motet_engine::Settings;
use motet_model::{AtomId, PromelaClaim};
use motet_property::{Claim, Formula, Interval, Kind, Path, Quantifier, spin_ltl_with};

use crate::loading::load::Ready;

/// A claim for Spin, or the reason why Spin cannot be asked.
pub(crate) struct Asked {
    pub(crate) claim: Result<PromelaClaim, String>,
    pub(crate) sense: Sense,
}

/// What a violation that Spin finds means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sense {
    /// The claim fails.
    Disproves,
    /// The claim holds: Spin was asked whether it never happens.
    Proves,
}

/// A text in Promela that claims are written for.
pub(crate) struct Target<'t> {
    /// Names that it uses: a claim must not be called like anything in it.
    pub(crate) taken: BTreeSet<String>,
    /// Its name for an atom.
    pub(crate) atom: &'t dyn Fn(AtomId) -> String,
    /// Its name for a state without steps, if it has one.
    pub(crate) deadlock: Option<String>,
}

/// Every claim for Spin, about the model as its language translates it.
pub(crate) fn promela_claims(ready: &Ready) -> Vec<Asked> {
    let export = &ready.system.export;
    let model = export.promela(&[], &Settings::default()).unwrap_or_default();
    let words = model.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
    let taken: BTreeSet<String> = words.map(str::to_owned).collect();
    let atom = |atom| export.promela_atom(atom);
    claims_for(ready, Target { taken, atom: &atom, deadlock: export.promela_deadlock() })
}

/// Every claim for Spin, in order.
pub(crate) fn claims_for(ready: &Ready, target: Target<'_>) -> Vec<Asked> {
    let Target { mut taken, atom, deadlock } = target;
    let mut asked = Vec::new();
    for claim in &ready.claims {
        let (formula, sense) = assumed_question(ready, claim);
        let name = identifier(&claim.name, &taken);
        taken.insert(name.clone());
        let text = spin_ltl_with(&formula, atom, deadlock.as_deref());
        let claim = text
            .map(|formula| PromelaClaim { name, text: claim.text.clone(), formula })
            .map_err(|unsupported| unsupported.to_string());
        asked.push(Asked { claim, sense });
    }
    asked
}

/// The formula that has to be proved on all runs, and what its failure means. Assumptions stand before the claim as the left
/// side of an implication.
pub(crate) fn assumed_question(ready: &Ready, claim: &Claim<AtomId>) -> (Path<AtomId>, Sense) {
    let (formula, sense) = question(claim);
    if claim.kind == Kind::Assume {
        return (formula, sense);
    }
    let assumptions = ready.assumptions();
    let assumed = assumptions.iter().rev().fold(formula, |rest, assumption| {
        Path::Implies(Box::new(assumption.formula.clone()), Box::new(rest))
    });
    (assumed, sense)
}

/// The formula that Spin has to prove, and what its failure means.
fn question(claim: &Claim<AtomId>) -> (Path<AtomId>, Sense) {
    let never = |path: &Path<AtomId>| Path::Not(Box::new(path.clone()));
    match (claim.kind, &claim.formula) {
        (Kind::Property, Path::Now(Formula::Runs(Quantifier::Some, path))) => (never(path), Sense::Proves),
        (Kind::Possible, path) => {
            let reached = Path::Eventually(Interval::default(), Box::new(path.clone()));
            (never(&reached), Sense::Proves)
        }
        (Kind::Assume, path) => (never(path), Sense::Proves),
        (Kind::Property | Kind::Query, path) => (path.clone(), Sense::Disproves),
    }
}

/// A legal identifier that is not taken yet, as near to the name as possible.
fn identifier(name: &str, taken: &BTreeSet<String>) -> String {
    let legal = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let mut text: String = name.chars().map(legal).collect();
    if !text.starts_with(|first: char| first.is_ascii_alphabetic()) {
        text.insert_str(0, "claim_");
    }
    let mut unique = text.clone();
    let mut number = 2;
    while taken.contains(&unique) {
        unique = format!("{text}_{number}");
        number += 1;
    }
    unique
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_legal_and_stay_different() {
        let taken = BTreeSet::from(["no_deadlock".to_owned()]);
        assert_eq!(identifier("S1", &taken), "S1");
        assert_eq!(identifier("no.deadlock", &taken), "no_deadlock_2");
        assert_eq!(identifier("no-deadlock", &BTreeSet::new()), "no_deadlock");
        assert_eq!(identifier("1st", &taken), "claim_1st");
    }
}
