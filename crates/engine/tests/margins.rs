//! The worst case beside a verdict is the worst case over all runs.

mod support;

use motet_engine::{Settings, check};
use motet_evidence::{Fairness, Margin, Measure, Outcome, Verdict};
use motet_model::{AtomId, Model, TimeUnit};
use motet_naive::random::{Random, Shape, Table};
use motet_naive::{Graph, longest_stay, longest_wait, waits};
use motet_property::{Bound, Formula, Interval, Kind, Path, Relation, Timer, Unit, Until};
use support::{always, atom, claim, eventually, fair, implies, rounds};

const SHAPE: Shape = Shape { n_states: 6, n_processes: 2, n_atoms: 2 };

fn bound(amount: u64) -> Bound {
    Bound { amount, unit: Some(Unit::Clock), strict: false }
}

fn within(amount: u64, path: Path<AtomId>) -> Path<AtomId> {
    due(bound(amount), path)
}

fn due(bound: Bound, path: Path<AtomId>) -> Path<AtomId> {
    Path::Eventually(Interval { low: None, high: Some(bound) }, Box::new(path))
}

fn clock(timer: Timer<AtomId>, amount: u64) -> Path<AtomId> {
    compared(timer, bound(amount))
}

fn compared(timer: Timer<AtomId>, bound: Bound) -> Path<AtomId> {
    always(Path::Now(Formula::Timer(timer, Relation::Le, bound)))
}

fn inner(number: u32) -> Box<Formula<AtomId>> {
    Box::new(Formula::Atom(AtomId(number)))
}

fn timed_table(random: &mut Random) -> Table {
    let mut table = Table::random(random, SHAPE);
    table.signature.unit = TimeUnit::Milliseconds;
    table.delay(random);
    table
}

/// The same claim in a form that measures nothing, so that only the search answers it.
fn searched(model: &dyn Model, formula: &Path<AtomId>, fairness: Fairness) -> Verdict {
    let both = Path::And(Box::new(formula.clone()), Box::new(Path::Now(Formula::True)));
    let outcome = check(model, &claim(Kind::Property, both), &fair(fairness));
    assert_eq!(outcome.margin, None);
    outcome.verdict
}

fn asked(model: &dyn Model, formula: &Path<AtomId>, fairness: Fairness) -> Outcome {
    check(model, &claim(Kind::Property, formula.clone()), &fair(fairness))
}

#[test]
fn the_worst_case_is_the_longest_way_and_decides_the_claim() {
    let (mut finite, mut never) = (0, 0);
    for seed in 0..rounds(900) {
        let mut random = Random::new(seed);
        let mut table = timed_table(&mut random);
        let (unit, counted) = [(TimeUnit::Milliseconds, Unit::Clock), (TimeUnit::Firings, Unit::Firings)]
            [usize::from(seed % 2 == 1)];
        table.signature.unit = unit;
        let graph = Graph::of(&table).expect("no faults");
        let holds = |number: u32| {
            let (table, graph) = (&table, &graph);
            move |state: usize| table.holds(AtomId(number), &graph.states[state])
        };
        let (a, b) = (holds(0), holds(1));
        let starts = |state: usize| graph.initial.contains(&state);
        let amount = random.below(12) as u64;
        let triggered = (0..graph.states.len()).any(a);
        let limit = || Bound { unit: Some(counted), ..bound(amount) };
        let age = if graph.initial.iter().all(|&start| a(start)) {
            longest_stay(&graph, unit, &|state| !a(state))
        } else {
            None
        };
        let cases = [
            (
                Measure::Response,
                always(implies(atom(0), due(limit(), atom(1)))),
                longest_wait(&graph, &a, &b),
            ),
            (Measure::Arrival, due(limit(), atom(1)), longest_wait(&graph, &starts, &b)),
            (Measure::Duration, compared(Timer::Held(inner(0)), limit()), longest_stay(&graph, unit, &a)),
            (Measure::Age, compared(Timer::Since(inner(0)), limit()), age),
        ];
        for (measure, formula, worst) in cases {
            let outcome = asked(&table, &formula, Fairness::None);
            let context = format!("seed {seed}, {formula:?}\n{:?}\n{:?}", table.rows, table.atoms);
            let margin = Margin { measure, bound: Some(amount), worst };
            let expected = (measure != Measure::Response || triggered).then_some(margin);
            assert_eq!(outcome.margin, expected, "{context}");
            let verdict = searched(&table, &formula, Fairness::None);
            assert_eq!(outcome.verdict, verdict, "{context}");
            assert_eq!(verdict == Verdict::Holds, worst.is_some_and(|worst| worst <= amount), "{context}");
            finite += usize::from(worst.is_some_and(|worst| worst > 0));
            never += usize::from(worst.is_none());
        }
    }
    assert!(finite > 200 && never > 200, "{finite} finite, {never} never");
}

