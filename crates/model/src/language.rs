//! A front-end as hosts see it.

use std::collections::BTreeMap;
use std::sync::Arc;

use motet_source::{Problem, Problems, Severity, Sources, Span, Spanned};

use crate::{
    ActionId, Actor, AtomId, AtomText, Explorer, Model, Part, PartId, State, Terms, TimeUnit, Words, World,
};

/// A front-end.
pub trait Language: Sync {
    /// As shown in reports: `AgentSpeak`.
    fn name(&self) -> &'static str;

    /// File name extensions without the dot.
    fn extensions(&self) -> &'static [&'static str];

    /// Reads the texts. `None` means that the problems say why. Reading comes before building because a claim's
    /// quantifiers range over the vocabulary, and only then are its atoms known.
    fn read(&self, sources: &Sources, options: &Options, problems: &mut Problems) -> Option<Box<dyn Draft>>;
}

/// A read and resolved model that does not know its atoms yet.
pub trait Draft: Send + Sync {
    /// Names that claims may use.
    fn vocabulary(&self) -> &Vocabulary;

    /// The model with these atoms: `atoms[i]` becomes `AtomId(i)`. `None` means that the problems say why.
    fn system(&self, atoms: &[Spanned<AtomText>], problems: &mut Problems) -> Option<System>;

    /// The model with these atoms, for claims that also speak of what these observers know. A language that passes over
    /// moments which no atom tells apart keeps those that one of the observers tells apart; to the others it is the same.
    fn system_observed(
        &self,
        atoms: &[Spanned<AtomText>],
        _observers: &[String],
        problems: &mut Problems,
    ) -> Option<System> {
        self.system(atoms, problems)
    }

    /// The same, able to say what is earned of these rewards; their names are those that claims write, and `None` is the
    /// first of [`Vocabulary::rewards`]. A language whose models always know all of their rewards has nothing to add.
    fn system_earning(
        &self,
        atoms: &[Spanned<AtomText>],
        observers: &[String],
        _rewards: &[Option<String>],
        problems: &mut Problems,
    ) -> Option<System> {
        self.system_observed(atoms, observers, problems)
    }

    /// The model with these atoms, without what cannot influence any of them: the same values of the atoms follow upon each
    /// other on its runs as on those of the whole model, repetitions aside. `None` means that nothing can be left out.
    fn slice(&self, _atoms: &[Spanned<AtomText>]) -> Option<Slice> {
        None
    }

    /// The model with these atoms, and a team that acts in the world whose states are states of this model. `None` with
    /// problems that say why, or without any for a language whose models only run by themselves.
    fn acting(&self, _atoms: &[Spanned<AtomText>], _problems: &mut Problems) -> Option<Acting> {
        None
    }

    /// A world that behaves as the model says, for a team that acts. `None` for models that do not describe their world.
    fn world(&self) -> Option<Box<dyn World>> {
        None
    }
}

/// A team that acts, and the model whose states its states are.
pub struct Acting {
    /// The model.
    pub system: System,
    /// The team.
    pub actor: Box<dyn Actor>,
}

/// A model from which something was left out.
pub struct Slice {
    /// What is left.
    pub system: System,
    /// What is not, in the user's words: `agent Robot`, `workframe wf_rest of Nurse_one`.
    pub left_out: Vec<String>,
    /// Whether what was left out could delay what is left.
    pub haste: Haste,
}

/// Whether a slice moves as the whole model does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Haste {
    /// What was left out takes turns with the rest: an unfair run may give it all of them, and time passes with its steps.
    Delayed,
    /// The rest moves at the same times with and without it, on all runs.
    Kept,
    /// Every step of the whole model is a step of the rest, with the same chances: no claim about states and numbers of the
    /// rest can tell the difference, be it about the next step, branching or probabilities.
    Stepwise,
}

/// What the command line says about a model.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `-D NAME=VALUE`.
    pub parameters: BTreeMap<String, String>,
    /// `--mode strict`, `--mode jason`.
    pub mode: Option<String>,
    /// `--bound events=8`.
    pub bounds: BTreeMap<String, u32>,
    /// `--rule detect-at-start=no`: how an open question of the language's semantics is settled.
    pub rules: BTreeMap<String, String>,
    /// What the model is read for.
    pub purpose: Purpose,
    /// Where the command line says these, as far as it is known: `--rule order`, `-D N`, `--mode`.
    pub places: BTreeMap<String, Said>,
}

