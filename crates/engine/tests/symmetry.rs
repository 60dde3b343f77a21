//! A quotient by interchangeable members gives the verdicts of the model, and its runs are runs of the model.

mod support;

use std::collections::BTreeSet;

use motet_engine::{Quotient, Settings, check_all};
use motet_evidence::{Fairness, Verdict, replay, replay_outcome};
use motet_model::{AtomId, Model};
use motet_naive::Graph;
use motet_naive::random::{Palette, past_path};
use motet_naive::random::{Random, Runs, path, rich_path, timed_path};
use motet_naive::team::{LOCAL, Team};
use motet_property::{Claim, Extremum, Formula, Kind, Path, Quantifier, Query, Timer, Unit};
use support::{claim, fair, rounds};

const MEMBERS: usize = 3;

fn all(_: &str) -> bool {
    true
}

/// Formulas about single states that do not tell members apart, and some that name member 0.
fn symmetric(team: &Team, number: usize) -> Formula<AtomId> {
    let atom = |atom| Formula::Atom(atom);
    let members = || 0..MEMBERS;
    let or = |a, b| Formula::Or(Box::new(a), Box::new(b));
    let and = |a, b| Formula::And(Box::new(a), Box::new(b));
    let some = |local| members().map(|m| atom(team.is(m, local))).reduce(or).expect("there are members");
    let every =
        |local| members().rev().map(|m| atom(team.is(m, local))).reduce(and).expect("there are members");
    match number {
        0 => some(1),
        1 => every(2 % LOCAL),
        2 => atom(team.shared()),
        3 => some(2),
        _ => members()
            .map(|m| and(atom(Team::holds(team, m)), atom(team.is(m, 1))))
            .reduce(or)
            .expect("there are members"),
    }
}

/// A formula over five numbers, with formulas about states in their place.
fn with_states(path: &Path<AtomId>, states: &[Formula<AtomId>]) -> Path<AtomId> {
    let one = |path: &Path<AtomId>| Box::new(with_states(path, states));
    match path {
        Path::Now(formula) => Path::Now(with_atoms(formula, states)),
        Path::Not(a) => Path::Not(one(a)),
        Path::And(a, b) => Path::And(one(a), one(b)),
        Path::Or(a, b) => Path::Or(one(a), one(b)),
        Path::Implies(a, b) => Path::Implies(one(a), one(b)),
        Path::Iff(a, b) => Path::Iff(one(a), one(b)),
        Path::Next(a) => Path::Next(one(a)),
        Path::Eventually(when, a) => Path::Eventually(when.clone(), one(a)),
        Path::Always(when, a) => Path::Always(when.clone(), one(a)),
        Path::Until(until, when, a, b) => Path::Until(*until, when.clone(), one(a), one(b)),
        Path::Accepted(_) => unreachable!("no automata are drawn"),
    }
}

fn with_atoms(formula: &Formula<AtomId>, states: &[Formula<AtomId>]) -> Formula<AtomId> {
    let one = |formula: &Formula<AtomId>| Box::new(with_atoms(formula, states));
    match formula {
        Formula::Atom(atom) => states[atom.index()].clone(),
        Formula::Not(a) => Formula::Not(one(a)),
        Formula::And(a, b) => Formula::And(one(a), one(b)),
        Formula::Or(a, b) => Formula::Or(one(a), one(b)),
        Formula::Implies(a, b) => Formula::Implies(one(a), one(b)),
        Formula::Iff(a, b) => Formula::Iff(one(a), one(b)),
        Formula::Runs(quantifier, path) => Formula::Runs(*quantifier, Box::new(with_states(path, states))),
        Formula::Timer(timer, relation, bound) => {
            let timer = match timer {
                Timer::Now => Timer::Now,
                Timer::Since(a) => Timer::Since(one(a)),
                Timer::Held(a) => Timer::Held(one(a)),
            };
            Formula::Timer(timer, *relation, bound.clone())
        }
        Formula::Past(past) => {
            let mut past = past.clone();
            past.parts_mut().for_each(|part| *part = with_atoms(part, states));
            Formula::Past(past)
        }
        other => other.clone(),
    }
}

