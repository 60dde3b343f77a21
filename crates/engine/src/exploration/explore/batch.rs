//! A stretch of the queue and all that can be found out about it without changing anything: any thread may do this, while
//! another one files what was found before.

use std::time::Duration;

use motet_model::{
    ActionId, AtomId, Branch, Facets, Fault, Model, Ratio, RewardId, State, Step, Steps, SubjectId,
};

use super::Edges;
use crate::reductions::ample::Ample;
use crate::reductions::chain::{Chained, Ends};
use crate::storage::store::{Arena, Loaded, Sought};

/// What is asked of every state and step.
pub(crate) struct Questions<'m> {
    /// Of the model, asked for once.
    pub(crate) facets: Facets<'m>,
    pub(crate) atoms: Vec<AtomId>,
    pub(crate) rewards: Vec<RewardId>,
    pub(crate) edges: Edges,
    pub(crate) ample: Option<Ample<'m>>,
    pub(crate) chains: Option<&'m Chained<'m>>,
}

impl Questions<'_> {
    /// The steps of a state; chains end at what is in the store.
    fn steps<M: Model + ?Sized>(
        &self,
        model: &M,
        store: &Arena,
        (state, ends): (&State, &mut Ends),
        out: &mut Steps,
    ) -> Result<(), Fault> {
        match self.chains {
            None => model.steps(state, out),
            Some(chains) => chains.steps_unless(|target| store.find(target).is_some(), ends, state, out),
        }
    }
}

/// Numbers in the targets of a batch that are enough: how many steps states have is not known before, and memory has limits.
const MANY: usize = if cfg!(debug_assertions) { 1 << 8 } else { 1 << 18 };

/// What has to be known of a step to file it.
#[derive(Clone, Copy)]
pub(crate) struct Head {
    pub(crate) action: ActionId,
    /// 0 if steps are not kept.
    pub(crate) subject: SubjectId,
    pub(crate) delay: u32,
    /// Where its possible branches end among all of the batch.
    pub(crate) end: u32,
}

/// Some states that wait to be expanded, and what their expansion found.
#[derive(Default)]
pub(crate) struct Batch {
    /// Where in the row of batches this one stands.
    pub(crate) order: u64,
    /// The thread that expands it, and in whose cache it is.
    pub(crate) owner: usize,
    /// The states, each with its depth where the queue knows it.
    pub(crate) sources: Vec<(u32, u64)>,
    /// Those of them that have to wait until the others are filed.
    left: Vec<(u32, u64)>,
    /// Their steps, one state's after the other's.
    pub(crate) steps: Steps,
    /// The same in short: whoever files reads what another core wrote, and that takes long.
    pub(crate) heads: Vec<Head>,
    /// Per possible branch: its chance, if chances are kept.
    pub(crate) chances: Vec<Ratio>,
    /// Per state: where its steps end.
    pub(crate) ends: Vec<usize>,
    /// Per state: where the part of its steps ends that may be enough, and that comes first; empty if nobody asked.
    parts: Vec<usize>,
    /// Per step: its ordinal, where a part comes first.
    ordinals: Vec<u32>,
    /// The steps of one state in their own order.
    own: Steps,
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
    /// Where chains led that began in this batch.
    run_through: Ends,
    loaded: Loaded,
    /// How long it took to expand them.
    pub(crate) took: Duration,
}

/// Branches that cannot happen lead nowhere.
pub(crate) fn possible(branch: &Branch<'_>) -> bool {
    !branch.chance.is_zero()
}

impl Batch {
    /// An empty one for states of so many slots.
    pub(crate) fn new(slots: usize) -> Self {
        Self { steps: Steps::new(slots), own: Steps::new(slots), ..Self::default() }
    }

    pub(crate) fn clear(&mut self) {
        self.sources.clear();
        self.steps.clear();
        self.heads.clear();
        self.chances.clear();
        self.ends.clear();
        self.parts.clear();
        self.ordinals.clear();
        self.faults.clear();
        self.sought.clear();
        self.marks.clear();
        self.state_rewards.clear();
        self.step_rewards.clear();
        self.run_through.clear();
    }

    /// The memory it takes, by its largest parts.
    pub(crate) fn bytes(&self) -> u64 {
        self.steps.bytes() + self.own.bytes() + self.sought.bytes()
    }

    /// The atoms of the target that was the `missing`th of those that were not in the store.
    pub(crate) fn marks(&self, missing: usize, n_atoms: usize) -> &[bool] {
        &self.marks[missing * n_atoms..(missing + 1) * n_atoms]
    }

    /// Where the part of the steps ends that may be enough of the state at this position.
    pub(crate) fn part(&self, position: usize) -> usize {
        self.parts.get(position).copied().unwrap_or(self.ends[position])
    }

    /// The ordinal of a step of the batch, if the steps of its state begin at `first`.
    pub(crate) fn ordinal(&self, first: usize, step: usize) -> usize {
        self.ordinals.get(step).map_or(step - first, |&ordinal| ordinal as usize)
    }

