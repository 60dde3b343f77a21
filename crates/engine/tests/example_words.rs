//! The example words of formulas do what is said of them, by an evaluator that shares no code with the search.

mod support;

use motet_engine::automata::{Column, Example, Examples, NoExample, examples};
use motet_model::AtomId;
use motet_naive::Word;
use motet_naive::random::{Random, path};
use motet_property::{Bound, Formula, Interval, Path, Unit};
use support::{always, atom, eventually, implies, not, rounds};

const N_ATOMS: usize = 3;

/// The word over all atoms; what is no column is false.
fn word(found: &Examples, example: &Example) -> Word {
    let letter = |truths: &Vec<bool>| {
        let mut letter = vec![false; N_ATOMS];
        for (column, truth) in found.columns.iter().zip(truths) {
            if let Column::Atom(atom) = column {
                letter[atom.index()] = *truth;
            }
        }
        letter
    };
    Word { letters: example.letters.iter().map(letter).collect(), back: example.back }
}

/// Whether some word with at most `most` letters satisfies the formula.
fn some_word(formula: &Path<AtomId>, most: usize) -> Option<usize> {
    (1..=most).find(|&n| {
        (0..1_u32 << (n * N_ATOMS)).any(|bits| {
            let letter = |at: usize| (0..N_ATOMS).map(|i| bits >> (at * N_ATOMS + i) & 1 == 1).collect();
            let letters: Vec<Vec<bool>> = (0..n).map(letter).collect();
            (0..n).any(|back| Word { letters: letters.clone(), back }.satisfies(formula, 0))
        })
    })
}

fn check(formula: &Path<AtomId>, seed: u64) -> Option<Examples> {
    let found = match examples(formula) {
        Ok(found) => found,
        Err(NoExample::Large) => return None,
        Err(other) => panic!("seed {seed}: {formula:?} has no example: {other:?}"),
    };
    // The evaluator knows no deadlocks.
    if found.columns.contains(&Column::Deadlock) {
        return Some(found);
    }
    let opposite = not(formula.clone());
    for (example, formula) in [(&found.satisfied, formula), (&found.violated, &opposite)] {
        match example {
            Some(example) => {
                assert!(word(&found, example).satisfies(formula, 0), "seed {seed}: {formula:?} {example:?}");
            }
            None => assert_eq!(some_word(formula, 2), None, "seed {seed}: {formula:?}"),
        }
    }
    Some(found)
}

#[test]
fn random_formulas_have_words_for_and_against_them() {
    let mut n_found = 0_u64;
    let n = rounds(400);
    for seed in 0..n {
        let mut random = Random::new(seed);
        let depth = 1 + random.below(4);
        n_found += u64::from(check(&path(&mut random, N_ATOMS, depth), seed).is_some());
    }
    assert!(n_found * 10 > n * 9, "only {n_found} of {n} formulas had examples");
}

#[test]
fn a_violation_is_as_short_as_can_be() {
    for seed in 0..rounds(150) {
        let mut random = Random::new(seed);
        let formula = path(&mut random, N_ATOMS, 2);
        let Some(found) = check(&formula, seed) else { continue };
        let shortest = some_word(&not(formula.clone()), 3);
        let length = found.violated.map(|example| example.letters.len());
        assert!(
            shortest.is_none() || length == shortest,
            "seed {seed}: {formula:?}: {length:?}, {shortest:?}"
        );
    }
}

#[test]
fn a_response_is_shown_with_its_trigger() {
    let formula = always(implies(atom(0), eventually(atom(1))));
    let found = check(&formula, 0).expect("a small formula");
    let satisfied = found.satisfied.expect("it can be satisfied");
    assert!(
        satisfied.letters.iter().any(|letter| letter[0]),
        "{satisfied:?} says nothing: there is no trigger"
    );
    assert_eq!(found.violated.expect("it can be violated").letters.len(), 1);
}

#[test]
fn bounds_of_time_become_letters_that_last() {
    let minutes =
        |amount: u64| Some(Bound { amount: amount * 60_000, unit: Some(Unit::Clock), strict: false });
    let soon = Path::Eventually(Interval { low: None, high: minutes(4) }, Box::new(atom(1)));
    let long = Path::Always(Interval { low: None, high: minutes(6) }, Box::new(atom(2)));
    let found =
        examples(&always(implies(atom(0), Path::And(Box::new(soon), Box::new(long))))).expect("two bounds");
    assert_eq!(found.tick, Some((120_000, Unit::Clock)));
    assert!(found.satisfied.is_some() && found.violated.is_some());
}

#[test]
fn what_one_run_cannot_show_is_refused() {
    let knows = Formula::Knows(
        motet_property::Knowledge::One,
        vec!["a".to_owned()],
        Box::new(Formula::Atom(AtomId(0))),
    );
    assert_eq!(examples(&Path::Now(knows)).err(), Some(NoExample::Knowledge));
    let timer = Formula::Timer(
        motet_property::Timer::Now,
        motet_property::Relation::Le,
        Bound { amount: 1, unit: Some(Unit::Clock), strict: false },
    );
    assert_eq!(examples(&Path::Now(timer)).err(), Some(NoExample::Clock));
    let bound = |amount, unit| Some(Bound { amount, unit: Some(unit), strict: false });
    let within = |bound| Path::Eventually(Interval { low: None, high: bound }, Box::new(atom(0)));
    let mixed = Path::And(Box::new(within(bound(1, Unit::Clock))), Box::new(within(bound(1, Unit::Steps))));
    assert_eq!(examples(&mixed).err(), Some(NoExample::Bounds));
}
