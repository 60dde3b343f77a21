//! Agents that act: the reasoning cycle against real skills, with a log that replays, claims that are watched, and advice.
//!
//! [`run`] is the cycle. Its other end are [`Skills`]: a process ([`Link`]) or a log that is followed again ([`Replay`]).
//! [`Select`] chooses where the team leaves a choice open, [`Observer`]s watch, and every [`Sink`] is told the same events.

mod advised;
mod beat;
mod clock;
mod drift;
mod goal;
mod inspect;
mod lines;
mod link;
mod log;
mod observe;
mod process;
mod protocol;
mod replay;
mod run;
mod select;
mod sink;
mod skills;
mod watch;
mod world;

pub use advised::{Advised, Insights};
pub use drift::Drifting;
pub use goal::Goal;
pub use lines::{LIMIT_LINE, Line, Lines};
pub use link::{Link, Terms};
pub use log::{Log, other_model, read_log};
pub use observe::{Moment, Observed, Observer};
pub use process::Process;
pub use protocol::{
    Heard, Hello, Nonsense, PROTOCOL, Pace, Tick, Told, hear, line, news_of, news_text, order_text, told,
};
pub use replay::{Comparison, Replay};
pub use run::{Run, RunLimits, run};
pub use select::{Any, Chosen, First, Select};
pub use sink::{JsonLines, Minds, Receipt, Sink};
pub use skills::{Gathered, Skills, Source, Standing};
pub use watch::Watching;
pub use world::{WorldEnd, serve};

// What hosts need of the contract, so that they depend on nothing else.
pub use motet_model::Trouble;
