//! Windows of time and clocks: the engine, the replay and the naive twin agree on random models with delays.

mod support;

use motet_engine::{Settings, check_all};
use motet_evidence::{Evidence, Fairness, Outcome, Verdict, replay_under};
use motet_model::{AtomId, Checked, TimeUnit};
use motet_naive::random::{Random, Shape, Table, timed_path};
use motet_naive::{Course, Graph, courses};
use motet_property::{Claim, Kind, Path, Unit};
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

fn check_seed(seed: u64, shape: Shape, depth: usize, n_steps: usize, counts: &mut [usize; 4]) {
    let mut random = Random::new(seed);
    let table = Checked(timed_table(&mut random, shape));
    let graph = Graph::of(&table).expect("no faults");
    let paths: Vec<Path<AtomId>> = (0..4).map(|_| timed_path(&mut random, Unit::Clock, 2, depth)).collect();
    for fairness in [Fairness::None, Fairness::Weak] {
        let claims: Vec<Claim<AtomId>> =
            paths.iter().map(|path| claim(Kind::Property, path.clone())).collect();
        let report = check_all(&table, &claims, &fair(fairness), &mut |_| {});
        let courses = courses(&graph, n_steps, fairness);
        for (claim, outcome) in claims.iter().zip(&report.outcomes) {
            let context = || {
                format!(
                    "seed {seed}, {fairness:?}, {:?}\n{:?}\n{:?}",
                    claim.formula, table.0.rows, table.0.atoms
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
    for seed in 0..rounds(900) {
        check_seed(seed, SHAPE, 2, 4, &mut counts);
    }
    assert!(counts.iter().all(|&n| n > 100), "{counts:?}");
}

#[test]
fn longer_formulas_on_smaller_models_agree_too() {
    let mut counts = [0; 4];
    for seed in 50_000..50_000 + rounds(400) {
        check_seed(seed, Shape { n_states: 3, n_processes: 1, n_atoms: 2 }, 3, 5, &mut counts);
    }
    assert!(counts.iter().all(|&n| n > 50), "{counts:?}");
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
