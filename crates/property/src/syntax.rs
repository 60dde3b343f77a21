//! The tree of a claims file as it was written: plain values and spans. Spellings are kept as far as [`crate::format_file`]
//! needs them; what a claim means is the business of [`crate::lower`].

mod happening;
mod requirement;
mod walk;

pub use happening::{Count, Passing, Tally, Times, Wording};
pub use motet_model::Every;
use motet_source::{FileId, Span, Spanned};
pub use requirement::{Cause, Due, Mode, ModeWord, Order, Requirement};

use crate::claim::Kind;
use crate::formula::{Extremum, Filter, Knowledge, Quantifier, Relation, Until};

/// Whose precedence a file is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The language of this crate.
    #[default]
    Motet,
    /// A PRISM property file.
    Prism,
    /// Spin's inline `ltl` blocks or bare formulas.
    Spin,
    /// An AJPF property file.
    Psl,
}

/// A read file.
#[derive(Clone, Debug)]
pub struct ClaimsFile {
    /// Which file.
    pub file: FileId,
    /// In whose precedence it was written.
    pub dialect: Dialect,
    /// The items in order.
    pub items: Vec<Item>,
    /// The comments in order.
    pub comments: Vec<Comment>,
}

/// A comment, with its signs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The text from `//` to the end of the line, or from `/*` to `*/`.
    pub text: String,
    /// Where.
    pub span: Span,
    /// Whether an empty line stands before it.
    pub after_blank: bool,
    /// Whether nothing but blanks stands before it on its line.
    pub own_line: bool,
}

/// One item.
#[derive(Clone, Debug)]
pub struct Item {
    /// What it is.
    pub node: ItemNode,
    /// From its keyword to its last token.
    pub span: Span,
    /// Whether an empty line stands before it.
    pub after_blank: bool,
}

/// What an item is.
#[derive(Clone, Debug)]
pub enum ItemNode {
    /// `dialect prism`
    Dialect(Dialect),
    /// `model "nurse.b"`
    Model(Spanned<String>),
    /// `const T: duration = 4 min`
    Const(ConstItem),
    /// `define busy(a) = ...`
    Define(DefineItem),
    /// `property`, `possible`, `query`, `assume`.
    Claim(Box<ClaimItem>),
}

/// A constant; without a value it is a parameter.
#[derive(Clone, Debug)]
pub struct ConstItem {
    /// Its name.
    pub name: Spanned<String>,
    /// `duration`, `int`, ...
    pub sort: Option<Spanned<String>>,
    /// Its value.
    pub value: Option<Node>,
}

/// A definition.
#[derive(Clone, Debug)]
pub struct DefineItem {
    /// Its name.
    pub name: Spanned<String>,
    /// Its parameters.
    pub parameters: Vec<Spanned<String>>,
    /// What it stands for.
    pub body: Node,
}

/// A claim.
#[derive(Clone, Debug)]
pub struct ClaimItem {
    /// What is asked.
    pub kind: Kind,
    /// Its name.
    pub name: Spanned<String>,
    /// The author's words.
    pub words: Option<Spanned<String>>,
    /// What is claimed.
    pub body: Node,
    /// The formula's text on one line, comments left out.
    pub text: String,
    /// What the author expects.
    pub expect: Option<Spanned<Expectation>>,
    /// What the author expects when constants have these values: PRISM's `// RESULT (N=5): 0.25`.
    pub cases: Vec<Case>,
}

/// An expectation that depends on the values of constants.
#[derive(Clone, Debug)]
pub struct Case {
    /// Constants and their values.
    pub constants: Vec<(String, Node)>,
    /// What is expected then.
    pub expect: Spanned<Expectation>,
}

/// `expect ...`
#[derive(Clone, Debug)]
pub enum Expectation {
    /// `holds`
    Holds,
    /// `fails`
    Fails,
    /// `reachable`
    Reachable,
    /// `unreachable`
    Unreachable,
    /// `= 0.44 +- 0.01`, `<= 3`
    Compare(Relation, Node, Option<Node>),
    /// `in [a, b]`
    Within(Node, Node),
    /// `= infinity`
    Infinite,
}

