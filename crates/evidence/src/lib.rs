//! Verdicts and the runs that prove them.

mod outcome;
mod run;

pub use outcome::{Coverage, Outcome, Stop, Vacuity, Verdict};
pub use run::{Evidence, Fairness, Run, Taken};
