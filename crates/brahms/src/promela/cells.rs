//! The stores: one variable for each fact and belief that something in the model can write. What nothing writes is a
//! constant and has no variable.

use std::collections::{BTreeMap, BTreeSet};

use motet_machine::promela::{legal, unique};

use crate::program::{
    Activity, ActivityNode, ActorId, AttributeId, Conclude, ConcludeNode, Detectable, Domain, EntityId,
    EntityKind, Expr, Frame, FrameId, Key, KeyId, Place, Program, Sighted, Sought, Statement, Subject,
    Transfer, Value, Var,
};

/// Where something is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Store {
    /// What is so.
    Facts,
    /// What an actor believes.
    Beliefs(ActorId),
}

/// A place of a store.
pub(crate) type Cell = (Store, KeyId);

/// What the stores hold at the start, and which places can change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    names: BTreeMap<Cell, String>,
    initial: BTreeMap<Cell, Value>,
}

impl Cells {
    /// The places that the frames of a model can write.
    pub(crate) fn new(program: &Program) -> Self {
        let mut initial = BTreeMap::new();
        for &(key, value) in &program.facts {
            initial.insert((Store::Facts, key), value);
        }
        for (actor, one) in actors(program) {
            for &(key, value) in &one.beliefs {
                initial.insert((Store::Beliefs(actor), key), value);
            }
        }
        let mut survey = Survey { program, initial: &initial, written: BTreeSet::new() };
        // A message carries what its sender can hold, so writing makes more writing possible.
        loop {
            let before = survey.written.len();
            survey.all();
            if survey.written.len() == before {
                break;
            }
        }
        let mut taken = BTreeSet::new();
        let names =
            survey.written.iter().map(|&cell| (cell, unique(&mut taken, name(program, cell)))).collect();
        Self { names, initial }
    }

    /// The variable of a place that can change.
    pub(crate) fn name(&self, cell: Cell) -> Option<&str> {
        self.names.get(&cell).map(String::as_str)
    }

    /// What a place holds at the start.
    pub(crate) fn initial(&self, cell: Cell) -> Option<Value> {
        self.initial.get(&cell).copied()
    }

    /// All variables in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Cell, &str)> {
        self.names.iter().map(|(&cell, name)| (cell, name.as_str()))
    }
}

/// Actors with their numbers.
pub(crate) fn actors(program: &Program) -> impl Iterator<Item = (ActorId, &crate::program::Actor)> {
    (0..).map(ActorId).zip(&program.actors)
}

/// A key as part of a name: `Alex_location`.
fn name(program: &Program, (store, key): Cell) -> String {
    let entity = |id: EntityId| legal(&program.entities[id.index()].name);
    let attribute = |id: AttributeId| legal(&program.attributes[id.index()].name);
    let what = match program.keys.get(key) {
        Key::Attribute(of, name) => format!("{}_{}", entity(of), attribute(name)),
        Key::Entry(of, name, index) => {
            let index = match index {
                Value::Int(number) => number.to_string().replace('-', "minus"),
                Value::Bool(truth) => truth.to_string(),
                Value::Text(text) => legal(&program.texts[text.index()]),
                Value::Entity(id) => entity(id),
                Value::Double(_) => "number".to_owned(),
            };
            format!("{}_{}_at_{index}", entity(of), attribute(name))
        }
        Key::Pair(of, name, to) => format!("{}_{}_{}", entity(of), attribute(name), entity(to)),
    };
    match store {
        Store::Facts => format!("fact_{what}"),
        Store::Beliefs(actor) => format!("bel_{}__{what}", entity(program.actors[actor.index()].entity)),
    }
}

/// Goes through all frames and collects what they can write.
struct Survey<'a> {
    program: &'a Program,
    initial: &'a BTreeMap<Cell, Value>,
    written: BTreeSet<Cell>,
}

/// Which entities a text may speak of; `None` for all.
type Range = Option<Vec<EntityId>>;

