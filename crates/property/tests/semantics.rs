//! Sentences and scopes mean what their definitions say, on random ultimately periodic words. The evaluator is a few
//! lines of fixpoints; the scope formulas on the right are those of Dwyer, Avrunin and Corbett (ICSE 1999).

mod support;

use motet_model::{AtomId, AtomText};
use motet_property::{Basic, Connective, Formula, Interval, Path};
use motet_source::fuzz::Random;
use support::{read, rounds};

/// A word: letters are sets of atom names, and after the last comes the one at `back`.
struct Word {
    letters: Vec<Vec<bool>>,
    back: usize,
}

const NAMES: [&str; 4] = ["p", "q", "r", "s"];

impl Word {
    fn random(random: &mut Random) -> Self {
        let n = 1 + random.below(6);
        let percent = [20, 50, 80][random.below(3)];
        let letters = (0..n).map(|_| NAMES.iter().map(|_| random.chance(percent)).collect()).collect();
        Self { letters, back: random.below(n) }
    }

    fn next(&self, at: usize) -> usize {
        if at + 1 < self.letters.len() { at + 1 } else { self.back }
    }

    fn holds(&self, name: &str, at: usize) -> bool {
        let index = NAMES.iter().position(|other| *other == name).expect("the tests use four atoms");
        self.letters[at][index]
    }
}

struct Evaluator<'a> {
    word: &'a Word,
    names: &'a [String],
}

impl Evaluator<'_> {
    fn path(&self, path: &Path<AtomId>) -> Vec<bool> {
        let n = self.word.letters.len();
        let map = |f: &dyn Fn(usize) -> bool| (0..n).map(f).collect::<Vec<bool>>();
        match path {
            Path::Accepted(_) => panic!("no sentence is an automaton"),
            Path::Now(formula) => map(&|at| self.state(formula, at)),
            Path::Not(inner) => self.path(inner).into_iter().map(|value| !value).collect(),
            Path::And(left, right) => self.both(left, right, &|a, b| a && b),
            Path::Or(left, right) => self.both(left, right, &|a, b| a || b),
            Path::Implies(left, right) => self.both(left, right, &|a, b| !a || b),
            Path::Iff(left, right) => self.both(left, right, &|a, b| a == b),
            Path::Next(inner) => {
                let inner = self.path(inner);
                map(&|at| inner[self.word.next(at)])
            }
            Path::Eventually(when, inner) => self.until(when, &vec![true; n], &self.path(inner)),
            Path::Always(when, inner) => {
                let inner: Vec<bool> = self.path(inner).into_iter().map(|value| !value).collect();
                self.until(when, &vec![true; n], &inner).into_iter().map(|value| !value).collect()
            }
            Path::Until(until, when, left, right) => {
                let join = |connective: Connective, left: Vec<bool>, right: Vec<bool>| -> Vec<bool> {
                    left.into_iter().zip(right).map(|(a, b)| connective.of(a, b)).collect()
                };
                match until.define(self.path(left), self.path(right), join) {
                    Basic::Until(left, right) => self.until(when, &left, &right),
                    Basic::Release(left, right) => self.release(when, &left, &right),
                }
            }
        }
    }

    fn both(
        &self,
        left: &Path<AtomId>,
        right: &Path<AtomId>,
        join: &dyn Fn(bool, bool) -> bool,
    ) -> Vec<bool> {
        self.path(left).into_iter().zip(self.path(right)).map(|(a, b)| join(a, b)).collect()
    }

    fn release(&self, when: &Interval, left: &[bool], right: &[bool]) -> Vec<bool> {
        let not = |values: &[bool]| values.iter().map(|value| !value).collect::<Vec<bool>>();
        not(&self.until(when, &not(left), &not(right)))
    }

    /// By walking: long enough to see every position of the loop after the lower bound.
    fn until(&self, when: &Interval, left: &[bool], right: &[bool]) -> Vec<bool> {
        let low = when.low.as_ref().map_or(0, |bound| bound.amount + u64::from(bound.strict));
        let high = when.high.as_ref().map(|bound| bound.amount - u64::from(bound.strict));
        let far = high.unwrap_or(low + 2 * left.len() as u64);
        let from = |start: usize| {
            let mut at = start;
            for step in 0..=far {
                if step >= low && right[at] {
                    return true;
                }
                if !left[at] {
                    return false;
                }
                at = self.word.next(at);
            }
            false
        };
        (0..left.len()).map(from).collect()
    }

    fn state(&self, formula: &Formula<AtomId>, at: usize) -> bool {
        match formula {
            Formula::True => true,
            Formula::False => false,
            Formula::Atom(id) => self.word.holds(&self.names[id.index()], at),
            Formula::Not(inner) => !self.state(inner, at),
            Formula::And(left, right) => self.state(left, at) && self.state(right, at),
            Formula::Or(left, right) => self.state(left, at) || self.state(right, at),
            Formula::Implies(left, right) => !self.state(left, at) || self.state(right, at),
            Formula::Iff(left, right) => self.state(left, at) == self.state(right, at),
            other => panic!("the tests use plain linear time, not {other:?}"),
        }
    }
}

