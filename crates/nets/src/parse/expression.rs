//! Expressions, by precedence climbing.

use motet_source::{Parse, Problem, Span};

use super::Parser;
use super::strength::{COMPARISON, NOT, RANGE, SIGN, WHOLE};
use super::words::RESERVED;
use crate::lexer::TokenKind;
use crate::syntax::{BinaryOperator, Expression, ExpressionNode, Name, Quantifier};

impl Parser<'_> {
    /// A whole expression.
    pub(super) fn expression(&mut self) -> Parse<Expression> {
        self.climb(WHOLE)
    }

    /// An expression whose operators bind at least this tightly.
    pub(super) fn climb(&mut self, least: u8) -> Parse<Expression> {
        self.deeper(|parser| parser.climb_here(least))
    }

    fn climb_here(&mut self, least: u8) -> Parse<Expression> {
        let mut left = self.operand(least)?;
        let mut comparisons = 0;
        loop {
            self.foreign_operator()?;
            left = match self.peek() {
                TokenKind::Dots if least <= RANGE => self.range(left)?,
                TokenKind::Dot => self.field_of(left)?,
                TokenKind::Word if self.token_text() == "with" => self.with(left)?,
                kind => match binary(kind, self.token_text()) {
                    Some(operator) if operator.strength() >= least => {
                        comparisons += u32::from(operator.strength() == COMPARISON);
                        if comparisons == 2 {
                            self.chained_comparison();
                        }
                        self.binary(left, operator)?
                    }
                    _ => return Ok(left),
                },
            };
        }
    }

    fn chained_comparison(&mut self) {
        let help = "write `a < b and b < c`, or parentheses";
        let problem = Problem::error("M1007", self.span(), "comparisons do not chain", help);
        self.refuse(problem);
    }

    fn binary(&mut self, left: Expression, operator: BinaryOperator) -> Parse<Expression> {
        let sign = self.bump().span;
        self.link(sign)?;
        let right = self.climb(operator.operands().1)?;
        let span = left.span.to(right.span);
        Ok(Expression { node: ExpressionNode::Binary(operator, Box::new(left), Box::new(right)), span })
    }

    fn range(&mut self, low: Expression) -> Parse<Expression> {
        let sign = self.bump().span;
        self.link(sign)?;
        let high = self.climb(RANGE + 1)?;
        let span = low.span.to(high.span);
        Ok(Expression { node: ExpressionNode::Range(Box::new(low), Box::new(high)), span })
    }

    fn field_of(&mut self, of: Expression) -> Parse<Expression> {
        let sign = self.bump().span;
        self.link(sign)?;
        let field = self.name("a field")?;
        let span = of.span.to(field.span);
        Ok(Expression { node: ExpressionNode::Field(Box::new(of), field), span })
    }

    /// `e with {f = g}`
    fn with(&mut self, of: Expression) -> Parse<Expression> {
        let sign = self.bump().span;
        self.link(sign)?;
        self.expect(TokenKind::OpenBrace, "`{`", "write `r with {field = value}`")?;
        let changes = self.list(TokenKind::CloseBrace, "`}` after the changes", |parser| {
            let field = parser.name("a field")?;
            parser.equal("its value")?;
            Ok((field, parser.expression()?))
        })?;
        let span = of.span.to(self.last_span());
        Ok(Expression { node: ExpressionNode::With(Box::new(of), changes), span })
    }

    /// Operators of other languages are told and read as what they mean.
    fn foreign_operator(&mut self) -> Parse<()> {
        let (means, kind) = match (self.peek(), self.token_text()) {
            (TokenKind::Foreign, "==") => ("=", TokenKind::Equal),
            (TokenKind::Foreign, "<>") => ("!=", TokenKind::NotEqual),
            (TokenKind::Foreign, "&&" | "&") => ("and", TokenKind::Implies),
            (TokenKind::Foreign, "||") => ("or", TokenKind::Implies),
            (TokenKind::Foreign, "[") => {
                let help = "write the field's name, `r.content`; whether a set has a member asks `in`";
                let problem = Problem::error("M1006", self.span(), "parts are not addressed with `[`", help);
                return Err(self.refuse(problem));
            }
            _ => return Ok(()),
        };
        let message = format!("`{}` is not an operator of nets", self.token_text());
        let problem = Problem::error("M1006", self.span(), message, format!("write `{means}`"));
        let span = self.span();
        self.refuse(problem.fix(span, means));
        self.replace(kind);
        Ok(())
    }

    fn operand(&mut self, least: u8) -> Parse<Expression> {
        let start = self.span();
        let node = match self.peek() {
            TokenKind::Minus => {
                self.bump();
                ExpressionNode::Negative(Box::new(self.climb(SIGN)?))
            }
            TokenKind::Open => return self.parenthesised(start),
            TokenKind::OpenBrace => self.set()?,
            TokenKind::Int => ExpressionNode::Int(self.number("")),
            TokenKind::DigitWord => ExpressionNode::Name(self.name("a name")?.node),
            TokenKind::Word => self.word(least)?,
            TokenKind::Bang => {
                let problem = Problem::error("M1006", start, "`!` is not an operator of nets", "write `not`");
                self.refuse(problem.fix(start, "not "));
                self.bump();
                ExpressionNode::Not(Box::new(self.climb(SIGN)?))
            }
            _ => return Err(self.unexpected("an expression", "write a value, a name, `(` or `{`")),
        };
        Ok(Expression { node, span: self.since(start) })
    }

    fn parenthesised(&mut self, start: Span) -> Parse<Expression> {
        self.bump();
        if self.peek() == TokenKind::Close {
            return Err(self.unexpected("an expression", "a record has at least two fields: `(a, b)`"));
        }
        let mut parts = self.list(TokenKind::Close, "`)`", Self::expression)?;
        let span = self.since(start);
        if parts.len() == 1 {
            return Ok(Expression { node: parts.remove(0).node, span });
        }
        Ok(Expression { node: ExpressionNode::Tuple(parts), span })
    }

    /// `{a, b}` or `{e | x in S where c}`
    fn set(&mut self) -> Parse<ExpressionNode> {
        self.bump();
        if self.eat(TokenKind::CloseBrace) {
            return Ok(ExpressionNode::Set(Vec::new()));
        }
        let (entry, first) = (self.chain(), self.expression()?);
        if self.eat(TokenKind::Bar) {
            let ranges = self.ranges()?;
            let condition = if self.eat_word("where") { Some(Box::new(self.expression()?)) } else { None };
            self.expect(TokenKind::CloseBrace, "`}`", "a set is `{ e | x in S where condition }`")?;
            return Ok(ExpressionNode::Comprehension(Box::new(first), ranges, condition));
        }
        let mut longest = self.chain();
        let mut parts = vec![first];
        while self.eat(TokenKind::Comma) {
            self.set_chain(entry);
            parts.push(self.expression()?);
            longest = longest.max(self.chain());
        }
        self.set_chain(longest);
        self.expect(TokenKind::CloseBrace, "`}`", "close the set, or put `,` between its members")?;
        Ok(ExpressionNode::Set(parts))
    }

    /// `x in S, y in T`
    fn ranges(&mut self) -> Parse<Vec<(Name, Expression)>> {
        let mut ranges = Vec::new();
        loop {
            let name = self.name("a variable")?;
            self.expect_word("in", "write `x in S`")?;
            ranges.push((name, self.climb(RANGE)?));
            if !self.eat(TokenKind::Comma) {
                return Ok(ranges);
            }
        }
    }

    /// The number here, with this sign before it. One that is too large is told and read as 0.
    pub(super) fn number(&mut self, sign: &str) -> i64 {
        let number = self.bump();
        format!("{sign}{}", number.node).parse().unwrap_or_else(|_| {
            let help = "whole numbers have at most 18 digits";
            self.report(Problem::error("M1004", number.span, "this number is too large", help));
            0
        })
    }

    /// What starts with a word.
    fn word(&mut self, least: u8) -> Parse<ExpressionNode> {
        let text = self.token_text();
        Ok(match text {
            "true" | "false" => {
                self.bump();
                ExpressionNode::Bool(text == "true")
            }
            "_" => {
                self.bump();
                ExpressionNode::Any
            }
            "not" => {
                self.bump();
                // `not a = b` is `not (a = b)`; behind a tighter operator it takes the next operand alone.
                let strength = if least > NOT { SIGN } else { NOT };
                ExpressionNode::Not(Box::new(self.climb(strength)?))
            }
            "forall" | "exists" => {
                let quantifier = if text == "forall" { Quantifier::All } else { Quantifier::Some };
                self.bump();
                let ranges = self.ranges()?;
                self.expect(TokenKind::Colon, "`:` and a condition", "write `forall x in S: condition`")?;
                ExpressionNode::Quantified(quantifier, ranges, Box::new(self.expression()?))
            }
            "if" => {
                self.bump();
                let condition = self.expression()?;
                self.expect_word("then", "write `if condition then a else b`")?;
                let yes = self.expression()?;
                self.expect_word("else", "write `if condition then a else b`")?;
                ExpressionNode::If(Box::new(condition), Box::new(yes), Box::new(self.expression()?))
            }
            "new" => self.new_agent()?,
            // `class(a)` asks for a template; the other calls are names.
            _ if self.ahead(1) == TokenKind::Open && (text == "class" || !RESERVED.contains(&text)) => {
                let word = self.bump();
                self.bump();
                let arguments = self.list(TokenKind::Close, "`)` after the arguments", Self::expression)?;
                ExpressionNode::Call(Name::new(word.node.to_owned(), word.span), arguments)
            }
            _ if RESERVED.contains(&text) && !self.stands_alone() => {
                return Err(self.unexpected("an expression", "write a value, a name, `(` or `{`"));
            }
            _ => {
                let name = self.name("a value")?.node;
                // `x'` is one word with its prime.
                if self.peek() == TokenKind::Prime && self.is_adjacent() {
                    self.bump();
                    ExpressionNode::Primed(name)
                } else {
                    ExpressionNode::Name(name)
                }
            }
        })
    }

    /// Whether what follows shows that this word was meant as a value.
    fn stands_alone(&self) -> bool {
        use TokenKind::{Close, CloseBrace, Comma, Dot, Equal, NotEqual, Prime, Semicolon};
        matches!(self.ahead(1), Semicolon | Close | CloseBrace | Comma | Dot | Equal | NotEqual | Prime)
    }

    /// `new K(args)`, `new p.rm(args)`, `new (if c then K else L)(args)`
    fn new_agent(&mut self) -> Parse<ExpressionNode> {
        self.bump();
        let start = self.span();
        let mut template = if self.peek() == TokenKind::Open {
            self.parenthesised(start)?
        } else {
            let name = self.name("the name of an agent net")?;
            Expression { node: ExpressionNode::Name(name.node), span: name.span }
        };
        while self.peek() == TokenKind::Dot {
            template = self.field_of(template)?;
        }
        self.expect(TokenKind::Open, "`(`", "the parameters stand in parentheses, which may be empty")?;
        let arguments = self.list(TokenKind::Close, "`)` after the parameters", Self::expression)?;
        Ok(ExpressionNode::New(Box::new(template), arguments))
    }
}

