//! Expressions, by precedence climbing.

use motet_source::{Parse, Parser as _, Problem};

use super::cursor::Cursor;
use crate::lexer::TokenKind;
use crate::syntax::{
    BinaryOperator, Expression, ExpressionNode, STRENGTH_AND, STRENGTH_CONDITIONAL, STRENGTH_NOT,
    STRENGTH_OR, STRENGTH_SIGN,
};

/// The functions of the language.
pub(crate) const FUNCTIONS: &[&str] = &["min", "max", "floor", "ceil", "round", "pow", "mod", "log"];

impl Cursor<'_> {
    /// A whole expression.
    pub(crate) fn expression(&mut self) -> Parse<Expression> {
        if self.is_outermost() {
            self.new_chain();
        }
        self.nested(|cursor| cursor.climb(STRENGTH_CONDITIONAL))
    }

    /// An expression whose operators bind at least this tightly.
    fn climb(&mut self, least: u8) -> Parse<Expression> {
        let entry = self.chain();
        let mut left = self.operand(least)?;
        loop {
            self.foreign_operator();
            left = match self.peek() {
                TokenKind::Question if least <= STRENGTH_CONDITIONAL => return self.conditional(left),
                TokenKind::And if least <= STRENGTH_AND => {
                    self.chained(left, entry, TokenKind::And, STRENGTH_AND)?
                }
                TokenKind::Or if least <= STRENGTH_OR => {
                    self.chained(left, entry, TokenKind::Or, STRENGTH_OR)?
                }
                // `x<-1` compares: the arrow of renamings has no place in expressions.
                TokenKind::BackArrow if BinaryOperator::Less.strength() >= least => {
                    self.behead(TokenKind::Minus);
                    self.right_of(left, BinaryOperator::Less)?
                }
                kind => match binary(kind) {
                    Some(operator) if operator.strength() >= least => self.binary(left, operator)?,
                    _ => return Ok(left),
                },
            };
        }
    }

    fn binary(&mut self, left: Expression, operator: BinaryOperator) -> Parse<Expression> {
        let sign = self.bump().span;
        self.link(sign)?;
        if operator == BinaryOperator::Implies
            && let ExpressionNode::Binary(BinaryOperator::Implies, ..) = left.node
        {
            let problem = Problem::warning(
                "M0815",
                sign,
                "this chain of `=>` is read from the left",
                "write the parentheses you mean",
            );
            self.report(problem);
        }
        self.right_of(left, operator)
    }

    fn right_of(&mut self, left: Expression, operator: BinaryOperator) -> Parse<Expression> {
        let right = self.nested(|cursor| cursor.climb(operator.strength() + 1))?;
        let span = left.span.to(right.span);
        Ok(Expression { node: ExpressionNode::Binary(operator, Box::new(left), Box::new(right)), span })
    }

    /// `a & b & c`. The parts stand side by side, so the longest of them counts; `entry` is where counting started.
    fn chained(
        &mut self,
        first: Expression,
        entry: usize,
        sign: TokenKind,
        strength: u8,
    ) -> Parse<Expression> {
        let mut span = first.span;
        let mut parts = vec![first];
        let mut longest = self.chain();
        while self.eat(sign) {
            self.set_chain(entry);
            let part = self.nested(|cursor| cursor.climb(strength + 1))?;
            longest = longest.max(self.chain());
            span = span.to(part.span);
            parts.push(part);
            self.foreign_operator();
        }
        self.set_chain(longest);
        let node =
            if sign == TokenKind::And { ExpressionNode::And(parts) } else { ExpressionNode::Or(parts) };
        Ok(Expression { node, span })
    }

    fn conditional(&mut self, condition: Expression) -> Parse<Expression> {
        let sign = self.bump().span;
        self.link(sign)?;
        let yes = self.nested(|cursor| cursor.climb(STRENGTH_CONDITIONAL))?;
        self.expect(TokenKind::Colon, "`:` and the other value", "a conditional is `condition ? a : b`")?;
        let no = self.nested(|cursor| cursor.climb(STRENGTH_CONDITIONAL))?;
        let span = condition.span.to(no.span);
        let node = ExpressionNode::Conditional(Box::new(condition), Box::new(yes), Box::new(no));
        Ok(Expression { node, span })
    }

    /// Operators of other languages are told and read as what they mean.
    fn foreign_operator(&mut self) {
        let means = match (self.peek(), self.token_text()) {
            (TokenKind::Parallel, _) => "|",
            (TokenKind::Foreign, "&&") => "&",
            (TokenKind::Foreign, "==") => "=",
            (TokenKind::Foreign, "<>") => "!=",
            (TokenKind::Foreign, ":=") => "=",
            (TokenKind::Foreign, "^") => "pow(a, b)",
            (TokenKind::Foreign, "%") => "mod(a, b)",
            _ => return,
        };
        let message = format!("`{}` is not an operator of PRISM", self.token_text());
        let help = format!("write `{means}`");
        let mut problem = Problem::error("M0806", self.span(), message, help);
        if means.len() <= 2 {
            problem = problem.fix(self.span(), means);
        }
        self.refuse(problem);
        self.replace(match means {
            "|" => TokenKind::Or,
            "&" => TokenKind::And,
            "!=" => TokenKind::NotEqual,
            "=" => TokenKind::Equal,
            _ => TokenKind::Star,
        });
    }

    fn operand(&mut self, least: u8) -> Parse<Expression> {
        let start = self.span();
        let node = match self.peek() {
            TokenKind::Not => {
                self.bump();
                // `!` binds weaker than comparisons: `!a = b` is `!(a = b)`.
                let strength = if least > STRENGTH_NOT { STRENGTH_SIGN } else { STRENGTH_NOT };
                let inner = self.nested(|cursor| cursor.climb(strength))?;
                ExpressionNode::Not(Box::new(inner))
            }
            TokenKind::Minus => {
                self.bump();
                let inner = self.nested(|cursor| cursor.climb(STRENGTH_SIGN))?;
                ExpressionNode::Negative(Box::new(inner))
            }
            TokenKind::Plus => {
                self.bump();
                return self.nested(|cursor| cursor.climb(STRENGTH_SIGN));
            }
            TokenKind::Open => {
                self.bump();
                let inner = self.expression()?;
                let end = self.expect(TokenKind::Close, "`)`", "close the parenthesis")?;
                return Ok(Expression { node: inner.node, span: start.to(end) });
            }
            TokenKind::Int => self.whole(),
            TokenKind::Real => ExpressionNode::Decimal(self.bump().node.to_owned()),
            TokenKind::Word => return self.word(),
            TokenKind::DigitWord => ExpressionNode::Name(self.name("a name")?.node),
            TokenKind::Text | TokenKind::OpenText => {
                let help = "name the condition with `formula` and use that name";
                let problem = Problem::error("M0801", start, "labels cannot be used inside the model", help);
                self.refuse(problem);
                self.bump();
                ExpressionNode::Error
            }
            _ => return Err(self.unexpected("an expression", "write a value, a name or `(`")),
        };
        Ok(Expression { node, span: start.to(self.last_span()) })
    }

    fn whole(&mut self) -> ExpressionNode {
        let number = self.bump();
        match number.node.parse() {
            Ok(value) => ExpressionNode::Int(value),
            Err(_) => {
                let help = "whole numbers have at most 18 digits";
                self.report(Problem::error("M0804", number.span, "this number is too large", help));
                ExpressionNode::Error
            }
        }
    }

    /// What starts with a word: a truth value, a function, a name.
    fn word(&mut self) -> Parse<Expression> {
        let start = self.span();
        let text = self.token_text();
        let node = match text {
            "true" | "false" => {
                self.bump();
                ExpressionNode::Bool(text == "true")
            }
            "func" if self.ahead(1) == TokenKind::Open => {
                self.bump();
                self.bump();
                let word = self.bump();
                let function = motet_source::Spanned::new(word.node.to_owned(), word.span);
                let mut arguments = Vec::new();
                while self.eat(TokenKind::Comma) {
                    arguments.push(self.expression()?);
                }
                self.expect(TokenKind::Close, "`)` after the arguments", "write `func(min, a, b)`")?;
                ExpressionNode::Call(function, arguments)
            }
            _ if self.ahead(1) == TokenKind::Open => {
                let word = self.bump();
                let function = motet_source::Spanned::new(word.node.to_owned(), word.span);
                ExpressionNode::Call(function, self.arguments()?)
            }
            _ => ExpressionNode::Name(self.name("a value")?.node),
        };
        Ok(Expression { node, span: start.to(self.last_span()) })
    }

    fn arguments(&mut self) -> Parse<Vec<Expression>> {
        self.bump();
        let mut arguments = Vec::new();
        if self.eat(TokenKind::Close) {
            return Ok(arguments);
        }
        let (entry, mut longest) = (self.chain(), self.chain());
        loop {
            self.set_chain(entry);
            arguments.push(self.expression()?);
            longest = longest.max(self.chain());
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.set_chain(longest);
        self.expect(TokenKind::Close, "`)` after the arguments", "close the parenthesis")?;
        Ok(arguments)
    }
}

fn binary(kind: TokenKind) -> Option<BinaryOperator> {
    Some(match kind {
        TokenKind::Implies => BinaryOperator::Implies,
        TokenKind::Iff => BinaryOperator::Iff,
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
        _ => return None,
    })
}
