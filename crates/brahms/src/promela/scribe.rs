//! What all parts of the writing share: the variables of the actors, what follows from a change, and the points at which a
//! claim looks.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use motet_machine::promela::{Item, Program, Statement, assign};
use motet_machine::{Expr as Term, Place as Variable};

use crate::atoms::Predicate;
use crate::program::{
    ActivityNode, DetectAction, Detectable, Frame, FrameId, KeyId, Repeat, Statement as Line,
};
use crate::promela::cells::{Cell as Slot, Store, watched};
use crate::promela::expr::{Look, Scope, World};
use crate::promela::ground::{Instance, Player, Room};
use crate::promela::lack::Lack;

/// Marks that fit one variable.
const WORD: usize = 30;
/// Turns and thoughts at one instant; more than these are a cycle without time.
pub(crate) const LIMIT_EFFORT: i64 = 30_000;
/// A shorter block is no `d_step`. Spin counts the exits of all of them, and has room for two thousand.
const SHORT: usize = 8;

/// Writes the process.
pub(crate) struct Scribe<'a> {
    pub(crate) world: World<'a>,
    pub(crate) players: &'a [Player],
    /// Names of the atoms that claims use.
    pub(crate) atoms: Vec<String>,
    /// How many points there are at which a claim may look inside an instant.
    pub(crate) pauses: usize,
    /// A priority below all.
    pub(crate) none: i64,
    /// Atoms that speak of messages, with their names.
    pub(crate) events: Vec<(String, &'a Predicate)>,
    /// How many values are kept at once while a conclusion is written.
    pub(crate) spares: Cell<usize>,
}

/// A workframe instance, by its place.
#[derive(Clone, Copy)]
pub(crate) struct Work<'a> {
    pub(crate) player: &'a Player,
    pub(crate) room: usize,
    /// From 0; the variable `now` holds one more.
    pub(crate) number: usize,
    pub(crate) instance: &'a Instance,
    pub(crate) frame: &'a Frame,
}

impl<'a> Work<'a> {
    pub(crate) fn room(self) -> &'a Room {
        &self.player.rooms[self.room]
    }

    /// The place of the last statement and one more: where the frame ends.
    pub(crate) fn end(self) -> usize {
        self.frame.body.len()
    }

    /// What is added to the place while only conclusions are left to do.
    pub(crate) fn completing(self) -> usize {
        self.frame.body.len() + 1
    }

    pub(crate) fn label(self) -> &'a str {
        &self.instance.label
    }

    /// Its number among those of its room; 0 is none.
    pub(crate) fn one(self) -> Term {
        Term::count(self.number + 1)
    }

    /// Whether its room works on it.
    pub(crate) fn now(self) -> Term {
        self.about("now").equals(self.one())
    }

    /// What is kept about its room: `at_Alex`.
    pub(crate) fn about(self, what: &str) -> Variable {
        variable(what, &self.room().name)
    }

    /// What is kept about itself: `mode_Alex_eat`.
    pub(crate) fn own(self, what: &str) -> Variable {
        variable(what, self.label())
    }
}

