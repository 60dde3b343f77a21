//! Formulas on a word that repeats for ever, by the definition of the operators and plain looking ahead.

use motet_model::AtomId;
use motet_property::{Bound, Formula, Interval, Path, Until};

/// A word that goes on at `back` after its last letter.
#[derive(Clone, Debug)]
pub struct Word {
    /// Per letter, per atom.
    pub letters: Vec<Vec<bool>>,
    /// Where it goes on.
    pub back: usize,
}

impl Word {
    /// Whether the word satisfies the formula from position `at` on. Deadlock is taken to be false.
    #[must_use]
    pub fn satisfies(&self, path: &Path<AtomId>, at: usize) -> bool {
        let satisfies = |path| self.satisfies(path, at);
        match path {
            Path::Now(formula) => self.holds(formula, at),
            Path::Accepted(omega) => self.is_accepted(omega, at),
            Path::Not(a) => !satisfies(a),
            Path::And(a, b) => satisfies(a) && satisfies(b),
            Path::Or(a, b) => satisfies(a) || satisfies(b),
            Path::Implies(a, b) => !satisfies(a) || satisfies(b),
            Path::Iff(a, b) => satisfies(a) == satisfies(b),
            Path::Next(a) => self.satisfies(a, at + 1),
            Path::Eventually(when, a) => self.until(when, at, |_| true, |i| self.satisfies(a, i)),
            Path::Always(when, a) => !self.until(when, at, |_| true, |i| !self.satisfies(a, i)),
            Path::Until(Until::Until, when, a, b) => {
                self.until(when, at, |i| self.satisfies(a, i), |i| self.satisfies(b, i))
            }
            Path::Until(Until::Weak, when, a, b) => {
                let neither = |i| !self.satisfies(a, i) && !self.satisfies(b, i);
                !self.until(when, at, |i| !self.satisfies(b, i), neither)
            }
            Path::Until(Until::StrongRelease, when, a, b) => self.until(
                when,
                at,
                |i| self.satisfies(b, i),
                |i| self.satisfies(a, i) && self.satisfies(b, i),
            ),
            Path::Until(Until::Release, when, a, b) => {
                !self.until(when, at, |i| !self.satisfies(a, i), |i| !self.satisfies(b, i))
            }
        }
    }

    /// Some position at an admitted distance has `b`, and all before it have `a`. Behind the low end no more positions
    /// need to be looked at than the word has letters.
    fn until(
        &self,
        when: &Interval,
        at: usize,
        a: impl Fn(usize) -> bool,
        b: impl Fn(usize) -> bool,
    ) -> bool {
        let end = |bound: &Bound, strict: i64| {
            i64::try_from(bound.amount).expect("small bounds") + if bound.strict { strict } else { 0 }
        };
        let low = when.low.as_ref().map_or(0, |bound| end(bound, 1));
        let far = low + i64::try_from(self.letters.len()).expect("short words");
        let high = when.high.as_ref().map_or(far, |bound| end(bound, -1));
        for distance in 0..=high {
            let here = at + usize::try_from(distance).expect("not negative");
            if distance >= low && b(here) {
                return true;
            }
            if !a(here) {
                return false;
            }
        }
        false
    }

    fn letter(&self, at: usize) -> &[bool] {
        let period = self.letters.len() - self.back;
        let at = if at < self.letters.len() { at } else { self.back + (at - self.back) % period };
        &self.letters[at]
    }

    pub(crate) fn holds(&self, formula: &Formula<AtomId>, at: usize) -> bool {
        let holds = |formula| self.holds(formula, at);
        match formula {
            Formula::True => true,
            Formula::Atom(atom) => self.letter(at)[atom.index()],
            Formula::Not(a) => !holds(a),
            Formula::And(a, b) => holds(a) && holds(b),
            Formula::Or(a, b) => holds(a) || holds(b),
            Formula::Implies(a, b) => !holds(a) || holds(b),
            Formula::Iff(a, b) => holds(a) == holds(b),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use motet_property::{Basic, Unit};

    use super::*;

    /// All words over two atoms with three letters at most.
    fn words() -> Vec<Word> {
        let letter = |bits: usize| vec![bits & 1 != 0, bits & 2 != 0];
        let mut words = Vec::new();
        for length in 1..=3 {
            for bits in 0..1 << (2 * length) {
                let letters: Vec<_> = (0..length).map(|at| letter(bits >> (2 * at))).collect();
                words.extend((0..length).map(|back| Word { letters: letters.clone(), back }));
            }
        }
        words
    }

    #[test]
    fn until_and_its_kin_say_what_their_definitions_say() {
        let bound = |amount| Some(Bound { amount, unit: Some(Unit::Steps), strict: false });
        let atom = |number| Path::Now(Formula::Atom(AtomId(number)));
        let not = |path| Path::Not(Box::new(path));
        for (low, high) in [(None, None), (None, bound(1)), (bound(1), bound(2)), (bound(2), None)] {
            let within = Interval { low, high };
            let path = |until, a, b| Path::Until(until, within.clone(), Box::new(a), Box::new(b));
            for until in Until::ALL {
                let defined = match until.define(atom(0), atom(1), Path::join) {
                    Basic::Until(a, b) => path(Until::Until, a, b),
                    Basic::Release(a, b) => not(path(Until::Until, not(a), not(b))),
                };
                for word in words() {
                    let said = word.satisfies(&path(until, atom(0), atom(1)), 0);
                    assert_eq!(said, word.satisfies(&defined, 0), "{until:?} {within:?} on {word:?}");
                }
            }
        }
    }
}
