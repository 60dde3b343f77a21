//! A lowered formula in the syntax of NuSMV: linear time where no path quantifier occurs, branching time otherwise.

use motet_model::AtomId;

use super::spin::Unsupported;
use crate::formula::{Basic, Connective, Formula, Interval, Past, Path, Quantifier};
use crate::fragment::{Feature, features};

/// A specification of NuSMV, without its keyword's end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SmvSpec {
    /// `LTLSPEC`: true on all runs.
    Linear(String),
    /// `CTLSPEC`: true at the start.
    Branching(String),
}

/// What is said of all runs from the start, over the names that `name` gives to atoms; `deadlock` is the name of what holds
/// where nothing can happen.
///
/// # Errors
/// When the formula mixes branching and linear time, or speaks of time, chance or knowledge.
pub fn smv_spec(path: &Path<AtomId>, name: &dyn Fn(AtomId) -> String) -> Result<SmvSpec, Unsupported> {
    if features(path).contains(&Feature::Branching) {
        let smv = Smv { name, logic: Logic::Branching };
        return Ok(SmvSpec::Branching(smv.runs(Quantifier::All, path)?));
    }
    let smv = Smv { name, logic: Logic::Linear };
    Ok(SmvSpec::Linear(smv.linear(path)?))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Logic {
    Linear,
    Branching,
}

struct Smv<'n> {
    name: &'n dyn Fn(AtomId) -> String,
    logic: Logic,
}

fn refused<T>(operator: &'static str) -> Result<T, Unsupported> {
    Err(Unsupported { operator })
}

fn unbounded(interval: &Interval) -> Result<(), Unsupported> {
    if interval.is_unbounded() { Ok(()) } else { refused("a time bound") }
}

fn infix(word: &str, left: &str, right: &str) -> String {
    format!("({left}) {word} ({right})")
}

fn joined(connective: Connective, left: String, right: String) -> String {
    infix(connective.symbol(), &left, &right)
}

impl Smv<'_> {
    fn linear(&self, path: &Path<AtomId>) -> Result<String, Unsupported> {
        let join = |word: &str, left: &Path<AtomId>, right: &Path<AtomId>| {
            Ok(infix(word, &self.linear(left)?, &self.linear(right)?))
        };
        match path {
            Path::Now(formula) => self.state(formula),
            Path::Accepted(_) => refused("an automaton"),
            Path::Not(inner) => Ok(format!("!({})", self.linear(inner)?)),
            Path::And(left, right) => join("&", left, right),
            Path::Or(left, right) => join("|", left, right),
            Path::Implies(left, right) => join("->", left, right),
            Path::Iff(left, right) => join("<->", left, right),
            Path::Next(inner) => Ok(format!("X ({})", self.linear(inner)?)),
            Path::Eventually(when, inner) => {
                unbounded(when)?;
                Ok(format!("F ({})", self.linear(inner)?))
            }
            Path::Always(when, inner) => {
                unbounded(when)?;
                Ok(format!("G ({})", self.linear(inner)?))
            }
            Path::Until(until, when, left, right) => {
                unbounded(when)?;
                Ok(match until.define(self.linear(left)?, self.linear(right)?, joined) {
                    Basic::Until(left, right) => infix("U", &left, &right),
                    Basic::Release(left, right) => infix("V", &left, &right),
                })
            }
        }
    }

    /// What is said of all, or of some, runs from here: exactly one temporal operator, with connectives around it where they
    /// commute with the quantifier.
    fn runs(&self, quantifier: Quantifier, path: &Path<AtomId>) -> Result<String, Unsupported> {
        let letter = if quantifier == Quantifier::All { 'A' } else { 'E' };
        let prefix = |operator: char, when: &Interval, inner: &Path<AtomId>| {
            unbounded(when)?;
            Ok(format!("{letter}{operator} ({})", self.now(inner)?))
        };
        match path {
            Path::Now(formula) => self.state(formula),
            Path::Not(inner) => Ok(format!("!({})", self.runs(other(quantifier), inner)?)),
            Path::And(left, right) if quantifier == Quantifier::All => {
                self.both("&", quantifier, left, right)
            }
            Path::Or(left, right) if quantifier == Quantifier::Some => {
                self.both("|", quantifier, left, right)
            }
            Path::Implies(left, right) if left.is_state() => {
                Ok(infix("->", &self.now(left)?, &self.runs(quantifier, right)?))
            }
            Path::Next(inner) => prefix('X', &Interval::default(), inner),
            Path::Eventually(when, inner) => prefix('F', when, inner),
            Path::Always(when, inner) => prefix('G', when, inner),
            Path::Until(until, when, left, right) => {
                unbounded(when)?;
                match until.define(self.now(left)?, self.now(right)?, joined) {
                    Basic::Until(left, right) => Ok(format!("{letter} [({left}) U ({right})]")),
                    // NuSMV has no release in branching time: A [a R b] is !E [!a U !b].
                    Basic::Release(left, right) => self.released(quantifier, &left, &right),
                }
            }
            _ => refused("branching time mixed with linear time"),
        }
    }

    fn both(
        &self,
        word: &str,
        quantifier: Quantifier,
        left: &Path<AtomId>,
        right: &Path<AtomId>,
    ) -> Result<String, Unsupported> {
        Ok(infix(word, &self.runs(quantifier, left)?, &self.runs(quantifier, right)?))
    }

    fn released(&self, quantifier: Quantifier, left: &str, right: &str) -> Result<String, Unsupported> {
        let letter = if quantifier == Quantifier::All { 'E' } else { 'A' };
        Ok(format!("!({letter} [(!({left})) U (!({right}))])"))
    }

    /// A path formula about the first state only.
    fn now(&self, path: &Path<AtomId>) -> Result<String, Unsupported> {
        match path {
            Path::Now(formula) => self.state(formula),
            Path::Not(inner) => Ok(format!("!({})", self.now(inner)?)),
            Path::And(left, right) => Ok(infix("&", &self.now(left)?, &self.now(right)?)),
            Path::Or(left, right) => Ok(infix("|", &self.now(left)?, &self.now(right)?)),
            Path::Implies(left, right) => Ok(infix("->", &self.now(left)?, &self.now(right)?)),
            Path::Iff(left, right) => Ok(infix("<->", &self.now(left)?, &self.now(right)?)),
            _ => refused("branching time mixed with linear time"),
        }
    }

    fn state(&self, formula: &Formula<AtomId>) -> Result<String, Unsupported> {
        let join = |word: &str, left: &Formula<AtomId>, right: &Formula<AtomId>| {
            Ok(infix(word, &self.state(left)?, &self.state(right)?))
        };
        match formula {
            Formula::True => Ok("TRUE".to_owned()),
            Formula::False => Ok("FALSE".to_owned()),
            Formula::Deadlock => Ok("deadlock".to_owned()),
            Formula::Atom(atom) => Ok((self.name)(*atom)),
            Formula::Not(inner) => Ok(format!("!({})", self.state(inner)?)),
            Formula::And(left, right) => join("&", left, right),
            Formula::Or(left, right) => join("|", left, right),
            Formula::Implies(left, right) => join("->", left, right),
            Formula::Iff(left, right) => join("<->", left, right),
            Formula::Runs(quantifier, path) => self.runs(*quantifier, path),
            Formula::Past(past) if self.logic == Logic::Linear => match &**past {
                Past::Once(inner) => Ok(format!("O ({})", self.state(inner)?)),
                Past::Historically(inner) => Ok(format!("H ({})", self.state(inner)?)),
                Past::Previously(inner) => Ok(format!("Y ({})", self.state(inner)?)),
                Past::Since(left, right) => join("S", left, right),
            },
            Formula::Past(_) => refused("the past in branching time"),
            Formula::Knows(..) => refused("knowledge"),
            Formula::Chance(..) | Formula::Steady(..) | Formula::Filter(..) => refused("a probability"),
            Formula::Reward(..) => refused("a reward"),
            Formula::Timer(..) => refused("a clock"),
            Formula::Wait(..) => refused("a question for a time"),
        }
    }
}

