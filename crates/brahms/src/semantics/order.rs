//! Turns in any order: `order=choice`.
//!
//! Brahms promises no order among those who act at one instant. With this rule everybody whose activity ends, and then everybody
//! who has something to do, may come first; what the orders lead to is merged wherever it is the same ([`super::merged`]).
//!
//! Most orders make no difference, and those are not tried. Somebody whose turn would change nothing has it at once: it can be
//! had anywhere. And of those who are left only the *company* of the first one is tried, those who have to do with each
//! other, directly or through others: what one does is read or written by another, or claims can see what both of them do. Nobody
//! outside of a company ever does anything that concerns those inside, so every order of all turns can be brought into one
//! in which the company comes first, turn by turn, without a difference for anybody: the company is a persistent set (Godefroid
//! 1996, chapter 4). Where chance decides anything, everybody is one company, because who comes next may hang on what chance did.

use std::collections::HashMap;

use motet_model::Fault;

use super::Semantics;
use super::layout::{MOMENT, Meaning, ROUND, THOUGHTS, actors};
use super::oracle::Weight;
use super::schedule::TURN;
use super::work::Work;
use super::writes::FACTS;
use crate::program::ActorId;
use crate::slice::Inquiry;
use crate::symmetry::conduct::{Footprint, draws, looks_out};
use crate::symmetry::swap::frames_of;

impl Semantics {
    /// The next turn, of anybody who has something to do; if there is nobody, the instant is over.
    pub(super) fn pick(&self, work: &mut Work) -> Result<(), Fault> {
        work.set(THOUGHTS, 0);
        let mut able = Vec::new();
        for actor in actors(&self.program).filter(|actor| work.is_awake(*actor)).collect::<Vec<ActorId>>() {
            if self.changes_nothing(work, actor) {
                work.rest(actor);
            } else {
                able.push(actor);
            }
        }
        if able.is_empty() {
            self.rest_all(work);
            return Ok(());
        }
        let next = self.next_of(work, &able)?;
        // Turns are counted rather than rounds of them, so that orders with as many turns can lead to the same.
        let turns = work.cells[ROUND] + 1;
        let most = u64::from(self.program.bounds.rounds) * self.program.actors.len() as u64;
        if u64::from(turns) > most + 1 {
            return Err(self.goes_round(work));
        }
        work.set(ROUND, turns);
        work.set(MOMENT, TURN + next.0);
        Ok(())
    }

    /// Who of these comes next: the first, or, where the order is open, any of its company.
    pub(super) fn next_of(&self, work: &mut Work, able: &[ActorId]) -> Result<ActorId, Fault> {
        let first = able[0];
        if !self.is_open() || able.len() == 1 {
            return Ok(first);
        }
        let company = self.company.get_or_init(|| self.companies());
        let mut together =
            able.iter().copied().filter(|actor| company[actor.index()] == company[first.index()]);
        let count = together.clone().count();
        let chosen = work.oracle.choose(count, Weight::Free)?;
        Ok(together.nth(chosen).expect("one of so many was chosen"))
    }

    /// Whether the turn of an actor would change nothing, not even what it has to look at. It is tried, and taken back.
    fn changes_nothing(&self, work: &mut Work, actor: ActorId) -> bool {
        let (oracle, notes, awake) =
            (std::mem::take(&mut work.oracle), work.notes.take(), work.awake.clone());
        let before = std::mem::take(&mut work.undo);
        work.oracle.fall_silent();
        let idle = matches!(self.does_something(work, actor), Ok(false));
        if idle {
            self.rest(work, actor);
        }
        let is_same = idle && work.undo.is_empty();
        work.roll_back();
        (work.oracle, work.notes, work.awake, work.undo) = (oracle, notes, awake, before);
        is_same
    }

    /// For each actor the number of its company.
    fn companies(&self) -> Box<[u32]> {
        let program = &self.program;
        let mut all = Companies((0..).take(program.actors.len()).collect());
        let by_chance = program.frames.iter().any(|frame| draws(program, frame));
        let inquiry = Inquiry::new(program);
        let footprints: Vec<Footprint> =
            actors(program).map(|actor| Footprint::of(&inquiry, actor)).collect();
        if by_chance || footprints.iter().any(Footprint::is_wide) {
            // Somebody has to do with everybody.
            return vec![0; program.actors.len()].into();
        }
        let mut writers: HashMap<(usize, u32), Vec<ActorId>> = HashMap::new();
        for (actor, footprint) in actors(program).zip(&footprints) {
            footprint.written().for_each(|thing| writers.entry(thing).or_default().push(actor));
        }
        for (actor, footprint) in actors(program).zip(&footprints) {
            for thing in footprint.read().chain(footprint.written()) {
                for writer in writers.get(&thing).into_iter().flatten() {
                    all.join(actor, *writer);
                }
            }
            for store in footprint.written().filter_map(|(store, _)| store.checked_sub(1)) {
                // A belief wakes whoever holds it.
                all.join(actor, ActorId(u32::try_from(store).expect("actors are numbered with 32 bits")));
            }
        }
        // Any fact lets frames start again that wait for any change at all.
        let states = |footprint: &Footprint| footprint.written().any(|(store, _)| store == FACTS);
        let stating: Vec<ActorId> =
            actors(program).zip(&footprints).filter(|(_, one)| states(one)).map(|(actor, _)| actor).collect();
        let looking =
            |actor: &ActorId| frames_of(program, *actor).iter().any(|frame| looks_out(program, *frame));
        if let Some(first) = stating.first() {
            actors(program).filter(looking).chain(stating.clone()).for_each(|actor| all.join(*first, actor));
        }
        let seen: Vec<ActorId> = actors(program)
            .zip(&footprints)
            .filter(|(actor, footprint)| self.can_be_seen(*actor, footprint))
            .map(|(actor, _)| actor)
            .collect();
        seen.windows(2).for_each(|two| all.join(two[0], two[1]));
        all.numbers()
    }

    /// Whether a claim, or somebody whose knowledge claims speak of, can see what an actor does.
    fn can_be_seen(&self, actor: ActorId, footprint: &Footprint) -> bool {
        let events = self.atoms.iter().any(crate::atoms::Predicate::is_event);
        let is_his = |slot: usize| match self.layout.meanings[slot] {
            Meaning::Control(of) => of == actor,
            Meaning::Value { store, key } => footprint.writes(store, key),
            Meaning::Exists(_) | Meaning::Said => true,
            Meaning::Moment | Meaning::Writers { .. } | Meaning::Earned => false,
        };
        let shown = (0..self.shown.len()).filter(|slot| self.shown[*slot]);
        events || self.watched.iter().flatten().copied().chain(shown).any(is_his)
    }
}

/// Who belongs together: each actor points to one that is declared before it, or to itself.
struct Companies(Vec<u32>);

impl Companies {
    fn root(&self, of: u32) -> u32 {
        let mut at = of;
        while self.0[at as usize] != at {
            at = self.0[at as usize];
        }
        at
    }

    fn join(&mut self, one: ActorId, two: ActorId) {
        let (one, two) = (self.root(one.0), self.root(two.0));
        let (least, most) = (one.min(two), one.max(two));
        self.0[most as usize] = least;
    }

    fn numbers(&self) -> Box<[u32]> {
        (0..).take(self.0.len()).map(|actor| self.root(actor)).collect()
    }
}
