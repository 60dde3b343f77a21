//! A claim watched along one run that goes on: after each state it is true, false, or undecided. It is false if and only if no
//! continuation satisfies it, and true if and only if all do: the three values of Bauer, Leucker and Schallhart (Runtime
//! verification for LTL and TLTL, 2011).
//!
//! What the rest of the run owes is kept as a set of debts, one set for the claim and one for its negation, with windows
//! counted down and clocks as `owing` and `clocks` have them; these are the states that the automata of both are in.
//! `futures` finds whether a debt can still be paid. When none of the claim's debts can, it is false; when none of its
//! negation's can, it is true. Nothing that is kept grows with the run.

mod futures;
mod letters;

use std::fmt;

use motet_model::{AtomId, TimeUnit};
use motet_property::{Claim, Formula, Interval, Kind, Path, Subformula};

use crate::branching_time::branching::outermost;
use crate::formulas::reading::{Last, Reader, Seen};
use crate::linear_time::automata::formula::{Formulas, Node};
use crate::linear_time::linear::Linear;
use crate::metric_time::clocks::{clocks_of, moments_of};
use crate::metric_time::owing::{Debt, Ledger, TooLarge};
use crate::metric_time::timed::PROPOSITIONS_MAX;

use futures::{Futures, stay, ways};

/// Debts that are kept beside each other.
const DEBTS_MAX: usize = 2_000;
/// Formulas with what is left of their windows.
const FORMULAS_MAX: usize = 500_000;
/// What may be remembered of the past of a run before it is forgotten.
const REMEMBERED_MAX: usize = 200_000;

/// How a claim stands on the part of a run that was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// However the run goes on, it satisfies the claim.
    True,
    /// However the run goes on, it does not satisfy the claim.
    False,
    /// Both can still happen.
    Undecided,
}

/// How a claim stands when the run is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It was satisfied.
    True,
    /// It was violated.
    False,
    /// It was not violated, and might still have been.
    NoViolation,
    /// It was not seen, and might still have been: so with possibilities.
    NotSeen,
}

/// Why a claim cannot be watched, in words that complete "not watched, because ".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwatchable {
    /// The reason.
    pub reason: String,
}

impl Unwatchable {
    fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }

    fn too_large() -> Self {
        Self::new("it has too many parts that can be pending at the same time")
    }
}

impl fmt::Display for Unwatchable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

/// A claim along a run.
pub struct Watch {
    kind: Kind,
    reader: Reader,
    /// The claim, and its negation.
    claim: Side,
    negation: Side,
    /// The state that was read last.
    seen: Option<Seen>,
    standing: Standing,
    lost: Option<Unwatchable>,
}

/// A formula along a run.
struct Side {
    ledger: Ledger,
    /// What may be owed from the last state on.
    debts: Vec<Debt>,
    futures: Futures,
}

impl Watch {
    /// Watches a claim on a run of a model that counts `unit`, each of whose states lasts for one of `delays`. A possibility
    /// is true once it was seen.
    ///
    /// # Errors
    /// Why it cannot be watched.
    pub fn new(claim: &Claim<AtomId>, unit: TimeUnit, delays: &[u32]) -> Result<Self, Unwatchable> {
        let formula = linear(claim, unit)?;
        let clocks = clocks_of([&formula], unit);
        let mut formulas = Formulas::new(moments_of([&formula], unit));
        let root = Linear { formulas: &mut formulas, unit }.pure(&formula);
        let root = root.map_err(|what| Unwatchable::new(format!("it has {what}")))?;
        let negated = formulas.negate(root);
        let reader = Reader::new(&formulas, &clocks);
        if reader.is_blind() {
            return Err(Unwatchable::new(
                "it speaks of deadlock, and a run that goes on does not show where it could not",
            ));
        }
        let mut watch = Self {
            kind: claim.kind,
            claim: Side::new(&formulas, root, &reader, delays)?,
            negation: Side::new(&formulas, negated, &reader, delays)?,
            reader,
            seen: None,
            standing: Standing::Undecided,
            lost: None,
        };
        watch.standing = watch.at_the_start();
        Ok(watch)
    }

    fn at_the_start(&mut self) -> Standing {
        let reader = &self.reader;
        let begin = |side: &mut Side| side.futures.begin(&mut side.ledger, reader, &side.debts);
        standing(begin(&mut self.claim), || begin(&mut self.negation))
    }

    /// Reads the next state, which is reached after `delay`; before the first state it does not count. A standing other than
    /// undecided stays.
    pub fn step(&mut self, holds: &mut dyn FnMut(AtomId) -> bool, delay: u32) -> Standing {
        if self.standing == Standing::Undecided && self.lost.is_none() {
            match self.read(holds, delay) {
                Ok(standing) => self.standing = standing,
                Err(TooLarge) => self.lost = Some(Unwatchable::too_large()),
            }
        }
        self.standing
    }

