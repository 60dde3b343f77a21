//! Internal actions that only look: tests, lists, queries over beliefs and goals.

use crate::program::{Argument, Internal, Pattern};
use crate::semantics::arithmetic::{self, Trouble};
use crate::semantics::bindings::{canonical, is_ground, renumber};
use crate::semantics::condition::Reasoner;
use crate::syntax::{Sign, TriggerKind};
use crate::term::{Term, TermId};

/// What an internal action answers.
pub(crate) enum Found<'a> {
    /// Just whether it holds.
    Holds(bool),
    /// It holds if the pattern equals the term.
    Is(&'a Pattern, TermId),
    /// It holds for each of the terms that the pattern equals.
    Among(&'a Pattern, Vec<TermId>),
}

impl<'a> Reasoner<'a> {
    /// The answer of an internal action. One that acts has no answer and fails here.
    pub(crate) fn internal(
        &mut self,
        internal: Internal,
        args: &'a [Argument],
        offset: usize,
        depth: u32,
    ) -> Result<Found<'a>, Trouble> {
        match internal {
            Internal::Print => Ok(Found::Holds(true)),
            Internal::Compare(operator) => {
                let (left, right) = (pattern(args, 0)?, pattern(args, 1)?);
                Ok(Found::Holds(self.relate(operator, left, right, offset)?))
            }
            Internal::Compute(operator) => {
                let (left, right) = (self.term(args, 0, offset)?, self.term(args, 1, offset)?);
                let value = arithmetic::compute(&self.program.terms, operator, left, right)?;
                Ok(Found::Is(pattern(args, 2)?, value))
            }
            Internal::MyName => {
                let own = self.program.terms.structure(self.program.agents[self.agent].name, &[]);
                Ok(Found::Is(pattern(args, 0)?, own))
            }
            Internal::FindAll | Internal::SetOf | Internal::Count => {
                self.collect(internal, args, offset, depth)
            }
            Internal::Ground
            | Internal::IsNumber
            | Internal::IsAtom
            | Internal::IsList
            | Internal::IsText
            | Internal::IsStructure => {
                let term = self.open_term(args, 0, offset)?;
                Ok(Found::Holds(self.is_kind(internal, term)))
            }
            Internal::Desire | Internal::Intend => Ok(Found::Among(pattern(args, 0)?, self.goals(internal))),
            Internal::DropDesire
            | Internal::DropIntention
            | Internal::DropAllDesires
            | Internal::DropAllIntentions
            | Internal::DropEvent
            | Internal::SucceedGoal
            | Internal::FailGoal
            | Internal::Abolish
            | Internal::Fail
            | Internal::Wait => Ok(Found::Holds(false)),
            _ => self.list_action(internal, args, offset),
        }
    }

    fn collect(
        &mut self,
        internal: Internal,
        args: &'a [Argument],
        offset: usize,
        depth: u32,
    ) -> Result<Found<'a>, Trouble> {
        let (template, at) = if internal == Internal::Count { (None, 0) } else { (args.first(), 1) };
        let Some(Argument::Condition(condition)) = args.get(at) else { return Err(Trouble::Fails) };
        let terms = self.program.terms.clone();
        self.nest()?;
        let mark = self.bindings.mark();
        let mut search = self.search(condition, offset, depth);
        let mut found = Vec::new();
        while self.next(&mut search)? {
            found.push(match template {
                Some(Argument::Term(template)) => {
                    canonical(&terms, self.bindings.build_open(template, offset)?)
                }
                _ => (terms.nil(), 0),
            });
        }
        self.bindings.undo(mark);
        self.unnest();
        // Variables that are left in a solution were bound inside the search; outside they are new.
        let found: Vec<TermId> = found.into_iter().map(|(term, count)| self.renew(term, count)).collect();
        let result = match internal {
            Internal::Count => terms.int(i64::try_from(found.len()).unwrap_or(i64::MAX)),
            Internal::SetOf => terms.list(&self.sorted_set(found)),
            _ => terms.list(&found),
        };
        Ok(Found::Is(pattern(args, at + 1)?, self.bindings.resolve(result)?))
    }

    /// The term with its variables, numbered from 0, as new ones.
    pub(crate) fn renew(&mut self, term: TermId, count: usize) -> TermId {
        let first = u32::try_from(self.bindings.extend(count)).expect("inferences are limited");
        renumber(&self.program.terms, term, &mut |variable| first + variable)
    }

    fn list_action(
        &mut self,
        internal: Internal,
        args: &'a [Argument],
        offset: usize,
    ) -> Result<Found<'a>, Trouble> {
        let terms = self.program.terms.clone();
        let int = |value: usize| terms.int(i64::try_from(value).unwrap_or(i64::MAX));
        Ok(match internal {
            Internal::Length => Found::Is(pattern(args, 1)?, int(self.length(args, offset)?)),
            Internal::Empty => Found::Holds(self.length(args, offset)? == 0),
            Internal::Member => Found::Among(pattern(args, 0)?, self.items(args, 1, offset)?),
            Internal::Concat => {
                Found::Is(pattern(args, args.len().saturating_sub(1))?, self.concat(args, offset)?)
            }
            Internal::Nth => {
                let (index, items) = (self.index(args, 0, offset)?, self.items(args, 1, offset)?);
                Found::Is(pattern(args, 2)?, *items.get(index).ok_or(Trouble::Fails)?)
            }
            Internal::Max | Internal::Min => {
                let items = self.items(args, 0, offset)?;
                let order = |a: &TermId, b: &TermId| arithmetic::compare(&terms, *a, *b);
                let best = match internal {
                    Internal::Max => items.into_iter().max_by(order),
                    _ => items.into_iter().min_by(order),
                };
                Found::Is(pattern(args, 1)?, best.ok_or(Trouble::Fails)?)
            }
            Internal::Sort => {
                let mut items = self.items(args, 0, offset)?;
                items.sort_by(|&a, &b| arithmetic::compare(&terms, a, b));
                Found::Is(pattern(args, 1)?, terms.list(&items))
            }
            Internal::Reverse => {
                let mut items = self.items(args, 0, offset)?;
                items.reverse();
                Found::Is(pattern(args, 1)?, terms.list(&items))
            }
            Internal::Remove => Found::Is(pattern(args, 2)?, self.removed(args, offset)?),
            Internal::Union | Internal::Intersection | Internal::Difference => {
                let (left, right) = (self.items(args, 0, offset)?, self.items(args, 1, offset)?);
                let set: Vec<TermId> = match internal {
                    Internal::Union => left.into_iter().chain(right).collect(),
                    Internal::Intersection => left.into_iter().filter(|item| right.contains(item)).collect(),
                    _ => left.into_iter().filter(|item| !right.contains(item)).collect(),
                };
                Found::Is(pattern(args, 2)?, terms.list(&self.sorted_set(set)))
            }
            _ => Found::Holds(false),
        })
    }

    /// A number deletes by position, anything else by equality, as in Jason.
    fn removed(&mut self, args: &'a [Argument], offset: usize) -> Result<TermId, Trouble> {
        let terms = &self.program.terms;
        let (what, mut items) = (self.term(args, 0, offset)?, self.items(args, 1, offset)?);
        match terms.get(what) {
            Term::Int(index) => match usize::try_from(*index) {
                Ok(index) if index < items.len() => drop(items.remove(index)),
                _ => return Err(Trouble::Fails),
            },
            _ => items.retain(|&item| item != what),
        }
        Ok(terms.list(&items))
    }

    /// Lists are joined as lists, anything else as text.
    fn concat(&mut self, args: &'a [Argument], offset: usize) -> Result<TermId, Trouble> {
        let terms = self.program.terms.clone();
        let last = args.len().saturating_sub(1);
        let parts: Vec<TermId> =
            (0..last).map(|at| self.open_term(args, at, offset)).collect::<Result<_, _>>()?;
        let lists: Option<Vec<Vec<TermId>>> = parts.iter().map(|&part| terms.items(part)).collect();
        if let Some(lists) = lists {
            return Ok(terms.list(&lists.concat()));
        }
        let text = |part: TermId| match terms.get(part) {
            Term::Text(text) => terms.name(*text).to_string(),
            _ => terms.show(part),
        };
        let joined: String = parts.into_iter().map(text).collect();
        Ok(terms.term(Term::Text(terms.symbol(&joined))))
    }

    fn length(&mut self, args: &'a [Argument], offset: usize) -> Result<usize, Trouble> {
        let term = self.open_term(args, 0, offset)?;
        let terms = &self.program.terms;
        match terms.get(term) {
            Term::Text(text) => Ok(terms.name(*text).chars().count()),
            _ => terms.items(term).map(|items| items.len()).ok_or(Trouble::Fails),
        }
    }

    fn sorted_set(&self, mut items: Vec<TermId>) -> Vec<TermId> {
        items.sort_by(|&a, &b| arithmetic::compare(&self.program.terms, a, b));
        items.dedup();
        items
    }

    fn is_kind(&self, internal: Internal, term: TermId) -> bool {
        let terms = &self.program.terms;
        let list = || terms.items(term).is_some();
        match (internal, terms.get(term)) {
            (Internal::Ground, _) => is_ground(terms, term),
            (Internal::IsNumber, Term::Int(_) | Term::Real(_)) | (Internal::IsText, Term::Text(_)) => true,
            (Internal::IsAtom, Term::Structure(_, args)) => args.is_empty() && !list(),
            (Internal::IsList, Term::Structure(..)) => list(),
            (Internal::IsStructure, Term::Structure(_, args)) => !args.is_empty() || list(),
            _ => false,
        }
    }

    /// What the agent intends, or intends or desires: Bordini et al. 2003, 4.2.
    fn goals(&self, internal: Internal) -> Vec<TermId> {
        let plans = &self.program.agents[self.agent].plans;
        let intended = self.mind.instances().filter_map(|(_, instance)| {
            let plan = &plans[instance.plan as usize];
            (plan.kind == TriggerKind::Achieve && plan.sign == Sign::Added).then_some(instance.trigger)
        });
        let posted = self.mind.events.iter().filter_map(|event| {
            let goal = event.trigger.kind == TriggerKind::Achieve && event.trigger.sign == Sign::Added;
            (goal && internal == Internal::Desire).then_some(event.trigger.term)
        });
        // Variables of a goal belong to other bindings; only goals without any can be answered as terms here.
        intended.chain(posted).filter(|&goal| is_ground(&self.program.terms, goal)).collect()
    }

    fn term(&mut self, args: &'a [Argument], at: usize, offset: usize) -> Result<TermId, Trouble> {
        self.bindings.build(pattern(args, at)?, offset)
    }

    fn open_term(&mut self, args: &'a [Argument], at: usize, offset: usize) -> Result<TermId, Trouble> {
        self.bindings.build_open(pattern(args, at)?, offset)
    }

    fn items(&mut self, args: &'a [Argument], at: usize, offset: usize) -> Result<Vec<TermId>, Trouble> {
        let list = self.open_term(args, at, offset)?;
        self.program.terms.items(list).ok_or(Trouble::Fails)
    }

    fn index(&mut self, args: &'a [Argument], at: usize, offset: usize) -> Result<usize, Trouble> {
        let term = self.term(args, at, offset)?;
        match self.program.terms.get(term) {
            Term::Int(index) => usize::try_from(*index).map_err(|_| Trouble::Fails),
            _ => Err(Trouble::Fails),
        }
    }
}

/// The argument as a term.
pub(crate) fn pattern(args: &[Argument], at: usize) -> Result<&Pattern, Trouble> {
    match args.get(at) {
        Some(Argument::Term(pattern)) => Ok(pattern),
        _ => Err(Trouble::Fails),
    }
}
