//! What has to be found to answer a claim: a state, or a run.

use motet_evidence::{Evidence, Fairness, Stop};
use motet_model::{AtomId, Model, SubjectId, TimeUnit};
use motet_property::{Formula, Path};

use crate::exploration::graph::Graph;
use crate::exploration::limits::Meter;
use crate::formulas::valuation::{column, holds_at};
use crate::linear_time::automata::Automaton;
use crate::linear_time::automata::formula::{Formulas, Ltl, Node};
use crate::linear_time::automata::omega;
use crate::linear_time::automata::translate::translate;
use crate::linear_time::emptiness::{Search, Until, search};
use crate::linear_time::lasso::{lasso_run, settled_run, tell};
use crate::linear_time::linear::{Linear, Unsupported};
use crate::linear_time::product::Product;
use crate::metric_time::clocks::{clocks_of, moments_of};
use crate::metric_time::timed::{PROPOSITIONS_MAX, TimedRun};
use crate::metric_time::unrolled::Patience;

/// Something to look for in a graph.
pub(crate) enum Quest {
    /// An initial state where this holds.
    Start(Formula<AtomId>),
    /// A reachable state where this holds.
    Goal(Formula<AtomId>),
    /// A run that one of these automata accepts.
    Run(Vec<Automaton>),
    /// A run that satisfies one of these formulas about time.
    Timed(Vec<TimedRun>),
}

/// What a quest brought back.
pub(crate) enum Found {
    /// The run that was looked for.
    Run(Evidence),
    /// The run exists from each start, so that no single run tells it.
    Everywhere,
    /// Nothing, because it would have taken too long to look further.
    Tired,
    /// No fair run. If an unfair one exists: whom it starves.
    Nothing { starved: Vec<SubjectId> },
}

impl Found {
    fn nothing() -> Self {
        Self::Nothing { starved: Vec::new() }
    }
}

/// How a formula is meant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// A run that breaks it.
    Breaks,
    /// A run that satisfies it.
    Satisfies,
}

impl Quest {
    /// The quest for a run that satisfies all assumptions and breaks or satisfies `path`.
    pub(crate) fn new(
        assumptions: &[&Path<AtomId>],
        path: &Path<AtomId>,
        wanted: Wanted,
        unit: TimeUnit,
    ) -> Result<Self, Unsupported> {
        let (formulas, root) = Self::formula(assumptions, path, wanted, unit)?;
        if let Some(timed) = Self::timed(assumptions, path, unit, &formulas, root) {
            return timed;
        }
        if let Some(now) = boolean(&formulas, root) {
            return Ok(Self::Start(now));
        }
        if let Ltl::Until(Formulas::TRUE, goal) = formulas.get(root)
            && let Some(goal) = boolean(&formulas, *goal)
        {
            return Ok(Self::Goal(goal));
        }
        Self::automata(formulas, root)
    }

    /// The quest for a run that breaks or satisfies a claim that is an automaton; `None` if it is none.
    pub(crate) fn of_automaton(path: &Path<AtomId>, wanted: Wanted) -> Option<Result<Self, Unsupported>> {
        let (omega, wanted) = match (path, wanted) {
            (Path::Accepted(omega), wanted) => (omega, wanted),
            (Path::Not(inner), Wanted::Breaks) => return Self::of_automaton(inner, Wanted::Satisfies),
            (Path::Not(inner), Wanted::Satisfies) => return Self::of_automaton(inner, Wanted::Breaks),
            _ => return None,
        };
        let automaton = match wanted {
            Wanted::Satisfies => omega::accepted(omega),
            Wanted::Breaks => omega::rejected(omega),
        };
        Some(automaton.map(|automaton| Self::Run(vec![automaton])))
    }

    /// The same as a quest for a run, which can be looked for from each initial state on its own.
    pub(crate) fn over_runs(
        assumptions: &[&Path<AtomId>],
        path: &Path<AtomId>,
        wanted: Wanted,
        unit: TimeUnit,
    ) -> Result<Self, Unsupported> {
        let (formulas, root) = Self::formula(assumptions, path, wanted, unit)?;
        Self::timed(assumptions, path, unit, &formulas, root)
            .unwrap_or_else(|| Self::automata(formulas, root))
    }

