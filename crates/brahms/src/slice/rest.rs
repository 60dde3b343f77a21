//! The program that is left, and what is not, in words.

use std::collections::BTreeSet;

use super::Inquiry;
use super::cone::{Cone, frames};
use super::things::Thing;
use crate::program::{
    Activity, ActivityNode, Actor, AttributeId, AttributeKind, Conclude, DetectAction, Detectable, Frame,
    FrameId, Key, Program, Repeat, Statement,
};
use crate::semantics::writes::{FACTS, is_thought};

impl Inquiry<'_> {
    /// The program that is left. Frames keep their numbers; those that are gone are empty, and nobody has them.
    pub(super) fn rest(&self, cone: &Cone) -> Program {
        let mut rest = self.program.clone();
        for actor in &mut rest.actors {
            actor.workframes.retain(|frame| cone.kept[frame.index()]);
            actor.thoughtframes.retain(|frame| cone.kept[frame.index()]);
        }
        for id in frames(self) {
            let text = &self.program.frames[id.index()];
            let frame = &mut rest.frames[id.index()];
            if !cone.kept[id.index()] {
                empty(frame);
                continue;
            }
            frame.detectables.retain(|detectable| self.is_needed(cone, text, detectable));
            let thinks = is_thought(self.program, id);
            for statement in &mut frame.body {
                match statement {
                    Statement::Conclude(conclude) => self.weaken(cone, text, conclude, thinks),
                    Statement::Delete(..) => {}
                    Statement::Do(activity) => {
                        self.lighten(cone, text, &mut rest.activities[activity.index()]);
                    }
                }
            }
        }
        rest
    }

    fn is_needed(&self, cone: &Cone, frame: &Frame, detectable: &Detectable) -> bool {
        detectable.action != DetectAction::Continue
            || cone.needed.wants_effect(&self.import(frame, detectable))
    }

    /// A conclusion that nobody needs is not drawn.
    fn weaken(&self, cone: &Cone, frame: &Frame, conclude: &mut Conclude, thinks: bool) {
        let effect = self.conclusion(frame, conclude, thinks);
        let wanted: Vec<Thing> =
            effect.writes.into_iter().filter(|thing| cone.needed.wants(*thing)).collect();
        let is_fact = |thing: &Thing| matches!(thing, Thing::Value(FACTS, _));
        if !wanted.iter().any(is_fact) {
            conclude.fact = 0;
        }
        if wanted.iter().all(is_fact) {
            conclude.belief = 0;
        }
    }

    /// What nobody needs to be told is not told; what nobody needs to see is not looked out for.
    fn lighten(&self, cone: &Cone, frame: &Frame, activity: &mut Activity) {
        match &mut activity.node {
            ActivityNode::Communicate { with, about, .. } => {
                let all = with.clone();
                let wanted = |effects: Vec<_>| effects.iter().any(|effect| cone.needed.wants_effect(effect));
                with.retain(|with| about.iter().any(|transfer| wanted(self.told(frame, with, transfer))));
                about.retain(|transfer| all.iter().any(|with| wanted(self.told(frame, with, transfer))));
            }
            ActivityNode::Broadcast { about, .. } => about.retain(|transfer| {
                self.announced(frame, transfer).iter().any(|effect| cone.needed.wants_effect(effect))
            }),
            ActivityNode::Foreign { concludes, .. } => {
                concludes.iter_mut().for_each(|conclude| self.weaken(cone, frame, conclude, false));
            }
            ActivityNode::Composite { detectables, thoughtframes, .. } => {
                detectables.retain(|detectable| self.is_needed(cone, frame, detectable));
                thoughtframes.retain(|thought| cone.kept[thought.index()]);
            }
            _ => {}
        }
    }

    /// What is not part of the rest: `agent Robot`, `workframe wf_rest of Nurse_one`, `attribute hunger`.
    pub(super) fn left_out(&self, cone: &Cone, rest: &Program) -> Vec<String> {
        let mut words = Vec::new();
        for (before, after) in self.program.actors.iter().zip(&rest.actors) {
            let entity = &self.program.entities[before.entity.index()];
            let had = before.workframes.len() + before.thoughtframes.len();
            if had > 0 && after.workframes.is_empty() && after.thoughtframes.is_empty() {
                let kind = if before.is_object { "object" } else { "agent" };
                words.push(format!("{kind} {}", entity.name));
                continue;
            }
            for (kind, frame) in self.frames_of(before) {
                let text = &self.program.frames[frame.index()];
                // What is inside work that is left out goes with it.
                if !cone.kept[frame.index()] && self.is_performed(cone, text) {
                    words.push(format!("{kind} {} of {}", text.name, entity.name));
                }
            }
        }
        words.extend(self.forgotten(cone, rest));
        words
    }

    /// The frames of an actor, those inside its activities too, with what they are.
    fn frames_of(&self, actor: &Actor) -> Vec<(&'static str, FrameId)> {
        let own = |id: &FrameId| {
            let of = self.program.frames[id.index()].actor;
            self.program.actors[of.index()].entity == actor.entity
        };
        let kind = |id: FrameId| if is_thought(self.program, id) { "thoughtframe" } else { "workframe" };
        frames(self).filter(own).map(|id| (kind(id), id)).collect()
    }

    fn is_performed(&self, cone: &Cone, frame: &Frame) -> bool {
        let Some(around) = frame.inside else { return true };
        let performs = |statement: &Statement| matches!(statement, Statement::Do(one) if *one == around);
        frames(self)
            .any(|id| cone.kept[id.index()] && self.program.frames[id.index()].body.iter().any(performs))
    }

    /// Attributes and relations about which those who are left do not conclude anything any more.
    fn forgotten(&self, cone: &Cone, rest: &Program) -> Vec<String> {
        let mut concluded: [BTreeSet<AttributeId>; 2] = [BTreeSet::new(), BTreeSet::new()];
        for (found, program) in concluded.iter_mut().zip([self.program, rest]) {
            for id in frames(self).filter(|id| cone.kept[id.index()]) {
                let frame = &program.frames[id.index()];
                let thinks = is_thought(self.program, id);
                for statement in &frame.body {
                    let Statement::Conclude(conclude) = statement else { continue };
                    for thing in self.conclusion(frame, conclude, thinks).writes {
                        if let Thing::Value(_, key) = thing {
                            found.insert(name_of(self.program.keys.get(key)));
                        }
                    }
                }
            }
        }
        let [before, after] = concluded;
        let words = before.difference(&after).map(|attribute| {
            let attribute = &self.program.attributes[attribute.index()];
            let kind = if attribute.kind == AttributeKind::Relation { "relation" } else { "attribute" };
            format!("{kind} {}", attribute.name)
        });
        words.collect()
    }
}

fn name_of(key: Key) -> AttributeId {
    let (Key::Attribute(_, name) | Key::Entry(_, name, _) | Key::Pair(_, name, _)) = key;
    name
}

/// A frame that nobody has.
fn empty(frame: &mut Frame) {
    frame.variables.clear();
    frame.guard.clear();
    frame.detectables.clear();
    frame.body.clear();
    frame.repeat = Repeat::Always;
}