impl<'a> Scribe<'a> {
    pub(crate) fn frame(&self, instance: &Instance) -> &'a Frame {
        &self.world.program.frames[instance.frame.index()]
    }

    /// The workframes of a room.
    pub(crate) fn works(&self, player: &'a Player, room: usize) -> impl Iterator<Item = Work<'a>> {
        let world = self.world;
        player.rooms[room].works.iter().enumerate().map(move |(number, instance)| Work {
            player,
            room,
            number,
            instance,
            frame: &world.program.frames[instance.frame.index()],
        })
    }

    /// The workframes of all rooms.
    pub(crate) fn all_works(&self, player: &'a Player) -> Vec<Work<'a>> {
        (0..player.rooms.len()).flat_map(|room| self.works(player, room)).collect()
    }

    /// An expression in the body of a frame, or what it looks for.
    pub(crate) fn scope(&self, work: Work<'a>, look: Look) -> Scope<'a> {
        Scope::new(self.world, work.player.id, look, &work.instance.binding, &work.room().outer)
    }

    /// What detectables are tested on.
    pub(crate) fn sight(&self) -> Look {
        if self.world.program.rules.detect_on_facts { Look::Facts } else { Look::Beliefs }
    }

    /// Whether a room is open and everything around it is at work.
    pub(crate) fn live(&self, player: &Player, room: usize) -> Term {
        let Some((_, parent, work, place)) = player.rooms[room].door else { return Term::Truth(true) };
        let outer = &player.rooms[parent].name;
        let open = variable("open", &player.rooms[room].name);
        let (now, at) = (variable("now", outer), variable("at", outer));
        let here = [open.into(), now.equals(Term::count(work + 1)), at.equals(Term::count(place))];
        Term::all([self.live(player, parent)].into_iter().chain(here))
    }

    /// Whether an instance can be put aside while it is at work.
    pub(crate) fn waits(&self, work: Work<'a>) -> bool {
        let higher = |other: Work<'a>| {
            other.room == work.room
                && other.number != work.number
                && other.frame.priority > work.frame.priority
        };
        self.works(work.player, work.room).any(higher) || self.impasses(work)
    }

    pub(crate) fn impasses(&self, work: Work<'_>) -> bool {
        work.frame.detectables.iter().any(|one| one.action == DetectAction::Impasse)
    }

    /// Whether a detectable can end an instance.
    pub(crate) fn blocks(&self, work: Work<'_>) -> bool {
        let ends = |one: &Detectable| matches!(one.action, DetectAction::Abort | DetectAction::Complete);
        let inner = |one: &Detectable| ends(one) || one.action == DetectAction::Impasse;
        work.frame.detectables.iter().any(ends) || self.called(work).any(inner)
    }

    pub(crate) fn completes(&self, work: Work<'_>) -> bool {
        let completes = |one: &Detectable| one.action == DetectAction::Complete;
        work.frame.detectables.iter().any(completes) || self.called(work).any(completes)
    }

    /// The detectables of the composite activities that a frame performs.
    fn called(&self, work: Work<'_>) -> impl Iterator<Item = &'a Detectable> + use<'a> {
        let activities = &self.world.program.activities;
        let body = &self.world.program.frames[work.instance.frame.index()].body;
        body.iter().flat_map(move |statement| match statement {
            Line::Do(activity) => match &activities[activity.index()].node {
                ActivityNode::Composite { detectables, .. } => detectables.as_slice(),
                _ => &[],
            },
            _ => &[],
        })
    }

    /// Whether an actor looks out for anything.
    pub(crate) fn detects(&self, player: &'a Player) -> bool {
        let composite = |room: &Room| self.composite(room).is_some_and(|detectables| !detectables.is_empty());
        player.rooms.iter().any(composite)
            || self.all_works(player).iter().any(|work| !work.frame.detectables.is_empty())
    }

    /// What the composite activity of a room looks out for.
    pub(crate) fn composite(&self, room: &Room) -> Option<&'a [Detectable]> {
        let (activity, ..) = room.door?;
        match &self.world.program.activities[activity.index()].node {
            ActivityNode::Composite { detectables, .. } => Some(detectables),
            _ => None,
        }
    }

    /// The detectables of an actor, those of a frame before those of the composite activities it calls; each has a mark.
    pub(crate) fn detectables(&self, player: &Player) -> Vec<(FrameId, &'a Detectable)> {
        let program = self.world.program;
        let mut all = Vec::new();
        for (id, frame) in (0..).map(FrameId).zip(&program.frames).filter(|(_, one)| one.actor == player.id) {
            all.extend(frame.detectables.iter().map(|one| (id, one)));
            for statement in &frame.body {
                let Line::Do(activity) = statement else { continue };
                if let ActivityNode::Composite { detectables, .. } =
                    &program.activities[activity.index()].node
                {
                    all.extend(detectables.iter().map(|one| (id, one)));
                }
            }
        }
        all
    }

    /// The mark of a detectable that has to be looked at: something it speaks of changed, or its frame began.
    pub(crate) fn due_mark(&self, player: &Player, detectable: &Detectable) -> Mark {
        self.own_mark("due", player, detectable)
    }

    /// The mark of a detectable whose frame began, so that every fact is new to it.
    pub(crate) fn fresh_mark(&self, player: &Player, detectable: &Detectable) -> Mark {
        self.own_mark("fresh", player, detectable)
    }

    /// The mark of an uncertain detectable that was looked at.
    pub(crate) fn drawn_mark(&self, player: &Player, detectable: &Detectable) -> Mark {
        self.own_mark("drawn", player, detectable)
    }

    /// The mark of a fact that an actor looks for and that was stated since it last looked; none if it cannot change.
    pub(crate) fn news_mark(&self, player: &Player, key: KeyId) -> Option<Mark> {
        let before = self.players.iter().take_while(|other| other.id != player.id);
        let before: usize = before.map(|other| self.looked_for(other).len()).sum();
        let place = self.looked_for(player).iter().position(|known| *known == key)?;
        Some(mark("news", before + place))
    }

    /// The facts that an actor looks for and that can change.
    fn looked_for(&self, player: &Player) -> BTreeSet<KeyId> {
        let all = self.detectables(player).into_iter();
        let keys = all.flat_map(|(frame, one)| watched(self.world.program, frame, one));
        keys.filter(|key| self.world.cells.name((Store::Facts, *key)).is_some()).collect()
    }

    fn own_mark(&self, kind: &str, player: &Player, detectable: &Detectable) -> Mark {
        let before = self.players.iter().take_while(|other| other.id != player.id);
        let before: usize = before.map(|other| self.detectables(other).len()).sum();
        let all = self.detectables(player);
        let place = all.iter().position(|(_, one)| std::ptr::eq(*one, detectable)).unwrap_or(0);
        mark(kind, before + place)
    }

    /// Sets the marks of these detectables, to which every fact is new.
    pub(crate) fn mark_due(&self, player: &Player, detectables: &[&Detectable]) -> Vec<Statement> {
        let marks =
            detectables.iter().flat_map(|one| [self.due_mark(player, one), self.fresh_mark(player, one)]);
        gathered(marks).iter().map(Mark::set).collect()
    }

    /// The instances of a room that differ from this one at most in what `collectall` gathers; itself too.
    pub(crate) fn same(&self, work: Work<'a>) -> Vec<Work<'a>> {
        self.works(work.player, work.room).filter(|other| other.instance.is_same(work.instance)).collect()
    }

    /// The mark of a blocked instance.
    pub(crate) fn block_mark(&self, work: Work<'a>) -> Mark {
        let all = self.players.iter().flat_map(|player| self.all_works(player));
        let marked = all.filter(|other| self.blocks(*other));
        let first = self.same(work).first().map_or(work.label(), |first| first.label());
        let place = marked.take_while(|other| other.label() != first).count();
        mark("blocked", place)
    }

    /// The mark of a thoughtframe that was done and whose guard has not changed since.
    pub(crate) fn spent_mark(&self, player: &Player, thought: &Instance) -> Mark {
        let before = self.players.iter().take_while(|other| other.id != player.id);
        let thoughts = |player: &'a Player| player.rooms.iter().flat_map(|room| &room.thoughts);
        let before: usize = before.map(|other| thoughts(other).count()).sum();
        let own = player.rooms.iter().flat_map(|room| &room.thoughts);
        let place = own.take_while(|other| other.label != thought.label).count();
        mark("spent", before + place)
    }

    /// The marks of an actor: blocked workframes, spent thoughtframes, detectables that are due, those to which every fact is
    /// new, uncertain ones that were looked at, facts that are new; gathered by the variables that hold them.
    pub(crate) fn marks(&self, player: &'a Player) -> [Vec<Mark>; 6] {
        let works = self.all_works(player);
        let blocked = works.iter().filter(|work| self.blocks(**work)).map(|work| self.block_mark(*work));
        let thoughts = player.rooms.iter().flat_map(|room| &room.thoughts);
        let spent = thoughts.map(|thought| self.spent_mark(player, thought));
        let all = self.detectables(player);
        let due = all.iter().map(|(_, one)| self.due_mark(player, one));
        let fresh = all.iter().map(|(_, one)| self.fresh_mark(player, one));
        let uncertain = all.iter().filter(|(_, one)| (1..100).contains(&one.certainty));
        let drawn = uncertain.map(|(_, one)| self.drawn_mark(player, one));
        let news = self.looked_for(player).into_iter().filter_map(|key| self.news_mark(player, key));
        [gathered(blocked), gathered(spent), gathered(due), gathered(fresh), gathered(drawn), gathered(news)]
    }

    /// The variables that hold the marks of everybody.
    pub(crate) fn words(&self) -> BTreeSet<String> {
        self.players.iter().flat_map(|player| self.marks(player)).flatten().map(|mark| mark.word).collect()
    }

    /// How often an instance was done, if that is limited; with the limit.
    pub(crate) fn done(&self, instance: &Instance) -> Option<(Variable, i64)> {
        let frame = self.frame(instance);
        let name = if self.world.program.rules.repeat_per_frame {
            format!("frame_{}", instance.frame.0)
        } else {
            let rooms = self.players[frame.actor.index()].rooms.iter();
            let room = rooms.map(|room| room.thoughts.iter().chain(&room.works)).find_map(|mut all| {
                let here: Vec<&Instance> = all.by_ref().collect();
                here.iter().any(|one| one.label == instance.label).then_some(here)
            });
            let first = room.iter().flatten().find(|one| one.is_same(instance));
            first.map_or(&instance.label, |first| &first.label).clone()
        };
        match frame.repeat {
            Repeat::Always => None,
            Repeat::Once => Some((variable("done", &name), 1)),
            Repeat::Twice => Some((variable("done", &name), 2)),
        }
    }

    /// What an instance of a `foreach` frame is pending under.
    pub(crate) fn pending(&self, player: &'a Player, room: usize, instance: &Instance) -> Option<Variable> {
        let each = instance.each(self.frame(instance))?;
        let same = |other: &&Instance| {
            other.frame == instance.frame && other.each(self.frame(other)).as_ref() == Some(&each)
        };
        let first = player.rooms[room].works.iter().find(same)?;
        Some(variable("pending", &first.label))
    }

    /// A variable for one of several values.
    pub(crate) fn spare(&self, number: usize) -> Variable {
        self.spares.set(self.spares.get().max(number + 1));
        variable("new", &number.to_string())
    }

    /// No value.
    pub(crate) fn unknown(&self) -> Term {
        self.world.values.unknown()
    }

    /// Gives a place of a store a value; a value that is there already is no change.
    pub(crate) fn put(&self, out: &mut Vec<Statement>, cell: Slot, value: &Term, when: &Term) {
        let Some(name) = self.world.cells.name(cell) else { return };
        let held = Variable::named(name);
        let when = Term::all([when.clone(), held.differs(value), value.differs(self.unknown())]);
        if !when.is(false) {
            out.push(Statement::when(when, vec![assign(&held, value), changed(name)]));
        }
    }

    /// Takes the value of a place away.
    pub(crate) fn forget(&self, out: &mut Vec<Statement>, cell: Slot, when: &Term) {
        let Some(name) = self.world.cells.name(cell) else { return };
        let held = Variable::named(name);
        let when = when.and(&held.differs(self.unknown()));
        if !when.is(false) {
            out.push(Statement::when(when, vec![assign(&held, self.unknown()), changed(name)]));
        }
    }

    /// What follows from the change of a place: detectables that speak of it are due, thoughtframes that read it may fire
    /// again, and what was blocked until something changes may start again.
    pub(crate) fn write_changes(&self, out: &mut Program) {
        out.remark("what follows from a change");
        for (cell, name) in self.world.cells.iter() {
            let (store, key) = cell;
            let mut sets = Vec::new();
            for player in self.players {
                if store == Store::Facts || store == Store::Beliefs(player.id) {
                    // Those that wait for a point of the frame's time are looked at then.
                    let whenever =
                        self.detectables(player).into_iter().filter(|(_, one)| one.percent.is_none());
                    let about = whenever
                        .filter(|(frame, one)| watched(self.world.program, *frame, one).contains(&key));
                    sets.extend(about.map(|(_, one)| self.due_mark(player, one)));
                    sets.extend((store == Store::Facts).then(|| self.news_mark(player, key)).flatten());
                }
            }
            let mut body: Vec<Statement> = gathered(sets).iter().map(Mark::set).collect();
            if let Store::Beliefs(actor) = store {
                let player = &self.players[actor.index()];
                let thoughts = player.rooms.iter().flat_map(|room| &room.thoughts);
                let reading = thoughts.filter(|thought| thought.reads.contains(&cell));
                let clears = gathered(reading.map(|thought| self.spent_mark(player, thought)));
                body.extend(clears.iter().map(Mark::clear));
                body.push(Statement::call(format!("MIND_CHANGED_{}", player.name)));
            } else {
                body.push(Statement::call("FACT_CHANGED"));
            }
            out.push(Item::abbreviate(format!("CHANGED_{name}"), &[], body));
        }
        out.gap();
    }

    /// A point at which a claim looks if an atom of the claims is no longer what it was.
    pub(crate) fn watch(&mut self, out: &mut Vec<Statement>) {
        if self.atoms.is_empty() {
            return;
        }
        self.pauses += 1;
        let number = self.pauses;
        let stop = vec![assign("pause", Term::count(number)), Statement::goto("stop")];
        out.push(Statement::when(Term::call("SEES_CHANGE", []), stop));
        label(out, format!("in_{number}"));
    }

    /// Refuses what an activity or statement has no translation for.
    pub(crate) fn refuse<T>(what: &str) -> Result<T, Lack> {
        Err(Lack::Construct(what.to_owned()))
    }
}

fn changed(name: &str) -> Statement {
    Statement::call(format!("CHANGED_{name}"))
}

/// Bits of a variable that stand for something.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    pub(crate) word: String,
    pub(crate) bits: u32,
}

