//! A search that remembers hashes of states instead of states. It needs less memory and may take two states for one, so it
//! finds violations and proves nothing (Wolper and Leroy 1993 for hashes, Holzmann 1998 for bits).
//!
//! Depth first: the run to the state at hand is on the stack, so that nobody need remember how a state was reached. A stack may
//! be as long as there are states, so it holds what each step changed and not what it led to.

use motet_evidence::{Run, Stop, Taken};
use motet_model::{AtomId, Model, State, Steps};
use motet_property::Formula;

use crate::checking::settings::StoreKind;
use crate::exploration::limits::Meter;

/// Between two looks at the clock and the memory, in states.
const TICK: u64 = 64;
/// Bits per state in a bit table.
const PROBES: u64 = 3;
/// Hashes there is room for to begin with.
const FEW: usize = 1 << 10;
/// A table of hashes grows when so many of its places are in use.
const FULL: (usize, usize) = (4, 5);

/// What such a search found.
pub(crate) struct Hashed {
    /// Per goal: a run to a state where it holds.
    pub(crate) runs: Vec<Option<Run>>,
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    pub(crate) choices: u64,
    pub(crate) depth: u64,
    /// Why it ended before it had seen what it could see.
    pub(crate) stop: Option<Stop>,
    /// About how probable it is that some state was taken for another one and missed.
    pub(crate) missed: f64,
}

/// Looks for states where these formulas hold.
pub(crate) fn search(
    model: &dyn Model,
    goals: &[&Formula<AtomId>],
    kind: StoreKind,
    meter: &mut Meter<'_>,
) -> Hashed {
    let seen = match kind {
        StoreKind::Bitstate(bytes) => match meter.reserve(bytes) {
            Ok(()) => Seen::Bits { words: vec![0; words(bytes)], ones: 0 },
            Err(stop) => return Hashed::nothing(goals.len(), stop),
        },
        StoreKind::Exact | StoreKind::Compact => Seen::Hashes { table: vec![0; FEW], len: 0 },
    };
    let found = Hashed { stop: None, ..Hashed::nothing(goals.len(), Stop::Memory) };
    let mut search = Search {
        model,
        goals,
        seen,
        here: Vec::new(),
        steps: Steps::new(model.signature().slots.len()),
        frames: Vec::new(),
        changed: Vec::new(),
        found,
        cut: false,
    };
    let end = search.run(meter);
    search.found.stop = end.err().or(search.cut.then_some(Stop::Depth));
    search.found.missed = search.seen.missed(search.found.states);
    search.found
}

impl Hashed {
    fn nothing(n_goals: usize, stop: Stop) -> Self {
        let runs = vec![None; n_goals];
        Self { runs, states: 0, transitions: 0, choices: 0, depth: 0, stop: Some(stop), missed: 0.0 }
    }
}

/// A state on the way to the one at hand.
struct Frame {
    /// How this state was reached: the ordinal of the step, and its branch. Initial states have none.
    step: (u32, u32),
    /// How many slots that changed.
    changes: u32,
    /// How many of its branches were looked at.
    next: u32,
}

struct Search<'a> {
    model: &'a dyn Model,
    goals: &'a [&'a Formula<AtomId>],
    seen: Seen,
    /// The state at hand, and its steps.
    here: Vec<u32>,
    steps: Steps,
    frames: Vec<Frame>,
    /// The slots that were changed on the way to the state at hand, with what they held before.
    changed: Vec<(u32, u32)>,
    found: Hashed,
    cut: bool,
}

