//! Spin's formulas: `ltl name { ... }` blocks, or a bare formula as given to `spin -f`. Both are read with the precedence
//! of the inline blocks.

use motet_source::Problem;

use super::Parser;
use super::item::poison;
use crate::syntax::Item;
use crate::token::Kind;

impl Parser<'_> {
    pub(super) fn spin_items(&mut self, items: &mut Vec<Item>) {
        let mut n_unnamed = 0;
        while self.kind() != Kind::End {
            if self.eat(Kind::Semicolon) {
                continue;
            }
            let before = self.at;
            let start = self.span();
            let name = self.spin_name();
            let block = name.is_some();
            let name = name.flatten().unwrap_or_else(|| {
                n_unnamed += 1;
                format!("ltl_{}", n_unnamed - 1)
            });
            let first = self.at;
            let body = self.formula();
            let mut item = self.item_of(start, first, body, &name);
            self.refuse_bits();
            if block {
                self.require(Kind::CloseCurly, "an operator or `}`");
            } else if self.kind() != Kind::End && !self.at_ltl() && self.kind() != Kind::Semicolon {
                self.unexpected("an operator or the end of the formula");
            }
            item.span = self.since(start);
            if self.silent {
                poison(&mut item);
            }
            items.push(item);
            if self.silent {
                while self.kind() != Kind::End && !(self.at > before && self.at_ltl()) {
                    self.advance();
                }
            }
            self.silent = false;
            if self.at == before {
                self.advance();
            }
        }
    }

    /// In Promela `&` and `|` work on bits.
    fn refuse_bits(&mut self) {
        let sign = match self.kind() {
            Kind::And => "&",
            Kind::Or => "|",
            _ => return,
        };
        let message = format!("`{sign}` works on bits in Promela; expected a connective");
        let help = format!("write `{sign}{sign}`");
        let span = self.span();
        self.syntax_error(Problem::error("M0202", span, message, help.as_str()).fix(span, sign.repeat(2)));
    }

    fn at_ltl(&self) -> bool {
        self.word() == "ltl"
            && (self.ahead(1) == Kind::OpenCurly
                || (self.ahead(1) == Kind::Word && self.ahead(2) == Kind::OpenCurly))
    }

    /// `ltl name {`: the outer `None` when no block starts here, the inner one when it has no name.
    fn spin_name(&mut self) -> Option<Option<String>> {
        if !self.at_ltl() {
            return None;
        }
        self.advance();
        let name = (self.kind() == Kind::Word).then(|| self.take().to_owned());
        self.advance();
        Some(name)
    }
}
