//! Who is interchangeable.
//!
//! Two actors are if the program in which they have changed places, each with what belongs to it alone, is the same program.
//! Actors take their turns one after the other at every instant, in the order of declaration, so more is needed: nobody else has a
//! turn between them, and nothing that one does at an instant concerns another, so that their order makes no difference. Those of
//! whom a claim says something that changes in their own turns stay where they are: the claim sees each of these changes, in the
//! order of turns.

use std::collections::BTreeSet;

use motet_model::{Kind, Obstacle};

use super::belongings::{Member, members};
use super::conduct::{conduct, entangled};
use super::naming::pinned;
use super::swap::Swap;
use crate::atoms::Predicate;
use crate::program::{ActorId, EntityId, EntityKind, KeyId, Program, TypeId, Value};

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The kinds.
    pub(super) kinds: Vec<Kind>,
    /// The members of each kind, in the order of turns.
    pub(super) members: Vec<Vec<Member>>,
    /// What looks like a kind and is none.
    pub(super) obstacles: Vec<Obstacle>,
}

/// Finds the kinds of a program whose keys are complete, for claims with these predicates.
pub(super) fn find(program: &Program, predicates: &[Predicate]) -> Found {
    let mut found = Found::default();
    for (name, actors) in alike(program) {
        let pinned = pinned(program, predicates, &actors);
        let (fixed, free): (Vec<Member>, Vec<Member>) = members(program, &actors)
            .into_iter()
            .partition(|member| member.entities.iter().any(|entity| pinned.contains(entity)));
        let mut refuse = |reason: String| found.obstacles.push(Obstacle { name: name.clone(), reason });
        if !fixed.is_empty() {
            refuse(format!("named by a claim: {}", names(program, &fixed)));
        }
        let (classes, differences) = classes(program, free);
        differences.into_iter().for_each(&mut refuse);
        let mut kinds: Vec<Vec<Member>> = Vec::new();
        for class in classes.into_iter().filter(|class| class.len() > 1) {
            let reason =
                conduct(program, &class).or_else(|| entangled(program, class[0].actor, class[1].actor));
            if let Some(reason) = reason {
                refuse(reason);
                continue;
            }
            let all = names(program, &class);
            let neighbours = neighbours(program, class);
            if neighbours.len() > 1 {
                refuse(format!("others take their turns between {all}"));
            }
            kinds.extend(neighbours.into_iter().filter(|some| some.len() > 1));
        }
        for members in kinds {
            let text = |member: &Member| name_of(program, member.actor);
            found.kinds.push(Kind {
                name: name.clone(),
                members: members.iter().map(text).collect(),
                with: members[0].belongings(program),
            });
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

fn names(program: &Program, members: &[Member]) -> String {
    let names: Vec<String> = members.iter().map(|member| name_of(program, member.actor)).collect();
    names.join(", ")
}

/// Members that can change places, and why others cannot.
fn classes(program: &Program, members: Vec<Member>) -> (Vec<Vec<Member>>, Vec<String>) {
    let mut classes: Vec<Vec<Member>> = Vec::new();
    let mut differences = Vec::new();
    for member in members {
        let mut why = None;
        let class = classes.iter_mut().find(|class| {
            let difference = difference(program, &class[0], &member);
            let same = difference.is_none();
            why = why.take().or(difference);
            same
        });
        match class {
            Some(class) => class.push(member),
            None => {
                // One reason is enough to read.
                differences.extend(why.filter(|_| classes.len() == 1));
                classes.push(vec![member]);
            }
        }
    }
    (classes, differences)
}

/// What changes in a program when two members change places; `None` if nothing does.
fn difference(program: &Program, one: &Member, two: &Member) -> Option<String> {
    let (first, second) = (name_of(program, one.actor), name_of(program, two.actor));
    let Some(swap) = Swap::new(program, one, two) else {
        return Some(format!("{first} and {second} do not have the same frames"));
    };
    if one.entities.len() != two.entities.len() {
        return Some(format!("{first} and {second} do not have as many places of their own"));
    }
    if !keeps(&swap, &program.facts) {
        return Some(format!("the initial facts about {first} and {second} differ"));
    }
    for (number, actor) in (0..).map(ActorId).zip(&program.actors) {
        let image = &program.actors[swap.actor(number).index()];
        let of = || {
            if number == one.actor || number == two.actor {
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
    if let Some(difference) = places_differ(program, &swap) {
        return Some(difference);
    }
    let kept = program.keys.iter().all(|(key, _)| swap.key(key).is_some());
    (!kept).then(|| format!("something is said of {first} that is not said of {second}"))
}

/// Whether areas are something else, or somewhere else, afterwards.
fn places_differ(program: &Program, swap: &Swap<'_>) -> Option<String> {
    for (of, number) in program.entities.iter().zip(0..) {
        let image = &program.entities[swap.entity(EntityId(number)).index()];
        let part_of = of.part_of.map(|area| swap.entity(area));
        let same = (of.kind, &of.types, of.exists, of.resource, part_of)
            == (image.kind, &image.types, image.exists, image.resource, image.part_of);
        if !same {
            return Some(format!("{} and {} are not alike", of.name, image.name));
        }
    }
    let name = |of: EntityId| &program.entities[of.index()].name;
    for (&(from, to), distance) in &program.ways {
        let image = (swap.entity(from), swap.entity(to));
        if program.ways.get(&image) != Some(distance) {
            let (image_from, image_to) = (name(image.0), name(image.1));
            return Some(format!(
                "it is not as far from {} to {} as from {image_from} to {image_to}",
                name(from),
                name(to)
            ));
        }
    }
    None
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
fn neighbours(program: &Program, class: Vec<Member>) -> Vec<Vec<Member>> {
    let acts = |actor: u32| {
        let actor = &program.actors[actor as usize];
        !actor.workframes.is_empty() || !actor.thoughtframes.is_empty()
    };
    let mut found: Vec<Vec<Member>> = Vec::new();
    for member in class {
        let last = found.last().and_then(|some| some.last()).map(|last| last.actor.0);
        let adjoins = last.is_some_and(|last| !(last + 1..member.actor.0).any(acts));
        match found.last_mut().filter(|_| adjoins) {
            Some(some) => some.push(member),
            None => found.push(vec![member]),
        }
    }
    found
}