impl Search<'_> {
    fn run(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let mut starts = Vec::new();
        self.model.initial(&mut starts);
        for (number, start) in starts.into_iter().enumerate() {
            let initial = u32::try_from(number).expect("initial states are numbered with 32 bits");
            if self.seen.insert(&start, meter)? {
                self.here = start.into();
                self.changed.clear();
                self.enter(Frame { step: (0, 0), changes: 0, next: 0 }, initial, meter)?;
            }
            while !self.frames.is_empty() {
                if self.found.runs.iter().all(Option::is_some) {
                    return Ok(());
                }
                self.turn(initial, meter)?;
            }
        }
        Ok(())
    }

    /// Looks at the state at hand for the first time; its steps are known afterwards.
    fn enter(&mut self, frame: Frame, initial: u32, meter: &mut Meter<'_>) -> Result<(), Stop> {
        self.found.states += 1;
        self.found.depth = self.found.depth.max(self.frames.len() as u64);
        self.frames.push(frame);
        if self.found.states.is_multiple_of(TICK) || self.found.states == 1 {
            self.tick(meter)?;
        }
        self.ask()?;
        self.found.choices += self.steps.len() as u64;
        self.found.transitions += self.steps.iter().map(|step| step.branches().count() as u64).sum::<u64>();
        for goal in 0..self.goals.len() {
            let holds = || holds(self.model, self.goals[goal], &self.here, self.steps.is_empty());
            if self.found.runs[goal].is_none() && holds() {
                self.found.runs[goal] = Some(self.way(initial));
            }
        }
        if meter.limits().states.is_some_and(|limit| self.found.states > limit) {
            return Err(Stop::States);
        }
        Ok(())
    }

    /// The steps of the state at hand.
    fn ask(&mut self) -> Result<(), Stop> {
        self.steps.clear();
        self.model.steps(&self.here, &mut self.steps).map_err(|fault| Stop::Bound(fault.message))
    }

    /// Follows the next branch of the state at hand that leads to something new, or leaves the state.
    fn turn(&mut self, initial: u32, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let depth = self.frames.len() as u64;
        let frame = self.frames.last_mut().expect("somebody looked");
        if meter.limits().depth.is_some_and(|limit| depth > limit) {
            self.cut |= !self.steps.is_empty();
            frame.next = u32::MAX;
        }
        let mut branches = self.steps.iter().enumerate().flat_map(|(ordinal, step)| {
            let targets = step.branches().enumerate();
            targets.map(move |(branch, outcome)| (ordinal, branch, outcome.target, outcome.chance))
        });
        let mut new = None;
        if frame.next < u32::MAX {
            for (ordinal, branch, target, chance) in branches.by_ref().skip(frame.next as usize) {
                frame.next += 1;
                if !chance.is_zero() && self.seen.insert(target, meter)? {
                    let changes = change(&mut self.here, target, &mut self.changed);
                    new = Some(Frame { step: (narrow(ordinal), narrow(branch)), changes, next: 0 });
                    break;
                }
            }
        }
        drop(branches);
        if let Some(frame) = new {
            return self.enter(frame, initial, meter);
        }
        self.leave();
        if self.frames.is_empty() { Ok(()) } else { self.ask() }
    }

    /// Goes back to the state before the one at hand.
    fn leave(&mut self) {
        let changes = self.frames.pop().map_or(0, |frame| frame.changes);
        let first = self.changed.len() - changes as usize;
        for (slot, before) in self.changed.drain(first..) {
            self.here[slot as usize] = before;
        }
    }

    /// The run to the state at hand; the model is asked once more.
    fn way(&self, initial: u32) -> Run {
        let mut starts = Vec::new();
        self.model.initial(&mut starts);
        let mut run = Run { initial, states: vec![starts[initial as usize].clone()], steps: Vec::new() };
        let mut steps = Steps::new(self.here.len());
        for &Frame { step: (ordinal, branch), .. } in &self.frames[1..] {
            let from = run.states.last().expect("a run has a state");
            steps.clear();
            self.model.steps(from, &mut steps).expect("the model gave the steps of this state before");
            let step =
                steps.get(ordinal as usize).expect("the model gives the same steps for the same state");
            let target = step.branches().nth(branch as usize).expect("and the same branches").target;
            run.steps.push(Taken {
                ordinal,
                branch,
                process: step.process,
                action: step.action,
                delay: step.delay,
            });
            run.states.push(target.into());
        }
        run
    }

    fn tick(&self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let frames =
            self.frames.capacity() * size_of::<Frame>() + self.changed.capacity() * size_of::<(u32, u32)>();
        meter.record(self.found.states, self.found.transitions, self.frames.len() as u64, self.found.depth);
        meter.tick(frames as u64 + self.seen.bytes())
    }
}

/// Makes a state of another one, and takes note of what was changed. Says how many slots that were.
fn change(here: &mut [u32], target: &State, changed: &mut Vec<(u32, u32)>) -> u32 {
    let before = changed.len();
    for (slot, (value, &next)) in
        here.iter_mut().zip(target).enumerate().filter(|(_, (value, next))| **value != **next)
    {
        changed.push((narrow(slot), *value));
        *value = next;
    }
    narrow(changed.len() - before)
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).expect("slots, steps and branches are numbered with 32 bits")
}

/// What was seen.
enum Seen {
    /// Hashes that are not 0, each at its place or soon after.
    Hashes { table: Vec<u64>, len: usize },
    /// A bit for each of some hashes.
    Bits { words: Vec<u64>, ones: u64 },
}

impl Seen {
    /// Takes note of a state, and says whether it looks new.
    fn insert(&mut self, state: &State, meter: &Meter<'_>) -> Result<bool, Stop> {
        let (first, second) = hashes(state);
        match self {
            Self::Hashes { table, len } => {
                if (*len + 1) * FULL.1 > table.len() * FULL.0 {
                    meter.reserve(8 * (table.len() + 2 * table.len()) as u64)?;
                    let old = std::mem::take(table);
                    *table = vec![0; 2 * old.len()];
                    old.into_iter().filter(|hash| *hash != 0).for_each(|hash| {
                        put(table, hash);
                    });
                }
                let new = put(table, first.max(1));
                *len += usize::from(new);
                Ok(new)
            }
            Self::Bits { words, ones } => {
                let mut new = false;
                for probe in 0..PROBES {
                    let at = place(first.wrapping_add(probe.wrapping_mul(second | 1)), 64 * words.len());
                    let word = &mut words[at / 64];
                    let before = *word;
                    *word |= 1 << (at % 64);
                    *ones += u64::from(*word != before);
                    new |= *word != before;
                }
                Ok(new)
            }
        }
    }

