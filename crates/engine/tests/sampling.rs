//! Random runs are runs, repeat with their seed, and are drawn as announced.

mod support;

use motet_engine::{Known, Monitor, SampleEnd, Seed, sample};
use motet_evidence::{Evidence, rebuild, replay};
use motet_model::Model;
use motet_naive::random::{Random, Shape, Table, TableStep};
use motet_property::{Formula, Kind, Path};
use support::{always, atom, claim, eventually, not, rounds};

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
                let evidence = Evidence::finite(one.run);
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
    let mut counts = [0_i64; 4];
    for run in 0..6000 {
        counts[sample(&table, Seed { series: 1, run }, 1).run.steps[0].ordinal as usize] += 1;
    }
    assert!((counts[0] - 3000).abs() < 194, "{counts:?}");
    assert!((1..4).all(|step| (counts[step] - 1000).abs() < 145), "{counts:?}");
}

#[test]
fn outcomes_of_chance_are_drawn_by_their_probability() {
    let mut table = Table::new(Shape { n_states: 3, n_processes: 1, n_atoms: 1 });
    table.rows[0].push(TableStep { process: 0, targets: vec![1, 2, 2], delay: 0 });
    let hits = |run: &u64| sample(&table, Seed { series: 7, run: *run }, 1).run.steps[0].branch == 0;
    let seen = i64::try_from((0..6000).filter(hits).count()).unwrap();
    // One third of 6000, with a deviation of 37.
    assert!((seen - 2000).abs() < 185, "{seen}");
}

#[test]
fn a_monitor_decides_invariants_and_possibilities_but_not_what_only_infinite_runs_decide() {
    let mut table = Table::new(Shape { n_states: 3, n_processes: 2, n_atoms: 1 });
    table.step(0, 0, 0);
    table.step(0, 1, 1);
    table.step(1, 0, 2);
    table.atoms[0][1] = true;
    let known = |formula: Path<motet_model::AtomId>, run: u64| {
        let mut monitor = Monitor::new(&formula);
        let states = sample(&table, Seed { series: 5, run }, 3).run.states;
        let mut verdicts = states.iter().map(|state| monitor.read(&|atom| table.holds(atom, state)));
        verdicts.find(|known| *known != Known::Open).unwrap_or(Known::Open)
    };
    for run in 0..100 {
        let meets = sample(&table, Seed { series: 5, run }, 3).run.states.iter().any(|state| state[0] == 1);
        let (broken, reached) =
            if meets { (Known::Violated, Known::Satisfied) } else { (Known::Open, Known::Open) };
        assert_eq!(known(always(not(atom(0))), run), broken, "run {run}");
        assert_eq!(known(eventually(atom(0)), run), reached, "run {run}");
        assert_eq!(known(always(eventually(atom(0))), run), Known::Open, "run {run}");
    }
}
