//! What the texts of a model are made of, and which of it has a share in a step: frames, activities and detectables, each
//! once for every actor that has it.

use motet_model::{Occurrence, Part, PartId, State};

use crate::program::{ActivityId, ActivityNode, ActorId, Detectable, FrameId};
use crate::semantics::record::Record;
use crate::words::{Teller, naming};

impl Teller {
    /// The frames, then the activities that some frame calls, then the detectables.
    pub(crate) fn text_parts(&self) -> Vec<Part> {
        let program = self.program();
        let actor = |actor: ActorId| naming::actor(program, actor).to_owned();
        let frames = (0..).map(FrameId).zip(&program.frames).map(|(id, frame)| Part {
            name: frame.name.clone(),
            kind: if self.thinks(id) { "thoughtframe" } else { "workframe" },
            owner: actor(frame.actor),
            span: frame.span,
        });
        let activities = (0..).map(ActivityId).zip(&program.activities).map(|(id, activity)| Part {
            name: activity.name.clone(),
            kind: "activity",
            owner: self.doer(id).map_or_else(String::new, actor),
            span: activity.call,
        });
        let detectables = self.detectables().into_iter().map(|(owner, detectable)| Part {
            name: detectable.name.clone(),
            kind: "detectable",
            owner: actor(owner),
            span: detectable.span,
        });
        frames.chain(activities).chain(detectables).collect()
    }

    /// Who does an activity.
    fn doer(&self, activity: ActivityId) -> Option<ActorId> {
        let caller = self.semantics.caller(activity)?;
        Some(self.program().frames[caller.index()].actor)
    }

    fn detectables(&self) -> Vec<(ActorId, &Detectable)> {
        let program = self.program();
        let of_frames = program
            .frames
            .iter()
            .flat_map(|frame| frame.detectables.iter().map(|detectable| (frame.actor, detectable)));
        let activities = (0..).map(ActivityId).zip(&program.activities);
        let inside = activities.flat_map(|(id, activity)| {
            let detectables = match &activity.node {
                ActivityNode::Composite { detectables, .. } => &detectables[..],
                _ => &[],
            };
            let doer = self.doer(id);
            detectables.iter().filter_map(move |detectable| Some((doer?, detectable)))
        });
        of_frames.chain(inside).collect()
    }

    /// What begins, goes on or sees something in a step.
    pub(crate) fn shares(&self, state: &State, taken: Occurrence<'_>) -> Vec<PartId> {
        let program = self.program();
        let n_frames = program.frames.len();
        let mut numbers: Vec<usize> = Vec::new();
        for record in self.semantics.retell(state, taken.ordinal, taken.branch) {
            match record {
                Record::Started { frame, .. }
                | Record::Resumed { frame, .. }
                | Record::Thought { frame, .. } => {
                    numbers.push(frame.index());
                }
                Record::Begun { activity, .. } => numbers.push(n_frames + activity.index()),
                Record::Detected { actor, span, .. } => {
                    let first = n_frames + program.activities.len();
                    let seen = |(_, (owner, detectable)): &(usize, (ActorId, &Detectable))| {
                        (*owner, detectable.span) == (actor, span)
                    };
                    let seen = self.detectables().into_iter().enumerate().filter(seen);
                    numbers.extend(seen.map(|(number, _)| first + number));
                }
                _ => {}
            }
        }
        let part = |number| PartId(u32::try_from(number).expect("parts are numbered with 32 bits"));
        numbers.into_iter().map(part).collect()
    }
}
