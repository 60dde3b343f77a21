//! The law of slices ([`motet_model::Slice`]): the rest goes the way of the whole model, as its [`Haste`] promises.
//!
//! A run of one model is drawn, and the other follows it in sets: all states that runs with the same truths so far lead to. There must
//! always be one. Runs of both are followed by the other, because a slice may neither lose what can happen nor make more possible. Where
//! every step is promised, the models are bisimilar as decision processes (Larsen and Skou 1991) when they are small;
//! where times are promised, all runs up to a time have the same changes at the same times.

use std::collections::{BTreeMap, BTreeSet};

use motet_model::{AtomId, Haste, Model, Ratio, State, Step, Steps};
use motet_source::fuzz::Random;

use crate::timed_traces::{Traces, compare};

/// Steps of a run.
const STEPS: usize = 40;
/// Runs of each model.
const RUNS: u64 = 6;
/// Models that keep time are compared so far, in the unit of their clocks.
const CLOCK: u64 = 9_000;
/// Larger sets are not followed.
const SET: usize = 2_000;
/// Larger models are compared by their runs alone.
const BISIMILAR: usize = 300;

/// Compares a model with its slice. Says how many changes of truths were followed.
///
/// # Errors
/// What one of them does and the other cannot.
pub fn same_course(whole: &dyn Model, rest: &dyn Model, haste: Haste, seed: u64) -> Result<usize, String> {
    if whole.signature().atoms != rest.signature().atoms {
        return Err("the slice has other atoms".to_owned());
    }
    if haste == Haste::Stepwise
        && let (Some(one), Some(two)) = (Graph::of(whole), Graph::of(rest))
    {
        bisimilar(&one, &two)?;
    }
    let mut followed = 0;
    if haste == Haste::Kept {
        match compare(whole, rest, CLOCK, SET) {
            Traces::Same(changes) => followed = changes,
            traces => return Err(format!("{traces:?}")),
        }
    }
    let mut random = Random::new(seed);
    for _ in 0..RUNS {
        followed +=
            follow(whole, rest, haste, &mut random).map_err(|lost| format!("of the whole model: {lost}"))?;
        followed +=
            follow(rest, whole, haste, &mut random).map_err(|lost| format!("of the slice: {lost}"))?;
    }
    Ok(followed)
}

/// The truths of all atoms.
fn truths(model: &dyn Model, state: &State) -> Vec<bool> {
    (0..).map(AtomId).take(model.signature().atoms.len()).map(|atom| model.holds(atom, state)).collect()
}

/// Where the steps of a state may lead, and how long each takes. `None` if there is a fault.
fn next(model: &dyn Model, state: &State) -> Option<Vec<(u32, Box<State>)>> {
    let mut steps = Steps::new(state.len());
    model.steps(state, &mut steps).ok()?;
    let targets = |step: Step<'_>| {
        let possible = step.branches().filter(|branch| !branch.chance.is_zero());
        possible.map(|branch| (step.delay, Box::from(branch.target))).collect::<Vec<_>>()
    };
    Some(steps.iter().flat_map(targets).collect())
}

/// States of the other model that runs with the same truths so far lead to.
struct Followers<'m> {
    model: &'m dyn Model,
    now: Vec<bool>,
    states: BTreeSet<Box<State>>,
}

impl Followers<'_> {
    /// Adds what steps that change no truth lead to. `None` where there are too many, or a fault.
    fn spread(&mut self) -> Option<()> {
        let mut open: Vec<Box<State>> = self.states.iter().cloned().collect();
        while let Some(state) = open.pop() {
            for (_, target) in next(self.model, &state)? {
                if self.states.len() > SET {
                    return None;
                }
                if truths(self.model, &target) == self.now && self.states.insert(target.clone()) {
                    open.push(target);
                }
            }
        }
        Some(())
    }

    /// Those that steps of this length to states with these truths lead to; of any length without one.
    fn go_on(&mut self, truth: Vec<bool>, delay: Option<u32>) -> Option<()> {
        let mut states = BTreeSet::new();
        for state in &self.states {
            let fitting = next(self.model, state)?.into_iter().filter(|(took, target)| {
                delay.is_none_or(|delay| delay == *took) && truths(self.model, target) == truth
            });
            states.extend(fitting.map(|(_, target)| target));
        }
        (self.states, self.now) = (states, truth);
        Some(())
    }

    /// Whether one of them can stay as it is for ever: where nothing happens any more, or on a loop.
    fn may_rest(&self) -> Option<bool> {
        let mut left = self.states.clone();
        loop {
            let mut gone = Vec::new();
            for state in &left {
                let targets = next(self.model, state)?;
                if !targets.is_empty() && !targets.iter().any(|(_, target)| left.contains(target)) {
                    gone.push(state.clone());
                }
            }
            if gone.is_empty() {
                return Some(!left.is_empty());
            }
            left.retain(|state| !gone.contains(state));
        }
    }
}

