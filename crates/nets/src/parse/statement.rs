//! Statements of transitions, arcs and patterns.

use motet_source::Parse;

use super::Parser;
use super::strength::{POSTFIX, RANGE, SIGN};
use crate::lexer::TokenKind;
use crate::syntax::{
    ArcIn, ArcOut, Exchange, Expression, Partner, Pattern, PatternNode, Statement, StatementNode, Sync,
};

impl Parser<'_> {
    pub(super) fn statement(&mut self) -> Parse<Statement> {
        let start = self.span();
        let help = "statements start with `in`, `read`, `inhib`, `out`, `when`, `pick`, `let`, `sync`, `alt` or `x' =`";
        if self.peek() != TokenKind::Word {
            return Err(self.unexpected("a statement", help));
        }
        let node = match self.token_text() {
            "alt" => {
                self.bump();
                let parts = self.deeper(|parser| parser.statements("this `alt`"))?;
                return Ok(Statement { node: StatementNode::Alternative(parts), span: self.since(start) });
            }
            "in" => self.arcs_in(StatementNode::In)?,
            "read" => self.arcs_in(StatementNode::Read)?,
            "inhib" => self.arcs_in(StatementNode::Inhibit)?,
            "out" => {
                self.bump();
                let mut arcs = vec![self.arc_out()?];
                while self.eat(TokenKind::Comma) {
                    arcs.push(self.arc_out()?);
                }
                StatementNode::Out(arcs)
            }
            "when" => {
                self.bump();
                StatementNode::When(self.formula()?)
            }
            "pick" => self.pick()?,
            "let" => {
                self.bump();
                let name = self.name("a variable")?;
                self.equal("its value")?;
                StatementNode::Let(name, self.formula()?)
            }
            "sync" => StatementNode::Sync(self.sync()?),
            _ if self.ahead(1) == TokenKind::Prime => self.update()?,
            _ => return Err(self.unexpected("a statement", help)),
        };
        self.semicolon("the statement")?;
        Ok(Statement { node, span: self.since(start) })
    }

    /// `in p(x), q(y)`, from the word on.
    pub(super) fn arcs_in<T>(&mut self, make: fn(Vec<ArcIn>) -> T) -> Parse<T> {
        self.bump();
        let mut arcs = vec![self.arc_in()?];
        while self.eat(TokenKind::Comma) {
            arcs.push(self.arc_in()?);
        }
        Ok(make(arcs))
    }

    fn arc_in(&mut self) -> Parse<ArcIn> {
        let place = self.name("a place")?;
        let patterns = if self.eat(TokenKind::Open) {
            self.list(TokenKind::Close, "`)` after the token", Self::pattern)?
        } else {
            Vec::new()
        };
        let weight = self.weight()?;
        let span = self.since(place.span);
        Ok(ArcIn { place, patterns, weight, span })
    }

    fn arc_out(&mut self) -> Parse<ArcOut> {
        let place = self.name("a place")?;
        let terms = if self.eat(TokenKind::Open) {
            self.new_chain();
            self.list(TokenKind::Close, "`)` after the token", Self::expression)?
        } else {
            Vec::new()
        };
        let weight = self.weight()?;
        let span = self.since(place.span);
        Ok(ArcOut { place, terms, weight, span })
    }

    /// `* 2` behind an arc.
    fn weight(&mut self) -> Parse<Option<Expression>> {
        if !self.eat(TokenKind::Star) {
            return Ok(None);
        }
        self.new_chain();
        self.climb(SIGN).map(Some)
    }

    pub(super) fn pattern(&mut self) -> Parse<Pattern> {
        self.deeper(Self::pattern_here)
    }

    fn pattern_here(&mut self) -> Parse<Pattern> {
        let start = self.span();
        let node = match (self.peek(), self.token_text()) {
            (TokenKind::Word, "_") => {
                self.bump();
                PatternNode::Any
            }
            (TokenKind::Word, word @ ("true" | "false")) => {
                self.bump();
                PatternNode::Bool(word == "true")
            }
            (TokenKind::Word | TokenKind::DigitWord, _) => PatternNode::Name(self.name("a variable")?.node),
            (TokenKind::Int, _) => PatternNode::Int(self.number("")),
            (TokenKind::Minus, _) if self.ahead(1) == TokenKind::Int => {
                self.bump();
                PatternNode::Int(self.number("-"))
            }
            (TokenKind::Open, _) => {
                self.bump();
                let mut parts = self.list(TokenKind::Close, "`)` after the token", Self::pattern)?;
                if parts.len() == 1 {
                    let part = parts.remove(0);
                    return Ok(Pattern { node: part.node, span: self.since(start) });
                }
                PatternNode::Tuple(parts)
            }
            _ => {
                let help = "a token is matched by a variable, a constant, `_` or a tuple of them; compare with `when`";
                return Err(self.unexpected("a pattern", help));
            }
        };
        Ok(Pattern { node, span: self.since(start) })
    }

    fn pick(&mut self) -> Parse<StatementNode> {
        self.bump();
        let name = self.name("a variable")?;
        self.expect_word("in", "write `pick x in S;` or `pick x in S where condition;`")?;
        self.new_chain();
        let from = self.climb(RANGE)?;
        let condition = if self.eat_word("where") { Some(self.formula()?) } else { None };
        Ok(StatementNode::Pick(name, from, condition))
    }

    /// `c' = e`, `r'.content = e`
    fn update(&mut self) -> Parse<StatementNode> {
        let name = self.name("a cell or a variable")?;
        self.bump();
        let mut fields = Vec::new();
        while self.eat(TokenKind::Dot) {
            fields.push(self.name("a field")?);
        }
        self.equal("the new value")?;
        Ok(StatementNode::Update(name, fields, self.formula()?))
    }

    fn sync(&mut self) -> Parse<Sync> {
        self.bump();
        self.new_chain();
        let partner = if self.eat_word("up") {
            Partner::Up
        } else if self.is_word("chan") && self.ahead(1) == TokenKind::Open {
            self.bump();
            self.bump();
            let value = self.expression()?;
            self.expect(TokenKind::Close, "`)` after the channel", "write `sync chan(e) ! port(...)`")?;
            Partner::Channel(value)
        } else {
            Partner::Agent(self.climb(POSTFIX)?)
        };
        let sends = match self.peek() {
            TokenKind::Bang => true,
            TokenKind::Question => false,
            _ => {
                let help = "send with `sync up ! port(e)`, receive with `sync up ? port(x)`";
                return Err(self.unexpected("`!` or `?`", help));
            }
        };
        self.bump();
        let port = self.name("a port")?;
        self.expect(TokenKind::Open, "`(`", "what is exchanged stands in parentheses, which may be empty")?;
        let exchange = if sends {
            Exchange::Send(self.list(TokenKind::Close, "`)` after the values", Self::expression)?)
        } else {
            Exchange::Receive(self.list(TokenKind::Close, "`)` after the variables", Self::pattern)?)
        };
        Ok(Sync { partner, port, exchange })
    }
}
