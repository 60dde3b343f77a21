//! Interchangeable sorts: markings that differ by a renaming of members are one state, and the least of them stands for all
//! (scalarsets; Ip and Dill 1996).
//!
//! Nothing in the text may tell members apart, so renamed markings have renamed steps. Fairness then is to modes up to
//! renaming, because a marking does not remember which name a member had before.

use std::sync::Arc;

use motet_model::AtomText;
use motet_source::{Problem, Problems, Span, Spanned};

use crate::atoms::Predicate;
use crate::program::{Expr, Initial, Program};
use crate::semantics::parts;
use crate::value::{Agent, Bag, EnumerationId, Value};

/// How many renamings are tried of those that remain after members were told apart by where they occur.
const LIMIT_RENAMINGS: usize = 720;

/// The renamings of a model.
#[derive(Clone, Debug)]
pub(crate) struct Symmetry {
    /// Sorts with the number of their members.
    sorts: Vec<(EnumerationId, usize)>,
}

/// New numbers of the members, sort by sort.
type Renaming = Vec<(EnumerationId, Vec<u32>)>;

impl Symmetry {
    /// `None` if all members are distinct.
    pub(crate) fn of(program: &Program) -> Option<Self> {
        let sorts: Vec<_> = interchangeable(program).collect();
        (!sorts.is_empty()).then_some(Self { sorts })
    }

    /// The least renaming of these contents that keeps members in the order of their classes. Where too many renamings are
    /// left to try, some renaming: then two markings that could be one state may stay two.
    pub(crate) fn least(&self, contents: Vec<Bag>) -> Vec<Bag> {
        let classes: Vec<(EnumerationId, Vec<Vec<u32>>)> = self
            .sorts
            .iter()
            .map(|(sort, members)| (*sort, self.alike(&contents, *sort, *members)))
            .collect();
        if count(&classes) > LIMIT_RENAMINGS {
            let one = classes.iter().map(|(sort, members)| (*sort, places(&members.concat()))).collect();
            return renamed(&contents, &one);
        }
        let mut best: Option<Vec<Bag>> = None;
        each_renaming(&classes, &mut Vec::new(), &mut |renaming| {
            let candidate = renamed(&contents, renaming);
            if best.as_ref().is_none_or(|best| candidate < *best) {
                best = Some(candidate);
            }
        });
        best.unwrap_or(contents)
    }

    /// The members in classes of those that occur alike, in an order that does not depend on any names: each is looked at
    /// with all the others made one, and so the members of all other sorts. Members that do not occur need no order.
    fn alike(&self, contents: &[Bag], sort: EnumerationId, members: usize) -> Vec<Vec<u32>> {
        let look = |member: Option<u32>| {
            let marks = |(one, members): &(EnumerationId, usize)| {
                let mark = |other: u32| u32::from(*one == sort && Some(other) != member);
                (*one, (0..).take(*members).map(mark).collect())
            };
            renamed(contents, &self.sorts.iter().map(marks).collect())
        };
        let absent = look(None);
        let mut looks: Vec<(Vec<Bag>, u32)> =
            (0..).take(members).map(|member| (look(Some(member)), member)).collect();
        looks.sort();
        let mut classes: Vec<Vec<u32>> = Vec::new();
        for (at, (look, member)) in looks.iter().enumerate() {
            match classes.last_mut() {
                Some(class) if looks[at.saturating_sub(1)].0 == *look && *look != absent => {
                    class.push(*member)
                }
                _ => classes.push(vec![*member]),
            }
        }
        classes
    }
}

fn interchangeable(program: &Program) -> impl Iterator<Item = (EnumerationId, usize)> {
    let all = (0..).map(EnumerationId).zip(&program.enumerations);
    let meant = all.filter(|(_, one)| one.symmetry == crate::syntax::Symmetry::Interchangeable);
    meant.map(|(id, one)| (id, one.members.len()))
}

/// How many renamings keep the order of the classes.
fn count(classes: &[(EnumerationId, Vec<Vec<u32>>)]) -> usize {
    let sizes = classes.iter().flat_map(|(_, classes)| classes).map(Vec::len);
    sizes.fold(1, |product: usize, size| {
        (1..=size).fold(product, |product, factor| product.saturating_mul(factor))
    })
}

/// The renaming that numbers members in this order.
fn places(order: &[u32]) -> Vec<u32> {
    let mut places = vec![0; order.len()];
    for (place, member) in (0..).zip(order) {
        places[*member as usize] = place;
    }
    places
}

fn each_renaming(
    classes: &[(EnumerationId, Vec<Vec<u32>>)],
    renaming: &mut Renaming,
    visit: &mut dyn FnMut(&Renaming),
) {
    let Some(((sort, classes), rest)) = classes.split_first() else {
        visit(renaming);
        return;
    };
    each_order(classes, &mut Vec::new(), &mut |order| {
        renaming.push((*sort, places(order)));
        each_renaming(rest, renaming, visit);
        renaming.pop();
    });
}

