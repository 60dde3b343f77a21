//! The one list of ways in which every check of the specification and the corpus is run.

use std::sync::OnceLock;

use motet_engine::{Examine, Precision, Strategies};
use motet_evidence::Fairness;
use motet_external::storm;
use motet_workbench::{CheckOptions, Engine, Settings};

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
    /// Numbers are computed as fractions and must be what the page says; only where the page carries the mark `exact`.
    Exact,
    /// Storm is asked about the exported model and must say the same; only where the page carries the mark `storm`.
    Storm,
}

impl Configuration {
    /// All of them, in the order in which they are run.
    pub const ALL: [Configuration; 5] = [
        Configuration::Native,
        Configuration::AllRuns,
        Configuration::Spin,
        Configuration::Exact,
        Configuration::Storm,
    ];

    /// Whether a check is run this way.
    #[must_use]
    pub fn applies(self, check: &Check) -> bool {
        match self {
            Self::Native => true,
            // Fairness has no say in numbers, and solving them twice takes its time. It has one in what a claim does without.
            Self::AllRuns => {
                !check.settings.contains_key("fair") && !check.has_mark("storm") && !check.has_mark("slice")
            }
            Self::Spin => check.has_mark("spin"),
            // Both take their time, so they run with the large checks in optimised builds.
            Self::Exact => check.has_mark("exact") && !cfg!(debug_assertions),
            Self::Storm => check.has_mark("storm") && !cfg!(debug_assertions) && storm_is_there(),
        }
    }

    /// The options of the workbench.
    #[must_use]
    pub fn options(self, fairness: Option<Fairness>, check: &Check) -> CheckOptions {
        let strategies = match check.settings.get("fair").map(String::as_str) {
            Some("choices") => Strategies::FairToChoices,
            _ => Strategies::AsRuns,
        };
        let fairness =
            if strategies == Strategies::FairToChoices { Some(Fairness::Strong) } else { fairness };
        let options = self.engines(fairness, check);
        let settings = Settings { strategies, ..options.settings };
        CheckOptions { settings, ..options }
    }

    fn engines(self, fairness: Option<Fairness>, check: &Check) -> CheckOptions {
        let precision = if check.has_mark("exact") { Precision::Exact } else { Precision::default() };
        let exact = Settings { precision, ..Settings::default() };
        match self {
            Self::Native => {
                let vacuity = if check.has_mark("full") { Examine::InFull } else { Examine::Yes };
                CheckOptions { fairness, ..Settings { vacuity, ..Settings::default() }.into() }
            }
            Self::AllRuns => CheckOptions { fairness: Some(Fairness::None), ..CheckOptions::default() },
            Self::Spin => CheckOptions {
                fairness,
                cross_check: Some(Engine::Spin),
                scratch: std::env::temp_dir(),
                ..CheckOptions::default()
            },
            Self::Exact => CheckOptions { fairness, ..exact.into() },
            Self::Storm => CheckOptions {
                fairness,
                cross_check: Some(Engine::Storm),
                scratch: std::env::temp_dir(),
                ..exact.into()
            },
        }
    }
}

/// Without Storm its opinion is left out, unless `MOTET_REQUIRE_STORM` is set: then its absence is a failure.
fn storm_is_there() -> bool {
    static THERE: OnceLock<bool> = OnceLock::new();
    *THERE.get_or_init(|| storm::find().is_ok() || std::env::var_os("MOTET_REQUIRE_STORM").is_some())
}
