//! The steps between states.

use motet_evidence::Stop;
use motet_model::{Ratio, RewardId, SubjectId};
use rustc_hash::FxHashMap;

use super::NONE;
use crate::storage::chunks::Chunks;
use crate::storage::spill::{Cell, Spilling};

/// The steps between states, without their actions: those are asked of the model again when a run is told. Each branch
/// of chance is an edge.
#[derive(Debug)]
pub(crate) struct Rows {
    /// Per expansion: where its edges start.
    starts: Chunks<u32>,
    targets: Chunks<u32>,
    /// To whom each edge is fair.
    subjects: Subjects,
    /// How much time passes, if somebody wants to know.
    delays: Option<Chunks<u32>>,
    /// Which edges are outcomes of one step, and how probable they are, if somebody wants to know.
    outcomes: Option<Outcomes>,
    /// Per state: which expansion was its own. Absent when states are expanded in the order of their numbers.
    ranks: Option<Chunks<u32>>,
    expansions: u32,
}

impl Rows {
    pub(crate) fn new(ordered: Ordered) -> Self {
        let mut starts = Chunks::default();
        starts.push(0);
        Self {
            starts,
            targets: Chunks::default(),
            subjects: Subjects::default(),
            delays: None,
            outcomes: None,
            ranks: (ordered == Ordered::No).then(Chunks::default),
            expansions: 0,
        }
    }

    /// The same with room for delays.
    pub(crate) fn with_delays(self) -> Self {
        Self { delays: Some(Chunks::default()), ..self }
    }

    /// The same with room for chances.
    pub(crate) fn with_outcomes(self) -> Self {
        Self { outcomes: Some(Outcomes::default()), ..self }
    }

    /// Says that the edges pushed from now on are the outcomes of a further step of the same state.
    pub(crate) fn begin_step(&mut self) {
        let edge = u32::try_from(self.targets.len()).unwrap_or(u32::MAX);
        if let Some(outcomes) = &mut self.outcomes {
            outcomes.steps.push(edge);
        }
    }

    /// Says how probable the edge is that was pushed last.
    pub(crate) fn push_chance(&mut self, chance: Ratio) {
        if let Some(outcomes) = &mut self.outcomes {
            let number = outcomes.ratios.number(chance);
            outcomes.chances.push(number);
        }
    }

    /// Gives a fraction the next number before any edge has it; `false` if it has one already.
    pub(crate) fn learn_chance(&mut self, chance: Ratio) -> bool {
        let Some(outcomes) = &mut self.outcomes else { return false };
        let next = outcomes.ratios.table().len();
        outcomes.ratios.number(chance) as usize == next
    }

    pub(crate) fn outcomes(&self) -> Option<&Outcomes> {
        self.outcomes.as_ref()
    }

    /// The steps of a state, by their numbers; none if it was not expanded or steps were not kept.
    pub(crate) fn steps(&self, state: u32) -> std::ops::Range<u32> {
        let rank = self.ranks.as_ref().map_or(state, |ranks| ranks.get(state as usize));
        match &self.outcomes {
            Some(outcomes) if rank < self.expansions => {
                let first = if rank == 0 { 0 } else { outcomes.ends.get(rank as usize - 1) };
                first..outcomes.ends.get(rank as usize)
            }
            _ => 0..0,
        }
    }

    /// The edges of a step.
    pub(crate) fn edges(&self, step: u32) -> std::ops::Range<u32> {
        let Some(outcomes) = &self.outcomes else { return 0..0 };
        let next = step as usize + 1;
        let end = if next < outcomes.steps.len() {
            outcomes.steps.get(next)
        } else {
            u32::try_from(self.targets.len()).unwrap_or(u32::MAX)
        };
        outcomes.steps.get(step as usize)..end
    }

    /// Makes room for a new state.
    pub(crate) fn admit(&mut self) {
        if let Some(ranks) = &mut self.ranks {
            ranks.push(NONE);
        }
    }

    pub(crate) fn push(&mut self, subject: SubjectId, target: u32, delay: u32) {
        self.targets.push(target);
        self.subjects.push(subject);
        if let Some(delays) = &mut self.delays {
            delays.push(delay);
        }
    }

