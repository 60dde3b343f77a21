//! What claims remember of a run: the clocks `now`, `held(p)`, `since(p)`, and the past, `once(p)`, `p since q`. All of it is
//! deterministic, so that a state of the model and what is remembered are all that is needed to go on. Clocks stop just above
//! the largest constant they are compared with, so that there are finitely many values; of the past a bit or two are kept
//! (Havelund and Rosu: Synthesizing monitors for safety properties, 2002).

use motet_model::{AtomId, TimeUnit};
use motet_property::{Bound, Formula, Interval, Past, Path, Relation, Timer, Unit};

use crate::linear_time::automata::formula::Moments;
use crate::linear_time::linear::{Counted, counts, counts_many_steps};
use crate::metric_time::window::{HALVES, Passage, grain};

/// A clock or a memory of the past, before it meets a graph.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    kept: Kept,
    /// The values from which on some comparison has another truth; sorted.
    limits: Vec<u64>,
}

/// What is kept in mind.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kept {
    Timer(Timer<AtomId>, Counted),
    Past(Past<AtomId>),
}

/// The clocks of these formulas on a model whose delays count `unit`, inner ones first.
pub(crate) fn clocks_of<'p>(paths: impl IntoIterator<Item = &'p Path<AtomId>>, unit: TimeUnit) -> Vec<Clock> {
    let mut clocks = Vec::new();
    for path in paths {
        path.for_each_state(&mut |formula| collect(formula, unit, &mut clocks));
    }
    for clock in &mut clocks {
        clock.limits.sort_unstable();
        clock.limits.dedup();
    }
    clocks
}

/// Whether a formula compares a clock or looks at the past.
pub(crate) fn mentions_clock(path: &Path<AtomId>) -> bool {
    !clocks_of([path], TimeUnit::Steps).is_empty()
}

/// What a clock counts that is compared with this bound.
pub(crate) fn ticks(bound: &Bound, unit: TimeUnit) -> Counted {
    let steps = bound.unit.map_or(unit == TimeUnit::Steps, |counted| counted == Unit::Steps);
    if steps { Counted::Steps } else { Counted::Time }
}

/// At which moments these formulas are evaluated.
pub(crate) fn moments_of<'p>(paths: impl IntoIterator<Item = &'p Path<AtomId>>, unit: TimeUnit) -> Moments {
    let timed = |path: &Path<AtomId>| mentions_clock(path) || has_window(path, unit);
    match paths.into_iter().any(timed) {
        true if unit.is_dense() => Moments::Time,
        true => Moments::Counts,
        false => Moments::States,
    }
}

/// Whether a formula has a window of time.
pub(crate) fn has_window(path: &Path<AtomId>, unit: TimeUnit) -> bool {
    let inner = |path: &Path<AtomId>| has_window(path, unit);
    let window = |when: &Interval| {
        let timed = when.low.iter().chain(&when.high).any(|bound| counts(bound, unit) == Ok(Counted::Time));
        timed || counts_many_steps(when)
    };
    match path {
        Path::Now(formula) => quantifies_window(formula, unit),
        _ => path.interval().is_some_and(window) || path.operands().any(inner),
    }
}

/// Whether a window stands under a quantifier over runs.
fn quantifies_window(formula: &Formula<AtomId>, unit: TimeUnit) -> bool {
    formula.any_leaf(&mut |leaf| matches!(leaf, Formula::Runs(_, path) if has_window(path, unit)))
}

