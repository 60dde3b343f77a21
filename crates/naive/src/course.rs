//! Formulas about time on a run that repeats for ever or ends, by looking at every half unit of it.
//!
//! The run is unrolled until all clocks have passed every constant, and every state is cut into half units, from the
//! instant at which it is entered to the one at which it is left; or, of what is counted, into whole ones, and the number at
//! which it is left is not its own. The truth of each comparison of a clock is found at each of
//! them by looking back, and so is what is said of the past. Neighbours in one state on which all comparisons agree are then joined again, except for the
//! instant at which the state is left: these are the moments of the run. Every operator is evaluated by its definition.

use std::collections::BTreeSet;

use motet_evidence::Fairness;
use motet_model::{AtomId, Model, TimeUnit};
use motet_property::{
    Basic, Bound, Connective, Formula, Interval, Past, Path, Relation, Subformula, Timer, Unit,
};

use crate::Graph;

/// A run of a model.
#[derive(Clone, Debug)]
pub struct Course {
    /// The states, as numbers of a [`Graph`]. Where the run repeats, the last one is the first one of the loop again.
    pub states: Vec<usize>,
    /// One less than states: how long each of them lasts, and to whom leaving it is fair.
    pub steps: Vec<(u32, usize)>,
    /// Where it goes on; without it the run ends in a deadlock.
    pub back: Option<usize>,
}

/// All runs of at most this many steps that go round at their end or end in a deadlock.
#[must_use]
pub fn courses(graph: &Graph, n_steps: usize, fairness: Fairness) -> Vec<Course> {
    let mut found = Vec::new();
    for &start in &graph.initial {
        extend(graph, n_steps, Course { states: vec![start], steps: Vec::new(), back: None }, &mut found);
    }
    found.retain(|course| course.is_fair(graph, fairness));
    found
}

fn extend(graph: &Graph, n_steps: usize, course: Course, found: &mut Vec<Course>) {
    let last = course.states[course.steps.len()];
    if graph.edges[last].is_empty() {
        found.push(course);
        return;
    }
    for back in 0..course.steps.len() {
        if course.states[back] == last {
            found.push(Course { back: Some(back), ..course.clone() });
        }
    }
    if course.steps.len() == n_steps {
        return;
    }
    let edges = graph.edges[last].iter().zip(&graph.delays[last]);
    let edges: BTreeSet<(usize, usize, u32)> =
        edges.map(|(&(subject, target), &delay)| (subject, target, delay)).collect();
    for (subject, target, delay) in edges {
        let mut longer = course.clone();
        longer.states.push(target);
        longer.steps.push((delay, subject));
        extend(graph, n_steps, longer, found);
    }
}

/// Half a unit of a run, the instant at which a state is left, or all of a state that lasts no time.
#[derive(Clone, Debug)]
struct Tick {
    /// The number of the visit: every entry into a state is another one.
    visit: usize,
    state: usize,
    time: u64,
    /// Not joined with the ticks before it: the first and the last one of a visit.
    stands_alone: bool,
    /// A deadlock is entered again, after all of time.
    again: bool,
    comparisons: Vec<bool>,
}

/// Later than everything.
const AFTER_ALL: u64 = 1 << 40;

#[derive(Clone, Debug)]
struct Moment {
    again: bool,
    visit: usize,
    state: usize,
    time: u64,
    comparisons: Vec<bool>,
}

/// A run cut into moments.
struct Cut<'a> {
    model: &'a dyn Model,
    graph: &'a Graph,
    comparisons: Vec<&'a Formula<AtomId>>,
    moments: Vec<Moment>,
    /// The first moment of the last round, and how long the round takes. A deadlock has none.
    round: Option<(usize, u64)>,
}

impl Course {
    fn is_fair(&self, graph: &Graph, fairness: Fairness) -> bool {
        let Some(back) = self.back else { return true };
        graph.subjects.iter().all(|&subject| {
            let mut enabled = self.states[back..].iter().map(|&state| graph.is_enabled(state, subject));
            let moves = self.steps[back..].iter().any(|step| step.1 == subject);
            match fairness {
                Fairness::None => true,
                Fairness::Weak => moves || !enabled.all(|enabled| enabled),
                Fairness::Strong => moves || !enabled.any(|enabled| enabled),
            }
        })
    }