impl Survey<'_> {
    fn all(&mut self) {
        let program = self.program;
        let thoughts = thoughtframes(program);
        for (number, frame) in (0..).map(FrameId).zip(&program.frames) {
            for detectable in &frame.detectables {
                self.detectable(frame, detectable);
            }
            for statement in &frame.body {
                match statement {
                    Statement::Conclude(conclude) => {
                        self.conclude(frame, conclude, thoughts.contains(&number));
                    }
                    Statement::Do(activity) => self.activity(frame, &program.activities[activity.index()]),
                    Statement::Delete(..) => {}
                }
            }
        }
    }

    fn holds(&self, cell: Cell) -> bool {
        self.written.contains(&cell) || self.initial.contains_key(&cell)
    }

    fn conclude(&mut self, frame: &Frame, conclude: &Conclude, thought: bool) {
        for key in self.concluded(frame, &conclude.node) {
            if conclude.belief > 0 {
                self.written.insert((Store::Beliefs(frame.actor), key));
            }
            if conclude.fact > 0 && !thought {
                self.written.insert((Store::Facts, key));
            }
        }
    }

    fn concluded(&self, frame: &Frame, node: &ConcludeNode) -> Vec<KeyId> {
        match node {
            ConcludeNode::Assign(place, _) => self.place(frame, place),
            ConcludeNode::Relate(subject, relation, object, _) => {
                self.pairs(&subject_range(frame, *subject), *relation, &subject_range(frame, *object))
            }
        }
    }

    fn place(&self, frame: &Frame, place: &Place) -> Vec<KeyId> {
        match place {
            Place::Fixed(key) => vec![*key],
            Place::Attribute(of, name) => self.attributes(&var_range(frame, *of), *name),
            Place::Entry(of, name, _) => self.attributes(&subject_range(frame, *of), *name),
        }
    }

    /// Keys of an attribute, entries too.
    fn attributes(&self, of: &Range, name: AttributeId) -> Vec<KeyId> {
        let fits = |key: Key| match key {
            Key::Attribute(entity, attribute) | Key::Entry(entity, attribute, _) => {
                attribute == name && within(of, entity)
            }
            Key::Pair(..) => false,
        };
        self.program.keys.iter().filter(|(_, key)| fits(*key)).map(|(id, _)| id).collect()
    }

    fn pairs(&self, of: &Range, relation: AttributeId, to: &Range) -> Vec<KeyId> {
        let fits = |key: Key| match key {
            Key::Pair(left, name, right) => name == relation && within(of, left) && within(to, right),
            _ => false,
        };
        self.program.keys.iter().filter(|(_, key)| fits(*key)).map(|(id, _)| id).collect()
    }

    fn sought(&self, frame: &Frame, sought: &Sought) -> Vec<KeyId> {
        match sought {
            Sought::Attribute { subject, attribute, .. } => {
                self.attributes(&sighted_range(frame, subject), *attribute)
            }
            Sought::Related { subject, relation, object, .. } => {
                let to = object.as_ref().and_then(|object| sighted_range(frame, object));
                self.pairs(&sighted_range(frame, subject), *relation, &to)
            }
        }
    }

    fn detectable(&mut self, frame: &Frame, detectable: &Detectable) {
        let mut keys = self.sought(frame, &detectable.sought);
        if let Sought::Attribute { test: Some((_, expr)), .. } = &detectable.sought {
            let mut places = Vec::new();
            reads(expr, &mut places);
            places.into_iter().for_each(|place| keys.extend(self.place(frame, place)));
        }
        for key in keys {
            if self.holds((Store::Facts, key)) {
                self.written.insert((Store::Beliefs(frame.actor), key));
            }
        }
    }

    fn activity(&mut self, frame: &Frame, activity: &Activity) {
        let program = self.program;
        let me = program.actors[frame.actor.index()].entity;
        match &activity.node {
            ActivityNode::Move { arrival, departure, .. } => {
                let Some(key) = program.keys.find(Key::Attribute(me, program.location)) else { return };
                self.written.insert((Store::Facts, key));
                self.written.insert((Store::Beliefs(frame.actor), key));
                let carried = |(_, one): (KeyId, Key)| match one {
                    Key::Pair(_, relation, item) if relation == program.contains => {
                        program.keys.find(Key::Attribute(item, program.location))
                    }
                    _ => None,
                };
                self.written.extend(program.keys.iter().filter_map(carried).map(|key| (Store::Facts, key)));
                if program.rules.location_awareness || !arrival.is_empty() || !departure.is_empty() {
                    let agents = agents(program).map(|actor| (Store::Beliefs(actor), key));
                    self.written.extend(agents);
                }
            }
            ActivityNode::Communicate { with, about, .. } => {
                let mut others = Vec::new();
                for sighted in with {
                    match sighted_range(frame, sighted) {
                        Some(range) => {
                            others.extend(range.iter().filter_map(|e| program.entities[e.index()].actor))
                        }
                        None => others.extend(actors(program).map(|(actor, _)| actor)),
                    }
                }
                self.transfers(frame, about, &others);
            }
            ActivityNode::Broadcast { about, .. } => {
                let others: Vec<ActorId> = agents(program).collect();
                self.transfers(frame, about, &others);
            }
            ActivityNode::Get { items, .. } | ActivityNode::Put { items, .. } => {
                let mut keys = Vec::new();
                for item in items {
                    let range = subject_range(frame, *item);
                    keys.extend(self.pairs(&None, program.contains, &range));
                    keys.extend(self.attributes(&range, program.location));
                }
                for key in keys {
                    self.written.insert((Store::Facts, key));
                    self.written.insert((Store::Beliefs(frame.actor), key));
                    if let Key::Attribute(..) = program.keys.get(key) {
                        self.written.extend(agents(program).map(|actor| (Store::Beliefs(actor), key)));
                    }
                }
            }
            ActivityNode::Composite { detectables, .. } => {
                detectables.iter().for_each(|detectable| self.detectable(frame, detectable));
            }
            ActivityNode::Foreign { concludes, .. } => {
                concludes.iter().for_each(|conclude| self.conclude(frame, conclude, false));
            }
            ActivityNode::Retract(places) => {
                for place in places {
                    let keys = self.place(frame, place);
                    self.written.extend(keys.into_iter().map(|key| (Store::Beliefs(frame.actor), key)));
                }
            }
            ActivityNode::Primitive
            | ActivityNode::Create { .. }
            | ActivityNode::Print(_)
            | ActivityNode::PrintBelief(_) => {}
        }
    }

    fn transfers(&mut self, frame: &Frame, about: &[Transfer], others: &[ActorId]) {
        for transfer in about {
            for key in self.sought(frame, &transfer.sought) {
                for &other in others {
                    let (from, to) = if transfer.send { (frame.actor, other) } else { (other, frame.actor) };
                    let object = self.program.actors[from.index()].is_object;
                    if self.holds((Store::Beliefs(from), key)) || object && self.holds((Store::Facts, key)) {
                        self.written.insert((Store::Beliefs(to), key));
                    }
                }
            }
        }
    }
}