fn collect(formula: &Formula<AtomId>, unit: TimeUnit, clocks: &mut Vec<Clock>) {
    let keep = |kept: Kept, limits: &[u64], clocks: &mut Vec<Clock>| {
        let at = clocks.iter().position(|clock| clock.kept == kept).unwrap_or_else(|| {
            clocks.push(Clock { kept, limits: Vec::new() });
            clocks.len() - 1
        });
        clocks[at].limits.extend(limits);
    };
    match formula {
        Formula::Not(a) => collect(a, unit, clocks),
        Formula::And(a, b) | Formula::Or(a, b) | Formula::Implies(a, b) | Formula::Iff(a, b) => {
            collect(a, unit, clocks);
            collect(b, unit, clocks);
        }
        Formula::Runs(_, path) => path.for_each_state(&mut |inner| collect(inner, unit, clocks)),
        Formula::Past(past) => {
            past.parts().for_each(|part| collect(part, unit, clocks));
            keep(Kept::Past((**past).clone()), &[], clocks);
        }
        Formula::Timer(timer, relation, bound) => {
            if let Timer::Held(inner) | Timer::Since(inner) = timer {
                collect(inner, unit, clocks);
            }
            let limit = bound.amount.saturating_mul(HALVES);
            let mut limits = Vec::new();
            if matches!(relation, Relation::Lt | Relation::Ge | Relation::Eq | Relation::Ne) {
                limits.push(limit);
            }
            if matches!(relation, Relation::Le | Relation::Gt | Relation::Eq | Relation::Ne) {
                limits.push(limit.saturating_add(grain(unit)));
            }
            keep(Kept::Timer(timer.clone(), ticks(bound, unit)), &limits, clocks);
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
    /// What is remembered of the past, by the number of the clock.
    Was(usize),
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
        if !mentions_clock(&Path::Now(formula.clone())) {
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
                let find = |counted| {
                    clocks.iter().position(|clock| match &clock.kept {
                        Kept::Timer(known, ticks) => known == timer && *ticks == counted,
                        Kept::Past(_) => false,
                    })
                };
                // Without a unit it counts steps, or something was refused.
                let steps = bound.unit.is_none_or(|unit| unit == Unit::Steps);
                let clock = find(if steps { Counted::Steps } else { Counted::Time });
                Self::Compare {
                    clock: clock.expect("all clocks of the formula were collected"),
                    relation: *relation,
                    limit: bound.amount.saturating_mul(HALVES),
                }
            }
            Formula::Past(past) => {
                let kept = |clock: &Clock| matches!(&clock.kept, Kept::Past(known) if *known == **past);
                Self::Was(clocks.iter().position(kept).expect("all of the past was collected"))
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
            Self::Was(clock) => Some(values.was(*clock)),
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
            _ => self.faces[clock].saturating_sub(1),
        }
    }

    fn was(&self, clock: usize) -> bool {
        match &self.dials[clock].hand {
            Hand::Previously(_) => self.faces[clock] & BEFORE != 0,
            _ => self.faces[clock] != 0,
        }
    }
}

/// The face of `previously(p)`: whether `p` holds now, and whether it held when the state before was left.
const PRESENT: u64 = 1;
const BEFORE: u64 = 2;

/// A clock or a memory whose formulas are taken apart.
#[derive(Clone, Debug)]
struct Dial {
    hand: Hand,
    counted: Counted,
    limits: Vec<u64>,
}

#[derive(Clone, Debug)]
enum Hand {
    Now,
    Held(Test),
    Since(Test),
    Once(Test),
    Historically(Test),
    Previously(Test),
    /// The first ever since the second.
    EverSince(Test, Test),
}

/// How a moment is left, as far as clocks are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// By a step, after this long.
    Step(u64),
    /// The state goes on for this long.
    Wait(u64),
}

impl Turn {
    /// How much a clock that counts this moves on.
    fn length(self, counted: Counted) -> u64 {
        match (counted, self) {
            (Counted::Time, Self::Step(length) | Self::Wait(length)) => length,
            (Counted::Steps, Self::Step(_)) => HALVES,
            (Counted::Steps, Self::Wait(_)) => 0,
        }
    }
}

impl From<Passage> for Turn {
    fn from(passage: Passage) -> Self {
        match passage {
            Passage::Step(length) => Self::Step(length),
            Passage::Wait(length) => Self::Wait(length),
            // The last state is entered again, and all clocks of time have come to rest.
            Passage::Forever => Self::Step(0),
        }
    }
}

/// All clocks of a claim, and what it remembers. What they show at a moment is a list of faces.
#[derive(Clone, Debug)]
pub(crate) struct Dials {
    dials: Vec<Dial>,
}

