//! What has no translation, and what to say about it.

use motet_source::{Entry, Problem, Span};

/// A construct without a translation, as a problem.
pub(crate) type Refusal = Box<Problem>;

/// A construct without a translation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lack {
    /// A construct of the language, named.
    Construct(String),
    /// A number with a fraction, or beyond the widest cell.
    Number,
    /// More bindings, or more text, than a model should have.
    Size(String),
    /// A variable without a value, or whose values are not known beforehand.
    Open(String),
    /// An atom of a claim.
    Claimed(String),
}

impl Lack {
    /// The problem at the place where it was met.
    pub(crate) fn at(&self, span: Span) -> Refusal {
        let native = "use the native engine for this model, or leave the construct out of it";
        let (code, message, help) = match self {
            Self::Construct(what) => ("M0955", format!("{what} has no Promela translation"), native),
            Self::Number => (
                "M0956",
                "numbers with fractions, or beyond one billion, have no Promela translation".to_owned(),
                "scale to whole numbers, such as tenths",
            ),
            Self::Size(what) => (
                "M0957",
                format!("the Promela translation would be too long: {what}"),
                "make the types smaller, or use the native engine",
            ),
            Self::Open(what) => (
                "M0958",
                format!("the values of {what} are not known before the model runs"),
                "let the guard bind the variable to instances of a type, or use the native engine",
            ),
            Self::Claimed(what) => {
                ("M0959", format!("{what} cannot be asked of the Promela model"), "use the native engine")
            }
        };
        Box::new(Problem::error(code, span, message, help))
    }
}

/// The manual entries of the Promela translation.
pub const EXPORT_CODES: &[Entry] = &[
    Entry {
        code: "M0955",
        title: "a construct of Brahms cannot be exported to Promela",
        text: "The Promela model has a fixed set of variables, one for each fact and belief that can change. What makes \
               new entities (`create_object`, `create_agent`, `create_area`) or removes them (`delete`), and what hands \
               values to variables while a frame runs, has no place in it. The native engine runs all of these; only the export is refused.",
    },
    Entry {
        code: "M0956",
        title: "a number of a Brahms model cannot be exported to Promela",
        text: "Variables of the Promela model hold whole numbers up to one billion. Scale fractions, for example to tenths.",
    },
    Entry {
        code: "M0957",
        title: "the Promela translation of a Brahms model is too long",
        text: "A frame with variables is written out once for each binding that its guard can ever allow, and a \
               `collectall` variable once for each set of values that it can have. Large types make this too long to \
               compile in reasonable time.",
    },
    Entry {
        code: "M0958",
        title: "a variable's values are not known before the model runs",
        text: "The export writes a frame once for each binding, so it must know the values that a variable can have: the \
               instances of a type, the indices of a map, or the values of an attribute that is only ever given constants. \
               The result of a computation can be anything.",
    },
    Entry {
        code: "M0959",
        title: "a claim's atom cannot be asked of the Promela model",
        text: "The Promela model keeps facts, beliefs, messages and what every actor works on. An atom that speaks of \
               something else, such as numbers with fractions, is answered by the native engine only.",
    },
];