    /// Ends the row of `state`. `Err` when the edges cannot be numbered any more.
    pub(crate) fn close(&mut self, state: u32) -> Result<(), Stop> {
        let end = u32::try_from(self.targets.len()).map_err(|_| Stop::Memory)?;
        self.starts.push(end);
        if let Some(outcomes) = &mut self.outcomes {
            let steps = u32::try_from(outcomes.steps.len()).map_err(|_| Stop::Memory)?;
            outcomes.ends.push(steps);
        }
        if let Some(ranks) = &mut self.ranks {
            ranks.set(state as usize, self.expansions);
        }
        self.expansions += 1;
        Ok(())
    }

    /// The edges of a state; none if it was not expanded.
    pub(crate) fn row(&self, state: u32) -> std::ops::Range<u32> {
        let rank = self.ranks.as_ref().map_or(state, |ranks| ranks.get(state as usize));
        if rank >= self.expansions {
            return 0..0;
        }
        self.starts.get(rank as usize)..self.starts.get(rank as usize + 1)
    }

    pub(crate) fn target(&self, edge: u32) -> u32 {
        self.targets.get(edge as usize)
    }

    /// To whom an edge is fair.
    pub(crate) fn subject(&self, edge: u32) -> SubjectId {
        self.subjects.get(edge as usize)
    }

    /// All subjects have smaller numbers.
    pub(crate) fn n_subjects(&self) -> u32 {
        self.subjects.end
    }

    /// Whether they know how much time passes.
    pub(crate) fn has_delays(&self) -> bool {
        self.delays.is_some()
    }

    /// How much time passes. Asked only of rows that know.
    pub(crate) fn delay(&self, edge: u32) -> u32 {
        self.delays.as_ref().map_or(0, |delays| delays.get(edge as usize))
    }

    /// Puts full chunks away, so many bytes of them or all. Ranks stay: they change.
    pub(crate) fn put_away(&mut self, home: &Spilling, bytes: u64) -> u64 {
        let mut freed = 0;
        let outcomes = self.outcomes.iter_mut();
        let outcomes = outcomes.flat_map(|all| [&mut all.steps, &mut all.ends, &mut all.chances]);
        let lists = [&mut self.targets, &mut self.starts].into_iter().chain(&mut self.delays).chain(outcomes);
        for list in lists {
            freed += list.put_away(home, bytes.saturating_sub(freed));
        }
        for list in [&mut self.subjects.low].into_iter().chain(&mut self.subjects.middle) {
            freed += list.put_away(home, bytes.saturating_sub(freed));
        }
        let high = self.subjects.high.as_mut();
        freed + high.map_or(0, |list| list.put_away(home, bytes.saturating_sub(freed)))
    }

    /// Takes chunks back that were put away, so many bytes of them at most: first what is short and looked at most.
    pub(crate) fn bring_back(&mut self, bytes: u64) {
        let Subjects { low, middle, high, .. } = &mut self.subjects;
        let mut left = bytes - low.bring_back(bytes);
        left -= middle.as_mut().map_or(0, |list| list.bring_back(left));
        left -= high.as_mut().map_or(0, |list| list.bring_back(left));
        let outcomes = self.outcomes.iter_mut();
        let outcomes = outcomes.flat_map(|all| [&mut all.steps, &mut all.ends, &mut all.chances]);
        let lists = [&mut self.starts, &mut self.targets].into_iter().chain(&mut self.delays).chain(outcomes);
        lists.for_each(|list| left -= list.bring_back(left));
    }

    /// How many bytes can be put away.
    pub(crate) fn here(&self) -> u64 {
        let outcomes = self.outcomes.iter().flat_map(|all| [&all.steps, &all.ends, &all.chances]);
        let lists = [&self.targets, &self.starts].into_iter().chain(&self.delays).chain(outcomes);
        let subjects = [&self.subjects.low].into_iter().chain(&self.subjects.middle);
        lists.map(Chunks::here).sum::<u64>()
            + subjects.map(Chunks::here).sum::<u64>()
            + self.subjects.high.as_ref().map_or(0, Chunks::here)
    }

