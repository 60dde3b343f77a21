//! Branches and loops inside a body (Jason).

use crate::program::{Condition, Pattern, VariableIndex};
use crate::semantics::arithmetic::Trouble;
use crate::semantics::bindings::is_ground;
use crate::semantics::deed::{Effect, Failure};
use crate::semantics::mind::SeatId;
use crate::semantics::thinker::Thinker;
use crate::term::TermId;

impl Thinker<'_> {
    pub(super) fn branch(
        &mut self,
        seat: SeatId,
        condition: &Condition,
        otherwise: usize,
    ) -> Result<Effect, Trouble> {
        let kept = self.kept(seat);
        let mut reasoner = self.reasoner(seat);
        if reasoner.solve(condition)? {
            let binding = reasoner.bindings.store(kept)?;
            return self.go_on_bound(seat, binding);
        }
        match self.advance_to(seat, otherwise)? {
            Failure::None => Ok(Effect::Silent),
            failure => Ok(Effect::Failed(failure)),
        }
    }

    /// One round of `for`: the solutions were collected at the first arrival.
    pub(super) fn each(
        &mut self,
        seat: SeatId,
        condition: &Condition,
        bound: &[VariableIndex],
        cell: VariableIndex,
        end: usize,
    ) -> Result<Effect, Trouble> {
        let terms = self.program.terms.clone();
        let kept = self.kept(seat);
        let unbound = terms.constant("$unbound");
        let mut reasoner = self.reasoner(seat);
        let list = reasoner.bindings.build(&Pattern::Variable(cell), 0)?;
        let mut rounds = match terms.items(list) {
            Some(rounds) => rounds,
            None => {
                let mark = reasoner.bindings.mark();
                let mut search = reasoner.search(condition, 0, 0);
                let mut rounds = Vec::new();
                while reasoner.next(&mut search)? {
                    let value = |&variable: &VariableIndex| {
                        let value = reasoner.bindings.build(&Pattern::Variable(variable), 0)?;
                        Ok(if is_ground(&terms, value) { value } else { unbound })
                    };
                    let values: Vec<TermId> = bound.iter().map(value).collect::<Result<_, _>>()?;
                    rounds.push(terms.list(&values));
                }
                reasoner.bindings.undo(mark);
                rounds
            }
        };
        for &variable in bound.iter().chain([&cell]) {
            reasoner.bindings.clear(usize::from(variable.0));
        }
        let done = rounds.is_empty();
        if !done {
            let values = terms.items(rounds.remove(0)).unwrap_or_default();
            for (&variable, value) in bound.iter().zip(values) {
                if value != unbound {
                    reasoner.bindings.unify_pattern(&Pattern::Variable(variable), 0, value)?;
                }
            }
            let rest = reasoner.bindings.resolve(terms.list(&rounds))?;
            reasoner.bindings.unify_pattern(&Pattern::Variable(cell), 0, rest)?;
        }
        let binding = reasoner.bindings.store(kept)?;
        self.mind.instance_mut(seat).binding = binding;
        let failure = if done { self.advance_to(seat, end)? } else { self.advance(seat)? };
        Ok(if failure == Failure::None { Effect::Silent } else { Effect::Failed(failure) })
    }
}
