//! Formulas in negation normal form, each stored once, simplified as they are built.
//!
//! The rules that are used keep what a finite run decides: a rule may turn `F (a U b)` into `F b`, but it never
//! recognises that `a | !a` is true, because behind the end of a finite run neither side is known.

use std::collections::HashMap;

use motet_model::AtomId;
use motet_property::{Connective, Formula};

use crate::metric_time::window::Window;

/// A formula of a [`Formulas`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Node(u32);

impl Node {
    /// For tables of formulas.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A formula in negation normal form. `F a` is `true U a`, `G a` is `false R a`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Ltl {
    True,
    False,
    /// A proposition, negated if the flag is false.
    Literal(u32, bool),
    And(Vec<Node>),
    Or(Vec<Node>),
    Next(Node),
    Until(Node, Node),
    Release(Node, Node),
    /// An until whose right side has to come in a window of time. The window is never empty and never all of time.
    UntilIn(Window, Node, Node),
    /// Its dual.
    ReleaseIn(Window, Node, Node),
    /// An until whose right side has to come after so many steps. What is left is counted as the run goes on.
    UntilSteps(Window, Node, Node),
    /// Its dual.
    ReleaseSteps(Window, Node, Node),
}

/// All formulas of one translation.
#[derive(Clone, Debug)]
pub(crate) struct Formulas {
    nodes: Vec<Ltl>,
    numbers: HashMap<Ltl, Node>,
    propositions: Vec<Formula<AtomId>>,
    negations: HashMap<Node, Node>,
    moments: Moments,
}

/// At which moments of a run a formula is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moments {
    /// Where a state is entered.
    States,
    /// Also where so much was counted in it that a clock changes. `X` leads to the next state all the same, so that it does
    /// not commute with `F` and `G`.
    Counts,
    /// Also where so much time has passed in it, and at the instant at which it is left.
    Time,
}

impl Formulas {
    pub(crate) const TRUE: Node = Node(0);
    pub(crate) const FALSE: Node = Node(1);

    pub(crate) fn new(moments: Moments) -> Self {
        let mut formulas = Self {
            nodes: Vec::new(),
            numbers: HashMap::new(),
            propositions: Vec::new(),
            negations: HashMap::new(),
            moments,
        };
        formulas.intern(Ltl::True);
        formulas.intern(Ltl::False);
        formulas
    }

    pub(crate) fn moments(&self) -> Moments {
        self.moments
    }

