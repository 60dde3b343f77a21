//! Workframes and thoughtframes.

use motet_source::{Parse, Problem, Spanned};

use crate::lexer::TokenKind;
use crate::syntax::{Action, Frame, Quantifier, Repeat, Truth, Variable};

use super::cursor::{Cursor, Outer};

const SHAPE_OF_FRAME: &str =
    "a frame is written `workframe wf { repeat: true; when(knownval(x.a = v)) do { act(); } }`";

/// Which list of a frame is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    Variables,
    Detectables,
}

/// What a frame has once.
#[derive(Default)]
struct Once {
    guard: bool,
    body: bool,
    list: Option<List>,
}

impl Cursor<'_> {
    /// `workframe wf { ... }`
    pub(crate) fn frame(&mut self, word: &str) -> Parse<Frame> {
        if !self.is_word(word) {
            return Err(self.unexpected(&format!("a {word}"), SHAPE_OF_FRAME));
        }
        let start = self.bump().span;
        let name = self.name_of(&format!("a {word}"));
        let mut frame = Frame {
            name,
            display: None,
            kind: None,
            repeat: None,
            priority: None,
            variables: Vec::new(),
            detectables: Vec::new(),
            guard: Vec::new(),
            body: Vec::new(),
            span: start,
        };
        let what = format!("{word} `{}`", frame.name.node);
        let mut once = Once::default();
        self.block(&what, Outer::Member, |cursor| cursor.frame_part(&mut frame, &mut once))?;
        frame.span = start.to(self.last_span());
        if !once.body {
            let problem = Problem::error(
                "M0708",
                frame.name.span,
                format!("{what} does nothing"),
                "write `do { ... }`",
            );
            self.refuse(problem);
        }
        Ok(frame)
    }

    fn frame_part(&mut self, frame: &mut Frame, once: &mut Once) -> Parse<()> {
        let next = self.ahead(1);
        let word = self.token_text();
        match word {
            "when" if next == TokenKind::Open => {
                self.bump();
                once.list = None;
                if std::mem::replace(&mut once.guard, true) {
                    self.joined("when");
                }
                self.guard(&mut frame.guard)
            }
            "do" if next == TokenKind::OpenBrace => {
                self.bump();
                once.list = None;
                if std::mem::replace(&mut once.body, true) {
                    self.joined("do");
                }
                self.block("`do`", Outer::Detectable, |cursor| cursor.action(&mut frame.body))
            }
            _ if next == TokenKind::Colon && self.peek() == TokenKind::Word => self.frame_field(frame, once),
            _ => match once.list {
                Some(List::Variables) => {
                    frame.variables.push(self.variable()?);
                    Ok(())
                }
                Some(List::Detectables) if word == "detectable" => {
                    frame.detectables.push(self.detectable()?);
                    Ok(())
                }
                _ if word == "detectable" => {
                    let help = "write `detectables:` before it";
                    let message = "this `detectable` stands outside a section `detectables:`";
                    let problem = Problem::error("M0701", self.span(), message, help);
                    self.refuse(problem);
                    frame.detectables.push(self.detectable()?);
                    Ok(())
                }
                _ => Err(self.unexpected("a part of the frame", SHAPE_OF_FRAME)),
            },
        }
    }

    fn frame_field(&mut self, frame: &mut Frame, once: &mut Once) -> Parse<()> {
        const FIELDS: &[&str] =
            &["display", "type", "repeat", "priority", "variables", "detectables", "when", "do"];
        let word = self.token_text();
        if !FIELDS[..6].contains(&word) {
            let message = format!("a frame has no `{word}`");
            return Err(self.unknown_word(&message, FIELDS, SHAPE_OF_FRAME));
        }
        self.bump();
        self.bump();
        once.list = match word {
            "variables" => Some(List::Variables),
            "detectables" => Some(List::Detectables),
            _ => None,
        };
        let again = match word {
            "display" => frame.display.replace(self.text_value(word)?).is_some(),
            "type" => frame.kind.replace(self.name_of("the type of a frame")).is_some(),
            "repeat" => frame.repeat.replace(self.repeat()?).is_some(),
            "priority" => frame.priority.replace(self.number("`priority`")?).is_some(),
            _ => return Ok(()),
        };
        if again {
            self.twice(word);
        }
        self.semicolon(&format!("`{word}`"))
    }

    fn repeat(&mut self) -> Parse<Spanned<Repeat>> {
        let repeat = match super::expression::truth_of(self.token_text()) {
            Some(Truth::True) => Repeat::True,
            Some(Truth::False) => Repeat::False,
            _ if self.is_word("once") => Repeat::Once,
            _ => {
                return Err(
                    self.unexpected("`true`, `false` or `once` for `repeat`", "write `repeat: true;`")
                );
            }
        };
        Ok(Spanned::new(repeat, self.bump().span))
    }

    /// `forone(Patient) pat;`
    fn variable(&mut self) -> Parse<Variable> {
        const SHAPE: &str = "variables are written `forone(Patient) pat;`";
        let quantifier = match self.token_text() {
            "forone" => Quantifier::ForOne,
            "foreach" => Quantifier::ForEach,
            "collectall" => Quantifier::CollectAll,
            _ if self.peek() == TokenKind::Word && self.ahead(1) == TokenKind::Open => {
                let message = format!("`{}` does not bind a variable", self.token_text());
                return Err(self.unknown_word(&message, &["forone", "foreach", "collectall"], SHAPE));
            }
            _ => return Err(self.unexpected("a variable", SHAPE)),
        };
        self.bump();
        self.expect(TokenKind::Open, "`(` and a type", SHAPE)?;
        let kind = self.type_of("a variable")?;
        self.expect(TokenKind::Close, "`)` after the type", SHAPE)?;
        if self.peek() != TokenKind::Word {
            return Err(self.unexpected("the name of the variable", SHAPE));
        }
        let name = super::cursor::owned(self.bump());
        if self.peek() == TokenKind::OpenBrace {
            self.display_block(&mut None)?;
            self.eat(TokenKind::Semicolon);
        } else {
            self.semicolon("a variable")?;
        }
        Ok(Variable { quantifier, kind, name })
    }

    /// One statement of `do { ... }`.
    fn action(&mut self, body: &mut Vec<Action>) -> Parse<()> {
        const SHAPE: &str = "write `conclude((x.a = v));` or call an activity: `eat();`";
        if self.peek() != TokenKind::Word {
            return Err(self.unexpected("a conclusion or an activity", SHAPE));
        }
        if self.is_word("conclude") && self.ahead(1) == TokenKind::Open {
            body.push(Action::Conclude(self.conclude()?));
            return Ok(());
        }
        if self.is_word("delete") && self.ahead(1) == TokenKind::Word {
            self.bump();
            let name = self.dotted("what to delete")?;
            body.push(Action::Delete(name));
            return self.semicolon("`delete`");
        }
        let name = self.dotted("an activity")?;
        self.expect(TokenKind::Open, "`(` after the name of an activity", SHAPE)?;
        let mut arguments = Vec::new();
        if self.peek() != TokenKind::Close {
            arguments.push(self.expression()?);
            while self.eat(TokenKind::Comma) {
                arguments.push(self.expression()?);
            }
        }
        let end = self.expect(TokenKind::Close, "`,` or `)` after an argument", SHAPE)?;
        let span = name.span.to(end);
        let what = format!("`{}(..)`", name.node);
        body.push(Action::Do { name, arguments, span });
        self.semicolon(&what)
    }

    fn joined(&mut self, word: &str) {
        let problem = Problem::warning(
            "M0713",
            self.last_span(),
            format!("`{word}` is given twice"),
            "the parts are joined; write them as one",
        );
        self.report(problem);
    }
}
