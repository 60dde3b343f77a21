//! The AgentSpeak front-end: AgentSpeak(F) of Bordini, Fisher, Pardavila and Wooldridge (2003) and the Jason dialect,
//! with a declarative environment language.

pub mod program;
pub mod syntax;
pub mod term;
