//! The parts of a file.

use motet_source::{Parse, Problem, Refused, Span, Spanned};

use super::cursor::Cursor;
use crate::lexer::TokenKind;
use crate::syntax::{
    Composition, Constant, Definition, Earned, Expression, Item, ModelKind, RewardItem, Rewards, Text,
    ValueKind,
};

impl Cursor<'_> {
    /// A whole file.
    pub(crate) fn text(&mut self) -> Text {
        let mut text = Text::default();
        while !self.at_end() {
            let before = self.position();
            if self.item(&mut text).is_err() {
                self.skip_statement(before);
                self.skip_closers();
            }
        }
        if text.kind.is_none() && self.problems.is_empty() {
            let help = "write `dtmc` or `mdp` at the start of the file";
            let start = Span::new(self.file(), 0, 0);
            self.report(Problem::error("M0808", start, "the type of the model is missing", help));
        }
        text
    }

    /// Words that close a block which was given up.
    fn skip_closers(&mut self) {
        while self.peek() == TokenKind::Word && self.token_text().starts_with("end") {
            self.bump();
        }
    }

    fn item(&mut self, text: &mut Text) -> Parse<()> {
        if self.peek() != TokenKind::Word {
            return Err(
                self.unexpected("a part of a model", "a model has constants, formulas, modules, rewards")
            );
        }
        match self.token_text() {
            "dtmc" | "probabilistic" => self.kind(text, ModelKind::Dtmc),
            "mdp" | "nondeterministic" => self.kind(text, ModelKind::Mdp),
            "ctmc" | "stochastic" | "pta" | "smg" | "pomdp" | "popta" | "csg" | "tsg" | "ma" | "idtmc"
            | "imdp" => {
                self.other_kind(text);
                Ok(())
            }
            _ => {
                let part = self.part()?;
                text.items.push(part);
                Ok(())
            }
        }
    }

    /// Everything but the type.
    fn part(&mut self) -> Parse<Item> {
        Ok(match self.token_text() {
            "const" | "rate" | "prob" => Item::Constant(self.constant()?),
            "formula" => {
                self.bump();
                let name = self.name("a formula's name")?;
                Item::Formula(self.definition(name, "the formula")?)
            }
            "label" => {
                self.bump();
                let name = self.quoted("the label's name")?;
                Item::Label(self.definition(name, "the label")?)
            }
            "global" => {
                self.bump();
                Item::Global(self.declaration()?)
            }
            "module" => self.module()?,
            "rewards" => Item::Rewards(self.rewards()?),
            "init" => {
                let open = self.bump().span;
                let condition = self.expression();
                self.close("endinit", open, "this `init`");
                Item::Init(condition?)
            }
            "system" => Item::System(self.system()?),
            "invariant" | "observables" | "observable" | "player" | "clock" => return Err(self.unsupported()),
            _ => {
                let help = "a model has constants, formulas, modules, rewards";
                return Err(self.unexpected("a part of a model", help));
            }
        })
    }

    fn system(&mut self) -> Parse<Composition> {
        let open = self.bump().span;
        if matches!(self.peek(), TokenKind::Text | TokenKind::OpenText) {
            let help = "leave the name out; a model has one `system`";
            let problem = Problem::error("M0810", self.span(), "named systems are not supported", help);
            self.report(problem);
            self.bump();
        }
        let composition = self.composition();
        self.close("endsystem", open, "this `system`");
        composition
    }

    fn unsupported(&mut self) -> Refused {
        let message = format!("`{}` is not supported", self.token_text());
        let help = "Motet reads discrete-time Markov chains and Markov decision processes";
        let problem = Problem::error("M0810", self.span(), message, help);
        let refused = self.refuse(problem);
        let close = format!("end{}", self.token_text());
        while !self.at_end() && !self.is_word(&close) && self.peek() != TokenKind::Semicolon {
            self.bump();
        }
        refused
    }

    fn kind(&mut self, text: &mut Text, kind: ModelKind) -> Parse<()> {
        let span = self.bump().span;
        self.eat(TokenKind::Semicolon);
        if let Some(first) = &text.kind {
            let problem =
                Problem::error("M0808", span, "the type of the model is given twice", "remove one of them")
                    .also(first.span, "here first");
            self.report(problem);
        } else {
            text.kind = Some(Spanned::new(kind, span));
        }
        Ok(())
    }

    /// A type of model that is not supported: reading goes on as if it were a process.
    fn other_kind(&mut self, text: &mut Text) {
        let word = self.bump();
        self.eat(TokenKind::Semicolon);
        let (what, help) = match word.node {
            "ctmc" | "stochastic" => (
                "continuous-time Markov chains",
                "for long-run and unbounded claims check its embedded chain as a `dtmc`, with chances instead of rates",
            ),
            "pta" | "popta" => ("timed automata", "write the clocks as whole numbers in an `mdp`"),
            "smg" | "csg" | "tsg" => ("games", "an `mdp` has one player, who makes all choices"),
            "pomdp" => ("partially observable processes", "an `mdp` sees everything"),
            "ma" => ("Markov automata", "Motet reads `dtmc` and `mdp`"),
            _ => ("chances that are intervals", "give each chance one value"),
        };
        let message = format!("`{}` is not supported: Motet does not analyse {what}", word.node);
        self.report(Problem::error("M0807", word.span, message, help));
        text.kind.get_or_insert(Spanned::new(ModelKind::Mdp, word.span));
    }

    fn constant(&mut self) -> Parse<Constant> {
        let first = self.bump();
        let kind = match (first.node, self.token_text()) {
            ("const", "int") => Some(ValueKind::Int),
            ("const", "double" | "rate" | "prob") => Some(ValueKind::Double),
            ("const", "bool") => Some(ValueKind::Bool),
            ("const", _) => None,
            _ => Some(ValueKind::Double),
        };
        if first.node == "const" && kind.is_some() {
            self.bump();
        }
        let name = self.name("a constant's name")?;
        let value = if self.eat(TokenKind::Equal) { Some(self.expression()?) } else { None };
        self.semicolon("the constant")?;
        Ok(Constant { name, kind: kind.unwrap_or(ValueKind::Int), value })
    }

    fn definition(&mut self, name: Spanned<String>, what: &str) -> Parse<Definition> {
        self.expect(TokenKind::Equal, "`=`", "write what it stands for after `=`")?;
        let body = self.expression()?;
        self.semicolon(what)?;
        Ok(Definition { name, body })
    }

    fn rewards(&mut self) -> Parse<Rewards> {
        let open = self.bump().span;
        let name = match self.peek() {
            TokenKind::Text | TokenKind::OpenText => Some(self.quoted("the rewards' name")?),
            _ => None,
        };
        let mut items = Vec::new();
        while !self.at_end() && !self.at_opener() && !self.is_word("endrewards") {
            let before = self.position();
            match self.reward_item() {
                Ok(item) => items.push(item),
                Err(Refused) => self.skip_statement(before),
            }
        }
        self.close("endrewards", open, "this `rewards`");
        Ok(Rewards { name, items, span: open })
    }

    fn reward_item(&mut self) -> Parse<RewardItem> {
        let start = self.span();
        let earned = if self.eat(TokenKind::OpenBracket) {
            if self.eat(TokenKind::CloseBracket) {
                Earned::Unlabelled
            } else {
                let name = self.name("a label")?;
                self.expect(TokenKind::CloseBracket, "`]`", "a label stands in brackets")?;
                Earned::Label(name)
            }
        } else {
            Earned::State
        };
        let guard: Expression = self.expression()?;
        let help = "a reward is `condition : value;`";
        self.expect(TokenKind::Colon, "`:` and the reward", help)?;
        let value = self.expression()?;
        let span = start.to(self.last_span());
        self.semicolon("the reward")?;
        Ok(RewardItem { earned, guard, value, span })
    }
}
