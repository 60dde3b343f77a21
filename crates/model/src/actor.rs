//! Agents that act: a model's state, advanced by what really happens instead of by chance.
//!
//! At every moment the state of an [`Actor`] is one that the model's words, atoms and observers understand, so that claims can
//! be watched and advice can be asked while it runs. The moments at which it chooses are those of the model; a model that
//! chooses before it perceives, does so here.

use crate::{ActionId, AtomId, Fault, Ratio, State};

/// A team that acts in the world. The host asks in turn: what can be chosen ([`Actor::alternatives`]), what is to be done
/// ([`Actor::decide`]), and tells what was perceived since ([`Actor::perceive`]). Nothing here waits, draws or looks at a clock:
/// the same choices and the same news make the same run.
pub trait Actor: Send {
    /// What skills may be asked for, and what they may tell.
    fn manifest(&self) -> Manifest;

    /// The situation now.
    fn state(&self) -> &State;

    /// What can be chosen now, never empty. One element leaves nothing to choose.
    fn alternatives(&self) -> Vec<Alternative>;

    /// Goes on with one of the alternatives, by its place in the list: what is to be done in the world.
    ///
    /// # Errors
    /// A [`Fault`] when a declared bound is exceeded.
    fn decide(&mut self, alternative: usize) -> Result<Vec<Order>, Fault>;

    /// Ends the cycle with what was perceived since the last one. News that mean nothing to the team are no error: they
    /// come back as remarks, and as a belief where the team has one for it.
    ///
    /// # Errors
    /// A [`Fault`] when a declared bound is exceeded.
    fn perceive(&mut self, news: &[News]) -> Result<Perceived, Fault>;

    /// Puts the team into a situation that somebody describes, for questions about it.
    ///
    /// # Errors
    /// What in the description means nothing to the team, one message for each.
    fn place(&mut self, situation: &Situation) -> Result<(), Vec<String>>;

    /// Whether an atom of the model says something while the team acts. One about a modelled environment says nothing where
    /// the world has taken its place.
    fn heeds(&self, _atom: AtomId) -> bool {
        true
    }
}

/// What skills may be asked for, and what they may tell: the first thing they hear.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The agents.
    pub agents: Vec<String>,
    /// Actions that may be called.
    pub actions: Vec<Skill>,
    /// Percepts that mean something. Empty where every term does.
    pub percepts: Vec<String>,
}

/// An action that a skill carries out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// As it is called: `Get under way`, `pick(_)`.
    pub name: String,
    /// Whether it goes on until it is stopped.
    pub repeat: Repeat,
    /// What it may report; empty where it only succeeds or fails.
    pub feedbacks: Vec<String>,
}

/// How long an action goes on (Izzo 2016, section 3.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// It ends by itself.
    Once,
    /// It goes on until it is stopped.
    Repeated,
}

/// Something that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The action of the model's step that it stands for, from the present state.
    pub action: ActionId,
    /// In the user's words: `plan 4`. Empty where there is nothing to choose.
    pub text: String,
}

/// What the world is asked to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// To carry out an action.
    Call {
        /// Who asks.
        agent: String,
        /// Which call it is: unique in a run.
        call: u64,
        /// The action: `Get under way`, `pick(box1)`.
        action: String,
        /// Its arguments, name and value as text.
        arguments: Vec<(String, String)>,
        /// How long it goes on.
        repeat: Repeat,
    },
    /// To stop a repeated action.
    Stop {
        /// Who asks.
        agent: String,
        /// The action.
        action: String,
    },
}

/// What the world tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// Something is or is no longer perceived.
    Percept {
        /// By whom; `None` for everybody who can.
        agent: Option<String>,
        /// The sentence or term.
        what: String,
        /// Whether it holds.
        holds: bool,
    },
    /// An action reports. `what` is one of its feedbacks; for actions that only succeed or fail, `done` or `failed`.
    Feedback {
        /// Which call, where the skill says so; else the oldest open call that can report this.
        call: Option<u64>,
        /// The feedback.
        what: String,
    },
    /// Somebody says something.
    Message {
        /// Who.
        from: String,
        /// To whom; `None` for everybody.
        to: Option<String>,
        /// A sentence or a term, perhaps with its force: `tell at(3,4)`.
        what: String,
    },
    /// Something went wrong with the skills: the agent may have a belief for it.
    Trouble(Trouble),
}

/// What can go wrong with skills. Its sentence ([`Trouble::sentence`]) is a belief that an agent may list and plan for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trouble {
    /// The process has ended.
    Dead,
    /// Nothing was heard for too long.
    Silent,
    /// A line was no message of the protocol.
    Nonsense,
    /// More was said in a cycle than can be taken in.
    Flood,
    /// A message means nothing to the team.
    UnknownMessage,
    /// A claim was violated.
    ClaimViolated,
    /// The world does not behave as modelled.
    ModelDrift,
    /// The log cannot be written.
    LogLost,
}

impl Trouble {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::Dead,
        Self::Silent,
        Self::Nonsense,
        Self::Flood,
        Self::UnknownMessage,
        Self::ClaimViolated,
        Self::ModelDrift,
        Self::LogLost,
    ];

    /// The belief that stands for it, as a sentence. In AgentSpeak it is an atom with underscores, in lower case.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Dead => "Skills are dead",
            Self::Silent => "Skills are silent",
            Self::Nonsense => "Skills talk nonsense",
            Self::Flood => "Skills say too much",
            Self::UnknownMessage => "Unknown message",
            Self::ClaimViolated => "Claim is violated",
            Self::ModelDrift => "Model has drifted",
            Self::LogLost => "Log is lost",
        }
    }
}

/// What became of the news of a cycle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Perceived {
    /// News that meant nothing, in the user's words: what, and the nearest thing that would have.
    pub unknown: Vec<String>,
    /// What happened although the model gives it no chance, in the user's words. The model's counters were set as well as
    /// they can be.
    pub impossible: Vec<String>,
    /// Every occasion at which the model says how likely something was.
    pub trials: Vec<Trial>,
}

/// An occasion at which something could happen.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// What could happen: `The sea is too rough becomes true`, `Ask for orders reports Continue`.
    pub of: String,
    /// How likely the model says it was.
    pub chance: Ratio,
    /// Whether it did.
    pub happened: bool,
}

/// A situation as somebody describes it. What is not mentioned is as at the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Situation {
    /// Beliefs and whether they hold.
    pub beliefs: Vec<(String, bool)>,
    /// Plans by number, with their indices; 0 does not run. With several agents: `asv.4`.
    pub plans: Vec<(String, u32)>,
    /// How many cycles a percept or action has been counting, where that is known.
    pub counters: Vec<(String, u32)>,
}

/// A world that behaves as the model says: what skills do that draw from the modelled chances.
pub trait World: Send {
    /// One cycle: what the team believes (sentences that hold) and has ordered, and what is then perceived. `draw` gives
    /// the next random number, uniform over all of `u64`.
    ///
    /// # Errors
    /// A [`Fault`] when the model cannot say what comes next.
    fn tick(
        &mut self,
        beliefs: &[String],
        orders: &[Order],
        draw: &mut dyn FnMut() -> u64,
    ) -> Result<Vec<News>, Fault>;
}
