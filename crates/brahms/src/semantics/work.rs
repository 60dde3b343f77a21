//! A state in the making: its slots, what has to be undone to try another choice, who has to look again.

use motet_model::Fault;

use super::Semantics;
use super::cells::Cells;
use super::conditions::Env;
use super::control::{Instance, Scope};
use super::layout::Cell;
use super::oracle::Oracle;
use super::record::{Bound, Record};
use super::value::UNKNOWN;
use super::writes::{FACTS, beliefs_of};
use crate::program::{ActorId, EntityId, FrameId, KeyId};

/// How many frames a fault about a cycle looks back.
const RECENT: usize = 24;

/// A state in the making.
#[derive(Debug, Default)]
pub(crate) struct Work {
    /// The slots.
    pub(crate) cells: Cells,
    /// Slots that were written since the last mark, with what they held.
    pub(crate) undo: Vec<(u32, u32)>,
    /// One bit for each actor that has to look again whether it has something to do. Those who need not may have it.
    pub(crate) awake: Vec<u64>,
    /// Answers choices.
    pub(crate) oracle: Oracle,
    /// What happens, if somebody wants to know.
    pub(crate) notes: Option<Notes>,
    /// The frames that were done last, for faults.
    recent: Vec<FrameId>,
    /// Memory for bindings.
    pub(crate) scratch: Vec<u32>,
    /// Memory for what a conclusion writes.
    pub(crate) targets: Vec<(KeyId, u32)>,
}

/// What happened.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// In order.
    pub(crate) records: Vec<Record>,
}

impl Work {
    /// Starts from a state in which nobody has to look again.
    pub(crate) fn load(&mut self, state: &[u32], actors: usize) {
        self.cells.load(state);
        self.undo.clear();
        self.awake.clear();
        self.awake.resize(actors.div_ceil(64), 0);
        self.recent.clear();
    }

    /// Writes a slot.
    pub(crate) fn set(&mut self, slot: usize, value: u32) {
        let old = self.cells.replace(slot, value);
        if old != value {
            self.undo.push((u32::try_from(slot).expect("slots are numbered with 32 bits"), old));
        }
    }

    /// Takes back everything since the last mark.
    pub(crate) fn roll_back(&mut self) {
        while let Some((slot, old)) = self.undo.pop() {
            self.cells.restore(slot as usize, old);
        }
    }

    /// An actor has to look again.
    pub(crate) fn wake(&mut self, actor: ActorId) {
        self.awake[actor.index() / 64] |= 1 << (actor.index() % 64);
    }

    /// Everybody has to look again.
    pub(crate) fn wake_all(&mut self, actors: usize) {
        for actor in 0..actors {
            self.awake[actor / 64] |= 1 << (actor % 64);
        }
    }

    /// An actor has nothing to do.
    pub(crate) fn rest(&mut self, actor: ActorId) {
        self.awake[actor.index() / 64] &= !(1 << (actor.index() % 64));
    }

    /// Whether an actor has to look again.
    pub(crate) fn is_awake(&self, actor: ActorId) -> bool {
        self.awake[actor.index() / 64] >> (actor.index() % 64) & 1 == 1
    }

    /// Notes what happens, if somebody wants to know.
    pub(crate) fn note(&mut self, record: impl FnOnce() -> Record) {
        if let Some(notes) = &mut self.notes {
            notes.records.push(record());
        }
    }

    /// Remembers a frame for faults.
    pub(crate) fn remember(&mut self, frame: FrameId) {
        if self.recent.len() == 2 * RECENT {
            self.recent.drain(..RECENT);
        }
        self.recent.push(frame);
    }
}

impl Semantics {
    /// What an actor works on.
    pub(crate) fn scope(&self, work: &Work, actor: ActorId) -> Scope {
        self.controls.decode(work.cells[self.layout.seats[actor.index()].control])
    }

    /// Writes what an actor works on.
    pub(crate) fn set_scope(&self, work: &mut Work, actor: ActorId, scope: &mut Scope) {
        if !scope.pending.is_empty() || scope.interrupted.len() > 1 || scope.impassed.len() > 1 {
            self.controls.settle(&self.codec, scope);
        }
        work.set(self.layout.seats[actor.index()].control, self.controls.encode(scope));
    }

    /// Whether an instance is in a set of an actor.
    pub(crate) fn is_marked(&self, work: &Work, slot: Option<usize>, instance: Instance) -> bool {
        let Some(set) = slot.map(|slot| work.cells[slot]).filter(|set| *set != 0) else { return false };
        self.controls.marked(set).contains(&instance)
    }

    /// Adds an instance to a set of an actor.
    pub(crate) fn add_mark(&self, work: &mut Work, slot: Option<usize>, instance: Instance) {
        let Some(slot) = slot else { return };
        let mut set = self.controls.marked(work.cells[slot]).to_vec();
        set.push(instance);
        work.set(slot, self.controls.mark(set));
    }

    /// Keeps the instances of a set for which the condition holds.
    pub(crate) fn keep_marks(
        &self,
        work: &mut Work,
        slot: Option<usize>,
        keep: impl Fn(&Work, Instance) -> bool,
    ) {
        let Some(slot) = slot.filter(|slot| work.cells[*slot] != 0) else { return };
        let mut set = self.controls.marked(work.cells[slot]).to_vec();
        set.retain(|instance| keep(work, *instance));
        work.set(slot, self.controls.mark(set));
    }

