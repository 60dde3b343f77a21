//! What a run is waited for to reach: a claim that is decided.

use motet_engine::{Known, Monitor};
use motet_model::{AtomId, Model, State, TimeUnit};
use motet_property::{Claim, Interval, Kind, Path};

/// A claim that ends a run when it is decided.
pub struct Goal<'a> {
    model: &'a dyn Model,
    monitor: Monitor,
    name: String,
    begun: bool,
}

impl<'a> Goal<'a> {
    /// Waits until the claim is decided; for a possibility, until it is reached. `name` is how the user calls it.
    #[must_use]
    pub fn new(model: &'a dyn Model, claim: &Claim<AtomId>, name: &str) -> Self {
        let formula = match claim.kind {
            Kind::Possible => Path::Eventually(Interval::default(), Box::new(claim.formula.clone())),
            _ => claim.formula.clone(),
        };
        let monitor = Monitor::timed(&formula, model.signature().unit);
        Self { model, monitor, name: name.to_owned(), begun: false }
    }

    /// Reads the next situation: what was reached, in words.
    pub fn read(&mut self, state: &State) -> Option<String> {
        // A cycle of a run takes the time of one where the model counts cycles, and none where it counts steps.
        let begun = std::mem::replace(&mut self.begun, true);
        let delay = u32::from(begun && self.model.signature().unit == TimeUnit::Cycles);
        match self.monitor.read_after(delay, &|atom| self.model.holds(atom, state)) {
            Known::Open => None,
            Known::Satisfied => Some(self.name.clone()),
            Known::Violated => Some(format!("a violation of {}", self.name)),
        }
    }
}
