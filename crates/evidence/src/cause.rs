//! The facts of a run that decide a claim on it: pairs of a moment and an atom.
//!
//! The recursion over the formula is that of Beer, Ben-David, Chockler, Orni and Trefler, *Explaining counterexamples using
//! causality* (2009): where a conjunction fails, the conjuncts that fail; where a disjunction fails, all of it; where
//! something always holds but once does not, the first time; where something never comes, every time. The facts found are
//! enough: any other run on which they are the same decides the claim in the same way. And none is missing that would
//! decide it in the other way by changing alone.
//!
//! Two choices make the facts few. A truth that one moment of many can show is shown by a moment that was needed anyway,
//! if there is one; and moments are looked at from the last to the first, because what happens for ever is needed most.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use motet_model::{AtomId, Model};
use motet_property::{Basic, Claim, Connective, Formula, Interval, Past, Path, Timer};

use crate::follow::follow;
use crate::kleene::{Truth, join};
use crate::moments::Length;
use crate::replay::{wanted, word};
use crate::word::{Rounds, Stance, Values, Word};
use crate::{Evidence, Objection};

/// A fact of a run that matters for a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// In which state of the run.
    pub at: usize,
    /// What: an atom, or whatever has to be taken as one, such as `deadlock` or knowledge.
    pub fact: Formula<AtomId>,
    /// Whether it holds there.
    pub value: bool,
}

/// How many moments are looked at, over all parts of a claim, before the search for causes ends with what it has.
const VISITS_MAX: usize = 2_000_000;

/// The facts that decide the claim on the run of the evidence, by state and then in the order of the claim.
///
/// # Errors
/// When the run cannot be followed, or the claim not be judged on it.
pub fn causes(
    model: &dyn Model,
    claim: &Claim<AtomId>,
    evidence: &Evidence,
) -> Result<Vec<Cause>, Objection> {
    let followed = follow(model, &evidence.run)?;
    let (path, stance) = wanted(claim)?;
    let word = word(model, evidence, &followed, &[&path])?;
    let mut search = Search {
        word: &word,
        known: RefCell::default(),
        seen: BTreeSet::new(),
        leaves: Vec::new(),
        found: BTreeSet::new(),
        left: VISITS_MAX,
    };
    search.explain(Node::Path(&path), Some(stance), 0, stance == Stance::Prove);
    Ok(search.causes())
}

/// Which part of a formula.
type Address = (usize, bool);

/// The truths of a part at all moments; `None` where one run does not decide it.
type Known = Option<Rc<Values>>;

