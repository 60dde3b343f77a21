//! The engine and its naive twin give the same verdicts on random models and formulas, and all evidence replays.

mod support;

use motet_engine::{Report, Settings, check_all};
use motet_evidence::{Evidence, Fairness, Outcome, Verdict, replay, replay_under};
use motet_model::{AtomId, Checked, Model};
use motet_naive::random::{Random, Shape, Table, path};
use motet_naive::{Graph, some_run};
use motet_property::{Claim, Interval, Kind, Path, Until};
use support::{always, atom, claim, eventually, fair, not, rounds};

const SHAPE: Shape = Shape { n_states: 8, n_processes: 3, n_atoms: 3 };

fn run(model: &dyn Model, claims: &[Claim<AtomId>], settings: &Settings) -> Report {
    check_all(model, claims, settings, &mut |_| {})
}

fn decided(outcome: &Outcome) -> bool {
    match outcome.verdict {
        Verdict::Holds => true,
        Verdict::Fails => false,
        _ => panic!("a complete search without bounds has a verdict: {:?}", outcome.verdict),
    }
}

#[test]
fn verdicts_agree_with_the_naive_twin_and_all_evidence_replays() {
    compare(|_, table| table);
}

#[test]
fn verdicts_agree_where_fairness_is_about_actions() {
    compare(|random, mut table| {
        table.scatter(random);
        table
    });
}

/// Promises about a single state are where the kinds of fairness differ most.
#[test]
fn strong_fairness_agrees_on_promises() {
    let (mut weak, mut strong) = (0, 0);
    for seed in 0..rounds(600) {
        let mut random = Random::new(seed);
        let mut table = Table::random(&mut random, SHAPE);
        table.scatter(&mut random);
        for column in &mut table.atoms {
            let goal = random.below(column.len());
            column.iter_mut().enumerate().for_each(|(state, value)| *value = state == goal);
        }
        let graph = Graph::of(&table).unwrap();
        let paths = [eventually(atom(0)), always(eventually(atom(1))), eventually(always(not(atom(2))))];
        let claims: Vec<_> = paths.into_iter().map(|path| claim(Kind::Property, path)).collect();
        let reports =
            [Fairness::Weak, Fairness::Strong].map(|fairness| run(&table, &claims, &fair(fairness)));
        for (at, claim) in claims.iter().enumerate() {
            let outcome = &reports[1].outcomes[at];
            let broken = some_run(&table, &graph, &not(claim.formula.clone()), Fairness::Strong);
            assert_eq!(Some(!decided(outcome)), broken, "seed {seed}, {:?}", claim.formula);
            if let Some(evidence) = &outcome.evidence {
                assert_eq!(replay(&table, claim, evidence), Ok(()), "seed {seed}, {evidence:?}");
            }
            weak += usize::from(decided(&reports[0].outcomes[at]));
            strong += usize::from(decided(outcome));
        }
    }
    assert!(strong > weak + 30, "{weak} hold on weakly and {strong} on strongly fair runs");
}

#[test]
fn strong_release_agrees_with_the_naive_twin_and_is_the_dual_of_weak_until() {
    let mut decisions = [0; 2];
    for seed in 0..rounds(300) {
        let mut random = Random::new(seed);
        let table = Table::random(&mut random, SHAPE);
        let graph = Graph::of(&table).expect("a random table has no faults");
        let (a, b) = (path(&mut random, 3, 2), path(&mut random, 3, 2));
        let until = |until, a, b| Path::Until(until, Interval::default(), Box::new(a), Box::new(b));
        let strong = until(Until::StrongRelease, a.clone(), b.clone());
        let dual = not(until(Until::Weak, not(a), not(b)));
        let claims = [&strong, &dual].map(|path| claim(Kind::Property, path.clone()));
        let report = run(&table, &claims, &Settings::default());
        let [one, other] = [0, 1].map(|at| decided(&report.outcomes[at]));
        assert_eq!(one, other, "seed {seed}, {strong:?}");
        if let Some(evidence) = &report.outcomes[0].evidence {
            assert_eq!(replay(&table, &claims[0], evidence), Ok(()), "seed {seed}, {strong:?}");
        }
        let Some(broken) = some_run(&table, &graph, &not(strong.clone()), Fairness::None) else { continue };
        assert_eq!(one, !broken, "seed {seed}, {strong:?}");
        decisions[usize::from(one)] += 1;
    }
    assert!(decisions.iter().all(|&n| n > 10), "{decisions:?}");
}

