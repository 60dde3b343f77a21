//! `system ... endsystem`

use motet_source::{Parse, Parser as _, Spanned};

use super::cursor::Cursor;
use crate::lexer::TokenKind;
use crate::syntax::{Composition, CompositionNode};

impl Cursor<'_> {
    /// `a || b`, which binds weakest.
    pub(crate) fn composition(&mut self) -> Parse<Composition> {
        self.nested(|cursor| {
            cursor.composed(TokenKind::Parallel, Self::interleaved, CompositionNode::Parallel)
        })
    }

    fn interleaved(&mut self) -> Parse<Composition> {
        self.composed(TokenKind::Interleave, Self::synchronised, CompositionNode::Interleaved)
    }

    fn composed(
        &mut self,
        sign: TokenKind,
        part: fn(&mut Self) -> Parse<Composition>,
        node: fn(Vec<Composition>) -> CompositionNode,
    ) -> Parse<Composition> {
        let first = part(self)?;
        if self.peek() != sign {
            return Ok(first);
        }
        let mut span = first.span;
        let mut parts = vec![first];
        while self.eat(sign) {
            let next = part(self)?;
            span = span.to(next.span);
            parts.push(next);
        }
        Ok(Composition { node: node(parts), span })
    }

    /// `a |[x, y]| b`, from the left.
    fn synchronised(&mut self) -> Parse<Composition> {
        let mut left = self.hidden()?;
        let mut links = 0_usize;
        while self.eat(TokenKind::OpenSync) {
            let labels = self.labels()?;
            self.expect(TokenKind::CloseSync, "`]|`", "write `M1 |[a, b]| M2`")?;
            let right = self.hidden()?;
            links += 1;
            if links > super::cursor::LIMIT_DEPTH {
                return Err(self.unexpected("fewer parts", "put parentheses around parts of the system"));
            }
            let span = left.span.to(right.span);
            let node = CompositionNode::Synchronised(Box::new(left), labels, Box::new(right));
            left = Composition { node, span };
        }
        Ok(left)
    }

    /// `a / {x}` and `a {x <- y}`
    fn hidden(&mut self) -> Parse<Composition> {
        let mut inner = self.basic()?;
        for _ in 0..super::cursor::LIMIT_DEPTH {
            let node = if self.eat(TokenKind::Slash) {
                self.expect(TokenKind::OpenBrace, "`{`", "labels are hidden with `M / {a, b}`")?;
                CompositionNode::Hidden(Box::new(inner.clone()), self.labels()?)
            } else if self.eat(TokenKind::OpenBrace) {
                CompositionNode::Renamed(Box::new(inner.clone()), self.new_labels()?)
            } else {
                return Ok(inner);
            };
            let end = self.expect(TokenKind::CloseBrace, "`}`", "close the brace")?;
            inner = Composition { node, span: inner.span.to(end) };
        }
        Err(self.unexpected("the end of the renamings", "write them in one pair of braces"))
    }

    fn basic(&mut self) -> Parse<Composition> {
        if self.peek() == TokenKind::Open {
            let start = self.bump().span;
            let inner = self.composition()?;
            let end = self.expect(TokenKind::Close, "`)`", "close the parenthesis")?;
            return Ok(Composition { node: inner.node, span: start.to(end) });
        }
        let name = self.name("a module")?;
        Ok(Composition { node: CompositionNode::Module(name.node), span: name.span })
    }

    fn labels(&mut self) -> Parse<Vec<Spanned<String>>> {
        let mut labels = vec![self.name("a label")?];
        while self.eat(TokenKind::Comma) {
            labels.push(self.name("a label")?);
        }
        Ok(labels)
    }

    /// `a <- b, c <- d`
    fn new_labels(&mut self) -> Parse<Vec<(Spanned<String>, Spanned<String>)>> {
        let mut pairs = Vec::new();
        loop {
            let old = self.name("a label")?;
            self.expect(TokenKind::BackArrow, "`<-`", "labels are renamed with `M {old <- new}`")?;
            pairs.push((old, self.name("the new label")?));
            if !self.eat(TokenKind::Comma) {
                return Ok(pairs);
            }
        }
    }
}
