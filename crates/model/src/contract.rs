//! What facets promise, held against a state by the definition. [`crate::Checked`] asks this of the models of all tests.

mod independence;
mod symmetry;

pub use independence::ample_part;
pub use symmetry::{beginnings, images};
