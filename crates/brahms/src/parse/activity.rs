//! Activities: primitive ones, moves, communications, and composite ones with frames of their own.

use motet_source::{Parse, Parser as _};

use crate::lexer::TokenKind;
use crate::syntax::{Activity, ActivityKind, Body, Field, Parameter};

use super::cursor::{Cursor, Outer};
use super::section::{Section, section};

const KINDS: &[(&str, ActivityKind)] = &[
    ("primitive_activity", ActivityKind::Primitive),
    ("composite_activity", ActivityKind::Composite),
    ("move", ActivityKind::Move),
    ("communicate", ActivityKind::Communicate),
    ("broadcast", ActivityKind::Broadcast),
    ("java", ActivityKind::Java),
    ("get", ActivityKind::Get),
    ("put", ActivityKind::Put),
    ("gesture", ActivityKind::Gesture),
    ("create_agent", ActivityKind::CreateAgent),
    ("create_object", ActivityKind::CreateObject),
    ("create_area", ActivityKind::CreateArea),
];

/// The sort of activity that a word starts.
pub(crate) fn kind(word: &str) -> Option<ActivityKind> {
    KINDS.iter().find(|(name, _)| *name == word).map(|(_, kind)| *kind)
}

impl Cursor<'_> {
    /// `move goHome(bed b) { location: b; }`
    pub(crate) fn activity(&mut self) -> Parse<Activity> {
        let Some(kind) = kind(self.token_text()) else {
            let names: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
            let help = "activities are written `primitive_activity eat() { max_duration: 60; }`";
            if self.peek() != TokenKind::Word {
                return Err(self.unexpected("an activity", help));
            }
            let message = format!(
                "`{}` is not a kind of activity",
                self.token_text().chars().take(40).collect::<String>()
            );
            return Err(self.unknown_word(&message, &names, help));
        };
        let word = self.bump();
        let name = self.name_of("an activity");
        let parameters = self.parameters()?;
        let mut activity = Activity {
            kind,
            name,
            parameters,
            fields: Vec::new(),
            about: Vec::new(),
            body: Body::default(),
            span: word.span,
        };
        let what = format!("{} `{}`", word.node, activity.name.node);
        self.nested(|cursor| cursor.activity_body(&what, &mut activity))?;
        activity.span = word.span.to(self.last_span());
        Ok(activity)
    }

    fn parameters(&mut self) -> Parse<Vec<Parameter>> {
        const SHAPE: &str = "parameters are written `(Patient pat, int minutes)`";
        self.expect(TokenKind::Open, "`(` after the name of the activity", SHAPE)?;
        let mut parameters = Vec::new();
        if self.eat(TokenKind::Close) {
            return Ok(parameters);
        }
        loop {
            let kind = self.type_of("a parameter")?;
            if self.peek() != TokenKind::Word {
                return Err(self.unexpected("the name of the parameter", SHAPE));
            }
            let name = super::cursor::owned(self.bump());
            parameters.push(Parameter { kind, name });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::Close, "`,` or `)` after a parameter", SHAPE)?;
        Ok(parameters)
    }

    fn activity_body(&mut self, what: &str, activity: &mut Activity) -> Parse<()> {
        let composite = activity.kind == ActivityKind::Composite;
        let outer = if composite { Outer::Declaration } else { Outer::Member };
        let mut present: Option<Section> = None;
        self.block(what, outer, |cursor| {
            if cursor.peek() != TokenKind::Word || cursor.ahead(1) != TokenKind::Colon {
                if composite {
                    return cursor.entry(&mut activity.body, present);
                }
                return Err(cursor.unexpected("a field", "fields are written `max_duration: 60;`"));
            }
            if let (true, Some(section)) = (composite, section(cursor.token_text())) {
                cursor.bump();
                cursor.bump();
                present = Some(section);
                return Ok(());
            }
            cursor.field(activity)
        })
    }

    /// `max_duration: 60;`
    fn field(&mut self, activity: &mut Activity) -> Parse<()> {
        let name = super::cursor::owned(self.bump());
        self.bump();
        let what = format!("`{}`", name.node);
        if name.node == "about" {
            while self.peek() != TokenKind::Semicolon {
                activity.about.push(self.transfer()?);
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            return self.semicolon(&what);
        }
        let mut values = Vec::new();
        while !matches!(self.peek(), TokenKind::Semicolon | TokenKind::CloseBrace) {
            values.push(self.expression()?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        activity.fields.push(Field { name, values });
        self.semicolon(&what)
    }
}
