//! A program in which two members have changed places, each with what belongs to it.

use super::belongings::Member;
use crate::program::{
    Activity, ActivityId, ActivityNode, ActorId, Conclude, ConcludeNode, Condition, ConditionNode,
    Detectable, Domain, Duration, EntityId, Expr, Frame, FrameId, Key, KeyId, Place, Program, Sighted,
    Sought, Statement, Subject, Transfer, Value,
};

/// What becomes of each number when two members change places.
pub(super) struct Swap<'p> {
    program: &'p Program,
    /// The actors themselves, then what belongs to them.
    entities: Vec<(EntityId, EntityId)>,
    actors: (ActorId, ActorId),
    frames: Vec<FrameId>,
    activities: Vec<ActivityId>,
}

impl<'p> Swap<'p> {
    /// `None` if the two do not have as many frames and activities. They have as many belongings.
    pub(super) fn new(program: &'p Program, one: &Member, two: &Member) -> Option<Self> {
        let mut frames: Vec<FrameId> = (0..).map(FrameId).take(program.frames.len()).collect();
        let mut activities: Vec<ActivityId> = (0..).map(ActivityId).take(program.activities.len()).collect();
        let (ones, twos) = (frames_of(program, one.actor), frames_of(program, two.actor));
        let (acts, others) = (activities_of(program, &ones), activities_of(program, &twos));
        if ones.len() != twos.len() || acts.len() != others.len() {
            return None;
        }
        for (a, b) in ones.into_iter().zip(twos) {
            (frames[a.index()], frames[b.index()]) = (b, a);
        }
        for (a, b) in acts.into_iter().zip(others) {
            (activities[a.index()], activities[b.index()]) = (b, a);
        }
        let entities = one.entities.iter().copied().zip(two.entities.iter().copied()).collect();
        Some(Self { program, entities, actors: (one.actor, two.actor), frames, activities })
    }

    /// Who takes an entity's place.
    pub(super) fn entity(&self, entity: EntityId) -> EntityId {
        for &(one, two) in &self.entities {
            if entity == one {
                return two;
            }
            if entity == two {
                return one;
            }
        }
        entity
    }

    /// Who takes an actor's place.
    pub(super) fn actor(&self, actor: ActorId) -> ActorId {
        match actor {
            actor if actor == self.actors.0 => self.actors.1,
            actor if actor == self.actors.1 => self.actors.0,
            actor => actor,
        }
    }

    /// The frame that takes a frame's place.
    pub(super) fn frame_id(&self, frame: FrameId) -> FrameId {
        self.frames[frame.index()]
    }

    /// The activity that takes an activity's place.
    pub(super) fn activity_id(&self, activity: ActivityId) -> ActivityId {
        self.activities[activity.index()]
    }

    /// A value afterwards.
    pub(super) fn value(&self, value: Value) -> Value {
        match value {
            Value::Entity(of) => Value::Entity(self.entity(of)),
            other => other,
        }
    }

    /// A key afterwards, if texts speak of it.
    pub(super) fn key(&self, key: KeyId) -> Option<KeyId> {
        let image = match self.program.keys.get(key) {
            Key::Attribute(of, name) => Key::Attribute(self.entity(of), name),
            Key::Entry(of, name, index) => Key::Entry(self.entity(of), name, self.value(index)),
            Key::Pair(of, name, to) => Key::Pair(self.entity(of), name, self.entity(to)),
        };
        self.program.keys.find(image)
    }

    /// A frame afterwards; `None` where it speaks of something that no text speaks of afterwards.
    pub(super) fn frame(&self, frame: &Frame) -> Option<Frame> {
        let mut image = frame.clone();
        image.actor = self.actor(frame.actor);
        image.inside = frame.inside.map(|activity| self.activity_id(activity));
        for variable in &mut image.variables {
            if let Domain::Entities(entities) = &mut variable.domain {
                self.entities(entities);
            }
        }
        for condition in &mut image.guard {
            *condition = Condition { node: self.condition(&condition.node)?, ..condition.clone() };
        }
        for detectable in &mut image.detectables {
            *detectable = self.detectable(detectable)?;
        }
        for statement in &mut image.body {
            *statement = match statement {
                Statement::Conclude(conclude) => Statement::Conclude(self.conclude(conclude)?),
                Statement::Delete(subject, span) => Statement::Delete(self.subject(*subject), *span),
                Statement::Do(activity) => Statement::Do(self.activity_id(*activity)),
            };
        }
        Some(image)
    }

