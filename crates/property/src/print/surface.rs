//! A tree as text in canonical form: the author's words and parentheses, one spelling for each sign, and every
//! parenthesis that Motet's grammar needs.

mod happening;

use super::name::{declared, dotted, name, quoted};
use crate::formula::{Extremum, Knowledge, Quantifier, Relation, Until};
use crate::syntax::{
    Arithmetic, Attitude, Binary, Cause, ClockName, Domain, Due, Form, Goal, Join, Lasting, Mode, Node,
    Order, Requirement, Scope, Spelling, Temporal, Threshold, Timing, Tree, When, Wording,
};

/// How tightly a part of a formula holds together; looser ones need parentheses inside tighter ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Sentence,
    Body,
    Iff,
    Implies,
    Or,
    And,
    Until,
    Prefix,
    Comparison,
    Sum,
    Term,
    Operand,
}

/// The node as text.
pub(crate) fn readable(node: &Node) -> String {
    text(node, Level::Sentence)
}

/// A value, such as a constant's.
pub(crate) fn value(node: &Node) -> String {
    text(node, Level::Sum)
}

/// How tightly a node holds together. `again` reaches over all that stands before it, so that it is no tighter than a comparison.
///
/// `again` is taken off by a loop and not by a call of this function on what is inside: optimised builds of rustc 1.95 take
/// `level(inner).min(Level::Comparison)` for a loop that starts with the comparison, so that nothing at all is tighter than one.
fn level(node: &Node) -> Level {
    let (mut node, mut most) = (node, Level::Operand);
    while let Tree::Again(inner) = &node.tree {
        (node, most) = (inner, Level::Comparison);
    }
    bare_level(node).min(most)
}

/// The same without a look at `again`.
fn bare_level(node: &Node) -> Level {
    match &node.tree {
        Tree::Scoped(..) | Tree::Shall(..) => Level::Sentence,
        Tree::Whenever(..) | Tree::EachTime(..) | Tree::Precedes(..) | Tree::Quantified(..) => Level::Body,
        Tree::Iff(..) => Level::Iff,
        Tree::Implies(..) => Level::Implies,
        Tree::Join(Join::Or | Join::Xor, ..) => Level::Or,
        Tree::Join(Join::And, ..) => Level::And,
        Tree::Until(..) => Level::Until,
        Tree::Not(..) | Tree::Temporal(..) | Tree::Branching(..) | Tree::Timed(..) | Tree::Runs(..) => {
            Level::Prefix
        }
        Tree::Becomes(Form::Function, _) => Level::Prefix,
        Tree::Counted(count) if count.wording != Wording::Behind => Level::Prefix,
        Tree::Counted(_)
        | Tree::Becomes(Form::Sentence, _)
        | Tree::Passes(_, Form::Sentence, ..)
        | Tree::Compare(..)
        | Tree::Member(..)
        | Tree::NoBelief(..)
        | Tree::Mental(_, Form::Sentence, ..)
        | Tree::Says(Form::Sentence, ..)
        | Tree::Knows(_, Form::Sentence, ..) => Level::Comparison,
        Tree::Arithmetic(Arithmetic::Add | Arithmetic::Sub | Arithmetic::Union | Arithmetic::Minus, ..) => {
            Level::Sum
        }
        Tree::Arithmetic(..) => Level::Term,
        _ => Level::Operand,
    }
}

/// Whether the text of the node ends with the operand of a bare prefix operator.
fn ends_bare(node: &Node) -> bool {
    match &node.tree {
        Tree::Temporal(..) | Tree::Branching(..) | Tree::Timed(..) => true,
        Tree::Counted(count) => count.wording == Wording::Before,
        Tree::Not(_, operand) => ends_bare(operand),
        Tree::Until(_, _, _, _, right) | Tree::Implies(_, _, right) | Tree::Iff(_, _, right) => {
            ends_bare(right)
        }
        Tree::Join(_, _, parts) => parts.last().is_some_and(ends_bare),
        _ => false,
    }
}

fn text(node: &Node, least: Level) -> String {
    let inner = plain(node);
    // `[]` is an operator unless a bracket or a comma follows, as behind an argument.
    let operator = inner == "[]" && least < Level::Comparison && least != Level::Iff;
    if level(node) < least || operator { format!("({inner})") } else { inner }
}

/// An operand with a binary operator behind it.
fn followed(node: &Node, least: Level) -> String {
    if ends_bare(node) && level(node) >= least { format!("({})", plain(node)) } else { text(node, least) }
}

/// An operand behind an operator that may have a bound: a list or a tuple would be taken for it.
fn unbounded(inner: String) -> String {
    if inner.starts_with(['<', '[']) { format!("({inner})") } else { inner }
}

