//! Items of a claims file in Motet's own dialect.

use motet_source::{Problem, Span, Spanned, suggest};

use super::{Parser, shortened, unquoted};
use crate::claim::Kind as ClaimKind;
use crate::formula::{Filter, Relation};
use crate::syntax::{
    ClaimItem, ConstItem, DefineItem, Dialect, Expectation, Item, ItemNode, Node, Threshold, Tree,
};
use crate::token::Kind;

const KEYWORDS: [&str; 8] =
    ["property", "possible", "query", "assume", "define", "const", "model", "dialect"];

impl Parser<'_> {
    /// `dialect prism` at the head of a file.
    pub(super) fn dialect_line(&mut self) -> Option<Item> {
        if self.word() != "dialect" || self.ahead(1) != Kind::Word {
            return None;
        }
        let start = self.span();
        self.advance();
        let name = self.word();
        let dialect = match name {
            "motet" => Dialect::Motet,
            "prism" => Dialect::Prism,
            "spin" => Dialect::Spin,
            _ => {
                let known = ["motet", "prism", "spin"];
                let help = match suggest(name, known) {
                    Some(near) => format!("did you mean `{near}`"),
                    None => "the dialects are motet, prism and spin".to_owned(),
                };
                let message = format!("there is no dialect `{}`", shortened(name));
                self.report(Problem::error("M0207", self.span(), message, help));
                Dialect::Motet
            }
        };
        self.advance();
        let span = self.since(start);
        self.eat(Kind::Semicolon);
        Some(Item { node: ItemNode::Dialect(dialect), span, after_blank: false })
    }

    pub(super) fn items(&mut self, items: &mut Vec<Item>) {
        while self.kind() != Kind::End {
            if self.eat(Kind::Semicolon) {
                continue;
            }
            let before = self.at;
            let start = items.len();
            items.extend(self.item());
            if !self.silent && !self.eat(Kind::Semicolon) && self.kind() != Kind::End && !self.at_item() {
                self.after_formula();
            }
            if self.silent {
                items[start..].iter_mut().for_each(poison);
                self.skip_item();
            }
            self.silent = false;
            if self.at == before {
                self.advance();
            }
        }
    }

    /// Says why reading stopped in the middle of an item.
    fn after_formula(&mut self) {
        if suggest(self.word(), KEYWORDS).is_some() && matches!(self.ahead(1), Kind::Word | Kind::Quoted) {
            return;
        }
        match self.word() {
            "forall" | "exists" => self.unexpected("an operator before the quantifier"),
            _ => self.unexpected("an operator, `expect` or the next item"),
        }
    }

    /// Whether an item starts here; a name such as `model` inside a formula does not.
    pub(super) fn at_item(&self) -> bool {
        self.at_item_ahead(0)
    }

    /// The same, `ahead` tokens on.
    pub(super) fn at_item_ahead(&self, ahead: usize) -> bool {
        let (second, third) = (self.ahead(ahead + 1), self.ahead(ahead + 2));
        let name = matches!(second, Kind::Word | Kind::Quoted);
        match self.word_ahead(ahead) {
            "property" | "possible" | "query" | "assume" => {
                (name && matches!(third, Kind::Text | Kind::Colon))
                    || matches!(second, Kind::Colon | Kind::Text)
            }
            "define" => name && matches!(third, Kind::Eq | Kind::Open),
            "const" => name,
            "model" => second == Kind::Text,
            "dialect" => second == Kind::Word,
            _ => false,
        }
    }

    /// Skips to the next item.
    pub(super) fn skip_item(&mut self) {
        while self.kind() != Kind::End && !self.at_item() {
            if self.eat(Kind::Semicolon) {
                return;
            }
            self.advance();
        }
    }

    fn item(&mut self) -> Option<Item> {
        let start = self.span();
        let mut keyword = self.word();
        if !KEYWORDS.contains(&keyword) {
            keyword = self.misspelt_keyword()?;
        }
        self.advance();
        let node = match keyword {
            "model" => self.model_item(),
            "const" => self.const_item(),
            "define" => self.define_item(),
            "possible" => self.claim_item(ClaimKind::Possible),
            "query" => self.claim_item(ClaimKind::Query),
            "assume" => self.claim_item(ClaimKind::Assume),
            "dialect" => {
                let help = "write it once, before everything else";
                self.syntax_error(Problem::error("M0207", start, "the dialect stands first in a file", help));
                return None;
            }
            _ => self.claim_item(ClaimKind::Property),
        };
        let span = self.since(start);
        node.map(|node| Item { node, span, after_blank: false })
    }

    /// Reports a word that starts no item; a near miss is read as what was probably meant.
    fn misspelt_keyword(&mut self) -> Option<&'static str> {
        let near = match self.kind() {
            Kind::Word => suggest(self.word(), KEYWORDS),
            _ => None,
        };
        let near = near.filter(|_| matches!(self.ahead(1), Kind::Word | Kind::Quoted | Kind::Text));
        let found = shortened(self.text_of(self.token()));
        let message = format!("expected an item, found `{found}`");
        let span = self.span();
        let Some(near) = near else {
            let help = "items start with property, possible, query, assume, define, const or model";
            self.syntax_error(Problem::error("M0204", span, message, help));
            return None;
        };
        let help = format!("did you mean `{near}`");
        self.report(Problem::error("M0204", span, message, help).fix(span, near));
        Some(near)
    }

    fn model_item(&mut self) -> Option<ItemNode> {
        if self.kind() != Kind::Text {
            self.unexpected("the model's path in quotes");
            return None;
        }
        let span = self.span();
        let path = unquoted(self.take());
        Some(ItemNode::Model(Spanned::new(path, span)))
    }

    fn const_item(&mut self) -> Option<ItemNode> {
        let name = self.name("the constant's name")?;
        let sort = if self.eat(Kind::Colon) { Some(self.name("the constant's sort")?) } else { None };
        let value = if self.eat(Kind::Eq) { Some(self.sum()) } else { None };
        Some(ItemNode::Const(ConstItem { name, sort, value }))
    }

    fn define_item(&mut self) -> Option<ItemNode> {
        let name = self.name("the definition's name")?;
        let mut parameters = Vec::new();
        if self.eat(Kind::Open) {
            loop {
                parameters.push(self.name("a parameter's name")?);
                if !self.eat(Kind::Comma) {
                    break;
                }
            }
            self.require(Kind::Close, "`)` after the parameters");
        }
        self.require(Kind::Eq, "`=` and what the name stands for");
        let body = self.sentence();
        Some(ItemNode::Define(DefineItem { name, parameters, body }))
    }

    fn claim_item(&mut self, kind: ClaimKind) -> Option<ItemNode> {
        let name = self.name("the claim's name")?;
        let words = (self.kind() == Kind::Text).then(|| {
            let span = self.span();
            Spanned::new(unquoted(self.take()), span)
        });
        self.require(Kind::Colon, "`:` and the formula");
        let first = self.at;
        let body = self.sentence();
        let text = self.source_text(first);
        let expect = if self.word() == "expect" { self.expectation() } else { None };
        Some(ItemNode::Claim(Box::new(ClaimItem {
            kind,
            name,
            words,
            body,
            text,
            expect,
            cases: Vec::new(),
        })))
    }

    /// A claim without an item around it.
    pub(super) fn formula_item(&mut self) -> Item {
        let start = self.span();
        let body = self.sentence();
        if self.kind() != Kind::End {
            self.unexpected("an operator or the end of the formula");
        }
        let mut item = self.item_of(start, 0, body, "formula");
        if self.silent {
            poison(&mut item);
        }
        item
    }

    /// The item of a formula that a file gave no kind: one that asks for a number is a query.
    pub(super) fn item_of(&mut self, start: Span, first: usize, body: Node, name: &str) -> Item {
        let kind = if asks(&body) { ClaimKind::Query } else { ClaimKind::Property };
        let text = self.source_text(first);
        let name = Spanned::new(name.to_owned(), start);
        let claim = ClaimItem { kind, name, words: None, body, text, expect: None, cases: Vec::new() };
        Item { node: ItemNode::Claim(Box::new(claim)), span: self.since(start), after_blank: false }
    }

    pub(super) fn name(&mut self, what: &str) -> Option<Spanned<String>> {
        let span = self.span();
        let name = match self.kind() {
            Kind::Word => self.take().to_owned(),
            Kind::Quoted => self.take().trim_matches('`').to_owned(),
            _ => {
                self.unexpected(what);
                return None;
            }
        };
        Some(Spanned::new(name, span))
    }

    /// The text from token number `first` to the last one read, on one line and without comments.
    pub(super) fn source_text(&self, first: usize) -> String {
        let mut text = String::new();
        let mut end = None;
        for token in &self.tokens[first..self.at.max(first)] {
            if end.is_some_and(|end| end < token.start) {
                text.push(' ');
            }
            text.push_str(self.text_of(*token));
            end = Some(token.end);
        }
        text
    }

    fn expectation(&mut self) -> Option<Spanned<Expectation>> {
        let start = self.span();
        self.advance();
        self.plus_minus = false;
        let expectation = self.expected_value();
        self.plus_minus = true;
        expectation.map(|expectation| Spanned::new(expectation, self.since(start)))
    }

    fn expected_value(&mut self) -> Option<Expectation> {
        let verdict = match self.word() {
            "holds" => Some(Expectation::Holds),
            "fails" => Some(Expectation::Fails),
            "reachable" => Some(Expectation::Reachable),
            "unreachable" => Some(Expectation::Unreachable),
            _ => None,
        };
        if verdict.is_some() {
            self.advance();
            return verdict;
        }
        if self.eat_word("in") {
            self.require(Kind::OpenSquare, "`[` and the ends of the interval");
            let low = self.sum();
            self.require(Kind::Comma, "`,` between the ends");
            let high = self.sum();
            self.require(Kind::CloseSquare, "`]`");
            return Some(Expectation::Within(low, high));
        }
        let relation = self.relation().filter(|relation| *relation != Relation::Ne);
        let Some(relation) = relation else {
            self.unexpected("holds, fails, reachable, unreachable or a comparison after `expect`");
            return None;
        };
        self.advance();
        if relation == Relation::Eq && self.eat_word("infinity") {
            return Some(Expectation::Infinite);
        }
        let value = self.sum();
        let tolerance = if self.eat(Kind::PlusMinus) { Some(self.sum()) } else { None };
        Some(Expectation::Compare(relation, value, tolerance))
    }
}

/// An item with a syntax error must not be taken for what was read of it.
pub(super) fn poison(item: &mut Item) {
    match &mut item.node {
        ItemNode::Claim(claim) => claim.body.tree = Tree::Error,
        ItemNode::Define(define) => define.body.tree = Tree::Error,
        ItemNode::Const(constant) => {
            if let Some(value) = &mut constant.value {
                value.tree = Tree::Error;
            }
        }
        ItemNode::Model(_) | ItemNode::Dialect(_) => {}
    }
}

/// Whether the formula as a whole asks for a number.
fn asks(node: &Node) -> bool {
    match &node.bare().tree {
        Tree::Chance(_, threshold, _) | Tree::Steady(_, threshold, _) | Tree::Reward(_, _, threshold, _) => {
            matches!(threshold, Threshold::Ask)
        }
        Tree::Wait(..) => true,
        Tree::Filter(filter, ..) => !matches!(filter, Filter::ForAll | Filter::Exists),
        _ => false,
    }
}
