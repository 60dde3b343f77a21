//! Chains: a model whose steps run on through states that have nothing to choose, so that these are not stored.
//!
//! A state is run through if it has exactly one step, which is certain and changes no atom of the claims, or if one such step
//! is an ample part of its steps (see `ample`). To a claim that cannot tell how often a state is repeated (`stutter`) it is the
//! same as the state after it. States without steps stay, and so do initial states and one state of every loop that is never left: the
//! chain from there leads back to it, so that a search sees the loop.

use std::collections::BTreeSet;
use std::hash::BuildHasher;
use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering};

use motet_evidence::Taken;
use motet_model::{ActionId, AtomId, Facets, Fault, Independence, Model, Ratio, Signature, State, Steps};

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::checking::settings::Reduce;

mod unfold;

/// One state in 2^12 is kept whatever it is, so that no chain goes on for ever. Which ones does not depend on where a chain began.
const MILESTONE_BITS: u32 = 12;

/// Which states are run through.
#[derive(Clone, Debug)]
pub(crate) struct Links {
    /// What the steps of a chain do not change.
    pub(crate) visible: Vec<AtomId>,
    /// Whether a part of the steps may be enough.
    pub(crate) partial_order: Reduce,
}

/// The same model with longer steps. Their ordinals are those of the model.
pub(crate) struct Chained<'m, M: ?Sized = dyn Model + 'm> {
    model: &'m M,
    links: Links,
    /// What the model knows of independent steps, if a part of the steps may be enough.
    independence: Option<&'m dyn Independence>,
    /// The search begins there, so they are kept.
    initial: Vec<Box<State>>,
    saved: AtomicU64,
    /// The actions of the steps inside chains.
    inside: RwLock<BTreeSet<ActionId>>,
}

impl<'m, M: Model + ?Sized> Chained<'m, M> {
    pub(crate) fn new(model: &'m M, links: Links) -> Self {
        let mut initial = Vec::new();
        model.initial(&mut initial);
        initial.sort_unstable();
        let used = links.partial_order == Reduce::Yes;
        let independence = model.facets().independence.filter(|_| used);
        Self { model, links, independence, initial, saved: AtomicU64::new(0), inside: RwLock::default() }
    }

    /// How often a state was run through.
    pub(crate) fn saved(&self) -> u64 {
        self.saved.load(Ordering::Relaxed)
    }

    pub(crate) fn into_links(self) -> Links {
        self.links
    }

    /// Adds the actions of the steps inside chains to the actions that were taken, in order.
    pub(crate) fn add_actions(&self, actions: &mut Vec<ActionId>) {
        let inside = self.inside.read().expect("no thread panics while it notes an action");
        actions.extend(inside.iter());
        actions.sort_unstable();
        actions.dedup();
    }

    /// The steps of a state. A target that is `known` to the search ends its chain: what the search keeps is no link, so that
    /// the model is not asked again for each step that leads there. `ends` remembers where chains lead that began elsewhere.
    pub(crate) fn steps_unless(
        &self,
        known: impl Fn(&State) -> bool,
        ends: &mut Ends,
        state: &State,
        out: &mut Steps,
    ) -> Result<(), Fault> {
        for step in self.steps_of(state)?.iter() {
            for target in step.branches().map(|branch| branch.target) {
                if !ends.0.contains_key(target) && !known(target) {
                    ends.0.insert(target.into(), self.end_of(target));
                }
            }
            let end = |target| ends.0.get(target).map_or(target, Vec::as_slice);
            let branches = step.branches().map(|branch| (branch.chance, end(branch.target)));
            out.push_random(step.process, step.action, step.delay, branches);
        }
        Ok(())
    }

    fn steps_of(&self, state: &State) -> Result<Steps, Fault> {
        let mut steps = Steps::new(state.len());
        self.model.steps(state, &mut steps).map(|()| steps)
    }

