//! What the numbers of a model are called.

/// The shape of a model.
#[derive(Clone, Debug, Default)]
pub struct Signature {
    /// Names of the slots of a state; the length is the width of every state.
    pub slots: Vec<String>,
    /// Names of the processes; fairness quantifies over these unless [`crate::Subjects`] says otherwise.
    pub processes: Vec<String>,
    /// The atoms of the claims, printed; `atoms[i]` is `AtomId(i)`.
    pub atoms: Vec<String>,
    /// Named rewards.
    pub rewards: Vec<Reward>,
    /// Names of those whose knowledge claims may speak of; what they see is asked of [`crate::Observation`].
    pub observers: Vec<String>,
    /// What a step's delay counts.
    pub unit: TimeUnit,
}

/// A named reward. Where it is earned is asked of the model's [`crate::Rewards`].
#[derive(Clone, Debug)]
pub struct Reward {
    /// As written in `R{"name"}`.
    pub name: String,
}

/// What a delay of 1 means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeUnit {
    /// Milliseconds of a clock.
    Milliseconds,
    /// Reasoning cycles.
    Cycles,
    /// Firings of transitions.
    Firings,
    /// Plain steps.
    #[default]
    Steps,
}

impl TimeUnit {
    /// Whether time goes on while a state lasts, as on a clock: at the instant of a change there is what was and what is from
    /// then on. What is counted has whole numbers only, and a state is over at the number at which the next one is entered.
    #[must_use]
    pub fn is_dense(self) -> bool {
        self == Self::Milliseconds
    }
}
