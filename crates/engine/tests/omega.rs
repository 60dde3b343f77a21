//! Automata as claims: the automaton of a formula, written and read back, gives the verdict of the formula.

mod support;

use motet_engine::automata::Automaton;
use motet_engine::check;
use motet_evidence::{Fairness, Outcome, Verdict, replay_outcome};
use motet_model::{AtomId, Model, TimeUnit};
use motet_naive::random::{Random, Shape, Table, path};
use motet_property::{Claim, Kind, Omega, Path, parse_hoa};
use motet_source::FileId;
use support::{claim, fair, not, rounds};

const SHAPE: Shape = Shape { n_states: 8, n_processes: 3, n_atoms: 3 };

/// The automaton of a formula as a claim, by way of its text.
fn accepted(formula: &Path<AtomId>, table: &Table) -> Path<AtomId> {
    let automaton =
        Automaton::of(formula, TimeUnit::Steps).expect("a formula of linear time has an automaton");
    let text = automaton.to_hoa("automaton", "property", table.signature());
    let (mut read, problems) = parse_hoa(FileId(0), &text);
    assert!(!problems.has_errors(), "{text}");
    let read = read.pop().expect("one automaton was written");
    let omega = Omega {
        name: "automaton".to_owned(),
        propositions: automaton.propositions.clone(),
        starts: read.starts,
        edges: read.edges,
        n_sets: read.n_sets,
    };
    Path::Accepted(Box::new(omega))
}

fn answer(table: &Table, claim: &Claim<AtomId>, fairness: Fairness) -> Outcome {
    let outcome = check(table, claim, &fair(fairness));
    let replayed = replay_outcome(table, &[], claim, &outcome);
    assert!(replayed.is_ok(), "{replayed:?} {claim:?}");
    outcome
}

#[test]
fn an_automaton_gives_the_verdict_of_its_formula() {
    let (mut holds, mut fails, mut deterministic) = (0, 0, 0);
    for seed in 0..rounds(400) {
        let mut random = Random::new(seed);
        let table = Table::random(&mut random, SHAPE);
        let formula = path(&mut random, SHAPE.n_atoms, 3);
        let fairness = [Fairness::None, Fairness::Weak, Fairness::Strong][random.below(3)];
        let expected = answer(&table, &claim(Kind::Property, formula.clone()), fairness).verdict;
        match expected {
            Verdict::Holds => holds += 1,
            _ => fails += 1,
        }
        let wrong = not(accepted(&not(formula.clone()), &table));
        let never = answer(&table, &claim(Kind::Property, wrong), fairness).verdict;
        assert_eq!(never, expected, "seed {seed}: never {formula:?}");
        let right = accepted(&formula, &table);
        let all = answer(&table, &claim(Kind::Property, right.clone()), fairness).verdict;
        // An automaton with choices cannot be turned round.
        if !matches!(all, Verdict::Unknown(_)) {
            deterministic += 1;
            assert_eq!(all, expected, "seed {seed}: all {formula:?}");
        }
        let broken = answer(&table, &claim(Kind::Property, not(formula.clone())), fairness).verdict;
        let some = answer(&table, &claim(Kind::Possible, right), fairness).verdict;
        assert_eq!(some == Verdict::Holds, broken == Verdict::Fails, "seed {seed}: some {formula:?}");
    }
    assert!(holds > 20 && fails > 20 && deterministic > 20, "{holds} {fails} {deterministic}");
}
