//! The textual format of TINA (Berthomieu, Ribet and Vernadat 2004): `net n`, `pl p (3)`, `tr t a*2 b?1 c?-1 -> d`.
//!
//! Read without time: intervals other than `[0,w[` and priorities are refused, because they would change what can happen.

mod lexer;
mod read;
mod write;

pub use read::read;
pub use write::write;
