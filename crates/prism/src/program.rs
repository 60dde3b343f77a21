//! A model with its names numbered, its constants bound and its expressions compiled.

use std::collections::BTreeSet;

use motet_source::Span;

use crate::expr::{Real, Test, Whole};
use crate::fold::Value;
use crate::syntax::ModelKind;

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) struct $name(pub(crate) u32);

        impl $name {
            pub(crate) fn index(self) -> usize {
                self.0 as usize
            }

            pub(crate) fn of(index: usize) -> Self {
                Self(u32::try_from(index).expect("texts are shorter than 4 GiB"))
            }
        }
    )*};
}

id! {
    /// A module.
    ModuleId;
    /// A label that commands synchronise on.
    LabelId;
    /// A command, counted over all modules.
    CommandId;
}

/// The whole model.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) kind: ModelKind,
    /// One for each slot: globals first, then module by module.
    pub(crate) variables: Vec<Variable>,
    pub(crate) modules: Vec<Module>,
    /// Names of the labels in brackets.
    pub(crate) labels: Vec<String>,
    pub(crate) commands: Vec<Command>,
    /// Which commands go together.
    pub(crate) patterns: Vec<Pattern>,
    /// `label "x" = ...`
    pub(crate) conditions: Vec<(String, Test)>,
    pub(crate) rewards: Vec<Rewards>,
    pub(crate) initial: Vec<Box<[u32]>>,
    /// Every constant with its value.
    pub(crate) constants: Vec<(String, Value)>,
}

/// What a slot of a state stands for.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) domain: Domain,
    /// The value it starts with, as a slot.
    pub(crate) initial: u32,
    /// `None` for globals.
    pub(crate) module: Option<ModuleId>,
}

/// The values of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Domain {
    Bool,
    Range { low: i64, high: i64 },
}

impl Domain {
    /// The largest number in the slot.
    pub(crate) fn most(self) -> u32 {
        match self {
            Self::Bool => 1,
            Self::Range { low, high } => {
                u32::try_from(high.abs_diff(low)).expect("resolve allows ranges of 32 bits only")
            }
        }
    }
}

impl Variable {
    /// A slot's value as the user writes it.
    pub(crate) fn shown(&self, value: u32) -> String {
        match self.domain {
            Domain::Bool => if value == 0 { "false" } else { "true" }.to_owned(),
            Domain::Range { low, .. } => (low + i64::from(value)).to_string(),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Module {
    pub(crate) name: String,
    /// Its variables.
    pub(crate) slots: Vec<u32>,
}

#[derive(Clone, Debug)]
pub(crate) struct Command {
    pub(crate) module: ModuleId,
    /// As written, before any `system` renames it.
    pub(crate) label: Option<LabelId>,
    pub(crate) guard: Test,
    pub(crate) updates: Vec<Update>,
    pub(crate) span: Span,
    /// As written, with the names of a renamed module.
    pub(crate) text: String,
}

impl Command {
    /// The slots that its guard, chances and assigned values look at.
    pub(crate) fn reads(&self) -> BTreeSet<u32> {
        let mut slots = Vec::new();
        self.guard.reads(&mut slots);
        for update in &self.updates {
            update.chance.reads(&mut slots);
            for assignment in &update.assignments {
                match &assignment.value {
                    Assigned::Test(value) => value.reads(&mut slots),
                    Assigned::Whole(value) => value.reads(&mut slots),
                }
            }
        }
        slots.into_iter().collect()
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Update {
    pub(crate) chance: Real,
    pub(crate) assignments: Vec<Assignment>,
}

#[derive(Clone, Debug)]
pub(crate) struct Assignment {
    pub(crate) slot: u32,
    pub(crate) value: Assigned,
}

/// A new value.
#[derive(Clone, Debug)]
pub(crate) enum Assigned {
    Test(Test),
    Whole(Whole),
}

/// One way of doing something together: a command of each of these modules, with this label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    /// What the outside sees; `None` where it was hidden, or had none.
    pub(crate) label: Option<LabelId>,
    /// Each module once, in order.
    pub(crate) parts: Vec<Part>,
}

/// What a module contributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Part {
    pub(crate) module: ModuleId,
    /// The label of the command itself.
    pub(crate) label: Option<LabelId>,
}

#[derive(Clone, Debug)]
pub(crate) struct Rewards {
    /// Empty where it has none.
    pub(crate) name: String,
    pub(crate) items: Vec<RewardItem>,
}

#[derive(Clone, Debug)]
pub(crate) struct RewardItem {
    pub(crate) earned: Earned,
    pub(crate) guard: Test,
    pub(crate) value: Real,
    pub(crate) span: Span,
}

/// What earns a reward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Earned {
    /// Being in a state.
    State,
    /// A step with this label; `None` is a step without one.
    Step(Option<LabelId>),
}
