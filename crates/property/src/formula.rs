//! Formulas after reading: definitions expanded, quantifiers over the model's vocabulary expanded, spellings gone.
//! Parsed over atom texts; engines accept only `A = AtomId`.

mod connective;
mod rebuild;
mod until;
mod walk;

use crate::omega::Omega;

pub use connective::Connective;
pub use rebuild::{Change, Rebuild};
pub use until::{Basic, Until};
pub use walk::Subformula;

/// What is said of a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula<A> {
    /// Always true.
    True,
    /// Never true.
    False,
    /// The state has no steps.
    Deadlock,
    /// An atom of the model.
    Atom(A),
    /// Negation.
    Not(Box<Formula<A>>),
    /// Conjunction.
    And(Box<Formula<A>>, Box<Formula<A>>),
    /// Disjunction.
    Or(Box<Formula<A>>, Box<Formula<A>>),
    /// Implication.
    Implies(Box<Formula<A>>, Box<Formula<A>>),
    /// Equivalence.
    Iff(Box<Formula<A>>, Box<Formula<A>>),
    /// On all, or on some, of the runs from here.
    Runs(Quantifier, Box<Path<A>>),
    /// True in all states the agents cannot tell from this one.
    Knows(Knowledge, Vec<String>, Box<Formula<A>>),
    /// `P>=0.95 [...]`, `Pmin=? [...]`.
    Chance(Option<Extremum>, Query, Box<Path<A>>),
    /// `R{"fuel"}max=? [...]`.
    Reward(Option<String>, Option<Extremum>, Query, Box<RewardGoal<A>>),
    /// `S>=0.5 [...]`, `Smax=? [...]`.
    Steady(Option<Extremum>, Query, Box<Formula<A>>),
    /// A clock compared with a duration: `held(p) <= 1 h`, `8 h <= now`.
    Timer(Timer<A>, Relation, Bound),
    /// `max time to (p)`, `min time from (a) to (p)`: the longest or shortest time, over all runs that count, from the start
    /// (or from any moment at which the first formula begins to hold) to the first moment at which the second holds.
    Wait(Extremum, Option<Box<Formula<A>>>, Box<Formula<A>>),
    /// What was, seen from here: `once(p)`, `p since q`.
    Past(Box<Past<A>>),
    /// `filter(max, P=? [...], s>3)`: a number or truth gathered over the reachable states where the last formula holds.
    Filter(Filter, Box<Formula<A>>, Box<Formula<A>>),
}

/// How a filter gathers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Filter {
    /// The least value.
    Min,
    /// The greatest value.
    Max,
    /// The mean of the values.
    Average,
    /// The sum of the values.
    Sum,
    /// How many states satisfy it.
    Count,
    /// The value in the only state.
    State,
    /// The value in the first state, in the order of distance from the start.
    First,
    /// True in all of them.
    ForAll,
    /// True in some of them.
    Exists,
    /// The value in each of them.
    Print,
}

impl Filter {
    /// As written.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Min => "min",
            Self::Max => "max",
            Self::Average => "avg",
            Self::Sum => "sum",
            Self::Count => "count",
            Self::State => "state",
            Self::First => "first",
            Self::ForAll => "forall",
            Self::Exists => "exists",
            Self::Print => "print",
        }
    }
}

/// What is said of a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Path<A> {
    /// Of its first state.
    Now(Formula<A>),
    /// Negation.
    Not(Box<Path<A>>),
    /// Conjunction.
    And(Box<Path<A>>, Box<Path<A>>),
    /// Disjunction.
    Or(Box<Path<A>>, Box<Path<A>>),
    /// Implication.
    Implies(Box<Path<A>>, Box<Path<A>>),
    /// Equivalence.
    Iff(Box<Path<A>>, Box<Path<A>>),
    /// From the second state on. A finite run repeats its last state.
    Next(Box<Path<A>>),
    /// Sooner or later.
    Eventually(Interval, Box<Path<A>>),
    /// At every point.
    Always(Interval, Box<Path<A>>),
    /// The left until the right, in one of the ways there are.
    Until(Until, Interval, Box<Path<A>>, Box<Path<A>>),
    /// An automaton accepts it. Stands alone, or under one negation.
    Accepted(Box<Omega<A>>),
}

