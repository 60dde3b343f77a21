//! Instances come into being: initial markings, computed from the parameters.

use crate::program::{Expr, Initial, Place, PlaceKind, Program};
use crate::semantics::scope::{Budget, Environment, Instance, LIMIT_DEPTH, Scope, Trouble};
use crate::value::{Agent, Bag, NetId, Value};

/// A new agent.
pub(crate) fn agent(
    program: &Program,
    net: NetId,
    arguments: Vec<Value>,
    budget: &Budget,
    depth: usize,
) -> Result<Agent, Trouble> {
    let places = marking(program, net, &arguments, budget, depth)?;
    Ok(Agent::new(net, arguments.into(), places.into()))
}

/// The initial marking of an instance.
pub(crate) fn marking(
    program: &Program,
    net: NetId,
    arguments: &[Value],
    budget: &Budget,
    depth: usize,
) -> Result<Vec<Bag>, Trouble> {
    if depth > LIMIT_DEPTH {
        return Trouble::new(format!("nets nest more than {LIMIT_DEPTH} levels deep"));
    }
    let declared = &program.nets[net.0 as usize];
    let instance = Instance { net, arguments, places: &[] };
    let scope = Scope { program, instance, budget, depth, enabled: None };
    declared.places.iter().map(|place| initial(&scope, place)).collect()
}

fn initial(scope: &Scope<'_>, place: &Place) -> Result<Bag, Trouble> {
    // Ranges in comprehensions bind variables past the parameters.
    let room = |expr: &Expr| scope.environment(variables(expr));
    let bag = match &place.initial {
        Initial::Empty => Bag::default(),
        Initial::Tokens(expr) => tokens(scope, expr, &mut room(expr))?,
        Initial::Black(expr) => match scope.value(expr, &mut room(expr))? {
            Value::Int(count) => match u32::try_from(count) {
                Ok(count) => Bag::new([(Value::Token, count)]),
                Err(_) => return Trouble::new(format!("{} would start with {count} tokens", place.name)),
            },
            other => unreachable!("the resolver checked that {other:?} is a number"),
        },
        Initial::Value(expr) => Bag::one(scope.value(expr, &mut room(expr))?),
    };
    if place.kind == PlaceKind::Limit
        && !matches!(bag.tokens(), [(Value::Int(count), 1)] if u32::try_from(*count).is_ok())
    {
        return Trouble::new(format!("the limit of {} is not a number from 0 to {}", place.name, u32::MAX));
    }
    Ok(bag)
}

/// A display or a comprehension as a multiset: repetitions count.
fn tokens(scope: &Scope<'_>, expr: &Expr, env: &mut Environment) -> Result<Bag, Trouble> {
    match expr {
        Expr::Set(members) => {
            let members = members.iter().map(|member| Ok((scope.value(member, env)?, 1)));
            Ok(Bag::new(members.collect::<Result<Vec<_>, Trouble>>()?))
        }
        Expr::Comprehension(element, ranges, condition) => {
            let mut found = Vec::new();
            scope.comprehend(element, ranges, condition.as_deref(), env, &mut found)?;
            Ok(Bag::new(found.into_iter().map(|token| (token.value, token.count))))
        }
        Expr::Binary(crate::program::Operator::Union, left, right) => {
            let (left, right) = (tokens(scope, left, env)?, tokens(scope, right, env)?);
            Ok(Bag::new(left.tokens().iter().chain(right.tokens()).cloned()))
        }
        _ => Ok(scope.collected(expr, env)?.into_bag()),
    }
}

/// One more than the greatest variable of an expression.
fn variables(expr: &Expr) -> usize {
    let own = match expr {
        Expr::Variable(variable) | Expr::Quantified(_, variable, ..) => variable.0 as usize + 1,
        Expr::SameToken(one, other) => one.0.max(other.0) as usize + 1,
        Expr::Comprehension(_, ranges, _) => {
            ranges.iter().map(|(variable, _)| variable.0 as usize + 1).max().unwrap_or(0)
        }
        _ => 0,
    };
    let mut most = own;
    super::parts::each(expr, &mut |part| most = most.max(variables(part)));
    most
}
