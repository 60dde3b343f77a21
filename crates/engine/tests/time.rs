//! Windows of time and clocks: the engine, the replay and the naive twin agree on random models with delays.

mod support;

use std::time::Duration;

use motet_engine::{Limits, Order, Settings, check, check_all};
use motet_evidence::{Evidence, Fairness, Outcome, Stop, Verdict, replay_outcome, replay_under};
use motet_model::{AtomId, Checked, TimeUnit};
use motet_naive::random::{Random, Shape, Table, past_path, timed_path};
use motet_naive::{Course, Graph, courses};
use motet_property::{Bound, Claim, Formula, Interval, Kind, Past, Path, Relation, Timer, Unit};
use support::{claim, fair, rounds};

const SHAPE: Shape = Shape { n_states: 5, n_processes: 2, n_atoms: 2 };

fn decided(outcome: &Outcome) -> bool {
    match outcome.verdict {
        Verdict::Holds => true,
        Verdict::Fails => false,
        _ => panic!("a complete search has a verdict: {:?}", outcome.verdict),
    }
}

fn timed_table(random: &mut Random, shape: Shape) -> Table {
    let mut table = Table::random(random, shape);
    table.signature.unit = TimeUnit::Milliseconds;
    table.delay(random);
    table
}

/// The evidence as the twin sees it; `None` if it is a finite run that goes on.
fn course(graph: &Graph, evidence: &Evidence) -> Option<Course> {
    let number =
        |state: &[u32]| graph.states.iter().position(|known| known == state).expect("a state of the model");
    let states: Vec<usize> = evidence.run.states.iter().map(|state| number(state)).collect();
    let steps = evidence.run.steps.iter().map(|taken| (taken.delay, taken.process.index())).collect();
    let ends = graph.edges[states[states.len() - 1]].is_empty();
    (ends || evidence.loop_start.is_some()).then_some(Course { states, steps, back: evidence.loop_start })
}

/// Makes a random formula.
type Make = fn(&mut Random, Unit, usize, usize) -> Path<AtomId>;

fn check_seed(
    seed: u64,
    make: Make,
    shape: Shape,
    (depth, n_steps): (usize, usize),
    counts: &mut [usize; 4],
) {
    let mut random = Random::new(seed);
    let mut table = timed_table(&mut random, shape);
    // On a clock both values are there at the instant of a change; what is counted has one at each number.
    let (unit, counted) =
        [(TimeUnit::Milliseconds, Unit::Clock), (TimeUnit::Cycles, Unit::Cycles)][usize::from(seed % 2 == 1)];
    table.signature.unit = unit;
    let table = Checked::new(table);
    let graph = Graph::of(&table).expect("no faults");
    let paths: Vec<Path<AtomId>> = (0..4).map(|_| make(&mut random, counted, 2, depth)).collect();
    for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
        let claims: Vec<Claim<AtomId>> =
            paths.iter().map(|path| claim(Kind::Property, path.clone())).collect();
        let report = check_all(&table, &claims, &fair(fairness), &mut |_| {});
        let courses = courses(&graph, n_steps, fairness);
        for (claim, outcome) in claims.iter().zip(&report.outcomes) {
            let context = || {
                format!(
                    "seed {seed}, {fairness:?}, {:?}\n{:?}\n{:?}",
                    claim.formula,
                    table.inner().rows,
                    table.inner().atoms
                )
            };
            let holds = decided(outcome);
            // Fails is proved by the evidence below.
            let mut short = courses.iter().step_by(1 + courses.len() / 300).filter(|_| holds);
            let broken = short.find(|course| !course.satisfies(&table, &graph, &[&claim.formula])[0]);
            assert!(broken.is_none(), "{}\n{broken:?}", context());
            counts[usize::from(holds)] += 1;
            assert_eq!(outcome.evidence.is_some(), !holds, "{}", context());
            let Some(evidence) = &outcome.evidence else { continue };
            let replayed = replay_under(&table, &[], claim, evidence);
            assert_eq!(replayed, Ok(()), "{}\n{evidence:?}", context());
            match course(&graph, evidence) {
                Some(course) => {
                    counts[2] += 1;
                    assert!(
                        !course.satisfies(&table, &graph, &[&claim.formula])[0],
                        "{}\n{course:?}",
                        context()
                    );
                }
                None => counts[3] += 1,
            }
        }
    }
}

