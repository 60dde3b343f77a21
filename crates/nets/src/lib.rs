//! Nested predicate/transition nets for multi-agent systems, as a front-end: nets whose tokens carry data and other nets.
//!
//! `parse` reads a text into the tree of [`syntax`]; `construct` weaves aspects and expands roles there; `resolve` makes the
//! numbered [`program`] of it. `semantics` fires transitions over the [`value`]s; `atoms` says what claims mean in a marking;
//! `words` and `review` tell a user what happens. Nets of black tokens alone take the short way of [`plain`].

mod atoms;
mod lexer;
pub mod parse;
pub mod plain;
pub mod print;
pub mod program;
pub mod resolve;
mod semantics;
pub mod syntax;
pub mod value;
