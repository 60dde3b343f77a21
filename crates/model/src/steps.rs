//! The buffer that a model writes the steps of a state into. It is reused, so a search allocates nothing per state.

use crate::patch::combine;
use crate::{ActionId, Patch, ProcessId, Ratio, State};

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

    /// The memory in use.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let (heads, chances) = (size_of::<Head>(), size_of::<Ratio>());
        let all =
            heads * self.steps.capacity() + chances * self.branches.capacity() + 4 * self.targets.capacity();
        all as u64
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

    /// Appends steps to what becomes of `base` under all combinations of alternatives of patches, the last patch varying
    /// fastest. Each has as many branches as there are `chances`, which are theirs in order. It is the same as to push
    /// every target, and much cheaper.
    ///
    /// # Panics
    /// If the base's width is not the model's, or the chances do not divide the combinations: a bug in the front-end.
    pub fn push_combined<'p>(
        &mut self,
        (process, action, delay): (ProcessId, ActionId, u32),
        base: &State,
        patches: impl DoubleEndedIterator<Item = Patch<'p>>,
        chances: &[Ratio],
    ) {
        let wrong = "a front-end pushed a state of the wrong width; this is a bug in the tool";
        assert_eq!(base.len(), self.width, "{wrong}");
        let mut count = 1;
        combine(base, patches.inspect(|patch| count *= patch.alternatives), &mut self.targets);
        assert!(count.is_multiple_of(chances.len()), "each step has the same chances");
        let number = |n: usize| u32::try_from(n).expect("a state has fewer than 2^32 steps");
        for _ in 0..count / chances.len() {
            let first_branch = number(self.branches.len());
            self.branches.extend_from_slice(chances);
            let n_branches = number(chances.len());
            self.steps.push(Head { process, action, delay, first_branch, n_branches });
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_are_what_is_pushed_one_by_one() {
        let half = Ratio::new(1, 2).unwrap();
        let head = (ProcessId(1), ActionId(2), 3);
        let free = Patch { slots: &[2], values: &[5, 6, 7], alternatives: 3 };
        let drawn = Patch { slots: &[0, 3], values: &[1, 2, 3, 4], alternatives: 2 };
        let mut combined = Steps::new(4);
        combined.push_combined(head, &[9; 4], [free, drawn].into_iter(), &[half, half]);
        let mut plain = Steps::new(4);
        for choice in [5, 6, 7] {
            let targets = [[1, 9, choice, 2], [3, 9, choice, 4]];
            plain.push_random(head.0, head.1, head.2, targets.iter().map(|target| (half, &target[..])));
        }
        assert_eq!(format!("{combined:?}"), format!("{plain:?}"));
    }

    #[test]
    fn without_patches_there_is_one_step() {
        let mut steps = Steps::new(2);
        let none: [Patch<'_>; 0] = [];
        steps.push_combined((ProcessId(0), ActionId(0), 0), &[1, 2], none.into_iter(), &[Ratio::ONE]);
        let targets: Vec<&State> =
            steps.iter().flat_map(Step::branches).map(|branch| branch.target).collect();
        assert_eq!(targets, [[1, 2]]);
    }
}
