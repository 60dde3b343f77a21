//! AJPF property files. In their grammar `||` binds tighter than `&`, `[]` stands before `<>`, and `A` and `E` are
//! further spellings of the two: linear time, not path quantifiers.

use motet_source::{Problem, Span};

use super::item::poison;
use super::{Parser, unquoted};
use crate::formula::Until;
use crate::syntax::{Attitude, Binary, Form, Item, Join, Node, Spelling, Temporal, Tree};
use crate::token::Kind;

impl Parser<'_> {
    pub(super) fn psl_items(&mut self, items: &mut Vec<Item>) {
        while self.kind() != Kind::End {
            let before = self.at;
            if self.at_key() {
                let start = self.span();
                let name = self.take().trim_matches('`').to_owned();
                self.advance();
                let first = self.at;
                let body = self.psl();
                items.push(self.item_of(start, first, body, &name));
                if !self.silent && self.kind() != Kind::End && !self.at_key() {
                    self.unexpected("an operator or the next property");
                }
            } else {
                self.unexpected("a property's name and `:`");
            }
            if self.silent {
                items
                    .last_mut()
                    .filter(|item| item.span.start >= self.tokens[before].start)
                    .into_iter()
                    .for_each(poison);
                while self.kind() != Kind::End && !(self.at > before && self.at_key()) {
                    self.advance();
                }
            }
            self.silent = false;
            if self.at == before {
                self.advance();
            }
        }
    }

    /// `key:` at the start of a line.
    fn at_key(&self) -> bool {
        matches!(self.kind(), Kind::Word | Kind::Number | Kind::Quoted)
            && self.ahead(1) == Kind::Colon
            && super::starts_line(self.text, self.token().start as usize)
    }

    pub(super) fn psl_formula_item(&mut self) -> Item {
        let start = self.span();
        let body = self.psl();
        if self.kind() != Kind::End {
            self.unexpected("an operator or the end of the formula");
        }
        self.item_of(start, 0, body, "formula")
    }

    fn psl(&mut self) -> Node {
        self.deeper(|parser| parser.psl_until(Until::Until))
    }

    /// `release { "U" release }` and `imp { "R" imp }`, from the left.
    fn psl_until(&mut self, until: Until) -> Node {
        let letter = if until == Until::Until { "U" } else { "R" };
        let next = |parser: &mut Self| match until {
            Until::Until => parser.psl_until(Until::Release),
            _ => parser.psl_implies(),
        };
        let start = self.span();
        let mut left = next(self);
        while self.word() == letter && !self.silent {
            self.advance();
            let right = next(self);
            let span = self.since(start);
            let tree =
                Tree::Until(Binary::Until(until), Spelling::Symbol, None, Box::new(left), Box::new(right));
            left = self.node(tree, span);
        }
        left
    }

    fn psl_implies(&mut self) -> Node {
        let start = self.span();
        let mut left = self.psl_join(Join::And);
        let mut arrows = 0;
        while self.kind() == Kind::Implies && !self.silent {
            arrows += 1;
            if arrows == 2 {
                let help = "put one of the two in parentheses · motet explain M0211";
                let span = self.span();
                self.report(Problem::error("M0211", span, "a chain of arrows has two readings", help));
            }
            self.advance();
            let right = self.psl_join(Join::And);
            let span = self.since(start);
            left = self.node(Tree::Implies(Spelling::Symbol, Box::new(left), Box::new(right)), span);
        }
        left
    }

    /// `disj { "&" disj }` and `glob { "||" glob }`.
    fn psl_join(&mut self, join: Join) -> Node {
        let sign = if join == Join::And { Kind::And } else { Kind::Or };
        let next = |parser: &mut Self| match join {
            Join::And => parser.psl_join(Join::Or),
            _ => parser.psl_prefix(),
        };
        let start = self.span();
        let mut parts = vec![next(self)];
        let mut mixed = None;
        while self.kind() == sign && !self.silent {
            let operator = self.span();
            self.advance();
            parts.push(next(self));
            mixed = mixed.or(Some(operator));
        }
        let Some(operator) = mixed else { return parts.swap_remove(0) };
        if join == Join::And && parts.iter().any(|part| matches!(part.tree, Tree::Join(Join::Or, ..))) {
            self.mixed(operator);
        }
        let span = self.since(start);
        self.node(Tree::Join(join, Spelling::Symbol, parts), span)
    }

    fn mixed(&mut self, operator: Span) {
        self.report(Problem::warning(
            "M0215",
            operator,
            "`&` and `||` are mixed without parentheses, and AJPF binds `||` tighter",
            "write the parentheses: most readers expect `&` to bind tighter",
        ));
    }

    /// `[ "[]" | "A" ] [ "<>" | "E" ] [ "~" ] prim`
    fn psl_prefix(&mut self) -> Node {
        let start = self.span();
        let letter = |parser: &Self, letter: &str| parser.word() == letter && parser.ahead(1) != Kind::Open;
        let word = |parser: &Self, word: &str| parser.word() == word;
        let temporal = match self.kind() {
            Kind::Always => Some(Temporal::Always),
            Kind::Eventually => Some(Temporal::Eventually),
            _ if word(self, "A") => Some(Temporal::Always),
            _ if word(self, "E") => Some(Temporal::Eventually),
            _ if letter(self, "X") => Some(Temporal::Next),
            _ => None,
        };
        if let Some(temporal) = temporal {
            self.advance();
            let inner = self.deeper(Self::psl_prefix);
            let span = self.since(start);
            return self.node(Tree::Temporal(temporal, Spelling::Symbol, None, Box::new(inner)), span);
        }
        if self.eat(Kind::Not) {
            let inner = self.deeper(Self::psl_prefix);
            let span = self.since(start);
            return self.node(Tree::Not(Spelling::Symbol, Box::new(inner)), span);
        }
        self.psl_atom()
    }

    fn psl_atom(&mut self) -> Node {
        let start = self.span();
        if self.eat(Kind::Open) {
            let inner = self.psl();
            self.require(Kind::Close, "`)`");
            let span = self.since(start);
            return self.node(Tree::Group(Box::new(inner)), span);
        }
        let called = self.ahead(1) == Kind::Open;
        let attitude = match self.word() {
            "T" if !called => return self.psl_constant("true"),
            "F" if !called => return self.psl_constant("false"),
            "P" if called => {
                self.advance();
                self.advance();
                let fact = self.psl_term();
                self.require(Kind::Close, "`)`");
                return fact;
            }
            "B" if called => Attitude::Believes,
            "G" if called => Attitude::Desires,
            "I" if called => Attitude::Intends,
            "ItD" if called => Attitude::WillDo,
            "D" if called => Attitude::Did,
            _ => {
                self.unexpected("B, G, I, ItD, D or P with its arguments, T, F, or `(`");
                return self.error_node();
            }
        };
        self.advance();
        self.advance();
        let agent = Box::new(self.psl_term());
        self.require(Kind::Comma, "`,` after the agent");
        let content = Box::new(self.psl_term());
        self.require(Kind::Close, "`)`");
        let span = self.since(start);
        self.node(Tree::Mental(attitude, Form::Function, agent, content), span)
    }

    fn psl_constant(&mut self, name: &str) -> Node {
        let span = self.span();
        self.advance();
        self.node(Tree::Name(name.to_owned()), span)
    }

    /// `NAME { "." NAME } [ "(" args ")" ]`, a list, a number or a text.
    fn psl_term(&mut self) -> Node {
        self.deeper(Self::psl_term_here)
    }

    fn psl_term_here(&mut self) -> Node {
        let start = self.span();
        let tree = match self.kind() {
            Kind::Text => Tree::Text(unquoted(self.take())),
            Kind::Number => Tree::Number(self.take().to_owned()),
            Kind::Always => {
                self.advance();
                Tree::List(Vec::new())
            }
            Kind::OpenSquare => {
                self.advance();
                Tree::List(self.psl_terms(Kind::CloseSquare, "`]`"))
            }
            Kind::Word | Kind::Quoted => {
                let mut name = self.name("a name").map(|name| name.node).unwrap_or_default();
                while self.eat(Kind::Dot) {
                    name.push('.');
                    name.push_str(&self.name("a name").map(|part| part.node).unwrap_or_default());
                }
                if self.eat(Kind::Open) {
                    Tree::Call(name, self.psl_terms(Kind::Close, "`)`"))
                } else {
                    Tree::Name(name)
                }
            }
            _ => {
                self.unexpected("a name, a number, a text or a list");
                return self.error_node();
            }
        };
        let span = self.since(start);
        self.node(tree, span)
    }

    fn psl_terms(&mut self, end: Kind, what: &str) -> Vec<Node> {
        let mut terms = vec![self.psl_term()];
        while !self.silent && self.eat(Kind::Comma) {
            terms.push(self.psl_term());
        }
        self.require(end, what);
        terms
    }
}
