//! All claims about a model, answered from one exploration.

mod choices;
mod desk;
mod hashed;
mod numbers;
mod reduce;
mod report;
mod runs;

use std::sync::OnceLock;

use motet_evidence::{Coverage, Evidence, Outcome, Over, Run, Stop, Vacuity, Verdict};
use motet_model::{AtomId, Fault, Model};
use motet_property::{Claim, Kind, Path};

use self::desk::{Desk, Scope, Task, plan};
use self::reduce::Reducible;
pub use self::reduce::possible_reductions;
pub use self::report::Report;
use self::report::unanswered;
use crate::branching_time::branching::{Columns, Domain, Gardener};
use crate::chance::is_about_chance;
use crate::chance::matrix::Matrix;
use crate::checking::quest::{Found, Quest, Wanted};
use crate::checking::settings::{Examine, Proof, Reduce, Settings, StoreKind};
use crate::checking::vacuity::idle_parts;
use crate::exploration::explore::{Plan, explore};
use crate::exploration::graph::{Graph, Rows};
use crate::exploration::limits::{Meter, Phase, Progress, is_limit};
use crate::exploration::save::Saving;
use crate::metric_time::late::with_late_answer;
use crate::metric_time::margin::{Worst, worst};
use crate::metric_time::unrolled::Patience;
use crate::metric_time::wait::{Assumed, Wait};
use crate::reductions::chain::Chained;

/// Answers one claim.
pub fn check(model: &dyn Model, claim: &Claim<AtomId>, settings: &Settings) -> Outcome {
    let mut report = check_all(model, std::slice::from_ref(claim), settings, &mut |_| {});
    report.outcomes.pop().expect("one claim has one outcome")
}

/// Answers all claims from one exploration. Claims of kind `assume` restrict the runs that count for all others. `watch`
/// is told about ten times a second how far the search is.
pub fn check_all(
    model: &dyn Model,
    claims: &[Claim<AtomId>],
    settings: &Settings,
    watch: &mut dyn FnMut(Progress),
) -> Report {
    let Some(spill) = &settings.spill else { return search(model, claims, settings, watch) };
    let told = spill.guard(|| search(model, claims, settings, watch));
    told.unwrap_or_else(|stop| Report::nothing(claims.len(), &stop))
}

/// The one exploration, and the answers.
fn search(
    model: &dyn Model,
    claims: &[Claim<AtomId>],
    settings: &Settings,
    watch: &mut dyn FnMut(Progress),
) -> Report {
    // A reduced search chooses by numbers of this process, so that no other one could go on with it.
    let plain = settings.partial_order == Reduce::No && settings.chains == Reduce::No;
    let mut meter = Meter::new(&settings.limits, watch)
        .with_threads(settings.threads)
        .spilling(settings.spill.as_ref())
        .keeping(settings.keeping.as_ref().filter(|_| plain));
    let mut desk = Desk::new(model, claims, settings);
    let tasks: Vec<Task<'_>> = claims.iter().map(|claim| desk.task(claim, settings.vacuity)).collect();
    if settings.store != StoreKind::Exact {
        return hashed::check(model, claims, &tasks, &desk, settings, &mut meter);
    }
    let reducible = Reducible::new(model, &tasks, &desk, settings);
    let chained = reducible.links(claims).map(|links| Chained::new(model, links));
    let model = chained.as_ref().map_or(model, |chained| chained as &dyn Model);
    let partial_order = reducible.proviso();
    let plan =
        Plan { partial_order, chains: chained.as_ref(), ..plan(model, claims, &tasks, &desk, settings) };
    let mut graph = explore(model, plan, &mut meter);
    let n_atoms = graph.atoms.len();
    // What was read of a checkpoint before it turned out to be damaged says nothing.
    let refused = meter.saving.as_ref().and_then(Saving::refused);
    if refused.is_some() {
        graph.actions.clear();
        graph.fault = None;
    }
    let coverage = coverage(&graph, &meter);
    let fault = graph.fault.as_ref().map(|(state, fault)| (fault.clone(), graph.run_to(model, *state)));
    let mut checker = Checker {
        model,
        graph: &mut graph,
        settings,
        desk: &mut desk,
        columns: Columns::default(),
        fault: &fault,
        satisfiable: OnceLock::new(),
        matrix: None,
    };
    let mut outcomes = match &refused {
        Some(stop) => tasks.iter().map(|_| unanswered(stop)).collect(),
        None => checker.answer_all(&tasks, &mut meter),
    };
    let over = checker.over();
    choices::reconsider(claims, &mut outcomes, settings);
    for outcome in &mut outcomes {
        let Coverage { seconds, peak_bytes, .. } = outcome.coverage;
        outcome.coverage = Coverage { seconds, peak_bytes, ..coverage };
    }
    let coverage = Coverage { seconds: meter.elapsed().as_secs_f64(), peak_bytes: meter.peak(), ..coverage };
    let mut actions = graph.actions_taken();
    let unfinished = |outcome: &Outcome| matches!(&outcome.verdict, Verdict::Unknown(stop) if is_limit(stop));
    if outcomes.iter().any(unfinished)
        && let Some(saving) = &mut meter.saving
    {
        saving.save_all(model, &graph, &graph.store);
    }
    let run_through = chained.as_ref().map_or(0, Chained::saved);
    let reductions = reducible.reductions(graph.partly, run_through);
    let mut fault = fault;
    if let Some(chained) = &chained {
        chained.unfold_all(&mut outcomes, &mut fault);
        chained.add_actions(&mut actions);
    }
    graph.rows = None;
    graph.atoms.truncate(n_atoms);
    graph.columns.truncate(n_atoms);
    let stop = graph.end.stop();
    let links = chained.map(Chained::into_links);
    let spill = settings.spill.clone();
    Report { outcomes, coverage, stop, actions, fault, reductions, over, graph, links, spill }
}

