//! Which values can ever change. A pair of store and key that nothing can write needs no slot in the states.
//!
//! What an actor is told depends on what others can believe, so the analysis is repeated until it finds nothing new.

use super::reach::{Candidates, Reach};
use crate::program::{
    Activity, ActivityNode, ActorId, Conclude, ConcludeNode, Domain, EntityId, EntityKind, Frame, FrameId,
    Key, KeyId, Place, Program, Statement, Subject, Transfer, Var,
};

/// The number of the store of facts; the beliefs of actor `a` are store `1 + a`.
pub(crate) const FACTS: usize = 0;

/// The store of an actor's beliefs.
pub(crate) fn beliefs_of(actor: ActorId) -> usize {
    1 + actor.index()
}

/// Everything that a program does, with the frame that does it.
pub(crate) fn activities(program: &Program) -> impl Iterator<Item = (&Frame, &Activity)> {
    program.frames.iter().flat_map(move |frame| {
        frame.body.iter().filter_map(move |statement| match statement {
            Statement::Do(activity) => Some((frame, &program.activities[activity.index()])),
            _ => None,
        })
    })
}

/// Adds the keys that effects need and no text mentions: places of those who move, things carried around, attributes that a
/// conclusion about a variable may give to anybody in its range.
pub(crate) fn complete_keys(program: &mut Program) {
    let mut missing = Vec::new();
    for frame in &program.frames {
        for statement in &frame.body {
            if let Statement::Conclude(conclude) = statement {
                concluded_keys(program, frame, &conclude.node, &mut missing);
            }
        }
    }
    let reach = Reach { program };
    let (location, contains) = (program.location, program.contains);
    let place = |entity| Key::Attribute(entity, location);
    let areas: Vec<EntityId> = of_kind(program, EntityKind::Area);
    for (frame, activity) in activities(program) {
        let own = program.actors[frame.actor.index()].entity;
        match &activity.node {
            ActivityNode::Move { .. } => missing.push(place(own)),
            ActivityNode::Get { items, source: other, .. }
            | ActivityNode::Put { items, destination: other, .. } => {
                let mut holders = match other {
                    Some(other) => reach.entities(reach.subject(frame, *other)),
                    None => areas.clone(),
                };
                holders.push(own);
                for item in items.iter().flat_map(|item| reach.entities(reach.subject(frame, *item))) {
                    missing.push(place(item));
                    missing.extend(holders.iter().map(|holder| Key::Pair(*holder, contains, item)));
                }
            }
            ActivityNode::Create { reserve, .. } => missing.extend(reserve.iter().map(|new| place(*new))),
            _ => {}
        }
    }
    let carried = program.keys.iter().filter_map(|(_, key)| match key {
        Key::Pair(_, relation, item) if relation == contains => Some(place(item)),
        _ => None,
    });
    missing.extend(carried);
    for key in missing {
        program.keys.add(key);
    }
}

fn of_kind(program: &Program, kind: EntityKind) -> Vec<EntityId> {
    let all = program.entities.iter().enumerate().filter(|(_, entity)| entity.kind == kind);
    all.map(|(number, _)| EntityId(u32::try_from(number).expect("entities are numbered with 32 bits")))
        .collect()
}

fn concluded_keys(program: &Program, frame: &Frame, node: &ConcludeNode, missing: &mut Vec<Key>) {
    let range = |subject: Subject| -> Vec<EntityId> {
        match subject {
            Subject::Entity(entity) => vec![entity],
            Subject::Variable(Var::Own(index)) => match &frame.variables[usize::from(index)].domain {
                Domain::Entities(entities) => entities.clone(),
                Domain::Values => Vec::new(),
            },
            Subject::Variable(Var::Parameter { .. }) => Vec::new(),
        }
    };
    match node {
        ConcludeNode::Assign(Place::Attribute(var, attribute), _) => {
            let entities = range(Subject::Variable(*var));
            missing.extend(entities.into_iter().map(|entity| Key::Attribute(entity, *attribute)));
        }
        ConcludeNode::Assign(..) => {}
        ConcludeNode::Relate(subject, relation, object, _) => {
            let objects = match range(*object) {
                objects if objects.is_empty() => of_any(program),
                objects => objects,
            };
            for subject in range(*subject) {
                missing.extend(objects.iter().map(|object| Key::Pair(subject, *relation, *object)));
            }
        }
    }
}

fn of_any(program: &Program) -> Vec<EntityId> {
    Reach { program }.entities(Candidates::Any)
}

/// Who can change something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Writers {
    /// Nobody.
    None,
    /// One actor alone.
    One(ActorId),
    /// Two at least.
    Several,
}

/// What can change.
pub(super) struct Writes {
    keys: usize,
    written: Vec<bool>,
    /// Who changes it, the owners of beliefs aside.
    writers: Vec<Writers>,
    /// Whose frame is looked at.
    by: Option<ActorId>,
    known: Vec<bool>,
    /// Entities that can come or go.
    pub(super) passing: Vec<bool>,
    grown: bool,
}