/// A part of a formula.
#[derive(Clone, Copy)]
enum Node<'p> {
    Path(&'p Path<AtomId>),
    State(&'p Formula<AtomId>),
}

/// What a part is made of.
enum Shape<'p> {
    Leaf(&'p Formula<AtomId>),
    Constant,
    Not(Node<'p>),
    And(Node<'p>, Node<'p>),
    Or(Node<'p>, Node<'p>),
    Implies(Node<'p>, Node<'p>),
    Iff(Node<'p>, Node<'p>),
    /// The same of another formula at the same moment.
    Same(Node<'p>),
    Next(Node<'p>),
    Until(&'p Interval, Side<'p>, Side<'p>),
    Release(&'p Interval, Side<'p>, Side<'p>),
    Past(&'p Past<AtomId>),
}

/// An operand of `U` or `R`.
#[derive(Clone, Copy)]
enum Side<'p> {
    Constant(bool),
    One(Node<'p>),
    Joined(Connective, Node<'p>, Node<'p>),
}

impl<'p> Node<'p> {
    /// Parts of one formula have different addresses while the formula is borrowed; only a formula about a state and the
    /// same as a formula about runs may share one.
    fn address(self) -> Address {
        match self {
            Self::Path(path) => (std::ptr::from_ref(path).addr(), true),
            Self::State(formula) => (std::ptr::from_ref(formula).addr(), false),
        }
    }

    fn shape(self) -> Shape<'p> {
        match self {
            Self::Path(path) => of_path(path),
            Self::State(formula) => of_state(formula),
        }
    }
}

fn of_path(path: &Path<AtomId>) -> Shape<'_> {
    let (one, side) = (Node::Path, |path| Side::One(Node::Path(path)));
    match path {
        Path::Now(formula) => Shape::Same(Node::State(formula)),
        // All of the run may matter to an automaton.
        Path::Accepted(_) => Shape::Constant,
        Path::Not(a) => Shape::Not(one(a)),
        Path::And(a, b) => Shape::And(one(a), one(b)),
        Path::Or(a, b) => Shape::Or(one(a), one(b)),
        Path::Implies(a, b) => Shape::Implies(one(a), one(b)),
        Path::Iff(a, b) => Shape::Iff(one(a), one(b)),
        Path::Next(a) => Shape::Next(one(a)),
        Path::Eventually(when, a) => Shape::Until(when, Side::Constant(true), side(a)),
        Path::Always(when, a) => Shape::Release(when, Side::Constant(false), side(a)),
        Path::Until(until, when, a, b) => {
            let join = |connective, _, _| Side::Joined(connective, one(a), one(b));
            match until.define(side(a), side(b), join) {
                Basic::Until(a, b) => Shape::Until(when, a, b),
                Basic::Release(a, b) => Shape::Release(when, a, b),
            }
        }
    }
}

fn of_state(formula: &Formula<AtomId>) -> Shape<'_> {
    let one = Node::State;
    match formula {
        Formula::True | Formula::False => Shape::Constant,
        Formula::Not(a) => Shape::Not(one(a)),
        Formula::And(a, b) => Shape::And(one(a), one(b)),
        Formula::Or(a, b) => Shape::Or(one(a), one(b)),
        Formula::Implies(a, b) => Shape::Implies(one(a), one(b)),
        Formula::Iff(a, b) => Shape::Iff(one(a), one(b)),
        Formula::Past(past) => Shape::Past(past),
        other => Shape::Leaf(other),
    }
}

/// A moment on the way of `U`: whether the right side counts there, and whether the left side is needed there as well
/// because the window has not opened yet.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Visit {
    at: usize,
    meets: bool,
    early: bool,
}

struct Search<'w, 'p> {
    word: &'w Word<'p>,
    known: RefCell<BTreeMap<Address, Known>>,
    /// What was explained already: part, moment and truth.
    seen: BTreeSet<(Address, usize, bool)>,
    leaves: Vec<Formula<AtomId>>,
    /// State, number of the leaf, truth.
    found: BTreeSet<(usize, usize, bool)>,
    left: usize,
}

impl<'f> Search<'_, '_> {
    fn causes(self) -> Vec<Cause> {
        let Self { leaves, found, .. } = self;
        found.into_iter().map(|(at, leaf, value)| Cause { at, fact: leaves[leaf].clone(), value }).collect()
    }

    /// The truth of a part at a moment; unknown where one run does not decide it.
    fn value(&self, node: Node<'_>, stance: Option<Stance>, at: usize) -> Truth {
        let known = self.known.borrow().get(&node.address()).cloned();
        let values = known.unwrap_or_else(|| {
            let values = match node {
                Node::Path(path) => self.word.path(path, stance),
                Node::State(formula) => self.word.formula(formula, stance),
            };
            let values = values.ok().map(Rc::new);
            self.known.borrow_mut().insert(node.address(), values.clone());
            values
        });
        values.and_then(|values| values.get(at).copied().flatten())
    }

    /// Collects why a part has this truth at a moment.
    fn explain(&mut self, node: Node<'f>, stance: Option<Stance>, at: usize, truth: bool) {
        if at >= self.word.moments.moments.len() || !self.seen.insert((node.address(), at, truth)) {
            return;
        }
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        let other = stance.map(Stance::flip);
        match node.shape() {
            Shape::Constant => {}
            Shape::Leaf(formula) => self.leaf(formula, stance, at, truth),
            Shape::Same(a) => self.explain(a, stance, at, truth),
            Shape::Not(a) => self.explain(a, other, at, !truth),
            Shape::And(a, b) => self.both((a, stance, truth), (b, stance, truth), at, truth),
            Shape::Or(a, b) => self.both((a, stance, truth), (b, stance, truth), at, !truth),
            Shape::Implies(a, b) => self.both((a, other, !truth), (b, stance, truth), at, !truth),
            Shape::Iff(a, b) => {
                for side in [a, b] {
                    if let Some(value) = self.value(side, None, at) {
                        self.explain(side, None, at, value);
                    }
                }
            }
            Shape::Next(a) => {
                if let Some(&next) = self.word.moments.next_entry.get(at) {
                    self.explain(a, stance, next, truth);
                }
            }
            Shape::Until(when, a, b) => self.until(when, (a, b), stance, at, truth, truth),
            Shape::Release(when, a, b) => self.until(when, (a, b), stance, at, truth, !truth),
            Shape::Past(past) => self.past(past, stance, at, truth),
        }
    }

    /// Two sides of which each is needed, or of which each that has its truth is enough.
    fn both(
        &mut self,
        a: (Node<'f>, Option<Stance>, bool),
        b: (Node<'f>, Option<Stance>, bool),
        at: usize,
        needed: bool,
    ) {
        for (node, stance, truth) in [a, b] {
            if needed || self.value(node, stance, at) == Some(truth) {
                self.explain(node, stance, at, truth);
            }
        }
    }

    fn leaf(&mut self, formula: &'f Formula<AtomId>, stance: Option<Stance>, at: usize, truth: bool) {
        let state = self.word.moments.moments[at].state;
        match formula {
            // One run that refutes "on all runs", or proves "on some run", is this one.
            Formula::Runs(_, path) if self.value(Node::Path(path), stance, at) == Some(truth) => {
                self.explain(Node::Path(path), stance, at, truth);
            }
            // What a clock shows is told by since when its formula has been as it is.
            Formula::Timer(Timer::Held(inner) | Timer::Since(inner), ..) => {
                if let Some(value) = self.value(Node::State(inner), None, at) {
                    self.explain(Node::State(inner), None, at, value);
                }
            }
            _ => {
                let number = self.leaves.iter().position(|leaf| leaf == formula).unwrap_or_else(|| {
                    self.leaves.push(formula.clone());
                    self.leaves.len() - 1
                });
                self.found.insert((state, number, truth));
            }
        }
    }

    /// The truth of an operand, negated for `R`, which is `U` of negations, negated.
    fn side(&self, side: Side<'f>, stance: Option<Stance>, at: usize, plain: bool) -> Truth {
        let value = match side {
            Side::Constant(value) => Some(value),
            Side::One(node) => self.value(node, stance, at),
            Side::Joined(connective, a, b) => {
                join(connective, self.value(a, stance, at), self.value(b, stance, at))
            }
        };
        value.map(|value| value == plain)
    }

    fn explain_side(&mut self, side: Side<'f>, stance: Option<Stance>, at: usize, truth: bool) {
        match side {
            Side::Constant(_) => {}
            Side::One(node) => self.explain(node, stance, at, truth),
            Side::Joined(connective, a, b) => {
                let needed = (connective == Connective::And) == truth;
                self.both((a, stance, truth), (b, stance, truth), at, needed);
            }
        }
    }

    /// Whether it was explained already why an operand has this truth at a moment.
    fn is_explained(&self, side: Side<'f>, at: usize, truth: bool) -> bool {
        match side {
            Side::Constant(_) => true,
            Side::One(node) => self.seen.contains(&(node.address(), at, truth)),
            Side::Joined(_, a, b) => {
                [a, b].iter().any(|node| self.seen.contains(&(node.address(), at, truth)))
            }
        }
    }

    /// `U` that has this truth. With `truth` and `comes` different it is `R`, whose negation is `U` of the negations.
    fn until(
        &mut self,
        when: &Interval,
        sides: (Side<'f>, Side<'f>),
        stance: Option<Stance>,
        at: usize,
        truth: bool,
        comes: bool,
    ) {
        let plain = truth == comes;
        let Some(visits) = self.walk(when, at) else { return };
        self.left = self.left.saturating_sub(visits.len());
        if comes {
            self.comes(&visits, sides, stance, plain);
        } else {
            self.never_comes(&visits, sides, stance, plain);
        }
    }

    /// The right side comes, and the left side lasts until then.
    fn comes(&mut self, visits: &[Visit], (a, b): (Side<'f>, Side<'f>), stance: Option<Stance>, plain: bool) {
        let mut candidates = Vec::new();
        for (number, visit) in visits.iter().enumerate() {
            let lasts = self.side(a, stance, visit.at, plain) == Some(true);
            let right = visit.meets && self.side(b, stance, visit.at, plain) == Some(true);
            if right && (!visit.early || lasts) {
                candidates.push(number);
            }
            if !lasts {
                break;
            }
        }
        let known = |number: &&usize| self.is_explained(b, visits[**number].at, plain);
        let Some(&chosen) = candidates.iter().find(known).or(candidates.first()) else { return };
        self.explain_side(b, stance, visits[chosen].at, plain);
        let lasting = if visits[chosen].early { chosen + 1 } else { chosen };
        visits[..lasting].iter().rev().for_each(|visit| self.explain_side(a, stance, visit.at, plain));
    }

    /// The right side does not come before the left side ends, or not at all.
    fn never_comes(
        &mut self,
        visits: &[Visit],
        (a, b): (Side<'f>, Side<'f>),
        stance: Option<Stance>,
        plain: bool,
    ) {
        let ended = |visit: &Visit| self.side(a, stance, visit.at, plain) == Some(false);
        let end = visits.iter().position(ended);
        let looked = &visits[..end.map_or(visits.len(), |end| end + 1)];
        for visit in looked.iter().rev() {
            if visit.meets && self.side(b, stance, visit.at, plain) == Some(false) {
                self.explain_side(b, stance, visit.at, !plain);
            }
        }
        if let Some(end) = end {
            self.explain_side(a, stance, visits[end].at, !plain);
        }
    }

    /// The moments that `U` looks at from a moment on, each as often as it plays another part.
    fn walk(&self, when: &Interval, start: usize) -> Option<Vec<Visit>> {
        if let Some((low, high)) = self.word.window(when).ok()? {
            return Some(self.through_window(low, high, start));
        }
        let low = self.word.steps(when.low.as_ref(), 1).ok()?.unwrap_or(0);
        let high = self.word.steps(when.high.as_ref(), -1).ok()?;
        let bounded = low > 0 || high.is_some();
        let n = self.word.moments.moments.len();
        let (mut visits, mut known) = (Vec::new(), BTreeSet::new());
        let (mut at, mut distance) = (start, 0);
        while at < n && high.is_none_or(|high| distance <= high) {
            let meets = distance >= low;
            if meets && high.is_none() && !known.insert(at) {
                break;
            }
            visits.push(Visit { at, meets, early: false });
            at = if bounded { self.word.moments.next_entry[at] } else { self.after(at) };
            distance += 1;
        }
        Some(visits)
    }

    /// The same for a window of time; see [`crate::word`].
    fn through_window(&self, low: u64, high: Option<u64>, start: usize) -> Vec<Visit> {
        let moments = &self.word.moments;
        let n = moments.moments.len();
        let mut visits = Vec::new();
        if high.is_some_and(|high| high < low) {
            return visits;
        }
        let (mut at, mut passed, mut idle) = (start, 0_u64, 0);
        let mut rounds = Rounds::default();
        while at < n && idle <= 2 * n && high.is_none_or(|high| passed <= high) {
            let length = moments.moments[at].length;
            let lasts = match length {
                Length::Known(length) => passed + length > low,
                Length::Endless => true,
                Length::Unknown => false,
            };
            visits.push(Visit { at, meets: passed >= low || lasts, early: passed < low });
            let Length::Known(length) = length else { break };
            idle = if length > 0 && passed < low { 0 } else { idle + 1 };
            passed += length;
            let next = self.after(at);
            if Some(next) == moments.back && at + 1 != next {
                passed = rounds.skip(passed, low);
            }
            at = next;
        }
        visits
    }

    /// The moment after this one; as many as there are moments if that is not known.
    fn after(&self, at: usize) -> usize {
        let n = self.word.moments.moments.len();
        if at + 1 < n { at + 1 } else { self.word.moments.back.unwrap_or(n) }
    }

    /// What was, looked for from the present backwards.
    fn past(&mut self, past: &'f Past<AtomId>, stance: Option<Stance>, at: usize, truth: bool) {
        let back = |search: &Self, formula: &'f Formula<AtomId>, truth: bool| {
            (0..=at).rfind(|at| search.value(Node::State(formula), stance, *at) == Some(truth))
        };
        match past {
            Past::Once(a) | Past::Historically(a) => {
                // One moment shows that something was, or was not always; all moments that it never, or always, was.
                if matches!(past, Past::Once(_)) == truth {
                    if let Some(found) = back(self, a, truth) {
                        self.explain(Node::State(a), stance, found, truth);
                    }
                } else {
                    (0..=at).rev().for_each(|at| self.explain(Node::State(a), stance, at, truth));
                }
            }
            Past::Previously(a) => {
                let state = self.word.moments.moments[at].state;
                let before = (0..at).rfind(|at| self.word.moments.moments[*at].state != state);
                if let Some(before) = before {
                    self.explain(Node::State(a), stance, before, truth);
                }
            }
            Past::Since(a, b) => {
                let start = back(self, b, true);
                if truth {
                    let Some(start) = start else { return };
                    self.explain(Node::State(b), stance, start, true);
                    (start + 1..=at).rev().for_each(|at| self.explain(Node::State(a), stance, at, true));
                } else {
                    let broken = back(self, a, false);
                    let from = broken.unwrap_or(0);
                    (from..=at).rev().for_each(|at| self.explain(Node::State(b), stance, at, false));
                    if let Some(broken) = broken {
                        self.explain(Node::State(a), stance, broken, false);
                    }
                }
            }
        }
    }
}