fn binary(kind: TokenKind, text: &str) -> Option<BinaryOperator> {
    Some(match kind {
        // What stood in for a foreign operator keeps its text.
        TokenKind::Implies if matches!(text, "&&" | "&") => BinaryOperator::And,
        TokenKind::Implies if text == "||" => BinaryOperator::Or,
        TokenKind::Implies => BinaryOperator::Implies,
        TokenKind::Equal => BinaryOperator::Equal,
        TokenKind::NotEqual => BinaryOperator::NotEqual,
        TokenKind::Less => BinaryOperator::Less,
        TokenKind::LessEqual => BinaryOperator::LessEqual,
        TokenKind::Greater => BinaryOperator::Greater,
        TokenKind::GreaterEqual => BinaryOperator::GreaterEqual,
        TokenKind::Plus => BinaryOperator::Add,
        TokenKind::Minus => BinaryOperator::Subtract,
        TokenKind::Star => BinaryOperator::Multiply,
        TokenKind::Slash => BinaryOperator::Divide,
        TokenKind::Percent => BinaryOperator::Modulo,
        TokenKind::Word => match text {
            "or" => BinaryOperator::Or,
            "and" => BinaryOperator::And,
            "in" => BinaryOperator::In,
            "notin" => BinaryOperator::NotIn,
            "union" => BinaryOperator::Union,
            "minus" => BinaryOperator::Minus,
            _ => return None,
        },
        _ => return None,
    })
}