fn coverage(graph: &Graph, meter: &Meter<'_>) -> Coverage {
    Coverage {
        states: graph.n_states() as u64,
        transitions: graph.transitions,
        complete: graph.is_complete(),
        depth: graph.depth,
        seconds: meter.elapsed().as_secs_f64(),
        explored_seconds: meter.elapsed().as_secs_f64(),
        peak_bytes: meter.peak(),
        choices: graph.choices,
        open: graph.open,
    }
}

struct Checker<'a> {
    model: &'a dyn Model,
    graph: &'a mut Graph,
    settings: &'a Settings,
    desk: &'a mut Desk,
    columns: Columns,
    fault: &'a Option<(Fault, Run)>,
    /// Whether some run satisfies all assumptions, once somebody asked.
    satisfiable: OnceLock<Option<bool>>,
    /// The process for claims about chance, once somebody asked.
    matrix: Option<Matrix>,
}

impl Checker<'_> {
    /// The answers to all claims, with the seconds and the memory of each.
    fn answer_all(&mut self, tasks: &[Task<'_>], meter: &mut Meter<'_>) -> Vec<Outcome> {
        let mut early = self.answer_together(tasks, meter);
        early.extend(self.answer_side_by_side(tasks, meter));
        let mut outcomes = Vec::new();
        for (number, task) in tasks.iter().enumerate() {
            meter.enter(Phase::Claim(number));
            let start = meter.elapsed();
            let mut outcome = early.remove(&number).unwrap_or_else(|| {
                let mut outcome = self.answer(task, tasks, meter);
                outcome.coverage.seconds = (meter.elapsed() - start).as_secs_f64();
                outcome
            });
            outcome.coverage.peak_bytes = meter.peak();
            outcomes.push(outcome);
        }
        outcomes
    }

    /// Which strategies the numbers are over, if there are any.
    fn over(&self) -> Option<Over> {
        Some(self.settings.over(self.matrix.as_ref()?.is_chain()))
    }

    fn answer(&mut self, task: &Task<'_>, tasks: &[Task<'_>], meter: &mut Meter<'_>) -> Outcome {
        let mut outcome = self.decided(task, tasks, meter);
        let is_property = task.claim.kind == Kind::Property && !is_about_chance(&task.claim.formula);
        if outcome.verdict == Verdict::Holds && is_property {
            outcome.vacuity = self.vacuity(task, tasks, meter);
        }
        outcome
    }

    /// The answer, without a look at whether it means something.
    fn decided(&mut self, task: &Task<'_>, tasks: &[Task<'_>], meter: &mut Meter<'_>) -> Outcome {
        if let Some(wait) = Wait::of(&task.claim.formula) {
            let assumed = if tasks.iter().any(Task::assumes) { Assumed::Something } else { Assumed::Nothing };
            return wait.outcome(self.model, &*self.graph, self.settings.fairness, assumed, meter);
        }
        if is_about_chance(&task.claim.formula) {
            return self.chance(task, tasks, meter);
        }
        let quest = match &task.quest {
            Ok(quest) => quest,
            Err(name) => return unanswered(&Stop::Unsupported(name.clone())),
        };
        if let Err(stop) = self.derive(&task.path, meter) {
            let mut outcome = unanswered(&stop);
            self.give_up(stop, &mut outcome);
            return outcome;
        }
        self.judged(task, quest, meter)
    }

    /// The answer to a claim about runs, once the states of all its derived atoms are known.
    fn judged(&self, task: &Task<'_>, quest: &Quest, meter: &mut Meter<'_>) -> Outcome {
        let mut outcome = Outcome::of(Verdict::Holds);
        let worst = match self.graph.obstacle() {
            None => worst(self.graph, &task.gauges, self.settings.fairness, meter),
            Some(_) => Ok(None),
        };
        match worst {
            Ok(Some(Worst { proves: true, margin, .. })) => outcome.margin = Some(margin),
            Ok(worst) => {
                outcome.margin = worst.map(|worst| worst.margin);
                // The worst case shows a run that breaks the claim, so that the search need not go far for a short one.
                let broken = worst.is_some_and(|worst| worst.breaks);
                let patience = if broken { Patience::Short } else { Patience::Endless };
                self.decide(task, quest, patience, &mut outcome, meter);
            }
            Err(stop) => outcome.verdict = Verdict::Unknown(stop),
        }
        outcome
    }

    fn decide(
        &self,
        task: &Task<'_>,
        quest: &Quest,
        patience: Patience,
        outcome: &mut Outcome,
        meter: &mut Meter<'_>,
    ) {
        let found = match task.scope {
            Scope::AnyStart => self.find_or_make(task, quest, patience, meter),
            Scope::EachStart => self.find_from_each(quest, meter),
        };
        match (found, self.graph.obstacle()) {
            (Ok(Found::Run(evidence)), _) => {
                outcome.verdict = task.found.clone();
                let evidence = self.with_branches(task, evidence, meter);
                let late = |evidence| with_late_answer(self.model, self.graph, &task.gauges, evidence);
                outcome.evidence = evidence.map(late);
            }
            (Ok(Found::Everywhere | Found::Tired), _) => outcome.verdict = task.found.clone(),
            (Ok(Found::Nothing { starved }), None) => {
                outcome.verdict = opposite(&task.found);
                outcome.starved = starved;
            }
            (Ok(Found::Nothing { .. }), Some(stop)) => self.give_up(stop, outcome),
            (Err(stop), _) => outcome.verdict = Verdict::Unknown(stop),
        }
    }

    /// An answer that needs every state: without, it is unknown, with the run to the fault that stands in the way.
    fn give_up(&self, stop: Stop, outcome: &mut Outcome) {
        outcome.verdict = Verdict::Unknown(stop);
        let run = self.fault.as_ref().map(|(_, run)| run.clone());
        outcome.evidence = run.map(Evidence::finite);
    }

    /// Finds the states where the derived atoms of a claim hold.
    fn derive(&mut self, path: &Path<AtomId>, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let derived = &self.desk.derived;
        let paths = derived.assumptions().into_iter().chain([path]);
        self.columns.prepare(self.model, self.graph, derived, paths, self.settings.fairness, meter)
    }

    /// A run with what shows the truth of the derived atoms that it rests on; `None` if that would be too much to read.
    fn with_branches(&self, task: &Task<'_>, evidence: Evidence, meter: &mut Meter<'_>) -> Option<Evidence> {
        let wanted = if task.found == Verdict::Fails { Wanted::Breaks } else { Wanted::Satisfies };
        let (derived, fairness) = (&self.desk.derived, self.settings.fairness);
        let mut gardener = Gardener::new(self.model, self.graph, derived, &self.columns, fairness, meter);
        gardener.grow(evidence, &task.path, wanted, Domain::Counting).ok()
    }

    fn find(&self, quest: &Quest, starts: &[u32], meter: &mut Meter<'_>) -> Result<Found, Stop> {
        quest.find(self.model, self.graph, starts, self.settings.fairness, Patience::Endless, meter)
    }

    /// Looks for a run from the start; where patience ends, one is made along the longest ways.
    fn find_or_make(
        &self,
        task: &Task<'_>,
        quest: &Quest,
        patience: Patience,
        meter: &mut Meter<'_>,
    ) -> Result<Found, Stop> {
        let (starts, fairness) = (&self.graph.initial, self.settings.fairness);
        if self.settings.proof == Proof::Omitted {
            let exists = quest.exists(self.graph, fairness, meter)?;
            return Ok(if exists { Found::Everywhere } else { Found::Nothing { starved: Vec::new() } });
        }
        let found = quest.find(self.model, self.graph, starts, fairness, patience, meter)?;
        if !matches!(found, Found::Tired) {
            return Ok(found);
        }
        for gauge in &task.gauges {
            if let Some((start, hops)) = gauge.witness(self.graph, fairness, meter)? {
                let run = self.graph.run(self.model, start, &hops);
                return Ok(Found::Run(Evidence::finite(run)));
            }
        }
        self.find(quest, starts, meter)
    }

    fn find_from_each(&self, quest: &Quest, meter: &mut Meter<'_>) -> Result<Found, Stop> {
        for &start in &self.graph.initial {
            let found = self.find(quest, &[start], meter)?;
            if matches!(found, Found::Nothing { .. }) {
                return Ok(found);
            }
        }
        Ok(Found::Everywhere)
    }

    fn vacuity(&mut self, task: &Task<'_>, tasks: &[Task<'_>], meter: &mut Meter<'_>) -> Vacuity {
        if self.settings.vacuity == Examine::No {
            return Vacuity::Unchecked;
        }
        let known = self.antecedents(task, tasks, meter);
        if self.settings.vacuity == Examine::Yes || matches!(known, Vacuity::NeverTriggered(_)) {
            return known;
        }
        idle_parts(&task.claim.formula, &mut |stronger| self.also_holds(task, stronger, tasks, meter))
    }

    /// Whether a stronger claim holds on the same graph as well; `None` if nobody can say.
    fn also_holds(
        &mut self,
        task: &Task<'_>,
        stronger: Path<AtomId>,
        tasks: &[Task<'_>],
        meter: &mut Meter<'_>,
    ) -> Option<bool> {
        let claim = Claim { formula: stronger, ..task.claim.clone() };
        let task = self.desk.task(&claim, Examine::No);
        let needs = |what: fn(&Quest) -> bool| task.quest.as_ref().is_ok_and(what);
        let rows = self.graph.rows.as_ref();
        let blind = rows.is_none() && needs(Quest::needs_edges);
        let timeless = !rows.is_some_and(Rows::has_delays);
        if blind || (timeless && (needs(Quest::needs_delays) || !task.gauges.is_empty())) {
            return None;
        }
        match self.decided(&task, tasks, meter).verdict {
            Verdict::Holds => Some(true),
            Verdict::Fails => Some(false),
            Verdict::Value { .. } | Verdict::Unknown(_) => None,
        }
    }

    /// Whether the left sides of implications ever happen.
    fn antecedents(&self, task: &Task<'_>, tasks: &[Task<'_>], meter: &mut Meter<'_>) -> Vacuity {
        let assumption = tasks.iter().find(|task| task.claim.kind == Kind::Assume);
        if let Some(Task { claim, quest: Ok(quest), .. }) = assumption {
            let exists = || quest.exists(self.graph, self.settings.fairness, meter).ok();
            if *self.satisfiable.get_or_init(exists) == Some(false) {
                return Vacuity::NeverTriggered(Box::new(claim.formula.clone()));
            }
        }
        if task.triggers.is_empty() {
            return Vacuity::NoTrigger;
        }
        for (formula, quest) in &task.triggers {
            let Ok(quest) = quest else { return Vacuity::Unchecked };
            match quest.exists(self.graph, self.settings.fairness, meter) {
                Ok(true) => {}
                Ok(false) => return Vacuity::NeverTriggered(Box::new(formula.clone())),
                Err(_) => return Vacuity::Unchecked,
            }
        }
        Vacuity::Triggered
    }
}

fn opposite(verdict: &Verdict) -> Verdict {
    if *verdict == Verdict::Holds { Verdict::Fails } else { Verdict::Holds }
}

/// All atoms of these claims, sorted.
pub(crate) fn atoms_of(claims: &[Claim<AtomId>]) -> Vec<AtomId> {
    let mut atoms = Vec::new();
    claims.iter().for_each(|claim| claim.formula.for_each_atom(&mut |atom| atoms.push(*atom)));
    atoms.sort_unstable();
    atoms.dedup();
    atoms
}
