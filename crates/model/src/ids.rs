//! Numbers that cannot be mistaken for each other.

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

id! {
    /// A position in a state vector.
    SlotId;
    /// A process: who moves. An agent, the environment, a spontaneous step.
    ProcessId;
    /// What fairness is about: a process, or something finer that [`crate::Subjects`] number.
    SubjectId;
    /// What was done in a step. Numbered by the front-end as actions turn up; only [`crate::Words`] can name it.
    ActionId;
    /// An atom of the claims.
    AtomId;
    /// A named reward.
    RewardId;
    /// Somebody who knows things: an agent, by its position in [`crate::Signature::observers`].
    ObserverId;
    /// A part of the model's text, by its position in [`crate::Review::parts`].
    PartId;
}
