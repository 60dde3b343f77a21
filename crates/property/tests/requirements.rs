//! Requirements mean what the published definition says: every combination of scope, condition and timing is compared
//! with the definition, in terms of intervals, on all words that repeat for ever with up to four letters.
//!
//! Giannakopoulou, Pressburger, Mavridou and Schumann, "Automated formalization of structured natural language
//! requirements" (2021), and FRET's own test oracle, which decides what happens in an interval that is too short.

mod support;

use motet_model::{AtomId, AtomText};
use motet_property::{Basic, Bound, Connective, Formula, Interval, Path};
use support::read;

/// Sixty-four truths, one for each word that is looked at together.
type Truths = u64;

/// The mode, the condition, what ends, the response.
const NAMES: [&str; 4] = ["m", "p", "s", "r"];
const LONGEST: usize = 4;

/// Sixty-four words of one shape: per letter and name.
struct Words {
    letters: Vec<[Truths; 4]>,
    back: usize,
}

impl Words {
    /// The letter at any distance.
    fn at(&self, at: usize) -> [Truths; 4] {
        let n = self.letters.len();
        self.letters[if at < n { at } else { self.back + (at - self.back) % (n - self.back) }]
    }

    fn next(&self, at: usize) -> usize {
        if at + 1 < self.letters.len() { at + 1 } else { self.back }
    }
}

/// Calls `look` for all words over the used names with up to [`LONGEST`] letters, sixty-four at a time.
fn for_all_words(used: [bool; 4], look: &mut dyn FnMut(&Words)) {
    // The six lowest bits of a word's number, for all sixty-four at once.
    const LOW: [Truths; 6] = [
        0xAAAA_AAAA_AAAA_AAAA,
        0xCCCC_CCCC_CCCC_CCCC,
        0xF0F0_F0F0_F0F0_F0F0,
        0xFF00_FF00_FF00_FF00,
        0xFFFF_0000_FFFF_0000,
        0xFFFF_FFFF_0000_0000,
    ];
    let n_used = used.iter().filter(|used| **used).count();
    for n in 1..=LONGEST {
        let bits = n * n_used;
        for batch in 0..1_u64 << bits.saturating_sub(6) {
            let mut bit = 0;
            let mut letters = vec![[0; 4]; n];
            for name in (0..4).filter(|name| used[*name]) {
                for letter in &mut letters {
                    let high = || if batch >> (bit - 6) & 1 == 1 { Truths::MAX } else { 0 };
                    letter[name] = if bit < 6 { LOW[bit] } else { high() };
                    bit += 1;
                }
            }
            for back in 0..n {
                look(&Words { letters: letters.clone(), back });
            }
        }
    }
}

/// The truth of a formula at every letter, by fixpoints.
struct Evaluator<'a> {
    words: &'a Words,
    /// The name of each atom.
    atoms: &'a [usize],
}