fn compare(change: impl Fn(&mut Random, Table) -> Table) {
    let (mut compared, mut witnesses, mut fair_only) = (0, [0; 2], [0; 3]);
    for seed in 0..rounds(600) {
        let mut random = Random::new(seed);
        let table = Table::random(&mut random, SHAPE);
        let table = Checked::new(change(&mut random, table));
        let graph = Graph::of(&table).expect("a random table has no faults");
        let paths: Vec<Path<AtomId>> = (0..4).map(|_| path(&mut random, 3, 3)).collect();
        for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
            let properties = paths.iter().map(|path| claim(Kind::Property, path.clone()));
            let claims: Vec<_> = properties.collect();
            let report = run(&table, &claims, &fair(fairness));
            assert_eq!(report.coverage.states, graph.states.len() as u64, "seed {seed}");
            for (claim, outcome) in claims.iter().zip(&report.outcomes) {
                let counter = Path::Not(Box::new(claim.formula.clone()));
                let Some(broken) = some_run(&table, &graph, &counter, fairness) else { continue };
                let context = || format!("seed {seed}, {fairness:?}, {:?}", claim.formula);
                assert_eq!(decided(outcome), !broken, "{}", context());
                assert_eq!(outcome.evidence.is_some(), broken, "{}", context());
                compared += 1;
                fair_only[fairness as usize] += usize::from(decided(outcome));
                if let Some(evidence) = &outcome.evidence {
                    let verdict = replay(&table, claim, evidence);
                    assert_eq!(verdict, Ok(()), "{}\n{evidence:?}", context());
                    witnesses[kind_of(evidence)] += 1;
                    reject_mutants(&table, claim, evidence, &mut random, &context());
                }
            }
        }
    }
    // Otherwise the comparison says little: finite runs and loops must have turned up.
    assert!(compared > 3000 && witnesses.iter().all(|&n| n > 100), "{compared} compared, {witnesses:?}");
    // Each kind of fairness proves more than the one before.
    assert!(fair_only.is_sorted_by(|one, other| one < other), "{fair_only:?} hold");
}

fn kind_of(evidence: &Evidence) -> usize {
    usize::from(evidence.loop_start.is_some())
}

/// A copy with one thing changed is rejected, unless the change makes another valid run: so only changes are made that
/// cannot.
fn reject_mutants(
    model: &dyn Model,
    claim: &Claim<AtomId>,
    evidence: &Evidence,
    random: &mut Random,
    context: &str,
) {
    let mut mutants = Vec::new();
    let mut mutant = evidence.clone();
    let at = random.below(mutant.run.states.len());
    mutant.run.states[at][1] += 1;
    mutants.push(mutant);
    let mut mutant = evidence.clone();
    mutant.run.initial += 2;
    mutants.push(mutant);
    if !evidence.run.steps.is_empty() {
        let at = random.below(evidence.run.steps.len());
        let mut mutant = evidence.clone();
        mutant.run.steps[at].action.0 += 1;
        mutants.push(mutant);
        let mut mutant = evidence.clone();
        mutant.run.steps[at].process.0 += 1;
        mutants.push(mutant);
        let mut mutant = evidence.clone();
        mutant.run.steps[at].ordinal += 8;
        mutants.push(mutant);
        let mut mutant = evidence.clone();
        mutant.run.steps[at].branch += 2;
        mutants.push(mutant);
        let mut mutant = evidence.clone();
        mutant.run.states.pop();
        mutants.push(mutant);
        let mut mutant = evidence.clone();
        mutant.loop_start = Some(mutant.run.steps.len());
        mutants.push(mutant);
    }
    // The opposite claim is not proved by the same run.
    let mut opposite = claim.clone();
    opposite.formula = Path::Not(Box::new(opposite.formula));
    assert!(replay(model, &opposite, evidence).is_err(), "{context}");
    for mutant in mutants {
        assert!(replay(model, claim, &mutant).is_err(), "{context}\n{mutant:?}");
    }
}

#[test]
fn possibilities_agree_with_the_naive_twin() {
    for seed in 10_000..10_000 + rounds(300) {
        let mut random = Random::new(seed);
        let table = Table::random(&mut random, SHAPE);
        let graph = Graph::of(&table).unwrap();
        let wanted = path(&mut random, 3, 3);
        let claims = [claim(Kind::Possible, Path::Next(Box::new(wanted.clone())))];
        for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
            let Some(expected) = some_run(&table, &graph, &claims[0].formula, fairness) else { continue };
            let report = run(&table, &claims, &fair(fairness));
            assert_eq!(decided(&report.outcomes[0]), expected, "seed {seed}, {fairness:?}, {wanted:?}");
            if let Some(evidence) = &report.outcomes[0].evidence {
                assert_eq!(
                    replay(&table, &claims[0], evidence),
                    Ok(()),
                    "seed {seed}, {fairness:?}, {wanted:?}"
                );
            }
        }
    }
}

#[test]
fn assumptions_restrict_the_runs_that_count() {
    let mut restricted = 0;
    for seed in 20_000..20_000 + rounds(300) {
        let mut random = Random::new(seed);
        let table = Table::random(&mut random, SHAPE);
        let graph = Graph::of(&table).unwrap();
        let assumption = claim(Kind::Assume, path(&mut random, 3, 2));
        let property = claim(Kind::Property, path(&mut random, 3, 2));
        let counter = Path::And(
            Box::new(assumption.formula.clone()),
            Box::new(Path::Not(Box::new(property.formula.clone()))),
        );
        let Some(broken) = some_run(&table, &graph, &counter, Fairness::Weak) else { continue };
        let Some(satisfiable) = some_run(&table, &graph, &assumption.formula, Fairness::Weak) else {
            continue;
        };
        let claims = [assumption, property];
        let report = run(&table, &claims, &fair(Fairness::Weak));
        let context = format!("seed {seed}, {claims:?}");
        assert_eq!(decided(&report.outcomes[0]), satisfiable, "{context}");
        assert_eq!(decided(&report.outcomes[1]), !broken, "{context}");
        if let Some(evidence) = &report.outcomes[1].evidence {
            assert_eq!(replay_under(&table, &[&claims[0]], &claims[1], evidence), Ok(()), "{context}");
            restricted += 1;
        }
    }
    assert!(restricted > 50, "{restricted}");
}
