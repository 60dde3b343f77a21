//! Linear-time formulas as automata.
//!
//! A formula is brought into negation normal form over *propositions* (maximal state formulas, [`formula`]), simplified
//! while it is built, unfolded into a generalised Büchi automaton with acceptance on transitions ([`translate`]) and
//! reduced ([`reduce`]).

pub(crate) mod automaton;
pub(crate) mod formula;
mod hoa;
mod reduce;
pub(crate) mod translate;

pub use automaton::{Automaton, Label, Transition};
