//! The worst case behind a claim about time: the longest way through the explored graph that still waits for the answer.
//!
//! The states that wait form a part of the graph. Its strongly connected components are found (Tarjan 1972, without
//! recursion), last ones first, so that the longest way from each is known when it is needed. Where a round of waiting
//! states takes time there is no longest way. A round that takes no time makes nothing longer, but a run may stay in it
//! for ever.

use std::collections::VecDeque;

use hashbrown::HashMap;
use motet_evidence::{Fairness, Margin, Measure, Stop};
use motet_model::{AtomId, SubjectId, TimeUnit};
use motet_property::{Bound, Formula, Interval, Path, Quantifier, Relation, Timer};
use rustc_hash::FxBuildHasher;

use crate::bits::Bits;
use crate::clocks::mentions_clock;
use crate::compassion::Region;
use crate::graph::{Graph, Hop, Rows};
use crate::limits::Meter;
use crate::linear::{Counted, check_plain, counts, is_state, state};
use crate::valuation::column;

/// Between two looks at the clock, in states.
const TICK: usize = 4096;
/// Steps of a run that is made along the longest ways.
const STEPS_MAX: usize = 200_000;
/// No way is the longest.
const ENDLESS: u64 = u64::MAX;

/// Something a claim bounds or waits for.
#[derive(Clone, Debug)]
pub(crate) struct Gauge {
    pub(crate) measure: Measure,
    /// The trigger of a response; everything else starts anywhere or at the start.
    pub(crate) from: Formula<AtomId>,
    /// What is waited for; or what lasts, for a duration.
    pub(crate) about: Formula<AtomId>,
    pub(crate) bound: Option<Bound>,
}

/// A worst case, and whether it shows on its own that the claim holds, or fails.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worst {
    pub(crate) margin: Margin,
    pub(crate) proves: bool,
    /// Whether it shows that the claim fails.
    pub(crate) breaks: bool,
}

/// What a claim measures; `None` if some part of it measures nothing, or its parts measure different things.
pub(crate) fn gauges(path: &Path<AtomId>, unit: TimeUnit) -> Option<Vec<Gauge>> {
    let mut found = Vec::new();
    Reader { unit, found: &mut found }.path(path)?;
    let one = found.first()?.measure;
    found.iter().all(|gauge| gauge.measure == one).then_some(found)
}

/// Whether these gauges are worth the delays of all edges: they have a bound, or the model has a clock.
pub(crate) fn is_timed(gauges: &[Gauge], unit: TimeUnit) -> bool {
    unit == TimeUnit::Milliseconds || gauges.iter().any(|gauge| gauge.bound.is_some())
}

struct Reader<'f> {
    unit: TimeUnit,
    found: &'f mut Vec<Gauge>,
}

impl Reader<'_> {
    fn path(&mut self, path: &Path<AtomId>) -> Option<()> {
        match path {
            Path::Now(Formula::Runs(Quantifier::All, path)) => self.path(path),
            Path::And(a, b) => self.path(a).and_then(|()| self.path(b)),
            Path::Always(when, inner) if when.is_unbounded() => self.always(inner),
            Path::Eventually(when, goal) => self.add(Measure::Arrival, None, goal, when),
            _ => None,
        }
    }

    fn always(&mut self, inner: &Path<AtomId>) -> Option<()> {
        match inner {
            Path::And(a, b) => self.always(a).and_then(|()| self.always(b)),
            Path::Implies(trigger, answer) => match &**answer {
                Path::Eventually(when, goal) => self.add(Measure::Response, Some(trigger), goal, when),
                _ => None,
            },
            Path::Eventually(when, goal) => self.add(Measure::Response, None, goal, when),
            Path::Now(formula) => self.state(formula),
            _ => None,
        }
    }

    fn state(&mut self, formula: &Formula<AtomId>) -> Option<()> {
        let (measure, about, relation, bound) = match formula {
            Formula::And(a, b) => return self.state(a).and_then(|()| self.state(b)),
            Formula::Timer(Timer::Held(about), relation, bound) => {
                (Measure::Duration, about, relation, bound)
            }
            Formula::Timer(Timer::Since(about), relation, bound) => (Measure::Age, about, relation, bound),
            _ => return None,
        };
        let strict = match relation {
            Relation::Le => false,
            Relation::Lt => true,
            _ => return None,
        };
        self.plain(about)?;
        let bound = Some(Bound { strict, ..bound.clone() });
        self.found.push(Gauge { measure, from: Formula::True, about: (**about).clone(), bound });
        Some(())
    }

    fn add(
        &mut self,
        measure: Measure,
        trigger: Option<&Path<AtomId>>,
        goal: &Path<AtomId>,
        when: &Interval,
    ) -> Option<()> {
        let (None, bound) = (&when.low, &when.high) else { return None };
        if let Some(bound) = bound {
            counts(bound, self.unit).ok().filter(|counted| *counted == Counted::Time)?;
        }
        let formula = |path: &Path<AtomId>| is_state(path).then(|| state(path));
        let from = trigger.map_or(Some(Formula::True), formula)?;
        let about = formula(goal)?;
        self.plain(&from).and_then(|()| self.plain(&about))?;
        self.found.push(Gauge { measure, from, about, bound: bound.clone() });
        Some(())
    }

    fn plain(&self, formula: &Formula<AtomId>) -> Option<()> {
        let plain = check_plain(formula, self.unit).is_ok() && !mentions_clock(&Path::Now(formula.clone()));
        plain.then_some(())
    }
}

