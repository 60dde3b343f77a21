//! Parts that a claim does not depend on: small cases, and a naive twin that tries every constant in every place.

mod support;

use motet_engine::{Examine, Settings, check};
use motet_evidence::{Fairness, Idle, Vacuity, Verdict};
use motet_model::AtomId;
use motet_naive::random::{Random, Shape, Table, path};
use motet_naive::{Graph, some_run};
use motet_property::{Bound, Formula, Interval, Kind, Path, Quantifier, Unit};
use support::{always, atom, claim, eventually, fair, implies, not, rounds};

type Claim = Path<AtomId>;
type Context<'a> = &'a dyn Fn(Claim) -> Claim;

fn in_full(fairness: Fairness) -> Settings {
    Settings { vacuity: Examine::InFull, ..fair(fairness) }
}

/// A place in a claim: what stands there, the constant for it, the claim with the constant, and the place it lies in.
struct Place {
    part: Claim,
    constant: bool,
    stronger: Claim,
    inside: Option<usize>,
}

/// Lists every place below `path` in the order of the formula, each before what lies in it.
fn places(path: &Claim, positive: bool, context: Context<'_>, inside: Option<usize>, out: &mut Vec<Place>) {
    if matches!(path, Path::Now(Formula::True | Formula::False)) {
        return;
    }
    let constant = if positive { Formula::False } else { Formula::True };
    let number = out.len();
    out.push(Place {
        part: path.clone(),
        constant: !positive,
        stronger: context(Path::Now(constant)),
        inside,
    });
    let mut one = |child: &Claim, positive: bool, wrap: &dyn Fn(Box<Claim>) -> Claim| {
        places(child, positive, &|new| context(wrap(Box::new(new))), Some(number), out);
    };
    match path {
        Path::Now(formula) => in_state(formula, positive, context, number, out),
        Path::Not(a) => one(a, !positive, &|a| Path::Not(a)),
        Path::Next(a) => one(a, positive, &|a| Path::Next(a)),
        Path::Eventually(when, a) => one(a, positive, &|a| Path::Eventually(when.clone(), a)),
        Path::Always(when, a) => one(a, positive, &|a| Path::Always(when.clone(), a)),
        Path::And(a, b) => {
            one(a, positive, &|a| Path::And(a, b.clone()));
            one(b, positive, &|b| Path::And(a.clone(), b));
        }
        Path::Or(a, b) => {
            one(a, positive, &|a| Path::Or(a, b.clone()));
            one(b, positive, &|b| Path::Or(a.clone(), b));
        }
        Path::Implies(a, b) => {
            one(a, !positive, &|a| Path::Implies(a, b.clone()));
            one(b, positive, &|b| Path::Implies(a.clone(), b));
        }
        Path::Until(until, when, a, b) => {
            one(a, positive, &|a| Path::Until(*until, when.clone(), a, b.clone()));
            one(b, positive, &|b| Path::Until(*until, when.clone(), a.clone(), b));
        }
        _ => panic!("equivalences were written out"),
    }
}

/// The same inside a state formula: its parts are lifted to formulas about runs, which say the same there.
fn in_state(
    formula: &Formula<AtomId>,
    positive: bool,
    context: Context<'_>,
    number: usize,
    out: &mut Vec<Place>,
) {
    let now = |formula: &Formula<AtomId>| Box::new(Path::Now(formula.clone()));
    let mut one = |child: &Formula<AtomId>, positive: bool, wrap: &dyn Fn(Box<Claim>) -> Claim| {
        places(&now(child), positive, &|new| context(wrap(Box::new(new))), Some(number), out);
    };
    match formula {
        Formula::Not(a) => one(a, !positive, &|a| Path::Not(a)),
        Formula::And(a, b) => {
            one(a, positive, &|a| Path::And(a, now(b)));
            one(b, positive, &|b| Path::And(now(a), b));
        }
        Formula::Or(a, b) => {
            one(a, positive, &|a| Path::Or(a, now(b)));
            one(b, positive, &|b| Path::Or(now(a), b));
        }
        Formula::Implies(a, b) => {
            one(a, !positive, &|a| Path::Implies(a, now(b)));
            one(b, positive, &|b| Path::Implies(now(a), b));
        }
        _ => {}
    }
}