/// Where the command line names a setting, and where it says what it is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Said {
    /// The name, `order`; of `--mode`, which has none, the option.
    pub name: Span,
    /// The value, `choice`.
    pub value: Span,
}

impl Options {
    /// Where the command line names a setting (`--rule`, `order`); `elsewhere` if that is not known.
    #[must_use]
    pub fn place_of(&self, option: &str, name: &str, elsewhere: Span) -> Said {
        let said = self.places.get(format!("{option} {name}").trim_end());
        said.copied().unwrap_or(Said { name: elsewhere, value: elsewhere })
    }
}

/// What a model is read for: where a language leaves something open, claims speak of everything it may be, and a random run
/// draws it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// Claims are asked.
    #[default]
    Claims,
    /// Random runs are made.
    Simulation,
}

/// Names that claims may use, for quantifiers, `vocab` and did-you-mean.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// The agents, in order of declaration.
    pub agents: Vec<String>,
    /// Whose knowledge claims may speak of.
    pub observers: Observers,
    /// Sorts that quantifiers range over, with their members; `agent` is always one of them.
    pub sorts: Vec<(String, Vec<String>)>,
    /// What has other members in other states: places, sets, and definitions of such. A quantifier over one is part of an
    /// atom.
    pub collections: Vec<String>,
    /// Groups of further words: title (`beliefs of ag1`) and entries (`alliance(_, _)`).
    pub groups: Vec<(String, Vec<String>)>,
    /// Parameters that `-D` may bind, with their present values.
    pub parameters: Vec<(String, String)>,
    /// Rewards that claims may ask for (`R{"name"}`), where the signature holds only those that are asked for.
    pub rewards: Vec<String>,
    /// What the words of claims stand for, as far as it is known.
    pub terms: Terms,
    /// What a step's delay counts, where there is a model: see [`crate::Signature::unit`].
    pub unit: Option<TimeUnit>,
    /// Which words of atoms are true in the one state that a step led to, of what happened in the step: `fires`, `Says`.
    /// `Sends` and `Reads` always are.
    pub events: Vec<String>,
}

/// Whose knowledge claims may speak of. Each name is one of [`crate::Signature::observers`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Observers {
    /// The agents.
    #[default]
    Agents,
    /// These.
    Named(Vec<String>),
    /// Nobody, for this reason: `a plain net has no agents`.
    Nobody(String),
}

impl Vocabulary {
    /// The names that may stand in `K[...]`.
    #[must_use]
    pub fn observers(&self) -> &[String] {
        match &self.observers {
            Observers::Agents => &self.agents,
            Observers::Named(names) => names,
            Observers::Nobody(_) => &[],
        }
    }
}

/// A model ready for engines, with everything hosts need around it. The parts usually share one value.
pub struct System {
    /// What engines see.
    pub model: Arc<dyn Model + Send + Sync>,
    /// What renderers ask.
    pub words: Arc<dyn Words + Send + Sync>,
    /// What the front-end makes of a finished exploration.
    pub review: Arc<dyn Review + Send + Sync>,
    /// Translations for external checkers.
    pub export: Arc<dyn Export + Send + Sync>,
    /// For the head of a report.
    pub summary: Summary,
}

/// For the head of a report.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// `AgentSpeak(F)`.
    pub language: String,
    /// `3 agents`, `limits 64`.
    pub facts: Vec<String>,
    /// Values that were bound, for the report.
    pub parameters: Vec<(String, String)>,
    /// Whether runs are weakly fair unless the user says otherwise.
    pub fair: bool,
    /// Options that may leave out some of what the model could do: `ties=first`.
    pub narrowing: Vec<String>,
}

/// What can be said about a model without any claim, once it was explored.
pub trait Review: Sync {
    /// Something noteworthy that happened in a step with this action: a lost intention, a refused action.
    fn happened(&self, action: ActionId) -> Option<Notice>;

    /// What never happened in a complete exploration that took exactly these actions: a plan that never applied.
    fn missing(&self, seen: &[ActionId]) -> Vec<Notice>;

    /// Facts worth a line after an exploration, such as high-water marks of the bounds.
    fn remarks(&self) -> Vec<String>;

    /// The options that left out some of what the model could do, in the steps that were asked for: `durations=ends`. What holds
    /// on the rest is not proved of the model.
    fn narrowed(&self) -> Vec<String> {
        Vec::new()
    }

