//! What has no translation, and what to say about it.

use motet_source::{Entry, Problem, Span};

/// A construct without a flat form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lack {
    /// A structure or a list as a value.
    Structure,
    /// A number with a fraction.
    Real,
    /// A whole number beyond the widest cell.
    Large,
    /// A variable where a value is needed.
    Open,
    /// A belief base with rules.
    Rules,
    /// Something of Jason, named.
    Construct(String),
    /// Too much text would come out.
    Size,
    /// An atom of a claim, named, that speaks of what the model does not keep.
    Claimed(&'static str),
}

impl Lack {
    /// The problem at the place where it was met.
    pub(crate) fn at(&self, span: Span) -> Box<Problem> {
        let (code, message, help) = match self {
            Lack::Structure => (
                "M0901",
                "structures and lists have no Promela translation".to_owned(),
                "use constants and numbers as arguments, or check this claim with the native engine only"
                    .to_owned(),
            ),
            Lack::Rules => (
                "M0902",
                "rules of the belief base have no Promela translation".to_owned(),
                "write the rule's condition where it is used, or use the native engine only".to_owned(),
            ),
            Lack::Construct(name) => (
                "M0903",
                format!("{name} has no Promela translation"),
                "leave it out of the exported model, or use the native engine only".to_owned(),
            ),
            Lack::Open => (
                "M0904",
                "a variable may be unbound here, and Promela has no unbound values".to_owned(),
                "bind it in the context or by a test before it is used".to_owned(),
            ),
            Lack::Real => (
                "M0905",
                "numbers with fractions have no Promela translation".to_owned(),
                "scale to whole numbers, such as tenths".to_owned(),
            ),
            Lack::Large => (
                "M0905",
                "the number is too large for a cell of the Promela model".to_owned(),
                "use numbers up to one million".to_owned(),
            ),
            Lack::Size => (
                "M0906",
                "the Promela translation would be too long".to_owned(),
                "make sorts smaller or conditions simpler, or use the native engine only".to_owned(),
            ),
            Lack::Claimed(name) => (
                "M0907",
                format!("`{name}` cannot be asked of the Promela model"),
                "leave this claim out of the export, or use the native engine only".to_owned(),
            ),
        };
        Box::new(Problem::error(code, span, message, help))
    }
}

/// The manual entries of the Promela translation.
pub const EXPORT_CODES: &[Entry] = &[
    Entry {
        code: "M0901",
        title: "structures and lists cannot be exported to Promela",
        text: "Promela has numbers only. Constants become numbers, but a structure such as `at(room(1), X)` or a list has \
               no fixed size and no number. AgentSpeak(F) forbids them for the same reason (Bordini et al. 2003, section 3). \
               The native engine checks such programs; only the export is refused.",
    },
    Entry {
        code: "M0902",
        title: "rules cannot be exported to Promela",
        text: "`p(X) :- q(X) & r(X).` is solved by a derivation of unknown depth, which has no place in a Promela model. \
               Write the condition where `p` is used, or keep to the native engine.",
    },
    Entry {
        code: "M0903",
        title: "a construct of Jason cannot be exported to Promela",
        text: "Some internal actions work on lists or on the intentions of other plans, such as `.findall` or \
               `.drop_intention`; loops over all solutions keep a list; what failed stays on its stack while a plan for the \
               failed goal runs; atomic plans and waits change who may go on. The export covers AgentSpeak(F) and the flat part \
               of Jason: goals that fail without a plan for it, goals that call themselves last, new-focus goals, belief \
               replacement, conditions, arithmetic, `if`, `while`, `.count`.",
    },
    Entry {
        code: "M0904",
        title: "an unbound variable cannot be exported to Promela",
        text: "Restriction (i) of AgentSpeak(F): a goal, message, action or belief must be ground when it is used, because \
               Promela has no unbound values. Bind the variable earlier:\n\n```\n+!go <- ?where(X); !move(X).\n```",
    },
    Entry {
        code: "M0905",
        title: "a number cannot be exported to Promela",
        text: "Cells of the Promela model hold whole numbers up to one million. Scale fractions, for example to tenths.",
    },
    Entry {
        code: "M0906",
        title: "the Promela translation is too long",
        text: "Quantifiers over sorts, alternatives in conditions and variables that may or may not be bound are written \
               out. More than some megabytes of Promela would not compile in reasonable time.",
    },
    Entry {
        code: "M0907",
        title: "a claim's atom cannot be exported to Promela",
        text: "`ItD(agent, act)` asks which actions are left in the bodies of an agent's plans, with their values. The \
               Promela model keeps no bodies as data. The native engine answers such claims.",
    },
];