    /// Whether the run satisfies each of these formulas. Their clocks cut the run together.
    #[must_use]
    pub fn satisfies(&self, model: &dyn Model, graph: &Graph, paths: &[&Path<AtomId>]) -> Vec<bool> {
        let mut comparisons = Vec::new();
        paths.iter().for_each(|path| collect(Subformula::Path(path), &mut comparisons));
        let cut = self.cut(model, graph, comparisons);
        paths.iter().map(|path| cut.path(path)[0]).collect()
    }

    fn cut<'a>(
        &self,
        model: &'a dyn Model,
        graph: &'a Graph,
        comparisons: Vec<&'a Formula<AtomId>>,
    ) -> Cut<'a> {
        // Clocks may be nested, so that one starts when another has come to its constant.
        let largest = comparisons.iter().map(|comparison| limit(comparison)).sum();
        // Each thing that looks at states, and not at time, may take a few visits or rounds to come to rest.
        let unit = model.signature().unit;
        let patience = comparisons.iter().map(|comparison| visits_remembered(comparison, unit)).sum();
        let (visits, start_of_round) = self.unrolled(largest, patience);
        let mut cut = Cut { model, graph, comparisons, moments: Vec::new(), round: None };
        let mut ticks: Vec<Tick> = Vec::new();
        let mut time = 0;
        let mut times = Vec::new();
        for (visit, &(state, length)) in visits.iter().enumerate() {
            times.push(time);
            // A deadlock is looked at until no clock can change any more, and perhaps entered again after that.
            let last = length.map_or(2 * largest + 4, |length| 2 * length);
            let halves: Vec<u64> = match unit.is_dense() {
                true => (0..=last).collect(),
                false => (0..last.max(1)).step_by(2).collect(),
            };
            for half in halves {
                let again = half == 0 && length.is_none() && visit > 0 && visits[visit - 1].1.is_none();
                let stands_alone = half == 0 || half == last && length.is_some();
                let comparisons = Vec::new();
                let tick = Tick { visit, state, time: time + half, stands_alone, again, comparisons };
                ticks.push(tick);
                let truths = cut.truths(&ticks);
                ticks.last_mut().expect("just pushed").comparisons = truths;
            }
            time += last;
        }
        for tick in ticks {
            let known = cut.moments.last();
            if tick.stands_alone || known.is_none_or(|moment| moment.comparisons != tick.comparisons) {
                let Tick { visit, state, time, again, comparisons, .. } = tick;
                cut.moments.push(Moment { visit, state, time, again, comparisons });
            }
        }
        cut.round = start_of_round.map(|start| {
            let first = cut.moments.iter().position(|moment| moment.visit == start);
            (first.expect("every visit has a moment"), time - times[start])
        });
        cut
    }

    /// The visits to states and how long they last, until time is above the constant; and the first visit of the last
    /// round.
    fn unrolled(&self, largest: u64, patience: usize) -> (Vec<(usize, Option<u64>)>, Option<usize>) {
        let visit = |at: usize| (self.states[at], Some(u64::from(self.steps[at].0)));
        let mut visits: Vec<(usize, Option<u64>)> = (0..self.steps.len()).map(visit).collect();
        let Some(back) = self.back else {
            let end = (self.states[self.steps.len()], None);
            visits.extend(std::iter::repeat_n(end, 1 + patience));
            return (visits, None);
        };
        let length: u64 = self.steps[back..].iter().map(|step| u64::from(step.0)).sum();
        let rounds = largest.checked_div(length).map_or(2, |rounds| rounds + 3);
        let mut start = back;
        for _ in 0..rounds + patience as u64 {
            start = visits.len();
            visits.extend((back..self.steps.len()).map(visit));
        }
        (visits, Some(start))
    }
}

fn limit(comparison: &Formula<AtomId>) -> u64 {
    match comparison {
        Formula::Timer(_, _, bound) => bound.amount,
        _ => 0,
    }
}

/// After how many visits to states what is remembered comes to rest.
fn visits_remembered(comparison: &Formula<AtomId>, unit: TimeUnit) -> usize {
    match comparison {
        Formula::Timer(_, _, bound) if counts_steps(bound, unit) => bound.amount as usize + 2,
        Formula::Past(_) => 1,
        _ => 0,
    }
}

/// Whether a clock counts steps.
fn counts_steps(bound: &Bound, unit: TimeUnit) -> bool {
    bound.unit.map_or(unit == TimeUnit::Steps, |counted| counted == Unit::Steps)
}

fn collect<'p>(part: Subformula<'p, AtomId>, found: &mut Vec<&'p Formula<AtomId>>) {
    part.children().for_each(|child| collect(child, found));
    if let Subformula::State(formula @ (Formula::Timer(..) | Formula::Past(_))) = part {
        found.push(formula);
    }
}

