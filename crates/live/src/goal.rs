//! What a run is waited for to reach: a claim that is decided.

use motet_engine::{Standing, Watch};
use motet_model::{Actor, AtomId, Model, State};
use motet_property::Claim;

use crate::watch::delay;

/// A claim that ends a run when it is decided.
pub struct Goal<'a> {
    model: &'a dyn Model,
    watch: Watch,
    name: String,
}

impl<'a> Goal<'a> {
    /// Waits until the claim is decided; for a possibility, until it is reached. `name` is how the user calls it.
    ///
    /// # Errors
    /// Why a run of this team cannot decide it, in the user's words.
    pub fn new(
        model: &'a dyn Model,
        actor: &dyn Actor,
        claim: &Claim<AtomId>,
        name: &str,
    ) -> Result<Self, String> {
        let watch = Watch::new(claim, model.signature().unit, &[delay(model)]);
        let watch = watch.map_err(|refusal| refusal.reason)?;
        let mut heeded = true;
        claim.formula.for_each_atom(&mut |atom| heeded &= actor.heeds(*atom));
        if !heeded {
            return Err("it speaks of the modelled environment, whose place the skills have taken".to_owned());
        }
        Ok(Self { model, watch, name: name.to_owned() })
    }

    /// Reads the next situation: what was reached, in words.
    pub fn read(&mut self, state: &State) -> Option<String> {
        match self.watch.step(&mut |atom| self.model.holds(atom, state), delay(self.model)) {
            Standing::Undecided => None,
            Standing::True => Some(self.name.clone()),
            Standing::False => Some(format!("a violation of {}", self.name)),
        }
    }
}
