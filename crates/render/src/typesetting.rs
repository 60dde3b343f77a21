//! Typesetting: pages, lines, tables, numbers and durations as text.

pub(crate) mod canvas;
pub(crate) mod duration;
pub(crate) mod number;
pub(crate) mod page;
pub(crate) mod table;
