//! Who there is, who tells whom, who writes what: a drawing of what the texts say, whether or not it ever happens.

use std::collections::{BTreeMap, BTreeSet};

use motet_model::{TeamEdge, TeamKind, TeamLink, TeamNode, TeamPicture};

use super::{Teller, naming};
use crate::program::{
    Activity, ActivityNode, ActorId, ConcludeNode, EntityId, EntityKind, Frame, FrameId, Key, KeyId, Program,
    Sighted, Statement, Transfer, TypeId, Value,
};
use crate::semantics::layout::subject_of;
use crate::semantics::reach::Reach;
use crate::semantics::writes::is_thought;

/// A drawing in the making.
struct Sketch<'p> {
    program: &'p Program,
    picture: TeamPicture,
    types: BTreeMap<TypeId, usize>,
    entities: BTreeMap<EntityId, usize>,
    /// What one says to another, and what one writes of another, each once and in order.
    said: BTreeMap<(usize, usize, TeamLink), BTreeSet<String>>,
}

impl Teller {
    /// The team as its texts describe it.
    pub(super) fn sketch(&self) -> TeamPicture {
        let program = self.program();
        let mut sketch = Sketch {
            program,
            picture: TeamPicture::default(),
            types: BTreeMap::new(),
            entities: BTreeMap::new(),
            said: BTreeMap::new(),
        };
        sketch.place_all();
        for (number, frame) in (0..).zip(&program.frames) {
            sketch.frame(FrameId(number), frame);
        }
        sketch.finish()
    }
}