    pub(crate) fn get(&self, node: Node) -> &Ltl {
        &self.nodes[node.0 as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How many propositions were met so far.
    pub(crate) fn n_propositions(&self) -> u32 {
        u32::try_from(self.propositions.len()).expect("propositions are limited long before 2^32")
    }

    /// The state formula behind a proposition.
    pub(crate) fn proposition(&self, number: u32) -> &Formula<AtomId> {
        &self.propositions[number as usize]
    }

    /// The propositions of a formula, sorted.
    pub(crate) fn used(&self, root: Node) -> Vec<u32> {
        let mut used = Vec::new();
        self.for_each_part(root, |_, part| {
            if let Ltl::Literal(proposition, _) = part {
                used.push(*proposition);
            }
        });
        used.sort_unstable();
        used.dedup();
        used
    }

    /// The parts of a formula and itself, parts first.
    pub(crate) fn parts_below(&self, root: Node) -> Vec<Node> {
        let mut below = Vec::new();
        self.for_each_part(root, |node, _| below.push(node));
        // A formula is stored after its parts.
        below.sort_unstable();
        below
    }

    /// Whether a formula has a window of time, or counts steps.
    pub(crate) fn has_window(&self, root: Node) -> bool {
        let mut found = false;
        self.for_each_part(root, |_, part| {
            found |= matches!(
                part,
                Ltl::UntilIn(..) | Ltl::ReleaseIn(..) | Ltl::UntilSteps(..) | Ltl::ReleaseSteps(..)
            );
        });
        found
    }

    fn for_each_part(&self, root: Node, mut visit: impl FnMut(Node, &Ltl)) {
        let mut seen = vec![false; self.nodes.len()];
        let mut waiting = vec![root];
        while let Some(node) = waiting.pop() {
            if std::mem::replace(&mut seen[node.0 as usize], true) {
                continue;
            }
            visit(node, self.get(node));
            match self.get(node) {
                Ltl::True | Ltl::False | Ltl::Literal(..) => {}
                Ltl::And(parts) | Ltl::Or(parts) => waiting.extend(parts),
                Ltl::Next(a) => waiting.push(*a),
                Ltl::Until(a, b)
                | Ltl::Release(a, b)
                | Ltl::UntilIn(_, a, b)
                | Ltl::ReleaseIn(_, a, b)
                | Ltl::UntilSteps(_, a, b)
                | Ltl::ReleaseSteps(_, a, b) => waiting.extend([a, b]),
            }
        }
    }

    /// Formulas of which at least one must hold where `root` holds, and each of which implies it: the parts of its
    /// outermost disjunction. `None` if it has none.
    pub(crate) fn alternatives(&mut self, root: Node) -> Option<Vec<Node>> {
        match self.get(root).clone() {
            Ltl::Or(parts) => Some(parts),
            // a U (b | c) = (a U b) | (a U c)
            Ltl::Until(left, right) => {
                let Ltl::Or(parts) = self.get(right).clone() else { return None };
                Some(parts.into_iter().map(|part| self.until(left, part)).collect())
            }
            Ltl::UntilIn(window, left, right) => {
                let Ltl::Or(parts) = self.get(right).clone() else { return None };
                Some(parts.into_iter().map(|part| self.until_in(window, left, part)).collect())
            }
            Ltl::UntilSteps(steps, left, right) => {
                let Ltl::Or(parts) = self.get(right).clone() else { return None };
                Some(parts.into_iter().map(|part| self.until_steps(steps, left, part)).collect())
            }
            Ltl::And(parts) => {
                for at in 0..parts.len() {
                    let Some(inner) = self.alternatives(parts[at]) else { continue };
                    let alternative = |part| {
                        let mut parts = parts.clone();
                        parts[at] = part;
                        self.and(parts)
                    };
                    return Some(inner.into_iter().map(alternative).collect());
                }
                None
            }
            _ => None,
        }
    }

    fn intern(&mut self, formula: Ltl) -> Node {
        if let Some(&node) = self.numbers.get(&formula) {
            return node;
        }
        let node = Node(u32::try_from(self.nodes.len()).expect("formulas are limited long before 2^32"));
        self.nodes.push(formula.clone());
        self.numbers.insert(formula, node);
        node
    }

    /// A state formula, with its constants folded and a leading negation moved into the literal.
    pub(crate) fn state(&mut self, formula: &Formula<AtomId>) -> Node {
        let (formula, positive) = match fold(formula) {
            Formula::True => return Self::TRUE,
            Formula::False => return Self::FALSE,
            Formula::Not(inner) => (*inner, false),
            other => (other, true),
        };
        let known = self.propositions.iter().position(|known| *known == formula);
        let proposition = known.unwrap_or_else(|| {
            self.propositions.push(formula);
            self.propositions.len() - 1
        });
        let proposition = u32::try_from(proposition).expect("propositions are limited long before 2^32");
        self.intern(Ltl::Literal(proposition, positive))
    }

    pub(crate) fn negate(&mut self, node: Node) -> Node {
        if let Some(&negated) = self.negations.get(&node) {
            return negated;
        }
        let negated = match self.get(node).clone() {
            Ltl::True => Self::FALSE,
            Ltl::False => Self::TRUE,
            Ltl::Literal(proposition, positive) => self.intern(Ltl::Literal(proposition, !positive)),
            Ltl::And(parts) => {
                let parts = parts.into_iter().map(|part| self.negate(part)).collect();
                self.or(parts)
            }
            Ltl::Or(parts) => {
                let parts = parts.into_iter().map(|part| self.negate(part)).collect();
                self.and(parts)
            }
            Ltl::Next(a) => {
                let a = self.negate(a);
                self.next(a)
            }
            Ltl::Until(a, b) => {
                let (a, b) = (self.negate(a), self.negate(b));
                self.release(a, b)
            }
            Ltl::Release(a, b) => {
                let (a, b) = (self.negate(a), self.negate(b));
                self.until(a, b)
            }
            Ltl::UntilIn(window, a, b) => {
                let (a, b) = (self.negate(a), self.negate(b));
                self.release_in(window, a, b)
            }
            Ltl::ReleaseIn(window, a, b) => {
                let (a, b) = (self.negate(a), self.negate(b));
                self.until_in(window, a, b)
            }
            Ltl::UntilSteps(steps, a, b) => {
                let (a, b) = (self.negate(a), self.negate(b));
                self.release_steps(steps, a, b)
            }
            Ltl::ReleaseSteps(steps, a, b) => {
                let (a, b) = (self.negate(a), self.negate(b));
                self.until_steps(steps, a, b)
            }
        };
        self.negations.insert(node, negated);
        negated
    }

    pub(crate) fn and(&mut self, parts: Vec<Node>) -> Node {
        let parts = self.gather(parts, Self::TRUE, |formula| match formula {
            Ltl::And(parts) => Some(parts.clone()),
            _ => None,
        });
        if parts.contains(&Self::FALSE) {
            return Self::FALSE;
        }
        // G a & G b = G (a & b)
        let parts = self.merge(
            parts,
            |formula| match formula {
                Ltl::Release(Self::FALSE, a) => Some(*a),
                _ => None,
            },
            |formulas, under| {
                let under = formulas.and(under);
                formulas.always(under)
            },
        );
        // F<=3 a & F<=5 a = F<=3 a, G<=3 a & G<=5 a = G<=5 a
        let parts = self.drop_windows(parts, |window, other| window.contains(other));
        // a & (a | b) = a
        let parts = self.absorb(parts, |formula| match formula {
            Ltl::Or(parts) => Some(parts),
            _ => None,
        });
        match parts[..] {
            [] => Self::TRUE,
            [only] => only,
            _ => self.intern(Ltl::And(parts)),
        }
    }

    /// Both, joined.
    pub(crate) fn join(&mut self, connective: Connective, a: Node, b: Node) -> Node {
        match connective {
            Connective::And => self.and(vec![a, b]),
            Connective::Or => self.or(vec![a, b]),
            Connective::Implies => {
                let a = self.negate(a);
                self.or(vec![a, b])
            }
            Connective::Iff => {
                let (not_a, not_b) = (self.negate(a), self.negate(b));
                let parts = vec![self.and(vec![a, b]), self.and(vec![not_a, not_b])];
                self.or(parts)
            }
        }
    }

    pub(crate) fn or(&mut self, parts: Vec<Node>) -> Node {
        let parts = self.gather(parts, Self::FALSE, |formula| match formula {
            Ltl::Or(parts) => Some(parts.clone()),
            _ => None,
        });
        if parts.contains(&Self::TRUE) {
            return Self::TRUE;
        }
        // F a | F b = F (a | b)
        let parts = self.merge(
            parts,
            |formula| match formula {
                Ltl::Until(Self::TRUE, a) => Some(*a),
                _ => None,
            },
            |formulas, under| {
                let under = formulas.or(under);
                formulas.eventually(under)
            },
        );
        // F<=3 a | F<=5 a = F<=5 a, G<=3 a | G<=5 a = G<=3 a
        let parts = self.drop_windows(parts, |window, other| other.contains(window));
        // a | (a & b) = a
        let parts = self.absorb(parts, |formula| match formula {
            Ltl::And(parts) => Some(parts),
            _ => None,
        });
        match parts[..] {
            [] => Self::FALSE,
            [only] => only,
            _ => self.intern(Ltl::Or(parts)),
        }
    }

    /// Flat, sorted, without repetitions and without the neutral element.
    fn gather(
        &self,
        parts: Vec<Node>,
        neutral: Node,
        inner: impl Fn(&Ltl) -> Option<Vec<Node>>,
    ) -> Vec<Node> {
        let flat = parts.into_iter().flat_map(|part| inner(self.get(part)).unwrap_or_else(|| vec![part]));
        let mut parts: Vec<Node> = flat.filter(|&part| part != neutral).collect();
        parts.sort_unstable();
        parts.dedup();
        parts
    }

    /// Replaces all parts of a kind by one.
    fn merge(
        &mut self,
        parts: Vec<Node>,
        under: impl Fn(&Ltl) -> Option<Node>,
        join: impl Fn(&mut Self, Vec<Node>) -> Node,
    ) -> Vec<Node> {
        let inner: Vec<Node> = parts.iter().filter_map(|&part| under(self.get(part))).collect();
        if inner.len() < 2 {
            return parts;
        }
        let joined = join(self, inner);
        let others = parts.into_iter().filter(|&part| under(self.get(part)).is_none());
        let mut parts: Vec<Node> = others.chain([joined]).collect();
        parts.sort_unstable();
        parts.dedup();
        parts
    }

    /// Drops an until if another one with the same sides has a window that the `wider` one makes superfluous, and a release
    /// the other way round.
    fn drop_windows(&self, parts: Vec<Node>, wider: impl Fn(Window, Window) -> bool) -> Vec<Node> {
        let superfluous = |part: Node, other: Node| match (self.get(part), self.get(other)) {
            (Ltl::UntilIn(window, a, b), Ltl::UntilIn(narrow, c, d))
            | (Ltl::UntilSteps(window, a, b), Ltl::UntilSteps(narrow, c, d)) => {
                (a, b) == (c, d) && wider(*window, *narrow)
            }
            (Ltl::ReleaseIn(window, a, b), Ltl::ReleaseIn(wide, c, d))
            | (Ltl::ReleaseSteps(window, a, b), Ltl::ReleaseSteps(wide, c, d)) => {
                (a, b) == (c, d) && wider(*wide, *window)
            }
            _ => false,
        };
        let kept = |part: Node| !parts.iter().any(|&other| other != part && superfluous(part, other));
        parts.iter().copied().filter(|&part| kept(part)).collect()
    }

    fn absorb(&self, parts: Vec<Node>, inner: impl Fn(&Ltl) -> Option<&Vec<Node>>) -> Vec<Node> {
        let absorbed = |part: Node| {
            inner(self.get(part)).is_some_and(|inside| inside.iter().any(|a| *a != part && parts.contains(a)))
        };
        parts.iter().copied().filter(|&part| !absorbed(part)).collect()
    }

    pub(crate) fn next(&mut self, a: Node) -> Node {
        match a {
            Self::TRUE | Self::FALSE => a,
            _ => self.intern(Ltl::Next(a)),
        }
    }

    pub(crate) fn eventually(&mut self, a: Node) -> Node {
        self.until(Self::TRUE, a)
    }

    pub(crate) fn always(&mut self, a: Node) -> Node {
        self.release(Self::FALSE, a)
    }

    pub(crate) fn until(&mut self, a: Node, b: Node) -> Node {
        if matches!(b, Self::TRUE | Self::FALSE) || a == Self::FALSE || a == b {
            return b;
        }
        match *self.get(b) {
            // a U (a U c) = a U c
            Ltl::Until(left, _) if left == a => return b,
            // F (x U c) = F c
            Ltl::Until(_, right) if a == Self::TRUE => return self.until(a, right),
            // F G F c = G F c
            Ltl::Release(Self::FALSE, inner)
                if a == Self::TRUE && matches!(self.get(inner), Ltl::Until(Self::TRUE, _)) =>
            {
                return b;
            }
            // F X c = X F c
            Ltl::Next(c) if a == Self::TRUE && self.moments == Moments::States => {
                let inner = self.until(a, c);
                return self.next(inner);
            }
            _ => {}
        }
        self.intern(Ltl::Until(a, b))
    }

    pub(crate) fn release(&mut self, a: Node, b: Node) -> Node {
        if matches!(b, Self::TRUE | Self::FALSE) || a == Self::TRUE || a == b {
            return b;
        }
        match *self.get(b) {
            // a R (a R c) = a R c
            Ltl::Release(left, _) if left == a => return b,
            // G (x R c) = G c
            Ltl::Release(_, right) if a == Self::FALSE => return self.release(a, right),
            // G F G c = F G c
            Ltl::Until(Self::TRUE, inner)
                if a == Self::FALSE && matches!(self.get(inner), Ltl::Release(Self::FALSE, _)) =>
            {
                return b;
            }
            // G X c = X G c
            Ltl::Next(c) if a == Self::FALSE && self.moments == Moments::States => {
                let inner = self.release(a, c);
                return self.next(inner);
            }
            _ => {}
        }
        self.intern(Ltl::Release(a, b))
    }

    /// `a U b` where `b` comes in a window of time. On a run without end on which time stands still a window that starts
    /// later is never reached, so `F` of something true need not be true.
    pub(crate) fn until_in(&mut self, window: Window, a: Node, b: Node) -> Node {
        if window.is_empty() || b == Self::FALSE {
            return Self::FALSE;
        }
        match (window.low, window.high, a, b) {
            (0, None, ..) => self.until(a, b),
            (0, _, _, Self::TRUE) | (0, _, Self::FALSE, _) => b,
            (_, _, Self::FALSE, _) => Self::FALSE,
            _ => self.intern(Ltl::UntilIn(window, a, b)),
        }
    }

    /// The dual of [`Self::until_in`].
    pub(crate) fn release_in(&mut self, window: Window, a: Node, b: Node) -> Node {
        if window.is_empty() || b == Self::TRUE {
            return Self::TRUE;
        }
        match (window.low, window.high, a, b) {
            (0, None, ..) => self.release(a, b),
            (0, _, _, Self::FALSE) | (0, _, Self::TRUE, _) => b,
            (_, _, Self::TRUE, _) => Self::TRUE,
            _ => self.intern(Ltl::ReleaseIn(window, a, b)),
        }
    }

    /// `a U b` where `b` comes at a step of this window, the present one being number 0.
    pub(crate) fn until_steps(&mut self, steps: Window, a: Node, b: Node) -> Node {
        if steps.is_empty() || b == Self::FALSE {
            return Self::FALSE;
        }
        match (steps.low, steps.high, a, b) {
            (0, None, ..) => self.until(a, b),
            (0, Some(0), ..) | (0, _, _, Self::TRUE) | (0, _, Self::FALSE, _) => b,
            (_, _, Self::FALSE, _) => Self::FALSE,
            _ => self.intern(Ltl::UntilSteps(steps, a, b)),
        }
    }

    /// The dual of [`Self::until_steps`].
    pub(crate) fn release_steps(&mut self, steps: Window, a: Node, b: Node) -> Node {
        if steps.is_empty() || b == Self::TRUE {
            return Self::TRUE;
        }
        match (steps.low, steps.high, a, b) {
            (0, None, ..) => self.release(a, b),
            (0, Some(0), ..) | (0, _, _, Self::FALSE) | (0, _, Self::TRUE, _) => b,
            (_, _, Self::TRUE, _) => Self::TRUE,
            _ => self.intern(Ltl::ReleaseSteps(steps, a, b)),
        }
    }
}

/// Folds constants and double negations of a state formula.
pub(crate) fn fold(formula: &Formula<AtomId>) -> Formula<AtomId> {
    use Formula::{And, False, Iff, Implies, Not, Or, True};
    match formula {
        Not(a) => match fold(a) {
            True => False,
            False => True,
            Not(inner) => *inner,
            other => Not(Box::new(other)),
        },
        And(a, b) => match (fold(a), fold(b)) {
            (False, _) | (_, False) => False,
            (True, other) | (other, True) => other,
            (a, b) => And(Box::new(a), Box::new(b)),
        },
        Or(a, b) => match (fold(a), fold(b)) {
            (True, _) | (_, True) => True,
            (False, other) | (other, False) => other,
            (a, b) => Or(Box::new(a), Box::new(b)),
        },
        Implies(a, b) => match (fold(a), fold(b)) {
            (False, _) | (_, True) => True,
            (True, other) => other,
            (a, False) => fold(&Not(Box::new(a))),
            (a, b) => Implies(Box::new(a), Box::new(b)),
        },
        Iff(a, b) => match (fold(a), fold(b)) {
            (True, other) | (other, True) => other,
            (False, other) | (other, False) => fold(&Not(Box::new(other))),
            (a, b) => Iff(Box::new(a), Box::new(b)),
        },
        other => other.clone(),
    }
}