/// What is said of the past, by looking back.
fn was(
    past: &Past<AtomId>,
    here: &Tick,
    before: &[Tick],
    holds_here: &dyn Fn(&Formula<AtomId>) -> bool,
    held: &dyn Fn(&Formula<AtomId>, &Tick) -> bool,
) -> bool {
    match past {
        Past::Once(a) => holds_here(a) || before.iter().any(|tick| held(a, tick)),
        Past::Historically(a) => holds_here(a) && before.iter().all(|tick| held(a, tick)),
        Past::Previously(a) => {
            let last = before.iter().rev().find(|tick| tick.visit != here.visit);
            last.is_some_and(|tick| held(a, tick))
        }
        Past::Since(a, b) => {
            let last = before.iter().rposition(|tick| held(b, tick));
            let lasted = |from: usize| holds_here(a) && before[from..].iter().all(|tick| held(a, tick));
            holds_here(b) || last.is_some_and(|last| lasted(last + 1))
        }
    }
}

impl Cut<'_> {
    /// The truth of all comparisons at the last tick, by looking back.
    fn truths(&self, ticks: &[Tick]) -> Vec<bool> {
        let (here, before) = ticks.split_last().expect("called with a tick");
        let mut truths = Vec::new();
        for comparison in &self.comparisons {
            let holds_here = |formula: &Formula<AtomId>| self.holds(formula, here.state, &truths);
            let held =
                |formula: &Formula<AtomId>, tick: &Tick| self.holds(formula, tick.state, &tick.comparisons);
            if let Formula::Past(past) = comparison {
                let truth = was(past, here, before, &holds_here, &held);
                truths.push(truth);
                continue;
            }
            let Formula::Timer(timer, relation, bound) = comparison else {
                unreachable!("only clocks and the past are listed")
            };
            let in_steps = counts_steps(bound, self.model.signature().unit);
            let count = |tick: &Tick| if in_steps { 2 * tick.visit as u64 } else { tick.time };
            // In half units; `None` is infinite.
            let value = match timer {
                Timer::Now => Some(count(here)),
                Timer::Held(formula) => Some(if holds_here(formula) {
                    let since = before.iter().rev().take_while(|tick| held(formula, tick)).last();
                    count(here) - count(since.unwrap_or(here))
                } else {
                    0
                }),
                Timer::Since(formula) => {
                    if holds_here(formula) {
                        Some(0)
                    } else {
                        // It held until the tick after the last one at which it did.
                        let last = before.iter().rposition(|tick| held(formula, tick));
                        last.map(|last| count(here) - count(&ticks[last + 1]))
                    }
                }
            };
            let limit = 2 * bound.amount;
            truths.push(match relation {
                Relation::Eq => value == Some(limit),
                Relation::Ne => value != Some(limit),
                Relation::Lt => value.is_some_and(|value| value < limit),
                Relation::Le => value.is_some_and(|value| value <= limit),
                Relation::Gt => value.is_none_or(|value| value > limit),
                Relation::Ge => value.is_none_or(|value| value >= limit),
            });
        }
        truths
    }

    fn holds(&self, formula: &Formula<AtomId>, state: usize, truths: &[bool]) -> bool {
        formula.truth(&mut |leaf| match leaf {
            Formula::Deadlock => self.graph.edges[state].is_empty(),
            Formula::Atom(atom) => self.model.holds(*atom, &self.graph.states[state]),
            Formula::Timer(..) | Formula::Past(_) => {
                let at = self.comparisons.iter().position(|comparison| *comparison == leaf);
                truths[at.expect("all comparisons were listed, inner ones first")]
            }
            _ => false,
        })
    }

    /// The moment after a moment, and its time if the first one has this time; `None` at the end of time.
    fn next(&self, at: usize, time: u64) -> Option<(usize, u64)> {
        match (self.moments.get(at + 1), self.round) {
            (Some(next), _) if next.again => Some((at + 1, time + AFTER_ALL)),
            (Some(next), _) => Some((at + 1, time + next.time - self.moments[at].time)),
            (None, Some((start, length))) => {
                let ends = self.moments[start].time + length;
                Some((start, time + ends - self.moments[at].time))
            }
            (None, None) => None,
        }
    }

    /// The truth of a formula at every moment.
    fn path(&self, path: &Path<AtomId>) -> Vec<bool> {
        let all = |value: bool| vec![value; self.moments.len()];
        let not = |values: Vec<bool>| -> Vec<bool> { values.into_iter().map(|value| !value).collect() };
        let join = |connective: Connective, a: Vec<bool>, b: Vec<bool>| -> Vec<bool> {
            a.into_iter().zip(b).map(|(a, b)| connective.of(a, b)).collect()
        };
        match path {
            Path::Accepted(_) => unreachable!("automata read words without times"),
            Path::Now(formula) => {
                let now = |moment: &Moment| self.holds(formula, moment.state, &moment.comparisons);
                self.moments.iter().map(now).collect()
            }
            Path::Not(a) => not(self.path(a)),
            Path::And(a, b) => join(Connective::And, self.path(a), self.path(b)),
            Path::Or(a, b) => join(Connective::Or, self.path(a), self.path(b)),
            Path::Implies(a, b) => join(Connective::Implies, self.path(a), self.path(b)),
            Path::Iff(a, b) => join(Connective::Iff, self.path(a), self.path(b)),
            Path::Next(a) => {
                let values = self.path(a);
                (0..values.len()).map(|at| values[self.next_entry(at)]).collect()
            }
            Path::Eventually(when, a) => self.until(when, &all(true), &self.path(a)),
            Path::Always(when, a) => not(self.until(when, &all(true), &not(self.path(a)))),
            Path::Until(until, when, a, b) => match until.define(self.path(a), self.path(b), join) {
                Basic::Until(a, b) => self.until(when, &a, &b),
                Basic::Release(a, b) => not(self.until(when, &not(a), &not(b))),
            },
        }
    }

    /// Where the next state is entered; in a deadlock that is the moment after which nothing changes.
    fn next_entry(&self, at: usize) -> usize {
        let own = self.moments[at].visit;
        let later = (at + 1..self.moments.len()).find(|&later| self.moments[later].visit != own);
        let end = self.round.map_or(self.moments.len() - 1, |(start, _)| start);
        later.unwrap_or(end)
    }

    fn until(&self, when: &Interval, a: &[bool], b: &[bool]) -> Vec<bool> {
        let steps = |bound: &Bound| bound.unit == Some(Unit::Steps);
        if when.low.iter().chain(&when.high).any(steps) {
            let low = when.low.as_ref().map_or(0, |low| low.amount + u64::from(low.strict));
            let high =
                when.high.as_ref().map(|high| (high.amount + 1).saturating_sub(u64::from(high.strict)));
            return (0..a.len()).map(|at| self.until_steps(at, low, high, a, b)).collect();
        }
        // Just after a number is half a unit later, or the next number.
        let grain = if self.model.signature().unit.is_dense() { 1 } else { 2 };
        let low = when.low.as_ref().map_or(0, |low| 2 * low.amount + grain * u64::from(low.strict));
        // The first time that is too late.
        let high = when.high.as_ref().map(|high| 2 * high.amount + u64::from(!high.strict));
        (0..a.len()).map(|at| self.until_time(at, low, high, a, b)).collect()
    }

    /// Step by step from entry to entry; without a high end the rest is an ordinary until.
    fn until_steps(&self, at: usize, low: u64, too_far: Option<u64>, a: &[bool], b: &[bool]) -> bool {
        match (low, too_far) {
            (_, Some(0)) => false,
            (0, None) => self.until_time(at, 0, None, a, b),
            _ => {
                let entry = self.next_entry(at);
                let later = |low: u64| self.until_steps(entry, low, too_far.map(|far| far - 1), a, b);
                low == 0 && b[at] || a[at] && later(low.saturating_sub(1))
            }
        }
    }

    fn until_time(&self, start: usize, low: u64, too_late: Option<u64>, a: &[bool], b: &[bool]) -> bool {
        let (mut at, mut time) = (start, 0);
        if too_late.is_some_and(|end| end <= low) {
            return false;
        }
        // Enough to see every moment once more after the window has opened, or time stands still.
        let mut patience = 2 * a.len() + 2;
        while patience > 0 && too_late.is_none_or(|end| time < end) {
            let next = self.next(at, time);
            let meets = time >= low || next.is_none_or(|(_, leaves)| leaves > low);
            if meets && b[at] && (time >= low || a[at]) {
                return true;
            }
            if !a[at] {
                return false;
            }
            let Some((later, leaves)) = next else { return false };
            patience = if leaves > time && time < low { 2 * a.len() + 2 } else { patience - 1 };
            (at, time) = (later, leaves);
        }
        false
    }
}
