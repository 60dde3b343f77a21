//! Expressions of the environment language.

use motet_source::{Parse, Parser as _, Span, Spanned, unquoted};

use crate::lexer::TokenKind;
use crate::syntax::{Fold, WorldExpr, WorldKind, WorldOperator};

use super::cursor::Cursor;
use super::environment::ENVIRONMENT_ITEMS;
use super::team::TEAM_ITEMS;

const WHAT_IS_A_VALUE: &str = "a value is a number, `true`, `false`, `none`, a name, `bid[a]`, or built with operators and `all a in agent: ..`";

impl Cursor<'_> {
    /// An expression, a chain of its own.
    pub(crate) fn world_expression(&mut self) -> Parse<WorldExpr> {
        self.new_chain();
        self.world()
    }

    /// A bound of a range: no relations, because `=` goes on with the first value.
    pub(crate) fn world_bound(&mut self) -> Parse<WorldExpr> {
        self.new_chain();
        self.world_sum()
    }

    /// `a -> b`, right associative and loosest.
    fn world(&mut self) -> Parse<WorldExpr> {
        let left = self.world_or()?;
        if self.peek() != TokenKind::Implies {
            return Ok(left);
        }
        let sign = self.bump().span;
        self.link(sign)?;
        let right = self.nested(Self::world)?;
        Ok(binary(WorldOperator::Implies, left, right))
    }

    fn world_or(&mut self) -> Parse<WorldExpr> {
        let mut left = self.world_and()?;
        while matches!(self.peek(), TokenKind::Or | TokenKind::OrOr)
            || (self.is_word("or") && !self.opens_branch())
        {
            let sign = self.bump().span;
            self.link(sign)?;
            left = binary(WorldOperator::Or, left, self.world_and()?);
        }
        Ok(left)
    }

    /// `or {` goes on with a choice, it does not combine conditions.
    fn opens_branch(&self) -> bool {
        self.ahead(1) == TokenKind::OpenBrace
    }

    fn world_and(&mut self) -> Parse<WorldExpr> {
        let mut left = self.world_not()?;
        while matches!(self.peek(), TokenKind::And | TokenKind::AndAnd) || self.is_word("and") {
            let sign = self.bump().span;
            self.link(sign)?;
            left = binary(WorldOperator::And, left, self.world_not()?);
        }
        Ok(left)
    }

    fn world_not(&mut self) -> Parse<WorldExpr> {
        if !(self.is_word("not") || self.peek() == TokenKind::Bang) {
            return self.world_relation();
        }
        let start = self.bump().span;
        let operand = self.nested(Self::world_not)?;
        let span = start.to(operand.span);
        Ok(WorldExpr { kind: WorldKind::Not(Box::new(operand)), span })
    }

    fn world_relation(&mut self) -> Parse<WorldExpr> {
        let left = self.world_sum()?;
        let operator = match self.peek() {
            TokenKind::Equal | TokenKind::EqualEqual => WorldOperator::Equal,
            TokenKind::NotEqual | TokenKind::Different => WorldOperator::Different,
            TokenKind::Less => WorldOperator::Less,
            TokenKind::LessEqual => WorldOperator::LessEqual,
            TokenKind::Greater => WorldOperator::Greater,
            TokenKind::GreaterEqual => WorldOperator::GreaterEqual,
            // `x <-3` is read as an arrow by the alphabet both languages share.
            TokenKind::Arrow => {
                let arrow = self.span();
                return Err(self.refuse(
                    "M0512",
                    arrow,
                    "`<-` is not an operator here",
                    "put a blank between `<` and `-`",
                ));
            }
            _ => return Ok(left),
        };
        self.bump();
        let right = self.world_sum()?;
        Ok(binary(operator, left, right))
    }

    fn world_sum(&mut self) -> Parse<WorldExpr> {
        let mut left = self.world_product()?;
        loop {
            let operator = match self.peek() {
                TokenKind::Plus => WorldOperator::Add,
                TokenKind::Minus => WorldOperator::Subtract,
                _ => return Ok(left),
            };
            let sign = self.bump().span;
            self.link(sign)?;
            left = binary(operator, left, self.world_product()?);
        }
    }

    fn world_product(&mut self) -> Parse<WorldExpr> {
        let mut left = self.world_signed()?;
        loop {
            let operator = match self.peek() {
                TokenKind::Star => WorldOperator::Multiply,
                TokenKind::Slash => WorldOperator::Divide,
                TokenKind::Percent => WorldOperator::Modulo,
                _ => return Ok(left),
            };
            let sign = self.bump().span;
            self.link(sign)?;
            left = binary(operator, left, self.world_signed()?);
        }
    }

    fn world_signed(&mut self) -> Parse<WorldExpr> {
        if self.peek() != TokenKind::Minus {
            return self.world_primary();
        }
        let start = self.bump().span;
        let operand = self.nested(Self::world_signed)?;
        let span = start.to(operand.span);
        let kind = match operand.kind {
            WorldKind::Int(value) => WorldKind::Int(-value),
            _ => WorldKind::Negative(Box::new(operand)),
        };
        Ok(WorldExpr { kind, span })
    }

    fn world_primary(&mut self) -> Parse<WorldExpr> {
        let start = self.span();
        let kind = match self.peek() {
            TokenKind::Int => WorldKind::Int(self.integer()?.node),
            TokenKind::Anonymous => WorldKind::Name(self.bump().node.to_owned()),
            TokenKind::Text => WorldKind::Quoted(unquoted(self.bump().node)),
            TokenKind::Open => {
                self.bump();
                let inner = self.nested(Self::world)?;
                let end = self.expect(TokenKind::Close, "`)`", "every `(` needs its `)`")?;
                return Ok(WorldExpr { kind: inner.kind, span: start.to(end) });
            }
            TokenKind::Name | TokenKind::Variable if !self.at_any_item() => return self.world_name(start),
            TokenKind::Real => {
                return Err(self.refuse(
                    "M0512",
                    start,
                    "the environment counts in whole numbers",
                    "scale it: 0.5 of 10 is 5 of 100",
                ));
            }
            _ => return Err(self.unexpected("a value", WHAT_IS_A_VALUE)),
        };
        Ok(WorldExpr { kind, span: start })
    }

    fn world_name(&mut self, start: Span) -> Parse<WorldExpr> {
        let word = self.token_text();
        if let (Some(fold), TokenKind::Name | TokenKind::Variable, "in") =
            (fold(word), self.ahead(1), self.ahead_text(2))
        {
            return self.nested(|cursor| cursor.world_fold(fold, start));
        }
        let word = self.bump().node.to_owned();
        let kind = match (word.as_str(), self.peek()) {
            ("true", _) => WorldKind::Bool(true),
            ("false", _) => WorldKind::Bool(false),
            ("none", _) => WorldKind::None,
            (_, TokenKind::OpenBracket) => {
                self.bump();
                let index = self.nested(Self::world)?;
                self.expect(TokenKind::CloseBracket, "`]`", "an indexed variable is written `bid[a]`")?;
                WorldKind::Index(word, Box::new(index))
            }
            (_, TokenKind::Open) => WorldKind::Call(word, self.world_arguments()?),
            _ => WorldKind::Name(word),
        };
        Ok(WorldExpr { kind, span: start.to(self.last_span()) })
    }

    /// `(x, y)`, possibly empty.
    pub(crate) fn world_arguments(&mut self) -> Parse<Vec<WorldExpr>> {
        self.bump();
        let mut args = Vec::new();
        if self.eat(TokenKind::Close) {
            return Ok(args);
        }
        loop {
            args.push(self.nested(Self::world)?);
            self.check_items(args.len())?;
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::Close, "`,` or `)`", "arguments are separated by commas and closed by `)`")?;
        Ok(args)
    }

    /// `all a in agent: c`; the body reaches as far as it can.
    fn world_fold(&mut self, fold: Fold, start: Span) -> Parse<WorldExpr> {
        self.bump();
        let name = self.bump();
        self.bump();
        let sort = self.name("the sort", "write `all a in agent: ..`")?;
        self.expect(TokenKind::Colon, "`:`", "write `all a in agent: ..`")?;
        let body = self.nested(Self::world)?;
        let span = start.to(body.span);
        let name = Spanned::new(name.node.to_owned(), name.span);
        Ok(WorldExpr { kind: WorldKind::Fold(fold, name, sort, Box::new(body)), span })
    }

    /// Whether the line before was left unfinished and the next item starts here.
    fn at_any_item(&self) -> bool {
        self.at_item(&TEAM_ITEMS) || self.at_item(&ENVIRONMENT_ITEMS)
    }

    /// A name, small or capital.
    pub(crate) fn name(&mut self, wanted: &str, help: &str) -> Parse<Spanned<String>> {
        if matches!(self.peek(), TokenKind::Name | TokenKind::Variable) && !self.at_any_item() {
            let name = self.bump();
            Ok(Spanned::new(name.node.to_owned(), name.span))
        } else {
            Err(self.unexpected(wanted, help))
        }
    }
}

fn fold(word: &str) -> Option<Fold> {
    Some(match word {
        "all" => Fold::All,
        "some" => Fold::Some,
        "max" => Fold::Max,
        "min" => Fold::Min,
        "count" => Fold::Count,
        "sum" => Fold::Sum,
        "argmax" => Fold::ArgMax,
        "argmin" => Fold::ArgMin,
        _ => return None,
    })
}

fn binary(operator: WorldOperator, left: WorldExpr, right: WorldExpr) -> WorldExpr {
    let span = left.span.to(right.span);
    WorldExpr { kind: WorldKind::Binary(operator, Box::new(left), Box::new(right)), span }
}
