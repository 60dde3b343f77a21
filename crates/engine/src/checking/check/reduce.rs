//! Which of the reductions that were asked for may be used: the claims must not be able to tell.

use motet_evidence::Fairness;
use motet_model::{AtomId, Model};
use motet_property::{Claim, Kind, Path};

use super::atoms_of;
use super::desk::{Desk, Task, reached};
use crate::chance::is_about_chance;
use crate::checking::quest::Quest;
use crate::checking::settings::{Examine, Reduce, Settings};
use crate::metric_time::wait::Wait;
use crate::reductions::ample::Proviso;
use crate::reductions::chain::Links;
use crate::reductions::reduction::{Applied, Hindrance, Reducing, Reduction};
use crate::reductions::stutter::{Scope, obstacle};

/// What came of each reduction that was asked for; how much it saved is not known yet.
pub(super) struct Reducible {
    partial_order: Option<Applied>,
    chains: Option<Applied>,
    proviso: Proviso,
}

impl Reducible {
    pub(super) fn new(model: &dyn Model, tasks: &[Task<'_>], desk: &Desk, settings: &Settings) -> Self {
        let asked = |reduce: Reduce, why: &dyn Fn(&Task<'_>) -> Option<&'static str>| {
            (reduce == Reduce::Yes).then(|| applied(tasks, why))
        };
        let linear = |task: &Task<'_>| task.sees_order(desk, settings.fairness);
        let partial_order = match asked(settings.partial_order, &linear) {
            Some(Applied::Saved(_)) if model.facets().independence.is_none() => Some(Applied::Model),
            applied => applied,
        };
        let chains = asked(settings.chains, &|task| task.sees_chains(desk, settings.fairness));
        let proviso = if tasks.iter().all(Task::asks_for_states) { Proviso::One } else { Proviso::Each };
        Self { partial_order, chains, proviso }
    }

    /// Whether orders of steps are left out.
    fn partial_order(&self) -> Reduce {
        used(self.partial_order.as_ref())
    }

    /// What makes sure that no step is left out for ever, where orders are.
    pub(super) fn proviso(&self) -> Option<Proviso> {
        (self.partial_order() == Reduce::Yes).then_some(self.proviso)
    }

    /// How states are run through, if they are.
    pub(super) fn links(&self, claims: &[Claim<AtomId>]) -> Option<Links> {
        let links = Links { visible: atoms_of(claims), partial_order: self.partial_order() };
        (used(self.chains.as_ref()) == Reduce::Yes).then_some(links)
    }

    /// What came of each, when so many states looked at a part of their steps and so many were run through.
    pub(super) fn reductions(&self, partly: u64, run_through: u64) -> Vec<Reduction> {
        let both = [
            (Reducing::PartialOrder, &self.partial_order, partly),
            (Reducing::Chains, &self.chains, run_through),
        ];
        let made = |(kind, applied, saved): (Reducing, &Option<Applied>, u64)| {
            let applied = match applied.clone()? {
                Applied::Saved(_) => Applied::Saved(saved),
                applied => applied,
            };
            Some(Reduction { kind, applied })
        };
        both.into_iter().filter_map(made).collect()
    }
}

/// What would come of every reduction there is, if it were asked for: [`Applied::Saved`] of those that may be used.
#[must_use]
pub fn possible_reductions(
    model: &dyn Model,
    claims: &[Claim<AtomId>],
    settings: &Settings,
) -> Vec<Reduction> {
    let settings = Settings { partial_order: Reduce::Yes, chains: Reduce::Yes, ..settings.clone() };
    let mut desk = Desk::new(model, claims, &settings);
    let tasks: Vec<Task<'_>> = claims.iter().map(|claim| desk.task(claim, Examine::No)).collect();
    Reducible::new(model, &tasks, &desk, &settings).reductions(0, 0)
}

fn used(applied: Option<&Applied>) -> Reduce {
    if matches!(applied, Some(Applied::Saved(_))) { Reduce::Yes } else { Reduce::No }
}

fn applied(tasks: &[Task<'_>], why: &dyn Fn(&Task<'_>) -> Option<&'static str>) -> Applied {
    let hindrance = |(claim, task)| Some(Hindrance { claim, why: why(task)? });
    let hindrances: Vec<Hindrance> = tasks.iter().enumerate().filter_map(hindrance).collect();
    if hindrances.is_empty() { Applied::Saved(0) } else { Applied::Claims(hindrances) }
}

const MEASURES: &str = "it measures time";
const FAIR: &str = "it counts fair runs only, and leaving out states changes who is treated fairly";

impl Task<'_> {
    /// Whether all it asks is which states there are.
    fn asks_for_states(&self) -> bool {
        let about_states = |quest: &Result<Quest, _>| !matches!(quest, Ok(Quest::Run(_) | Quest::Timed(_)));
        about_states(&self.quest) && self.triggers.iter().all(|(_, quest)| about_states(quest))
    }

    /// Why it could tell that orders of steps are left out.
    fn sees_order(&self, desk: &Desk, fairness: Fairness) -> Option<&'static str> {
        let formula = &self.claim.formula;
        if is_about_chance(formula) {
            return obstacle(formula, Scope::Runs).or(Some("it asks for a number"));
        }
        let mut derived = false;
        self.path.for_each_atom(&mut |atom| derived |= desk.derived.position(*atom).is_some());
        if derived {
            return obstacle(formula, Scope::Runs).or(Some("it speaks of other runs inside a formula"));
        }
        let automaton = || matches!(formula, Path::Accepted(_) | Path::Not(_)).then_some(formula);
        self.measures()
            .or_else(|| obstacle(&self.path, Scope::Runs))
            .or_else(|| automaton().and_then(|formula| obstacle(formula, Scope::Trees)))
            .or_else(|| self.needs_fair_runs(fairness))
    }

    /// Why it could tell that states are run through.
    fn sees_chains(&self, desk: &Desk, fairness: Fairness) -> Option<&'static str> {
        let formula = match self.claim.kind {
            Kind::Possible => &reached(&self.claim.formula),
            _ => &self.claim.formula,
        };
        let mut rich = is_about_chance(formula);
        self.path.for_each_atom(&mut |atom| rich |= desk.derived.position(*atom).is_some());
        let fair = || (rich && fairness != Fairness::None).then_some(FAIR);
        self.measures()
            .or_else(|| obstacle(formula, Scope::Trees))
            .or_else(fair)
            .or_else(|| self.needs_fair_runs(fairness))
    }

    fn measures(&self) -> Option<&'static str> {
        let timed = matches!(self.quest, Ok(Quest::Timed(_)));
        let waits = Wait::of(&self.claim.formula).is_some();
        (timed || waits || !self.gauges.is_empty()).then_some(MEASURES)
    }

    fn needs_fair_runs(&self, fairness: Fairness) -> Option<&'static str> {
        let looks_for_run = matches!(self.quest, Ok(Quest::Run(_)));
        (looks_for_run && fairness != Fairness::None).then_some(FAIR)
    }
}