#[test]
fn verdicts_and_evidence_agree_with_the_naive_twin() {
    let mut counts = [0; 4];
    for seed in 0..rounds(700) {
        check_seed(seed, timed_path, SHAPE, (2, 4), &mut counts);
    }
    assert!(counts.iter().all(|&n| n > 100), "{counts:?}");
}

#[test]
fn longer_formulas_on_smaller_models_agree_too() {
    let mut counts = [0; 4];
    for seed in 50_000..50_000 + rounds(400) {
        let shape = Shape { n_states: 3, n_processes: 1, n_atoms: 2 };
        check_seed(seed, timed_path, shape, (3, 5), &mut counts);
    }
    assert!(counts.iter().all(|&n| n > 50), "{counts:?}");
}

#[test]
fn the_past_and_clocks_in_steps_agree_with_the_naive_twin() {
    let mut counts = [0; 4];
    for seed in 300_000..300_000 + rounds(120) {
        check_seed(seed, past_path, SHAPE, (2, 4), &mut counts);
    }
    for seed in 350_000..350_000 + rounds(120) {
        let shape = Shape { n_states: 3, n_processes: 1, n_atoms: 2 };
        check_seed(seed, past_path, shape, (1, 5), &mut counts);
    }
    assert!(counts.iter().all(|&n| n > 100), "{counts:?}");
}

/// Where each step is one firing a bound in firings is one in steps, which is counted by nested `X` and knows nothing of time.
#[test]
fn firings_that_are_steps_are_counted_like_steps() {
    let mut counts = [0; 2];
    for seed in 500_000..500_000 + rounds(700) {
        let mut random = Random::new(seed);
        let mut table = Table::random(&mut random, SHAPE);
        for state in 0..table.rows.len() {
            if table.rows[state].is_empty() {
                table.step(state, 0, state);
            }
        }
        table.rows.iter_mut().flatten().for_each(|step| step.delay = 1);
        table.signature.unit = TimeUnit::Firings;
        let outcomes = [Unit::Firings, Unit::Steps].map(|unit| {
            let path = timed_path(&mut Random::new(seed + 1_000_000), unit, 2, 2);
            let property = claim(Kind::Property, path);
            let outcome = check(&table, &property, &Settings::default());
            assert_eq!(replay_outcome(&table, &[], &property, &outcome), Ok(()), "seed {seed}, {property:?}");
            (property, outcome)
        });
        let [(property, firings), (_, steps)] = &outcomes;
        let context = || format!("seed {seed}, {:?}\n{:?}\n{:?}", property.formula, table.rows, table.atoms);
        assert_eq!(decided(firings), decided(steps), "{}", context());
        counts[usize::from(decided(steps))] += 1;
    }
    assert!(counts.iter().all(|&n| n > 150), "{counts:?}");
}

/// Two tokens on a place, and one step that takes one of them: at 1 there are no longer two.
#[test]
fn what_is_counted_has_one_value_at_each_number() {
    let bound = |amount, unit| Some(Bound { amount, unit: Some(unit), strict: false });
    let at = |amount, unit, number| {
        let when = Interval { low: bound(amount, unit), high: bound(amount, unit) };
        Path::Eventually(when, Box::new(Path::Now(Formula::Atom(AtomId(number)))))
    };
    for (unit, counted, both) in [
        (TimeUnit::Firings, Unit::Firings, false),
        (TimeUnit::Cycles, Unit::Cycles, false),
        (TimeUnit::Milliseconds, Unit::Clock, true),
    ] {
        let mut table = Table::new(Shape { n_states: 3, n_processes: 1, n_atoms: 2 });
        table.signature.unit = unit;
        (0..2).for_each(|state| table.step_after(state, 0, state + 1, 1));
        table.atoms[0][0] = true;
        table.atoms[1][1] = true;
        for (formula, expected) in
            [(at(1, counted, 0), both), (at(1, counted, 1), true), (at(0, counted, 1), false)]
        {
            let property = claim(Kind::Property, formula.clone());
            let outcome = check(&table, &property, &Settings::default());
            assert_eq!(decided(&outcome), expected, "{unit:?}, {formula:?}");
            assert_eq!(replay_outcome(&table, &[], &property, &outcome), Ok(()), "{unit:?}, {formula:?}");
        }
    }
}

