//! Words that were probably meant: keywords are suggested as names are.

use motet_source::{Problem, Span, suggest};

use super::{Parser, shortened};
use crate::print::surface;
use crate::syntax::{Dialect, Lasting, Node, Scope, Tree, UnitName};
use crate::token::{Kind, OPERATORS};

/// What may stand behind a formula or a value.
const BEHIND: [&str; 23] = [
    "believes", "desires", "intends", "does", "tells", "knows", "sends", "reads", "becomes", "implies",
    "until", "unless", "releases", "since", "precedes", "union", "minus", "again", "expect", "shall", "and",
    "xor", "iff",
];

/// What may stand in front of one.
const IN_FRONT: [&str; 39] = [
    "always",
    "eventually",
    "never",
    "next",
    "not",
    "whenever",
    "initially",
    "globally",
    "before",
    "while",
    "after",
    "between",
    "within",
    "forall",
    "exists",
    "filter",
    "becomes",
    "once",
    "historically",
    "previously",
    "AG",
    "AF",
    "AX",
    "EG",
    "EF",
    "EX",
    "Bel",
    "Des",
    "Int",
    "Does",
    "Did",
    "ItD",
    "Says",
    "Sends",
    "Reads",
    "each",
    "exactly",
    "property",
    "possible",
];

/// Questions for a number.
const QUESTIONS: [&str; 6] = ["Pmin", "Pmax", "Rmin", "Rmax", "Smin", "Smax"];

/// Words of other languages, and what they are here.
const ELSEWHERE: [(&str, &str); 5] =
    [("is", "="), ("equals", "="), ("exceeds", ">"), ("unequal", "!="), ("otherwise", "unless")];

/// Names of units that others use.
const UNITS: [(&str, UnitName); 9] = [
    ("m", UnitName::Minute),
    ("mins", UnitName::Minute),
    ("hr", UnitName::Hour),
    ("hrs", UnitName::Hour),
    ("sec", UnitName::Second),
    ("secs", UnitName::Second),
    ("msec", UnitName::Millisecond),
    ("msecs", UnitName::Millisecond),
    ("dys", UnitName::Day),
];

/// Units that a misspelt one may be.
const UNIT_NAMES: [&str; 12] = [
    "min",
    "steps",
    "step",
    "cycles",
    "cycle",
    "firings",
    "firing",
    "milliseconds",
    "seconds",
    "minutes",
    "hours",
    "days",
];

/// The unit that a word is probably meant to be.
fn unit_meant(word: &str) -> Option<UnitName> {
    let known = UNITS.iter().find(|(name, _)| *name == word).map(|(_, unit)| *unit);
    known.or_else(|| (word.len() > 2).then(|| suggest(word, UNIT_NAMES)).flatten().and_then(UnitName::named))
}

impl<'t> Parser<'t> {
    /// The word that was probably misspelt where reading stopped, and what was meant.
    pub(super) fn misspelt(&self) -> Option<(Span, &'t str, &'static str)> {
        let here = self.word();
        let motet = self.dialect == Dialect::Motet;
        if motet && !here.is_empty() {
            let number = self.at.checked_sub(1).is_some_and(|at| self.tokens[at].kind == Kind::Number);
            let unit = unit_meant(here).filter(|_| number).map(UnitName::name);
            let elsewhere = ELSEWHERE.iter().find(|(word, _)| *word == here).map(|(_, meant)| *meant);
            let near = || suggest(here, BEHIND).filter(|near| *near != here && here.len() > 2);
            if let Some(meant) = unit.or(elsewhere).or_else(near) {
                return Some((self.span(), here, meant));
            }
        }
        // `Pmx=? [`, and `Pmx>=0.5 [`, where a comparison was read.
        let back = if self.kind() == Kind::OpenSquare { [1, 3] } else { [1, 1] };
        let words = back.into_iter().filter_map(|back| self.at.checked_sub(back)).map(|at| self.tokens[at]);
        words.filter(|token| token.kind == Kind::Word).find_map(|token| {
            let word = self.text_of(token);
            let asks = matches!(self.kind(), Kind::Ask | Kind::OpenSquare | Kind::OpenCurly);
            let known = match (asks, motet) {
                (true, _) => &QUESTIONS[..],
                (false, true) => &IN_FRONT[..],
                (false, false) => return None,
            };
            let taken = OPERATORS.contains(&word) || self.kind() == Kind::End || word.len() < 3;
            let near = suggest(word, known.iter().copied()).filter(|near| *near != word && !taken)?;
            Some((self.fixed.unwrap_or_else(|| token.span(self.file)), word, near))
        })
    }