/// The worst of these gauges over all runs of a complete graph; `None` if nothing is measured.
pub(crate) fn worst(
    graph: &Graph,
    gauges: &[Gauge],
    fairness: Fairness,
    meter: &mut Meter<'_>,
) -> Result<Option<Worst>, Stop> {
    let mut worst: Option<Worst> = None;
    for gauge in gauges {
        let Some(next) = gauge.worst(graph, fairness, meter)? else { continue };
        worst = Some(match worst {
            None => next,
            Some(known) => Worst {
                margin: if slack(&next.margin) < slack(&known.margin) { next.margin } else { known.margin },
                proves: known.proves && next.proves,
                breaks: known.breaks || next.breaks,
            },
        });
    }
    Ok(worst)
}

/// How much time is left in the worst case: the less, the worse.
fn slack(margin: &Margin) -> i128 {
    let worst = margin.worst.map_or(i128::MAX / 2, i128::from);
    margin.bound.map_or(0, i128::from) - worst
}

impl Gauge {
    fn worst(&self, graph: &Graph, fairness: Fairness, meter: &mut Meter<'_>) -> Result<Option<Worst>, Stop> {
        let about = column(graph, &self.about);
        let inside = |state: usize| about.get(state) == (self.measure == Measure::Duration);
        let ways = Ways::new(graph, &inside, self.rounds(), fairness);
        let (longest, unfair) = ways.run(meter)?;
        let of = |state: usize| if inside(state) { longest[state] } else { 0 };
        let n_states = graph.n_states();
        let worst = match self.measure {
            Measure::Response => {
                let from = column(graph, &self.from);
                from.ones().map(of).max()
            }
            Measure::Arrival => graph.initial.iter().map(|&state| of(state as usize)).max(),
            Measure::Duration => (0..n_states).map(of).max(),
            // Before it holds for the first time it is infinitely long ago.
            Measure::Age if graph.initial.iter().any(|&state| inside(state as usize)) => Some(ENDLESS),
            Measure::Age => (0..n_states).map(of).max(),
        };
        let Some(worst) = worst else { return Ok(None) };
        let margin = Margin {
            measure: self.measure,
            bound: self.bound.as_ref().map(|bound| bound.amount),
            worst: Some(worst).filter(|&worst| worst != ENDLESS),
        };
        let within = |bound: &Bound| worst < bound.amount || worst == bound.amount && !bound.strict;
        let proves = !unfair && worst != ENDLESS && self.bound.as_ref().is_some_and(within);
        let breaks = self.bound.as_ref().is_some_and(|bound| !within(bound));
        Ok(Some(Worst { margin, proves, breaks }))
    }

