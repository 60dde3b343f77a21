//! Who is told apart by claims.
//!
//! Members are interchangeable for a claim if every largest formula in it that speaks of single states says the same after
//! they have changed places; what stands around such formulas speaks of runs, and those have images. That is looked for in the
//! text of the formula, up to the order of `and` and `or`, so nothing is missed but what is written in different words.

use std::collections::BTreeSet;

use motet_evidence::Fairness;
use motet_model::{AtomId, Model, Obstacle, Symmetry};
use motet_property::{
    Bound, Claim, Feature, Formula, Fragment, Kind, Past, Path, Subformula, Unit, features, fragment,
};

use super::Group;
use crate::chance::rewards_of;

/// Finds the members of a kind that may change places, and says what keeps the others.
pub(super) fn groups(
    model: &dyn Model,
    symmetry: &dyn Symmetry,
    kind: usize,
    claims: &[Claim<AtomId>],
    fairness: Fairness,
    found: &mut Vec<Group>,
    obstacles: &mut Vec<Obstacle>,
) {
    let text = &symmetry.kinds()[kind];
    let refused = claims
        .iter()
        .find_map(|claim| refusal(model, symmetry, kind, claims, claim, fairness).map(|why| (claim, why)));
    if let Some((claim, why)) = refused {
        let reason = format!("{}: {why}", claim.name);
        obstacles.push(Obstacle { name: text.name.clone(), reason });
        return;
    }
    let mut classes: Vec<Vec<usize>> = Vec::new();
    let mut apart: Vec<String> = Vec::new();
    let said: Vec<(&Claim<AtomId>, Vec<Said>)> = claims.iter().map(|claim| (claim, said(claim))).collect();
    for member in 0..text.members.len() {
        let mut witness = None;
        let class = classes.iter_mut().find(|class| {
            let swapped = (class[0], member);
            let teller = said.iter().find(|(_, said)| !is_kept(said, symmetry, kind, swapped));
            witness = witness.or(teller.map(|(claim, _)| *claim));
            teller.is_none()
        });
        match class {
            Some(class) => class.push(member),
            None => {
                apart.extend(witness.map(|claim| claim.name.clone()));
                classes.push(vec![member]);
            }
        }
    }
    apart.sort_unstable();
    apart.dedup();
    let named: Vec<&str> = classes
        .iter()
        .filter(|class| class.len() == 1)
        .map(|class| text.members[class[0]].as_str())
        .collect();
    if !named.is_empty() && !apart.is_empty() {
        let reason = format!("told apart by {}: {}", apart.join(", "), named.join(", "));
        obstacles.push(Obstacle { name: text.name.clone(), reason });
    }
    for members in classes.into_iter().filter(|class| class.len() > 1) {
        let names = members.iter().map(|&member| text.members[member].clone()).collect();
        found.push(Group { kind, name: text.name.clone(), members, names, with: text.with.clone() });
    }
}

/// Why a claim cannot be answered on a quotient by this kind.
fn refusal(
    model: &dyn Model,
    symmetry: &dyn Symmetry,
    kind: usize,
    claims: &[Claim<AtomId>],
    claim: &Claim<AtomId>,
    fairness: Fairness,
) -> Option<&'static str> {
    let used = features(&claim.formula);
    if used.contains(&Feature::Knowledge) {
        return Some("what somebody knows depends on who is who");
    }
    if used.contains(&Feature::Filter) {
        return Some("a filter gathers over all states");
    }
    if used.contains(&Feature::Reward) {
        let rewards = rewards_of(model, std::slice::from_ref(claim));
        if !rewards.iter().all(|reward| symmetry.keeps_reward(kind, *reward)) {
            return Some("a reward may depend on who is who");
        }
    }
    let about_states = matches!(fragment(claim), Fragment::Invariant(_) | Fragment::Reachability(_));
    let assumed = claims.iter().any(|claim| claim.kind == Kind::Assume);
    if fairness != Fairness::None && !symmetry.keeps_subjects(kind) && (!about_states || assumed) {
        return Some("fairness is about each member, and tells them apart");
    }
    const COUNTING: &[Feature] = &[Feature::Next, Feature::Automaton, Feature::LongRun, Feature::Reward];
    let counts = used.iter().any(|feature| COUNTING.contains(feature)) || counts_steps(&claim.formula);
    if symmetry.repeats() && counts {
        return Some("it counts steps, of which there may be more or fewer when members change places");
    }
    None
}

