//! A layer that exists to catch front-ends that break their promises. Every front-end's tests run inside it.

use crate::{
    ActionId, AtomId, Fault, Independence, Model, ObserverId, ProcessId, Ratio, RewardId, Signature, State,
    Steps, SubjectId, Symmetry,
};

/// The same model, with the promises of [`Model`] checked at every call.
#[derive(Debug)]
pub struct Checked<M>(pub M);

impl<M: Model> Model for Checked<M> {
    fn signature(&self) -> &Signature {
        self.0.signature()
    }

    fn initial(&self, out: &mut Vec<Box<State>>) {
        let first = out.len();
        self.0.initial(out);
        let mut again = Vec::new();
        self.0.initial(&mut again);
        assert_eq!(out[first..], again[..], "initial states differ between two calls");
        let width = self.signature().slots.len();
        assert!(again.iter().all(|state| state.len() == width), "an initial state has the wrong width");
        assert!(!again.is_empty(), "a model has at least one initial state");
    }

    fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
        let first = out.len();
        let result = self.0.steps(state, out);
        let mut again = Steps::new(self.signature().slots.len());
        assert_eq!(result, self.0.steps(state, &mut again), "faults differ between two calls");
        assert_eq!(out.len() - first, again.len(), "the number of steps differs between two calls");
        for (one, two) in out.iter().skip(first).zip(again.iter()) {
            assert_eq!(
                (one.process, one.action, one.delay),
                (two.process, two.action, two.delay),
                "steps differ between two calls"
            );
            assert!(
                one.process.index() < self.signature().processes.len(),
                "a step of an undeclared process"
            );
            assert!(
                one.branches().zip(two.branches()).all(|(a, b)| a.chance == b.chance && a.target == b.target)
            );
            let total = one.branches().try_fold(Ratio::new(0, 1).expect("one is not zero"), |sum, branch| {
                sum.checked_add(branch.chance)
            });
            assert_eq!(total, Some(Ratio::ONE), "the chances of a step do not sum to one");
        }
        result
    }

    fn subject(&self, process: ProcessId, action: ActionId) -> SubjectId {
        let subject = self.0.subject(process, action);
        assert_eq!(subject, self.0.subject(process, action), "a subject differs between two calls");
        subject
    }

    fn holds(&self, atom: AtomId, state: &State) -> bool {
        let value = self.0.holds(atom, state);
        assert_eq!(value, self.0.holds(atom, state), "an atom differs between two calls");
        value
    }

    fn observe(&self, observer: ObserverId, state: &State, out: &mut Vec<u32>) {
        assert!(observer.index() < self.signature().observers.len(), "an undeclared observer");
        let first = out.len();
        self.0.observe(observer, state, out);
        let mut again = Vec::new();
        self.0.observe(observer, state, &mut again);
        assert_eq!(out[first..], again[..], "an observation differs between two calls");
    }

    fn state_reward(&self, reward: RewardId, state: &State) -> Ratio {
        self.0.state_reward(reward, state)
    }

    fn action_reward(&self, reward: RewardId, state: &State, action: ActionId) -> Ratio {
        self.0.action_reward(reward, state, action)
    }

    fn symmetry(&self) -> Option<&dyn Symmetry> {
        self.0.symmetry()
    }

    fn independence(&self) -> Option<&dyn Independence> {
        self.0.independence()
    }
}
