//! Modules and their variables.

use motet_source::{Parse, Problem, Refused, Spanned};

use super::cursor::Cursor;
use crate::lexer::TokenKind;
use crate::syntax::{Declaration, Domain, Item, Module, Renamed};

impl Cursor<'_> {
    /// `module M ... endmodule`, or `module M2 = M1 [x=y] endmodule`.
    pub(crate) fn module(&mut self) -> Parse<Item> {
        let open = self.bump().span;
        let name = self.name("a module's name")?;
        if self.peek() == TokenKind::Equal {
            let renamed = self.renamed(name);
            self.close("endmodule", open, "this module");
            return Ok(Item::Renamed(renamed?));
        }
        let mut module = Module { name, variables: Vec::new(), commands: Vec::new() };
        while !self.at_end() && !self.at_opener() && !self.is_word("endmodule") {
            let before = self.position();
            if self.member(&mut module).is_err() {
                self.skip_statement(before);
                if self.peek() == TokenKind::Word
                    && self.token_text().starts_with("end")
                    && !self.is_word("endmodule")
                {
                    self.bump();
                }
            }
        }
        let what = format!("module `{}`", module.name.node);
        self.close("endmodule", open, &what);
        Ok(Item::Module(module))
    }

    /// A variable or a command.
    fn member(&mut self, module: &mut Module) -> Parse<()> {
        match self.peek() {
            TokenKind::OpenBracket => {
                let command = self.command()?;
                module.commands.push(command);
                Ok(())
            }
            TokenKind::Word if self.ahead(1) == TokenKind::Colon => {
                let declaration = self.declaration()?;
                module.variables.push(declaration);
                Ok(())
            }
            TokenKind::Word if self.is_word("invariant") => {
                let help = "invariants are for timed automata; put the condition into the guards";
                let problem = Problem::error("M0810", self.span(), "`invariant` is not supported", help);
                let refused = self.refuse(problem);
                while !self.at_end() && !self.is_word("endinvariant") {
                    self.bump();
                }
                Err(refused)
            }
            _ => Err(self.unexpected(
                "a variable or a command",
                "variables are `x : [0..5] init 0;`, commands `[label] guard -> update;`",
            )),
        }
    }

    /// `x : [0..5] init 0;`
    pub(crate) fn declaration(&mut self) -> Parse<Declaration> {
        let name = self.name("a variable's name")?;
        self.expect(TokenKind::Colon, "`:` and the type", "write `x : [0..5];` or `b : bool;`")?;
        let domain = if self.eat_word("bool") {
            Domain::Bool
        } else if self.eat(TokenKind::OpenBracket) {
            let low = self.expression()?;
            self.expect(TokenKind::Dots, "`..`", "a range is `[low..high]`")?;
            let high = self.expression()?;
            self.expect(TokenKind::CloseBracket, "`]`", "a range is `[low..high]`")?;
            Domain::Range(low, high)
        } else {
            return Err(self.type_of_variable());
        };
        let initial = if self.eat_word("init") { Some(self.expression()?) } else { None };
        self.semicolon("the variable")?;
        Ok(Declaration { name, domain, initial })
    }

    fn type_of_variable(&mut self) -> Refused {
        match self.token_text() {
            "int" => {
                let help = "give it a range: `[0..10]`";
                let problem =
                    Problem::error("M0810", self.span(), "variables without a range are not supported", help);
                self.refuse(problem)
            }
            "clock" => {
                let help = "clocks are for timed automata; count steps in a variable with a range";
                let problem = Problem::error("M0810", self.span(), "`clock` is not supported", help);
                self.refuse(problem)
            }
            "double" => {
                let help = "variables are `[low..high]` or `bool`";
                let problem = Problem::error("M0810", self.span(), "a variable cannot be `double`", help);
                self.refuse(problem)
            }
            _ => self.unexpected("`[low..high]` or `bool`", "write `x : [0..5];` or `b : bool;`"),
        }
    }

    /// `= M1 [x=y, ...]`
    fn renamed(&mut self, name: Spanned<String>) -> Parse<Renamed> {
        self.bump();
        let base = self.name("the module to copy")?;
        let help = "write the old and new names: `[x=y, a=b]`";
        self.expect(TokenKind::OpenBracket, "`[` and the new names", help)?;
        let mut renames = Vec::new();
        loop {
            let old = self.renamed_word("the old name")?;
            self.expect(TokenKind::Equal, "`=` and the new name", help)?;
            renames.push((old, self.renamed_word("the new name")?));
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::CloseBracket, "`]`", help)?;
        Ok(Renamed { name, base, renames })
    }

    /// Functions may be renamed too, although `min` and `max` are reserved.
    fn renamed_word(&mut self, what: &str) -> Parse<Spanned<String>> {
        if self.is_word("min") || self.is_word("max") {
            let word = self.bump();
            return Ok(Spanned::new(word.node.to_owned(), word.span));
        }
        self.name(what)
    }
}
