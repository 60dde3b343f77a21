//! From one state to the next: micro steps, with all their choices, until each outcome is a state that somebody can see.
//!
//! A state can be seen when everybody is busy or idle, or right after an atomic step that changed the truth of an atom, so
//! that claims can speak of what exists only within an instant. Partial outcomes that are equal are merged, so that choices
//! that make no difference in the end cost little. When too many of them are open, or when their chances would not fit 64
//! bits, the open ones become states as they are: every moment within an instant can be taken up again.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use motet_model::{Fault, ProcessId, Ratio, State};
use rustc_hash::FxBuildHasher;

use super::Semantics;
use super::layout::MOMENT;
use super::oracle::{MOST_OUTCOMES, Oracle, times};
use super::record::Record;
use super::schedule::QUIESCENT;
use super::work::{Notes, Work};

/// How many partial outcomes may be open at once.
const MOST_OPEN: usize = 1024;

/// Configurations with their chances, each once.
#[derive(Debug, Default)]
pub(crate) struct Merged {
    width: usize,
    cells: Vec<u32>,
    chances: Vec<Ratio>,
    /// Who has to look again, a few words each.
    awake: Vec<u64>,
    /// The choices that lead there, if somebody wants to know.
    paths: Vec<Vec<u32>>,
    table: HashTable<u32>,
}

impl Merged {
    fn clear(&mut self, width: usize) {
        self.width = width;
        self.cells.clear();
        self.chances.clear();
        self.awake.clear();
        self.paths.clear();
        self.table.clear();
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.chances.len()
    }

    /// One of them.
    pub(crate) fn get(&self, at: usize) -> (Ratio, &State) {
        (self.chances[at], self.configuration(at))
    }

    fn configuration(&self, at: usize) -> &State {
        &self.cells[at * self.width..(at + 1) * self.width]
    }

    /// The choices that lead to one of them first.
    pub(crate) fn path(&self, at: usize) -> &[u32] {
        self.paths.get(at).map_or(&[], |path| path)
    }

    fn awake(&self, at: usize) -> &[u64] {
        let words = self.awake.len() / self.len();
        &self.awake[at * words..(at + 1) * words]
    }

    fn add(&mut self, cells: &State, chance: Ratio, awake: &[u64], path: Option<&[u32]>) {
        let hash = FxBuildHasher.hash_one(cells);
        let width = self.width;
        let all = &self.cells;
        let same = |at: &u32| all[*at as usize * width..(*at as usize + 1) * width] == *cells;
        if let Some(at) = self.table.find(hash, same) {
            let at = *at as usize;
            self.chances[at] =
                self.chances[at].checked_add(chance).expect("chances have a common denominator of 64 bits");
            for (known, more) in self.awake[at * awake.len()..].iter_mut().zip(awake) {
                *known |= more;
            }
            return;
        }
        let number = u32::try_from(self.chances.len()).expect("fewer than 2^32 outcomes");
        self.cells.extend_from_slice(cells);
        self.chances.push(chance);
        self.awake.extend_from_slice(awake);
        self.paths.extend(path.map(<[u32]>::to_vec));
        let all = &self.cells;
        let rehash =
            |at: &u32| FxBuildHasher.hash_one(&all[*at as usize * width..(*at as usize + 1) * width]);
        self.table.insert_unique(hash, number, rehash);
    }

    /// The only outcome of a step without choices.
    fn only(&mut self, cells: &State) {
        self.cells.extend_from_slice(cells);
        self.chances.push(Ratio::ONE);
    }
}

/// The memory of one step.
#[derive(Debug, Default)]
pub(crate) struct Expansion {
    work: Work,
    /// What the step leads to.
    pub(crate) outcomes: Merged,
    open: Merged,
    next: Merged,
    tried: Tried,
    /// Whether the choices that lead to outcomes are kept.
    keeps_paths: bool,
    /// Whether the truth of each atom is true where the step begins.
    truths: Vec<bool>,
}

impl Expansion {
    /// Open configurations from this one on become outcomes as they are.
    fn cut(&mut self, from: usize) {
        for at in from..self.open.len() {
            let path = self.keeps_paths.then_some(self.open.path(at));
            self.outcomes.add(self.open.configuration(at), self.open.chances[at], &[], path);
        }
    }
}

/// Where a run without choices stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    /// At a state that can be seen.
    Seen,
    /// Before a choice.
    Choice,
}

