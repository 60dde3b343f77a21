//! An exploration is made anew from its log.

use motet_model::{Fault, Model, Ratio, SubjectId};

use super::frames::{Damage, Reader, strange};
use super::write::Asking;
use super::{BITS_TOGETHER, END, Log, PROBE_EVERY, Position, VERSION};
use crate::exploration::graph::{Graph, NONE, Rows};
use crate::exploration::limits::Room;
use crate::storage::bits::Bits;
use crate::storage::store::{Arena, Arrival, Store};

/// Nobody has counted further than this.
const COUNT_MOST: u64 = 1 << 56;

/// States after which is looked whether they still fit.
const RELIEVE_EVERY: u32 = 1 << 14;

impl Log {
    /// Reads a log into a graph that holds the initial states and nothing else. Says how far the exploration is.
    pub(crate) fn restore<M: Model + ?Sized>(
        model: &M,
        (graph, store): (&mut Graph, &mut Arena),
        input: &mut dyn std::io::Read,
        room: &Room,
    ) -> Result<(Self, Position), Damage> {
        let mut reader = Reader::new(input);
        let mut log = Self { begun: true, ..Self::new(model, (graph, store)) };
        if reader.get()? != VERSION {
            return Err(Damage::Foreign("another version of the tool wrote it".to_owned()));
        }
        for number in &log.form {
            if reader.get()? != *number {
                return Err(Damage::Foreign("the model or the claims were different".to_owned()));
            }
        }
        let mut asking = Asking::new(model);
        let mut position = Position::default();
        while !reader.is_over()? {
            position = log.segment((graph, store), &mut asking, &mut reader, room)?;
            relieve(room, (graph, store));
        }
        Ok((log, position))
    }

    fn segment<M: Model + ?Sized>(
        &mut self,
        (graph, store): (&mut Graph, &mut Arena),
        asking: &mut Asking<'_, M>,
        reader: &mut Reader<'_>,
        room: &Room,
    ) -> Result<Position, Damage> {
        let states =
            self.states.checked_add(reader.get_small()?).filter(|&end| end < NONE).ok_or_else(strange)?;
        let expanded = self.expanded.checked_add(reader.get_small()?).filter(|end| *end <= states);
        let expanded = expanded.ok_or_else(strange)?;
        let position = Position { expanded, depth: get_count(reader)?, level_end: reader.get_small()? };
        if position.level_end > states {
            return Err(strange());
        }
        let before = (graph.transitions, graph.choices);
        (graph.transitions, graph.choices, graph.depth) =
            (get_count(reader)?, get_count(reader)?, get_count(reader)?);
        let new = (graph.transitions.checked_sub(before.0), graph.choices.checked_sub(before.1));
        let (Some(transitions), Some(choices)) = new else { return Err(strange()) };
        let fault = match reader.get_small()? {
            0 => None,
            state if state > states => return Err(strange()),
            state => Some((state - 1, Fault { message: reader.get_text()? })),
        };
        self.get_states((graph, store), states, asking, reader, room)?;
        for column in &mut graph.columns {
            get_bits(reader, column, self.states, states)?;
        }
        for bits in [&mut graph.settled, &mut graph.deadlocks] {
            get_bits(reader, bits, self.expanded, expanded)?;
        }
        self.get_earnings(graph, states, reader)?;
        if let Some((edges, steps)) =
            self.get_rows((graph, store), (expanded, states), asking, reader, room)?
        {
            // Matrices are as large as these counts say, and rewards are looked up by the number of a step.
            if edges != transitions || steps.is_some_and(|steps| steps != choices) {
                return Err(strange());
            }
        }
        get_actions((graph, store), asking, reader)?;
        if reader.get()? != END {
            return Err(strange());
        }
        // Known now: the state of the fault is there.
        graph.fault = fault;
        (self.states, self.expanded, self.choices) = (states, expanded, graph.choices);
        Ok(position)
    }

