//! Values of expressions and truth of preconditions in a state (`spec/brahms/rules.md`, conditions).

use super::Semantics;
use super::cells::View;
use super::control::Parameters;
use super::layout::Cell;
use super::value::{UNKNOWN, as_entity, truth};
use super::writes::{FACTS, beliefs_of};
use crate::program::{
    ActorId, AttributeId, Condition, ConditionNode, EntityId, Expr, Frame, Key, KeyId, Place, Reads, Subject,
    Var,
};

/// Where values come from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Env<'a> {
    /// The state.
    pub(crate) cells: View<'a>,
    /// The store that is read.
    pub(crate) store: usize,
    /// The store that is read where the first has no value.
    pub(crate) fallback: Option<usize>,
    /// The variables of the frame.
    pub(crate) binding: &'a [u32],
    /// The parameters of open composite activities.
    pub(crate) parameters: Option<&'a Parameters<'a>>,
}

impl<'a> Env<'a> {
    /// For guards: agents match beliefs, frames of objects match facts.
    pub(crate) fn guard(
        frame: &Frame,
        cells: impl Into<View<'a>>,
        binding: &'a [u32],
        parameters: Option<&'a Parameters<'a>>,
    ) -> Self {
        let store = match frame.reads {
            Reads::Beliefs => beliefs_of(frame.actor),
            Reads::Facts => FACTS,
        };
        Self { cells: cells.into(), store, fallback: None, binding, parameters }
    }

    /// For bodies: the store of the guard; where a fact is missing, the actor's belief.
    pub(crate) fn body(
        frame: &Frame,
        cells: impl Into<View<'a>>,
        binding: &'a [u32],
        parameters: Option<&'a Parameters<'a>>,
    ) -> Self {
        let fallback = (frame.reads == Reads::Facts).then(|| beliefs_of(frame.actor));
        Self { fallback, ..Self::guard(frame, cells, binding, parameters) }
    }
}