impl Dials {
    /// Formulas without clocks are added to `leaves`.
    pub(crate) fn new(leaves: &mut Vec<Formula<AtomId>>, clocks: &[Clock]) -> Self {
        let mut test = |formula: &Formula<AtomId>| Test::new(leaves, clocks, formula);
        let mut dial = |clock: &Clock| {
            let (hand, counted) = match &clock.kept {
                Kept::Timer(Timer::Now, counted) => (Hand::Now, *counted),
                Kept::Timer(Timer::Held(inner), counted) => (Hand::Held(test(inner)), *counted),
                Kept::Timer(Timer::Since(inner), counted) => (Hand::Since(test(inner)), *counted),
                Kept::Past(Past::Once(inner)) => (Hand::Once(test(inner)), Counted::Steps),
                Kept::Past(Past::Historically(inner)) => (Hand::Historically(test(inner)), Counted::Steps),
                Kept::Past(Past::Previously(inner)) => (Hand::Previously(test(inner)), Counted::Steps),
                Kept::Past(Past::Since(left, right)) => {
                    (Hand::EverSince(test(left), test(right)), Counted::Steps)
                }
            };
            Dial { hand, counted, limits: clock.limits.clone() }
        };
        Self { dials: clocks.iter().map(&mut dial).collect() }
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

    /// The faces after they showed `before`, at a moment told by `ground`; `None` if something they depend on is not known.
    pub(crate) fn advance(
        &self,
        ground: Ground<'_>,
        before: &[u64],
        turn: impl Into<Turn>,
    ) -> Option<Vec<u64>> {
        self.turn(ground, Some((before, turn.into())))
    }

    fn turn(&self, ground: Ground<'_>, before: Option<(&[u64], Turn)>) -> Option<Vec<u64>> {
        let mut faces = Vec::with_capacity(self.dials.len());
        for (at, dial) in self.dials.iter().enumerate() {
            // The formula of a clock may compare the clocks before it.
            let holds = |test: &Test| test.holds(ground, &self.values(&faces));
            let face = dial.face(&holds, before.map(|(before, turn)| (before[at], turn)))?;
            faces.push(face);
        }
        Some(faces)
    }

    /// After how long the first comparison changes if the state lasts; `None` is never.
    pub(crate) fn next_change(&self, faces: &[u64]) -> Option<u64> {
        let change = |(dial, &face): (&Dial, &u64)| {
            let value = match &dial.hand {
                _ if dial.counted == Counted::Steps => return None,
                Hand::Now => face,
                _ => face.checked_sub(1)?,
            };
            dial.limits.iter().find(|&&limit| limit > value).map(|limit| limit - value)
        };
        self.dials.iter().zip(faces).filter_map(change).min()
    }
}

impl Dial {
    /// What it shows next; `None` if something it depends on is not known.
    fn face(&self, holds: &dyn Fn(&Test) -> Option<bool>, before: Option<(u64, Turn)>) -> Option<u64> {
        let last = self.limits.last().copied().unwrap_or(0);
        let later = |value: u64, turn: Turn| value.saturating_add(turn.length(self.counted)).min(last);
        let remembered = before.is_some_and(|(face, _)| face != 0);
        Some(match (&self.hand, before) {
            (Hand::Now, None) => 0,
            (Hand::Now, Some((before, turn))) => later(before, turn),
            (Hand::Held(test), before) => match (holds(test)?, before) {
                (false, _) => 0,
                (true, Some((before, turn))) if before > 0 => 1 + later(before - 1, turn),
                (true, _) => 1,
            },
            (Hand::Since(test), before) => match (holds(test)?, before) {
                (true, _) => 0,
                // It never held: as good as longer ago than anything it is compared with.
                (false, None) => 1 + last,
                (false, Some((0, _))) => 1,
                (false, Some((before, turn))) => 1 + later(before - 1, turn),
            },
            (Hand::Once(test), _) => u64::from(holds(test)? || remembered),
            (Hand::Historically(test), before) => u64::from(holds(test)? && (before.is_none() || remembered)),
            (Hand::EverSince(left, right), _) => {
                let (left, right) = (holds(left)?, holds(right)?);
                u64::from(right || left && remembered)
            }
            (Hand::Previously(test), before) => {
                let before = match before {
                    None => 0,
                    Some((face, Turn::Wait(_))) => face & BEFORE,
                    Some((face, Turn::Step(_))) => (face & PRESENT) * BEFORE,
                };
                before | (u64::from(holds(test)?) * PRESENT)
            }
        })
    }
}
