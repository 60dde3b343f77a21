//! Atoms as text that reads back as the same atom.

use motet_model::{AtomText, Expr};

use super::name::{declared, dotted, name, quoted};

/// The atom in function form.
pub(crate) fn atom(atom: &AtomText) -> String {
    let attitude =
        |word: &str, agent: &str, content: &Expr| format!("{word}({}, {})", who(agent), expr(content));
    match atom {
        AtomText::Fact(fact) => expr(fact),
        AtomText::Believes(agent, content) => attitude("Bel", agent, content),
        AtomText::Desires(agent, content) => attitude("Des", agent, content),
        AtomText::Intends(agent, content) => attitude("Int", agent, content),
        AtomText::Does(agent, act) => attitude("Does", agent, act),
        AtomText::Did(agent, act) => attitude("Did", agent, act),
        AtomText::WillDo(agent, act) => attitude("ItD", agent, act),
        AtomText::Says(from, to, content) => format!("Says({}, {}, {})", who(from), who(to), expr(content)),
        AtomText::Sends(from, to, content) => {
            format!("Sends({}, {}, {})", who(from), who(to), expr(content))
        }
        AtomText::Reads(from, to, content) => {
            format!("Reads({}, {}, {})", who(to), who(from), expr(content))
        }
    }
}

pub(crate) fn who(agent: &str) -> String {
    dotted(agent)
}

pub(crate) fn expr(of: &Expr) -> String {
    spaced(of, ", ")
}

/// The expression with this text between arguments.
pub(crate) fn spaced(of: &Expr, comma: &str) -> String {
    let list = |items: &[Expr]| items.iter().map(|item| spaced(item, comma)).collect::<Vec<_>>().join(comma);
    match of {
        Expr::Int(number) => number.to_string(),
        Expr::Decimal(text) => text.clone(),
        Expr::Text(text) => quoted(text),
        Expr::Any => "_".to_owned(),
        Expr::Call(word, arguments) if arguments.is_empty() => name(word),
        Expr::Call(word, arguments) => format!("{}({})", dotted(word), list(arguments)),
        Expr::Field(of, field) => format!("{}.{}", side(of, comma), declared(field)),
        Expr::Index(of, at) => format!("{}[{}]", side(of, comma), spaced(at, comma)),
        Expr::Tuple(items) => format!("<{}>", list(items)),
        Expr::List(items) => format!("[{}]", list(items)),
        Expr::Not(of) => format!("not ({})", spaced(of, comma)),
        Expr::Size(of) => format!("#{}", side(of, comma)),
        Expr::Binary(operator, left, right) => {
            format!("{} {} {}", side(left, comma), operator.symbol(), side(right, comma))
        }
        Expr::Quantified(every, variable, domain, body) => {
            let (domain, body) = (spaced(domain, comma), spaced(body, comma));
            format!("({} {} in {domain}: {body})", every.word(), declared(variable))
        }
    }
}

fn side(of: &Expr, comma: &str) -> String {
    match of {
        Expr::Binary(..) | Expr::Not(_) => format!("({})", spaced(of, comma)),
        _ => spaced(of, comma),
    }
}
