//! What front-ends are told of the reachable states, held against the tables that the models are made of.

use std::collections::BTreeSet;

use motet_engine::{Limits, Settings};
use motet_model::{Explorer, Model, Unexplored};
use motet_naive::random::{Random, Shape, Table};

/// The states that the rows of a table lead to, as vectors.
fn reachable(table: &Table) -> BTreeSet<Vec<u32>> {
    let mut seen: BTreeSet<usize> = table.initial.iter().copied().collect();
    let mut last = 0;
    // Until nothing new is met: as slow as can be.
    while last != seen.len() {
        last = seen.len();
        let met: Vec<usize> =
            seen.iter().flat_map(|state| &table.rows[*state]).flat_map(|step| step.targets.clone()).collect();
        seen.extend(met);
    }
    let number = |state: usize| u32::try_from(state).expect("tables are small");
    seen.into_iter().map(|state| vec![number(state % 3), number(state / 3)]).collect()
}

fn visited(explorer: &dyn Explorer, model: &dyn Model, most: u64) -> (bool, BTreeSet<Vec<u32>>) {
    let mut states = BTreeSet::new();
    let complete = explorer.every_state(model, most, &mut |state| {
        assert!(states.insert(state.to_vec()), "{state:?} is shown twice");
    });
    (complete, states)
}

#[test]
fn front_ends_are_shown_every_reachable_state_once() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let table = Table::random(&mut random, Shape { n_states: 12, n_processes: 2, n_atoms: 1 });
        let (complete, states) = visited(&Settings::default(), &table, 100);
        assert!(complete, "seed {seed}");
        assert_eq!(states, reachable(&table), "seed {seed}");
    }
}

#[test]
fn what_is_not_all_is_not_said_to_be_all() {
    let mut table = Table::new(Shape { n_states: 30, n_processes: 1, n_atoms: 0 });
    (0..29).for_each(|state| table.step(state, 0, state + 1));
    assert!(visited(&Settings::default(), &table, 30).0);
    let (complete, states) = visited(&Settings::default(), &table, 10);
    assert!(!complete);
    assert!(states.is_subset(&reachable(&table)));
    assert!(states.len() <= 11, "{}", states.len());
    let few = Settings { limits: Limits { states: Some(5), ..Limits::default() }, ..Settings::default() };
    let (complete, states) = visited(&few, &table, 10);
    assert!(!complete && states.len() <= 6, "{}", states.len());
    assert_eq!(visited(&Unexplored, &table, 10), (false, BTreeSet::new()));
}
