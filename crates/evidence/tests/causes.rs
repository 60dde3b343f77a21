//! The facts that decide a claim on a run, compared with trying what changes when facts change.

use std::collections::BTreeSet;

use motet_evidence::{Cause, Evidence, causes, rebuild, stretches};
use motet_model::AtomId;
use motet_naive::Word;
use motet_naive::random::{Random, Shape, Table, path};
use motet_property::{Claim, Expect, Formula, Interval, Kind, Path};
use motet_source::{FileId, Span};

/// How many rounds a randomised test takes; `MOTET_ROUNDS` asks for more.
#[expect(clippy::disallowed_methods, reason = "a developer widens the tests from outside")]
fn rounds(usual: u64) -> u64 {
    std::env::var("MOTET_ROUNDS").ok().and_then(|text| text.parse::<u64>().ok()).unwrap_or(0).max(usual)
}

fn claim(formula: Path<AtomId>) -> Claim<AtomId> {
    Claim {
        name: "claim".to_owned(),
        words: None,
        kind: Kind::Property,
        formula,
        expect: Expect::Holds,
        span: Span::new(FileId(0), 0, 0),
        text: String::new(),
    }
}

fn atom(number: u32) -> Path<AtomId> {
    Path::Now(Formula::Atom(AtomId(number)))
}

fn always(path: Path<AtomId>) -> Path<AtomId> {
    Path::Always(Interval::default(), Box::new(path))
}

fn eventually(path: Path<AtomId>) -> Path<AtomId> {
    Path::Eventually(Interval::default(), Box::new(path))
}

fn implies(a: Path<AtomId>, b: Path<AtomId>) -> Path<AtomId> {
    Path::Implies(Box::new(a), Box::new(b))
}

/// A model with one run, which is the word, and that run.
fn run(word: &Word) -> (Table, Evidence) {
    let n = word.letters.len();
    let n_atoms = word.letters[0].len();
    let mut table = Table::new(Shape { n_states: n, n_processes: 1, n_atoms });
    for (state, letter) in word.letters.iter().enumerate() {
        table.step(state, 0, if state + 1 < n { state + 1 } else { word.back });
        for (atom, value) in letter.iter().enumerate() {
            table.atoms[atom][state] = *value;
        }
    }
    let run = rebuild(&table, 0, &vec![(0, 0); n]).expect("the only run");
    (table, Evidence::new(run, Some(word.back), motet_evidence::Fairness::None))
}

fn random_word(random: &mut Random, n_letters: usize, n_atoms: usize) -> Word {
    let letters = (0..n_letters).map(|_| (0..n_atoms).map(|_| random.once_in(2)).collect()).collect();
    Word { letters, back: random.below(n_letters) }
}

/// Formulas whose only leaves are atoms and constants.
fn has_deadlock(path: &Path<AtomId>) -> bool {
    format!("{path:?}").contains("Deadlock")
}

fn found(word: &Word, formula: &Path<AtomId>) -> Vec<(usize, usize)> {
    let (table, evidence) = run(word);
    let causes = causes(&table, &claim(formula.clone()), &evidence).expect("the run can be judged");
    let pair = |cause: &Cause| match cause.fact {
        Formula::Atom(atom) => {
            assert_eq!(word.letters[cause.at][atom.index()], cause.value, "the value is that of the run");
            (cause.at, atom.index())
        }
        ref other => panic!("{other:?} is no atom"),
    };
    causes.iter().map(pair).collect()
}

fn flipped(word: &Word, pairs: impl IntoIterator<Item = (usize, usize)>) -> Word {
    let mut word = word.clone();
    pairs.into_iter().for_each(|(at, atom)| word.letters[at][atom] ^= true);
    word
}

