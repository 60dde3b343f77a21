//! Which logic a claim needs, so that an engine can take it or say precisely what it cannot do.

use motet_model::AtomId;

use crate::claim::{Claim, Kind};
use crate::formula::{Formula, Path, Subformula};

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
            Path::Now(formula) if formula.is_ctl() => Fragment::Ctl,
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
    path.for_each(&mut |part| found.extend(of(part).into_iter().flatten()));
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

/// What a formula uses itself, whatever stands inside of it.
fn of(part: Subformula<'_, AtomId>) -> [Option<Feature>; 2] {
    let bound = part.bounds().next().map(|_| Feature::Bound);
    match part {
        Subformula::Path(Path::Next(_)) => [Some(Feature::Next), None],
        Subformula::Path(Path::Accepted(_)) => [Some(Feature::Automaton), None],
        Subformula::Path(_) => [bound, None],
        Subformula::State(formula) => match formula {
            Formula::Deadlock => [Some(Feature::Deadlock), None],
            Formula::Runs(..) => [Some(Feature::Branching), None],
            Formula::Knows(..) => [Some(Feature::Knowledge), None],
            Formula::Chance(..) => [Some(Feature::Chance), None],
            Formula::Steady(..) => [Some(Feature::LongRun), None],
            Formula::Reward(..) => [Some(Feature::Reward), bound],
            Formula::Filter(..) => [Some(Feature::Filter), None],
            // What a clock is compared with is no bound of an operator.
            Formula::Timer(..) => [Some(Feature::Clock), None],
            Formula::Past(_) => [Some(Feature::Past), None],
            Formula::Wait(..) => [Some(Feature::Wait), None],
            Formula::True
            | Formula::False
            | Formula::Atom(_)
            | Formula::Not(_)
            | Formula::And(..)
            | Formula::Or(..)
            | Formula::Implies(..)
            | Formula::Iff(..) => [None, None],
        },
    }
}
