//! A layer that exists to catch front-ends that break their promises. Every front-end's tests run inside it.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::contract::{ample_part, beginnings, images};
use crate::{
    ActionId, AtomId, Facets, Fault, Model, Observation, ObserverId, ProcessId, Ratio, Signature, State,
    Steps, SubjectId, Subjects,
};

/// The facets of this many states are checked, and of one in [`ONE_IN`] after that, so that small models are checked whole.
const STATES: usize = 200;
/// Of a larger model.
const ONE_IN: usize = 50;
/// How many states that others reach are looked at behind an ample part.
const OTHERS: usize = 12;

/// The same model, with the promises of [`Model`] checked at every call, and those of its symmetry and its independence at the states whose
/// steps are asked for.
#[derive(Debug)]
pub struct Checked<M> {
    model: M,
    asked: AtomicUsize,
}

impl<M: Model> Checked<M> {
    /// Checks this model.
    #[must_use]
    pub fn new(model: M) -> Self {
        Self { model, asked: AtomicUsize::new(0) }
    }

    /// The model that is checked.
    pub fn inner(&self) -> &M {
        &self.model
    }

    /// Holds what is known of several steps at once against a state.
    fn check_facets(&self, state: &State) {
        let facets = self.model.facets();
        if facets.symmetry.is_none() && facets.independence.is_none() {
            return;
        }
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        if asked >= STATES && !asked.is_multiple_of(ONE_IN) {
            return;
        }
        images(&self.model, state).unwrap_or_else(|broken| panic!("a symmetry is none: {broken}"));
        let atoms: Vec<AtomId> = (0..).map(AtomId).take(self.signature().atoms.len()).collect();
        // What claims see: nothing, everything, or one of a few atoms.
        let single = atoms.chunks(1).take(if atoms.len() > 1 { 4 } else { 0 });
        for visible in [&[][..], &atoms].into_iter().chain(single) {
            if let Some(Err(broken)) = ample_part(&self.model, visible, state, OTHERS) {
                panic!("an ample part is not: {broken}\nfor a claim that sees {visible:?}");
            }
        }
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
        beginnings(&self.model).unwrap_or_else(|broken| panic!("a symmetry is none: {broken}"));
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
        if result.is_ok() {
            self.check_facets(state);
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
