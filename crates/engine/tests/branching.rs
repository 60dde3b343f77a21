//! Branching time and knowledge: the engine and its naive twin give the same verdicts on random models and formulas.

mod support;

use motet_engine::{Report, Settings, check_all};
use motet_evidence::{Fairness, Outcome, Verdict};
use motet_model::{AtomId, Checked, Model};
use motet_naive::random::{Palette, Random, Runs, Shape, Table, path, rich_path, rich_state};
use motet_naive::{Graph, Labels};
use motet_property::{Claim, Formula, Interval, Kind, Path, Quantifier};
use support::{claim, fair, rounds};

const SHAPE: Shape = Shape { n_states: 8, n_processes: 3, n_atoms: 3 };

fn run(model: &dyn Model, claims: &[Claim<AtomId>], settings: &Settings) -> Report {
    check_all(model, claims, settings, &mut |_| {})
}

fn decided(outcome: &Outcome, context: &str) -> bool {
    match outcome.verdict {
        Verdict::Holds => true,
        Verdict::Fails => false,
        _ => panic!("a complete search has a verdict: {:?}, {context}", outcome.verdict),
    }
}

/// What a claim is by its definition. `None` if it is too large for the twin.
fn expected(labels: &mut Labels<'_>, graph: &Graph, claim: &Claim<AtomId>) -> Option<bool> {
    match (claim.kind, &claim.formula) {
        (Kind::Property, Path::Now(Formula::Runs(Quantifier::Some, path))) => {
            let from = labels.some_run(path)?;
            Some(graph.initial.iter().all(|&state| from[state]))
        }
        (Kind::Property, path) => {
            let breaks = labels.some_run(&Path::Not(Box::new(path.clone())))?;
            Some(!graph.initial.iter().any(|&state| breaks[state]))
        }
        (Kind::Possible, path) => {
            let path = match is_state(path) {
                true => Path::Eventually(Interval::default(), Box::new(path.clone())),
                false => path.clone(),
            };
            let from = labels.some_run(&path)?;
            Some(graph.initial.iter().any(|&state| from[state]))
        }
        _ => unreachable!("only these are compared"),
    }
}

/// Whether a formula speaks of its first state only, so that `possible` means that it is reached.
fn is_state(path: &Path<AtomId>) -> bool {
    match path {
        Path::Now(_) => true,
        Path::Not(a) => is_state(a),
        Path::And(a, b) | Path::Or(a, b) | Path::Implies(a, b) | Path::Iff(a, b) => is_state(a) && is_state(b),
        _ => false,
    }
}

/// Compares all claims that `write` makes; how many were compared, and how many of them hold.
fn compare(seeds: std::ops::Range<u64>, write: impl Fn(&mut Random) -> Vec<Claim<AtomId>>) -> (usize, usize) {
    let (mut compared, mut hold) = (0, 0);
    for seed in seeds {
        let mut random = Random::new(seed);
        let mut table = Table::random(&mut random, SHAPE);
        if random.once_in(2) {
            table.scatter(&mut random);
        }
        table.observe_at_random(&mut random, 3);
        let table = Checked(table);
        let graph = Graph::of(&table).expect("a random table has no faults");
        let claims = write(&mut random);
        let assumed = claims.iter().filter(|claim| claim.kind == Kind::Assume);
        let assumed: Vec<Path<AtomId>> = assumed.map(|claim| claim.formula.clone()).collect();
        for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
            let mut labels = Labels::new(&table, &graph, fairness);
            if labels.assume(&assumed).is_none() {
                continue;
            }
            let report = run(&table, &claims, &fair(fairness));
            for (claim, outcome) in claims.iter().zip(&report.outcomes) {
                if claim.kind == Kind::Assume {
                    continue;
                }
                let context = format!("seed {seed}, {fairness:?}, {claims:?}\n{:?}", claim.formula);
                let Some(expected) = expected(&mut labels, &graph, claim) else { continue };
                assert_eq!(decided(outcome, &context), expected, "{context}");
                compared += 1;
                hold += usize::from(expected);
            }
        }
    }
    (compared, hold)
}

/// Enough of either answer for the comparison to say something.
fn assert_mixed((compared, hold): (usize, usize), least: usize) {
    assert!(
        compared >= least && hold > compared / 10 && hold < compared * 9 / 10,
        "{hold} of {compared} hold"
    );
}

#[test]
fn computation_tree_logic_agrees_with_the_naive_twin() {
    let palette = Palette { n_atoms: 3, n_observers: 0, runs: Runs::OneOperator };
    let found = compare(0..rounds(250), |random| {
        let formulas = (0..6).map(|_| Path::Now(rich_state(random, palette, 3)));
        formulas.map(|formula| claim(Kind::Property, formula)).collect()
    });
    assert_mixed(found, 3000);
}

#[test]
fn full_branching_time_agrees_with_the_naive_twin() {
    let palette = Palette { n_atoms: 3, n_observers: 0, runs: Runs::AnyPath };
    let found = compare(1000..1000 + rounds(200), |random| {
        let kind = |random: &mut Random| if random.once_in(4) { Kind::Possible } else { Kind::Property };
        (0..4).map(|_| claim(kind(random), rich_path(random, palette, 4))).collect()
    });
    assert_mixed(found, 1500);
}

#[test]
fn knowledge_agrees_with_the_naive_twin() {
    let palette = Palette { n_atoms: 3, n_observers: 3, runs: Runs::None };
    let found = compare(2000..2000 + rounds(250), |random| {
        (0..4).map(|_| claim(Kind::Property, rich_path(random, palette, 3))).collect()
    });
    assert_mixed(found, 1500);
}

#[test]
fn knowledge_and_branching_time_mix() {
    let palette = Palette { n_atoms: 3, n_observers: 3, runs: Runs::AnyPath };
    let found = compare(3000..3000 + rounds(250), |random| {
        let kind = |random: &mut Random| if random.once_in(4) { Kind::Possible } else { Kind::Property };
        (0..4).map(|_| claim(kind(random), Path::Now(rich_state(random, palette, 4)))).collect()
    });
    assert_mixed(found, 1500);
}

#[test]
fn assumptions_restrict_the_runs_that_quantifiers_range_over() {
    let palette = Palette { n_atoms: 3, n_observers: 2, runs: Runs::AnyPath };
    let found = compare(4000..4000 + rounds(250), |random| {
        let assumption = if random.once_in(3) { rich_path(random, palette, 2) } else { path(random, 3, 1) };
        let mut claims = vec![claim(Kind::Assume, assumption)];
        claims.extend((0..3).map(|_| claim(Kind::Property, rich_path(random, palette, 3))));
        claims
    });
    assert_mixed(found, 1000);
}
