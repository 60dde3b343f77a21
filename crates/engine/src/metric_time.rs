//! Metric time: claims with clocks and windows, the graph written out with time, worst cases.

pub(crate) mod clocks;
pub(crate) mod late;
pub(crate) mod longest;
pub(crate) mod margin;
pub(crate) mod owing;
pub(crate) mod starts;
pub(crate) mod timed;
pub(crate) mod unrolled;
pub(crate) mod wait;
pub(crate) mod window;
