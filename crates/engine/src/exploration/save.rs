//! Explorations that survive the process: a log of states and steps, in the order in which they were found.
//!
//! The log is appended to now and then and never changed, so that saving costs as much as there is new. A state is told by
//! what differs from its parent. See `docs/adr` for why nothing of it depends on the numbers of one process.

mod frames;
mod numbering;
mod read;
mod saving;
mod write;

use std::io::{self, Read};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use motet_model::{Model, Ratio};

use crate::exploration::graph::{Graph, Rows};
use crate::storage::store::{Arena, Store};

pub use frames::{Damage, verify};
use numbering::Numbering;
pub(crate) use saving::Saving;

/// The form of a log. It grows when older logs cannot be read any more.
const VERSION: u64 = 1;

/// At the end of everything that is appended together.
const END: u64 = 0x4D;

/// Bits that make one number: four bytes in a frame.
const BITS_TOGETHER: u32 = 28;

/// Every so many states the model is asked again when a log is read, whether it still says the same.
const PROBE_EVERY: u32 = 1024;

/// Where logs are kept: the host's side of a checkpoint.
pub trait Keeper: Send {
    /// Says which search is next. `Some` is its log so far, if it is to be continued.
    ///
    /// # Errors
    /// The log is there and cannot be read.
    fn open(&mut self, search: &str) -> io::Result<Option<Box<dyn Read>>>;

    /// Appends to the log of the search that was opened last. What is appended counts when it is committed.
    ///
    /// # Errors
    /// The disk is full, or will not take it.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Everything appended so far is to outlive the process and the machine's power.
    ///
    /// # Errors
    /// The disk is full, or will not take it.
    fn commit(&mut self, states: u64) -> io::Result<()>;

    /// Is told that the log cannot be continued. The search ends at once, and nothing is appended.
    fn refuse(&mut self, damage: Damage);

    /// Is told that nothing more will be appended to this log, and why.
    fn abandon(&mut self, why: &str);
}

/// Whether and how a search is kept.
#[derive(Clone)]
pub struct Keeping {
    /// Where.
    pub keeper: Arc<Mutex<dyn Keeper>>,
    /// How often.
    pub every: Duration,
    /// Tells this search from every other: it depends on the model, the claims and the settings.
    pub search: String,
}

impl std::fmt::Debug for Keeping {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keeping")
            .field("every", &self.every)
            .field("search", &self.search)
            .finish_non_exhaustive()
    }
}

/// How far a breadth-first search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Position {
    /// States that are expanded.
    pub(crate) expanded: u32,
    /// How deep the state is that was expanded last.
    pub(crate) depth: u64,
    /// The first state that is deeper.
    pub(crate) level_end: u32,
}

/// What whoever appends to a log or reads it has to remember.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// What a log and a graph have to have in common.
    form: Vec<u64>,
    /// Whether its beginning is written.
    begun: bool,
    slots: Vec<Numbering>,
    subjects: Numbering,
    /// How many states, expansions and choices are in it.
    states: u32,
    expanded: u32,
    choices: u64,
    /// The parent of the last state.
    parent: u32,
    n_atoms: usize,
    /// Per reward, and for chances: how many fractions are in it.
    earned: Vec<usize>,
    chances: usize,
    /// The chances that were read.
    ratios: Vec<Ratio>,
}

impl Log {
    /// A log of which nothing is written, for a graph that holds the initial states and nothing else. These need not be
    /// written: the model says them again, in the same order.
    pub(crate) fn new<M: Model + ?Sized>(model: &M, (graph, store): (&Graph, &Arena)) -> Self {
        let mut slots: Vec<Numbering> =
            model.signature().slots.iter().map(|_| Numbering::default()).collect();
        let states = graph.initial.iter().max().map_or(0, |last| last + 1);
        let mut state = Vec::new();
        for number in 0..states {
            store.load(number, &mut state);
            slots.iter_mut().zip(&state).for_each(|(slot, &value)| {
                slot.number(value);
            });
        }
        Self {
            form: form_of(model, graph),
            slots,
            states,
            n_atoms: graph.atoms.len(),
            earned: vec![0; graph.earnings.len()],
            ..Self::default()
        }
    }
}

/// What a log and a graph have to have in common.
fn form_of<M: Model + ?Sized>(model: &M, graph: &Graph) -> Vec<u64> {
    let rows = graph.rows.as_ref();
    let kept = [
        rows.is_some(),
        rows.is_some_and(Rows::has_delays),
        rows.is_some_and(|rows| rows.outcomes().is_some()),
    ];
    let mut form =
        vec![model.signature().slots.len() as u64, graph.atoms.len() as u64, graph.initial.len() as u64];
    form.extend(kept.map(u64::from));
    form.push(graph.earnings.len() as u64);
    form.extend(graph.earnings.iter().map(|earned| u64::from(earned.reward.0)));
    form
}
