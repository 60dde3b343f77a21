//! `motet nets`: what there is for nets alone.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::arguments::LimitArguments;

/// `motet nets`
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum NetsVerb {
    /// Answer the formulas of the Model Checking Contest
    Contest(Box<Contest>),
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
