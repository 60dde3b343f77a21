//! Which logic a claim needs, so that an engine can take it or say precisely what it cannot do.

use motet_model::AtomId;

use crate::claim::{Claim, Kind};
use crate::formula::{Formula, Interval, Path, RewardGoal, Timer};

/// The smallest fragment of the language that a claim lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fragment<'c> {
    /// A property `G p`: `p` holds in every reachable state. `p` has connectives and atoms only.
    Invariant(&'c Formula<AtomId>),
    /// A possibility `p` or `F p`: some reachable state satisfies `p`.
    Reachability(&'c Formula<AtomId>),
    /// Linear time without bounds and clocks.
    Ltl,
    /// Branching time in which every path quantifier has exactly one temporal operator.
    Ctl,
    /// Branching and linear time mixed freely.
    CtlStar,
    /// Bounds, clocks or the past.
    Timed,
    /// Knowledge.
    Knowledge,
    /// Probabilities.
    Chance,
    /// Rewards.
    Reward,
}

/// Something an engine may or may not be able to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// `X`
    Next,
    /// `F<=4min`
    Bound,
    /// `now`, `since`, `held`
    Clock,
    /// `A`, `E`, `AG` and the like
    Branching,
    /// `K`, `EK`, `CK`, `DK`
    Knowledge,
    /// `P`
    Chance,
    /// `S`
    LongRun,
    /// `R`
    Reward,
    /// `deadlock`
    Deadlock,
    /// `filter(...)`
    Filter,
    /// `max time to (p)`
    Wait,
    /// An automaton.
    Automaton,
    /// `once`, `historically`, `previously`, `since` between two formulas
    Past,
}

impl Feature {
    /// In the user's words, for a refusal: `the operator K (knowledge)`.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Next => "the operator X (next)",
            Self::Bound => "a time bound",
            Self::Clock => "a clock (now, since, held)",
            Self::Branching => "a path quantifier (A, E)",
            Self::Knowledge => "the operator K (knowledge)",
            Self::Chance => "the operator P (probability)",
            Self::LongRun => "the operator S (long run)",
            Self::Reward => "the operator R (reward)",
            Self::Deadlock => "deadlock",
            Self::Filter => "a filter",
            Self::Automaton => "an automaton",
            Self::Wait => "a question for a time (max time to, min time to)",
            Self::Past => "the past (once, historically, previously, since)",
        }
    }
}

/// The smallest fragment that the claim lies in.
#[must_use]
pub fn fragment(claim: &Claim<AtomId>) -> Fragment<'_> {
    let features = features(&claim.formula);
    let has = |feature| features.contains(&feature);
    if has(Feature::Reward) {
        return Fragment::Reward;
    }
    if has(Feature::Chance) || has(Feature::LongRun) || has(Feature::Filter) {
        return Fragment::Chance;
    }
    if has(Feature::Knowledge) {
        return Fragment::Knowledge;
    }
    if [Feature::Bound, Feature::Clock, Feature::Wait, Feature::Past].into_iter().any(has) {
        return Fragment::Timed;
    }
    if has(Feature::Branching) {
        return match &claim.formula {
            Path::Now(formula) if is_ctl(formula) => Fragment::Ctl,
            _ => Fragment::CtlStar,
        };
    }
    match (claim.kind, &claim.formula) {
        (Kind::Property | Kind::Assume, Path::Always(_, inner)) => match &**inner {
            Path::Now(formula) => Fragment::Invariant(formula),
            _ => Fragment::Ltl,
        },
        (Kind::Possible, Path::Now(formula)) => Fragment::Reachability(formula),
        (Kind::Possible, Path::Eventually(_, inner)) => match &**inner {
            Path::Now(formula) => Fragment::Reachability(formula),
            _ => Fragment::Ltl,
        },
        _ => Fragment::Ltl,
    }
}

/// What the formula uses, each once.
#[must_use]
pub fn features(path: &Path<AtomId>) -> Vec<Feature> {
    let mut found = Vec::new();
    of_path(path, &mut found);
    found.sort_unstable();
    found.dedup();
    found
}