/// A part of a formula and where it was written.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub tree: Tree,
    /// Where.
    pub span: Span,
    /// Longest way to a leaf. The parser keeps it below [`crate::parse::DEPTH`], so that recursion over it is safe.
    pub depth: u32,
}

/// Symbol or word: the layout keeps the author's taste.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// `&`, `G`, `<>`
    Symbol,
    /// `and`, `always`, `eventually`
    Word,
}

/// A part of a formula.
#[derive(Clone, Debug)]
pub enum Tree {
    /// A number as written.
    Number(String),
    /// `1 h 30 min`, `3 cycles`: numbers with their units.
    Length(Vec<(String, UnitName)>),
    /// A quoted text.
    Text(String),
    /// A name; also `true`, `now`, `deadlock` and `_`.
    Name(String),
    /// `name(arguments)`
    Call(String, Vec<Node>),
    /// `x.attribute`
    Field(Box<Node>, String),
    /// `x[7]`
    Index(Box<Node>, Box<Node>),
    /// `<u, r>`
    Tuple(Vec<Node>),
    /// `[a, b]`
    List(Vec<Node>),
    /// `-x`
    Negative(Box<Node>),
    /// `#Place`
    Size(Box<Node>),
    /// `a + b`
    Arithmetic(Arithmetic, Box<Node>, Box<Node>),
    /// `a <= b < c`
    Compare(Box<Node>, Vec<(Relation, Node)>),
    /// `x in D`
    Member(Box<Node>, Box<Domain>),
    /// `Bel(a, p)`, `(Bel a p)`, `a believes p`
    Mental(Attitude, Form, Box<Node>, Box<Node>),
    /// `Says(a, b, c)`, `a tells b c`
    Says(Form, Box<Node>, Box<Node>, Box<Node>),
    /// `Sends(a, b, c)`, `a sends b c`; `Reads(b, a, c)`, `b reads c from a`: who sends, who reads, what.
    Passes(Passing, Form, Box<Node>, Box<Node>, Box<Node>),
    /// `a has no belief about x`
    NoBelief(Box<Node>, Box<Node>),
    /// `K[a](p)`, `a knows (p)`
    Knows(Knowledge, Form, Box<Domain>, Box<Node>),
    /// `now`-like clocks with an argument.
    Clock(ClockName, Box<Node>),
    /// `!p`
    Not(Spelling, Box<Node>),
    /// `F<=4min p`
    Temporal(Temporal, Spelling, Option<When>, Box<Node>),
    /// `AG p`, `EF<=3steps p`
    Branching(Quantifier, Temporal, Option<When>, Box<Node>),
    /// `within D p`, `for D p`
    Timed(Lasting, Box<Node>, Box<Node>),
    /// `A [ p ]`
    Runs(Quantifier, Box<Node>),
    /// `p U q`
    Until(Binary, Spelling, Option<When>, Box<Node>, Box<Node>),
    /// `a & b & c`
    Join(Join, Spelling, Vec<Node>),
    /// `a -> b`
    Implies(Spelling, Box<Node>, Box<Node>),
    /// `a <-> b`
    Iff(Spelling, Box<Node>, Box<Node>),
    /// `forall x in D: p`
    Quantified(Every, String, Box<Domain>, Box<Node>),
    /// `whenever a, within 4 min, b`
    Whenever(Box<Node>, Timing, Box<Node>),
    /// `each time a, within 4 min, b`
    EachTime(Box<Node>, Timing, Box<Node>),
    /// `becomes p`, `x becomes v`
    Becomes(Form, Box<Node>),
    /// `p again`
    Again(Box<Node>),
    /// `at most twice p`
    Counted(Box<Count>),
    /// `a precedes b`
    Precedes(Box<Node>, Box<Node>),
    /// `after q, p`
    Scoped(Scope, Box<Node>),
    /// `the Robot shall within 4 min satisfy p`
    Shall(Box<Requirement>),
    /// `Pmin=? [ p ]`
    Chance(Option<Extremum>, Threshold, Box<Node>),
    /// `S>=0.5 [ p ]`, `Smax=? [ p ]`
    Steady(Option<Extremum>, Threshold, Box<Node>),
    /// `R{"fuel"}max=? [ F p ]`
    Reward(Option<String>, Option<Extremum>, Threshold, Goal),
    /// `max time from (a) to (p)`
    Wait(Extremum, Option<Box<Node>>, Box<Node>),
    /// `filter(max, P=? [ p ], q)`
    Filter(Filter, Box<Node>, Box<Node>),
    /// Parentheses.
    Group(Box<Node>),
    /// What could not be read; a problem was reported.
    Error,
}

