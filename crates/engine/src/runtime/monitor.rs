//! A claim along a sampled run: after each state it is violated, satisfied, or still open. The formula is rewritten into
//! what the rest of the run has to satisfy (Bacchus, Kabanza: Using temporal logics to express search control knowledge for
//! planning, 2000). Time is counted as `window` defines it.
//!
//! What is known is read off the rewritten formula, so that `G F a | F G !a` stays open although it is true. That costs next
//! to nothing to begin with, which is what thousands of short runs need, and it answers for a run that ends in a deadlock. A
//! single run that goes on and on is watched by [`crate::Watch`], which is exact and whose memory does not grow.

use motet_model::{AtomId, TimeUnit};
use motet_property::Path;

use crate::formulas::reading::{Last, Reader, Seen};
use crate::linear_time::automata::formula::{Formulas, Ltl, Node};
use crate::linear_time::linear::{Linear, has_quantifier};
use crate::metric_time::clocks::{clocks_of, moments_of};
use crate::metric_time::window::{Passage, Window};

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
/// Formulas that may turn up along one run.
const LIMIT_FORMULAS: usize = 1_000_000;

/// A claim and what is left of it.
#[derive(Clone, Debug)]
pub struct Monitor {
    /// `None` when the claim uses something that a single run cannot decide.
    rewriting: Option<Rewriting>,
}

#[derive(Clone, Debug)]
struct Rewriting {
    formulas: Formulas,
    /// What has to hold from the last state on.
    left: Node,
    reader: Reader,
    last: Option<Seen>,
}

impl Monitor {
    /// Watches a formula on runs of a model whose delays nobody tells; see [`Monitor::timed`].
    #[must_use]
    pub fn new(formula: &Path<AtomId>) -> Self {
        Self::timed(formula, TimeUnit::Steps)
    }

    /// Watches a formula on runs of a model whose delays count `unit`. One with quantifiers over runs, knowledge or
    /// chance, or with bounds in another unit, stays open.
    #[must_use]
    pub fn timed(formula: &Path<AtomId>, unit: TimeUnit) -> Self {
        Self { rewriting: Rewriting::new(formula, unit) }
    }

    /// Reads the next state, which is reached in no time.
    pub fn read(&mut self, holds: &dyn Fn(AtomId) -> bool) -> Known {
        self.read_after(0, holds)
    }

    /// Reads the next state, which is reached after `delay`; the delay before the first state does not count.
    pub fn read_after(&mut self, delay: u32, holds: &dyn Fn(AtomId) -> bool) -> Known {
        let Some(rewriting) = &mut self.rewriting else { return Known::Open };
        rewriting.pass(delay, holds);
        let size = rewriting.size(rewriting.left);
        if size > LIMIT_SIZE || rewriting.formulas.len() > LIMIT_FORMULAS {
            self.rewriting = None;
            return Known::Open;
        }
        match rewriting.decide(rewriting.left) {
            Some(true) => Known::Satisfied,
            Some(false) => Known::Violated,
            None => Known::Open,
        }
    }

    /// The verdict when the run stays in its last state for ever.
    #[must_use]
    pub fn end(&self, holds: &dyn Fn(AtomId) -> bool) -> Known {
        let Some(rewriting) = &self.rewriting else { return Known::Open };
        let mut rewriting = rewriting.clone();
        if rewriting.last.is_none() {
            rewriting.pass(0, holds);
        }
        if rewriting.for_ever() { Known::Satisfied } else { Known::Violated }
    }
}

impl Rewriting {
    fn new(formula: &Path<AtomId>, unit: TimeUnit) -> Option<Self> {
        if has_quantifier(formula) {
            return None;
        }
        let clocks = clocks_of([formula], unit);
        let mut formulas = Formulas::new(moments_of([formula], unit));
        let left = Linear { formulas: &mut formulas, unit }.pure(formula).ok()?;
        let reader = Reader::new(&formulas, &clocks);
        (!reader.is_blind()).then_some(Self { formulas, left, reader, last: None })
    }