impl Writes {
    /// Everything that the program can write, given what is stored at the start.
    pub(super) fn of(program: &Program, initial: &[u32]) -> Self {
        let keys = program.keys.len();
        let known = initial.iter().map(|word| *word != 0).collect();
        let passing = program.entities.iter().map(|entity| !entity.exists).collect();
        let mut writes = Self {
            keys,
            written: vec![false; initial.len()],
            writers: vec![Writers::None; initial.len()],
            by: None,
            known,
            passing,
            grown: true,
        };
        writes.reserves(program);
        while std::mem::take(&mut writes.grown) {
            for (number, frame) in program.frames.iter().enumerate() {
                let id = FrameId(u32::try_from(number).expect("frames are numbered with 32 bits"));
                writes.frame(program, id, frame);
            }
        }
        writes
    }

    /// Whether a store's value for a key can change.
    pub(super) fn writes(&self, store: usize, key: KeyId) -> bool {
        self.written[store * self.keys + key.index()]
    }

    /// Whether two actors can change a store's value for a key: a fact, or a belief of a third.
    pub(super) fn is_contended(&self, store: usize, key: KeyId) -> bool {
        self.writers[store * self.keys + key.index()] == Writers::Several
    }

    fn can_be_known(&self, store: usize, key: KeyId) -> bool {
        let at = store * self.keys + key.index();
        self.known[at] || self.written[at]
    }

    fn write(&mut self, store: usize, key: KeyId) {
        let at = store * self.keys + key.index();
        self.grown |= !std::mem::replace(&mut self.written[at], true);
        // What somebody concludes for itself is no business of others.
        let by = self.by.filter(|by| store != beliefs_of(*by));
        self.writers[at] = match (self.writers[at], by) {
            (known, None) => known,
            (Writers::None, Some(by)) => Writers::One(by),
            (Writers::One(known), Some(by)) if known == by => Writers::One(by),
            _ => Writers::Several,
        };
    }

    /// Facts about what is not there yet come with it.
    fn reserves(&mut self, program: &Program) {
        for (key, _) in &program.facts {
            let (Key::Attribute(of, _) | Key::Entry(of, _, _) | Key::Pair(of, _, _)) = program.keys.get(*key);
            if !program.entities[of.index()].exists {
                self.write(FACTS, *key);
            }
        }
    }

    fn frame(&mut self, program: &Program, id: FrameId, frame: &Frame) {
        let reach = Reach { program };
        let thinks = is_thought(program, id);
        self.by = Some(frame.actor);
        for statement in &frame.body {
            match statement {
                Statement::Conclude(conclude) => self.conclude(reach, frame, conclude, thinks),
                Statement::Delete(subject, _) => {
                    self.delete(program, &reach.entities(reach.subject(frame, *subject)));
                }
                Statement::Do(activity) => {
                    self.activity(reach, frame, &program.activities[activity.index()]);
                }
            }
        }
        for detectable in &frame.detectables {
            self.import(frame.actor, &reach.sought(frame, &detectable.sought));
            self.import(frame.actor, &reach.test(frame, &detectable.sought));
        }
    }

    /// What a fact can say, one who detects can believe.
    fn import(&mut self, actor: ActorId, keys: &[KeyId]) {
        for key in keys {
            if self.can_be_known(FACTS, *key) {
                self.write(beliefs_of(actor), *key);
            }
        }
    }

    fn conclude(&mut self, reach: Reach<'_>, frame: &Frame, conclude: &Conclude, thinks: bool) {
        let keys = match &conclude.node {
            ConcludeNode::Assign(place, _) => reach.place(frame, place),
            ConcludeNode::Relate(subject, relation, object, _) => {
                reach.pairs(reach.subject(frame, *subject), *relation, reach.subject(frame, *object))
            }
        };
        for key in keys {
            if conclude.belief > 0 {
                self.write(beliefs_of(frame.actor), key);
            }
            if conclude.fact > 0 && !thinks {
                self.write(FACTS, key);
            }
        }
    }

