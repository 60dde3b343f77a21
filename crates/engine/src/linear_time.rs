//! Linear time: automata, their product with the graph, accepting runs and how they are told.

pub mod automata;
pub(crate) mod compassion;
pub(crate) mod emptiness;
pub(crate) mod lasso;
pub(crate) mod linear;
pub(crate) mod product;
pub(crate) mod shrink;
pub(crate) mod tour;