fn other(quantifier: Quantifier) -> Quantifier {
    match quantifier {
        Quantifier::All => Quantifier::Some,
        Quantifier::Some => Quantifier::All,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::Until;

    fn atom(number: u32) -> Box<Path<AtomId>> {
        Box::new(Path::Now(Formula::Atom(AtomId(number))))
    }

    fn spec(path: &Path<AtomId>) -> Result<SmvSpec, Unsupported> {
        smv_spec(path, &|atom| format!("p{}", atom.0))
    }

    #[test]
    fn a_weak_until_is_a_release() {
        let path = Path::Until(Until::Weak, Interval::default(), atom(0), atom(1));
        assert_eq!(spec(&path), Ok(SmvSpec::Linear("(p1) V ((p0) | (p1))".to_owned())));
    }

    #[test]
    fn a_quantifier_inside_makes_the_outermost_operator_branching_too() {
        let reach = Path::Now(Formula::Runs(
            Quantifier::Some,
            Box::new(Path::Eventually(Interval::default(), atom(0))),
        ));
        let path = Path::Always(Interval::default(), Box::new(reach));
        assert_eq!(spec(&path), Ok(SmvSpec::Branching("AG (EF (p0))".to_owned())));
    }

    #[test]
    fn a_release_in_branching_time_is_written_with_until() {
        let release = Path::Until(Until::Release, Interval::default(), atom(0), atom(1));
        let path = Path::Now(Formula::Runs(Quantifier::Some, Box::new(release)));
        assert_eq!(spec(&path), Ok(SmvSpec::Branching("!(A [(!(p0)) U (!(p1))])".to_owned())));
    }

    #[test]
    fn two_temporal_operators_under_one_quantifier_are_refused() {
        let again =
            Path::Always(Interval::default(), Box::new(Path::Eventually(Interval::default(), atom(0))));
        let path = Path::Now(Formula::Runs(Quantifier::Some, Box::new(again)));
        assert!(spec(&path).is_err());
    }
}
