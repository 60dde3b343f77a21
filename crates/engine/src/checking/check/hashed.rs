//! Claims about single states, answered by a search that remembers hashes: violations are real, and nothing is proved.

use motet_evidence::{Coverage, Evidence, Outcome, Stop};
use motet_model::{AtomId, Model};
use motet_property::{Claim, Formula, Kind};

use super::{Desk, Quest, Report, Scope, Task, unanswered};
use crate::checking::settings::Settings;
use crate::exploration::graph::End;
use crate::exploration::hashed::{Hashed, search};
use crate::exploration::limits::Meter;

/// Answers claims as far as hashes can.
pub(super) fn check(
    model: &dyn Model,
    claims: &[Claim<AtomId>],
    tasks: &[Task<'_>],
    desk: &Desk,
    settings: &Settings,
    meter: &mut Meter<'_>,
) -> Report {
    let assumes = desk.problem.is_some() || claims.iter().any(|claim| claim.kind == Kind::Assume);
    let goals: Vec<Option<&Formula<AtomId>>> =
        tasks.iter().map(|task| goal(task, desk).filter(|_| !assumes)).collect();
    let wanted: Vec<&Formula<AtomId>> = goals.iter().flatten().copied().collect();
    let mut found = search(model, &wanted, settings.store, meter);
    let coverage = Coverage {
        states: found.states,
        transitions: found.transitions,
        complete: false,
        depth: found.depth,
        seconds: meter.elapsed().as_secs_f64(),
        explored_seconds: meter.elapsed().as_secs_f64(),
        peak_bytes: meter.peak(),
        choices: found.choices,
        open: 0,
    };
    let mut runs = std::mem::take(&mut found.runs).into_iter();
    let outcomes = tasks.iter().zip(&goals).map(|(task, goal)| {
        let run = goal.and_then(|_| runs.next().flatten());
        let outcome = match (goal, run) {
            (Some(_), Some(run)) => Outcome {
                verdict: task.found.clone(),
                evidence: Some(Evidence::finite(run)),
                ..unanswered(&Stop::Memory)
            },
            (Some(_), None) => unanswered(&stop(&found)),
            (None, _) => unanswered(&Stop::Unsupported(
                "claims about more than single states without whole states: leave out --store".to_owned(),
            )),
        };
        Outcome { coverage: coverage.clone(), ..outcome }
    });
    let outcomes = outcomes.collect();
    let stop = stop(&found);
    let mut report = Report { outcomes, coverage, ..Report::nothing(0, &stop) };
    report.graph.end = End::Stopped(stop);
    report
}

/// The state that answers a claim, if one does.
fn goal<'t>(task: &'t Task<'_>, desk: &Desk) -> Option<&'t Formula<AtomId>> {
    match &task.quest {
        Ok(Quest::Goal(goal)) if task.scope == Scope::AnyStart && desk.derived.entries().is_empty() => {
            Some(goal)
        }
        _ => None,
    }
}

/// Why a claim without a violation is unknown.
fn stop(found: &Hashed) -> Stop {
    found.stop.clone().unwrap_or_else(|| {
        let states = found.states;
        Stop::Hashed(format!("{states} states seen, chance of a missed state about {:.0e}", found.missed))
    })
}