/// Draws a run of one model and follows it in the other.
fn follow(one: &dyn Model, other: &dyn Model, haste: Haste, random: &mut Random) -> Result<usize, String> {
    let (mut begin, mut others) = (Vec::new(), Vec::new());
    one.initial(&mut begin);
    other.initial(&mut others);
    let mut here = begin[random.below(begin.len())].clone();
    let now = truths(one, &here);
    let states = others.into_iter().filter(|state| truths(other, state) == now).collect();
    let mut followers = Followers { model: other, now, states };
    let every = haste == Haste::Stepwise;
    let mut path = vec![followers.now.clone()];
    let mut changes = 0;
    for _ in 0..STEPS {
        if followers.states.is_empty() {
            return Err(format!("nobody follows {path:?} to {here:?}"));
        }
        if !every && followers.spread().is_none() {
            break;
        }
        let Some(targets) = next(one, &here) else { break };
        if targets.is_empty() {
            return match followers.may_rest() {
                Some(false) => Err(format!("it ends after {path:?} in {here:?}, and the other goes on")),
                _ => Ok(changes),
            };
        }
        let (delay, target) = targets[random.below(targets.len())].clone();
        let truth = truths(one, &target);
        here = target;
        if !every && truth == followers.now {
            continue;
        }
        changes += usize::from(truth != followers.now);
        path.push(truth.clone());
        if followers.go_on(truth, every.then_some(delay)).is_none() {
            break;
        }
    }
    Ok(changes)
}

/// How long a step takes, and its outcomes.
type Choice = (u32, Vec<(Ratio, usize)>);

/// A small model, explored.
struct Graph {
    initial: Vec<usize>,
    truths: Vec<Vec<bool>>,
    /// Per state: its steps.
    rows: Vec<Vec<Choice>>,
}

impl Graph {
    /// `None` if the model is large or meets one of its bounds.
    fn of(model: &dyn Model) -> Option<Self> {
        let mut states = Vec::new();
        model.initial(&mut states);
        let mut numbers: BTreeMap<Box<State>, usize> =
            states.iter().enumerate().map(|(number, state)| (state.clone(), number)).collect();
        let initial = states.iter().map(|state| numbers[state]).collect();
        let (mut rows, mut steps) = (Vec::new(), Steps::new(model.signature().slots.len()));
        while let Some(state) = states.get(rows.len()).cloned() {
            steps.clear();
            model.steps(&state, &mut steps).ok()?;
            let mut row = Vec::new();
            for step in steps.iter() {
                let mut outcomes = Vec::new();
                for branch in step.branches().filter(|branch| !branch.chance.is_zero()) {
                    let fresh = states.len();
                    let number = *numbers.entry(branch.target.into()).or_insert(fresh);
                    if number == fresh {
                        states.push(branch.target.into());
                    }
                    outcomes.push((branch.chance, number));
                }
                row.push((step.delay, outcomes));
            }
            rows.push(row);
            if states.len() > BISIMILAR {
                return None;
            }
        }
        let truths = states.iter().map(|state| truths(model, state)).collect();
        Some(Self { initial, truths, rows })
    }
}

/// Whether two graphs begin in states that no claim tells apart: classes are split until each says what all of its states can do.
fn bisimilar(one: &Graph, two: &Graph) -> Result<(), String> {
    let offset = one.rows.len();
    let mut classes: Vec<usize> = Vec::new();
    let mut names: BTreeMap<Vec<bool>, usize> = BTreeMap::new();
    for truths in one.truths.iter().chain(&two.truths) {
        let fresh = names.len();
        classes.push(*names.entry(truths.clone()).or_insert(fresh));
    }
    let mut count = names.len();
    loop {
        let mut names = BTreeMap::new();
        let mut split = Vec::new();
        for (state, own) in classes.iter().enumerate() {
            let (row, shift) =
                if state < offset { (&one.rows[state], 0) } else { (&two.rows[state - offset], offset) };
            let mut told: BTreeSet<(u32, BTreeMap<usize, Ratio>)> = BTreeSet::new();
            for (delay, outcomes) in row {
                let mut sums: BTreeMap<usize, Ratio> = BTreeMap::new();
                for (chance, target) in outcomes {
                    let sum = sums.entry(classes[target + shift]).or_insert(Ratio::ZERO);
                    *sum = sum.checked_add(*chance).ok_or("chances do not add up")?;
                }
                told.insert((*delay, sums));
            }
            let fresh = names.len();
            split.push(*names.entry((*own, told)).or_insert(fresh));
        }
        classes = split;
        if names.len() == count {
            break;
        }
        count = names.len();
    }
    let of = |initial: &[usize], shift: usize| -> BTreeSet<usize> {
        initial.iter().map(|&state| classes[state + shift]).collect()
    };
    if of(&one.initial, 0) == of(&two.initial, offset) {
        return Ok(());
    }
    Err("a claim can tell the slice from the whole model, step by step".to_owned())
}
