//! What happens, and how often: `becomes p`, `at most twice p`, `p again`, `each time p, ...`, `a sends b c`. None of these
//! words is taken from names: each stands where no name can stand beside another.

use motet_source::{Problem, Span};

use super::Parser;
use crate::print::surface;
use crate::syntax::{Count, Dialect, Form, Node, Passing, Tally, Times, Tree, Wording};
use crate::token::{Kind, OPERATORS};

/// Words that may stand behind a name, so that the name is not `becomes` in front of something.
const BEHIND: [&str; 18] = [
    "believes", "desires", "intends", "does", "tells", "knows", "has", "sends", "reads", "becomes", "again",
    "precedes", "since", "expect", "shall", "union", "minus", "at",
];

impl Parser<'_> {
    /// What happens, and how often, if words of that stand here.
    pub(super) fn happening(&mut self) -> Option<Node> {
        if self.at_becomes() {
            return Some(self.becomes());
        }
        if let Some(tally) = self.tally(0) {
            return Some(self.tallied(tally));
        }
        self.doubtful_once_first().or_else(|| self.never_more_than())
    }

    /// `becomes p`
    fn at_becomes(&self) -> bool {
        let next = self.word_ahead(1);
        self.dialect == Dialect::Motet
            && self.word() == "becomes"
            && match self.ahead(1) {
                Kind::Word => {
                    next == "not"
                        || !(OPERATORS.contains(&next) || BEHIND.contains(&next) || self.at_item_ahead(1))
                }
                kind => matches!(kind, Kind::Quoted | Kind::Not | Kind::Text | Kind::Hash),
            }
    }

    fn becomes(&mut self) -> Node {
        let start = self.span();
        self.advance();
        let what = match self.kind() == Kind::Not || self.word() == "not" {
            true => self.prefix(),
            false => self.comparison(),
        };
        let span = self.since(start);
        // `becomes p again` is said of the change.
        match what {
            Node { tree: Tree::Again(what), .. } => {
                let becomes = self.node(Tree::Becomes(Form::Function, what), span);
                self.node(Tree::Again(Box::new(becomes)), span)
            }
            what => self.node(Tree::Becomes(Form::Function, Box::new(what)), span),
        }
    }

    /// `x becomes v`
    pub(super) fn becomes_value(&mut self, start: Span, left: Node) -> Node {
        self.advance();
        let right = self.sum();
        let span = self.since(start);
        let relation = crate::formula::Relation::Eq;
        let compare = self.node(Tree::Compare(Box::new(left), vec![(relation, right)]), span);
        self.node(Tree::Becomes(Form::Sentence, Box::new(compare)), span)
    }

    /// `a sends b c`, `b reads c from a`
    pub(super) fn passes(&mut self, start: Span, agent: Node) -> Node {
        let passing = if self.word() == "sends" { Passing::Sends } else { Passing::Reads };
        self.advance();
        let (from, to, content) = match passing {
            Passing::Sends => {
                let to = self.agent_name();
                (agent, to, self.content())
            }
            Passing::Reads => {
                let content = self.content();
                if !self.eat_word("from") {
                    self.unexpected("`from` and who sent it");
                }
                (self.agent_name(), agent, content)
            }
        };
        let span = self.since(start);
        let (from, to, content) = (Box::new(from), Box::new(to), Box::new(content));
        self.node(Tree::Passes(passing, Form::Sentence, from, to, content), span)
    }

    /// `Sends(a, b, c)`, `Reads(b, a, c)`
    pub(super) fn passes_function(&mut self, passing: Passing) -> Node {
        let start = self.span();
        self.advance();
        self.advance();
        let one = Box::new(self.sum());
        self.require(Kind::Comma, "`,` after the first agent");
        let other = Box::new(self.sum());
        self.require(Kind::Comma, "`,` after the second agent");
        let content = Box::new(self.formula());
        self.require(Kind::Close, "`)`");
        let (from, to) = if passing == Passing::Sends { (one, other) } else { (other, one) };
        let span = self.since(start);
        self.node(Tree::Passes(passing, Form::Function, from, to, content), span)
    }

    /// `p again`, `p at most twice`: words behind a formula about one state.
    pub(super) fn behind(&mut self, start: Span, mut node: Node) -> Node {
        while self.dialect == Dialect::Motet && !self.silent {
            let tree = if self.eat_word("again") {
                Tree::Again(Box::new(node))
            } else if let Some(tally) = self.tally(0) {
                self.skip_tally(tally);
                let times = self.times();
                Tree::Counted(Box::new(Count { tally, times, wording: Wording::Behind, what: node }))
            } else {
                return node;
            };
            let span = self.since(start);
            node = self.node(tree, span);
        }
        node
    }

    /// The words of a count, if they stand here.
    fn tally(&self, ahead: usize) -> Option<Tally> {
        if self.dialect != Dialect::Motet {
            return None;
        }
        let (tally, number) = match (self.word_ahead(ahead), self.word_ahead(ahead + 1)) {
            ("at", "most") => (Tally::AtMost, ahead + 2),
            ("at", "least") => (Tally::AtLeast, ahead + 2),
            ("exactly", _) => (Tally::Exactly, ahead + 1),
            _ => return None,
        };
        let times = self.word_ahead(number + 1);
        let counts = match self.ahead(number) {
            Kind::Word => matches!(self.word_ahead(number), "once" | "twice") || is_times(times),
            Kind::Number => true,
            Kind::Open => tally != Tally::Exactly,
            _ => false,
        };
        counts.then_some(tally)
    }

    fn skip_tally(&mut self, tally: Tally) {
        self.advance();
        if tally != Tally::Exactly {
            self.advance();
        }
    }

    /// `once`, `twice`, `3 times`
    fn times(&mut self) -> Times {
        match self.word() {
            "once" => {
                self.advance();
                return Times::Once;
            }
            "twice" => {
                self.advance();
                return Times::Twice;
            }
            _ => {}
        }
        let number = match self.kind() {
            Kind::Number => {
                let span = self.span();
                let number = self.take().to_owned();
                self.node(Tree::Number(number), span)
            }
            _ => self.plain_bound(),
        };
        if is_times(self.word()) {
            self.advance();
        } else {
            self.unexpected("`times`");
        }
        Times::Number(Box::new(number))
    }

    /// `at most twice p`
    fn tallied(&mut self, tally: Tally) -> Node {
        let start = self.span();
        self.skip_tally(tally);
        if let Some(node) = self.doubtful_number(start, tally.words()) {
            return node;
        }
        let times = self.times();
        let what = self.prefix_operand();
        let span = self.since(start);
        self.node(Tree::Counted(Box::new(Count { tally, times, wording: Wording::Before, what })), span)
    }

    /// `never p twice`, `never p more than twice`, `never more than twice p`; `None` is a plain `never p`.
    pub(super) fn never_so_often(&mut self, start: Span, what: &Node) -> Option<Node> {
        let (times, wording) = if self.eat_word("twice") {
            (Times::Once, Wording::NeverTwice)
        } else if self.word() == "more" && self.word_ahead(1) == "than" {
            self.advance();
            self.advance();
            (self.times(), Wording::NeverMoreThan)
        } else {
            return None;
        };
        let span = self.since(start);
        let count = Count { tally: Tally::AtMost, times, wording, what: what.clone() };
        Some(self.node(Tree::Counted(Box::new(count)), span))
    }

    /// `never more than twice p`
    fn never_more_than(&mut self) -> Option<Node> {
        let stands = (0..).zip(["never", "more", "than"]).all(|(at, word)| self.word_ahead(at) == word);
        if self.dialect != Dialect::Motet || !stands {
            return None;
        }
        let start = self.span();
        (0..3).for_each(|_| {
            self.advance();
        });
        if let Some(node) = self.doubtful_number(start, "never more than") {
            return Some(node);
        }
        let times = self.times();
        let what = self.prefix_operand();
        let span = self.since(start);
        let count = Count { tally: Tally::AtMost, times, wording: Wording::Before, what };
        Some(self.node(Tree::Counted(Box::new(count)), span))
    }

    /// `each time p, within D, q`
    pub(super) fn each_time(&mut self) -> Node {
        let start = self.span();
        self.advance();
        self.advance();
        let trigger = self.formula();
        self.require(Kind::Comma, "`,` after what `each time` waits for");
        self.eat_word("then");
        let timing = self.timing("each time");
        self.eat(Kind::Comma);
        let response = self.formula();
        let span = self.since(start);
        self.node(Tree::EachTime(Box::new(trigger), timing, Box::new(response)), span)
    }
}