fn claims(random: &mut Random, team: &Team) -> Vec<Claim<AtomId>> {
    let states: Vec<Formula<AtomId>> = (0..5).map(|number| symmetric(team, number)).collect();
    let palette = Palette { n_atoms: 5, n_observers: 0, runs: Runs::OneOperator };
    let star = Palette { runs: Runs::AnyPath, ..palette };
    let paths = [
        path(random, 5, 3),
        path(random, 5, 3),
        timed_path(random, Unit::Steps, 5, 2),
        past_path(random, Unit::Steps, 5, 2),
        Path::Now(Formula::Runs(Quantifier::Some, Box::new(path(random, 5, 2)))),
        rich_path(random, palette, 2),
        rich_path(random, star, 2),
    ];
    let mut claims: Vec<Claim<AtomId>> =
        paths.iter().map(|path| claim(Kind::Property, with_states(path, &states))).collect();
    for extremum in [Extremum::Min, Extremum::Max] {
        let goal =
            Path::Eventually(Default::default(), Box::new(Path::Now(symmetric(team, random.below(5)))));
        let chance = Formula::Chance(Some(extremum), Query::Value, Box::new(goal));
        claims.push(claim(Kind::Query, Path::Now(chance)));
    }
    for (number, claim) in claims.iter_mut().enumerate() {
        claim.name = format!("C{number}");
    }
    claims
}

fn agree(one: &Verdict, two: &Verdict) -> bool {
    match (one, two) {
        (Verdict::Value { low, high }, Verdict::Value { low: a, high: b }) => {
            (low - a).abs() < 1e-5 && (high - b).abs() < 1e-5
        }
        _ => one == two,
    }
}

#[test]
fn verdicts_of_the_quotient_are_those_of_the_model_and_its_runs_replay() {
    let (mut fewer, mut shown, mut loops, mut branches) = (0, 0, 0, 0);
    for seed in 0..rounds(300) {
        let mut random = Random::new(seed);
        let team = Team::random(&mut random, MEMBERS);
        let claims = claims(&mut random, &team);
        let settings = Settings::default();
        let whole = check_all(&team, &claims, &settings, &mut |_| {});
        let quotient = Quotient::of(&team, &claims, Fairness::None, &all).expect("a team has members");
        assert_eq!(quotient.groups().len(), 1, "seed {seed}: {:?}", quotient.obstacles());
        let report = check_all(&quotient, &claims, &settings, &mut |_| {});
        assert!(report.coverage.states <= whole.coverage.states, "seed {seed}");
        fewer += usize::from(report.coverage.states < whole.coverage.states);
        for (at, claim) in claims.iter().enumerate() {
            let (plain, folded) = (&whole.outcomes[at], report.outcomes[at].clone());
            let context = || format!("seed {seed}, {:?}\n{team:?}", claim.formula);
            assert!(
                agree(&plain.verdict, &folded.verdict),
                "{:?} {:?} {}",
                plain.verdict,
                folded.verdict,
                context()
            );
            let there = folded.evidence.is_some();
            let unfolded = quotient.unfold_outcome(folded);
            assert_eq!(unfolded.evidence.is_some(), there, "{}", context());
            let replayed = replay_outcome(&team, &[], claim, &unfolded);
            assert_eq!(replayed, Ok(()), "{}\n{:?}", context(), unfolded.evidence);
            if let Some(evidence) = &unfolded.evidence {
                shown += 1;
                loops += usize::from(evidence.loop_start.is_some());
                branches += evidence.branches.len();
            }
        }
    }
    assert!(fewer > 50 && shown > 200 && loops > 50 && branches > 20, "{fewer} {shown} {loops} {branches}");
}

