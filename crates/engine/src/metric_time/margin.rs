//! The worst case behind a claim about time: the longest way through the explored graph that still waits for the answer.

use motet_evidence::{Fairness, Margin, Measure, Stop};
use motet_model::{AtomId, TimeUnit};
use motet_property::{Bound, Formula, Interval, Path, Quantifier, Relation, Timer, each_time};

use crate::exploration::graph::{Graph, Hop};
use crate::exploration::limits::Meter;
use crate::formulas::valuation::column;
use crate::linear_time::linear::{Counted, check_plain, counts, is_state, state};
use crate::metric_time::clocks::{mentions_clock, ticks};
use crate::metric_time::longest::{ENDLESS, Next, Rounds, Walk, Ways, Weight, narrow};
use crate::metric_time::starts::Starts;

/// Steps of a run that is made along the longest ways.
const STEPS_MAX: usize = 200_000;

/// Something a claim bounds or waits for.
#[derive(Clone, Debug)]
pub(crate) struct Gauge {
    pub(crate) measure: Measure,
    /// The trigger of a response; everything else starts anywhere or at the start.
    pub(crate) from: Formula<AtomId>,
    trigger: Trigger,
    /// What is waited for; or what lasts, for a duration.
    pub(crate) about: Formula<AtomId>,
    pub(crate) bound: Option<Bound>,
    pub(crate) weight: Weight,
}

/// When the time of a response begins to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trigger {
    /// Wherever the trigger holds.
    Holds,
    /// Wherever it begins to hold.
    Begins,
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
            Path::And(a, b) => match each_time(path) {
                Some((trigger, due)) => {
                    let Path::Eventually(when, goal) = &due else { return None };
                    self.add(Measure::Response, Some(&trigger), goal, when)?;
                    let gauge = self.found.last_mut()?;
                    gauge.trigger = Trigger::Begins;
                    Some(())
                }
                None => self.path(a).and_then(|()| self.path(b)),
            },
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
        if ticks(bound, self.unit) == Counted::Steps {
            return None;
        }
        let bound = Some(Bound { strict, ..bound.clone() });
        let (from, about) = (Formula::True, (**about).clone());
        let weight = if self.unit.is_dense() { Weight::Delay } else { Weight::Stay };
        self.found.push(Gauge { measure, from, trigger: Trigger::Holds, about, bound, weight });
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
            // Steps can be told beside time only where they are the time.
            let told = |counted: &Counted| *counted == Counted::Time || self.unit == TimeUnit::Steps;
            counts(bound, self.unit).ok().filter(told)?;
        }
        let formula = |path: &Path<AtomId>| is_state(path).then(|| state(path));
        let from = trigger.map_or(Some(Formula::True), formula)?;
        let about = formula(goal)?;
        self.plain(&from).and_then(|()| self.plain(&about))?;
        let (trigger, weight) = (Trigger::Holds, Weight::of(self.unit));
        self.found.push(Gauge { measure, from, trigger, about, bound: bound.clone(), weight });
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
        let ways = Ways::new(graph, &inside, self.rounds(), fairness, self.weight);
        let (longest, unfair) = ways.run(meter)?;
        let of = |state: usize| if inside(state) { longest[state] } else { 0 };
        let n_states = graph.n_states();
        let worst = match self.measure {
            Measure::Response => self.starts(graph).states.ones().map(of).max(),
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
        let (longest, _) = Ways::new(graph, &inside, self.rounds(), fairness, self.weight).run(meter)?;
        let from = self.starts(graph);
        let starts = |state: &usize| match self.measure {
            Measure::Response => from.states.get(*state),
            Measure::Arrival => graph.initial.iter().any(|&start| start as usize == *state),
            Measure::Duration | Measure::Age => true,
        };
        // The instant at which the wait is over belongs to it.
        let too_long = |waited: u64| waited > bound.amount || waited == bound.amount && bound.strict;
        let beyond = |state: &usize| inside(*state) && too_long(longest[*state]);
        let Some(start) = (0..graph.n_states()).filter(beyond).find(starts) else { return Ok(None) };
        let rows = graph.rows.as_ref().expect("margins are measured on a graph with edges");
        let (first, mut hops) = from.way_to(graph, rows, narrow(start));
        let walk = Walk { graph, rows, inside: &inside, longest: &longest, weight: self.weight };
        let (mut at, mut waited) = (narrow(start), 0_u64);
        while !too_long(waited) {
            meter.tick(graph.bytes() + 16 * hops.capacity() as u64)?;
            match walk.on(at) {
                Some(Next::Edges(edges)) => {
                    for edge in edges {
                        waited += walk.length(edge);
                        at = rows.target(edge);
                        hops.push(Hop::along(rows, edge));
                    }
                }
                Some(Next::Stays(edges)) => {
                    hops.extend(edges.into_iter().map(|edge| Hop::along(rows, edge)));
                    break;
                }
                None => return Ok(None),
            }
            if hops.len() > STEPS_MAX {
                return Ok(None);
            }
        }
        Ok(Some((first, hops)))
    }

    /// Where the time of a response begins to count.
    fn starts(&self, graph: &Graph) -> Starts {
        match self.trigger {
            Trigger::Holds => Starts::anywhere(column(graph, &self.from)),
            Trigger::Begins => Starts::begins(graph, column(graph, &self.from)),
        }
    }

    /// What it means to go round without an answer in no time.
    fn rounds(&self) -> Rounds {
        match self.measure {
            Measure::Response | Measure::Arrival => Rounds::Never,
            Measure::Duration | Measure::Age => Rounds::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use motet_evidence::{Evidence, replay};
    use motet_naive::random::{Random, Shape, Table};
    use motet_property::{Claim, Expect, Kind, Unit};
    use motet_source::{FileId, Span};

    use super::*;
    use crate::checking::settings::Order;
    use crate::exploration::explore::{Edges, Plan, explore};
    use crate::exploration::limits::Limits;

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
                partial_order: None,
                chains: None,
                rewards: Vec::new(),
                threads: 1,
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
