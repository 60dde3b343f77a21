//! The buffer that a model writes the steps of a state into. It is reused, so a search allocates nothing per state.

use crate::{ActionId, ProcessId, Ratio, State};

/// The steps that leave one state, in the model's order. A step's position is its *ordinal*: on disk and in an
/// address a run is a list of ordinals.
#[derive(Debug, Default)]
pub struct Steps {
    steps: Vec<Head>,
    branches: Vec<Ratio>,
    targets: Vec<u32>,
    width: usize,
}

#[derive(Clone, Copy, Debug)]
struct Head {
    process: ProcessId,
    action: ActionId,
    delay: u32,
    first_branch: u32,
    n_branches: u32,
}

/// One step, borrowed from the buffer: a choice, then chance over its branches.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Who moves.
    pub process: ProcessId,
    /// What is done.
    pub action: ActionId,
    /// How much model time passes; 0 is instantaneous.
    pub delay: u32,
    buffer: &'a Steps,
    head: Head,
}

/// One outcome of a step.
#[derive(Clone, Copy, Debug)]
pub struct Branch<'a> {
    /// How probable it is; certain steps have one branch of probability 1.
    pub chance: Ratio,
    /// The state it leads to.
    pub target: &'a State,
}

impl Steps {
    /// An empty buffer for states of `width` slots.
    #[must_use]
    pub fn new(width: usize) -> Self {
        Self { width, ..Self::default() }
    }

    /// Forgets all steps and keeps the memory.
    pub fn clear(&mut self) {
        self.steps.clear();
        self.branches.clear();
        self.targets.clear();
    }

    /// Forgets the steps from this ordinal on.
    pub fn truncate(&mut self, len: usize) {
        if let Some(head) = self.steps.get(len) {
            let branches = head.first_branch as usize;
            self.branches.truncate(branches);
            self.targets.truncate(branches * self.width);
            self.steps.truncate(len);
        }
    }

    /// Appends a certain step.
    ///
    /// # Panics
    /// If the target's width is not the model's: a bug in the front-end.
    pub fn push(&mut self, process: ProcessId, action: ActionId, delay: u32, target: &State) {
        self.push_random(process, action, delay, [(Ratio::ONE, target)]);
    }

    /// Appends a step whose outcome is a matter of chance.
    ///
    /// # Panics
    /// If a target's width is not the model's: a bug in the front-end.
    pub fn push_random<'s>(
        &mut self,
        process: ProcessId,
        action: ActionId,
        delay: u32,
        branches: impl IntoIterator<Item = (Ratio, &'s State)>,
    ) {
        let first = self.branches.len();
        for (chance, target) in branches {
            assert_eq!(
                target.len(),
                self.width,
                "a front-end pushed a state of the wrong width; this is a bug in the tool"
            );
            self.branches.push(chance);
            self.targets.extend_from_slice(target);
        }
        let number = |n: usize| u32::try_from(n).expect("a state has fewer than 2^32 steps");
        let (first_branch, n_branches) = (number(first), number(self.branches.len() - first));
        self.steps.push(Head { process, action, delay, first_branch, n_branches });
    }

    /// How many steps there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there are none: a deadlock.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The steps in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Step<'_>> {
        self.steps.iter().map(|head| self.step(*head))
    }

    /// The step with this ordinal.
    #[must_use]
    pub fn get(&self, ordinal: usize) -> Option<Step<'_>> {
        self.steps.get(ordinal).map(|head| self.step(*head))
    }

    fn step(&self, head: Head) -> Step<'_> {
        Step { process: head.process, action: head.action, delay: head.delay, buffer: self, head }
    }
}

impl<'a> Step<'a> {
    /// The outcomes, in the model's order; at least one.
    pub fn branches(self) -> impl ExactSizeIterator<Item = Branch<'a>> {
        let first = self.head.first_branch as usize;
        let width = self.buffer.width;
        (first..first + self.head.n_branches as usize).map(move |branch| Branch {
            chance: self.buffer.branches[branch],
            target: &self.buffer.targets[branch * width..(branch + 1) * width],
        })
    }
}