/// When: inclusive ends; `None` is no bound. `Interval::default()` is any time.
///
/// An interval of time is met by every state that lasts into it, also if it was entered before the low end. In `p U[a,b] q`
/// a `q` whose state was entered before `a` needs `p` there as well, because `p` has to last until `a`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Interval {
    /// Not before.
    pub low: Option<Bound>,
    /// Not after.
    pub high: Option<Bound>,
}

impl Interval {
    /// Whether it restricts nothing.
    #[must_use]
    pub fn is_unbounded(&self) -> bool {
        self.low.is_none() && self.high.is_none()
    }
}

/// A length of time or a count. `<` and `>` keep their strictness.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bound {
    /// The number in its unit (milliseconds for clock units); exact.
    pub amount: u64,
    /// What is counted; `None` where the claim gave no unit (lint M0307).
    pub unit: Option<Unit>,
    /// `<` rather than `<=`.
    pub strict: bool,
}

/// What a bound counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Model time; the amount is in milliseconds.
    Clock,
    /// Steps of the whole system, however long they take.
    Steps,
    /// Reasoning cycles.
    Cycles,
    /// Firings.
    Firings,
}

/// All runs or some run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// `A`
    All,
    /// `E`
    Some,
}

/// Whose knowledge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Knowledge {
    /// `K`: of one agent.
    One,
    /// `EK`: each of the group.
    Everyone,
    /// `CK`: common knowledge.
    Common,
    /// `DK`: distributed knowledge.
    Distributed,
}

/// Over the choices of a decision process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extremum {
    /// The least.
    Min,
    /// The greatest.
    Max,
}

/// A threshold or a question. Numbers are kept as written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Query {
    /// `=?`
    Value,
    /// `>= 0.95`
    Compare(Relation, String),
}

/// Comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `=`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

impl Relation {
    /// The relation from the other side: `8 h <= now` is `now >= 8 h`.
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            Self::Lt => Self::Gt,
            Self::Le => Self::Ge,
            Self::Gt => Self::Lt,
            Self::Ge => Self::Le,
            Self::Eq | Self::Ne => self,
        }
    }
}

/// Which reward.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RewardGoal<A> {
    /// `F goal` and other paths: accumulated until the path is satisfied.
    Until(Path<A>),
    /// `C<=k`, or `C` without a bound.
    Cumulative(Option<Bound>),
    /// `I=k`.
    Instant(Bound),
    /// `S`: long-run average.
    Average,
}

/// A clock a claim brings along. It goes on while a state lasts, so a comparison may change its truth within a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Timer<A> {
    /// Time since the start.
    Now,
    /// Time since the formula last held: 0 while it holds, and infinite before it holds for the first time, so that
    /// `since(p) <= D` is false then.
    Since(Box<Formula<A>>),
    /// How long the formula has held without a break; 0 while it does not hold.
    Held(Box<Formula<A>>),
}

/// What was. The present belongs to it, except for [`Past::Previously`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Past<A> {
    /// `once(p)`: now or at some moment before.
    Once(Formula<A>),
    /// `historically(p)`: now and at every moment before.
    Historically(Formula<A>),
    /// `previously(p)`: when the state before this one was left; false in the first state.
    Previously(Formula<A>),
    /// `p since q`: the second now or at some moment before, and the first at every moment after that, the present included.
    Since(Formula<A>, Formula<A>),
}

impl<A> Past<A> {
    /// What is said of the moments of the past, in the order of the formula.
    pub fn parts(&self) -> impl Iterator<Item = &Formula<A>> {
        let (first, second) = match self {
            Self::Once(a) | Self::Historically(a) | Self::Previously(a) => (a, None),
            Self::Since(a, b) => (a, Some(b)),
        };
        std::iter::once(first).chain(second)
    }

    /// The same, to be changed.
    pub fn parts_mut(&mut self) -> impl Iterator<Item = &mut Formula<A>> {
        let (first, second) = match self {
            Self::Once(a) | Self::Historically(a) | Self::Previously(a) => (a, None),
            Self::Since(a, b) => (a, Some(b)),
        };
        std::iter::once(first).chain(second)
    }
}