    /// The quest for a formula that speaks of time; `None` if it does not.
    fn timed(
        assumptions: &[&Path<AtomId>],
        path: &Path<AtomId>,
        unit: TimeUnit,
        formulas: &Formulas,
        root: Node,
    ) -> Option<Result<Self, Unsupported>> {
        let clocks = clocks_of(assumptions.iter().copied().chain([path]), unit);
        if clocks.is_empty() && !formulas.has_window(root) {
            return None;
        }
        let mut formulas = formulas.clone();
        let fits = |formulas: &Formulas, root| formulas.used(root).len() <= PROPOSITIONS_MAX;
        let roots =
            if fits(&formulas, root) { vec![root] } else { formulas.alternatives(root).unwrap_or_default() };
        if roots.is_empty() || !roots.iter().all(|&root| fits(&formulas, root)) {
            return Some(Err("a formula this large".to_owned()));
        }
        let run = |root| TimedRun { formulas: formulas.clone(), root, clocks: clocks.clone() };
        Some(Ok(Self::Timed(roots.into_iter().map(run).collect())))
    }

    /// What such a run satisfies, in negation normal form.
    pub(crate) fn formula(
        assumptions: &[&Path<AtomId>],
        path: &Path<AtomId>,
        wanted: Wanted,
        unit: TimeUnit,
    ) -> Result<(Formulas, Node), Unsupported> {
        let paths = assumptions.iter().copied().chain([path]);
        let mut formulas = Formulas::new(moments_of(paths, unit));
        let mut linear = Linear { formulas: &mut formulas, unit };
        let mut parts = Vec::new();
        for assumption in assumptions {
            parts.push(linear.pure(assumption)?);
        }
        let node = linear.pure(path)?;
        parts.push(if wanted == Wanted::Breaks { formulas.negate(node) } else { node });
        let root = formulas.and(parts);
        Ok((formulas, root))
    }

    /// One automaton, or if that would be too large one for each alternative. A claim that quantifies over many things is
    /// broken as soon as it is broken for one of them.
    fn automata(mut formulas: Formulas, root: Node) -> Result<Self, Unsupported> {
        if let Ok(automaton) = translate(&formulas, root) {
            return Ok(Self::Run(vec![automaton]));
        }
        let alternatives = formulas.alternatives(root).unwrap_or_default();
        let automata = alternatives.iter().map(|&part| translate(&formulas, part));
        match automata.collect::<Result<Vec<_>, _>>() {
            Ok(automata) if !automata.is_empty() => Ok(Self::Run(automata)),
            _ => Err("a formula this large".to_owned()),
        }
    }

    /// Whether the steps between states are needed.
    pub(crate) fn needs_edges(&self) -> bool {
        matches!(self, Self::Run(_) | Self::Timed(_))
    }

    /// How long looking for it may take, to be compared with others: by the size of its automata.
    pub(crate) fn size(&self) -> usize {
        let arcs = |automaton: &Automaton| automaton.transitions.iter().map(Vec::len).sum::<usize>();
        match self {
            Self::Start(_) | Self::Goal(_) => 0,
            Self::Run(automata) => automata.iter().map(arcs).sum(),
            Self::Timed(runs) => runs.iter().map(|run| run.formulas.len()).sum(),
        }
    }

    /// Whether it matters how long steps take.
    pub(crate) fn needs_delays(&self) -> bool {
        matches!(self, Self::Timed(_))
    }

