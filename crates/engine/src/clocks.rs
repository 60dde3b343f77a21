//! The clocks that claims bring along: `now`, `held(p)`, `since(p)`. They are deterministic, so that a state of the model
//! and their values are all that is needed to go on, and they stop just above the largest constant they are compared
//! with, so that there are finitely many values.

use motet_model::{AtomId, TimeUnit};
use motet_property::{Formula, Interval, Path, Relation, Timer};

use crate::automata::formula::Moments;
use crate::linear::{Counted, counts};
use crate::window::HALVES;

/// A clock, before it meets a graph.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    timer: Timer<AtomId>,
    /// The values from which on some comparison has another truth; sorted.
    limits: Vec<u64>,
}

/// The clocks of these formulas, inner ones first.
pub(crate) fn clocks_of<'p>(paths: impl IntoIterator<Item = &'p Path<AtomId>>) -> Vec<Clock> {
    let mut clocks = Vec::new();
    for path in paths {
        for_each_state_formula(path, &mut |formula| collect(formula, &mut clocks));
    }
    for clock in &mut clocks {
        clock.limits.sort_unstable();
        clock.limits.dedup();
    }
    clocks
}

/// Whether a formula compares a clock.
pub(crate) fn mentions_clock(path: &Path<AtomId>) -> bool {
    !clocks_of([path]).is_empty()
}

/// At which moments these formulas are evaluated.
pub(crate) fn moments_of<'p>(paths: impl IntoIterator<Item = &'p Path<AtomId>>, unit: TimeUnit) -> Moments {
    let timed = |path: &Path<AtomId>| mentions_clock(path) || has_window(path, unit);
    if paths.into_iter().any(timed) { Moments::Time } else { Moments::States }
}

fn has_window(path: &Path<AtomId>, unit: TimeUnit) -> bool {
    let inner = |path: &Path<AtomId>| has_window(path, unit);
    let window = |when: &Interval| {
        when.low.iter().chain(&when.high).any(|bound| counts(bound, unit) == Ok(Counted::Time))
    };
    match path {
        Path::Now(formula) => quantifies_window(formula, unit),
        Path::Not(a) | Path::Next(a) => inner(a),
        Path::Eventually(when, a) | Path::Always(when, a) => window(when) || inner(a),
        Path::And(a, b) | Path::Or(a, b) | Path::Implies(a, b) | Path::Iff(a, b) => inner(a) || inner(b),
        Path::Until(when, a, b) | Path::Weak(when, a, b) | Path::Release(when, a, b) => {
            window(when) || inner(a) || inner(b)
        }
    }
}

/// Whether a window stands under a quantifier over runs.
fn quantifies_window(formula: &Formula<AtomId>, unit: TimeUnit) -> bool {
    match formula {
        Formula::Runs(_, path) => has_window(path, unit),
        Formula::Not(a) => quantifies_window(a, unit),
        Formula::And(a, b) | Formula::Or(a, b) | Formula::Implies(a, b) | Formula::Iff(a, b) => {
            quantifies_window(a, unit) || quantifies_window(b, unit)
        }
        _ => false,
    }
}

fn for_each_state_formula<'p>(path: &'p Path<AtomId>, visit: &mut dyn FnMut(&'p Formula<AtomId>)) {
    match path {
        Path::Now(formula) => visit(formula),
        Path::Not(a) | Path::Next(a) | Path::Eventually(_, a) | Path::Always(_, a) => {
            for_each_state_formula(a, visit);
        }
        Path::And(a, b)
        | Path::Or(a, b)
        | Path::Implies(a, b)
        | Path::Iff(a, b)
        | Path::Until(_, a, b)
        | Path::Weak(_, a, b)
        | Path::Release(_, a, b) => {
            for_each_state_formula(a, visit);
            for_each_state_formula(b, visit);
        }
    }
}