impl Mark {
    /// Not 0 if one of them is set.
    pub(crate) fn held(&self) -> Term {
        Variable::named(&self.word).bit_and(i64::from(self.bits))
    }

    pub(crate) fn set(&self) -> Statement {
        Statement::set_bits(&self.word, self.bits)
    }

    pub(crate) fn clear(&self) -> Statement {
        Statement::clear_bits(&self.word, self.bits)
    }
}

fn mark(kind: &str, place: usize) -> Mark {
    Mark { word: format!("{kind}_{}", place / WORD), bits: 1 << (place % WORD) }
}

/// Marks of one variable as one.
pub(crate) fn gathered(marks: impl IntoIterator<Item = Mark>) -> Vec<Mark> {
    let mut words: BTreeMap<String, u32> = BTreeMap::new();
    marks.into_iter().for_each(|mark| *words.entry(mark.word).or_default() |= mark.bits);
    words.into_iter().map(|(word, bits)| Mark { word, bits }).collect()
}

/// `now_Alex`: what is kept about a room, a frame or a key.
pub(crate) fn variable(what: &str, name: &str) -> Variable {
    Variable::named(&format!("{what}_{name}"))
}

/// A label. Spin does not jump to a `d_step`, so it has a statement of its own.
pub(crate) fn label(out: &mut Vec<Statement>, name: impl Into<String>) {
    out.extend([Statement::Label(name.into()), Statement::Skip]);
}

