//! Runtime: runs that go on are watched, compared with the model, and advised.

pub(crate) mod advice;
pub(crate) mod advice_views;
pub(crate) mod drift;
pub(crate) mod monitor;
pub(crate) mod watch;
