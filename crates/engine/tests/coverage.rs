//! Which parts happen and which the verdicts depend on: small cases, and a naive twin that builds each smaller model.

mod support;

use motet_engine::{Need, Settings, Shares, check_all, survey};
use motet_evidence::{Fairness, Verdict};
use motet_model::{Model, Occurrence, PartId, State};
use motet_naive::random::{Random, Shape, Table, path};
use motet_naive::{Graph, some_run};
use motet_property::{Kind, Path};
use support::{always, atom, claim, eventually, fair, not, rounds};

/// One part per process, and one more that never happens.
fn by_process(table: &Table) -> impl Fn(&State, Occurrence<'_>) -> Vec<PartId> {
    let table = table.clone();
    move |state: &State, taken: Occurrence<'_>| {
        let mut steps = motet_model::Steps::new(2);
        table.steps(state, &mut steps).expect("no faults");
        vec![PartId(steps.get(taken.ordinal as usize).expect("a step of the state").process.0)]
    }
}

/// The table without the steps of a process.
fn without(table: &Table, process: u32) -> Table {
    let mut smaller = table.clone();
    smaller.rows.iter_mut().for_each(|row| row.retain(|step| step.process != process));
    smaller
}

#[test]
fn a_verdict_depends_on_a_part_exactly_if_it_changes_in_the_model_without_it() {
    let (mut needed, mut idle) = (0, 0);
    for seed in 0..rounds(300) {
        let mut random = Random::new(seed);
        let table = Table::random(&mut random, Shape { n_states: 7, n_processes: 3, n_atoms: 3 });
        let fairness = if random.once_in(2) { Fairness::Weak } else { Fairness::None };
        let claims: Vec<_> = (0..2).map(|_| claim(Kind::Property, path(&mut random, 3, 2))).collect();
        let outcomes = check_all(&table, &claims, &fair(fairness), &mut |_| {}).outcomes;
        let of = by_process(&table);
        let shares = Shares { texts: &[0, 1, 2, 3], of: &of };
        let survey = survey(&table, &claims, &outcomes, shares, &fair(fairness), &mut |_| {});
        assert_eq!((survey.happened[3], &survey.needs[3]), (0, &Need::Unchecked), "seed {seed}");
        for process in 0..3_u32 {
            let happened = survey.happened[process as usize];
            let graph = Graph::of(&table).expect("no faults");
            let edges = graph.edges.iter().flatten().filter(|edge| edge.0 == process as usize).count();
            assert_eq!(happened > 0, edges > 0, "seed {seed}");
            if happened == 0 {
                continue;
            }
            let smaller = without(&table, process);
            let graph = Graph::of(&smaller).expect("no faults");
            let mut changed = Vec::new();
            for (number, claim) in claims.iter().enumerate() {
                let broken = some_run(&smaller, &graph, &not(claim.formula.clone()), fairness);
                let holds = outcomes[number].verdict == Verdict::Holds;
                if broken.expect("no clocks") == holds {
                    changed.push(number);
                }
            }
            let expected = if changed.is_empty() { Need::None } else { Need::Claims(changed) };
            assert_eq!(survey.needs[process as usize], expected, "seed {seed}, process {process}");
            needed += usize::from(expected != Need::None);
            idle += usize::from(expected == Need::None);
        }
    }
    assert!(needed > 50 && idle > 200, "{needed} needed, {idle} idle");
}

#[test]
fn one_text_of_two_owners_is_taken_away_from_both() {
    // Two wheels that turn and turn back; the claim needs one of them to turn.
    let mut table = Table::new(Shape { n_states: 4, n_processes: 2, n_atoms: 1 });
    for state in 0..4 {
        table.step(state, 0, state ^ 1);
        table.step(state, 1, state ^ 2);
    }
    table.atoms[0] = vec![false, true, true, true];
    let claims: Vec<motet_property::Claim<_>> =
        vec![claim(Kind::Possible, atom(0)), claim(Kind::Property, moves())];
    let settings: Settings = fair(Fairness::Weak);
    let outcomes = check_all(&table, &claims, &settings, &mut |_| {}).outcomes;
    let of = by_process(&table);
    let apart =
        survey(&table, &claims, &outcomes, Shares { texts: &[0, 1], of: &of }, &settings, &mut |_| {});
    assert_eq!(apart.needs, [Need::None, Need::None], "the other wheel is enough");
    let shared =
        survey(&table, &claims, &outcomes, Shares { texts: &[0, 0], of: &of }, &settings, &mut |_| {});
    assert_eq!(shared.needs, [Need::Claims(vec![0, 1])]);
    assert_eq!(shared.happened, [4, 4], "one step of each wheel in each of four situations");
}

fn moves() -> Path<motet_model::AtomId> {
    always(eventually(atom(0)))
}