/// The claim without equivalences.
fn pure(path: &Claim) -> Claim {
    let one = |a: &Claim| Box::new(pure(a));
    match path {
        Path::Now(formula) => Path::Now(pure_state(formula)),
        Path::Not(a) => Path::Not(one(a)),
        Path::Next(a) => Path::Next(one(a)),
        Path::Eventually(when, a) => Path::Eventually(when.clone(), one(a)),
        Path::Always(when, a) => Path::Always(when.clone(), one(a)),
        Path::And(a, b) => Path::And(one(a), one(b)),
        Path::Or(a, b) => Path::Or(one(a), one(b)),
        Path::Implies(a, b) => Path::Implies(one(a), one(b)),
        Path::Iff(a, b) => {
            let sides = (Path::Implies(one(a), one(b)), Path::Implies(one(b), one(a)));
            Path::And(Box::new(sides.0), Box::new(sides.1))
        }
        Path::Until(until, when, a, b) => Path::Until(*until, when.clone(), one(a), one(b)),
        other => other.clone(),
    }
}

fn pure_state(formula: &Formula<AtomId>) -> Formula<AtomId> {
    let one = |a: &Formula<AtomId>| Box::new(pure_state(a));
    match formula {
        Formula::Not(a) => Formula::Not(one(a)),
        Formula::And(a, b) => Formula::And(one(a), one(b)),
        Formula::Or(a, b) => Formula::Or(one(a), one(b)),
        Formula::Implies(a, b) => Formula::Implies(one(a), one(b)),
        Formula::Iff(a, b) => {
            let sides = (Formula::Implies(one(a), one(b)), Formula::Implies(one(b), one(a)));
            Formula::And(Box::new(sides.0), Box::new(sides.1))
        }
        other => other.clone(),
    }
}

#[test]
fn the_parts_found_are_those_that_the_naive_twin_finds_by_trying_every_place() {
    let (mut examined, mut found, mut depending) = (0, 0, 0);
    for seed in 0..rounds(300) {
        let mut random = Random::new(seed);
        let table = Table::random(&mut random, Shape { n_states: 6, n_processes: 2, n_atoms: 3 });
        let graph = Graph::of(&table).expect("no faults");
        for fairness in [Fairness::None, Fairness::Weak] {
            let property = claim(Kind::Property, path(&mut random, 3, 2));
            let outcome = check(&table, &property, &in_full(fairness));
            let Vacuity::Examined { idle, unchecked } = &outcome.vacuity else { continue };
            let context = format!("seed {seed}, {fairness:?}, {:?}", property.formula);
            assert_eq!((&outcome.verdict, *unchecked), (&Verdict::Holds, 0), "{context}");
            let mut all = Vec::new();
            places(&pure(&property.formula), true, &|new| new, None, &mut all);
            let holds = |stronger: &Claim| some_run(&table, &graph, &not(stronger.clone()), fairness);
            let Some(truths) =
                all.iter().map(|place| Some(!holds(&place.stronger)?)).collect::<Option<Vec<bool>>>()
            else {
                continue;
            };
            // The claim itself is no part of itself.
            let outermost = |at: &usize| {
                *at > 0 && truths[*at] && all[*at].inside.is_none_or(|outer| outer == 0 || !truths[outer])
            };
            let expected: Vec<_> =
                (0..all.len()).filter(outermost).map(|at| (&all[at].part, all[at].constant)).collect();
            let got: Vec<_> = idle.iter().map(|idle| (&idle.part, idle.constant)).collect();
            assert_eq!(got, expected, "{context}");
            for idle in idle {
                assert_eq!(
                    holds(&idle.stronger),
                    Some(false),
                    "{context}: {:?} does not hold",
                    idle.stronger
                );
            }
            examined += 1;
            found += idle.len();
            depending += usize::from(idle.is_empty());
        }
    }
    assert!(
        examined > 60 && found > 40 && depending > 5,
        "{examined} examined, {found} found, {depending} without"
    );
}