    /// A run that goes beyond the bound, made along the longest ways: where it starts, and its steps. It needs no search, but
    /// others may be shorter. `None` if no such run goes on in time.
    pub(crate) fn witness(
        &self,
        graph: &Graph,
        fairness: Fairness,
        meter: &mut Meter<'_>,
    ) -> Result<Option<(u32, Vec<Hop>)>, Stop> {
        let Some(bound) = &self.bound else { return Ok(None) };
        let about = column(graph, &self.about);
        let inside = |state: usize| about.get(state) == (self.measure == Measure::Duration);
        let (longest, _) = Ways::new(graph, &inside, self.rounds(), fairness).run(meter)?;
        let from = column(graph, &self.from);
        let starts = |state: &usize| match self.measure {
            Measure::Response => from.get(*state),
            Measure::Arrival => graph.initial.iter().any(|&start| start as usize == *state),
            Measure::Duration | Measure::Age => true,
        };
        // The instant at which the wait is over belongs to it.
        let too_long = |waited: u64| waited > bound.amount || waited == bound.amount && bound.strict;
        let beyond = |state: &usize| inside(*state) && too_long(longest[*state]);
        let Some(start) = (0..graph.n_states()).filter(beyond).find(starts) else { return Ok(None) };
        let way = graph.way_to(narrow(start));
        let hop = |&target: &u32| Hop { subject: None, target, delay: None };
        let mut hops: Vec<Hop> = way[1..].iter().map(hop).collect();
        let rows = graph.rows.as_ref().expect("margins are measured on a graph with edges");
        let walk = Walk { graph, rows, inside: &inside, longest: &longest };
        let (mut at, mut waited) = (narrow(start), 0_u64);
        while !too_long(waited) {
            meter.tick(graph.bytes() + 16 * hops.capacity() as u64)?;
            match walk.on(at) {
                Some(Next::Edges(edges)) => {
                    for edge in edges {
                        waited += u64::from(rows.delay(edge));
                        at = rows.target(edge);
                        let subject = Some(rows.subject(edge));
                        hops.push(Hop { subject, target: at, delay: Some(rows.delay(edge)) });
                    }
                }
                Some(Next::Stays(edges)) => {
                    let hop = |edge| Hop {
                        subject: Some(rows.subject(edge)),
                        target: rows.target(edge),
                        delay: Some(rows.delay(edge)),
                    };
                    hops.extend(edges.into_iter().map(hop));
                    break;
                }
                None => return Ok(None),
            }
            if hops.len() > STEPS_MAX {
                return Ok(None);
            }
        }
        Ok(Some((way[0], hops)))
    }

    /// What it means to go round without an answer in no time.
    fn rounds(&self) -> Rounds {
        match self.measure {
            Measure::Response | Measure::Arrival => Rounds::Never,
            Measure::Duration | Measure::Age => Rounds::Nothing,
        }
    }
}

/// A walk along the longest ways.
struct Walk<'a> {
    graph: &'a Graph,
    rows: &'a Rows,
    inside: &'a dyn Fn(usize) -> bool,
    longest: &'a [u64],
}

/// How a walk goes on.
enum Next {
    /// Along these edges, of which the last one takes time.
    Edges(Vec<u32>),
    /// Along these edges in no time to a state that is never left.
    Stays(Vec<u32>),
}

impl Walk<'_> {
    /// The nearest step that takes time and lies on a longest way from `from`; steps before it take none.
    fn on(&self, from: u32) -> Option<Next> {
        let wanted = self.longest[from as usize];
        let mut before: HashMap<u32, (u32, u32), FxBuildHasher> = HashMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            if self.graph.deadlocks.get(state as usize) {
                return Some(Next::Stays(edges_to(&before, state, None)));
            }
            for edge in self.rows.row(state) {
                let (target, delay) = (self.rows.target(edge), u64::from(self.rows.delay(edge)));
                let rest = if (self.inside)(target as usize) { self.longest[target as usize] } else { 0 };
                if rest.saturating_add(delay) != wanted {
                    continue;
                }
                if delay > 0 {
                    return Some(Next::Edges(edges_to(&before, state, Some(edge))));
                }
                if target != from && !before.contains_key(&target) {
                    before.insert(target, (edge, state));
                    queue.push_back(target);
                }
            }
        }
        None
    }
}

/// The edges to a state, and one more.
fn edges_to(before: &HashMap<u32, (u32, u32), FxBuildHasher>, state: u32, last: Option<u32>) -> Vec<u32> {
    let back = |&(_, state): &(u32, u32)| before.get(&state).copied();
    let way = std::iter::successors(before.get(&state).copied(), back).map(|(edge, _)| edge);
    let mut edges: Vec<u32> = last.into_iter().chain(way).collect();
    edges.reverse();
    edges
}

/// What a round in no time means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounds {
    /// The answer never comes.
    Never,
    /// Nothing: no time passes.
    Nothing,
}

/// The longest ways through a part of a graph.
struct Ways<'a> {
    graph: &'a Graph,
    rows: &'a Rows,
    inside: &'a dyn Fn(usize) -> bool,
    rounds: Rounds,
    fairness: Fairness,
    /// Per state: in the order of discovery from 1; 0 is not seen.
    number: Vec<u32>,
    low: Vec<u32>,
    done: Bits,
    longest: Vec<u64>,
    stack: Vec<u32>,
    /// Some round was left out because it is unfair to stay in it.
    unfair: bool,
}

