//! An exploration is appended to its log: what came since the last time.

use std::io;

use motet_model::{Model, Ratio, Steps};

use super::frames::Writer;
use super::{BITS_TOGETHER, END, Log, PROBE_EVERY, Position, VERSION};
use crate::exploration::graph::{Earned, Graph, NONE, Ratios, Rows};
use crate::storage::bits::Bits;
use crate::storage::store::{Arena, Store};

/// Why a log cannot be continued.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The host could not write it.
    Disk(io::Error),
    /// A state is not among those that the model gives for its parent, so nobody could read the log.
    Unreadable,
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Disk(error)
    }
}

/// Asks a model for the steps of one state after the other.
pub(super) struct Asking<'m, M: ?Sized> {
    pub(super) model: &'m M,
    pub(super) steps: Steps,
    asked: Option<u32>,
}

impl<'m, M: Model + ?Sized> Asking<'m, M> {
    pub(super) fn new(model: &'m M) -> Self {
        Self { model, steps: Steps::new(model.signature().slots.len()), asked: None }
    }

    /// The steps of a state; none where the model cannot say.
    pub(super) fn of(&mut self, number: u32, state: &[u32]) -> &Steps {
        if self.asked != Some(number) {
            self.steps.clear();
            if self.model.steps(state, &mut self.steps).is_err() {
                self.steps.clear();
            }
            self.asked = Some(number);
        }
        &self.steps
    }
}

