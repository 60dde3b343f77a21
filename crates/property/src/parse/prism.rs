//! PRISM property files: `"name": formula`, labels, constants. Their formulas are read with PRISM's precedence.

use std::collections::BTreeSet;

use motet_source::{Problem, Spanned};

use super::item::poison;
use super::{Parser, unquoted};
use crate::syntax::{Arithmetic, ConstItem, DefineItem, Item, ItemNode, Node, Tree};
use crate::token::Kind;

/// Words of PRISM's property language that have no counterpart here.
const FOREIGN: [&str; 3] = ["multi", "partial", "Pareto"];

impl Parser<'_> {
    pub(super) fn prism_items(&mut self, items: &mut Vec<Item>) {
        self.find_labels();
        let mut n_unnamed = 0;
        while self.kind() != Kind::End {
            if self.eat(Kind::Semicolon) {
                continue;
            }
            let before = self.at;
            let start = items.len();
            items.extend(self.prism_item(&mut n_unnamed));
            if self.silent {
                items[start..].iter_mut().for_each(poison);
                while self.kind() != Kind::End && !self.eat(Kind::Semicolon) && !self.at_prism_item(before) {
                    self.advance();
                }
            }
            self.silent = false;
            if self.at == before {
                self.advance();
            }
        }
        self.define_referenced(items);
    }

    /// A property that another one names becomes a definition, and the property claims it.
    fn define_referenced(&mut self, items: &mut Vec<Item>) {
        let mut named = BTreeSet::new();
        for triple in self.tokens.windows(3) {
            let [before, text, after] = triple else { continue };
            let label = before.kind == Kind::Word && self.text_of(*before) == "label";
            if text.kind == Kind::Text && after.kind != Kind::Colon && !label {
                named.insert(unquoted(self.text_of(*text)));
            }
        }
        for mut item in std::mem::take(items) {
            if let ItemNode::Claim(claim) = &mut item.node
                && named.contains(&claim.name.node)
            {
                let name = claim.name.clone();
                let reference = Node { tree: Tree::Name(name.node.clone()), span: claim.body.span, depth: 1 };
                let body = std::mem::replace(&mut claim.body, reference);
                let node = ItemNode::Define(DefineItem { name, parameters: Vec::new(), body });
                items.push(Item { node, span: item.span, after_blank: false });
            }
            items.push(item);
        }
    }

    /// `"goal"` in a formula may be defined further down.
    fn find_labels(&mut self) {
        for pair in self.tokens.windows(2) {
            let name = match (pair[0].kind, pair[1].kind) {
                (Kind::Word, Kind::Text) if self.text_of(pair[0]) == "label" => pair[1],
                (Kind::Text, Kind::Colon) => pair[0],
                _ => continue,
            };
            self.labels.insert(unquoted(self.text_of(name)));
        }
    }

    /// Whether an item starts here, behind token `before`: for going on after an error.
    fn at_prism_item(&self, before: usize) -> bool {
        self.at > before
            && ((self.kind() == Kind::Text && self.ahead(1) == Kind::Colon)
                || (self.word() == "const" && self.ahead(1) == Kind::Word)
                || (self.word() == "label" && self.ahead(1) == Kind::Text))
    }

    fn prism_item(&mut self, n_unnamed: &mut usize) -> Option<Item> {
        let start = self.span();
        let node = match (self.word(), self.ahead(1)) {
            ("const", Kind::Word) => self.prism_const()?,
            ("label", Kind::Text) => {
                self.advance();
                let span = self.span();
                let name = Spanned::new(unquoted(self.take()), span);
                self.require(Kind::Eq, "`=` and what the label stands for");
                let body = self.formula();
                ItemNode::Define(DefineItem { name, parameters: Vec::new(), body })
            }
            _ => {
                let mut name = None;
                if self.kind() == Kind::Text && self.ahead(1) == Kind::Colon {
                    name = Some(unquoted(self.take()));
                    self.advance();
                }
                let name = name.unwrap_or_else(|| {
                    *n_unnamed += 1;
                    format!("property_{n_unnamed}")
                });
                let first = self.at;
                if self.refuse_foreign() {
                    return None;
                }
                let body = self.formula();
                self.end_of_property();
                let mut item = self.item_of(start, first, body, &name);
                item.span = self.since(start);
                return Some(item);
            }
        };
        let span = self.since(start);
        self.end_of_property();
        Some(Item { node, span, after_blank: false })
    }

    /// Properties end with `;`, or where the next item starts.
    fn end_of_property(&mut self) {
        if self.silent || self.kind() == Kind::End || self.kind() == Kind::Semicolon || self.at_prism_item(0)
        {
            return;
        }
        // Without a semicolon the next property must start on a line of its own.
        let last = self.tokens[self.at - 1].end as usize;
        let between = self.text.get(last..self.token().start as usize).unwrap_or("");
        if !between.contains('\n') {
            self.unexpected("an operator or `;`");
        }
    }

    fn refuse_foreign(&mut self) -> bool {
        let word = self.word();
        let coalition = self.kind() == Kind::Lt && self.ahead(1) == Kind::Lt;
        let foreign = (FOREIGN.contains(&word) && self.ahead(1) == Kind::Open) || coalition;
        if foreign {
            let message = match coalition {
                true => "coalitions of players cannot be checked here".to_owned(),
                false => format!("PRISM's `{word}` has no counterpart here"),
            };
            let help = "write the property without it: verdicts are about the initial states";
            self.syntax_error(Problem::error("M0216", self.span(), message, help));
        }
        foreign
    }

    /// A bound in PRISM may be a calculation. A name in it takes no arguments: in `F<=T (goal)` the bound is `T`.
    pub(super) fn prism_bound(&mut self) -> Node {
        let start = self.span();
        let mut sum = self.prism_bound_term();
        while let Kind::Plus | Kind::Minus = self.kind() {
            let operator = if self.kind() == Kind::Plus { Arithmetic::Add } else { Arithmetic::Sub };
            self.advance();
            let right = self.prism_bound_term();
            let span = self.since(start);
            sum = self.node(Tree::Arithmetic(operator, Box::new(sum), Box::new(right)), span);
        }
        sum
    }

    fn prism_bound_term(&mut self) -> Node {
        let start = self.span();
        let mut product = self.plain_bound();
        while let Kind::Star | Kind::Slash = self.kind() {
            let operator = if self.kind() == Kind::Star { Arithmetic::Mul } else { Arithmetic::Div };
            self.advance();
            let right = self.plain_bound();
            let span = self.since(start);
            product = self.node(Tree::Arithmetic(operator, Box::new(product), Box::new(right)), span);
        }
        product
    }

    fn prism_const(&mut self) -> Option<ItemNode> {
        self.advance();
        let mut sort = None;
        if matches!(self.word(), "int" | "double" | "bool") && self.ahead(1) == Kind::Word {
            sort = self.name("the constant's type");
        }
        let name = self.name("the constant's name")?;
        let value = if self.eat(Kind::Eq) { Some(self.formula()) } else { None };
        Some(ItemNode::Const(ConstItem { name, sort, value }))
    }
}
