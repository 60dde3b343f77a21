//! What a state says of members: which slots are whose, and what becomes of the words in them.

use motet_model::State;

use crate::program::{ActivityId, ActorId, EntityId, FrameId, Key, Program, Value};
use crate::semantics::Semantics;
use crate::semantics::control::{Context, Instance, Scope};
use crate::semantics::layout::{Cell, Layout, Meaning};
use crate::semantics::value::{as_entity, entity, is_list};

use super::belongings::Member;
use super::swap::{activities_of, frames_of};

/// Nobody.
pub(super) const NONE: u32 = u32::MAX;

/// How a word changes with its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// Not at all.
    Plain,
    /// It is a value, which may be a member.
    Value,
    /// It is what somebody works on.
    Control,
    /// It is a set of instances.
    Marks,
}

impl Word {
    /// Whether what is said in a slot that is about no member may name one.
    pub(super) fn may_name(self, semantics: &Semantics, said: u32) -> bool {
        match self {
            Self::Plain => false,
            Self::Value => as_entity(said).is_some() || is_list(said),
            Self::Control => !semantics.controls.is_unbound(said),
            Self::Marks => said != 0,
        }
    }
}

/// Slots that take each other's places.
#[derive(Debug)]
pub(super) struct Family {
    /// For each combination of members, the first of them first: the slot. Nothing where a member would stand twice.
    pub(super) slots: Vec<u32>,
    /// How many different members a slot is about.
    pub(super) arity: u32,
    pub(super) word: Word,
}

/// The members of one kind, and where they are in states.
#[derive(Debug)]
pub(super) struct Places {
    /// Each member's own entity, then what belongs to it.
    pub(super) members: Vec<Vec<EntityId>>,
    /// For each entity, whose it is, and the how many-th: the 0-th is the member itself.
    pub(super) part_of: Vec<(u32, u32)>,
    /// For each member, its frames and activities.
    frames: Vec<Vec<FrameId>>,
    activities: Vec<Vec<ActivityId>>,
    /// For each frame and activity: whose, and the how many-th.
    pub(super) frame_of: Vec<(u32, u32)>,
    activity_of: Vec<(u32, u32)>,
    pub(super) families: Vec<Family>,
    /// Slots that are about no member and may say one.
    pub(super) others: Vec<(u32, Word)>,
    /// The moments at which a member has its turn.
    turns: std::ops::RangeInclusive<u32>,
    /// The slots of what is new to somebody: facts, each with a bit that is not moved with the members it is about; and those
    /// of who wrote what at this instant.
    news: Vec<usize>,
}

impl Places {
    /// `None` if states say more of members than is understood here.
    pub(super) fn new(program: &Program, layout: &Layout, members: &[Member]) -> Option<Self> {
        let actors: Vec<ActorId> = members.iter().map(|member| member.actor).collect();
        let frames: Vec<Vec<FrameId>> = actors.iter().map(|actor| frames_of(program, *actor)).collect();
        let activities: Vec<Vec<ActivityId>> =
            frames.iter().map(|frames| activities_of(program, frames)).collect();
        let mut places = Self {
            part_of: owners(
                program.entities.len(),
                members.iter().map(|member| member.entities.iter().map(|e| e.index()).collect()),
            ),
            frame_of: owners(
                program.frames.len(),
                frames.iter().map(|all| all.iter().map(|f| f.index()).collect()),
            ),
            activity_of: owners(
                program.activities.len(),
                activities.iter().map(|all| all.iter().map(|a| a.index()).collect()),
            ),
            members: members.iter().map(|member| member.entities.clone()).collect(),
            frames,
            activities,
            families: Vec::new(),
            others: Vec::new(),
            turns: 2 + actors.first()?.0..=2 + actors.last()?.0,
            news: layout
                .seats
                .iter()
                .flat_map(|seat| seat.news..seat.news + seat.news_width)
                .chain(layout.contended.iter().copied())
                .collect(),
        };
        places.sort_slots(program, layout, &actors)?;
        Some(places)
    }

    /// Whether nobody among the members has its turn, nobody has news to look at, and nobody wrote what others write too.
    pub(super) fn is_settled(&self, state: &State) -> bool {
        self.news.iter().all(|slot| state[*slot] == 0)
            && !self.turns.contains(&state[crate::semantics::layout::MOMENT])
    }

