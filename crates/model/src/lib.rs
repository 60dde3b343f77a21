//! The contract between languages and engines.
//!
//! An engine knows a [`Model`] and nothing else: states are vectors of numbers, steps lead from one to the next,
//! atoms hold or do not. A renderer knows [`Words`]: the user's vocabulary for the same numbers. A front-end is a
//! [`Language`]: it reads texts into a [`Draft`] whose [`Vocabulary`] claims may use, and builds a [`System`] for the
//! atoms that the claims mention.

mod actor;
mod answers;
mod atom;
mod checked;
mod chronicle;
pub mod contract;
mod explorer;
mod facets;
mod growing;
mod ids;
mod independence;
mod interner;
mod language;
mod part;
mod patch;
mod picture;
mod pool;
mod ratio;
mod signature;
mod sort;
mod steps;
mod symmetry;
mod words;

pub use actor::{
    Actor, Alternative, Manifest, News, Order, Perceived, Repeat, Situation, Skill, Trial, Trouble, World,
};
pub use answers::Answers;
pub use atom::{AtomText, Every, Expr, Operator};
pub use checked::Checked;
pub use chronicle::{Account, AccountLine, Change, Ending, Event, What, Work};
pub use explorer::{Explorer, Unexplored};
pub use facets::{Facets, Observation, Rewards, Subjects};
pub use growing::Growing;
pub use ids::{ActionId, AtomId, ObserverId, PartId, ProcessId, RewardId, SlotId, SubjectId};
pub use independence::Independence;
pub use interner::Interner;
pub use language::{
    Acting, Clash, Draft, Export, Haste, Language, Notice, Observers, Occurrence, Options, PrismText,
    PromelaClaim, Purpose, Review, Said, Slice, Summary, System, Vocabulary,
};
pub use part::Part;
pub use patch::Patch;
pub use picture::{
    ArcKind, ArcPicture, MarkingPicture, NetPicture, Participant, PlacePicture, TeamEdge, TeamKind, TeamLink,
    TeamNode, TeamPicture, TokenPicture, TransitionPicture,
};
pub use pool::Pool;
pub use ratio::{Ratio, gcd};
pub use signature::{Reward, Signature, TimeUnit};
pub use sort::{Entry, Field, Members, Sort, Terms};
pub use steps::{Branch, Step, Steps};
pub use symmetry::{Kind, Obstacle, Symmetry};
pub use words::{Mind, Rate, Section, Snapshot, Story, Weight, Words};

/// One situation of the whole team. Its width is the number of slots of the [`Signature`]; what a slot means is known
/// to the front-end alone. Equal situations have equal vectors.
pub type State = [u32];

/// Everything an engine may know.
pub trait Model: Sync {
    /// Slots, processes, atoms and rewards, each with a name.
    fn signature(&self) -> &Signature;

    /// Appends the initial states, in fixed order.
    fn initial(&self, out: &mut Vec<Box<State>>);

    /// Appends every step that leaves `state`, in an order that depends on `state` alone. A state without steps is a
    /// deadlock. An error means that the model cannot say what comes next: engines report it as unknown, with the run.
    ///
    /// # Errors
    /// A [`Fault`] when a declared bound is exceeded.
    fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault>;

    /// Whether an atom holds in a state.
    fn holds(&self, atom: AtomId, state: &State) -> bool;

    /// What the model knows beside this. A model that knows nothing else need not say so.
    fn facets(&self) -> Facets<'_> {
        Facets::default()
    }
}

/// What others hold for a model.
macro_rules! held {
    ($holder:ty where M: $($bound:tt)*) => {
        impl<M: $($bound)*> Model for $holder {
            fn signature(&self) -> &Signature {
                (**self).signature()
            }

            fn initial(&self, out: &mut Vec<Box<State>>) {
                (**self).initial(out);
            }

            fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
                (**self).steps(state, out)
            }

            fn holds(&self, atom: AtomId, state: &State) -> bool {
                (**self).holds(atom, state)
            }

            fn facets(&self) -> Facets<'_> {
                (**self).facets()
            }
        }
    };
}

held!(&M where M: Model + ?Sized);
held!(std::sync::Arc<M> where M: Model + Send + ?Sized);

/// Why a model cannot go on from a state: a bound of the model itself was exceeded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// In the user's words: `bound exceeded: ag3 events > 64`.
    pub message: String,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}
