//! Formulas built again from other parts.

use std::convert::Infallible;

use super::{Bound, Formula, Past, Path, RewardGoal, Timer};
use crate::omega::Omega;

/// What becomes of the direct children of a formula, by their number from the left.
pub trait Change<A> {
    /// Of a child that speaks of runs.
    fn path(&mut self, number: usize, child: &Path<A>) -> Path<A>;

    /// Of a child that speaks of a state.
    fn state(&mut self, number: usize, child: &Formula<A>) -> Formula<A>;
}

/// The same with other atoms, where something may be in the way.
pub trait Rebuild<A, B, E> {
    /// What becomes of an atom.
    ///
    /// # Errors
    /// What is in the way.
    fn atom(&mut self, atom: &A) -> Result<B, E>;

    /// What becomes of an automaton.
    ///
    /// # Errors
    /// What is in the way.
    fn automaton(&mut self, omega: &Omega<A>) -> Result<Path<B>, E>;

    /// What becomes of a child that speaks of runs.
    ///
    /// # Errors
    /// What is in the way.
    fn path(&mut self, number: usize, child: &Path<A>) -> Result<Path<B>, E>;

    /// What becomes of a child that speaks of a state.
    ///
    /// # Errors
    /// What is in the way.
    fn state(&mut self, number: usize, child: &Formula<A>) -> Result<Formula<B>, E>;
}

impl<A> Path<A> {
    /// The same operator over what becomes of its parts.
    ///
    /// # Errors
    /// What is in the way of one of them.
    pub fn rebuild<B, E>(&self, parts: &mut dyn Rebuild<A, B, E>) -> Result<Path<B>, E> {
        let mut part = |number, child: &Self| parts.path(number, child).map(Box::new);
        Ok(match self {
            Self::Now(formula) => Path::Now(parts.state(0, formula)?),
            Self::Accepted(omega) => parts.automaton(omega)?,
            Self::Not(a) => Path::Not(part(0, a)?),
            Self::And(a, b) => Path::And(part(0, a)?, part(1, b)?),
            Self::Or(a, b) => Path::Or(part(0, a)?, part(1, b)?),
            Self::Implies(a, b) => Path::Implies(part(0, a)?, part(1, b)?),
            Self::Iff(a, b) => Path::Iff(part(0, a)?, part(1, b)?),
            Self::Next(a) => Path::Next(part(0, a)?),
            Self::Eventually(when, a) => Path::Eventually(when.clone(), part(0, a)?),
            Self::Always(when, a) => Path::Always(when.clone(), part(0, a)?),
            Self::Until(until, when, a, b) => Path::Until(*until, when.clone(), part(0, a)?, part(1, b)?),
        })
    }

    /// The same about other atoms.
    #[must_use]
    pub fn map_atoms<B>(&self, to: &dyn Fn(&A) -> B) -> Path<B> {
        let Ok(path) = self.rebuild(&mut Renumber(to));
        path
    }

    /// Calls `visit` for every bound in it, however deep it lies.
    pub fn for_each_bound_mut(&mut self, visit: &mut dyn FnMut(&mut Bound)) {
        if let Some(when) = self.interval_mut() {
            when.low.iter_mut().chain(&mut when.high).for_each(&mut *visit);
        }
        match self {
            Self::Now(formula) => formula.for_each_bound_mut(visit),
            Self::Accepted(omega) => {
                omega.propositions.iter_mut().for_each(|formula| formula.for_each_bound_mut(visit));
            }
            Self::Not(a) | Self::Next(a) | Self::Eventually(_, a) | Self::Always(_, a) => {
                a.for_each_bound_mut(visit);
            }
            Self::And(a, b)
            | Self::Or(a, b)
            | Self::Implies(a, b)
            | Self::Iff(a, b)
            | Self::Until(_, _, a, b) => {
                a.for_each_bound_mut(visit);
                b.for_each_bound_mut(visit);
            }
        }
    }
}

impl<A: Clone> Path<A> {
    /// The same operator over changed children. The propositions of an automaton stand for letters, and are not among them.
    #[must_use]
    pub fn with_children(&self, change: &mut dyn Change<A>) -> Self {
        let Ok(path) = self.rebuild(&mut Changed(change));
        path
    }
}

