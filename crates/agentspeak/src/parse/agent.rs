//! Agent programs: beliefs, rules, goals and plans.

use motet_source::{FileId, Parse, Parser as _, Problem, Problems, Spanned};

use crate::lexer::TokenKind;
use crate::syntax::{AgentTree, ConditionTree, PlanTree, RuleTree, Sign, TriggerKind, TriggerTree};

use super::cursor::Cursor;

/// Reads an agent program, AgentSpeak(F) or Jason alike; which features may be used is decided by the resolver.
#[must_use]
pub fn parse_agent(file: FileId, text: &str) -> (AgentTree, Problems) {
    let mut cursor = Cursor::new(file, text, "M0402");
    let tree = cursor.agent();
    (tree, cursor.into_problems())
}

impl Cursor<'_> {
    /// Clauses up to the end.
    pub(crate) fn agent(&mut self) -> AgentTree {
        let mut tree = AgentTree::default();
        while !self.at_end() {
            self.new_chain();
            let before = self.span();
            if self.clause(&mut tree).is_err() {
                self.skip_clause();
                // What looks like the start of a clause may be none; something has to be taken.
                if self.span() == before {
                    self.bump();
                }
            }
        }
        tree
    }

    /// Goes on behind the next full stop, or at what looks like the next clause.
    fn skip_clause(&mut self) {
        self.skip_until(|cursor| cursor.peek() == TokenKind::Dot || cursor.starts_clause());
        self.eat(TokenKind::Dot);
    }

    /// Signs, goals and labels at the margin open a clause even if the one before was not closed.
    pub(crate) fn starts_clause(&self) -> bool {
        self.at_margin()
            && (self.follows(TokenKind::OpenText)
                || matches!(
                    self.peek(),
                    TokenKind::At
                        | TokenKind::Plus
                        | TokenKind::Minus
                        | TokenKind::Bang
                        | TokenKind::OpenBrace
                ))
    }

    fn clause(&mut self, tree: &mut AgentTree) -> Parse<()> {
        match self.peek() {
            TokenKind::OpenBrace => {
                self.refuse_directive();
                Ok(())
            }
            TokenKind::At | TokenKind::Plus | TokenKind::Minus => {
                let plan = self.plan()?;
                tree.plans.push(plan);
                Ok(())
            }
            TokenKind::Bang => {
                self.bump();
                let goal = self.literal()?;
                self.full_stop("`.` after the goal")?;
                tree.goals.push(goal);
                Ok(())
            }
            TokenKind::Name | TokenKind::Tilde | TokenKind::Variable => self.belief_or_rule(tree),
            TokenKind::Caret => Err(self.refuse(
                "M0406",
                self.span(),
                "meta events are not supported",
                "react to the goal's own events instead: `+!g`, `-!g`",
            )),
            TokenKind::Dot => {
                let dot = self.bump().span;
                self.report(Problem::error("M0402", dot, "a full stop without a clause", "leave it out"));
                Ok(())
            }
            _ => Err(self.unexpected(
                "a belief, a goal or a plan",
                "beliefs read `p(a).`, goals `!g.`, plans `+!g : context <- body.`",
            )),
        }
    }

    fn belief_or_rule(&mut self, tree: &mut AgentTree) -> Parse<()> {
        let head = self.literal()?;
        if self.eat(TokenKind::If) {
            let condition = self.condition()?;
            self.full_stop("`.` after the rule")?;
            let span = head.span.to(self.last_span());
            tree.rules.push(RuleTree { head, condition, span });
            return Ok(());
        }
        if matches!(self.peek(), TokenKind::Arrow | TokenKind::Colon) {
            return Err(self.unexpected(
                "`.` after the belief",
                "a plan starts with the event it reacts to: `+p(X) : ..` or `+!p(X) : ..`",
            ));
        }
        self.full_stop("`.` after the belief")?;
        tree.beliefs.push(head);
        Ok(())
    }

    fn full_stop(&mut self, wanted: &str) -> Parse<()> {
        if self.peek() == TokenKind::Internal {
            return Err(self.unexpected(wanted, "put a blank or a new line behind the full stop"));
        }
        self.expect(TokenKind::Dot, wanted, "every belief, rule, goal and plan ends with a full stop")?;
        Ok(())
    }

    /// `{ include("x.asl") }`, `{ begin .. }`
    fn refuse_directive(&mut self) {
        let start = self.bump().span;
        let word = self.token_text().to_owned();
        let mut depth = 1_usize;
        while depth > 0 && !self.at_end() {
            match self.peek() {
                TokenKind::OpenBrace => depth += 1,
                TokenKind::CloseBrace => depth -= 1,
                _ if depth == 1 && self.at_margin() && self.starts_clause() => break,
                _ => {}
            }
            self.bump();
        }
        self.eat(TokenKind::Dot);
        let help = match word.as_str() {
            "include" => "copy the included clauses into this file",
            _ => "write the plans out by hand",
        };
        let message = format!("the directive `{{ {word} .. }}` is not supported");
        self.refuse("M0405", start.to(self.last_span()), message, help);
    }

    fn plan(&mut self) -> Parse<PlanTree> {
        let start = self.span();
        let (mut label, mut annotations) = (None, Vec::new());
        if self.eat(TokenKind::At) {
            if matches!(self.peek(), TokenKind::Name | TokenKind::Variable) {
                let name = self.bump();
                label = Some(Spanned::new(name.node.to_owned(), name.span));
            } else if self.peek() != TokenKind::OpenBracket {
                return Err(self.unexpected("the plan's label", "write `@name` in front of the plan"));
            }
            annotations = self.annotations()?;
        }
        let trigger = self.trigger()?;
        let mut context = ConditionTree::True(trigger.span);
        if self.eat(TokenKind::Colon) {
            context = self.condition()?;
        }
        let mut body = Vec::new();
        if self.eat(TokenKind::Arrow) {
            body = self.body();
        }
        self.end_of_plan()?;
        Ok(PlanTree { label, annotations, trigger, context, body, span: start.to(self.last_span()) })
    }

    fn end_of_plan(&mut self) -> Parse<()> {
        match self.peek() {
            TokenKind::Dot => {
                self.bump();
                Ok(())
            }
            // The plan itself was understood: say what is missing and keep it.
            _ if self.starts_clause() || self.at_end() => {
                let last = self.last_span();
                let end = motet_source::Span { start: last.end, ..last };
                self.refuse("M0402", end, "the plan does not end with a full stop", "write `.` here");
                Ok(())
            }
            TokenKind::Fork => Err(self.refuse(
                "M0406",
                self.span(),
                format!("`{}` (concurrent bodies) is not supported", self.token_text()),
                "start the other branch as an intention of its own: `!!g`",
            )),
            TokenKind::Internal if self.is_adjacent() => {
                Err(self.unexpected("`;` or `.`", "put a blank or a new line behind the full stop"))
            }
            _ => Err(self
                .unexpected("`:`, `<-`, `;` or `.`", "a plan reads `+event : context <- formula; formula.`")),
        }
    }

    /// `+!g(X)`
    pub(crate) fn trigger(&mut self) -> Parse<TriggerTree> {
        let start = self.span();
        let sign = match self.peek() {
            TokenKind::Plus => Sign::Added,
            TokenKind::Minus => Sign::Deleted,
            _ => {
                return Err(
                    self.unexpected("an event", "a plan reacts to `+b`, `-b`, `+!g`, `-!g`, `+?t` or `-?t`")
                );
            }
        };
        self.bump();
        let kind = match self.peek() {
            TokenKind::Bang => TriggerKind::Achieve,
            TokenKind::Question => TriggerKind::Test,
            _ => TriggerKind::Belief,
        };
        if kind != TriggerKind::Belief {
            self.bump();
        }
        let literal = self.literal()?;
        let span = start.to(literal.span);
        Ok(TriggerTree { sign, kind, literal, span })
    }
}