    fn activity(&mut self, reach: Reach<'_>, frame: &Frame, activity: &Activity) {
        let program = reach.program;
        let own = beliefs_of(frame.actor);
        match &activity.node {
            ActivityNode::Primitive | ActivityNode::Print(_) | ActivityNode::PrintBelief(_) => {}
            ActivityNode::Move { arrival, departure, .. } => {
                let aware = program.rules.location_awareness || !arrival.is_empty() || !departure.is_empty();
                self.moved(program, frame.actor, aware);
            }
            ActivityNode::Communicate { with, about, .. } => {
                let partners: Vec<ActorId> =
                    with.iter().flat_map(|with| reach.actors(reach.sighted(frame, with))).collect();
                self.transfers(reach, frame, &partners, about);
            }
            ActivityNode::Broadcast { about, .. } => {
                let all = reach.actors(Candidates::Any);
                let agents: Vec<ActorId> =
                    all.into_iter().filter(|actor| !program.actors[actor.index()].is_object).collect();
                self.transfers(reach, frame, &agents, about);
            }
            ActivityNode::Get { items, .. } | ActivityNode::Put { items, .. } => {
                let candidates = items.iter().flat_map(|item| reach.entities(reach.subject(frame, *item)));
                let items: Vec<EntityId> = candidates.collect();
                self.handled(program, frame.actor, &items);
            }
            ActivityNode::Create { reserve, copy_of, location, .. } => {
                self.created(reach, frame, reserve, *copy_of, location.is_some());
            }
            ActivityNode::Composite { detectables, .. } => {
                for detectable in detectables {
                    self.import(frame.actor, &reach.sought(frame, &detectable.sought));
                    self.import(frame.actor, &reach.test(frame, &detectable.sought));
                }
            }
            ActivityNode::Foreign { concludes, .. } => {
                for conclude in concludes {
                    self.conclude(reach, frame, conclude, false);
                }
            }
            ActivityNode::Retract(places) => {
                for key in places.iter().flat_map(|place| reach.place(frame, place)) {
                    self.write(own, key);
                }
            }
        }
    }

    fn moved(&mut self, program: &Program, actor: ActorId, aware: bool) {
        let entity = program.actors[actor.index()].entity;
        let place = |of| program.keys.find(Key::Attribute(of, program.location));
        if let Some(key) = place(entity) {
            self.write(FACTS, key);
            self.write(beliefs_of(actor), key);
            for other in (0..program.actors.len()).filter(|_| aware) {
                self.write(1 + other, key);
            }
        }
        // Things go where those go who hold them.
        let held: Vec<KeyId> = program
            .keys
            .iter()
            .filter_map(|(_, key)| match key {
                Key::Pair(_, relation, item) if relation == program.contains => place(item),
                _ => None,
            })
            .collect();
        for key in held {
            self.write(FACTS, key);
        }
    }

    fn transfers(&mut self, reach: Reach<'_>, frame: &Frame, partners: &[ActorId], about: &[Transfer]) {
        for transfer in about {
            let keys = reach.sought(frame, &transfer.sought);
            for partner in partners {
                let (from, to) =
                    if transfer.send { (frame.actor, *partner) } else { (*partner, frame.actor) };
                for key in &keys {
                    let object = reach.program.actors[from.index()].is_object;
                    let held = self.can_be_known(beliefs_of(from), *key)
                        || (object && self.can_be_known(FACTS, *key))
                        || reach.program.rules.unknown_is_zero;
                    if held {
                        self.write(beliefs_of(to), *key);
                    }
                }
            }
        }
    }

    fn handled(&mut self, program: &Program, actor: ActorId, items: &[EntityId]) {
        let keys: Vec<KeyId> = program
            .keys
            .iter()
            .filter(|(_, key)| match key {
                Key::Pair(_, relation, item) => *relation == program.contains && items.contains(item),
                _ => false,
            })
            .map(|(number, _)| number)
            .collect();
        for key in keys {
            self.write(FACTS, key);
            self.write(beliefs_of(actor), key);
        }
        for key in items.iter().filter_map(|item| program.keys.find(Key::Attribute(*item, program.location)))
        {
            self.write(FACTS, key);
            for other in 0..program.actors.len() {
                self.write(1 + other, key);
            }
        }
    }

    fn created(
        &mut self,
        reach: Reach<'_>,
        frame: &Frame,
        reserve: &[EntityId],
        copy_of: Option<Subject>,
        placed: bool,
    ) {
        let program = reach.program;
        for new in reserve {
            let place = program.keys.find(Key::Attribute(*new, program.location));
            if let Some(key) = place.filter(|_| placed) {
                self.write(FACTS, key);
                for other in 0..program.actors.len() {
                    self.write(1 + other, key);
                }
            }
            let Some(actor) = program.entities[new.index()].actor else { continue };
            let copied = copy_of.map(|of| reach.actors(reach.subject(frame, of))).unwrap_or_default();
            for (source, key) in copied.iter().flat_map(|s| program.keys.iter().map(|(key, _)| (*s, key))) {
                if self.can_be_known(beliefs_of(source), key) {
                    self.write(beliefs_of(actor), key);
                }
            }
        }
    }

    fn delete(&mut self, program: &Program, entities: &[EntityId]) {
        for entity in entities {
            self.passing[entity.index()] = true;
            for key in (Reach { program }).about(*entity) {
                for store in 0..=program.actors.len() {
                    if self.can_be_known(store, key) {
                        self.write(store, key);
                    }
                }
            }
        }
    }
}

/// Whether a frame is a thoughtframe.
pub(crate) fn is_thought(program: &Program, frame: FrameId) -> bool {
    let of = &program.frames[frame.index()];
    match of.inside {
        None => program.actors[of.actor.index()].thoughtframes.contains(&frame),
        Some(activity) => match &program.activities[activity.index()].node {
            ActivityNode::Composite { thoughtframes, .. } => thoughtframes.contains(&frame),
            _ => false,
        },
    }
}