impl Sketch<'_> {
    fn add(&mut self, name: &str, kind: TeamKind) -> usize {
        self.picture.nodes.push(TeamNode { name: name.to_owned(), kind });
        self.picture.nodes.len() - 1
    }

    fn link(&mut self, from: usize, to: usize, link: TeamLink, label: &str) {
        self.said.entry((from, to, link)).or_default().insert(label.to_owned());
    }

    /// Groups, classes, and whoever belongs to them; areas, and what is in them at the start.
    fn place_all(&mut self) {
        let program = self.program;
        for (number, of) in (0..).zip(&program.types).filter(|(_, of)| of.declared) {
            let node = self.add(&of.name, TeamKind::Type);
            self.types.insert(TypeId(number), node);
        }
        for (number, of) in (0..).zip(&program.types) {
            let Some(from) = self.types.get(&TypeId(number)).copied() else { continue };
            for parent in
                of.parents.iter().filter_map(|parent| self.types.get(parent).copied()).collect::<Vec<_>>()
            {
                self.link(from, parent, TeamLink::Belongs, "");
            }
        }
        for (number, entity) in (0..).zip(&program.entities).filter(|(_, entity)| entity.exists) {
            let kind = match entity.kind {
                EntityKind::Agent | EntityKind::ExternalAgent => TeamKind::Agent,
                EntityKind::Object | EntityKind::ConceptualObject => TeamKind::Object,
                EntityKind::Area => TeamKind::Area,
            };
            let node = self.add(&entity.name, kind);
            self.entities.insert(EntityId(number), node);
        }
        for (number, entity) in (0..).zip(&program.entities) {
            let Some(from) = self.entities.get(&EntityId(number)).copied() else { continue };
            for of in entity.types.iter().filter_map(|of| self.types.get(of).copied()).collect::<Vec<_>>() {
                self.link(from, of, TeamLink::Belongs, "");
            }
            if let Some(around) = entity.part_of.and_then(|around| self.entities.get(&around).copied()) {
                self.link(from, around, TeamLink::LiesIn, "");
            }
        }
        for (key, value) in &program.facts {
            if let (Key::Attribute(of, attribute), Value::Entity(at)) = (program.keys.get(*key), value)
                && attribute == program.location
                && let (Some(from), Some(to)) =
                    (self.entities.get(&of).copied(), self.entities.get(at).copied())
            {
                self.link(from, to, TeamLink::LiesIn, "");
            }
        }
    }

    fn frame(&mut self, id: FrameId, frame: &Frame) {
        let program = self.program;
        let thinks = is_thought(program, id);
        for statement in &frame.body {
            match statement {
                Statement::Conclude(conclude) if conclude.fact > 0 && !thinks => {
                    self.concludes(frame, &conclude.node);
                }
                Statement::Do(activity) => self.activity(frame, &program.activities[activity.index()]),
                Statement::Conclude(_) | Statement::Delete(..) => {}
            }
        }
    }

    /// A fact about somebody or something.
    fn concludes(&mut self, frame: &Frame, node: &ConcludeNode) {
        let reach = Reach { program: self.program };
        let keys = match node {
            ConcludeNode::Assign(place, _) => reach.place(frame, place),
            ConcludeNode::Relate(subject, relation, object, _) => {
                reach.pairs(reach.subject(frame, *subject), *relation, reach.subject(frame, *object))
            }
        };
        for key in keys {
            self.writes(frame.actor, key);
        }
    }

    fn writes(&mut self, actor: ActorId, key: KeyId) {
        let program = self.program;
        let about = program.keys.get(key);
        let of = subject_of(about);
        let (Key::Attribute(_, attribute) | Key::Entry(_, attribute, _) | Key::Pair(_, attribute, _)) = about;
        let from = self.entities.get(&program.actors[actor.index()].entity).copied();
        if let (Some(from), Some(to)) = (from, self.entities.get(&of).copied()) {
            self.link(from, to, TeamLink::Writes, &program.attributes[attribute.index()].name);
        }
    }

    fn activity(&mut self, frame: &Frame, activity: &Activity) {
        let program = self.program;
        match &activity.node {
            ActivityNode::Communicate { with, about, .. } => {
                let partners = with.iter().flat_map(|with| partners(program, frame, with));
                let partners: Vec<ActorId> = partners.collect();
                self.talks(frame, &partners, about);
            }
            ActivityNode::Broadcast { about, .. } => {
                let agents = (0..).zip(&program.actors).filter(|(_, actor)| !actor.is_object);
                let others = agents.map(|(number, _)| ActorId(number)).filter(|other| *other != frame.actor);
                self.talks(frame, &others.collect::<Vec<_>>(), about);
            }
            ActivityNode::Foreign { concludes, .. } => {
                for conclude in concludes.iter().filter(|conclude| conclude.fact > 0) {
                    self.concludes(frame, &conclude.node);
                }
            }
            _ => {}
        }
    }

    fn talks(&mut self, frame: &Frame, partners: &[ActorId], about: &[Transfer]) {
        let reach = Reach { program: self.program };
        for transfer in about {
            let keys = reach.sought(frame, &transfer.sought);
            let words: BTreeSet<String> = keys.iter().map(|key| naming::key(self.program, *key)).collect();
            for partner in partners {
                let (from, to) =
                    if transfer.send { (frame.actor, *partner) } else { (*partner, frame.actor) };
                let node =
                    |actor: ActorId| self.entities.get(&self.program.actors[actor.index()].entity).copied();
                let (Some(from), Some(to)) = (node(from), node(to)) else { continue };
                for word in &words {
                    self.link(from, to, TeamLink::Tells, word);
                }
            }
        }
    }

    fn finish(mut self) -> TeamPicture {
        self.picture.edges = self
            .said
            .into_iter()
            .map(|((from, to, link), labels)| TeamEdge { from, to, link, label: listed(&labels) })
            .collect();
        self.picture
    }
}

/// Those whom a communication may reach.
fn partners(program: &Program, frame: &Frame, with: &Sighted) -> Vec<ActorId> {
    let reach = Reach { program };
    reach.actors(reach.sighted(frame, with))
}

/// At most so many of the things that one says to another are written out.
const MOST_LABELS: usize = 4;

/// `Bob.hungry, Bob.location and 3 more`
fn listed(labels: &BTreeSet<String>) -> String {
    let shown: Vec<&str> = labels.iter().take(MOST_LABELS).map(String::as_str).collect();
    match labels.len() - shown.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
