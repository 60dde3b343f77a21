//! The graph of a model and the automaton of a formula, walked in step. Nothing is built: a node is a pair of numbers.

use std::collections::HashMap;

use motet_evidence::Stop;
use motet_model::SubjectId;

use crate::exploration::graph::{Graph, Rows};
use crate::formulas::valuation::{column, inside, mentions_deadlock};
use crate::linear_time::automata::{Automaton, Label};
use crate::storage::bits::Bits;
use crate::storage::chunks::Chunks;

/// A state of the automaton.
pub(crate) type Mode = u32;

/// The highest bit of a place's number is left to the search.
const PLACES_MAX: u32 = 1 << 31;

/// A pair of a mode and a state, packed into one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place(pub(crate) u32);

/// A transition of the automaton with its label looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arc {
    label: u32,
    pub(crate) sets: u32,
    pub(crate) target: Mode,
}

/// Where one can go from a state of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moves {
    /// Along the edges with these numbers.
    Edges { from: u32, to: u32 },
    /// Nowhere: the run repeats this state for ever.
    Stutter,
}

impl Moves {
    /// The first edge, and how many moves there are. A stutter is one move.
    pub(crate) fn span(self) -> (u32, u32) {
        match self {
            Self::Edges { from, to } => (from, to - from),
            Self::Stutter => (STUTTER, 1),
        }
    }
}

/// Stands for the edge from a deadlock to itself.
const STUTTER: u32 = u32::MAX;

pub(crate) struct Product<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) rows: &'a Rows,
    pub(crate) automaton: &'a Automaton,
    /// Per mode.
    pub(crate) arcs: Vec<Vec<Arc>>,
    /// Per distinct label: the states that satisfy it.
    labels: Vec<Bits>,
    n_states: u32,
    home: Option<Home<'a>>,
}

/// The graph of the model behind a graph that was made from it. Who can move is a matter of the model's states.
#[derive(Clone, Copy)]
pub(crate) struct Home<'a> {
    pub(crate) rows: &'a Rows,
    /// Per state: the state of the model.
    pub(crate) states: &'a Chunks<u32>,
}

impl<'a> Product<'a> {
    /// A product over a graph that was made from another one.
    pub(crate) fn over(graph: &'a Graph, automaton: &'a Automaton, home: Home<'a>) -> Result<Self, Stop> {
        Ok(Self { home: Some(home), ..Self::new(graph, automaton)? })
    }

    /// `Err` if there would be too many places to number.
    pub(crate) fn new(graph: &'a Graph, automaton: &'a Automaton) -> Result<Self, Stop> {
        let propositions: Vec<Bits> = automaton.propositions.iter().map(|p| column(graph, p)).collect();
        Self::with_propositions(graph, automaton, &propositions)
    }

    /// The same, where the states of each proposition of the automaton were found already.
    pub(crate) fn with_propositions(
        graph: &'a Graph,
        automaton: &'a Automaton,
        propositions: &[Bits],
    ) -> Result<Self, Stop> {
        let rows = graph.rows.as_ref().expect("claims about whole runs are checked on a graph with edges");
        let n_states = u32::try_from(graph.n_states()).map_err(|_| Stop::Memory)?;
        let n_modes = u32::try_from(automaton.transitions.len()).map_err(|_| Stop::Memory)?;
        n_states.checked_mul(n_modes).filter(|&places| places < PLACES_MAX).ok_or(Stop::Memory)?;
        let mut product =
            Self { graph, rows, automaton, arcs: Vec::new(), labels: Vec::new(), n_states, home: None };
        let mut numbers: HashMap<Label, u32> = HashMap::new();
        for transitions in &automaton.transitions {
            let mut arcs = Vec::new();
            for transition in transitions {
                let label = *numbers.entry(transition.label).or_insert_with(|| {
                    product.labels.push(product.label(transition.label, propositions));
                    u32::try_from(product.labels.len() - 1).expect("fewer labels than transitions")
                });
                arcs.push(Arc { label, sets: transition.sets, target: transition.target });
            }
            product.arcs.push(arcs);
        }
        Ok(product)
    }

