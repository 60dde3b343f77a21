//! The one list of ways in which every check of the specification and the corpus is run.

use motet_evidence::Fairness;
use motet_workbench::{CheckOptions, Engine};

use crate::markdown::Check;

/// One way to run a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Configuration {
    /// As the page says; everything it expects must come out.
    Native,
    /// All runs count. The graph must be the same, and what holds on all runs must be what holds on fair ones.
    AllRuns,
    /// Spin is asked about the exported model and must say the same; only where the page carries the mark `spin`.
    Spin,
}

impl Configuration {
    /// All of them, in the order in which they are run.
    pub const ALL: [Configuration; 3] = [Configuration::Native, Configuration::AllRuns, Configuration::Spin];

    /// Whether a check is run this way.
    #[must_use]
    pub fn applies(self, check: &Check) -> bool {
        match self {
            Self::Native => true,
            Self::AllRuns => !check.settings.contains_key("fair"),
            Self::Spin => check.has_mark("spin"),
        }
    }

    /// The options of the workbench.
    #[must_use]
    pub fn options(self, fairness: Option<Fairness>) -> CheckOptions {
        match self {
            Self::Native => CheckOptions { fairness, ..CheckOptions::default() },
            Self::AllRuns => CheckOptions { fairness: Some(Fairness::None), ..CheckOptions::default() },
            Self::Spin => CheckOptions {
                fairness,
                cross_check: Some(Engine::Spin),
                scratch: std::env::temp_dir(),
                ..CheckOptions::default()
            },
        }
    }
}
