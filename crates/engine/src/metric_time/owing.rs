//! What a run owes after a moment, so that a formula with windows of time holds.
//!
//! This is the unfolding of `automata::translate`, but at a known letter and a known length of the moment: what is left of
//! a window depends on how much time passes. An until with a window that is put off while no time passes is noticed in an
//! acceptance set, because a run may go round for ever in no time; where time passes, windows close by themselves.

use std::rc::Rc;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::linear_time::automata::formula::{Formulas, Ltl, Moments, Node};
use crate::metric_time::window::{Passage, Window};

/// Untils; acceptance is a bit set.
const UNTILS_MAX: usize = 32;
/// Ways to satisfy one formula.
const TERMS_MAX: usize = 2000;
const PAIRS_MAX: usize = 20_000;
/// Formulas with what is left of their windows.
const FORMULAS_MAX: usize = 4_000_000;

/// Why the search gives up: there are too many ways to satisfy the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

/// The number of a set of formulas that the rest of the run owes.
pub(crate) type Debt = u32;
/// Nothing is owed.
pub(crate) const NOTHING: Debt = 0;

/// Which propositions hold, and which do not; some may not be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Letter {
    pub(crate) holds: u64,
    pub(crate) fails: u64,
}

/// One way to go on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Term {
    /// Owed from the next moment on; sorted.
    next: Vec<Node>,
    /// Untils that were put off.
    postponed: u32,
}

impl Term {
    fn and(&self, other: &Self) -> Self {
        let mut next: Vec<Node> = self.next.iter().chain(&other.next).copied().collect();
        next.sort_unstable();
        next.dedup();
        Self { next, postponed: self.postponed | other.postponed }
    }

    /// Whether this term demands nothing that `other` does not demand.
    fn covers(&self, other: &Self) -> bool {
        self.postponed & !other.postponed == 0
            && self.next.iter().all(|owed| other.next.binary_search(owed).is_ok())
    }
}

/// What can be owed after a moment, and which untils were put off for it.
pub(crate) type Outcomes = Rc<[(Debt, u32)]>;

/// Unfolds a formula along runs.
pub(crate) struct Ledger {
    formulas: Formulas,
    /// The propositions of the formula; their positions are the bits of letters.
    propositions: Vec<u32>,
    /// The untils met so far, those with windows apart; their positions are the acceptance sets.
    untils: Vec<(Node, Node, Kind)>,
    debts: Vec<Rc<[Node]>>,
    numbers: HashMap<Rc<[Node]>, Debt, FxBuildHasher>,
    known: HashMap<(Debt, Letter, Passage), Outcomes, FxBuildHasher>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    Windowed,
}

impl Ledger {
    /// A ledger for `root`, and what is owed at the start. The propositions are at most 64.
    pub(crate) fn new(formulas: Formulas, root: Node) -> (Self, Debt) {
        let mut ledger = Self {
            propositions: formulas.used(root),
            formulas,
            untils: Vec::new(),
            debts: Vec::new(),
            numbers: HashMap::default(),
            known: HashMap::default(),
        };
        ledger.number(Vec::new());
        let owed = ledger.conjuncts(root);
        let start = ledger.number(owed);
        (ledger, start)
    }

    pub(crate) fn n_untils(&self) -> u32 {
        u32::try_from(self.untils.len()).expect("at most 32")
    }

    /// The propositions of the formula; their positions are the bits of letters.
    pub(crate) fn propositions(&self) -> &[u32] {
        &self.propositions
    }

    /// How many formulas were met so far.
    pub(crate) fn n_formulas(&self) -> usize {
        self.formulas.len()
    }

    /// How many sets of formulas and ways to go on are remembered.
    pub(crate) fn n_remembered(&self) -> usize {
        self.debts.iter().map(|owed| owed.len()).sum::<usize>() + self.known.len()
    }

    /// Drops debts that demand what another one demands, and perhaps more.
    pub(crate) fn weakest(&self, debts: &mut Vec<Debt>) {
        debts.sort_unstable();
        debts.dedup();
        let owed = |debt: Debt| &self.debts[debt as usize];
        let within = |less: Debt, more: Debt| owed(less).iter().all(|node| owed(more).contains(node));
        let all = debts.clone();
        debts.retain(|&debt| !all.iter().any(|&other| other != debt && within(other, debt)));
    }

