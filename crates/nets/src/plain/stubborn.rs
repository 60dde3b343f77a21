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

    /// Whom a transition needs beside it in a stubborn set of a marking.
    fn needed(&self, semantics: &Semantics, marking: &State, number: u32) -> (Readiness, &[u32]) {
        let plan = &semantics.plans()[number as usize];
        let needed: &[u32] = match plan.tests.iter().find(|test| !test.allows(marking)) {
            None => return (Readiness::Enabled, &self.rivals[number as usize]),
            // Nothing ever gives what is impossible.
            Some(test) if test.least > test.most => &[],
            Some(test) if marking[test.place as usize] < test.least => &self.givers[test.place as usize],
            Some(test) => &self.takers[test.place as usize],
        };
        (Readiness::Disabled, needed)
    }
}

/// The enabled transitions of a stubborn set that has fewest of them, if it has fewer than there are and claims see none.
///
/// A set is closed under *needs*, so it is made of strongly connected components of that relation. The smallest sets are
/// components with enabled transitions from which no other such component is reached, with all that is reached from them; one
/// search finds them all (Valmari 1988).
fn fewest<'a>(
    transitions: usize,
    enabled: &[u32],
    needed: impl Fn(u32) -> (Readiness, &'a [u32]),
    is_seen: impl Fn(u32) -> bool,
) -> Option<Vec<u32>> {
    let mut search = Closures::new(transitions);
    let mut best: Option<Vec<u32>> = None;
    for &seed in enabled {
        search.visit(seed, &needed, &mut |component| {
            let few = component.len() < best.as_ref().map_or(enabled.len(), Vec::len);
            if few && !component.iter().any(|&number| is_seen(number)) {
                best = Some(component.to_vec());
            }
        });
        if best.as_ref().is_some_and(|best| best.len() == 1) {
            break;
        }
    }
    best
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Readiness {
    Enabled,
    Disabled,
}

/// A search for strongly connected components (Tarjan 1972) that tells those with enabled transitions from which no other such
/// component is reached.
struct Closures {
    /// Per transition: 0, or when it was found, or [`Closures::BARREN`] or [`Closures::ENABLING`] once its component is known.
    found: Vec<u32>,
    counter: u32,
    stack: Vec<u32>,
    frames: Vec<Visit>,
}

/// A transition on the way from a seed.
struct Visit {
    number: u32,
    low: u32,
    next: usize,
    /// Whether something enabled is reached beyond its own component.
    beyond: bool,
}

impl Closures {
    /// Of a component that reaches nothing that is enabled.
    const BARREN: u32 = u32::MAX;
    /// Of a component that does.
    const ENABLING: u32 = u32::MAX - 1;

    fn new(transitions: usize) -> Self {
        Self { found: vec![0; transitions], counter: 0, stack: Vec::new(), frames: Vec::new() }
    }

    fn enter(&mut self, number: u32) {
        self.counter += 1;
        self.found[number as usize] = self.counter;
        self.stack.push(number);
        self.frames.push(Visit { number, low: self.counter, next: 0, beyond: false });
    }

    /// Follows what a transition needs; `tell` gets the enabled transitions of each component that is told.
    fn visit<'a>(
        &mut self,
        seed: u32,
        needed: &impl Fn(u32) -> (Readiness, &'a [u32]),
        tell: &mut impl FnMut(&[u32]),
    ) {
        if self.found[seed as usize] == 0 {
            self.enter(seed);
        }
        while let Some(visit) = self.frames.last_mut() {
            let Some(&other) = needed(visit.number).1.get(visit.next) else {
                self.leave(needed, tell);
                continue;
            };
            visit.next += 1;
            match self.found[other as usize] {
                0 => self.enter(other),
                Self::BARREN => {}
                Self::ENABLING => visit.beyond = true,
                found => visit.low = visit.low.min(found),
            }
        }
    }

    /// Takes leave of the transition that was entered last, and of its component if it was found first of that.
    fn leave<'a>(&mut self, needed: &impl Fn(u32) -> (Readiness, &'a [u32]), tell: &mut impl FnMut(&[u32])) {
        let visit = self.frames.pop().expect("the one that is left was entered");
        let mut beyond = visit.beyond;
        if visit.low == self.found[visit.number as usize] {
            let first = self.stack.iter().rposition(|&number| number == visit.number);
            let mut component =
                self.stack.split_off(first.expect("a component is on the stack until it is known"));
            let members = component.clone();
            component.retain(|&number| needed(number).0 == Readiness::Enabled);
            if !beyond && !component.is_empty() {
                tell(&component);
            }
            beyond |= !component.is_empty();
            let mark = if beyond { Self::ENABLING } else { Self::BARREN };
            members.iter().for_each(|&number| self.found[number as usize] = mark);
        }
        if let Some(parent) = self.frames.last_mut() {
            parent.low = parent.low.min(visit.low);
            parent.beyond |= beyond;
        }
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
        let enabled: Vec<u32> = steps.iter().map(|step| step.action.0).collect();
        let needed = |number| conflicts.needed(self, state, number);
        match fewest(self.plans().len(), &enabled, needed, is_seen) {
            None => out.extend(all),
            Some(few) => out.extend(all.filter(|&ordinal| few.contains(&enabled[ordinal as usize]))),
        }
    }
}

