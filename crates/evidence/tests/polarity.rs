//! A single run refutes "on all runs" and proves "on some run", never the other way round; a negation and the left side of an
//! implication turn that about.

use motet_evidence::{Evidence, Fairness, Forged, Objection, rebuild, replay};
use motet_model::AtomId;
use motet_naive::random::{Shape, Table};
use motet_property::{Claim, Expect, Formula, Interval, Kind, Path, Quantifier};
use motet_source::{FileId, Span};

/// From 0 the process goes to 1 or to 2 and stays there. Atom 0 holds in 1, atom 1 nowhere.
fn fork() -> Table {
    let mut table = Table::new(Shape { n_states: 3, n_processes: 1, n_atoms: 2 });
    table.step(0, 0, 1);
    table.step(0, 0, 2);
    table.step(1, 0, 1);
    table.step(2, 0, 2);
    table.atoms[0][1] = true;
    table
}

fn claim(kind: Kind, formula: Path<AtomId>) -> Claim<AtomId> {
    let (name, span) = ("c".to_owned(), Span::new(FileId(0), 0, 0));
    Claim { name, words: None, kind, formula, expect: Expect::Holds, span, text: String::new() }
}

fn comes(quantifier: Quantifier) -> Formula<AtomId> {
    let goal = Box::new(Path::Now(Formula::Atom(AtomId(0))));
    Formula::Runs(quantifier, Box::new(Path::Eventually(Interval::default(), goal)))
}

fn never() -> Formula<AtomId> {
    Formula::Atom(AtomId(1))
}

/// An implication as a formula about a state and as one about a run, and both with its left side negated and joined by "or".
fn implications(left: &Formula<AtomId>, right: &Formula<AtomId>) -> Vec<Path<AtomId>> {
    let (one, other) = (|| Box::new(left.clone()), || Box::new(right.clone()));
    let (early, late) = (|| Box::new(Path::Now(left.clone())), || Box::new(Path::Now(right.clone())));
    vec![
        Path::Now(Formula::Implies(one(), other())),
        Path::Now(Formula::Or(Box::new(Formula::Not(one())), other())),
        Path::Implies(early(), late()),
        Path::Or(Box::new(Path::Not(early())), late()),
    ]
}

/// What a run that takes the first or the second way shows.
fn shown(way: u32, kind: Kind, formula: Path<AtomId>) -> Result<(), Objection> {
    let table = fork();
    let run = rebuild(&table, 0, &[(way, 0), (0, 0)]).expect("the fork has both ways");
    replay(&table, &claim(kind, formula), &Evidence::new(run, Some(1), Fairness::None))
}

const UNDECIDED: Result<(), Objection> = Err(Objection::Forged(Forged::Undecided));

#[test]
fn a_run_does_not_show_what_all_runs_do_on_the_left_of_an_implication() {
    // The run meets the atom; the other one does not, so that "on all runs" is false and the implication true.
    for formula in implications(&comes(Quantifier::All), &never()) {
        assert_eq!(shown(0, Kind::Property, formula.clone()), UNDECIDED, "{formula:?}");
    }
}

#[test]
fn a_run_does_not_show_that_no_run_does_on_the_left_of_an_implication() {
    // The run does not meet the atom; another one does.
    for formula in implications(&comes(Quantifier::Some), &never()) {
        let first = Path::And(Box::new(Path::Next(Box::new(Path::Now(Formula::True)))), Box::new(formula));
        assert_eq!(shown(1, Kind::Possible, first.clone()), UNDECIDED, "{first:?}");
    }
}

#[test]
fn a_run_shows_that_some_run_does_on_the_left_of_an_implication() {
    for formula in implications(&comes(Quantifier::Some), &never()) {
        assert_eq!(shown(0, Kind::Property, formula.clone()), Ok(()), "{formula:?}");
    }
}

#[test]
fn a_run_shows_that_not_all_runs_do_on_the_left_of_an_implication() {
    for formula in implications(&comes(Quantifier::All), &never()) {
        let first = Path::And(Box::new(Path::Next(Box::new(Path::Now(Formula::True)))), Box::new(formula));
        assert_eq!(shown(1, Kind::Possible, first.clone()), Ok(()), "{first:?}");
    }
}

#[test]
fn on_the_right_of_an_implication_a_run_shows_what_it_shows_alone() {
    for formula in implications(&Formula::True, &comes(Quantifier::All)) {
        assert_eq!(shown(1, Kind::Property, formula.clone()), Ok(()), "{formula:?}");
        assert_eq!(shown(0, Kind::Property, formula.clone()), UNDECIDED, "{formula:?}");
    }
}
