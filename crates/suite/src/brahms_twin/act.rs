//! What activities do (spec/brahms/rules.md, activities).

use motet_brahms::program::{
    Activity, ActivityNode, ActorId, EntityId, Frame, Key, Moment, Reads, Sought, Statement, Transfer, Value,
};

use super::mind::{Binding, Context};
use super::read::compare;
use super::turn::Turn;

impl Turn<'_> {
    pub(super) fn start_activity(&mut self, frame: &Frame, context: &Context) {
        let Statement::Do(activity) = &frame.body[context.pc] else { panic!("a block ends at an activity") };
        let activity = self.program.activities[activity.index()].clone();
        let seconds = self.duration(&activity, frame, &context.binding);
        self.effects(&activity, frame, &context.binding, Moment::Start);
        if seconds == 0 {
            self.end_activity(&activity, frame, &context.binding);
        } else {
            self.current().remaining = Some(seconds);
        }
    }

    fn duration(&mut self, activity: &Activity, frame: &Frame, binding: &Binding) -> u32 {
        let seconds = |value: Option<Value>| match value {
            Some(Value::Int(number)) => u32::try_from(number).unwrap_or(0),
            _ => 0,
        };
        if let Some(duration) = &activity.duration {
            let reader = self.body(frame.reads);
            let least = seconds(reader.value(&duration.min, binding));
            let most = seconds(reader.value(&duration.max, binding)).max(least);
            return least + u32::try_from(self.chooser.pick((most - least) as usize + 1)).unwrap_or(0);
        }
        let ActivityNode::Move { to, .. } = &activity.node else { return 0 };
        let to = self.body(frame.reads).entity(*to, binding);
        let own = self.program.actors[self.actor.index()].entity;
        let here = self.program.keys.find(Key::Attribute(own, self.program.location));
        let from = here.and_then(|key| self.world.facts.get(&key));
        match (from, to) {
            (Some(Value::Entity(from)), Some(to)) if *from != to => self.program.ways[&(*from, to)],
            _ => 0,
        }
    }

    /// The running activity has ended: its effects, and on to the next statement.
    pub(super) fn end_running(&mut self) {
        let Some(context) = self.mind().current.clone() else { return };
        if context.remaining != Some(0) {
            return;
        }
        let frame = self.frame(context.frame);
        let Statement::Do(activity) = &frame.body[context.pc] else { panic!("only activities take time") };
        let activity = self.program.activities[activity.index()].clone();
        self.end_activity(&activity, &frame, &context.binding);
    }

    fn end_activity(&mut self, activity: &Activity, frame: &Frame, binding: &Binding) {
        self.effects(activity, frame, binding, Moment::End);
        let current = self.current();
        current.remaining = None;
        current.pc += 1;
    }

    fn effects(&mut self, activity: &Activity, frame: &Frame, binding: &Binding, now: Moment) {
        match &activity.node {
            ActivityNode::Move { to, .. } if now == Moment::End => {
                let own = self.program.actors[self.actor.index()].entity;
                let key = self.program.keys.find(Key::Attribute(own, self.program.location));
                let to = self.body(frame.reads).entity(*to, binding);
                if let (Some(key), Some(to)) = (key, to) {
                    self.believe(self.actor, key, Some(Value::Entity(to)));
                    self.world.state(key, Some(Value::Entity(to)));
                }
            }
            ActivityNode::Communicate { with, about, at } if *at == now => {
                let reader = self.body(frame.reads);
                let with: Vec<_> = with.iter().flat_map(|who| reader.sighted(who, binding)).collect();
                let others = with.iter().filter_map(|entity| self.program.entities[entity.index()].actor);
                let others: Vec<ActorId> = others.collect();
                for other in others {
                    about.iter().for_each(|transfer| self.transfer(transfer, other, frame.reads, binding));
                }
            }
            ActivityNode::Broadcast { to, inside_too, about, at } if *at == now => {
                let reader = self.body(frame.reads);
                let areas: Vec<_> = to.iter().filter_map(|area| reader.entity(*area, binding)).collect();
                for other in self.hearers(&areas, *inside_too) {
                    about.iter().for_each(|transfer| self.transfer(transfer, other, frame.reads, binding));
                }
            }
            ActivityNode::Primitive
            | ActivityNode::Print(_)
            | ActivityNode::Broadcast { .. }
            | ActivityNode::Move { .. }
            | ActivityNode::Communicate { .. } => {}
            other => panic!("the twin does not know {other:?}"),
        }
    }

    /// The agents that a broadcast reaches: those in the areas, else those where the sender is, else all.
    fn hearers(&self, areas: &[EntityId], inside_too: bool) -> Vec<ActorId> {
        let place = |actor: ActorId| {
            let own = self.program.actors[actor.index()].entity;
            let key = self.program.keys.find(Key::Attribute(own, self.program.location))?;
            match self.world.facts.get(&key)? {
                Value::Entity(area) => Some(*area),
                _ => None,
            }
        };
        let here: Vec<EntityId> =
            if areas.is_empty() { place(self.actor).into_iter().collect() } else { areas.to_vec() };
        let part_of = |area: &EntityId| self.program.entities[area.index()].part_of;
        let inside = |area: EntityId| {
            let depth = if inside_too { usize::MAX } else { 1 };
            std::iter::successors(Some(area), part_of).take(depth).any(|area| here.contains(&area))
        };
        let actors =
            (0..self.program.actors.len()).map(|actor| ActorId(u32::try_from(actor).expect("few actors")));
        actors
            .filter(|actor| !self.program.actors[actor.index()].is_object)
            .filter(|actor| here.is_empty() || place(*actor).is_some_and(inside))
            .collect()
    }

    fn transfer(&mut self, transfer: &Transfer, other: ActorId, reads: Reads, binding: &Binding) {
        let (from, to) = if transfer.send { (self.actor, other) } else { (other, self.actor) };
        for key in self.sought_keys(&transfer.sought, binding) {
            let held = self.world.minds[from.index()].beliefs.get(&key).copied();
            let is_object = self.program.actors[from.index()].is_object;
            let held = if is_object { held.or(self.world.facts.get(&key).copied()) } else { held };
            let Some(value) = held else { continue };
            let reader = self.body(reads);
            let fits = match &transfer.sought {
                Sought::Attribute { test: Some((operator, right)), .. } => {
                    reader.value(right, binding).is_some_and(|right| compare(*operator, value, right))
                }
                Sought::Related { truth: Some(truth), .. } => value == Value::Bool(*truth),
                _ => true,
            };
            if fits {
                self.believe(to, key, Some(value));
            }
        }
    }
}
