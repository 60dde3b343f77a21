//! `env NAME { .. }`: constants, sorts, variables, percepts and rules.

use motet_source::{Parse, Parser as _, Span, Spanned, suggest};

use crate::lexer::TokenKind;
use crate::syntax::{EffectTree, EnvironmentItem, EnvironmentTree, TypeTree, WorldExpr};

use super::cursor::Cursor;

pub(crate) const ENVIRONMENT_ITEMS: [&str; 7] =
    ["const", "sort", "var", "percept", "action", "step", "react"];

const WHAT_IS_AN_EFFECT: &str = "an effect is `x := e`, `if c { .. } else { .. }`, `either { .. } or { .. }` or `prob { 0.5: { .. }, 0.5: { .. } }`";

impl Cursor<'_> {
    /// The block behind the word `env`, which has been taken.
    pub(crate) fn environment(&mut self, start: Span) -> Parse<EnvironmentTree> {
        let name = self.name("the environment's name", "write `env NAME { .. }`")?;
        self.expect(TokenKind::OpenBrace, "`{`", "write `env NAME { .. }`")?;
        let block = self.braces();
        let mut items = Vec::new();
        while !self.at_end() && self.peek() != TokenKind::CloseBrace {
            if let Ok(item) = self.environment_item() {
                items.push(item);
                self.check_items(items.len())?;
            } else {
                self.skip_to_item(&ENVIRONMENT_ITEMS, block);
            }
            self.eat(TokenKind::Semicolon);
        }
        self.expect(TokenKind::CloseBrace, "`}` at the end of the environment", "every `{` needs its `}`")?;
        Ok(EnvironmentTree { name, items, span: start.to(self.last_span()) })
    }

    fn environment_item(&mut self) -> Parse<EnvironmentItem> {
        let start = self.span();
        let word = self.token_text();
        if self.peek() != TokenKind::Name || !ENVIRONMENT_ITEMS.contains(&word) {
            let help = match suggest(word, ENVIRONMENT_ITEMS) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("an environment consists of {}", ENVIRONMENT_ITEMS.join(", ")),
            };
            let refused = self.unexpected("an item of the environment", &help);
            if self.peek() != TokenKind::CloseBrace {
                self.bump();
            }
            return Err(refused);
        }
        self.bump();
        match word {
            "const" => {
                let name = self.name("the constant's name", "write `const LAST = 10`")?;
                self.expect(TokenKind::Equal, "`=`", "write `const LAST = 10`")?;
                Ok(EnvironmentItem::Const(name, self.world_expression()?))
            }
            "sort" => {
                let name = self.name("the sort's name", "write `sort room = {kitchen, hall}`")?;
                self.expect(TokenKind::Equal, "`=`", "write `sort room = {kitchen, hall}`")?;
                Ok(EnvironmentItem::Sort(name, self.domain()?))
            }
            "var" => self.variable(),
            "percept" => self.percept(start),
            "action" => self.action(start),
            "step" => {
                let name = self.name("the step's name", "write `step tick when c { .. }`")?;
                let when = self.guard()?;
                let effects = self.effects()?;
                Ok(EnvironmentItem::Step { name, when, effects, span: start.to(self.last_span()) })
            }
            _ => {
                let Some(when) = self.guard()? else {
                    return Err(
                        self.unexpected("`when`", "a reaction has a condition: `react when c { .. }`")
                    );
                };
                let effects = self.effects()?;
                Ok(EnvironmentItem::React { when, effects, span: start.to(self.last_span()) })
            }
        }
    }

    fn variable(&mut self) -> Parse<EnvironmentItem> {
        let help = "write `var n : 1..10 = 1` or `var bid[agent] : opt 0..20 = none`";
        let name = self.name("the variable's name", help)?;
        let mut index = None;
        if self.eat(TokenKind::OpenBracket) {
            index = Some(self.name("the sort it is indexed by", help)?);
            self.expect(TokenKind::CloseBracket, "`]`", help)?;
        }
        self.expect(TokenKind::Colon, "`:` and the variable's values", help)?;
        let domain = self.domain()?;
        let initial = if self.eat(TokenKind::Equal) || self.eat(TokenKind::Assign) {
            Some(self.world_expression()?)
        } else {
            None
        };
        Ok(EnvironmentItem::Variable { name, index, domain, initial })
    }

    /// `0..20`, `bool`, `agent`, `{a, b}`, `opt ..`
    fn domain(&mut self) -> Parse<TypeTree> {
        let help = "values are `0..20`, `bool`, `agent`, another sort, `{a, b}`, or `opt` and one of these";
        if self.peek() == TokenKind::Name && self.ahead(1) != TokenKind::DotDot {
            match self.token_text() {
                "opt" => {
                    self.bump();
                    return Ok(TypeTree::Optional(Box::new(self.nested(Self::domain)?)));
                }
                "bool" => return Ok(TypeTree::Bool(self.bump().span)),
                _ if !self.continues_range() => {
                    return Ok(TypeTree::Sort(self.name("a sort", help)?));
                }
                _ => {}
            }
        }
        if self.eat(TokenKind::OpenBrace) {
            let mut members = Vec::new();
            loop {
                members.push(self.member(help)?);
                self.check_items(members.len())?;
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            self.expect(TokenKind::CloseBrace, "`,` or `}`", help)?;
            return Ok(TypeTree::Set(members));
        }
        if matches!(
            self.peek(),
            TokenKind::Int | TokenKind::Minus | TokenKind::Open | TokenKind::Name | TokenKind::Variable
        ) {
            let low = self.world_bound()?;
            self.expect(TokenKind::DotDot, "`..`", help)?;
            return Ok(TypeTree::Range(low, self.world_bound()?));
        }
        Err(self.unexpected("the values", help))
    }

    /// Whether a bound of a range starts here with a name: `n + 1..10`.
    fn continues_range(&self) -> bool {
        matches!(
            self.ahead(1),
            TokenKind::Plus | TokenKind::Minus | TokenKind::Star | TokenKind::Slash | TokenKind::Open
        )
    }

    fn member(&mut self, help: &str) -> Parse<Spanned<String>> {
        let start = self.span();
        if self.peek() == TokenKind::Minus && self.ahead(1) == TokenKind::Int {
            self.bump();
            let number = self.integer()?;
            return Ok(Spanned::new(format!("-{}", number.node), start.to(number.span)));
        }
        if self.peek() == TokenKind::Int {
            let number = self.integer()?;
            return Ok(Spanned::new(number.node.to_string(), number.span));
        }
        self.name("a member", help)
    }

    /// `when c`
    fn guard(&mut self) -> Parse<Option<WorldExpr>> {
        if self.eat_word("when") { self.world_expression().map(Some) } else { Ok(None) }
    }

    /// `percept [to a:] [for x in sort:] p(x) [when c]`; `for each x` is the same.
    fn percept(&mut self, start: Span) -> Parse<EnvironmentItem> {
        let help =
            "write `percept p(x)`, `percept to ag1: p(x)` or `percept for r in room: dirty(r) when dirt[r]`";
        let mut to = None;
        if self.is_word("to") && self.ahead(2) == TokenKind::Colon {
            self.bump();
            to = Some(self.name("an agent", help)?);
            self.bump();
        }
        let mut each = None;
        if self.is_word("for") && self.ahead(1) != TokenKind::Open {
            self.bump();
            self.eat_word("each");
            let name = self.name("a new name", help)?;
            if !self.eat_word("in") {
                return Err(self.unexpected("`in`", help));
            }
            each = Some((name, self.name("a sort", help)?));
            self.expect(TokenKind::Colon, "`:`", help)?;
        }
        let name = self.name("the percept", help)?;
        self.new_chain();
        let args = if self.peek() == TokenKind::Open { self.world_arguments()? } else { Vec::new() };
        let when = self.guard()?;
        Ok(EnvironmentItem::Percept { to, each, name, args, when, span: start.to(self.last_span()) })
    }

    fn action(&mut self, start: Span) -> Parse<EnvironmentItem> {
        let help = "write `action place_bid(k, b) by a when k == n { bid[a] := b }`";
        let name = self.name("the action", help)?;
        self.new_chain();
        let params = if self.peek() == TokenKind::Open { self.world_arguments()? } else { Vec::new() };
        let by = if self.eat_word("by") { Some(self.name("the acting agent", help)?) } else { None };
        let when = self.guard()?;
        let effects = self.effects()?;
        Ok(EnvironmentItem::Action { name, params, by, when, effects, span: start.to(self.last_span()) })
    }

    /// `{ e; e }`, separated by `;` or by new lines.
    fn effects(&mut self) -> Parse<Vec<EffectTree>> {
        self.expect(TokenKind::OpenBrace, "`{` and the effects", WHAT_IS_AN_EFFECT)?;
        let mut effects = Vec::new();
        while self.peek() != TokenKind::CloseBrace {
            if self.eat(TokenKind::Semicolon) {
                continue;
            }
            effects.push(self.nested(Self::effect)?);
            if !(self.peek() == TokenKind::Semicolon
                || self.peek() == TokenKind::CloseBrace
                || self.opens_line()
                || matches!(effects.last(), Some(effect) if !matches!(effect, EffectTree::Assign(..))))
            {
                return Err(
                    self.unexpected("`;`, a new line or `}`", "effects are separated by `;` or new lines")
                );
            }
        }
        self.bump();
        Ok(effects)
    }

    fn effect(&mut self) -> Parse<EffectTree> {
        if !matches!(self.peek(), TokenKind::Name | TokenKind::Variable) {
            return Err(self.unexpected("an effect", WHAT_IS_AN_EFFECT));
        }
        match self.token_text() {
            "if" => self.conditional(),
            "either" => {
                self.bump();
                let mut branches = vec![self.effects()?];
                while self.eat_word("or") {
                    branches.push(self.effects()?);
                }
                Ok(EffectTree::Either(branches))
            }
            "prob" => self.chance(),
            _ => {
                let name = self.name("a variable", WHAT_IS_AN_EFFECT)?;
                let mut index = None;
                if self.eat(TokenKind::OpenBracket) {
                    index = Some(self.world_expression()?);
                    self.expect(TokenKind::CloseBracket, "`]`", "an element is written `bid[a]`")?;
                }
                if self.peek() == TokenKind::Equal {
                    return Err(self.unexpected("`:=`", "an assignment is written `x := e`; `=` compares"));
                }
                self.expect(TokenKind::Assign, "`:=`", WHAT_IS_AN_EFFECT)?;
                Ok(EffectTree::Assign(name, index, self.world_expression()?))
            }
        }
    }

    fn conditional(&mut self) -> Parse<EffectTree> {
        self.bump();
        let condition = self.world_expression()?;
        let then = self.effects()?;
        let mut otherwise = Vec::new();
        if self.eat_word("else") {
            otherwise =
                if self.is_word("if") { vec![self.nested(Self::conditional)?] } else { self.effects()? };
        }
        Ok(EffectTree::If(condition, then, otherwise))
    }

    /// `prob { 0.5: { .. }, 1/3: { .. } }`
    fn chance(&mut self) -> Parse<EffectTree> {
        let help = "write `prob { 0.5: { .. }, 0.5: { .. } }`; fractions `1/3` are allowed";
        self.bump();
        self.expect(TokenKind::OpenBrace, "`{`", help)?;
        let mut branches = Vec::new();
        loop {
            if self.peek() == TokenKind::CloseBrace && !branches.is_empty() {
                break;
            }
            if !matches!(self.peek(), TokenKind::Int | TokenKind::Real) {
                return Err(self.unexpected("a probability", help));
            }
            let number = self.bump();
            let mut chance = Spanned::new(number.node.to_owned(), number.span);
            if self.eat(TokenKind::Slash) {
                if self.peek() != TokenKind::Int {
                    return Err(self.unexpected("a whole number", help));
                }
                let below = self.bump();
                chance = Spanned::new(format!("{}/{}", chance.node, below.node), chance.span.to(below.span));
            }
            self.expect(TokenKind::Colon, "`:`", help)?;
            branches.push((chance, self.effects()?));
            self.check_items(branches.len())?;
            self.eat(TokenKind::Comma);
        }
        self.bump();
        Ok(EffectTree::Chance(branches))
    }
}