/// The first operator of the formula that is not among the supported ones, in words.
#[must_use]
pub fn unsupported_operator_words(path: &Path<AtomId>, supported: &[Feature]) -> Option<&'static str> {
    let missing = features(path).into_iter().find(|feature| !supported.contains(feature));
    missing.map(Feature::words)
}

fn of_path(path: &Path<AtomId>, found: &mut Vec<Feature>) {
    let mut bounded = |interval: &Interval| {
        if !interval.is_unbounded() {
            found.push(Feature::Bound);
        }
    };
    match path {
        Path::Now(formula) => of_formula(formula, found),
        Path::Accepted(omega) => {
            found.push(Feature::Automaton);
            omega.propositions.iter().for_each(|formula| of_formula(formula, found));
        }
        Path::Next(inner) => {
            found.push(Feature::Next);
            of_path(inner, found);
        }
        Path::Not(inner) => of_path(inner, found),
        Path::Eventually(interval, inner) | Path::Always(interval, inner) => {
            bounded(interval);
            of_path(inner, found);
        }
        Path::And(left, right)
        | Path::Or(left, right)
        | Path::Implies(left, right)
        | Path::Iff(left, right) => {
            of_path(left, found);
            of_path(right, found);
        }
        Path::Until(interval, left, right)
        | Path::Weak(interval, left, right)
        | Path::Release(interval, left, right) => {
            bounded(interval);
            of_path(left, found);
            of_path(right, found);
        }
    }
}

fn of_formula(formula: &Formula<AtomId>, found: &mut Vec<Feature>) {
    match formula {
        Formula::True | Formula::False | Formula::Atom(_) => {}
        Formula::Deadlock => found.push(Feature::Deadlock),
        Formula::Not(inner) => of_formula(inner, found),
        Formula::And(left, right)
        | Formula::Or(left, right)
        | Formula::Implies(left, right)
        | Formula::Iff(left, right) => {
            of_formula(left, found);
            of_formula(right, found);
        }
        Formula::Runs(_, path) => {
            found.push(Feature::Branching);
            of_path(path, found);
        }
        Formula::Knows(_, _, inner) => {
            found.push(Feature::Knowledge);
            of_formula(inner, found);
        }
        Formula::Chance(_, _, path) => {
            found.push(Feature::Chance);
            of_path(path, found);
        }
        Formula::Steady(_, _, inner) => {
            found.push(Feature::LongRun);
            of_formula(inner, found);
        }
        Formula::Reward(_, _, _, goal) => {
            found.push(Feature::Reward);
            match &**goal {
                RewardGoal::Until(path) => of_path(path, found),
                RewardGoal::Cumulative(Some(_)) | RewardGoal::Instant(_) => found.push(Feature::Bound),
                RewardGoal::Cumulative(None) | RewardGoal::Average => {}
            }
        }
        Formula::Filter(_, value, states) => {
            found.push(Feature::Filter);
            of_formula(value, found);
            of_formula(states, found);
        }
        Formula::Timer(timer, _, _) => {
            found.push(Feature::Clock);
            match timer {
                Timer::Now => {}
                Timer::Since(inner) | Timer::Held(inner) => of_formula(inner, found),
            }
        }
        Formula::Past(past) => {
            found.push(Feature::Past);
            past.parts().for_each(|part| of_formula(part, found));
        }
        Formula::Wait(_, from, to) => {
            found.push(Feature::Wait);
            if let Some(from) = from {
                of_formula(from, found);
            }
            of_formula(to, found);
        }
    }
}

/// Whether every path quantifier stands directly before one temporal operator over state formulas.
fn is_ctl(formula: &Formula<AtomId>) -> bool {
    let state = |path: &Path<AtomId>| matches!(path, Path::Now(formula) if is_ctl(formula));
    match formula {
        Formula::Not(inner) => is_ctl(inner),
        Formula::And(left, right)
        | Formula::Or(left, right)
        | Formula::Implies(left, right)
        | Formula::Iff(left, right) => is_ctl(left) && is_ctl(right),
        Formula::Runs(_, path) => match &**path {
            Path::Next(inner) | Path::Eventually(_, inner) | Path::Always(_, inner) => state(inner),
            Path::Until(_, left, right) | Path::Weak(_, left, right) | Path::Release(_, left, right) => {
                state(left) && state(right)
            }
            _ => false,
        },
        _ => true,
    }
}
