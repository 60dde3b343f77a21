//! The Brahms front-end: models of how people, agents and robots work together (Sierhuis 2001; Stocker 2013), simulated and
//! checked.

pub mod program;
pub mod syntax;