fn collect(formula: &Formula<AtomId>, clocks: &mut Vec<Clock>) {
    match formula {
        Formula::Not(a) => collect(a, clocks),
        Formula::And(a, b) | Formula::Or(a, b) | Formula::Implies(a, b) | Formula::Iff(a, b) => {
            collect(a, clocks);
            collect(b, clocks);
        }
        Formula::Runs(_, path) => for_each_state_formula(path, &mut |inner| collect(inner, clocks)),
        Formula::Timer(timer, relation, bound) => {
            if let Timer::Held(inner) | Timer::Since(inner) = timer {
                collect(inner, clocks);
            }
            let at = clocks.iter().position(|clock| clock.timer == *timer).unwrap_or_else(|| {
                clocks.push(Clock { timer: timer.clone(), limits: Vec::new() });
                clocks.len() - 1
            });
            let limit = bound.amount.saturating_mul(HALVES);
            if matches!(relation, Relation::Lt | Relation::Ge | Relation::Eq | Relation::Ne) {
                clocks[at].limits.push(limit);
            }
            if matches!(relation, Relation::Le | Relation::Gt | Relation::Eq | Relation::Ne) {
                clocks[at].limits.push(limit.saturating_add(1));
            }
        }
        _ => {}
    }
}

/// Tells of the state formula with this number whether it holds now; `None` if that is not known.
pub(crate) type Ground<'a> = &'a dyn Fn(usize) -> Option<bool>;

/// A state formula, taken apart where it compares clocks.
#[derive(Clone, Debug)]
pub(crate) enum Test {
    /// Does not depend on clocks: the number of a formula.
    Leaf(usize),
    Compare {
        clock: usize,
        relation: Relation,
        limit: u64,
    },
    Not(Box<Test>),
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
    Iff(Box<Test>, Box<Test>),
}

impl Test {
    /// Formulas without clocks are added to `leaves`.
    pub(crate) fn new(
        leaves: &mut Vec<Formula<AtomId>>,
        clocks: &[Clock],
        formula: &Formula<AtomId>,
    ) -> Self {
        let mut inner = Vec::new();
        collect(formula, &mut inner);
        if inner.is_empty() {
            let known = leaves.iter().position(|leaf| leaf == formula);
            return Self::Leaf(known.unwrap_or_else(|| {
                leaves.push(formula.clone());
                leaves.len() - 1
            }));
        }
        let mut new = |formula: &Formula<AtomId>| Box::new(Self::new(leaves, clocks, formula));
        match formula {
            Formula::Not(a) => Self::Not(new(a)),
            Formula::And(a, b) => Self::And(new(a), new(b)),
            Formula::Or(a, b) => Self::Or(new(a), new(b)),
            Formula::Implies(a, b) => Self::Or(Box::new(Self::Not(new(a))), new(b)),
            Formula::Iff(a, b) => Self::Iff(new(a), new(b)),
            Formula::Timer(timer, relation, bound) => {
                let clock = clocks.iter().position(|clock| clock.timer == *timer);
                Self::Compare {
                    clock: clock.expect("all clocks of the formula were collected"),
                    relation: *relation,
                    limit: bound.amount.saturating_mul(HALVES),
                }
            }
            _ => unreachable!("other operators were refused"),
        }
    }

    /// Three-valued: `None` is not known.
    pub(crate) fn holds(&self, ground: Ground<'_>, values: &Values<'_>) -> Option<bool> {
        let holds = |test: &Self| test.holds(ground, values);
        match self {
            Self::Leaf(number) => ground(*number),
            Self::Compare { clock, relation, limit } => Some(compare(values.read(*clock), *relation, *limit)),
            Self::Not(a) => holds(a).map(|a| !a),
            Self::And(a, b) => both(holds(a), holds(b)),
            Self::Or(a, b) => both(holds(a).map(|a| !a), holds(b).map(|b| !b)).map(|neither| !neither),
            Self::Iff(a, b) => holds(a).zip(holds(b)).map(|(a, b)| a == b),
        }
    }
}

fn both(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn compare(value: u64, relation: Relation, limit: u64) -> bool {
    match relation {
        Relation::Eq => value == limit,
        Relation::Ne => value != limit,
        Relation::Lt => value < limit,
        Relation::Le => value <= limit,
        Relation::Gt => value > limit,
        Relation::Ge => value >= limit,
    }
}

/// The values of all clocks at one moment.
pub(crate) struct Values<'a> {
    dials: &'a [Dial],
    faces: &'a [u64],
}

