//! Nets as plain data, for drawing: places, transitions, arcs, and what lies where in a situation. Only languages whose
//! models are nets have pictures.

/// A net as drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NetPicture {
    /// What it is called, with its parameters: `Truck(card)`.
    pub name: String,
    /// Its places.
    pub places: Vec<PlacePicture>,
    /// Its transitions.
    pub transitions: Vec<TransitionPicture>,
    /// Its arcs.
    pub arcs: Vec<ArcPicture>,
    /// The goals it declares, by name.
    pub goals: Vec<String>,
}

/// A place as drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlacePicture {
    /// What it is called.
    pub name: String,
    /// What its tokens are: `int 0..10`.
    pub sort: String,
    /// Whether it always holds one token whose value changes.
    pub cell: bool,
}

/// A transition as drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TransitionPicture {
    /// What it is called.
    pub name: String,
    /// Guards, picks and updates, a line each.
    pub notes: Vec<String>,
    /// Its channel command: `up ? park(st)`.
    pub channel: Option<String>,
}

/// An arc as drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArcPicture {
    /// Index of the place.
    pub place: usize,
    /// Index of the transition.
    pub transition: usize,
    /// Which way, and how.
    pub kind: ArcKind,
    /// What is written on it; empty for one black token.
    pub label: String,
}

/// Which way an arc goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArcKind {
    /// From the place: tokens are consumed.
    In,
    /// To the place: tokens are produced.
    Out,
    /// The place is looked at.
    Read,
    /// The place must not hold such tokens.
    Inhibit,
    /// The value of a cell is replaced.
    Update,
}

/// What lies where: a net instance and, place by place, its tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MarkingPicture {
    /// Index of the net among the pictures.
    pub net: usize,
    /// The instance: `Station`, `Truck(1)`.
    pub title: String,
    /// Per place of the net: its tokens, in order.
    pub places: Vec<Vec<TokenPicture>>,
    /// The goals that hold in it.
    pub goals: Vec<String>,
}

impl MarkingPicture {
    /// See [`crate::Words::tokens`].
    pub fn tokens(&self, visit: &mut dyn FnMut(usize, usize, u64)) {
        for (place, tokens) in self.places.iter().enumerate() {
            visit(self.net, place, tokens.iter().map(|token| u64::from(token.count)).sum());
            tokens.iter().flat_map(|token| &token.agents).for_each(|agent| agent.tokens(visit));
        }
    }
}

/// Tokens of equal content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenPicture {
    /// As written: `<1, Truck(1)>`; empty for black tokens.
    pub text: String,
    /// How many.
    pub count: u32,
    /// The agents inside, which are nets themselves.
    pub agents: Vec<MarkingPicture>,
}

/// A net instance that fires.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Participant {
    /// The instance, as in the title of its marking: `Station`, `Truck(1)`.
    pub instance: String,
    /// What its variables are bound to: `st = 2`.
    pub binding: Vec<String>,
}

/// A team as drawn: who and what there is, and what one has to do with another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeamPicture {
    /// Everybody and everything.
    pub nodes: Vec<TeamNode>,
    /// What one has to do with another.
    pub edges: Vec<TeamEdge>,
}

/// Somebody or something in a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamNode {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub kind: TeamKind,
}

/// What somebody or something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TeamKind {
    /// A group or class.
    Type,
    /// An agent.
    Agent,
    /// An object.
    Object,
    /// An area.
    Area,
}

/// What one has to do with another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamEdge {
    /// Who, by its position.
    pub from: usize,
    /// With whom.
    pub to: usize,
    /// In which way.
    pub link: TeamLink,
    /// What it is about; may be empty.
    pub label: String,
}

/// In which way two have to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TeamLink {
    /// It is a member, an instance or a part of the other.
    Belongs,
    /// It is there at the start, or the area is a part of the other.
    LiesIn,
    /// It may tell the other.
    Tells,
    /// It may state facts about the other.
    Writes,
}
