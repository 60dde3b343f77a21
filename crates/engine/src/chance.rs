//! Probabilities, expected rewards and long-run averages of Markov chains and decision processes.
//!
//! An explored graph becomes a [`matrix::Matrix`]: per state its choices, per choice its outcomes. Which states reach a goal
//! surely or never is read off the graph (`certain`); only what is left is solved, strongly connected part by part, between
//! bounds that close in on the value from both sides.

mod block;
mod certain;
mod components;
mod eliminate;
mod exact;
mod iterate;
mod long_run;
pub(crate) mod matrix;
mod policy;
mod product;
mod reach;
mod rewards;
mod solve;
mod strategy;
mod values;

use motet_evidence::{Coverage, Outcome, Stop, Vacuity, Verdict};
use motet_model::{AtomId, Model, RewardId};
use motet_property::{Claim, Feature, Path, features};

use crate::graph::Graph;
use crate::limits::Meter;
use crate::settings::Settings;

/// Whether a claim speaks of probabilities, rewards or the long run anywhere.
pub(crate) fn is_about_chance(formula: &Path<AtomId>) -> bool {
    let about = [Feature::Chance, Feature::LongRun, Feature::Reward, Feature::Filter];
    features(formula).iter().any(|feature| about.contains(feature))
}

/// The rewards that these claims ask for.
pub(crate) fn rewards_of(model: &dyn Model, claims: &[Claim<AtomId>]) -> Vec<RewardId> {
    let _ = (model, claims);
    Vec::new()
}

/// Answers a claim about chance from the explored graph.
pub(crate) fn answer(
    model: &dyn Model,
    graph: &Graph,
    claim: &Claim<AtomId>,
    settings: &Settings,
    meter: &mut Meter<'_>,
) -> Outcome {
    let _ = (model, graph, claim, settings, meter);
    Outcome {
        verdict: Verdict::Unknown(Stop::Unsupported("the operator P (probability)".to_owned())),
        evidence: None,
        vacuity: Vacuity::Unchecked,
        coverage: Coverage::default(),
        starved: Vec::new(),
        margin: None,
        quantity: None,
    }
}