impl Parser<'_> {
    /// `at most 2 inside`: two things, or two times.
    fn doubtful_number(&mut self, start: Span, words: &str) -> Option<Node> {
        if self.kind() != Kind::Number || is_times(self.word_ahead(1)) {
            return None;
        }
        let number = self.take().to_owned();
        let what = self.comparison();
        let span = self.since(start);
        if !self.silent {
            let what = surface::readable(&what);
            let (tally, sign) = match words {
                "at least" => ("at least", ">="),
                "exactly" => ("exactly", "="),
                _ => ("at most", "<="),
            };
            let message = format!("`{words} {number}` does not say what is counted: things, or times");
            let help = "write the one that is meant · motet explain M0246";
            self.report(
                Problem::error("M0246", span, message, help)
                    .note(format!("so many at every moment:  always (#{what} {sign} {number})"))
                    .note(format!("so many times in a run:   {tally} {number} times ({what})")),
            );
        }
        Some(Node { tree: Tree::Error, span, depth: 1 })
    }

    /// `once p`, `only once p`, `p once`, `p only once`: at most, or exactly.
    pub(super) fn doubtful_once(&mut self, start: Span, what: &Node) -> Option<Node> {
        let bare = matches!(self.word(), "once" | "twice") && self.ahead(1) != Kind::Open;
        let only = self.word() == "only" && matches!(self.word_ahead(1), "once" | "twice");
        if self.dialect != Dialect::Motet || self.silent || !(bare || only) {
            return None;
        }
        if only {
            self.advance();
        }
        let word = self.take().to_owned();
        Some(self.once_or_more(self.since(start), &word, what))
    }

    /// `once p` and `only once p`, which start with the word.
    fn doubtful_once_first(&mut self) -> Option<Node> {
        let at = usize::from(self.word() == "only");
        let starts = matches!(self.ahead(at + 1), Kind::Quoted | Kind::Text)
            || (at == 1 && self.ahead(2) == Kind::Open)
            || (self.ahead(at + 1) == Kind::Word
                && !OPERATORS.contains(&self.word_ahead(at + 1))
                && !BEHIND.contains(&self.word_ahead(at + 1))
                && !self.at_item_ahead(at + 1));
        if self.dialect != Dialect::Motet
            || self.silent
            || !starts
            || !matches!(self.word_ahead(at), "once" | "twice")
        {
            return None;
        }
        let start = self.span();
        if at == 1 {
            self.advance();
        }
        let word = self.take().to_owned();
        let what = self.comparison();
        Some(self.once_or_more(self.since(start), &word, &what))
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
            self.report(problem);
        }
        Node { tree: Tree::Error, span, depth: 1 }
    }

    /// Ways to say "from everywhere p can be had", which leave open whether p can come or must come.
    pub(super) fn possible_first(&mut self) -> Option<Node> {
        const PHRASES: [&[&str]; 7] = [
            &["it", "is", "always", "possible", "to"],
            &["it", "is", "always", "possible", "that"],
            &["it", "is", "always", "possible"],
            &["always", "possible"],
            &["from", "everywhere"],
            &["from", "every", "state"],
            &["from", "anywhere"],
        ];
        if self.dialect != Dialect::Motet || self.silent {
            return None;
        }
        let stands = |phrase: &&[&str]| (0..).zip(*phrase).all(|(at, word)| self.word_ahead(at) == *word);
        let length = PHRASES.into_iter().find(|phrase| stands(phrase))?.len();
        let operand = match self.ahead(length) {
            Kind::Word => {
                let word = self.word_ahead(length);
                word == "not" || !(OPERATORS.contains(&word) || BEHIND.contains(&word))
            }
            kind => matches!(kind, Kind::Open | Kind::Quoted | Kind::Text | Kind::Not | Kind::Comma),
        };
        if !operand || self.at_item_ahead(length - 1) {
            return None;
        }
        let start = self.span();
        (0..length).for_each(|_| {
            self.advance();
        });
        self.eat(Kind::Comma);
        let what = self.formula();
        Some(self.reachable_or_due(self.since(start), &what))
    }

    /// `p from everywhere`, `p always possible`
    pub(super) fn possible_behind(&mut self, start: Span, what: &Node) -> Option<Node> {
        let words = (self.word(), self.word_ahead(1));
        let said = matches!(
            words,
            ("from", "everywhere" | "anywhere") | ("always", "possible") | ("is", "always" | "possible")
        );
        if self.dialect != Dialect::Motet || self.silent || !said || self.at_item_ahead(1) {
            return None;
        }
        while matches!(
            self.word(),
            "is" | "always" | "possible" | "reachable" | "from" | "everywhere" | "anywhere"
        ) && !self.at_item()
        {
            self.advance();
        }
        Some(self.reachable_or_due(self.since(start), what))
    }

    fn reachable_or_due(&mut self, span: Span, what: &Node) -> Node {
        if !self.silent {
            let what = surface::readable(what);
            let message = "this does not say whether it can come from everywhere, or comes";
            let help = "write the one that is meant · motet explain M0247";
            self.report(
                Problem::error("M0247", span, message, help)
                    .note(format!("it always can come:  AG (EF ({what}))"))
                    .note(format!("it always comes:     always (eventually ({what}))")),
            );
        }
        Node { tree: Tree::Error, span, depth: 1 }
    }
}

fn is_times(word: &str) -> bool {
    matches!(word, "times" | "time")
}