/// Long bounds in steps are counted, short ones are written out as `X`; a claim with both agrees with itself.
#[test]
fn bounds_of_many_steps_are_answered() {
    let n = 300;
    let mut table = Table::new(Shape { n_states: n, n_processes: 1, n_atoms: 1 });
    (0..n - 1).for_each(|state| table.step(state, 0, state + 1));
    table.atoms[0][200] = true;
    let steps = |amount| Some(Bound { amount, unit: Some(Unit::Steps), strict: false });
    let goal = || Box::new(Path::Now(Formula::Atom(AtomId(0))));
    let none = || Box::new(Path::Now(Formula::Not(Box::new(Formula::Atom(AtomId(0))))));
    let cases = [
        (Path::Eventually(Interval { low: None, high: steps(200) }, goal()), true),
        (Path::Eventually(Interval { low: None, high: steps(199) }, goal()), false),
        (Path::Eventually(Interval { low: steps(200), high: steps(1_000_000) }, goal()), true),
        (Path::Eventually(Interval { low: steps(201), high: None }, goal()), false),
        (Path::Always(Interval { low: None, high: steps(199) }, none()), true),
        (Path::Always(Interval { low: None, high: steps(200) }, none()), false),
        (Path::Always(Interval { low: steps(201), high: None }, none()), true),
    ];
    for (formula, expected) in cases {
        let property = claim(Kind::Property, formula.clone());
        let outcome = check(&table, &property, &Settings::default());
        assert_eq!(decided(&outcome), expected, "{formula:?}");
        assert_eq!(replay_outcome(&table, &[], &property, &outcome), Ok(()), "{formula:?}");
    }
}

/// `G (p -> X previously(p))`, and the same seen from behind, hold on every run, also where it ends.
#[test]
fn what_is_so_now_was_so_before_in_the_next_state() {
    for seed in 400_000..400_000 + rounds(200) {
        let mut random = Random::new(seed);
        let table = timed_table(&mut random, SHAPE);
        let atom = || Formula::Atom(AtomId(0));
        let before = |formula| Path::Now(Formula::Past(Box::new(Past::Previously(formula))));
        let next = |path| Path::Next(Box::new(path));
        let laws = [
            Path::Implies(Box::new(Path::Now(atom())), Box::new(next(before(atom())))),
            Path::Implies(
                Box::new(Path::Now(Formula::Not(Box::new(atom())))),
                Box::new(Path::Not(Box::new(next(before(atom()))))),
            ),
        ];
        for law in laws {
            let always = Path::Always(Interval::default(), Box::new(law));
            let outcome = check(&table, &claim(Kind::Property, always), &Settings::default());
            assert!(decided(&outcome), "seed {seed}\n{:?}\n{:?}", table.rows, outcome.evidence);
        }
    }
}

#[test]
fn assumptions_about_time_restrict_the_runs_that_count() {
    let mut restricted = 0;
    for seed in 100_000..100_000 + rounds(600) {
        let mut random = Random::new(seed);
        let table = timed_table(&mut random, SHAPE);
        let graph = Graph::of(&table).expect("no faults");
        let claims = [
            claim(Kind::Assume, timed_path(&mut random, Unit::Clock, 2, 2)),
            claim(Kind::Property, timed_path(&mut random, Unit::Clock, 2, 2)),
        ];
        let report = check_all(&table, &claims, &Settings::default(), &mut |_| {});
        let context = || format!("seed {seed}, {:?}\n{:?}\n{:?}", claims, table.rows, table.atoms);
        let paths = [&claims[0].formula, &claims[1].formula];
        let broken = courses(&graph, 4, Fairness::None)
            .into_iter()
            .find(|course| course.satisfies(&table, &graph, &paths) == [true, false]);
        if decided(&report.outcomes[1]) {
            assert!(broken.is_none(), "{}\n{broken:?}", context());
        }
        if let Some(evidence) = &report.outcomes[1].evidence {
            assert_eq!(replay_under(&table, &[&claims[0]], &claims[1], evidence), Ok(()), "{}", context());
            restricted += 1;
        }
    }
    assert!(restricted > 50, "{restricted}");
}