/// Every order of the members that keeps the order of the classes.
fn each_order(classes: &[Vec<u32>], order: &mut Vec<u32>, visit: &mut dyn FnMut(&[u32])) {
    let Some((class, rest)) = classes.split_first() else {
        visit(order);
        return;
    };
    if class.is_empty() {
        each_order(rest, order, visit);
        return;
    }
    for (at, member) in class.iter().enumerate() {
        let mut others = class.clone();
        others.remove(at);
        order.push(*member);
        let mut left = vec![others];
        left.extend_from_slice(rest);
        each_order(&left, order, visit);
        order.pop();
    }
}

fn renamed(contents: &[Bag], renaming: &Renaming) -> Vec<Bag> {
    let bag =
        |bag: &Bag| Bag::new(bag.tokens().iter().map(|(token, count)| (rename(token, renaming), *count)));
    contents.iter().map(bag).collect()
}

fn rename(value: &Value, renaming: &Renaming) -> Value {
    match value {
        Value::Member(sort, member) => match renaming.iter().find(|(renamed, _)| renamed == sort) {
            Some((_, names)) => Value::Member(*sort, names[*member as usize]),
            None => value.clone(),
        },
        Value::Record(fields) => Value::record(fields.iter().map(|field| rename(field, renaming))),
        Value::Set(members) => Value::set(members.iter().map(|member| rename(member, renaming))),
        Value::Agent(agent) => {
            let arguments = agent.arguments.iter().map(|argument| rename(argument, renaming)).collect();
            Value::Agent(Arc::new(Agent::new(agent.net, arguments, renamed(&agent.places, renaming).into())))
        }
        Value::Token | Value::Bool(_) | Value::Int(_) | Value::Class(_) => value.clone(),
    }
}

/// Whether nothing tells members of interchangeable sorts apart; otherwise the problems say what does. The system net may
/// start with whatever it likes: from there on all renamings behave alike.
pub(crate) fn check(
    program: &Program,
    atoms: &[Spanned<AtomText>],
    predicates: &[Predicate],
    problems: &mut Problems,
) -> bool {
    let sorts: Vec<(EnumerationId, usize)> = interchangeable(program).collect();
    let mut found: Vec<(Span, String)> = Vec::new();
    for net in &program.nets {
        for transition in &net.transitions {
            for alternative in &transition.alternatives {
                let mut member = None;
                parts::each_of_alternative(alternative, &mut |expr| {
                    member = member.take().or_else(|| named_in(program, &sorts, expr));
                });
                found.extend(member.map(|member| (alternative.span, member)));
            }
        }
    }
    let templates = program.nets.iter().filter(|net| net.level == crate::syntax::Level::Agent);
    for place in templates.flat_map(|net| &net.places) {
        if let Initial::Tokens(expr) | Initial::Value(expr) | Initial::Black(expr) = &place.initial {
            found.extend(named_in(program, &sorts, expr).map(|member| (place.span, member)));
        }
    }
    for net in &program.nets {
        let members = net.goals.iter().filter_map(|(_, goal)| named_in(program, &sorts, &goal.expr));
        found.extend(members.map(|member| (net.span, member)));
    }
    for (atom, predicate) in atoms.iter().zip(predicates) {
        let member = match predicate {
            Predicate::Test(body) => named_in(program, &sorts, &body.expr),
            Predicate::Fires(fires) => fires.values.iter().find_map(|value| named(program, &sorts, value)),
        };
        found.extend(member.map(|member| (atom.span, member)));
    }
    for (span, member) in &found {
        let message = format!("`{member}` is named, and its sort is interchangeable");
        let help = "speak of all or of some members, or leave `interchangeable` out";
        problems.push(Problem::error("M1055", *span, message, help));
    }
    found.is_empty()
}

/// A member that an expression names.
fn named_in(program: &Program, sorts: &[(EnumerationId, usize)], expr: &Expr) -> Option<String> {
    if let Expr::Constant(value) = expr {
        return named(program, sorts, value);
    }
    // A set of all members is the same under every renaming.
    if let Expr::Set(members) = expr {
        let values: Vec<Value> = members
            .iter()
            .filter_map(|member| match member {
                Expr::Constant(value) => Some(value.clone()),
                _ => None,
            })
            .collect();
        if values.len() == members.len() {
            return named(program, sorts, &Value::set(values));
        }
    }
    let mut found = None;
    parts::each(expr, &mut |part| found = found.take().or_else(|| named_in(program, sorts, part)));
    found
}

fn named(program: &Program, sorts: &[(EnumerationId, usize)], value: &Value) -> Option<String> {
    match value {
        Value::Member(sort, member) if sorts.iter().any(|(one, _)| one == sort) => {
            Some(program.enumerations[sort.0 as usize].members[*member as usize].clone())
        }
        Value::Set(members) if sorts.iter().any(|(sort, all)| is_whole(members, *sort, *all)) => None,
        Value::Record(parts) | Value::Set(parts) => parts.iter().find_map(|part| named(program, sorts, part)),
        _ => None,
    }
}

fn is_whole(members: &[Value], sort: EnumerationId, all: usize) -> bool {
    members.len() == all
        && members.iter().all(|member| matches!(member, Value::Member(one, _) if *one == sort))
}
