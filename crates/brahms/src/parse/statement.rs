//! What is said of objects (`x.a = v`, `x R y is true`), and where it is said: initial beliefs, guards, detectables,
//! transfers and conclusions.

use motet_model::Ratio;
use motet_source::{Parse, Parser as _, Problem, Span, Spanned};

use crate::lexer::TokenKind;
use crate::syntax::{
    Comparison, Conclude, Detectable, Expression, ExpressionNode, Initial, Modifier, Name, Precondition,
    Reference, ReferenceNode, Statement, Transfer, Truth,
};

use super::cursor::{Cursor, Outer};

const SHAPE_OF_CONDITION: &str = "a condition is written `knownval(x.a = v)` or `knownval(x relation y)`";

impl Cursor<'_> {
    /// `x.a = v`, `x.a`, `x R y is true`
    fn statement(&mut self) -> Parse<Statement> {
        let left = self.expression()?;
        if let Some((operator, right)) = self.comparison()? {
            return Ok(Statement::Compare { left, operator, right });
        }
        if self.is_word("is") && truth_follows(self) {
            return Ok(self.is_truth(left));
        }
        let word_follows = self.peek() == TokenKind::Word && !self.is_word("and") && !self.is_word("or");
        if let (true, Some(subject)) = (word_follows, as_reference(&left)) {
            return self.relation(subject);
        }
        Ok(Statement::Alone(left))
    }

    /// The operator and what follows it, if an operator stands here.
    fn comparison(&mut self) -> Parse<Option<(Spanned<Comparison>, Expression)>> {
        let operator = match self.peek() {
            TokenKind::Equal => Comparison::Eq,
            TokenKind::NotEqual => Comparison::Ne,
            TokenKind::Less => Comparison::Lt,
            TokenKind::LessEqual => Comparison::Le,
            // `x.a =<Sensor>` compares with a class variable.
            TokenKind::EqualLess
                if self.ahead(1) == TokenKind::Word && self.ahead(2) == TokenKind::Greater =>
            {
                return self.compared_with_class().map(Some);
            }
            TokenKind::EqualLess => Comparison::Le,
            TokenKind::Greater => Comparison::Gt,
            TokenKind::GreaterEqual | TokenKind::EqualGreater => Comparison::Ge,
            TokenKind::Foreign => match self.foreign_comparison() {
                Some(operator) => operator,
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        let place = self.bump().span;
        let right = self.expression()?;
        Ok(Some((Spanned::new(operator, place), right)))
    }

    fn compared_with_class(&mut self) -> Parse<(Spanned<Comparison>, Expression)> {
        let both = self.bump().span;
        let equal = Span { end: both.start + 1, ..both };
        let less = Span { start: both.start + 1, ..both };
        let reference = self.class_reference_after(less)?;
        let span = reference.span;
        let right = Expression { node: ExpressionNode::Reference(reference), span };
        Ok((Spanned::new(Comparison::Eq, equal), right))
    }

    /// `==`, `:=` and `<>`, which other languages write.
    fn foreign_comparison(&mut self) -> Option<Comparison> {
        let (operator, right) = match self.token_text() {
            "==" | ":=" => (Comparison::Eq, "="),
            "<>" => (Comparison::Ne, "!="),
            _ => return None,
        };
        let span = self.span();
        let message = format!("`{}` is not an operator of Brahms", self.token_text());
        self.report(Problem::error("M0707", span, message, format!("write `{right}`")).fix(span, right));
        Some(operator)
    }

    /// `x.a is true` says the same as `x.a = true`.
    fn is_truth(&mut self, left: Expression) -> Statement {
        let operator = Spanned::new(Comparison::Eq, self.bump().span);
        let truth = self.truth().expect("the caller has seen it");
        let node = match truth.node {
            Truth::True => ExpressionNode::Bool(true),
            Truth::False => ExpressionNode::Bool(false),
            Truth::Unknown => ExpressionNode::Unknown,
        };
        Statement::Compare { left, operator, right: Expression { node, span: truth.span } }
    }

    /// `R y is true` after the subject.
    fn relation(&mut self, subject: Reference) -> Parse<Statement> {
        let relation = self.name_of("a relation");
        let has_object = self.at_reference() && !(self.is_word("is") && truth_follows(self));
        let object = if has_object { Some(self.reference()?) } else { None };
        let mut truth = None;
        if self.eat_word("is") {
            truth = self.truth();
            if truth.is_none() {
                return Err(self.unexpected(
                    "`true`, `false` or `unknown` after `is`",
                    "write `(x relation y is true)`",
                ));
            }
        }
        Ok(Statement::Related { subject, relation, object, truth })
    }

    /// A statement in parentheses of its own. Where they are missing it is read all the same.
    fn enclosed(&mut self) -> Parse<Statement> {
        if self.eat(TokenKind::Open) {
            let statement = self.nested(Self::statement)?;
            self.expect(TokenKind::Close, "`)`", SHAPE_OF_CONDITION)?;
            return Ok(statement);
        }
        let start = self.span();
        let statement = self.statement()?;
        let span = start.to(self.last_span());
        let text = self.text().get(span.start as usize..span.end as usize).unwrap_or_default().to_owned();
        self.report(
            Problem::warning(
                "M0711",
                span,
                "a condition stands in parentheses of its own",
                "write the parentheses; Brahms compilers ask for them",
            )
            .fix(span, format!("({text})")),
        );
        Ok(statement)
    }

    /// `(x.a = v);` among initial beliefs and facts.
    pub(crate) fn initial(&mut self) -> Parse<Initial> {
        let start = self.expect(
            TokenKind::Open,
            "an initial belief or fact",
            "initial beliefs and facts are written `(x.a = v);`",
        )?;
        let statement = self.statement()?;
        let end =
            self.expect(TokenKind::Close, "`)`", "initial beliefs and facts are written `(x.a = v);`")?;
        self.semicolon("an initial belief or fact")?;
        Ok(Initial { statement, span: start.to(end) })
    }

    /// `when(c and c)`
    pub(crate) fn guard(&mut self, guard: &mut Vec<Precondition>) -> Parse<()> {
        self.expect(TokenKind::Open, "`(` after `when`", "a guard is written `when(knownval(x.a = v))`")?;
        if self.eat(TokenKind::Close) {
            return Ok(());
        }
        self.conjunction(guard)?;
        self.expect(TokenKind::Close, "`and` or `)`", SHAPE_OF_CONDITION)?;
        Ok(())
    }

    fn conjunction(&mut self, guard: &mut Vec<Precondition>) -> Parse<()> {
        loop {
            // Parentheses around several conditions add nothing.
            let is_group = self.peek() == TokenKind::Open
                && modifier(self.ahead_text(1)).is_some()
                && self.ahead(2) == TokenKind::Open;
            if is_group {
                self.bump();
                self.nested(|cursor| cursor.conjunction(guard))?;
                self.expect(TokenKind::Close, "`and` or `)`", SHAPE_OF_CONDITION)?;
            } else {
                let precondition = self.precondition()?;
                guard.push(precondition);
            }
            if !self.and()? {
                return Ok(());
            }
        }
    }

    /// `and`, or what other languages write for it.
    fn and(&mut self) -> Parse<bool> {
        if self.eat_word("and") {
            return Ok(true);
        }
        let span = self.span();
        match self.token_text() {
            "&" | "&&" => {
                let message = format!("`{}` is not an operator of Brahms", self.token_text());
                self.report(Problem::error("M0707", span, message, "write `and`").fix(span, "and"));
                self.bump();
                Ok(true)
            }
            "or" | "|" | "||" => {
                let help = "write a second frame with the other condition";
                Err(self.refuse(Problem::error("M0707", span, "a guard has no \"or\"", help)))
            }
            _ => Ok(false),
        }
    }

    fn precondition(&mut self) -> Parse<Precondition> {
        let start = self.span();
        let mut found = None;
        if self.ahead(1) == TokenKind::Open {
            if let Some(modifier) = modifier(self.token_text()) {
                found = Some(Spanned::new(modifier, self.bump().span));
            } else if self.peek() == TokenKind::Word {
                let known = ["knownval", "known", "unknown", "not"];
                let message = format!("`{}` is not a kind of condition", self.token_text());
                return Err(self.unknown_word(&message, &known, SHAPE_OF_CONDITION));
            }
        }
        let statement = self.enclosed()?;
        Ok(Precondition { modifier: found, statement, span: start.to(self.last_span()) })
    }

    /// `send(x.a = v)`
    pub(crate) fn transfer(&mut self) -> Parse<Transfer> {
        let start = self.span();
        let send = match self.token_text() {
            "send" => true,
            "receive" => false,
            _ => return Err(self.unexpected("`send` or `receive`", "write `send(x.a = x.a)`")),
        };
        self.bump();
        self.expect(TokenKind::Open, "`(`", "write `send(x.a = x.a)`")?;
        // Some write the parentheses twice, as in `conclude((..))`.
        let twice = self.eat(TokenKind::Open);
        let statement = self.statement()?;
        if twice {
            self.expect(TokenKind::Close, "`)`", "write `send(x.a = x.a)`")?;
        }
        let end = self.expect(TokenKind::Close, "`)`", "write `send(x.a = x.a)`")?;
        Ok(Transfer { send, statement, span: start.to(end) })
    }

    /// `conclude((x.a = v), bc:100, fc:0);`
    pub(crate) fn conclude(&mut self) -> Parse<Conclude> {
        const SHAPE: &str = "write `conclude((x.a = v), bc:100, fc:100);`";
        let start = self.bump().span;
        self.expect(TokenKind::Open, "`(` after `conclude`", SHAPE)?;
        let statement = self.enclosed()?;
        let (mut belief, mut fact) = (None, None);
        while self.eat(TokenKind::Comma) {
            let word = self.token_text();
            if !matches!(word, "bc" | "fc") {
                return Err(self.unexpected("`bc:` or `fc:`", SHAPE));
            }
            let certainty = self.certainty()?;
            let slot = if word == "bc" { &mut belief } else { &mut fact };
            if slot.replace(certainty).is_some() {
                self.twice(word);
            }
        }
        self.expect(TokenKind::Close, "`)`", SHAPE)?;
        let span = start.to(self.last_span());
        self.semicolon("a conclusion")?;
        Ok(Conclude { statement, belief, fact, span })
    }

    /// `bc:100`: the percentage.
    fn certainty(&mut self) -> Parse<Spanned<f64>> {
        let word = self.bump().node.to_owned();
        self.expect(TokenKind::Colon, &format!("`:` after `{word}`"), "write `bc:100`")?;
        let number = self.fraction("a certainty")?;
        if number.node.is_negative() || number.node > Ratio::whole(100) {
            self.report(Problem::error(
                "M0709",
                number.span,
                format!("a certainty of {} is not a percentage", number.node),
                "certainties go from 0 (never) to 100 (always)",
            ));
        } else if !number.node.is_whole() {
            self.report(Problem::error(
                "M0709",
                number.span,
                format!("a certainty of {} is not a whole percentage", number.node),
                "certainties are whole numbers from 0 (never) to 100 (always)",
            ));
        }
        Ok(Spanned::new(number.node.to_f64(), number.span))
    }

    /// `detectable d { when(whenever) detect((x.a = v), dc:100) then abort; }`
    pub(crate) fn detectable(&mut self) -> Parse<Detectable> {
        let start = self.bump().span;
        let name = self.name_of("a detectable");
        let what = format!("detectable `{}`", name.node);
        let mut found = Found::default();
        self.block(&what, Outer::Detectable, |cursor| cursor.detectable_part(&mut found))?;
        let span = start.to(self.last_span());
        let Some(statement) = found.statement else {
            let message = format!("{what} detects nothing");
            let problem =
                Problem::error("M0708", name.span, message, "write `detect((x.a = v)) then abort;`");
            return Err(self.refuse(problem));
        };
        Ok(Detectable { name, at: found.at, statement, certainty: found.certainty, then: found.then, span })
    }

    fn detectable_part(&mut self, found: &mut Found) -> Parse<()> {
        const SHAPE: &str = "write `when(whenever) detect((x.a = v), dc:100) then abort;`";
        let next = self.ahead(1);
        match self.token_text() {
            "when" if next == TokenKind::Open => {
                self.bump();
                self.bump();
                if !self.eat_word("whenever") && self.peek() != TokenKind::Close {
                    found.at = Some(self.number("the part of the frame's time")?);
                }
                self.expect(TokenKind::Close, "`)` after `when(`", SHAPE)?;
                Ok(())
            }
            "detect" if next == TokenKind::Open => {
                self.bump();
                self.bump();
                found.statement = Some(self.enclosed()?);
                while self.eat(TokenKind::Comma) {
                    if !self.is_word("dc") {
                        return Err(self.unexpected("`dc:`", SHAPE));
                    }
                    found.certainty = Some(self.certainty()?);
                }
                self.expect(TokenKind::Close, "`)` after `detect(`", SHAPE)?;
                Ok(())
            }
            "then" => {
                self.bump();
                found.then = Some(self.name_of("what is done then"));
                // The brace ends it as well.
                if self.peek() == TokenKind::CloseBrace { Ok(()) } else { self.semicolon("a detectable") }
            }
            "display" if next == TokenKind::Colon => {
                self.bump();
                self.bump();
                self.text_value("display")?;
                self.semicolon("`display`")
            }
            _ => Err(self.unexpected("a part of a detectable", SHAPE)),
        }
    }

    /// Warns of a part that is given a second time.
    pub(crate) fn twice(&mut self, what: &str) {
        let problem = Problem::warning(
            "M0713",
            self.last_span(),
            format!("`{what}` is given twice"),
            "the last one counts; remove the other",
        );
        self.report(problem);
    }
}

/// The parts of a detectable as they are found.
#[derive(Default)]
struct Found {
    at: Option<Spanned<f64>>,
    statement: Option<Statement>,
    certainty: Option<Spanned<f64>>,
    then: Option<Name>,
}

fn truth_follows(cursor: &Cursor<'_>) -> bool {
    super::expression::truth_of(cursor.ahead_text(1)).is_some()
}

fn modifier(word: &str) -> Option<Modifier> {
    match word {
        "known" => Some(Modifier::Known),
        "unknown" => Some(Modifier::Unknown),
        "knownval" | "knownVal" => Some(Modifier::KnownValue),
        "not" => Some(Modifier::Not),
        _ => None,
    }
}

/// An expression as the subject of a relation; `p.q` is a dotted name there.
fn as_reference(expression: &Expression) -> Option<Reference> {
    match &expression.node {
        ExpressionNode::Reference(reference) => Some(reference.clone()),
        ExpressionNode::Any => Some(Reference { node: ReferenceNode::Any, span: expression.span }),
        ExpressionNode::Attribute(Reference { node: ReferenceNode::Name(package), .. }, name) => {
            let dotted = format!("{package}.{}", name.node);
            Some(Reference { node: ReferenceNode::Name(dotted), span: expression.span })
        }
        _ => None,
    }
}
