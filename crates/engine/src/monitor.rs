//! A claim watched along a single run: after each state it is violated, satisfied, or still open. The formula is
//! rewritten into what the rest of the run has to satisfy (Bacchus, Kabanza: Using temporal logics to express search
//! control knowledge for planning, 2000).

use motet_model::AtomId;
use motet_property::{Formula, Path};

/// What is known of a claim on the run so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// No continuation satisfies it.
    Violated,
    /// Every continuation satisfies it.
    Satisfied,
    /// Both are possible, or nobody knows.
    Open,
}

/// Obligations larger than this are given up as open.
const LIMIT_SIZE: usize = 2_000;

/// A claim and what is left of it.
#[derive(Clone, Debug)]
pub struct Monitor {
    left: Path<AtomId>,
    /// Set when the claim uses something that a single run cannot decide.
    blind: bool,
}

impl Monitor {
    /// Watches a formula; one with bounds of time, quantifiers over runs, knowledge or chance stays open.
    #[must_use]
    pub fn new(formula: &Path<AtomId>) -> Self {
        Self { left: formula.clone(), blind: !plain(formula) }
    }

    /// Reads the next state.
    pub fn read(&mut self, holds: &dyn Fn(AtomId) -> bool) -> Known {
        if self.blind {
            return Known::Open;
        }
        self.left = progress(&self.left, holds);
        if size(&self.left) > LIMIT_SIZE {
            self.blind = true;
        }
        match self.left {
            Path::Now(Formula::True) => Known::Satisfied,
            Path::Now(Formula::False) => Known::Violated,
            _ => Known::Open,
        }
    }

    /// The verdict when the run stays in its last state for ever.
    #[must_use]
    pub fn end(&self, holds: &dyn Fn(AtomId) -> bool) -> Known {
        if self.blind {
            return Known::Open;
        }
        if for_ever(&self.left, holds) { Known::Satisfied } else { Known::Violated }
    }
}

fn truth(value: bool) -> Path<AtomId> {
    Path::Now(if value { Formula::True } else { Formula::False })
}

fn state(formula: &Formula<AtomId>, holds: &dyn Fn(AtomId) -> bool) -> bool {
    match formula {
        Formula::True => true,
        Formula::Atom(atom) => holds(*atom),
        Formula::Not(a) => !state(a, holds),
        Formula::And(a, b) => state(a, holds) && state(b, holds),
        Formula::Or(a, b) => state(a, holds) || state(b, holds),
        Formula::Implies(a, b) => !state(a, holds) || state(b, holds),
        Formula::Iff(a, b) => state(a, holds) == state(b, holds),
        // `plain` let no other operator through.
        _ => false,
    }
}

/// What the rest of the run has to satisfy, so that the run from this state on satisfies the formula.
fn progress(path: &Path<AtomId>, holds: &dyn Fn(AtomId) -> bool) -> Path<AtomId> {
    match path {
        Path::Now(formula) => truth(state(formula, holds)),
        Path::Not(a) => not(progress(a, holds)),
        Path::And(a, b) => and(progress(a, holds), progress(b, holds)),
        Path::Or(a, b) => or(progress(a, holds), progress(b, holds)),
        Path::Implies(a, b) => or(not(progress(a, holds)), progress(b, holds)),
        Path::Iff(a, b) => {
            let (a, b) = (progress(a, holds), progress(b, holds));
            or(and(a.clone(), b.clone()), and(not(a), not(b)))
        }
        Path::Next(a) => (**a).clone(),
        Path::Eventually(_, a) => or(progress(a, holds), path.clone()),
        Path::Always(_, a) => and(progress(a, holds), path.clone()),
        Path::Until(_, a, b) | Path::Weak(_, a, b) => {
            or(progress(b, holds), and(progress(a, holds), path.clone()))
        }
        Path::Release(_, a, b) => and(progress(b, holds), or(progress(a, holds), path.clone())),
    }
}

/// Truth on the run that repeats one state.
fn for_ever(path: &Path<AtomId>, holds: &dyn Fn(AtomId) -> bool) -> bool {
    match path {
        Path::Now(formula) => state(formula, holds),
        Path::Not(a) => !for_ever(a, holds),
        Path::And(a, b) => for_ever(a, holds) && for_ever(b, holds),
        Path::Or(a, b) | Path::Weak(_, a, b) => for_ever(a, holds) || for_ever(b, holds),
        Path::Implies(a, b) => !for_ever(a, holds) || for_ever(b, holds),
        Path::Iff(a, b) => for_ever(a, holds) == for_ever(b, holds),
        Path::Next(a) | Path::Eventually(_, a) | Path::Always(_, a) => for_ever(a, holds),
        Path::Until(_, _, b) | Path::Release(_, _, b) => for_ever(b, holds),
    }
}

fn not(a: Path<AtomId>) -> Path<AtomId> {
    match a {
        Path::Now(Formula::True) => truth(false),
        Path::Now(Formula::False) => truth(true),
        Path::Not(a) => *a,
        a => Path::Not(Box::new(a)),
    }
}

