//! Formulas and files as text.

mod english;
mod english_scope;
mod expr;
mod file;
mod formula;
mod formulas;
mod name;
mod prism;
mod smv;
mod spin;
pub(crate) mod surface;

pub use english::{english, english_claim};
pub use file::format_file;
pub use formula::print_formula;
pub use formulas::format_formulas;
pub use prism::{Moments, PrismNames, prism_formula};
pub use smv::{SmvSpec, smv_spec};
pub use spin::{Unsupported, spin_ltl, spin_ltl_with};
