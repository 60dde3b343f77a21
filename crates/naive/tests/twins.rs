//! The naive engines against each other and against facts that can be seen by looking.

use motet_evidence::Fairness;
use motet_model::AtomId;
use motet_naive::random::{Random, Shape, Table, path};
use motet_naive::{Graph, Word, some_run};
use motet_property::{Formula, Interval, Path};

fn atom(number: u32) -> Box<Path<AtomId>> {
    Box::new(Path::Now(Formula::Atom(AtomId(number))))
}

/// A model with a single run satisfies a formula if and only if the word of that run does.
#[test]
fn guessing_and_unrolling_agree_on_a_single_run() {
    let mut satisfied = 0;
    for seed in 0..2000 {
        let mut random = Random::new(seed);
        let n = 1 + random.below(5);
        let back = random.below(n);
        let mut table = Table::new(Shape { n_states: n, n_processes: 1, n_atoms: 2 });
        (0..n).for_each(|state| table.step(state, 0, if state + 1 == n { back } else { state + 1 }));
        for column in &mut table.atoms {
            column.iter_mut().for_each(|value| *value = random.once_in(2));
        }
        let letters = (0..n).map(|state| table.atoms.iter().map(|column| column[state]).collect()).collect();
        let word = Word { letters, back };
        let formula = path(&mut random, 2, 3);
        let graph = Graph::of(&table).expect("no faults");
        let Some(guessed) = some_run(&table, &graph, &formula, Fairness::None) else { continue };
        assert_eq!(guessed, word.satisfies(&formula, 0), "seed {seed}, {formula:?}, {word:?}");
        satisfied += u32::from(guessed);
    }
    assert!(satisfied > 400, "{satisfied}");
}

/// p0 turns round in state 0; p1 leads on to state 1, where the run ends.
#[test]
fn weak_fairness_forces_a_process_that_can_always_move() {
    let mut table = Table::new(Shape { n_states: 2, n_processes: 2, n_atoms: 1 });
    table.step(0, 0, 0);
    table.step(0, 1, 1);
    table.atoms[0][1] = true;
    let graph = Graph::of(&table).expect("no faults");
    let never = Path::Always(Interval::default(), Box::new(Path::Not(atom(0))));
    assert_eq!(some_run(&table, &graph, &never, Fairness::None), Some(true));
    assert_eq!(some_run(&table, &graph, &never, Fairness::Weak), Some(false));
    // A deadlock repeats itself.
    let stays = Path::Eventually(Interval::default(), Box::new(Path::Always(Interval::default(), atom(0))));
    assert_eq!(some_run(&table, &graph, &stays, Fairness::Weak), Some(true));
    assert_eq!((graph.states.len(), graph.distance), (2, vec![0, 1]));
}

#[test]
fn a_fault_in_a_reachable_state_is_told() {
    let mut table = Table::new(Shape { n_states: 2, n_processes: 1, n_atoms: 1 });
    table.faults.push(1);
    assert!(Graph::of(&table).is_ok());
    table.step(0, 0, 1);
    assert_eq!(
        Graph::of(&table).map_err(|fault| fault.message).err(),
        Some("bound exceeded in state 1".to_owned())
    );
}
