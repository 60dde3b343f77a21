//! Fair strategies by the definitions.
//!
//! What a run takes again and again is an end component, and the run is fair if that component is. So all sets of choices are
//! tried: which of them are end components, and which of these are fair. A strategy is then a policy that may, besides going
//! on, settle in one of them for ever. Policies that neither settle nor come to an end are none.

use std::collections::BTreeSet;

use dashu::rational::RBig;
use motet_property::Extremum;

use super::Extended;
use super::chain::{Chain, eliminate};
use super::policies;
use super::process::{Choice, Process};

/// More choices than this have too many sets.
const CHOICES_MAX: usize = 13;
/// More policies than this are not tried.
const POLICIES_MAX: usize = 3000;

/// Which strategies count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fair {
    /// Who can always move from some time on moves again and again.
    Weakly,
    /// Who can move again and again moves again and again.
    Strongly,
    /// Each choice of a state that is met again and again is taken again and again.
    ToChoices,
}

impl Fair {
    /// Whether a run is fair that meets exactly these places again and again. Of each is told whose choices it has, and
    /// whose are taken again and again; choices that wait for themselves have numbers of their own.
    pub(super) fn is_met(self, places: &[(BTreeSet<u32>, BTreeSet<u32>)]) -> bool {
        let taken: BTreeSet<u32> = places.iter().flat_map(|(_, taken)| taken).copied().collect();
        let able: BTreeSet<u32> = places.iter().flat_map(|(able, _)| able).copied().collect();
        let owed = |who: &&u32| match self {
            Self::Weakly => places.iter().all(|(able, _)| able.contains(who)),
            Self::Strongly | Self::ToChoices => true,
        };
        able.iter().filter(owed).all(|who| taken.contains(who))
    }

    /// Whether almost all runs of a course are fair: those that stay for ever in a part that cannot be left and meet all of it
    /// again and again.
    #[must_use]
    pub fn is_followed(self, course: &[Visit]) -> bool {
        let after = |from: usize| {
            let mut seen = BTreeSet::from([from]);
            let mut waiting = vec![from];
            while let Some(at) = waiting.pop() {
                waiting.extend(course[at].next.iter().copied().filter(|&next| seen.insert(next)));
            }
            seen
        };
        let reached: Vec<BTreeSet<usize>> = (0..course.len()).map(after).collect();
        let stays = |at: &usize| reached[*at].iter().all(|&other| reached[other].contains(at));
        (0..course.len()).filter(stays).all(|at| {
            let met =
                reached[at].iter().map(|&place| (course[place].able.clone(), course[place].taken.clone()));
            self.is_met(&met.collect::<Vec<_>>())
        })
    }

    /// Whose a choice is; nobody's if it stands for having none.
    pub(super) fn taker(self, choice: &Choice) -> Option<u32> {
        match self {
            Self::Weakly | Self::Strongly => choice.taker,
            Self::ToChoices => Some(choice.number),
        }
    }
}

/// A place that runs of a strategy come to: a state and what is remembered there.
#[derive(Clone, Debug)]
pub struct Visit {
    /// Who can move there; choices that wait for themselves have numbers of their own.
    pub able: BTreeSet<u32>,
    /// Who does.
    pub taken: BTreeSet<u32>,
    /// Where that may lead.
    pub next: Vec<usize>,
}

/// An end component: per state the choices that are taken again and again; none outside.
pub(super) struct Settlement {
    pub(super) choices: Vec<Vec<usize>>,
}

impl Settlement {
    pub(super) fn has(&self, state: usize) -> bool {
        !self.choices[state].is_empty()
    }
}

/// All fair end components.
pub(super) fn settlements(process: &Process, fair: Fair) -> Result<Vec<Settlement>, String> {
    let pairs: Vec<(usize, usize)> = (0..process.states.len())
        .flat_map(|state| (0..process.choices[state].len()).map(move |choice| (state, choice)))
        .collect();
    if pairs.len() > CHOICES_MAX {
        return Err("too many choices".to_owned());
    }
    let mut found = Vec::new();
    for set in 1_u32..1 << pairs.len() {
        let mut choices = vec![Vec::new(); process.states.len()];
        for (_, &(state, choice)) in pairs.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1) {
            choices[state].push(choice);
        }
        let settlement = Settlement { choices };
        if is_end_component(process, &settlement) && is_fair(process, &settlement, fair) {
            found.push(settlement);
        }
    }
    Ok(found)
}

