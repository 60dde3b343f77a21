//! Automata accept exactly the words that satisfy their formula.

mod support;

use motet_engine::automata::Automaton;
use motet_model::{AtomId, Signature, TimeUnit};
use motet_naive::Word;
use motet_naive::random::{Random, path};
use motet_property::{Formula, Path};
use support::{always, atom, eventually, implies, not, rounds};

/// Whether a run over the repeating word takes transitions of every acceptance set for ever, by closing the relation
/// "reaches over these sets" between pairs of state and position.
fn accepts(automaton: &Automaton, word: &Word) -> bool {
    let n = word.letters.len();
    let node = |state: usize, at: usize| state * n + at;
    let letter = |at: usize| {
        let holds = |p: &Formula<AtomId>| word.satisfies(&Path::Now(p.clone()), at);
        automaton.propositions.iter().enumerate().fold(0_u64, |bits, (i, p)| bits | u64::from(holds(p)) << i)
    };
    let mut edges = Vec::new();
    for (state, transitions) in automaton.transitions.iter().enumerate() {
        for at in 0..n {
            let next = if at + 1 == n { word.back } else { at + 1 };
            for t in transitions.iter().filter(|t| t.label.admits(letter(at))) {
                edges.push((node(state, at), t.sets, node(t.target as usize, next)));
            }
        }
    }
    // Emerson and Lei: the greatest set from which each acceptance set can be met inside the set.
    let mut alive = vec![true; automaton.transitions.len() * n];
    loop {
        let before = alive.clone();
        for set in 0..automaton.n_sets.max(1) {
            let meets = |sets: u32| automaton.n_sets == 0 || sets >> set & 1 == 1;
            let mut reached = vec![false; alive.len()];
            let mut changed = true;
            while changed {
                changed = false;
                for &(from, sets, to) in &edges {
                    let on = alive[from] && alive[to] && (meets(sets) || reached[to]);
                    changed |= on && !reached[from];
                    reached[from] |= on;
                }
            }
            alive = reached;
        }
        if alive == before {
            return alive[0];
        }
    }
}

fn random_word(random: &mut Random) -> Word {
    let n = 1 + random.below(6);
    let letters = (0..n).map(|_| (0..3).map(|_| random.once_in(2)).collect()).collect();
    Word { letters, back: random.below(n) }
}

#[test]
fn an_automaton_accepts_a_word_if_and_only_if_the_word_satisfies_the_formula() {
    let (mut pairs, mut accepted, mut formulas, mut states) = (0_u64, 0_u64, 0, 0);
    for seed in 0..rounds(3000) {
        let mut random = Random::new(seed);
        let formula = path(&mut random, 3, 3);
        let Ok(automaton) = Automaton::of(&formula, TimeUnit::Steps) else { continue };
        formulas += 1;
        states += automaton.transitions.len();
        for _ in 0..10 {
            let word = random_word(&mut random);
            let expected = word.satisfies(&formula, 0);
            assert_eq!(accepts(&automaton, &word), expected, "seed {seed}, {formula:?}, {word:?}");
            pairs += 1;
            accepted += u64::from(expected);
        }
    }
    assert!(pairs > 20_000 && accepted > pairs / 4 && accepted < pairs * 3 / 4, "{accepted} of {pairs}");
    assert!(states < 5 * formulas, "{states} states for {formulas} formulas");
}

fn size(formula: &Path<AtomId>) -> (usize, u32) {
    let automaton = Automaton::of(formula, TimeUnit::Steps).expect("a small formula");
    (automaton.transitions.len(), automaton.n_sets)
}

/// The sizes are those of the smallest automata, which can be found by hand.
#[test]
fn common_formulas_have_small_automata() {
    let response = always(implies(atom(0), eventually(atom(1))));
    assert_eq!(size(&always(atom(0))), (1, 0));
    assert_eq!(size(&eventually(atom(0))), (2, 1));
    assert_eq!(size(&always(eventually(atom(0)))), (1, 1));
    assert_eq!(size(&eventually(always(atom(0)))), (2, 1));
    assert_eq!(size(&not(response.clone())), (2, 1));
    assert_eq!(size(&response), (2, 1));
    assert_eq!(size(&not(always(implies(atom(0), eventually(always(atom(1))))))), (2, 1));
}

#[test]
fn the_automaton_of_a_response_claim_in_the_hanoi_format() {
    let signature =
        Signature { atoms: vec!["request".to_owned(), "grant".to_owned()], ..Signature::default() };
    let broken = not(always(implies(atom(0), eventually(atom(1)))));
    let text = Automaton::of(&broken, TimeUnit::Steps).unwrap().to_hoa("response", "never", &signature);
    let expected = "HOA: v1
name: \"response\"
tool: \"motet\"
claim: never
States: 2
Start: 0
AP: 2 \"request\" \"grant\"
acc-name: generalized-Buchi 1
Acceptance: 1 Inf(0)
properties: trans-labels explicit-labels trans-acc
--BODY--
State: 0
[t] 0
[0&!1] 1
State: 1
[!1] 1 {0}
--END--
";
    assert_eq!(text, expected);
}

fn conjunction(parts: impl Iterator<Item = Path<AtomId>>) -> Path<AtomId> {
    parts.reduce(|a, b| Path::And(Box::new(a), Box::new(b))).expect("at least one part")
}

/// `G F a0 & G F a1 & ...` needs one state, whatever their number: acceptance on transitions says the rest.
#[test]
fn many_recurrences_need_one_state() {
    for n in [1, 2, 5, 8] {
        let formula = conjunction((0..n).map(|i| always(eventually(atom(i)))));
        assert_eq!(size(&formula), (1, n), "{n} recurrences");
    }
}

/// A formula whose automaton would be huge is refused in reasonable time.
#[test]
fn formulas_that_are_too_large_are_refused() {
    let strong = |i: u32| implies(always(eventually(atom(2 * i))), always(eventually(atom(2 * i + 1))));
    assert!(Automaton::of(&conjunction((0..2).map(strong)), TimeUnit::Steps).is_ok());
    let refused = Automaton::of(&conjunction((0..16).map(strong)), TimeUnit::Steps);
    assert_eq!(refused.err(), Some("a formula this large".to_owned()));
    let many = conjunction((0..70).map(|i| eventually(atom(i))));
    assert_eq!(Automaton::of(&many, TimeUnit::Steps).err(), Some("a formula this large".to_owned()));
}
