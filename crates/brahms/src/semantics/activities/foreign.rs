//! Activities from outside: stubs for Java activities, and those of the base library.

use motet_model::Fault;

use super::Doing;
use crate::program::{ActorId, Conclude, Expr, KeyId, Place};
use crate::semantics::Semantics;
use crate::semantics::control::{Instance, Parameters};
use crate::semantics::record::Record;
use crate::semantics::value::UNKNOWN;
use crate::semantics::work::Work;
use crate::semantics::writes::beliefs_of;

impl Semantics {
    /// What the stub of a Java activity concludes.
    pub(super) fn stub(
        &self,
        work: &mut Work,
        actor: ActorId,
        instance: Instance,
        parameters: Option<&Parameters<'_>>,
        concludes: &[Conclude],
    ) -> Result<(), Fault> {
        for conclude in concludes {
            self.conclude(work, actor, instance, parameters, conclude, true)?;
        }
        Ok(())
    }

    /// `print` and its kin.
    pub(super) fn print(&self, work: &mut Work, doing: &Doing<'_>, parts: &[Expr]) {
        if work.notes.is_none() {
            return;
        }
        let binding = self.controls.values(doing.instance.binding);
        let env = self.doing_env(&work.cells, doing, binding);
        let parts = parts.iter().map(|part| self.codec.decode(self.value(&env, part))).collect();
        work.note(|| Record::Printed { actor: doing.actor, parts, activity: doing.activity });
    }

    /// `printBelief`: what the actor believes, and of what.
    pub(super) fn print_beliefs(&self, work: &mut Work, doing: &Doing<'_>, places: &[Place]) {
        if work.notes.is_none() {
            return;
        }
        let binding = self.controls.values(doing.instance.binding);
        let env = self.doing_env(&work.cells, doing, binding);
        let keys: Vec<KeyId> = places.iter().filter_map(|place| self.place(&env, place)).collect();
        let store = beliefs_of(doing.actor);
        let believed = |key: KeyId| (key, self.codec.decode(self.layout.read(&work.cells, store, key)));
        let beliefs = keys.into_iter().map(believed).collect();
        work.note(|| Record::PrintedBeliefs { actor: doing.actor, beliefs, activity: doing.activity });
    }

    /// `retractBelief`: the actor forgets.
    pub(super) fn retract(&self, work: &mut Work, doing: &Doing<'_>, places: &[Place]) -> Result<(), Fault> {
        let binding = self.controls.values(doing.instance.binding);
        for place in places {
            let key = self.place(&self.doing_env(&work.cells, doing, binding), place);
            if let Some(key) = key {
                self.write_belief(work, doing.actor, key, UNKNOWN, doing.actor)?;
            }
        }
        Ok(())
    }
}
