//! What a part of a state says of one agent, as a number: its own name and those of its kind are looked at as such, all others
//! by their letters. Numbers of terms are not looked at, because they depend on the order of arrival.

use std::hash::{Hash, Hasher as _};

use rustc_hash::FxHasher;

use crate::program::{Program, Value};
use crate::semantics::mind::{Mind, Seat, Source, SourceSet};
use crate::semantics::thinker::Act;
use crate::term::{Symbol, Term, TermId};

/// One agent among its kind.
pub(crate) struct View<'p> {
    program: &'p Program,
    own: usize,
    kind: &'p [usize],
}

impl<'p> View<'p> {
    pub(crate) fn new(program: &'p Program, own: usize, kind: &'p [usize]) -> Self {
        Self { program, own, kind }
    }

    /// The agent itself, another one of its kind, or whoever it is.
    fn agent(&self, agent: usize) -> usize {
        match agent {
            own if own == self.own => 0,
            other if self.kind.contains(&other) => 1,
            other => other + 2,
        }
    }

    fn symbol(&self, symbol: Symbol, out: &mut FxHasher) {
        let named = self.kind.iter().find(|&&agent| self.program.agents[agent].name == symbol);
        match named {
            Some(&agent) => self.agent(agent).hash(out),
            None => self.program.terms.name(symbol).hash(out),
        }
    }

    fn term(&self, term: TermId, out: &mut FxHasher) {
        match self.program.terms.get(term) {
            Term::Structure(functor, args) => {
                self.symbol(*functor, out);
                args.len().hash(out);
                args.iter().for_each(|&arg| self.term(arg, out));
            }
            Term::Text(text) => self.program.terms.name(*text).hash(out),
            number @ (Term::Int(_) | Term::Real(_) | Term::Variable(_)) => number.hash(out),
        }
    }

    fn source(&self, source: Source) -> usize {
        match source {
            Source::Own => 0,
            Source::Percept => 1,
            Source::Agent(agent) => 2 + self.agent(agent as usize),
        }
    }

    fn sources(&self, sources: SourceSet, out: &mut FxHasher) {
        let mut all: Vec<usize> = sources.iter().map(|source| self.source(source)).collect();
        all.sort_unstable();
        all.hash(out);
    }

    /// What is in a mind.
    pub(crate) fn mind(&self, mind: &Mind) -> u64 {
        let out = &mut FxHasher::default();
        mind.phase.hash(out);
        mind.beliefs.len().hash(out);
        for belief in &mind.beliefs {
            self.term(belief.term, out);
            self.sources(belief.sources, out);
        }
        mind.events.len().hash(out);
        for event in &mind.events {
            (event.trigger.sign, event.trigger.kind, event.parent).hash(out);
            self.term(event.trigger.term, out);
            event.source.map(|source| self.source(source)).hash(out);
        }
        mind.seats.len().hash(out);
        for seat in &mind.seats {
            self.seat(seat, out);
        }
        (&mind.runnable, mind.favoured, &mind.asleep).hash(out);
        mind.mail.len().hash(out);
        for message in &mind.mail {
            (self.agent(message.sender as usize), message.force).hash(out);
            self.term(message.content, out);
        }
        out.finish()
    }

    fn seat(&self, seat: &Seat, out: &mut FxHasher) {
        std::mem::discriminant(seat).hash(out);
        let Seat::Taken(instance) = seat else { return };
        (instance.plan, instance.counter, instance.parent, instance.status).hash(out);
        self.term(instance.trigger, out);
        instance.called.is_some().hash(out);
        instance.called.iter().for_each(|&called| self.term(called, out));
        for value in &instance.binding {
            value.is_some().hash(out);
            value.iter().for_each(|&value| self.term(value, out));
        }
    }

    /// What waits for the environment.
    pub(crate) fn acts(&self, acts: &[Act]) -> u64 {
        let out = &mut FxHasher::default();
        for act in acts {
            (self.agent(act.agent as usize), act.seat).hash(out);
            self.term(act.action, out);
        }
        out.finish()
    }

    fn value(&self, value: Value, out: &mut FxHasher) {
        match value {
            Value::Symbol(symbol) => self.symbol(symbol, out),
            Value::None | Value::Bool(_) | Value::Int(_) => value.hash(out),
        }
    }

    /// What the environment's variables say. Of the others of the kind it counts what is said of them, not of whom.
    pub(crate) fn cells(&self, cells: &[Value]) -> u64 {
        let environment = &self.program.environment;
        let out = &mut FxHasher::default();
        for variable in &environment.variables {
            let Some(members) = variable.index.map(|sort| &environment.sorts[sort].1) else {
                self.value(cells[variable.cell], out);
                continue;
            };
            let mut others = Vec::new();
            for (at, member) in members.iter().enumerate() {
                let value = cells[variable.cell + at];
                let agent = self
                    .kind
                    .iter()
                    .find(|&&agent| *member == Value::Symbol(self.program.agents[agent].name));
                match agent {
                    Some(&agent) if agent != self.own => {
                        let mut one = FxHasher::default();
                        self.value(value, &mut one);
                        others.push(one.finish());
                    }
                    _ => self.value(value, out),
                }
            }
            others.sort_unstable();
            others.hash(out);
        }
        out.finish()
    }
}
