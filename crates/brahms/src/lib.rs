//! The Brahms front-end: models of how people, agents and robots work together (Sierhuis 2001; Stocker 2013), simulated and
//! checked.

mod codes;
mod lexer;
pub mod parse;
pub mod program;
pub mod syntax;

pub use codes::CODES;
