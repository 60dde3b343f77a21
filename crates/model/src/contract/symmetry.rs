//! The contract of [`crate::Symmetry`], held against a state by the definition: who changes places takes everything along, and what the
//! state does afterwards is the image of what it did before.

use std::collections::{BTreeMap, BTreeSet};

use crate::{AtomId, Facets, Fault, Model, Ratio, RewardId, State, Steps, SubjectId, Symmetry};

/// Instants of models that stop within them are followed so far.
const MOMENTS: usize = 400;

/// Holds a state against its images: for each kind, two neighbours change places, and all move on by one.
///
/// # Errors
/// What is broken, and where.
pub fn images(model: &dyn Model, state: &State) -> Result<(), String> {
    let Some(symmetry) = model.facets().symmetry else { return Ok(()) };
    for (kind, text) in symmetry.kinds().iter().enumerate() {
        let count = text.members.len();
        if count < 2 {
            return Err(format!("the kind {} has one member", text.name));
        }
        if !symmetry.is_settled(kind, state) {
            continue;
        }
        let same: Vec<usize> = (0..count).collect();
        // Neighbours make all orders; a few of them are enough where there are many.
        for at in 0..(count - 1).min(3) {
            let mut from = same.clone();
            from.swap(at, at + 1);
            let image = Image::new(model, symmetry, (kind, &from), state);
            let checked = image.is_like().and_then(|()| image.has_atoms((at, at + 1)));
            checked.map_err(|broken| {
                format!("{broken}\nwhen {from:?} of {} change places in {state:?}", text.name)
            })?;
        }
        if count > 2 {
            let mut from = same;
            from.rotate_left(1);
            let checked = Image::new(model, symmetry, (kind, &from), state).is_like();
            checked.map_err(|broken| {
                format!("{broken}\nwhen {from:?} of {} change places in {state:?}", text.name)
            })?;
        }
    }
    Ok(())
}

/// Whether a model begins as before once neighbours of a kind have changed places.
///
/// # Errors
/// Who changed places.
pub fn beginnings(model: &dyn Model) -> Result<(), String> {
    let Some(symmetry) = model.facets().symmetry else { return Ok(()) };
    let mut states = Vec::new();
    model.initial(&mut states);
    let states: BTreeSet<Vec<u32>> = states.into_iter().map(Vec::from).collect();
    for (kind, text) in symmetry.kinds().iter().enumerate() {
        if !states.iter().all(|state| symmetry.is_settled(kind, state)) {
            continue;
        }
        for at in 1..text.members.len() {
            let mut from: Vec<usize> = (0..text.members.len()).collect();
            from.swap(at - 1, at);
            let mut images = BTreeSet::new();
            for state in &states {
                let mut image = state.clone();
                symmetry.permute(kind, &from, &mut image);
                images.insert(image);
            }
            if images != states {
                return Err(format!(
                    "the model begins otherwise when {from:?} of {} change places",
                    text.name
                ));
            }
        }
    }
    Ok(())
}

/// A state and what becomes of it when members of a kind change places.
struct Image<'m> {
    model: &'m dyn Model,
    facets: Facets<'m>,
    symmetry: &'m dyn Symmetry,
    kind: usize,
    from: &'m [usize],
    state: &'m State,
    image: Vec<u32>,
}

/// What a step is to somebody who cannot tell members apart: its subject, if that stays the same, how long it takes, what is earned,
/// and where it leads.
type Told = (Option<SubjectId>, u32, Vec<Ratio>, BTreeMap<Vec<u32>, Ratio>);

