//! From text to trees. Parsers never fail: they return what they understood and every problem of the file at once.

mod agent;
mod body;
mod cursor;
mod environment;
mod expression;
mod mas2j;
mod spoken;
mod team;
mod world;

pub use agent::parse_agent;
pub use mas2j::parse_mas2j;
pub(crate) use spoken::parse_literal;
pub use team::parse_team;