/// A formula about single states in a form that equal formulas share.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Said {
    True,
    False,
    Deadlock,
    Atom(AtomId),
    Not(Box<Said>),
    And(BTreeSet<Said>),
    Or(BTreeSet<Said>),
    Implies(Box<Said>, Box<Said>),
    Iff(BTreeSet<Said>, bool),
}

impl Said {
    /// `None` for formulas that speak of more than a single state.
    fn of(formula: &Formula<AtomId>) -> Option<Self> {
        let both = |a: &Formula<AtomId>, b: &Formula<AtomId>| Some((Self::of(a)?, Self::of(b)?));
        Some(match formula {
            Formula::True => Self::True,
            Formula::False => Self::False,
            Formula::Deadlock => Self::Deadlock,
            Formula::Atom(atom) => Self::Atom(*atom),
            Formula::Not(a) => Self::Not(Box::new(Self::of(a)?)),
            Formula::And(a, b) => both(a, b).map(|(a, b)| Self::and(a, b))?,
            Formula::Or(a, b) => both(a, b).map(|(a, b)| Self::or(a, b))?,
            Formula::Implies(a, b) => both(a, b).map(|(a, b)| Self::Implies(Box::new(a), Box::new(b)))?,
            Formula::Iff(a, b) => both(a, b).map(|(a, b)| Self::iff(a, b))?,
            _ => return None,
        })
    }

    fn and(a: Self, b: Self) -> Self {
        let parts = |part: Self| if let Self::And(parts) = part { parts } else { BTreeSet::from([part]) };
        Self::And(parts(a).into_iter().chain(parts(b)).collect())
    }

    fn or(a: Self, b: Self) -> Self {
        let parts = |part: Self| if let Self::Or(parts) = part { parts } else { BTreeSet::from([part]) };
        Self::Or(parts(a).into_iter().chain(parts(b)).collect())
    }

    fn iff(a: Self, b: Self) -> Self {
        let same = a == b;
        Self::Iff(BTreeSet::from([a, b]), same)
    }

    /// What it says with other atoms.
    fn image(&self, of: &dyn Fn(AtomId) -> Option<AtomId>) -> Option<Self> {
        let all = |parts: &BTreeSet<Self>| parts.iter().map(|part| part.image(of)).collect::<Option<_>>();
        Some(match self {
            Self::True => Self::True,
            Self::False => Self::False,
            Self::Deadlock => Self::Deadlock,
            Self::Atom(atom) => Self::Atom(of(*atom)?),
            Self::Not(a) => Self::Not(Box::new(a.image(of)?)),
            Self::And(parts) => Self::And(all(parts)?),
            Self::Or(parts) => Self::Or(all(parts)?),
            Self::Implies(a, b) => Self::Implies(Box::new(a.image(of)?), Box::new(b.image(of)?)),
            Self::Iff(parts, same) => Self::Iff(all(parts)?, *same),
        })
    }
}

/// Whether all of these say the same after two members have changed places.
fn is_kept(said: &[Said], symmetry: &dyn Symmetry, kind: usize, swapped: (usize, usize)) -> bool {
    let image = |atom| symmetry.image(kind, swapped, atom);
    said.iter().all(|one| one.image(&image).as_ref() == Some(one))
}

/// The largest formulas of a claim that speak of single states.
fn said(claim: &Claim<AtomId>) -> Vec<Said> {
    let mut found = Vec::new();
    of_path(&claim.formula, &mut found);
    found.sort_unstable();
    found.dedup();
    found
}

fn of_path(path: &Path<AtomId>, found: &mut Vec<Said>) {
    path.for_each_state(&mut |formula| of_formula(formula, found));
}

fn of_formula(formula: &Formula<AtomId>, found: &mut Vec<Said>) {
    if let Some(said) = Said::of(formula) {
        found.push(said);
        return;
    }
    formula.children().for_each(|child| match child {
        Subformula::Path(path) => of_path(path, found),
        Subformula::State(formula) => of_formula(formula, found),
    });
}

/// Whether something in a formula counts steps rather than time.
fn counts_steps(path: &Path<AtomId>) -> bool {
    path.any(&mut |part| counts(part) || part.bounds().any(is_count))
}

fn is_count(bound: &Bound) -> bool {
    bound.unit != Some(Unit::Clock)
}

/// Whether it counts steps though it has no bound.
fn counts(part: Subformula<'_, AtomId>) -> bool {
    match part {
        Subformula::Path(path) => matches!(path, Path::Accepted(_) | Path::Next(_)),
        Subformula::State(Formula::Steady(..) | Formula::Reward(..) | Formula::Filter(..)) => true,
        Subformula::State(Formula::Past(past)) => matches!(**past, Past::Previously(_)),
        Subformula::State(_) => false,
    }
}
