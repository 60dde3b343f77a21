//! Acting: runs of agents that act, and advice for them.

pub(crate) mod advice;
pub(crate) mod live;
pub(crate) mod live_series;
pub(crate) mod live_text;
