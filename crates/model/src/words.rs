//! The user's vocabulary for a model's numbers. Rendering asks it; engines cannot see it.

use motet_source::Span;

use crate::{
    Account, ActionId, Event, MarkingPicture, NetPicture, Participant, ProcessId, SlotId, State, SubjectId,
    TeamPicture,
};

/// Numbers back into words.
pub trait Words: Sync {
    /// The value of a slot.
    fn value(&self, slot: SlotId, value: u32) -> String;

    /// What was done, in one line without the name of who did it.
    fn action(&self, action: ActionId) -> String;

    /// What was done, as a chart shows it.
    fn story(&self, action: ActionId) -> Story;

    /// The text that made it happen: a plan, an environment rule.
    fn origin(&self, action: ActionId) -> Option<Span>;

    /// The whole situation, agent by agent.
    fn snapshot(&self, state: &State) -> Snapshot;

    /// Why the step number `at` of a run went as it did, in the model's terms: which plans were relevant, which
    /// condition failed and since when. `states` has one element more than `actions`. Empty when there is nothing to say.
    fn why(&self, states: &[Box<State>], actions: &[ActionId], at: usize) -> Vec<String>;

    /// What a process waits for in a state where it cannot move, or moves without effect, short: `ag3 to bid`. `None`
    /// when there is nothing to say. Told of runs that repeat for ever.
    fn waits(&self, _process: ProcessId, _state: &State) -> Option<String> {
        None
    }

    /// What fairness is about, for models whose subjects are not their processes: `dock<a1, gate2>`. `None` means the name
    /// of the process with the same number.
    fn subject(&self, _subject: SubjectId) -> Option<String> {
        None
    }

    /// How things stand before the first step, as events: where everybody is. Empty for models without a chronicle.
    fn opening(&self, _state: &State) -> Vec<Event> {
        Vec::new()
    }

    /// What happens in the step of `state` with this ordinal and branch, event by event. Empty for models without a
    /// chronicle, whose steps [`Words::story`] tells in one line each.
    fn events(&self, _state: &State, _ordinal: u32, _branch: u32) -> Vec<Event> {
        Vec::new()
    }

    /// What the time of a process costs while it is busy; empty where nothing is said of cost.
    fn rates(&self) -> Vec<Rate> {
        Vec::new()
    }

    /// The nets of the model, for drawing; the outermost first. Empty for models that are not nets.
    fn nets(&self) -> Vec<NetPicture> {
        Vec::new()
    }

    /// Who belongs to the team, who tells whom and who writes what, as the texts say. `None` for languages whose messages are
    /// found in the steps of the model.
    fn team(&self) -> Option<TeamPicture> {
        None
    }

    /// What lies where in a state. `None` for models that are not nets.
    fn marking(&self, _state: &State) -> Option<MarkingPicture> {
        None
    }

    /// How many tokens lie in each place of a state: `visit` is told net and place, as numbered in the pictures, and the number, once for
    /// each instance of a net. Nothing for models that are not nets. The same as [`Words::marking`] says, without its words.
    fn tokens(&self, state: &State, visit: &mut dyn FnMut(usize, usize, u64)) {
        if let Some(marking) = self.marking(state) {
            marking.tokens(visit);
        }
    }

    /// Which transitions fire with this action: net and transition, as numbered in the pictures.
    fn fired(&self, _action: ActionId) -> Vec<(usize, usize)> {
        Vec::new()
    }

    /// Who fires with this action, in the order of [`Words::fired`].
    fn participants(&self, _action: ActionId) -> Vec<Participant> {
        Vec::new()
    }

    /// Why the frame, plan or rule of this name fires or does not fire in a state: one account for each process that has
    /// it. Empty when nobody has it.
    fn account(&self, _state: &State, _subject: &str) -> Vec<Account> {
        Vec::new()
    }
}

/// What the time of a process costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Rate {
    /// Whose.
    pub process: ProcessId,
    /// Of what: `cost`, or the name of something that is used.
    pub resource: String,
    /// For each unit of the model's time in which the process is busy.
    pub per_unit: f64,
    /// Only while it does one of these activities; empty for all its work.
    pub during: Vec<String>,
}

/// A step as a sequence chart shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// Whose lane.
    pub process: ProcessId,
    /// What happens there, short: `+!alliance(ag3,ag2)`, `event dropped, no plan`.
    pub text: String,
    /// A message to another lane: its text is the arrow's label.
    pub to: Option<(ProcessId, String)>,
    /// How much a reader wants to see it.
    pub weight: Weight,
}

/// How much a reader wants to see a step. A chart of limited height shows the heavier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Nothing happened: an idle cycle.
    Idle,
    /// Bookkeeping.
    Routine,
    /// A message, an action, a change of the world.
    Notable,
    /// Something went wrong: a lost intention, a refused action.
    Alarm,
}

/// A situation as plain data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// One per agent, and one for the environment.
    pub minds: Vec<Mind>,
}

/// What one agent has in mind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mind {
    /// The agent's name.
    pub name: String,
    /// Beliefs, events, intentions, mail and so on, in a fixed order.
    pub sections: Vec<Section>,
}

/// One kind of content of a mind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// `beliefs`.
    pub title: String,
    /// One line each.
    pub items: Vec<String>,
}
