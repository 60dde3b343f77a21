//! What a check did to look at fewer states, for reports.

use motet_engine::{Applied, Reducing, Reduction, Report};
use motet_render::{ReductionReport, ReductionResult, share};

use crate::loading::load::Ready;

/// What came of each reduction that was asked for.
pub(crate) fn reductions(ready: &Ready, answer: &Report) -> Vec<ReductionReport> {
    answer.reductions.iter().map(|reduction| told(ready, answer, reduction)).collect()
}

fn told(ready: &Ready, answer: &Report, reduction: &Reduction) -> ReductionReport {
    let name = match reduction.kind {
        Reducing::PartialOrder => "partial order",
        Reducing::Chains => "chains",
    };
    let result = match &reduction.applied {
        Applied::Saved(saved) => {
            let words = match reduction.kind {
                Reducing::PartialOrder => {
                    format!(
                        "{} states looked at a part of their steps only",
                        share(*saved, answer.coverage.states)
                    )
                }
                // How often depends on which thread came first.
                Reducing::Chains if *saved > 0 => {
                    "states with nothing to choose were run through and not kept".to_owned()
                }
                Reducing::Chains => "every state has something to choose, or a claim sees it".to_owned(),
            };
            ReductionResult::Used(words, *saved)
        }
        Applied::Claims(claims) => {
            let claim = |hindrance: &motet_engine::Hindrance| {
                (ready.claims[hindrance.claim].name.clone(), hindrance.why.to_owned())
            };
            ReductionResult::Claims(claims.iter().map(claim).collect())
        }
        Applied::Model => ReductionResult::Model(
            "in this language nothing is known of steps that do not mind each other".to_owned(),
        ),
    };
    ReductionReport { name, result }
}
