//! What some models know beside their states and steps. A model offers what it knows as [`Facets`], and who needs one asks for
//! all of them once; what a model does not offer has an answer that is always right.

use crate::{ActionId, Independence, ObserverId, ProcessId, Ratio, RewardId, State, SubjectId, Symmetry};

/// The facets that a model offers. A layer around a model passes on those of the model that are true of the layer too:
/// `Facets { symmetry: None, ..inner.facets() }`.
#[derive(Clone, Copy, Default)]
pub struct Facets<'m> {
    /// To whom runs are fair, where that is not the process.
    pub subjects: Option<&'m dyn Subjects>,
    /// What observers see.
    pub observation: Option<&'m dyn Observation>,
    /// What runs earn.
    pub rewards: Option<&'m dyn Rewards>,
    /// Which members can change places.
    pub symmetry: Option<&'m dyn Symmetry>,
    /// Which steps are independent of all others.
    pub independence: Option<&'m dyn Independence>,
}

impl<'m> Facets<'m> {
    /// To whom a run is fair that takes a step of this process with this action: the process, unless the model says otherwise.
    #[must_use]
    pub fn subject(&self, process: ProcessId, action: ActionId) -> SubjectId {
        self.subjects.map_or(SubjectId(process.0), |subjects| subjects.subject(process, action))
    }

    /// Appends what an observer sees of a state: nothing, if the model does not say.
    pub fn observe(&self, observer: ObserverId, state: &State, out: &mut Vec<u32>) {
        if let Some(observation) = self.observation {
            observation.observe(observer, state, out);
        }
    }

    /// What a run earns for being in a state: nothing, if the model does not say.
    #[must_use]
    pub fn state_reward(&self, reward: RewardId, state: &State) -> Ratio {
        self.rewards.map_or(Ratio::ZERO, |rewards| rewards.state_reward(reward, state))
    }

    /// What a run earns for a step, on top: nothing, if the model does not say.
    #[must_use]
    pub fn action_reward(&self, reward: RewardId, state: &State, action: ActionId) -> Ratio {
        self.rewards.map_or(Ratio::ZERO, |rewards| rewards.action_reward(reward, state, action))
    }

    /// The same without what speaks of several states and steps at once: what is left of a model for a layer that leaves out
    /// states or lets others stand for them.
    #[must_use]
    pub fn of_single_steps(self) -> Facets<'m> {
        Facets { symmetry: None, independence: None, ..self }
    }
}

impl std::fmt::Debug for Facets<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Facets")
            .field("subjects", &self.subjects.is_some())
            .field("observation", &self.observation.is_some())
            .field("rewards", &self.rewards.is_some())
            .field("symmetry", &self.symmetry.is_some())
            .field("independence", &self.independence.is_some())
            .finish()
    }
}

/// To whom runs are fair, for models in which that is not the process. In nets it is the transition together with its
/// binding, which is known only once it turns up.
pub trait Subjects: Sync {
    /// To whom a run is fair that takes a step of this process with this action. Subjects are numbered densely from 0, and
    /// equal processes and actions have equal subjects.
    fn subject(&self, process: ProcessId, action: ActionId) -> SubjectId;
}

/// What observers see, for claims about knowledge (Fagin, Halpern, Moses and Vardi 1995).
pub trait Observation: Sync {
    /// Appends what an observer sees of a state: its own local state. Two states are the same to it exactly if it sees the
    /// same numbers in both.
    fn observe(&self, observer: ObserverId, state: &State, out: &mut Vec<u32>);
}

/// What runs earn.
pub trait Rewards: Sync {
    /// What a run earns for being in a state, each time it takes a step from there. A state without steps earns it again
    /// and again, because a finite run repeats its last state.
    fn state_reward(&self, _reward: RewardId, _state: &State) -> Ratio {
        Ratio::ZERO
    }

    /// What a run earns, on top, for taking a step with this action from a state.
    fn action_reward(&self, _reward: RewardId, _state: &State, _action: ActionId) -> Ratio {
        Ratio::ZERO
    }
}
