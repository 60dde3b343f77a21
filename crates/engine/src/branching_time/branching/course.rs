//! What a run rests on: of all derived atoms at all of its states, those whose truth makes it satisfy a formula.

use motet_model::AtomId;
use motet_property::Formula;
use rustc_hash::FxHashSet;

use super::Derived;
use crate::exploration::graph::Graph;
use crate::formulas::valuation::holds_at;
use crate::linear_time::automata::formula::{Formulas, Ltl, Node};

/// A run through the graph.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    /// The numbers of its states; the last is left out if it closes the loop.
    pub(crate) states: Vec<u32>,
    pub(crate) ending: Ending,
}

/// What follows the last state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It goes on as from this state.
    Repeats(usize),
    /// Nobody knows.
    Open,
}

/// A derived atom whose truth at a state of a run matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Need {
    /// Which state of the run.
    pub(crate) at: usize,
    pub(crate) atom: AtomId,
    pub(crate) truth: bool,
}

impl Course {
    fn next(&self, at: usize) -> Option<usize> {
        if at + 1 < self.states.len() {
            return Some(at + 1);
        }
        match self.ending {
            Ending::Repeats(start) => Some(start),
            Ending::Open => None,
        }
    }

    /// The derived atoms that `formula` has this truth by, where it does.
    pub(crate) fn state_needs(
        &self,
        graph: &Graph,
        derived: &Derived,
        formula: &Formula<AtomId>,
        (at, truth): (usize, bool),
        needs: &mut Vec<Need>,
    ) {
        let state = self.states[at];
        let mut inner = |formula: &Formula<AtomId>, truth| {
            self.state_needs(graph, derived, formula, (at, truth), needs);
        };
        let holds = |formula: &Formula<AtomId>| holds_at(graph, formula, state) == Some(true);
        // Of two sides that would do, one that needs nothing.
        let one = |a: &Formula<AtomId>, b: &Formula<AtomId>, does: &dyn Fn(&Formula<AtomId>) -> bool| {
            does(a) && (!does(b) || !is_derived(derived, a) || is_derived(derived, b))
        };
        match formula {
            Formula::Atom(atom) if derived.position(*atom).is_some() => {
                needs.push(Need { at, atom: *atom, truth });
            }
            Formula::Not(a) => inner(a, !truth),
            Formula::And(a, b) | Formula::Or(a, b) if truth == matches!(formula, Formula::And(..)) => {
                inner(a, truth);
                inner(b, truth);
            }
            Formula::And(a, b) | Formula::Or(a, b) => {
                let first = one(a, b, &|side| holds(side) == truth);
                inner(if first { a } else { b }, truth);
            }
            Formula::Implies(a, b) if truth => {
                let breaks = !holds(a) && (!holds(b) || !is_derived(derived, a) || is_derived(derived, b));
                if breaks { inner(a, false) } else { inner(b, true) }
            }
            Formula::Implies(a, b) => {
                inner(a, true);
                inner(b, false);
            }
            Formula::Iff(a, b) => {
                inner(a, holds(a));
                inner(b, holds(b));
            }
            _ => {}
        }
    }
}

/// Whether a state formula mentions derived atoms.
fn is_derived(derived: &Derived, formula: &Formula<AtomId>) -> bool {
    let mut found = false;
    formula.for_each_atom(&mut |atom| found |= derived.position(*atom).is_some());
    found
}

/// A formula evaluated at every state of a run. In negation normal form it is enough to know where it is true.
pub(crate) struct Reading<'a> {
    graph: &'a Graph,
    derived: &'a Derived,
    course: &'a Course,
    formulas: &'a Formulas,
    root: Node,
    /// Per formula, if it was evaluated: the states of the run where it is true, whatever follows.
    truths: Vec<Vec<bool>>,
}

