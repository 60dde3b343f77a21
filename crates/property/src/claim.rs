//! A claim: a name, words, a formula and the verdict its author expects.

use motet_source::Span;

use crate::formula::{Bound, Formula, Path, Subformula};

/// One item of a claims file that an engine can answer. A state formula stands as `Path::Now`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim<A> {
    /// Its name in the file; `-e` formulas are called `formula`.
    pub name: String,
    /// The author's words, if given.
    pub words: Option<String>,
    /// What is asked.
    pub kind: Kind,
    /// The formula.
    pub formula: Path<A>,
    /// The verdict its author expects.
    pub expect: Expect,
    /// The item in the file.
    pub span: Span,
    /// The formula's text in the file.
    pub text: String,
}

impl<A> Claim<A> {
    /// Whether it is demanded of all runs and looks at nothing but their first state. A claim that is true or false whatever
    /// the model does looks at no state.
    #[must_use]
    pub fn speaks_of_the_start(&self) -> bool {
        matches!(self.kind, Kind::Property | Kind::Assume)
            && of_first_state(&self.formula)
            && !matches!(self.formula, Path::Now(Formula::True | Formula::False))
    }
}

/// Whether the formula looks at nothing but the first state of a run.
pub(crate) fn of_first_state<A>(path: &Path<A>) -> bool {
    path.is_state() && !path.any(&mut |part| matches!(part, Subformula::State(formula) if is_beyond(formula)))
}

/// Whether a formula looks at more than one state, whatever stands inside of it.
fn is_beyond<A>(formula: &Formula<A>) -> bool {
    match formula {
        Formula::Runs(..)
        | Formula::Chance(..)
        | Formula::Reward(..)
        | Formula::Steady(..)
        | Formula::Wait(..)
        | Formula::Filter(..) => true,
        Formula::True
        | Formula::False
        | Formula::Deadlock
        | Formula::Atom(_)
        | Formula::Not(_)
        | Formula::And(..)
        | Formula::Or(..)
        | Formula::Implies(..)
        | Formula::Iff(..)
        | Formula::Knows(..)
        | Formula::Timer(..)
        | Formula::Past(_) => false,
    }
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// True on all runs (linear time) or at the start (branching time, knowledge, chance).
    Property,
    /// Some run reaches it; the answer is a witness.
    Possible,
    /// A number.
    Query,
    /// Only runs that satisfy it count; checked for satisfiability.
    Assume,
}

/// The verdict an author expects. Numbers are kept as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// A property holds; a possibility is reachable.
    Holds,
    /// A property fails; a possibility is unreachable.
    Fails,
    /// A query's value: within these ends (inclusive), decimal text; `None` is open.
    Value(Option<String>, Option<String>),
    /// The time that a query asks for: not less, not more; `None` is open.
    Time(Option<Bound>, Option<Bound>),
    /// Nothing was written for a query.
    Nothing,
}