    /// Lists of entities are in the order of declaration.
    fn entities(&self, entities: &mut [EntityId]) {
        let sorted = entities.is_sorted();
        entities.iter_mut().for_each(|entity| *entity = self.entity(*entity));
        if sorted {
            entities.sort_unstable();
        }
    }

    fn subject(&self, subject: Subject) -> Subject {
        match subject {
            Subject::Entity(entity) => Subject::Entity(self.entity(entity)),
            Subject::Variable(var) => Subject::Variable(var),
        }
    }

    fn sighted(&self, sighted: &Sighted) -> Sighted {
        match sighted {
            Sighted::One(subject) => Sighted::One(self.subject(*subject)),
            Sighted::Every(entities) => {
                let mut entities = entities.clone();
                self.entities(&mut entities);
                Sighted::Every(entities)
            }
        }
    }

    fn place(&self, place: &Place) -> Option<Place> {
        Some(match place {
            Place::Fixed(key) => Place::Fixed(self.key(*key)?),
            Place::Attribute(var, attribute) => Place::Attribute(*var, *attribute),
            Place::Entry(subject, map, index) => {
                Place::Entry(self.subject(*subject), *map, Box::new(self.expr(index)?))
            }
        })
    }

    fn expr(&self, expr: &Expr) -> Option<Expr> {
        Some(match expr {
            Expr::Value(value) => Expr::Value(self.value(*value)),
            Expr::Unknown => Expr::Unknown,
            Expr::Read(place) => Expr::Read(self.place(place)?),
            Expr::Variable(var) => Expr::Variable(*var),
            Expr::Negate(of) => Expr::Negate(Box::new(self.expr(of)?)),
            Expr::Binary(operator, a, b) => {
                Expr::Binary(*operator, Box::new(self.expr(a)?), Box::new(self.expr(b)?))
            }
        })
    }

    fn condition(&self, node: &ConditionNode) -> Option<ConditionNode> {
        Some(match node {
            ConditionNode::Compare { negated, left, operator, right } => ConditionNode::Compare {
                negated: *negated,
                left: self.expr(left)?,
                operator: *operator,
                right: self.expr(right)?,
            },
            ConditionNode::Related { negated, subject, relation, object, truth } => ConditionNode::Related {
                negated: *negated,
                subject: self.subject(*subject),
                relation: *relation,
                object: self.subject(*object),
                truth: *truth,
            },
            ConditionNode::Known { known, place } => {
                ConditionNode::Known { known: *known, place: self.place(place)? }
            }
            ConditionNode::KnownPairs { known, subject, relation } => ConditionNode::KnownPairs {
                known: *known,
                subject: self.subject(*subject),
                relation: *relation,
            },
            ConditionNode::Bind { variable, value } => {
                ConditionNode::Bind { variable: *variable, value: self.expr(value)? }
            }
        })
    }

    fn sought(&self, sought: &Sought) -> Option<Sought> {
        Some(match sought {
            Sought::Attribute { subject, attribute, index, test } => Sought::Attribute {
                subject: self.sighted(subject),
                attribute: *attribute,
                index: match index {
                    Some(index) => Some(self.expr(index)?),
                    None => None,
                },
                test: match test {
                    Some((operator, right)) => Some((*operator, self.expr(right)?)),
                    None => None,
                },
            },
            Sought::Related { subject, relation, object, truth } => Sought::Related {
                subject: self.sighted(subject),
                relation: *relation,
                object: object.as_ref().map(|object| self.sighted(object)),
                truth: *truth,
            },
        })
    }

