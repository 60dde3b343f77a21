//! Drawings: nets, graphs, curves, pages for a browser, models written out state by state.

pub(crate) mod explicit;
pub(crate) mod graph;
pub(crate) mod layers;
pub(crate) mod net;
pub(crate) mod plot;
pub(crate) mod svg;
pub(crate) mod viewer;
