//! A file: package, imports and declarations.

use motet_source::{Parse, Problem, Refused, Spanned, unquoted};

use crate::lexer::TokenKind;
use crate::syntax::{Body, Concept, ConceptKind, Declaration, Import, Name, PathDeclaration, Unit};

use super::cursor::{Cursor, Outer};

const DECLARATIONS: &[&str] = &[
    "package",
    "import",
    "jimport",
    "external",
    "group",
    "agent",
    "class",
    "object",
    "conceptual_class",
    "conceptual_object",
    "areadef",
    "area",
    "path",
];

const WHAT_IS_DECLARED: &str = "a file declares groups, agents, classes, objects, areas and paths, such as `agent Bob memberof Person { }`";

impl Cursor<'_> {
    /// The whole file.
    pub(crate) fn unit(&mut self) -> Unit {
        let mut unit = Unit::default();
        while !self.at_end() {
            if self.eat(TokenKind::Semicolon) {
                continue;
            }
            if self.top(&mut unit).is_err() && !self.at_declaration() {
                self.skip_to_declaration();
            }
        }
        unit
    }

    fn top(&mut self, unit: &mut Unit) -> Parse<()> {
        let start = self.span();
        match self.token_text() {
            "package" => {
                self.bump();
                unit.package = Some(self.dotted("the name of the package")?);
                self.semicolon("the package")
            }
            "import" | "jimport" => {
                let java = self.bump().node == "jimport";
                unit.imports.push(self.import(java)?);
                self.semicolon("an import")
            }
            "external" if self.ahead_text(1) == "agent" => {
                self.bump();
                self.bump();
                let name = self.name_of("an external agent");
                let parents =
                    if self.eat_word("memberof") { self.dotted_list("a group")? } else { Vec::new() };
                let span = start.to(self.last_span());
                let concept = Concept {
                    kind: ConceptKind::ExternalAgent,
                    name,
                    parents,
                    part_of: Vec::new(),
                    body: Body::default(),
                    span,
                };
                unit.declarations.push(Declaration::Concept(concept));
                self.semicolon("an external agent")
            }
            "path" => {
                let path = self.path()?;
                unit.declarations.push(Declaration::Path(path));
                Ok(())
            }
            word => match concept_kind(word) {
                Some(kind) => {
                    let concept = self.concept(kind)?;
                    unit.declarations.push(Declaration::Concept(concept));
                    Ok(())
                }
                None => Err(self.undeclared()),
            },
        }
    }

    /// Something stands between declarations.
    fn undeclared(&mut self) -> Refused {
        if self.peek() == TokenKind::CloseBrace {
            let help = "remove it, or look for a `{` that is missing before it";
            let problem = Problem::error("M0702", self.span(), "this `}` closes nothing", help);
            return self.refuse(problem);
        }
        let shortened = self.token_text().chars().take(40).collect::<String>();
        if self.peek() == TokenKind::Word && self.ahead(1) == TokenKind::Word && !self.at_member() {
            let message = format!("`{shortened}` declares nothing");
            return self.unknown_word(&message, DECLARATIONS, WHAT_IS_DECLARED);
        }
        self.unexpected("a declaration", WHAT_IS_DECLARED)
    }

    fn import(&mut self, java: bool) -> Parse<Import> {
        if self.peek() == TokenKind::Star {
            let span = self.bump().span;
            return Ok(Import { name: Name::new(String::new(), span), all: true, java });
        }
        let name = self.dotted("what to import")?;
        let mut all = false;
        if self.eat(TokenKind::Dot) {
            self.expect(TokenKind::Star, "a name or `*`", "write `import package.*;`")?;
            all = true;
        }
        Ok(Import { name, all, java })
    }

    fn concept(&mut self, kind: ConceptKind) -> Parse<Concept> {
        let word = self.bump();
        let name = self.name_of(&with_article(kind));
        let (mut parents, mut part_of) = (Vec::new(), Vec::new());
        while self.peek() == TokenKind::Word {
            match self.token_text() {
                "memberof" | "extends" | "instanceof" => {
                    self.check_parent_word(kind);
                    self.bump();
                    parents.extend(self.dotted_list("the name of a parent")?);
                }
                "partof" => {
                    self.bump();
                    part_of.extend(self.dotted_list("the name of the whole")?);
                }
                _ => break,
            }
        }
        let what = format!("{} `{}`", word.node, name.node);
        let mut body = Body::default();
        self.body(&what, &mut body)?;
        Ok(Concept { kind, name, parents, part_of, body, span: word.span.to(self.last_span()) })
    }

    /// Each sort of concept has a word of its own for its parents.
    fn check_parent_word(&mut self, kind: ConceptKind) {
        let right = parent_word(kind);
        if self.token_text() != right {
            let span = self.span();
            let message = format!("{} has no `{}`", with_article(kind), self.token_text());
            self.report(Problem::error("M0710", span, message, format!("write `{right}`")).fix(span, right));
        }
    }

    /// `path p { area1: a; area2: b; distance: 3; }`
    fn path(&mut self) -> Parse<PathDeclaration> {
        let start = self.bump().span;
        let name = self.name_of("a path");
        let mut path = PathDeclaration { name, area1: None, area2: None, distance: None, span: start };
        let what = format!("path `{}`", path.name.node);
        self.block(&what, Outer::Declaration, |cursor| cursor.path_field(&mut path))?;
        path.span = start.to(self.last_span());
        Ok(path)
    }

    fn path_field(&mut self, path: &mut PathDeclaration) -> Parse<()> {
        const FIELDS: &[&str] = &["area1", "area2", "distance", "display", "icon"];
        const SHAPE: &str = "a path is written `path p { area1: a; area2: b; distance: 10; }`";
        if self.peek() != TokenKind::Word || self.ahead(1) != TokenKind::Colon {
            return Err(self.unexpected("a part of the path", SHAPE));
        }
        let word = self.token_text();
        if !FIELDS.contains(&word) {
            let message = format!("a path has no `{word}`");
            return Err(self.unknown_word(&message, FIELDS, SHAPE));
        }
        self.bump();
        self.bump();
        let again = match word {
            "area1" => path.area1.replace(self.dotted("an area")?).is_some(),
            "area2" => path.area2.replace(self.dotted("an area")?).is_some(),
            "distance" => path.distance.replace(self.number("the distance")?).is_some(),
            _ => {
                self.text_value(word)?;
                false
            }
        };
        if again {
            self.twice(word);
        }
        self.semicolon(&format!("`{word}`"))
    }

    /// A text, or a single word where a text is meant.
    pub(crate) fn text_value(&mut self, what: &str) -> Parse<Spanned<String>> {
        match self.peek() {
            TokenKind::Text => {
                let token = self.bump();
                Ok(Spanned::new(unquoted(token.node), token.span))
            }
            // Reported where texts are read; the rest of the line is lost.
            TokenKind::OpenText => {
                let token = self.bump();
                Ok(Spanned::new(unquoted(token.node), token.span))
            }
            TokenKind::Word => {
                let token = self.bump();
                Ok(Spanned::new(token.node.to_owned(), token.span))
            }
            _ => Err(self.unexpected(&format!("a text for `{what}`"), "texts are written in double quotes")),
        }
    }
}