    /// Forgets everything but these debts, which are numbered anew.
    pub(crate) fn forget_all_but(&mut self, debts: &mut [Debt]) {
        let kept: Vec<Vec<Node>> = debts.iter().map(|&debt| self.debts[debt as usize].to_vec()).collect();
        self.debts.clear();
        self.numbers.clear();
        self.known.clear();
        self.number(Vec::new());
        for (debt, owed) in debts.iter_mut().zip(kept) {
            *debt = self.number(owed);
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        // A set of two formulas and its table entry; a few outcomes and theirs.
        48 * self.debts.len() as u64 + 80 * self.known.len() as u64 + 100 * self.formulas.len() as u64
    }

    fn number(&mut self, mut owed: Vec<Node>) -> Debt {
        owed.sort_unstable();
        owed.dedup();
        let fresh = u32::try_from(self.debts.len()).expect("formulas are limited long before 2^32");
        let owed: Rc<[Node]> = owed.into();
        *self.numbers.entry(Rc::clone(&owed)).or_insert_with(|| {
            self.debts.push(owed);
            fresh
        })
    }

    fn conjuncts(&self, node: Node) -> Vec<Node> {
        match self.formulas.get(node) {
            Ltl::True => Vec::new(),
            Ltl::And(parts) => parts.clone(),
            _ => vec![node],
        }
    }

    /// Whether everything owed is met at a moment with this letter, however long it lasts and whatever comes after.
    pub(crate) fn is_met(&self, debt: Debt, letter: Letter) -> bool {
        self.debts[debt as usize].iter().all(|&node| self.met(node, letter))
    }

    fn met(&self, node: Node, letter: Letter) -> bool {
        let met = |node: &Node| self.met(*node, letter);
        match self.formulas.get(node) {
            Ltl::True => true,
            Ltl::False | Ltl::Next(_) => false,
            Ltl::Literal(proposition, positive) => self.admits(letter, *proposition, *positive),
            Ltl::And(parts) => parts.iter().all(met),
            Ltl::Or(parts) => parts.iter().any(met),
            Ltl::Until(_, b) => met(b),
            Ltl::Release(a, b) => met(a) && met(b),
            Ltl::UntilIn(window, _, b) | Ltl::UntilSteps(window, _, b) => window.low == 0 && met(b),
            Ltl::ReleaseIn(window, a, b) | Ltl::ReleaseSteps(window, a, b) => {
                met(a) && (window.low > 0 || met(b))
            }
        }
    }

    fn admits(&self, letter: Letter, proposition: u32, positive: bool) -> bool {
        let position = self.propositions.binary_search(&proposition);
        let position = position.expect("all propositions of the formula are listed");
        (if positive { letter.holds } else { letter.fails }) >> position & 1 == 1
    }

    /// The ways to go on from a moment where `debt` is owed.
    pub(crate) fn outcomes(
        &mut self,
        debt: Debt,
        letter: Letter,
        passage: Passage,
    ) -> Result<Outcomes, TooLarge> {
        if let Some(known) = self.known.get(&(debt, letter, passage)) {
            return Ok(Rc::clone(known));
        }
        if self.formulas.len() > FORMULAS_MAX {
            return Err(TooLarge);
        }
        let outcomes: Outcomes = match passage {
            Passage::Step(length) if length > 0 && self.formulas.moments() == Moments::Time => {
                self.leave(debt, letter, length)?
            }
            _ => self.pass(debt, letter, passage)?,
        };
        self.known.insert((debt, letter, passage), Rc::clone(&outcomes));
        Ok(outcomes)
    }

    /// The ways to go on from one moment to the next.
    fn pass(&mut self, debt: Debt, letter: Letter, passage: Passage) -> Result<Outcomes, TooLarge> {
        let owed = Rc::clone(&self.debts[debt as usize]);
        let terms = self.all(&owed, letter, passage)?;
        let mut outcomes = Vec::with_capacity(terms.len());
        for mut term in terms {
            self.drop_implied(&mut term.next);
            outcomes.push((self.number(term.next), term.postponed));
        }
        outcomes.sort_unstable();
        outcomes.dedup();
        Ok(outcomes.into())
    }

    /// The ways to go on from a state that lasts for some time, over the moment at which it is left. Both moments have the
    /// same letter. What one of the two does not put off is not put off.
    fn leave(&mut self, debt: Debt, letter: Letter, length: u64) -> Result<Outcomes, TooLarge> {
        let mut outcomes = Vec::new();
        for &(last, postponed) in self.outcomes(debt, letter, Passage::Wait(length))?.iter() {
            let left = self.outcomes(last, letter, Passage::Step(0))?;
            outcomes.extend(left.iter().map(|&(debt, again)| (debt, postponed & again)));
            if outcomes.len() > PAIRS_MAX {
                return Err(TooLarge);
            }
        }
        outcomes.sort_unstable();
        outcomes.dedup();
        Ok(outcomes.into())
    }

    /// `G a` owes `a` at every moment. Of two windows of the same until the narrower demands more, of two windows of the
    /// same release the wider.
    fn drop_implied(&self, owed: &mut Vec<Node>) {
        let always = owed.iter().filter_map(|&node| match self.formulas.get(node) {
            Ltl::Release(Formulas::FALSE, a) => Some(*a),
            _ => None,
        });
        let always: Vec<Node> = always.flat_map(|a| self.conjuncts(a)).collect();
        let windows: Vec<(Node, Shape)> =
            owed.iter().filter_map(|&node| Some((node, self.shape(node)?))).collect();
        let is_implied = |node: Node| {
            let Some(own) = self.shape(node) else { return false };
            windows.iter().any(|(other, shape)| *other != node && shape.implies(&own))
        };
        owed.retain(|&node| !always.contains(&node) && !is_implied(node));
    }

    fn shape(&self, node: Node) -> Option<Shape> {
        let all = Window::ALWAYS;
        Some(match *self.formulas.get(node) {
            Ltl::Until(a, b) => Shape::Until(Span::Time, all, a, b),
            Ltl::UntilIn(window, a, b) => Shape::Until(Span::Time, window, a, b),
            Ltl::Release(a, b) => Shape::Release(Span::Time, all, a, b),
            Ltl::ReleaseIn(window, a, b) => Shape::Release(Span::Time, window, a, b),
            Ltl::UntilSteps(steps, a, b) => Shape::Until(Span::Steps, steps, a, b),
            Ltl::ReleaseSteps(steps, a, b) => Shape::Release(Span::Steps, steps, a, b),
            Ltl::Next(inner) => match *self.formulas.get(inner) {
                Ltl::UntilSteps(steps, a, b) => Shape::Until(Span::Later, steps, a, b),
                Ltl::ReleaseSteps(steps, a, b) => Shape::Release(Span::Later, steps, a, b),
                _ => return None,
            },
            _ => return None,
        })
    }

    fn all(&mut self, nodes: &[Node], letter: Letter, passage: Passage) -> Result<Vec<Term>, TooLarge> {
        let mut terms = vec![Term::default()];
        for &node in nodes {
            let cover = self.cover(node, letter, passage)?;
            terms = conjunction(&terms, &cover)?;
        }
        Ok(terms)
    }

    fn cover(&mut self, node: Node, letter: Letter, passage: Passage) -> Result<Vec<Term>, TooLarge> {
        let truth = |value: bool| if value { vec![Term::default()] } else { Vec::new() };
        Ok(match self.formulas.get(node).clone() {
            Ltl::True => truth(true),
            Ltl::False => truth(false),
            Ltl::Literal(proposition, positive) => truth(self.admits(letter, proposition, positive)),
            Ltl::And(parts) => self.all(&parts, letter, passage)?,
            Ltl::Or(parts) => {
                let mut terms = Vec::new();
                for part in parts {
                    terms.extend(self.cover(part, letter, passage)?);
                }
                absorb(terms)?
            }
            Ltl::Next(a) => match passage {
                Passage::Wait(_) => self.owe(node, 0),
                Passage::Step(_) | Passage::Forever => self.owe(a, 0),
            },
            Ltl::Until(a, b) => {
                let set = self.set(a, b, Kind::Plain)?;
                let put_off = self.owe(node, set);
                let mut terms = conjunction(&put_off, &self.cover(a, letter, passage)?)?;
                terms.extend(self.cover(b, letter, passage)?);
                absorb(terms)?
            }
            Ltl::Release(a, b) => {
                let mut terms = self.owe(node, 0);
                terms.extend(self.cover(a, letter, passage)?);
                conjunction(&terms, &self.cover(b, letter, passage)?)?
            }
            Ltl::UntilIn(window, a, b) => self.until_in(window, a, b, letter, passage)?,
            Ltl::ReleaseIn(window, a, b) => self.release_in(window, a, b, letter, passage)?,
            Ltl::UntilSteps(steps, a, b) => self.until_steps(steps, a, b, letter, passage)?,
            Ltl::ReleaseSteps(steps, a, b) => self.release_steps(steps, a, b, letter, passage)?,
        })
    }

    fn until_in(
        &mut self,
        window: Window,
        a: Node,
        b: Node,
        letter: Letter,
        passage: Passage,
    ) -> Result<Vec<Term>, TooLarge> {
        let length = passage.length();
        let mut terms = Vec::new();
        if window.is_met(length) {
            terms = self.cover(b, letter, passage)?;
            if window.low > 0 {
                terms = conjunction(&terms, &self.cover(a, letter, passage)?)?;
            }
        }
        if let Some(rest) = window.after(length) {
            let later = self.formulas.until_in(rest, a, b);
            let set = if length == Some(0) { self.set(a, b, Kind::Windowed)? } else { 0 };
            let put_off = self.owe(later, set);
            terms.extend(conjunction(&put_off, &self.cover(a, letter, passage)?)?);
        }
        absorb(terms)
    }

    fn release_in(
        &mut self,
        window: Window,
        a: Node,
        b: Node,
        letter: Letter,
        passage: Passage,
    ) -> Result<Vec<Term>, TooLarge> {
        let length = passage.length();
        let mut terms = vec![Term::default()];
        if window.is_met(length) {
            terms = self.cover(b, letter, passage)?;
            if window.low > 0 {
                terms.extend(self.cover(a, letter, passage)?);
            }
        }
        if let Some(rest) = window.after(length) {
            let later = self.formulas.release_in(rest, a, b);
            let mut on = self.owe(later, 0);
            on.extend(self.cover(a, letter, passage)?);
            terms = conjunction(&terms, &on)?;
        }
        absorb(terms)
    }

    /// `b` now, or `a` now and the rest with one step less from the next state on.
    fn until_steps(
        &mut self,
        steps: Window,
        a: Node,
        b: Node,
        letter: Letter,
        passage: Passage,
    ) -> Result<Vec<Term>, TooLarge> {
        let mut terms = if steps.low == 0 { self.cover(b, letter, passage)? } else { Vec::new() };
        if let Some(rest) = steps.after(Some(1)) {
            let later = self.formulas.until_steps(rest, a, b);
            let later = self.formulas.next(later);
            let on = self.cover(later, letter, passage)?;
            terms.extend(conjunction(&on, &self.cover(a, letter, passage)?)?);
        }
        absorb(terms)
    }

    fn release_steps(
        &mut self,
        steps: Window,
        a: Node,
        b: Node,
        letter: Letter,
        passage: Passage,
    ) -> Result<Vec<Term>, TooLarge> {
        let mut terms = if steps.low == 0 { self.cover(b, letter, passage)? } else { vec![Term::default()] };
        if let Some(rest) = steps.after(Some(1)) {
            let later = self.formulas.release_steps(rest, a, b);
            let later = self.formulas.next(later);
            let mut on = self.cover(later, letter, passage)?;
            on.extend(self.cover(a, letter, passage)?);
            terms = conjunction(&terms, &on)?;
        }
        absorb(terms)
    }

    /// The term that owes this formula at the next moment.
    fn owe(&self, node: Node, postponed: u32) -> Vec<Term> {
        if node == Formulas::FALSE {
            return Vec::new();
        }
        vec![Term { next: self.conjuncts(node), postponed }]
    }

    /// The acceptance set of an until.
    fn set(&mut self, a: Node, b: Node, kind: Kind) -> Result<u32, TooLarge> {
        let known = self.untils.iter().position(|&known| known == (a, b, kind));
        let position = known.unwrap_or_else(|| {
            self.untils.push((a, b, kind));
            self.untils.len() - 1
        });
        if position < UNTILS_MAX { Ok(1 << position) } else { Err(TooLarge) }
    }
}

/// What a window is counted in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Span {
    Time,
    Steps,
    /// Steps from the next state on.
    Later,
}

