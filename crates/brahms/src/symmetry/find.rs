//! Who is interchangeable.
//!
//! Two actors are if the program in which they have changed places is the same program. Actors take their turns one after the
//! other at every instant, in the order of declaration, so more is needed: nobody else has a turn between them, and nothing that
//! one does at an instant concerns another, so that their order makes no difference. Those that a claim names stay where they are:
//! a claim sees each of their changes, in the order of turns.

use std::collections::BTreeSet;

use motet_model::{Kind, Obstacle};

use super::conduct::{conduct, entangled};
use super::swap::Swap;
use crate::atoms::{Predicate, Term, Test};
use crate::program::{ActorId, EntityId, EntityKind, Key, KeyId, Program, TypeId, Value};

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The kinds.
    pub(super) kinds: Vec<Kind>,
    /// The members of each kind, in the order of turns.
    pub(super) members: Vec<Vec<ActorId>>,
    /// What looks like a kind and is none.
    pub(super) obstacles: Vec<Obstacle>,
}

/// Finds the kinds of a program whose keys are complete, for claims with these predicates.
pub(super) fn find(program: &Program, predicates: &[Predicate]) -> Found {
    let mut found = Found::default();
    let named = named(program, predicates);
    for (name, actors) in alike(program) {
        let (fixed, free): (Vec<ActorId>, Vec<ActorId>) =
            actors.into_iter().partition(|actor| named.contains(&program.actors[actor.index()].entity));
        let mut refuse = |reason: String| found.obstacles.push(Obstacle { name: name.clone(), reason });
        if !fixed.is_empty() {
            refuse(format!("named by a claim: {}", names(program, &fixed)));
        }
        let (classes, differences) = classes(program, &free);
        differences.into_iter().for_each(&mut refuse);
        let mut members: Vec<Vec<ActorId>> = Vec::new();
        for class in classes.into_iter().filter(|class| class.len() > 1) {
            if let Some(reason) = conduct(program, &class).or_else(|| entangled(program, class[0], class[1]))
            {
                refuse(reason);
                continue;
            }
            let neighbours = neighbours(program, &class);
            if neighbours.len() > 1 {
                refuse(format!("others take their turns between {}", names(program, &class)));
            }
            members.extend(neighbours.into_iter().filter(|some| some.len() > 1));
        }
        for members in members {
            let text = |actor: &ActorId| name_of(program, *actor);
            found.kinds.push(Kind { name: name.clone(), members: members.iter().map(text).collect() });
            found.members.push(members);
        }
    }
    found
}

/// Actors of the same direct types, with the name of these.
fn alike(program: &Program) -> Vec<(String, Vec<ActorId>)> {
    let mut found: Vec<(Vec<TypeId>, bool, Vec<ActorId>)> = Vec::new();
    for (actor, number) in program.actors.iter().zip(0..) {
        let entity = &program.entities[actor.entity.index()];
        let declared = entity.types.iter().any(|of| program.types[of.index()].declared);
        if !entity.exists || !declared || entity.kind == EntityKind::ExternalAgent {
            continue;
        }
        let same = |(types, is_object, _): &&mut (Vec<TypeId>, bool, Vec<ActorId>)| {
            *types == entity.types && *is_object == actor.is_object
        };
        match found.iter_mut().find(same) {
            Some((_, _, actors)) => actors.push(ActorId(number)),
            None => found.push((entity.types.clone(), actor.is_object, vec![ActorId(number)])),
        }
    }
    let several = found.into_iter().filter(|(_, _, actors)| actors.len() > 1);
    several
        .map(|(types, _, actors)| {
            let names: Vec<&str> = types.iter().map(|of| program.types[of.index()].name.as_str()).collect();
            (names.join("+"), actors)
        })
        .collect()
}

fn name_of(program: &Program, actor: ActorId) -> String {
    program.entities[program.actors[actor.index()].entity.index()].name.clone()
}

fn names(program: &Program, actors: &[ActorId]) -> String {
    let names: Vec<String> = actors.iter().map(|actor| name_of(program, *actor)).collect();
    names.join(", ")
}

/// Actors that can change places, and why others cannot.
fn classes(program: &Program, actors: &[ActorId]) -> (Vec<Vec<ActorId>>, Vec<String>) {
    let mut classes: Vec<Vec<ActorId>> = Vec::new();
    let mut differences = Vec::new();
    for &actor in actors {
        let mut why = None;
        let class = classes.iter_mut().find(|class| {
            let difference = difference(program, class[0], actor);
            let same = difference.is_none();
            why = why.take().or(difference);
            same
        });
        match class {
            Some(class) => class.push(actor),
            None => {
                // One reason is enough to read.
                differences.extend(why.filter(|_| classes.len() == 1));
                classes.push(vec![actor]);
            }
        }
    }
    (classes, differences)
}