#[test]
fn the_causes_decide_alone_and_no_decisive_fact_is_missing() {
    let (mut broken, mut largest, mut all) = (0, 0, 0);
    for seed in 0..rounds(1500) {
        let mut random = Random::new(seed);
        let (n, n_atoms) = (1 + random.below(6), 3);
        let word = random_word(&mut random, n, n_atoms);
        let formula = path(&mut random, n_atoms, 3);
        if has_deadlock(&formula) || word.satisfies(&formula, 0) {
            continue;
        }
        let context = format!("seed {seed}, {word:?}, {formula:?}");
        let causes: BTreeSet<(usize, usize)> = found(&word, &formula).into_iter().collect();
        let pairs: Vec<(usize, usize)> =
            (0..n).flat_map(|at| (0..n_atoms).map(move |atom| (at, atom))).collect();
        for pair in &pairs {
            if flipped(&word, [*pair]).satisfies(&formula, 0) {
                assert!(causes.contains(pair), "{pair:?} decides but is no cause: {context}");
            }
        }
        let others: Vec<(usize, usize)> =
            pairs.iter().filter(|pair| !causes.contains(pair)).copied().collect();
        for _ in 0..20 {
            let some: Vec<_> = others.iter().filter(|_| random.once_in(2)).copied().collect();
            let changed = flipped(&word, some.iter().copied());
            assert!(!changed.satisfies(&formula, 0), "{some:?} matters, not only {causes:?}: {context}");
        }
        broken += 1;
        largest = largest.max(causes.len());
        all += others.len();
    }
    assert!(broken > 300 && largest > 5 && all > 1000, "{broken} broken, {largest} at most, {all} left out");
}

/// The definition of Beer and others: a fact is a cause if, after some other facts have changed without changing the truth,
/// it decides. All sets of other facts are tried.
#[test]
fn nearly_all_causes_are_causes_by_the_definition() {
    let (mut exact, mut all) = (0, 0);
    for seed in 0..rounds(600) {
        let mut random = Random::new(seed);
        let word = random_word(&mut random, 4, 2);
        let formula = path(&mut random, 2, 2);
        if has_deadlock(&formula) || word.satisfies(&formula, 0) {
            continue;
        }
        let pairs: Vec<(usize, usize)> = (0..4).flat_map(|at| [(at, 0), (at, 1)]).collect();
        let changed = |set: u32| {
            pairs.iter().enumerate().filter(move |(n, _)| set >> n & 1 == 1).map(|(_, pair)| *pair)
        };
        let truths: Vec<bool> = (0..1_u32 << pairs.len())
            .map(|set| flipped(&word, changed(set)).satisfies(&formula, 0))
            .collect();
        if !truths.contains(&true) {
            continue;
        }
        for cause in found(&word, &formula) {
            let bit = 1 << pairs.iter().position(|pair| *pair == cause).expect("a pair of the word");
            let decides = |set: usize| set & bit == 0 && !truths[set] && truths[set | bit];
            exact += usize::from((0..truths.len()).any(decides));
            all += 1;
        }
    }
    assert!(all > 200 && exact * 100 > all * 90, "{exact} of {all}");
}

#[test]
fn an_unanswered_call_is_one_call_and_a_silence() {
    // Called in letter 2, answered in letter 1 only; the last two letters repeat.
    let letters =
        vec![vec![false, false], vec![true, true], vec![true, false], vec![false, false], vec![false, false]];
    let word = Word { letters, back: 3 };
    let formula = always(implies(atom(0), eventually(atom(1))));
    assert_eq!(found(&word, &formula), [(2, 0), (2, 1), (3, 1), (4, 1)]);
    let (table, evidence) = run(&word);
    let causes = causes(&table, &claim(formula), &evidence).expect("it can be judged");
    let told: Vec<_> = stretches(&table, &evidence, &causes)
        .into_iter()
        .map(|stretch| (stretch.fact, stretch.value, stretch.from, stretch.to, stretch.recurs))
        .collect();
    // The call lasts since letter 1; the silence begins in letter 2 and never ends.
    assert_eq!(
        told,
        [
            (Formula::Atom(AtomId(0)), true, 1, Some(3), false),
            (Formula::Atom(AtomId(1)), false, 2, None, false)
        ]
    );
}

#[test]
fn what_is_false_again_and_again_is_one_fact() {
    let letters = vec![vec![false], vec![true], vec![false], vec![true]];
    let word = Word { letters, back: 1 };
    let formula = eventually(always(atom(0)));
    assert_eq!(found(&word, &formula), [(2, 0)]);
    let (table, evidence) = run(&word);
    let causes = causes(&table, &claim(formula), &evidence).expect("it can be judged");
    let stretch = &stretches(&table, &evidence, &causes)[0];
    assert_eq!((stretch.from, stretch.to, stretch.recurs), (2, Some(3), true));
}
