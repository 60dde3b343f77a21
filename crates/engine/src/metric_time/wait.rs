//! Questions for a time: `max time to (p)`, `min time from (a) to (p)`.
//!
//! A time begins at the start of a run, or wherever `a` begins to hold: in the first state, or after a state where it does
//! not. It ends at the first moment from there on at which `p` holds. The longest time is that of the longest way through
//! the states without `p` (see `longest`), the shortest is found by Dijkstra's search. The longest time is infinite if some
//! run that counts never comes to `p`, and also if runs can put it off any number of times; the shortest is if no run does.
//! Over no times at all the longest is 0 and the shortest infinite.

use std::collections::VecDeque;

use hashbrown::HashMap;
use motet_evidence::{Evidence, Fairness, Margin, Measure, Outcome, Stop, Vacuity, Verdict};
use motet_model::{AtomId, Model, TimeUnit};
use motet_property::{Extremum, Formula, Interval, Path};
use rustc_hash::FxBuildHasher;

use crate::checking::quest::{Found, Quest, Wanted};
use crate::exploration::graph::{Graph, Hop, Rows};
use crate::exploration::limits::Meter;
use crate::exploration::tarjan::components;
use crate::formulas::valuation::column;
use crate::linear_time::linear::{Unsupported, check_plain};
use crate::metric_time::clocks::mentions_clock;
use crate::metric_time::late::nearest;
use crate::metric_time::longest::{ENDLESS, Next, Rounds, Walk, Ways, Weight, narrow};
use crate::metric_time::starts::Starts;
use crate::metric_time::unrolled::Patience;
use crate::storage::bits::Bits;

/// Steps of a run that is told; the time is right without it.
const STEPS_MAX: usize = 200_000;

/// A question for a time.
#[derive(Clone, Debug)]
pub(crate) struct Wait {
    extremum: Extremum,
    from: Option<Formula<AtomId>>,
    to: Formula<AtomId>,
}

/// Whether runs have to satisfy an assumption to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Assumed {
    Nothing,
    Something,
}

/// Why there is no answer beside an assumption.
const BESIDE_ASSUME: &str = "a question for a time beside `assume`: it would be about the runs that satisfy the assumption \
                             alone; bound the time in a property, as in `F<=4min p`, or take `assume` out";

/// The answer.
struct Waited {
    /// `None` is infinite.
    time: Option<u64>,
    /// The slowest or the fastest run; for an infinite longest time one that never gets there.
    evidence: Option<Evidence>,
    /// Whether the time begins on some run.
    begins: bool,
}

impl Wait {
    /// The question that a claim is, if it is one.
    pub(crate) fn of(path: &Path<AtomId>) -> Option<Self> {
        let Path::Now(Formula::Wait(extremum, from, to)) = path else { return None };
        Some(Self { extremum: *extremum, from: from.as_deref().cloned(), to: (**to).clone() })
    }

    /// Why it has no answer, if it has none.
    fn refusal(&self, unit: TimeUnit) -> Result<(), Unsupported> {
        for formula in self.from.iter().chain([&self.to]) {
            check_plain(formula, unit)?;
            if mentions_clock(&Path::Now(formula.clone())) {
                let words = "a time from or to something that a clock or the past says: \
                             compare it inside a claim with a bound, as in `F<=4min (held(p) >= 1 min)`";
                return Err(words.to_owned());
            }
        }
        Ok(())
    }

