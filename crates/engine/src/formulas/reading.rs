//! A run read state by state: what a formula sees at each moment of it. Time is counted as `window` defines it.

use motet_model::AtomId;
use motet_property::Formula;

use crate::formulas::valuation::mentions_deadlock;
use crate::linear_time::automata::formula::{Formulas, Moments};
use crate::metric_time::clocks::{Clock, Dials, Test, Turn};
use crate::metric_time::owing::Letter;
use crate::metric_time::window::{HALVES, Passage};

/// Reads states.
#[derive(Clone, Debug)]
pub(crate) struct Reader {
    dials: Dials,
    /// Formulas without clocks.
    leaves: Vec<Formula<AtomId>>,
    /// Per proposition.
    tests: Vec<Test>,
    moments: Moments,
}

/// The last moment of a state: what the clocks show then, and how long it lasts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Last {
    pub(crate) faces: Vec<u64>,
    pub(crate) length: u64,
}

/// A moment of a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Seen {
    /// Per leaf.
    pub(crate) truths: Vec<bool>,
    pub(crate) faces: Vec<u64>,
}

impl Reader {
    pub(crate) fn new(formulas: &Formulas, clocks: &[Clock]) -> Self {
        let mut leaves = Vec::new();
        let dials = Dials::new(&mut leaves, clocks);
        let test = |number| Test::new(&mut leaves, clocks, formulas.proposition(number));
        let tests = (0..formulas.n_propositions()).map(test).collect();
        Self { dials, leaves, tests, moments: formulas.moments() }
    }

    /// Whether a state alone does not tell all that is asked: whether something follows it.
    pub(crate) fn is_blind(&self) -> bool {
        self.leaves.iter().any(mentions_deadlock)
    }

    pub(crate) fn leaves(&self) -> &[Formula<AtomId>] {
        &self.leaves
    }

    /// The truth of every leaf.
    pub(crate) fn truths(&self, holds: &mut dyn FnMut(AtomId) -> bool) -> Vec<bool> {
        self.leaves.iter().map(|leaf| state(leaf, holds)).collect()
    }

    /// Enters a state: the first one, or the one after the last moment of another.
    pub(crate) fn enter(&self, before: Option<&Last>, truths: Vec<bool>) -> Seen {
        let ground = |leaf: usize| truths.get(leaf).copied();
        let faces = match before {
            None => self.dials.start(&ground),
            Some(last) => self.dials.advance(&ground, &last.faces, Turn::Step(last.length)),
        };
        Seen { faces: faces.expect("every leaf has a truth"), truths }
    }

    /// The same state after this long, in which at most the last instant changes a comparison.
    pub(crate) fn wait(&self, seen: &Seen, length: u64) -> Seen {
        self.turn(seen, Turn::Wait(length))
    }

    /// The last state of a finite run entered again.
    pub(crate) fn again(&self, seen: &Seen) -> Seen {
        self.turn(seen, Turn::from(Passage::Forever))
    }

    fn turn(&self, seen: &Seen, turn: Turn) -> Seen {
        let faces = self.dials.advance(&|leaf| seen.truths.get(leaf).copied(), &seen.faces, turn);
        Seen { faces: faces.expect("every leaf has a truth"), truths: seen.truths.clone() }
    }

    /// After how long the first comparison of a clock changes.
    pub(crate) fn change(&self, seen: &Seen) -> Option<u64> {
        self.dials.next_change(&seen.faces)
    }

    /// The moments of a state that lasts for `delay` units, with how each of them passes. The last one is left by a step: on
    /// a clock it is the instant at which time has come to the next event.
    pub(crate) fn lasting(&self, seen: Seen, delay: u32) -> Vec<(Seen, Passage)> {
        let (mut moments, mut seen) = (Vec::new(), seen);
        let mut rest = HALVES * u64::from(delay);
        while rest > 0 {
            let length = match (self.change(&seen), self.moments) {
                (Some(change), _) if change < rest => change,
                (_, Moments::Time) => rest,
                _ => break,
            };
            let next = self.wait(&seen, length);
            moments.push((std::mem::replace(&mut seen, next), Passage::Wait(length)));
            rest -= length;
        }
        moments.push((seen, Passage::Step(rest)));
        moments
    }

    pub(crate) fn holds(&self, seen: &Seen, proposition: u32) -> bool {
        let ground = |leaf: usize| seen.truths.get(leaf).copied();
        self.tests[proposition as usize].holds(&ground, &self.dials.values(&seen.faces)) == Some(true)
    }

    /// The truth of these propositions, in their order.
    pub(crate) fn letter(&self, seen: &Seen, propositions: &[u32]) -> Letter {
        let mut letter = Letter { holds: 0, fails: 0 };
        for (bit, &proposition) in propositions.iter().enumerate() {
            if self.holds(seen, proposition) {
                letter.holds |= 1 << bit;
            } else {
                letter.fails |= 1 << bit;
            }
        }
        letter
    }
}

fn state(formula: &Formula<AtomId>, holds: &mut dyn FnMut(AtomId) -> bool) -> bool {
    formula.truth(&mut |leaf| match leaf {
        Formula::Atom(atom) => holds(*atom),
        // Other operators were refused.
        _ => false,
    })
}