    fn get_states<M: Model + ?Sized>(
        &mut self,
        (graph, store): (&mut Graph, &mut Arena),
        states: u32,
        asking: &mut Asking<'_, M>,
        reader: &mut Reader<'_>,
        room: &Room,
    ) -> Result<(), Damage> {
        let (mut before, mut state) = (Vec::new(), Vec::new());
        let mut loaded = NONE;
        for number in self.states..states {
            if number.is_multiple_of(RELIEVE_EVERY) {
                relieve(room, (graph, store));
            }
            let parent = reader.get_near(self.parent)?;
            if parent >= number {
                return Err(strange());
            }
            if parent != loaded {
                store.load(parent, &mut before);
                loaded = parent;
            }
            self.parent = parent;
            state.clone_from(&before);
            let fresh = self.get_values(&mut state, reader)?;
            if !fresh.is_empty() || number.is_multiple_of(PROBE_EVERY) {
                let (ordinal, branch) = (reader.get_size()?, reader.get_size()?);
                let step = asking.of(parent, &before).get(ordinal);
                let outcome = step.and_then(|step| step.branches().nth(branch)).ok_or_else(changed)?;
                for (slot, value) in fresh {
                    state[slot] = outcome.target[slot];
                    if !self.slots[slot].learn(value, state[slot]) {
                        return Err(changed());
                    }
                }
                // That includes all slots that were translated by what was learned before.
                if outcome.target != state.as_slice() {
                    return Err(changed());
                }
            }
            if store.insert(&state) != Some((number, Arrival::New)) {
                return Err(changed());
            }
            graph.parents.push(parent);
            graph.rows.iter_mut().for_each(Rows::admit);
        }
        Ok(())
    }

    /// Changes what differs from the parent, and says which values of which slots appear for the first time.
    fn get_values(
        &mut self,
        state: &mut [u32],
        reader: &mut Reader<'_>,
    ) -> Result<Vec<(usize, u32)>, Damage> {
        let mut fresh = Vec::new();
        let mut slot = 0_usize;
        for _ in 0..reader.get()? {
            slot = slot.checked_add(reader.get_size()?).ok_or_else(strange)?;
            let value = reader.get_small()?;
            let values = self.slots.get(slot).ok_or_else(strange)?;
            match values.own(value) {
                Some(own) => state[slot] = own,
                None => fresh.push((slot, value)),
            }
        }
        Ok(fresh)
    }

    fn get_earnings(
        &mut self,
        graph: &mut Graph,
        states: u32,
        reader: &mut Reader<'_>,
    ) -> Result<(), Damage> {
        for (earned, known) in graph.earnings.iter_mut().zip(&mut self.earned) {
            for ratio in get_ratios(reader)? {
                earned.ratios.number(ratio);
            }
            *known = earned.ratios.table().len();
            let limit = u32::try_from(*known).unwrap_or(NONE);
            let mut get = || {
                reader.get_small().and_then(|number| if number < limit { Ok(number) } else { Err(strange()) })
            };
            for _ in self.states..states {
                earned.states.push(get()?);
            }
            for _ in self.choices..graph.choices {
                earned.steps.push(get()?);
            }
        }
        Ok(())
    }

    /// Reads the steps of states, if they are kept. Says how many edges there are, and how many steps where the log tells one from the
    /// other.
    fn get_rows<M: Model + ?Sized>(
        &mut self,
        (graph, store): (&mut Graph, &mut Arena),
        (expanded, states): (u32, u32),
        asking: &mut Asking<'_, M>,
        reader: &mut Reader<'_>,
        room: &Room,
    ) -> Result<Option<(u64, Option<u64>)>, Damage> {
        let Some(mut rows) = graph.rows.take() else { return Ok(None) };
        let (mut edges, mut all_steps) = (0, 0);
        let with_chances = rows.outcomes().is_some();
        if with_chances {
            for ratio in get_ratios(reader)? {
                if !rows.learn_chance(ratio) {
                    return Err(strange());
                }
                self.ratios.push(ratio);
            }
            self.chances = self.ratios.len();
        }
        for state in self.expanded..expanded {
            if state.is_multiple_of(RELIEVE_EVERY) {
                graph.rows = Some(rows);
                relieve(room, (graph, store));
                rows = graph.rows.take().expect("they were put there");
            }
            let steps = if with_chances { reader.get_small()? } else { 1 };
            for _ in 0..steps {
                rows.begin_step();
                let own = self.get_edges(store, &mut rows, state, states, asking, reader)?;
                // A step leads somewhere.
                if with_chances && own == 0 {
                    return Err(strange());
                }
                edges += own;
            }
            all_steps += u64::from(steps);
            rows.close(state).map_err(|_| strange())?;
        }
        graph.rows = Some(rows);
        Ok(Some((edges, with_chances.then_some(all_steps))))
    }

