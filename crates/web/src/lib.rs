//! What Motet shows and answers over HTTP on this machine: advice for a running agent, and the page on which a run is watched.
//! No logic: questions are answered by the workbench, runs are made by `live`.
//!
//! A [`Server`] listens on this machine alone and lets nobody in without its [`Token`], no page of another site among them; [`advice`] is what it
//! serves of advice, a [`View`] a run that is watched.

mod advise;
mod server;
mod view;

pub use advise::advice;
pub use server::{Address, LIMIT_BODY, Server, ServerError, Token};
pub use view::{View, ViewSink};