    pub(super) fn bytes(&self) -> u64 {
        let ranks = self.ranks.as_ref().map_or(0, Chunks::bytes);
        let delays = self.delays.as_ref().map_or(0, Chunks::bytes);
        let outcomes = self.outcomes.as_ref().map_or(0, Outcomes::bytes);
        self.starts.bytes() + self.targets.bytes() + self.subjects.bytes() + ranks + delays + outcomes
    }
}

/// Subjects by edge, a byte each while their numbers are small. Most models have fewer than 256 of them; how many there are
/// is known only when the last one has turned up.
#[derive(Debug, Default)]
struct Subjects {
    low: Chunks<u8>,
    /// The second byte, once a number needs it.
    middle: Option<Chunks<u8>>,
    /// The third and fourth byte, once a number needs them.
    high: Option<Chunks<u16>>,
    /// One more than the largest number.
    end: u32,
}

impl Subjects {
    fn push(&mut self, subject: SubjectId) {
        let [low, middle, third, fourth] = subject.0.to_le_bytes();
        let high = u16::from_le_bytes([third, fourth]);
        extend(&mut self.middle, middle, self.low.len());
        extend(&mut self.high, high, self.low.len());
        self.low.push(low);
        self.end = self.end.max(subject.0.saturating_add(1));
    }

    fn get(&self, edge: usize) -> SubjectId {
        let low = self.low.get(edge);
        let middle = self.middle.as_ref().map_or(0, |column| column.get(edge));
        let [third, fourth] = self.high.as_ref().map_or(0, |column| column.get(edge)).to_le_bytes();
        SubjectId(u32::from_le_bytes([low, middle, third, fourth]))
    }

    fn bytes(&self) -> u64 {
        let middle = self.middle.as_ref().map_or(0, Chunks::bytes);
        self.low.bytes() + middle + self.high.as_ref().map_or(0, Chunks::bytes)
    }
}

/// Appends to a column that exists only from its first value on that is not zero; `len` zeros come before that.
fn extend<T: Cell + Default + PartialEq>(column: &mut Option<Chunks<T>>, value: T, len: usize) {
    if column.is_none() && value != T::default() {
        let mut zeros = Chunks::default();
        (0..len).for_each(|_| zeros.push(T::default()));
        *column = Some(zeros);
    }
    if let Some(column) = column {
        column.push(value);
    }
}

/// Which edges are outcomes of one step, and how probable they are.
#[derive(Debug, Default)]
pub(crate) struct Outcomes {
    /// Per step: its first edge.
    steps: Chunks<u32>,
    /// Per expansion: the number of steps so far.
    ends: Chunks<u32>,
    /// Per edge: the number of its chance.
    chances: Chunks<u32>,
    pub(crate) ratios: Ratios,
}

impl Outcomes {
    /// The number in [`Outcomes::ratios`] of the chance of an edge.
    pub(crate) fn chance(&self, edge: u32) -> u32 {
        self.chances.get(edge as usize)
    }

    fn bytes(&self) -> u64 {
        self.steps.bytes() + self.ends.bytes() + self.chances.bytes()
    }
}

/// Fractions by number. A model has few different chances and rewards, however many transitions it has.
#[derive(Debug, Default)]
pub(crate) struct Ratios {
    table: Vec<Ratio>,
    numbers: FxHashMap<Ratio, u32>,
    last: Option<(Ratio, u32)>,
}

impl Ratios {
    pub(crate) fn number(&mut self, ratio: Ratio) -> u32 {
        if let Some((known, number)) = self.last
            && known == ratio
        {
            return number;
        }
        let next = u32::try_from(self.table.len()).expect("distinct fractions are numbered with 32 bits");
        let number = *self.numbers.entry(ratio).or_insert(next);
        if number == next {
            self.table.push(ratio);
        }
        self.last = Some((ratio, number));
        number
    }

    pub(crate) fn table(&self) -> &[Ratio] {
        &self.table
    }
}

/// What states and steps earn of one reward, by numbers of fractions.
#[derive(Debug)]
pub(crate) struct Earned {
    pub(crate) reward: RewardId,
    /// Per state, in the order of their numbers.
    pub(crate) states: Chunks<u32>,
    /// Per step, in the order of [`Rows::steps`].
    pub(crate) steps: Chunks<u32>,
    pub(crate) ratios: Ratios,
}

/// Whether states are expanded in the order of their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ordered {
    Yes,
    No,
}
