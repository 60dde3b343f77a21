//! A reached limit is never a proof, and what was found before it is still a proof.

mod support;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use motet_engine::{Extent, Limits, Order, Phase, Settings, check, check_all};
use motet_evidence::{Fairness, Stop, Verdict, replay_outcome};
use motet_model::{AtomId, Checked};
use motet_naive::random::{Random, Shape, Table, path};
use motet_naive::{Graph, some_run};
use motet_property::{Formula, Kind, Path};
use support::{always, atom, claim, eventually, not, rounds};

/// A line of `n` states; atom 0 holds in the last one, where the run stays.
fn line(n: usize) -> Table {
    let mut table = Table::new(Shape { n_states: n, n_processes: 1, n_atoms: 1 });
    (0..n).for_each(|state| table.step(state, 0, (state + 1).min(n - 1)));
    table.atoms[0][n - 1] = true;
    table
}

fn limited(limits: Limits) -> Settings {
    Settings { limits, ..Settings::default() }
}

fn verdict_of_never(table: &Table, limits: Limits) -> Verdict {
    check(table, &claim(Kind::Property, always(not(atom(0)))), &limited(limits)).verdict
}

#[test]
fn each_limit_is_named_as_the_reason() {
    let table = line(2000);
    let states = Limits { states: Some(100), ..Limits::default() };
    assert_eq!(verdict_of_never(&table, states), Verdict::Unknown(Stop::States));
    let depth = Limits { depth: Some(100), ..Limits::default() };
    assert_eq!(verdict_of_never(&table, depth), Verdict::Unknown(Stop::Depth));
    let memory = Limits { memory: Some(10_000), ..Limits::default() };
    assert_eq!(verdict_of_never(&table, memory), Verdict::Unknown(Stop::Memory));
    let time = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    assert_eq!(verdict_of_never(&table, time), Verdict::Unknown(Stop::Time));
    let interrupt = Limits { interrupt: Some(Arc::new(AtomicBool::new(true))), ..Limits::default() };
    assert_eq!(verdict_of_never(&table, interrupt), Verdict::Unknown(Stop::Interrupted));
}

#[test]
fn a_limit_that_is_just_large_enough_is_not_reached() {
    let table = line(20);
    let states = Limits { states: Some(20), depth: Some(20), ..Limits::default() };
    assert_eq!(verdict_of_never(&table, states), Verdict::Fails);
    let report = check_all(
        &table,
        &[claim(Kind::Property, eventually(atom(0)))],
        &limited(Limits { states: Some(19), ..Limits::default() }),
        &mut |_| {},
    );
    assert_eq!(report.outcomes[0].verdict, Verdict::Unknown(Stop::States));
    assert_eq!((report.stop, report.coverage.complete), (Some(Stop::States), false));
    assert!(report.coverage.open > 0);
}