impl<'a> Ways<'a> {
    fn new(graph: &'a Graph, inside: &'a dyn Fn(usize) -> bool, rounds: Rounds, fairness: Fairness) -> Self {
        let n = graph.n_states();
        Self {
            graph,
            rows: graph.rows.as_ref().expect("margins are measured on a graph with edges"),
            inside,
            rounds,
            fairness,
            number: vec![0; n],
            low: vec![0; n],
            done: Bits::zeros(n),
            longest: vec![0; n],
            stack: Vec::new(),
            unfair: false,
        }
    }

    /// Per state the longest way, and whether some round was left out.
    fn run(mut self, meter: &mut Meter<'_>) -> Result<(Vec<u64>, bool), Stop> {
        let n = self.number.len();
        let (mut counter, mut frames) = (0, Vec::new());
        for root in 0..n {
            if self.number[root] == 0 && (self.inside)(root) {
                frames.push((narrow(root), 0));
            }
            while let Some((state, cursor)) = frames.pop() {
                let at = state as usize;
                if cursor == 0 {
                    counter += 1;
                    (self.number[at], self.low[at]) = (counter, counter);
                    self.stack.push(state);
                    if (counter as usize).is_multiple_of(TICK) {
                        meter.tick(self.graph.bytes() + 17 * n as u64 + 8 * frames.capacity() as u64)?;
                    }
                }
                let row = self.rows.row(state);
                if row.start + cursor < row.end {
                    frames.push((state, cursor + 1));
                    let target = self.rows.target(row.start + cursor);
                    if !(self.inside)(target as usize) {
                        continue;
                    }
                    if self.number[target as usize] == 0 {
                        frames.push((target, 0));
                    } else if !self.done.get(target as usize) {
                        self.low[at] = self.low[at].min(self.number[target as usize]);
                    }
                } else {
                    self.leave(state, frames.last().map(|frame| frame.0), meter)?;
                }
            }
        }
        Ok((self.longest, self.unfair))
    }

    fn leave(&mut self, state: u32, parent: Option<u32>, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let at = state as usize;
        if let Some(parent) = parent {
            self.low[parent as usize] = self.low[parent as usize].min(self.low[at]);
        }
        if self.low[at] != self.number[at] {
            return Ok(());
        }
        let first = self.stack.iter().rposition(|&known| known == state);
        let members = self.stack.split_off(first.expect("a root is on the stack until it is left"));
        let longest = self.longest_from(&members, meter)?;
        for &member in &members {
            self.longest[member as usize] = longest;
            self.done.insert(member as usize);
        }
        Ok(())
    }

    /// The longest way from a component whose successors are known. Its members are on no stack and not done.
    fn longest_from(&mut self, members: &[u32], meter: &mut Meter<'_>) -> Result<u64, Stop> {
        let root = self.number[members[0] as usize];
        let (mut longest, mut turns) = (0, false);
        for &member in members {
            let row = self.rows.row(member);
            if row.is_empty() {
                return Ok(ENDLESS);
            }
            for edge in row {
                let (target, delay) = (self.rows.target(edge) as usize, u64::from(self.rows.delay(edge)));
                let within = (self.inside)(target);
                if within && !self.done.get(target) && self.number[target] >= root {
                    turns = true;
                    if delay > 0 {
                        return Ok(ENDLESS);
                    }
                } else {
                    let rest = if within { self.longest[target] } else { 0 };
                    longest = longest.max(rest.saturating_add(delay));
                }
            }
        }
        if turns && self.rounds == Rounds::Never {
            if self.can_stay(members, meter)? {
                return Ok(ENDLESS);
            }
            self.unfair = true;
        }
        Ok(longest)
    }

    /// Whether a run that counts can stay among these states for ever.
    fn can_stay(&self, members: &[u32], meter: &mut Meter<'_>) -> Result<bool, Stop> {
        match self.fairness {
            Fairness::None => Ok(true),
            Fairness::Weak => Ok(self.is_weakly_fair(members)),
            Fairness::Strong => {
                let parts = self.region(members).parts(0, self.graph.bytes(), meter)?;
                Ok(!parts.fair.is_empty())
            }
        }
    }

