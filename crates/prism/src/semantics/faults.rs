//! What is said where a model cannot go on: the place in the text, what is wrong, and the state in words.

use motet_model::{Fault, State};

use super::Semantics;
use super::earned::BadReward;
use super::effects::Failure;
use super::product::Excess;
use crate::expr::Trouble;
use crate::program::{CommandId, Domain};

impl Semantics {
    /// `s=3, d=0`
    pub(crate) fn situation(&self, state: &State) -> String {
        let values = self.program.variables.iter().zip(state);
        let values: Vec<String> =
            values.map(|(variable, value)| format!("{}={}", variable.name, variable.shown(*value))).collect();
        if values.is_empty() { "the only state".to_owned() } else { values.join(", ") }
    }

    fn fault(&self, place: &str, what: &str, state: &State) -> Fault {
        Fault { message: format!("{place}: {what} in {}", self.situation(state)) }
    }

    fn place(&self, command: CommandId) -> &str {
        &self.places[command.index()]
    }

    pub(crate) fn guard_fault(&self, command: CommandId, trouble: Trouble, state: &State) -> Fault {
        let what = format!("the guard meets {}", trouble.words());
        self.fault(self.place(command), &what, state)
    }

    pub(crate) fn effect_fault(&self, command: CommandId, failure: Failure, state: &State) -> Fault {
        let what = match failure {
            Failure::Trouble(trouble) => format!("the command meets {}", trouble.words()),
            Failure::Range { slot, value } => {
                let variable = &self.program.variables[slot as usize];
                match variable.domain {
                    Domain::Range { low, high } => format!(
                        "`{}` would become {}, which is not in [{low}..{high}],",
                        variable.name,
                        value.saturating_add(low)
                    ),
                    Domain::Bool => format!("`{}` would be neither true nor false", variable.name),
                }
            }
            Failure::Chance(chance) => format!("{chance} is not a chance"),
            Failure::Sum(sum) => format!("the chances sum to {sum}, not to 1,"),
            Failure::Precision => "the chances are too fine to be kept exactly".to_owned(),
        };
        self.fault(self.place(command), &what, state)
    }

    pub(crate) fn excess_fault(&self, commands: &[CommandId], excess: Excess, state: &State) -> Fault {
        let place = commands.first().map_or("the model", |command| self.place(*command));
        let what = match excess {
            Excess::Branches => "the enabled commands have more than 4 million outcomes together",
            Excess::Precision => {
                "the chances of commands that happen together are too fine to be kept exactly"
            }
        };
        self.fault(place, what, state)
    }

    pub(crate) fn crowd_fault(&self, state: &State) -> Fault {
        self.fault("the model", "more than a million combinations of commands are enabled", state)
    }

    pub(crate) fn mixture_fault(&self, state: &State) -> Fault {
        self.fault(
            "the model",
            "the chances of all enabled commands together are too fine to be kept exactly",
            state,
        )
    }

    pub(crate) fn reward_fault(&self, number: usize, bad: BadReward, state: &State) -> Fault {
        let what = match bad {
            BadReward::Trouble(trouble) => format!("the reward meets {}", trouble.words()),
            BadReward::Negative(value) => format!("a reward of {value} is negative"),
            BadReward::Precision => "the reward is too fine to be kept exactly".to_owned(),
        };
        self.fault(&self.reward_places[number], &what, state)
    }
}
