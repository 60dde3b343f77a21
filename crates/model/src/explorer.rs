//! The one exploration, for those who may not know an engine.

use crate::{Model, State};

/// Explores models on behalf of a front-end: a translation may have to know how large its arrays have to be.
pub trait Explorer {
    /// Visits the reachable states of a model, as many as `most`, and says whether these are all there are.
    fn every_state(&self, model: &dyn Model, most: u64, visit: &mut dyn FnMut(&State)) -> bool;
}

/// Explores nothing, for translations that need not know.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unexplored;

impl Explorer for Unexplored {
    fn every_state(&self, _model: &dyn Model, _most: u64, _visit: &mut dyn FnMut(&State)) -> bool {
        false
    }
}