fn is_end_component(process: &Process, settlement: &Settlement) -> bool {
    let targets = |state: usize| {
        let taken = settlement.choices[state].iter();
        taken.flat_map(move |&choice| {
            process.choices[state][choice].outcomes.iter().map(|(target, _)| *target)
        })
    };
    let n = process.states.len();
    let inside: Vec<usize> = (0..n).filter(|&state| settlement.has(state)).collect();
    if !inside.iter().all(|&state| targets(state).all(|target| settlement.has(target))) {
        return false;
    }
    inside.iter().all(|&from| {
        let mut seen = BTreeSet::from([from]);
        let mut waiting = vec![from];
        while let Some(state) = waiting.pop() {
            waiting.extend(targets(state).filter(|&target| seen.insert(target)));
        }
        seen.len() == inside.len()
    })
}

fn is_fair(process: &Process, settlement: &Settlement, fair: Fair) -> bool {
    let inside = (0..process.states.len()).filter(|&state| settlement.has(state));
    let place = |state: usize| {
        let taker = |choice: &usize| fair.taker(&process.choices[state][*choice]);
        let all: Vec<usize> = (0..process.choices[state].len()).collect();
        (all.iter().filter_map(taker).collect(), settlement.choices[state].iter().filter_map(taker).collect())
    };
    fair.is_met(&inside.map(place).collect::<Vec<_>>())
}

/// What is worth what.
pub(super) struct Task<'a> {
    pub(super) process: &'a Process,
    pub(super) extremum: Extremum,
    /// What each choice earns.
    pub(super) earned: &'a [Vec<RBig>],
    /// What it is worth to get to a state where everything is over.
    pub(super) over: Vec<Option<Extended>>,
}

