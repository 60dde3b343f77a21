//! Partial-order reduction: where some of the steps do not mind what everybody else does, they alone are taken, and the
//! others after them.
//!
//! The model says which steps those are ([`Independence::ample`]) and answers for what a single state shows: nothing that is
//! put off disturbs them, and no claim sees them. What is left is that nothing is put off for ever (Peled 1994: condition C3).
//! A part of the steps is taken only if each of them leads to a state that is expanded later than this one. On a cycle of the
//! reduced graph some step leads to a state that was expanded before, or at the same time, so that its state was expanded in
//! full.

use motet_model::{AtomId, Independence, State, Steps};

/// The reduction in the course of an exploration.
pub(crate) struct Ample<'m> {
    independence: &'m dyn Independence,
    visible: Vec<AtomId>,
}

impl<'m> Ample<'m> {
    pub(crate) fn new(independence: &'m dyn Independence, visible: Vec<AtomId>) -> Self {
        Self { independence, visible }
    }

    /// The ordinals of a part of the steps that may be enough, in order: all of them if no smaller part is.
    pub(crate) fn part(&self, state: &State, steps: &Steps) -> Vec<usize> {
        if steps.len() < 2 {
            return (0..steps.len()).collect();
        }
        let mut part = Vec::new();
        self.independence.ample(&self.visible, state, steps, &mut part);
        part.into_iter().map(|ordinal| ordinal as usize).collect()
    }
}