impl<'a> Reading<'a> {
    pub(crate) fn new(
        graph: &'a Graph,
        derived: &'a Derived,
        course: &'a Course,
        (formulas, root): (&'a Formulas, Node),
    ) -> Self {
        let truths = vec![Vec::new(); formulas.len()];
        let mut reading = Self { graph, derived, course, formulas, root, truths };
        for node in formulas.parts_below(root) {
            reading.truths[node.index()] = reading.evaluate(node);
        }
        reading
    }

    fn truth(&self, node: Node, at: usize) -> bool {
        self.truths[node.index()][at]
    }

    /// Whether it is true at a state and behind; behind the known part only what needs no state is.
    fn after(&self, values: &[bool], at: usize) -> bool {
        self.course.next(at).is_some_and(|next| values[next])
    }

    fn evaluate(&self, node: Node) -> Vec<bool> {
        let n = self.course.states.len();
        let every = |does: &dyn Fn(usize) -> bool| (0..n).map(does).collect();
        match self.formulas.get(node) {
            Ltl::True => vec![true; n],
            Ltl::Literal(proposition, positive) => {
                let formula = self.formulas.proposition(*proposition);
                every(&|at| holds_at(self.graph, formula, self.course.states[at]) == Some(*positive))
            }
            Ltl::And(parts) => every(&|at| parts.iter().all(|&part| self.truth(part, at))),
            Ltl::Or(parts) => every(&|at| parts.iter().any(|&part| self.truth(part, at))),
            Ltl::Next(a) => every(&|at| {
                *a == Formulas::TRUE || self.course.next(at).is_some_and(|next| self.truth(*a, next))
            }),
            Ltl::Until(a, b) => self.fixpoint(vec![false; n], &|values, at| {
                self.truth(*b, at) || self.truth(*a, at) && self.after(values, at)
            }),
            Ltl::Release(a, b) => self.fixpoint(vec![true; n], &|values, at| {
                self.truth(*b, at) && (self.truth(*a, at) || self.after(values, at))
            }),
            // Evaluated nowhere: see `needs`.
            Ltl::False
            | Ltl::UntilIn(..)
            | Ltl::ReleaseIn(..)
            | Ltl::UntilSteps(..)
            | Ltl::ReleaseSteps(..) => vec![false; n],
        }
    }

    fn fixpoint(&self, mut values: Vec<bool>, next: &dyn Fn(&[bool], usize) -> bool) -> Vec<bool> {
        loop {
            let before = values.clone();
            for at in (0..values.len()).rev() {
                values[at] = next(&values, at);
            }
            if values == before {
                return values;
            }
        }
    }

    /// What the formula rests on where it is true from state `at` of the run on; `None` if that cannot be seen.
    pub(crate) fn needs(&self, at: usize) -> Option<Vec<Need>> {
        if !self.truth(self.root, at) {
            return None;
        }
        let mut needs = Vec::new();
        let mut seen = FxHashSet::default();
        let mut waiting = vec![(self.root, at)];
        while let Some((node, at)) = waiting.pop() {
            if seen.insert((node, at)) {
                self.rests_on(node, at, &mut waiting, &mut needs);
            }
        }
        Some(needs)
    }

    /// What a formula that is true at a state rests on: other formulas at other states, or derived atoms.
    fn rests_on(&self, node: Node, at: usize, waiting: &mut Vec<(Node, usize)>, needs: &mut Vec<Need>) {
        match self.formulas.get(node) {
            Ltl::Literal(proposition, positive) => {
                let formula = self.formulas.proposition(*proposition);
                self.course.state_needs(self.graph, self.derived, formula, (at, *positive), needs);
            }
            Ltl::And(parts) => waiting.extend(parts.iter().map(|&part| (part, at))),
            Ltl::Or(parts) => {
                let mut true_parts = parts.iter().copied().filter(|&part| self.truth(part, at));
                let plain = true_parts.clone().find(|&part| self.is_plain(part));
                waiting.extend(plain.or_else(|| true_parts.next()).map(|part| (part, at)));
            }
            Ltl::Next(a) => waiting.extend(self.course.next(at).map(|next| (*a, next))),
            Ltl::Until(a, b) => {
                let mut at = at;
                while !self.truth(*b, at) {
                    waiting.push((*a, at));
                    let Some(next) = self.course.next(at) else { return };
                    at = next;
                }
                waiting.push((*b, at));
            }
            Ltl::Release(a, b) => {
                let mut met = vec![false; self.course.states.len()];
                let mut at = Some(at);
                while let Some(now) = at.filter(|&now| !std::mem::replace(&mut met[now], true)) {
                    waiting.push((*b, now));
                    if self.truth(*a, now) {
                        waiting.push((*a, now));
                        return;
                    }
                    at = self.course.next(now);
                }
            }
            _ => {}
        }
    }

    fn is_plain(&self, node: Node) -> bool {
        let used = self.formulas.used(node);
        used.iter().all(|&number| !is_derived(self.derived, self.formulas.proposition(number)))
    }

    /// Every derived atom of the formula at every state of the run: what a formula about time rests on, at most.
    pub(crate) fn all_needs(&self) -> Vec<Need> {
        let mut atoms: Vec<AtomId> = Vec::new();
        for number in self.formulas.used(self.root) {
            let formula = self.formulas.proposition(number);
            formula.for_each_atom(&mut |atom| atoms.extend(self.derived.position(*atom).map(|_| *atom)));
        }
        atoms.sort_unstable();
        atoms.dedup();
        let holds = |atom: AtomId, at: usize| {
            holds_at(self.graph, &Formula::Atom(atom), self.course.states[at]) == Some(true)
        };
        let states = 0..self.course.states.len();
        let need = |at: usize| {
            let holds = &holds;
            atoms.iter().map(move |&atom| Need { at, atom, truth: holds(atom, at) })
        };
        states.flat_map(need).collect()
    }
}