    fn sort_slots(&mut self, program: &Program, layout: &Layout, actors: &[ActorId]) -> Option<()> {
        let member = |entity: EntityId| Some(self.part_of[entity.index()].0).filter(|m| *m != NONE);
        let mut families = self.seats(layout, actors);
        let mut others = Vec::new();
        for (slot, meaning) in (0..).zip(&layout.meanings) {
            match *meaning {
                Meaning::Moment | Meaning::Writers { .. } | Meaning::Said | Meaning::Earned => {}
                Meaning::Control(actor) => {
                    if member(program.actors[actor.index()].entity).is_none() {
                        others.extend(control_word(layout, actor, slot).map(|word| (slot, word)));
                    }
                }
                Meaning::Exists(of) => {
                    if member(of) == Some(0) {
                        let part = self.part_of[of.index()].1 as usize;
                        let slots = self.members.iter().map(|all| layout.exists[all[part].index()]);
                        let slots = slots.map(|slot| slot.and_then(|slot| u32::try_from(slot).ok()));
                        families.push(Family {
                            slots: slots.collect::<Option<_>>()?,
                            arity: 1,
                            word: Word::Plain,
                        });
                    }
                }
                Meaning::Value { store, key } => {
                    let key = program.keys.get(key);
                    let owner = store.checked_sub(1).and_then(|actor| member(program.actors[actor].entity));
                    let roles = roles(key, &member);
                    let all: Vec<u32> = owner.into_iter().chain(roles).collect();
                    let word = if matches!(key, Key::Pair(..)) { Word::Plain } else { Word::Value };
                    if all.is_empty() {
                        others.extend((word == Word::Value).then_some((slot, word)));
                    } else if let Some(family) = self.family(program, layout, (store, key), &all, word) {
                        families.push(family?);
                    }
                }
            }
        }
        self.families = families;
        self.others = others;
        Some(())
    }

    /// The slots that take the place of one about these members, which are the first ones in order; `None` for others, and
    /// inside it where a slot has no image.
    fn family(
        &self,
        program: &Program,
        layout: &Layout,
        (store, key): (usize, Key),
        roles: &[u32],
        word: Word,
    ) -> Option<Option<Family>> {
        let mut distinct: Vec<u32> = Vec::new();
        let mut pattern = Vec::with_capacity(roles.len());
        for role in roles {
            let at = distinct.iter().position(|known| known == role).unwrap_or(distinct.len());
            if at == distinct.len() {
                distinct.push(*role);
            }
            pattern.push(at);
        }
        if !distinct.iter().copied().eq((0..).take(distinct.len())) {
            return None;
        }
        let (count, arity) = (self.members.len(), u32::try_from(distinct.len()).ok()?);
        let slots = (0..count.pow(arity)).map(|at| {
            let chosen: Vec<usize> = (0..arity).map(|role| at / count.pow(role) % count).collect();
            let differ = (1..chosen.len()).all(|at| !chosen[..at].contains(&chosen[at]));
            if !differ {
                return Some(NONE);
            }
            let combination: Vec<usize> = pattern.iter().map(|at| chosen[*at]).collect();
            self.slot_of(program, layout, store, key, &combination)
        });
        Some(slots.collect::<Option<_>>().map(|slots| Family { slots, arity, word }))
    }

    /// The slots of the members' own control.
    fn seats(&self, layout: &Layout, actors: &[ActorId]) -> Vec<Family> {
        let seat = |actor: &ActorId| &layout.seats[actor.index()];
        let number = |slot: usize| u32::try_from(slot).expect("slots are numbered with 32 bits");
        let family = |slot: &dyn Fn(&ActorId) -> Option<usize>, word: Word| {
            let slots: Option<Vec<u32>> = actors.iter().map(|actor| slot(actor).map(number)).collect();
            slots.map(|slots| Family { slots, arity: 1, word })
        };
        let mut families = Vec::new();
        families.extend(family(&|actor| Some(seat(actor).control), Word::Control));
        families.extend(family(&|actor| Some(seat(actor).remaining), Word::Plain));
        families.extend(family(&|actor| seat(actor).done, Word::Marks));
        families.extend(family(&|actor| seat(actor).blocked, Word::Marks));
        families.extend(family(&|actor| seat(actor).spent, Word::Marks));
        let width = actors.first().map_or(0, |actor| seat(actor).due_width);
        families.extend((0..width).filter_map(|at| family(&|actor| Some(seat(actor).due + at), Word::Plain)));
        families
    }

    /// The slot of a value that is about member 0 wherever it is about a member, for other members.
    fn slot_of(
        &self,
        program: &Program,
        layout: &Layout,
        store: usize,
        key: Key,
        combination: &[usize],
    ) -> Option<u32> {
        let mut chosen = combination.iter().map(|member| &self.members[*member]);
        let mut image = |entity: EntityId| match self.part_of[entity.index()] {
            (NONE, _) => Some(entity),
            (_, part) => chosen.next().map(|member| member[part as usize]),
        };
        let store = match store.checked_sub(1) {
            Some(actor) => 1 + program.entities[image(program.actors[actor].entity)?.index()].actor?.index(),
            None => 0,
        };
        let key = match key {
            Key::Attribute(of, name) => Key::Attribute(image(of)?, name),
            Key::Entry(of, name, Value::Entity(index)) => {
                Key::Entry(image(of)?, name, Value::Entity(image(index)?))
            }
            Key::Entry(of, name, index) => Key::Entry(image(of)?, name, index),
            Key::Pair(of, name, to) => Key::Pair(image(of)?, name, image(to)?),
        };
        match layout.cell(store, program.keys.find(key)?) {
            Cell::Slot(slot) => Some(slot),
            Cell::Value(_) => None,
        }
    }