    /// Says which word was probably meant, if one was.
    pub(super) fn suggest_keyword(&mut self, what: &str) -> bool {
        let Some((span, word, near)) = self.misspelt() else { return false };
        let word = shortened(word);
        let message = match span == self.span() {
            true => format!("expected {what}, found `{word}`"),
            false => {
                let behind = shortened(self.text_of(self.token()));
                format!("`{word}` is no word of claims that can stand before `{behind}`")
            }
        };
        let help = format!("did you mean `{near}`");
        self.syntax_error(Problem::error("M0202", span, message, help).fix(span, near));
        true
    }

    /// `2 m Bob.fallen`: a number with a unit that is none, before something that no name can stand before.
    pub(super) fn foreign_unit(&mut self, start: Span, number: &str) -> Option<Node> {
        let word = self.word();
        if self.dialect != Dialect::Motet || word.is_empty() || OPERATORS.contains(&word) {
            return None;
        }
        let meant = unit_meant(word)?;
        let next = self.word_ahead(1);
        let follows = match self.ahead(1) {
            Kind::Word => {
                let operator =
                    OPERATORS.contains(&next) && !matches!(next, "not" | "always" | "eventually" | "never");
                !operator && !BEHIND.contains(&next) && !self.at_item_ahead(1)
            }
            Kind::Open => self.is_apart(1),
            kind => matches!(
                kind,
                Kind::Quoted | Kind::Text | Kind::Not | Kind::Hash | Kind::Comma | Kind::Number
            ),
        };
        if !follows {
            return None;
        }
        let span = self.span();
        let message = format!("`{}` is no unit", shortened(word));
        let help = format!(
            "did you mean `{}`; the units are ms, s, min, h, d, steps, cycles and firings",
            meant.name()
        );
        self.report(Problem::error("M0218", span, message, help).fix(span, meant.name()));
        self.advance();
        let span = self.since(start);
        Some(self.node(Tree::Length(vec![(number.to_owned(), meant)]), span))
    }

    /// Whether a blank stands before the token so many places on: `m (p)` is no call.
    pub(super) fn is_apart(&self, ahead: usize) -> bool {
        let token = |ahead: usize| self.tokens.get(self.at + ahead);
        let pair = ahead.checked_sub(1).and_then(token).zip(token(ahead));
        pair.is_some_and(|(one, other)| one.end < other.start)
    }

    /// `for all x in D: p`
    pub(super) fn quantifier_apart(&mut self) {
        let stands = self.word() == "for"
            && matches!(self.word_ahead(1), "all" | "each" | "every" | "any" | "some")
            && matches!(self.ahead(2), Kind::Word | Kind::Quoted);
        if self.dialect != Dialect::Motet || !stands {
            return;
        }
        let start = self.span();
        let (message, near) = match self.word_ahead(1) {
            "some" => ("`for some` is one word here", "exists"),
            _ => ("`for all` is one word here", "forall"),
        };
        self.advance();
        let span = start.to(self.span());
        let help = format!("did you mean `{near}`");
        self.syntax_error(Problem::error("M0202", span, message, help).fix(span, near));
    }

    /// `a knows p`, without its parentheses.
    pub(super) fn known_bare(&mut self, agent: &Node) -> Node {
        let start = self.span();
        let content = self.content();
        let span = self.since(start);
        if !self.silent {
            let (who, what) = (surface::readable(agent), surface::readable(&content));
            let help = format!("write `{who} knows ({what})`");
            self.report(Problem::error("M0202", span, "what somebody knows stands in parentheses", help));
        }
        content
    }

    /// `p after q`: a scope behind its claim.
    pub(super) fn scope_behind(&mut self, start: Span, claim: &Node) -> Option<Node> {
        if self.dialect != Dialect::Motet || self.silent || self.at_item() {
            return None;
        }
        let from = self.at;
        let scope = self.scope()?;
        if self.silent || from == self.at {
            return None;
        }
        let said = surface::readable(claim);
        let meant = match (&scope, &claim.bare().tree) {
            (Scope::Globally, _) => format!("globally, {said}"),
            (scope, Tree::Not(_, inner)) => {
                format!("{}, never ({})", surface::scope(scope), surface::readable(inner))
            }
            (scope, _) => format!("{}, {said}", surface::scope(scope)),
        };
        let span = self.since(start);
        let help = format!("write `{meant}`");
        self.syntax_error(Problem::error("M0219", span, "a scope stands before its claim", help));
        Some(Node { tree: Tree::Error, span, depth: 1 })
    }

    /// The prefix word that a length of time follows.
    pub(super) fn lasting(&self) -> Option<Lasting> {
        match self.word() {
            "within" => Some(Lasting::Within),
            "for" => Some(Lasting::For),
            _ => None,
        }
    }
}
