//! What happens within a step, from the notes of the semantics into the words of a chronicle.

use motet_model::{Change, Event, ProcessId, What, Work};
use motet_source::Span;

use crate::program::{ActivityId, ActivityNode, ActorId, DetectAction, KeyId, Value};
use crate::semantics::record::Record;
use crate::words::{Teller, naming};

impl Teller {
    /// A note as an event. A race is no event but a remark about the model.
    #[expect(clippy::too_many_lines, reason = "one flat match over the notes")]
    pub(crate) fn event(&self, record: &Record) -> Event {
        let program = self.program();
        let at = |actor: ActorId, what: What, origin: Option<Span>| Event {
            process: process(actor),
            what,
            origin,
        };
        let frame_span = |frame: crate::program::FrameId| Some(program.frames[frame.index()].name_span);
        match record {
            Record::Started { actor, frame, binding, priority } => at(
                *actor,
                What::Begins {
                    work: Work::Frame,
                    name: naming::frame(program, *frame).to_owned(),
                    detail: naming::binding(program, *frame, binding),
                    length: None,
                    priority: Some(naming::priority(*priority)),
                },
                frame_span(*frame),
            ),
            Record::Resumed { actor, frame, remaining, .. } => at(
                *actor,
                What::Resumes {
                    name: naming::frame(program, *frame).to_owned(),
                    length: remaining.map(milliseconds),
                },
                frame_span(*frame),
            ),
            Record::Ended { actor, frame, how } => at(
                *actor,
                What::Ends { work: Work::Frame, name: naming::frame(program, *frame).to_owned(), how: *how },
                frame_span(*frame),
            ),
            Record::Begun { actor, activity, length, to } => {
                let detail = match to {
                    Some(place) => format!("to {}", naming::entity(program, *place)),
                    None => String::new(),
                };
                let name = naming::activity(program, *activity).to_owned();
                let length = length.map(milliseconds);
                let what = What::Begins { work: self.work(*activity), name, detail, length, priority: None };
                at(*actor, what, Some(program.activities[activity.index()].call))
            }
            Record::Finished { actor, activity, how } => {
                let name = naming::activity(program, *activity).to_owned();
                let what = What::Ends { work: self.work(*activity), name, how: *how };
                at(*actor, what, Some(program.activities[activity.index()].call))
            }
            Record::Thought { actor, frame, .. } => at(
                *actor,
                What::Thinks { name: naming::frame(program, *frame).to_owned() },
                frame_span(*frame),
            ),
            Record::Belief { actor, key, before, after } => {
                at(*actor, What::Believes(self.change(*key, *before, *after)), None)
            }
            Record::Fact { actor, key, before, after } => {
                at(*actor, What::Makes(self.change(*key, *before, *after)), None)
            }
            Record::Told { from, to, key, value } => at(
                *from,
                What::Tells { to: process(*to), content: naming::statement(program, *key, *value) },
                None,
            ),
            Record::Detected { actor, name, action, span } => at(
                *actor,
                What::Detects { name: name.clone(), action: action_word(*action).to_owned() },
                Some(*span),
            ),
            Record::Moved { actor, from, to } => {
                let from = from.map_or_else(String::new, |from| naming::entity(program, from).to_owned());
                at(*actor, What::Arrives { from, to: naming::entity(program, *to).to_owned() }, None)
            }
            _ => self.remark(record),
        }
    }

    /// Notes that become a line of text.
    fn remark(&self, record: &Record) -> Event {
        let program = self.program();
        let entity = |id| naming::entity(program, id);
        let (actor, text, origin) = match record {
            Record::Skipped { actor, span } => {
                let conclusion = naming::quoted(&self.sources, *span);
                (*actor, format!("skips {conclusion}: a value is unknown"), Some(*span))
            }
            Record::Printed { actor, parts, activity } => {
                let parts: Vec<String> = parts.iter().map(|part| naming::known(program, *part)).collect();
                (
                    *actor,
                    format!("prints {}", parts.join(" ")),
                    Some(program.activities[activity.index()].call),
                )
            }
            Record::PrintedBeliefs { actor, beliefs, activity } => {
                let told = |(key, value): &(KeyId, Option<Value>)| match value {
                    Some(value) => naming::statement(program, *key, *value),
                    None => format!("{} is unknown", naming::key(program, *key)),
                };
                let beliefs: Vec<String> = beliefs.iter().map(told).collect();
                let call = program.activities[activity.index()].call;
                (*actor, format!("prints {}", beliefs.join(", ")), Some(call))
            }
            Record::Created { actor, entity: made } => (*actor, format!("creates {}", entity(*made)), None),
            Record::Deleted { actor, entity: gone } => (*actor, format!("deletes {}", entity(*gone)), None),
            Record::Dropped { actor, frame, binding } => {
                let (name, values) =
                    (naming::frame(program, *frame), naming::binding(program, *frame, binding));
                let text = format!("does not begin {name} for {values}: its guard holds no more");
                (*actor, text, Some(program.frames[frame.index()].name_span))
            }
            Record::Race { first, second, key, store } => {
                let whose = store
                    .map_or_else(String::new, |of| format!(" believed by {}", naming::actor(program, of)));
                let (first, key) = (naming::actor(program, *first), naming::key(program, *key));
                (*second, format!("writes {key}{whose} at the same instant as {first}"), None)
            }
            other => (ActorId(0), format!("{other:?}"), None),
        };
        Event { process: process(actor), what: What::Remarks { text }, origin }
    }

    fn change(&self, key: KeyId, before: Option<Value>, after: Option<Value>) -> Change {
        let program = self.program();
        Change {
            subject: naming::key(program, key),
            before: naming::known(program, before),
            after: naming::known(program, after),
        }
    }

    /// Which sort of work an activity is.
    pub(crate) fn work(&self, activity: ActivityId) -> Work {
        match &self.program().activities[activity.index()].node {
            ActivityNode::Primitive
            | ActivityNode::Print(_)
            | ActivityNode::PrintBelief(_)
            | ActivityNode::Retract(_) => Work::Primitive,
            ActivityNode::Move { .. } => Work::Move,
            ActivityNode::Communicate { .. } | ActivityNode::Broadcast { .. } => Work::Communicate,
            ActivityNode::Get { .. } | ActivityNode::Put { .. } => Work::Handle,
            ActivityNode::Create { .. } => Work::Create,
            ActivityNode::Composite { .. } => Work::Composite,
            ActivityNode::Foreign { .. } => Work::Foreign,
        }
    }
}

/// The process of an actor.
pub(crate) fn process(actor: ActorId) -> ProcessId {
    ProcessId(actor.0)
}

/// Brahms counts seconds, the model milliseconds.
pub(crate) fn milliseconds(seconds: u32) -> u64 {
    u64::from(seconds) * 1_000
}

/// As the language writes it.
pub(crate) fn action_word(action: DetectAction) -> &'static str {
    match action {
        DetectAction::Continue => "continue",
        DetectAction::EndActivity => "end_activity",
        DetectAction::Complete => "complete",
        DetectAction::Impasse => "impasse",
        DetectAction::Abort => "abort",
    }
}