    /// Reads edges of one state, and says how many.
    fn get_edges<M: Model + ?Sized>(
        &mut self,
        store: &Arena,
        rows: &mut Rows,
        state: u32,
        states: u32,
        asking: &mut Asking<'_, M>,
        reader: &mut Reader<'_>,
    ) -> Result<u64, Damage> {
        let edges = reader.get_small()?;
        for _ in 0..edges {
            let target = reader.get_near(state)?;
            if target >= states {
                return Err(strange());
            }
            let number = reader.get_small()?;
            let subject = match self.subjects.own(number) {
                Some(own) => own,
                None => {
                    let mut from = Vec::new();
                    store.load(state, &mut from);
                    let ordinal = reader.get_size()?;
                    let model = asking.model;
                    let step = asking.of(state, &from).get(ordinal).ok_or_else(changed)?;
                    let own = model.facets().subject(step.process, step.action).0;
                    if !self.subjects.learn(number, own) {
                        return Err(changed());
                    }
                    own
                }
            };
            let delay = if rows.has_delays() { reader.get_small()? } else { 0 };
            rows.push(SubjectId(subject), target, delay);
            if rows.outcomes().is_some() {
                let chance = *self.ratios.get(reader.get_size()?).ok_or_else(strange)?;
                rows.push_chance(chance);
            }
        }
        Ok(edges.into())
    }
}

/// Puts away what does not fit while a log is read.
fn relieve(room: &Room, (graph, store): (&mut Graph, &mut Arena)) {
    let here = graph.here() + store.here();
    if let Some((home, bytes)) = room.excess(graph.bytes() + store.bytes(), here) {
        let freed = graph.put_away(&home, bytes);
        store.put_away(&home, bytes.saturating_sub(freed));
    }
}

/// Where actions were first taken; which ones these are is asked of the model.
fn get_actions<M: Model + ?Sized>(
    (graph, store): (&mut Graph, &Arena),
    asking: &mut Asking<'_, M>,
    reader: &mut Reader<'_>,
) -> Result<(), Damage> {
    let mut from = Vec::new();
    for _ in 0..reader.get()? {
        let (state, ordinal) = (reader.get_small()?, reader.get_small()?);
        if state as usize >= store.len() {
            return Err(strange());
        }
        store.load(state, &mut from);
        let step = asking.of(state, &from).get(ordinal as usize).ok_or_else(changed)?;
        let action = step.action.index();
        if action >= graph.actions.len() {
            graph.actions.resize(action + 1, (NONE, 0));
        }
        graph.actions[action] = (state, ordinal);
    }
    Ok(())
}

fn get_bits(reader: &mut Reader<'_>, bits: &mut Bits, from: u32, to: u32) -> Result<(), Damage> {
    for first in (from..to).step_by(BITS_TOGETHER as usize) {
        let mut word = reader.get()?;
        for at in first..to.min(first + BITS_TOGETHER) {
            if word & 1 == 1 {
                bits.insert(at as usize);
            }
            word >>= 1;
        }
    }
    Ok(())
}

/// A number that somebody has counted up to, so that others can be added to it.
fn get_count(reader: &mut Reader<'_>) -> Result<u64, Damage> {
    Some(reader.get()?).filter(|count| *count <= COUNT_MOST).ok_or_else(strange)
}

fn get_ratios(reader: &mut Reader<'_>) -> Result<Vec<Ratio>, Damage> {
    let mut ratios = Vec::new();
    for _ in 0..reader.get()? {
        let ratio = match (reader.get()?, reader.get()?) {
            (0, 0) => Ratio::read(&reader.get_text()?),
            (above, below) => Ratio::new(above, below),
        };
        ratios.push(ratio.ok_or_else(strange)?);
    }
    Ok(ratios)
}

/// The model does not give what it gave when the log was written.
fn changed() -> Damage {
    Damage::Foreign("the model takes other steps than it did".to_owned())
}
