//! Files, spans, problems and how a problem is shown. Everything else in the workspace may use this crate;
//! it uses nothing of the workspace.
//!
//! A [`Problem`] is data: a code, a place, one terse message, a help line. Parsers and resolvers collect as many
//! as they find in [`Problems`] and never fail. [`show`] is the only place that draws one.

mod codes;
mod problem;
mod show;
mod sources;
mod suggest;

pub use codes::Entry;
pub use problem::{Fix, Problem, Problems, Severity};
pub use show::{Style, show};
pub use sources::{File, FileId, Place, Sources, Span, Spanned};
pub use suggest::suggest;
