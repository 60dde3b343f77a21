//! Probabilities, long-run shares and rewards: `P`, `S` and `R` with their thresholds.

use motet_source::Problem;

use super::{Parser, unquoted};
use crate::formula::{Extremum, Filter};
use crate::syntax::{Goal, Node, Threshold, Tree};
use crate::token::Kind;

impl Parser<'_> {
    fn extremum(&mut self, letter: &str) -> Option<Extremum> {
        let word = self.word();
        self.advance();
        let name = match word.strip_prefix(letter) {
            Some("") if matches!(self.word(), "min" | "max") => self.take(),
            Some(rest) => rest,
            None => "",
        };
        match name {
            "min" => Some(Extremum::Min),
            "max" => Some(Extremum::Max),
            _ => None,
        }
    }

    fn threshold(&mut self) -> Threshold {
        if self.eat(Kind::Ask) {
            return Threshold::Ask;
        }
        let Some(relation) = self.relation() else {
            self.unexpected("`=?` or a comparison with a number");
            return Threshold::Ask;
        };
        self.advance();
        self.index = false;
        let value = self.sum();
        self.index = true;
        Threshold::Compare(relation, Box::new(value))
    }

    pub(super) fn chance(&mut self) -> Node {
        let start = self.span();
        let extremum = self.extremum("P");
        let threshold = self.threshold();
        let path = self.bracketed();
        let span = self.since(start);
        self.node(Tree::Chance(extremum, threshold, Box::new(path)), span)
    }

    pub(super) fn steady(&mut self) -> Node {
        let start = self.span();
        let extremum = self.extremum("S");
        let threshold = self.threshold();
        let path = self.bracketed();
        let span = self.since(start);
        self.node(Tree::Steady(extremum, threshold, Box::new(path)), span)
    }

    /// Whether `filter(` with an operator follows; `filter` may be a name of the model too.
    pub(super) fn at_filter(&self) -> bool {
        let operator = matches!(self.ahead(2), Kind::Word | Kind::Plus | Kind::And | Kind::Or);
        self.word() == "filter" && self.ahead(1) == Kind::Open && operator && self.ahead(3) == Kind::Comma
    }

    /// `filter(max, P=? [ ... ], states)`; without states all reachable ones are meant, as in PRISM.
    pub(super) fn filter(&mut self) -> Node {
        let start = self.span();
        self.advance();
        self.advance();
        let operator = self.gathering();
        self.require(Kind::Comma, "`,` and what is gathered");
        let value = self.formula();
        let states = if self.eat(Kind::Comma) {
            self.formula()
        } else {
            let span = self.last_span();
            self.node(Tree::Name("true".to_owned()), span)
        };
        self.require(Kind::Close, "`)` after the states");
        let span = self.since(start);
        self.node(Tree::Filter(operator, Box::new(value), Box::new(states)), span)
    }

    fn gathering(&mut self) -> Filter {
        let span = self.span();
        let filter = match self.kind() {
            Kind::Plus => Filter::Sum,
            Kind::And => Filter::ForAll,
            Kind::Or => Filter::Exists,
            _ => match self.word() {
                "min" => Filter::Min,
                "max" => Filter::Max,
                "avg" => Filter::Average,
                "sum" => Filter::Sum,
                "count" => Filter::Count,
                "state" => Filter::State,
                "first" => Filter::First,
                "forall" => Filter::ForAll,
                "exists" => Filter::Exists,
                "print" | "printall" => Filter::Print,
                word => {
                    let message = format!("a filter cannot gather by `{word}`");
                    let help =
                        "it gathers by min, max, avg, sum, count, state, first, forall, exists or print";
                    self.syntax_error(Problem::error("M0216", span, message, help));
                    Filter::State
                }
            },
        };
        self.advance();
        filter
    }

    /// Whether `max time to (` or `max time from (` follows; all of these words may be names too.
    pub(super) fn at_wait(&self) -> bool {
        self.word_ahead(1) == "time"
            && matches!(self.word_ahead(2), "to" | "from")
            && self.ahead(3) == Kind::Open
    }

    /// `max time from (a) to (p)`
    pub(super) fn wait(&mut self) -> Node {
        let start = self.span();
        let extremum = if self.take() == "max" { Extremum::Max } else { Extremum::Min };
        self.advance();
        let from = self.eat_word("from").then(|| Box::new(self.parenthesised()));
        if !self.eat_word("to") {
            self.unexpected("`to` and what ends the time");
        }
        let to = Box::new(self.parenthesised());
        let span = self.since(start);
        self.node(Tree::Wait(extremum, from, to), span)
    }

    fn parenthesised(&mut self) -> Node {
        self.require(Kind::Open, "`(` and a formula");
        let inner = self.sentence();
        self.require(Kind::Close, "`)`");
        inner
    }

    fn bracketed(&mut self) -> Node {
        self.require(Kind::OpenSquare, "`[` and a formula");
        let inner = self.sentence();
        self.require(Kind::CloseSquare, "`]`");
        inner
    }

    pub(super) fn reward(&mut self) -> Node {
        let start = self.span();
        let mut extremum = self.extremum("R");
        let mut name = None;
        if self.eat(Kind::OpenCurly) {
            name = match self.kind() {
                Kind::Text => Some(unquoted(self.take())),
                _ => self.name("the reward's name").map(|name| name.node),
            };
            self.require(Kind::CloseCurly, "`}`");
        }
        match self.word() {
            "min" => extremum = Some(Extremum::Min),
            "max" => extremum = Some(Extremum::Max),
            _ => {}
        }
        if matches!(self.word(), "min" | "max") {
            self.advance();
        }
        let threshold = self.threshold();
        self.require(Kind::OpenSquare, "`[` and what to count");
        let goal = self.goal();
        self.require(Kind::CloseSquare, "`]`");
        let span = self.since(start);
        self.node(Tree::Reward(name, extremum, threshold, goal), span)
    }

    fn goal(&mut self) -> Goal {
        match (self.word(), self.ahead(1)) {
            ("C", Kind::CloseSquare) => {
                self.advance();
                Goal::Cumulative(None)
            }
            ("C", Kind::Le) => {
                self.advance();
                self.advance();
                Goal::Cumulative(Some(Box::new(self.bound_value())))
            }
            ("I", Kind::Eq) => {
                self.advance();
                self.advance();
                Goal::Instant(Box::new(self.bound_value()))
            }
            ("S", Kind::CloseSquare) => {
                self.advance();
                Goal::Average
            }
            _ => Goal::Path(Box::new(self.sentence())),
        }
    }
}
