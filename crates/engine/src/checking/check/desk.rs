//! What has to be found for each claim, and what the search has to keep for that.

use motet_evidence::Verdict;
use motet_model::{AtomId, Model, TimeUnit};
use motet_property::{Claim, Formula, Interval, Kind, Path, Quantifier};

use super::atoms_of;
use crate::branching_time::branching::{Derived, Domain, Rewriter};
use crate::chance::{is_about_chance, rewards_of};
use crate::checking::quest::{Quest, Wanted};
use crate::checking::settings::{Examine, Extent, Settings};
use crate::checking::vacuity::triggers;
use crate::exploration::explore::{Edges, Plan};
use crate::linear_time::linear::{Sign, Unsupported};
use crate::metric_time::margin::{Gauge, gauges, is_timed};
use crate::metric_time::wait::Wait;

/// A claim, and what has to be found to answer it.
pub(super) struct Task<'a> {
    pub(super) claim: &'a Claim<AtomId>,
    /// The claim in linear time, over derived atoms.
    pub(super) path: Path<AtomId>,
    pub(super) quest: Result<Quest, Unsupported>,
    /// Whether finding it proves the claim.
    pub(super) found: Verdict,
    /// Whether it has to be found from each initial state on its own.
    pub(super) scope: Scope,
    /// Left sides of implications, and the quests for them.
    pub(super) triggers: Vec<(Path<AtomId>, Result<Quest, Unsupported>)>,
    /// What the claim measures.
    pub(super) gauges: Vec<Gauge>,
}

impl Task<'_> {
    pub(super) fn assumes(&self) -> bool {
        self.claim.kind == Kind::Assume
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    AnyStart,
    EachStart,
}

/// What all tasks of a check have in common.
pub(super) struct Desk {
    pub(super) derived: Derived,
    /// Why the assumptions cannot be understood, if they cannot.
    pub(super) problem: Option<Unsupported>,
    pub(super) unit: TimeUnit,
    pub(super) n_starts: usize,
}

impl Desk {
    pub(super) fn new(model: &dyn Model, claims: &[Claim<AtomId>], settings: &Settings) -> Self {
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
    pub(super) fn linear(
        &mut self,
        path: &Path<AtomId>,
        wanted: Wanted,
    ) -> Result<Path<AtomId>, Unsupported> {
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

    pub(super) fn quest(&self, path: &Path<AtomId>, wanted: Wanted) -> Result<Quest, Unsupported> {
        Quest::new(&self.derived.assumptions(), path, wanted, self.unit)
    }

    /// A claim that is an automaton: a run is looked for that it accepts, or that it does not.
    pub(super) fn automaton(&self, claim: &Claim<AtomId>) -> Option<(Result<Quest, Unsupported>, Verdict)> {
        let found = if claim.kind == Kind::Property { Verdict::Fails } else { Verdict::Holds };
        let wanted = if claim.kind == Kind::Property { Wanted::Breaks } else { Wanted::Satisfies };
        let quest = Quest::of_automaton(&claim.formula, wanted)?;
        let assumed = self.derived.assumptions().is_empty() && claim.kind != Kind::Assume;
        let quest = if assumed { quest } else { Err("an automaton beside `assume`".to_owned()) };
        Some((quest, found))
    }

    pub(super) fn task<'c>(&mut self, claim: &'c Claim<AtomId>, vacuity: Examine) -> Task<'c> {
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
pub(super) fn reached(path: &Path<AtomId>) -> Path<AtomId> {
    if path.is_state() {
        return Path::Eventually(Interval::default(), Box::new(path.clone()));
    }
    path.clone()
}

pub(super) fn plan(
    model: &dyn Model,
    claims: &[Claim<AtomId>],
    tasks: &[Task<'_>],
    desk: &Desk,
    settings: &Settings,
) -> Plan<'static> {
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
        partial_order: None,
        chains: None,
    }
}
