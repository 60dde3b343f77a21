//! A small vessel without a crew, simulated: the skills of the mine hunter.
//!
//! The hull moves in the plane under thrust, rudder, drag and waves; a pilot follows the tracks of a sweep; a sonar notes what it
//! has seen; the weather rises and falls; an operator ashore answers when asked. Everything follows from a seed. [`Session`] speaks
//! with the agent in lines of JSON.

pub mod coverage;
pub mod geometry;
pub mod guidance;
pub mod hull;
pub mod integrate;
pub mod layout;
pub mod lines;
pub mod operator;
pub mod pilot;
pub mod random;
pub mod sea;
mod session;
mod show;
pub mod vessel;
pub mod weather;

pub use session::{Flow, Pace, Session};
pub use vessel::{Mission, Vessel};
