//! A layer that exists to catch front-ends that break their promises. Every front-end's tests run inside it.

use crate::{
    ActionId, AtomId, Facets, Fault, Model, Observation, ObserverId, ProcessId, Ratio, Signature, State,
    Steps, SubjectId, Subjects,
};

/// The same model, with the promises of [`Model`] checked at every call.
#[derive(Debug)]
pub struct Checked<M> {
    model: M,
}

impl<M: Model> Checked<M> {
    /// Checks this model.
    #[must_use]
    pub fn new(model: M) -> Self {
        Self { model }
    }

    /// The model that is checked.
    pub fn inner(&self) -> &M {
        &self.model
    }
}

impl<M: Model> Model for Checked<M> {
    fn signature(&self) -> &Signature {
        self.model.signature()
    }

    fn initial(&self, out: &mut Vec<Box<State>>) {
        let first = out.len();
        self.model.initial(out);
        let mut again = Vec::new();
        self.model.initial(&mut again);
        assert_eq!(out[first..], again[..], "initial states differ between two calls");
        let width = self.signature().slots.len();
        assert!(again.iter().all(|state| state.len() == width), "an initial state has the wrong width");
        assert!(!again.is_empty(), "a model has at least one initial state");
    }

    fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
        let first = out.len();
        let result = self.model.steps(state, out);
        let mut again = Steps::new(self.signature().slots.len());
        assert_eq!(result, self.model.steps(state, &mut again), "faults differ between two calls");
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

    fn holds(&self, atom: AtomId, state: &State) -> bool {
        let value = self.model.holds(atom, state);
        assert_eq!(value, self.model.holds(atom, state), "an atom differs between two calls");
        value
    }

    fn facets(&self) -> Facets<'_> {
        let Facets { subjects, observation, rewards, symmetry, independence } = self.model.facets();
        Facets {
            subjects: subjects.and(Some(self)),
            observation: observation.and(Some(self)),
            rewards,
            symmetry,
            independence,
        }
    }
}

impl<M: Model> Subjects for Checked<M> {
    fn subject(&self, process: ProcessId, action: ActionId) -> SubjectId {
        let facets = self.model.facets();
        let subject = facets.subject(process, action);
        assert_eq!(subject, facets.subject(process, action), "a subject differs between two calls");
        subject
    }
}

impl<M: Model> Observation for Checked<M> {
    fn observe(&self, observer: ObserverId, state: &State, out: &mut Vec<u32>) {
        assert!(observer.index() < self.signature().observers.len(), "an undeclared observer");
        let (facets, first) = (self.model.facets(), out.len());
        facets.observe(observer, state, out);
        let mut again = Vec::new();
        facets.observe(observer, state, &mut again);
        assert_eq!(out[first..], again[..], "an observation differs between two calls");
    }
}
