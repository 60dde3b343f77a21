//! Linear-time formulas as automata.
//!
//! A formula is brought into negation normal form over *propositions* (maximal state formulas, [`formula`]), simplified
//! while it is built, unfolded into a generalised Büchi automaton with acceptance on transitions ([`translate`]) and
//! reduced ([`reduce`]). Where chance decides the next letter it has to be deterministic ([`determinise`]).

pub(crate) mod automaton;
pub(crate) mod determinise;
mod example;
pub(crate) mod formula;
mod hoa;
mod lanes;
mod literal;
pub(crate) mod omega;
mod reduce;
mod scale;
mod system;
pub(crate) mod translate;

pub use automaton::{Automaton, Label, Transition};
pub use determinise::{Deterministic, Move, Settled, TooMany};
pub use example::{Column, Example, Examples, NoExample, examples};
pub use system::{SmallSystem, SmallSystems, small_systems};

use motet_model::{AtomId, TimeUnit};
use motet_property::Path;

use crate::branching_time::branching::outermost;
use crate::linear_time::linear::Linear;

impl Automaton {
    /// The automaton of a linear-time formula. A bound without a unit counts what `unit` says.
    ///
    /// # Errors
    /// The name of an operator that has no automaton.
    pub fn of(path: &Path<AtomId>, unit: TimeUnit) -> Result<Self, String> {
        let mut formulas = formula::Formulas::new(formula::Moments::States);
        let path = &outermost(path, unit)?;
        let root = Linear { formulas: &mut formulas, unit }.pure(path)?;
        if formulas.has_window(root) || crate::metric_time::clocks::mentions_clock(path) {
            return Err("time bounds and clocks".to_owned());
        }
        translate::translate(&formulas, root).map_err(|_| "a formula this large".to_owned())
    }
}
