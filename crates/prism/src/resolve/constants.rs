//! Constants get their values, in the order in which they depend on each other; definitions that go in a circle are found.

use std::collections::BTreeMap;

use motet_model::Options;
use motet_source::{Problem, Problems, Span};

use super::compile::{Compiler, MODEL, Renaming};
use super::scope::{Meaning, Scope};
use crate::expr::Typed;
use crate::fold::Value;
use crate::nearest::nearest;
use crate::number::Number;
use crate::parse::parse_value;
use crate::syntax::{Expression, ExpressionNode, ValueKind};

/// Computes all constants. The options hold the values given from outside.
pub(crate) fn constants(scope: &mut Scope, options: &Options, place: Span, problems: &mut Problems) {
    let parameters = &options.parameters;
    unknown_parameters(scope, options, place, problems);
    let order = Order::of(scope, parameters);
    for circle in &order.circles {
        report_circle(scope, circle, problems);
    }
    let first_formula = scope.constants.len();
    for node in (0..scope.formulas.len()).filter(|node| order.broken[first_formula + node]) {
        scope.formulas[node].cyclic = true;
    }
    for node in order.order.iter().filter(|&&node| node < first_formula && !order.broken[node]) {
        let value = value_of(scope, *node, parameters, problems);
        scope.constants[*node].value = value;
    }
}

fn unknown_parameters(scope: &Scope, options: &Options, place: Span, problems: &mut Problems) {
    let names = || scope.constants.iter().map(|constant| constant.name.node.as_str());
    for name in options.parameters.keys().filter(|name| !names().any(|known| known == *name)) {
        let help = match nearest(name, names()) {
            Some(near) => format!("did you mean `-D {near}=...`"),
            None if scope.constants.is_empty() => "the model has no constants".to_owned(),
            None => "`motet vocab` lists the constants of the model".to_owned(),
        };
        let place = options.place_of("-D", name, place).name;
        problems.push(Problem::error("M0817", place, format!("there is no constant `{name}`"), help));
    }
}

fn value_of(
    scope: &Scope,
    number: usize,
    parameters: &BTreeMap<String, String>,
    problems: &mut Problems,
) -> Option<Value> {
    let constant = &scope.constants[number];
    let name = &constant.name;
    let Some(text) = parameters.get(&name.node) else {
        let Some(written) = &constant.written else {
            let sample = match constant.kind {
                ValueKind::Bool => "true",
                ValueKind::Int => "3",
                ValueKind::Double => "0.5",
            };
            let help = format!("give it one with `-D {}={sample}`, or in the text", name.node);
            problems.push(Problem::error(
                "M0816",
                name.span,
                format!("the constant `{}` has no value", name.node),
                help,
            ));
            return None;
        };
        let value = computed(scope, written, problems)?;
        return kept(value, constant.kind).or_else(|| {
            problems.push(wrong_kind(&name.node, constant.kind, value, written.span));
            None
        });
    };
    let fixed = Scope::default();
    let mut quiet = Problems::new();
    let value = parse_value(name.span.file, text)
        .and_then(|expression| computed(&fixed, &expression, &mut quiet))
        .and_then(|value| kept(value, constant.kind));
    if value.is_none() {
        let message = format!("`-D {}={text}`: this is not {}", name.node, described(constant.kind));
        let help = format!("`{}` is declared here; give it {}", name.node, described(constant.kind));
        problems.push(Problem::error("M0817", name.span, message, help));
    }
    value
}

/// The value of an expression without variables.
pub(crate) fn computed(scope: &Scope, expression: &Expression, problems: &mut Problems) -> Option<Value> {
    let typed: Typed = Compiler::new(scope, problems, MODEL).typed(expression, &Renaming::new())?;
    match typed.value() {
        Some(Ok(value)) => Some(value),
        Some(Err(trouble)) => {
            let message = format!("this has no value: it holds {}", trouble.words());
            problems.push(Problem::error(
                "M0829",
                expression.span,
                message,
                "give the constants other values",
            ));
            None
        }
        None => {
            let message = "this depends on variables, and a constant is needed here";
            let help = "use numbers and constants only";
            problems.push(Problem::error("M0814", expression.span, message, help));
            None
        }
    }
}

/// The value as one of this type: whole numbers are fractions too.
fn kept(value: Value, kind: ValueKind) -> Option<Value> {
    match (kind, value) {
        (ValueKind::Bool, Value::Truth(_)) | (ValueKind::Int, Value::Whole(_)) => Some(value),
        (ValueKind::Double, Value::Real(_)) => Some(value),
        (ValueKind::Double, Value::Whole(whole)) => Some(Value::Real(Number::whole(whole))),
        _ => None,
    }
}