impl Evaluator<'_> {
    fn path(&self, path: &Path<AtomId>) -> Vec<Truths> {
        let opposite = |values: Vec<Truths>| values.into_iter().map(|value| !value).collect::<Vec<_>>();
        let pair = |a, b, join: &dyn Fn(Truths, Truths) -> Truths| -> Vec<Truths> {
            self.path(a).into_iter().zip(self.path(b)).map(|(a, b)| join(a, b)).collect()
        };
        let n = self.words.letters.len();
        match path {
            Path::Now(formula) => (0..n).map(|at| self.state(formula, at)).collect(),
            Path::Accepted(_) => panic!("no part of a requirement"),
            Path::Not(a) => opposite(self.path(a)),
            Path::And(a, b) => pair(a, b, &|a, b| a & b),
            Path::Or(a, b) => pair(a, b, &|a, b| a | b),
            Path::Implies(a, b) => pair(a, b, &|a, b| !a | b),
            Path::Iff(a, b) => pair(a, b, &|a, b| !(a ^ b)),
            Path::Next(a) => self.later(&self.path(a)),
            Path::Eventually(when, a) => self.until(when, &vec![Truths::MAX; n], &self.path(a)),
            Path::Always(when, a) => {
                opposite(self.until(when, &vec![Truths::MAX; n], &opposite(self.path(a))))
            }
            Path::Until(until, when, a, b) => {
                let join = |connective: Connective, a: Vec<Truths>, b: Vec<Truths>| -> Vec<Truths> {
                    a.into_iter().zip(b).map(|(a, b)| connective.of(a, b)).collect()
                };
                match until.define(self.path(a), self.path(b), join) {
                    Basic::Until(a, b) => self.until(when, &a, &b),
                    Basic::Release(a, b) => opposite(self.until(when, &opposite(a), &opposite(b))),
                }
            }
        }
    }

    fn state(&self, formula: &Formula<AtomId>, at: usize) -> Truths {
        let state = |formula| self.state(formula, at);
        match formula {
            Formula::True => Truths::MAX,
            Formula::False => 0,
            Formula::Atom(id) => self.words.at(at)[self.atoms[id.index()]],
            Formula::Not(a) => !state(a),
            Formula::And(a, b) => state(a) & state(b),
            Formula::Or(a, b) => state(a) | state(b),
            Formula::Implies(a, b) => !state(a) | state(b),
            Formula::Iff(a, b) => !(state(a) ^ state(b)),
            other => panic!("{other:?} is no part of a requirement"),
        }
    }

    fn later(&self, values: &[Truths]) -> Vec<Truths> {
        (0..values.len()).map(|at| values[self.words.next(at)]).collect()
    }

    fn until(&self, when: &Interval, a: &[Truths], b: &[Truths]) -> Vec<Truths> {
        let end = |bound: &Bound, strict: i64| {
            i64::try_from(bound.amount).expect("small") + if bound.strict { strict } else { 0 }
        };
        let low = when.low.as_ref().map_or(0, |bound| end(bound, 1));
        let mut values = vec![0; a.len()];
        let n_rounds = match &when.high {
            None => i64::try_from(a.len()).expect("small") + 1,
            Some(high) => end(high, -1) - low + 1,
        };
        for _ in 0..n_rounds {
            let later = self.later(&values);
            values = (0..a.len()).map(|at| b[at] | a[at] & later[at]).collect();
        }
        for _ in 0..low {
            let later = self.later(&values);
            values = (0..a.len()).map(|at| a[at] & later[at]).collect();
        }
        values
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    Everywhere,
    In,
    NotIn,
    Before,
    After,
    OnlyIn,
    OnlyBefore,
    OnlyAfter,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Condition {
    None,
    Upon,
    Unless,
    Whenever,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Timing {
    Immediately,
    Next,
    Always,
    Never,
    Eventually,
    Until,
    Before,
    Within(usize),
    For(usize),
    After(usize),
}

const SCOPES: [(Scope, &str); 8] = [
    (Scope::Everywhere, ""),
    (Scope::In, "in m mode, "),
    (Scope::NotIn, "when not in m, "),
    (Scope::Before, "before m, "),
    (Scope::After, "after m, "),
    (Scope::OnlyIn, "only during m, "),
    (Scope::OnlyBefore, "only before m, "),
    (Scope::OnlyAfter, "only after m, "),
];

const CONDITIONS: [(Condition, &str); 4] = [
    (Condition::None, ""),
    (Condition::Upon, "upon p, "),
    (Condition::Unless, "unless p, "),
    (Condition::Whenever, "whenever p, "),
];

fn timings() -> Vec<(Timing, String)> {
    let mut all: Vec<(Timing, String)> = [
        (Timing::Immediately, "immediately"),
        (Timing::Next, "at the next timepoint"),
        (Timing::Always, "always"),
        (Timing::Never, "never"),
        (Timing::Eventually, "eventually"),
        (Timing::Until, "until s"),
        (Timing::Before, "before s"),
    ]
    .map(|(timing, text)| (timing, text.to_owned()))
    .into();
    for n in 0..3 {
        all.push((Timing::Within(n), format!("within {n} steps")));
        all.push((Timing::For(n), format!("for {n} steps")));
        all.push((Timing::After(n), format!("after {n} steps")));
    }
    all
}

/// The definition, on so many moments of the words that nothing new comes after.
struct Definition {
    moments: Vec<[Truths; 4]>,
    /// Whether the moment belongs to an interval of the scope.
    active: Vec<Truths>,
    /// How many moments may be triggers.
    n_triggers: usize,
}

impl Definition {
    fn new(words: &Words, scope: Scope) -> Self {
        let n_triggers = 4 * words.letters.len();
        let moments: Vec<_> = (0..n_triggers + 2 * words.letters.len() + 4).map(|at| words.at(at)).collect();
        let mut active = Vec::new();
        // Whether the mode was there before or is now, and whether its first stretch has ended.
        let (mut seen, mut over) = (0, 0);
        for letter in &moments {
            let mode = letter[0];
            over |= seen & !mode;
            seen |= mode;
            active.push(match scope {
                Scope::Everywhere => Truths::MAX,
                Scope::In => mode,
                Scope::NotIn | Scope::OnlyIn => !mode,
                Scope::Before => !seen,
                Scope::OnlyBefore => seen,
                Scope::After => over,
                Scope::OnlyAfter => !over,
            });
        }
        Self { moments, active, n_triggers }
    }

    /// Whether `to` lies in the interval of `from`.
    fn inside(&self, from: usize, to: usize) -> Truths {
        self.active[from..=to].iter().fold(Truths::MAX, |all, active| all & active)
    }

    fn trigger(&self, at: usize, condition: Condition) -> Truths {
        let begins = self.active[at] & if at == 0 { Truths::MAX } else { !self.active[at - 1] };
        let edge = |truth: &dyn Fn(usize) -> Truths| {
            let before = if at == 0 { 0 } else { truth(at - 1) };
            self.active[at] & truth(at) & (begins | !before)
        };
        match condition {
            Condition::None => begins,
            Condition::Upon => edge(&|at| self.moments[at][1]),
            Condition::Unless => edge(&|at| !self.moments[at][1]),
            Condition::Whenever => self.active[at] & self.moments[at][1],
        }
    }

    /// All moments of the interval from `t` on, with whether they belong to it.
    fn rest(&self, t: usize) -> impl Iterator<Item = (usize, Truths)> {
        (t..self.moments.len()).map(move |j| (j, self.inside(t, j)))
    }

    /// What ends comes between `t` and `j`, both included.
    fn stopped(&self, t: usize, j: usize) -> Truths {
        self.moments[t..=j].iter().fold(0, |some, letter| some | letter[2])
    }

    fn satisfied(&self, t: usize, timing: Timing) -> Truths {
        let r = |at: usize| self.moments[at][3];
        let all = |values: &mut dyn Iterator<Item = Truths>| values.fold(Truths::MAX, |a, b| a & b);
        let some = |values: &mut dyn Iterator<Item = Truths>| values.fold(0, |a, b| a | b);
        match timing {
            Timing::Immediately => r(t),
            Timing::Next => !self.inside(t, t + 1) | r(t + 1),
            Timing::Always => all(&mut self.rest(t).map(|(j, inside)| !inside | r(j))),
            Timing::Never => all(&mut self.rest(t).map(|(j, inside)| !inside | !r(j))),
            Timing::Eventually => some(&mut self.rest(t).map(|(j, inside)| inside & r(j))),
            Timing::Until => all(&mut self.rest(t).map(|(j, inside)| !inside | self.stopped(t, j) | r(j))),
            Timing::Before => all(&mut self.rest(t).map(|(stop, inside)| {
                let first = if stop == t { Truths::MAX } else { !self.stopped(t, stop - 1) };
                let comes = inside & self.moments[stop][2] & first;
                !comes | some(&mut (t..stop).map(r))
            })),
            // An interval that ends before asks nothing.
            Timing::Within(n) => !self.inside(t, t + n) | some(&mut (t..=t + n).map(r)),
            Timing::For(n) => all(&mut (t..=t + n).map(|j| !self.inside(t, j) | r(j))),
            Timing::After(n) => {
                let not_yet = all(&mut (t..=t + n).map(|j| !self.inside(t, j) | !r(j)));
                not_yet & (!self.inside(t, t + n + 1) | r(t + n + 1))
            }
        }
    }

    /// Under `only`: not satisfied, where the interval is long enough to tell.
    fn refused(&self, t: usize, timing: Timing) -> Truths {
        let r = |at: usize| self.moments[at][3];
        let long_enough = match timing {
            Timing::Next => self.inside(t, t + 1),
            Timing::For(n) => self.inside(t, t + n),
            Timing::After(n) => self.inside(t, t + n + 1),
            // What never ends cannot have been kept up to its end.
            Timing::Until => self.rest(t).fold(0, |some, (j, inside)| some | inside & self.moments[j][2]),
            _ => Truths::MAX,
        };
        let satisfied = match timing {
            // In a shorter interval a response counts all the same, and so does one that nothing ends.
            Timing::Within(n) => (t..=t + n).fold(0, |some, j| some | self.inside(t, j) & r(j)),
            Timing::Before => {
                self.rest(t).fold(0, |some, (j, inside)| some | inside & !self.stopped(t, j) & r(j))
            }
            timing => self.satisfied(t, timing),
        };
        !long_enough | !satisfied
    }

    fn holds(&self, scope: Scope, condition: Condition, timing: Timing) -> Truths {
        let only = matches!(scope, Scope::OnlyIn | Scope::OnlyBefore | Scope::OnlyAfter);
        (0..self.n_triggers).fold(Truths::MAX, |all, t| {
            let kept = if only { self.refused(t, timing) } else { self.satisfied(t, timing) };
            all & (!self.trigger(t, condition) | kept)
        })
    }
}

fn compare(scope: (Scope, &str)) {
    for (condition, condition_text) in CONDITIONS {
        for (timing, timing_text) in timings() {
            let text = format!("{}{condition_text}the system shall {timing_text} satisfy r", scope.1);
            let read = read(&format!("property x: {text}"));
            assert!(read.problems.is_empty(), "{text}\n{}", read.problems.lines(&read.sources));
            let name = |atom: &AtomText| {
                let AtomText::Fact(fact) = atom else { panic!("a fact") };
                NAMES.iter().position(|name| *name == fact.to_string()).expect("one of four names")
            };
            let atoms: Vec<usize> = read.lowered.atoms.iter().map(|atom| name(&atom.node)).collect();
            let formula = &read.lowered.claims[0].formula;
            let used = [0, 1, 2, 3].map(|name| atoms.contains(&name));
            for_all_words(used, &mut |words| {
                let found = Evaluator { words, atoms: &atoms }.path(formula)[0];
                let meant = Definition::new(words, scope.0).holds(scope.0, condition, timing);
                if found != meant {
                    let lane = (found ^ meant).trailing_zeros();
                    let letters: Vec<String> = words
                        .letters
                        .iter()
                        .map(|letter| {
                            (0..4).filter(|i| letter[*i] >> lane & 1 == 1).map(|i| NAMES[i]).collect()
                        })
                        .collect();
                    let formula = motet_property::print_formula(formula, &read.lowered.atoms);
                    panic!(
                        "{text}\n{formula}\n{letters:?} and back to {}: meant {}",
                        words.back,
                        meant >> lane & 1
                    );
                }
            });
        }
    }
}

#[test]
fn requirements_everywhere_mean_what_is_published() {
    compare(SCOPES[0]);
}

#[test]
fn requirements_in_a_mode_mean_what_is_published() {
    compare(SCOPES[1]);
}

#[test]
fn requirements_outside_a_mode_mean_what_is_published() {
    compare(SCOPES[2]);
}

#[test]
fn requirements_before_a_mode_mean_what_is_published() {
    compare(SCOPES[3]);
}

#[test]
fn requirements_after_a_mode_mean_what_is_published() {
    compare(SCOPES[4]);
}

#[test]
fn requirements_only_in_a_mode_mean_what_is_published() {
    compare(SCOPES[5]);
}

#[test]
fn requirements_only_before_a_mode_mean_what_is_published() {
    compare(SCOPES[6]);
}

#[test]
fn requirements_only_after_a_mode_mean_what_is_published() {
    compare(SCOPES[7]);
}

/// Not a tautology of the test: what the definition says on words that a person can follow.
#[test]
fn the_definition_says_what_its_words_say() {
    let word = |letters: &[&str], back| Words {
        letters: letters
            .iter()
            .map(|letter| NAMES.map(|name| if letter.contains(name) { Truths::MAX } else { 0 }))
            .collect(),
        back,
    };
    let holds = |words: &Words, scope, condition, timing| {
        Definition::new(words, scope).holds(scope, condition, timing) == Truths::MAX
    };
    // The condition becomes true once; while it stays so nothing new is triggered.
    let stays = word(&["", "pr", "p"], 2);
    assert!(holds(&stays, Scope::Everywhere, Condition::Upon, Timing::Immediately));
    assert!(!holds(&stays, Scope::Everywhere, Condition::Whenever, Timing::Immediately));
    // A condition that is true at the start counts as having become true.
    assert!(!holds(&word(&["p", ""], 1), Scope::Everywhere, Condition::Upon, Timing::Immediately));
    // The mode ends before the deadline, which frees from it.
    assert!(holds(&word(&["m", ""], 1), Scope::In, Condition::None, Timing::Within(1)));
    assert!(!holds(&word(&["m", "m", ""], 2), Scope::In, Condition::None, Timing::Within(1)));
    // After means behind the first stretch of the mode.
    let after = word(&["mr", "r", ""], 2);
    assert!(holds(&after, Scope::After, Condition::None, Timing::Immediately));
    assert!(!holds(&after, Scope::After, Condition::None, Timing::Always));
    // Only in the mode: outside the response must not come.
    assert!(holds(&word(&["", "mr", "m"], 2), Scope::OnlyIn, Condition::None, Timing::Eventually));
    assert!(!holds(&word(&["r", "mr", "m"], 2), Scope::OnlyIn, Condition::None, Timing::Eventually));
}
