//! Expressions, patterns and sorts on one line.

use crate::parse::strength::{NOT, POSTFIX, RANGE, SIGN, SUM, WHOLE};
use crate::parse::words::RESERVED;
use crate::syntax::{
    BinaryOperator, Expression, ExpressionNode, Field, Name, Pattern, PatternNode, Quantifier, TypeNode,
    TypeText,
};

/// An expression without parentheses around it.
pub(crate) fn whole(written: &Expression) -> String {
    expression(written, WHOLE)
}

/// An expression, in parentheses where it binds less tightly than `least`.
pub(crate) fn expression(written: &Expression, least: u8) -> String {
    let text = plain(&written.node);
    if strength(&written.node) < least { format!("({text})") } else { text }
}

fn strength(node: &ExpressionNode) -> u8 {
    match node {
        ExpressionNode::Quantified(..) | ExpressionNode::If(..) => WHOLE,
        ExpressionNode::Binary(operator, ..) => operator.strength(),
        ExpressionNode::Not(_) => NOT,
        ExpressionNode::Range(..) => RANGE,
        ExpressionNode::Negative(_) => SIGN,
        ExpressionNode::Int(number) if *number < 0 => SIGN,
        _ => POSTFIX,
    }
}

fn plain(node: &ExpressionNode) -> String {
    match node {
        ExpressionNode::Int(number) => number.to_string(),
        ExpressionNode::Bool(truth) => truth.to_string(),
        ExpressionNode::Name(name) => name.clone(),
        ExpressionNode::Primed(name) => format!("{name}'"),
        ExpressionNode::Call(name, arguments) => format!("{}({})", name.node, list(arguments)),
        ExpressionNode::Field(of, field) => format!("{}.{}", expression(of, POSTFIX), field.node),
        ExpressionNode::Tuple(parts) => format!("({})", list(parts)),
        ExpressionNode::Set(parts) => format!("{{{}}}", list(parts)),
        ExpressionNode::Comprehension(value, from, condition) => {
            let condition = condition.as_ref().map_or_else(String::new, |c| format!(" where {}", whole(c)));
            format!("{{{} | {}{condition}}}", whole(value), ranges(from))
        }
        ExpressionNode::Range(low, high) => {
            format!("{}..{}", expression(low, RANGE + 1), expression(high, RANGE + 1))
        }
        ExpressionNode::Not(of) => format!("not {}", expression(of, NOT)),
        ExpressionNode::Negative(of) => format!("-{}", expression(of, SIGN)),
        ExpressionNode::Binary(operator, left, right) => {
            let (mut on_left, on_right) = operator.operands();
            // `(s minus t) union u` is read from the left without them too, but few readers know.
            if matches!(operator, BinaryOperator::Union | BinaryOperator::Minus)
                && matches!(&left.node, ExpressionNode::Binary(inner, ..) if inner != operator)
            {
                on_left = on_right;
            }
            format!("{} {} {}", expression(left, on_left), operator.sign(), expression(right, on_right))
        }
        ExpressionNode::Quantified(quantifier, from, body) => {
            let word = match quantifier {
                Quantifier::All => "forall",
                Quantifier::Some => "exists",
            };
            format!("{word} {}: {}", ranges(from), whole(body))
        }
        ExpressionNode::If(condition, yes, no) => {
            format!("if {} then {} else {}", whole(condition), whole(yes), whole(no))
        }
        ExpressionNode::With(of, changes) => {
            let changes: Vec<String> =
                changes.iter().map(|(field, value)| format!("{} = {}", field.node, whole(value))).collect();
            format!("{} with {{{}}}", expression(of, POSTFIX), changes.join(", "))
        }
        ExpressionNode::New(template, arguments) => {
            let name = whole(template);
            let name = if is_path(template) { name } else { format!("({name})") };
            format!("new {name}({})", list(arguments))
        }
        ExpressionNode::Any => "_".to_owned(),
    }
}

/// `K` or `p.rm`, which need no parentheses behind `new`.
fn is_path(template: &Expression) -> bool {
    match &template.node {
        ExpressionNode::Name(_) => true,
        ExpressionNode::Field(of, _) => is_path(of),
        _ => false,
    }
}

/// Expressions between commas.
pub(crate) fn list(parts: &[Expression]) -> String {
    join(parts, whole)
}

/// Parts between commas.
pub(crate) fn join<T>(parts: &[T], print: impl Fn(&T) -> String) -> String {
    parts.iter().map(print).collect::<Vec<_>>().join(", ")
}

/// Names between commas.
pub(crate) fn names(parts: &[Name]) -> String {
    join(parts, |name| name.node.clone())
}

fn ranges(from: &[(Name, Expression)]) -> String {
    join(from, |(name, set)| format!("{} in {}", name.node, expression(set, RANGE)))
}

/// What a token looks like.
pub(crate) fn pattern(written: &Pattern) -> String {
    match &written.node {
        PatternNode::Name(name) => name.clone(),
        PatternNode::Int(number) => number.to_string(),
        PatternNode::Bool(truth) => truth.to_string(),
        PatternNode::Any => "_".to_owned(),
        PatternNode::Tuple(parts) => format!("({})", join(parts, pattern)),
    }
}

/// A sort.
pub(crate) fn sort(written: &TypeText) -> String {
    match &written.node {
        TypeNode::Int(None) => "int".to_owned(),
        TypeNode::Int(Some((low, high))) => format!("int {}..{}", low_end(low), expression(high, SUM)),
        TypeNode::Bool => "bool".to_owned(),
        TypeNode::Token => "token".to_owned(),
        TypeNode::Class => "class".to_owned(),
        TypeNode::Agent => "agent".to_owned(),
        TypeNode::Named(name) => name.clone(),
        TypeNode::Set(of) => format!("set of {}", sort(of)),
        TypeNode::Record(parts) => format!("({})", fields(parts)),
    }
}

/// The lower end of a range behind `int`, which must not look like what may follow `int` otherwise.
fn low_end(low: &Expression) -> String {
    let text = expression(low, SUM);
    let word = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
    let unclear = text.starts_with('{') || word == "capacity" || RESERVED.contains(&word);
    if unclear { format!("({text})") } else { text }
}

/// `a: T, b: T`
pub(crate) fn fields(parts: &[Field]) -> String {
    join(parts, |field| format!("{}: {}", field.name.node, sort(&field.sort)))
}
