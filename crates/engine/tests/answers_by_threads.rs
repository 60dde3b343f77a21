//! However many threads answer, the answers are the same: verdicts, numbers, and what shows them.

mod support;

use motet_engine::{Precision, Settings, check_all};
use motet_evidence::{Fairness, Outcome, Verdict};
use motet_model::{AtomId, Model};
use motet_naive::chance::random::{Choices, Dice, measure, question, timed_measure};
use motet_naive::random::{Palette, Random, Runs, Shape, Table, path, rich_state};
use motet_property::{Claim, Filter, Formula, Kind, Path, Query};
use support::{always, atom, claim, eventually, not, rounds};

/// All that must not depend on the number of threads.
fn essence(outcome: &Outcome) -> String {
    let Outcome { verdict, evidence, vacuity, starved, margin, quantity, .. } = outcome;
    format!("{verdict:?}\n{evidence:?}\n{vacuity:?} {starved:?} {margin:?}\n{quantity:?}")
}

#[track_caller]
fn agree(model: &dyn Model, claims: &[Claim<AtomId>], settings: &Settings, context: &str) -> Vec<Outcome> {
    let ask = |threads| {
        let settings = Settings { threads, ..settings.clone() };
        check_all(model, claims, &settings, &mut |_| {}).outcomes
    };
    let alone = ask(1);
    for threads in [2, 4] {
        for ((one, other), claim) in alone.iter().zip(ask(threads)).zip(claims) {
            assert_eq!(essence(one), essence(&other), "{threads} threads, {context}, {:?}", claim.formula);
        }
    }
    alone
}

#[test]
fn random_claims_about_runs_have_the_same_verdicts_and_the_same_runs() {
    let (mut shown, mut starved) = (0, 0);
    for seed in 0..rounds(30) {
        let mut random = Random::new(seed);
        let n_states = if random.once_in(4) { 8 } else { 150 };
        let mut table = Table::random(&mut random, Shape { n_states, n_processes: 3, n_atoms: 3 });
        if random.once_in(2) {
            table.scatter(&mut random);
        }
        let mut paths: Vec<Path<AtomId>> = (0..4).map(|_| path(&mut random, 3, 3)).collect();
        paths.extend([always(eventually(atom(0))), eventually(always(not(atom(1)))), eventually(atom(2))]);
        let claims: Vec<_> = paths.into_iter().map(|path| claim(Kind::Property, path)).collect();
        for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
            let settings = Settings { fairness, ..Settings::default() };
            let outcomes = agree(&table, &claims, &settings, &format!("seed {seed}, {fairness:?}"));
            shown += outcomes.iter().filter(|outcome| outcome.evidence.is_some()).count();
            starved += outcomes.iter().filter(|outcome| !outcome.starved.is_empty()).count();
        }
    }
    // Otherwise the comparison says little.
    assert!(shown > 50 && starved > 5, "{shown} {starved}");
}

/// Several hundred states, so that threads share even the short work.
#[test]
fn random_claims_about_branching_time_have_the_same_verdicts_and_the_same_trees() {
    let palette = Palette { n_atoms: 3, n_observers: 0, runs: Runs::AnyPath };
    let (mut holds, mut shown) = (0, 0);
    for seed in 0..rounds(30) {
        let mut random = Random::new(7000 + seed);
        let table = Table::random(&mut random, Shape { n_states: 400, n_processes: 3, n_atoms: 3 });
        let formulas = (0..6).map(|_| Path::Now(rich_state(&mut random, palette, 4)));
        let claims: Vec<_> = formulas.map(|formula| claim(Kind::Property, formula)).collect();
        for fairness in [Fairness::None, Fairness::Weak] {
            let settings = Settings { fairness, ..Settings::default() };
            let outcomes = agree(&table, &claims, &settings, &format!("seed {seed}, {fairness:?}"));
            holds += outcomes.iter().filter(|outcome| outcome.verdict == Verdict::Holds).count();
            shown += outcomes.iter().filter(|outcome| outcome.evidence.is_some()).count();
        }
    }
    // Otherwise the comparison says little.
    assert!(holds > 50 && shown > 50, "{holds} {shown}");
}

fn asks(formula: &Formula<AtomId>) -> bool {
    let query = match formula {
        Formula::Chance(_, query, _) | Formula::Reward(_, _, query, _) | Formula::Steady(_, query, _) => {
            query
        }
        Formula::Filter(Filter::Min | Filter::Max | Filter::Average | Filter::Sum, ..) => return true,
        _ => return false,
    };
    matches!(query, Query::Value)
}

#[test]
fn random_numbers_are_the_same_to_the_last_digit_with_their_choices_and_ways() {
    let mut told = 0;
    for seed in 0..rounds(30) {
        let mut random = Random::new(seed);
        let choices = if random.once_in(2) { Choices::One } else { Choices::Several };
        let mut dice = Dice::random(&mut random, choices);
        let mut formulas: Vec<Formula<AtomId>> = (0..4).map(|_| question(&mut random, choices)).collect();
        formulas.extend((0..3).map(|_| measure(&mut random, choices)));
        if random.once_in(2) {
            dice.delay(&mut random);
            formulas.extend((0..3).map(|_| timed_measure(&mut random, choices)));
        }
        let claims: Vec<_> = formulas
            .into_iter()
            .map(|formula| {
                claim(if asks(&formula) { Kind::Query } else { Kind::Property }, Path::Now(formula))
            })
            .collect();
        for precision in [Precision::default(), Precision::Exact] {
            let settings = Settings { precision, ..Settings::default() };
            let outcomes = agree(&dice, &claims, &settings, &format!("seed {seed}, {precision:?}"));
            told += outcomes.iter().filter(|outcome| outcome.quantity.is_some()).count();
        }
    }
    assert!(told > 150, "{told}");
}
