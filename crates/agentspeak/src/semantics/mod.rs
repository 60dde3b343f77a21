//! The operational semantics: a team as a [`motet_model::Model`].
//!
//! A state has one slot for the environment's variables, one for the queue of actions, one per agent for its mind, and,
//! if a claim asks for it, one for the last action and some for the messages of the last step. `team` puts the parts together; `thinker` and the files named
//! after the parts of the reasoning cycle say what an agent does; `world` says what the environment does.

pub(crate) mod arithmetic;
pub(crate) mod bindings;
mod choices;
pub(crate) mod condition;
mod control;
pub(crate) mod deed;
pub(crate) mod effects;
mod execute;
mod failing;
mod flow;
mod internal;
mod mail;
mod marks;
pub(crate) mod mind;
pub(crate) mod passed;
mod rest;
mod revise;
pub(crate) mod rewards;
pub(crate) mod select;
pub(crate) mod stack;
pub(crate) mod table;
mod tail;
pub(crate) mod team;
pub(crate) mod thinker;
#[cfg(test)]
mod twin;
mod update;
pub(crate) mod world;

pub(crate) use choices::Choices;
