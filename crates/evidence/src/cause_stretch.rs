//! Causes gathered: how long a fact that matters has been so, and which step made it so.

use motet_model::{AtomId, Model};
use motet_property::Formula;

use crate::{Cause, Evidence};

/// A fact that matters, with the stretch of the run in which it does not change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// What: see [`Cause::fact`].
    pub fact: Formula<AtomId>,
    /// Whether it holds.
    pub value: bool,
    /// The state from which on it is so. The step before it made it so; 0 is the start.
    pub from: usize,
    /// The first state in which it is no longer so; `None` if it stays so for ever, or as far as the run is known.
    pub to: Option<usize>,
    /// The states in which it matters: the first and the last of this stretch.
    pub matters: (usize, usize),
    /// Whether it comes back again and again, because it lies in the part of the run that repeats.
    pub recurs: bool,
}

impl Stretch {
    /// The step that made it so, counted from 0; `None` if it was so at the start.
    #[must_use]
    pub fn made_by(&self) -> Option<usize> {
        self.from.checked_sub(1)
    }
}

/// The causes gathered into stretches, in the order in which they begin. The fewer causes there are, the fewer stretches.
#[must_use]
pub fn stretches(model: &dyn Model, evidence: &Evidence, causes: &[Cause]) -> Vec<Stretch> {
    let mut found: Vec<Stretch> = Vec::new();
    for cause in causes {
        let known = |stretch: &&mut Stretch| {
            let inside = stretch.from <= cause.at && stretch.to.is_none_or(|to| cause.at < to);
            inside && stretch.value == cause.value && stretch.fact == cause.fact
        };
        match found.iter_mut().find(known) {
            Some(stretch) => stretch.matters.1 = stretch.matters.1.max(cause.at),
            None => found.push(stretch(model, evidence, cause, causes)),
        }
    }
    found.sort_by_key(|stretch| stretch.from);
    found
}

fn stretch(model: &dyn Model, evidence: &Evidence, cause: &Cause, causes: &[Cause]) -> Stretch {
    let states = &evidence.run.states;
    let same = |at: usize| match &cause.fact {
        Formula::Atom(atom) => model.holds(*atom, &states[at]) == cause.value,
        // Of anything else it is known only where it matters.
        fact => causes.iter().any(|other| (other.at, &other.fact, other.value) == (at, fact, cause.value)),
    };
    let from = (0..cause.at).rfind(|at| !same(*at)).map_or(0, |before| before + 1);
    let mut to = (cause.at + 1..states.len()).find(|at| !same(*at));
    let start = evidence.loop_start.filter(|start| start + 1 < states.len());
    if let (None, Some(start)) = (to, start)
        && !(start..states.len() - 1).all(same)
    {
        to = Some(states.len());
    }
    let recurs = to.is_some() && start.is_some_and(|start| cause.at >= start);
    Stretch { fact: cause.fact.clone(), value: cause.value, from, to, matters: (cause.at, cause.at), recurs }
}