    /// These states with the steps among them.
    fn region(&self, members: &[u32]) -> Region {
        let numbers: HashMap<u32, u32, FxBuildHasher> = members.iter().copied().zip(0..).collect();
        let mut region = Region::default();
        for &member in members {
            let row = self.rows.row(member);
            for edge in row.clone() {
                if let Some(&target) = numbers.get(&self.rows.target(edge)) {
                    region.edge(target, Some(self.rows.subject(edge)), 0);
                }
            }
            region.close(row.map(|edge| self.rows.subject(edge)));
        }
        region
    }

    /// Whether a run that stays among these states for ever can be weakly fair.
    fn is_weakly_fair(&self, members: &[u32]) -> bool {
        let starved = |subject: SubjectId| {
            let moves_inside = |edge: u32| {
                let target = self.rows.target(edge) as usize;
                (self.inside)(target) && !self.done.get(target)
            };
            members.iter().all(|&member| {
                let mut own = self.rows.row(member).filter(|&edge| self.rows.subject(edge) == subject);
                let first = own.next();
                first.is_some() && !first.into_iter().chain(own).any(moves_inside)
            })
        };
        // Only a subject that has a step in every state can be starved.
        !self.rows.row(members[0]).map(|edge| self.rows.subject(edge)).any(starved)
    }
}

fn narrow(state: usize) -> u32 {
    u32::try_from(state).expect("states are numbered with 32 bits")
}

#[cfg(test)]
mod tests {
    use motet_evidence::{Evidence, replay};
    use motet_naive::random::{Random, Shape, Table};
    use motet_property::{Claim, Expect, Kind, Unit};
    use motet_source::{FileId, Span};

    use super::*;
    use crate::explore::{Edges, Plan, explore};
    use crate::limits::Limits;
    use crate::settings::Order;

    fn claims(relation: Relation, amount: u64) -> [Path<AtomId>; 3] {
        let bound = Bound { amount, unit: Some(Unit::Clock), strict: relation == Relation::Lt };
        let atom = |number| Formula::Atom(AtomId(number));
        let high = Interval { low: None, high: Some(bound.clone()) };
        let within = || Path::Eventually(high.clone(), Box::new(Path::Now(atom(1))));
        let always = |path| Path::Always(Interval::default(), Box::new(path));
        [
            always(Path::Implies(Box::new(Path::Now(atom(0))), Box::new(within()))),
            within(),
            always(Path::Now(Formula::Timer(Timer::Held(Box::new(atom(0))), relation, bound))),
        ]
    }

    fn property(formula: Path<AtomId>) -> Claim<AtomId> {
        Claim {
            name: "c".to_owned(),
            words: None,
            kind: Kind::Property,
            formula,
            expect: Expect::Holds,
            span: Span::new(FileId(0), 0, 0),
            text: String::new(),
        }
    }

    #[test]
    fn runs_along_the_longest_ways_break_the_claim() {
        let mut made = 0;
        for seed in 0..600 {
            let mut random = Random::new(seed);
            let mut table = Table::random(&mut random, Shape { n_states: 7, n_processes: 2, n_atoms: 2 });
            table.signature.unit = TimeUnit::Milliseconds;
            table.delay(&mut random);
            let (limits, mut watch) = (Limits::default(), |_| {});
            let mut meter = Meter::new(&limits, &mut watch);
            let plan = Plan {
                atoms: vec![AtomId(0), AtomId(1)],
                edges: Edges::KeepDelays,
                order: Order::BreadthFirst,
                goals: Vec::new(),
                rewards: Vec::new(),
            };
            let graph = explore(&table, plan, &mut meter);
            let relation = if random.once_in(2) { Relation::Lt } else { Relation::Le };
            for formula in claims(relation, random.below(20) as u64) {
                let gauges = gauges(&formula, TimeUnit::Milliseconds).expect("a claim that measures");
                let worst = worst(&graph, &gauges, Fairness::None, &mut meter).expect("no limits");
                let made_run = gauges[0].witness(&graph, Fairness::None, &mut meter).expect("no limits");
                let breaks = worst.is_some_and(|worst| worst.breaks);
                let decided = worst.is_none_or(|worst| worst.proves != worst.breaks);
                assert!(decided, "seed {seed}, {formula:?}");
                assert!(breaks || made_run.is_none(), "seed {seed}, {formula:?}");
                let Some((start, hops)) = made_run else { continue };
                let run = graph.run(&table, start, &hops);
                let evidence = Evidence::finite(run);
                let replayed = replay(&table, &property(formula.clone()), &evidence);
                assert_eq!(replayed, Ok(()), "seed {seed}, {formula:?}\n{:?}", table.rows);
                made += 1;
            }
        }
        assert!(made > 300, "{made}");
    }
}
