//! A part of a step: micro steps from one choice to the next, and a step that was taken told again.

use motet_model::{ActionId, Fault, ProcessId, State};

use super::layout::MOMENT;
use super::memo::{Origin, Start, Stop, Stretch};
use super::oracle::MOST_OUTCOMES;
use super::record::Record;
use super::schedule::{QUIESCENT, TURN};
use super::work::{Notes, Work};
use super::{INSTANT, Semantics, TIME};

impl Semantics {
    /// Takes up a state; time passes if it is a quiescent one.
    pub(super) fn enter(&self, work: &mut Work, state: &State) -> Option<u32> {
        let actors = self.program.actors.len();
        work.load(state, actors);
        if let Some(said) = self.layout.said {
            for slot in said..state.len() {
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
            work.oracle.fall_silent();
            let done = self.micro(work);
            if work.oracle.is_asked() {
                work.roll_back();
                return Ok(Stop::Open);
            }
            done?;
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
        // What is written was looked at, so this depends on nothing else.
        let is_new = |(slot, old): &(u32, u32)| {
            self.shown[*slot as usize] && work.cells.words()[*slot as usize] != *old
        };
        if work.undo.iter().any(is_new) {
            return true;
        }
        if self.atoms.is_empty() {
            return false;
        }
        if self.layout.said.is_some_and(|said| work.cells[said..].iter().any(|word| *word != 0)) {
            return true;
        }
        work.undo.iter().any(|(slot, _)| {
            let mut atoms = self.watching[*slot as usize].iter().map(|atom| *atom as usize);
            atoms.any(|atom| {
                self.watched[atom].iter().for_each(|slot| work.cells.look_at(*slot));
                work.cells.look_at_truth(atom);
                self.holds_atom(atom, work.cells.words()) != truths[atom]
            })
        })
    }

    /// Runs up to the next choice, or does one micro step with all answers to its choices.
    pub(super) fn stretch(
        &self,
        work: &mut Work,
        origin: &Origin<'_>,
        stretch: &mut Stretch,
    ) -> Result<(), Fault> {
        stretch.clear();
        work.oracle.begin();
        loop {
            work.load(origin.cells, self.program.actors.len());
            work.awake.copy_from_slice(origin.awake);
            let stop = match origin.start {
                Start::Onward => self.run(work, origin.truths)?,
                Start::Choice => {
                    self.micro(work)?;
                    if self.is_seen_now(work, origin.truths) { Stop::Seen } else { Stop::Open }
                }
            };
            let ends = (origin.cells, work.cells.words());
            stretch.push(&work.oracle, stop, ends, &work.awake);
            if stretch.alternatives.len() > MOST_OUTCOMES {
                let message =
                    format!("bound exceeded: one atomic step has more than {MOST_OUTCOMES} outcomes");
                return Err(Fault { message });
            }
            if !work.oracle.next() {
                return Ok(());
            }
        }
    }

    /// Whose step it is, what is done and how much time passes.
    pub(super) fn head(&self, state: &State, delay: u32) -> (ProcessId, ActionId, u32) {
        (self.mover(state), if delay > 0 { TIME } else { INSTANT }, delay)
    }

    /// Whose step it is: of the one in turn, or of the first whose activity ends.
    fn mover(&self, state: &State) -> ProcessId {
        if state[MOMENT] == self.pick_moment() {
            return ProcessId(0);
        }
        if state[MOMENT] >= TURN {
            return ProcessId(state[MOMENT] - TURN);
        }
        let remaining = |seat: &super::layout::Seat| state[seat.remaining];
        let running = (0..).zip(&self.layout.seats).filter(|(_, seat)| remaining(seat) > 0);
        ProcessId(running.min_by_key(|(_, seat)| remaining(seat)).map_or(0, |(number, _)| number))
    }

    /// What happens on the way to a branch of a step, in order.
    pub(crate) fn retell(&self, state: &State, step: u32, branch: u32) -> Vec<Record> {
        let mut expansion = self.pool.take();
        expansion.keeps_paths = true;
        let path = match self.expand(&mut expansion, state) {
            Ok(Some(_)) => expansion.path(step as usize, branch as usize).map(<[u32]>::to_vec),
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
        self.pool.give_back(expansion);
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
