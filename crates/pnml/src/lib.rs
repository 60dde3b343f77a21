//! The standard exchange format of Petri nets (ISO/IEC 15909-2), the textual format of TINA, and the formulas of the Model
//! Checking Contest.
//!
//! [`read`] takes place/transition nets and symmetric nets, and unfolds the latter; [`write`] writes nets of black tokens,
//! [`write_symmetric`] coloured ones.
//! What all nets share is collected by `skeleton`, over elements with places of `xml`.

mod codes;
pub mod contest;
mod from_nets;
mod ids;
mod imported;
mod language;
mod nupn;
mod plain;
mod skeleton;
pub mod symmetric;
mod text;
pub mod tina;
mod unfold;
mod write;
mod xml;

pub use codes::CODES;
pub use from_nets::symmetric_net;
pub use imported::{Imported, read};
pub use language::{Pnml, Tina};
pub use nupn::{Nupn, Unit};
pub use symmetric::write_symmetric;
pub use text::{Untold, plain_text, to_text};
pub use write::write;
