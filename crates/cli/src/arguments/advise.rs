//! `motet advise`

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use motet_workbench::Threshold;

use crate::arguments::{LimitArguments, ModelArguments, ThreadArguments};
use crate::values::precision;

/// `motet advise`
#[derive(Clone, Debug, Args)]
pub(crate) struct Advise {
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    /// Advise by queries of the project whose name fits, with * and ?; the first one ranks
    #[arg(short, long, value_name = "GLOB", help_heading = "Claims")]
    pub(crate) property: Vec<String>,
    /// Advise by a query of your own, behind those of -p or instead of all
    #[arg(long, value_name = "FORMULA", help_heading = "Claims")]
    pub(crate) query: Vec<String>,
    /// Make a belief out of a number, such as 'Mission at risk: L5 < 0.5'; may be given several times
    #[arg(long, value_name = "THRESHOLD", value_parser = Threshold::parse, help_heading = "Claims")]
    pub(crate) threshold: Vec<Threshold>,
    /// The situation as JSON, from a file; `-` answers every line of standard input with a line
    #[arg(long, value_name = "FILE", conflicts_with = "listen")]
    pub(crate) state: Option<PathBuf>,
    /// Answer over HTTP at this address of this machine, such as 127.0.0.1:8080; port 0 picks one
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) listen: Option<String>,
    /// How wide a certified interval may be, relative to its value; 1e-6 unless given
    #[arg(long, value_name = "WIDTH", value_parser = precision, help_heading = "Numbers")]
    pub(crate) precision: Option<f64>,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) threads: ThreadArguments,
    /// What standard output carries; lines of standard input are answered in JSON always
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub(crate) format: AdviceFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AdviceFormat {
    Text,
    Json,
}
