//! Roles as agent nets (Chang 2011, figure 42): a request is prepared in `start`, one transition for each permitted action
//! sends it, `Return` takes the answer, and `Quit` ends the session.

use std::collections::BTreeMap;

use motet_source::{Problem, Problems, Span};

use super::make::Make;
use super::requests::Requests;
use super::sorts::Declared;
use crate::syntax::{ExpressionNode, Initial, Item, Level, Member, Name, Net, Partner, Role, Text};

/// Replaces every role of the text.
pub(super) fn expand(text: &mut Text, problems: &mut Problems) {
    let Some(first) = roles(text).next().map(|role| role.name.span) else { return };
    let declared = Declared::of(text);
    let requests = Requests::find(text, &declared, first, problems);
    if requests.is_some() {
        for word in ["quit", "none"].into_iter().filter(|word| !declared.values.contains(*word)) {
            let message = format!("roles end their sessions with `{word}`, which is not declared");
            let help = "add `quit` and `none` to the enumeration of actions";
            problems.push(Problem::error("M1071", first, message, help));
        }
    }
    for item in &mut text.items {
        if let Item::Role(role) = item {
            let members =
                requests.as_ref().map_or_else(Vec::new, |requests| members(role, requests, problems));
            let net = Net {
                name: role.name.clone(),
                level: Level::Agent,
                parameters: role.parameters.clone(),
                members,
                span: role.span,
            };
            *item = Item::Net(net);
        }
    }
}

fn roles(text: &Text) -> impl Iterator<Item = &Role> {
    text.items.iter().filter_map(|item| if let Item::Role(role) = item { Some(role) } else { None })
}

/// `Read` for the action `read_`.
fn transition_name(action: &Name) -> Name {
    let text = action.node.trim_matches('_');
    let mut letters = text.chars();
    let name = letters
        .next()
        .map_or_else(|| action.node.clone(), |first| first.to_uppercase().chain(letters).collect());
    Name::new(name, action.span)
}

fn members(role: &Role, requests: &Requests, problems: &mut Problems) -> Vec<Member> {
    let make = Make(role.span);
    let content = requests.field("content").expect("the record of requests has it");
    let start = role.starts.as_ref().map_or(Initial::Empty, |first| {
        Initial::Tokens(make.expression(ExpressionNode::Set(vec![first.clone()])))
    });
    let mut members = vec![
        make.place("start", &requests.sort, start),
        make.place("waiting", &requests.sort, Initial::Empty),
        make.place("result", content, Initial::Empty),
    ];
    let mut taken: BTreeMap<String, Span> = BTreeMap::new();
    for action in &role.permits {
        let name = transition_name(action);
        let reserved = matches!(name.node.as_str(), "Return" | "Quit");
        let before = taken.insert(name.node.clone(), action.span);
        if reserved || before.is_some() {
            problems.push(clash(&name, action, before));
            continue;
        }
        members.push(request(action, &name));
    }
    starts_with_something_permitted(role, requests, problems);
    members.push(answer(make));
    members.push(quit(make, role, requests));
    members
}

/// A role whose first request is for something else never asks for anything.
fn starts_with_something_permitted(role: &Role, requests: &Requests, problems: &mut Problems) {
    let action = requests.fields.iter().position(|field| field.name.node == "action");
    let Some(ExpressionNode::Tuple(parts)) = role.starts.as_ref().map(|first| &first.node) else { return };
    let Some(first) = action.and_then(|action| parts.get(action)) else { return };
    let ExpressionNode::Name(name) = &first.node else { return };
    let given = role.parameters.iter().any(|parameter| parameter.name.node == *name);
    if !given && !role.permits.iter().any(|action| action.node == *name) {
        let message =
            format!("`{}` starts with a request for `{name}`, which it does not permit", role.name.node);
        let help =
            format!("such a request is never sent; permit `{name}`, or start with something permitted");
        problems.push(Problem::warning("M1057", first.span, message, help));
    }
}

fn clash(name: &Name, action: &Name, before: Option<Span>) -> Problem {
    let message = format!("`{}` would make a second transition `{}`", action.node, name.node);
    let help = "`Return` and `Quit` are there in every role; name the action otherwise, or permit it once";
    let problem = Problem::error("M1072", action.span, message, help);
    match before {
        Some(span) => problem.also(span, "the first one is made of this"),
        None => problem,
    }
}

/// `transition Read { in start(e); when e.action = read_; sync up ! request(e); out waiting(e); }`
fn request(action: &Name, name: &Name) -> Member {
    let make = Make(action.span);
    let body = vec![
        make.takes(&[("start", "e")]),
        make.when(make.equal(make.field("e", "action"), make.value(&action.node))),
        make.sends(Partner::Up, "request", vec![make.value("e")]),
        make.puts(&[("waiting", "e")]),
    ];
    make.transition(name, body)
}

/// `transition Return { in waiting(e); sync up ? reply(r); when r.action = e.action; out result(r.content); }`
fn answer(make: Make) -> Member {
    let out = make.arc_out("result", vec![make.field("r", "content")]);
    let body = vec![
        make.takes(&[("waiting", "e")]),
        make.receives(Partner::Up, "reply", &["r"]),
        make.when(make.equal(make.field("r", "action"), make.field("e", "action"))),
        make.statement(crate::syntax::StatementNode::Out(vec![out])),
    ];
    make.transition(&make.name("Return"), body)
}

/// `transition Quit { in result(x); sync up ! request((me, quit, none, none)); }`: a parameter of the role fills the field
/// of its name, and the first one says who asks.
fn quit(make: Make, role: &Role, requests: &Requests) -> Member {
    let fields = requests.fields.iter().enumerate().map(|(number, field)| {
        let named = role.parameters.iter().find(|parameter| parameter.name.node == field.name.node);
        let first = role.parameters.first().filter(|_| number == 0);
        match (field.name.node.as_str(), named.or(first)) {
            ("action", _) => make.value("quit"),
            (_, Some(parameter)) => make.value(&parameter.name.node),
            (_, None) => make.value("none"),
        }
    });
    let farewell = make.expression(ExpressionNode::Tuple(fields.collect()));
    let body = vec![make.takes(&[("result", "x")]), make.sends(Partner::Up, "request", vec![farewell])];
    make.transition(&make.name("Quit"), body)
}