impl Values<'_> {
    fn read(&self, clock: usize) -> u64 {
        match &self.dials[clock].hand {
            Hand::Now => self.faces[clock],
            // A clock of a formula shows 0 while it stands, else one more than its value.
            Hand::Held(_) | Hand::Since(_) => self.faces[clock].saturating_sub(1),
        }
    }
}

/// A clock whose formula is taken apart.
#[derive(Clone, Debug)]
struct Dial {
    hand: Hand,
    limits: Vec<u64>,
}

#[derive(Clone, Debug)]
enum Hand {
    Now,
    Held(Test),
    Since(Test),
}

/// All clocks of a claim. What they show at a moment is a list of faces.
#[derive(Clone, Debug)]
pub(crate) struct Dials {
    dials: Vec<Dial>,
}

impl Dials {
    /// Formulas without clocks are added to `leaves`.
    pub(crate) fn new(leaves: &mut Vec<Formula<AtomId>>, clocks: &[Clock]) -> Self {
        let dial = |clock: &Clock| Dial {
            hand: match &clock.timer {
                Timer::Now => Hand::Now,
                Timer::Held(inner) => Hand::Held(Test::new(leaves, clocks, inner)),
                Timer::Since(inner) => Hand::Since(Test::new(leaves, clocks, inner)),
            },
            limits: clock.limits.clone(),
        };
        Self { dials: clocks.iter().map(dial).collect() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.dials.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.dials.len()
    }

    pub(crate) fn values<'a>(&'a self, faces: &'a [u64]) -> Values<'a> {
        Values { dials: &self.dials, faces }
    }

    /// The faces at the start of a run; `None` if something they depend on is not known.
    pub(crate) fn start(&self, ground: Ground<'_>) -> Option<Vec<u64>> {
        self.turn(ground, None)
    }

    /// The faces this long after they showed `before`, at a moment told by `ground`; `None` if something they depend on
    /// is not known.
    pub(crate) fn advance(&self, ground: Ground<'_>, before: &[u64], length: u64) -> Option<Vec<u64>> {
        self.turn(ground, Some((before, length)))
    }

    fn turn(&self, ground: Ground<'_>, before: Option<(&[u64], u64)>) -> Option<Vec<u64>> {
        let mut faces = Vec::with_capacity(self.dials.len());
        for (at, dial) in self.dials.iter().enumerate() {
            let last = dial.limits.last().copied().unwrap_or(0);
            let later = |value: u64, length: u64| value.saturating_add(length).min(last);
            // The formula of a clock may compare the clocks before it.
            let holds = |test: &Test| test.holds(ground, &self.values(&faces));
            let face = match (&dial.hand, before) {
                (Hand::Now, None) => 0,
                (Hand::Now, Some((before, length))) => later(before[at], length),
                (Hand::Held(test), before) => match (holds(test)?, before) {
                    (false, _) => 0,
                    (true, Some((before, length))) if before[at] > 0 => 1 + later(before[at] - 1, length),
                    (true, _) => 1,
                },
                (Hand::Since(test), before) => match (holds(test)?, before) {
                    (true, _) => 0,
                    // It never held: as good as longer ago than anything it is compared with.
                    (false, None) => 1 + last,
                    (false, Some((before, _))) if before[at] == 0 => 1,
                    (false, Some((before, length))) => 1 + later(before[at] - 1, length),
                },
            };
            faces.push(face);
        }
        Some(faces)
    }

    /// After how long the first comparison changes if the state lasts; `None` is never.
    pub(crate) fn next_change(&self, faces: &[u64]) -> Option<u64> {
        let change = |(dial, &face): (&Dial, &u64)| {
            let value = match &dial.hand {
                Hand::Now => face,
                Hand::Held(_) | Hand::Since(_) => face.checked_sub(1)?,
            };
            dial.limits.iter().find(|&&limit| limit > value).map(|limit| limit - value)
        };
        self.dials.iter().zip(faces).filter_map(change).min()
    }
}
