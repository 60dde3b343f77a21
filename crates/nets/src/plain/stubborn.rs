//! Transitions that do not mind each other: stubborn sets (Valmari 1991), found by closure from the structure of the net.
//!
//! A set of transitions is stubborn in a marking if nothing outside of it can disturb it. With an enabled transition it
//! contains every transition that can disable it or that it can disable; with one that is not enabled, every transition that
//! can give what it lacks. Whatever fires outside, the enabled ones of the set stay enabled, and the others disabled.

use motet_model::{AtomId, Independence, State, Steps};

use crate::plain::atoms::Predicate;
use crate::plain::semantics::{Effect, Plan, Semantics};

/// More tokens than this on an arc or at the start could exceed what a place can count on one order of firings and not on
/// another.
const WEIGHT_MAX: u32 = 1 << 16;

/// Who gets in whose way.
#[derive(Debug)]
pub(crate) struct Conflicts {
    /// Per transition: those that can disable it or that it can disable.
    rivals: Vec<Box<[u32]>>,
    /// Per place: those that put tokens there.
    givers: Vec<Box<[u32]>>,
    /// Per place: those that take tokens from there.
    takers: Vec<Box<[u32]>>,
    /// Whether the order of firings matters to nothing else.
    is_plain: bool,
}

impl Conflicts {
    /// Reads them off the plans of all transitions over so many places. `remembers` is whether a state says what fired last.
    pub(crate) fn new(plans: &[Plan], initial: &[u32], remembers: bool) -> Self {
        let mut givers = vec![Vec::new(); initial.len()];
        let mut takers = vec![Vec::new(); initial.len()];
        for (number, plan) in (0_u32..).zip(plans) {
            for effect in &plan.effects {
                match *effect {
                    Effect::Gain(place, _) => givers[place as usize].push(number),
                    Effect::Loss(place, _) => takers[place as usize].push(number),
                }
            }
        }
        let disablers = |plan: &Plan| {
            let mut disablers: Vec<u32> = Vec::new();
            for test in &plan.tests {
                if test.least > 0 {
                    disablers.extend(&takers[test.place as usize]);
                }
                if test.most < u32::MAX {
                    disablers.extend(&givers[test.place as usize]);
                }
            }
            disablers
        };
        let mut rivals: Vec<Vec<u32>> = plans.iter().map(disablers).collect();
        for number in 0..plans.len() {
            let own = u32::try_from(number).expect("transitions are numbered with 32 bits");
            for rival in rivals[number].clone() {
                rivals[rival as usize].push(own);
            }
        }
        for (number, rivals) in (0_u32..).zip(&mut rivals) {
            rivals.sort_unstable();
            rivals.dedup();
            rivals.retain(|&rival| rival != number);
        }
        let light = |effect: &Effect| {
            let (Effect::Gain(_, count) | Effect::Loss(_, count)) = *effect;
            count <= WEIGHT_MAX
        };
        let is_light = plans.iter().all(|plan| plan.effects.iter().all(light))
            && initial.iter().all(|&tokens| tokens <= WEIGHT_MAX);
        let boxed = |lists: Vec<Vec<u32>>| lists.into_iter().map(Vec::into_boxed_slice).collect();
        Self {
            rivals: rivals.into_iter().map(Vec::into_boxed_slice).collect(),
            givers: boxed(givers),
            takers: boxed(takers),
            is_plain: is_light && !remembers,
        }
    }

    /// The least stubborn set with this enabled transition, as a mark per transition, and how many of it are enabled; `None`
    /// if one of these is seen.
    fn closure(
        &self,
        semantics: &Semantics,
        marking: &State,
        seed: u32,
        is_seen: &dyn Fn(u32) -> bool,
    ) -> Option<(Vec<bool>, usize)> {
        let mut within = vec![false; self.rivals.len()];
        let mut open = vec![seed];
        let mut enabled = 0;
        within[seed as usize] = true;
        while let Some(number) = open.pop() {
            let plan = &semantics.plans()[number as usize];
            let lacking = plan.tests.iter().find(|test| !test.allows(marking));
            let needed = match lacking {
                None if is_seen(number) => return None,
                None => {
                    enabled += 1;
                    &self.rivals[number as usize]
                }
                // Nothing ever gives what is impossible.
                Some(test) if test.least > test.most => continue,
                Some(test) if marking[test.place as usize] < test.least => &self.givers[test.place as usize],
                Some(test) => &self.takers[test.place as usize],
            };
            for &other in needed {
                if !std::mem::replace(&mut within[other as usize], true) {
                    open.push(other);
                }
            }
        }
        Some((within, enabled))
    }
}

impl Semantics {
    /// Whether claims see a transition: it changes a place that one of these atoms reads.
    fn seen_places(&self, visible: &[AtomId]) -> Vec<bool> {
        let mut seen = vec![false; self.net.places.len()];
        for atom in visible {
            self.note_places(&self.predicates()[atom.index()], &mut seen);
        }
        seen
    }

    fn note_places(&self, predicate: &Predicate, seen: &mut [bool]) {
        match predicate {
            Predicate::Constant(_) | Predicate::Fired(_) => {}
            Predicate::Compare(sum, _) => {
                sum.parts().0.iter().for_each(|(place, _)| seen[*place as usize] = true);
            }
            Predicate::Enabled(transitions) => {
                for &transition in transitions {
                    let tests = &self.plans()[transition as usize].tests;
                    tests.iter().for_each(|test| seen[test.place as usize] = true);
                }
            }
            Predicate::Not(inner) => self.note_places(inner, seen),
            Predicate::All(parts) | Predicate::Any(parts) => {
                parts.iter().for_each(|part| self.note_places(part, seen));
            }
        }
    }
}

impl Independence for Semantics {
    fn ample(&self, visible: &[AtomId], state: &State, steps: &Steps, out: &mut Vec<u32>) {
        let all = 0..u32::try_from(steps.len()).expect("a state has fewer than 2^32 steps");
        let conflicts = self.conflicts();
        if !conflicts.is_plain {
            return out.extend(all);
        }
        let seen = self.seen_places(visible);
        let is_seen = |number: u32| {
            self.plans()[number as usize].effects.iter().any(|effect| {
                let (Effect::Gain(place, _) | Effect::Loss(place, _)) = *effect;
                seen[place as usize]
            })
        };
        let mut best: Option<(Vec<bool>, usize)> = None;
        for step in steps.iter() {
            let fewest = best.as_ref().map_or(steps.len(), |(_, enabled)| *enabled);
            if fewest == 1 {
                break;
            }
            let closure = conflicts.closure(self, state, step.action.0, &is_seen);
            best = closure.filter(|(_, enabled)| *enabled < fewest).or(best);
        }
        match best {
            None => out.extend(all),
            Some((within, _)) => {
                let chosen = (0..).zip(steps.iter()).filter(|(_, step)| within[step.action.index()]);
                out.extend(chosen.map(|(ordinal, _): (u32, _)| ordinal));
            }
        }
    }
}
