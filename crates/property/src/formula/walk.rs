//! What a formula is made of. Whoever only looks for something inside of formulas asks here, and does not care which
//! operators there are.

use super::{Bound, Formula, Interval, Path, RewardGoal, Timer};

/// A formula of either kind, inside of another one or by itself.
#[derive(Debug)]
pub enum Subformula<'f, A> {
    /// About a run.
    Path(&'f Path<A>),
    /// About a state.
    State(&'f Formula<A>),
}

impl<A> Clone for Subformula<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for Subformula<'_, A> {}

impl<'f, A> Subformula<'f, A> {
    /// What it is made of directly, from the left; of an automaton, its propositions.
    pub fn children(self) -> impl Iterator<Item = Self> + use<'f, A> {
        let none: &'f [Formula<A>] = &[];
        let (own, propositions) = match self {
            Self::Path(Path::Accepted(omega)) => ([None, None], &*omega.propositions),
            Self::Path(path) => (of_path(path), none),
            Self::State(formula) => (of_state(formula), none),
        };
        own.into_iter().flatten().chain(propositions.iter().map(Self::State))
    }

    /// Calls `visit` for it and for everything inside of it, the whole before its parts, from the left.
    pub fn for_each(self, visit: &mut dyn FnMut(Self)) {
        visit(self);
        self.children().for_each(|child| child.for_each(visit));
    }

    /// Whether it, or something inside of it, is such.
    pub fn any(self, such: &mut dyn FnMut(Self) -> bool) -> bool {
        such(self) || self.children().any(|child| child.any(such))
    }

    /// The first answer that it, or something inside of it, gives.
    pub fn find_map<T>(self, answer: &mut dyn FnMut(Self) -> Option<T>) -> Option<T> {
        answer(self).or_else(|| self.children().find_map(|child| child.find_map(answer)))
    }

    /// The bounds of its own operator.
    pub fn bounds(self) -> impl Iterator<Item = &'f Bound> + use<'f, A> {
        let (low, high) = match self {
            Self::Path(path) => {
                path.interval().map_or((None, None), |when| (when.low.as_ref(), when.high.as_ref()))
            }
            Self::State(Formula::Timer(_, _, bound)) => (None, Some(bound)),
            Self::State(Formula::Reward(_, _, _, goal)) => match &**goal {
                RewardGoal::Cumulative(Some(bound)) | RewardGoal::Instant(bound) => (None, Some(bound)),
                RewardGoal::Cumulative(None) | RewardGoal::Until(_) | RewardGoal::Average => (None, None),
            },
            Self::State(_) => (None, None),
        };
        low.into_iter().chain(high)
    }
}

type Two<'f, A> = [Option<Subformula<'f, A>>; 2];

fn of_path<A>(path: &Path<A>) -> Two<'_, A> {
    use Subformula as Child;
    match path {
        Path::Accepted(_) => [None, None],
        Path::Now(formula) => [Some(Child::State(formula)), None],
        Path::Not(a) | Path::Next(a) | Path::Eventually(_, a) | Path::Always(_, a) => {
            [Some(Child::Path(a)), None]
        }
        Path::And(a, b)
        | Path::Or(a, b)
        | Path::Implies(a, b)
        | Path::Iff(a, b)
        | Path::Until(_, _, a, b) => [Some(Child::Path(a)), Some(Child::Path(b))],
    }
}

