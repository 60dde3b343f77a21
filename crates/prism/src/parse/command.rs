//! Commands: `[label] guard -> 0.5 : (x'=1) + 0.5 : (x'=2);`

use motet_source::{Parse, Problem, Spanned};

use super::cursor::Cursor;
use crate::lexer::TokenKind;
use crate::syntax::{Assignment, Command, Update};

impl Cursor<'_> {
    pub(crate) fn command(&mut self) -> Parse<Command> {
        let start = self.bump().span;
        let label = match self.peek() {
            TokenKind::CloseBracket => None,
            _ => Some(self.name("a label")?),
        };
        self.expect(TokenKind::CloseBracket, "`]`", "a label stands in brackets: `[go]`")?;
        let guard = self.expression()?;
        self.expect(TokenKind::Arrow, "`->`", "a command is `[label] guard -> update;`")?;
        let mut updates = vec![self.update()?];
        while self.eat(TokenKind::Plus) {
            updates.push(self.update()?);
        }
        let span = start.to(self.last_span());
        self.semicolon("the command")?;
        Ok(Command { label, guard, updates, span })
    }

    fn update(&mut self) -> Parse<Update> {
        let start = self.span();
        if self.peek() == TokenKind::OpenBracket {
            let help = "give each chance one value; intervals are not supported";
            let problem = Problem::error("M0810", start, "a chance cannot be an interval", help);
            return Err(self.refuse(problem));
        }
        let bare = self.at_assignments() || self.at_nothing();
        let chance = if bare {
            None
        } else {
            let chance = self.expression()?;
            self.expect(TokenKind::Colon, "`:` and the update", "an update is `chance : (x'=1) & (y'=2)`")?;
            Some(chance)
        };
        let assignments = self.assignments()?;
        Ok(Update { chance, assignments, span: start.to(self.last_span()) })
    }

    /// `(x'=` or `x'=`
    fn at_assignments(&self) -> bool {
        matches!(
            (self.peek(), self.ahead(1), self.ahead(2)),
            (TokenKind::Open, TokenKind::Word | TokenKind::DigitWord, TokenKind::Prime)
                | (TokenKind::Word, TokenKind::Prime, _)
        )
    }

    /// `true` as an update: nothing changes.
    fn at_nothing(&self) -> bool {
        self.is_word("true")
            && matches!(self.ahead(1), TokenKind::Semicolon | TokenKind::Plus | TokenKind::End)
    }

    fn assignments(&mut self) -> Parse<Vec<Assignment>> {
        if self.eat_word("true") {
            return Ok(Vec::new());
        }
        let mut assignments = Vec::new();
        loop {
            assignments.push(self.assignment()?);
            if self.peek() == TokenKind::Foreign && self.token_text() == "&&" {
                let problem =
                    Problem::error("M0806", self.span(), "`&&` is not an operator of PRISM", "write `&`")
                        .fix(self.span(), "&");
                self.refuse(problem);
                self.bump();
            } else if !self.eat(TokenKind::And) {
                return Ok(assignments);
            }
        }
    }

    fn assignment(&mut self) -> Parse<Assignment> {
        let help = "an update is `(x'=1) & (y'=2)`, or `true` where nothing changes";
        if self.peek() == TokenKind::Word && self.ahead(1) == TokenKind::Prime {
            let problem = Problem::error("M0801", self.span(), "an assignment stands in parentheses", help);
            self.report(problem);
            let variable = self.changed()?;
            let value = self.expression()?;
            return Ok(Assignment { variable, value });
        }
        self.expect(TokenKind::Open, "`(` and an assignment", help)?;
        let variable = self.changed()?;
        let value = self.expression()?;
        self.expect(TokenKind::Close, "`)`", help)?;
        Ok(Assignment { variable, value })
    }

    /// `x'=`
    fn changed(&mut self) -> Parse<Spanned<String>> {
        let variable = self.name("a variable")?;
        let help = "the new value of `x` is written `(x'=1)`";
        self.expect(TokenKind::Prime, "`'`", help)?;
        self.expect(TokenKind::Equal, "`=` and the new value", help)?;
        Ok(variable)
    }
}
