//! Files, spans, problems and how a problem is shown, and what all parsers share: tokens and a place in them. Everything
//! else in the workspace may use this crate; it uses nothing of the workspace.
//!
//! A [`Problem`] is data: a code, a place, one terse message, a help line. Parsers and resolvers collect as many
//! as they find in [`Problems`] and never fail. [`show`] is the only place that draws one.
//!
//! A text becomes a [`Scan`] of the language's [`Kind`] of tokens, and a [`Cursor`] walks over it.

mod codes;
mod cursor;
#[cfg(feature = "fuzz")]
pub mod fuzz;
mod problem;
mod show;
mod sources;
mod suggest;
mod token;
pub mod work;

pub use codes::Entry;
pub use cursor::{Cursor, Parse, Parser, Refused, Rules, nothing_meant};
pub use problem::{Fix, Problem, Problems, Severity};
pub use show::{Style, show};
pub use sources::{File, FileId, Place, Sources, Span, Spanned};
pub use suggest::suggest;
pub use token::{Kind, LIMIT_PROBLEMS, Reading, Scan, Token, Unclosed, comment, shortened, text, unquoted};