fn of_state<A>(formula: &Formula<A>) -> Two<'_, A> {
    use Subformula as Child;
    match formula {
        Formula::True
        | Formula::False
        | Formula::Deadlock
        | Formula::Atom(_)
        | Formula::Timer(Timer::Now, ..) => [None, None],
        Formula::Not(a)
        | Formula::Knows(_, _, a)
        | Formula::Steady(_, _, a)
        | Formula::Timer(Timer::Since(a) | Timer::Held(a), ..) => [Some(Child::State(a)), None],
        Formula::And(a, b)
        | Formula::Or(a, b)
        | Formula::Implies(a, b)
        | Formula::Iff(a, b)
        | Formula::Filter(_, a, b) => [Some(Child::State(a)), Some(Child::State(b))],
        Formula::Wait(_, a, b) => [a.as_deref().map(Child::State), Some(Child::State(b))],
        Formula::Runs(_, path) | Formula::Chance(_, _, path) => [Some(Child::Path(path)), None],
        Formula::Reward(_, _, _, goal) => match &**goal {
            RewardGoal::Until(path) => [Some(Child::Path(path)), None],
            RewardGoal::Cumulative(_) | RewardGoal::Instant(_) | RewardGoal::Average => [None, None],
        },
        Formula::Past(past) => {
            let mut parts = past.parts().map(Child::State);
            [parts.next(), parts.next()]
        }
    }
}

impl<A> Path<A> {
    /// What it is made of directly, from the left; of an automaton, its propositions.
    pub fn children(&self) -> impl Iterator<Item = Subformula<'_, A>> {
        Subformula::Path(self).children()
    }

    /// The formulas about runs that its operator is applied to.
    pub fn operands(&self) -> impl Iterator<Item = &Self> {
        self.children().filter_map(|child| match child {
            Subformula::Path(path) => Some(path),
            Subformula::State(_) => None,
        })
    }

    /// When what its operator speaks of has to come, or to last; `None` of an operator that does not say.
    pub fn interval(&self) -> Option<&Interval> {
        match self {
            Self::Eventually(when, _) | Self::Always(when, _) | Self::Until(_, when, ..) => Some(when),
            Self::Now(_)
            | Self::Not(_)
            | Self::And(..)
            | Self::Or(..)
            | Self::Implies(..)
            | Self::Iff(..)
            | Self::Next(_)
            | Self::Accepted(_) => None,
        }
    }

    /// The same, to be changed.
    pub fn interval_mut(&mut self) -> Option<&mut Interval> {
        match self {
            Self::Eventually(when, _) | Self::Always(when, _) | Self::Until(_, when, ..) => Some(when),
            _ => None,
        }
    }

    /// Whether its own operator speaks of other states than the first.
    #[must_use]
    pub fn is_temporal(&self) -> bool {
        matches!(self, Self::Next(_)) || self.interval().is_some()
    }

    /// Whether it, or something inside of it, is such.
    pub fn any<'f>(&'f self, such: &mut dyn FnMut(Subformula<'f, A>) -> bool) -> bool {
        Subformula::Path(self).any(such)
    }

    /// Calls `visit` for it and for everything inside of it, the whole before its parts, from the left.
    pub fn for_each<'f>(&'f self, visit: &mut dyn FnMut(Subformula<'f, A>)) {
        Subformula::Path(self).for_each(visit);
    }

    /// Calls `visit` for every formula about a state that stands directly in it, in order. Those inside such formulas are the
    /// visitor's business.
    pub fn for_each_state<'f>(&'f self, visit: &mut dyn FnMut(&'f Formula<A>)) {
        self.children().for_each(|child| match child {
            Subformula::Path(path) => path.for_each_state(visit),
            Subformula::State(formula) => visit(formula),
        });
    }

    /// Calls `visit` for every atom, in the order of the formula, repetitions included.
    pub fn for_each_atom<'f>(&'f self, visit: &mut dyn FnMut(&'f A)) {
        self.for_each(&mut |part| visit_atom(part, visit));
    }
}

impl<A> Formula<A> {
    /// What it is made of directly, from the left.
    pub fn children(&self) -> impl Iterator<Item = Subformula<'_, A>> {
        Subformula::State(self).children()
    }

    /// Whether it, or something inside of it, is such.
    pub fn any<'f>(&'f self, such: &mut dyn FnMut(Subformula<'f, A>) -> bool) -> bool {
        Subformula::State(self).any(such)
    }

    /// Calls `visit` for it and for everything inside of it, the whole before its parts, from the left.
    pub fn for_each<'f>(&'f self, visit: &mut dyn FnMut(Subformula<'f, A>)) {
        Subformula::State(self).for_each(visit);
    }

    /// Calls `visit` for every atom, in the order of the formula, repetitions included.
    pub fn for_each_atom<'f>(&'f self, visit: &mut dyn FnMut(&'f A)) {
        self.for_each(&mut |part| visit_atom(part, visit));
    }
}