fn parenthesised(text: String) -> String {
    if text.starts_with('(') { text } else { format!("({text})") }
}

fn comma(parts: &[Node], least: Level) -> String {
    parts.iter().map(|part| text(part, least)).collect::<Vec<_>>().join(", ")
}

fn plain(node: &Node) -> String {
    match &node.tree {
        Tree::Number(number) => number.clone(),
        Tree::Length(parts) => {
            parts.iter().map(|(number, unit)| unit.with(number)).collect::<Vec<_>>().join(" ")
        }
        Tree::Text(text) => quoted(text),
        Tree::Name(word) => name(word),
        Tree::Call(word, arguments) => format!("{}({})", dotted(word), comma(arguments, Level::Iff)),
        Tree::Field(of, field) => format!("{}.{}", text(of, Level::Operand), declared(field)),
        Tree::Index(of, at) => format!("{}[{}]", text(of, Level::Operand), text(at, Level::Operand)),
        Tree::Tuple(parts) => format!("<{}>", comma(parts, Level::Operand)),
        Tree::List(parts) => format!("[{}]", comma(parts, Level::Sum)),
        Tree::Negative(of) => format!("-{}", text(of, Level::Operand)),
        Tree::Size(of) => format!("#{}", text(of, Level::Operand)),
        Tree::Group(inner) => match &inner.tree {
            Tree::Group(_) => plain(inner),
            _ => format!("({})", plain(inner)),
        },
        Tree::Error => "?".to_owned(),
        Tree::Arithmetic(..) | Tree::Compare(..) | Tree::Member(..) => compared(node),
        Tree::Mental(..) | Tree::Says(..) | Tree::NoBelief(..) | Tree::Knows(..) | Tree::Clock(..) => {
            minded(node)
        }
        Tree::Chance(..) | Tree::Steady(..) | Tree::Reward(..) | Tree::Filter(..) | Tree::Wait(..) => {
            queried(node)
        }
        Tree::Quantified(..)
        | Tree::Whenever(..)
        | Tree::EachTime(..)
        | Tree::Precedes(..)
        | Tree::Scoped(..) => sentence(node),
        Tree::Becomes(..) | Tree::Again(_) | Tree::Counted(_) | Tree::Passes(..) => happening::shown(node),
        Tree::Shall(shall) => requirement(shall),
        _ => connected(node),
    }
}

fn compared(node: &Node) -> String {
    match &node.tree {
        Tree::Arithmetic(operator, left, right) => {
            let (sign, left_least, right_least) = match operator {
                Arithmetic::Add => ("+", Level::Sum, Level::Term),
                Arithmetic::Sub => ("-", Level::Sum, Level::Term),
                Arithmetic::Union => ("union", Level::Sum, Level::Term),
                Arithmetic::Minus => ("minus", Level::Sum, Level::Term),
                Arithmetic::Mul => ("*", Level::Term, Level::Operand),
                Arithmetic::Div => ("/", Level::Term, Level::Operand),
                Arithmetic::Mod => ("%", Level::Term, Level::Operand),
            };
            format!("{} {sign} {}", text(left, left_least), text(right, right_least))
        }
        Tree::Compare(first, rest) => {
            let mut out = text(first, Level::Sum);
            for (sign, part) in rest {
                out += &format!(" {} {}", relation(*sign), text(part, Level::Sum));
            }
            out
        }
        Tree::Member(left, of) => format!("{} in {}", text(left, Level::Sum), domain(of)),
        _ => String::new(),
    }
}

fn minded(node: &Node) -> String {
    match &node.tree {
        Tree::Mental(attitude, Form::Sentence, agent, content) if verb(*attitude).is_some() => {
            let verb = verb(*attitude).unwrap_or_default();
            format!("{} {verb} {}", text(agent, Level::Sum), said(content))
        }
        Tree::Mental(attitude, _, agent, content) => {
            format!("{}({}, {})", function(*attitude), text(agent, Level::Sum), text(content, Level::Iff))
        }
        Tree::Says(Form::Sentence, from, to, content) => {
            format!("{} tells {} {}", text(from, Level::Sum), text(to, Level::Operand), said(content))
        }
        Tree::Says(_, from, to, content) => format!(
            "Says({}, {}, {})",
            text(from, Level::Sum),
            text(to, Level::Sum),
            text(content, Level::Iff)
        ),
        Tree::NoBelief(agent, about) => {
            format!("{} has no belief about {}", text(agent, Level::Sum), text(about, Level::Operand))
        }
        Tree::Knows(_, Form::Sentence, group, content) => {
            format!("{} knows {}", domain(group), parenthesised_whole(content))
        }
        Tree::Knows(knowledge, _, group, content) => {
            let letters = match knowledge {
                Knowledge::One => "K",
                Knowledge::Everyone => "EK",
                Knowledge::Common => "CK",
                Knowledge::Distributed => "DK",
            };
            format!("{letters}[{}]{}", domain(group), parenthesised_whole(content))
        }
        Tree::Clock(clock, inner) => {
            let word = match clock {
                ClockName::Since => "since",
                ClockName::Held => "held",
            };
            format!("{word}({})", readable(inner))
        }
        _ => String::new(),
    }
}