/// What changes in a program when two actors change places; `None` if nothing does.
fn difference(program: &Program, one: ActorId, two: ActorId) -> Option<String> {
    let (first, second) = (name_of(program, one), name_of(program, two));
    let Some(swap) = Swap::new(program, one, two) else {
        return Some(format!("{first} and {second} do not have the same frames"));
    };
    if !keeps(&swap, &program.facts) {
        return Some(format!("the initial facts about {first} and {second} differ"));
    }
    for (number, actor) in (0..).map(ActorId).zip(&program.actors) {
        let image = &program.actors[swap.actor(number).index()];
        let of = || {
            if number == one || number == two {
                format!("the initial beliefs of {first} and {second} differ")
            } else {
                format!("the initial beliefs of {} tell {first} and {second} apart", name_of(program, number))
            }
        };
        if image_of(&swap, &actor.beliefs) != Some(sorted(&image.beliefs)) {
            return Some(of());
        }
        let frames = |frames: &[crate::program::FrameId]| -> Vec<crate::program::FrameId> {
            frames.iter().map(|frame| swap.frame_id(*frame)).collect()
        };
        let same = frames(&actor.workframes) == image.workframes
            && frames(&actor.thoughtframes) == image.thoughtframes;
        if !same {
            return Some(format!("{first} and {second} do not have the same frames"));
        }
    }
    for (number, frame) in (0..).map(crate::program::FrameId).zip(&program.frames) {
        let image = swap.frame(frame);
        let expected = &program.frames[swap.frame_id(number).index()];
        if !image.is_some_and(|image| is_same(&image, expected)) {
            let whose = name_of(program, frame.actor);
            return Some(format!("{} of {whose} tells {first} and {second} apart", frame.name));
        }
    }
    for (number, activity) in (0..).map(crate::program::ActivityId).zip(&program.activities) {
        let image = swap.activity(activity);
        let expected = &program.activities[swap.activity_id(number).index()];
        if !image.is_some_and(|image| is_same(&image, expected)) {
            return Some(format!("{} tells {first} and {second} apart", activity.name));
        }
    }
    let kept = program.keys.iter().all(|(key, _)| swap.key(key).is_some());
    (!kept).then(|| format!("something is said of {first} that is not said of {second}"))
}

/// Texts are the same if everything about them is, the place where they stand included.
fn is_same(one: &dyn std::fmt::Debug, two: &dyn std::fmt::Debug) -> bool {
    format!("{one:?}") == format!("{two:?}")
}

fn sorted(values: &[(KeyId, Value)]) -> BTreeSet<(KeyId, Value)> {
    values.iter().copied().collect()
}

fn image_of(swap: &Swap<'_>, values: &[(KeyId, Value)]) -> Option<BTreeSet<(KeyId, Value)>> {
    values.iter().map(|(key, value)| Some((swap.key(*key)?, swap.value(*value)))).collect()
}

fn keeps(swap: &Swap<'_>, values: &[(KeyId, Value)]) -> bool {
    image_of(swap, values) == Some(sorted(values))
}

/// Members between whose turns nobody else can do anything.
fn neighbours(program: &Program, class: &[ActorId]) -> Vec<Vec<ActorId>> {
    let acts = |actor: u32| {
        let actor = &program.actors[actor as usize];
        !actor.workframes.is_empty() || !actor.thoughtframes.is_empty()
    };
    let mut found: Vec<Vec<ActorId>> = Vec::new();
    for &actor in class {
        let last = found.last().and_then(|some| some.last()).copied();
        let adjoins = last.is_some_and(|last| !(last.0 + 1..actor.0).any(acts));
        match found.last_mut().filter(|_| adjoins) {
            Some(some) => some.push(actor),
            None => found.push(vec![actor]),
        }
    }
    found
}

/// The entities that predicates speak of.
fn named(program: &Program, predicates: &[Predicate]) -> BTreeSet<EntityId> {
    let mut found = BTreeSet::new();
    for predicate in predicates {
        match predicate {
            Predicate::Test(test) => of_test(program, test, &mut found),
            Predicate::Says { from, to, keys, value } => {
                found.extend([from, to].map(|actor| program.actors[actor.index()].entity));
                keys.iter().for_each(|key| of_key(program, *key, &mut found));
                value.iter().for_each(|(_, value)| of_value(*value, &mut found));
            }
        }
    }
    found
}

fn of_value(value: Value, found: &mut BTreeSet<EntityId>) {
    if let Value::Entity(of) = value {
        found.insert(of);
    }
}

fn of_key(program: &Program, key: KeyId, found: &mut BTreeSet<EntityId>) {
    match program.keys.get(key) {
        Key::Attribute(of, _) => {
            found.insert(of);
        }
        Key::Entry(of, _, index) => {
            found.insert(of);
            of_value(index, found);
        }
        Key::Pair(of, _, to) => found.extend([of, to]),
    }
}

fn of_test(program: &Program, test: &Test, found: &mut BTreeSet<EntityId>) {
    match test {
        Test::Constant(_) => {}
        Test::Not(of) => of_test(program, of, found),
        Test::And(a, b) | Test::Or(a, b) => {
            of_test(program, a, found);
            of_test(program, b, found);
        }
        Test::Compare(a, _, b) => {
            of_term(program, a, found);
            of_term(program, b, found);
        }
        Test::Known(term) => of_term(program, term, found),
        Test::Does(actor, _) | Test::Idle(actor) => {
            found.insert(program.actors[actor.index()].entity);
        }
    }
}

fn of_term(program: &Program, term: &Term, found: &mut BTreeSet<EntityId>) {
    match term {
        Term::Value(value) => of_value(*value, found),
        Term::Unknown => {}
        Term::Read(store, key) => {
            if let Some(actor) = store.checked_sub(1) {
                found.insert(program.actors[actor].entity);
            }
            of_key(program, *key, found);
        }
        Term::Binary(_, a, b) => {
            of_term(program, a, found);
            of_term(program, b, found);
        }
    }
}