    /// Looks for it from these starts. Without fairness all runs count.
    pub(crate) fn find<M: Model + ?Sized>(
        &self,
        model: &M,
        graph: &Graph,
        starts: &[u32],
        fairness: Fairness,
        patience: Patience,
        meter: &mut Meter<'_>,
    ) -> Result<Found, Stop> {
        let finite = |state| Evidence::finite(graph.run_to(model, state));
        match self {
            Self::Start(now) => {
                let start = starts.iter().find(|&&state| holds_at(graph, now, state) == Some(true));
                Ok(start.map_or_else(Found::nothing, |&state| Found::Run(finite(state))))
            }
            Self::Goal(goal) => {
                let state = column(graph, goal).first();
                let state =
                    state.map(|state| u32::try_from(state).expect("states are numbered with 32 bits"));
                Ok(state.map_or_else(Found::nothing, |state| Found::Run(finite(state))))
            }
            Self::Run(automata) => {
                first_found(automata, |automaton| find_run(model, graph, automaton, starts, fairness, meter))
            }
            Self::Timed(runs) => {
                first_found(runs, |run| run.find(model, graph, starts, fairness, patience, meter))
            }
        }
    }

    /// Whether it exists; cheaper than [`Quest::find`].
    pub(crate) fn exists(
        &self,
        graph: &Graph,
        fairness: Fairness,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stop> {
        match self {
            Self::Start(now) => {
                Ok(graph.initial.iter().any(|&state| holds_at(graph, now, state) == Some(true)))
            }
            Self::Goal(goal) => Ok(column(graph, goal).first().is_some()),
            Self::Run(automata) => {
                for automaton in automata {
                    let product = Product::new(graph, automaton)?;
                    let found = search(&product, &graph.initial, fairness, Until::Found, meter)?;
                    if !matches!(found, Search::Empty { .. }) {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Self::Timed(runs) => {
                for run in runs {
                    if run.exists(graph, fairness, meter)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }
}

/// What the first quest brings back that finds something. If none does: whom the least unfair run starves.
fn first_found<T>(quests: &[T], mut find: impl FnMut(&T) -> Result<Found, Stop>) -> Result<Found, Stop> {
    let mut fewest = Vec::new();
    for quest in quests {
        match find(quest)? {
            Found::Nothing { starved } => {
                if fewest.is_empty() || (!starved.is_empty() && starved.len() < fewest.len()) {
                    fewest = starved;
                }
            }
            found => return Ok(found),
        }
    }
    Ok(Found::Nothing { starved: fewest })
}

/// A run that the automaton accepts.
fn find_run<M: Model + ?Sized>(
    model: &M,
    graph: &Graph,
    automaton: &Automaton,
    starts: &[u32],
    fairness: Fairness,
    meter: &mut Meter<'_>,
) -> Result<Found, Stop> {
    let product = Product::new(graph, automaton)?;
    match search(&product, starts, fairness, Until::Settled, meter)? {
        Search::Empty { starved } => Ok(Found::Nothing { starved }),
        Search::Settled => {
            let way = settled_run(&product, starts, meter)?;
            Ok(Found::Run(tell(model, &product, &way, Fairness::None)))
        }
        Search::Accepting(accepting) => {
            let lasso = lasso_run(&product, starts, &accepting, fairness, meter)?;
            Ok(Found::Run(tell(model, &product, &lasso, fairness)))
        }
    }
}

type Connective = fn(Box<Formula<AtomId>>, Box<Formula<AtomId>>) -> Formula<AtomId>;

/// The state formula that a formula is, if it has no temporal operator.
fn boolean(formulas: &Formulas, node: Node) -> Option<Formula<AtomId>> {
    let join = |parts: &[Node], with: Connective| {
        let mut parts = parts.iter().map(|&part| boolean(formulas, part));
        let first = parts.next()??;
        parts.try_fold(first, |left, right| Some(with(Box::new(left), Box::new(right?))))
    };
    match formulas.get(node) {
        Ltl::True => Some(Formula::True),
        Ltl::False => Some(Formula::False),
        Ltl::Literal(proposition, positive) => {
            let formula = formulas.proposition(*proposition).clone();
            Some(if *positive { formula } else { Formula::Not(Box::new(formula)) })
        }
        Ltl::And(parts) => join(parts, Formula::And),
        Ltl::Or(parts) => join(parts, Formula::Or),
        Ltl::Next(_)
        | Ltl::Until(..)
        | Ltl::Release(..)
        | Ltl::UntilIn(..)
        | Ltl::ReleaseIn(..)
        | Ltl::UntilSteps(..)
        | Ltl::ReleaseSteps(..) => None,
    }
}
