//! The sections of a concept or of a composite activity. They come in any order and any number of times, and may be
//! empty; sections of one kind are joined.

use motet_source::{Parse, Problem, Spanned};

use crate::lexer::TokenKind;
use crate::syntax::{Attribute, Body, Visibility};

use super::cursor::{Cursor, Outer};

/// A section that lists things.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    Attributes,
    Relations,
    InitialBeliefs,
    InitialFacts,
    Activities,
    Workframes,
    Thoughtframes,
    Detectables,
}

const LISTS: &[(&str, Section)] = &[
    ("attributes", Section::Attributes),
    ("relations", Section::Relations),
    ("initial_beliefs", Section::InitialBeliefs),
    ("initial_facts", Section::InitialFacts),
    ("activities", Section::Activities),
    ("workframes", Section::Workframes),
    ("thoughtframes", Section::Thoughtframes),
    ("detectables", Section::Detectables),
];

const SECTIONS: &[&str] = &[
    "display",
    "icon",
    "cost",
    "time_unit",
    "resource",
    "location",
    "attributes",
    "relations",
    "initial_beliefs",
    "initial_facts",
    "activities",
    "workframes",
    "thoughtframes",
    "detectables",
];

/// The section of this name.
pub(crate) fn section(word: &str) -> Option<Section> {
    LISTS.iter().find(|(name, _)| *name == word).map(|(_, section)| *section)
}

fn heading(section: Section) -> &'static str {
    LISTS.iter().find(|(_, other)| *other == section).map_or("", |(name, _)| name)
}

