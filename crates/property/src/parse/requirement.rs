//! Requirements in the form of FRET (Giannakopoulou, Pressburger, Mavridou and Schumann, "Automated formalization of
//! structured natural language requirements", 2021): `in M, upon p, the Robot shall within 4 minutes satisfy r`.

use motet_source::Problem;

use super::Parser;
use crate::syntax::{Cause, Due, Mode, ModeWord, Node, Order, Requirement, Tree};
use crate::token::{Kind, OPERATORS};

/// Words before a name that is `shall`: what an agent believes may be called so.
const VERBS: [&str; 8] = ["believes", "desires", "intends", "does", "tells", "knows", "about", "dialect"];

impl Parser<'_> {
    /// Whether the sentence that starts here says what somebody shall do: `shall` stands behind a name, outside of all
    /// brackets. Nowhere else do two names follow each other.
    pub(super) fn at_requirement(&self) -> bool {
        let mut depth = 0_usize;
        for ahead in 0.. {
            match self.ahead(ahead) {
                Kind::End | Kind::Semicolon => return false,
                Kind::Open | Kind::OpenSquare | Kind::OpenCurly => depth += 1,
                Kind::Close | Kind::CloseSquare | Kind::CloseCurly if depth == 0 => return false,
                Kind::Close | Kind::CloseSquare | Kind::CloseCurly => depth -= 1,
                Kind::Colon if depth == 0 => return false,
                Kind::Word if depth == 0 => {
                    let word = self.word_ahead(ahead);
                    if ahead > 0 && (word == "expect" || self.at_item_ahead(ahead)) {
                        return false;
                    }
                    if word == "shall"
                        && ahead > 0
                        && (self.names_somebody(ahead - 1) || self.word() == "only")
                    {
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    }

    fn names_somebody(&self, ahead: usize) -> bool {
        let word = self.word_ahead(ahead);
        let operator = OPERATORS.contains(&word) || VERBS.contains(&word);
        self.ahead(ahead) == Kind::Quoted || (!word.is_empty() && !operator)
    }

    pub(super) fn requirement(&mut self) -> Node {
        let start = self.span();
        let mode = self.mode();
        let condition = Cause::named(self.word()).map(|cause| {
            self.advance();
            let condition = self.formula();
            self.eat(Kind::Comma);
            (cause, condition)
        });
        let order = if self.word() == "shall" { Order::ShallFirst } else { Order::ComponentFirst };
        if order == Order::ShallFirst {
            self.advance();
        }
        let article = (self.word() == "the" && self.ahead(1) != Kind::Dot).then(|| self.advance());
        let article = article.map(|token| token.span(self.file));
        let Some(component) = self.name("the name of who shall do it") else { return self.error_node() };
        if order == Order::ComponentFirst && !self.eat_word("shall") {
            self.unexpected("`shall`");
        }
        let due = self.due();
        self.eat(Kind::Comma);
        if !self.eat_word("satisfy") {
            self.unexpected("`satisfy` and what shall be so");
        }
        let response = self.formula();
        let requirement = Requirement { mode, condition, article, component, order, due, response };
        let span = self.since(start);
        self.node(Tree::Shall(Box::new(requirement)), span)
    }

    fn mode(&mut self) -> Option<Mode> {
        let fits = |word: &ModeWord| {
            word.words().split(' ').enumerate().all(|(ahead, part)| self.word_ahead(ahead) == part)
        };
        let word = ModeWord::ALL.into_iter().find(fits)?;
        for _ in word.words().split(' ') {
            self.advance();
        }
        let what = self.comparison();
        let noun = (self.word() == "mode").then(|| self.span());
        if noun.is_some() {
            self.advance();
        }
        self.eat(Kind::Comma);
        Some(Mode { word, what, noun })
    }

    fn due(&mut self) -> Due {
        let word = self.word();
        if !matches!(word, "satisfy" | "") {
            self.advance();
        }
        match word {
            "immediately" => Due::Immediately,
            "always" => Due::Always,
            "never" => Due::Never,
            "eventually" => Due::Eventually,
            "at" => {
                for part in ["the", "next", "timepoint"] {
                    if !self.eat_word(part) {
                        self.unexpected("`the next timepoint`");
                        break;
                    }
                }
                Due::AtNext
            }
            "until" => Due::Until(self.formula()),
            "before" => Due::Before(self.formula()),
            "within" => Due::Within(self.length()),
            "for" => Due::For(self.length()),
            "after" => Due::After(self.length()),
            _ => {
                self.no_timing(word);
                Due::Eventually
            }
        }
    }

    /// FRET takes a missing timing as *eventually*; a reader may as well take it as *always*.
    fn no_timing(&mut self, word: &str) {
        let help = "write immediately, at the next timepoint, always, never, eventually, until, before, within, for or \
                    after behind `shall`";
        let (span, message) = match word {
            "satisfy" | "" => (self.span(), "this `shall` does not say when".to_owned()),
            word => (self.last_span(), format!("`shall {}` is not a timing", super::shortened(word))),
        };
        let problem = Problem::error("M0214", span, message, help);
        match word {
            // Reading goes on well behind `shall satisfy`.
            "satisfy" if !self.silent => {
                self.report(problem.note("some readers take it as always, others as sooner or later"));
            }
            _ => self.syntax_error(problem),
        }
    }
}