/// An until or a release with its window.
enum Shape {
    Until(Span, Window, Node, Node),
    Release(Span, Window, Node, Node),
}

impl Shape {
    /// Whether it implies another of the same kind and sides.
    fn implies(&self, other: &Self) -> bool {
        match (self, other) {
            // Only a window that closes: else a new until would stand in for the old one again and again, and nobody
            // would notice that it never comes.
            (Self::Until(span, own, a, b), Self::Until(spans, other, c, d)) => {
                (span, a, b) == (spans, c, d) && own.high.is_some() && other.contains(*own)
            }
            (Self::Release(span, own, a, b), Self::Release(spans, other, c, d)) => {
                (span, a, b) == (spans, c, d) && own.contains(*other)
            }
            _ => false,
        }
    }
}

fn conjunction(left: &[Term], right: &[Term]) -> Result<Vec<Term>, TooLarge> {
    if left.len() * right.len() > PAIRS_MAX {
        return Err(TooLarge);
    }
    absorb(left.iter().flat_map(|a| right.iter().map(|b| a.and(b))).collect())
}

/// Drops terms that another term makes superfluous.
fn absorb(terms: Vec<Term>) -> Result<Vec<Term>, TooLarge> {
    if terms.len() < 2 {
        return Ok(terms);
    }
    let mut kept: Vec<Term> = Vec::new();
    for term in terms {
        if kept.iter().any(|known| known.covers(&term)) {
            continue;
        }
        kept.retain(|known| !term.covers(known));
        kept.push(term);
        if kept.len() > TERMS_MAX {
            return Err(TooLarge);
        }
    }
    Ok(kept)
}