fn concept_kind(word: &str) -> Option<ConceptKind> {
    Some(match word {
        "group" => ConceptKind::Group,
        "agent" => ConceptKind::Agent,
        "class" => ConceptKind::Class,
        "object" => ConceptKind::Object,
        "conceptual_class" => ConceptKind::ConceptualClass,
        "conceptual_object" => ConceptKind::ConceptualObject,
        "areadef" => ConceptKind::AreaDefinition,
        "area" => ConceptKind::Area,
        _ => return None,
    })
}

fn parent_word(kind: ConceptKind) -> &'static str {
    match kind {
        ConceptKind::Group | ConceptKind::Agent | ConceptKind::ExternalAgent => "memberof",
        ConceptKind::Class | ConceptKind::ConceptualClass | ConceptKind::AreaDefinition => "extends",
        ConceptKind::Object | ConceptKind::ConceptualObject | ConceptKind::Area => "instanceof",
    }
}

fn with_article(kind: ConceptKind) -> String {
    match kind {
        ConceptKind::Group => "a group",
        ConceptKind::Agent => "an agent",
        ConceptKind::ExternalAgent => "an external agent",
        ConceptKind::Class => "a class",
        ConceptKind::Object => "an object",
        ConceptKind::ConceptualClass => "a conceptual class",
        ConceptKind::ConceptualObject => "a conceptual object",
        ConceptKind::AreaDefinition => "an area definition",
        ConceptKind::Area => "an area",
    }
    .to_owned()
}
