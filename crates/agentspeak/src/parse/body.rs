//! Bodies of plans.

use motet_source::{Parse, Parser as _, Span};

use crate::lexer::TokenKind;
use crate::syntax::{ConditionTree, FormulaKind, FormulaTree, TermKind};

use super::cursor::Cursor;
use super::expression::{Mixed, is_word};

const WHAT_IS_A_FORMULA: &str = "a formula is an action `move(X)`, `!g`, `?p(X)`, `+b`, `-b`, an internal action `.print(X)` or `X = Y + 1`";

impl Cursor<'_> {
    /// Formulas separated by `;` up to whatever ends them. A formula that cannot be read is reported and left out.
    pub(crate) fn body(&mut self) -> Vec<FormulaTree> {
        let mut body = Vec::new();
        loop {
            self.new_chain();
            let before = self.span();
            let read = self.formula();
            let understood = read.is_ok();
            match read {
                Ok(Some(formula)) => body.push(formula),
                Ok(None) => {}
                Err(_) => self.skip_formula(before),
            }
            let block = matches!(
                body.last().map(|formula| &formula.kind),
                Some(FormulaKind::If(..) | FormulaKind::While(..) | FormulaKind::For(..))
            );
            if self.eat(TokenKind::Semicolon) {
                if self.ends_body() {
                    return body;
                }
            } else if self.ends_body() {
                return body;
            } else if !block {
                if !understood || !self.opens_formula() {
                    return body;
                }
                self.forgotten(";", "the formula");
            }
        }
    }

    /// Whether a formula starts in a line of its own. At the margin it may be a clause after a forgotten full stop.
    fn opens_formula(&self) -> bool {
        let starts = matches!(
            self.peek(),
            TokenKind::Bang
                | TokenKind::Question
                | TokenKind::Plus
                | TokenKind::Minus
                | TokenKind::Name
                | TokenKind::Internal
                | TokenKind::Variable
        );
        starts && self.opens_line() && !self.at_margin()
    }

    fn ends_body(&self) -> bool {
        matches!(self.peek(), TokenKind::Dot | TokenKind::CloseBrace | TokenKind::End) || self.starts_clause()
    }

    /// Goes on at the next `;`, or at the end of the body.
    fn skip_formula(&mut self, before: Span) {
        if self.span() == before && !self.ends_body() && self.peek() != TokenKind::Semicolon {
            if self.peek() == TokenKind::OpenBrace {
                self.skip_block();
            } else {
                self.bump();
            }
        }
        self.skip_until(|cursor| cursor.peek() == TokenKind::Semicolon || cursor.ends_body());
    }

    fn skip_block(&mut self) {
        self.bump();
        self.skip_until(|cursor| cursor.peek() == TokenKind::CloseBrace);
        self.eat(TokenKind::CloseBrace);
    }

    /// One formula; `true` is none.
    fn formula(&mut self) -> Parse<Option<FormulaTree>> {
        let start = self.span();
        let kind = match self.peek() {
            TokenKind::Bang => {
                self.bump();
                if self.eat(TokenKind::Bang) {
                    FormulaKind::AchieveNew(self.literal()?)
                } else {
                    FormulaKind::Achieve(self.literal()?)
                }
            }
            TokenKind::Question => {
                self.bump();
                FormulaKind::Test(self.condition()?)
            }
            TokenKind::Plus => {
                self.bump();
                self.refuse_placed_belief(start, '+')?;
                FormulaKind::Add(self.literal()?)
            }
            TokenKind::Minus => {
                self.bump();
                if self.eat(TokenKind::Plus) {
                    FormulaKind::Replace(self.literal()?)
                } else {
                    self.refuse_placed_belief(start, '-')?;
                    FormulaKind::Delete(self.literal()?)
                }
            }
            TokenKind::OpenBrace => {
                return Err(self.refuse(
                    "M0406",
                    start,
                    "a block of its own is not supported here",
                    "write its formulas without the braces, or give them a plan and post its goal",
                ));
            }
            TokenKind::Name if self.opens_block("if") => {
                return self.nested(Self::branch).map(Some);
            }
            TokenKind::Name if self.opens_block("while") => {
                let (condition, body) = self.nested(Self::guarded_block)?;
                FormulaKind::While(condition, body)
            }
            TokenKind::Name if self.opens_block("for") => {
                let (condition, body) = self.nested(Self::guarded_block)?;
                FormulaKind::For(condition, body)
            }
            _ => return self.plain_formula(),
        };
        Ok(Some(FormulaTree { kind, span: start.to(self.last_span()) }))
    }

    /// Whether the word opens a block here; an action may have the same name.
    fn opens_block(&self, word: &str) -> bool {
        self.is_word(word)
            && !matches!(
                self.ahead(1),
                TokenKind::Semicolon | TokenKind::Dot | TokenKind::CloseBrace | TokenKind::End
            )
    }

    /// `++b`, `+<b`, `+>b`: Jason's other ways to place a belief.
    fn refuse_placed_belief(&mut self, start: Span, sign: char) -> Parse<()> {
        if !matches!(self.peek(), TokenKind::Plus | TokenKind::Minus | TokenKind::Less | TokenKind::Greater) {
            return Ok(());
        }
        let span = start.to(self.span());
        let message = format!("`{sign}{}` is not supported", self.token_text());
        Err(self.refuse("M0406", span, message, "write `+b`, `-b` or `-+b`"))
    }

    /// An action, an internal action, a relation or `true`.
    fn plain_formula(&mut self) -> Parse<Option<FormulaTree>> {
        let start = self.span();
        let mixed = match self.peek() {
            TokenKind::Dot | TokenKind::CloseBrace | TokenKind::Semicolon | TokenKind::End => {
                return Err(self.unexpected("a formula", WHAT_IS_A_FORMULA));
            }
            _ => self.relation()?,
        };
        let kind = match mixed {
            Mixed::Term(term) => match term.kind {
                TermKind::Structure(literal) if is_word(&literal, "true") => return Ok(None),
                TermKind::Structure(literal) => FormulaKind::Action(*literal),
                TermKind::Variable(name) => {
                    return Err(self.refuse(
                        "M0408",
                        term.span,
                        format!("`{name}` stands where a formula is needed"),
                        WHAT_IS_A_FORMULA,
                    ));
                }
                _ => {
                    return Err(self.refuse(
                        "M0402",
                        term.span,
                        "a term stands where a formula is needed",
                        WHAT_IS_A_FORMULA,
                    ));
                }
            },
            Mixed::Condition(ConditionTree::Internal(internal), _) => FormulaKind::Internal(internal),
            Mixed::Condition(ConditionTree::Relation(operator, a, b), _) => {
                FormulaKind::Relation(operator, a, b)
            }
            Mixed::Condition(_, span) => {
                return Err(self.refuse(
                    "M0402",
                    span,
                    "a condition stands where a formula is needed",
                    "test it with `?(..)`, or choose with `if (..) { .. }`",
                ));
            }
        };
        Ok(Some(FormulaTree { kind, span: start.to(self.last_span()) }))
    }

    /// `if (c) { .. } elif (c) { .. } else { .. }`
    fn branch(&mut self) -> Parse<FormulaTree> {
        let start = self.span();
        let (condition, then) = self.guarded_block()?;
        let mut otherwise = Vec::new();
        let elif = self.is_word("elif") && self.ahead(1) == TokenKind::Open;
        if elif {
            otherwise.push(self.nested(Self::branch)?);
        } else if self.is_word("else") && self.ahead(1) == TokenKind::Name && self.ahead_text(1) == "if" {
            self.bump();
            otherwise.push(self.nested(Self::branch)?);
        } else if self.eat_word("else") {
            otherwise = self.block()?;
        }
        let span = start.to(self.last_span());
        Ok(FormulaTree { kind: FormulaKind::If(condition, then, otherwise), span })
    }

    /// The word, `(condition) { body }`.
    fn guarded_block(&mut self) -> Parse<(ConditionTree, Vec<FormulaTree>)> {
        self.bump();
        self.expect(TokenKind::Open, "`(`", "the condition stands in parentheses")?;
        let condition = self.condition()?;
        self.expect(TokenKind::Close, "`)` after the condition", "the condition stands in parentheses")?;
        let body = self.block()?;
        Ok((condition, body))
    }

    fn block(&mut self) -> Parse<Vec<FormulaTree>> {
        self.expect(TokenKind::OpenBrace, "`{`", "the formulas stand in braces: `if (c) { a; b }`")?;
        if self.eat(TokenKind::CloseBrace) {
            return Ok(Vec::new());
        }
        let body = self.nested(|cursor| Ok(cursor.body()))?;
        self.expect(TokenKind::CloseBrace, "`;` or `}`", "the formulas stand in braces: `if (c) { a; b }`")?;
        Ok(body)
    }
}
