//! Requirements in the form of FRET: scope, condition, component, `shall`, timing, `satisfy`, response.

use motet_source::{Span, Spanned};

use super::Node;

/// `in M mode, upon p, the Robot shall within 4 minutes satisfy r`
#[derive(Clone, Debug)]
pub struct Requirement {
    /// Where it is meant.
    pub mode: Option<Mode>,
    /// What starts it.
    pub condition: Option<(Cause, Node)>,
    /// Where `the` stands before the component.
    pub article: Option<Span>,
    /// Who shall.
    pub component: Spanned<String>,
    /// Whether the component stands before `shall`.
    pub order: Order,
    /// When the response is due.
    pub due: Due,
    /// What is to be satisfied.
    pub response: Node,
}

/// The scope of a requirement.
#[derive(Clone, Debug)]
pub struct Mode {
    /// How it was said.
    pub word: ModeWord,
    /// The mode.
    pub what: Node,
    /// Where the word `mode` stands behind it.
    pub noun: Option<Span>,
}

/// The words of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeWord {
    /// `in`
    In,
    /// `during`
    During,
    /// `when in`
    WhenIn,
    /// `while`
    While,
    /// `not in`
    NotIn,
    /// `when not in`
    WhenNotIn,
    /// `before`
    Before,
    /// `after`
    After,
    /// `only in`
    OnlyIn,
    /// `only during`
    OnlyDuring,
    /// `only before`
    OnlyBefore,
    /// `only after`
    OnlyAfter,
}

/// The words of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// `upon`
    Upon,
    /// `when`
    When,
    /// `if`
    If,
    /// `where`
    Where,
    /// `unless`
    Unless,
    /// `whenever`
    Whenever,
}

/// `Robot shall`, or `shall Robot` behind `only`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// `Robot shall`
    ComponentFirst,
    /// `shall Robot`
    ShallFirst,
}

/// The timing of a requirement.
#[derive(Clone, Debug)]
pub enum Due {
    /// `immediately`
    Immediately,
    /// `at the next timepoint`
    AtNext,
    /// `always`
    Always,
    /// `never`
    Never,
    /// `eventually`
    Eventually,
    /// `until s`
    Until(Node),
    /// `before s`
    Before(Node),
    /// `within D`
    Within(Node),
    /// `for D`
    For(Node),
    /// `after D`
    After(Node),
}

impl ModeWord {
    /// All of them.
    pub(crate) const ALL: [Self; 12] = [
        Self::In,
        Self::During,
        Self::WhenIn,
        Self::While,
        Self::NotIn,
        Self::WhenNotIn,
        Self::Before,
        Self::After,
        Self::OnlyIn,
        Self::OnlyDuring,
        Self::OnlyBefore,
        Self::OnlyAfter,
    ];

    /// As written.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::In => "in",
            Self::During => "during",
            Self::WhenIn => "when in",
            Self::While => "while",
            Self::NotIn => "not in",
            Self::WhenNotIn => "when not in",
            Self::Before => "before",
            Self::After => "after",
            Self::OnlyIn => "only in",
            Self::OnlyDuring => "only during",
            Self::OnlyBefore => "only before",
            Self::OnlyAfter => "only after",
        }
    }
}

impl Cause {
    /// The condition that starts with this word.
    pub(crate) fn named(word: &str) -> Option<Self> {
        let all = [Self::Upon, Self::When, Self::If, Self::Where, Self::Unless, Self::Whenever];
        all.into_iter().find(|cause| cause.word() == word)
    }

    /// As written.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Upon => "upon",
            Self::When => "when",
            Self::If => "if",
            Self::Where => "where",
            Self::Unless => "unless",
            Self::Whenever => "whenever",
        }
    }
}

impl Requirement {
    pub(super) fn each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Node)) {
        if let Some(mode) = &self.mode {
            visit(&mode.what);
        }
        if let Some((_, condition)) = &self.condition {
            visit(condition);
        }
        match &self.due {
            Due::Immediately | Due::AtNext | Due::Always | Due::Never | Due::Eventually => {}
            Due::Until(part) | Due::Before(part) | Due::Within(part) | Due::For(part) | Due::After(part) => {
                visit(part)
            }
        }
        visit(&self.response);
    }
}
