//! All claims about a model, answered from one exploration.

mod hashed;
mod numbers;
mod reduce;

use std::collections::BTreeMap;

use motet_evidence::{Coverage, Evidence, Outcome, Run, Stop, Vacuity, Verdict};
use motet_model::{ActionId, AtomId, Fault, Model, TimeUnit};
use motet_property::{Claim, Formula, Interval, Kind, Path, Quantifier};

use self::reduce::Reducible;
pub use self::reduce::possible_reductions;
use crate::branching::{Columns, Derived, Domain, Gardener, Rewriter, is_state_formula};
use crate::chain::{Chained, Links};
use crate::chance::matrix::Matrix;
use crate::chance::{is_about_chance, rewards_of};
use crate::explore::{Edges, Plan, explore};
use crate::graph::{End, Graph, NONE, Rows};
use crate::late::with_late_answer;
use crate::limits::{Meter, Phase, Progress, is_limit};
use crate::linear::{Sign, Unsupported};
use crate::margin::{Gauge, Worst, gauges, is_timed, worst};
use crate::quest::{Found, Quest, Wanted};
use crate::reduction::{Applied, Reducing, Reduction};
use crate::save::Saving;
use crate::settings::{Examine, Extent, Proof, Reduce, Settings, StoreKind};
use crate::unrolled::Patience;
use crate::vacuity::{idle_parts, triggers};
use crate::wait::{Assumed, Wait};

/// The answers, and what else the exploration saw.
#[derive(Debug)]
pub struct Report {
    /// One per claim, in order. The outcome of an `assume` says whether some run satisfies all assumptions together.
    pub outcomes: Vec<Outcome>,
    /// How much was searched in all.
    pub coverage: Coverage,
    /// Why the exploration ended early, if it did. A fault of the model is told apart.
    pub stop: Option<Stop>,
    /// The actions that were taken, in order of their numbers.
    pub actions: Vec<ActionId>,
    /// The first place where the model could not say what comes next, and the run there.
    pub fault: Option<(Fault, Run)>,
    /// What came of the reductions that were asked for.
    pub reductions: Vec<Reduction>,
    graph: Graph,
    /// How states were run through, if they were.
    links: Option<Links>,
}

impl Report {
    /// The shortest run whose last step has this action, if some step has.
    pub fn run_to_action<M: Model + ?Sized>(&self, model: &M, action: ActionId) -> Option<Run> {
        match &self.links {
            None => self.graph.run_to_action(model, action),
            Some(links) => Chained::new(model, links.clone()).run_to_action(&self.graph, action),
        }
    }

