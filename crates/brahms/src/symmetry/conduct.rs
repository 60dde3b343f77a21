//! Whether the order in which members take their turns at an instant makes a difference.

use std::collections::HashSet;

use crate::program::{
    ActivityNode, ActorId, Conclude, ConcludeNode, Domain, EntityId, Expr, Frame, FrameId, KeyId, Place,
    Program, Quantifier, Sighted, Statement, Subject, Ties, Transfer, Var,
};
use crate::semantics::bindings::{expr_needs, place_needs};
use crate::semantics::writes::{FACTS, beliefs_of};
use crate::slice::{Inquiry, Thing};

use super::belongings::Member;
use super::swap::frames_of;

/// What one actor looks at and changes.
#[derive(Default)]
pub(crate) struct Footprint {
    reads: HashSet<(usize, u32)>,
    writes: HashSet<(usize, u32)>,
    /// Whether it looks at more than single values.
    wide: bool,
}

impl Footprint {
    pub(crate) fn of(inquiry: &Inquiry<'_>, actor: ActorId) -> Self {
        let mut footprint = Self::default();
        for frame in frames_of(inquiry.program, actor) {
            let doings = inquiry.doings(frame);
            let reads = doings.effects.iter().flat_map(|effect| &effect.reads).chain(&doings.course);
            for thing in reads {
                match thing {
                    Thing::Value(store, key) => {
                        footprint.reads.insert((*store, key.0));
                    }
                    Thing::AnyFact | Thing::AnyBelief(_) => footprint.wide = true,
                    Thing::Existence | Thing::Message(_) => {}
                }
            }
            for thing in doings.effects.iter().flat_map(|effect| &effect.writes) {
                match thing {
                    Thing::Value(store, key) => {
                        footprint.writes.insert((*store, key.0));
                    }
                    Thing::Message(_) => {}
                    Thing::AnyFact | Thing::AnyBelief(_) | Thing::Existence => footprint.wide = true,
                }
            }
        }
        footprint
    }

    /// Whether it looks at more than single values, or changes more.
    pub(crate) fn is_wide(&self) -> bool {
        self.wide
    }

    /// The values that it may look at: store and key.
    pub(crate) fn read(&self) -> impl Iterator<Item = (usize, u32)> {
        self.reads.iter().copied()
    }

    /// The values that it may change.
    pub(crate) fn written(&self) -> impl Iterator<Item = (usize, u32)> {
        self.writes.iter().copied()
    }

    /// Whether it may change what a store holds for a key.
    pub(crate) fn writes(&self, store: usize, key: KeyId) -> bool {
        self.writes.contains(&(store, key.0))
    }
}

/// Whether what one member does at an instant can concern another. By symmetry two members are enough to look at.
pub(super) fn entangled(program: &Program, one: ActorId, two: ActorId) -> Option<String> {
    let inquiry = Inquiry::new(program);
    let (first, second) = (Footprint::of(&inquiry, one), Footprint::of(&inquiry, two));
    let name = |actor: ActorId| &program.entities[program.actors[actor.index()].entity.index()].name;
    let key = |(_, key): &(usize, u32)| crate::words::naming::key(program, KeyId(*key));
    for (actor, footprint, other, others) in [(one, &first, two, &second), (two, &second, one, &first)] {
        let shared = footprint.writes.iter().filter(|thing| {
            others.reads.contains(thing) || others.writes.contains(thing) || thing.0 == beliefs_of(other)
        });
        if let Some(thing) = shared.min() {
            let (actor, other) = (name(actor), name(other));
            return Some(format!("what {actor} does to {} concerns {other} at the same instant", key(thing)));
        }
    }
    // Any fact wakes those who wait for any change at all.
    let facts = first.writes.iter().any(|(store, _)| *store == FACTS);
    let looks = frames_of(program, one).iter().any(|frame| looks_out(program, *frame));
    (first.wide || (facts && looks))
        .then(|| format!("{} waits for any change, and {} makes one", name(one), name(two)))
}

pub(crate) fn looks_out(program: &Program, frame: FrameId) -> bool {
    let frame = &program.frames[frame.index()];
    let inside = |statement: &Statement| match statement {
        Statement::Do(activity) => match &program.activities[activity.index()].node {
            ActivityNode::Composite { detectables, .. } => !detectables.is_empty(),
            _ => false,
        },
        _ => false,
    };
    !frame.detectables.is_empty() || frame.body.iter().any(inside)
}

/// Why members cannot change places although their texts are the same.
pub(super) fn conduct(program: &Program, members: &[Member]) -> Option<String> {
    let entities: Vec<EntityId> = members.iter().flat_map(|member| &member.entities).copied().collect();
    let among = |candidates: &[EntityId]| candidates.iter().any(|entity| entities.contains(entity));
    let ranges = |domain: &Domain| matches!(domain, Domain::Entities(all) if among(all));
    for frame in &program.frames {
        let name = &frame.name;
        if program.rules.ties == Ties::First && frame.variables.iter().any(|v| ranges(&v.domain)) {
            return Some(format!("{name} takes the first of them (ties=first)"));
        }
        let collected: Vec<u16> = (0..)
            .zip(&frame.variables)
            .filter(|(_, v)| v.quantifier == Quantifier::CollectAll && ranges(&v.domain))
            .map(|(number, _)| number)
            .collect();
        if collected.len() > 1 || collected.iter().any(|variable| !is_even(program, frame, *variable)) {
            return Some(format!("{name} treats them one after the other"));
        }
        if frame.body.iter().any(|statement| asks_several(program, frame, statement, &among)) {
            return Some(format!("{name} asks them one after the other"));
        }
    }
    let own: Vec<&Frame> =
        frames_of(program, members[0].actor).iter().map(|frame| &program.frames[frame.index()]).collect();
    for frame in &own {
        if frame.body.iter().any(|statement| !is_simple(program, statement)) {
            return Some(format!(
                "{} of theirs creates, deletes, carries or announces something",
                frame.name
            ));
        }
    }
    let draws = own.iter().any(|frame| draws(program, frame));
    (draws && ties(program, &own))
        .then(|| "chance and free choices meet in what they do, and their order counts".to_owned())
}