fn visit_atom<'f, A>(part: Subformula<'f, A>, visit: &mut dyn FnMut(&'f A)) {
    if let Subformula::State(Formula::Atom(atom)) = part {
        visit(atom);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::{Past, Quantifier, Query, Relation, Unit, Until};

    fn now(number: u32) -> Box<Path<u32>> {
        Box::new(Path::Now(Formula::Atom(number)))
    }

    fn within(amount: u64) -> Interval {
        Interval { low: None, high: Some(Bound { amount, unit: Some(Unit::Steps), strict: false }) }
    }

    /// `F<=1 (0 W<=2 (E (X held(1) <= 3))) -> P>=0.5 [ 2 R (once(3) since 4) ]`, as far as it can be nested.
    fn everything() -> Path<u32> {
        let bound = Bound { amount: 3, unit: Some(Unit::Steps), strict: false };
        let held = Formula::Timer(Timer::Held(Box::new(Formula::Atom(1))), Relation::Le, bound);
        let next = Path::Next(Box::new(Path::Now(held)));
        let some = Path::Now(Formula::Runs(Quantifier::Some, Box::new(next)));
        let weak = Path::Until(Until::Weak, within(2), now(0), Box::new(some));
        let once = Formula::Past(Box::new(Past::Once(Formula::Atom(3))));
        let since = Formula::Past(Box::new(Past::Since(once, Formula::Atom(4))));
        let release = Path::Until(Until::Release, Interval::default(), now(2), Box::new(Path::Now(since)));
        let query = Query::Compare(Relation::Ge, "0.5".to_owned());
        let chance = Path::Now(Formula::Chance(None, query, Box::new(release)));
        Path::Implies(Box::new(Path::Eventually(within(1), Box::new(weak))), Box::new(chance))
    }

    #[test]
    fn atoms_come_from_left_to_right() {
        let mut atoms = Vec::new();
        everything().for_each_atom(&mut |atom| atoms.push(*atom));
        assert_eq!(atoms, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn the_whole_comes_before_its_parts() {
        let mut bounds = Vec::new();
        everything().for_each(&mut |part| bounds.extend(part.bounds().map(|bound| bound.amount)));
        assert_eq!(bounds, [1, 2, 3]);
    }

    #[test]
    fn formulas_inside_of_formulas_about_states_are_not_direct_ones() {
        let path = everything();
        let mut direct = Vec::new();
        path.for_each_state(&mut |formula| direct.push(formula));
        assert!(
            matches!(direct[..], [Formula::Atom(0), Formula::Runs(..), Formula::Chance(..)]),
            "{direct:?}"
        );
    }

    #[test]
    fn a_search_stops_where_it_finds() {
        let (path, mut seen) = (everything(), 0);
        let found = Subformula::Path(&path).find_map(&mut |part| {
            seen += 1;
            matches!(part, Subformula::State(Formula::Atom(_))).then_some(seen)
        });
        // The implication, `F`, `W`, the formula about the first state and its atom.
        assert_eq!((found, seen), (Some(5), 5));
    }

    #[test]
    fn all_bounds_can_be_changed() {
        let mut path = everything();
        path.for_each_bound_mut(&mut |bound| bound.amount *= 10);
        let mut bounds = Vec::new();
        path.for_each(&mut |part| bounds.extend(part.bounds().map(|bound| bound.amount)));
        assert_eq!(bounds, [10, 20, 30]);
    }

    #[test]
    fn other_atoms_change_nothing_else() {
        let path = everything().map_atoms(&|atom| atom + 10);
        assert_ne!(path, everything());
        assert_eq!(path.map_atoms(&|atom| atom - 10), everything());
    }
}
