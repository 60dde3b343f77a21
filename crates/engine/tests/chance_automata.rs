//! Deterministic automata accept exactly the words that satisfy their formula.

mod support;

use std::collections::HashMap;

use motet_engine::automata::{Automaton, Deterministic, Settled};
use motet_model::{AtomId, TimeUnit};
use motet_naive::Word;
use motet_naive::random::{Random, path};
use motet_property::{Formula, Path};
use support::{always, atom, eventually, rounds};

fn letter(automaton: &Deterministic, word: &Word, at: usize) -> u64 {
    let holds = |p: &Formula<AtomId>| word.satisfies(&Path::Now(p.clone()), at);
    let bits = automaton.propositions().iter().enumerate();
    bits.fold(0, |bits, (i, p)| bits | u64::from(holds(p)) << i)
}

/// Reads the word until a state comes again at the same letter, and looks at the least colour in between.
fn accepts(automaton: &mut Deterministic, word: &Word) -> bool {
    let (mut state, mut at) = (Deterministic::START, 0);
    let mut met: HashMap<(u32, usize), usize> = HashMap::new();
    let mut colours = Vec::new();
    loop {
        if let Some(&since) = met.get(&(state, at)) {
            return colours[since..].iter().min().is_some_and(|least: &u32| least.is_multiple_of(2));
        }
        met.insert((state, at), colours.len());
        let read = automaton.read(state, letter(automaton, word, at)).expect("small formulas");
        colours.push(read.colour);
        state = read.target;
        at = if at + 1 == word.letters.len() { word.back } else { at + 1 };
    }
}

fn random_word(random: &mut Random) -> Word {
    let n = 1 + random.below(6);
    let letters = (0..n).map(|_| (0..3).map(|_| random.once_in(2)).collect()).collect();
    Word { letters, back: random.below(n) }
}

#[test]
fn a_deterministic_automaton_accepts_a_word_if_and_only_if_the_word_satisfies_the_formula() {
    let (mut pairs, mut accepted, mut largest) = (0_u64, 0_u64, 0);
    for seed in 0..rounds(1500) {
        let mut random = Random::new(seed);
        let formula = path(&mut random, 3, 4);
        let Ok(automaton) = Automaton::of(&formula, TimeUnit::Steps) else { continue };
        let mut deterministic = Deterministic::of(&automaton);
        for _ in 0..12 {
            let word = random_word(&mut random);
            let expected = word.satisfies(&formula, 0);
            assert_eq!(accepts(&mut deterministic, &word), expected, "seed {seed}, {formula:?}, {word:?}");
            pairs += 1;
            accepted += u64::from(expected);
        }
        largest = largest.max(deterministic.n_states());
    }
    assert!(pairs > 15_000 && accepted > pairs / 4 && accepted < pairs * 3 / 4, "{accepted} of {pairs}");
    // Otherwise the test never leaves the subset construction.
    assert!(largest > 10, "{largest}");
}

#[test]
fn a_state_that_says_it_is_settled_is() {
    for seed in 0..rounds(300) {
        let mut random = Random::new(seed);
        let formula = path(&mut random, 3, 2);
        let Ok(automaton) = Automaton::of(&formula, TimeUnit::Steps) else { continue };
        let mut deterministic = Deterministic::of(&automaton);
        let word = random_word(&mut random);
        let mut state = Deterministic::START;
        for at in 0..word.letters.len() {
            let read = letter(&deterministic, &word, at);
            state = deterministic.read(state, read).expect("small formulas").target;
        }
        let expected = word.satisfies(&formula, 0);
        match deterministic.settled(state) {
            Settled::Accepts => assert!(expected, "seed {seed}, {formula:?}, {word:?}"),
            Settled::Rejects => assert!(!expected, "seed {seed}, {formula:?}, {word:?}"),
            Settled::Open => {}
        }
    }
}

/// All states and letters of a formula over at most three propositions.
fn size(formula: &Path<AtomId>) -> usize {
    let automaton = Automaton::of(formula, TimeUnit::Steps).expect("linear time");
    let mut deterministic = Deterministic::of(&automaton);
    let mut next = 0;
    while next < deterministic.n_states() {
        for letter in 0..1 << deterministic.propositions().len() {
            deterministic.read(u32::try_from(next).expect("few"), letter).expect("small formulas");
        }
        next += 1;
    }
    deterministic.n_states()
}

#[test]
fn safety_reachability_and_recurrence_need_few_states() {
    assert!(size(&always(atom(0))) <= 2);
    assert!(size(&eventually(atom(0))) <= 2);
    assert!(size(&always(eventually(atom(0)))) <= 2);
    assert!(size(&eventually(always(atom(0)))) <= 4);
}

#[test]
fn a_formula_that_is_too_large_is_refused() {
    let mut random = Random::new(1);
    let seen = |deterministic: &mut Deterministic, random: &mut Random| {
        let mut state = Deterministic::START;
        for _ in 0..10_000 {
            match deterministic.read(state, random.bits() & 7) {
                Ok(read) => state = read.target,
                Err(_) => return true,
            }
        }
        false
    };
    let both = Path::And(
        Box::new(eventually(always(atom(0)))),
        Box::new(Path::Or(Box::new(eventually(always(atom(1)))), Box::new(always(eventually(atom(2)))))),
    );
    let automaton = Automaton::of(&both, TimeUnit::Steps).expect("linear time");
    assert!(seen(&mut Deterministic::of(&automaton).limited(3), &mut random));
    assert!(!seen(&mut Deterministic::of(&automaton), &mut random));
}