#[cfg(test)]
mod tests {
    use motet_source::fuzz::Random;

    use super::*;

    struct Relation {
        ready: Vec<Readiness>,
        needs: Vec<Vec<u32>>,
        seen: Vec<bool>,
    }

    impl Relation {
        fn random(random: &mut Random) -> Self {
            let n = 1 + random.below(9);
            let node = |random: &mut Random| u32::try_from(random.below(n)).unwrap();
            let ready = |random: &mut Random| {
                if random.once_in(2) { Readiness::Enabled } else { Readiness::Disabled }
            };
            let mut needs = |_| (0..random.below(3)).map(|_| node(random)).collect();
            let needs = (0..n).map(&mut needs).collect();
            let ready = (0..n).map(|_| ready(random)).collect();
            Self { ready, needs, seen: (0..n).map(|_| random.once_in(5)).collect() }
        }

        fn enabled(&self) -> Vec<u32> {
            (0..)
                .zip(&self.ready)
                .filter(|(_, ready)| **ready == Readiness::Enabled)
                .map(|(at, _)| at)
                .collect()
        }

        /// The enabled ones of the least closed set with this one; `None` if one of them is seen.
        fn closure(&self, seed: u32) -> Option<Vec<u32>> {
            let mut within = vec![seed];
            while let Some(&more) =
                within.iter().flat_map(|&at| &self.needs[at as usize]).find(|other| !within.contains(other))
            {
                within.push(more);
            }
            within.retain(|&at| self.ready[at as usize] == Readiness::Enabled);
            within.iter().all(|&at| !self.seen[at as usize]).then_some(within)
        }
    }

    #[test]
    fn no_closure_of_a_single_transition_has_fewer_enabled_ones() {
        let mut smaller = 0;
        for seed in 0..20_000 {
            let relation = Relation::random(&mut Random::new(seed));
            let enabled = relation.enabled();
            let closures: Vec<Vec<u32>> = enabled.iter().filter_map(|&at| relation.closure(at)).collect();
            let least = closures.iter().map(Vec::len).min().filter(|&least| least < enabled.len());
            let needed = |at: u32| (relation.ready[at as usize], relation.needs[at as usize].as_slice());
            let found = fewest(relation.needs.len(), &enabled, needed, |at| relation.seen[at as usize]);
            assert_eq!(found.as_ref().map(Vec::len), least, "seed {seed}");
            if let Some(mut found) = found {
                smaller += 1;
                found.sort_unstable();
                let same = |closure: &Vec<u32>| {
                    let mut closure = closure.clone();
                    closure.sort_unstable();
                    closure == found
                };
                assert!(closures.iter().any(same), "seed {seed}: {found:?} is no closure");
            }
        }
        assert!(smaller > 2_000, "{smaller} of the relations have a smaller part");
    }
}
