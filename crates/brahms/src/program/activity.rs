//! Activities, each as called at one place by one actor.

use motet_source::Span;

use super::{Conclude, Detectable, EntityId, Expr, FrameId, Place, Sighted, Sought, Subject, Value, Var};

/// An activity as called at one place by one actor.
#[derive(Clone, Debug)]
pub struct Activity {
    /// Its name.
    pub name: String,
    /// What it does.
    pub node: ActivityNode,
    /// How long it takes; `None` where nothing is given.
    pub duration: Option<Duration>,
    /// Objects it uses, for statistics.
    pub resources: Vec<Subject>,
    /// Where it is declared.
    pub span: Span,
    /// Where it is called.
    pub call: Span,
}

/// How long an activity takes, in seconds.
#[derive(Clone, Debug)]
pub struct Duration {
    /// At least; equals `max` unless `random: true`.
    pub min: Expr,
    /// At most.
    pub max: Expr,
}

/// When an activity has its effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moment {
    /// `when: start`
    Start,
    /// `when: end`
    End,
}

/// What an activity does.
#[derive(Clone, Debug)]
pub enum ActivityNode {
    /// Nothing but time; gestures too.
    Primitive,
    /// Goes somewhere.
    Move {
        /// Where to.
        to: Subject,
        /// Agents in these areas learn of the arrival; with `true` also in the areas inside.
        arrival: Vec<(Subject, bool)>,
        /// Agents in these areas learn of the departure.
        departure: Vec<(Subject, bool)>,
    },
    /// Tells, and asks, these.
    Communicate {
        /// With whom; a `collectall` variable stands for each of its values, a group for its members.
        with: Vec<Sighted>,
        /// What.
        about: Vec<Transfer>,
        /// When.
        at: Moment,
    },
    /// Tells all agents in some areas.
    Broadcast {
        /// The areas; empty is the sender's own, and everybody if it is nowhere.
        to: Vec<Subject>,
        /// Whether areas inside count.
        inside_too: bool,
        /// What.
        about: Vec<Transfer>,
        /// When.
        at: Moment,
    },
    /// `get`: items come from a source (or from where the actor is) to the actor.
    Get {
        /// What is taken.
        items: Vec<Subject>,
        /// From whom; `None` is the actor's own place.
        source: Option<Subject>,
        /// When.
        at: Moment,
    },
    /// `put`: items go from the actor to a destination (or to where the actor is).
    Put {
        /// What is put down.
        items: Vec<Subject>,
        /// Where; `None` is the actor's own place.
        destination: Option<Subject>,
        /// When.
        at: Moment,
    },
    /// `create_agent`, `create_object`, `create_area`
    Create {
        /// The entities in reserve, taken in this order.
        reserve: Vec<EntityId>,
        /// How many at once.
        quantity: u32,
        /// Whose beliefs are copied (`action: copy`).
        copy_of: Option<Subject>,
        /// The variable that holds the new entity afterwards.
        destination: Option<Var>,
        /// Where it is put.
        location: Option<Subject>,
        /// When.
        at: Moment,
    },
    /// An activity made of frames.
    Composite {
        /// Values of its parameters, read when it opens.
        arguments: Vec<Expr>,
        /// Whether only a detectable ends it, rather than also a lack of work.
        endless: bool,
        /// What it looks out for.
        detectables: Vec<Detectable>,
        /// Its workframes.
        workframes: Vec<FrameId>,
        /// Its thoughtframes.
        thoughtframes: Vec<FrameId>,
    },
    /// A Java activity with a stub: conclusions at the end, and variables that get one of several values.
    Foreign {
        /// Output variables and the values each may get, one of which is chosen.
        outputs: Vec<(Var, Vec<Value>)>,
        /// What is concluded at the end.
        concludes: Vec<Conclude>,
    },
    /// `print`, `println` and so on: shows texts and values.
    Print(Vec<Expr>),
    /// `printBelief(x.a)`: shows what the actor believes of these.
    PrintBelief(Vec<Place>),
    /// `retractBelief(x.a)`: the actor forgets what it believes of these.
    Retract(Vec<Place>),
}

/// What is transferred.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// Whether it is sent, rather than received.
    pub send: bool,
    /// What; the test, if there is one, must hold of the belief that is transferred.
    pub sought: Sought,
    /// Where it stands.
    pub span: Span,
}
