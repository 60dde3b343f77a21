//! Questions for a time: the engine, the replay and the naive twin agree on random models with delays.

mod support;

use motet_engine::{Settings, check, check_all};
use motet_evidence::{Evidence, Fairness, Outcome, Stop, Vacuity, Verdict, replay_outcome};
use motet_model::{AtomId, Checked, Model, TimeUnit};
use motet_naive::random::{Random, Shape, Table};
use motet_naive::{Graph, waits};
use motet_property::{Bound, Claim, Extremum, Formula, Interval, Kind, Path, Unit};
use support::{always, atom, claim, fair, implies, rounds};

const SHAPE: Shape = Shape { n_states: 6, n_processes: 2, n_atoms: 2 };

fn timed_table(random: &mut Random) -> Table {
    let mut table = Table::random(random, SHAPE);
    table.signature.unit = TimeUnit::Milliseconds;
    table.delay(random);
    table
}

fn holds(number: u32) -> Box<Formula<AtomId>> {
    Box::new(Formula::Atom(AtomId(number)))
}

fn question(extremum: Extremum, from: Option<u32>) -> Claim<AtomId> {
    claim(Kind::Query, Path::Now(Formula::Wait(extremum, from.map(holds), holds(1))))
}

/// The time in an outcome; the inner `None` is infinite.
fn time(outcome: &Outcome) -> Option<u64> {
    let Verdict::Value { low, high } = outcome.verdict else { panic!("a value: {:?}", outcome.verdict) };
    let margin = outcome.margin.expect("a time has a margin").worst;
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let value = margin.map_or(f64::INFINITY, |time| time as f64);
    assert_eq!((low, high), (value, value));
    margin
}

#[test]
fn the_longest_and_the_shortest_time_are_those_of_the_naive_twin() {
    let (mut finite, mut infinite) = (0, 0);
    for seed in 0..rounds(900) {
        let mut random = Random::new(seed);
        let table = Checked::new(timed_table(&mut random));
        let graph = Graph::of(&table).expect("no faults");
        let at = |number: u32| {
            let (table, graph) = (&table, &graph);
            move |state: usize| table.holds(AtomId(number), &graph.states[state])
        };
        let (a, b) = (at(0), at(1));
        for from in [None, Some(0)] {
            let begins: Option<&dyn Fn(usize) -> bool> = if from.is_some() { Some(&a) } else { None };
            let (longest, shortest) = waits(&graph, begins, &b);
            for (extremum, expected) in [(Extremum::Max, longest), (Extremum::Min, shortest)] {
                let query = question(extremum, from);
                let outcome = check(&table, &query, &Settings::default());
                let context = format!(
                    "seed {seed}, {extremum:?} from {from:?}\n{:?}\n{:?}",
                    table.inner().rows,
                    table.inner().atoms
                );
                assert_eq!(time(&outcome), expected, "{context}");
                assert_eq!(replay_outcome(&table, &[], &query, &outcome), Ok(()), "{context}");
                let begun = !matches!(outcome.vacuity, Vacuity::NeverTriggered(_));
                // Only a shortest time that no run takes has no run to show, and a time that never begins.
                let shown = begun && (expected.is_some() || extremum == Extremum::Max);
                assert_eq!(outcome.evidence.is_some(), shown, "{context}");
                finite += usize::from(expected.is_some_and(|time| time > 0));
                infinite += usize::from(expected.is_none());
            }
        }
    }
    assert!(finite > 300 && infinite > 300, "{finite} finite, {infinite} infinite");
}