/// The unit as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitName {
    /// `ms`
    Millisecond,
    /// `s`
    Second,
    /// `min`
    Minute,
    /// `h`
    Hour,
    /// `d`
    Day,
    /// `steps`
    Steps,
    /// `cycles`
    Cycles,
    /// `firings`
    Firings,
    /// `milliseconds`, written out
    Milliseconds,
    /// `seconds`
    Seconds,
    /// `minutes`
    Minutes,
    /// `hours`
    Hours,
    /// `days`
    Days,
}

/// Arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Mod,
    /// `union` of collections
    Union,
    /// `minus` of collections
    Minus,
}

/// What an agent has to do with a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attitude {
    /// `Bel`
    Believes,
    /// `Des`
    Desires,
    /// `Int`
    Intends,
    /// `Does`
    Does,
    /// `Did`
    Did,
    /// `ItD`
    WillDo,
}

/// How an attitude, a message or a change was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `Bel(a, p)` or `Bel a p`
    Function,
    /// `a believes p`
    Sentence,
}

/// A clock over a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockName {
    /// `since(p)`
    Since,
    /// `held(p)`
    Held,
}

/// Prefix operators of linear time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Temporal {
    /// `X`
    Next,
    /// `F`
    Eventually,
    /// `G`
    Always,
    /// `never`
    Never,
}

/// `within D p`, `for D p`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lasting {
    /// Sooner or later within.
    Within,
    /// All along.
    For,
}

/// Infix operators of linear time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// Which look forwards.
    Until(Until),
    /// `since`, which looks back.
    Since,
}

/// Connectives that chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// `&`
    And,
    /// `|`
    Or,
    /// `xor`
    Xor,
}

/// What a quantifier ranges over.
#[derive(Clone, Debug)]
pub enum Domain {
    /// A sort, a collection, or an expression of collections.
    Name(Node),
    /// `1..3`
    Range(Node, Node),
    /// `{a, b}`
    Set(Vec<Node>),
}

/// The bound of a temporal operator.
#[derive(Clone, Debug)]
pub enum When {
    /// `<=4min`
    Relation(Relation, Box<Node>),
    /// `[1 h, 2 h]`
    Between(Box<Node>, Box<Node>),
    /// `within 4 min` and `for 4 min` after a word
    Words(Lasting, Box<Node>),
}

/// The timing of `whenever`.
#[derive(Clone, Debug)]
pub enum Timing {
    /// `immediately`
    Immediately,
    /// `eventually`
    Eventually,
    /// `within D`
    Within(Box<Node>),
    /// `for D`
    For(Box<Node>),
    /// `after D`
    After(Box<Node>),
}

/// Where a claim is meant to hold.
#[derive(Clone, Debug)]
pub enum Scope {
    /// `globally`
    Globally,
    /// `before r`
    Before(Box<Node>),
    /// `while s`
    While(Box<Node>),
    /// `after q`
    After(Box<Node>),
    /// `after q until r`
    AfterUntil(Box<Node>, Box<Node>),
    /// `between q and r`
    Between(Box<Node>, Box<Node>),
}