/// What comes of the alternatives of one choice.
#[derive(Debug, Default)]
struct Tried {
    cells: Vec<u32>,
    awake: Vec<u64>,
    heads: Vec<(Ratio, Stop)>,
    paths: Vec<Vec<u32>>,
}

impl Tried {
    fn clear(&mut self) {
        self.cells.clear();
        self.awake.clear();
        self.heads.clear();
        self.paths.clear();
    }
}

impl Semantics {
    /// Finds everything that a step from a state can lead to. The milliseconds that pass, or `None` if nothing will ever
    /// happen again.
    pub(super) fn expand(&self, expansion: &mut Expansion, state: &State) -> Result<Option<u32>, Fault> {
        let width = state.len();
        expansion.outcomes.clear(width);
        expansion.open.clear(width);
        expansion.next.clear(width);
        self.judge(expansion, state);
        let Some(delay) = self.enter(&mut expansion.work, state) else { return Ok(None) };
        match self.run(&mut expansion.work, &expansion.truths)? {
            Stop::Seen => {
                expansion.outcomes.only(&expansion.work.cells);
                return Ok(Some(delay));
            }
            Stop::Choice => {
                let Expansion { work, open, keeps_paths, .. } = expansion;
                open.add(&work.cells, Ratio::ONE, &work.awake, keeps_paths.then_some(&[]));
            }
        }
        let mut denominator = 1u64;
        while expansion.open.len() > 0 {
            for at in 0..expansion.open.len() {
                // At least one is taken further, so that every step gets somewhere.
                let full = expansion.next.len() > MOST_OPEN || expansion.outcomes.len() > MOST_OUTCOMES;
                if full && at > 0 {
                    expansion.cut(at);
                    break;
                }
                self.branch(expansion, at, &mut denominator)?;
            }
            std::mem::swap(&mut expansion.open, &mut expansion.next);
            expansion.next.clear(width);
            if expansion.open.len() > MOST_OPEN || expansion.outcomes.len() > MOST_OUTCOMES {
                expansion.cut(0);
                break;
            }
        }
        Ok(Some(delay))
    }

    fn judge(&self, expansion: &mut Expansion, state: &State) {
        expansion.truths.clear();
        let truths =
            (0..self.atoms.len()).map(|atom| !self.atoms[atom].is_event() && self.holds_atom(atom, state));
        expansion.truths.extend(truths);
    }

    /// Takes up a state; time passes if it is a quiescent one.
    fn enter(&self, work: &mut Work, state: &State) -> Option<u32> {
        let actors = self.program.actors.len();
        work.load(state, actors);
        if let Some(said) = self.layout.said {
            for slot in said..work.cells.len() {
                work.set(slot, 0);
            }
        }
        if work.cells[MOMENT] == QUIESCENT {
            let seconds = self.sch_rcvd(work)?;
            return Some(seconds * 1000);
        }
        work.wake_all(actors);
        Some(0)
    }

    /// The milliseconds that pass in the step of a state; `None` if nothing will ever happen again.
    pub(crate) fn delay(&self, state: &State) -> Option<u32> {
        self.enter(&mut Work::default(), state)
    }

    /// Micro steps up to a choice, or to a state that can be seen.
    fn run(&self, work: &mut Work, truths: &[bool]) -> Result<Stop, Fault> {
        loop {
            work.undo.clear();
            work.oracle.begin();
            self.micro(work)?;
            if work.oracle.has_chosen() {
                work.roll_back();
                return Ok(Stop::Choice);
            }
            if self.is_seen_now(work, truths) {
                return Ok(Stop::Seen);
            }
        }
    }

    /// Whether somebody can see the configuration that the last micro step led to.
    fn is_seen_now(&self, work: &Work, truths: &[bool]) -> bool {
        if work.cells[MOMENT] == QUIESCENT {
            return true;
        }
        if self.atoms.is_empty() {
            return false;
        }
        if self.layout.said.is_some_and(|said| work.cells[said..].iter().any(|word| *word != 0)) {
            return true;
        }
        work.undo.iter().any(|(slot, _)| {
            let mut atoms = self.watching[*slot as usize].iter();
            atoms.any(|atom| self.holds_atom(*atom as usize, &work.cells) != truths[*atom as usize])
        })
    }

