//! Runs: tales, charts, timelines, minds, causes and deadlines, trees of runs, the token game.

pub(crate) mod account;
pub(crate) mod cause;
pub(crate) mod chart;
pub(crate) mod choose;
pub(crate) mod chronicle;
pub(crate) mod clocked;
pub(crate) mod critical;
pub(crate) mod deadline;
pub(crate) mod events;
pub(crate) mod game;
pub(crate) mod mind;
pub(crate) mod recorder;
pub(crate) mod tale;
pub(crate) mod timeline;
pub(crate) mod tree;
