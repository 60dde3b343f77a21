//! Partial-order reduction: where some of the steps do not mind what everybody else does, they alone are taken, and the
//! others after them.
//!
//! The model says which steps those are ([`Independence::ample`]) and answers for what a single state shows: nothing that is
//! put off disturbs them, and no claim sees them. What is left is that nothing is put off for ever (Peled 1994: condition C3).
//! For claims about whole runs a part of the steps is taken only if each of them leads to a state that is expanded later than
//! this one: on a cycle of the reduced graph some step leads to a state that was expanded before, or at the same time, so that
//! its state was expanded in full. Where claims only ask which states there are, it is enough that one of them does: what is
//! put off can still happen there, and a state that was expanded last puts nothing off (Bosnacki, Leue and Lluch Lafuente
//! 2009).

use motet_model::{AtomId, Independence, State, Steps};

/// What makes sure that nothing is put off for ever.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Proviso {
    /// Each step of a part leads to a state that is expanded later.
    #[default]
    Each,
    /// One of them does.
    One,
}

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
