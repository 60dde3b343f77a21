//! Sentences: scopes, `whenever`, quantifiers, `precedes`, and lengths of time.

use motet_source::{Problem, Span};

use super::Parser;
use crate::syntax::{Arithmetic, Dialect, Domain, Every, Lasting, Node, Scope, Timing, Tree, UnitName, When};
use crate::token::Kind;

impl Parser<'_> {
    /// `[ scope "," ] body`
    pub(super) fn sentence(&mut self) -> Node {
        if self.dialect == Dialect::Motet && self.at_requirement() {
            return self.requirement();
        }
        let start = self.span();
        let Some(scope) = self.scope() else { return self.body() };
        self.require(Kind::Comma, "`,` after the scope");
        let body = self.deeper(Self::sentence);
        let span = self.since(start);
        self.node(Tree::Scoped(scope, Box::new(body)), span)
    }

    pub(super) fn scope(&mut self) -> Option<Scope> {
        let word = self.word();
        // A name may be called `after` as long as it is used like a name.
        let like_a_name = matches!(
            self.ahead(1),
            Kind::Dot
                | Kind::Eq
                | Kind::Ne
                | Kind::Lt
                | Kind::Le
                | Kind::Gt
                | Kind::Ge
                | Kind::Close
                | Kind::End
        );
        if self.dialect != Dialect::Motet
            || like_a_name
            || !matches!(word, "globally" | "before" | "while" | "after" | "between")
        {
            return None;
        }
        self.advance();
        Some(match word {
            "globally" => Scope::Globally,
            "before" => Scope::Before(Box::new(self.comparison())),
            "while" => Scope::While(Box::new(self.comparison())),
            "after" => {
                let from = Box::new(self.comparison());
                match self.eat_word("until") {
                    true => Scope::AfterUntil(from, Box::new(self.comparison())),
                    false => Scope::After(from),
                }
            }
            _ => {
                let from = Box::new(self.comparison());
                if !self.eat_word("and") && !self.eat(Kind::And) {
                    self.unexpected("`and` and the end of the scope");
                }
                Scope::Between(from, Box::new(self.comparison()))
            }
        })
    }

    pub(super) fn body(&mut self) -> Node {
        let start = self.span();
        if self.dialect == Dialect::Motet {
            if self.at_requirement() {
                return self.requirement();
            }
            if self.word() == "whenever" {
                return self.whenever();
            }
            if self.word() == "each" && self.word_ahead(1) == "time" {
                return self.each_time();
            }
            if let Some(refused) = self.when_for_whenever() {
                return refused;
            }
            if let Some(refused) = self.possible_first() {
                return refused;
            }
            if self.at_quantifier() {
                return self.quantified();
            }
        }
        let left = self.formula();
        let refused = self.possible_behind(start, &left).or_else(|| self.doubtful_once(start, &left));
        if let Some(refused) = refused.or_else(|| self.scope_behind(start, &left)) {
            return refused;
        }
        if self.dialect != Dialect::Motet || !self.eat_word("precedes") {
            return left;
        }
        let right = self.formula();
        let span = self.since(start);
        self.node(Tree::Precedes(Box::new(left), Box::new(right)), span)
    }

    pub(super) fn whenever(&mut self) -> Node {
        let start = self.span();
        self.advance();
        let trigger = self.formula();
        if !self.eat_word("then") {
            self.require(Kind::Comma, "`,` after what `whenever` waits for");
            self.eat_word("then");
        }
        let (timing, response) = self.answer("whenever", &trigger);
        let span = self.since(start);
        self.node(Tree::Whenever(Box::new(trigger), timing, Box::new(response)), span)
    }

    /// What is to come behind `whenever p,` or `each time p,`, and when.
    pub(super) fn answer(&mut self, sentence: &str, trigger: &Node) -> (Timing, Node) {
        let start = self.span();
        if matches!(self.word(), "never" | "always") {
            let response = self.formula();
            self.endless_answer(start, sentence, trigger, &response);
            return (Timing::Eventually, response);
        }
        let timing = self.timing(sentence);
        self.eat(Kind::Comma);
        let start = self.span();
        let response = self.formula();
        let refused = self.possible_behind(start, &response).or_else(|| self.doubtful_once(start, &response));
        (timing, refused.unwrap_or(response))
    }

    fn timing(&mut self, sentence: &str) -> Timing {
        let word = self.word();
        match word {
            "immediately" | "eventually" => {
                self.advance();
                if word == "immediately" { Timing::Immediately } else { Timing::Eventually }
            }
            "within" | "for" | "after" => {
                self.advance();
                let length = Box::new(self.length());
                match word {
                    "within" => Timing::Within(length),
                    "for" => Timing::For(length),
                    _ => Timing::After(length),
                }
            }
            _ => {
                self.no_due(self.span(), sentence);
                Timing::Eventually
            }
        }
    }

    pub(super) fn no_due(&mut self, span: Span, sentence: &str) {
        if !self.silent {
            let message = format!("this `{sentence}` does not say when the answer is due");
            let help = "write immediately, eventually, within D, for D or after D behind the comma";
            self.report(
                Problem::error("M0214", span, message, help)
                    .note("some readers take it as at once, others as sooner or later"),
            );
        }
    }

    pub(super) fn at_quantifier(&self) -> bool {
        match self.kind() {
            Kind::ForAll | Kind::Exists => true,
            Kind::Word => {
                matches!(self.word(), "forall" | "exists")
                    && matches!(self.ahead(1), Kind::Word | Kind::Quoted)
                    && (self.word_ahead(2) == "in"
                        || self.ahead(2) == Kind::In
                        || self.ahead(3) == Kind::Word)
            }
            _ => false,
        }
    }

    pub(super) fn quantified(&mut self) -> Node {
        let start = self.span();
        let every =
            if self.kind() == Kind::Exists || self.word() == "exists" { Every::Some } else { Every::All };
        self.advance();
        self.over(start, every)
    }

    /// `x in D: p`, or `x in D, y in E: p`, which is a quantifier inside a quantifier.
    fn over(&mut self, start: Span, every: Every) -> Node {
        let Some(variable) = self.name("the variable's name") else { return self.error_node() };
        if !self.eat(Kind::In) && !self.eat_word("in") {
            self.unexpected("`in` and what the variable ranges over");
        }
        let domain = self.domain();
        let body = if self.eat(Kind::Comma) {
            let next = self.span();
            self.deeper(|parser| parser.over(next, every))
        } else {
            self.require(Kind::Colon, "`:` after what the variable ranges over");
            self.deeper(Self::body)
        };
        let span = self.since(start);
        self.node(Tree::Quantified(every, variable.node, Box::new(domain), Box::new(body)), span)
    }

    pub(super) fn domain(&mut self) -> Domain {
        if self.eat(Kind::OpenCurly) {
            let mut members = vec![self.sum()];
            while self.eat(Kind::Comma) {
                members.push(self.sum());
            }
            self.require(Kind::CloseCurly, "`}`");
            return Domain::Set(members);
        }
        let first = self.sum();
        if self.eat(Kind::Range) { Domain::Range(first, self.sum()) } else { Domain::Name(first) }
    }

    /// The bound of a temporal operator, if one follows.
    pub(super) fn when(&mut self) -> Option<When> {
        match self.kind() {
            Kind::Lt | Kind::Le | Kind::Gt | Kind::Ge if !self.at_tuple() => {
                let relation = self.relation()?;
                self.advance();
                Some(When::Relation(relation, Box::new(self.bound_value())))
            }
            Kind::OpenSquare => {
                self.advance();
                let low = Box::new(self.bound_value());
                self.require(Kind::Comma, "`,` between the ends of the bound");
                let high = Box::new(self.bound_value());
                self.require(Kind::CloseSquare, "`]` after the bound");
                Some(When::Between(low, high))
            }
            Kind::Word if self.dialect == Dialect::Motet && matches!(self.word(), "within" | "for") => {
                let lasting = if self.word() == "within" { Lasting::Within } else { Lasting::For };
                self.advance();
                Some(When::Words(lasting, Box::new(self.length())))
            }
            _ => None,
        }
    }

    /// Whether the `<` here opens a tuple, as in `F <u, r> in Place`, and not a bound.
    fn at_tuple(&self) -> bool {
        self.kind() == Kind::Lt
            && matches!(self.ahead(1), Kind::Word | Kind::Number | Kind::Quoted | Kind::Text)
            && (matches!(self.ahead(2), Kind::Comma | Kind::Gt) || self.ahead(1) == Kind::Text)
    }

    /// `NUMBER [unit] | IDENT | "(" sum ")"`
    pub(super) fn bound_value(&mut self) -> Node {
        if self.dialect != Dialect::Prism {
            return self.plain_bound();
        }
        let value = self.prism_bound();
        // PRISM counts steps wherever its files give a bare number.
        let (span, steps) = (value.span, |number: String| Tree::Length(vec![(number, UnitName::Steps)]));
        if let Tree::Number(number) = value.tree {
            return self.node(steps(number), span);
        }
        let one = self.node(steps("1".to_owned()), span);
        self.node(Tree::Arithmetic(Arithmetic::Mul, Box::new(value), Box::new(one)), span)
    }

    pub(super) fn plain_bound(&mut self) -> Node {
        let start = self.span();
        let bound = match self.kind() {
            // In `F<=10 s=7` the `s` is compared, so it is no unit.
            Kind::Number if self.relation_ahead(2) => {
                let number = self.take().to_owned();
                return self.node(Tree::Number(number), start);
            }
            Kind::Number => return self.number(),
            Kind::Open => {
                self.advance();
                let inner = self.deeper(Self::sum);
                self.require(Kind::Close, "`)` after the bound");
                let span = self.since(start);
                self.node(Tree::Group(Box::new(inner)), span)
            }
            _ => self.constant("a number with a unit, a constant or `(`"),
        };
        self.counted(start, bound)
    }

    fn relation_ahead(&self, ahead: usize) -> bool {
        matches!(self.ahead(ahead), Kind::Eq | Kind::Ne | Kind::Lt | Kind::Le | Kind::Gt | Kind::Ge)
    }

    /// `N steps`. Clock units are not read behind a name: `s` and `h` are names too often.
    fn counted(&mut self, start: Span, bound: Node) -> Node {
        let unit = UnitName::named(self.word()).filter(|unit| unit.counts() && !self.relation_ahead(1));
        let Some(unit) = unit.filter(|_| self.dialect == Dialect::Motet) else { return bound };
        let unit_span = self.span();
        self.advance();
        let one = self.node(Tree::Length(vec![("1".to_owned(), unit)]), unit_span);
        let span = self.since(start);
        self.node(Tree::Arithmetic(Arithmetic::Mul, Box::new(bound), Box::new(one)), span)
    }

    /// `NUMBER unit { NUMBER unit } | IDENT`
    pub(super) fn length(&mut self) -> Node {
        match self.kind() {
            Kind::Number => self.number(),
            Kind::Open => self.bound_value(),
            _ => self.constant("a length of time such as `4 min`"),
        }
    }

    fn constant(&mut self, what: &str) -> Node {
        let span = self.span();
        match self.name(what) {
            Some(name) => self.node(Tree::Name(name.node), span),
            None => self.error_node(),
        }
    }

    /// A number, with its unit if one follows: `100`, `4 min`, `1 h 30 min`.
    pub(super) fn number(&mut self) -> Node {
        let start = self.span();
        let first = self.take().to_owned();
        let unit = if matches!(self.dialect, Dialect::Motet) { UnitName::named(self.word()) } else { None };
        let Some(unit) = unit else {
            let foreign = self.foreign_unit(start, &first);
            return foreign.unwrap_or_else(|| self.node(Tree::Number(first), start));
        };
        self.advance();
        let mut parts = vec![(first, unit)];
        while self.kind() == Kind::Number
            && let Some(unit) = UnitName::named(self.word_ahead(1))
        {
            parts.push((self.take().to_owned(), unit));
            self.advance();
        }
        let span = self.since(start);
        self.node(Tree::Length(parts), span)
    }
}
