//! A second Brahms interpreter, slow and obvious: sets and maps, no slots, no sharing, no memory between steps. It follows
//! `spec/brahms/rules.md` line by line, tries every sequence of choices from the start of each instant, and knows nothing
//! of the first interpreter but the resolved program. Tests compare the two on random models.
//!
//! It covers what the random models use: thoughtframes, workframes, variables, detectables, priorities, certainties, random
//! durations, moves, communications and broadcasts; not composite activities, creation, carrying and maps.

mod act;
mod choose;
mod cover;
mod mind;
mod read;
mod run;
mod turn;

pub use cover::covers;
pub use mind::{Context, Mind, Mode, World};
pub use run::{Explored, count_before_instants, explore};
