//! Comparisons, arithmetic and everything that stands in brackets of its own.

use motet_source::{Problem, Span};

use super::{Parser, unquoted};
use crate::formula::{Knowledge, Relation};
use crate::lower::INITIALLY;
use crate::print::surface;
use crate::syntax::{Arithmetic, Attitude, Dialect, Domain, Form, Node, Passing, Tree};
use crate::token::{Kind, OPERATORS};

impl Parser<'_> {
    pub(super) fn relation(&self) -> Option<Relation> {
        Some(match self.kind() {
            Kind::Eq => Relation::Eq,
            Kind::Ne => Relation::Ne,
            Kind::Lt => Relation::Lt,
            Kind::Le => Relation::Le,
            Kind::Gt => Relation::Gt,
            Kind::Ge => Relation::Ge,
            _ => return None,
        })
    }

    /// A formula about one state, with the words behind it that say how often.
    pub(super) fn comparison(&mut self) -> Node {
        let start = self.span();
        let node = self.compared();
        self.behind(start, node)
    }

    fn compared(&mut self) -> Node {
        let start = self.span();
        let left = self.sum();
        if self.relation().is_some() {
            return self.chain(start, left);
        }
        if self.kind() == Kind::In || self.word() == "in" {
            self.advance();
            let domain = self.domain();
            let span = self.since(start);
            return self.node(Tree::Member(Box::new(left), Box::new(domain)), span);
        }
        if self.dialect == Dialect::Motet { self.verb(start, left) } else { left }
    }

    /// `a <= x < b`
    fn chain(&mut self, start: Span, first: Node) -> Node {
        let mut rest = Vec::new();
        while let Some(relation) = self.relation() {
            if rest.len() >= 2 {
                self.unexpected("a connective; a chain compares at most three values");
                break;
            }
            let sign = self.span();
            self.advance();
            let value = self.sum();
            rest.push((relation, value));
            if rest.len() == 2 {
                self.doubtful_chain(sign, &first, &rest);
            }
        }
        let span = self.since(start);
        self.node(Tree::Compare(Box::new(first), rest), span)
    }

    /// `a < b < c` is read as in mathematics everywhere; other chains are not.
    fn doubtful_chain(&mut self, sign: Span, first: &Node, rest: &[(Relation, Node)]) {
        use Relation::{Ge, Gt, Le, Lt};
        let [(one, middle), (two, last)] = rest else { return };
        let fine = matches!((one, two), (Lt | Le, Lt | Le) | (Gt | Ge, Gt | Ge));
        if fine || self.silent {
            return;
        }
        let (a, b, c) = (surface::readable(first), surface::readable(middle), surface::readable(last));
        let (one, two) = (surface::relation(*one), surface::relation(*two));
        let problem = Problem::error(
            "M0213",
            sign,
            "this chain of comparisons has two readings",
            "only `a <= x < b` and `a >= x > b` chain; write the comparisons apart · motet explain M0213",
        )
        .note(format!("both:           {a} {one} {b} & {b} {two} {c}"))
        .note(format!("from the left:  ({a} {one} {b}) {two} {c}"));
        self.report(problem);
    }

    /// `a believes p` and the other verbs.
    fn verb(&mut self, start: Span, agent: Node) -> Node {
        let attitude = match self.word() {
            "believes" => Attitude::Believes,
            "desires" => Attitude::Desires,
            "intends" => Attitude::Intends,
            "does" => Attitude::Does,
            "sends" | "reads" => return self.passes(start, agent),
            "becomes" => return self.becomes_value(start, agent),
            "knows" => {
                self.advance();
                let content = match self.eat(Kind::Open) {
                    true => {
                        let content = self.sentence();
                        self.require(Kind::Close, "`)`");
                        content
                    }
                    false => self.known_bare(&agent),
                };
                let span = self.since(start);
                let who = Box::new(Domain::Name(agent));
                return self.node(Tree::Knows(Knowledge::One, Form::Sentence, who, Box::new(content)), span);
            }
            "tells" => {
                self.advance();
                let to = self.agent_name();
                let content = self.content();
                let span = self.since(start);
                let parts = (Box::new(agent), Box::new(to), Box::new(content));
                return self.node(Tree::Says(Form::Sentence, parts.0, parts.1, parts.2), span);
            }
            "has" if self.word_ahead(1) == "no" => {
                self.advance();
                for word in ["no", "belief", "about"] {
                    if !self.eat_word(word) {
                        self.unexpected("`has no belief about`");
                    }
                }
                let about = self.operand();
                let span = self.since(start);
                return self.node(Tree::NoBelief(Box::new(agent), Box::new(about)), span);
            }
            _ => return agent,
        };
        self.advance();
        let content = self.content();
        let span = self.since(start);
        self.node(Tree::Mental(attitude, Form::Sentence, Box::new(agent), Box::new(content)), span)
    }

    /// `[ "not" ] cmp`
    pub(super) fn content(&mut self) -> Node {
        let start = self.span();
        if self.kind() == Kind::Not || self.word() == "not" {
            let spelling = match self.kind() {
                Kind::Not => crate::syntax::Spelling::Symbol,
                _ => crate::syntax::Spelling::Word,
            };
            self.advance();
            let inner = self.deeper(Self::content);
            let span = self.since(start);
            return self.node(Tree::Not(spelling, Box::new(inner)), span);
        }
        self.deeper(Self::compared)
    }

    /// An agent where a name is followed by something else than its arguments.
    pub(super) fn agent_name(&mut self) -> Node {
        let span = self.span();
        match self.name("an agent") {
            Some(name) => self.node(Tree::Name(name.node), span),
            None => self.error_node(),
        }
    }

    pub(super) fn sum(&mut self) -> Node {
        let start = self.span();
        let mut left = self.term();
        loop {
            let operator = match self.kind() {
                Kind::Plus => Arithmetic::Add,
                Kind::Minus => Arithmetic::Sub,
                // `a +-b` is a sum too, except after `expect`.
                Kind::PlusMinus if self.plus_minus => Arithmetic::Sub,
                Kind::Word if self.dialect == Dialect::Motet && self.word() == "union" => Arithmetic::Union,
                Kind::Word if self.dialect == Dialect::Motet && self.word() == "minus" => Arithmetic::Minus,
                _ => return left,
            };
            if self.silent {
                return left;
            }
            self.advance();
            let right = self.term();
            let span = self.since(start);
            left = self.node(Tree::Arithmetic(operator, Box::new(left), Box::new(right)), span);
        }
    }

    fn term(&mut self) -> Node {
        let start = self.span();
        let mut left = self.operand();
        loop {
            let operator = match self.kind() {
                Kind::Star => Arithmetic::Mul,
                Kind::Slash => Arithmetic::Div,
                Kind::Percent => Arithmetic::Mod,
                _ => return left,
            };
            if self.silent {
                return left;
            }
            self.advance();
            let right = self.operand();
            let span = self.since(start);
            left = self.node(Tree::Arithmetic(operator, Box::new(left), Box::new(right)), span);
        }
    }

    pub(super) fn operand(&mut self) -> Node {
        self.deeper(Self::operand_here)
    }

    fn operand_here(&mut self) -> Node {
        let start = self.span();
        let tree = match self.kind() {
            Kind::Number => return self.number(),
            Kind::Text => {
                let text = unquoted(self.take());
                self.text_or_label(text)
            }
            Kind::Minus => {
                self.advance();
                Tree::Negative(Box::new(self.operand()))
            }
            Kind::Hash => {
                self.advance();
                Tree::Size(Box::new(self.operand()))
            }
            Kind::Lt => {
                self.advance();
                let parts = self.list(Kind::Gt, "`>` at the end of the tuple", Self::operand);
                Tree::Tuple(parts)
            }
            Kind::Always => {
                self.advance();
                Tree::List(Vec::new())
            }
            Kind::OpenSquare => {
                self.advance();
                Tree::List(self.list(Kind::CloseSquare, "`]` at the end of the list", Self::sum))
            }
            Kind::Open => {
                self.advance();
                let inner = self.sentence();
                self.require(Kind::Close, "`)`");
                Tree::Group(Box::new(inner))
            }
            Kind::Word => return self.word_operand(),
            Kind::Quoted => return self.path(),
            _ => {
                self.unexpected("a formula or a value");
                return self.error_node();
            }
        };
        let span = self.since(start);
        self.node(tree, span)
    }

    /// PRISM's `"goal"`: a label of this file, a deadlock, or a label of the model.
    fn text_or_label(&self, text: String) -> Tree {
        match self.dialect {
            Dialect::Prism if text == "deadlock" => Tree::Name(text),
            Dialect::Prism if self.labels.contains(&text) => Tree::Name(text),
            _ => Tree::Text(text),
        }
    }

    fn list(&mut self, end: Kind, what: &str, read: fn(&mut Self) -> Node) -> Vec<Node> {
        let mut parts = vec![read(self)];
        while !self.silent && self.eat(Kind::Comma) {
            parts.push(read(self));
        }
        self.require(end, what);
        parts
    }

    /// What starts with a word.
    fn word_operand(&mut self) -> Node {
        let word = self.word();
        let next = self.ahead(1);
        let queried = matches!(next, Kind::Ask | Kind::Ge | Kind::Le | Kind::Gt | Kind::Lt);
        let extremal = matches!(self.word_ahead(1), "min" | "max") && self.ahead(2) != Kind::Open;
        match word {
            "P" if queried || extremal => return self.chance(),
            "Pmin" | "Pmax" if queried => return self.chance(),
            "S" if extremal => return self.steady(),
            "S" | "Smin" | "Smax" if queried && self.steady_ahead() => return self.steady(),
            "R" if queried || extremal || next == Kind::OpenCurly => return self.reward(),
            "filter" if self.at_filter() => return self.filter(),
            "Rmin" | "Rmax" if queried || next == Kind::OpenCurly => return self.reward(),
            _ => {}
        }
        if self.dialect == Dialect::Motet
            && let Some(node) = self.motet_operand(word, next)
        {
            return node;
        }
        let reserved = match self.dialect {
            Dialect::Motet => OPERATORS.contains(&word),
            _ => self.infix().is_some(),
        };
        if reserved && !self.silent {
            let message = format!("`{word}` is an operator; expected a formula or a value here");
            let help = format!("write the operand, or put a name in back-ticks: `` `{word}` ``");
            self.syntax_error(Problem::error("M0203", self.span(), message, help));
        }
        if self.at_item() && self.dialect == Dialect::Motet {
            self.unexpected("a formula or a value");
            return self.error_node();
        }
        self.path()
    }

    /// `S` compares like a name unless a bracket follows its threshold.
    fn steady_ahead(&self) -> bool {
        if self.ahead(1) == Kind::Ask {
            return true;
        }
        (2..12).map(|ahead| self.ahead(ahead)).find(|kind| matches!(kind, Kind::OpenSquare | Kind::End))
            == Some(Kind::OpenSquare)
    }

    fn motet_operand(&mut self, word: &str, next: Kind) -> Option<Node> {
        let knowledge = match word {
            "K" => Some(Knowledge::One),
            "EK" => Some(Knowledge::Everyone),
            "CK" => Some(Knowledge::Common),
            "DK" => Some(Knowledge::Distributed),
            _ => None,
        };
        if let Some(knowledge) = knowledge
            && next == Kind::OpenSquare
        {
            return Some(self.knowledge(knowledge));
        }
        let attitude = match word {
            "Bel" => Attitude::Believes,
            "Des" => Attitude::Desires,
            "Int" => Attitude::Intends,
            "Does" => Attitude::Does,
            "Did" => Attitude::Did,
            "ItD" => Attitude::WillDo,
            "Says" if next == Kind::Open => return Some(self.says()),
            "Sends" if next == Kind::Open => return Some(self.passes_function(Passing::Sends)),
            "Reads" if next == Kind::Open => return Some(self.passes_function(Passing::Reads)),
            "since" | "held" if next == Kind::Open => return Some(self.clock()),
            "max" | "min" if self.at_wait() => return Some(self.wait()),
            _ => return None,
        };
        matches!(next, Kind::Open | Kind::Word | Kind::Quoted).then(|| self.mental(attitude))
    }

    /// A name with attributes, arguments and indices.
    fn path(&mut self) -> Node {
        let start = self.span();
        let Some(name) = self.name("a name") else { return self.error_node() };
        let mut node = self.node(Tree::Name(name.node), start);
        while !self.silent {
            let tree = match self.kind() {
                Kind::Dot => {
                    self.advance();
                    let Some(field) = self.name("the attribute's name") else { break };
                    Tree::Field(Box::new(node), field.node)
                }
                Kind::Open => match dotted(&node) {
                    Some(name) => {
                        self.advance();
                        let empty = self.kind() == Kind::Close && self.eat(Kind::Close);
                        let end = "`)` after the arguments";
                        // `initially (whenever ...)`: the word takes what a claim may be.
                        let read = match name.as_str() {
                            INITIALLY if self.dialect == Dialect::Motet => Self::sentence,
                            _ => Self::formula,
                        };
                        let arguments = if empty { Vec::new() } else { self.list(Kind::Close, end, read) };
                        Tree::Call(name, arguments)
                    }
                    None => return node,
                },
                Kind::OpenSquare if self.at_index() => {
                    self.advance();
                    let index = Box::new(self.operand());
                    self.require(Kind::CloseSquare, "`]`");
                    Tree::Index(Box::new(node), index)
                }
                _ => return node,
            };
            let span = self.since(start);
            node = self.node(tree, span);
        }
        node
    }

    fn at_index(&self) -> bool {
        self.index
            && matches!(self.ahead(1), Kind::Number | Kind::Word | Kind::Quoted)
            && self.ahead(2) == Kind::CloseSquare
    }

    /// A value given on the command line. `None` when it is not one.
    pub(crate) fn whole_value(&mut self, place: Span) -> Option<Node> {
        self.fixed = Some(place);
        let node = self.sum();
        (!self.silent && self.kind() == Kind::End).then_some(node)
    }
}

/// The name of a plain or dotted path: only a name can have arguments.
fn dotted(node: &Node) -> Option<String> {
    match &node.tree {
        Tree::Name(name) => Some(name.clone()),
        Tree::Field(of, field) => dotted(of).map(|name| format!("{name}.{field}")),
        _ => None,
    }
}