/// Agents, not objects.
pub(crate) fn agents(program: &Program) -> impl Iterator<Item = ActorId> {
    actors(program).filter(|(_, actor)| is_agent(program, actor.entity)).map(|(number, _)| number)
}

fn is_agent(program: &Program, entity: EntityId) -> bool {
    matches!(program.entities[entity.index()].kind, EntityKind::Agent | EntityKind::ExternalAgent)
}

/// The frames that only think.
pub(crate) fn thoughtframes(program: &Program) -> BTreeSet<FrameId> {
    let mut found: BTreeSet<FrameId> =
        program.actors.iter().flat_map(|actor| actor.thoughtframes.iter().copied()).collect();
    for activity in &program.activities {
        if let ActivityNode::Composite { thoughtframes, .. } = &activity.node {
            found.extend(thoughtframes);
        }
    }
    found
}

fn within(range: &Range, entity: EntityId) -> bool {
    range.as_ref().is_none_or(|range| range.contains(&entity))
}

fn var_range(frame: &Frame, var: Var) -> Range {
    match var {
        Var::Own(number) => match &frame.variables[usize::from(number)].domain {
            Domain::Entities(entities) => Some(entities.clone()),
            Domain::Values => None,
        },
        Var::Parameter { .. } => None,
    }
}

fn subject_range(frame: &Frame, subject: Subject) -> Range {
    match subject {
        Subject::Entity(entity) => Some(vec![entity]),
        Subject::Variable(var) => var_range(frame, var),
    }
}

fn sighted_range(frame: &Frame, sighted: &Sighted) -> Range {
    match sighted {
        Sighted::One(subject) => subject_range(frame, *subject),
        Sighted::Every(entities) => Some(entities.clone()),
    }
}

/// Everything that an expression reads from a store.
pub(crate) fn reads<'e>(expr: &'e Expr, out: &mut Vec<&'e Place>) {
    match expr {
        Expr::Read(place) => out.push(place),
        Expr::Negate(inner) => reads(inner, out),
        Expr::Binary(_, left, right) => {
            reads(left, out);
            reads(right, out);
        }
        Expr::Value(_) | Expr::Unknown | Expr::Variable(_) => {}
    }
}

/// The keys that a detectable speaks of, whatever the binding of its frame is.
pub(crate) fn watched(program: &Program, frame: FrameId, detectable: &Detectable) -> Vec<KeyId> {
    let initial = BTreeMap::new();
    let survey = Survey { program, initial: &initial, written: BTreeSet::new() };
    let frame = &program.frames[frame.index()];
    let mut keys = survey.sought(frame, &detectable.sought);
    if let Sought::Attribute { index, test, .. } = &detectable.sought {
        let mut places = Vec::new();
        index.iter().chain(test.iter().map(|(_, expr)| expr)).for_each(|expr| reads(expr, &mut places));
        places.into_iter().for_each(|place| keys.extend(survey.place(frame, place)));
    }
    keys
}
