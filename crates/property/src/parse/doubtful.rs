//! Phrases with two readings that say how often, or from where: refused, with both readings ready to be pasted.

use motet_source::{Problem, Span};

use super::Parser;
use super::happening::{BEHIND, is_times, number_word};
use crate::print::surface;
use crate::syntax::{Dialect, Node, Spelling, Temporal, Tree};
use crate::token::{Kind, OPERATORS};

/// Words that say that something can be had, behind what is meant.
const CAN_BE: [&str; 14] = [
    "is",
    "can",
    "be",
    "always",
    "possible",
    "reachable",
    "recoverable",
    "reached",
    "from",
    "everywhere",
    "anywhere",
    "every",
    "any",
    "state",
];

/// Words between "possible to" and what is meant.
const GETTING: [&str; 6] = ["get", "reach", "come", "return", "be", "to"];

impl Parser<'_> {
    /// `at most 2 inside`: two things, or two times.
    pub(super) fn doubtful_number(&mut self, start: Span, words: &str) -> Option<Node> {
        let number = self.bare_number()?;
        let what = self.counted_thing();
        Some(self.things_or_times(self.since(start), words, &number, &what))
    }

    /// `inside at most 2`
    pub(super) fn doubtful_number_behind(&mut self, start: Span, words: &str, what: &Node) -> Option<Node> {
        let number = self.bare_number()?;
        Some(self.things_or_times(self.since(start), words, &number, what))
    }

    /// A number that is followed by something else than `times`.
    fn bare_number(&mut self) -> Option<String> {
        let number = match self.kind() {
            Kind::Number => self.text_of(self.token()),
            _ => number_word(self.word())?,
        };
        if is_times(self.word_ahead(1)) {
            return None;
        }
        self.advance();
        Some(number.to_owned())
    }

    /// What is counted: of `2 agents inside` the place.
    fn counted_thing(&mut self) -> Node {
        loop {
            if matches!(self.word(), "in" | "of") {
                self.advance();
            }
            let what = self.comparison();
            if self.silent || !self.at_plain_name(0) && self.word() != "in" {
                return what;
            }
        }
    }

    /// Whether a name stands here that means nothing but itself.
    fn at_plain_name(&self, ahead: usize) -> bool {
        let word = self.word_ahead(ahead);
        let phrase = ["more", "twice", "once", "only", "happens", "occurs", "is", "expect", "no", "not"];
        !word.is_empty()
            && !OPERATORS.contains(&word)
            && !BEHIND.contains(&word)
            && !phrase.contains(&word)
            && !self.at_item_ahead(ahead)
    }

    fn things_or_times(&mut self, span: Span, words: &str, number: &str, what: &Node) -> Node {
        let what = surface::readable(what);
        let (tally, sign) = match words {
            "at least" => ("at least", ">="),
            "exactly" => ("exactly", "="),
            _ => ("at most", "<="),
        };
        let message = format!("`{words} {number}` does not say what is counted: things, or times");
        let help = "write the one that is meant · motet explain M0246";
        self.syntax_error(
            Problem::error("M0246", span, message, help)
                .note(format!("so many things at every moment:  always (#{what} {sign} {number})"))
                .note(format!("a number by itself:              always ({what} {sign} {number})"))
                .note(format!("so many times in a run:          {tally} {number} times ({what})")),
        );
        Node { tree: Tree::Error, span, depth: 1 }
    }

    /// `never 3 inside`, `never twice p`, `not twice p`: words that count before what is counted.
    pub(super) fn doubtful_never(&mut self) -> Option<Node> {
        let never = self.word() == "never";
        if self.dialect != Dialect::Motet || self.silent || !(never || self.word() == "not") {
            return None;
        }
        let bracket = self.ahead(2) == Kind::Open && self.is_apart(2);
        let twice = self.word_ahead(1) == "twice" && (self.at_plain_name(2) || bracket);
        let number = self.ahead(1) == Kind::Number || number_word(self.word_ahead(1)).is_some();
        let counts = number && never && self.at_plain_name(2);
        if !(twice || counts) {
            return None;
        }
        let start = self.span();
        self.advance();
        if twice {
            self.advance();
            let what = self.comparison();
            return Some(self.no_second_time(self.since(start), &what));
        }
        let number = self.bare_number()?;
        let what = surface::readable(&self.counted_thing());
        let span = self.since(start);
        let message = format!("`never {number}` does not say what is counted: things, or times");
        let help = "write the one that is meant · motet explain M0246";
        let fewer = number.parse::<u64>().unwrap_or(1).saturating_sub(1);
        self.syntax_error(
            Problem::error("M0246", span, message, help)
                .note(format!("not so many things at a moment:  never (#{what} >= {number})"))
                .note(format!("a number by itself:              never ({what} >= {number})"))
                .note(format!("not so often in a run:           at most {fewer} times ({what})")),
        );
        Some(Node { tree: Tree::Error, span, depth: 1 })
    }

    fn no_second_time(&mut self, span: Span, what: &Node) -> Node {
        let what = surface::readable(what);
        let message = "`twice` may mean not a second time, or not just two times";
        let help = "write the one that is meant · motet explain M0246";
        self.syntax_error(
            Problem::error("M0246", span, message, help)
                .note(format!("not a second time:   at most once ({what})"))
                .note(format!("not just two times:  not (exactly twice ({what}))")),
        );
        Node { tree: Tree::Error, span, depth: 1 }
    }

    /// `once p`, `only once p`, `p once`, `p only once`: at most, or exactly.
    pub(super) fn doubtful_once(&mut self, start: Span, what: &Node) -> Option<Node> {
        if self.dialect != Dialect::Motet || self.silent {
            return None;
        }
        if self.word() == "not" && self.word_ahead(1) == "twice" {
            self.advance();
            self.advance();
            return Some(self.no_second_time(self.since(start), what));
        }
        if let Some(refused) = self.never_again(start, what) {
            return Some(refused);
        }
        let at = usize::from(self.word() == "only");
        let counts = matches!(self.word_ahead(at), "once" | "twice");
        let number = self.ahead(at) == Kind::Number || number_word(self.word_ahead(at)).is_some();
        let times = number && is_times(self.word_ahead(at + 1));
        if !(times || counts && (at == 1 || self.ahead(1) != Kind::Open)) {
            return None;
        }
        if at == 1 {
            self.advance();
        }
        let word = match number_word(self.word()).unwrap_or(self.text_of(self.token())) {
            "1" => "once".to_owned(),
            "2" => "twice".to_owned(),
            number if times => format!("{number} times"),
            word => word.to_owned(),
        };
        (0..1 + usize::from(times)).for_each(|_| {
            self.advance();
        });
        // `p once at most` has one reading, which is written the other way round.
        if self.word() == "at" && matches!(self.word_ahead(1), "most" | "least") {
            self.advance();
            let tally = self.take();
            let span = self.since(start);
            let message = format!("`at {tally}` stands before the number");
            let help = format!("write `at {tally} {word} ({})`", surface::readable(what));
            self.syntax_error(Problem::error("M0246", span, message, help));
            return Some(Node { tree: Tree::Error, span, depth: 1 });
        }
        Some(self.once_or_more(self.since(start), &word, what))
    }

    /// `p never again`, `p again never`: no second time, or not at all from here on.
    fn never_again(&mut self, start: Span, what: &Node) -> Option<Node> {
        let (what, behind) = match &what.tree {
            Tree::Again(what) => (&**what, self.word() == "never"),
            _ => (what, false),
        };
        if !(behind || self.word() == "never" && self.word_ahead(1) == "again") {
            return None;
        }
        self.advance();
        self.eat_word("again");
        let what = surface::readable(what);
        let message = "`never again` may mean not a second time, or not from here on";
        let help = "write the one that is meant · motet explain M0246";
        let span = self.since(start);
        self.syntax_error(
            Problem::error("M0246", span, message, help)
                .note(format!("not a second time:  at most once ({what})"))
                .note(format!("not from here on:   never ({what})")),
        );
        Some(Node { tree: Tree::Error, span, depth: 1 })
    }

    /// `whenever p, never q`: at those moments, or at all later ones too.
    pub(super) fn endless_answer(&mut self, word: Span, sentence: &str, trigger: &Node, response: &Node) {
        let Tree::Temporal(temporal, Spelling::Word, None, inner) = &response.tree else {
            return self.no_due(word, sentence);
        };
        if self.silent {
            return;
        }
        let said = self.text.get(word.start as usize..word.end as usize).unwrap_or_default();
        let message = format!("this `{sentence}` does not say from when to when its `{said}` counts");
        let help = "write the one that is meant · motet explain M0214";
        let problem = Problem::error("M0214", word, message, help);
        let (when, what) = (surface::readable(trigger), surface::readable(inner));
        let same = match &inner.bare().tree {
            Tree::Again(inner) => surface::readable(inner.bare()) == surface::readable(trigger.bare()),
            _ => false,
        };
        let not = if *temporal == Temporal::Never { "not " } else { "" };
        let [first, second] = match same {
            true => [
                format!("not a second time:       at most once ({when})"),
                format!("not at a later moment:   always (({when}) -> X (never ({when})))"),
            ],
            false => [
                format!("from then on:      always (({when}) -> {said} ({what}))"),
                format!("at those moments:  {sentence} {when}, immediately {not}({what})"),
            ],
        };
        self.report(problem.note(first).note(second));
    }

    /// `when p, q` and `if p then q` in the place of `whenever p, ...`.
    pub(super) fn when_for_whenever(&mut self) -> Option<Node> {
        let word = self.word();
        let next = self.word_ahead(1);
        let starts = match self.ahead(1) {
            Kind::Word => !OPERATORS.contains(&next) && !BEHIND.contains(&next) && !self.at_item_ahead(1),
            kind => matches!(kind, Kind::Quoted | Kind::Text | Kind::Not),
        };
        if self.silent || !matches!(word, "when" | "if") || !starts {
            return None;
        }
        let span = self.span();
        let message = format!("`{word}` does not start a claim");
        let help = "write `whenever p, eventually q`, or another timing; `p -> q` speaks of one moment";
        self.report(Problem::error("M0202", span, message, help).fix(span, "whenever"));
        Some(self.whenever())
    }

    /// `once p` and `only once p`, which start with the word.
    pub(super) fn doubtful_once_first(&mut self) -> Option<Node> {
        let at = usize::from(self.word() == "only");
        let starts = matches!(self.ahead(at + 1), Kind::Quoted | Kind::Text)
            || (at == 1 && self.ahead(2) == Kind::Open)
            || (self.ahead(at + 1) == Kind::Word
                && !OPERATORS.contains(&self.word_ahead(at + 1))
                && !BEHIND.contains(&self.word_ahead(at + 1))
                && self.word_ahead(at + 1) != "satisfy"
                && !self.at_item_ahead(at + 1));
        let counts = matches!(self.word_ahead(at), "once" | "twice");
        if self.dialect != Dialect::Motet || self.silent || !starts || !counts {
            return None;
        }
        let start = self.span();
        if at == 1 {
            self.advance();
        }
        let word = self.take().to_owned();
        let what = self.comparison();
        if at == 0 && word == "once" && self.kind() == Kind::Comma {
            return Some(self.once_as_after(start, &what));
        }
        Some(self.once_or_more(self.since(start), &word, &what))
    }

    /// `once p, q`: from p on, or one time.
    fn once_as_after(&mut self, start: Span, what: &Node) -> Node {
        let span = self.since(start);
        self.advance();
        let body = self.formula();
        if !self.silent {
            let (what, body) = (surface::readable(what), surface::readable(&body));
            let help = "write the one that is meant · motet explain M0246";
            let message = "`once` may mean from then on, or one time";
            self.syntax_error(
                Problem::error("M0246", span, message, help)
                    .note(format!("from then on:  after {what}, {body}"))
                    .note(format!("one time:      (at most once ({what})) and ({body})")),
            );
        }
        Node { tree: Tree::Error, span, depth: 1 }
    }

    fn once_or_more(&mut self, span: Span, word: &str, what: &Node) -> Node {
        if !self.silent {
            let what = surface::readable(what);
            let message =
                format!("`{word}` alone may mean that it happens, or that it happens no more often");
            let help = "write the one that is meant · motet explain M0246";
            let mut problem = Problem::error("M0246", span, message, help)
                .note(format!("not more often:           at most {word} ({what})"))
                .note(format!("so often, no more:        exactly {word} ({what})"));
            if word == "once" {
                problem = problem.note(format!("now or at a moment before: once({what})"));
            }
            self.syntax_error(problem);
        }
        Node { tree: Tree::Error, span, depth: 1 }
    }

    /// Ways to say "from everywhere p can be had", which leave open whether p can come or must come.
    pub(super) fn possible_first(&mut self) -> Option<Node> {
        const PHRASES: [&[&str]; 15] = [
            &["it", "is", "always", "possible", "to"],
            &["it", "is", "always", "possible", "that"],
            &["it", "is", "always", "possible"],
            &["always", "possible", "to"],
            &["always", "possible"],
            &["always", "possibly"],
            &["from", "everywhere"],
            &["from", "every", "state"],
            &["from", "anywhere"],
            &["can", "always", "recover", "to"],
            &["can", "always", "recover"],
            &["always", "recover", "to"],
            &["always", "recover"],
            &["recover", "to"],
            &["recover"],
        ];
        if self.dialect != Dialect::Motet || self.silent {
            return None;
        }
        let stands = |phrase: &&[&str]| (0..).zip(*phrase).all(|(at, word)| self.word_ahead(at) == *word);
        let phrase = PHRASES.into_iter().find(|phrase| stands(phrase))?;
        let length = phrase.len();
        // `recover(x)` and `recover from everywhere` speak of something of the model that has this name.
        let name = phrase.ends_with(&["recover"])
            && (!self.is_apart(length)
                || matches!(self.word_ahead(length), "from" | "is" | "always" | "can"));
        if !self.at_operand(length) || self.at_item_ahead(length - 1) || name {
            return None;
        }
        let start = self.span();
        (0..length).for_each(|_| {
            self.advance();
        });
        self.eat(Kind::Comma);
        self.pass_getting();
        let what = self.formula();
        while CAN_BE.contains(&self.word()) && !self.at_item() {
            self.advance();
        }
        // `recover p from everywhere`: what stands behind has said it already.
        if matches!(what.tree, Tree::Error) {
            return Some(what);
        }
        Some(self.reachable_or_due(self.since(start), &what))
    }

    /// `possible p` inside a formula.
    pub(super) fn possible_inside(&mut self) -> Option<Node> {
        let word = matches!(self.word(), "possible" | "possibly" | "reachable");
        if self.dialect != Dialect::Motet || self.silent || !word || self.at_item() {
            return None;
        }
        // `possible(...)` may be a name of the model; with a blank it is a word.
        // `until reachable satisfy p`: the last word belongs to the requirement.
        let last = self.word_ahead(1) == "satisfy";
        if !self.at_operand(1) || self.ahead(1) == Kind::Comma || !self.is_apart(1) || last {
            return None;
        }
        let start = self.span();
        self.advance();
        self.pass_getting();
        let what = self.prefix();
        let span = self.since(start);
        if !self.silent {
            let what = surface::readable(&what);
            let help = "write the one that is meant · motet explain M0247";
            let message = "this does not say whether it can come from here, or comes";
            self.syntax_error(
                Problem::error("M0247", span, message, help)
                    .note(format!("it can come:  EF ({what})"))
                    .note(format!("it comes:     eventually ({what})")),
            );
        }
        Some(Node { tree: Tree::Error, span, depth: 1 })
    }

    /// Whether an operand starts so many tokens on.
    fn at_operand(&self, ahead: usize) -> bool {
        match self.ahead(ahead) {
            Kind::Word => {
                let word = self.word_ahead(ahead);
                word == "not" || !(OPERATORS.contains(&word) || BEHIND.contains(&word))
            }
            kind => matches!(kind, Kind::Open | Kind::Quoted | Kind::Text | Kind::Not | Kind::Comma),
        }
    }

    /// Words of `possible to get home` that say no more than `possible home`.
    fn pass_getting(&mut self) {
        while GETTING.contains(&self.word()) && self.at_operand(1) && self.ahead(1) != Kind::Comma {
            self.advance();
        }
    }

    /// `p from everywhere`, `p always possible`, `p is reachable from every state`
    pub(super) fn possible_behind(&mut self, start: Span, what: &Node) -> Option<Node> {
        let said = matches!(
            (self.word(), self.word_ahead(1)),
            ("from", "everywhere" | "anywhere" | "every" | "any")
                | ("always", "possible" | "reachable" | "recoverable")
                | ("is", "always" | "possible" | "reachable" | "recoverable")
                | ("can", "be" | "always")
                | ("reachable" | "recoverable", _)
        );
        let last = matches!(self.word(), "reachable" | "recoverable");
        let item = self.at_item() || !last && self.at_item_ahead(1);
        if self.dialect != Dialect::Motet || self.silent || !said || item {
            return None;
        }
        while CAN_BE.contains(&self.word()) && !self.at_item() {
            self.advance();
        }
        // `always home reachable`: the word belongs to all of it.
        let what = match &what.tree {
            Tree::Temporal(Temporal::Always, Spelling::Word, None, inner) => inner,
            _ => what,
        };
        Some(self.reachable_or_due(self.since(start), what))
    }

    fn reachable_or_due(&mut self, span: Span, what: &Node) -> Node {
        if !self.silent {
            let what = surface::readable(what);
            let message = "this does not say whether it can come from everywhere, or comes";
            let help = "write the one that is meant · motet explain M0247";
            self.syntax_error(
                Problem::error("M0247", span, message, help)
                    .note(format!("it always can come:  AG (EF ({what}))"))
                    .note(format!("it always comes:     always (eventually ({what}))")),
            );
        }
        Node { tree: Tree::Error, span, depth: 1 }
    }
}