    fn read(&mut self, holds: &mut dyn FnMut(AtomId) -> bool, delay: u32) -> Result<Standing, TooLarge> {
        let Self { reader, claim, negation, .. } = self;
        let left = match self.seen.take() {
            None => None,
            Some(seen) => {
                claim.leave(reader, &seen, delay)?;
                Some(negation.leave(reader, &seen, delay)?)
            }
        };
        let truths = reader.truths(holds);
        let seen = reader.enter(left.as_ref(), truths);
        let mut failed = false;
        let mut payable = |side: &mut Side| {
            let payable = side.futures.payable(&mut side.ledger, reader, &side.debts, &seen);
            payable.unwrap_or_else(|TooLarge| {
                failed = true;
                true
            })
        };
        let standing = standing(payable(claim), || payable(negation));
        self.seen = Some(seen);
        if failed { Err(TooLarge) } else { Ok(standing) }
    }

    /// How the claim stands now.
    #[must_use]
    pub fn standing(&self) -> Standing {
        self.standing
    }

    /// How the claim stands when the run is over.
    #[must_use]
    pub fn end(&self) -> Ending {
        match (self.standing, self.kind) {
            (Standing::True, _) => Ending::True,
            (Standing::False, _) => Ending::False,
            (Standing::Undecided, Kind::Possible) => Ending::NotSeen,
            (Standing::Undecided, _) => Ending::NoViolation,
        }
    }

    /// Why the claim is not watched any more, if it is not: it stays undecided.
    #[must_use]
    pub fn lost(&self) -> Option<&Unwatchable> {
        self.lost.as_ref()
    }

    /// Whether every standing came as early as it can. Else there were too many continuations to look at, and a standing may
    /// come later than it could; it is right all the same.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        !self.claim.futures.is_exhausted() && !self.negation.futures.is_exhausted()
    }
}

fn standing(claim: bool, negation: impl FnOnce() -> bool) -> Standing {
    match claim {
        false => Standing::False,
        true if negation() => Standing::Undecided,
        true => Standing::True,
    }
}

impl Side {
    fn new(formulas: &Formulas, root: Node, reader: &Reader, delays: &[u32]) -> Result<Self, Unwatchable> {
        let (ledger, debt) = Ledger::new(formulas.clone(), root);
        if ledger.propositions().len() > PROPOSITIONS_MAX {
            return Err(Unwatchable::too_large());
        }
        let debts = if root == Formulas::FALSE { Vec::new() } else { vec![debt] };
        Ok(Self { ledger, debts, futures: Futures::new(reader, delays) })
    }

    /// Lets a state last this long and leaves it: the moment at which it is left.
    fn leave(&mut self, reader: &Reader, seen: &Seen, delay: u32) -> Result<Last, TooLarge> {
        let (stay, last) = stay(reader, self.ledger.propositions(), seen.clone(), delay);
        let mut debts = Vec::new();
        for &debt in &self.debts {
            debts.extend(ways(&mut self.ledger, debt, &stay)?.into_iter().map(|(debt, _)| debt));
        }
        self.ledger.weakest(&mut debts);
        if debts.len() > DEBTS_MAX || self.ledger.n_formulas() > FORMULAS_MAX {
            return Err(TooLarge);
        }
        if self.ledger.n_remembered() + self.futures.n_remembered() > REMEMBERED_MAX {
            self.ledger.forget_all_but(&mut debts);
            self.futures.forget();
        }
        self.debts = debts;
        Ok(last)
    }
}

/// What a single run can say of a claim: a linear-time formula.
fn linear(claim: &Claim<AtomId>, unit: TimeUnit) -> Result<Path<AtomId>, Unwatchable> {
    if claim.kind == Kind::Query {
        return Err(Unwatchable::new("it asks for a number"));
    }
    if let Some(what) = Subformula::Path(&claim.formula).find_map(&mut beyond_runs) {
        return Err(Unwatchable::new(what));
    }
    if claim.kind == Kind::Possible {
        return Ok(Path::Eventually(Interval::default(), Box::new(claim.formula.clone())));
    }
    let other_runs = "it speaks of other runs than the one that is watched (path quantifiers)";
    outermost(&claim.formula, unit).map_err(|_| Unwatchable::new(other_runs))
}

/// What no single run shows.
fn beyond_runs(part: Subformula<'_, AtomId>) -> Option<&'static str> {
    match part {
        Subformula::Path(Path::Accepted(_)) => Some("it is an automaton"),
        Subformula::Path(_) => None,
        Subformula::State(formula) => match formula {
            Formula::Knows(..) => Some("it speaks of what somebody knows, and that depends on other runs"),
            Formula::Chance(..) | Formula::Steady(..) => {
                Some("it speaks of probabilities, and one run has none")
            }
            Formula::Reward(..) => Some("it speaks of an average over runs, and one run has none"),
            Formula::Wait(..) | Formula::Filter(..) => Some("it asks for a number"),
            _ => None,
        },
    }
}
