//! Attitudes, messages, knowledge and clocks in function form: `Bel(a, p)`, `Says(a, b, c)`, `K[a](p)`, `held(p)`.

use super::Parser;
use crate::formula::Knowledge;
use crate::syntax::{Attitude, ClockName, Form, Node, Tree};
use crate::token::Kind;

impl Parser<'_> {
    pub(super) fn mental(&mut self, attitude: Attitude) -> Node {
        let start = self.span();
        self.advance();
        let (agent, content) = if self.eat(Kind::Open) {
            let agent = self.sum();
            self.require(Kind::Comma, "`,` after the agent");
            let content = self.formula();
            self.require(Kind::Close, "`)`");
            (agent, content)
        } else {
            let agent = self.agent_name();
            (agent, self.operand())
        };
        let span = self.since(start);
        self.node(Tree::Mental(attitude, Form::Function, Box::new(agent), Box::new(content)), span)
    }

    pub(super) fn says(&mut self) -> Node {
        let start = self.span();
        self.advance();
        self.advance();
        let from = Box::new(self.sum());
        self.require(Kind::Comma, "`,` after the sender");
        let to = Box::new(self.sum());
        self.require(Kind::Comma, "`,` after the receiver");
        let content = Box::new(self.formula());
        self.require(Kind::Close, "`)`");
        let span = self.since(start);
        self.node(Tree::Says(Form::Function, from, to, content), span)
    }

    pub(super) fn clock(&mut self) -> Node {
        let start = self.span();
        let name = if self.word() == "since" { ClockName::Since } else { ClockName::Held };
        self.advance();
        self.advance();
        let inner = Box::new(self.sentence());
        self.require(Kind::Close, "`)`");
        let span = self.since(start);
        self.node(Tree::Clock(name, inner), span)
    }

    pub(super) fn knowledge(&mut self, knowledge: Knowledge) -> Node {
        let start = self.span();
        self.advance();
        self.advance();
        let group = Box::new(self.domain());
        self.require(Kind::CloseSquare, "`]` after the agents");
        self.require(Kind::Open, "`(` and what is known");
        let content = Box::new(self.sentence());
        self.require(Kind::Close, "`)`");
        let span = self.since(start);
        self.node(Tree::Knows(knowledge, Form::Function, group, content), span)
    }
}