#[test]
fn what_a_limit_leaves_decided_is_what_the_whole_search_decides() {
    let (mut unknown, mut same) = (0, 0);
    for seed in 200_000..200_000 + rounds(300) {
        let mut random = Random::new(seed);
        let mut table = timed_table(&mut random, SHAPE);
        if random.once_in(4) {
            table.faults.push(random.below(table.rows.len()));
        }
        let property = claim(Kind::Property, timed_path(&mut random, Unit::Clock, 2, 2));
        let mut whole = table.clone();
        whole.faults.clear();
        let expected = check(&whole, &property, &Settings::default()).verdict;
        for order in [Order::BreadthFirst, Order::DepthFirst] {
            let limits = Limits { states: Some(1 + random.below(40) as u64), ..Limits::default() };
            let settings = Settings { limits, order, ..Settings::default() };
            let outcome = check(&table, &property, &settings);
            match outcome.verdict {
                Verdict::Unknown(_) => unknown += 1,
                verdict => {
                    assert_eq!(verdict, expected, "seed {seed}, {:?}\n{:?}", property.formula, table.rows);
                    same += 1;
                }
            }
            let outcome = check(&table, &property, &settings);
            assert_eq!(replay_outcome(&table, &[], &property, &outcome), Ok(()), "seed {seed}");
        }
    }
    assert!(unknown > 50 && same > 150, "{unknown} unknown, {same} decided");
}

/// A day in steps of a millisecond, for a claim that has to look at each of them.
#[test]
fn limits_hold_while_time_is_written_out() {
    let mut table = Table::new(Shape { n_states: 2, n_processes: 1, n_atoms: 1 });
    table.signature.unit = TimeUnit::Milliseconds;
    table.step_after(0, 0, 1, 1);
    table.step_after(1, 0, 0, 1);
    let bound = Bound { amount: 86_400_000, unit: Some(Unit::Clock), strict: false };
    let late = Path::Now(Formula::Timer(Timer::Now, Relation::Gt, bound));
    let property =
        claim(Kind::Property, Path::Always(Interval::default(), Box::new(Path::Not(Box::new(late)))));
    let verdict = |limits| check(&table, &property, &Settings { limits, ..Settings::default() }).verdict;
    let states = Limits { states: Some(5000), ..Limits::default() };
    assert_eq!(verdict(states), Verdict::Unknown(Stop::States));
    let memory = Limits { memory: Some(1 << 20), ..Limits::default() };
    assert_eq!(verdict(memory), Verdict::Unknown(Stop::Memory));
    let time = Limits { time: Some(Duration::from_millis(30)), ..Limits::default() };
    assert_eq!(verdict(time), Verdict::Unknown(Stop::Time));
}

/// Time stands still in the loop of state 0, and a step leads out of it after 1.
#[test]
fn a_loop_in_no_time_never_gets_to_a_later_time() {
    let mut table = Table::new(Shape { n_states: 2, n_processes: 2, n_atoms: 1 });
    table.signature.unit = TimeUnit::Milliseconds;
    table.step(0, 0, 0);
    table.step_after(0, 1, 1, 1);
    table.atoms[0][1] = true;
    let bound = |amount| Some(Bound { amount, unit: Some(Unit::Clock), strict: false });
    let goal = || Box::new(Path::Now(Formula::Atom(AtomId(0))));
    let within = Path::Eventually(Interval { low: None, high: bound(5) }, goal());
    let later = Path::Eventually(Interval { low: bound(1), high: None }, Box::new(Path::Now(Formula::True)));
    // At 1 the first state is still seen.
    let after = bound(1).map(|bound| Bound { strict: true, ..bound });
    let stays = Path::Always(Interval { low: after, high: None }, goal());
    for (formula, all, just) in [(within, false, true), (later, false, true), (stays, true, true)] {
        for (fairness, expected) in [(Fairness::None, all), (Fairness::Weak, just)] {
            let property = claim(Kind::Property, formula.clone());
            let outcome = check(&table, &property, &fair(fairness));
            assert_eq!(decided(&outcome), expected, "{formula:?}, {fairness:?}");
            assert_eq!(replay_outcome(&table, &[], &property, &outcome), Ok(()), "{formula:?}");
        }
    }
}
