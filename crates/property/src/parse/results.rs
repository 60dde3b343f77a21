//! Expectations of PRISM property files: comments such as `// RESULT: 0.25` or `// RESULT (N=5): true` that stand on the
//! lines before a property, as PRISM's own regression tests write them.

use motet_model::Ratio;
use motet_source::{Span, Spanned};

use crate::formula::Relation;
use crate::syntax::{Arithmetic, Case, Comment, Expectation, Item, ItemNode, Node, Tree};

/// How far a number may be off: PRISM compares results with this relative error.
const TOLERANCE: f64 = 1e-5;

/// Gives each property the results of the comments before it.
pub(super) fn attach(comments: &[Comment], items: &mut [Item]) {
    let mut before = 0;
    for item in items {
        let (start, end) = (item.span.start, item.span.end);
        if let ItemNode::Claim(claim) = &mut item.node {
            let own = comments.iter().filter(|comment| {
                before <= comment.span.start && comment.span.end <= start && comment.own_line
            });
            for comment in own {
                let Some((constants, expect)) = result(comment) else { continue };
                let expect = Spanned::new(expect, comment.span);
                match constants.is_empty() {
                    true => claim.expect = Some(expect),
                    false => claim.cases.push(Case { constants, expect }),
                }
            }
        }
        // A property that others refer to stands twice, as a definition first; its comments are before both.
        if matches!(item.node, ItemNode::Claim(_)) {
            before = end;
        }
    }
}

/// The constants and the result of a comment; nothing when it is another kind of comment, or a result that says nothing
/// about the value, such as an expected error.
fn result(comment: &Comment) -> Option<(Vec<(String, Node)>, Expectation)> {
    let text = comment.text.strip_prefix("//")?.trim().strip_prefix("RESULT")?.trim_start();
    let (condition, value) = match text.strip_prefix('(') {
        Some(rest) => {
            let (condition, rest) = rest.split_once(')')?;
            (condition, rest.trim_start().strip_prefix(':')?)
        }
        None => ("", text.strip_prefix(':')?),
    };
    let mut constants = Vec::new();
    for part in condition.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=')?;
        constants.push((name.trim().to_owned(), constant(value.trim(), comment.span)));
    }
    Some((constants, expectation(value.trim().trim_start_matches('~').trim(), comment.span)?))
}

fn constant(text: &str, span: Span) -> Node {
    match text.parse::<f64>() {
        Ok(_) if text.starts_with(|first: char| first.is_ascii_digit()) => {
            leaf(Tree::Number(text.to_owned()), span)
        }
        _ => leaf(Tree::Name(text.to_owned()), span),
    }
}

fn expectation(text: &str, span: Span) -> Option<Expectation> {
    match text {
        "true" => return Some(Expectation::Holds),
        "false" => return Some(Expectation::Fails),
        "Infinity" | "Inf" | "inf" | "infinity" => return Some(Expectation::Infinite),
        _ => {}
    }
    if let Some((low, high)) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')?.split_once(','))
    {
        return Some(Expectation::Within(number(low.trim(), span)?, number(high.trim(), span)?));
    }
    let value = match text.split_once('/') {
        Some((above, below)) => {
            let (above, below) = (number(above.trim(), span)?, number(below.trim(), span)?);
            let tree = Tree::Arithmetic(Arithmetic::Div, Box::new(above), Box::new(below));
            return Some(Expectation::Compare(Relation::Eq, Node { tree, span, depth: 3 }, None));
        }
        None => number(text, span)?,
    };
    let size = text.parse::<f64>().ok()?.abs();
    let tolerance = leaf(Tree::Number(format!("{:.0e}", (size * TOLERANCE).max(1e-12))), span);
    Some(Expectation::Compare(Relation::Eq, value, Some(tolerance)))
}

/// A decimal number with all its digits, spelled as claims spell it: `.5` and `5.` have their zeros.
fn number(text: &str, span: Span) -> Option<Node> {
    Ratio::read(text).filter(|_| !text.contains('/'))?;
    let positive = text.trim_start_matches('-');
    let (digits, exponent) = positive.find(['e', 'E']).map_or((positive, ""), |at| positive.split_at(at));
    let before = if digits.starts_with('.') { "0" } else { "" };
    let after = if digits.ends_with('.') { "0" } else { "" };
    let node = leaf(Tree::Number(format!("{before}{digits}{after}{exponent}")), span);
    let negative = text.starts_with('-');
    Some(if negative { Node { tree: Tree::Negative(Box::new(node)), span, depth: 2 } } else { node })
}

fn leaf(tree: Tree, span: Span) -> Node {
    Node { tree, span, depth: 1 }
}
