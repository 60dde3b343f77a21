//! A claim watched along a single run: after each state it is violated, satisfied, or still open. The formula is
//! rewritten into what the rest of the run has to satisfy (Bacchus, Kabanza: Using temporal logics to express search
//! control knowledge for planning, 2000). Time is counted as `window` defines it.

use motet_model::{AtomId, TimeUnit};
use motet_property::{Formula, Path};

use crate::automata::formula::{Formulas, Ltl, Node};
use crate::clocks::{Dials, Test, Turn, clocks_of, moments_of};
use crate::linear::{Linear, has_quantifier};
use crate::valuation::mentions_deadlock;
use crate::window::{HALVES, Passage, Window};

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
    watch: Option<Watch>,
}

#[derive(Clone, Debug)]
struct Watch {
    formulas: Formulas,
    /// What has to hold from the last state on.
    left: Node,
    dials: Dials,
    /// Formulas without clocks.
    leaves: Vec<Formula<AtomId>>,
    /// Per proposition.
    tests: Vec<Test>,
    last: Option<Seen>,
}

/// The last state that was read.
#[derive(Clone, Debug)]
struct Seen {
    /// Per leaf.
    truths: Vec<bool>,
    faces: Vec<u64>,
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
        Self { watch: Watch::new(formula, unit) }
    }

    /// Reads the next state, which is reached in no time.
    pub fn read(&mut self, holds: &dyn Fn(AtomId) -> bool) -> Known {
        self.read_after(0, holds)
    }

    /// Reads the next state, which is reached after `delay`; the delay before the first state does not count.
    pub fn read_after(&mut self, delay: u32, holds: &dyn Fn(AtomId) -> bool) -> Known {
        let Some(watch) = &mut self.watch else { return Known::Open };
        watch.pass(delay, holds);
        let size = watch.size(watch.left);
        if size > LIMIT_SIZE || watch.formulas.len() > LIMIT_FORMULAS {
            self.watch = None;
            return Known::Open;
        }
        match watch.decide(watch.left) {
            Some(true) => Known::Satisfied,
            Some(false) => Known::Violated,
            None => Known::Open,
        }
    }

    /// The verdict when the run stays in its last state for ever.
    #[must_use]
    pub fn end(&self, holds: &dyn Fn(AtomId) -> bool) -> Known {
        let Some(watch) = &self.watch else { return Known::Open };
        let mut watch = watch.clone();
        if watch.last.is_none() {
            watch.pass(0, holds);
        }
        if watch.for_ever() { Known::Satisfied } else { Known::Violated }
    }
}

impl Watch {
    fn new(formula: &Path<AtomId>, unit: TimeUnit) -> Option<Self> {
        if has_quantifier(formula) {
            return None;
        }
        let clocks = clocks_of([formula], unit);
        let mut formulas = Formulas::new(moments_of([formula], unit));
        let left = Linear { formulas: &mut formulas, unit }.pure(formula).ok()?;
        let mut leaves = Vec::new();
        let dials = Dials::new(&mut leaves, &clocks);
        let tests = (0..formulas.n_propositions())
            .map(|number| Test::new(&mut leaves, &clocks, formulas.proposition(number)))
            .collect();
        // A single state does not tell whether something follows it.
        let known = !leaves.iter().any(mentions_deadlock);
        known.then_some(Self { formulas, left, dials, leaves, tests, last: None })
    }

    /// Lets the last state last this long, and comes to the next one.
    fn pass(&mut self, delay: u32, holds: &dyn Fn(AtomId) -> bool) {
        let mut rest = HALVES * u64::from(delay);
        while let Some(change) = self.change().filter(|&change| change <= rest) {
            self.wait(change);
            rest -= change;
        }
        if rest > 0 {
            self.wait(rest);
        }
        let truths: Vec<bool> = self.leaves.iter().map(|leaf| state(leaf, holds)).collect();
        let ground = |leaf: usize| truths.get(leaf).copied();
        let faces = match &self.last {
            None => self.dials.start(&ground),
            Some(seen) => {
                let faces = self.dials.advance(&ground, &seen.faces, Turn::Step(0));
                self.left = self.progress(self.left, Passage::Step(0));
                faces
            }
        };
        self.last = Some(Seen { faces: faces.expect("every leaf has a truth"), truths });
    }

    /// After how long the first comparison of a clock changes.
    fn change(&self) -> Option<u64> {
        self.dials.next_change(&self.last.as_ref()?.faces)
    }

    /// Lets the state go on for this long, until a comparison changes.
    fn wait(&mut self, length: u64) {
        let Some(seen) = &self.last else { return };
        let faces =
            self.dials.advance(&|leaf| seen.truths.get(leaf).copied(), &seen.faces, Turn::Wait(length));
        let left = self.progress(self.left, Passage::Wait(length));
        self.left = left;
        if let (Some(seen), Some(faces)) = (&mut self.last, faces) {
            seen.faces = faces;
        }
    }

    fn holds(&self, proposition: u32) -> bool {
        let Some(seen) = &self.last else { return false };
        let ground = |leaf: usize| seen.truths.get(leaf).copied();
        self.tests[proposition as usize].holds(&ground, &self.dials.values(&seen.faces)) == Some(true)
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
        while let Some(change) = self.change() {
            self.wait(change);
        }
        while self.enter_again() {}
        self.repeated(self.left)
    }

    /// Enters the last state once more; `false` if that changes nothing that is remembered.
    fn enter_again(&mut self) -> bool {
        let Some(seen) = &self.last else { return false };
        let ground = |leaf: usize| seen.truths.get(leaf).copied();
        let Some(faces) = self.dials.advance(&ground, &seen.faces, Passage::Forever) else { return false };
        if faces == seen.faces || self.formulas.len() > LIMIT_FORMULAS {
            return false;
        }
        self.left = self.progress(self.left, Passage::Forever);
        if let Some(seen) = &mut self.last {
            seen.faces = faces;
        }
        true
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

fn state(formula: &Formula<AtomId>, holds: &dyn Fn(AtomId) -> bool) -> bool {
    match formula {
        Formula::True => true,
        Formula::Atom(atom) => holds(*atom),
        Formula::Not(a) => !state(a, holds),
        Formula::And(a, b) => state(a, holds) && state(b, holds),
        Formula::Or(a, b) => state(a, holds) || state(b, holds),
        Formula::Implies(a, b) => !state(a, holds) || state(b, holds),
        Formula::Iff(a, b) => state(a, holds) == state(b, holds),
        // Other operators were refused.
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
        let watch = monitor.watch.expect("a linear formula");
        assert!(watch.size(watch.left) < 20, "{}", watch.size(watch.left));
    }
}
