//! Formulas that change beliefs.

use crate::program::{Atom, Pattern};
use crate::semantics::arithmetic::Trouble;
use crate::semantics::deed::Effect;
use crate::semantics::mind::{SeatId, Source, Trigger};
use crate::semantics::thinker::Thinker;
use crate::syntax::{Sign, TriggerKind};
use crate::term::{Term, TermId};

impl Thinker<'_> {
    /// Rule AddBel. Its event begins an intention of its own; in Jason it is handled inside this one.
    pub(super) fn add_belief(
        &mut self,
        seat: SeatId,
        atom: &Atom,
        lost: Vec<TermId>,
    ) -> Result<Effect, Trouble> {
        let term = self.build(seat, &atom.pattern)?;
        let source = self.source(seat, atom)?;
        let due = self.believe(term, source);
        let gained = if due { vec![term] } else { Vec::new() };
        let effect = Effect::Beliefs { gained: gained.into(), lost: lost.into() };
        self.belief_event(seat, due.then_some((Sign::Added, term, source)), effect)
    }

    /// Rule DelBel. AgentSpeak(F) removes the belief; Jason takes the agent itself, or the source that is named, out of
    /// the belief's sources.
    pub(super) fn delete_belief(&mut self, seat: SeatId, atom: &Atom) -> Result<Effect, Trouble> {
        let source = self.source(seat, atom)?;
        let only = self.is_jason().then_some(source);
        let Some(at) = self.first_belief(seat, &atom.pattern, only)? else {
            return self.go_on(seat);
        };
        let term = self.mind.beliefs[at].term;
        let due = if self.is_jason() {
            self.disbelieve(at, source)
        } else {
            self.mind.beliefs.remove(at);
            true
        };
        let effect = Effect::Beliefs { gained: Box::new([]), lost: Box::new([term]) };
        self.belief_event(seat, due.then_some((Sign::Deleted, term, source)), effect)
    }

    /// `-+b` (Jason): the first belief of that name goes, whatever its arguments, then the new one comes.
    pub(super) fn replace_belief(&mut self, seat: SeatId, atom: &Atom) -> Result<Effect, Trouble> {
        let term = self.build(seat, &atom.pattern)?;
        let source = self.source(seat, atom)?;
        let shape = |of: TermId| match self.program.terms.get(of) {
            Term::Structure(functor, args) => Some((*functor, args.len())),
            _ => None,
        };
        let wanted = shape(term);
        let beliefs = &self.mind.beliefs;
        let old = beliefs.iter().position(|b| shape(b.term) == wanted && b.sources.contains(source));
        let mut lost = Vec::new();
        if let Some(at) = old {
            let old = self.mind.beliefs[at].term;
            if self.disbelieve(at, source) {
                self.post_belief(Sign::Deleted, old, source);
            }
            lost.push(old);
        }
        self.add_belief(seat, atom, lost)
    }

    fn belief_event(
        &mut self,
        seat: SeatId,
        event: Option<(Sign, TermId, Source)>,
        effect: Effect,
    ) -> Result<Effect, Trouble> {
        let Some((sign, term, source)) = event else { return self.go_on_with(seat, effect) };
        let trigger = Trigger { sign, kind: TriggerKind::Belief, term };
        if self.is_jason() {
            self.post(trigger, Some(seat), source);
            return Ok(effect);
        }
        self.post(trigger, None, source);
        self.go_on_with(seat, effect)
    }

    fn source(&self, seat: SeatId, atom: &Atom) -> Result<Source, Trouble> {
        match &atom.source {
            None => Ok(Source::Own),
            Some(source) => self.source_of(self.build(seat, source)?),
        }
    }

    /// The first belief that matches and, if one is given, has this source.
    pub(super) fn first_belief(
        &self,
        seat: SeatId,
        pattern: &Pattern,
        source: Option<Source>,
    ) -> Result<Option<usize>, Trouble> {
        let mut bindings = self.bindings(seat);
        for (at, belief) in self.mind.beliefs.iter().enumerate() {
            let mark = bindings.mark();
            let fits = bindings.unify_pattern(pattern, 0, belief.term)?;
            bindings.undo(mark);
            if fits && source.is_none_or(|source| belief.sources.contains(source)) {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }
}
