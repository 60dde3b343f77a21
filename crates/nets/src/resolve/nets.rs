//! Nets: initial markings, goals and transitions.

use motet_source::Problem;

use super::compile::{Compiler, Context, Kind, Origin, Want};
use super::declare::{Declarations, kind};
use super::ports::Use;
use super::scope::{Uses, index};
use super::transitions;
use crate::program::{Expr, Initial, Net, Operator, Place, PlaceId, PlaceKind, Sort, Transition};
use crate::syntax::{self, BinaryOperator, Expression, ExpressionNode, Member};
use crate::value::{NetId, Value};

/// Resolves a net whose signature is known.
pub(crate) fn net(
    declared: &mut Declarations<'_>,
    id: NetId,
    net: &syntax::Net,
    ports: &mut Vec<Use>,
) -> Net {
    let signature = declared.scope.net(id).clone();
    let mut places = Vec::new();
    let mut hidden = Vec::new();
    let mut all: Vec<Transition> = Vec::new();
    let mut goals = Vec::new();
    for member in &net.members {
        match member {
            Member::Place(place) => places.extend(self::places(declared, id, net, place)),
            Member::Transition(transition) => {
                let counter = transition.limit.as_ref().map(|_| {
                    hidden.push(counter(declared, id, transition, hidden.len()));
                    let shown =
                        signature.places.iter().filter(|place| place.kind != PlaceKind::Limit).count();
                    PlaceId(index(shown + hidden.len() - 1))
                });
                all.push(transitions::transition(declared, id, net, transition, counter, ports));
            }
            Member::Goal(name, condition) => {
                let uses = &mut declared.uses;
                let mut compiler =
                    Compiler::new(&declared.scope, declared.problems, uses, Some(id), Context::Claim);
                compiler.parameters(net, &signature.parameters);
                let expr = compiler.truth(condition);
                let used: Vec<bool> = compiler.variables.iter().map(|variable| variable.used).collect();
                goals.push((name.node.clone(), compiler.body(expr)));
                note_used(&mut declared.uses, id, &used);
            }
            Member::Operation(_) => {}
        }
    }
    places.append(&mut hidden);
    unused_parameters(declared, net, id);
    let (name, level, parameters) = (signature.name, signature.level, signature.parameters);
    Net { name, level, parameters, places, transitions: all, goals, span: net.span }
}

impl Compiler<'_> {
    /// The parameters of a net come first in every environment of it.
    pub(crate) fn parameters(&mut self, net: &syntax::Net, sorts: &[(String, Sort)]) {
        for (field, (_, sort)) in net.parameters.iter().zip(sorts) {
            let id = self.variable(&field.name, sort.clone(), Origin::Parameter);
            self.visible.push((field.name.node.clone(), super::compile::Meaning::Variable(id)));
        }
    }
}

/// The places of one declaration.
fn places(
    declared: &mut Declarations<'_>,
    id: NetId,
    net: &syntax::Net,
    place: &syntax::Place,
) -> Vec<Place> {
    let name = place.names.first().map(|name| name.node.as_str());
    let known = name.and_then(|name| declared.scope.net(id).place(name));
    let sort = known.map_or(Sort::Unknown, |(_, place)| place.sort.clone());
    let capacity = place.capacity.as_ref().and_then(|most| declared.counted(most, 1, "a capacity"));
    if let (Some(most), syntax::PlaceKind::Cell) = (&place.capacity, place.kind) {
        let help = "leave the capacity out";
        let message = "a cell holds exactly one token";
        declared.problems.push(Problem::error("M1032", most.span, message, help));
    }
    let initial = initial(declared, id, net, place, &sort);
    if let (Some(most), Some(count)) = (capacity, least_tokens(&initial))
        && count > u64::from(most)
    {
        let message = format!("{count} tokens at the start exceed the capacity of {most}");
        declared.problems.push(Problem::error("M1024", place.span, message, "raise the capacity"));
    }
    let one = |name: &syntax::Name| Place {
        name: name.node.clone(),
        sort: sort.clone(),
        kind: kind(place.kind),
        capacity,
        initial: initial.clone(),
        span: name.span,
    };
    place.names.iter().map(one).collect()
}

/// How many tokens there are at the start, where that is plain to see.
fn least_tokens(initial: &Initial) -> Option<u64> {
    match initial {
        Initial::Tokens(Expr::Set(tokens)) => Some(tokens.len() as u64),
        Initial::Black(Expr::Constant(Value::Int(count))) => u64::try_from(*count).ok(),
        _ => None,
    }
}

