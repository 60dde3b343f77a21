//! A monitor says of a random run what the replay says of it.

mod support;

use motet_engine::{Known, Monitor, SampleEnd, Seed, sample, sample_until};
use motet_evidence::{Evidence, Objection, Run, replay};
use motet_model::{AtomId, Model, TimeUnit};
use motet_naive::random::{Random, Shape, Table, past_path, path, timed_path};
use motet_property::{Kind, Path, Unit};
use support::{claim, not, rounds};

const SHAPE: Shape = Shape { n_states: 6, n_processes: 2, n_atoms: 2 };

/// What the replay says of the first steps of a run, whatever comes after.
fn replayed(model: &dyn Model, run: &Run, n_steps: usize, formula: &Path<AtomId>) -> Option<bool> {
    let run = Run {
        initial: run.initial,
        states: run.states[..=n_steps].to_vec(),
        steps: run.steps[..n_steps].to_vec(),
    };
    let evidence = Evidence::finite(run);
    let breaks = |formula: Path<AtomId>| match replay(model, &claim(Kind::Property, formula), &evidence) {
        Ok(()) => true,
        Err(Objection::Forged(_)) => false,
        Err(refused) => panic!("{refused}"),
    };
    match (breaks(formula.clone()), breaks(not(formula.clone()))) {
        (true, _) => Some(false),
        (_, true) => Some(true),
        _ => None,
    }
}

fn known(value: Option<bool>) -> Known {
    match value {
        Some(true) => Known::Satisfied,
        Some(false) => Known::Violated,
        None => Known::Open,
    }
}

#[test]
fn a_monitor_is_never_wrong_and_decides_every_run_that_ends() {
    let (mut decided, mut ended, mut open) = (0, 0, 0);
    for seed in 0..rounds(1500) {
        let mut random = Random::new(seed);
        let mut table = Table::random(&mut random, SHAPE);
        table.delay(&mut random);
        let (unit, formula) = match seed % 4 {
            0 => (TimeUnit::Steps, path(&mut random, 2, 2)),
            1 => (TimeUnit::Cycles, timed_path(&mut random, Unit::Cycles, 2, 2)),
            2 => (TimeUnit::Milliseconds, past_path(&mut random, Unit::Clock, 2, 2)),
            _ => (TimeUnit::Milliseconds, timed_path(&mut random, Unit::Clock, 2, 2)),
        };
        table.signature.unit = unit;
        let one = sample(&table, Seed { series: seed, run: 0 }, 8);
        let mut monitor = Monitor::timed(&formula, unit);
        let context =
            || format!("seed {seed}, {formula:?}\n{:?}\n{:?}\n{:?}", table.rows, table.atoms, one.run);
        let mut last = Known::Open;
        for (at, state) in one.run.states.iter().enumerate() {
            let delay = at.checked_sub(1).map_or(0, |before| one.run.steps[before].delay);
            last = monitor.read_after(delay, &|atom| table.holds(atom, state));
            // The replay knows where the run ends and a monitor does not.
            if last != Known::Open {
                assert_eq!(last, known(replayed(&table, &one.run, at, &formula)), "at {at}, {}", context());
                break;
            }
        }
        match (last, &one.end) {
            (Known::Open, SampleEnd::Deadlock) => {
                let state = &one.run.states[one.run.steps.len()];
                let end = monitor.end(&|atom| table.holds(atom, state));
                if end != Known::Open {
                    let expected = replayed(&table, &one.run, one.run.steps.len(), &formula);
                    assert_eq!(end, known(expected), "{}", context());
                    ended += 1;
                }
            }
            (Known::Open, _) => {
                // Where the replay decides a run that goes on, the monitor does, unless it cannot see deadlocks.
                let expected = replayed(&table, &one.run, one.run.steps.len(), &formula);
                let blind = format!("{formula:?}").contains("Deadlock");
                let mut further = motet_model::Steps::new(2);
                table.steps(&one.run.states[one.run.steps.len()], &mut further).expect("no faults");
                assert!(expected.is_none() || blind || further.is_empty(), "{expected:?}, {}", context());
                open += 1;
            }
            _ => decided += 1,
        }
    }
    assert!(decided > 300 && ended > 40 && open > 100, "{decided} decided, {ended} ended, {open} open");
}

#[test]
fn a_limit_of_time_ends_a_run_before_the_step_that_leads_beyond_it() {
    for series in 0..rounds(200) {
        let mut random = Random::new(series);
        let mut table = Table::random(&mut random, SHAPE);
        table.delay(&mut random);
        let seed = Seed { series, run: 1 };
        let whole = sample(&table, seed, 40).run;
        let limit = 9;
        let short = sample_until(&table, seed, 40, Some(limit)).run;
        let time = |n: usize| whole.steps[..n].iter().map(|taken| u64::from(taken.delay)).sum::<u64>();
        let expected = (0..=whole.steps.len()).rev().find(|&n| time(n) <= limit).expect("0 is within it");
        assert_eq!(short.steps[..], whole.steps[..expected], "series {series}");
    }
}
