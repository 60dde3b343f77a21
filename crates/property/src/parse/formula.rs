//! Connectives and temporal operators: precedence climbing over the table of the dialect.

use motet_source::Problem;

use super::Parser;
use super::ambiguity::{Ambiguity, ends_bare};
use crate::formula::Quantifier;
use crate::formula::Until;
use crate::syntax::{Binary, Dialect, Join, Lasting, Node, Spelling, Temporal, Tree, When};
use crate::token::Kind;

/// A binary operator of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Infix {
    Join(Join),
    Implies,
    Iff,
    Until(Binary),
}

/// What a chain `a op b op c` means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chain {
    Left,
    Right,
    Refused,
}

/// How tightly a binary operator binds, and how it chains.
///
/// Motet's own table is the common ground of the tools. PRISM's has the temporal operators loosest. Spin's inline `ltl`
/// reads all chains from the left and gives both arrows one level (as Spin 6.5.2 prints such formulas back).
fn level(precedence: Dialect, infix: Infix) -> (u8, Chain) {
    match precedence {
        Dialect::Motet | Dialect::Psl => match infix {
            Infix::Iff => (1, Chain::Refused),
            Infix::Implies => (2, Chain::Refused),
            Infix::Join(Join::Or | Join::Xor) => (3, Chain::Left),
            Infix::Join(Join::And) => (4, Chain::Left),
            Infix::Until(_) => (5, Chain::Refused),
        },
        Dialect::Prism => match infix {
            Infix::Until(_) => (1, Chain::Refused),
            Infix::Implies => (2, Chain::Right),
            Infix::Iff => (3, Chain::Left),
            Infix::Join(Join::Or | Join::Xor) => (4, Chain::Left),
            Infix::Join(Join::And) => (5, Chain::Left),
        },
        Dialect::Spin => match infix {
            Infix::Implies | Infix::Iff => (1, Chain::Left),
            Infix::Join(Join::Or | Join::Xor) => (2, Chain::Left),
            Infix::Join(Join::And) => (3, Chain::Left),
            Infix::Until(_) => (4, Chain::Left),
        },
    }
}

