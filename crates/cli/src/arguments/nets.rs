//! `motet nets`: what there is for nets alone.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::arguments::{Format, LimitArguments, ModelArguments, ThreadArguments};

/// `motet nets`
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum NetsVerb {
    /// Answer the formulas of the Model Checking Contest
    Contest(Box<Contest>),
    /// Say what can be said without any claim: invariants, bounds, deadlocks, liveness
    Report(Report),
    /// List the markings that agents take, their beliefs, and the goals that hold in each
    Beliefs(Beliefs),
    /// Say whether each goal can be reached, and by which firings of the agent
    Intentions(Intentions),
    /// Print the nets with aspects woven in, roles and operations written out
    Show(ModelArguments),
    /// Print what agents say and hear, and how the system net answers
    Tables(Tables),
    /// Print the system net that a mediator describes, to be refined
    Mediate(ModelArguments),
}

/// `motet nets contest`
#[derive(Clone, Debug, Args)]
pub(crate) struct Contest {
    /// A folder with model.pnml and files of formulas, or a folder of such folders
    pub(crate) folder: PathBuf,
    /// Only nets whose name fits, with * and ?
    #[arg(long, value_name = "GLOB")]
    pub(crate) only: Option<String>,
    /// Known answers to compare with; expected.csv of the folder unless given
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) expected: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

/// `motet nets tables`
#[derive(Clone, Debug, Args)]
pub(crate) struct Tables {
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    /// For people or for programs
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: Format,
}

/// `motet nets report`
#[derive(Clone, Debug, Args)]
pub(crate) struct Report {
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) threads: ThreadArguments,
    /// For people or for programs
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: Format,
}

/// `motet nets beliefs`
#[derive(Clone, Debug, Args)]
pub(crate) struct Beliefs {
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    /// Only agents of this net
    #[arg(long, value_name = "NET")]
    pub(crate) net: Option<String>,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    /// For people or for programs
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: Format,
}

/// `motet nets intentions`
#[derive(Clone, Debug, Args)]
pub(crate) struct Intentions {
    #[command(flatten)]
    pub(crate) beliefs: Beliefs,
    /// Only the goal of this name
    #[arg(long, value_name = "GOAL")]
    pub(crate) goal: Option<String>,
    /// Intentions to list for a goal, at most
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) most: usize,
}
