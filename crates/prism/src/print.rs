//! The tree back as text. What is printed is read back as the same tree.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use motet_source::Spanned;

use crate::fold::Value;
use crate::syntax::{
    BinaryOperator, Command, Composition, CompositionNode, Declaration, Domain, Earned, Expression,
    ExpressionNode, Item, ModelKind, Rewards, STRENGTH_AND, STRENGTH_CONDITIONAL, STRENGTH_NOT, STRENGTH_OR,
    STRENGTH_SIGN, Text, Update, ValueKind,
};

/// New names for old ones.
type Renaming = BTreeMap<String, String>;

/// A whole file. `values` replace what is written after constants.
pub(crate) fn text(text: &Text, values: &BTreeMap<&str, Value>) -> String {
    let mut out = String::new();
    let kind = match text.kind.as_ref().map(|kind| kind.node) {
        Some(ModelKind::Dtmc) => "dtmc",
        Some(ModelKind::Mdp) | None => "mdp",
    };
    out.push_str(kind);
    out.push('\n');
    let mut last = None;
    for item in &text.items {
        // Parts of one kind stand together; blocks stand apart.
        let kind = std::mem::discriminant(item);
        if last != Some(kind) || is_block(item) {
            out.push('\n');
        }
        last = Some(kind);
        print_item(&mut out, item, values);
    }
    out
}

fn is_block(item: &Item) -> bool {
    matches!(item, Item::Module(_) | Item::Rewards(_) | Item::Init(_) | Item::System(_))
}

fn print_item(out: &mut String, item: &Item, values: &BTreeMap<&str, Value>) {
    let plain = &Renaming::new();
    let line = match item {
        Item::Constant(constant) => {
            let kind = match constant.kind {
                ValueKind::Bool => "bool",
                ValueKind::Int => "int",
                ValueKind::Double => "double",
            };
            let name = &constant.name.node;
            match (values.get(name.as_str()), &constant.value) {
                (Some(value), _) => format!("const {kind} {name} = {value};\n"),
                (None, Some(value)) => format!("const {kind} {name} = {};\n", expression(value, plain)),
                (None, None) => format!("const {kind} {name};\n"),
            }
        }
        Item::Formula(formula) => {
            format!("formula {} = {};\n", formula.name.node, expression(&formula.body, plain))
        }
        Item::Label(label) => {
            format!("label \"{}\" = {};\n", label.name.node, expression(&label.body, plain))
        }
        Item::Global(variable) => format!("global {}\n", declaration(variable)),
        Item::Module(module) => {
            let mut lines = format!("module {}\n", module.name.node);
            for variable in &module.variables {
                lines += &format!("  {}\n", declaration(variable));
            }
            if !module.variables.is_empty() && !module.commands.is_empty() {
                lines.push('\n');
            }
            for written in &module.commands {
                lines += &format!("  {}\n", command(written, plain));
            }
            lines + "endmodule\n"
        }
        Item::Renamed(renamed) => {
            let pairs: Vec<String> =
                renamed.renames.iter().map(|(old, new)| format!("{} = {}", old.node, new.node)).collect();
            let (name, base) = (&renamed.name.node, &renamed.base.node);
            format!("module {name} = {base} [{}] endmodule\n", pairs.join(", "))
        }
        Item::Rewards(written) => rewards(written),
        Item::Init(condition) => format!("init\n  {}\nendinit\n", expression(condition, plain)),
        Item::System(composed) => format!("system\n  {}\nendsystem\n", composition(composed, Compound::Any)),
    };
    out.push_str(&line);
}

fn rewards(written: &Rewards) -> String {
    let plain = &Renaming::new();
    let mut lines = match &written.name {
        Some(name) => format!("rewards \"{}\"\n", name.node),
        None => "rewards\n".to_owned(),
    };
    for item in &written.items {
        let label = match &item.earned {
            Earned::State => String::new(),
            Earned::Unlabelled => "[] ".to_owned(),
            Earned::Label(label) => format!("[{}] ", label.node),
        };
        let (guard, value) = (expression(&item.guard, plain), expression(&item.value, plain));
        lines += &format!("  {label}{guard} : {value};\n");
    }
    lines + "endrewards\n"
}

fn declaration(variable: &Declaration) -> String {
    let plain = &Renaming::new();
    let domain = match &variable.domain {
        Domain::Bool => "bool".to_owned(),
        Domain::Range(low, high) => format!("[{}..{}]", expression(low, plain), expression(high, plain)),
    };
    let initial = variable
        .initial
        .as_ref()
        .map_or_else(String::new, |value| format!(" init {}", expression(value, plain)));
    format!("{} : {domain}{initial};", variable.name.node)
}

/// `[label] guard -> updates;`
pub(crate) fn command(written: &Command, names: &Renaming) -> String {
    let label = written.label.as_ref().map_or("", |label| new(&label.node, names));
    let updates: Vec<String> = written.updates.iter().map(|written| update(written, names)).collect();
    format!("[{label}] {} -> {};", expression(&written.guard, names), updates.join(" + "))
}

fn update(written: &Update, names: &Renaming) -> String {
    let assignments: Vec<String> = written
        .assignments
        .iter()
        .map(|assignment| {
            let value = expression(&assignment.value, names);
            format!("({}'={value})", new(&assignment.variable.node, names))
        })
        .collect();
    let assignments = if assignments.is_empty() { "true".to_owned() } else { assignments.join(" & ") };
    match &written.chance {
        Some(chance) => format!("{} : {assignments}", expression(chance, names)),
        None => assignments,
    }
}