#[test]
fn a_quotient_has_as_many_states_as_the_model_has_orbits() {
    let mut saved = 0;
    for seed in 0..rounds(300) {
        let mut random = Random::new(seed);
        let members = 2 + random.below(3);
        let team = Team::random(&mut random, members);
        let graph = Graph::of(&team).expect("a team has no faults");
        let orbits: BTreeSet<Vec<u32>> = graph
            .states
            .iter()
            .map(|state| team.images(state).into_iter().min().expect("a state is its own image"))
            .collect();
        let quotient = Quotient::of(&team, &[], Fairness::None, &all).expect("a team has members");
        let folded = Graph::of(&quotient).expect("a team has no faults");
        assert_eq!(folded.states.len(), orbits.len(), "seed {seed}");
        saved += graph.states.len() - orbits.len();
    }
    assert!(saved > 1000, "{saved}");
}

#[test]
fn a_member_that_a_claim_names_stays_and_the_others_change_places() {
    let mut loops = 0;
    for seed in 0..rounds(200) {
        let mut random = Random::new(seed);
        let team = Team::random(&mut random, 4);
        let states: Vec<Formula<AtomId>> = (0..3).map(|local| Formula::Atom(team.is(1, local))).collect();
        let path = with_states(&path(&mut random, 3, 3), &states);
        let claims = [claim(Kind::Property, path)];
        let quotient = Quotient::of(&team, &claims, Fairness::None, &all).expect("a team has members");
        let mut named = BTreeSet::new();
        claims[0].formula.for_each_atom(&mut |atom| {
            named.insert(*atom);
        });
        let fixed = !named.is_empty();
        let members: Vec<usize> = if fixed { vec![0, 2, 3] } else { vec![0, 1, 2, 3] };
        assert_eq!(quotient.groups()[0].members, members, "seed {seed}");
        assert_eq!(quotient.obstacles().len(), usize::from(fixed));
        let whole = check_all(&team, &claims, &Settings::default(), &mut |_| {});
        let report = check_all(&quotient, &claims, &Settings::default(), &mut |_| {});
        assert_eq!(whole.outcomes[0].verdict, report.outcomes[0].verdict, "seed {seed}");
        let unfolded = quotient.unfold_outcome(report.outcomes[0].clone());
        if let Some(evidence) = &unfolded.evidence {
            assert_eq!(replay(&team, &claims[0], evidence), Ok(()), "seed {seed}");
            loops += usize::from(evidence.loop_start.is_some());
        }
    }
    assert!(loops > 10, "{loops}");
}

#[test]
fn what_would_be_unsound_is_refused_with_a_reason() {
    let team = Team::random(&mut Random::new(1), 3);
    let refused = |formula: Path<AtomId>, fairness| {
        let claims = [claim(Kind::Property, formula)];
        let quotient = Quotient::of(&team, &claims, fairness, &all).expect("a team has members");
        assert!(quotient.groups().is_empty());
        quotient.obstacles()[0].reason.clone()
    };
    let shared = Path::Now(Formula::Atom(team.shared()));
    let comes = Path::Eventually(Default::default(), Box::new(shared.clone()));
    assert!(refused(comes.clone(), Fairness::Weak).contains("fairness"));
    let knows =
        Formula::Knows(motet_property::Knowledge::One, vec!["m0".to_owned()], Box::new(Formula::True));
    assert!(refused(Path::Now(knows), Fairness::None).contains("knows"));
    // The same claims without what stands in the way.
    let claims = [
        claim(Kind::Property, comes),
        claim(Kind::Property, Path::Always(Default::default(), Box::new(shared))),
    ];
    let quotient = Quotient::of(&team, &claims, Fairness::None, &all).expect("a team has members");
    assert_eq!(quotient.groups().len(), 1);
    let fairly = Quotient::of(&team, &claims[1..], Fairness::Strong, &all).expect("a team has members");
    assert_eq!(fairly.groups().len(), 1, "an invariant does not need fairness");
    let report = check_all(&fairly, &claims[1..], &fair(Fairness::Strong), &mut |_| {});
    assert!(report.coverage.complete);
}

#[test]
fn a_model_that_knows_of_no_members_has_no_quotient() {
    let table = motet_naive::random::Table::new(motet_naive::random::Shape {
        n_states: 1,
        n_processes: 1,
        n_atoms: 1,
    });
    assert!(table.facets().symmetry.is_none());
    assert!(Quotient::of(&table, &[], Fairness::None, &all).is_none());
}
