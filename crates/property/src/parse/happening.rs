//! What happens, and how often: `becomes p`, `at most twice p`, `p again`, `each time p, ...`, `a sends b c`. None of these
//! words is taken from names: each stands where no name can stand beside another.

use motet_source::Span;

use super::Parser;
use crate::syntax::{Count, Dialect, Form, Node, Passing, Tally, Times, Tree, Wording};
use crate::token::{Kind, OPERATORS};

/// Words that may stand behind a name, so that the name is not `becomes` in front of something.
pub(super) const BEHIND: [&str; 18] = [
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
        let refused = self.doubtful_once_first().or_else(|| self.possible_inside());
        refused.or_else(|| self.never_more_than()).or_else(|| self.doubtful_never())
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

    /// `p again`, `p at most twice`, `p never twice`: words behind a formula about one state.
    pub(super) fn behind(&mut self, start: Span, mut node: Node) -> Node {
        while self.dialect == Dialect::Motet && !self.silent {
            self.pass_filler();
            let wording = Wording::Behind;
            let tree = if self.eat_word("again") {
                Tree::Again(Box::new(node))
            } else if let Some(tally) = self.tally(0) {
                let words = self.skip_tally(tally);
                if let Some(doubtful) = self.doubtful_number_behind(start, words, &node) {
                    return doubtful;
                }
                let times = self.times();
                Tree::Counted(Box::new(Count { tally, times, wording, what: node }))
            } else if self.word() == "never" && self.word_ahead(1) == "twice" {
                self.advance();
                self.advance();
                let (tally, times) = (Tally::AtMost, Times::Once);
                Tree::Counted(Box::new(Count { tally, times, wording, what: node }))
            } else {
                return node;
            };
            let span = self.since(start);
            node = self.node(tree, span);
        }
        node
    }

    /// `p happens at most once`: the word says nothing that the count does not say.
    fn pass_filler(&mut self) {
        let filler = matches!(self.word(), "happens" | "occurs" | "is");
        let never = self.word_ahead(1) == "never" && self.word_ahead(2) == "twice";
        if filler && (self.tally(1).is_some() || never) {
            self.advance();
        }
    }

    /// The words of a count, if they stand here.
    fn tally(&self, ahead: usize) -> Option<Tally> {
        if self.dialect != Dialect::Motet {
            return None;
        }
        let (tally, number) = match (self.word_ahead(ahead), self.word_ahead(ahead + 1)) {
            ("at", "most") => (Tally::AtMost, ahead + 2),
            ("no" | "not", "more") if self.word_ahead(ahead + 2) == "than" => (Tally::AtMost, ahead + 3),
            ("max", _) if self.ahead(ahead + 1) == Kind::Number => (Tally::AtMost, ahead + 1),
            ("at", "least") => (Tally::AtLeast, ahead + 2),
            ("exactly", _) => (Tally::Exactly, ahead + 1),
            _ => return None,
        };
        let times = self.word_ahead(number + 1);
        let counts = match self.ahead(number) {
            Kind::Word => {
                let word = self.word_ahead(number);
                matches!(word, "once" | "twice") || number_word(word).is_some() || is_times(times)
            }
            Kind::Number => true,
            Kind::Quoted => is_times(times),
            Kind::Open => tally != Tally::Exactly,
            _ => false,
        };
        counts.then_some(tally)
    }

    /// Reads the words of a count, and gives them as they are written in a canonical form.
    fn skip_tally(&mut self, tally: Tally) -> &'static str {
        let words = match self.word() {
            "no" | "not" => 3,
            "max" | "exactly" => 1,
            _ => 2,
        };
        (0..words).for_each(|_| {
            self.advance();
        });
        tally.words()
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
        let span = self.span();
        let number = match (self.kind(), number_word(self.word())) {
            (Kind::Number, _) => {
                let number = self.take().to_owned();
                self.node(Tree::Number(number), span)
            }
            (_, Some(number)) => {
                self.advance();
                self.node(Tree::Number(number.to_owned()), span)
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
        let words = self.skip_tally(tally);
        if let Some(node) = self.doubtful_number(start, words) {
            return node;
        }
        let times = self.times();
        let what = self.prefix_operand();
        let span = self.since(start);
        self.node(Tree::Counted(Box::new(Count { tally, times, wording: Wording::Before, what })), span)
    }

    /// `never p twice`, `never p more than twice`, `never more than twice p`; `None` is a plain `never p`.
    pub(super) fn never_so_often(&mut self, start: Span, what: &Node) -> Option<Node> {
        self.pass_filler();
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
        let (timing, response) = self.answer("each time", &trigger);
        let span = self.since(start);
        self.node(Tree::EachTime(Box::new(trigger), timing, Box::new(response)), span)
    }
}

pub(super) fn is_times(word: &str) -> bool {
    matches!(word, "times" | "time")
}

/// A number in words: `two things` is as doubtful as `2 things`.
pub(super) fn number_word(word: &str) -> Option<&'static str> {
    const WORDS: [(&str, &str); 10] = [
        ("one", "1"),
        ("two", "2"),
        ("three", "3"),
        ("four", "4"),
        ("five", "5"),
        ("six", "6"),
        ("seven", "7"),
        ("eight", "8"),
        ("nine", "9"),
        ("ten", "10"),
    ];
    WORDS.iter().find(|(known, _)| *known == word).map(|(_, number)| *number)
}
