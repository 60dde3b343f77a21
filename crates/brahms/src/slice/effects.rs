//! What a frame depends on, and what it changes.

use super::Inquiry;
use super::things::{Effect, Thing};
use crate::program::{
    ActivityNode, ActorId, Conclude, ConcludeNode, DetectAction, Detectable, EntityId, Expr, Frame, FrameId,
    Key, KeyId, Place, Reads, Statement,
};
use crate::semantics::writes::{FACTS, beliefs_of, is_thought};

/// What a frame depends on, and what it changes.
#[derive(Debug, Default)]
pub(crate) struct Doings {
    /// What decides when it starts, how long it takes and how it ends.
    pub(crate) course: Vec<Thing>,
    /// What it changes.
    pub(crate) effects: Vec<Effect>,
}

impl Inquiry<'_> {
    /// What a frame depends on, and what it changes.
    pub(crate) fn doings(&self, id: FrameId) -> Doings {
        let frame = &self.program.frames[id.index()];
        let mut doings = Doings { course: vec![Thing::Existence], effects: Vec::new() };
        let store = guard_store(frame);
        for condition in &frame.guard {
            let keys = self.reach.condition(frame, &condition.node);
            doings.course.extend(keys.into_iter().map(|key| Thing::Value(store, key)));
        }
        self.look_out(frame, &frame.detectables, &mut doings);
        let thinks = is_thought(self.program, id);
        for statement in &frame.body {
            match statement {
                Statement::Conclude(conclude) => {
                    doings.effects.push(self.conclusion(frame, conclude, thinks));
                }
                Statement::Delete(subject, _) => {
                    let gone = self.reach.entities(self.reach.subject(frame, *subject));
                    doings.effects.push(self.deletion(&gone));
                }
                Statement::Do(activity) => {
                    let activity = &self.program.activities[activity.index()];
                    for length in activity.duration.iter().flat_map(|given| [&given.min, &given.max]) {
                        doings.course.extend(self.reads(frame, [length]));
                    }
                    self.course(frame, &activity.node, &mut doings);
                    self.activity(frame, &activity.node, &mut doings.effects);
                }
            }
        }
        if (thinks && frame.inside.is_some()) || self.is_blocked_for_long(frame) {
            // A thought inside a composite activity may come again after any change of a belief (`semantics::think`).
            doings.course.push(Thing::AnyBelief(frame.actor));
        }
        if self.is_blocked_for_long(frame) {
            doings.course.push(Thing::AnyFact);
        }
        doings
    }

    /// What decides how long an activity takes, beyond a length that is given.
    fn course(&self, frame: &Frame, node: &ActivityNode, doings: &mut Doings) {
        match node {
            ActivityNode::Move { .. } => {
                doings.course.extend(self.whereabouts(self.program.actors[frame.actor.index()].entity));
            }
            ActivityNode::Composite { arguments, detectables, .. } => {
                doings.course.extend(self.reads(frame, arguments));
                self.look_out(frame, detectables, doings);
            }
            _ => {}
        }
    }

    /// Detectables. One that only continues changes nothing but beliefs.
    fn look_out(&self, frame: &Frame, detectables: &[Detectable], doings: &mut Doings) {
        for detectable in detectables {
            let import = self.import(frame, detectable);
            if detectable.action != DetectAction::Continue {
                doings.course.extend_from_slice(&import.reads);
            }
            doings.effects.push(import);
            if !self.program.rules.detect_at_start {
                // It is looked at again after any change (`semantics::work`).
                doings.course.extend([Thing::AnyFact, Thing::AnyBelief(frame.actor)]);
            }
        }
    }

    /// What a detectable makes of facts.
    pub(super) fn import(&self, frame: &Frame, detectable: &Detectable) -> Effect {
        let mut keys = self.reach.sought(frame, &detectable.sought);
        keys.extend(self.reach.test(frame, &detectable.sought));
        let own = beliefs_of(frame.actor);
        let belief = |key: &KeyId| Thing::Value(own, *key);
        Effect {
            writes: keys.iter().map(belief).collect(),
            reads: keys.iter().flat_map(|key| [Thing::Value(FACTS, *key), belief(key)]).collect(),
        }
    }

    /// What a conclusion changes.
    pub(super) fn conclusion(&self, frame: &Frame, conclude: &Conclude, thinks: bool) -> Effect {
        let mut effect = Effect::default();
        let keys = match &conclude.node {
            ConcludeNode::Assign(place, value) => {
                effect.reads = self.reads(frame, [value]);
                effect.reads.extend(self.index(frame, place));
                self.reach.place(frame, place)
            }
            ConcludeNode::Relate(subject, relation, object, _) => {
                let (of, to) = (self.reach.subject(frame, *subject), self.reach.subject(frame, *object));
                self.reach.pairs(of, *relation, to)
            }
        };
        if conclude.belief > 0 {
            effect.writes.extend(keys.iter().map(|key| Thing::Value(beliefs_of(frame.actor), *key)));
        }
        if conclude.fact > 0 && !thinks {
            effect.writes.extend(keys.iter().map(|key| Thing::Value(FACTS, *key)));
        }
        effect
    }

    /// Somebody or something is gone, with everything that is known of it, and what it believed.
    fn deletion(&self, gone: &[EntityId]) -> Effect {
        let mut writes = vec![Thing::Existence];
        for entity in gone {
            let stores = 0..=self.program.actors.len();
            let about = self.reach.about(*entity);
            writes.extend(stores.flat_map(|store| about.iter().map(move |key| Thing::Value(store, *key))));
            if let Some(actor) = self.program.entities[entity.index()].actor {
                let all = self.program.keys.iter();
                writes.extend(all.map(|(key, _)| Thing::Value(beliefs_of(actor), key)));
            }
        }
        Effect { writes, reads: Vec::new() }
    }

    /// What expressions in the body of a frame look at.
    pub(super) fn reads<'e>(&self, frame: &Frame, exprs: impl IntoIterator<Item = &'e Expr>) -> Vec<Thing> {
        let mut keys = Vec::new();
        exprs.into_iter().for_each(|expr| self.reach.expr(frame, expr, &mut keys));
        body(frame, &keys)
    }

    /// What the index of a place looks at.
    pub(super) fn index(&self, frame: &Frame, place: &Place) -> Vec<Thing> {
        match place {
            Place::Entry(_, _, index) => self.reads(frame, [&**index]),
            Place::Fixed(_) | Place::Attribute(..) => Vec::new(),
        }
    }

    /// What says where somebody or something is: the fact, or its own belief.
    pub(super) fn whereabouts(&self, of: EntityId) -> Vec<Thing> {
        let Some(key) = self.location(of) else { return Vec::new() };
        let actor = self.program.entities[of.index()].actor;
        let belief = actor.map(|actor| Thing::Value(beliefs_of(actor), key));
        std::iter::once(Thing::Value(FACTS, key)).chain(belief).collect()
    }

    /// The key of somebody's place.
    pub(super) fn location(&self, of: EntityId) -> Option<KeyId> {
        self.program.keys.find(Key::Attribute(of, self.program.location))
    }

    /// The agents.
    pub(super) fn agents(&self) -> impl Iterator<Item = ActorId> {
        let actors = crate::semantics::layout::actors(self.program);
        actors.filter(|actor| !self.program.actors[actor.index()].is_object)
    }
}

/// The store that a guard looks at.
pub(super) fn guard_store(frame: &Frame) -> usize {
    match frame.reads {
        Reads::Beliefs => beliefs_of(frame.actor),
        Reads::Facts => FACTS,
    }
}

/// These keys as the body of a frame reads them: where there is no fact, the belief counts.
pub(super) fn body(frame: &Frame, keys: &[KeyId]) -> Vec<Thing> {
    let own = beliefs_of(frame.actor);
    let mut things: Vec<Thing> = keys.iter().map(|key| Thing::Value(own, *key)).collect();
    if frame.reads == Reads::Facts {
        things.extend(keys.iter().map(|key| Thing::Value(FACTS, *key)));
    }
    things
}
