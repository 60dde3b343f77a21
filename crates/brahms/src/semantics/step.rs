//! From one state to the next: micro steps, with all their choices, until each outcome is a state that somebody can see.
//!
//! A state can be seen when everybody is busy or idle, or right after an atomic step that changed the truth of an atom, so
//! that claims can speak of what exists only within an instant. Partial outcomes that are equal are merged, so that choices
//! that make no difference in the end cost little, and what an actor does without regard to the others is found once
//! ([`super::memo`]). When too many are open, or when their chances would not fit 64 bits, the open ones become states as
//! they are: every moment within an instant can be taken up again.

use motet_model::{Fault, ProcessId, Ratio, State};

use super::Semantics;
use super::layout::MOMENT;
use super::memo::{Answer, Memo, Origin, Recall, Start, Stop, Stretch};
use super::merged::Merged;
use super::oracle::{MOST_OUTCOMES, Oracle};
use super::record::Record;
use super::schedule::QUIESCENT;
use super::work::{Notes, Work};

/// How many partial outcomes may be open at once.
const MOST_OPEN: usize = 1024;

/// The memory of one step.
#[derive(Debug, Default)]
pub(crate) struct Expansion {
    work: Work,
    /// What the step leads to.
    pub(crate) outcomes: Merged,
    open: Merged,
    next: Merged,
    tried: Stretch,
    memo: Memo,
    totals: Totals,
    /// Whether the choices that lead to outcomes are kept.
    keeps_paths: bool,
    /// Whether the truth of each atom is true where the step begins.
    truths: Vec<bool>,
}

impl Expansion {
    /// Open configurations from this one on become outcomes as they are.
    fn cut(&mut self, from: usize) {
        for at in from..self.open.len() {
            let path = self.keeps_paths.then(|| self.open.path(at).to_vec());
            let (chance, cells) = self.open.get(at);
            self.outcomes.add(None, cells, &[], chance, &[], path);
        }
    }
}

/// The chances of the alternatives of a stretch, seen from where the step begins.
#[derive(Debug, Default)]
struct Totals {
    chances: Vec<Ratio>,
    /// The least common denominator of these and of all chances before; `None` if it does not fit.
    denominator: Option<u64>,
    /// The stretch by its number and the chance to get to it, for which this was found: equally likely branches often go
    /// on alike, and dividing costs more than comparing.
    found_for: Option<(u64, Ratio)>,
}