impl Cursor<'_> {
    /// The body of a concept.
    pub(crate) fn body(&mut self, what: &str, body: &mut Body) -> Parse<()> {
        let mut present = None;
        self.block(what, Outer::Declaration, |cursor| {
            if cursor.peek() == TokenKind::Word && cursor.ahead(1) == TokenKind::Colon {
                cursor.heading_or_field(body, &mut present)
            } else {
                cursor.entry(body, present)
            }
        })
    }

    fn heading_or_field(&mut self, body: &mut Body, present: &mut Option<Section>) -> Parse<()> {
        let word = self.token_text();
        if let Some(section) = section(word) {
            self.bump();
            self.bump();
            *present = Some(section);
            return Ok(());
        }
        if !SECTIONS.contains(&word) {
            let message = format!("there is no section `{word}`");
            let help =
                "sections are `attributes:`, `initial_beliefs:`, `activities:`, `workframes:` and so on";
            return Err(self.unknown_word(&message, SECTIONS, help));
        }
        self.bump();
        self.bump();
        let again = match word {
            "display" => body.display.replace(self.text_value(word)?).is_some(),
            "icon" => body.icon.replace(self.text_value(word)?).is_some(),
            "cost" => body.cost.replace(self.fraction("`cost`")?).is_some(),
            "time_unit" => body.time_unit.replace(self.fraction("`time_unit`")?).is_some(),
            "resource" => body.resource.replace(self.boolean("`resource`")?).is_some(),
            _ => body.location.replace(self.dotted("an area")?).is_some(),
        };
        if again {
            self.twice(word);
        }
        self.semicolon(&format!("`{word}`"))
    }

    /// `true` or `false`
    pub(crate) fn boolean(&mut self, what: &str) -> Parse<Spanned<bool>> {
        use crate::syntax::Truth;
        match super::expression::truth_of(self.token_text()) {
            Some(Truth::True) => Ok(Spanned::new(true, self.bump().span)),
            Some(Truth::False) => Ok(Spanned::new(false, self.bump().span)),
            _ => Err(self.unexpected(&format!("`true` or `false` for {what}"), "write `true` or `false`")),
        }
    }

    /// One thing of a section. What plainly belongs to another section goes there, with a word about it.
    pub(crate) fn entry(&mut self, body: &mut Body, present: Option<Section>) -> Parse<()> {
        let word = self.token_text();
        let shape = if self.at_member() {
            match word {
                "workframe" => Some(Section::Workframes),
                "thoughtframe" => Some(Section::Thoughtframes),
                _ => Some(Section::Activities),
            }
        } else {
            match word {
                "detectable" if self.ahead(2) == TokenKind::OpenBrace => Some(Section::Detectables),
                // A frame or a detectable without a name.
                "workframe" if self.ahead(1) == TokenKind::OpenBrace => Some(Section::Workframes),
                "thoughtframe" if self.ahead(1) == TokenKind::OpenBrace => Some(Section::Thoughtframes),
                "detectable" if self.ahead(1) == TokenKind::OpenBrace => Some(Section::Detectables),
                _ => None,
            }
        };
        if let (Some(shape), true) = (shape, shape != present) {
            let span = self.span();
            let message = format!("this `{word}` stands outside a section `{}:`", heading(shape));
            let help = format!("write `{}:` before it", heading(shape));
            self.refuse(Problem::error("M0701", span, message, help));
        }
        self.entry_of(shape.or(present), body)
    }

    fn entry_of(&mut self, section: Option<Section>, body: &mut Body) -> Parse<()> {
        match section {
            Some(Section::Attributes) => body.attributes.push(self.attribute()?),
            Some(Section::Relations) => body.relations.push(self.attribute()?),
            Some(Section::InitialBeliefs) => body.initial_beliefs.push(self.initial()?),
            Some(Section::InitialFacts) => body.initial_facts.push(self.initial()?),
            Some(Section::Activities) => body.activities.push(self.activity()?),
            Some(Section::Workframes) => body.workframes.push(self.frame("workframe")?),
            Some(Section::Thoughtframes) => body.thoughtframes.push(self.frame("thoughtframe")?),
            Some(Section::Detectables) => {
                if !self.is_word("detectable") {
                    let help = "write `detectable d { when(whenever) detect((x.a = v)) then abort; }`";
                    return Err(self.unexpected("a detectable", help));
                }
                body.detectables.push(self.detectable()?);
            }
            None => {
                let help =
                    "sections are `attributes:`, `initial_beliefs:`, `activities:`, `workframes:` and so on";
                return Err(self.unexpected("a section", help));
            }
        }
        Ok(())
    }

    /// `public int time;`
    fn attribute(&mut self) -> Parse<Attribute> {
        const SHAPE: &str = "write `public int time;`";
        let visibility = match self.token_text() {
            _ if self.ahead(1) != TokenKind::Word => None,
            "public" => Some(Visibility::Public),
            "protected" => Some(Visibility::Protected),
            "private" => Some(Visibility::Private),
            _ => None,
        };
        // `private x;` would be an attribute of the type `private`, which nobody means.
        if visibility.is_some() {
            self.bump();
        }
        let kind = self.type_of("an attribute")?;
        if self.peek() != TokenKind::Word {
            return Err(self.unexpected("the name of the attribute", SHAPE));
        }
        let name = super::cursor::owned(self.bump());
        let mut display = None;
        if self.peek() == TokenKind::OpenBrace {
            self.display_block(&mut display)?;
        }
        if self.last_is_brace() {
            self.eat(TokenKind::Semicolon);
        } else {
            self.semicolon("an attribute")?;
        }
        Ok(Attribute { visibility: visibility.unwrap_or_default(), kind, name, display })
    }

    fn last_is_brace(&self) -> bool {
        self.last_span().start < self.last_span().end
            && self.text()[self.last_span().start as usize..].starts_with('}')
    }

    /// `{ display: "text"; }` after an attribute or a variable.
    pub(crate) fn display_block(&mut self, display: &mut Option<Spanned<String>>) -> Parse<()> {
        self.block("a display", Outer::Detectable, |cursor| {
            let word = cursor.token_text();
            if cursor.peek() != TokenKind::Word || cursor.ahead(1) != TokenKind::Colon {
                return Err(cursor.unexpected("`display:`", "write `{ display: \"text\"; }`"));
            }
            cursor.bump();
            cursor.bump();
            let text = cursor.text_value(word)?;
            if word == "display" {
                *display = Some(text);
            }
            cursor.semicolon("a display")
        })
    }
}