fn new<'n>(name: &'n str, names: &'n Renaming) -> &'n str {
    names.get(name).map_or(name, String::as_str)
}

/// An expression with the parentheses it needs.
pub(crate) fn expression(expression: &Expression, names: &Renaming) -> String {
    let mut out = String::new();
    write_expression(&mut out, expression, names, 0);
    out
}

fn strength(expression: &Expression) -> u8 {
    match &expression.node {
        ExpressionNode::Conditional(..) => STRENGTH_CONDITIONAL,
        ExpressionNode::Or(_) => STRENGTH_OR,
        ExpressionNode::And(_) => STRENGTH_AND,
        ExpressionNode::Not(_) => STRENGTH_NOT,
        ExpressionNode::Binary(operator, ..) => operator.strength(),
        ExpressionNode::Negative(_) => STRENGTH_SIGN,
        ExpressionNode::Int(value) if *value < 0 => STRENGTH_SIGN,
        _ => u8::MAX,
    }
}

/// Writes an expression in a place where operators weaker than `least` need parentheses.
fn write_expression(out: &mut String, expression: &Expression, names: &Renaming, least: u8) {
    let own = strength(expression);
    let parenthesised = own < least;
    if parenthesised {
        out.push('(');
    }
    match &expression.node {
        ExpressionNode::Bool(value) => write_to(out, format_args!("{value}")),
        ExpressionNode::Int(value) => write_to(out, format_args!("{value}")),
        ExpressionNode::Decimal(text) => out.push_str(text),
        ExpressionNode::Name(name) => out.push_str(new(name, names)),
        ExpressionNode::Not(inner) => {
            out.push('!');
            // `!a = b` is `!(a = b)`: comparisons get parentheses for the reader's sake.
            let plain = matches!(inner.node, ExpressionNode::Not(_));
            write_expression(out, inner, names, if plain { own } else { STRENGTH_SIGN });
        }
        ExpressionNode::Negative(inner) => {
            out.push('-');
            write_expression(out, inner, names, STRENGTH_SIGN + 1);
        }
        ExpressionNode::And(parts) => write_list(out, parts, names, " & ", own + 1),
        ExpressionNode::Or(parts) => write_list(out, parts, names, " | ", own + 1),
        ExpressionNode::Binary(operator, left, right) => {
            let spaced = !matches!(operator, BinaryOperator::Multiply | BinaryOperator::Divide);
            write_expression(out, left, names, own);
            let symbol = operator.symbol();
            if spaced {
                write_to(out, format_args!(" {symbol} "));
            } else {
                out.push_str(symbol);
            }
            write_expression(out, right, names, own + 1);
        }
        ExpressionNode::Conditional(condition, yes, no) => {
            write_expression(out, condition, names, own + 1);
            out.push_str(" ? ");
            write_expression(out, yes, names, own);
            out.push_str(" : ");
            write_expression(out, no, names, own);
        }
        ExpressionNode::Call(function, arguments) => {
            write_to(out, format_args!("{}(", new(&function.node, names)));
            write_list(out, arguments, names, ", ", 0);
            out.push(')');
        }
        ExpressionNode::Error => out.push_str("false"),
    }
    if parenthesised {
        out.push(')');
    }
}

fn write_to(out: &mut String, arguments: std::fmt::Arguments<'_>) {
    out.write_fmt(arguments).expect("strings grow");
}

fn write_list(out: &mut String, parts: &[Expression], names: &Renaming, between: &str, least: u8) {
    for (number, part) in parts.iter().enumerate() {
        if number > 0 {
            out.push_str(between);
        }
        write_expression(out, part, names, least);
    }
}

/// What a composition may be without parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Compound {
    Any,
    Interleaved,
    Synchronised,
    Basic,
}

fn composition(composed: &Composition, least: Compound) -> String {
    let joined = |parts: &[Composition], sign: &str, least| {
        let parts: Vec<String> = parts.iter().map(|part| composition(part, least)).collect();
        parts.join(sign)
    };
    let listed = |labels: &[Spanned<String>]| {
        let labels: Vec<&str> = labels.iter().map(|label| label.node.as_str()).collect();
        labels.join(", ")
    };
    let (own, text) = match &composed.node {
        CompositionNode::Module(name) => (Compound::Basic, name.clone()),
        CompositionNode::Parallel(parts) => (Compound::Any, joined(parts, " || ", Compound::Interleaved)),
        CompositionNode::Interleaved(parts) => {
            (Compound::Interleaved, joined(parts, " ||| ", Compound::Synchronised))
        }
        CompositionNode::Synchronised(left, labels, right) => {
            let (left, right) =
                (composition(left, Compound::Synchronised), composition(right, Compound::Basic));
            (Compound::Synchronised, format!("{left} |[{}]| {right}", listed(labels)))
        }
        CompositionNode::Hidden(inner, labels) => {
            (Compound::Basic, format!("{} / {{{}}}", composition(inner, Compound::Basic), listed(labels)))
        }
        CompositionNode::Renamed(inner, pairs) => {
            let pairs: Vec<String> =
                pairs.iter().map(|(old, new)| format!("{} <- {}", old.node, new.node)).collect();
            (Compound::Basic, format!("{} {{{}}}", composition(inner, Compound::Basic), pairs.join(", ")))
        }
    };
    if own < least { format!("({text})") } else { text }
}