    /// Atoms of the claims that have one value in all states, and that value; empty unless every state was seen.
    #[must_use]
    pub fn constant_atoms(&self) -> Vec<(AtomId, bool)> {
        if !self.coverage.complete {
            return Vec::new();
        }
        let n_states = self.graph.n_states();
        let columns = self.graph.atoms.iter().zip(&self.graph.columns);
        columns
            .filter_map(|(&atom, column)| match column.ones().count() {
                0 => Some((atom, false)),
                n if n == n_states => Some((atom, true)),
                _ => None,
            })
            .collect()
    }
}

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
    // A reduced search chooses by numbers of this process, so that no other one could go on with it.
    let plain = settings.partial_order == Reduce::No && settings.chains == Reduce::No;
    let mut meter = Meter::new(&settings.limits, watch)
        .with_threads(settings.threads)
        .keeping(settings.keeping.as_ref().filter(|_| plain));
    let mut desk = Desk::new(model, claims, settings);
    let tasks: Vec<Task<'_>> = claims.iter().map(|claim| desk.task(claim, settings.vacuity)).collect();
    if settings.store != StoreKind::Exact {
        return hashed::check(model, claims, &tasks, &desk, settings, &mut meter);
    }
    let reducible = Reducible::new(model, &tasks, &desk, settings);
    let chained = reducible.links(claims).map(|links| Chained::new(model, links));
    let model = chained.as_ref().map_or(model, |chained| chained as &dyn Model);
    let plan =
        Plan { partial_order: reducible.partial_order(), ..plan(model, claims, &tasks, &desk, settings) };
    let mut graph = explore(model, plan, &mut meter);
    let n_atoms = graph.atoms.len();
    // What was read of a checkpoint before it turned out to be damaged says nothing.
    let refused = meter.saving.as_ref().and_then(Saving::refused);
    if refused.is_some() {
        graph.actions.clear();
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
        satisfiable: None,
        matrix: None,
    };
    let mut early = match refused {
        Some(_) => BTreeMap::new(),
        None => checker.answer_together(&tasks, &mut meter),
    };
    let mut outcomes = Vec::new();
    for (number, task) in tasks.iter().enumerate() {
        meter.enter(Phase::Claim(number));
        let start = meter.elapsed();
        let (mut outcome, seconds) = match (&refused, early.remove(&number)) {
            (Some(stop), _) => (unanswered(stop), 0.0),
            (None, Some(outcome)) => {
                let seconds = outcome.coverage.seconds;
                (outcome, seconds)
            }
            (None, None) => {
                let outcome = checker.answer(task, &tasks, &mut meter);
                (outcome, (meter.elapsed() - start).as_secs_f64())
            }
        };
        outcome.coverage = Coverage { seconds, peak_bytes: meter.peak(), ..coverage };
        outcomes.push(outcome);
    }
    let coverage = Coverage { seconds: meter.elapsed().as_secs_f64(), peak_bytes: meter.peak(), ..coverage };
    let taken = graph.actions.iter().enumerate().filter(|(_, first)| first.0 != NONE);
    let number = |action: usize| ActionId(u32::try_from(action).expect("actions are numbered with 32 bits"));
    let mut actions: Vec<ActionId> = taken.map(|(action, _)| number(action)).collect();
    let unfinished = |outcome: &Outcome| matches!(&outcome.verdict, Verdict::Unknown(stop) if is_limit(stop));
    if outcomes.iter().any(unfinished)
        && let Some(saving) = &mut meter.saving
    {
        saving.save_all(model, &graph, &graph.store);
    }
    let mut reductions = reducible.reductions();
    let mut fault = fault;
    if let Some(chained) = &chained {
        chained.unfold_all(&mut outcomes, &mut fault);
        chained.add_actions(&mut actions);
    }
    for reduction in &mut reductions {
        if let Applied::Saved(saved) = &mut reduction.applied {
            *saved = match reduction.kind {
                Reducing::PartialOrder => graph.partly,
                Reducing::Chains => chained.as_ref().map_or(0, Chained::saved),
            };
        }
    }
    graph.rows = None;
    graph.atoms.truncate(n_atoms);
    graph.columns.truncate(n_atoms);
    let stop = match &graph.end {
        End::Stopped(stop) => Some(stop.clone()),
        End::Complete | End::Decided => None,
    };
    let links = chained.map(Chained::into_links);
    Report { outcomes, coverage, stop, actions, fault, reductions, graph, links }
}

fn unanswered(stop: &Stop) -> Outcome {
    Outcome {
        verdict: Verdict::Unknown(stop.clone()),
        evidence: None,
        vacuity: Vacuity::Unchecked,
        coverage: Coverage::default(),
        starved: Vec::new(),
        margin: None,
        quantity: None,
    }
}

fn coverage(graph: &Graph, meter: &Meter<'_>) -> Coverage {
    Coverage {
        states: graph.n_states() as u64,
        transitions: graph.transitions,
        complete: graph.is_complete(),
        depth: graph.depth,
        seconds: meter.elapsed().as_secs_f64(),
        peak_bytes: meter.peak(),
        choices: graph.choices,
        open: graph.open,
    }
}

/// A claim, and what has to be found to answer it.
struct Task<'a> {
    claim: &'a Claim<AtomId>,
    /// The claim in linear time, over derived atoms.
    path: Path<AtomId>,
    quest: Result<Quest, Unsupported>,
    /// Whether finding it proves the claim.
    found: Verdict,
    /// Whether it has to be found from each initial state on its own.
    scope: Scope,
    /// Left sides of implications, and the quests for them.
    triggers: Vec<(Path<AtomId>, Result<Quest, Unsupported>)>,
    /// What the claim measures.
    gauges: Vec<Gauge>,
}

impl Task<'_> {
    fn assumes(&self) -> bool {
        self.claim.kind == Kind::Assume
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    AnyStart,
    EachStart,
}

/// What all tasks of a check have in common.
struct Desk {
    derived: Derived,
    /// Why the assumptions cannot be understood, if they cannot.
    problem: Option<Unsupported>,
    unit: TimeUnit,
    n_starts: usize,
}