    /// A belief changes in the turn of an actor; true if it was another before.
    pub(crate) fn write_belief(
        &self,
        work: &mut Work,
        whose: ActorId,
        key: KeyId,
        word: u32,
        by: ActorId,
    ) -> Result<bool, Fault> {
        self.contend(work, beliefs_of(whose), key, word, by);
        let Some(slot) = self.writable(work, beliefs_of(whose), key, word)? else { return Ok(false) };
        let before = work.cells[slot];
        work.note(|| {
            let (before, after) = (self.codec.decode(before), self.codec.decode(word));
            Record::Belief { actor: whose, key, before, after }
        });
        self.change(work, slot, word);
        let seat = &self.layout.seats[whose.index()];
        if let Some(blocked) = seat.blocked {
            work.set(blocked, 0);
        }
        self.unspend(work, whose, key);
        self.stir(work, whose);
        Ok(true)
    }

    /// A fact changes in the turn of an actor; true if it was another before.
    pub(crate) fn write_fact(
        &self,
        work: &mut Work,
        key: KeyId,
        word: u32,
        by: ActorId,
    ) -> Result<bool, Fault> {
        self.contend(work, FACTS, key, word, by);
        let Some(slot) = self.writable(work, FACTS, key, word)? else { return Ok(false) };
        let before = work.cells[slot];
        work.note(|| {
            let (before, after) = (self.codec.decode(before), self.codec.decode(word));
            Record::Fact { actor: by, key, before, after }
        });
        self.change(work, slot, word);
        // What was blocked until something changes may start again.
        for (number, seat) in (0..).zip(&self.layout.seats) {
            if let Some(blocked) = seat.blocked.filter(|slot| work.cells[*slot] != 0) {
                work.set(blocked, 0);
                work.wake(ActorId(number));
            }
            self.stir(work, ActorId(number));
        }
        Ok(true)
    }

    /// The slot to write, unless it holds the value already: to state what is stored is no change.
    fn writable(&self, work: &Work, store: usize, key: KeyId, word: u32) -> Result<Option<usize>, Fault> {
        match self.layout.cell(store, key) {
            Cell::Slot(slot) if work.cells[slot as usize] == word => Ok(None),
            Cell::Slot(slot) => Ok(Some(slot as usize)),
            Cell::Value(constant) if constant == word => Ok(None),
            Cell::Value(_) => {
                let message =
                    format!("{} was thought to be constant; this is a bug in the tool", self.key(key));
                Err(Fault { message })
            }
        }
    }

    fn change(&self, work: &mut Work, slot: usize, word: u32) {
        work.set(slot, word);
        for actor in &self.layout.wakes[slot] {
            work.wake(ActorId(*actor));
        }
        for (due, bits) in &self.layout.watched[slot] {
            let now = work.cells[*due] | bits;
            work.set(*due, now);
        }
    }

    /// `detect-at-start=no`: a frame that has started looks at its detectables once anything is stated, be it about them
    /// or not. By default they were looked at when it started, so only what they are about can make a difference.
    fn stir(&self, work: &mut Work, actor: ActorId) {
        if self.program.rules.detect_at_start {
            return;
        }
        let seat = &self.layout.seats[actor.index()];
        for (slot, bits) in (seat.due..).zip(&self.layout.whenever[actor.index()]) {
            let now = work.cells[slot] | bits;
            work.set(slot, now);
        }
        work.wake(actor);
    }

    /// A thoughtframe may fire again when a belief that its guard reads has changed.
    fn unspend(&self, work: &mut Work, whose: ActorId, key: KeyId) {
        let slot = self.layout.seats[whose.index()].spent;
        self.keep_marks(work, slot, |work, instance| !self.guard_reads(work, instance, key));
    }

    /// Whether the guard of a frame, with these values, reads a key.
    pub(crate) fn guard_reads(&self, work: &Work, instance: Instance, key: KeyId) -> bool {
        let frame = &self.program.frames[instance.frame.index()];
        if frame.inside.is_some() {
            // The parameters of the activity around it are not at hand; any change will do.
            return true;
        }
        let values = self.controls.values(instance.binding);
        let mut reads = false;
        self.each_asked(frame, values, 0, &mut |binding| {
            let env = Env::guard(frame, &work.cells, binding, None);
            reads |= frame.guard.iter().any(|condition| self.condition_reads(&env, condition, key));
        });
        reads
    }

    /// Whether an entity is there.
    pub(crate) fn is_there(&self, work: &Work, entity: EntityId) -> bool {
        self.layout.is_there(&work.cells, entity)
    }

    /// Whether an actor is there.
    pub(crate) fn is_present(&self, work: &Work, actor: ActorId) -> bool {
        self.is_there(work, self.program.actors[actor.index()].entity)
    }

    /// The values of a binding, for readers.
    pub(crate) fn bound(&self, binding: u32) -> Vec<Bound> {
        let words = self.controls.values(binding);
        words.iter().map(|word| self.bound_word(*word)).collect()
    }

    fn bound_word(&self, word: u32) -> Bound {
        if let Some(value) = self.codec.decode(word) {
            return Bound::One(value);
        }
        if word == UNKNOWN {
            return Bound::Nothing;
        }
        Bound::Many(self.codec.elements(word).into_iter().filter_map(|w| self.codec.decode(w)).collect())
    }

    /// The frames that were done last, each once, for a fault about a cycle.
    pub(crate) fn cycle(&self, work: &Work) -> String {
        let mut names: Vec<String> = Vec::new();
        for frame in work.recent.iter().rev().take(RECENT) {
            let text = &self.program.frames[frame.index()];
            let owner = self.program.actors[text.actor.index()].entity;
            let name = format!("{} of {}", text.name, self.program.entities[owner.index()].name);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.reverse();
        names.join(", ")
    }
}