impl Semantics {
    /// For detectables: agents and objects test their beliefs; with `detect-on=facts` the facts.
    pub(crate) fn senses<'a>(
        &self,
        actor: ActorId,
        cells: impl Into<View<'a>>,
        binding: &'a [u32],
        parameters: Option<&'a Parameters<'a>>,
    ) -> Env<'a> {
        let store = if self.program.rules.detect_on_facts { FACTS } else { beliefs_of(actor) };
        Env { cells: cells.into(), store, fallback: None, binding, parameters }
    }

    /// The value of a variable; unknown if it has none.
    pub(crate) fn variable(&self, env: &Env<'_>, var: Var) -> u32 {
        match var {
            Var::Own(index) => env.binding.get(usize::from(index)).copied().unwrap_or(UNKNOWN),
            Var::Parameter { up, index } => {
                let mut scope = env.parameters;
                for _ in 0..up {
                    scope = scope.and_then(|parameters| parameters.outer);
                }
                let arguments = scope.map_or(&[][..], |parameters| parameters.arguments);
                arguments.get(usize::from(index)).copied().unwrap_or(UNKNOWN)
            }
        }
    }

    /// The entity that a subject stands for.
    pub(crate) fn subject(&self, env: &Env<'_>, subject: Subject) -> Option<EntityId> {
        match subject {
            Subject::Entity(entity) => Some(entity),
            Subject::Variable(var) => as_entity(self.variable(env, var)),
        }
    }

    /// All entities that a subject stands for: several for a `collectall` variable.
    pub(crate) fn subjects(&self, env: &Env<'_>, subject: Subject) -> Vec<EntityId> {
        match subject {
            Subject::Entity(entity) => vec![entity],
            Subject::Variable(var) => {
                let word = self.variable(env, var);
                self.codec.elements(word).into_iter().filter_map(as_entity).collect()
            }
        }
    }

    /// The key of a place; `None` if no text speaks of it, or a variable has no value.
    pub(crate) fn place(&self, env: &Env<'_>, place: &Place) -> Option<KeyId> {
        match place {
            Place::Fixed(key) => Some(*key),
            Place::Attribute(var, attribute) => {
                self.layout.attribute(as_entity(self.variable(env, *var))?, *attribute)
            }
            Place::Entry(subject, map, index) => {
                let of = self.subject(env, *subject)?;
                self.entry(of, *map, self.value(env, index))
            }
        }
    }

    /// The key of an entry of a map.
    pub(crate) fn entry(&self, of: EntityId, map: AttributeId, index: u32) -> Option<KeyId> {
        let index = self.codec.decode(index)?;
        self.numbers.get(&Key::Entry(of, map, index)).copied()
    }

    /// The key of a pair.
    pub(crate) fn pair(&self, of: EntityId, relation: AttributeId, to: EntityId) -> Option<KeyId> {
        self.numbers.get(&Key::Pair(of, relation, to)).copied()
    }

    /// What reading a key gives.
    pub(crate) fn read(&self, env: &Env<'_>, key: KeyId) -> u32 {
        let first = match self.layout.cell(env.store, key) {
            Cell::Slot(slot) => env.cells[slot as usize],
            Cell::Value(word) => word,
        };
        if first != UNKNOWN {
            return first;
        }
        if let Some(fallback) = env.fallback {
            return self.layout.read(env.cells, fallback, key);
        }
        self.layout.defaults[key.index()]
    }

    /// The value of an expression; any unknown part makes the whole unknown.
    pub(crate) fn value(&self, env: &Env<'_>, expr: &Expr) -> u32 {
        match expr {
            Expr::Value(value) => self.codec.encode(*value),
            Expr::Unknown => UNKNOWN,
            Expr::Read(place) => self.place(env, place).map_or(UNKNOWN, |key| self.read(env, key)),
            Expr::Variable(var) => self.variable(env, *var),
            Expr::Negate(of) => self.codec.negate(self.value(env, of)),
            Expr::Binary(operator, left, right) => {
                let (left, right) = (self.value(env, left), self.value(env, right));
                self.codec.calculate(*operator, left, right, self.program.rules.exact_division)
            }
        }
    }

    /// Whether a precondition holds.
    pub(crate) fn holds_condition(&self, env: &Env<'_>, condition: &ConditionNode) -> bool {
        match condition {
            ConditionNode::Compare { negated, left, operator, right } => {
                let (left, right) = (self.value(env, left), self.value(env, right));
                self.codec.compare(left, *operator, right) != *negated
            }
            ConditionNode::Related { negated, subject, relation, object, truth: wanted } => {
                let key = self
                    .subject(env, *subject)
                    .zip(self.subject(env, *object))
                    .and_then(|(subject, object)| self.pair(subject, *relation, object));
                let stored = key.map_or(UNKNOWN, |key| self.read(env, key));
                (stored == truth(*wanted)) != *negated
            }
            ConditionNode::Known { known, place } => {
                let word = self.place(env, place).map_or(UNKNOWN, |key| self.read(env, key));
                (word != UNKNOWN) == *known
            }
            ConditionNode::KnownPairs { known, subject, relation } => {
                let of = self.subject(env, *subject);
                let some = of.is_some_and(|of| {
                    let mut pairs = self.program.keys.pairs(of, *relation);
                    pairs.any(|(_, key)| self.read(env, key) != UNKNOWN)
                });
                some == *known
            }
            ConditionNode::Bind { variable, value } => {
                let bound = self.variable(env, Var::Own(*variable));
                self.codec.compare(bound, crate::program::Comparison::Eq, self.value(env, value))
            }
        }
    }

    /// The keys that a condition reads under a binding, for [`super::think`]: a thoughtframe fires again once one of these
    /// changes.
    pub(crate) fn condition_reads(&self, env: &Env<'_>, condition: &Condition, key: KeyId) -> bool {
        match &condition.node {
            ConditionNode::Compare { left, right, .. } => {
                self.expr_reads(env, left, key) || self.expr_reads(env, right, key)
            }
            ConditionNode::Related { subject, relation, object, .. } => self
                .subject(env, *subject)
                .zip(self.subject(env, *object))
                .is_some_and(|(subject, object)| self.pair(subject, *relation, object) == Some(key)),
            ConditionNode::Known { place, .. } => self.place_reads(env, place, key),
            ConditionNode::KnownPairs { subject, relation, .. } => match self.program.keys.get(key) {
                Key::Pair(of, by, _) => by == *relation && self.subject(env, *subject) == Some(of),
                _ => false,
            },
            ConditionNode::Bind { value, .. } => self.expr_reads(env, value, key),
        }
    }

    fn place_reads(&self, env: &Env<'_>, place: &Place, key: KeyId) -> bool {
        let inside = match place {
            Place::Entry(_, _, index) => self.expr_reads(env, index, key),
            _ => false,
        };
        inside || self.place(env, place) == Some(key)
    }

    fn expr_reads(&self, env: &Env<'_>, expr: &Expr, key: KeyId) -> bool {
        match expr {
            Expr::Value(_) | Expr::Unknown | Expr::Variable(_) => false,
            Expr::Read(place) => self.place_reads(env, place, key),
            Expr::Negate(of) => self.expr_reads(env, of, key),
            Expr::Binary(_, left, right) => {
                self.expr_reads(env, left, key) || self.expr_reads(env, right, key)
            }
        }
    }
}
