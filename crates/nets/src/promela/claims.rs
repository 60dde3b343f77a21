//! Atoms of claims: conditions over the arrays, and what has just fired.

use crate::atoms::{Fires, Predicate};
use crate::program::TransitionId;
use crate::promela::choice::Choice;
use crate::promela::fired_name;
use crate::promela::half::Half;
use crate::promela::lack::Lack;
use crate::promela::scope::{Owner, Scope};
use crate::promela::sorts::Sorts;
use crate::promela::world::World;
use crate::semantics::plan::Plans;
use crate::value::Value;
use motet_machine::Expr as Term;

/// What a predicate says of the present marking.
pub(crate) fn condition(
    world: &World,
    choices: &[Choice<'_>],
    predicate: &Predicate,
    name: &str,
) -> Result<Term, Lack> {
    let Predicate::Test(body) = predicate else {
        return Ok(Term::variable(&fired_name(name)));
    };
    // Some transition of the system net may fire: one of its options is open.
    let enabled = |transition: TransitionId| {
        let own = choices.iter().filter(|choice| {
            choice
                .halves
                .iter()
                .any(|half| half.scope.owner.net == world.program.system && half.transition == transition)
        });
        Term::any(own.map(Choice::condition))
    };
    let mut scope = Scope::new(world, Owner::system(world), body.variables.len());
    scope.enabled = Some(&enabled);
    scope.term(&body.expr)
}

/// Whether a choice is a firing that a claim asks for.
pub(crate) fn fires(world: &World, plans: &Plans, choice: &Choice<'_>, fires: &Fires) -> Result<Term, Lack> {
    let mut tests = Vec::new();
    for half in &choice.halves {
        let net = half.scope.owner.net;
        if fires.transitions.contains(&(net, half.transition)) {
            let values = fires.values.iter().map(|value| bound(world, plans, half, value));
            tests.push(Term::all(values.collect::<Result<Vec<_>, Lack>>()?));
        }
    }
    Ok(Term::any(tests))
}

/// Some variable of the firing has this value.
fn bound(world: &World, plans: &Plans, half: &Half<'_>, value: &Value) -> Result<Term, Lack> {
    let net = half.scope.owner.net;
    let declared = &world.program.nets[net.0 as usize].transitions[half.transition.0 as usize];
    let number = declared.alternatives.iter().position(|one| std::ptr::eq(one, half.alternative));
    let plan = &plans.net(net).transitions[half.transition.0 as usize][number.unwrap_or(0)];
    let wanted = half.scope.constant(value)?;
    let sorts = Sorts::of(&world.program, &world.program.nets[net.0 as usize], half.alternative);
    let mut tests = Vec::new();
    for variable in &plan.bound {
        match sorts.may_be(*variable, value) {
            Some(true) => tests.push(half.scope.variables[variable.0 as usize].equals(&wanted)?),
            Some(false) => {}
            None => {
                let name = &half.alternative.variables[variable.0 as usize];
                return Err(Lack::Construct(format!("`fires` with a value that `{name}` may have")));
            }
        }
    }
    Ok(Term::any(tests))
}