    /// Lets the last state last this long, and comes to the next one.
    fn pass(&mut self, delay: u32, holds: &dyn Fn(AtomId) -> bool) {
        let mut before = None;
        if let Some(seen) = self.last.take() {
            for (seen, passage) in self.reader.lasting(seen, delay) {
                before = Some(Last { faces: seen.faces.clone(), length: passage.length().unwrap_or(0) });
                self.last = Some(seen);
                self.left = self.progress(self.left, passage);
            }
        }
        let truths = self.reader.truths(&mut |atom| holds(atom));
        self.last = Some(self.reader.enter(before.as_ref(), truths));
    }

    fn holds(&self, proposition: u32) -> bool {
        self.last.as_ref().is_some_and(|seen| self.reader.holds(seen, proposition))
    }

    /// What the rest of the run has to satisfy after this moment.
    fn progress(&mut self, node: Node, passage: Passage) -> Node {
        match self.formulas.get(node).clone() {
            Ltl::True | Ltl::False => node,
            Ltl::Literal(proposition, positive) => {
                if self.holds(proposition) == positive {
                    Formulas::TRUE
                } else {
                    Formulas::FALSE
                }
            }
            Ltl::And(parts) => {
                let parts = parts.into_iter().map(|part| self.progress(part, passage)).collect();
                self.formulas.and(parts)
            }
            Ltl::Or(parts) => {
                let parts = parts.into_iter().map(|part| self.progress(part, passage)).collect();
                self.formulas.or(parts)
            }
            Ltl::Next(a) => match passage {
                Passage::Wait(_) => node,
                Passage::Step(_) | Passage::Forever => a,
            },
            Ltl::Until(a, b) => self.progress_until(Window::ALWAYS, a, b, passage),
            Ltl::UntilIn(window, a, b) => self.progress_until(window, a, b, passage),
            Ltl::UntilSteps(steps, a, b) => self.progress_steps(steps, a, b, passage),
            // The dual of an until.
            Ltl::Release(..) | Ltl::ReleaseIn(..) | Ltl::ReleaseSteps(..) => {
                let dual = self.formulas.negate(node);
                let dual = self.progress(dual, passage);
                self.formulas.negate(dual)
            }
        }
    }

    fn progress_until(&mut self, window: Window, a: Node, b: Node, passage: Passage) -> Node {
        let length = passage.length();
        let before = self.progress(a, passage);
        let mut ways = Vec::new();
        if window.is_met(length) {
            let now = self.progress(b, passage);
            ways.push(if window.low > 0 { self.formulas.and(vec![before, now]) } else { now });
        }
        if let Some(rest) = window.after(length) {
            let later = self.formulas.until_in(rest, a, b);
            ways.push(self.formulas.and(vec![before, later]));
        }
        self.formulas.or(ways)
    }

    fn progress_steps(&mut self, steps: Window, a: Node, b: Node, passage: Passage) -> Node {
        let mut ways = Vec::new();
        if steps.low == 0 {
            ways.push(self.progress(b, passage));
        }
        if let Some(rest) = steps.after(Some(1)) {
            let later = self.formulas.until_steps(rest, a, b);
            let later = self.formulas.next(later);
            let on = vec![self.progress(a, passage), self.progress(later, passage)];
            ways.push(self.formulas.and(on));
        }
        self.formulas.or(ways)
    }