impl<A> Formula<A> {
    /// The same operator over what becomes of its parts.
    ///
    /// # Errors
    /// What is in the way of one of them.
    pub fn rebuild<B, E>(&self, parts: &mut dyn Rebuild<A, B, E>) -> Result<Formula<B>, E> {
        let mut part = |number, child: &Self| parts.state(number, child).map(Box::new);
        Ok(match self {
            Self::True => Formula::True,
            Self::False => Formula::False,
            Self::Deadlock => Formula::Deadlock,
            Self::Atom(atom) => Formula::Atom(parts.atom(atom)?),
            Self::Not(a) => Formula::Not(part(0, a)?),
            Self::And(a, b) => Formula::And(part(0, a)?, part(1, b)?),
            Self::Or(a, b) => Formula::Or(part(0, a)?, part(1, b)?),
            Self::Implies(a, b) => Formula::Implies(part(0, a)?, part(1, b)?),
            Self::Iff(a, b) => Formula::Iff(part(0, a)?, part(1, b)?),
            Self::Runs(quantifier, path) => Formula::Runs(*quantifier, Box::new(parts.path(0, path)?)),
            Self::Knows(kind, group, a) => Formula::Knows(*kind, group.clone(), part(0, a)?),
            Self::Chance(extremum, query, path) => {
                Formula::Chance(*extremum, query.clone(), Box::new(parts.path(0, path)?))
            }
            Self::Reward(name, extremum, query, goal) => {
                let goal = match &**goal {
                    RewardGoal::Until(path) => RewardGoal::Until(parts.path(0, path)?),
                    RewardGoal::Cumulative(bound) => RewardGoal::Cumulative(bound.clone()),
                    RewardGoal::Instant(bound) => RewardGoal::Instant(bound.clone()),
                    RewardGoal::Average => RewardGoal::Average,
                };
                Formula::Reward(name.clone(), *extremum, query.clone(), Box::new(goal))
            }
            Self::Steady(extremum, query, a) => Formula::Steady(*extremum, query.clone(), part(0, a)?),
            Self::Timer(timer, relation, bound) => {
                let timer = match timer {
                    Timer::Now => Timer::Now,
                    Timer::Since(a) => Timer::Since(part(0, a)?),
                    Timer::Held(a) => Timer::Held(part(0, a)?),
                };
                Formula::Timer(timer, *relation, bound.clone())
            }
            Self::Wait(extremum, from, to) => {
                let from = from.as_ref().map(|from| part(0, from)).transpose()?;
                Formula::Wait(*extremum, from, part(1, to)?)
            }
            Self::Past(past) => Formula::Past(Box::new(match &**past {
                Past::Once(a) => Past::Once(parts.state(0, a)?),
                Past::Historically(a) => Past::Historically(parts.state(0, a)?),
                Past::Previously(a) => Past::Previously(parts.state(0, a)?),
                Past::Since(a, b) => Past::Since(parts.state(0, a)?, parts.state(1, b)?),
            })),
            Self::Filter(filter, a, b) => Formula::Filter(*filter, part(0, a)?, part(1, b)?),
        })
    }

    /// The same about other atoms.
    #[must_use]
    pub fn map_atoms<B>(&self, to: &dyn Fn(&A) -> B) -> Formula<B> {
        let Ok(formula) = self.rebuild(&mut Renumber(to));
        formula
    }

    /// Calls `visit` for every bound in it, however deep it lies.
    pub fn for_each_bound_mut(&mut self, visit: &mut dyn FnMut(&mut Bound)) {
        match self {
            Self::True | Self::False | Self::Deadlock | Self::Atom(_) => {}
            Self::Not(a) | Self::Knows(_, _, a) | Self::Steady(_, _, a) => a.for_each_bound_mut(visit),
            Self::And(a, b)
            | Self::Or(a, b)
            | Self::Implies(a, b)
            | Self::Iff(a, b)
            | Self::Filter(_, a, b) => {
                a.for_each_bound_mut(visit);
                b.for_each_bound_mut(visit);
            }
            Self::Past(past) => past.parts_mut().for_each(|part| part.for_each_bound_mut(visit)),
            Self::Wait(_, from, to) => {
                from.iter_mut().chain([to]).for_each(|formula| formula.for_each_bound_mut(visit));
            }
            Self::Runs(_, path) | Self::Chance(_, _, path) => path.for_each_bound_mut(visit),
            Self::Reward(_, _, _, goal) => match &mut **goal {
                RewardGoal::Until(path) => path.for_each_bound_mut(visit),
                RewardGoal::Cumulative(Some(bound)) | RewardGoal::Instant(bound) => visit(bound),
                RewardGoal::Cumulative(None) | RewardGoal::Average => {}
            },
            Self::Timer(timer, _, bound) => {
                visit(bound);
                if let Timer::Since(inner) | Timer::Held(inner) = timer {
                    inner.for_each_bound_mut(visit);
                }
            }
        }
    }
}

impl<A: Clone> Formula<A> {
    /// The same operator over changed children.
    #[must_use]
    pub fn with_children(&self, change: &mut dyn Change<A>) -> Self {
        let Ok(formula) = self.rebuild(&mut Changed(change));
        formula
    }
}

/// Children that are changed, over the same atoms.
struct Changed<'c, A>(&'c mut dyn Change<A>);

impl<A: Clone> Rebuild<A, A, Infallible> for Changed<'_, A> {
    fn atom(&mut self, atom: &A) -> Result<A, Infallible> {
        Ok(atom.clone())
    }

    fn automaton(&mut self, omega: &Omega<A>) -> Result<Path<A>, Infallible> {
        Ok(Path::Accepted(Box::new(omega.clone())))
    }

    fn path(&mut self, number: usize, child: &Path<A>) -> Result<Path<A>, Infallible> {
        Ok(self.0.path(number, child))
    }

    fn state(&mut self, number: usize, child: &Formula<A>) -> Result<Formula<A>, Infallible> {
        Ok(self.0.state(number, child))
    }
}

/// Everything as it is, over other atoms.
struct Renumber<'t, A, B>(&'t dyn Fn(&A) -> B);

impl<A, B> Rebuild<A, B, Infallible> for Renumber<'_, A, B> {
    fn atom(&mut self, atom: &A) -> Result<B, Infallible> {
        Ok((self.0)(atom))
    }

    fn automaton(&mut self, omega: &Omega<A>) -> Result<Path<B>, Infallible> {
        Ok(Path::Accepted(Box::new(omega.map_atoms(self.0))))
    }

    fn path(&mut self, _: usize, child: &Path<A>) -> Result<Path<B>, Infallible> {
        child.rebuild(self)
    }

    fn state(&mut self, _: usize, child: &Formula<A>) -> Result<Formula<B>, Infallible> {
        child.rebuild(self)
    }
}
