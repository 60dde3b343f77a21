//! A second opinion: finds, runs and reads other checkers, and leads their runs back into our own models.
//!
//! Spin is asked through the Promela that a front-end writes ([`motet_model::Export`]). Its report is read and its exit
//! status is not: it ends with 0 on a violation, on exhausted memory and on a depth cut alike. The run behind a verdict
//! comes back as the `@motet` lines that the Promela model prints in simulation; [`follow`] repeats them in the native
//! model, so that the evidence can be replayed like any other.
//!
//! Storm is asked through a small Python program in an environment that has `stormpy` ([`storm`]), PRISM through its command
//! ([`Prism`]), NuSMV through the state space and its command ([`Nusmv`]). What they compute comes with bounds, and numbers agree when their intervals meet.

mod agreement;
mod codes;
mod follow;
mod nusmv;
mod prism;
mod process;
mod report;
mod retrace;
mod scratch;
mod spin;
pub mod storm;
mod tool;
mod trail;

pub use agreement::{Agreement, compare, possible};
pub use codes::CODES;
pub use follow::{Astray, follow};
pub use nusmv::Nusmv;
pub use prism::Prism;
pub use report::{SpinReport, read_report};
pub use retrace::{lead, retrace};
pub use spin::{Effort, Search, Spin, Verifier, run};
pub use tool::{ExternalError, Tool, find};
pub use trail::{Move, Trail, read_trail};