    /// Lets members change places.
    pub(super) fn permute(&self, semantics: &Semantics, from: &[usize], state: &mut [u32]) {
        let mut to = vec![0; from.len()];
        from.iter().zip(0..).for_each(|(before, now): (&usize, u32)| to[*before] = now);
        let change = Change { places: self, semantics, to: &to };
        let before = state.to_vec();
        let count = from.len();
        for family in &self.families {
            for (at, slot) in family.slots.iter().enumerate().filter(|(_, slot)| **slot != NONE) {
                let source = (0..family.arity).fold(0, |sum, role| {
                    let place = count.pow(role);
                    sum + from[at / place % count] * place
                });
                let word = before[family.slots[source] as usize];
                state[*slot as usize] = change.word(family.word, word);
            }
        }
        for (slot, word) in &self.others {
            let said = before[*slot as usize];
            if word.may_name(semantics, said) {
                state[*slot as usize] = change.word(*word, said);
            }
        }
    }
}

fn owners(count: usize, owned: impl Iterator<Item = Vec<usize>>) -> Vec<(u32, u32)> {
    let mut owners = vec![(NONE, 0); count];
    for (member, all) in (0..).zip(owned) {
        for (at, number) in (0..).zip(all) {
            owners[number] = (member, at);
        }
    }
    owners
}

/// What kind of word a slot of somebody's control holds.
fn control_word(layout: &Layout, actor: ActorId, slot: u32) -> Option<Word> {
    let (seat, slot) = (&layout.seats[actor.index()], slot as usize);
    if slot == seat.control {
        return Some(Word::Control);
    }
    [seat.done, seat.blocked, seat.spent].contains(&Some(slot)).then_some(Word::Marks)
}

/// The members that a key is about.
fn roles(key: Key, member: &dyn Fn(EntityId) -> Option<u32>) -> Vec<u32> {
    let entities = match key {
        Key::Attribute(of, _) => vec![of],
        Key::Entry(of, _, Value::Entity(index)) => vec![of, index],
        Key::Entry(of, _, _) => vec![of],
        Key::Pair(of, _, to) => vec![of, to],
    };
    entities.into_iter().filter_map(member).collect()
}

/// What becomes of words when members change places.
struct Change<'a> {
    places: &'a Places,
    semantics: &'a Semantics,
    /// Which member a member becomes.
    to: &'a [u32],
}

impl Change<'_> {
    fn word(&self, kind: Word, word: u32) -> u32 {
        match kind {
            _ if word == 0 => 0,
            Word::Plain => word,
            Word::Value => self.value(word),
            Word::Control => self.control(word),
            Word::Marks => {
                let marked = self.semantics.controls.marked(word);
                self.semantics.controls.mark(marked.iter().map(|one| self.instance(*one)).collect())
            }
        }
    }

    fn value(&self, word: u32) -> u32 {
        if let Some(of) = as_entity(word) {
            return match self.places.part_of[of.index()] {
                (NONE, _) => word,
                (member, part) => {
                    entity(self.places.members[self.to[member as usize] as usize][part as usize])
                }
            };
        }
        if !is_list(word) {
            return word;
        }
        // What is collected stands in the order of declaration.
        let mut elements: Vec<u32> =
            self.semantics.codec.elements(word).into_iter().map(|one| self.value(one)).collect();
        elements.sort_by_key(|one| as_entity(*one));
        self.semantics.codec.list(&elements)
    }

    fn frame(&self, frame: FrameId) -> FrameId {
        match self.places.frame_of[frame.index()] {
            (NONE, _) => frame,
            (member, at) => self.places.frames[self.to[member as usize] as usize][at as usize],
        }
    }

    fn instance(&self, instance: Instance) -> Instance {
        let frame = self.frame(instance.frame);
        if instance.binding == 0 {
            return Instance { frame, binding: 0 };
        }
        let values = self.semantics.controls.values(instance.binding);
        let values: Vec<u32> = values.iter().map(|word| self.value(*word)).collect();
        Instance { frame, binding: self.semantics.controls.bind(&values) }
    }

    fn control(&self, word: u32) -> u32 {
        let mut scope = self.semantics.controls.decode(word);
        self.scope(&mut scope);
        self.semantics.controls.encode(&scope)
    }

    fn scope(&self, scope: &mut Scope) {
        let contexts = scope.current.iter_mut().chain(&mut scope.interrupted);
        contexts.chain(scope.impassed.iter_mut().map(|impasse| &mut impasse.context)).for_each(|context| {
            self.context(context);
        });
        scope.pending.iter_mut().for_each(|pending| *pending = self.instance(*pending));
        self.semantics.controls.settle(&self.semantics.codec, scope);
    }

    fn context(&self, context: &mut Context) {
        context.instance = self.instance(context.instance);
        if let Some(opened) = &mut context.inside {
            if let (member, at) = self.places.activity_of[opened.activity.index()]
                && member != NONE
            {
                opened.activity = self.places.activities[self.to[member as usize] as usize][at as usize];
            }
            opened.arguments.iter_mut().for_each(|word| *word = self.value(*word));
            self.scope(&mut opened.scope);
        }
    }
}
