//! Spin as the engine, or as a second opinion.

use std::time::Instant;

use motet_evidence::{Coverage, Fairness, Outcome, Stop, Verdict};
use motet_external::{Search, Spin, Verifier, lead, possible};
use motet_model::PromelaClaim;
use motet_render::{ClaimReport, Opinion, Report};

use crate::checking::check::CheckOptions;
use crate::exporting::promela::{Asked, Sense, promela_claims};
use crate::loading::load::Ready;

/// Spin's answers, one per claim. A run comes back through the native model, so it can be replayed like any other.
///
/// # Errors
/// In words, when Spin cannot be asked at all.
pub(crate) fn ask_spin(
    ready: &Ready,
    options: &CheckOptions,
    fairness: Fairness,
) -> Result<Vec<Outcome>, String> {
    let asked = promela_claims(ready);
    let (verifier, search) = compile(ready, &asked, options, fairness)?;
    asked.iter().map(|asked| answer(asked, &verifier, &search, ready, fairness)).collect()
}

/// Asks Spin about every claim and compares. Disagreement is an error of one of the two, never hidden.
pub(crate) fn cross_check(ready: &Ready, options: &CheckOptions, fairness: Fairness, report: &mut Report) {
    let asked = promela_claims(ready);
    let compiled = compile(ready, &asked, options, fairness);
    let (verifier, search) = match compiled {
        Ok(compiled) => compiled,
        Err(message) => return report.engine_failures.push(message),
    };
    for (asked, claim) in asked.iter().zip(&mut report.claims) {
        let start = Instant::now();
        let verdict = match answer(asked, &verifier, &search, ready, fairness) {
            Ok(outcome) => outcome.verdict,
            Err(message) => {
                report.engine_failures.push(format!("{}: {message}", claim.name));
                continue;
            }
        };
        claim.second = Some(Opinion {
            engine: "spin".to_string(),
            verdict,
            seconds: start.elapsed().as_secs_f64(),
            known_fault: None,
        });
        report.engine_failures.extend(disagreement(claim));
    }
}

/// What to say where a second opinion differs.
pub(crate) fn disagreement(claim: &ClaimReport) -> Option<String> {
    let second = claim.second.as_ref().filter(|_| claim.disputed())?;
    let says = if second.verdict == Verdict::Holds { "holds" } else { "fails" };
    let (name, native, engine) = (&claim.name, claim.verdict(), &second.engine);
    Some(format!(
        "{name}: native says {native}, {engine} says {says}; one of them is wrong, please report it"
    ))
}

fn compile(
    ready: &Ready,
    asked: &[Asked],
    options: &CheckOptions,
    fairness: Fairness,
) -> Result<(Verifier, Search), String> {
    if fairness == Fairness::Strong {
        return Err("Spin knows no strong fairness; ask it with `--fair weak`, or leave it out".to_string());
    }
    if let (Fairness::Weak, Some(reason)) = (fairness, ready.system.export.promela_unfair()) {
        return Err(reason);
    }
    let claims: Vec<PromelaClaim> = asked.iter().filter_map(|asked| asked.claim.clone().ok()).collect();
    let text =
        ready.system.export.promela(&claims, &options.settings).map_err(|problem| problem.message.clone())?;
    let spin = Spin::find().map_err(|error| error.to_string())?;
    let mut search =
        Search { fairness, processes: ready.system.model.signature().processes.len(), ..Search::default() };
    if let Some(memory) = options.settings.limits.memory {
        search.memory_mib = (memory >> 20).max(64);
    }
    if let Some(time) = options.settings.limits.time {
        search.time = time;
    }
    let verifier = spin.compile(&text, &search, &options.scratch).map_err(|error| error.to_string())?;
    Ok((verifier, search))
}

fn answer(
    asked: &Asked,
    verifier: &Verifier,
    search: &Search,
    ready: &Ready,
    fairness: Fairness,
) -> Result<Outcome, String> {
    let claim = match &asked.claim {
        Ok(claim) => claim,
        Err(reason) => {
            return Ok(outcome(Verdict::Unknown(Stop::Engine(reason.clone())), Coverage::default()));
        }
    };
    let found = verifier.check(&claim.name, search).map_err(|error| error.to_string())?;
    let coverage = Coverage {
        states: found.states,
        transitions: found.transitions,
        complete: found.verdict == Verdict::Holds,
        seconds: found.seconds,
        ..Coverage::default()
    };
    let violated = found.verdict == Verdict::Fails;
    let verdict = match asked.sense {
        Sense::Disproves => found.verdict,
        Sense::Proves => possible(found.verdict),
    };
    let mut outcome = outcome(verdict, coverage);
    if violated {
        let trail = verifier.trail(search).map_err(|error| error.to_string())?;
        let evidence = lead(&ready.system, &trail, fairness)
            .map_err(|astray| format!("spin's run for {} cannot be followed: {astray}", claim.name))?;
        outcome.evidence = Some(evidence);
    }
    Ok(outcome)
}

pub(crate) fn outcome(verdict: Verdict, coverage: Coverage) -> Outcome {
    Outcome { coverage, ..Outcome::of(verdict) }
}