/// With fairness the longest time is the smallest bound that holds; a run that is shown as never ending is fair, or goes
/// round in time.
#[test]
fn under_fairness_the_longest_time_is_the_smallest_bound_that_holds() {
    let (mut finite, mut never, mut put_off) = (0, 0, 0);
    for seed in 10_000..10_000 + rounds(500) {
        let mut random = Random::new(seed);
        let table = timed_table(&mut random);
        let within = |amount| {
            let high = Some(Bound { amount, unit: Some(Unit::Clock), strict: false });
            Path::Eventually(Interval { low: None, high }, Box::new(atom(1)))
        };
        for fairness in [Fairness::Weak, Fairness::Strong] {
            let query = question(Extremum::Max, None);
            let outcome = check(&table, &query, &fair(fairness));
            let context = format!("seed {seed}, {fairness:?}\n{:?}\n{:?}", table.rows, table.atoms);
            assert_eq!(replay_outcome(&table, &[], &query, &outcome), Ok(()), "{context}");
            let answer =
                |amount| check(&table, &claim(Kind::Property, within(amount)), &fair(fairness)).verdict;
            match time(&outcome) {
                Some(time) => {
                    assert_eq!(answer(time), Verdict::Holds, "{context}");
                    assert!(time == 0 || answer(time - 1) == Verdict::Fails, "{context}");
                    finite += 1;
                }
                None => {
                    assert_eq!(answer(1000), Verdict::Fails, "{context}");
                    let evidence = outcome.evidence.as_ref().expect("a run that never gets there");
                    match evidence.fairness {
                        Fairness::None if evidence.loop_start.is_some() => put_off += 1,
                        _ => never += 1,
                    }
                }
            }
        }
    }
    assert!(finite > 100 && never > 100 && put_off > 0, "{finite} {never} {put_off}");
}

/// 0 to 4 over a short and a long way, then a dead end; the time from state 1 is 3 or 30.
fn line() -> Table {
    let mut table = Table::new(Shape { n_states: 6, n_processes: 1, n_atoms: 2 });
    table.signature.unit = TimeUnit::Milliseconds;
    for (from, to, delay) in [(0, 1, 5), (1, 2, 1), (2, 4, 2), (1, 3, 10), (3, 4, 20)] {
        table.step_after(from, 0, to, delay);
    }
    table.atoms[0][1] = true;
    table.atoms[1][4] = true;
    table
}

fn delays(evidence: &Evidence) -> Vec<u32> {
    evidence.run.steps.iter().map(|taken| taken.delay).collect()
}

#[test]
fn the_slowest_and_the_fastest_run_are_shown() {
    let table = line();
    let ask = |extremum, from| check(&table, &question(extremum, from), &Settings::default());
    for (extremum, from, expected, way) in [
        (Extremum::Max, None, 35, vec![5, 10, 20]),
        (Extremum::Min, None, 8, vec![5, 1, 2]),
        (Extremum::Max, Some(0), 30, vec![5, 10, 20]),
        (Extremum::Min, Some(0), 3, vec![5, 1, 2]),
    ] {
        let outcome = ask(extremum, from);
        assert_eq!(time(&outcome), Some(expected));
        assert_eq!(delays(&outcome.evidence.expect("a run")), way);
    }
}

#[test]
fn a_forged_time_is_not_replayed() {
    let table = line();
    let query = question(Extremum::Max, None);
    let mut outcome = check(&table, &query, &Settings::default());
    outcome.verdict = Verdict::Value { low: 36.0, high: 36.0 };
    assert!(replay_outcome(&table, &[], &query, &outcome).is_err());
    outcome.verdict = Verdict::Value { low: f64::INFINITY, high: f64::INFINITY };
    assert!(replay_outcome(&table, &[], &query, &outcome).is_err());
}

#[test]
fn a_time_that_never_begins_is_told() {
    let mut table = line();
    table.atoms[0][1] = false;
    let ask = |extremum| check(&table, &question(extremum, Some(0)), &Settings::default());
    assert_eq!((time(&ask(Extremum::Max)), time(&ask(Extremum::Min))), (Some(0), None));
    assert!(matches!(ask(Extremum::Max).vacuity, Vacuity::NeverTriggered(_)));
}

#[test]
fn cycles_and_firings_are_counted_like_time_and_steps_one_by_one() {
    for (unit, expected) in [(TimeUnit::Cycles, 35), (TimeUnit::Firings, 35), (TimeUnit::Steps, 3)] {
        let mut table = line();
        table.signature.unit = unit;
        let query = question(Extremum::Max, None);
        let outcome = check(&table, &query, &Settings::default());
        assert_eq!(time(&outcome), Some(expected), "{unit:?}");
        assert_eq!(replay_outcome(&table, &[], &query, &outcome), Ok(()), "{unit:?}");
    }
}

#[test]
fn beside_an_assumption_there_is_no_answer() {
    let table = line();
    let claims = [claim(Kind::Assume, always(implies(atom(0), atom(0)))), question(Extremum::Max, None)];
    let report = check_all(&table, &claims, &Settings::default(), &mut |_| {});
    assert!(matches!(report.outcomes[1].verdict, Verdict::Unknown(Stop::Unsupported(_))));
}
