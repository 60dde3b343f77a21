//! The Brahms front-end: models of how people, agents and robots work together (Sierhuis 2001; Stocker 2013), simulated and
//! checked.

mod codes;
mod lexer;
pub mod parse;
pub mod program;
mod sidecar;
mod settings;
mod resolve;
pub mod project;
pub mod syntax;

pub use codes::CODES;