/// Statements whose effects are those of the one who acts alone.
fn is_simple(program: &Program, statement: &Statement) -> bool {
    match statement {
        Statement::Conclude(_) => true,
        Statement::Delete(..) => false,
        Statement::Do(activity) => !matches!(
            program.activities[activity.index()].node,
            ActivityNode::Create { .. }
                | ActivityNode::Get { .. }
                | ActivityNode::Put { .. }
                | ActivityNode::Broadcast { .. }
        ),
    }
}

/// Whether a statement asks several of them the same: the last answer counts.
fn asks_several(
    program: &Program,
    frame: &Frame,
    statement: &Statement,
    among: &dyn Fn(&[EntityId]) -> bool,
) -> bool {
    let Statement::Do(activity) = statement else { return false };
    let asks = |about: &[Transfer]| about.iter().any(|transfer| !transfer.send);
    match &program.activities[activity.index()].node {
        ActivityNode::Communicate { with, about, .. } => {
            let several = |with: &Sighted| match with {
                Sighted::Every(entities) => among(entities),
                Sighted::One(Subject::Variable(Var::Own(index))) => {
                    let variable = &frame.variables[usize::from(*index)];
                    variable.quantifier == Quantifier::CollectAll
                        && matches!(&variable.domain, Domain::Entities(all) if among(all))
                }
                Sighted::One(_) => false,
            };
            asks(about) && with.iter().any(several)
        }
        ActivityNode::Broadcast { about, .. } => asks(about),
        _ => false,
    }
}

/// Whether a frame does the same to all values of a `collectall` variable, in whatever order.
fn is_even(program: &Program, frame: &Frame, variable: u16) -> bool {
    let concludes = |conclude: &Conclude| match &conclude.node {
        ConcludeNode::Assign(place, value) => {
            let (mut in_place, mut in_value) = (false, false);
            place_needs(place, &mut |own| in_place |= own == variable);
            expr_needs(value, &mut |own| in_value |= own == variable);
            match place {
                Place::Attribute(Var::Own(own), _) if *own == variable => {
                    matches!(value, Expr::Value(_) | Expr::Unknown)
                }
                _ => !in_place && !in_value,
            }
        }
        ConcludeNode::Relate(..) => true,
    };
    frame.body.iter().all(|statement| match statement {
        Statement::Conclude(conclude) => concludes(conclude),
        Statement::Delete(..) => false,
        Statement::Do(activity) => matches!(
            program.activities[activity.index()].node,
            ActivityNode::Primitive
                | ActivityNode::Communicate { .. }
                | ActivityNode::Broadcast { .. }
                | ActivityNode::Print(_)
                | ActivityNode::PrintBelief(_)
                | ActivityNode::Retract(_)
        ),
    })
}

fn is_uncertain(percent: u32) -> bool {
    (1..100).contains(&percent)
}

/// Whether chance decides something in a frame.
pub(crate) fn draws(program: &Program, frame: &Frame) -> bool {
    let concludes = |conclude: &Conclude| is_uncertain(conclude.belief) || is_uncertain(conclude.fact);
    let acts = |statement: &Statement| match statement {
        Statement::Conclude(conclude) => concludes(conclude),
        Statement::Delete(..) => false,
        Statement::Do(activity) => {
            let activity = &program.activities[activity.index()];
            let random = activity.duration.as_ref().is_some_and(|duration| duration.min != duration.max);
            let inside = match &activity.node {
                ActivityNode::Composite { detectables, .. } => {
                    detectables.iter().any(|detectable| is_uncertain(detectable.certainty))
                }
                ActivityNode::Foreign { concludes: all, .. } => all.iter().any(concludes),
                _ => false,
            };
            inside || (random && program.rules.draws_durations())
        }
    };
    program.rules.ties == Ties::Random
        || frame.detectables.iter().any(|detectable| is_uncertain(detectable.certainty))
        || frame.body.iter().any(acts)
}

/// Whether nobody decides something in one of these frames, or between them.
fn ties(program: &Program, frames: &[&Frame]) -> bool {
    let open = |statement: &Statement| match statement {
        Statement::Do(activity) => {
            let activity = &program.activities[activity.index()];
            let random = activity.duration.as_ref().is_some_and(|duration| duration.min != duration.max);
            let foreign =
                matches!(&activity.node, ActivityNode::Foreign { outputs, .. } if !outputs.is_empty());
            (random && !program.rules.draws_durations()) || (foreign && program.rules.ties != Ties::Random)
        }
        _ => false,
    };
    if frames.iter().any(|frame| frame.body.iter().any(open)) {
        return true;
    }
    let several = frames.len() > 1 || frames.iter().any(|frame| !frame.variables.is_empty());
    program.rules.ties == Ties::Choice && several
}
