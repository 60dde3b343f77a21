//! Expressions, references and types.

use motet_source::{Parse, Parser as _, Problem, Span, Spanned, unquoted};

use crate::lexer::TokenKind;
use crate::syntax::{
    Arithmetic, Expression, ExpressionNode, Name, Reference, ReferenceNode, Truth, Type, TypeNode,
};

use super::cursor::{Cursor, digit_word, owned, too_large};

const WHAT_IS_A_VALUE: &str =
    "a value is a number, a text, `true`, `false`, `unknown`, a name or an attribute such as `current.time`";

impl Cursor<'_> {
    /// An expression that stands by itself.
    pub(crate) fn expression(&mut self) -> Parse<Expression> {
        self.new_chain();
        self.sum()
    }

    fn sum(&mut self) -> Parse<Expression> {
        let mut left = self.product()?;
        loop {
            let operator = match self.peek() {
                TokenKind::Plus => Arithmetic::Add,
                TokenKind::Minus => Arithmetic::Sub,
                _ => return Ok(left),
            };
            left = self.binary(operator, left, Self::product)?;
        }
    }

    fn product(&mut self) -> Parse<Expression> {
        let mut left = self.power()?;
        loop {
            let operator = match self.peek() {
                TokenKind::Star => Arithmetic::Mul,
                TokenKind::Slash => Arithmetic::Div,
                TokenKind::Word if self.at_word_operator("div") => Arithmetic::WholeDiv,
                TokenKind::Word if self.at_word_operator("mod") => Arithmetic::Mod,
                _ => return Ok(left),
            };
            left = self.binary(operator, left, Self::power)?;
        }
    }

    /// Whether `div` or `mod` stands here as an operator: something to compute with follows.
    fn at_word_operator(&self, word: &str) -> bool {
        self.is_word(word)
            && matches!(
                self.ahead(1),
                TokenKind::Word | TokenKind::Int | TokenKind::Real | TokenKind::Open | TokenKind::Minus
            )
            && self.ahead_text(1) != "is"
    }

    fn binary(
        &mut self,
        operator: Arithmetic,
        left: Expression,
        operand: fn(&mut Self) -> Parse<Expression>,
    ) -> Parse<Expression> {
        let place = self.bump().span;
        self.link(place)?;
        let right = operand(self)?;
        Ok(combined(operator, left, right))
    }

    /// `a ^ b ^ c` is `a ^ (b ^ c)`.
    fn power(&mut self) -> Parse<Expression> {
        let mut operands = vec![self.unary()?];
        while self.peek() == TokenKind::Caret {
            let place = self.bump().span;
            self.link(place)?;
            operands.push(self.unary()?);
        }
        let mut all = operands.pop().expect("there is a first operand");
        while let Some(left) = operands.pop() {
            all = combined(Arithmetic::Power, left, all);
        }
        Ok(all)
    }

    fn unary(&mut self) -> Parse<Expression> {
        if self.peek() != TokenKind::Minus {
            return self.primary();
        }
        let start = self.bump().span;
        if matches!(self.peek(), TokenKind::Int | TokenKind::Real) {
            return Ok(self.literal(Some(start)));
        }
        let inner = self.nested(Self::unary)?;
        let span = start.to(inner.span);
        Ok(Expression { node: ExpressionNode::Negate(Box::new(inner)), span })
    }

    /// A number, with the minus before it.
    fn literal(&mut self, minus: Option<Span>) -> Expression {
        let kind = self.peek();
        let token = self.bump();
        let span = minus.map_or(token.span, |minus| minus.to(token.span));
        let text = if minus.is_some() { format!("-{}", token.node) } else { token.node.to_owned() };
        let whole = if kind == TokenKind::Int { text.parse().ok().map(ExpressionNode::Int) } else { None };
        let fraction = || {
            let value = text.parse::<f64>().ok().filter(|value| value.is_finite() && kind == TokenKind::Real);
            value.map(ExpressionNode::Double)
        };
        let node = whole.or_else(fraction).unwrap_or_else(|| {
            self.report(too_large(span, token.node));
            ExpressionNode::Int(0)
        });
        Expression { node, span }
    }

    fn primary(&mut self) -> Parse<Expression> {
        let start = self.span();
        match self.peek() {
            TokenKind::Int | TokenKind::Real => Ok(self.literal(None)),
            TokenKind::Text => {
                let text = unquoted(self.bump().node);
                Ok(Expression { node: ExpressionNode::Text(text), span: start })
            }
            TokenKind::Question => {
                self.bump();
                Ok(Expression { node: ExpressionNode::Any, span: start })
            }
            TokenKind::Open => {
                self.bump();
                let mut inner = self.nested(Self::sum)?;
                let end = self.expect(TokenKind::Close, "`)`", "close the parenthesis")?;
                inner.span = start.to(end);
                Ok(inner)
            }
            TokenKind::Less => self.class_reference().and_then(|reference| self.after_reference(reference)),
            TokenKind::Word => self.word(),
            TokenKind::DigitWord => {
                let problem = digit_word(start, self.token_text());
                self.refuse(problem);
                let name = owned(self.bump());
                let reference = Reference { node: ReferenceNode::Name(name.node), span: name.span };
                Ok(Expression { node: ExpressionNode::Reference(reference), span: name.span })
            }
            _ => Err(self.unexpected("a value", WHAT_IS_A_VALUE)),
        }
    }

    /// A word that stands for a value, for something with a name, or before a dot.
    fn word(&mut self) -> Parse<Expression> {
        let constant = match self.token_text() {
            _ if self.ahead(1) == TokenKind::Dot => None,
            "true" | "TRUE" | "True" => Some(ExpressionNode::Bool(true)),
            "false" | "FALSE" | "False" => Some(ExpressionNode::Bool(false)),
            "unknown" => Some(ExpressionNode::Unknown),
            _ => None,
        };
        let first = self.bump();
        if let Some(node) = constant {
            return Ok(Expression { node, span: first.span });
        }
        let node = match first.node {
            "current" => ReferenceNode::Current,
            name => ReferenceNode::Name(name.to_owned()),
        };
        self.after_reference(Reference { node, span: first.span })
    }

    /// `.a`, `.m(i)` after a reference; with several dots the last part is the attribute and the rest a dotted name.
    fn after_reference(&mut self, mut reference: Reference) -> Parse<Expression> {
        let mut attribute: Option<Name> = None;
        while self.peek() == TokenKind::Dot {
            self.bump();
            if self.peek() != TokenKind::Word {
                return Err(self.unexpected("an attribute after the `.`", "names start with a letter"));
            }
            let next = owned(self.bump());
            if let Some(part) = attribute.replace(next) {
                let span = reference.span.to(part.span);
                let ReferenceNode::Name(name) = &mut reference.node else {
                    let message = "an attribute of an attribute cannot be read";
                    let help = "compare it with a variable first, then read the variable's attribute";
                    return Err(self.refuse(Problem::error("M0701", span, message, help)));
                };
                name.push('.');
                name.push_str(&part.node);
                reference.span = span;
            }
        }
        let Some(attribute) = attribute else {
            let span = reference.span;
            return Ok(Expression { node: ExpressionNode::Reference(reference), span });
        };
        let span = reference.span.to(attribute.span);
        if self.peek() != TokenKind::Open {
            return Ok(Expression { node: ExpressionNode::Attribute(reference, attribute), span });
        }
        self.bump();
        let index = self.nested(Self::sum)?;
        let end =
            self.expect(TokenKind::Close, "`)` after the index", "a map has one index: `current.m(3)`")?;
        let node = ExpressionNode::Entry(reference, attribute, Box::new(index));
        Ok(Expression { node, span: span.to(end) })
    }

    /// `<Sensor>`
    fn class_reference(&mut self) -> Parse<Reference> {
        let start = self.expect(TokenKind::Less, "`<`", "write `<Class>`")?;
        self.class_reference_after(start)
    }

    /// `Sensor>` after `<`.
    pub(crate) fn class_reference_after(&mut self, start: Span) -> Parse<Reference> {
        let name = self.dotted("the name of a class or group")?;
        let end = self.expect(TokenKind::Greater, "`>`", "every instance of a class is written `<Class>`")?;
        Ok(Reference { node: ReferenceNode::Every(name.node), span: start.to(end) })
    }

    /// Whether a reference can start here.
    pub(crate) fn at_reference(&self) -> bool {
        matches!(self.peek(), TokenKind::Word | TokenKind::Less | TokenKind::Question)
    }

    /// What stands beside a relation.
    pub(crate) fn reference(&mut self) -> Parse<Reference> {
        match self.peek() {
            TokenKind::Less => self.class_reference(),
            TokenKind::Question => {
                let span = self.bump().span;
                Ok(Reference { node: ReferenceNode::Any, span })
            }
            TokenKind::Word if self.is_word("current") && self.ahead(1) != TokenKind::Dot => {
                let span = self.bump().span;
                Ok(Reference { node: ReferenceNode::Current, span })
            }
            _ => {
                let name = self.dotted("an agent, object or variable")?;
                Ok(Reference { node: ReferenceNode::Name(name.node), span: name.span })
            }
        }
    }

    /// `true`, `false`, `unknown`, if it stands here.
    pub(crate) fn truth(&mut self) -> Option<Spanned<Truth>> {
        let truth = truth_of(self.token_text())?;
        Some(Spanned::new(truth, self.bump().span))
    }

    /// A type.
    pub(crate) fn type_of(&mut self, what: &str) -> Parse<Type> {
        let name = self.dotted(&format!("the type of {what}"))?;
        let mut span = name.span;
        let has_inner = self.peek() == TokenKind::Open && ["relation", "java"].contains(&name.node.as_str());
        let node = match name.node.as_str() {
            "relation" if has_inner => TypeNode::Relation(self.inner_type(&mut span)?),
            "java" if has_inner => TypeNode::Java(self.inner_type(&mut span)?),
            "int" => TypeNode::Int,
            "long" => TypeNode::Long,
            "double" | "float" => TypeNode::Double,
            "symbol" => TypeNode::Symbol,
            "string" => TypeNode::Text,
            "boolean" => TypeNode::Boolean,
            "map" => TypeNode::Map,
            _ => TypeNode::Concept(name.node),
        };
        Ok(Type { node, span })
    }

    /// `(T)` as written: types of Java have a grammar of their own.
    fn inner_type(&mut self, span: &mut Span) -> Parse<String> {
        let open = self.expect(TokenKind::Open, "`(`", "write the type in parentheses")?;
        let mut depth = 0_usize;
        while !matches!(self.peek(), TokenKind::Semicolon | TokenKind::OpenBrace | TokenKind::End) {
            match self.peek() {
                TokenKind::Open => depth += 1,
                TokenKind::Close if depth == 0 => {
                    let close = self.bump().span;
                    *span = span.to(close);
                    let inner = &self.text()[open.end as usize..close.start as usize];
                    return Ok(inner.trim().to_owned());
                }
                TokenKind::Close => depth -= 1,
                _ => {}
            }
            self.bump();
        }
        Err(self.unexpected("`)` after the type", "close the parenthesis"))
    }
}

/// A truth as written.
pub(crate) fn truth_of(word: &str) -> Option<Truth> {
    match word {
        "true" | "TRUE" | "True" => Some(Truth::True),
        "false" | "FALSE" | "False" => Some(Truth::False),
        "unknown" => Some(Truth::Unknown),
        _ => None,
    }
}

fn combined(operator: Arithmetic, left: Expression, right: Expression) -> Expression {
    let span = left.span.to(right.span);
    Expression { node: ExpressionNode::Binary(operator, Box::new(left), Box::new(right)), span }
}
