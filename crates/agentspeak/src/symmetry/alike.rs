//! Whether the team is the same team once two agents have changed places.

use crate::program::{Agent, Answer, Force, Pattern, Plan, Program, Rule, Stub, Ties};
use crate::symmetry::order::Orders;
use crate::symmetry::renaming::Renaming;
use crate::symmetry::steady::Scope;
use crate::symmetry::world::World;

/// Names that mean something else as well.
const RESERVED: [&str; 7] = ["self", "percept", "none", "true", "false", "[]", "."];

/// Whether two agents look alike: the plans of one are those of the other under its name.
pub(super) fn look_alike(program: &Program, one: usize, two: usize) -> bool {
    let renaming = Renaming::swap(program, one, two);
    let (one, two) = (&program.agents[one], &program.agents[two]);
    one.presence == two.presence && odd_plan(&renaming, one, two).is_none()
}

/// What stands in the way of two agents that look alike.
pub(super) fn obstacle(program: &Program, orders: &Orders, one: usize, two: usize) -> Option<String> {
    let name = |agent: usize| program.terms.name(program.agents[agent].name);
    if program.ties == Ties::Random {
        return Some("chance decides who moves (ties=random)".to_owned());
    }
    if let Some(agent) = [one, two].into_iter().find(|&agent| RESERVED.contains(&name(agent))) {
        return Some(format!("{} is no name of its own", name(agent)));
    }
    let renaming = Renaming::swap(program, one, two);
    for agent in 0..program.agents.len() {
        let (own, other) = (&program.agents[agent], &program.agents[renaming.agent(agent)]);
        if let Some(what) = odd_text(&renaming, own, other) {
            let (who, one, two) = (name(agent), name(one), name(two));
            // Of the two themselves there is more to say than that they differ.
            return Some(if agent == renaming.agent(agent) {
                format!("{what} of {who} tell {one} and {two} apart")
            } else {
                format!("{what} of {one} and {two} differ")
            });
        }
        if let Some(plan) = odd_plan(&renaming, own, other) {
            let (who, one, two) = (name(agent), name(one), name(two));
            return Some(format!("the plan {plan} of {who} tells {one} and {two} apart"));
        }
    }
    if !trusts_alike(program, &renaming) {
        return Some(format!("trust tells {} and {} apart", name(one), name(two)));
    }
    let world = World::new(program, &renaming, [one, two]);
    let stub = program.stubs.iter().find(|stub| !answers_alike(program, &renaming, &world, stub));
    if let Some(stub) = stub {
        return Some(format!("the stub {} tells {} and {} apart", stub.name, name(one), name(two)));
    }
    world.obstacle().or_else(|| orders.obstacle())
}

/// What two agents do not have in common beside their plans.
fn odd_text(renaming: &Renaming, own: &Agent, other: &Agent) -> Option<&'static str> {
    let same_rule = |(one, two): (&Rule, &Rule)| {
        one.n_variables == two.n_variables
            && renaming.pattern(&one.head) == two.head
            && renaming.condition(&one.condition) == two.condition
    };
    if renaming.terms(&own.beliefs) != other.beliefs {
        return Some("the initial beliefs");
    }
    if renaming.terms(&own.goals) != other.goals {
        return Some("the initial goals");
    }
    let rules = own.rules.len() == other.rules.len() && own.rules.iter().zip(&other.rules).all(same_rule);
    (!rules).then_some("the rules")
}

/// A plan that is another one under the other's name: plans are tried in order.
fn odd_plan<'p>(renaming: &Renaming, own: &'p Agent, other: &Agent) -> Option<&'p str> {
    let same = |(one, two): (&Plan, &Plan)| {
        let head = (one.atomic, one.sign, one.kind) == (two.atomic, two.sign, two.kind);
        let body = || {
            one.body.len() == two.body.len()
                && one
                    .body
                    .iter()
                    .zip(&two.body)
                    .all(|(one, two)| renaming.operation(&one.operation) == two.operation)
        };
        head && one.variables.len() == two.variables.len()
            && renaming.atom(&one.trigger) == two.trigger
            && renaming.condition(&one.context) == two.context
            && body()
    };
    let odd = own.plans.iter().zip(&other.plans).find(|(one, two)| !same((one, two)));
    match odd {
        Some((plan, _)) => Some(&plan.head_text),
        None if own.plans.len() != other.plans.len() => {
            Some(own.plans.first().map_or("", |plan| &plan.head_text))
        }
        None => None,
    }
}

/// Whether everybody trusts whoever takes a place as whoever had it. The last rule that fits decides.
fn trusts_alike(program: &Program, renaming: &Renaming) -> bool {
    let trusted = |force: Force, sender: usize, receiver: usize| -> Option<&Vec<Pattern>> {
        let fits = |named: Option<usize>, number: usize| named.is_none_or(|named| named == number);
        let told = |force: Force| matches!(force, Force::Tell | Force::Untell);
        let rules = program.trust.iter().rev();
        let rule = rules.into_iter().find(|rule| {
            told(rule.force) == told(force) && fits(rule.sender, sender) && fits(rule.receiver, receiver)
        });
        rule.and_then(|rule| rule.only.as_ref())
    };
    let agents = 0..program.agents.len();
    [Force::Tell, Force::Achieve].into_iter().all(|force| {
        agents.clone().all(|sender| {
            agents.clone().all(|receiver| {
                let image = trusted(force, sender, receiver).map(|only| renaming.patterns(only));
                image.as_ref() == trusted(force, renaming.agent(sender), renaming.agent(receiver))
            })
        })
    })
}

/// Whether a stub answers the same. Its answers are a choice, which has no order.
fn answers_alike(program: &Program, renaming: &Renaming, world: &World<'_>, stub: &Stub) -> bool {
    match &stub.answer {
        Answer::Succeeds | Answer::Either => true,
        Answer::OneOf(values) => {
            let (mut own, mut image) = (values.clone(), renaming.terms(values));
            own.sort_unstable();
            image.sort_unstable();
            own == image
        }
        Answer::Value(value) => {
            let scope = Scope::new(&program.environment);
            world.order(&scope, value).is_none() && world.same(&scope, value, value)
        }
    }
}
