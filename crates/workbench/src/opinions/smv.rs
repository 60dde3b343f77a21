//! NuSMV as the engine, or as a second opinion, on the state space.

use std::time::{Duration, Instant};

use motet_evidence::{Coverage, Fairness, Outcome, Stop, Verdict};
use motet_external::Nusmv;
use motet_property::SmvSpec;
use motet_render::{Opinion, Report, SmvRuns, smv, smv_name};

use crate::checking::check::CheckOptions;
use crate::exporting::explicit::explore;
use crate::exporting::promela::Sense;
use crate::exporting::states::smv_specs;
use crate::loading::load::Ready;
use crate::opinions::spin::{disagreement, outcome};

/// States that NuSMV is asked about: one number per state is no good order of variables for it.
const MOST_STATES: u64 = 5_000;

/// NuSMV's answers, one per claim, without runs.
///
/// # Errors
/// In words, when it cannot be asked at all.
pub(crate) fn ask_nusmv(
    ready: &Ready,
    options: &CheckOptions,
    fairness: Fairness,
) -> Result<Vec<Outcome>, String> {
    let runs = match fairness {
        Fairness::None => SmvRuns::All,
        Fairness::Weak => SmvRuns::WeaklyFair,
        Fairness::Strong => {
            return Err(
                "NuSMV is asked without strong fairness; use `--fair weak`, or leave it out".to_owned()
            );
        }
    };
    let laid_out = explore(ready, "motet", &options.settings.limits.up_to(MOST_STATES))
        .map_err(|obstacle| obstacle.to_string())?;
    let model = &laid_out.model;
    let posed = smv_specs(ready, &|atom| smv_name(&model.labels[atom.index()]));
    let asked: Vec<(String, SmvSpec)> = posed.iter().filter_map(|posed| posed.spec.clone().ok()).collect();
    let specs: Vec<SmvSpec> = asked.iter().map(|(_, spec)| spec.clone()).collect();
    let nusmv = Nusmv::find().map_err(|error| error.to_string())?;
    let time = options.settings.limits.time.unwrap_or(Duration::from_secs(3_600));
    let text = smv(model, runs, &asked);
    let mut answers =
        nusmv.ask(&text, &specs, time, &options.scratch).map_err(|error| error.to_string())?.into_iter();
    let coverage = Coverage { states: model.n_states() as u64, complete: true, ..Coverage::default() };
    let verdicts = posed.into_iter().map(|posed| match posed.spec {
        Err(reason) => Verdict::Unknown(Stop::Engine(reason)),
        Ok(_) => match (answers.next().flatten(), posed.sense) {
            (None, _) => Verdict::Unknown(Stop::Engine("NuSMV gave no answer".to_owned())),
            (Some(true), Sense::Disproves) | (Some(false), Sense::Proves) => Verdict::Holds,
            (Some(_), _) => Verdict::Fails,
        },
    });
    Ok(verdicts.map(|verdict| outcome(verdict, coverage.clone())).collect())
}

/// Asks NuSMV about every claim and compares. Disagreement is an error of one of the two, never hidden.
pub(crate) fn cross_check_nusmv(
    ready: &Ready,
    options: &CheckOptions,
    fairness: Fairness,
    report: &mut Report,
) {
    let start = Instant::now();
    let answers = match ask_nusmv(ready, options, fairness) {
        Ok(answers) => answers,
        Err(message) => return report.engine_failures.push(message),
    };
    let seconds = start.elapsed().as_secs_f64();
    for (answer, claim) in answers.into_iter().zip(&mut report.claims) {
        claim.second =
            Some(Opinion { engine: "nusmv".to_owned(), verdict: answer.verdict, seconds, known_fault: None });
        report.engine_failures.extend(disagreement(claim));
    }
}