    /// What is known already, however long the state lasts and whatever comes after.
    fn decide(&self, node: Node) -> Option<bool> {
        let decide = |node: &Node| self.decide(*node);
        let all = |mut parts: Box<dyn Iterator<Item = Option<bool>> + '_>| {
            parts.try_fold(Some(true), |known, part| match part {
                Some(false) => Err(()),
                part => Ok(known.and(part)),
            })
        };
        let both =
            |a: Option<bool>, b: Option<bool>| all(Box::new([a, b].into_iter())).unwrap_or(Some(false));
        let not = |a: Option<bool>| a.map(|a| !a);
        let either = |a, b| not(both(not(a), not(b)));
        match self.formulas.get(node) {
            Ltl::True => Some(true),
            Ltl::False => Some(false),
            Ltl::Next(_) => None,
            Ltl::Literal(proposition, positive) => Some(self.holds(*proposition) == *positive),
            Ltl::And(parts) => all(Box::new(parts.iter().map(decide))).unwrap_or(Some(false)),
            Ltl::Or(parts) => not(all(Box::new(parts.iter().map(decide).map(not))).unwrap_or(Some(false))),
            Ltl::Until(a, b) => either(decide(b), both(decide(a), None)),
            Ltl::Release(a, b) => both(decide(b), either(decide(a), None)),
            Ltl::UntilIn(window, a, b) | Ltl::UntilSteps(window, a, b) if window.low == 0 => {
                either(decide(b), both(decide(a), None))
            }
            Ltl::ReleaseIn(window, a, b) | Ltl::ReleaseSteps(window, a, b) if window.low == 0 => {
                both(decide(b), either(decide(a), None))
            }
            Ltl::UntilIn(_, a, _) | Ltl::UntilSteps(_, a, _) => both(decide(a), None),
            Ltl::ReleaseIn(_, a, _) | Ltl::ReleaseSteps(_, a, _) => either(decide(a), None),
        }
    }

    /// The truth on the run that stays in this state for ever.
    fn for_ever(&mut self) -> bool {
        while let Some(seen) = self.last.take() {
            let (passage, next) = match self.reader.change(&seen) {
                Some(change) => (Passage::Wait(change), self.reader.wait(&seen, change)),
                None => (Passage::Forever, self.reader.again(&seen)),
            };
            // Where entering it again changes nothing that is remembered, nothing ever will.
            let settled = passage == Passage::Forever && next == seen;
            self.last = Some(seen);
            if settled || self.formulas.len() > LIMIT_FORMULAS {
                break;
            }
            self.left = self.progress(self.left, passage);
            self.last = Some(next);
        }
        self.repeated(self.left)
    }

    /// The truth on the run that repeats one state and on which no clock changes anything any more.
    fn repeated(&self, node: Node) -> bool {
        let repeated = |node: &Node| self.repeated(*node);
        match self.formulas.get(node) {
            Ltl::True => true,
            Ltl::False => false,
            Ltl::Literal(proposition, positive) => self.holds(*proposition) == *positive,
            Ltl::And(parts) => parts.iter().all(repeated),
            Ltl::Or(parts) => parts.iter().any(repeated),
            Ltl::Next(a) => repeated(a),
            Ltl::Until(_, b) | Ltl::Release(_, b) => repeated(b),
            Ltl::UntilIn(window, a, b) | Ltl::UntilSteps(window, a, b) => {
                repeated(b) && (window.low == 0 || repeated(a))
            }
            Ltl::ReleaseIn(window, a, b) | Ltl::ReleaseSteps(window, a, b) => {
                repeated(b) || (window.low > 0 && repeated(a))
            }
        }
    }

    fn size(&self, node: Node) -> usize {
        match self.formulas.get(node) {
            Ltl::True | Ltl::False | Ltl::Literal(..) => 1,
            Ltl::And(parts) | Ltl::Or(parts) => 1 + parts.iter().map(|&part| self.size(part)).sum::<usize>(),
            Ltl::Next(a) => 1 + self.size(*a),
            Ltl::Until(a, b)
            | Ltl::Release(a, b)
            | Ltl::UntilIn(_, a, b)
            | Ltl::ReleaseIn(_, a, b)
            | Ltl::UntilSteps(_, a, b)
            | Ltl::ReleaseSteps(_, a, b) => 1 + self.size(*a) + self.size(*b),
        }
    }
}

#[cfg(test)]
mod tests {
    use motet_property::{Formula, Interval};

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
        let rewriting = monitor.rewriting.expect("a linear formula");
        assert!(rewriting.size(rewriting.left) < 20, "{}", rewriting.size(rewriting.left));
    }
}
