//! Steps that do not mind each other.

use crate::{AtomId, State, Steps};

/// What an engine may know of a model's concurrency, so that it need not look at every order of steps that do not mind each
/// other. Optional: see [`crate::Facets`].
pub trait Independence: Sync {
    /// Appends the ordinals of an ample part of the steps that leave a state, in order; all of them if no smaller part is
    /// known to be ample. `steps` are all steps of that state.
    ///
    /// A part is ample if it is not empty where there are steps, and if the following holds of every run from this state on
    /// as long as it takes no step of the part: each step of the part stays possible, has the same action and the same
    /// outcomes, and leads to the same states whether it is taken first or last (of steps outside the part this asks the
    /// same: taking one of the part before them changes neither whether they are possible nor what they do); no new step
    /// turns up that would not go together with the part; and, unless the part is all steps, none of its steps changes one
    /// of the atoms in `visible`, now or when it is taken later on that run. Faults count as something that steps do.
    ///
    /// That cycles put nothing off for ever is the engine's business.
    fn ample(&self, visible: &[AtomId], state: &State, steps: &Steps, out: &mut Vec<u32>);
}
