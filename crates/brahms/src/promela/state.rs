//! What the Promela model says of a native state, so that a run of Spin can be found again.

use motet_model::State;

use crate::promela::Promela;
use crate::promela::cells::{Store, actors};
use crate::semantics::value::UNKNOWN;
use crate::semantics::writes::{FACTS, beliefs_of};

impl Promela {
    /// All facts and beliefs that can change, then the frame of each actor and the seconds that its activity still takes.
    pub(crate) fn tells(&self, state: &State) -> String {
        let semantics = &self.semantics;
        let mut words: Vec<String> = Vec::new();
        for ((store, key), _) in self.cells.iter() {
            let store = match store {
                Store::Facts => FACTS,
                Store::Beliefs(actor) => beliefs_of(actor),
            };
            let word = semantics.layout.stored(state, store, key);
            let value = if word == UNKNOWN { None } else { semantics.codec.decode(word) };
            let code = value.and_then(|value| self.values.code(value)).unwrap_or(self.values.unknown_code());
            words.push(code.to_string());
        }
        for (actor, _) in actors(&semantics.program) {
            let seat = &semantics.layout.seats[actor.index()];
            let scope = semantics.controls.decode(state[seat.control]);
            let frame = scope.current.map_or(-1, |context| i64::from(context.instance.frame.0));
            words.push(frame.to_string());
            words.push(state[seat.remaining].to_string());
        }
        words.join(" ")
    }
}