fn parenthesised_whole(node: &Node) -> String {
    match &node.tree {
        Tree::Group(_) => plain(node),
        _ => format!("({})", plain(node)),
    }
}

/// What stands behind a verb: `[ "not" ] cmp`.
fn said(content: &Node) -> String {
    match &content.tree {
        Tree::Not(_, inner) => format!("not {}", said(inner)),
        _ => text(content, Level::Comparison),
    }
}

fn queried(node: &Node) -> String {
    match &node.tree {
        Tree::Chance(extremum, asked, path) => {
            format!("P{}{} [ {} ]", extreme(*extremum), threshold(asked), readable(path))
        }
        Tree::Wait(extremum, from, to) => {
            let from = from.as_ref().map(|from| format!(" from {}", parenthesised_whole(from)));
            let (which, from) = (extreme(Some(*extremum)), from.unwrap_or_default());
            format!("{which} time{from} to {}", parenthesised_whole(to))
        }
        Tree::Filter(filter, value, states) => {
            format!("filter({}, {}, {})", filter.word(), text(value, Level::Iff), text(states, Level::Iff))
        }
        Tree::Steady(extremum, asked, inner) => {
            format!("S{}{} [ {} ]", extreme(*extremum), threshold(asked), readable(inner))
        }
        Tree::Reward(reward, extremum, asked, goal) => {
            let reward = reward.as_ref().map_or(String::new(), |name| format!("{{{}}}", quoted(name)));
            let goal = match goal {
                Goal::Cumulative(None) => "C".to_owned(),
                Goal::Cumulative(Some(bound)) => format!("C<={}", bound_value(bound)),
                Goal::Instant(at) => format!("I={}", bound_value(at)),
                Goal::Average => "S".to_owned(),
                Goal::Path(path) => readable(path),
            };
            format!("R{reward}{}{} [ {goal} ]", extreme(*extremum), threshold(asked))
        }
        _ => String::new(),
    }
}

fn sentence(node: &Node) -> String {
    match &node.tree {
        Tree::Quantified(every, variable, over, body) => {
            let (word, over) = (every.word(), domain(over));
            format!("{word} {} in {over}: {}", name(variable), text(body, Level::Body))
        }
        Tree::Whenever(trigger, timing, response) | Tree::EachTime(trigger, timing, response) => {
            let word = if matches!(node.tree, Tree::EachTime(..)) { "each time" } else { "whenever" };
            let response = text(response, Level::Iff);
            let timing = match timing {
                Timing::Immediately => "immediately".to_owned(),
                Timing::Eventually => "eventually".to_owned(),
                Timing::Within(length) => format!("within {},", bound_value(length)),
                Timing::For(length) => format!("for {},", bound_value(length)),
                Timing::After(length) => format!("after {},", bound_value(length)),
            };
            format!("{word} {}, {timing} {response}", text(trigger, Level::Iff))
        }
        Tree::Precedes(first, second) => {
            format!("{} precedes {}", followed(first, Level::Iff), text(second, Level::Iff))
        }
        Tree::Scoped(scope, body) => match &body.tree {
            // Without parentheses the scope would be the one of the requirement.
            Tree::Shall(_) => format!("{}, ({})", self::scope(scope), plain(body)),
            _ => format!("{}, {}", self::scope(scope), readable(body)),
        },
        _ => String::new(),
    }
}

/// The words of a scope, up to its comma.
pub(crate) fn scope(scope: &Scope) -> String {
    let part = |node| text(node, Level::Comparison);
    match scope {
        Scope::Globally => "globally".to_owned(),
        Scope::Before(end) => format!("before {}", part(end)),
        Scope::While(during) => format!("while {}", part(during)),
        Scope::After(start) => format!("after {}", part(start)),
        Scope::AfterUntil(start, end) => format!("after {} until {}", part(start), part(end)),
        Scope::Between(start, end) => format!("between {} and {}", part(start), part(end)),
    }
}

