//! Steps that do not mind each other.

use crate::{AtomId, State, Steps};

/// What an engine may know of a model's concurrency, so that it need not look at every order of steps that do not mind each
/// other. Optional: see [`crate::Model::independence`].
pub trait Independence: Sync {
    /// Appends the ordinals of an ample part of the steps that leave a state, in order; all of them if no smaller part is
    /// known to be ample. A part is ample if it is not empty where there are steps, if nothing that the others do before one
    /// of its steps can switch one of its steps off, change what it does, or depend on it, and, unless it is all of them,
    /// if none of its steps can change one of the atoms in `visible` in any state. That cycles leave nothing out for ever
    /// is the engine's business.
    fn ample(&self, visible: &[AtomId], state: &State, steps: &Steps, out: &mut Vec<u32>);
}