    fn detectable(&self, detectable: &Detectable) -> Option<Detectable> {
        Some(Detectable { sought: self.sought(&detectable.sought)?, ..detectable.clone() })
    }

    fn conclude(&self, conclude: &Conclude) -> Option<Conclude> {
        let node = match &conclude.node {
            ConcludeNode::Assign(place, value) => ConcludeNode::Assign(self.place(place)?, self.expr(value)?),
            ConcludeNode::Relate(subject, relation, object, truth) => {
                ConcludeNode::Relate(self.subject(*subject), *relation, self.subject(*object), *truth)
            }
        };
        Some(Conclude { node, ..conclude.clone() })
    }

    fn exprs(&self, exprs: &[Expr]) -> Option<Vec<Expr>> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn transfers(&self, about: &[Transfer]) -> Option<Vec<Transfer>> {
        let one = |transfer: &Transfer| {
            Some(Transfer { sought: self.sought(&transfer.sought)?, ..transfer.clone() })
        };
        about.iter().map(one).collect()
    }

    /// An activity afterwards.
    pub(super) fn activity(&self, activity: &Activity) -> Option<Activity> {
        let mut image = activity.clone();
        if let Some(duration) = &activity.duration {
            image.duration =
                Some(Duration { min: self.expr(&duration.min)?, max: self.expr(&duration.max)? });
        }
        image.resources.iter_mut().for_each(|resource| *resource = self.subject(*resource));
        match &mut image.node {
            ActivityNode::Primitive => {}
            ActivityNode::Move { to, arrival, departure } => {
                *to = self.subject(*to);
                let all = arrival.iter_mut().chain(departure);
                all.for_each(|(subject, _)| *subject = self.subject(*subject));
            }
            ActivityNode::Communicate { with, about, .. } => {
                with.iter_mut().for_each(|with| *with = self.sighted(with));
                *about = self.transfers(about)?;
            }
            ActivityNode::Broadcast { to, about, .. } => {
                to.iter_mut().for_each(|to| *to = self.subject(*to));
                *about = self.transfers(about)?;
            }
            ActivityNode::Get { items, source: other, .. }
            | ActivityNode::Put { items, destination: other, .. } => {
                items.iter_mut().for_each(|item| *item = self.subject(*item));
                *other = other.map(|other| self.subject(other));
            }
            ActivityNode::Create { copy_of, location, .. } => {
                *copy_of = copy_of.map(|of| self.subject(of));
                *location = location.map(|at| self.subject(at));
            }
            ActivityNode::Composite { arguments, detectables, workframes, thoughtframes, .. } => {
                *arguments = self.exprs(arguments)?;
                for detectable in detectables {
                    *detectable = self.detectable(detectable)?;
                }
                let frames = workframes.iter_mut().chain(thoughtframes);
                frames.for_each(|frame| *frame = self.frame_id(*frame));
            }
            ActivityNode::Foreign { outputs, concludes } => {
                for (_, values) in outputs {
                    values.iter_mut().for_each(|value| *value = self.value(*value));
                }
                for conclude in concludes {
                    *conclude = self.conclude(conclude)?;
                }
            }
            ActivityNode::Print(parts) => *parts = self.exprs(parts)?,
            ActivityNode::PrintBelief(places) | ActivityNode::Retract(places) => {
                *places = places.iter().map(|place| self.place(place)).collect::<Option<_>>()?;
            }
        }
        Some(image)
    }
}

/// The frames of an actor, in order.
pub(crate) fn frames_of(program: &Program, actor: ActorId) -> Vec<FrameId> {
    let own = program.frames.iter().zip(0..).filter(|(frame, _)| frame.actor == actor);
    own.map(|(_, number)| FrameId(number)).collect()
}

/// The activities that some frames call, in order.
pub(super) fn activities_of(program: &Program, frames: &[FrameId]) -> Vec<ActivityId> {
    let body = |frame: &FrameId| program.frames[frame.index()].body.iter();
    let called = |statement: &Statement| match statement {
        Statement::Do(activity) => Some(*activity),
        _ => None,
    };
    frames.iter().flat_map(body).filter_map(called).collect()
}