/// On every prefix of the search of a random model: a verdict that needs all states is never given, and one that does
/// not is right.
#[test]
fn incomplete_graphs_never_prove_what_needs_all_states() {
    let (mut unknown, mut known) = (0, 0);
    for seed in 0..rounds(400) {
        let mut random = Random::new(seed);
        let table =
            Checked::new(Table::random(&mut random, Shape { n_states: 8, n_processes: 2, n_atoms: 2 }));
        let graph = Graph::of(&table).unwrap();
        let formula = path(&mut random, 2, 3);
        let claims = [
            claim(Kind::Property, formula.clone()),
            claim(Kind::Possible, Path::Next(Box::new(formula))),
            claim(Kind::Property, always(not(Path::Now(Formula::Deadlock)))),
            claim(Kind::Possible, Path::Now(Formula::Not(Box::new(Formula::Deadlock)))),
        ];
        for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
            for order in [Order::BreadthFirst, Order::DepthFirst] {
                let limits = Limits { states: Some(random.below(8) as u64), ..Limits::default() };
                let settings = Settings { limits, fairness, order, ..Settings::default() };
                let report = check_all(&table, &claims, &settings, &mut |_| {});
                for (claim, outcome) in claims.iter().zip(&report.outcomes) {
                    let context = format!("seed {seed}, {settings:?}, {claim:?}, {outcome:?}");
                    assert_eq!(replay_outcome(&table, &[], claim, outcome), Ok(()), "{context}");
                    let negated = not(claim.formula.clone());
                    let wanted = match claim.kind {
                        Kind::Property => some_run(&table, &graph, &negated, fairness).map(|broken| !broken),
                        _ if matches!(claim.formula, Path::Now(_)) => {
                            some_run(&table, &graph, &eventually(claim.formula.clone()), fairness)
                        }
                        _ => some_run(&table, &graph, &claim.formula, fairness),
                    };
                    match (&outcome.verdict, wanted) {
                        (_, None) => {}
                        (Verdict::Unknown(stop), _) => {
                            assert_eq!((stop, report.coverage.complete), (&Stop::States, false), "{context}");
                            unknown += 1;
                        }
                        (verdict, Some(wanted)) => {
                            assert_eq!(*verdict == Verdict::Holds, wanted, "{context}");
                            assert!(report.coverage.complete || outcome.evidence.is_some(), "{context}");
                            known += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(unknown > 500 && known > 500, "{unknown} unknown, {known} known");
}

#[test]
fn a_fault_makes_unknown_what_it_does_not_disprove() {
    let mut table = line(6);
    table.step(0, 0, 5);
    table.faults.push(3);
    let claims = [
        claim(Kind::Property, always(not(atom(0)))),
        claim(Kind::Property, always(Path::Now(Formula::True))),
        claim(Kind::Property, eventually(atom(0))),
        claim(Kind::Possible, atom(0)),
        claim(Kind::Possible, Path::Now(Formula::Deadlock)),
    ];
    let report = check_all(&table, &claims, &Settings::default(), &mut |_| {});
    let verdicts: Vec<&Verdict> = report.outcomes.iter().map(|outcome| &outcome.verdict).collect();
    let bound = Verdict::Unknown(Stop::Bound("bound exceeded in state 3".to_owned()));
    assert_eq!(verdicts, [&Verdict::Fails, &bound, &bound, &Verdict::Holds, &bound]);
    for (claim, outcome) in claims.iter().zip(&report.outcomes) {
        assert!(outcome.evidence.is_some());
        assert_eq!(replay_outcome(&table, &[], claim, outcome), Ok(()), "{outcome:?}");
    }
    // State 3 is three steps away.
    let (fault, run) = report.fault.as_ref().unwrap();
    assert_eq!((fault.message.as_str(), run.steps.len()), ("bound exceeded in state 3", 3));
    assert!(!report.coverage.complete);
}

#[test]
fn a_search_that_may_stop_when_everything_is_decided_does() {
    let table = line(5000);
    let claims = [claim(Kind::Possible, Path::Now(Formula::Not(Box::new(Formula::Atom(AtomId(0))))))];
    let settings = Settings { extent: Extent::UntilDecided, ..Settings::default() };
    let report = check_all(&table, &claims, &settings, &mut |_| {});
    assert_eq!((&report.outcomes[0].verdict, report.stop.clone()), (&Verdict::Holds, None));
    assert!(report.coverage.states < 5 && !report.coverage.complete, "{:?}", report.coverage);
    let report = check_all(&table, &claims, &Settings::default(), &mut |_| {});
    assert_eq!((report.coverage.states, report.coverage.complete, report.coverage.depth), (5000, true, 4999));
}

#[test]
fn both_orders_find_the_same_states_and_verdicts() {
    for seed in 0..rounds(200) {
        let mut random = Random::new(seed);
        let table = Table::random(&mut random, Shape { n_states: 30, n_processes: 3, n_atoms: 2 });
        let claims = [claim(Kind::Property, path(&mut random, 2, 3))];
        let settings = |order| Settings { order, fairness: Fairness::Weak, ..Settings::default() };
        let wide = check_all(&table, &claims, &settings(Order::BreadthFirst), &mut |_| {});
        let deep = check_all(&table, &claims, &settings(Order::DepthFirst), &mut |_| {});
        assert_eq!(
            (wide.coverage.states, wide.coverage.transitions, &wide.outcomes[0].verdict, &wide.actions),
            (deep.coverage.states, deep.coverage.transitions, &deep.outcomes[0].verdict, &deep.actions),
            "seed {seed}"
        );
        assert_eq!(replay_outcome(&table, &[], &claims[0], &deep.outcomes[0]), Ok(()), "seed {seed}");
    }
}

/// The host is told how far the search is while it is going on; the last word comes from the report.
#[test]
fn progress_is_told_while_the_search_goes_on() {
    let table = line(300_000);
    let mut seen = Vec::new();
    let claims = [claim(Kind::Property, eventually(atom(0)))];
    let limits = Limits { time: Some(Duration::from_secs(60)), ..Limits::default() };
    let report = check_all(&table, &claims, &limited(limits), &mut |progress| seen.push(progress));
    assert!(seen.iter().all(|p| p.states <= report.coverage.states && p.bytes <= report.coverage.peak_bytes));
    assert!(
        seen.windows(2).all(|pair| pair[0].states <= pair[1].states && pair[0].elapsed <= pair[1].elapsed)
    );
    assert!(seen.iter().all(|p| p.phase == Phase::Explore || p.phase == Phase::Claim(0)));
    assert_eq!(report.outcomes[0].verdict, Verdict::Holds);
}