impl Task<'_> {
    /// The best value per state; `worth` says what it is worth to settle.
    pub(super) fn best(
        &self,
        settlements: &[Settlement],
        worth: impl Fn(&Settlement) -> Result<Extended, String>,
    ) -> Result<Vec<Extended>, String> {
        let n = self.process.states.len();
        let mut settled: Vec<Option<Extended>> = vec![None; n];
        for settlement in settlements {
            if (0..n).any(|state| settlement.has(state) && self.over[state].is_some()) {
                continue;
            }
            let worth = worth(settlement)?;
            for state in (0..n).filter(|&state| settlement.has(state)) {
                settled[state] = self.better(settled[state].take(), Some(worth.clone()));
            }
        }
        let sizes: Vec<usize> = (0..n)
            .map(|state| match (&self.over[state], &settled[state]) {
                (Some(_), _) => 1,
                (None, settled) => self.process.choices[state].len() + usize::from(settled.is_some()),
            })
            .collect();
        if sizes
            .iter()
            .try_fold(1_usize, |all, &size| all.checked_mul(size))
            .is_none_or(|all| all > POLICIES_MAX)
        {
            return Err("too many policies".to_owned());
        }
        let mut found: Vec<Option<Extended>> = vec![None; n];
        let mut policy = vec![0; n];
        loop {
            let values = self.values(&policy, &settled);
            found = found.into_iter().zip(values).map(|(old, new)| self.better(old, new)).collect();
            let Some(at) = (0..n).find(|&at| policy[at] + 1 < sizes[at]) else { break };
            policy[at] += 1;
            policy[..at].fill(0);
        }
        Ok(found.into_iter().map(|value| value.expect("some strategy is fair")).collect())
    }

    fn better(&self, one: Option<Extended>, two: Option<Extended>) -> Option<Extended> {
        match (one, two) {
            (None, other) | (other, None) => other,
            (Some(one), Some(two)) => Some(match self.extremum {
                Extremum::Min => one.min(two),
                Extremum::Max => one.max(two),
            }),
        }
    }

    /// Per state what a policy is worth; `None` where it is none.
    fn values(&self, policy: &[usize], settled: &[Option<Extended>]) -> Vec<Option<Extended>> {
        let n = policy.len();
        let choice = |state: usize| self.process.choices[state].get(policy[state]);
        let end = |state: usize| match (&self.over[state], choice(state)) {
            (Some(value), _) => Some(value),
            (None, None) => settled[state].as_ref(),
            (None, Some(_)) => None,
        };
        let next = |state: usize| -> &[(usize, RBig)] {
            if end(state).is_some() { &[] } else { choice(state).map_or(&[], |choice| &choice.outcomes) }
        };
        let mut reaches: Vec<BTreeSet<usize>> = (0..n).map(|state| BTreeSet::from([state])).collect();
        for _ in 0..n {
            for state in 0..n {
                let on = next(state).iter().flat_map(|(target, _)| reaches[*target].clone());
                let on: Vec<usize> = on.collect();
                reaches[state].extend(on);
            }
        }
        let ends = |state: usize| reaches[state].iter().any(|&other| end(other).is_some());
        let kept = |state: usize| reaches[state].iter().all(|&other| ends(other));
        let earns = |state: usize| {
            // Whoever goes round here for as long as they like earns as much as they like.
            let round = reaches[state].iter().all(|&other| reaches[other].contains(&state));
            round
                && !ends(state)
                && reaches[state].iter().any(|&other| self.earned[other][policy[other]] > RBig::ZERO)
        };
        let infinite = |state: usize| {
            let endless = |&&other: &&usize| {
                end(other) == Some(&Extended::Infinite) || self.extremum == Extremum::Max && earns(other)
            };
            reaches[state].iter().find(endless).is_some()
        };
        let finite: Vec<usize> =
            (0..n).filter(|&state| end(state).is_none() && kept(state) && !infinite(state)).collect();
        let mut equations = Vec::new();
        for (row, &state) in finite.iter().enumerate() {
            let mut equation = vec![RBig::ZERO; finite.len() + 1];
            equation[row] += RBig::ONE;
            equation[finite.len()] += &self.earned[state][policy[state]];
            for (target, chance) in next(state) {
                match (finite.iter().position(|known| known == target), end(*target)) {
                    (Some(column), _) => equation[column] -= chance,
                    (None, Some(Extended::Finite(value))) => equation[finite.len()] += chance * value,
                    (None, _) => unreachable!("it would be infinite, or no end"),
                }
            }
            equations.push(equation);
        }
        let solved = eliminate(equations);
        let value = |state: usize| match (end(state), finite.iter().position(|&known| known == state)) {
            (Some(value), _) => Some(value.clone()),
            (None, Some(at)) => Some(Extended::Finite(solved[at].clone())),
            (None, None) if infinite(state) && (kept(state) || self.extremum == Extremum::Max) => {
                Some(Extended::Infinite)
            }
            (None, None) => None,
        };
        (0..n).map(value).collect()
    }
}

/// The best average of whoever stays in an end component.
pub(super) fn gain(
    process: &Process,
    extremum: Extremum,
    earned: &[Vec<RBig>],
    settlement: &Settlement,
) -> Result<RBig, String> {
    let inside: Vec<usize> = (0..process.states.len()).filter(|&state| settlement.has(state)).collect();
    let place = |state: &usize| inside.iter().position(|other| other == state).expect("it stays inside");
    let mut part =
        Process { states: Vec::new(), initial: vec![0], choices: Vec::new(), deadlocks: Vec::new() };
    let mut own = Vec::new();
    for &state in &inside {
        part.states.push(process.states[state].clone());
        part.deadlocks.push(false);
        own.push(settlement.choices[state].iter().map(|&choice| earned[state][choice].clone()).collect());
        let within = |&choice: &usize| {
            let Choice { action, delay, taker, number, ref outcomes } = process.choices[state][choice];
            let outcomes = outcomes.iter().map(|(target, chance)| (place(target), chance.clone())).collect();
            Choice { action, delay, taker, number, outcomes }
        };
        part.choices.push(settlement.choices[state].iter().map(within).collect());
    }
    let average = |chain: &Chain, earned: &[RBig]| chain.average(earned);
    Ok(policies::best(&part, extremum, &own, average)?.swap_remove(0))
}