fn wrong_kind(name: &str, kind: ValueKind, value: Value, span: Span) -> Problem {
    let message = format!("the constant `{name}` is {}, and this is {value}", described(kind));
    let help = match (kind, value) {
        (ValueKind::Int, Value::Real(_)) => "declare it `double`, or use `floor`, `ceil` or `round`",
        (ValueKind::Bool, _) => "compare the number with something, or declare it `int`",
        _ => "declare it `bool`, or write a number",
    };
    Problem::error("M0814", span, message, help)
}

fn described(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Bool => "true or false",
        ValueKind::Int => "a whole number",
        ValueKind::Double => "a number",
    }
}

/// Definitions, each after those it uses. Constants come first in the numbering, then formulas.
struct Order {
    order: Vec<usize>,
    /// The first circles, for the report.
    circles: Vec<Vec<usize>>,
    /// Definitions without a meaning: at least one of each circle.
    broken: Vec<bool>,
}

/// How many circles are told.
const LIMIT_CIRCLES: usize = 20;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

impl Order {
    fn of(scope: &Scope, parameters: &BTreeMap<String, String>) -> Self {
        let uses = uses(scope, parameters);
        let mut marks = vec![Mark::New; uses.len()];
        let mut found = Self { order: Vec::new(), circles: Vec::new(), broken: vec![false; uses.len()] };
        for root in 0..uses.len() {
            // Depth first with a stack of its own: chains of definitions are as long as the text.
            let mut path = Vec::new();
            if marks[root] == Mark::New {
                marks[root] = Mark::Open;
                path.push((root, 0));
            }
            while let Some((node, next)) = path.last_mut() {
                let Some(&used) = uses[*node].get(*next) else {
                    marks[*node] = Mark::Done;
                    found.order.push(*node);
                    path.pop();
                    continue;
                };
                *next += 1;
                match marks[used] {
                    Mark::Done => {}
                    Mark::New => {
                        marks[used] = Mark::Open;
                        path.push((used, 0));
                    }
                    Mark::Open => {
                        found.broken[used] = true;
                        if found.circles.len() < LIMIT_CIRCLES {
                            let start = path.iter().position(|(node, _)| *node == used).unwrap_or(0);
                            let circle: Vec<usize> = path[start..].iter().map(|(node, _)| *node).collect();
                            circle.iter().for_each(|node| found.broken[*node] = true);
                            found.circles.push(circle);
                        }
                    }
                }
            }
        }
        found
    }
}

/// Which definitions each of them uses.
fn uses(scope: &Scope, parameters: &BTreeMap<String, String>) -> Vec<Vec<usize>> {
    let first_formula = scope.constants.len();
    let of = |expression: &Expression| {
        let mut names = Vec::new();
        names_of(expression, &mut names);
        let meant = names.into_iter().filter_map(|name| match scope.meaning(name)? {
            Meaning::Constant(number) => Some(number),
            Meaning::Formula(number) => Some(first_formula + number),
            Meaning::Variable(_) => None,
        });
        meant.collect::<Vec<usize>>()
    };
    let constants = scope.constants.iter().map(|constant| match &constant.written {
        Some(written) if !parameters.contains_key(&constant.name.node) => of(written),
        _ => Vec::new(),
    });
    constants.chain(scope.formulas.iter().map(|formula| of(&formula.body))).collect()
}

/// Appends the names in an expression.
pub(crate) fn names_of<'e>(expression: &'e Expression, names: &mut Vec<&'e str>) {
    match &expression.node {
        ExpressionNode::Name(name) => names.push(name),
        ExpressionNode::Not(inner) | ExpressionNode::Negative(inner) => names_of(inner, names),
        ExpressionNode::And(parts) | ExpressionNode::Or(parts) | ExpressionNode::Call(_, parts) => {
            parts.iter().for_each(|part| names_of(part, names));
        }
        ExpressionNode::Binary(_, left, right) => {
            names_of(left, names);
            names_of(right, names);
        }
        ExpressionNode::Conditional(condition, yes, no) => {
            names_of(condition, names);
            names_of(yes, names);
            names_of(no, names);
        }
        ExpressionNode::Bool(_)
        | ExpressionNode::Int(_)
        | ExpressionNode::Decimal(_)
        | ExpressionNode::Error => {}
    }
}

fn report_circle(scope: &Scope, circle: &[usize], problems: &mut Problems) {
    let name = |node: &usize| match node.checked_sub(scope.constants.len()) {
        None => &scope.constants[*node].name,
        Some(formula) => &scope.formulas[formula].name,
    };
    let Some(first) = circle.first().map(name) else { return };
    let mut way: Vec<String> = circle.iter().take(8).map(|node| format!("`{}`", name(node).node)).collect();
    if circle.len() > way.len() {
        way.push("...".to_owned());
    }
    way.push(format!("`{}`", first.node));
    let message = format!("`{}` is defined through itself: {}", first.node, way.join(" uses "));
    problems.push(Problem::error("M0813", first.span, message, "break the circle"));
}
