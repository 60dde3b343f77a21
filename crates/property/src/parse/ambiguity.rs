//! Formulas that two tools would read differently are refused, and the message shows both readings.

use motet_source::{Problem, Span};

use super::Parser;
use super::formula::Infix;
use crate::print::surface;
use crate::syntax::{Dialect, Node, Spelling, Tree, Wording};

/// Readings of longer formulas are not printed.
const TOKENS: usize = 400;

/// A binary operator behind a bare prefix operator.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ambiguity {
    /// The binary operator's token.
    pub(super) operator: usize,
    /// The prefix operator with its operand.
    pub(super) prefix: Span,
}

/// What a prefix operator takes along in the other reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    Connectives,
    Everything,
}

/// The innermost prefix-temporal operator at the right end of an operand, unless a bracket closes it.
pub(super) fn ends_bare(node: &Node) -> Option<Span> {
    match &node.tree {
        Tree::Temporal(_, _, _, operand) | Tree::Branching(_, _, _, operand) | Tree::Timed(_, _, operand) => {
            Some(ends_bare(operand).unwrap_or(node.span))
        }
        Tree::Counted(count) if count.wording == Wording::Before => Some(node.span),
        Tree::Not(_, operand) => ends_bare(operand),
        Tree::Until(_, _, _, _, right) | Tree::Implies(_, _, right) | Tree::Iff(_, _, right) => {
            ends_bare(right)
        }
        Tree::Join(_, _, parts) => parts.last().and_then(ends_bare),
        _ => None,
    }
}

impl Parser<'_> {
    pub(super) fn report_ambiguity(&mut self, first: usize, ambiguity: Ambiguity) {
        if self.silent {
            return;
        }
        let operator = self.tokens[ambiguity.operator];
        let symbol = self.text_of(operator).to_owned();
        let start = ambiguity.prefix.start as usize;
        let prefix: String = self.text[start.min(self.text.len())..]
            .chars()
            .take_while(|c| c.is_alphanumeric() || (!c.is_whitespace() && !c.is_alphanumeric() && *c != '('))
            .take(12)
            .collect();
        let prefix =
            prefix.split(['<', '[']).next().filter(|word| !word.is_empty()).unwrap_or(&prefix).to_owned();
        let mark = Span::new(self.file, start, start + prefix.len());
        let mut problem = Problem::error(
            "M0210",
            operator.span(self.file),
            "two tools would read this formula differently",
            "write the parentheses you mean · motet explain M0210",
        )
        .label(format!("this `{symbol}` follows a bare `{prefix}`"))
        .also(mark, "");
        if self.at - first <= TOKENS {
            let untils = ["U", "W", "R", "until", "unless", "releases"];
            let (reach, left, right) = match untils.contains(&symbol.as_str()) {
                // Counts are words of ours: nobody else reads them.
                _ if matches!(prefix.as_str(), "at" | "exactly") => {
                    (Reach::Connectives, "some readers: ", "others:       ")
                }
                true => (Reach::Everything, "Spin, PRISM: ", "some readers:"),
                false => (Reach::Connectives, "Spin, NuSMV: ", "PRISM, Storm:"),
            };
            let spin = self.reading(first, Dialect::Spin, reach);
            let prism = self.reading(first, Dialect::Prism, reach);
            problem = problem.note(format!("{left} {spin}")).note(format!("{right} {prism}"));
        }
        self.report(problem);
    }

    /// The formula from token `first` on, read with another precedence and printed with parentheses.
    fn reading(&self, first: usize, precedence: Dialect, reach: Reach) -> String {
        let mut other = Parser::new(self.file, self.text, self.tokens, self.dialect);
        other.at = first;
        other.precedence = precedence;
        other.greedy = reach == Reach::Everything;
        other.depth = self.depth.min(super::DEPTH / 2);
        let node = explicit(other.formula());
        surface::readable(&node)
    }

    pub(super) fn report_chain(&mut self, infix: Infix, operator: usize, left: &Node, right: &Node) {
        if self.silent {
            return;
        }
        let span = self.tokens[operator].span(self.file);
        let (code, message, help) = match infix {
            Infix::Until(_) => (
                "M0212",
                "a chain of until operators has two readings",
                "put one of the two in parentheses · motet explain M0212",
            ),
            _ => (
                "M0211",
                "a chain of arrows has two readings",
                "put one of the two in parentheses · motet explain M0211",
            ),
        };
        let symbol = self.text_of(self.tokens[operator]);
        let mut problem = Problem::error(code, span, message, help).label(format!("a second `{symbol}`"));
        if let Some((outer, inner)) = split(left) {
            let (one, two, three) =
                (surface::readable(outer.0), surface::readable(outer.1), surface::readable(right));
            problem = problem
                .note(format!(
                    "from the left:  ({} {inner} {}) {symbol} {}",
                    side(&one),
                    side(&two),
                    side(&three)
                ))
                .note(format!(
                    "from the right: {} {inner} ({} {symbol} {})",
                    side(&one),
                    side(&two),
                    side(&three)
                ));
        }
        self.report(problem);
    }
}

/// The formula with parentheses around every operand that starts with a temporal operator.
fn explicit(node: Node) -> Node {
    let operand = |node: Node| {
        let node = explicit(node);
        match ends_bare(&node) {
            None => node,
            Some(_) => {
                let (span, depth) = (node.span, node.depth + 1);
                Node { tree: Tree::Group(Box::new(node)), span, depth }
            }
        }
    };
    let boxed = |node: Box<Node>| Box::new(operand(*node));
    let Node { tree, span, depth } = node;
    let tree = match tree {
        Tree::Join(join, spelling, parts) => {
            Tree::Join(join, spelling, parts.into_iter().map(operand).collect())
        }
        Tree::Implies(spelling, left, right) => Tree::Implies(spelling, boxed(left), boxed(right)),
        Tree::Iff(spelling, left, right) => Tree::Iff(spelling, boxed(left), boxed(right)),
        Tree::Until(until, spelling, when, left, right) => {
            Tree::Until(until, spelling, when, boxed(left), boxed(right))
        }
        Tree::Not(spelling, inner) => Tree::Not(spelling, Box::new(explicit(*inner))),
        Tree::Temporal(temporal, spelling, when, inner) => {
            Tree::Temporal(temporal, spelling, when, Box::new(explicit(*inner)))
        }
        tree => tree,
    };
    Node { tree, span, depth }
}

/// A printed operand, in parentheses unless it is one word.
fn side(text: &str) -> String {
    if text.contains(' ') && !text.starts_with('(') { format!("({text})") } else { text.to_owned() }
}

fn split(node: &Node) -> Option<((&Node, &Node), &'static str)> {
    match &node.tree {
        Tree::Implies(spelling, left, right) => {
            Some(((left, right), if *spelling == Spelling::Word { "implies" } else { "->" }))
        }
        Tree::Iff(spelling, left, right) => {
            Some(((left, right), if *spelling == Spelling::Word { "iff" } else { "<->" }))
        }
        Tree::Until(until, spelling, _, left, right) => {
            Some(((left, right), surface::until_name(*until, *spelling)))
        }
        _ => None,
    }
}