#[test]
fn under_fairness_the_worst_case_is_the_smallest_bound_that_holds() {
    let mut examined = 0;
    for seed in 5000..5000 + rounds(700) {
        let mut random = Random::new(seed);
        let table = timed_table(&mut random);
        let response = |amount| always(implies(atom(0), within(amount, atom(1))));
        let outcome = asked(&table, &response(7), Fairness::Weak);
        let context = format!("seed {seed}\n{:?}\n{:?}", table.rows, table.atoms);
        let Some(margin) = outcome.margin else { continue };
        let verdict = |amount| searched(&table, &response(amount), Fairness::Weak);
        assert_eq!(outcome.verdict, verdict(7), "{context}");
        match margin.worst {
            None => assert_eq!(verdict(1000), Verdict::Fails, "{context}"),
            Some(worst) => {
                assert_eq!(verdict(worst), Verdict::Holds, "{context}");
                if worst > 0 {
                    assert_eq!(verdict(worst - 1), Verdict::Fails, "{context}");
                    examined += 1;
                }
            }
        }
    }
    assert!(examined > 50, "{examined}");
}

#[test]
fn of_several_instances_the_one_with_the_least_time_left_is_told() {
    let mut table = Table::new(Shape { n_states: 4, n_processes: 1, n_atoms: 4 });
    table.signature.unit = TimeUnit::Milliseconds;
    (0..3).for_each(|state| table.step_after(state, 0, state + 1, 10));
    table.atoms[0][0] = true;
    table.atoms[1][1] = true;
    table.atoms[2][3] = true;
    let one = |trigger, amount| always(implies(atom(trigger), within(amount, atom(2))));
    let both = Path::And(Box::new(one(0, 35)), Box::new(one(1, 21)));
    let outcome = check(&table, &claim(Kind::Property, both), &Settings::default());
    let margin = Margin { measure: Measure::Response, bound: Some(21), worst: Some(20) };
    assert_eq!((outcome.verdict, outcome.margin), (Verdict::Holds, Some(margin)));
    // A plain response is measured too, where there is a clock.
    let plain = always(implies(atom(0), eventually(atom(2))));
    let margin = Margin { measure: Measure::Response, bound: None, worst: Some(30) };
    assert_eq!(asked(&table, &plain, Fairness::None).margin, Some(margin));
    table.signature.unit = TimeUnit::Cycles;
    assert_eq!(asked(&table, &plain, Fairness::None).margin, None);
}

/// The trigger is at 0, the deadline at 15 is missed at 20, and the soonest answer is at 50; the way there over the other
/// branch takes longer.
#[test]
fn a_missed_deadline_is_told_up_to_the_soonest_answer() {
    let mut table = Table::new(Shape { n_states: 6, n_processes: 1, n_atoms: 2 });
    table.signature.unit = TimeUnit::Milliseconds;
    for (from, to, delay) in [(0, 1, 10), (1, 2, 10), (2, 4, 50), (2, 3, 10), (3, 4, 20), (4, 5, 1)] {
        table.step_after(from, 0, to, delay);
    }
    table.atoms[0][0] = true;
    table.atoms[1][4] = true;
    let response = always(implies(atom(0), within(15, atom(1))));
    for formula in [response, within(15, atom(1))] {
        let property = claim(Kind::Property, formula);
        let outcome = check(&table, &property, &Settings::default());
        assert_eq!(outcome.verdict, Verdict::Fails);
        let evidence = outcome.evidence.expect("a counterexample");
        assert_eq!(motet_evidence::replay(&table, &property, &evidence), Ok(()));
        let delays: Vec<u32> = evidence.run.steps.iter().map(|taken| taken.delay).collect();
        assert_eq!(delays, [10, 10, 10, 20]);
        assert_eq!(outcome.margin.and_then(|margin| margin.worst), Some(70));
    }
    // Without an answer the run ends where the deadline is missed.
    table.atoms[1][4] = false;
    let outcome = check(&table, &claim(Kind::Property, within(15, atom(1))), &Settings::default());
    let evidence = outcome.evidence.expect("a counterexample");
    assert_eq!((evidence.run.steps.len(), evidence.loop_start), (2, None));
    assert_eq!(outcome.margin.map(|margin| margin.worst), Some(None));
}

/// States say nothing about time here, so that there are far more pairs of a state and a time than anybody wants to look
/// at; the worst case leads the way.
#[test]
fn deadlines_far_away_are_answered_without_looking_at_every_time() {
    const HOUR: u64 = 3_600_000;
    let n = 3000;
    let mut random = Random::new(7);
    let mut table = Table::new(Shape { n_states: n, n_processes: 2, n_atoms: 2 });
    table.signature.unit = TimeUnit::Milliseconds;
    for state in 0..n {
        for process in 0..2 {
            let delay = [0, 0, 1000, 5000, 60_000, 600_000][random.below(6)];
            table.step_after(state, process, random.below(n), delay);
        }
        table.atoms[0][state] = random.once_in(50);
        table.atoms[1][state] = random.once_in(40);
    }
    let never = Box::new(Formula::Not(inner(1)));
    let cases = [
        always(implies(atom(0), within(24 * HOUR, atom(1)))),
        within(24 * HOUR, atom(1)),
        clock(Timer::Held(never), 24 * HOUR),
    ];
    for formula in cases {
        for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
            let property = claim(Kind::Property, formula.clone());
            let outcome = check(&table, &property, &fair(fairness));
            assert_eq!(outcome.verdict, Verdict::Fails, "{formula:?}");
            assert_eq!(outcome.margin.map(|margin| margin.worst), Some(None), "{formula:?}");
            let evidence = outcome.evidence.expect("a counterexample");
            assert_eq!(motet_evidence::replay(&table, &property, &evidence), Ok(()), "{formula:?}");
        }
    }
}