fn and(a: Path<AtomId>, b: Path<AtomId>) -> Path<AtomId> {
    match (a, b) {
        (Path::Now(Formula::False), _) | (_, Path::Now(Formula::False)) => truth(false),
        (Path::Now(Formula::True), other) | (other, Path::Now(Formula::True)) => other,
        (a, Path::And(b, c)) => and(and(a, *b), *c),
        (a, b) if contains(&a, &b, Side::And) => a,
        (a, b) => Path::And(Box::new(a), Box::new(b)),
    }
}

fn or(a: Path<AtomId>, b: Path<AtomId>) -> Path<AtomId> {
    match (a, b) {
        (Path::Now(Formula::True), _) | (_, Path::Now(Formula::True)) => truth(true),
        (Path::Now(Formula::False), other) | (other, Path::Now(Formula::False)) => other,
        (a, Path::Or(b, c)) => or(or(a, *b), *c),
        (a, b) if contains(&a, &b, Side::Or) => a,
        (a, b) => Path::Or(Box::new(a), Box::new(b)),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    And,
    Or,
}

/// Whether `part` is already one of the parts of `whole`: without this, `G (a -> F b)` would grow with every `a`.
fn contains(whole: &Path<AtomId>, part: &Path<AtomId>, side: Side) -> bool {
    whole == part
        || match (whole, side) {
            (Path::And(a, b), Side::And) | (Path::Or(a, b), Side::Or) => {
                contains(a, part, side) || contains(b, part, side)
            }
            _ => false,
        }
}

fn size(path: &Path<AtomId>) -> usize {
    match path {
        Path::Now(_) => 1,
        Path::Not(a) | Path::Next(a) | Path::Eventually(_, a) | Path::Always(_, a) => 1 + size(a),
        Path::And(a, b)
        | Path::Or(a, b)
        | Path::Implies(a, b)
        | Path::Iff(a, b)
        | Path::Until(_, a, b)
        | Path::Weak(_, a, b)
        | Path::Release(_, a, b) => 1 + size(a) + size(b),
    }
}

/// Whether a single run decides it: no bounds, no quantifiers over runs, no knowledge, no chance.
fn plain(path: &Path<AtomId>) -> bool {
    match path {
        Path::Now(formula) => plain_state(formula),
        Path::Not(a) | Path::Next(a) => plain(a),
        Path::And(a, b) | Path::Or(a, b) | Path::Implies(a, b) | Path::Iff(a, b) => plain(a) && plain(b),
        Path::Eventually(when, a) | Path::Always(when, a) => when.is_unbounded() && plain(a),
        Path::Until(when, a, b) | Path::Weak(when, a, b) | Path::Release(when, a, b) => {
            when.is_unbounded() && plain(a) && plain(b)
        }
    }
}

fn plain_state(formula: &Formula<AtomId>) -> bool {
    match formula {
        Formula::True | Formula::False | Formula::Atom(_) => true,
        Formula::Not(a) => plain_state(a),
        Formula::And(a, b) | Formula::Or(a, b) | Formula::Implies(a, b) | Formula::Iff(a, b) => {
            plain_state(a) && plain_state(b)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use motet_property::Interval;

    use super::*;

    fn atom(number: u32) -> Path<AtomId> {
        Path::Now(Formula::Atom(AtomId(number)))
    }

    /// `G (a -> F b)`
    fn response() -> Path<AtomId> {
        let later = Path::Eventually(Interval::default(), Box::new(atom(1)));
        Path::Always(Interval::default(), Box::new(Path::Implies(Box::new(atom(0)), Box::new(later))))
    }

    fn watch(formula: &Path<AtomId>, run: &[&[u32]]) -> (Known, Known) {
        let mut monitor = Monitor::new(formula);
        let mut known = Known::Open;
        for state in run {
            known = monitor.read(&|atom| state.contains(&atom.0));
        }
        let last = run.last().copied().unwrap_or(&[]);
        (known, monitor.end(&|atom| last.contains(&atom.0)))
    }

    #[test]
    fn a_response_stays_open_and_is_violated_only_at_the_end_for_ever() {
        assert_eq!(watch(&response(), &[&[0], &[]]), (Known::Open, Known::Violated));
        assert_eq!(watch(&response(), &[&[0], &[1]]), (Known::Open, Known::Satisfied));
    }

    #[test]
    fn an_invariant_is_violated_at_once_and_a_goal_satisfied_at_once() {
        let always = Path::Always(Interval::default(), Box::new(atom(0)));
        assert_eq!(watch(&always, &[&[0], &[]]).0, Known::Violated);
        let sometime = Path::Eventually(Interval::default(), Box::new(atom(0)));
        assert_eq!(watch(&sometime, &[&[], &[0]]).0, Known::Satisfied);
    }

    #[test]
    fn obligations_do_not_grow_with_the_run() {
        let mut monitor = Monitor::new(&response());
        for _ in 0..500 {
            monitor.read(&|atom| atom.0 == 0);
        }
        assert!(size(&monitor.left) < 20, "{}", size(&monitor.left));
    }
}
