//! Telling and asking.

use motet_model::Fault;

use super::Doing;
use crate::program::{ActorId, KeyId, Sighted, Subject, Transfer};
use crate::semantics::Semantics;
use crate::semantics::cells::Cells;
use crate::semantics::record::Record;
use crate::semantics::rewards::Happening;
use crate::semantics::value::UNKNOWN;
use crate::semantics::work::Work;
use crate::semantics::writes::{FACTS, beliefs_of};

impl Semantics {
    /// The rule `Pop_comm(t=0)`: beliefs are handed on. `spec/brahms/rules.md`: what is sent is what the sender believes at
    /// this moment, and nothing if it does not; the receiver need not have believed anything before.
    pub(super) fn pop_comm(
        &self,
        work: &mut Work,
        doing: &Doing<'_>,
        with: &[Sighted],
        about: &[Transfer],
    ) -> Result<(), Fault> {
        let binding = self.controls.values(doing.instance.binding);
        let env = self.doing_env(&work.cells, doing, binding);
        let partners: Vec<ActorId> = with
            .iter()
            .flat_map(|with| self.sighted(&env, with))
            .filter(|entity| self.layout.is_there(&work.cells, *entity))
            .filter_map(|entity| self.program.entities[entity.index()].actor)
            .collect();
        self.transfer(work, doing, &partners, about)
    }

    /// To all agents in some areas; without areas, to those where the sender is; if that is nowhere, to everybody.
    pub(super) fn broadcast(
        &self,
        work: &mut Work,
        doing: &Doing<'_>,
        to: &[Subject],
        inside_too: bool,
        about: &[Transfer],
    ) -> Result<(), Fault> {
        let binding = self.controls.values(doing.instance.binding);
        let env = self.doing_env(&work.cells, doing, binding);
        let mut areas: Vec<_> = to.iter().flat_map(|area| self.subjects(&env, *area)).collect();
        if to.is_empty() {
            areas.extend(self.location(&work.cells, self.program.actors[doing.actor.index()].entity));
        }
        let mut partners = self.agents(work);
        if !to.is_empty() || !areas.is_empty() {
            partners.retain(|agent| areas.iter().any(|area| self.is_in(work, *agent, *area, inside_too)));
        }
        partners.retain(|agent| *agent != doing.actor);
        self.transfer(work, doing, &partners, about)
    }

    fn transfer(
        &self,
        work: &mut Work,
        doing: &Doing<'_>,
        partners: &[ActorId],
        about: &[Transfer],
    ) -> Result<(), Fault> {
        let binding = self.controls.values(doing.instance.binding);
        for transfer in about {
            let env = self.doing_env(&work.cells, doing, binding);
            let keys = self.sought_keys(&env, &transfer.sought);
            for partner in partners {
                let (from, to) =
                    if transfer.send { (doing.actor, *partner) } else { (*partner, doing.actor) };
                for key in &keys {
                    let word = self.held(&work.cells, from, *key);
                    let env = self.doing_env(&work.cells, doing, binding);
                    if word != UNKNOWN && self.passes(&env, &transfer.sought, word) {
                        self.deliver(work, (from, to), *key, word, doing.actor)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// What somebody can say about a key: its belief; objects also the fact.
    fn held(&self, cells: &Cells, actor: ActorId, key: KeyId) -> u32 {
        let belief = self.layout.read(cells, beliefs_of(actor), key);
        if belief == UNKNOWN && self.program.actors[actor.index()].is_object {
            return self.layout.read(cells, FACTS, key);
        }
        belief
    }

    fn deliver(
        &self,
        work: &mut Work,
        (from, to): (ActorId, ActorId),
        key: KeyId,
        word: u32,
        by: ActorId,
    ) -> Result<(), Fault> {
        work.note(|| {
            let value = self.codec.decode(word).expect("a value is delivered");
            Record::Told { from, to, key, value }
        });
        self.count(work, Happening::Message(from));
        self.note_message(work, from, to, key, word);
        self.write_belief(work, to, key, word, by).map(drop)
    }
}
