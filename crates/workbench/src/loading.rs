//! Loading: texts and the command line become a model with its claims, or problems.

pub(crate) mod atoms;
pub(crate) mod automata;
pub(crate) mod command_line;
pub(crate) mod counting;
pub(crate) mod dead_words;
pub(crate) mod digest;
pub(crate) mod glob;
pub(crate) mod load;
pub(crate) mod moments;
pub(crate) mod questions;
pub(crate) mod rewards;