    /// The outcome of a claim that asks this. With assumptions it would be about the runs that satisfy them alone.
    pub(crate) fn outcome<M: Model + ?Sized>(
        &self,
        model: &M,
        graph: &Graph,
        fairness: Fairness,
        assumed: Assumed,
        meter: &mut Meter<'_>,
    ) -> Outcome {
        let mut outcome = Outcome::of(Verdict::Holds);
        let unit = model.signature().unit;
        let waited = match (self.refusal(unit), assumed, graph.obstacle()) {
            (Err(words), ..) => Err(Stop::Unsupported(words)),
            (_, Assumed::Something, _) => Err(Stop::Unsupported(BESIDE_ASSUME.to_owned())),
            (_, _, Some(stop)) => Err(stop),
            _ => self.answer(model, graph, fairness, meter),
        };
        match waited {
            Err(stop) => outcome.verdict = Verdict::Unknown(stop),
            Ok(waited) => {
                #[expect(
                    clippy::cast_precision_loss,
                    reason = "milliseconds below 2^53 are exact, 285 000 years"
                )]
                let value = waited.time.map_or(f64::INFINITY, |time| time as f64);
                outcome.verdict = Verdict::Value { low: value, high: value };
                let measure = if self.from.is_some() { Measure::Response } else { Measure::Arrival };
                outcome.margin = Some(Margin { measure, bound: None, worst: waited.time });
                outcome.evidence = waited.evidence;
                outcome.vacuity = match &self.from {
                    None => Vacuity::NoTrigger,
                    Some(_) if waited.begins => Vacuity::Triggered,
                    Some(from) => Vacuity::NeverTriggered(Box::new(Path::Now(from.clone()))),
                };
            }
        }
        outcome
    }

    /// Answers it on a complete graph with delays.
    fn answer<M: Model + ?Sized>(
        &self,
        model: &M,
        graph: &Graph,
        fairness: Fairness,
        meter: &mut Meter<'_>,
    ) -> Result<Waited, Stop> {
        let rows = graph.rows.as_ref().expect("times are measured on a graph with edges");
        let starts = match &self.from {
            None => Starts::initial(graph),
            Some(from) => Starts::begins(graph, column(graph, from)),
        };
        let weight = Weight::of(model.signature().unit);
        let goal = column(graph, &self.to);
        let begins = starts.states.first().is_some();
        let course = Course { graph, rows, starts: &starts, goal: &goal, weight };
        let tell = |(start, hops): Way| Evidence::finite(graph.run(model, start, &hops));
        let (time, evidence) = match self.extremum {
            Extremum::Min => {
                let found = course.fastest(meter)?;
                (found.as_ref().map(|(time, _)| *time), found.map(|(_, way)| tell(way)))
            }
            Extremum::Max => {
                let inside = |state: usize| !goal.get(state);
                let (longest, _) = Ways::new(graph, &inside, Rounds::Never, fairness, weight).run(meter)?;
                let of = |state: usize| if inside(state) { longest[state] } else { 0 };
                let time = starts.states.ones().map(of).max().unwrap_or(0);
                if time == ENDLESS {
                    (None, self.never(model, &course, fairness, meter)?)
                } else {
                    (Some(time), course.slowest(time, &longest, meter)?.map(tell))
                }
            }
        };
        Ok(Waited { time, evidence, begins })
    }

    /// A run that counts and on which the time begins and never ends. If there is none, runs can go round and put the end
    /// off as often as they like: then one that goes round for ever, whether it counts or not.
    fn never<M: Model + ?Sized>(
        &self,
        model: &M,
        course: &Course<'_>,
        fairness: Fairness,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Evidence>, Stop> {
        let graph = course.graph;
        let open =
            Path::Not(Box::new(Path::Eventually(Interval::default(), Box::new(Path::Now(self.to.clone())))));
        let both = |a, b| Path::And(Box::new(a), Box::new(b));
        let path = match &self.from {
            None => open,
            Some(from) => {
                let here = both(Path::Now(from.clone()), open);
                let before = Path::Now(Formula::Not(Box::new(from.clone())));
                let later = both(before, Path::Next(Box::new(here.clone())));
                let later = Path::Eventually(Interval::default(), Box::new(later));
                Path::Or(Box::new(here), Box::new(later))
            }
        };
        // Nothing of it counts time, so that the unit does not matter.
        let quest = Quest::new(&[], &path, Wanted::Satisfies, TimeUnit::Steps).map_err(Stop::Unsupported)?;
        match quest.find(model, graph, &graph.initial, fairness, Patience::Endless, meter)? {
            Found::Run(evidence) => Ok(Some(evidence)),
            _ => Ok(course.round().map(|(start, hops, entry)| {
                Evidence::new(graph.run(model, start, &hops), Some(entry), Fairness::None)
            })),
        }
    }
}

/// The graph between where the time begins and where it ends.
struct Course<'a> {
    graph: &'a Graph,
    rows: &'a Rows,
    starts: &'a Starts,
    goal: &'a Bits,
    weight: Weight,
}

/// A run: its first state and its steps.
type Way = (u32, Vec<Hop>);

