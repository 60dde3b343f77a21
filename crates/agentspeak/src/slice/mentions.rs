//! Which beliefs an agent of the Jason dialect can tell apart at all. A percept of another name enters and leaves its belief
//! base without an event, because no plan is relevant for it, and no condition ever asks for it.

use std::collections::BTreeSet;

use crate::program::{Agent, Argument, Condition, Internal, Operation, Pattern};
use crate::term::{Symbol, Term, Terms};

/// Names and arities of beliefs.
#[derive(Clone, Debug)]
pub(super) struct Mentions<'a> {
    terms: &'a Terms,
    named: BTreeSet<(Symbol, usize)>,
    /// A variable stands for a belief.
    all: bool,
}

impl<'a> Mentions<'a> {
    /// Those that an agent's text speaks of.
    pub(super) fn of(terms: &'a Terms, agent: &Agent) -> Self {
        let mut mentions = Self { terms, named: BTreeSet::new(), all: false };
        for rule in &agent.rules {
            mentions.pattern(&rule.head);
            mentions.condition(&rule.condition);
        }
        for plan in &agent.plans {
            mentions.pattern(&plan.trigger.pattern);
            mentions.condition(&plan.context);
            plan.body.iter().for_each(|instruction| mentions.operation(&instruction.operation));
        }
        mentions
    }

    /// Whether a belief of this name is one of them.
    pub(super) fn includes(&self, name: Symbol, arity: usize) -> bool {
        self.all || self.named.contains(&(name, arity))
    }

    /// Adds those that a condition asks for.
    pub(super) fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Belief(atom) => self.pattern(&atom.pattern),
            Condition::Not(inner) => self.condition(inner),
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter().for_each(|part| self.condition(part));
            }
            Condition::Internal(internal, args) => self.internal(*internal, args),
            Condition::True | Condition::False | Condition::Relation(..) | Condition::Stub(..) => {}
        }
    }

    fn operation(&mut self, operation: &Operation) {
        match operation {
            Operation::Test(condition)
            | Operation::Branch(condition, _)
            | Operation::Each { condition, .. } => self.condition(condition),
            Operation::Add(atom) | Operation::Delete(atom) | Operation::Replace(atom) => {
                self.pattern(&atom.pattern);
            }
            Operation::Internal(internal, args) => self.internal(*internal, args),
            Operation::Act(_)
            | Operation::Achieve(_)
            | Operation::AchieveNew(_)
            | Operation::Send(..)
            | Operation::Broadcast(..)
            | Operation::Relation(..)
            | Operation::Stub(..)
            | Operation::Jump(_)
            | Operation::Forget(_) => {}
        }
    }

    fn internal(&mut self, internal: Internal, args: &[Argument]) {
        for arg in args {
            match arg {
                Argument::Condition(condition) => self.condition(condition),
                Argument::Term(pattern) if internal == Internal::Abolish => self.pattern(pattern),
                Argument::Term(_) => {}
            }
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Structure(name, args) => {
                self.named.insert((*name, args.len()));
            }
            Pattern::Ground(term) => match self.terms.get(*term) {
                Term::Structure(name, args) => {
                    self.named.insert((*name, args.len()));
                }
                _ => self.all = true,
            },
            Pattern::Variable(_) | Pattern::Any | Pattern::Arithmetic(..) => self.all = true,
        }
    }
}
