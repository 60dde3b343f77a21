//! `motet run` and `motet world`: agents that act.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use motet_workbench::Threshold;

use crate::arguments::{ClaimArguments, LimitArguments, ModelArguments, ThreadArguments};
use crate::values::duration;

/// `motet run`
#[derive(Clone, Debug, Args)]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    #[command(flatten)]
    pub(crate) claims: ClaimArguments,
    /// The skills: a command line for `sh -c`, spoken to in lines of JSON
    #[arg(long, value_name = "CMD", required_unless_present = "replay", help_heading = "Skills")]
    pub(crate) skills: Option<String>,
    /// Cycles a second; what has arrived by the end of a cycle counts
    #[arg(long, value_name = "HZ", value_parser = positive, help_heading = "Skills")]
    pub(crate) rate: Option<f64>,
    /// Each cycle waits until the skills have said everything of it; so it is without --rate
    #[arg(long, conflicts_with = "rate", help_heading = "Skills")]
    pub(crate) lockstep: bool,
    /// How much faster than the clock the world runs
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = positive, help_heading = "Skills")]
    pub(crate) speed: f64,
    /// How long skills may be silent before agents hear of it
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration, help_heading = "Skills")]
    pub(crate) timeout: Duration,
    /// Lines that skills may say in one cycle; the rest is dropped
    #[arg(long, value_name = "N", default_value_t = 1000, help_heading = "Skills")]
    pub(crate) max_news: usize,
    /// Cycles that are run on when the skills have died, or stay silent
    #[arg(long, value_name = "N", default_value_t = 20, help_heading = "Skills")]
    pub(crate) grace_cycles: u64,
    /// Cycles at most
    #[arg(long, value_name = "N", help_heading = "Run")]
    pub(crate) cycles: Option<u64>,
    /// End when this holds, or when the claim of this name is decided
    #[arg(long, value_name = "WHAT", help_heading = "Run")]
    pub(crate) until: Option<String>,
    /// Who chooses where agents leave a choice open
    #[arg(long, value_name = "HOW", default_value = "first", help_heading = "Run")]
    pub(crate) select: SelectHow,
    /// With --select advise: the queries to choose by, best for the first; all queries unless given
    #[arg(long, value_name = "QUERY", help_heading = "Run")]
    pub(crate) by: Vec<String>,
    /// A belief made of a number, such as 'Mission at risk: L5 < 0.5'; the agents perceive it
    #[arg(long, value_name = "BELIEF: QUERY < N", value_parser = Threshold::parse, help_heading = "Run")]
    pub(crate) threshold: Vec<Threshold>,
    /// For random choices; also the seed of the first of many runs
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Run")]
    pub(crate) seed: u64,
    /// So many runs, counted; `{seed}` in the skills' command line and in the log's name is the seed of the run
    #[arg(
        short = 'n',
        long,
        value_name = "N",
        requires_all = ["until", "cycles"],
        conflicts_with_all = ["replay", "view"],
        value_parser = clap::value_parser!(u64).range(1..=1_000_000),
        help_heading = "Many runs"
    )]
    pub(crate) runs: Option<u64>,
    /// A query whose answer the share of runs is compared with, by its name; may be given several times
    #[arg(long, value_name = "QUERY", requires = "runs", help_heading = "Many runs")]
    pub(crate) compare: Vec<String>,
    /// Runs at a time; as many as there are processors unless given
    #[arg(long, value_name = "N", requires = "runs", help_heading = "Many runs")]
    pub(crate) jobs: Option<usize>,
    /// Write everything that happens, as lines of JSON
    #[arg(long, value_name = "FILE", help_heading = "Run")]
    pub(crate) log: Option<PathBuf>,
    /// Follow a run again from its log, without skills, and compare
    #[arg(
        long,
        value_name = "LOG",
        conflicts_with_all = ["skills", "rate", "lockstep", "cycles", "until", "by", "threshold", "log"],
        help_heading = "Run"
    )]
    pub(crate) replay: Option<PathBuf>,
    /// Show the run on a page of this machine, while it runs and until Ctrl-C; any free port unless given
    #[arg(
        long,
        value_name = "ADDRESS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "127.0.0.1:0",
        help_heading = "Report"
    )]
    pub(crate) view: Option<String>,
    /// What standard output carries
    #[arg(long, value_name = "FORM", default_value = "text", help_heading = "Report")]
    pub(crate) format: RunFormat,
    /// What is shown of each cycle
    #[arg(long, value_name = "WHAT", default_value = "changes", help_heading = "Report")]
    pub(crate) inspect: Inspect,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) threads: ThreadArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SelectHow {
    /// The first in the text
    First,
    /// Any, with equal chances
    Random,
    /// What the solved model says is best
    Advise,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RunFormat {
    Text,
    /// The events of the log
    Jsonl,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Inspect {
    /// Nothing but what goes wrong
    None,
    /// What changes
    Changes,
    /// All that agents have in mind: beliefs, events, desires, intentions
    Full,
}

/// `motet world`
#[derive(Clone, Debug, Args)]
pub(crate) struct World {
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    /// Makes the same world again
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
}

/// A rate or a speed: between a cycle in a quarter of an hour and a thousand in a millisecond.
fn positive(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|number| (0.001..=1e6).contains(number));
    number.ok_or_else(|| format!("`{text}` does not lie between 0.001 and 1000000; write 10 or 0.5"))
}
