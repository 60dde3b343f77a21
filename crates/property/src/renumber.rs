//! The same formula over other atoms.

use crate::formula::{Formula, Past, Path, RewardGoal, Timer};

impl<A> Path<A> {
    /// The same about other atoms.
    #[must_use]
    pub fn map_atoms<B>(&self, to: &dyn Fn(&A) -> B) -> Path<B> {
        let inner = |path: &Path<A>| Box::new(path.map_atoms(to));
        match self {
            Self::Now(formula) => Path::Now(formula.map_atoms(to)),
            Self::Not(a) => Path::Not(inner(a)),
            Self::And(a, b) => Path::And(inner(a), inner(b)),
            Self::Or(a, b) => Path::Or(inner(a), inner(b)),
            Self::Implies(a, b) => Path::Implies(inner(a), inner(b)),
            Self::Iff(a, b) => Path::Iff(inner(a), inner(b)),
            Self::Next(a) => Path::Next(inner(a)),
            Self::Eventually(when, a) => Path::Eventually(when.clone(), inner(a)),
            Self::Always(when, a) => Path::Always(when.clone(), inner(a)),
            Self::Until(when, a, b) => Path::Until(when.clone(), inner(a), inner(b)),
            Self::Weak(when, a, b) => Path::Weak(when.clone(), inner(a), inner(b)),
            Self::Release(when, a, b) => Path::Release(when.clone(), inner(a), inner(b)),
            Self::Accepted(omega) => Path::Accepted(Box::new(omega.map_atoms(to))),
        }
    }
}

impl<A> Formula<A> {
    /// The same about other atoms.
    #[must_use]
    pub fn map_atoms<B>(&self, to: &dyn Fn(&A) -> B) -> Formula<B> {
        let inner = |formula: &Formula<A>| Box::new(formula.map_atoms(to));
        match self {
            Self::True => Formula::True,
            Self::False => Formula::False,
            Self::Deadlock => Formula::Deadlock,
            Self::Atom(atom) => Formula::Atom(to(atom)),
            Self::Not(a) => Formula::Not(inner(a)),
            Self::And(a, b) => Formula::And(inner(a), inner(b)),
            Self::Or(a, b) => Formula::Or(inner(a), inner(b)),
            Self::Implies(a, b) => Formula::Implies(inner(a), inner(b)),
            Self::Iff(a, b) => Formula::Iff(inner(a), inner(b)),
            Self::Runs(quantifier, path) => Formula::Runs(*quantifier, Box::new(path.map_atoms(to))),
            Self::Knows(knowledge, group, a) => Formula::Knows(*knowledge, group.clone(), inner(a)),
            Self::Chance(extremum, query, path) => {
                Formula::Chance(*extremum, query.clone(), Box::new(path.map_atoms(to)))
            }
            Self::Reward(name, extremum, query, goal) => {
                let goal = match &**goal {
                    RewardGoal::Until(path) => RewardGoal::Until(path.map_atoms(to)),
                    RewardGoal::Cumulative(bound) => RewardGoal::Cumulative(bound.clone()),
                    RewardGoal::Instant(bound) => RewardGoal::Instant(bound.clone()),
                    RewardGoal::Average => RewardGoal::Average,
                };
                Formula::Reward(name.clone(), *extremum, query.clone(), Box::new(goal))
            }
            Self::Steady(extremum, query, a) => Formula::Steady(*extremum, query.clone(), inner(a)),
            Self::Timer(timer, relation, bound) => {
                let timer = match timer {
                    Timer::Now => Timer::Now,
                    Timer::Since(a) => Timer::Since(inner(a)),
                    Timer::Held(a) => Timer::Held(inner(a)),
                };
                Formula::Timer(timer, *relation, bound.clone())
            }
            Self::Wait(extremum, from, a) => {
                Formula::Wait(*extremum, from.as_ref().map(|from| inner(from)), inner(a))
            }
            Self::Past(past) => {
                let past = match &**past {
                    Past::Once(a) => Past::Once(a.map_atoms(to)),
                    Past::Historically(a) => Past::Historically(a.map_atoms(to)),
                    Past::Previously(a) => Past::Previously(a.map_atoms(to)),
                    Past::Since(a, b) => Past::Since(a.map_atoms(to), b.map_atoms(to)),
                };
                Formula::Past(Box::new(past))
            }
            Self::Filter(filter, a, b) => Formula::Filter(*filter, inner(a), inner(b)),
        }
    }
}
