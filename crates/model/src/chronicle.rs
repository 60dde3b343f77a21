//! What happens during a step, event by event, in the user's words. A step of a model with a clock may hold a whole
//! cascade: an activity ends, a belief changes, a thought follows, the next work begins. Engines need none of it, so
//! [`crate::Words::events`] tells it again from the state and the step when somebody wants to see a run.

use motet_source::Span;

use crate::ProcessId;

/// One event on somebody's lane. All events of a step happen at the instant the step leads to, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Whose lane.
    pub process: ProcessId,
    /// What happens.
    pub what: What,
    /// The text that made it happen.
    pub origin: Option<Span>,
}

/// What happens on a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// Work begins: a frame, or an activity inside the frame that began last. Bars of a lane nest.
    Begins {
        /// Which sort of work.
        work: Work,
        /// Its name: `wf_attendBob`, `otherDuties`.
        name: String,
        /// What it is about, short: `to bedOne`, `pat = Patient_two`; may be empty.
        detail: String,
        /// How long it will take if nothing interferes, in the model's unit.
        length: Option<u64>,
        /// The priority that was compared, as the user writes it: `20`, `20.3`.
        priority: Option<String>,
    },
    /// The work of this name that began last ends, and all work inside it.
    Ends {
        /// Which sort of work.
        work: Work,
        /// Its name.
        name: String,
        /// How.
        how: Ending,
    },
    /// A frame that was interrupted or at an impasse goes on, with what was inside it.
    Resumes {
        /// Its name.
        name: String,
        /// How long the activity inside it still takes.
        length: Option<u64>,
    },
    /// A thought: beliefs follow from beliefs, in no time.
    Thinks {
        /// The name of the rule: `tf_updateTime`.
        name: String,
    },
    /// A belief of this process changes.
    Believes(Change),
    /// This process changes the world.
    Makes(Change),
    /// This process is told something by another; on the lane of the one who tells.
    Tells {
        /// The one who is told.
        to: ProcessId,
        /// What: `Campanile_Clock.time = 8`.
        content: String,
    },
    /// Something in the world is noticed.
    Detects {
        /// The name of the detectable.
        name: String,
        /// What it leads to: `abort`, `continue`.
        action: String,
    },
    /// This process is somewhere else now. At the start of a run `from` is empty.
    Arrives {
        /// Where it was.
        from: String,
        /// Where it is.
        to: String,
    },
    /// Anything else worth a line: a printed text, a conclusion skipped because a value is unknown.
    Remarks {
        /// The line.
        text: String,
    },
}

/// A value that changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// `Bob.location`, `Nurse_one hasDN Digital_Nurse_one`.
    pub subject: String,
    /// The value before; `none` where there was none.
    pub before: String,
    /// The value now.
    pub after: String,
}

/// Sorts of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Work {
    /// A workframe or plan that holds activities.
    Frame,
    /// An activity that takes time and nothing else.
    Primitive,
    /// Going somewhere.
    Move,
    /// Telling or asking somebody, or everybody.
    Communicate,
    /// An activity made of frames.
    Composite,
    /// Taking or putting down a thing.
    Handle,
    /// Making something new.
    Create,
    /// A program from outside.
    Foreign,
}

/// How work ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// As planned.
    Done,
    /// Given up: nothing more of it is done.
    Aborted,
    /// Cut short: what is left of its conclusions is done, not its activities.
    Completed,
    /// Put aside for something more urgent; it resumes later.
    Interrupted,
    /// Put aside until an obstacle is gone; it resumes later.
    Impassed,
}

/// Why a frame, plan or rule fires or does not fire in a situation, for one process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Who.
    pub process: ProcessId,
    /// The frame: `wf_attendBob`.
    pub subject: String,
    /// One line: `waits: otherDuties has priority 50, wf_attendBob 20`.
    pub status: String,
    /// Whether it is being done in this situation.
    pub active: bool,
    /// The conditions and comparisons behind it, in the order of the text.
    pub lines: Vec<AccountLine>,
    /// Where the frame stands.
    pub origin: Option<Span>,
}

/// One condition or comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountLine {
    /// Whether it is met; `None` for a remark.
    pub met: Option<bool>,
    /// `knownval(Bob.missed > 1): Bob.missed is 0`.
    pub text: String,
}