    /// The states that satisfy a label. Where a label speaks of deadlock, only states whose steps are known count.
    fn label(&self, label: Label, propositions: &[Bits]) -> Bits {
        let n = self.n_states as usize;
        let literals = label.positive | label.negative;
        let used = || propositions.iter().enumerate().filter(|(i, _)| literals >> i & 1 == 1);
        let cautious = used().any(|(i, _)| mentions_deadlock(&self.automaton.propositions[i]));
        let word = |index: usize| {
            let known = if cautious { self.graph.settled.word(index) } else { u64::MAX };
            used().fold(known & inside(n, index), |word, (i, bits)| {
                let holds = bits.word(index);
                word & if label.positive >> i & 1 == 1 { holds } else { !holds }
            })
        };
        Bits::from_words((0..n.div_ceil(64)).map(word).collect())
    }

    pub(crate) fn n_states(&self) -> u32 {
        self.n_states
    }

    pub(crate) fn n_modes(&self) -> usize {
        self.arcs.len()
    }

    pub(crate) fn place(&self, mode: Mode, state: u32) -> Place {
        Place(mode * self.n_states + state)
    }

    pub(crate) fn mode_and_state(&self, place: Place) -> (Mode, u32) {
        let mode = place.0 / self.n_states;
        (mode, place.0 - mode * self.n_states)
    }

    /// Whether the automaton may take this arc when it reads this state.
    pub(crate) fn admits(&self, arc: Arc, state: u32) -> bool {
        self.labels[arc.label as usize].get(state as usize)
    }

    pub(crate) fn is_sink(&self, mode: Mode) -> bool {
        self.automaton.sink == Some(mode)
    }

    /// The subjects that have a step in a state; some are told several times.
    pub(crate) fn enabled(&self, state: u32) -> impl Iterator<Item = SubjectId> {
        let (rows, state) =
            self.home.map_or((self.rows, state), |home| (home.rows, home.states.get(state as usize)));
        rows.row(state).map(move |edge| rows.subject(edge))
    }

    /// The same, each told once, in order.
    pub(crate) fn enabled_once(&self, state: u32) -> Vec<SubjectId> {
        let mut subjects: Vec<SubjectId> = self.enabled(state).collect();
        subjects.sort_unstable();
        subjects.dedup();
        subjects
    }

    /// Whether a subject has a step in a state.
    pub(crate) fn is_enabled(&self, state: u32, subject: SubjectId) -> bool {
        self.enabled(state).any(|enabled| enabled == subject)
    }

    /// All subjects that have a step somewhere have smaller numbers.
    pub(crate) fn n_subjects(&self) -> u32 {
        self.home.map_or(self.rows, |home| home.rows).n_subjects()
    }

    pub(crate) fn moves(&self, state: u32) -> Moves {
        let row = self.rows.row(state);
        if row.is_empty() && self.graph.deadlocks.get(state as usize) {
            return Moves::Stutter;
        }
        Moves::Edges { from: row.start, to: row.end }
    }

    /// Where move number `number` of a state leads, given the first edge of [`Moves::span`].
    pub(crate) fn target(&self, state: u32, from: u32, number: u32) -> u32 {
        if from == STUTTER { state } else { self.rows.target(from + number) }
    }

    /// Calls `visit` for every successor of a state of the model: to whom the move is fair, and where it leads.
    pub(crate) fn for_each_move(&self, state: u32, mut visit: impl FnMut(Option<SubjectId>, u32)) {
        match self.moves(state) {
            Moves::Stutter => visit(None, state),
            Moves::Edges { from, to } => {
                (from..to).for_each(|edge| visit(Some(self.rows.subject(edge)), self.rows.target(edge)));
            }
        }
    }

    /// Calls `visit` for every successor of a place: the arc of the automaton, to whom the move is fair, and the state it leads to. Arcs
    /// into the sink are left out.
    pub(crate) fn for_each_successor(
        &self,
        place: Place,
        mut visit: impl FnMut(Arc, Option<SubjectId>, u32),
    ) {
        let (mode, state) = self.mode_and_state(place);
        for &arc in &self.arcs[mode as usize] {
            if !self.is_sink(arc.target) && self.admits(arc, state) {
                self.for_each_move(state, |subject, target| visit(arc, subject, target));
            }
        }
    }

    /// Whether everything the formula demands is met once this place is read.
    pub(crate) fn is_settled(&self, place: Place) -> bool {
        let (mode, state) = self.mode_and_state(place);
        self.is_sink(mode)
            || self.arcs[mode as usize].iter().any(|&arc| self.is_sink(arc.target) && self.admits(arc, state))
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.graph.bytes() + self.labels.iter().map(Bits::bytes).sum::<u64>()
    }
}
