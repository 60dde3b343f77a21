//! Verdicts and the runs that prove them.
//!
//! An engine answers with an [`Outcome`]; its [`Evidence`] is a run of the model, finite or repeating for ever.
//! [`replay`] follows that run step by step in the model and evaluates the claim on it. It shares no code with any
//! engine, so that a mistake in a search cannot vouch for itself. [`to_itf`] and [`read_itf`] are the one form of a run
//! on disk.

mod acceptance;
mod branches;
mod cause;
mod cause_stretch;
mod fit;
mod follow;
mod itf;
mod kleene;
mod moments;
mod objection;
mod outcome;
mod quantity;
mod replay;
mod run;
mod wait;
mod word;

pub use cause::{Cause, causes};
pub use cause_stretch::{Stretch, stretches};
pub use fit::Fit;
pub use itf::{Recorded, Title, Unreadable, read_itf, to_itf};
pub use objection::{Forged, Objection};
pub use outcome::{Coverage, Idle, Margin, Measure, Outcome, Stop, Vacuity, Verdict};
pub use quantity::{
    Attained, Decision, Infinite, Memory, Method, Over, Quantity, Strategy, Turn, Unfair, Valued, Way,
};
pub use replay::{rebuild, replay, replay_fault, replay_outcome, replay_under};
pub use run::{Branch, Evidence, Fairness, Run, Shown, Taken};
