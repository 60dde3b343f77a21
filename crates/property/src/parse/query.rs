//! Probabilities, long-run shares and rewards: `P`, `S` and `R` with their thresholds.

use super::{Parser, unquoted};
use crate::formula::Extremum;
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
        self.advance();
        let threshold = self.threshold();
        let path = self.bracketed();
        let span = self.since(start);
        self.node(Tree::Steady(threshold, Box::new(path)), span)
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