impl Course<'_> {
    /// The least time to the goal, and a run that takes it with the fewest steps.
    fn fastest(&self, meter: &mut Meter<'_>) -> Result<Option<(u64, Way)>, Stop> {
        let starts = self.starts.states.ones().map(narrow);
        let mut look = |met: usize| meter.tick(self.graph.bytes() + 40 * met as u64);
        let goal = |state: u32| self.goal.get(state as usize);
        let found = nearest(self.rows, starts, self.weight, &goal, &mut look)?;
        Ok(found.map(|nearest| {
            let (start, mut hops) = self.starts.way_to(self.graph, self.rows, nearest.start);
            hops.extend(nearest.hops);
            (nearest.time, (start, hops))
        }))
    }

    /// A run along the longest ways to the goal; `None` if it has too many steps to be told.
    fn slowest(&self, time: u64, longest: &[u64], meter: &mut Meter<'_>) -> Result<Option<Way>, Stop> {
        let inside = |state: usize| !self.goal.get(state);
        let of = |state: usize| if inside(state) { longest[state] } else { 0 };
        let Some(start) = self.starts.states.ones().find(|&state| of(state) == time) else { return Ok(None) };
        let (first, mut hops) = self.starts.way_to(self.graph, self.rows, narrow(start));
        let walk = Walk { graph: self.graph, rows: self.rows, inside: &inside, longest, weight: self.weight };
        let mut at = narrow(start);
        while inside(at as usize) {
            meter.tick(self.graph.bytes() + 16 * hops.capacity() as u64)?;
            let Some(Next::Edges(edges)) = walk.on(at) else { return Ok(None) };
            hops.extend(edges.into_iter().map(|edge| Hop::along(self.rows, edge)));
            at = hops.last().map_or(at, |hop| hop.target);
            if hops.len() > STEPS_MAX {
                return Ok(None);
            }
        }
        Ok(Some((first, hops)))
    }

    /// A run to a round that takes time and avoids the goal: its first state, its steps, and after how many of them the
    /// round begins.
    fn round(&self) -> Option<(u32, Vec<Hop>, usize)> {
        let inside = |state: u32| !self.goal.get(state as usize);
        let n = self.graph.n_states();
        let target = |node: usize, number: usize| {
            let row = self.rows.row(narrow(node));
            let edge = row.start + narrow(number);
            (inside(narrow(node)) && edge < row.end).then(|| self.rows.target(edge) as usize)
        };
        // An edge to the goal leads to a state without edges here, which is a component of its own.
        let (component, _) = components(n, target);
        let begins = self.starts.states.ones().map(narrow).filter(|&state| inside(state));
        let takes_time = |edge: u32, from: u32| {
            let to = self.rows.target(edge);
            let same = component[from as usize] == component[to as usize];
            self.weight.edge(self.rows, edge) > 0 && same && inside(to)
        };
        let reached = self.search(begins.collect(), |_, _| false);
        let (from, edge) = reached.order.iter().find_map(|&state| {
            let mut row = self.rows.row(state);
            row.find(|&edge| takes_time(edge, state)).map(|edge| (state, edge))
        })?;
        let (begin, prefix) = reached.way(from);
        let (start, mut hops) = self.starts.way_to(self.graph, self.rows, begin);
        hops.extend(prefix.into_iter().map(|edge| Hop::along(self.rows, edge)));
        let entry = hops.len();
        hops.push(Hop::along(self.rows, edge));
        let to = self.rows.target(edge);
        if to != from {
            let back = self.search(vec![to], |_, target| target == from);
            hops.extend(back.way(from).1.into_iter().map(|edge| Hop::along(self.rows, edge)));
        }
        Some((start, hops, entry))
    }

    /// Breadth first through the states without the goal, until an edge leads to where somebody wants to go.
    fn search(&self, starts: Vec<u32>, done: impl Fn(u32, u32) -> bool) -> Reached {
        let mut reached = Reached { before: HashMap::default(), order: Vec::new() };
        let mut queue: VecDeque<u32> = starts.into();
        reached.before.extend(queue.iter().map(|&start| (start, None)));
        while let Some(state) = queue.pop_front() {
            reached.order.push(state);
            for edge in self.rows.row(state) {
                let target = self.rows.target(edge);
                if self.goal.get(target as usize) || reached.before.contains_key(&target) {
                    continue;
                }
                reached.before.insert(target, Some((edge, state)));
                if done(state, target) {
                    return reached;
                }
                queue.push_back(target);
            }
        }
        reached
    }
}

/// What a search came to, and the way there.
struct Reached {
    before: HashMap<u32, Option<(u32, u32)>, FxBuildHasher>,
    order: Vec<u32>,
}

impl Reached {
    /// Where the way to a state starts, and its edges.
    fn way(&self, state: u32) -> (u32, Vec<u32>) {
        let (mut at, mut edges) = (state, Vec::new());
        while let Some(Some((edge, before))) = self.before.get(&at) {
            edges.push(*edge);
            at = *before;
        }
        edges.reverse();
        (at, edges)
    }
}