impl Parser<'_> {
    /// A formula up to the end of its bracket.
    pub(super) fn formula(&mut self) -> Node {
        let first = self.at;
        let outer = self.ambiguity.take();
        let (index, plus_minus) = (self.index, self.plus_minus);
        (self.index, self.plus_minus) = (true, true);
        let node = self.binary(1);
        (self.index, self.plus_minus) = (index, plus_minus);
        if let Some(ambiguity) = std::mem::replace(&mut self.ambiguity, outer) {
            self.report_ambiguity(first, ambiguity);
        }
        node
    }

    fn binary(&mut self, least: u8) -> Node {
        let start = self.span();
        let mut left = self.prefix();
        let mut last = None;
        while let Some((infix, spelling)) = self.infix() {
            let (level, chain) = level(self.precedence, infix);
            if level < least || self.silent {
                break;
            }
            let operator = self.at;
            if self.precedence == Dialect::Motet
                && self.ambiguity.is_none()
                && let Some(prefix) = ends_bare(&left)
            {
                self.ambiguity = Some(Ambiguity { operator, prefix });
            }
            self.advance();
            let when = if matches!(infix, Infix::Until(_)) { self.when() } else { None };
            let right = match chain {
                Chain::Right => self.deeper(|parser| parser.binary(level)),
                Chain::Left | Chain::Refused => self.binary(level + 1),
            };
            if chain == Chain::Refused && last == Some(level) {
                self.report_chain(infix, operator, &left, &right);
            }
            last = Some(level);
            left = self.combine(infix, spelling, when, left, right);
            left.span = self.since(start);
        }
        left
    }

    /// Chains of one connective are one node: a thousand conjuncts are not a thousand levels.
    fn combine(
        &mut self,
        infix: Infix,
        spelling: Spelling,
        when: Option<When>,
        left: Node,
        right: Node,
    ) -> Node {
        let span = left.span.to(right.span);
        let tree = match infix {
            Infix::Join(join) => match left {
                Node { tree: Tree::Join(same, spelling, mut parts), depth, .. } if same == join => {
                    let depth = depth.max(right.depth + 1);
                    parts.push(right);
                    if depth <= super::DEPTH {
                        return Node { tree: Tree::Join(join, spelling, parts), span, depth };
                    }
                    Tree::Join(join, spelling, parts)
                }
                _ => Tree::Join(join, spelling, vec![left, right]),
            },
            Infix::Implies => Tree::Implies(spelling, Box::new(left), Box::new(right)),
            Infix::Iff => Tree::Iff(spelling, Box::new(left), Box::new(right)),
            Infix::Until(until) => Tree::Until(until, spelling, when, Box::new(left), Box::new(right)),
        };
        self.node(tree, span)
    }

    /// The binary operator here, if there is one.
    pub(super) fn infix(&self) -> Option<(Infix, Spelling)> {
        let symbol = |infix| Some((infix, Spelling::Symbol));
        let word = |infix| Some((infix, Spelling::Word));
        let until = |until, spelling| Some((Infix::Until(Binary::Until(until)), spelling));
        match self.kind() {
            Kind::And if self.known_symbol() => symbol(Infix::Join(Join::And)),
            Kind::Or if self.known_symbol() => symbol(Infix::Join(Join::Or)),
            Kind::Implies => symbol(Infix::Implies),
            Kind::Iff => symbol(Infix::Iff),
            Kind::Word => match (self.dialect, self.word()) {
                (_, "U") => until(Until::Until, Spelling::Symbol),
                (_, "W") => until(Until::Weak, Spelling::Symbol),
                // Spot's letter. As it is no letter of Spin's or PRISM's, `M` may be a name where a formula begins.
                (Dialect::Motet, "M") => until(Until::StrongRelease, Spelling::Symbol),
                (_, "R") | (Dialect::Spin, "V") => until(Until::Release, Spelling::Symbol),
                (Dialect::Motet, "and") => word(Infix::Join(Join::And)),
                (Dialect::Motet, "or") => word(Infix::Join(Join::Or)),
                (Dialect::Motet, "xor") => word(Infix::Join(Join::Xor)),
                (Dialect::Motet | Dialect::Spin, "implies") => word(Infix::Implies),
                (Dialect::Motet, "iff") | (Dialect::Spin, "equivalent") => word(Infix::Iff),
                (Dialect::Motet | Dialect::Spin, "until") => until(Until::Until, Spelling::Word),
                (Dialect::Motet, "unless") | (Dialect::Spin, "weakuntil") => {
                    until(Until::Weak, Spelling::Word)
                }
                (Dialect::Motet, "since") => word(Infix::Until(Binary::Since)),
                (Dialect::Motet, "releases") | (Dialect::Spin, "release") => {
                    until(Until::Release, Spelling::Word)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// In Promela `&` and `|` work on bits; only the doubled signs are connectives.
    fn known_symbol(&self) -> bool {
        self.dialect != Dialect::Spin || self.text_of(self.token()).len() == 2
    }

    pub(super) fn prefix(&mut self) -> Node {
        self.deeper(Self::prefix_here)
    }

    fn prefix_here(&mut self) -> Node {
        let start = self.span();
        // `not more than twice p` counts.
        if let Some(happening) = self.happening() {
            return happening;
        }
        if self.kind() == Kind::Not || (self.dialect == Dialect::Motet && self.word() == "not") {
            let spelling = if self.kind() == Kind::Not { Spelling::Symbol } else { Spelling::Word };
            self.advance();
            let operand = self.prefix();
            let span = self.since(start);
            return self.node(Tree::Not(spelling, Box::new(operand)), span);
        }
        if let Some((temporal, spelling)) = self.temporal() {
            self.advance();
            let when = self.when();
            self.doubtful_bound(temporal, when.as_ref(), start);
            let operand = self.prefix_operand();
            if temporal == Temporal::Never
                && when.is_none()
                && let Some(counted) = self.never_so_often(start, &operand)
            {
                return counted;
            }
            let span = self.since(start);
            return self.node(Tree::Temporal(temporal, spelling, when, Box::new(operand)), span);
        }
        if let Some((quantifier, temporal)) = self.branching() {
            self.advance();
            let when = self.when();
            let operand = self.prefix_operand();
            let span = self.since(start);
            return self.node(Tree::Branching(quantifier, temporal, when, Box::new(operand)), span);
        }
        if matches!(self.word(), "A" | "E") && self.ahead(1) == Kind::OpenSquare {
            let quantifier = if self.word() == "A" { Quantifier::All } else { Quantifier::Some };
            self.advance();
            self.advance();
            let path = self.sentence();
            self.require(Kind::CloseSquare, "`]` after the path");
            let span = self.since(start);
            return self.node(Tree::Runs(quantifier, Box::new(path)), span);
        }
        if self.dialect != Dialect::Motet {
            return self.comparison();
        }
        self.quantifier_apart();
        if let Some(lasting) = self.lasting() {
            self.advance();
            let length = self.length();
            let operand = self.prefix();
            let span = self.since(start);
            return self.node(Tree::Timed(lasting, Box::new(length), Box::new(operand)), span);
        }
        if self.at_quantifier() {
            let node = self.quantified();
            let message = "a quantifier inside a formula needs parentheses of its own";
            let help = "write `(forall x in D: ...)`; it reaches to the end of its bracket";
            if !self.silent {
                self.report(Problem::error("M0209", node.span, message, help));
            }
            return node;
        }
        self.comparison()
    }

    pub(super) fn prefix_operand(&mut self) -> Node {
        match self.precedence {
            Dialect::Motet | Dialect::Psl | Dialect::Spin => self.prefix(),
            Dialect::Prism if self.greedy => self.deeper(|parser| parser.binary(1)),
            Dialect::Prism => self.deeper(|parser| parser.binary(2)),
        }
    }

    fn temporal(&self) -> Option<(Temporal, Spelling)> {
        let symbol = |temporal| Some((temporal, Spelling::Symbol));
        let word = |temporal| Some((temporal, Spelling::Word));
        match self.kind() {
            // `p([])`: an empty list.
            Kind::Always if matches!(self.ahead(1), Kind::Close | Kind::Comma | Kind::CloseSquare) => None,
            Kind::Always => symbol(Temporal::Always),
            Kind::Eventually => symbol(Temporal::Eventually),
            Kind::Next => symbol(Temporal::Next),
            Kind::Word => match (self.dialect, self.word()) {
                (Dialect::Motet | Dialect::Prism, "G") => symbol(Temporal::Always),
                (Dialect::Motet | Dialect::Prism, "F") => symbol(Temporal::Eventually),
                (_, "X") => symbol(Temporal::Next),
                (Dialect::Motet | Dialect::Spin, "always") => word(Temporal::Always),
                (Dialect::Motet | Dialect::Spin, "eventually") => word(Temporal::Eventually),
                (Dialect::Motet | Dialect::Spin, "next") => word(Temporal::Next),
                (Dialect::Motet, "never") => word(Temporal::Never),
                _ => None,
            },
            _ => None,
        }
    }

    fn branching(&self) -> Option<(Quantifier, Temporal)> {
        if self.dialect != Dialect::Motet {
            return None;
        }
        Some(match self.word() {
            "AG" => (Quantifier::All, Temporal::Always),
            "AF" => (Quantifier::All, Temporal::Eventually),
            "AX" => (Quantifier::All, Temporal::Next),
            "EG" => (Quantifier::Some, Temporal::Always),
            "EF" => (Quantifier::Some, Temporal::Eventually),
            "EX" => (Quantifier::Some, Temporal::Next),
            _ => return None,
        })
    }

    /// `always within D p` may mean that `p` comes soon at every moment, or that it holds all through `D`.
    fn doubtful_bound(&mut self, temporal: Temporal, when: Option<&When>, start: motet_source::Span) {
        let Some(When::Words(lasting, _)) = when else { return };
        let (word, readings) = match (temporal, lasting) {
            (Temporal::Always, Lasting::Within) => ("always within D p", ["G<=D p", "G (F<=D p)"]),
            (Temporal::Eventually, Lasting::For) => ("eventually for D p", ["F<=D p", "F (G<=D p)"]),
            (Temporal::Next, _) => ("next within D p", ["X (F<=D p)", "p within D"]),
            _ => return,
        };
        let span = self.since(start);
        let message = format!("`{word}` has two readings");
        let help = "write `always for D`, `eventually within D`, or put parentheses behind the first word";
        let problem = Problem::error("M0217", span, message, help);
        self.report(problem.note(format!("one: {}", readings[0])).note(format!("other: {}", readings[1])));
    }
}
