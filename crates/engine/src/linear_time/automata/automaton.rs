//! Generalised Büchi automata with acceptance on transitions.

use motet_model::AtomId;
use motet_property::Formula;

use crate::exploration::tarjan::components;

/// Accepts the infinite words on which some run takes transitions of every acceptance set again and again. It starts in
/// state 0; a run that has no transition for a letter ends there and accepts nothing.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// What labels speak of: state formulas over the model's atoms.
    pub propositions: Vec<Formula<AtomId>>,
    /// Per state: the transitions that leave it.
    pub transitions: Vec<Vec<Transition>>,
    /// How many acceptance sets there are.
    pub n_sets: u32,
    /// The state, if it exists, in which nothing more is demanded: every continuation is accepted.
    pub sink: Option<u32>,
}

/// A transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Transition {
    /// Which letters it reads.
    pub label: Label,
    /// The acceptance sets it is in: bit `i` for set `i`.
    pub sets: u32,
    /// Where it leads.
    pub target: u32,
}

/// A conjunction of literals: bit `i` stands for proposition `i`. No bit at all is `true`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label {
    /// Propositions that must hold.
    pub positive: u64,
    /// Propositions that must not hold.
    pub negative: u64,
}

impl Label {
    /// Whether a letter, given as the set of propositions that hold, satisfies the label.
    #[must_use]
    pub fn admits(self, letter: u64) -> bool {
        self.positive & !letter == 0 && self.negative & letter == 0
    }

    /// Whether every letter that satisfies `other` satisfies this one.
    pub(crate) fn covers(self, other: Self) -> bool {
        self.positive & !other.positive == 0 && self.negative & !other.negative == 0
    }

    /// The conjunction; `None` if it is contradictory.
    pub(crate) fn and(self, other: Self) -> Option<Self> {
        let both =
            Self { positive: self.positive | other.positive, negative: self.negative | other.negative };
        (both.positive & both.negative == 0).then_some(both)
    }
}

impl Automaton {
    /// All acceptance sets.
    #[must_use]
    pub fn all_sets(&self) -> u32 {
        u32::MAX.checked_shr(32 - self.n_sets).unwrap_or(0)
    }

    /// Per state the number of its strongly connected component, and how many there are. A transition never leads to a
    /// component with a higher number.
    pub(crate) fn components(&self) -> (Vec<u32>, u32) {
        components(self.transitions.len(), |state, cursor| {
            self.transitions[state].get(cursor).map(|transition| transition.target as usize)
        })
    }

    /// Per component: the acceptance sets on transitions inside it; `None` if it has no transition inside.
    pub(crate) fn sets_inside(&self, component: &[u32], n_components: u32) -> Vec<Option<u32>> {
        let mut inside = vec![None; n_components as usize];
        for (state, transitions) in self.transitions.iter().enumerate() {
            for transition in transitions {
                if component[state] == component[transition.target as usize] {
                    let slot: &mut Option<u32> = &mut inside[component[state] as usize];
                    *slot = Some(slot.unwrap_or(0) | transition.sets);
                }
            }
        }
        inside
    }
}
