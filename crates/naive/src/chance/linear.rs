//! Path formulas over truths per state, with five operators: bounds are written out with `X`.

use motet_model::AtomId;
use motet_property::{Basic, Bound, Connective, Formula, Interval, Path, Unit};

/// A part of a formula; numbers are positions in [`Linear::parts`], inner parts come first.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// True in these states.
    State(Vec<bool>),
    Not(usize),
    And(usize, usize),
    Next(usize),
    Until(usize, usize),
}

/// Says where a state formula holds.
pub(super) type Truths<'a> = dyn FnMut(&Formula<AtomId>) -> Result<Vec<bool>, String> + 'a;

/// A path formula; its last part is the formula itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Linear {
    pub(super) parts: Vec<Part>,
}

/// The steps an interval admits; an `Err` names what else it counts.
pub(super) fn steps(when: &Interval) -> Result<(i64, Option<i64>), String> {
    let count = |bound: &Bound, strict: i64| match bound.unit {
        None | Some(Unit::Steps) => {
            Ok(i64::try_from(bound.amount).expect("small bounds") + if bound.strict { strict } else { 0 })
        }
        Some(unit) => Err(format!("a bound in {unit:?}")),
    };
    let low = when.low.as_ref().map_or(Ok(0), |bound| count(bound, 1))?;
    let high = when.high.as_ref().map(|bound| count(bound, -1)).transpose()?;
    Ok((low, high))
}

impl Linear {
    /// `truths` says where a state formula holds.
    pub(super) fn of(path: &Path<AtomId>, truths: &mut Truths<'_>) -> Result<Self, String> {
        let mut linear = Self::default();
        let root = linear.path(path, truths)?;
        // The root may be an inner part again, `F a` for `F[0,...] a`: the last part has to be the formula.
        let not = linear.add(Part::Not(root));
        linear.add(Part::Not(not));
        Ok(linear)
    }

    fn add(&mut self, part: Part) -> usize {
        self.parts.push(part);
        self.parts.len() - 1
    }

    fn not(&mut self, a: usize) -> usize {
        self.add(Part::Not(a))
    }

    fn or(&mut self, a: usize, b: usize) -> usize {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.add(Part::And(a, b));
        self.not(neither)
    }

    fn path(&mut self, path: &Path<AtomId>, truths: &mut Truths<'_>) -> Result<usize, String> {
        match path {
            Path::Accepted(_) => Err("an automaton is not about chance".to_owned()),
            Path::Now(formula) => {
                let holds = truths(formula)?;
                Ok(self.add(Part::State(holds)))
            }
            Path::Not(a) => {
                let a = self.path(a, truths)?;
                Ok(self.not(a))
            }
            Path::Next(a) => {
                let a = self.path(a, truths)?;
                Ok(self.add(Part::Next(a)))
            }
            Path::Eventually(when, a) => {
                let a = self.path(a, truths)?;
                let top = self.top(truths)?;
                self.until(when, top, a)
            }
            Path::Always(when, a) => {
                let a = self.path(a, truths)?;
                let (top, a) = (self.top(truths)?, self.not(a));
                let until = self.until(when, top, a)?;
                Ok(self.not(until))
            }
            Path::And(a, b) | Path::Or(a, b) | Path::Implies(a, b) | Path::Iff(a, b) => {
                let (a, b) = (self.path(a, truths)?, self.path(b, truths)?);
                let (connective, ..) = path.joined().ok_or("not a connective")?;
                Ok(self.join(connective, a, b))
            }
            Path::Until(until, when, a, b) => {
                let (a, b) = (self.path(a, truths)?, self.path(b, truths)?);
                match until.define(a, b, |connective, a, b| self.join(connective, a, b)) {
                    Basic::Until(a, b) => self.until(when, a, b),
                    Basic::Release(a, b) => {
                        let (a, b) = (self.not(a), self.not(b));
                        let until = self.until(when, a, b)?;
                        Ok(self.not(until))
                    }
                }
            }
        }
    }

    fn top(&mut self, truths: &mut Truths<'_>) -> Result<usize, String> {
        let holds = truths(&Formula::True)?;
        Ok(self.add(Part::State(holds)))
    }

    fn join(&mut self, connective: Connective, a: usize, b: usize) -> usize {
        match connective {
            Connective::And => self.add(Part::And(a, b)),
            Connective::Or => self.or(a, b),
            Connective::Implies => {
                let a = self.not(a);
                self.or(a, b)
            }
            Connective::Iff => {
                let both = self.add(Part::And(a, b));
                let (a, b) = (self.not(a), self.not(b));
                let neither = self.add(Part::And(a, b));
                self.or(both, neither)
            }
        }
    }

    fn until(&mut self, when: &Interval, a: usize, b: usize) -> Result<usize, String> {
        let (low, high) = steps(when)?;
        let mut part = match high {
            None => self.add(Part::Until(a, b)),
            Some(high) => {
                let not_b = self.not(b);
                let mut part = self.add(Part::And(b, not_b));
                for at in low..=high {
                    if at > low {
                        let later = self.add(Part::Next(part));
                        part = self.add(Part::And(a, later));
                    }
                    part = self.or(b, part);
                }
                part
            }
        };
        for _ in 0..low {
            let later = self.add(Part::Next(part));
            part = self.add(Part::And(a, later));
        }
        Ok(part)
    }

    /// The parts that speak of more than the first state.
    pub(super) fn temporals(&self) -> Vec<usize> {
        let temporal = |&part: &usize| matches!(self.parts[part], Part::Next(_) | Part::Until(..));
        (0..self.parts.len()).filter(temporal).collect()
    }

    /// The truth of every part, given those of the temporal ones.
    pub(super) fn truths(&self, state: usize, temporal: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut truths: Vec<bool> = Vec::new();
        for (number, part) in self.parts.iter().enumerate() {
            truths.push(match part {
                Part::State(holds) => holds[state],
                Part::Not(a) => !truths[*a],
                Part::And(a, b) => truths[*a] && truths[*b],
                Part::Next(_) | Part::Until(..) => temporal(number),
            });
        }
        truths
    }

    /// The negation.
    pub(super) fn negated(mut self) -> Self {
        let root = self.parts.len() - 1;
        self.not(root);
        self
    }
}