impl Log {
    /// Appends what came since the last time. The first `position.expanded` states are expanded, and nothing of the next
    /// one is in the graph.
    pub(crate) fn append<M: Model + ?Sized>(
        &mut self,
        model: &M,
        (graph, store): (&Graph, &Arena),
        position: Position,
        out: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> Result<(), Trouble> {
        let mut writer = Writer::new(out);
        let mut asking = Asking::new(model);
        if !self.begun {
            writer.put(VERSION)?;
            self.form.iter().try_for_each(|&number| writer.put(number))?;
            self.begun = true;
        }
        let states = u32::try_from(store.len()).unwrap_or(NONE);
        writer.put(u64::from(states - self.states))?;
        writer.put(u64::from(position.expanded - self.expanded))?;
        for number in
            [position.depth, position.level_end.into(), graph.transitions, graph.choices, graph.depth]
        {
            writer.put(number)?;
        }
        match &graph.fault {
            None => writer.put(0)?,
            Some((state, fault)) => {
                writer.put(u64::from(*state) + 1)?;
                writer.put_text(&fault.message)?;
            }
        }
        self.put_states((graph, store), states, &mut asking, &mut writer)?;
        for column in &graph.columns[..self.n_atoms] {
            put_bits(&mut writer, column, self.states, states)?;
        }
        for bits in [&graph.settled, &graph.deadlocks] {
            put_bits(&mut writer, bits, self.expanded, position.expanded)?;
        }
        for (number, earned) in graph.earnings.iter().enumerate() {
            self.put_earned(number, earned, graph, states, &mut writer)?;
        }
        if let Some(rows) = &graph.rows {
            self.put_rows(store, rows, position.expanded, &mut asking, &mut writer)?;
        }
        self.put_actions(graph, position.expanded, &mut writer)?;
        writer.put(END)?;
        writer.end()?;
        (self.states, self.expanded, self.choices) = (states, position.expanded, graph.choices);
        Ok(())
    }

    fn put_states<M: Model + ?Sized>(
        &mut self,
        (graph, store): (&Graph, &Arena),
        states: u32,
        asking: &mut Asking<'_, M>,
        writer: &mut Writer<'_>,
    ) -> Result<(), Trouble> {
        let (mut before, mut state) = (Vec::new(), Vec::new());
        let mut loaded = NONE;
        for number in self.states..states {
            let parent = graph.parents.get(number as usize);
            if parent != loaded {
                store.load(parent, &mut before);
                loaded = parent;
            }
            store.load(number, &mut state);
            writer.put_near(parent, self.parent)?;
            self.parent = parent;
            let differs = |slot: &usize| before[*slot] != state[*slot];
            writer.put((0..state.len()).filter(differs).count() as u64)?;
            let (mut last, mut fresh) = (0, false);
            for slot in (0..state.len()).filter(differs) {
                let (value, first) = self.slots[slot].number(state[slot]);
                writer.put((slot - last) as u64)?;
                writer.put(value.into())?;
                fresh |= first;
                last = slot;
            }
            if fresh || number.is_multiple_of(PROBE_EVERY) {
                let mut ways = asking.of(parent, &before).iter().enumerate().flat_map(|(ordinal, step)| {
                    step.branches()
                        .enumerate()
                        .map(move |(branch, outcome)| (ordinal, branch, outcome.target))
                });
                let way = ways.find(|(_, _, target)| *target == state.as_slice());
                let (ordinal, branch, _) = way.ok_or(Trouble::Unreadable)?;
                writer.put(ordinal as u64)?;
                writer.put(branch as u64)?;
            }
        }
        Ok(())
    }

    fn put_earned(
        &mut self,
        number: usize,
        earned: &Earned,
        graph: &Graph,
        states: u32,
        writer: &mut Writer<'_>,
    ) -> io::Result<()> {
        put_ratios(writer, &earned.ratios, &mut self.earned[number])?;
        for state in self.states..states {
            writer.put(earned.states.get(state as usize).into())?;
        }
        let index = |choice: u64| usize::try_from(choice).expect("choices are counted in memory");
        for step in index(self.choices)..index(graph.choices) {
            writer.put(earned.steps.get(step).into())?;
        }
        Ok(())
    }

    fn put_rows<M: Model + ?Sized>(
        &mut self,
        store: &Arena,
        rows: &Rows,
        expanded: u32,
        asking: &mut Asking<'_, M>,
        writer: &mut Writer<'_>,
    ) -> Result<(), Trouble> {
        if let Some(outcomes) = rows.outcomes() {
            put_ratios(writer, &outcomes.ratios, &mut self.chances)?;
        }
        for state in self.expanded..expanded {
            if rows.outcomes().is_none() {
                self.put_edges(store, rows, state, rows.row(state), asking, writer)?;
                continue;
            }
            let steps = rows.steps(state);
            writer.put(u64::from(steps.end - steps.start))?;
            for step in steps {
                self.put_edges(store, rows, state, rows.edges(step), asking, writer)?;
            }
        }
        Ok(())
    }

    fn put_edges<M: Model + ?Sized>(
        &mut self,
        store: &Arena,
        rows: &Rows,
        state: u32,
        edges: std::ops::Range<u32>,
        asking: &mut Asking<'_, M>,
        writer: &mut Writer<'_>,
    ) -> Result<(), Trouble> {
        writer.put(u64::from(edges.end - edges.start))?;
        for edge in edges {
            writer.put_near(rows.target(edge), state)?;
            let subject = rows.subject(edge);
            let (number, first) = self.subjects.number(subject.0);
            writer.put(number.into())?;
            if first {
                let mut from = Vec::new();
                store.load(state, &mut from);
                let model = asking.model;
                let mut steps = asking.of(state, &from).iter();
                let ordinal =
                    steps.position(|step| model.facets().subject(step.process, step.action) == subject);
                writer.put(ordinal.ok_or(Trouble::Unreadable)? as u64)?;
            }
            if rows.has_delays() {
                writer.put(rows.delay(edge).into())?;
            }
            if let Some(outcomes) = rows.outcomes() {
                writer.put(outcomes.chance(edge).into())?;
            }
        }
        Ok(())
    }

    /// Where actions were first taken.
    fn put_actions(&mut self, graph: &Graph, expanded: u32, writer: &mut Writer<'_>) -> io::Result<()> {
        let new = |&&(state, _): &&(u32, u32)| (self.expanded..expanded).contains(&state);
        let mut first: Vec<(u32, u32)> = graph.actions.iter().filter(new).copied().collect();
        first.sort_unstable();
        writer.put(first.len() as u64)?;
        for (state, ordinal) in first {
            writer.put(state.into())?;
            writer.put(ordinal.into())?;
        }
        Ok(())
    }
}

fn put_bits(writer: &mut Writer<'_>, bits: &Bits, from: u32, to: u32) -> io::Result<()> {
    for first in (from..to).step_by(BITS_TOGETHER as usize) {
        let word = (first..to.min(first + BITS_TOGETHER)).rev();
        writer.put(word.fold(0, |word, at| word << 1 | u64::from(bits.get(at as usize))))?;
    }
    Ok(())
}

/// The fractions from number `known` on.
fn put_ratios(writer: &mut Writer<'_>, ratios: &Ratios, known: &mut usize) -> io::Result<()> {
    let new: &[Ratio] = &ratios.table()[*known..];
    writer.put(new.len() as u64)?;
    for ratio in new {
        // Nothing is divided by zero, so that a zero there says that the fraction follows as text.
        let (above, below) = ratio.words().unwrap_or_default();
        writer.put(above)?;
        writer.put(below)?;
        if below == 0 {
            writer.put_text(&ratio.quotient())?;
        }
    }
    *known = ratios.table().len();
    Ok(())
}
