//! Operations as three transitions (Chang 2011, figure 44): an agent asks, the work is done, and the agent is answered.

use motet_source::{Problem, Problems, suggest};

use super::make::Make;
use super::requests::Requests;
use super::sorts::Declared;
use super::total;
use crate::syntax::{
    BinaryOperator, Expression, ExpressionNode, Item, Member, Name, Operation, OperationNames, Partner,
    Statement, StatementNode, Text, TypeNode, TypeText,
};

/// What the work calls the request.
pub(super) const REQUEST: &str = "r";

/// Replaces every operation of the text, in nets and in advice.
pub(super) fn expand(text: &mut Text, problems: &mut Problems) {
    let Some(span) = text.items.iter().find_map(first) else { return };
    let declared = Declared::of(text);
    let requests = Requests::find(text, &declared, span, problems);
    for item in &mut text.items {
        match item {
            Item::Net(net) => {
                let places = places(&net.members);
                let members = std::mem::take(&mut net.members);
                let parts = members.into_iter().flat_map(|member| match member {
                    Member::Operation(operation) => {
                        transitions(&operation, &places, requests.as_ref(), &declared, problems)
                    }
                    other => vec![other],
                });
                net.members = parts.collect();
            }
            Item::Aspect(aspect) => {
                let places = places(aspect.advice.iter().map(|advice| &advice.member));
                let advice = std::mem::take(&mut aspect.advice);
                let parts = advice.into_iter().flat_map(|advice| match &advice.member {
                    Member::Operation(operation) => {
                        let made = transitions(operation, &places, requests.as_ref(), &declared, problems);
                        made.into_iter()
                            .map(|member| crate::syntax::Advice { member, role: advice.role })
                            .collect()
                    }
                    _ => vec![advice],
                });
                aspect.advice = parts.collect();
            }
            _ => {}
        }
    }
}

/// Where the first operation of an item is.
fn first(item: &Item) -> Option<motet_source::Span> {
    let of =
        |member: &Member| if let Member::Operation(found) = member { Some(found.action.span) } else { None };
    match item {
        Item::Net(net) => net.members.iter().find_map(of),
        Item::Aspect(aspect) => aspect.advice.iter().find_map(|advice| of(&advice.member)),
        _ => None,
    }
}

/// The places of a net and their sorts.
fn places<'m>(members: impl IntoIterator<Item = &'m Member>) -> Vec<(String, TypeText)> {
    let mut places = Vec::new();
    for member in members {
        if let Member::Place(place) = member {
            places.extend(place.names.iter().map(|name| (name.node.clone(), place.sort.clone())));
        }
    }
    places
}

/// The names of the request, the work and the reply.
pub(super) fn names(operation: &Operation) -> [Name; 3] {
    match &operation.names {
        OperationNames::Given(names) => names.clone(),
        OperationNames::Derived(name) => {
            ["in", "work", "out"].map(|part| Name::new(format!("{}_{part}", name.node), name.span))
        }
    }
}

fn transitions(
    operation: &Operation,
    places: &[(String, TypeText)],
    requests: Option<&Requests>,
    declared: &Declared,
    problems: &mut Problems,
) -> Vec<Member> {
    let Some(requests) = requests else { return Vec::new() };
    let Some((agent, shared)) = agent(operation, places, requests, declared, problems) else {
        return Vec::new();
    };
    total::review(operation, requests, declared, problems);
    let make = Make(operation.span);
    let [asks, works, answers] = names(operation);
    let (agents, busy) = (operation.agents.node.as_str(), operation.busy.node.as_str());
    let (request, result) = (operation.request.node.as_str(), operation.result.node.as_str());
    let mine =
        shared.into_iter().map(|field| make.equal(make.field("m", &field), make.field(REQUEST, &field)));
    let mine = mine.reduce(|all, one| make.binary(BinaryOperator::And, all, one));
    let mine = mine.expect("an agent and its request share a field");
    let ask = vec![
        make.takes(&[(agents, "m")]),
        make.receives(Partner::Agent(agent.clone()), "request", &["op"]),
        make.when(make.equal(make.field("op", "action"), make.value(&operation.action.node))),
        make.puts(&[(busy, "m"), (request, "op")]),
    ];
    let mut work = vec![make.takes(&[(request, REQUEST)])];
    work.extend(operation.work.iter().cloned());
    if !any(&operation.work, &|statement| puts_into(statement, result)) {
        let done =
            if any(&operation.work, &changes) { make.expression(primed()) } else { make.value(REQUEST) };
        work.push(make.statement(StatementNode::Out(vec![make.arc_out(result, vec![done])])));
    }
    let answer = vec![
        make.takes(&[(busy, "m"), (result, REQUEST)]),
        make.when(mine),
        make.sends(Partner::Agent(agent), "reply", vec![make.value(REQUEST)]),
        make.puts(&[(agents, "m")]),
    ];
    vec![make.transition(&asks, ask), make.transition(&works, work), make.transition(&answers, answer)]
}

/// The net of the agent `m`, and the fields by which it knows its request.
fn agent(
    operation: &Operation,
    places: &[(String, TypeText)],
    requests: &Requests,
    declared: &Declared,
    problems: &mut Problems,
) -> Option<(Expression, Vec<String>)> {
    let make = Make(operation.span);
    let name = &operation.agents;
    let Some((_, sort)) = places.iter().find(|(place, _)| *place == name.node) else {
        let near = suggest(&name.node, places.iter().map(|(place, _)| place.as_str()));
        let help = near.map_or_else(
            || "declare it in the same net: `place Active : (user: NAME, net: agent);`".to_owned(),
            |near| format!("did you mean `{near}`"),
        );
        let message = format!("there is no place `{}` here", name.node);
        problems.push(Problem::error("M1073", name.span, message, help));
        return None;
    };
    let help = "its tokens are records of an agent and of a field of the request, such as \
                `(user: NAME, net: agent)`";
    let fields = declared.record(sort).unwrap_or_default();
    let is_agent = |sort: &TypeText| declared.behind(sort).node == TypeNode::Agent;
    let Some(net) = fields.iter().find(|field| is_agent(&field.sort)) else {
        let message = format!("the tokens of `{}` are not records with an agent", name.node);
        problems.push(Problem::error("M1073", name.span, message, help));
        return None;
    };
    let shared: Vec<String> = fields
        .iter()
        .filter(|field| requests.field(&field.name.node).is_some())
        .map(|field| field.name.node.clone())
        .collect();
    if shared.is_empty() {
        let message = format!("nothing tells which request belongs to which agent of `{}`", name.node);
        problems.push(Problem::error("M1074", name.span, message, help));
        return None;
    }
    Some((make.field("m", &net.name.node), shared))
}

fn primed() -> ExpressionNode {
    ExpressionNode::Primed(REQUEST.to_owned())
}

/// Whether a statement, or one inside it, has this.
fn any(statements: &[Statement], has: &dyn Fn(&StatementNode) -> bool) -> bool {
    statements.iter().any(|statement| match &statement.node {
        StatementNode::Alternative(parts) => any(parts, has),
        node => has(node),
    })
}

fn puts_into(statement: &StatementNode, place: &str) -> bool {
    matches!(statement, StatementNode::Out(arcs) if arcs.iter().any(|arc| arc.place.node == place))
}

fn changes(statement: &StatementNode) -> bool {
    matches!(statement, StatementNode::Update(name, _, _) if name.node == REQUEST)
}
