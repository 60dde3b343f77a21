//! The middle between the languages and what they are translated to: one tree of expressions over finite typed variables, and
//! programs that are trees.
//!
//! A translator builds [`Expr`]s and statements and never text. What is read, written or named in them is asked of the tree, and
//! only a printer knows how something is spelled. [`promela`] is the first of the printers.

pub mod expr;
pub mod promela;

pub use expr::{Access, Binary, Connective, Expr, Kind, Message, Place, Unary};
