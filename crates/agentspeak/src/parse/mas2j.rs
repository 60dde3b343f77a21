//! Jason project files, read as teams. Java classes cannot be run; each one is named in a warning with a way out.

use motet_source::{FileId, Parse, Parser as _, Problem, Problems, Span, Spanned, unquoted};

use crate::lexer::TokenKind;
use crate::syntax::{AgentTree, Literal, MemberTree, TeamTree};

use super::cursor::Cursor;

const SECTIONS: [&str; 8] = [
    "infrastructure",
    "environment",
    "executionControl",
    "agents",
    "aslSourcePath",
    "classpath",
    "directives",
    "platform",
];

const SHAPE: &str = "a project reads `MAS name { agents: bob worker.asl #3; }`";

/// Reads a Jason project.
#[must_use]
pub fn parse_mas2j(file: FileId, text: &str) -> (TeamTree, Problems) {
    let mut cursor = Cursor::new(file, text, "M0512");
    let mut tree = TeamTree::default();
    // What could not be read was reported; the rest of the tree stands.
    let _ = cursor.project(&mut tree);
    (tree, cursor.into_problems())
}

impl Cursor<'_> {
    fn project(&mut self, tree: &mut TeamTree) -> Parse<()> {
        if !self.eat_word("MAS") {
            return Err(self.unexpected("`MAS`", SHAPE));
        }
        tree.name = Some(self.name("the project's name", SHAPE)?);
        self.expect(TokenKind::OpenBrace, "`{`", SHAPE)?;
        while !self.at_end() && self.peek() != TokenKind::CloseBrace {
            if self.section(tree).is_err() {
                self.skip_until(|cursor| cursor.peek() == TokenKind::CloseBrace || cursor.at_section());
            }
        }
        self.expect(TokenKind::CloseBrace, "`}` at the end of the project", SHAPE)?;
        if !self.at_end() {
            return Err(self.unexpected("the end of the file", SHAPE));
        }
        Ok(())
    }

    fn at_section(&self) -> bool {
        self.ahead(1) == TokenKind::Colon && SECTIONS.contains(&self.token_text())
    }

    fn section(&mut self, tree: &mut TeamTree) -> Parse<()> {
        if !self.at_section() {
            let word = self.token_text();
            let help = match motet_source::suggest(word, SECTIONS) {
                Some(near) if near != word => format!("did you mean `{near}`?"),
                Some(near) => format!("write `{near}:`"),
                None => SHAPE.to_owned(),
            };
            let refused = self.unexpected("a section", &help);
            self.bump();
            return Err(refused);
        }
        let word = self.bump();
        self.bump();
        match word.node {
            "agents" => self.members(tree),
            "environment" => {
                let class = self.class()?;
                self.warn_environment(&class);
                self.skip_section();
                Ok(())
            }
            "executionControl" | "directives" => {
                let class = self.skip_section();
                self.problems.push(Problem::warning(
                    "M0522",
                    word.span.to(class),
                    format!("the section `{}` is ignored", word.node),
                    "leave it out, or expect the checker to interleave the agents in every order",
                ));
                Ok(())
            }
            // How and where agents run, and where files lie, changes nothing in what they may do.
            _ => {
                self.skip_section();
                Ok(())
            }
        }
    }

    /// Skips to the next section; returns the last span.
    fn skip_section(&mut self) -> Span {
        self.skip_until(|cursor| cursor.peek() == TokenKind::CloseBrace || cursor.at_section());
        self.last_span()
    }

    fn warn_environment(&mut self, class: &Spanned<String>) {
        self.problems.push(Problem::warning(
            "M0520",
            class.span,
            format!("the Java environment `{}` is ignored", class.node),
            "declare what it does in a .team file beside this one: `env NAME { percept .. action .. }`",
        ));
    }

    /// `pkg.Class("a", 1)`, with its arguments.
    fn class(&mut self) -> Parse<Spanned<String>> {
        let name = self.path("write the name of a Java class")?;
        if self.peek() == TokenKind::Open {
            self.skip_until(|cursor| {
                matches!(cursor.peek(), TokenKind::Close | TokenKind::CloseBrace | TokenKind::Semicolon)
            });
            self.eat(TokenKind::Close);
        }
        Ok(Spanned::new(name.node, name.span))
    }

    fn members(&mut self, tree: &mut TeamTree) -> Parse<()> {
        while !self.at_end() && self.peek() != TokenKind::CloseBrace && !self.at_section() {
            if self.eat(TokenKind::Semicolon) {
                continue;
            }
            if let Ok(member) = self.project_member() {
                tree.agents.push(member);
            } else {
                self.skip_until(|cursor| {
                    matches!(cursor.peek(), TokenKind::Semicolon | TokenKind::CloseBrace)
                        || cursor.at_section()
                });
            }
        }
        Ok(())
    }

    /// `bob worker.asl [beliefs="p,q"] agentArchClass C #3;`
    fn project_member(&mut self) -> Parse<MemberTree> {
        let name = self.name("an agent's name", SHAPE)?;
        let mut member = MemberTree { name, file: None, count: None, extra: None };
        let is_class = |word: &str| {
            matches!(word, "agentArchClass" | "agentClass" | "beliefBaseClass" | "at" | "mindInspector")
        };
        let has_file = matches!(self.peek(), TokenKind::Dotted | TokenKind::Text)
            || (matches!(self.peek(), TokenKind::Name | TokenKind::Dot | TokenKind::DotDot)
                && !is_class(self.token_text()));
        if has_file {
            member.file = Some(self.path(SHAPE)?);
        }
        loop {
            match self.peek() {
                TokenKind::OpenBracket => self.member_options(&mut member)?,
                TokenKind::Hash => {
                    self.bump();
                    if self.peek() != TokenKind::Int {
                        return Err(self.unexpected("how many", SHAPE));
                    }
                    member.count = Some(self.integer()?);
                }
                TokenKind::Name if self.token_text() == "at" => {
                    self.bump();
                    self.bump();
                }
                TokenKind::Name if is_class(self.token_text()) => {
                    let word = self.bump();
                    let class = self.class()?;
                    self.problems.push(Problem::warning(
                        "M0521",
                        word.span.to(class.span),
                        format!("the Java class `{}` of {} is ignored", class.node, member.name.node),
                        "what it changes has to be said in the .asl or .team file",
                    ));
                }
                _ => break,
            }
        }
        if self.peek() != TokenKind::CloseBrace {
            self.expect(TokenKind::Semicolon, "`;` after the agent", SHAPE)?;
        }
        Ok(member)
    }

    /// `[beliefs="p,q", verbose=1]`
    fn member_options(&mut self, member: &mut MemberTree) -> Parse<()> {
        self.bump();
        while !self.eat(TokenKind::CloseBracket) {
            let key = self.name("an option", "options read `[beliefs=\"p,q\", goals=\"g\", verbose=1]`")?;
            self.expect(TokenKind::Equal, "`=`", "options read `[beliefs=\"p,q\", goals=\"g\", verbose=1]`")?;
            if !matches!(
                self.peek(),
                TokenKind::Text | TokenKind::Int | TokenKind::Name | TokenKind::Variable | TokenKind::Dotted
            ) {
                return Err(
                    self.unexpected("a value", "options read `[beliefs=\"p,q\", goals=\"g\", verbose=1]`")
                );
            }
            let value = self.bump();
            match key.node.as_str() {
                "beliefs" | "goals" if value.node.starts_with('"') => {
                    let literals = self.quoted_literals(&value);
                    let extra = member.extra.get_or_insert_with(AgentTree::default);
                    if key.node == "beliefs" {
                        extra.beliefs.extend(literals);
                    } else {
                        extra.goals.extend(literals);
                    }
                }
                "verbose" | "synchronised" | "nrcbp" | "logLevel" => {}
                _ => self.problems.push(Problem::warning(
                    "M0522",
                    key.span.to(value.span),
                    format!("the option `{}` is ignored", key.node),
                    "leave it out; `beliefs`, `goals` and the number of agents are understood",
                )),
            }
            if !self.eat(TokenKind::Comma) {
                self.expect(
                    TokenKind::CloseBracket,
                    "`,` or `]`",
                    "options read `[beliefs=\"p,q\", verbose=1]`",
                )?;
                break;
            }
        }
        Ok(())
    }

    /// The literals of a text, separated by commas or full stops.
    fn quoted_literals(&mut self, value: &Spanned<&str>) -> Vec<Literal> {
        let text = unquoted(value.node);
        let mut inner = Cursor::inside(self.file(), &text, value.span.start as usize + 1, "M0512");
        let mut literals = Vec::new();
        while !inner.at_end() {
            inner.eat(TokenKind::Bang);
            match inner.literal() {
                Ok(literal) => literals.push(literal),
                Err(_) => inner.skip_until(|inner| matches!(inner.peek(), TokenKind::Comma | TokenKind::Dot)),
            }
            if !(inner.eat(TokenKind::Comma) || inner.eat(TokenKind::Dot) || inner.at_end()) {
                inner.unexpected("`,`", "literals are separated by commas: \"p(1), q\"");
                break;
            }
        }
        self.problems.extend(inner.into_problems());
        literals
    }
}
