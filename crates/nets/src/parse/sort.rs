//! Sorts.

use motet_source::Parse;

use super::Parser;
use super::strength::SUM;
use super::words::RESERVED;
use crate::lexer::TokenKind;
use crate::syntax::{TypeNode, TypeText};

impl Parser<'_> {
    pub(super) fn sort(&mut self) -> Parse<TypeText> {
        self.deeper(Self::sort_here)
    }

    fn sort_here(&mut self) -> Parse<TypeText> {
        let start = self.span();
        let help = "sorts are `int`, `int 0..5`, `bool`, `token`, `class`, `agent`, `set of T`, `(a: T, b: T)` and \
                    declared names";
        let node = match (self.peek(), self.token_text()) {
            (TokenKind::Word, "int") => {
                self.bump();
                TypeNode::Int(self.bounds()?)
            }
            (TokenKind::Word, "bool") => self.simple(TypeNode::Bool),
            (TokenKind::Word, "token") => self.simple(TypeNode::Token),
            (TokenKind::Word, "class") => self.simple(TypeNode::Class),
            (TokenKind::Word, "agent") => self.simple(TypeNode::Agent),
            (TokenKind::Word, "set") => {
                self.bump();
                self.expect_word("of", "write `set of T`")?;
                TypeNode::Set(Box::new(self.sort()?))
            }
            (TokenKind::Word | TokenKind::DigitWord, _) => TypeNode::Named(self.name("a sort")?.node),
            (TokenKind::Open, _) => {
                self.bump();
                TypeNode::Record(self.list(TokenKind::Close, "`)` after the fields", Self::field)?)
            }
            _ => return Err(self.unexpected("a sort", help)),
        };
        Ok(TypeText { node, span: self.since(start) })
    }

    fn simple(&mut self, node: TypeNode) -> TypeNode {
        self.bump();
        node
    }

    /// `0..5` behind `int`, if it is there.
    fn bounds(&mut self) -> Parse<Option<(Box<crate::syntax::Expression>, Box<crate::syntax::Expression>)>> {
        let text = self.token_text();
        let starts = match self.peek() {
            TokenKind::Int | TokenKind::DigitWord | TokenKind::Minus | TokenKind::Open => true,
            // `int capacity 2` bounds the place, `int capacity..2` the number.
            TokenKind::Word if text == "capacity" => self.ahead(1) == TokenKind::Dots,
            TokenKind::Word => !RESERVED.contains(&text) && !self.at_item() && !self.at_member(),
            _ => false,
        };
        if !starts {
            return Ok(None);
        }
        self.new_chain();
        let low = self.climb(SUM)?;
        self.expect(TokenKind::Dots, "`..`", "the least and the greatest number: `int 0..5`")?;
        let high = self.climb(SUM)?;
        Ok(Some((Box::new(low), Box::new(high))))
    }
}
