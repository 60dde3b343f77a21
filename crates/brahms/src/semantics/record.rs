//! What happens inside a step, noted while it is run again for somebody who wants to read it.

use motet_model::Ending;
use motet_source::Span;

use crate::program::{ActivityId, ActorId, DetectAction, EntityId, FrameId, KeyId, Value};

/// One note. The order of notes is the order in which things happen.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Record {
    /// A workframe begins.
    Started {
        /// Whose.
        actor: ActorId,
        /// Which.
        frame: FrameId,
        /// The values of its variables.
        binding: Vec<Bound>,
        /// The priority that was compared, in tenths.
        priority: i64,
    },
    /// A workframe that was put aside goes on.
    Resumed {
        /// Whose.
        actor: ActorId,
        /// Which.
        frame: FrameId,
        /// Seconds that its running activity still takes.
        remaining: Option<u32>,
        /// The priority that was compared, in tenths.
        priority: i64,
    },
    /// A workframe ends or is put aside.
    Ended {
        /// Whose.
        actor: ActorId,
        /// Which.
        frame: FrameId,
        /// How.
        how: Ending,
    },
    /// An activity begins.
    Begun {
        /// Whose.
        actor: ActorId,
        /// Which.
        activity: ActivityId,
        /// Seconds; `None` for composite activities.
        length: Option<u32>,
        /// Where a move goes.
        to: Option<EntityId>,
    },
    /// An activity ends.
    Finished {
        /// Whose.
        actor: ActorId,
        /// Which.
        activity: ActivityId,
        /// How; `Done` or `Completed`. Activities of a frame that ends otherwise end with it, without a note.
        how: Ending,
    },
    /// A thoughtframe fires.
    Thought {
        /// Whose.
        actor: ActorId,
        /// Which.
        frame: FrameId,
        /// The values of its variables.
        binding: Vec<Bound>,
    },
    /// A belief changes.
    Belief {
        /// Whose belief.
        actor: ActorId,
        /// About what.
        key: KeyId,
        /// The value before.
        before: Option<Value>,
        /// The value now.
        after: Option<Value>,
    },
    /// A fact changes.
    Fact {
        /// Who changes it.
        actor: ActorId,
        /// Which.
        key: KeyId,
        /// The value before.
        before: Option<Value>,
        /// The value now.
        after: Option<Value>,
    },
    /// A belief is handed on.
    Told {
        /// Who tells.
        from: ActorId,
        /// Who is told.
        to: ActorId,
        /// About what.
        key: KeyId,
        /// The value.
        value: Value,
    },
    /// A detectable sees what it looks for.
    Detected {
        /// Whose.
        actor: ActorId,
        /// Its name.
        name: String,
        /// What it leads to.
        action: DetectAction,
        /// Where it stands.
        span: Span,
    },
    /// Somebody is somewhere else.
    Moved {
        /// Who.
        actor: ActorId,
        /// Where it was.
        from: Option<EntityId>,
        /// Where it is.
        to: EntityId,
    },
    /// A conclusion is skipped because its value is unknown.
    Skipped {
        /// Whose.
        actor: ActorId,
        /// Which.
        span: Span,
    },
    /// A text is shown.
    Printed {
        /// Who shows it.
        actor: ActorId,
        /// Its parts.
        parts: Vec<Option<Value>>,
        /// The activity that shows it.
        activity: ActivityId,
    },
    /// Beliefs are shown.
    PrintedBeliefs {
        /// Who shows them.
        actor: ActorId,
        /// About what, and what is believed.
        beliefs: Vec<(KeyId, Option<Value>)>,
        /// The activity that shows them.
        activity: ActivityId,
    },
    /// Something comes into being.
    Created {
        /// Who makes it.
        actor: ActorId,
        /// What.
        entity: EntityId,
    },
    /// Something ceases to be.
    Deleted {
        /// Who deletes it.
        actor: ActorId,
        /// What.
        entity: EntityId,
    },
    /// An instance of a `foreach` frame is dropped, because its guard does not hold any more.
    Dropped {
        /// Whose.
        actor: ActorId,
        /// Which.
        frame: FrameId,
        /// The values of its `foreach` variables.
        binding: Vec<Bound>,
    },
    /// Two actors write the same key at one instant, so the order of actors matters.
    Race {
        /// The one who wrote before.
        first: ActorId,
        /// The one who writes now.
        second: ActorId,
        /// Which key.
        key: KeyId,
        /// In whose beliefs; `None` among the facts.
        store: Option<ActorId>,
    },
}

/// The value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// It has none.
    Nothing,
    /// One value.
    One(Value),
    /// `collectall`: several.
    Many(Vec<Value>),
}
