//! What claims say about a single state: their atoms get a meaning here.

mod names;
mod resolve;

pub(crate) use resolve::resolve;

use crate::program::{ActorId, Arithmetic, Comparison, KeyId, Statement, Value};
use crate::semantics::Semantics;
use crate::semantics::control::{Context, Mode};
use crate::semantics::layout::{Cell, Layout};
use crate::semantics::value::{Codec, UNKNOWN};

/// A predicate over states.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Predicate {
    /// Something that holds in a state.
    Test(Test),
    /// `Says`: such a message was delivered just now.
    Says {
        /// Who tells.
        from: ActorId,
        /// Who is told.
        to: ActorId,
        /// About what.
        keys: Vec<KeyId>,
        /// What is said of it; `None` where any value will do.
        value: Option<(Comparison, Value)>,
    },
}

/// What holds in a state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Test {
    /// `true`, `false`
    Constant(bool),
    /// Negation.
    Not(Box<Test>),
    /// Conjunction.
    And(Box<Test>, Box<Test>),
    /// Disjunction.
    Or(Box<Test>, Box<Test>),
    /// Both sides are known and the comparison holds.
    Compare(Term, Comparison, Term),
    /// There is a value.
    Known(Term),
    /// The actor works on a frame or performs an activity of this name.
    Does(ActorId, String),
    /// The actor works on nothing.
    Idle(ActorId),
}

/// A value in a state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Term {
    /// A constant.
    Value(Value),
    /// Something that no text of the model speaks of, so that nobody ever knows it.
    Unknown,
    /// What a store holds: 0 is the facts, `1 + a` the beliefs of actor `a`.
    Read(usize, KeyId),
    /// Arithmetic.
    Binary(Arithmetic, Box<Term>, Box<Term>),
}

impl Predicate {
    /// Whether it is about something that happens, rather than something that is.
    pub(crate) fn is_event(&self) -> bool {
        matches!(self, Self::Says { .. })
    }

    /// Whether it holds in a state; events are kept in the state itself.
    pub(crate) fn holds(&self, semantics: &Semantics, cells: &[u32]) -> bool {
        match self {
            Self::Test(test) => test.holds(semantics, cells),
            Self::Says { .. } => false,
        }
    }

    /// Whether a message is one that it is about.
    pub(crate) fn hears(&self, codec: &Codec, from: ActorId, to: ActorId, key: KeyId, word: u32) -> bool {
        match self {
            Self::Test(_) => false,
            Self::Says { from: teller, to: told, keys, value } => {
                let fits = |(operator, value): &(Comparison, Value)| {
                    codec.compare(word, *operator, codec.encode(*value))
                };
                *teller == from && *told == to && keys.contains(&key) && value.as_ref().is_none_or(fits)
            }
        }
    }

    /// The slots that it looks at.
    pub(crate) fn slots(&self, layout: &Layout) -> Vec<usize> {
        let mut slots = Vec::new();
        if let Self::Test(test) = self {
            test.slots(layout, &mut slots);
        }
        slots
    }
}

impl Test {
    fn holds(&self, semantics: &Semantics, cells: &[u32]) -> bool {
        match self {
            Self::Constant(truth) => *truth,
            Self::Not(of) => !of.holds(semantics, cells),
            Self::And(left, right) => left.holds(semantics, cells) && right.holds(semantics, cells),
            Self::Or(left, right) => left.holds(semantics, cells) || right.holds(semantics, cells),
            Self::Compare(left, operator, right) => {
                let (left, right) = (left.word(semantics, cells), right.word(semantics, cells));
                semantics.codec.compare(left, *operator, right)
            }
            Self::Known(term) => term.word(semantics, cells) != UNKNOWN,
            Self::Does(actor, name) => {
                let scope = semantics.controls.decode(cells[semantics.layout.seats[actor.index()].control]);
                scope.current.as_ref().is_some_and(|context| does(semantics, context, name))
            }
            Self::Idle(actor) => {
                let word = cells[semantics.layout.seats[actor.index()].control];
                word == 0 || semantics.controls.decode(word).current.is_none()
            }
        }
    }

    fn slots(&self, layout: &Layout, slots: &mut Vec<usize>) {
        match self {
            Self::Constant(_) => {}
            Self::Not(of) => of.slots(layout, slots),
            Self::And(left, right) | Self::Or(left, right) => {
                left.slots(layout, slots);
                right.slots(layout, slots);
            }
            Self::Compare(left, _, right) => {
                left.slots(layout, slots);
                right.slots(layout, slots);
            }
            Self::Known(term) => term.slots(layout, slots),
            Self::Does(actor, _) | Self::Idle(actor) => slots.push(layout.seats[actor.index()].control),
        }
    }
}

impl Term {
    fn word(&self, semantics: &Semantics, cells: &[u32]) -> u32 {
        match self {
            Self::Value(value) => semantics.codec.encode(*value),
            Self::Unknown => UNKNOWN,
            Self::Read(store, key) => semantics.layout.read(cells, *store, *key),
            Self::Binary(operator, left, right) => {
                let (left, right) = (left.word(semantics, cells), right.word(semantics, cells));
                let exact = semantics.program.rules.exact_division;
                semantics.codec.calculate(*operator, left, right, exact)
            }
        }
    }

    fn slots(&self, layout: &Layout, slots: &mut Vec<usize>) {
        match self {
            Self::Value(_) | Self::Unknown => {}
            Self::Read(store, key) => {
                if let Cell::Slot(slot) = layout.cell(*store, *key) {
                    slots.push(slot as usize);
                }
            }
            Self::Binary(_, left, right) => {
                left.slots(layout, slots);
                right.slots(layout, slots);
            }
        }
    }
}

/// Whether a context, or what is done inside it, has this name.
fn does(semantics: &Semantics, context: &Context, name: &str) -> bool {
    let frame = &semantics.program.frames[context.instance.frame.index()];
    if frame.name == name {
        return true;
    }
    if context.mode == Mode::Running
        && let Some(Statement::Do(activity)) = frame.body.get(context.next as usize)
        && semantics.program.activities[activity.index()].name == name
    {
        return true;
    }
    let inner = context.inside.as_ref().and_then(|opened| opened.scope.current.as_ref());
    inner.is_some_and(|inner| does(semantics, inner, name))
}
