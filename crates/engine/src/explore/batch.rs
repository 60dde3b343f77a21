//! A stretch of the queue and all that can be found out about it without changing anything: any thread may do this, while
//! another one files what was found before.

use motet_model::{AtomId, Branch, Fault, Model, Ratio, RewardId, Steps};

use crate::store::{Arena, Loaded, Sought};

/// Some states that wait to be expanded, and what their expansion found.
#[derive(Default)]
pub(crate) struct Batch {
    /// Where in the row of batches this one stands.
    pub(crate) order: u64,
    /// The states, each with its depth where the queue knows it.
    pub(crate) sources: Vec<(u32, u64)>,
    /// Their steps, one state's after the other's.
    pub(crate) steps: Steps,
    /// Per state: where its steps end.
    pub(crate) ends: Vec<usize>,
    /// The states whose steps the model could not tell, by their place among the sources.
    pub(crate) faults: Vec<(usize, Fault)>,
    /// Where the possible branches of all steps lead.
    pub(crate) sought: Sought,
    /// Per target that was not in the store, and atom: whether it holds there.
    marks: Vec<bool>,
    /// Per target that was not in the store, and reward: what it earns.
    pub(crate) state_rewards: Vec<Ratio>,
    /// Per step and reward: what it earns.
    pub(crate) step_rewards: Vec<Ratio>,
    loaded: Loaded,
}

/// Branches that cannot happen lead nowhere.
pub(crate) fn possible(branch: &Branch<'_>) -> bool {
    branch.chance.numerator() > 0
}

impl Batch {
    /// An empty one for states of so many slots.
    pub(crate) fn new(slots: usize) -> Self {
        Self { steps: Steps::new(slots), ..Self::default() }
    }

    pub(crate) fn clear(&mut self) {
        self.sources.clear();
        self.steps.clear();
        self.ends.clear();
        self.faults.clear();
        self.sought.clear();
        self.marks.clear();
        self.state_rewards.clear();
        self.step_rewards.clear();
    }

    /// The atoms of the target that was the `missing`th of those that were not in the store.
    pub(crate) fn marks(&self, missing: usize, n_atoms: usize) -> &[bool] {
        &self.marks[missing * n_atoms..(missing + 1) * n_atoms]
    }

    /// Asks the model for the steps of all sources, and looks their targets up.
    pub(crate) fn expand<M: Model + ?Sized>(
        &mut self,
        model: &M,
        store: &Arena,
        atoms: &[AtomId],
        rewards: &[RewardId],
    ) {
        for index in 0..self.sources.len() {
            store.open(self.sources[index].0, &mut self.loaded);
            let first = self.steps.len();
            if let Err(fault) = model.steps(&self.loaded.values, &mut self.steps) {
                self.steps.truncate(first);
                self.faults.push((index, fault));
            }
            for ordinal in first..self.steps.len() {
                let step = self.steps.get(ordinal).expect("the step was just added");
                for branch in step.branches().filter(possible) {
                    store.seek(&self.loaded, branch.target, &mut self.sought);
                }
                let earned = |&reward| model.action_reward(reward, &self.loaded.values, step.action);
                self.step_rewards.extend(rewards.iter().map(earned));
            }
            self.ends.push(self.steps.len());
        }
        store.find_all(&mut self.sought);
        let targets = self.steps.iter().flat_map(|step| step.branches().filter(possible));
        for (index, branch) in targets.enumerate() {
            if self.sought.number(index).is_none() {
                self.marks.extend(atoms.iter().map(|&atom| model.holds(atom, branch.target)));
                self.state_rewards
                    .extend(rewards.iter().map(|&reward| model.state_reward(reward, branch.target)));
            }
        }
    }
}
