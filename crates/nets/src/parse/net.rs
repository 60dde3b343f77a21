//! Nets and what is declared in them.

use motet_source::{Parse, Problem, Refused};

use super::Parser;
use super::strength::SUM;
use crate::lexer::TokenKind;
use crate::syntax::{
    Initial, Level, Member, Net, Operation, OperationNames, Place, PlaceKind, Statement, Transition,
};

/// Whether a cell may go without a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// It is part of a net.
    Real,
    /// It stands for a part of another net.
    Pointcut,
}

/// How the parts of a block are told from what is around it.
#[derive(Clone, Copy)]
pub(super) struct Blocks {
    /// Where a part starts.
    pub(super) next: fn(&Parser<'_>) -> bool,
    /// Where a part of the block around it starts, so that this one is not closed.
    pub(super) outer: fn(&Parser<'_>) -> bool,
}

impl Blocks {
    const NET: Self = Self { next: |parser| parser.at_member(), outer: |_| false };
    const STATEMENTS: Self =
        Self { next: |parser| parser.at_statement(), outer: |parser| parser.at_member() };
}

impl Parser<'_> {
    pub(super) fn net(&mut self) -> Parse<Net> {
        let start = self.span();
        let level = if self.bump().node == "system" { Level::System } else { Level::Agent };
        self.expect_word("net", "write `system net N() { ... }` or `agent net N() { ... }`")?;
        let name = self.name("the name of a net")?;
        let parameters = self.fields("the parameters of an instance, or nothing: `()`")?;
        let members = self.block("this net", Blocks::NET, |parser| parser.member(Standing::Real))?;
        Ok(Net { name, level, parameters, members, span: self.since(start) })
    }

    /// Parts in braces. What cannot be read is passed over.
    pub(super) fn block<T>(
        &mut self,
        what: &str,
        signs: Blocks,
        mut part: impl FnMut(&mut Self) -> Parse<T>,
    ) -> Parse<Vec<T>> {
        let level = self.braces();
        let open = self.expect(TokenKind::OpenBrace, "`{`", &format!("{what} is written in braces"))?;
        let mut parts = Vec::new();
        while !self.at_end() && self.peek() != TokenKind::CloseBrace && !self.at_item() {
            if (signs.outer)(self) {
                break;
            }
            let start = self.position();
            match part(self) {
                Ok(part) => parts.push(part),
                Err(Refused) => {
                    self.skip_part(start, level + 1, |parser| (signs.next)(parser) || (signs.outer)(parser));
                }
            }
        }
        self.close(open, level, what);
        Ok(parts)
    }

    pub(super) fn member(&mut self, standing: Standing) -> Parse<Member> {
        let help = "a net has places, cells, transitions, operations and goals";
        if self.peek() != TokenKind::Word {
            return Err(self.unexpected("a place or a transition", help));
        }
        match self.token_text() {
            "place" | "cell" => Ok(Member::Place(self.place(standing)?)),
            "transition" => Ok(Member::Transition(self.transition()?)),
            "operation" => Ok(Member::Operation(self.operation()?)),
            "goal" => {
                self.bump();
                let name = self.name("the name of a goal")?;
                self.expect(TokenKind::Colon, "`:` and what is wanted", "write `goal name : condition;`")?;
                let wanted = self.formula()?;
                self.semicolon("the goal")?;
                Ok(Member::Goal(name, wanted))
            }
            _ => Err(self.unexpected("a place or a transition", help)),
        }
    }

    fn place(&mut self, standing: Standing) -> Parse<Place> {
        let start = self.span();
        let kind = if self.bump().node == "cell" { PlaceKind::Cell } else { PlaceKind::Tokens };
        let names = self.names("the name of a place")?;
        self.expect(TokenKind::Colon, "`:` and a sort", "write `place p : token;`")?;
        let sort = self.sort()?;
        let capacity = if self.eat_word("capacity") {
            self.new_chain();
            Some(self.climb(SUM)?)
        } else {
            None
        };
        let initial = if self.eat(TokenKind::Equal) {
            let value = self.formula()?;
            Initial::of(kind, value)
        } else {
            Initial::Empty
        };
        self.semicolon("the place")?;
        let span = self.since(start);
        if kind == PlaceKind::Cell && initial == Initial::Empty && standing == Standing::Real {
            let help = "give it one: `cell c : int = 0;`, or make it a `place`, which may be empty";
            self.report(Problem::error("M1009", span, "this cell has no first value", help));
        }
        Ok(Place { names, kind, sort, capacity, initial, span })
    }

    fn transition(&mut self) -> Parse<Transition> {
        let start = self.span();
        self.bump();
        let name = self.name("the name of a transition")?;
        let limit = if self.eat_word("limit") {
            self.new_chain();
            Some(self.climb(SUM)?)
        } else {
            None
        };
        let body = self.statements("this transition")?;
        Ok(Transition { name, limit, body, span: self.since(start) })
    }

    pub(super) fn statements(&mut self, what: &str) -> Parse<Vec<Statement>> {
        self.block(what, Blocks::STATEMENTS, Self::statement)
    }

    /// `operation Read, ReadDB, returnR on read_ agents Activated using p1, p2 -> p7 { ... }`
    fn operation(&mut self) -> Parse<Operation> {
        let start = self.span();
        self.bump();
        let help = "write `operation name on action agents place using busy, request -> result { ... }`";
        let names = self.operation_names()?;
        self.expect_word("on", help)?;
        let action = self.name("an action")?;
        self.expect_word("agents", help)?;
        let agents = self.name("the place of the agents")?;
        self.expect_word("using", help)?;
        let busy = self.name("the place of the agent that is served")?;
        self.expect(TokenKind::Comma, "`,` and the place of the request", help)?;
        let request = self.name("the place of the request")?;
        self.expect(TokenKind::Arrow, "`->` and the place of the result", help)?;
        let result = self.name("the place of the result")?;
        let work = self.statements("this operation")?;
        Ok(Operation { names, action, agents, busy, request, result, work, span: self.since(start) })
    }

    fn operation_names(&mut self) -> Parse<OperationNames> {
        let names = self.names("the name of an operation")?;
        let count = names.len();
        if let Ok([name]) = <[_; 1]>::try_from(names.clone()) {
            return Ok(OperationNames::Derived(name));
        }
        <[_; 3]>::try_from(names).map(OperationNames::Given).map_err(|names| {
            let span = names[0].span.to(names[count - 1].span);
            let message = format!("an operation has one name or three, not {count}");
            let help = "name the request, the work and the reply: `operation Read, ReadDB, returnR on ...`";
            self.report(Problem::error("M1001", span, message, help));
            Refused
        })
    }
}

impl Initial {
    /// What `= value` means behind a place or a cell: a set display is a multiset of tokens for the one, a value for the
    /// other.
    fn of(kind: PlaceKind, value: crate::syntax::Expression) -> Self {
        use crate::syntax::ExpressionNode::{Comprehension, Set};
        match (kind, &value.node) {
            (PlaceKind::Tokens, Set(_) | Comprehension(..)) => Self::Tokens(value),
            _ => Self::Value(value),
        }
    }
}