/// `=?` or a comparison.
#[derive(Clone, Debug)]
pub enum Threshold {
    /// `=?`
    Ask,
    /// `>= 0.95`
    Compare(Relation, Box<Node>),
}

/// Which reward.
#[derive(Clone, Debug)]
pub enum Goal {
    /// `C`, `C<=k`
    Cumulative(Option<Box<Node>>),
    /// `I=k`
    Instant(Box<Node>),
    /// `S`
    Average,
    /// `F p` and other paths
    Path(Box<Node>),
}

impl ClaimsFile {
    /// Declares, without a value, those of the names that are used in it: a formula after `-e` has no declarations, so what
    /// `-D` binds is a constant of it.
    pub fn declare<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        for name in names {
            let used = self.items.iter().find_map(|item| match &item.node {
                ItemNode::Claim(claim) => claim.body.mention(name),
                _ => None,
            });
            let Some(span) = used else { continue };
            let constant = ConstItem { name: Spanned::new(name.to_owned(), span), sort: None, value: None };
            self.items.push(Item { node: ItemNode::Const(constant), span, after_blank: false });
        }
    }

    /// The names of its constants.
    pub fn constants(&self) -> impl Iterator<Item = &str> {
        self.items.iter().filter_map(|item| match &item.node {
            ItemNode::Const(constant) => Some(constant.name.node.as_str()),
            _ => None,
        })
    }
}

impl Node {
    /// Where the name is used first.
    fn mention(&self, name: &str) -> Option<Span> {
        if matches!(&self.tree, Tree::Name(found) if found == name) {
            return Some(self.span);
        }
        let mut found = None;
        self.each_child(&mut |child| {
            if found.is_none() {
                found = child.mention(name);
            }
        });
        found
    }

    /// The node inside any parentheses.
    #[must_use]
    pub fn bare(&self) -> &Node {
        let mut node = self;
        while let Tree::Group(inner) = &node.tree {
            node = inner;
        }
        node
    }
}

impl UnitName {
    /// The unit with this name; the plural and the singular of counts are the same.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Some(match word {
            "ms" => Self::Millisecond,
            "s" => Self::Second,
            "min" => Self::Minute,
            "h" => Self::Hour,
            "d" => Self::Day,
            "steps" | "step" => Self::Steps,
            "cycles" | "cycle" => Self::Cycles,
            "firings" | "firing" => Self::Firings,
            "milliseconds" | "millisecond" => Self::Milliseconds,
            "seconds" | "second" => Self::Seconds,
            "minutes" | "minute" => Self::Minutes,
            "hours" | "hour" => Self::Hours,
            "days" | "day" => Self::Days,
            _ => return None,
        })
    }

    /// Whether it counts something, as against a length of time.
    #[must_use]
    pub fn counts(self) -> bool {
        matches!(self, Self::Steps | Self::Cycles | Self::Firings)
    }

    /// As printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Millisecond => "ms",
            Self::Second => "s",
            Self::Minute => "min",
            Self::Hour => "h",
            Self::Day => "d",
            Self::Steps => "steps",
            Self::Cycles => "cycles",
            Self::Firings => "firings",
            Self::Milliseconds => "milliseconds",
            Self::Seconds => "seconds",
            Self::Minutes => "minutes",
            Self::Hours => "hours",
            Self::Days => "days",
        }
    }

    /// `4 minutes`, `1 minute`, `1 steps`: the amount with its unit. Only units of time that were written out have a
    /// singular.
    #[must_use]
    pub(crate) fn with(self, amount: &str) -> String {
        let written_out =
            matches!(self, Self::Milliseconds | Self::Seconds | Self::Minutes | Self::Hours | Self::Days);
        let name = self.name();
        let name = if written_out && amount == "1" { &name[..name.len() - 1] } else { name };
        format!("{amount} {name}")
    }
}