fn initial(
    declared: &mut Declarations<'_>,
    id: NetId,
    net: &syntax::Net,
    place: &syntax::Place,
    sort: &Sort,
) -> Initial {
    let parameters = declared.scope.net(id).parameters.clone();
    let uses = &mut declared.uses;
    let mut compiler = Compiler::new(&declared.scope, declared.problems, uses, Some(id), Context::Initial);
    compiler.parameters(net, &parameters);
    let whither = whither(place);
    let initial = match (&place.initial, place.kind) {
        (syntax::Initial::Empty, syntax::PlaceKind::Tokens) => Initial::Empty,
        (syntax::Initial::Empty, syntax::PlaceKind::Cell) => {
            let message = format!("{whither} has no value at the start");
            compiler.error("M1032", place.span, message, "write `cell c : T = e;`");
            Initial::Empty
        }
        (syntax::Initial::Tokens(tokens), syntax::PlaceKind::Tokens) => {
            compiler.tokens(tokens, sort, &whither)
        }
        (syntax::Initial::Value(value), syntax::PlaceKind::Tokens) if *sort == Sort::Token => {
            let count = compiler.number(value);
            if matches!(count, Expr::Constant(Value::Int(count)) if u32::try_from(count).is_err()) {
                let help = "write a number from 0 up";
                compiler.error("M1024", value.span, "this is no number of tokens", help);
            }
            Initial::Black(count)
        }
        (syntax::Initial::Value(value), syntax::PlaceKind::Tokens) => compiler.tokens(value, sort, &whither),
        (syntax::Initial::Tokens(value) | syntax::Initial::Value(value), syntax::PlaceKind::Cell) => {
            let typed = compiler.expression(value, Want::Value(sort));
            Initial::Value(compiler.flow(typed, sort, value.span, &whither))
        }
    };
    let used: Vec<bool> = compiler.variables.iter().map(|variable| variable.used).collect();
    note_used(&mut declared.uses, id, &used);
    initial
}

fn whither(place: &syntax::Place) -> String {
    let what = if place.kind == syntax::PlaceKind::Cell { "cell" } else { "place" };
    let name = place.names.first().map_or("", |name| name.node.as_str());
    format!("{what} `{name}`")
}

impl Compiler<'_> {
    /// Displays and comprehensions whose elements are tokens, repetitions counted, and their unions.
    fn tokens(&mut self, tokens: &Expression, sort: &Sort, whither: &str) -> Initial {
        match &tokens.node {
            ExpressionNode::Set(tokens) => {
                let mut all = Vec::new();
                for token in tokens {
                    let typed = self.expression(token, Want::Value(sort));
                    all.push(self.flow(typed, sort, token.span, whither));
                }
                if all.is_empty() { Initial::Empty } else { Initial::Tokens(Expr::Set(all)) }
            }
            ExpressionNode::Comprehension(term, domains, condition) => {
                let (seen, typed, (domains, condition)) =
                    self.comprehended(term, domains, condition.as_deref(), sort);
                let term = Box::new(self.flow(typed, sort, term.span, whither));
                self.visible.truncate(seen);
                Initial::Tokens(Expr::Comprehension(term, domains, condition))
            }
            ExpressionNode::Binary(BinaryOperator::Union, left, right) => {
                match (self.tokens(left, sort, whither), self.tokens(right, sort, whither)) {
                    (Initial::Tokens(left), Initial::Tokens(right)) => {
                        Initial::Tokens(Expr::Binary(Operator::Union, Box::new(left), Box::new(right)))
                    }
                    (Initial::Empty, other) | (other, _) => other,
                }
            }
            _ => {
                let set = sort.clone().set();
                let typed = self.expression(tokens, Want::Value(&set));
                if let Kind::Value(Sort::Int(_)) = typed.kind {
                    let help = "write the tokens: `= { e, f }`";
                    self.error("M1023", tokens.span, "only black tokens are given by their number", help);
                    return Initial::Empty;
                }
                Initial::Tokens(self.flow(typed, &set, tokens.span, whither))
            }
        }
    }
}

/// The cell that counts how often a limited transition may still fire.
fn counter(declared: &Declarations<'_>, id: NetId, transition: &syntax::Transition, earlier: usize) -> Place {
    let hidden = declared.scope.net(id).places.iter().filter(|place| place.kind == PlaceKind::Limit);
    let sort = hidden.skip(earlier).map(|place| place.sort.clone()).next().unwrap_or(Sort::Int(None));
    let most = match sort {
        Sort::Int(Some((_, most))) => most,
        _ => 0,
    };
    Place {
        name: transition.name.node.clone(),
        sort,
        kind: PlaceKind::Limit,
        capacity: None,
        initial: Initial::Value(Expr::Constant(Value::Int(most))),
        span: transition.span,
    }
}

/// Notes which parameters an environment used.
pub(crate) fn note_used(uses: &mut Uses, id: NetId, used: &[bool]) {
    for (number, _) in used.iter().enumerate().filter(|(_, used)| **used) {
        uses.parameters.insert((id, number));
    }
}

fn unused_parameters(declared: &mut Declarations<'_>, net: &syntax::Net, id: NetId) {
    for (number, parameter) in net.parameters.iter().enumerate() {
        if !declared.uses.parameters.contains(&(id, number)) {
            let message = format!("nothing uses parameter `{}`", parameter.name.node);
            let help = "leave it out, or use it";
            declared.problems.push(Problem::warning("M1038", parameter.name.span, message, help));
        }
    }
}