impl Desk {
    fn new(model: &dyn Model, claims: &[Claim<AtomId>], settings: &Settings) -> Self {
        let mut starts = Vec::new();
        model.initial(&mut starts);
        let mut derived = Derived::new(model, settings.fairness, settings.proof);
        let assumed = claims.iter().filter(|claim| claim.kind == Kind::Assume);
        let mut problem = None;
        for claim in assumed {
            match Rewriter::new(&mut derived, Domain::AllRuns).assumption(&claim.formula) {
                Ok(assumption) => derived.assume(assumption),
                Err(name) => problem = Some(name),
            }
        }
        Self { derived, problem, unit: model.signature().unit, n_starts: starts.len() }
    }

    /// A claim in linear time over derived atoms: what a run of that kind shows about it.
    fn linear(&mut self, path: &Path<AtomId>, wanted: Wanted) -> Result<Path<AtomId>, Unsupported> {
        if let Some(problem) = &self.problem {
            return Err(problem.clone());
        }
        if is_about_chance(path) {
            return Err("probabilities (`P`)".to_owned());
        }
        let rewriter = Rewriter::new(&mut self.derived, Domain::Counting);
        match wanted {
            Wanted::Breaks => rewriter.universal(path, Sign::Plain),
            Wanted::Satisfies => Ok(Path::Not(Box::new(rewriter.universal(path, Sign::Negated)?))),
        }
    }

    fn quest(&self, path: &Path<AtomId>, wanted: Wanted) -> Result<Quest, Unsupported> {
        Quest::new(&self.derived.assumptions(), path, wanted, self.unit)
    }

    /// A claim that is an automaton: a run is looked for that it accepts, or that it does not.
    fn automaton(&self, claim: &Claim<AtomId>) -> Option<(Result<Quest, Unsupported>, Verdict)> {
        let found = if claim.kind == Kind::Property { Verdict::Fails } else { Verdict::Holds };
        let wanted = if claim.kind == Kind::Property { Wanted::Breaks } else { Wanted::Satisfies };
        let quest = Quest::of_automaton(&claim.formula, wanted)?;
        let assumed = self.derived.assumptions().is_empty() && claim.kind != Kind::Assume;
        let quest = if assumed { quest } else { Err("an automaton beside `assume`".to_owned()) };
        Some((quest, found))
    }

    fn task<'c>(&mut self, claim: &'c Claim<AtomId>, vacuity: Examine) -> Task<'c> {
        if let Some((quest, found)) = self.automaton(claim) {
            let (path, scope) = (Path::Now(Formula::True), Scope::AnyStart);
            return Task { claim, path, quest, found, scope, triggers: Vec::new(), gauges: Vec::new() };
        }
        let (path, wanted, scope) = match (claim.kind, &claim.formula) {
            (Kind::Property, path @ Path::Now(Formula::Runs(Quantifier::Some, _))) => {
                let scope = if self.n_starts == 1 { Scope::AnyStart } else { Scope::EachStart };
                (self.linear(path, Wanted::Satisfies), Wanted::Satisfies, scope)
            }
            (Kind::Property, path) => (self.linear(path, Wanted::Breaks), Wanted::Breaks, Scope::AnyStart),
            (Kind::Possible, path) => {
                (self.linear(&reached(path), Wanted::Satisfies), Wanted::Satisfies, Scope::AnyStart)
            }
            (Kind::Assume, path) => {
                let rewriter = Rewriter::new(&mut self.derived, Domain::AllRuns);
                (rewriter.assumption(path), Wanted::Satisfies, Scope::AnyStart)
            }
            (Kind::Query, _) => {
                (Err("queries for numbers (`=?`)".to_owned()), Wanted::Satisfies, Scope::AnyStart)
            }
        };
        let quest = path.as_ref().map_err(Unsupported::clone).and_then(|path| match scope {
            Scope::AnyStart => self.quest(path, wanted),
            Scope::EachStart => Quest::over_runs(&self.derived.assumptions(), path, wanted, self.unit),
        });
        let path = path.unwrap_or(Path::Now(Formula::True));
        let found = if wanted == Wanted::Breaks { Verdict::Fails } else { Verdict::Holds };
        let examined = vacuity != Examine::No && claim.kind == Kind::Property && found == Verdict::Fails;
        let triggers = if examined { triggers(&path) } else { Vec::new() };
        let triggers = triggers.into_iter().map(|trigger| {
            let quest = self.quest(&trigger.happens, Wanted::Satisfies);
            (self.derived.restore(&trigger.formula), quest)
        });
        let triggers = triggers.collect();
        // Assumptions may leave out the worst run.
        let measured = claim.kind == Kind::Property && self.derived.assumptions().is_empty() && quest.is_ok();
        let gauges = if measured { gauges(&path, self.unit) } else { None };
        let gauges = gauges.filter(|gauges| is_timed(gauges, self.unit)).unwrap_or_default();
        Task { claim, path, quest, found, scope, triggers, gauges }
    }
}

