//! Place/transition nets: black tokens only. What PNML calls a `ptnet`, what a coloured net unfolds to, and the skeleton of
//! any net.
//!
//! [`draft`] makes a model of a net that claims can speak of; [`invariants`] and [`siphons`] say what its structure alone
//! proves.

mod atoms;
mod codes;
pub mod invariants;
mod lexicon;
mod promela;
mod review;
mod semantics;
pub mod siphons;
mod slice;
mod stubborn;
mod sum;
mod system;
mod words;

pub use codes::CODES;
pub use lexicon::BY_ID;
pub use semantics::Semantics;
pub use system::{Origins, draft};

/// A place/transition net.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainNet {
    /// What it is called.
    pub name: String,
    /// Its places.
    pub places: Vec<PlainPlace>,
    /// Its transitions.
    pub transitions: Vec<PlainTransition>,
    /// Families of places that claims and reports may name: a coloured place with all that it was unfolded to.
    pub place_families: Vec<Family>,
    /// Families of transitions: a coloured transition with its modes.
    pub transition_families: Vec<Family>,
}

/// A place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainPlace {
    /// What it is called: `Think`, or `Think(1)` after unfolding.
    pub name: String,
    /// Its tokens at the start.
    pub initial: u32,
    /// The most tokens it takes; a transition that would add more is not enabled.
    pub capacity: Option<u32>,
}

/// A transition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainTransition {
    /// What it is called: `take`, or `take(x=1)` after unfolding.
    pub name: String,
    /// Places and how many tokens are consumed; each place once, in order.
    pub inputs: Vec<Arc>,
    /// Places that must hold so many tokens, which stay.
    pub reads: Vec<Arc>,
    /// Places that must hold fewer tokens than this.
    pub inhibitors: Vec<Arc>,
    /// Places and how many tokens are produced; each place once, in order.
    pub outputs: Vec<Arc>,
}

/// An arc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arc {
    /// Index of the place.
    pub place: usize,
    /// How many tokens; at least 1.
    pub weight: u32,
}

/// Several that share a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// The name.
    pub name: String,
    /// Indices of the members.
    pub members: Vec<usize>,
    /// What the name is in the file, where its members are shown by another one.
    pub word: Option<Word>,
}

/// What a word of a file is to the element that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// The name for people.
    Name,
    /// The id, by which the file itself refers to it.
    Id,
}

impl PlainNet {
    /// A net of this name without places and transitions.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// The marking at the start.
    #[must_use]
    pub fn initial(&self) -> Vec<u32> {
        self.places.iter().map(|place| place.initial).collect()
    }
}

/// Arcs as a transition keeps them: each place once, in order, without empty ones. `None` if the tokens of a place are too
/// many to count.
#[must_use]
pub fn merged(arcs: impl IntoIterator<Item = Arc>) -> Option<Vec<Arc>> {
    let mut arcs: Vec<Arc> = arcs.into_iter().filter(|arc| arc.weight > 0).collect();
    arcs.sort_unstable();
    let mut all: Vec<Arc> = Vec::with_capacity(arcs.len());
    for arc in arcs {
        match all.last_mut() {
            Some(last) if last.place == arc.place => last.weight = last.weight.checked_add(arc.weight)?,
            _ => all.push(arc),
        }
    }
    Some(all)
}