fn requirement(shall: &Requirement) -> String {
    let mut out = String::new();
    if let Some(Mode { word, what, noun }) = &shall.mode {
        let noun = if noun.is_some() { " mode" } else { "" };
        out += &format!("{} {}{noun}, ", word.words(), text(what, Level::Comparison));
    }
    if let Some((cause, condition)) = &shall.condition {
        out += &format!("{} {}, ", cause.word(), text(condition, Level::Iff));
    }
    let article = if shall.article.is_some() { "the " } else { "" };
    let component = somebody(&shall.component.node);
    out += &match shall.order {
        Order::ComponentFirst => format!("{article}{component} shall "),
        Order::ShallFirst => format!("shall {article}{component} "),
    };
    out += &match &shall.due {
        Due::Immediately => "immediately".to_owned(),
        Due::AtNext => "at the next timepoint".to_owned(),
        Due::Always => "always".to_owned(),
        Due::Never => "never".to_owned(),
        Due::Eventually => "eventually".to_owned(),
        Due::Until(stop) => format!("until {}", text(stop, Level::Iff)),
        Due::Before(stop) => format!("before {}", text(stop, Level::Iff)),
        Due::Within(length) => format!("within {}", bound_value(length)),
        Due::For(length) => format!("for {}", bound_value(length)),
        Due::After(length) => format!("after {}", bound_value(length)),
    };
    format!("{out} satisfy {}", text(&shall.response, Level::Iff))
}

/// A component, in back-ticks where its name is a word of requirements.
fn somebody(component: &str) -> String {
    let word =
        matches!(component, "the" | "shall" | "only" | "not" | "during") || Cause::named(component).is_some();
    if word { format!("`{component}`") } else { name(component) }
}

fn connected(node: &Node) -> String {
    match &node.tree {
        Tree::Not(Spelling::Symbol, inner) => format!("!{}", text(inner, Level::Prefix)),
        Tree::Not(Spelling::Word, inner) => format!("not {}", text(inner, Level::Prefix)),
        Tree::Temporal(temporal, spelling, bound, inner) => {
            let word = match (temporal, spelling) {
                (Temporal::Next, Spelling::Symbol) => "X",
                (Temporal::Eventually, Spelling::Symbol) => "F",
                (Temporal::Always, Spelling::Symbol) => "G",
                (Temporal::Next, Spelling::Word) => "next",
                (Temporal::Eventually, Spelling::Word) => "eventually",
                (Temporal::Always, Spelling::Word) => "always",
                (Temporal::Never, _) => "never",
            };
            prefixed(word, bound.as_ref(), inner)
        }
        Tree::Branching(quantifier, temporal, bound, inner) => {
            let letter = match quantifier {
                Quantifier::All => 'A',
                Quantifier::Some => 'E',
            };
            let operator = match temporal {
                Temporal::Next => 'X',
                Temporal::Eventually => 'F',
                Temporal::Always | Temporal::Never => 'G',
            };
            prefixed(&format!("{letter}{operator}"), bound.as_ref(), inner)
        }
        Tree::Timed(lasting, length, inner) => {
            let word = match lasting {
                Lasting::Within => "within",
                Lasting::For => "for",
            };
            let inner = text(inner, Level::Prefix);
            let inner = if inner.starts_with(char::is_alphabetic) { inner } else { parenthesised(inner) };
            format!("{word} {} {inner}", bound_value(length))
        }
        Tree::Runs(quantifier, path) => {
            let letter = match quantifier {
                Quantifier::All => "A",
                Quantifier::Some => "E",
            };
            format!("{letter} [ {} ]", readable(path))
        }
        Tree::Until(until, spelling, bound, left, right) => {
            let left = followed(left, Level::Prefix);
            let word = until_name(*until, *spelling);
            match bound {
                None => format!("{left} {word} {}", unbounded(text(right, Level::Prefix))),
                Some(bound) => {
                    format!("{left} {word}{} {}", when(bound), parenthesised(text(right, Level::Prefix)))
                }
            }
        }
        Tree::Join(join, spelling, parts) => joined(*join, *spelling, parts),
        Tree::Implies(spelling, left, right) => {
            let word = if *spelling == Spelling::Word { "implies" } else { "->" };
            format!("{} {word} {}", followed(left, Level::Or), text(right, Level::Or))
        }
        Tree::Iff(spelling, left, right) => {
            let word = if *spelling == Spelling::Word { "iff" } else { "<->" };
            format!("{} {word} {}", followed(left, Level::Implies), text(right, Level::Implies))
        }
        _ => String::new(),
    }
}