/// Statements that are one step, inside an atomic sequence.
pub(crate) fn step(out: &mut Vec<Statement>, mut body: Vec<Statement>) {
    if body.len() <= SHORT && body.iter().all(is_simple) {
        return out.append(&mut body);
    }
    if body.last().is_some_and(|last| last.inner().next().is_some()) {
        body.push(Statement::Skip);
    }
    out.push(Statement::Step(body));
}

/// Whether a statement is no block, or does simple things under one condition.
fn is_simple(statement: &Statement) -> bool {
    match statement {
        Statement::If(branches) => branches.iter().enumerate().all(|(number, branch)| {
            if number == 0 {
                branch.body.iter().all(|one| one.inner().next().is_none())
            } else {
                branch.body.is_empty()
            }
        }),
        other => other.inner().next().is_none(),
    }
}

/// One more turn or thought at this instant; too many are a cycle without time.
pub(crate) fn effort(bound: &str) -> [Statement; 2] {
    let effort = Variable::named("effort");
    let small = effort.less(Term::named("LIMIT_EFFORT", LIMIT_EFFORT));
    [Statement::increment(&effort), Statement::check(bound, small)]
}

/// Whether a frame can start.
pub(crate) fn can(label: &str) -> Term {
    Term::call(&format!("can_{label}"), [])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stepped(body: Vec<Statement>) -> usize {
        let mut out = Vec::new();
        step(&mut out, body);
        out.len()
    }

    #[test]
    fn short_blocks_are_no_steps() {
        let put = || Statement::when(Term::variable("c"), vec![assign("x", 1), changed("x")]);
        assert_eq!(stepped(vec![put(), assign("y", 2)]), 2);
        assert_eq!(stepped(vec![put(); SHORT + 1]), 1);
        assert_eq!(stepped(vec![Statement::when(Term::variable("d"), vec![put()])]), 1);
        assert_eq!(stepped(Vec::new()), 0);
    }
}