    /// The step with which a chain goes on from a state, and where it leads; `None` if the state is kept.
    fn link(&self, state: &State) -> Option<(Taken, Vec<u32>)> {
        if is_milestone(state) || self.initial.binary_search_by(|initial| (**initial).cmp(state)).is_ok() {
            return None;
        }
        let steps = self.steps_of(state).ok()?;
        let ordinal = match (steps.len(), self.independence) {
            (1, _) => 0,
            (0, _) | (_, None) => return None,
            (_, Some(independence)) => {
                let mut part = Vec::new();
                independence.ample(&self.links.visible, state, &steps, &mut part);
                if let [ordinal] = part[..] { ordinal } else { return None }
            }
        };
        let step = steps.get(ordinal as usize)?;
        let mut branches = step.branches();
        let target =
            branches.next().filter(|branch| branch.chance == Ratio::ONE && branches.len() == 0)?.target;
        let same = |&atom: &AtomId| self.model.holds(atom, state) == self.model.holds(atom, target);
        let taken =
            Taken { ordinal, branch: 0, process: step.process, action: step.action, delay: step.delay };
        self.links.visible.iter().all(same).then(|| (taken, target.to_vec()))
    }

    /// The end of the chain from a state on. A loop (Brent 1980) ends in its least state.
    fn end_of(&self, state: &State) -> Vec<u32> {
        let mut here = state.to_vec();
        let (mut mark, mut until_mark, mut power) = (here.clone(), 0, 1);
        while let Some((taken, next)) = self.link(&here) {
            self.note(taken.action);
            if next == mark {
                return self.least_on_loop(next);
            }
            here = next;
            until_mark += 1;
            if until_mark == power {
                mark.clone_from(&here);
                (until_mark, power) = (0, 2 * power);
            }
        }
        here
    }

    fn least_on_loop(&self, start: Vec<u32>) -> Vec<u32> {
        let mut least = start.clone();
        let mut here = start.clone();
        while let Some((_, next)) = self.link(&here).filter(|(_, next)| *next != start) {
            here = next;
            if here < least {
                least.clone_from(&here);
            }
        }
        least
    }

    fn note(&self, action: ActionId) {
        self.saved.fetch_add(1, Ordering::Relaxed);
        let is_known = |inside: &BTreeSet<ActionId>| inside.contains(&action);
        if !is_known(&self.inside.read().expect("no thread panics while it notes an action")) {
            self.inside.write().expect("no thread panics while it notes an action").insert(action);
        }
    }
}

/// Where chains end, by where they begin.
#[derive(Default)]
pub(crate) struct Ends(FxHashMap<Box<State>, Vec<u32>>);

impl Ends {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

fn is_milestone(state: &State) -> bool {
    FxBuildHasher.hash_one(state).leading_zeros() >= MILESTONE_BITS
}

impl<M: Model + ?Sized> Model for Chained<'_, M> {
    fn signature(&self) -> &Signature {
        self.model.signature()
    }

    fn initial(&self, out: &mut Vec<Box<State>>) {
        self.model.initial(out);
    }

    fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
        self.steps_unless(|_| false, &mut Ends::default(), state, out)
    }

    fn holds(&self, atom: AtomId, state: &State) -> bool {
        self.model.holds(atom, state)
    }

    fn facets(&self) -> Facets<'_> {
        let independence: Option<&dyn Independence> =
            if self.independence.is_some() { Some(self) } else { None };
        Facets { independence, ..self.model.facets().of_single_steps() }
    }
}

/// A step of a chain is the model's step and then others that nobody minds.
impl<M: Model + ?Sized> Independence for Chained<'_, M> {
    fn ample(&self, visible: &[AtomId], state: &State, steps: &Steps, out: &mut Vec<u32>) {
        match (self.independence, self.steps_of(state)) {
            (Some(independence), Ok(own)) => independence.ample(visible, state, &own, out),
            _ => out.extend(0..u32::try_from(steps.len()).expect("a state has fewer than 2^32 steps")),
        }
    }
}