    /// Asks the model for the steps of the state that is loaded, and puts those first that may be enough.
    fn expand_partly<M: Model + ?Sized>(
        &mut self,
        model: &M,
        store: &Arena,
        questions: &Questions<'_>,
        ample: &Ample<'_>,
    ) -> Result<(), Fault> {
        self.own.clear();
        let told = questions.steps(model, store, (&self.loaded.values, &mut self.run_through), &mut self.own);
        if told.is_err() {
            self.own.clear();
        }
        let part = ample.part(&self.loaded.values, &self.own);
        let others = (0..self.own.len()).filter(|ordinal| part.binary_search(ordinal).is_err());
        for ordinal in part.iter().copied().chain(others) {
            let step = self.own.get(ordinal).expect("a part is made of the state's steps");
            let branches = step.branches().map(|branch| (branch.chance, branch.target));
            self.steps.push_random(step.process, step.action, step.delay, branches);
            self.ordinals.push(u32::try_from(ordinal).expect("a state has fewer than 2^32 steps"));
        }
        self.parts.push(self.steps.len() - self.own.len() + part.len());
        told
    }

    /// Where a possible branch of a step leads.
    pub(crate) fn target(steps: &Steps, ordinal: usize, branch: usize) -> &State {
        let step = steps.get(ordinal).expect("the steps of a state end within the batch");
        step.branches().filter(possible).nth(branch).expect("a head counts the branches of its step").target
    }

    /// The bits of all targets together that are not in the store, if it may have no room for some; nothing if it has.
    pub(crate) fn misfit(&self, store: &Arena) -> Option<Vec<u32>> {
        (0..self.sought.len()).find(|&index| store.may_not_fit(&self.sought, index))?;
        let mut bits = Vec::new();
        let targets = self.steps.iter().flat_map(|step| step.branches().filter(possible));
        // Others fit now, but when all states are packed anew room is made for what is known and for these.
        for (_, branch) in targets.enumerate().filter(|(index, _)| self.sought.number(*index).is_none()) {
            bits.resize(branch.target.len(), 0);
            bits.iter_mut().zip(branch.target).for_each(|(bits, value)| *bits |= value);
        }
        Some(bits).filter(|bits| !store.fits(bits))
    }

    /// Makes ready what was left, if something was. Says whether.
    pub(crate) fn go_on(&mut self) -> bool {
        let left = std::mem::take(&mut self.left);
        self.clear();
        self.sources = left;
        !self.sources.is_empty()
    }

    /// Asks the model for the steps of the sources, and looks their targets up. When these are very many, some sources are
    /// left.
    pub(crate) fn expand<M: Model + ?Sized>(&mut self, model: &M, store: &Arena, questions: &Questions<'_>) {
        for index in 0..self.sources.len() {
            if self.sought.len() * self.loaded.values.len() >= MANY {
                self.left = self.sources.split_off(index);
                break;
            }
            store.open(self.sources[index].0, &mut self.loaded);
            let first = self.steps.len();
            let told = match &questions.ample {
                None => {
                    let state = (self.loaded.values.as_slice(), &mut self.run_through);
                    questions.steps(model, store, state, &mut self.steps)
                }
                Some(ample) => self.expand_partly(model, store, questions, ample),
            };
            if let Err(fault) = told {
                self.steps.truncate(first);
                self.faults.push((index, fault));
            }
            for ordinal in first..self.steps.len() {
                let step = self.steps.get(ordinal).expect("the step was just added");
                for branch in step.branches().filter(possible) {
                    store.seek(&self.loaded, branch.target, &mut self.sought);
                }
                let end = u32::try_from(self.sought.len()).expect("a batch has fewer than 2^32 targets");
                self.heads.push(head(questions, &step, end));
                if questions.edges == Edges::KeepChances {
                    self.chances.extend(step.branches().filter(possible).map(|branch| branch.chance));
                }
                let earned =
                    |&reward| questions.facets.action_reward(reward, &self.loaded.values, step.action);
                self.step_rewards.extend(questions.rewards.iter().map(earned));
            }
            self.ends.push(self.steps.len());
        }
        store.find_all(&mut self.sought);
        self.look_at_missing(model, questions);
    }

    /// Evaluates atoms and rewards where targets are not in the store.
    fn look_at_missing<M: Model + ?Sized>(&mut self, model: &M, questions: &Questions<'_>) {
        if questions.atoms.is_empty() && questions.rewards.is_empty() {
            return;
        }
        let targets = self.steps.iter().flat_map(|step| step.branches().filter(possible));
        for (index, branch) in targets.enumerate() {
            if self.sought.number(index).is_none() {
                self.marks.extend(questions.atoms.iter().map(|&atom| model.holds(atom, branch.target)));
                let earned = |&reward| questions.facets.state_reward(reward, branch.target);
                self.state_rewards.extend(questions.rewards.iter().map(earned));
            }
        }
    }
}

fn head(questions: &Questions<'_>, step: &Step<'_>, end: u32) -> Head {
    let subject = match questions.edges {
        Edges::Drop => SubjectId(0),
        _ => questions.facets.subject(step.process, step.action),
    };
    Head { action: step.action, subject, delay: step.delay, end }
}