/// The truth of both formulas on the word.
fn values(texts: &[&str], word: &Word) -> Vec<bool> {
    let file: String = texts.iter().enumerate().map(|(i, text)| format!("property c{i}: {text}\n")).collect();
    let read = read(&file);
    // `while s, p` says something of the opening only, and is told so.
    assert!(!read.problems.has_errors(), "{file}{}", read.problems.lines(&read.sources));
    let names: Vec<String> = read
        .lowered
        .atoms
        .iter()
        .map(|atom| match &atom.node {
            AtomText::Fact(fact) => fact.to_string(),
            other => other.to_string(),
        })
        .collect();
    let evaluator = Evaluator { word, names: &names };
    read.lowered.claims.iter().map(|claim| evaluator.path(&claim.formula)[0]).collect()
}

fn agree(left: &str, right: &str) {
    let mut seen = [false; 2];
    for seed in 0..rounds(400) as u64 {
        let word = Word::random(&mut Random::new(seed));
        let values = values(&[left, right], &word);
        assert_eq!(values[0], values[1], "seed {seed}: {left}  against  {right}");
        seen[usize::from(values[0])] = true;
    }
    assert_eq!(seen, [true, true], "{left} never changes its value: the test says nothing");
}

#[test]
fn word_forms_are_the_operators_they_stand_for() {
    agree("p precedes q", "(!q) U p | (G !q)");
    agree("whenever p, eventually q", "G (!p | (F q))");
    agree("whenever p, within 2 steps, q", "G (p -> (q | X (q | X q)))");
    agree("whenever p, for 1 steps, q", "G (p -> (q & X q))");
    agree("whenever p, after 2 steps, q", "G (p -> X (X q))");
    agree("p unless q", "(p U q) | (G p)");
    agree("p releases q", "(q U (p & q)) | (G q)");
    agree("p M q", "q U (p & q)");
    agree("p M<=2 steps q", "q U<=2 steps (p & q)");
    agree("never p", "!(F p)");
    agree("F>=2 steps p", "X (X (F p))");
    agree("F>2 steps p", "X (X (X (F p)))");
    agree("G<2 steps p", "p & X p");
    agree("p W<=1 steps (q)", "q | (p & X (q | p))");
}