    /// What two did at one instant whose order decides what stays, in the steps that were asked for; with atoms, only what may
    /// have an influence on them.
    fn clashes(&self, _atoms: Option<&[AtomId]>) -> Vec<Clash> {
        Vec::new()
    }

    /// Whether the text allows two to do such a thing at all.
    fn may_clash(&self) -> bool {
        false
    }

    /// What the model's text is made of, in the order of the text. Empty for languages that do not say.
    fn parts(&self) -> Vec<Part> {
        Vec::new()
    }

    /// The parts that have a share in a step of `state` with this outcome, by their numbers in [`Review::parts`].
    fn parts_of(&self, _state: &State, _taken: Occurrence<'_>) -> Vec<PartId> {
        Vec::new()
    }
}

/// Two that write the same at one instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// For the report about the model.
    pub notice: Notice,
    /// The one order that was looked at, if not all were: `Ann before Ben at Desk.owner`.
    pub order: Option<String>,
}

/// A step of a state, with one outcome of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence<'a> {
    /// The step's ordinal among the steps of its state.
    pub ordinal: u32,
    /// Which outcome of chance.
    pub branch: u32,
    /// What was done.
    pub action: ActionId,
    /// The state it leads to.
    pub target: &'a State,
}

/// A remark of a front-end about its model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// `M0601`.
    pub code: &'static str,
    /// How grave.
    pub severity: Severity,
    /// In the user's words.
    pub message: String,
    /// The text it is about.
    pub span: Option<Span>,
    /// A way out.
    pub help: String,
}

/// Translations of a model for other checkers.
pub trait Export: Sync {
    /// The name that stands for an atom in Promela formulas; readable, unique, a legal identifier.
    fn promela_atom(&self, atom: AtomId) -> String;

    /// The model with the claims inline. After each atomic step the Promela model prints one line
    /// `@motet P K`: process number `P` took its step number `K` (counted among the steps of `P` in that state, from 0,
    /// in the order of [`Model::steps`]). A trail can thus be followed in the native model. Who has to know which states there are
    /// asks the explorer.
    ///
    /// # Errors
    /// A problem when the model uses something that has no translation.
    fn promela(&self, claims: &[PromelaClaim], explorer: &dyn Explorer) -> Result<String, Box<Problem>>;

    /// For models that print a line `@motet state ...` wherever a claim looks, instead of numbers of steps: what the line
    /// says in this state, after these two words. A trail is then followed by the states it passes through.
    fn promela_state(&self, _state: &State) -> Option<String> {
        None
    }

    /// The name in Promela formulas that stands for a state without steps, for models that know when they have none.
    fn promela_deadlock(&self) -> Option<String> {
        None
    }

    /// Why Spin's weak fairness is not the model's, in words for the user; `None` if both are fair to the same processes.
    fn promela_unfair(&self) -> Option<String> {
        None
    }

    /// The model in the PRISM language, for languages that have a translation of their own. Every other model is written
    /// out state by state.
    ///
    /// # Errors
    /// A problem when the model uses something that has no translation.
    fn prism(&self) -> Option<Result<PrismText, Box<Problem>>> {
        None
    }
}

/// A model in the PRISM language, with what is needed to ask Storm or PRISM about it.
#[derive(Clone, Debug, Default)]
pub struct PrismText {
    /// The text. It starts with a model type and holds no properties.
    pub text: String,
    /// Per atom: an expression over the variables of the text that is true exactly when the atom holds, at the moments that
    /// count as states of the native model.
    pub atoms: Vec<String>,
    /// How many steps of the text are one step of the native model.
    pub steps: u32,
    /// Where the text has moments between the states of the native model: an expression that is true at those that count.
    /// The start counts always.
    pub moments: Option<String>,
    /// Atoms that may change their truth between two moments that count.
    pub wavering: Vec<AtomId>,
    /// The names in the text of the native model's rewards, in the order of the signature.
    pub rewards: Vec<String>,
    /// An expression that is true exactly where nothing can happen, if the text has such states: readers add a step to
    /// themselves there.
    pub stuck: Option<String>,
}

/// A claim in Spin's syntax, over the names of [`Export::promela_atom`].
#[derive(Clone, Debug)]
pub struct PromelaClaim {
    /// A legal Promela identifier.
    pub name: String,
    /// The claim as the user wrote it, for a comment.
    pub text: String,
    /// The LTL formula.
    pub formula: String,
}
