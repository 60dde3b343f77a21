//! `motet check --resume`: the words of a check that was stopped, with other limits.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser};

use crate::arguments::{Check, Cli, Format, LimitArguments, Look, ReportKind, ThreadArguments, Verb};
use crate::checkpoint::Found;
use crate::values::{interval, report_file};

/// Whether and how a check is saved.
#[derive(Clone, Debug, Args)]
pub(crate) struct KeepArguments {
    /// Save the search this often, such as 30s, so that --resume can go on with it; off saves nothing
    #[arg(long, value_name = "TIME", default_value = "5min", value_parser = interval, env = "MOTET_CHECKPOINT", help_heading = "Limits")]
    pub(crate) checkpoint: Interval,
    /// Go on with the last check that was stopped here: it needs no model and no other flag, and only limits may change
    #[arg(long, help_heading = "Limits")]
    pub(crate) resume: bool,
    /// Put states and steps that do not fit into memory into a file in this folder; it is gone when the check ends
    #[arg(long, value_name = "DIR", env = "MOTET_SPILL", help_heading = "Limits")]
    pub(crate) spill: Option<PathBuf>,
}

/// Between two checkpoints; `None` is never.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval(pub(crate) Option<Duration>);

/// `motet check --resume`: everything that may be said anew. The rest is as it was.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "motet check --resume",
    about = "Go on with the last check that was stopped. Everything but limits and presentation is as it was.",
    max_term_width = 100
)]
pub(crate) struct Resume {
    /// The model, where several checks were stopped; the last one unless given
    pub(crate) model: Option<PathBuf>,
    /// Go on with the last check that was stopped here
    #[arg(long = "resume", required = true)]
    _resume: bool,
    #[command(flatten)]
    limits: LimitArguments,
    #[command(flatten)]
    threads: ThreadArguments,
    /// Save the search this often, such as 30s; off saves nothing
    #[arg(long, value_name = "TIME", value_parser = interval, help_heading = "Limits")]
    checkpoint: Option<Interval>,
    /// Put states and steps that do not fit into memory into a file in this folder
    #[arg(long, value_name = "DIR", env = "MOTET_SPILL", help_heading = "Limits")]
    spill: Option<PathBuf>,
    /// What standard output carries
    #[arg(long, value_name = "FORM", help_heading = "Report")]
    format: Option<Format>,
    /// Write a report file too; may be given several times
    #[arg(long, value_name = "KIND=FILE", value_parser = report_file, help_heading = "Report")]
    report: Vec<(ReportKind, PathBuf)>,
    #[command(flatten)]
    pub(crate) look: Look,
}

impl Resume {
    /// These words, if they ask to go on with a check.
    pub(crate) fn of(words: &[String]) -> Option<Self> {
        let mut own = words.iter().filter(|word| *word != "check");
        let asks = words.iter().any(|word| word == "check") && own.any(|word| word == "--resume");
        // Help and complaints go where those of any verb go.
        let rest = words.iter().map(String::as_str).filter(|word| *word != "check");
        asks.then(|| Self::parse_from(std::iter::once("motet check --resume").chain(rest)))
    }

    /// The check that was stopped, with what is said anew.
    pub(crate) fn check(self, found: &Found) -> Result<Check, clap::Error> {
        let words = std::iter::once("motet").chain(found.page.command.iter().map(String::as_str));
        let cli = Cli::try_parse_from(words)?;
        let Some(Verb::Check(check)) = cli.verb else {
            return Err(clap::Error::new(clap::error::ErrorKind::InvalidSubcommand));
        };
        let mut check = *check;
        let old = check.limits;
        check.limits = LimitArguments {
            mem: self.limits.mem.or(old.mem),
            time: self.limits.time.or(old.time),
            states: self.limits.states.or(old.states),
            depth: self.limits.depth.or(old.depth),
        };
        if self.threads.count() > 0 {
            check.threads = self.threads;
        }
        if let Some(interval) = self.checkpoint {
            check.keep.checkpoint = interval;
        }
        check.keep.resume = true;
        check.keep.spill = self.spill.or(check.keep.spill);
        check.format = self.format.unwrap_or(check.format);
        if !self.report.is_empty() {
            check.report = self.report;
        }
        Ok(check)
    }
}