    /// Tries all answers to the choice of an open configuration.
    fn branch(&self, expansion: &mut Expansion, at: usize, denominator: &mut u64) -> Result<(), Fault> {
        let Expansion { work, open, outcomes, next, tried, keeps_paths, truths } = expansion;
        let (chance, base) = open.get(at);
        tried.clear();
        let mut common = Some(*denominator);
        let mut oracle = Oracle::default();
        oracle.begin();
        loop {
            work.load(base, self.program.actors.len());
            work.awake.copy_from_slice(open.awake(at));
            std::mem::swap(&mut work.oracle, &mut oracle);
            self.micro(work)?;
            std::mem::swap(&mut work.oracle, &mut oracle);
            let total = oracle.chance().and_then(|factor| times(chance, factor));
            common =
                common.zip(total).and_then(|(common, total)| least_multiple(common, total.denominator()));
            let (Some(total), Some(_)) = (total, common) else { break };
            if *keeps_paths {
                tried.paths.push(open.path(at).iter().copied().chain(oracle.made()).collect());
            }
            let stop = if self.is_seen_now(work, truths) { Stop::Seen } else { self.run(work, truths)? };
            tried.cells.extend_from_slice(&work.cells);
            tried.awake.extend_from_slice(&work.awake);
            tried.heads.push((total, stop));
            if tried.heads.len() > MOST_OUTCOMES {
                let message =
                    format!("bound exceeded: one atomic step has more than {MOST_OUTCOMES} outcomes");
                return Err(Fault { message });
            }
            if !oracle.next() {
                break;
            }
        }
        let Some(common) = common else {
            if chance == Ratio::ONE {
                let message = "bound exceeded: the chances of one atomic step do not fit 64 bits".to_owned();
                return Err(Fault { message });
            }
            outcomes.add(base, chance, &[], keeps_paths.then_some(open.path(at)));
            return Ok(());
        };
        *denominator = common;
        let words = work.awake.len();
        let configurations = tried.cells.chunks_exact(base.len());
        for (number, ((chance, stop), cells)) in tried.heads.iter().zip(configurations).enumerate() {
            let path = tried.paths.get(number).map(Vec::as_slice);
            match stop {
                Stop::Seen => outcomes.add(cells, *chance, &[], path),
                Stop::Choice => {
                    next.add(cells, *chance, &tried.awake[number * words..(number + 1) * words], path)
                }
            }
        }
        Ok(())
    }

    /// Whose step it is: of the one in turn, or of the first whose activity ends.
    pub(super) fn mover(&self, state: &State) -> ProcessId {
        if state[MOMENT] >= 2 {
            return ProcessId(state[MOMENT] - 2);
        }
        let remaining = |seat: &super::layout::Seat| state[seat.remaining];
        let running = (0..).zip(&self.layout.seats).filter(|(_, seat)| remaining(seat) > 0);
        ProcessId(running.min_by_key(|(_, seat)| remaining(seat)).map_or(0, |(number, _)| number))
    }

    /// What happens on the way to the branch with this number, in order.
    pub(crate) fn retell(&self, state: &State, branch: u32) -> Vec<Record> {
        let mut expansion = self.expansion();
        expansion.keeps_paths = true;
        let path = match self.expand(&mut expansion, state) {
            Ok(Some(_)) if (branch as usize) < expansion.outcomes.len() => {
                Some(expansion.outcomes.path(branch as usize).to_vec())
            }
            _ => None,
        };
        let records = path.map(|path| {
            let mut work = Work::default();
            work.notes = Some(Notes::default());
            // A fault would have come up above.
            let _ = self.trace(&mut work, &expansion.truths, state, path);
            work.notes.map(|notes| notes.records).unwrap_or_default()
        });
        expansion.keeps_paths = false;
        self.give_back(expansion);
        records.unwrap_or_default()
    }

    /// Runs along one path, to the first state that can be seen, or to where the answers end.
    fn trace(&self, work: &mut Work, truths: &[bool], state: &State, path: Vec<u32>) -> Result<(), Fault> {
        if self.enter(work, state).is_none() {
            return Ok(());
        }
        work.oracle.follow(path);
        loop {
            work.undo.clear();
            work.oracle.begin();
            let noted = work.notes.as_ref().map_or(0, |notes| notes.records.len());
            self.micro(work)?;
            if work.oracle.is_astray() {
                // The outcome was cut before this choice.
                work.roll_back();
                if let Some(notes) = &mut work.notes {
                    notes.records.truncate(noted);
                }
                break;
            }
            if self.is_seen_now(work, truths) {
                break;
            }
        }
        Ok(())
    }
}

fn least_multiple(one: u64, two: u64) -> Option<u64> {
    let (mut a, mut b) = (one, two);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    one.checked_mul(two / a)
}
