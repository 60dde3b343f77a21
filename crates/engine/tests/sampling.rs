//! Random runs are runs, repeat with their seed, and are drawn as announced.

mod support;

use std::ops::ControlFlow;

use motet_engine::{SampleEnd, Seed, sample, survey};
use motet_evidence::{Evidence, Fairness, rebuild, replay};
use motet_model::ActionId;
use motet_naive::random::{Random, Shape, Table, TableStep};
use motet_property::{Formula, Kind, Path};
use support::{always, atom, claim, eventually, not, rounds};

fn go(_: &motet_engine::Survey) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn a_random_run_is_a_run_of_the_model_and_comes_back_with_its_seed() {
    for series in 0..rounds(200) {
        let table =
            Table::random(&mut Random::new(series), Shape { n_states: 8, n_processes: 3, n_atoms: 1 });
        let seed = Seed { series, run: 3 };
        let one = sample(&table, seed, 50);
        assert_eq!(one, sample(&table, seed, 50));
        let ordinals: Vec<(u32, u32)> =
            one.run.steps.iter().map(|taken| (taken.ordinal, taken.branch)).collect();
        assert_eq!(rebuild(&table, one.run.initial, &ordinals).as_ref(), Ok(&one.run), "series {series}");
        match one.end {
            SampleEnd::Enough => assert_eq!(one.run.steps.len(), 50),
            // The replay accepts a deadlock only where there is one.
            SampleEnd::Deadlock => {
                let evidence = Evidence { run: one.run, loop_start: None, fairness: Fairness::None };
                let stuck = claim(Kind::Possible, Path::Now(Formula::Deadlock));
                assert_eq!(replay(&table, &stuck, &evidence), Ok(()), "series {series}");
            }
            SampleEnd::Fault(_) => unreachable!("the table has no faults"),
        }
    }
}

/// p0 has one step and p1 has three, so each of p1's steps has probability 1/6. With 6000 runs and a deviation of 29 for
/// 1/6 and 39 for 1/2, five deviations are 145 and 194.
#[test]
fn first_a_process_is_drawn_and_then_its_step() {
    let mut table = Table::new(Shape { n_states: 5, n_processes: 2, n_atoms: 1 });
    table.step(0, 0, 1);
    (2..5).for_each(|target| table.step(0, 1, target));
    let counted = survey(&table, &[], 1, 6000, 1, &mut go);
    let count = |action| i64::try_from(counted.actions[&ActionId(action)]).unwrap();
    assert!((count(0) - 3000).abs() < 194, "{counted:?}");
    assert!((1..4).all(|action| (count(action) - 1000).abs() < 145), "{counted:?}");
}

#[test]
fn outcomes_of_chance_are_drawn_by_their_probability() {
    let mut table = Table::new(Shape { n_states: 3, n_processes: 1, n_atoms: 1 });
    table.rows[0].push(TableStep { process: 0, targets: vec![1, 2, 2] });
    table.atoms[0][1] = true;
    let claims = [claim(Kind::Possible, atom(0))];
    let counted = survey(&table, &claims, 7, 6000, 1, &mut go);
    // One third of 6000, with a deviation of 37.
    let seen = i64::try_from(counted.atoms[&motet_model::AtomId(0)]).unwrap();
    assert!((seen - 2000).abs() < 185, "{counted:?}");
    assert_eq!((counted.decided[&0].runs, counted.deadlocks), (counted.atoms[&motet_model::AtomId(0)], 0));
}

#[test]
fn a_survey_counts_broken_invariants_and_names_the_first_run() {
    let mut table = Table::new(Shape { n_states: 3, n_processes: 2, n_atoms: 1 });
    table.step(0, 0, 0);
    table.step(0, 1, 1);
    table.faults.push(2);
    table.step(1, 0, 2);
    table.atoms[0][1] = true;
    let claims = [
        claim(Kind::Property, always(not(atom(0)))),
        claim(Kind::Property, always(eventually(atom(0)))),
        claim(Kind::Possible, Path::Now(Formula::Deadlock)),
    ];
    let counted = survey(&table, &claims, 5, 100, 3, &mut go);
    // The run misses state 1 only if p0 is drawn three times: once in eight.
    let broken = counted.decided[&0];
    assert!((70..100).contains(&broken.runs), "{counted:?}");
    let first = sample(&table, Seed { series: 5, run: broken.first.unwrap() }, 3);
    assert!(first.run.states.iter().any(|state| state[0] == 1));
    assert!(!counted.decided.contains_key(&1), "a finite run does not decide it");
    assert_eq!((counted.decided[&2].runs, counted.runs), (0, 100));
    assert!(counted.faults > 0);
    let mut stop = |counted: &motet_engine::Survey| match counted.runs {
        7 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    assert_eq!(survey(&table, &claims, 5, 100, 3, &mut stop).runs, 7);
}