#[test]
fn scopes_agree_with_the_published_patterns() {
    // Absence and universality.
    agree("before r, never p", "(F r) -> (!p U r)");
    agree("after q, never p", "G (q -> G !p)");
    agree("between q and r, never p", "G ((q & !r & (F r)) -> (!p U r))");
    agree("after q until r, never p", "G ((q & !r) -> (!p W r))");
    agree("before r, always p", "(F r) -> (p U r)");
    agree("after q until r, always p", "G ((q & !r) -> (p W r))");
    // Existence.
    agree("before r, eventually p", "!r W (p & !r)");
    agree("after q, eventually p", "(G !q) | (F (q & F p))");
    agree("between q and r, eventually p", "G ((q & !r) -> (!r W (p & !r)))");
    agree("after q until r, eventually p", "G ((q & !r) -> (!r U (p & !r)))");
    // Response.
    agree("before r, whenever p, eventually s", "(F r) -> ((p -> (!r U (s & !r))) U r)");
    agree("after q, whenever p, eventually s", "G (q -> G (p -> F s))");
    agree(
        "between q and r, whenever p, eventually s",
        "G ((q & !r & (F r)) -> ((p -> (!r U (s & !r))) U r))",
    );
    agree("after q until r, whenever p, eventually s", "G ((q & !r) -> ((p -> (!r U (s & !r))) W r))");
    // Precedence; after q it is meant from the first q on.
    agree("before r, s precedes p", "(F r) -> (!p U (s | r))");
    agree("between q and r, s precedes p", "G ((q & !r & (F r)) -> (!p U (s | r)))");
    agree("after q until r, s precedes p", "G ((q & !r) -> (!p W (s | r)))");
    agree("after q, s precedes p", "!q W (q & (!p W s))");
}

#[test]
fn bounds_inside_a_scope_look_no_farther_than_the_scope() {
    agree("before r, within 1 steps p", "(F r) -> (!r & (p | X (p & !r)))");
    agree("before r, for 1 steps p", "(F r) -> (r | (p & X (r | p)))");
    agree("after q until r, G[1 steps, 1 steps] (p)", "G ((q & !r) -> X (r | p))");
    agree("before r, p W<=1 steps (s)", "(F r) -> (r | s | (p & X (r | s | p)))");
    agree("before r, p R s", "(F r) -> ((p | r) R (s | r))");
}

/// The first position of every unbroken stretch of `s`, up to three rounds of the loop, with the stretch.
fn stretches(word: &Word) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    let (mut at, mut inside) = (0, false);
    for _ in 0..word.letters.len() * 4 {
        let holds = word.holds("s", at);
        if holds && !inside {
            found.push(Vec::new());
        }
        if holds {
            found.last_mut().expect("a stretch has begun").push(at);
        }
        inside = holds;
        at = word.next(at);
    }
    // The last one may be cut off in the middle, unless `s` holds for ever.
    let for_ever = (0..word.letters.len()).filter(|at| *at >= word.back).all(|at| word.holds("s", at));
    if inside && !for_ever {
        found.pop();
    }
    found
}

#[test]
fn while_means_in_every_unbroken_stretch() {
    let mut seen = [false; 2];
    for seed in 0..rounds(600) as u64 {
        let word = Word::random(&mut Random::new(seed));
        let got = values(&["while s, eventually p", "while s, always p", "while s, p"], &word);
        let stretches = stretches(&word);
        let eventually = stretches.iter().all(|stretch| stretch.iter().any(|at| word.holds("p", *at)));
        let always = stretches.iter().all(|stretch| stretch.iter().all(|at| word.holds("p", *at)));
        let start = stretches.iter().all(|stretch| word.holds("p", stretch[0]));
        assert_eq!(got, [eventually, always, start], "seed {seed}");
        seen[usize::from(eventually)] = true;
    }
    assert_eq!(seen, [true, true]);
}

#[test]
fn the_formulas_of_the_lints_differ_from_what_is_meant() {
    // p and not p alternate, q never: the doubtful forms hold, the meant one fails.
    let letter = |p: bool| vec![p, false, false, false];
    let word = Word { letters: vec![letter(true), letter(false)], back: 0 };
    let got = values(&["G (p -> F (p -> q))", "F (p -> q)", "G (p -> F q)"], &word);
    assert_eq!(got, [true, true, false]);
}
