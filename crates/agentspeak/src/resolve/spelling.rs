//! Trees back to text, on one line and in one spelling: what traces, reports and coverage show.

use std::fmt::Write as _;

use crate::syntax::{
    ArithmeticOperator, ConditionTree, FormulaKind, InternalArgument, InternalTree, Literal, PlanTree, Sign,
    TermKind, TermTree, TriggerKind, TriggerTree,
};

/// `p(a,X)[source(S)]`
pub(crate) fn literal(tree: &Literal) -> String {
    let mut out = String::new();
    if tree.strongly_negated {
        out.push('~');
    }
    out.push_str(&tree.name.node);
    if !tree.args.is_empty() {
        let _ = write!(out, "({})", list(&tree.args, term));
    }
    if !tree.annotations.is_empty() {
        let _ = write!(out, "[{}]", list(&tree.annotations, term));
    }
    out
}

fn list<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(",")
}

/// A term.
pub(crate) fn term(tree: &TermTree) -> String {
    match &tree.kind {
        TermKind::Variable(name) => name.clone(),
        TermKind::Anonymous => "_".to_owned(),
        TermKind::Int(value) => value.to_string(),
        TermKind::Real(text) => text.clone(),
        TermKind::Text(text) => format!("{text:?}"),
        TermKind::Structure(inner) => literal(inner),
        TermKind::List(items, None) => format!("[{}]", list(items, term)),
        TermKind::List(items, Some(tail)) => format!("[{}|{}]", list(items, term), term(tail)),
        TermKind::Negative(operand) => format!("-{}", operand_text(operand, 4)),
        TermKind::Binary(operator, left, right) => {
            let (sign, level) = arithmetic(*operator);
            // Only `**` associates to the right.
            let (left_level, right_level) =
                if *operator == ArithmeticOperator::Power { (level + 1, level) } else { (level, level + 1) };
            format!("{} {sign} {}", operand_text(left, left_level), operand_text(right, right_level))
        }
    }
}

fn operand_text(tree: &TermTree, least: u8) -> String {
    match &tree.kind {
        TermKind::Binary(operator, ..) if arithmetic(*operator).1 < least => format!("({})", term(tree)),
        TermKind::Negative(_) if least > 1 => format!("({})", term(tree)),
        _ => term(tree),
    }
}

fn arithmetic(operator: ArithmeticOperator) -> (&'static str, u8) {
    let level = match operator {
        ArithmeticOperator::Add | ArithmeticOperator::Subtract => 1,
        ArithmeticOperator::Power => 3,
        _ => 2,
    };
    (operator.sign(), level)
}

/// `.send(A,tell,p)`
pub(crate) fn internal(tree: &InternalTree) -> String {
    if tree.args.is_empty() {
        return tree.name.node.clone();
    }
    let argument = |argument: &InternalArgument| match argument {
        InternalArgument::Term(inner) => term(inner),
        InternalArgument::Condition(inner) => condition(inner),
    };
    format!("{}({})", tree.name.node, list(&tree.args, argument))
}

/// A condition.
pub(crate) fn condition(tree: &ConditionTree) -> String {
    level(tree, 0)
}

fn level(tree: &ConditionTree, least: u8) -> String {
    let (text, own) = match tree {
        ConditionTree::True(_) => ("true".to_owned(), 3),
        ConditionTree::False(_) => ("false".to_owned(), 3),
        ConditionTree::Belief(inner) => (literal(inner), 3),
        ConditionTree::Internal(inner) => (internal(inner), 3),
        ConditionTree::Relation(operator, a, b) => {
            (format!("{} {} {}", term(a), operator.sign(), term(b)), 3)
        }
        ConditionTree::Not(inner, _) => (format!("not({})", level(inner, 0)), 3),
        ConditionTree::And(a, b) => (format!("{} & {}", level(a, 2), level(b, 2)), 2),
        ConditionTree::Or(a, b) => (format!("{} | {}", level(a, 1), level(b, 1)), 1),
    };
    if own < least { format!("({text})") } else { text }
}

/// `+!g(X)`
pub(crate) fn trigger(tree: &TriggerTree) -> String {
    let sign = match tree.sign {
        Sign::Added => "+",
        Sign::Deleted => "-",
    };
    let kind = match tree.kind {
        TriggerKind::Belief => "",
        TriggerKind::Achieve => "!",
        TriggerKind::Test => "?",
    };
    format!("{sign}{kind}{}", literal(&tree.literal))
}

/// The plan up to its arrow; a context that is `true` is left out.
pub(crate) fn head(plan: &PlanTree) -> String {
    let trigger = trigger(&plan.trigger);
    match &plan.context {
        ConditionTree::True(_) => trigger,
        context => format!("{trigger} : {}", condition(context)),
    }
}

/// A formula; blocks by their head alone.
pub(crate) fn formula(kind: &FormulaKind) -> String {
    match kind {
        FormulaKind::Action(inner) => literal(inner),
        FormulaKind::Internal(inner) => internal(inner),
        FormulaKind::Achieve(inner) => format!("!{}", literal(inner)),
        FormulaKind::AchieveNew(inner) => format!("!!{}", literal(inner)),
        FormulaKind::Test(ConditionTree::Belief(inner)) => format!("?{}", literal(inner)),
        FormulaKind::Test(inner) => format!("?({})", condition(inner)),
        FormulaKind::Add(inner) => format!("+{}", literal(inner)),
        FormulaKind::Delete(inner) => format!("-{}", literal(inner)),
        FormulaKind::Replace(inner) => format!("-+{}", literal(inner)),
        FormulaKind::Relation(operator, a, b) => format!("{} {} {}", term(a), operator.sign(), term(b)),
        FormulaKind::If(inner, ..) => format!("if ({})", condition(inner)),
        FormulaKind::While(inner, _) => format!("while ({})", condition(inner)),
        FormulaKind::For(inner, _) => format!("for ({})", condition(inner)),
    }
}
