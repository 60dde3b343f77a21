//! Where expressions are computed: a net instance with its marking, the values of variables, and how much work is left.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

use crate::program::{PlaceId, Program, TransitionId, VariableId};
use crate::value::{Bag, NetId, Value};

/// How many elementary steps the modes of one transition, or the truth of one claim, may take. A model that needs more is
/// told so, instead of being computed for hours.
const LIMIT_WORK: u64 = 10_000_000;

/// How deep nets may nest, and definitions may use definitions.
pub(crate) const LIMIT_DEPTH: usize = 64;

/// How many members a computed set or bag may have.
pub(crate) const LIMIT_MEMBERS: usize = 1 << 20;

/// Why something has no value, in the user's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trouble(pub(crate) String);

impl Trouble {
    pub(crate) fn new<T>(message: impl Into<String>) -> Result<T, Self> {
        Err(Self(message.into()))
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Work that is left.
#[derive(Debug)]
pub(crate) struct Budget(Cell<u64>);

impl Budget {
    pub(crate) fn new() -> Self {
        Self(Cell::new(LIMIT_WORK))
    }

    #[cfg(test)]
    pub(crate) fn left(&self) -> u64 {
        self.0.get()
    }

    /// One piece of work; too much of it is trouble.
    pub(crate) fn spend(&self) -> Result<(), Trouble> {
        match self.0.get().checked_sub(1) {
            Some(left) => {
                self.0.set(left);
                Ok(())
            }
            None => {
                Trouble::new(format!("more than {LIMIT_WORK} combinations of values would have to be tried"))
            }
        }
    }
}

/// A net with a marking: the system net, or an agent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instance<'a> {
    /// Which net.
    pub(crate) net: NetId,
    /// The constants of the instance.
    pub(crate) arguments: &'a [Value],
    /// The marking, place by place.
    pub(crate) places: &'a [Bag],
}

/// A question about the enabling of a transition of the system net.
pub(crate) type Enabling<'a> = dyn Fn(TransitionId) -> Result<bool, Trouble> + 'a;

/// Everything an expression may look at, except its variables.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) program: &'a Program,
    pub(crate) instance: Instance<'a>,
    pub(crate) budget: &'a Budget,
    /// How deep the instance is nested.
    pub(crate) depth: usize,
    /// Claims may ask whether transitions are enabled.
    pub(crate) enabled: Option<&'a Enabling<'a>>,
}

impl<'a> Scope<'a> {
    /// The tokens of a place. While an instance is being created it has none.
    pub(crate) fn bag(&self, place: PlaceId) -> &'a [(Value, u32)] {
        self.instance.places.get(place.0 as usize).map_or(&[], |bag| bag.tokens())
    }

    /// The variables before anything is bound: the parameters, and room for the others.
    pub(crate) fn environment(&self, variables: usize) -> Environment {
        let arguments = self.instance.arguments;
        let mut bound = Vec::with_capacity(variables.max(arguments.len()));
        bound.extend(arguments.iter().cloned().map(Bound::from));
        bound.resize(variables.max(arguments.len()), Bound::from(Value::Token));
        Environment(bound)
    }
}

/// A way to one token of the whole marking: place, position among the different tokens, copy; then the same inside an
/// agent of that token.
pub(crate) type Occurrence = Arc<[u32]>;

/// The value of a variable, and which token it is if it is one.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) value: Value,
    pub(crate) occurrence: Option<Occurrence>,
}

impl From<Value> for Bound {
    fn from(value: Value) -> Self {
        Self { value, occurrence: None }
    }
}

/// The values of variables.
#[derive(Clone, Debug)]
pub(crate) struct Environment(Vec<Bound>);

impl Environment {
    /// Nothing bound yet.
    pub(crate) fn room(variables: usize) -> Self {
        Self(vec![Bound::from(Value::Token); variables])
    }

    pub(crate) fn get(&self, variable: VariableId) -> &Bound {
        &self.0[variable.0 as usize]
    }

    pub(crate) fn bind(&mut self, variable: VariableId, bound: Bound) {
        self.0[variable.0 as usize] = bound;
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}