/// From 0 over 1 and 2 to the answer in 3, ten units each.
fn line(unit: TimeUnit) -> Table {
    let mut table = Table::new(Shape { n_states: 4, n_processes: 1, n_atoms: 2 });
    table.signature.unit = unit;
    (0..3).for_each(|state| table.step_after(state, 0, state + 1, 10));
    table.atoms[0][1] = true;
    table.atoms[0][2] = true;
    table.atoms[1][3] = true;
    table
}

#[test]
fn worst_cases_are_told_in_cycles_and_firings_and_where_steps_are_all_in_steps() {
    let cases = [
        (TimeUnit::Cycles, Unit::Cycles, 30, 20),
        (TimeUnit::Firings, Unit::Firings, 30, 20),
        (TimeUnit::Steps, Unit::Steps, 3, 2),
    ];
    for (unit, counted, arrival, response) in cases {
        let table = line(unit);
        let within = |amount| {
            let high = Some(Bound { amount, unit: Some(counted), strict: false });
            Path::Eventually(Interval { low: None, high }, Box::new(atom(1)))
        };
        let answer = |formula| check(&table, &claim(Kind::Property, formula), &Settings::default());
        for (amount, verdict) in [(arrival, Verdict::Holds), (arrival - 1, Verdict::Fails)] {
            let outcome = answer(within(amount));
            let margin = Margin { measure: Measure::Arrival, bound: Some(amount), worst: Some(arrival) };
            assert_eq!((outcome.verdict, outcome.margin), (verdict, Some(margin)), "{unit:?}");
        }
        let outcome = answer(always(implies(atom(0), within(response))));
        let margin = Margin { measure: Measure::Response, bound: Some(response), worst: Some(response) };
        assert_eq!((outcome.verdict, outcome.margin), (Verdict::Holds, Some(margin)), "{unit:?}");
    }
    // Steps beside cycles are another count than the model's.
    let table = line(TimeUnit::Cycles);
    let steps = Bound { amount: 3, unit: Some(Unit::Steps), strict: false };
    let within = Path::Eventually(Interval { low: None, high: Some(steps) }, Box::new(atom(1)));
    let outcome = check(&table, &claim(Kind::Property, within), &Settings::default());
    assert_eq!((outcome.verdict, outcome.margin), (Verdict::Holds, None));
}

/// As `max time from (a) to (b) <= D` is lowered: the time counts from where `a` begins.
#[test]
fn a_compared_time_has_the_worst_case_of_the_question() {
    let (mut held, mut failed) = (0, 0);
    for seed in 20_000..20_000 + rounds(400) {
        let mut random = Random::new(seed);
        let table = timed_table(&mut random);
        let graph = Graph::of(&table).expect("no faults");
        let holds = |number: u32| {
            let (table, graph) = (&table, &graph);
            move |state: usize| table.holds(AtomId(number), &graph.states[state])
        };
        let (a, b) = (holds(0), holds(1));
        let (worst, _) = waits(&graph, Some(&a), &b);
        let amount = random.below(12) as u64;
        let due = within(amount, atom(1));
        let without = || Path::Now(Formula::Not(inner(0)));
        let begins = Path::And(Box::new(atom(0)), Box::new(due.clone()));
        let weak = Path::Until(Until::Weak, Interval::default(), Box::new(without()), Box::new(begins));
        let later = always(implies(without(), weak));
        let formula = Path::And(Box::new(implies(atom(0), due)), Box::new(later));
        let outcome = asked(&table, &formula, Fairness::None);
        let context = format!("seed {seed}\n{:?}\n{:?}", table.rows, table.atoms);
        if (0..graph.states.len()).any(a) {
            let margin = Margin { measure: Measure::Response, bound: Some(amount), worst };
            assert_eq!(outcome.margin, Some(margin), "{context}");
        }
        let expected = worst.is_some_and(|worst| worst <= amount);
        assert_eq!(outcome.verdict == Verdict::Holds, expected, "{context}");
        assert_eq!(outcome.verdict, searched(&table, &formula, Fairness::None), "{context}");
        *(if expected { &mut held } else { &mut failed }) += 1;
    }
    assert!(held > 50 && failed > 50, "{held} hold, {failed} fail");
}
