//! The exploration that front-ends ask for, through the contract: they see no engine.

use motet_model::{Explorer, Model, State};

use crate::checking::settings::Settings;
use crate::exploration::limits::Limits;
use crate::exploration::space::Space;

/// Limits and threads are those of the settings.
impl Explorer for Settings {
    fn every_state(&self, model: &dyn Model, most: u64, visit: &mut dyn FnMut(&State)) -> bool {
        let states = self.limits.states.map_or(most, |asked| asked.min(most));
        let limits = Limits { states: Some(states), ..self.limits.clone() };
        let settings = Self { limits, threads: self.threads, ..Self::default() };
        let mut unwatched = |_| {};
        let space = Space::explore(model, &settings, &mut unwatched);
        space.look(&mut |_, state| visit(state)).is_ok() && space.stop().is_none()
    }
}
