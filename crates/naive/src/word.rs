//! Formulas on a word that repeats for ever, by the definition of the operators and plain looking ahead.

use motet_model::AtomId;
use motet_property::{Bound, Formula, Interval, Path};

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
            Path::Until(when, a, b) => {
                self.until(when, at, |i| self.satisfies(a, i), |i| self.satisfies(b, i))
            }
            Path::Weak(when, a, b) => {
                let neither = |i| !self.satisfies(a, i) && !self.satisfies(b, i);
                !self.until(when, at, |i| !self.satisfies(b, i), neither)
            }
            Path::Release(when, a, b) => {
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