impl Totals {
    fn find(&mut self, number: Option<u64>, stretch: &Stretch, chance: Ratio, denominator: u64) {
        let question = number.map(|number| (number, chance));
        if question.is_some() && question == self.found_for && self.denominator == Some(denominator) {
            return;
        }
        self.found_for = question;
        self.chances.clear();
        self.denominator = Some(denominator);
        for alternative in &stretch.alternatives {
            let total = alternative.chance.and_then(|factor| chance.checked_mul(factor));
            let common = self.denominator.zip(total);
            self.denominator = common.and_then(|(common, total)| least_multiple(common, total.denominator()));
            let (Some(total), Some(_)) = (total, self.denominator) else { break };
            self.chances.push(total);
        }
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
        let Expansion { work, open, keeps_paths, .. } = expansion;
        open.add(None, work.cells.words(), &[], Ratio::ONE, &work.awake, keeps_paths.then(Vec::new));
        let mut start = Start::Entry;
        let mut denominator = 1u64;
        while expansion.open.len() > 0 {
            for at in 0..expansion.open.len() {
                // At least one is taken further, so that every step gets somewhere.
                let full = expansion.next.len() > MOST_OPEN || expansion.outcomes.len() > MOST_OUTCOMES;
                if full && at > 0 {
                    expansion.cut(at);
                    break;
                }
                self.advance(expansion, start, at, &mut denominator)?;
            }
            start = Start::Choice;
            expansion.outcomes.seal();
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
            let mut atoms = self.watching[*slot as usize].iter().map(|atom| *atom as usize);
            atoms.any(|atom| {
                self.watched[atom].iter().for_each(|slot| work.cells.look_at(*slot));
                work.cells.look_at_truth(atom);
                self.holds_atom(atom, work.cells.words()) != truths[atom]
            })
        })
    }

    /// Takes an open configuration further, to all that it leads to.
    fn advance(
        &self,
        expansion: &mut Expansion,
        start: Start,
        at: usize,
        denominator: &mut u64,
    ) -> Result<(), Fault> {
        let Expansion { work, open, outcomes, next, tried, memo, totals, keeps_paths, truths } = expansion;
        let (chance, cells) = open.get(at);
        let origin = Origin { start, cells, awake: open.awake(at), truths };
        let recalls = self.recall == Recall::Kept && !*keeps_paths;
        let answer = if recalls { memo.ask(&origin) } else { Answer::Resting };
        let (number, injective, stretch) = match answer {
            Answer::Known(found) => {
                let known = memo.get(found);
                (Some(known.number), known.injective, &known.stretch)
            }
            Answer::New => {
                work.cells.load(cells);
                work.cells.track(self.atoms.len());
                let result = self.stretch(work, &origin, tried, None);
                if result.is_ok() {
                    memo.learn(&origin, &work.cells, tried);
                }
                work.cells.untrack();
                result?;
                (None, None, &*tried)
            }
            Answer::Resting => {
                self.stretch(work, &origin, tried, recalls.then_some(memo))?;
                (None, None, &*tried)
            }
        };
        totals.find(number, stretch, chance, *denominator);
        let path = |more: &[u32]| keeps_paths.then(|| [open.path(at), more].concat());
        let Some(common) = totals.denominator else {
            if chance == Ratio::ONE {
                let message = "bound exceeded: the chances of one atomic step do not fit 64 bits".to_owned();
                return Err(Fault { message });
            }
            outcomes.add(None, cells, &[], chance, &[], path(&[]));
            return Ok(());
        };
        *denominator = common;
        let (mut written, mut answered) = (0, 0);
        let awake = stretch.awake.chunks_exact(origin.awake.len());
        for ((alternative, chance), awake) in stretch.alternatives.iter().zip(&totals.chances).zip(awake) {
            let writes = &stretch.writes[written..alternative.writes_end];
            let path = path(&stretch.answers[answered..alternative.answers_end]);
            match alternative.stop {
                Stop::Seen => outcomes.add(injective, cells, writes, *chance, &[], path),
                Stop::Choice => next.add(injective, cells, writes, *chance, awake, path),
            }
            (written, answered) = (alternative.writes_end, alternative.answers_end);
        }
        Ok(())
    }

    /// Runs from where a step begins, or with all answers to a choice. What follows each answer may be taken from a memo.
    fn stretch(
        &self,
        work: &mut Work,
        origin: &Origin<'_>,
        stretch: &mut Stretch,
        mut memo: Option<&mut Memo>,
    ) -> Result<(), Fault> {
        stretch.clear();
        let mut oracle = Oracle::default();
        oracle.begin();
        loop {
            work.load(origin.cells, self.program.actors.len());
            work.awake.copy_from_slice(origin.awake);
            let stop = if origin.start == Start::Entry {
                self.run(work, origin.truths)?
            } else {
                std::mem::swap(&mut work.oracle, &mut oracle);
                self.micro(work)?;
                std::mem::swap(&mut work.oracle, &mut oracle);
                match &mut memo {
                    _ if self.is_seen_now(work, origin.truths) => Stop::Seen,
                    Some(memo) => self.run_again(work, origin.truths, memo)?,
                    None => self.run(work, origin.truths)?,
                }
            };
            let ends = (origin.cells, work.cells.words());
            stretch.push(&oracle, stop, ends, &work.awake);
            if stretch.alternatives.len() > MOST_OUTCOMES {
                let message =
                    format!("bound exceeded: one atomic step has more than {MOST_OUTCOMES} outcomes");
                return Err(Fault { message });
            }
            if !oracle.next() {
                return Ok(());
            }
        }
    }

    /// Does what [`Self::run`] does, or did where it started from the like before.
    fn run_again(&self, work: &mut Work, truths: &[bool], memo: &mut Memo) -> Result<Stop, Fault> {
        let start = Start::Entry;
        let origin = Origin { start, cells: work.cells.words(), awake: &work.awake, truths };
        match memo.ask(&origin) {
            Answer::Resting => self.run(work, truths),
            Answer::Known(found) => {
                let stretch = &memo.get(found).stretch;
                for (slot, value) in &stretch.writes {
                    work.cells.restore(*slot as usize, *value);
                }
                work.awake.copy_from_slice(&stretch.awake);
                Ok(stretch.alternatives[0].stop)
            }
            Answer::New => {
                let (cells, awake) = (work.cells.words().to_vec(), work.awake.clone());
                work.cells.track(self.atoms.len());
                let result = self.run(work, truths);
                if let Ok(stop) = result {
                    let mut stretch = Stretch::default();
                    stretch.push(&Oracle::default(), stop, (&cells, work.cells.words()), &work.awake);
                    let origin = Origin { start, cells: &cells, awake: &awake, truths };
                    memo.learn(&origin, &work.cells, &stretch);
                }
                work.cells.untrack();
                result
            }
        }
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
    if one.is_multiple_of(two) {
        return Some(one);
    }
    let (mut a, mut b) = (one, two);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    one.checked_mul(two / a)
}