impl<'m> Image<'m> {
    fn new(
        model: &'m dyn Model,
        symmetry: &'m dyn Symmetry,
        (kind, from): (usize, &'m [usize]),
        state: &'m State,
    ) -> Self {
        let mut image = state.to_vec();
        symmetry.permute(kind, from, &mut image);
        Self { model, facets: model.facets(), symmetry, kind, from, state, image }
    }

    fn changed(&self, state: &State) -> Vec<u32> {
        let mut image = state.to_vec();
        self.symmetry.permute(self.kind, self.from, &mut image);
        image
    }

    /// Whether the image does what the state does, seen from another place.
    fn is_like(&self) -> Result<(), String> {
        let (symmetry, kind) = (self.symmetry, self.kind);
        let mut back = vec![0; self.from.len()];
        self.from.iter().enumerate().for_each(|(to, &from)| back[from] = to);
        let mut again = self.image.clone();
        symmetry.permute(kind, &back, &mut again);
        if *again != *self.state {
            return Err(format!("nobody comes back: {again:?}"));
        }
        if !symmetry.is_settled(kind, &self.image) {
            return Err("the image has other moments".to_owned());
        }
        let portrait = |member: usize, state: &State| {
            let mut portrait = Vec::new();
            symmetry.portrait(kind, member, state, &mut portrait);
            // Within an instant others may be named in the order of the members, which a portrait need not hide: then states
            // stand in one more order than they have to, which is no wrong one.
            if symmetry.repeats() {
                portrait.sort_unstable();
            }
            portrait
        };
        for (to, &from) in self.from.iter().enumerate() {
            let (old, new) = (portrait(from, self.state), portrait(to, &self.image));
            if old != new {
                return Err(format!("who takes a place leaves the portrait behind: {old:?} became {new:?}"));
            }
        }
        for reward in self.kept() {
            let of = |state: &State| self.facets.state_reward(reward, state);
            if of(self.state) != of(&self.image) {
                return Err(format!("the image earns another {reward:?}"));
            }
        }
        if symmetry.repeats() { self.rests_alike() } else { self.steps_alike() }
    }

    /// The rewards that do not tell members apart.
    fn kept(&self) -> impl Iterator<Item = RewardId> {
        let all = (0..).map(RewardId).take(self.model.signature().rewards.len());
        all.filter(|&reward| self.symmetry.keeps_reward(self.kind, reward))
    }

    fn steps_alike(&self) -> Result<(), String> {
        let moved = self.steps(self.state, &|target| self.changed(target));
        let own = self.steps(&self.image, &|target| target.to_vec());
        match (moved, own) {
            (Ok(moved), Ok(own)) if moved != own => {
                Err(format!("the steps have the images\n{moved:?}\nand the image has the steps\n{own:?}"))
            }
            (Ok(_), Err(fault)) | (Err(fault), Ok(_)) => Err(format!("one of them has a fault: {fault}")),
            _ => Ok(()),
        }
    }

    fn steps(&self, state: &State, change: &dyn Fn(&State) -> Vec<u32>) -> Result<BTreeSet<Told>, Fault> {
        let mut steps = Steps::new(state.len());
        self.model.steps(state, &mut steps)?;
        let keeps_subjects = self.symmetry.keeps_subjects(self.kind);
        let told = |step: crate::Step<'_>| {
            let mut targets: BTreeMap<Vec<u32>, Ratio> = BTreeMap::new();
            for branch in step.branches().filter(|branch| !branch.chance.is_zero()) {
                let sum = targets.entry(change(branch.target)).or_insert(Ratio::ZERO);
                *sum = sum.checked_add(branch.chance).unwrap_or(*sum);
            }
            let subject = keeps_subjects.then(|| self.facets.subject(step.process, step.action));
            let earned = self.kept().map(|reward| self.facets.action_reward(reward, state, step.action));
            (subject, step.delay, earned.collect(), targets)
        };
        Ok(steps.iter().map(told).collect())
    }

    /// Runs may pass through the moments of an instant in another order: they come to rest in the same situations.
    fn rests_alike(&self) -> Result<(), String> {
        let (Some(here), Some(there)) = (self.rests(self.state), self.rests(&self.image)) else {
            return Ok(());
        };
        let moved: BTreeSet<_> =
            here.iter().map(|(delay, rest)| (*delay, self.changed(rest).into_boxed_slice())).collect();
        if moved == there {
            return Ok(());
        }
        Err(format!("it comes to rest in\n{here:?}\nand its image in\n{there:?}"))
    }

    /// How long it takes until time next passes, and the situations in which it can pass again after that. `None` where there are too
    /// many, or somebody is between two situations there.
    fn rests(&self, state: &State) -> Option<BTreeSet<(u32, Box<State>)>> {
        let mut steps = Steps::new(state.len());
        let mut open: Vec<(Option<u32>, Box<State>)> = vec![(None, state.into())];
        let mut seen: BTreeSet<(Option<u32>, Box<State>)> = BTreeSet::new();
        let mut rests = BTreeSet::new();
        while let Some((come, here)) = open.pop() {
            if !seen.insert((come, here.clone())) {
                continue;
            }
            steps.clear();
            self.model.steps(&here, &mut steps).ok()?;
            if seen.len() > MOMENTS {
                return None;
            }
            if let Some(come) = come
                && steps.iter().all(|step| step.delay > 0)
            {
                if !self.symmetry.is_settled(self.kind, &here) {
                    return None;
                }
                rests.insert((come, here));
                continue;
            }
            for step in steps.iter() {
                for branch in step.branches().filter(|branch| !branch.chance.is_zero()) {
                    let delay = come.or((step.delay > 0).then_some(step.delay));
                    open.push((delay, branch.target.into()));
                }
            }
        }
        Some(rests)
    }

    /// Whether atoms and their images go together.
    fn has_atoms(&self, swapped: (usize, usize)) -> Result<(), String> {
        for atom in (0..).map(AtomId).take(self.model.signature().atoms.len()) {
            if let Some(other) = self.symmetry.image(self.kind, swapped, atom)
                && self.model.holds(atom, self.state) != self.model.holds(other, &self.image)
            {
                let name = |atom: AtomId| &self.model.signature().atoms[atom.index()];
                return Err(format!("{} is not what {} was", name(other), name(atom)));
            }
        }
        Ok(())
    }
}