    fn bytes(&self) -> u64 {
        match self {
            Self::Hashes { table: words, .. } | Self::Bits { words, .. } => 8 * words.len() as u64,
        }
    }

    /// About how probable it is that one of so many states was taken for another one.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn missed(&self, states: u64) -> f64 {
        let states = states as f64;
        let expected = match self {
            // Pairs of states over hashes of 64 bits.
            Self::Hashes { .. } => states * states / 2_f64.powi(65),
            // A new state looks known when all its bits are set already; the table was filled evenly.
            Self::Bits { words, ones } => {
                let share = *ones as f64 / (64 * words.len()) as f64;
                states * share.powi(PROBES as i32) / (PROBES + 1) as f64
            }
        };
        -(-expected).exp_m1()
    }
}

fn words(bytes: u64) -> usize {
    usize::try_from(bytes / 8).unwrap_or(usize::MAX).max(1)
}

/// Puts a hash into a table that is not full; `false` if it is there already.
fn put(table: &mut [u64], hash: u64) -> bool {
    let mut at = place(hash, table.len());
    loop {
        match table[at] {
            0 => {
                table[at] = hash;
                return true;
            }
            known if known == hash => return false,
            _ => at = if at + 1 == table.len() { 0 } else { at + 1 },
        }
    }
}

fn place(hash: u64, size: usize) -> usize {
    usize::try_from((u128::from(hash) * size as u128) >> 64).expect("smaller than the size")
}

/// Two hashes of a state: each value is multiplied into what came before, and both halves of the product count.
fn hashes(state: &State) -> (u64, u64) {
    let fold = |lane: u64, value: u64, factor: u64| {
        let product = u128::from(lane ^ value) * u128::from(factor);
        let bytes = product.to_le_bytes();
        let half = |from: usize| u64::from_le_bytes(std::array::from_fn(|at| bytes[from + at]));
        half(0) ^ half(8)
    };
    const FIRST: u64 = 0x9E37_79B9_7F4A_7C15;
    const SECOND: u64 = 0xD6E8_FEB8_6659_FD93;
    let (mut first, mut second) = (0x517C_C1B7_2722_0A95, 0x2545_F491_4F6C_DD1D);
    for &value in state {
        first = fold(first, u64::from(value) + 1, FIRST);
        second = fold(second, u64::from(value) + 3, SECOND);
    }
    (fold(first, SECOND >> 1, FIRST), fold(second, FIRST >> 1, SECOND))
}

/// Whether a state formula holds in a state of which it is known whether it has steps.
fn holds(model: &dyn Model, formula: &Formula<AtomId>, state: &State, deadlock: bool) -> bool {
    formula.truth(&mut |leaf| match leaf {
        Formula::Deadlock => deadlock,
        Formula::Atom(atom) => model.holds(*atom, state),
        // A goal is made of nothing else; see `Quest`.
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use motet_naive::random::{Random, Shape, Table};

    use super::*;
    use crate::exploration::limits::Limits;

    /// The naive twin is a set of whole states.
    #[test]
    fn hashes_see_what_a_set_of_states_sees() {
        let limits = Limits::default();
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let table = Table::random(&mut random, Shape { n_states: 12, n_processes: 2, n_atoms: 2 });
            let mut reached = BTreeSet::new();
            let mut waiting = Vec::new();
            table.initial(&mut waiting);
            while let Some(state) = waiting.pop() {
                let mut steps = Steps::new(table.signature().slots.len());
                table.steps(&state, &mut steps).expect("tables have no bounds");
                if reached.insert(state) {
                    waiting.extend(steps.iter().flat_map(|step| {
                        step.branches().map(|branch| branch.target.into()).collect::<Vec<Box<State>>>()
                    }));
                }
            }
            let goal = Formula::Atom(AtomId(0));
            let expected = reached.iter().any(|state| table.holds(AtomId(0), state));
            for kind in [StoreKind::Compact, StoreKind::Bitstate(1 << 16)] {
                let mut watch = |_| {};
                let found =
                    search(&table, &[&goal, &Formula::False], kind, &mut Meter::new(&limits, &mut watch));
                assert_eq!(found.states, reached.len() as u64, "seed {seed}, {kind:?}");
                assert_eq!(found.runs[0].is_some(), expected, "seed {seed}, {kind:?}");
                assert!(found.stop.is_none() && found.missed < 0.01, "{}", found.missed);
                if let Some(run) = &found.runs[0] {
                    assert_eq!(run.states.len(), run.steps.len() + 1);
                    assert!(table.holds(AtomId(0), run.states.last().expect("a run has a state")));
                }
            }
        }
    }

    #[test]
    fn a_small_bit_table_says_that_it_is_full() {
        let mut seen = Seen::Bits { words: vec![0; 4], ones: 0 };
        let (limits, mut watch) = (Limits::default(), |_| {});
        let meter = Meter::new(&limits, &mut watch);
        let new = (0..2000).filter(|&n| seen.insert(&[n, 7], &meter).expect("there is no limit")).count();
        assert!(new < 400 && seen.missed(new as u64) > 0.9, "{new}, {}", seen.missed(new as u64));
    }
}