/// A light that goes round: green (atom 0), yellow (atom 1), red (atom 2), and a car that may wait (atom 3) for ever.
fn light() -> Table {
    let mut table = Table::new(Shape { n_states: 3, n_processes: 1, n_atoms: 4 });
    (0..3).for_each(|state| table.step(state, 0, (state + 1) % 3));
    for state in 0..3 {
        table.atoms[state][state] = true;
    }
    table
}

fn parts_of(formula: Claim) -> Vec<Idle> {
    let outcome = check(&light(), &claim(Kind::Property, formula), &in_full(Fairness::Weak));
    assert_eq!(outcome.verdict, Verdict::Holds);
    match outcome.vacuity {
        Vacuity::Examined { idle, unchecked: 0 } => idle,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_claim_that_needs_all_its_parts_is_told_nothing() {
    // Without the trigger yellow would be there always; without yellow green would never come.
    assert_eq!(parts_of(always(implies(atom(0), Path::Next(Box::new(atom(1)))))), []);
}

#[test]
fn a_trigger_that_does_not_matter_is_told_with_the_claim_without_it() {
    let idle = parts_of(always(implies(atom(0), eventually(atom(2)))));
    let stronger = always(eventually(atom(2)));
    assert_eq!(idle, [Idle { part: atom(0), constant: true, stronger }]);
}

#[test]
fn an_alternative_that_never_happens_is_told_as_a_whole() {
    // A red light, or one that is yellow while a car waits: the second never happens.
    let waiting = Path::And(Box::new(atom(1)), Box::new(atom(3)));
    let idle = parts_of(always(eventually(Path::Or(Box::new(atom(2)), Box::new(waiting.clone())))));
    let stronger = always(eventually(atom(2)));
    assert_eq!(idle, [Idle { part: waiting, constant: false, stronger }]);
}

#[test]
fn an_antecedent_that_never_happens_is_told_as_before() {
    let formula = always(implies(atom(3), eventually(atom(2))));
    let outcome = check(&light(), &claim(Kind::Property, formula), &in_full(Fairness::Weak));
    assert_eq!(outcome.vacuity, Vacuity::NeverTriggered(Box::new(atom(3))));
}

#[test]
fn a_possibility_is_not_examined() {
    let outcome = check(&light(), &claim(Kind::Possible, atom(2)), &in_full(Fairness::Weak));
    assert_eq!((outcome.verdict, outcome.vacuity), (Verdict::Holds, Vacuity::Unchecked));
}

#[test]
fn parts_of_claims_about_other_runs_and_about_time_are_looked_at_too() {
    let some = |path: Claim| Path::Now(Formula::Runs(Quantifier::Some, Box::new(path)));
    let every = |path: Claim| Path::Now(Formula::Runs(Quantifier::All, Box::new(path)));
    let idle = parts_of(every(always(implies(atom(0), some(eventually(atom(2)))))));
    let stronger = every(always(some(eventually(atom(2)))));
    assert_eq!(idle, [Idle { part: atom(0), constant: true, stronger }]);
    // Green to red takes two steps, and from anywhere else it takes less; with one step the trigger matters.
    let within = |steps: u64, goal: Claim| {
        let high = Bound { amount: steps, unit: Some(Unit::Steps), strict: false };
        Path::Eventually(Interval { low: None, high: Some(high) }, Box::new(goal))
    };
    let idle = parts_of(always(implies(atom(0), within(2, atom(2)))));
    assert_eq!(idle, [Idle { part: atom(0), constant: true, stronger: always(within(2, atom(2))) }]);
    assert_eq!(parts_of(always(implies(atom(1), within(1, atom(2))))), []);
}
