//! The decision process of a model, with exact chances.

use std::collections::BTreeMap;

use dashu::rational::RBig;
use motet_model::{ActionId, Model, Ratio, RewardId, Steps};

/// The reachable part of a model: per state its choices, per choice its outcomes.
#[derive(Debug)]
pub(super) struct Process {
    /// In order of their distance from the start.
    pub(super) states: Vec<Vec<u32>>,
    pub(super) initial: Vec<usize>,
    /// Every state has at least one: a deadlock repeats itself.
    pub(super) choices: Vec<Vec<Choice>>,
    pub(super) deadlocks: Vec<bool>,
}

#[derive(Debug)]
pub(super) struct Choice {
    /// `None` for the repetition of a deadlock.
    pub(super) action: Option<ActionId>,
    /// To whom strategies may have to be fair; nobody for the repetition of a deadlock.
    pub(super) taker: Option<u32>,
    /// Among all choices of all states.
    pub(super) number: u32,
    /// How much time passes.
    pub(super) delay: u32,
    pub(super) outcomes: Vec<(usize, RBig)>,
}

impl Process {
    pub(super) fn of(model: &dyn Model) -> Result<Self, String> {
        let mut process =
            Self { states: Vec::new(), initial: Vec::new(), choices: Vec::new(), deadlocks: Vec::new() };
        let mut numbers = BTreeMap::new();
        let mut initial = Vec::new();
        let mut count = 0;
        let mut counted = || {
            count += 1;
            count
        };
        model.initial(&mut initial);
        for state in initial {
            let number = process.number(&mut numbers, state.to_vec());
            process.initial.push(number);
        }
        while process.choices.len() < process.states.len() {
            let state = process.choices.len();
            let mut steps = Steps::new(model.signature().slots.len());
            model.steps(&process.states[state], &mut steps).map_err(|fault| fault.message)?;
            let mut choices = Vec::new();
            for step in steps.iter() {
                let possible = step.branches().filter(|branch| !branch.chance.is_zero());
                let outcomes = possible
                    .map(|branch| {
                        let target = process.number(&mut numbers, branch.target.to_vec());
                        (target, rational(branch.chance))
                    })
                    .collect();
                let (action, delay) = (Some(step.action), step.delay);
                let taker = Some(model.facets().subject(step.process, step.action).0);
                choices.push(Choice { action, taker, number: counted(), delay, outcomes });
            }
            process.deadlocks.push(choices.is_empty());
            if choices.is_empty() {
                let outcomes = vec![(state, RBig::ONE)];
                choices.push(Choice { action: None, taker: None, number: counted(), delay: 1, outcomes });
            }
            process.choices.push(choices);
        }
        Ok(process)
    }

    fn number(&mut self, numbers: &mut BTreeMap<Vec<u32>, usize>, state: Vec<u32>) -> usize {
        *numbers.entry(state.clone()).or_insert_with(|| {
            self.states.push(state);
            self.states.len() - 1
        })
    }

    pub(super) fn is_chain(&self) -> bool {
        self.choices.iter().all(|choices| choices.len() == 1)
    }

    /// Per state, per choice: what it earns, and what the state earns by itself.
    pub(super) fn rewards(&self, model: &dyn Model, reward: RewardId) -> (Vec<Vec<RBig>>, Vec<RBig>) {
        let own: Vec<RBig> =
            self.states.iter().map(|state| rational(model.facets().state_reward(reward, state))).collect();
        let earned = |state: usize, choice: &Choice| {
            let more =
                choice.action.map(|action| model.facets().action_reward(reward, &self.states[state], action));
            &own[state] + rational(more.unwrap_or(Ratio::ZERO))
        };
        let rows = self.choices.iter().enumerate();
        let all = rows.map(|(state, choices)| choices.iter().map(|choice| earned(state, choice)).collect());
        (all.collect(), own)
    }
}

/// A fraction of 64-bit numbers as one of any size.
pub(super) fn rational(ratio: Ratio) -> RBig {
    ratio.fraction()
}