fn joined(join: Join, spelling: Spelling, parts: &[Node]) -> String {
    let word = match (join, spelling) {
        (Join::And, Spelling::Symbol) => " & ",
        (Join::And, Spelling::Word) => " and ",
        (Join::Or, Spelling::Symbol) => " | ",
        (Join::Or, Spelling::Word) => " or ",
        (Join::Xor, _) => " xor ",
    };
    let (own, tighter) = if join == Join::And { (Level::And, Level::Until) } else { (Level::Or, Level::And) };
    let mut out = String::new();
    for (i, part) in parts.iter().enumerate() {
        // A first part of the same level needs no parentheses unless it is the same connective, which would melt in.
        let same = matches!(&part.tree, Tree::Join(other, ..) if *other == join);
        let least = if i == 0 && !same { own } else { tighter };
        out += &if i + 1 < parts.len() { followed(part, least) } else { text(part, least) };
        if i + 1 < parts.len() {
            out += word;
        }
    }
    out
}

fn prefixed(word: &str, bound: Option<&When>, inner: &Node) -> String {
    let inner = text(inner, Level::Prefix);
    match bound {
        None if inner.starts_with(['<', '[', '-']) => format!("{word} ({inner})"),
        None => format!("{word} {inner}"),
        Some(bound) => format!("{word}{} {}", when(bound), parenthesised(inner)),
    }
}

fn when(when: &When) -> String {
    match when {
        When::Relation(sign, bound) => format!("{}{}", relation(*sign), bound_value(bound)),
        When::Between(low, high) => format!("[{}, {}]", bound_value(low), bound_value(high)),
        When::Words(Lasting::Within, length) => format!(" within {}", bound_value(length)),
        When::Words(Lasting::For, length) => format!(" for {}", bound_value(length)),
    }
}

/// `NUMBER [unit] | IDENT | "(" sum ")"`
fn bound_value(node: &Node) -> String {
    match &node.tree {
        Tree::Number(_) | Tree::Length(_) | Tree::Name(_) | Tree::Group(_) => plain(node),
        Tree::Arithmetic(Arithmetic::Mul, count, unit) => match (&count.tree, &unit.tree) {
            // `N steps`
            (Tree::Name(count), Tree::Length(parts)) => match parts.as_slice() {
                [(one, unit)] if one == "1" && unit.counts() => format!("{} {}", name(count), unit.name()),
                _ => format!("({})", plain(node)),
            },
            _ => format!("({})", plain(node)),
        },
        _ => format!("({})", plain(node)),
    }
}

fn domain(domain: &Domain) -> String {
    match domain {
        Domain::Name(node) => text(node, Level::Sum),
        Domain::Range(low, high) => format!("{}..{}", text(low, Level::Sum), text(high, Level::Sum)),
        Domain::Set(parts) => format!("{{{}}}", comma(parts, Level::Sum)),
    }
}

fn threshold(threshold: &Threshold) -> String {
    match threshold {
        Threshold::Ask => "=?".to_owned(),
        Threshold::Compare(sign, value) => format!("{}{}", relation(*sign), text(value, Level::Sum)),
    }
}

fn extreme(extremum: Option<Extremum>) -> &'static str {
    match extremum {
        None => "",
        Some(Extremum::Min) => "min",
        Some(Extremum::Max) => "max",
    }
}

fn verb(attitude: Attitude) -> Option<&'static str> {
    match attitude {
        Attitude::Believes => Some("believes"),
        Attitude::Desires => Some("desires"),
        Attitude::Intends => Some("intends"),
        Attitude::Does => Some("does"),
        Attitude::Did | Attitude::WillDo => None,
    }
}

fn function(attitude: Attitude) -> &'static str {
    match attitude {
        Attitude::Believes => "Bel",
        Attitude::Desires => "Des",
        Attitude::Intends => "Int",
        Attitude::Does => "Does",
        Attitude::Did => "Did",
        Attitude::WillDo => "ItD",
    }
}

pub(crate) fn relation(relation: Relation) -> &'static str {
    match relation {
        Relation::Eq => "=",
        Relation::Ne => "!=",
        Relation::Lt => "<",
        Relation::Le => "<=",
        Relation::Gt => ">",
        Relation::Ge => ">=",
    }
}

pub(crate) fn until_name(operator: Binary, spelling: Spelling) -> &'static str {
    let until = match operator {
        Binary::Until(until) => until,
        Binary::Since => return "since",
    };
    match (until, spelling) {
        (_, Spelling::Symbol) | (Until::StrongRelease, _) => until.symbol(),
        (Until::Until, Spelling::Word) => "until",
        (Until::Weak, Spelling::Word) => "unless",
        (Until::Release, Spelling::Word) => "releases",
    }
}
