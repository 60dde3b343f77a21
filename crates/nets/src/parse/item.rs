//! Declarations at the top level.

use motet_source::{Parse, Problem, Refused};

use super::Parser;
use crate::lexer::TokenKind;
use crate::syntax::{Definition, Enumeration, Expression, Field, Item, Name, Port, Symmetry, Text};

impl Parser<'_> {
    /// A whole text.
    pub(super) fn text(&mut self) -> Text {
        let mut text = Text::default();
        while !self.at_end() {
            let start = self.position();
            self.set_braces(0);
            match self.item() {
                Ok(item) => text.items.extend(item),
                Err(Refused) if self.position() == start && self.peek() == TokenKind::CloseBrace => {
                    self.bump();
                }
                Err(Refused) => {
                    self.skip_part(start, 0, Self::at_item);
                    self.eat(TokenKind::CloseBrace);
                }
            }
        }
        text
    }

    fn item(&mut self) -> Parse<Option<Item>> {
        let help =
            "a text declares `enum`, `type`, `const`, `port`, `def`, nets, aspects, roles and mediators";
        if self.peek() != TokenKind::Word {
            return Err(self.unexpected("a declaration", help));
        }
        Ok(Some(match self.token_text() {
            "enum" | "interchangeable" => Item::Enumeration(self.enumeration()?),
            "type" => {
                self.bump();
                let name = self.name("a sort's name")?;
                self.equal("what the sort is")?;
                let sort = self.sort()?;
                self.semicolon("the sort")?;
                Item::Type(name, sort)
            }
            "const" => {
                self.bump();
                let name = self.name("a constant's name")?;
                self.equal("its value")?;
                let value = self.formula()?;
                self.semicolon("the constant")?;
                Item::Constant(name, value)
            }
            "port" => Item::Port(self.port()?),
            "def" => Item::Definition(self.definition()?),
            "agent" | "system" => Item::Net(self.net()?),
            "aspect" => Item::Aspect(self.aspect()?),
            "role" => Item::Role(self.role()?),
            "mediator" => Item::Mediator(self.mediator()?),
            "property" => {
                self.property();
                return Ok(None);
            }
            "place" | "cell" | "transition" => {
                let message = format!("a `{}` belongs into a net", self.token_text());
                let help = "write it inside `system net N() { ... }` or `agent net N() { ... }`";
                let problem = Problem::error("M1001", self.span(), message, help);
                return Err(self.refuse(problem));
            }
            _ => return Err(self.unexpected("a declaration", help)),
        }))
    }

    /// A whole expression, whose operators are counted afresh.
    pub(super) fn formula(&mut self) -> Parse<Expression> {
        self.new_chain();
        self.expression()
    }

    pub(super) fn equal(&mut self, what: &str) -> Parse<()> {
        self.expect(TokenKind::Equal, "`=`", &format!("write {what} after `=`")).map(|_| ())
    }

    fn enumeration(&mut self) -> Parse<Enumeration> {
        let symmetry =
            if self.eat_word("interchangeable") { Symmetry::Interchangeable } else { Symmetry::Distinct };
        self.expect_word("enum", "only an `enum` is `interchangeable`")?;
        let name = self.name("a sort's name")?;
        self.equal("its members")?;
        self.expect(TokenKind::OpenBrace, "`{`", "the members stand in braces: `{a, b}`")?;
        let members = self.list(TokenKind::CloseBrace, "`}` after the members", |parser| {
            parser.name("the name of a member")
        })?;
        self.semicolon("the enumeration")?;
        Ok(Enumeration { name, members, symmetry })
    }

    fn port(&mut self) -> Parse<Port> {
        self.bump();
        let name = self.name("a port's name")?;
        let fields = self.fields("what it carries: `port pay(card: int);`")?;
        self.semicolon("the port")?;
        Ok(Port { name, fields })
    }

    /// `(a: T, b: T)`
    pub(super) fn fields(&mut self, what: &str) -> Parse<Vec<Field>> {
        self.expect(TokenKind::Open, "`(`", &format!("write in parentheses {what}"))?;
        self.list(TokenKind::Close, "`)`", Self::field)
    }

    pub(super) fn field(&mut self) -> Parse<Field> {
        let name = self.name("a name")?;
        self.expect(TokenKind::Colon, "`:` and a sort", "write `name: sort`")?;
        let sort = self.sort()?;
        Ok(Field { name, sort })
    }

    fn definition(&mut self) -> Parse<Definition> {
        self.bump();
        let name = self.name("a name")?;
        let parameters = if self.eat(TokenKind::Open) {
            self.list(TokenKind::Close, "`)` after the parameters", |parser| parser.name("a parameter"))?
        } else {
            Vec::<Name>::new()
        };
        self.equal("what it stands for")?;
        let body = self.formula()?;
        self.semicolon("the definition")?;
        Ok(Definition { name, parameters, body })
    }

    /// A claim. Its formula is of another language and is passed over.
    fn property(&mut self) {
        let span = self.span();
        let help = "move it into a file that ends with `.props`, beside this one";
        self.report(Problem::error("M1008", span, "claims are not part of a net", help));
        let start = self.position();
        self.skip_part(start, 0, |_| false);
    }
}
