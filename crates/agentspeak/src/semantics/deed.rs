//! What was done in a step, with everything that words need to tell it. Each is numbered once: its number is the
//! step's `ActionId`.

use crate::program::Force;
use crate::semantics::mind::{Event, Message, Trigger};
use crate::term::TermId;

/// What was done in a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Deed {
    /// An agent looked into its mailbox.
    Mail {
        /// Who.
        agent: u32,
        /// What it found.
        letter: Option<(Message, Receipt)>,
    },
    /// An agent revised its beliefs.
    Revise {
        /// Who.
        agent: u32,
        /// New beliefs.
        gained: Box<[TermId]>,
        /// Beliefs that are gone.
        lost: Box<[TermId]>,
    },
    /// An agent selected an event.
    Select {
        /// Who.
        agent: u32,
        /// Beliefs from outside that were passed over, because no plan applies (Jason).
        passed_over: Box<[Event]>,
        /// The event and what was made of it.
        selected: Option<(Event, Selection)>,
    },
    /// A wait of an agent is over.
    Wake {
        /// Whose.
        agent: u32,
        /// The plan.
        plan: u32,
        /// The formula in its body.
        formula: u32,
        /// What the plan is for.
        trigger: Trigger,
    },
    /// An agent executed a formula.
    Execute {
        /// Who.
        agent: u32,
        /// The formula and what came of it.
        executed: Option<Execution>,
    },
    /// The environment executed an action.
    Act {
        /// Who had asked for it.
        agent: u32,
        /// The action.
        action: TermId,
        /// What became of it.
        fate: Fate,
        /// Number of the environment's state before.
        from: u32,
        /// Number of the environment's state after, unless chance decides.
        to: Option<u32>,
        /// What a refusal did to the agent that waited for it.
        failure: Failure,
    },
    /// The environment did something of its own.
    Step {
        /// The declared step.
        rule: u32,
        /// Number of the environment's state before.
        from: u32,
        /// Number of the environment's state after, unless chance decides.
        to: Option<u32>,
    },
    /// Chance decided who moves next, and how.
    Draw,
}

/// What was made of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Receipt {
    /// A belief changed.
    Believed,
    /// Nothing new.
    Known,
    /// The sender is not trusted.
    Distrusted,
    /// A goal was posted, or dropped.
    Taken,
    /// A goal was posted that no plan is relevant for.
    Unanswerable,
}

/// What was made of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Selection {
    /// An instance of this plan was created.
    Plan(u32),
    /// No plan applied; the flag tells whether one was relevant.
    Dropped(Relevance, Failure),
}

/// Whether any plan has the event's name and kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Relevance {
    /// At least one unifies with the event.
    Relevant,
    /// None does.
    Irrelevant,
}

/// What a failure led to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Failure {
    /// Nothing failed, or nothing depended on it.
    #[default]
    None,
    /// A recovery event was posted.
    Recovering(Trigger),
    /// The intention that was begun for this event is gone.
    Lost(Trigger),
}

/// A formula that was executed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Execution {
    /// The plan.
    pub(crate) plan: u32,
    /// The formula in its body; one past the end for an empty body.
    pub(crate) formula: u32,
    /// What came of it.
    pub(crate) effect: Effect,
}

/// What came of a formula.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Effect {
    /// An action was handed to the environment.
    Act(TermId),
    /// A goal was posted.
    Goal(Trigger),
    /// Messages were sent to these agents.
    Sent(Box<[u32]>, Force, TermId),
    /// A message to somebody who does not exist.
    DeadLetter(TermId, Force, TermId, Failure),
    /// Beliefs changed.
    Beliefs {
        /// New.
        gained: Box<[TermId]>,
        /// Gone.
        lost: Box<[TermId]>,
    },
    /// The intention waits for so many milliseconds.
    Waits(TermId),
    /// A line was printed.
    Printed(String),
    /// The formula failed.
    Failed(Failure),
    /// It changed nothing that others see.
    Silent,
}

/// What becomes of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Fate {
    /// This rule of the environment is applied.
    Rule(u32),
    /// The team has no environment: the action succeeds and changes nothing.
    Unobserved,
    /// No rule applies.
    Refused,
}
