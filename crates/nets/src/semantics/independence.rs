//! Steps that do not mind each other (`motet_model::Independence`): parts of a net that have no place in common.
//!
//! The steps of a transition of the system net, and those inside and between the agents of places, depend on certain places and
//! change no others. Sources of steps that share no place, directly or through others, never mind each other.

use motet_model::{AtomId, Independence, State, Steps};

use crate::atoms::Predicate;
use crate::semantics::Semantics;

/// Which part of the net each slot belongs to, by the number of one of its slots.
#[derive(Debug)]
pub(crate) struct Regions {
    of: Vec<usize>,
}

impl Regions {
    /// The regions of so many slots, of which those of each group belong together.
    pub(crate) fn of<'a>(slots: usize, groups: impl Iterator<Item = &'a [usize]>) -> Self {
        let mut of: Vec<usize> = (0..slots).collect();
        for group in groups {
            let Some(&first) = group.first() else { continue };
            for &slot in group {
                let (from, to) = (of[slot], of[first]);
                of.iter_mut().filter(|region| **region == from).for_each(|region| *region = to);
            }
        }
        Self { of }
    }
}

impl Semantics {
    /// The region whose steps are ample in a state, and the region of each step.
    fn ample_region(&self, visible: &[AtomId], state: &State, steps: &Steps) -> Option<(usize, Vec<usize>)> {
        let width = self.layout.width();
        let groups = self.sources.iter().map(|source| source.slots.as_slice());
        let regions = self.regions.get_or_init(|| Regions::of(width, groups));
        let mut seen = Vec::new();
        for atom in visible {
            let test = &self.tests[atom.index()];
            // A claim that may have no truth in a state decides there whether the model goes on.
            if test.risky || matches!(test.predicate, Predicate::Fires(_)) {
                return None;
            }
            seen.extend(test.slots.iter().map(|slot| regions.of[*slot]));
        }
        let region = |target: &State| {
            (0..width).find(|&slot| target[slot] != state[slot]).map(|slot| regions.of[slot])
        };
        let of_step =
            |step: motet_model::Step<'_>| step.branches().next().and_then(|branch| region(branch.target));
        let all: Vec<usize> = steps.iter().map(of_step).collect::<Option<_>>()?;
        let size = |region: usize| all.iter().filter(|other| **other == region).count();
        let best =
            all.iter().copied().filter(|region| !seen.contains(region)).min_by_key(|region| size(*region))?;
        Some((best, all))
    }
}

impl Independence for Semantics {
    fn ample(&self, visible: &[AtomId], state: &State, steps: &Steps, out: &mut Vec<u32>) {
        let ordinals = 0..u32::try_from(steps.len()).expect("a state has fewer than 2^32 steps");
        match self.ample_region(visible, state, steps) {
            None => out.extend(ordinals),
            Some((best, all)) => {
                out.extend(
                    ordinals.zip(all).filter(|(_, region)| *region == best).map(|(ordinal, _)| ordinal),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_that_a_chain_of_transitions_joins_are_one_region() {
        let groups: [&[usize]; 4] = [&[0, 1], &[3, 4], &[1, 2], &[]];
        let regions = Regions::of(6, groups.into_iter()).of;
        assert!(regions[0] == regions[1] && regions[1] == regions[2] && regions[3] == regions[4]);
        assert!(regions[0] != regions[3] && regions[3] != regions[5] && regions[0] != regions[5]);
    }
}