/// What `possible` means: a state formula is to be reached, a path formula to be satisfied from the start.
fn reached(path: &Path<AtomId>) -> Path<AtomId> {
    if is_state_formula(path) {
        return Path::Eventually(Interval::default(), Box::new(path.clone()));
    }
    path.clone()
}

fn plan(
    model: &dyn Model,
    claims: &[Claim<AtomId>],
    tasks: &[Task<'_>],
    desk: &Desk,
    settings: &Settings,
) -> Plan {
    let quests = || tasks.iter().filter_map(|task| task.quest.as_ref().ok());
    let examined =
        || tasks.iter().flat_map(|task| &task.triggers).filter_map(|(_, quest)| quest.as_ref().ok());
    // A stronger claim may speak of runs where a constant of the author's made that needless.
    let in_full =
        settings.vacuity == Examine::InFull && quests().any(|quest| !matches!(quest, Quest::Goal(_)));
    let needs_delays = in_full
        || claims.iter().any(|claim| Wait::of(&claim.formula).is_some())
        || quests().chain(examined()).any(Quest::needs_delays)
        || desk.derived.needs_delays()
        || tasks.iter().any(|task| !task.gauges.is_empty());
    let needs_edges = needs_delays
        || desk.derived.needs_edges()
        || quests().chain(examined()).any(Quest::needs_edges)
        || tasks.iter().any(|task| task.scope == Scope::EachStart);
    let needs_chances = claims.iter().any(|claim| is_about_chance(&claim.formula));
    let needs_all = needs_edges || needs_chances || !desk.derived.entries().is_empty();
    let early = settings.extent == Extent::UntilDecided && !needs_all;
    let goal = |quest: &Quest| match quest {
        Quest::Goal(goal) => Some(goal.clone()),
        _ => None,
    };
    Plan {
        atoms: atoms_of(claims),
        edges: match (needs_chances, needs_delays, needs_edges) {
            (true, ..) => Edges::KeepChances,
            (false, true, _) => Edges::KeepDelays,
            (false, false, true) => Edges::Keep,
            (false, false, false) => Edges::Drop,
        },
        rewards: rewards_of(model, claims),
        order: settings.order,
        threads: settings.threads,
        goals: if early { quests().filter_map(goal).collect() } else { Vec::new() },
        partial_order: Reduce::No,
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
    satisfiable: Option<bool>,
    /// The process for claims about chance, once somebody asked.
    matrix: Option<Matrix>,
}

impl Checker<'_> {
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
        let mut outcome = Outcome {
            verdict: Verdict::Holds,
            evidence: None,
            vacuity: Vacuity::Unchecked,
            coverage: Coverage::default(),
            starved: Vec::new(),
            margin: None,
            quantity: None,
        };
        let quest = match &task.quest {
            Ok(quest) => quest,
            Err(name) => {
                outcome.verdict = Verdict::Unknown(Stop::Unsupported(name.clone()));
                return outcome;
            }
        };
        if let Err(stop) = self.derive(&task.path, meter) {
            self.give_up(stop, &mut outcome);
            return outcome;
        }
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
    fn antecedents(&mut self, task: &Task<'_>, tasks: &[Task<'_>], meter: &mut Meter<'_>) -> Vacuity {
        let assumption = tasks.iter().find(|task| task.claim.kind == Kind::Assume);
        if let Some(Task { claim, quest: Ok(quest), .. }) = assumption {
            let known =
                self.satisfiable.or_else(|| quest.exists(self.graph, self.settings.fairness, meter).ok());
            self.satisfiable = known;
            if known == Some(false) {
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
