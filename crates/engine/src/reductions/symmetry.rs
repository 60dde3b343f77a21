//! Symmetry: of all states that differ only in which member of a kind is which, one is explored.
//!
//! Members of a kind that change places throughout a run make a run again ([`Symmetry`]), so a state and its images are
//! bisimilar as long as no claim tells the members apart (Emerson and Sistla 1996; Clarke, Enders, Filkorn and Jha 1996).
//! `claims` finds those that no claim tells apart, [`Quotient`] is the model in which they stand in the order of their
//! portraits, and `unfold` makes runs of the model of its runs. The order need not be perfect: any image of a state may stand
//! for it, and where two do, more is explored than needed.

mod claims;
mod unfold;

use motet_model::{
    ActionId, AtomId, Facets, Fault, Model, Obstacle, ProcessId, Ratio, Signature, State, Steps, Symmetry,
};
use motet_property::Claim;
use rustc_hash::{FxHashMap, FxHashSet};

use motet_evidence::Fairness;

/// Members of a kind that nothing tells apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The number of the kind, in the order of [`Symmetry::kinds`].
    pub kind: usize,
    /// The name of the kind.
    pub name: String,
    /// The members by their numbers in the kind, in order; at least two.
    pub members: Vec<usize>,
    /// The members by their names.
    pub names: Vec<String>,
    /// What changes places with each of them.
    pub with: Vec<String>,
}

/// A model in which interchangeable members stand in a fixed order.
pub struct Quotient<'m> {
    model: &'m dyn Model,
    symmetry: &'m dyn Symmetry,
    groups: Vec<Group>,
    obstacles: Vec<Obstacle>,
}

impl<'m> Quotient<'m> {
    /// The quotient by all members of the wanted kinds that these claims do not tell apart. `None` if the model knows of no
    /// symmetry. It may have no [`Quotient::groups`], and is the model itself then.
    #[must_use]
    pub fn of(
        model: &'m dyn Model,
        claims: &[Claim<AtomId>],
        fairness: Fairness,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Option<Self> {
        let symmetry = model.facets().symmetry?;
        let mut obstacles: Vec<Obstacle> =
            symmetry.obstacles().iter().filter(|obstacle| wanted(&obstacle.name)).cloned().collect();
        let mut groups = Vec::new();
        for kind in 0..symmetry.kinds().len() {
            if wanted(&symmetry.kinds()[kind].name) {
                claims::groups(model, symmetry, kind, claims, fairness, &mut groups, &mut obstacles);
            }
        }
        Some(Self { model, symmetry, groups, obstacles })
    }

    /// Who is interchangeable.
    #[must_use]
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Who is not, although it looks so, and why.
    #[must_use]
    pub fn obstacles(&self) -> &[Obstacle] {
        &self.obstacles
    }

    /// Puts the members in order.
    fn settle(&self, state: &mut Vec<u32>, scratch: &mut Scratch) {
        for group in &self.groups {
            if !self.symmetry.is_settled(group.kind, state) {
                continue;
            }
            scratch.words.clear();
            scratch.ends.clear();
            let Scratch { words, ends, .. } = scratch;
            self.symmetry.portraits(group.kind, &group.members, state, words, ends);
            let portrait = |at: usize| {
                let first = at.checked_sub(1).map_or(0, |before| scratch.ends[before]);
                &scratch.words[first..scratch.ends[at]]
            };
            let count = group.members.len();
            if (1..count).all(|at| portrait(at - 1) <= portrait(at)) {
                continue;
            }
            scratch.order.clear();
            scratch.order.extend(0..count);
            scratch.order.sort_by(|&one, &two| portrait(one).cmp(portrait(two)));
            scratch.from.clear();
            scratch.from.extend(0..self.symmetry.kinds()[group.kind].members.len());
            for (&member, &other) in group.members.iter().zip(&scratch.order) {
                scratch.from[member] = group.members[other];
            }
            self.symmetry.permute(group.kind, &scratch.from, state);
        }
    }

    /// The state that stands for this one.
    fn settled(&self, state: &State, scratch: &mut Scratch) -> Vec<u32> {
        let mut settled = state.to_vec();
        self.settle(&mut settled, scratch);
        settled
    }
}

/// Memory of the ordering, used again and again.
#[derive(Default)]
struct Scratch {
    words: Vec<u32>,
    ends: Vec<usize>,
    order: Vec<usize>,
    from: Vec<usize>,
}

/// The steps of one state with their targets in order, each once.
#[derive(Default)]
struct Gathered {
    /// Certain steps that were seen.
    seen: FxHashSet<(ProcessId, ActionId, u32, Vec<u32>)>,
    /// The branches of one step.
    branches: Vec<(Ratio, Vec<u32>)>,
    numbers: FxHashMap<Vec<u32>, usize>,
}

impl Gathered {
    /// Takes in a branch: equal targets of one step are one branch, unless their chance does not fit.
    fn add(&mut self, chance: Ratio, target: Vec<u32>) {
        if let Some(&at) = self.numbers.get(&target)
            && let Some(both) = self.branches[at].0.checked_add(chance)
        {
            self.branches[at].0 = both;
            return;
        }
        self.numbers.insert(target.clone(), self.branches.len());
        self.branches.push((chance, target));
    }
}

impl Model for Quotient<'_> {
    fn signature(&self) -> &Signature {
        self.model.signature()
    }

    fn initial(&self, out: &mut Vec<Box<State>>) {
        let first = out.len();
        self.model.initial(out);
        let mut scratch = Scratch::default();
        for state in &mut out[first..] {
            *state = self.settled(state, &mut scratch).into_boxed_slice();
        }
    }

    fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
        let mut steps = Steps::new(state.len());
        self.model.steps(state, &mut steps)?;
        let (mut scratch, mut gathered) = (Scratch::default(), Gathered::default());
        let mut target = Vec::with_capacity(state.len());
        for step in steps.iter() {
            gathered.branches.clear();
            gathered.numbers.clear();
            let branches = step.branches();
            if branches.len() == 1 {
                let branch = branches.into_iter().next().expect("there is one");
                target.clear();
                target.extend_from_slice(branch.target);
                self.settle(&mut target, &mut scratch);
                // Steps of members that changed places are one: nobody can tell who took it.
                let head = (step.process, step.action, step.delay, std::mem::take(&mut target));
                if gathered.seen.contains(&head) {
                    target = head.3;
                    continue;
                }
                out.push_random(step.process, step.action, step.delay, [(branch.chance, head.3.as_slice())]);
                gathered.seen.insert(head);
                continue;
            }
            for branch in branches.filter(|branch| !branch.chance.is_zero()) {
                gathered.add(branch.chance, self.settled(branch.target, &mut scratch));
            }
            let branches = gathered.branches.iter().map(|(chance, target)| (*chance, target.as_slice()));
            out.push_random(step.process, step.action, step.delay, branches);
        }
        Ok(())
    }

    fn holds(&self, atom: AtomId, state: &State) -> bool {
        self.model.holds(atom, state)
    }

    fn facets(&self) -> Facets<'_> {
        self.model.facets().of_single_steps()
    }
}

impl std::fmt::Debug for Quotient<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Quotient").field("groups", &self.groups).finish_non_exhaustive()
    }
}
