//! For tests of readers: mutated texts, the same ones for the same seed, and what must hold of every problem. Only with
//! the feature `fuzz`.

use std::panic::{RefUnwindSafe, catch_unwind, resume_unwind};

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

use crate::problem::Problems;
use crate::sources::{Sources, Span};
use crate::work::steps;

/// Random numbers that a seed repeats, the same everywhere: SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Random(SplitMix64);

impl Random {
    /// A stream of numbers.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `limit`; 0 if there is none.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.bits() % (limit.max(1) as u64)).expect("less than the limit")
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// True so many times out of a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of these; there must be one.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        *self.one(from)
    }

    /// One of these where it stands; there must be one.
    pub fn one<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }
}

/// How many rounds a randomised test makes; `MOTET_ROUNDS` asks for more of them, and never for fewer.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "widening a test is all a test reads the environment for")]
pub fn rounds(usual: u64) -> u64 {
    std::env::var("MOTET_ROUNDS").ok().and_then(|text| text.parse::<u64>().ok()).unwrap_or(0).max(usual)
}

/// Runs a test for the seeds 0, 1, 2 and so on, and says which one failed.
///
/// # Panics
///
/// When a round does; the message starts with the seed.
pub fn each_seed(usual: u64, round: impl Fn(u64, &mut Random) + RefUnwindSafe) {
    for seed in 0..rounds(usual) {
        if let Err(panic) = catch_unwind(|| round(seed, &mut Random::new(seed))) {
            let said = panic.downcast_ref::<String>().cloned();
            match said.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())) {
                Some(text) => panic!("seed {seed}: {text}"),
                None => resume_unwind(panic),
            }
        }
    }
}

/// The longest text that a mutation makes, in characters.
const LIMIT_LENGTH: usize = 20_000;

/// What mutated texts are made of.
#[derive(Clone, Copy, Debug)]
pub struct Corpus<'a> {
    /// Whole texts of the language, right and wrong ones.
    pub texts: &'a [&'a str],
    /// Pieces that matter to its grammar: keywords, signs, large numbers, odd characters.
    pub pieces: &'a [&'a str],
}

impl Corpus<'_> {
    /// One of the texts, mutated.
    pub fn mutant(&self, random: &mut Random) -> String {
        let original = random.pick(self.texts);
        self.mutate(original, random)
    }

    /// Up to six times: something is cut out, copied elsewhere, put in, put in many times, cut off, or taken from one of
    /// the texts.
    #[must_use]
    pub fn mutate(&self, text: &str, random: &mut Random) -> String {
        let mut text: Vec<char> = text.chars().collect();
        for _ in 0..=random.below(6) {
            let at = random.below(text.len() + 1);
            let until = (at + random.below(30)).min(text.len());
            match random.below(6) {
                0 => drop(text.drain(at..until)),
                1 => {
                    let copied = text[at..until].to_vec();
                    let to = random.below(text.len() + 1);
                    text.splice(to..to, copied);
                }
                2 => drop(text.splice(at..at, random.pick(self.pieces).chars())),
                3 => {
                    let many = random.pick(self.pieces).repeat(1 + random.below(300));
                    text.splice(at..at, many.chars());
                }
                4 => text.truncate(at),
                _ => {
                    let other: Vec<char> = random.pick(self.texts).chars().collect();
                    let from = random.below(other.len());
                    let end = (from + random.below(200)).min(other.len());
                    text.splice(at..until, other[from..end].iter().copied());
                }
            }
            text.truncate(LIMIT_LENGTH);
        }
        text.into_iter().collect()
    }

    /// Pieces in any order.
    #[must_use]
    pub fn soup(&self, random: &mut Random) -> String {
        let mut text = String::new();
        for _ in 0..random.below(400) {
            text.push_str(random.pick(self.pieces));
            text.push_str(random.pick(&[" ", "\n", "", " "]));
        }
        text
    }
}

/// Checks that every place of every problem lies in its file, between characters, and that every problem has a message
/// and a way out.
///
/// # Panics
///
/// When one does not.
pub fn check_problems(problems: &Problems, sources: &Sources) {
    let inside = |span: Span| {
        let text = &sources.file(span.file).text;
        let (start, end) = (span.start as usize, span.end as usize);
        start <= end && text.is_char_boundary(start) && text.is_char_boundary(end)
    };
    for problem in problems {
        assert!(inside(problem.span), "outside its file: {problem:?}");
        assert!(problem.also.iter().all(|(span, _)| inside(*span)), "a mark outside its file: {problem:?}");
        assert!(problem.fix.iter().all(|fix| inside(fix.span)), "a repair outside its file: {problem:?}");
        assert!(!problem.message.is_empty() && !problem.help.is_empty(), "no words: {problem:?}");
    }
}

/// Checks that no text takes more than `most` steps of reading for each of its bytes: nothing that grows faster than the
/// text is left unbounded. The shapes of tests have up to a million bytes, so that whatever is quadratic takes thousands
/// of steps for each.
///
/// # Panics
///
/// When one takes more, with its number, or when nothing is counted.
pub fn check_linear<T: AsRef<str>>(texts: &[T], most: u64, mut read: impl FnMut(&str)) {
    let mut all = 0;
    for (number, text) in texts.iter().enumerate() {
        let text = text.as_ref();
        let (taken, ()) = steps(|| read(text));
        let bytes = text.len() as u64;
        assert!(taken <= most * bytes, "shape {number}: {taken} steps for {bytes} bytes");
        all += taken;
    }
    assert!(all > 0, "reading counts no steps");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Problem;
    use crate::sources::FileId;

    const CORPUS: Corpus<'_> = Corpus { texts: &["one é two", "three"], pieces: &["(", "end "] };

    #[test]
    fn the_same_seed_gives_the_same_text_and_others_give_others() {
        let made = |seed| CORPUS.mutant(&mut Random::new(seed));
        let texts: std::collections::BTreeSet<String> = (0..100).map(made).collect();
        assert!(texts.len() > 50, "{} different texts", texts.len());
        assert!((0..100).all(|seed| made(seed) == made(seed)));
    }

    #[test]
    fn the_failing_seed_is_named() {
        let caught = catch_unwind(|| each_seed(10, |seed, _| assert!(seed < 1, "it is {seed}")));
        let said = caught.expect_err("seed 1 fails");
        let said = said.downcast_ref::<String>().expect("a text");
        assert_eq!(said, "seed 1: it is 1");
    }

    #[test]
    fn a_place_inside_a_character_is_noticed() {
        let mut sources = Sources::new();
        let file = sources.add("a", "é");
        let check = |start, end, help: &str| {
            let mut problems = Problems::new();
            problems.push(Problem::error("T1", Span::new(file, start, end), "wrong", help));
            catch_unwind(|| check_problems(&problems, &sources)).is_ok()
        };
        assert_eq!(file, FileId(0));
        assert!(check(0, 2, "help"));
        assert!(!check(0, 1, "help") && !check(2, 3, "help") && !check(2, 0, "help"));
        assert!(!check(0, 2, ""));
    }
}
