//! How control and values flow through a plan's body: where a formula goes on, and which variables have a value there.

use std::collections::BTreeSet;

use crate::program::{Answer, Mode, Stub};
use crate::program::{Argument, Condition, Internal, Operation, Pattern, Plan, Program, VariableIndex};
use crate::promela::condition::mentioned_in;
use crate::syntax::{Direction, RelationOperator};

/// Where control goes, and which variables lose their values on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Onward {
    /// The formula; `None` is the end of the body.
    pub(crate) at: Option<usize>,
    /// Unbound on the way.
    pub(crate) forgotten: Vec<VariableIndex>,
}

/// Follows jumps, which cost nothing.
pub(crate) fn onward(plan: &Plan, mut at: usize) -> Onward {
    let mut forgotten = Vec::new();
    for _ in 0..=plan.body.len() {
        match plan.body.get(at).map(|instruction| &instruction.operation) {
            Some(Operation::Jump(target)) => at = *target,
            Some(Operation::Forget(variables)) => {
                forgotten.extend(variables);
                at += 1;
            }
            Some(_) => break,
            None => return Onward { at: None, forgotten },
        }
    }
    Onward { at: Some(at), forgotten }
}

/// Which variables have a value at a point: surely, and possibly.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Values {
    pub(crate) surely: BTreeSet<VariableIndex>,
    pub(crate) possibly: BTreeSet<VariableIndex>,
}

impl Values {
    fn join(&mut self, other: &Values) -> bool {
        let before = self.clone();
        self.surely.retain(|variable| other.surely.contains(variable));
        self.possibly.extend(&other.possibly);
        *self != before
    }

    fn with(mut self, (surely, possibly): (BTreeSet<VariableIndex>, BTreeSet<VariableIndex>)) -> Self {
        self.surely.extend(surely);
        self.possibly.extend(possibly);
        self
    }

    fn without(mut self, variables: &[VariableIndex]) -> Self {
        for variable in variables {
            self.surely.remove(variable);
            self.possibly.remove(variable);
        }
        self
    }
}

/// For each formula of the body the variables with a value before it; `None` for a formula that is never reached.
pub(crate) fn values(program: &Program, plan: &Plan) -> Vec<Option<Values>> {
    let mut start = Values::default();
    let mut trigger = Vec::new();
    mentioned_in(&plan.trigger.pattern, &mut trigger);
    // Events have a source in the Jason dialect only.
    if program.mode == Mode::Jason {
        plan.trigger.source.iter().for_each(|source| mentioned_in(source, &mut trigger));
    }
    start.surely.extend(&trigger);
    start.possibly.extend(&trigger);
    let start = start.with(bound_by(program, &plan.context));
    let mut all: Vec<Option<Values>> = vec![None; plan.body.len()];
    let mut work = vec![(0, start)];
    while let Some((at, values)) = work.pop() {
        let Some(place) = all.get_mut(at) else { continue };
        let changed = match place {
            Some(known) => known.join(&values),
            None => {
                *place = Some(values);
                true
            }
        };
        if !changed {
            continue;
        }
        let here = all[at].clone().unwrap_or_default();
        for (target, values) in successors(program, plan, at, here) {
            work.push((target, values));
        }
    }
    all
}

fn successors(program: &Program, plan: &Plan, at: usize, here: Values) -> Vec<(usize, Values)> {
    let go = |from: usize, values: Values| {
        let onward = onward(plan, from);
        onward.at.map(|target| (target, values.without(&onward.forgotten)))
    };
    let operation = &plan.body[at].operation;
    let mut out = Vec::new();
    match operation {
        Operation::Jump(target) => out.extend(go(*target, here)),
        Operation::Branch(condition, otherwise) => {
            out.extend(go(*otherwise, here.clone()));
            out.extend(go(at + 1, here.with(bound_by(program, condition))));
        }
        _ => {
            let new = match operation {
                Operation::Test(condition) => bound_by(program, condition),
                Operation::Relation(operator, left, right) => {
                    bound_by(program, &Condition::Relation(*operator, left.clone(), right.clone()))
                }
                Operation::Internal(internal, args) => {
                    bound_by(program, &Condition::Internal(*internal, args.clone()))
                }
                Operation::Stub(stub, args) => bound_by(program, &Condition::Stub(*stub, args.clone())),
                _ => Default::default(),
            };
            out.extend(go(at + 1, here.with(new)));
        }
    }
    out
}

/// The variables that a solution of a condition binds: surely, and possibly.
pub(crate) fn bound_by(
    program: &Program,
    condition: &Condition,
) -> (BTreeSet<VariableIndex>, BTreeSet<VariableIndex>) {
    let both = |variables: Vec<VariableIndex>| {
        let set: BTreeSet<VariableIndex> = variables.into_iter().collect();
        (set.clone(), set)
    };
    let one = |pattern: Option<&Pattern>| match pattern {
        Some(Pattern::Variable(variable)) => both(vec![*variable]),
        _ => both(Vec::new()),
    };
    let mut variables = Vec::new();
    match condition {
        Condition::True | Condition::False | Condition::Not(_) => both(Vec::new()),
        Condition::Belief(atom) => {
            mentioned_in(&atom.pattern, &mut variables);
            atom.source.iter().for_each(|source| mentioned_in(source, &mut variables));
            both(variables)
        }
        Condition::And(all) => all.iter().fold(Default::default(), |mut sum, one| {
            let (surely, possibly) = bound_by(program, one);
            sum.0.extend(surely);
            sum.1.extend(possibly);
            sum
        }),
        Condition::Or(all) => {
            let each: Vec<_> = all.iter().map(|one| bound_by(program, one)).collect();
            let surely = each.iter().map(|(surely, _)| surely.clone()).reduce(|a, b| &a & &b);
            let possibly = each.into_iter().flat_map(|(_, possibly)| possibly).collect();
            (surely.unwrap_or_default(), possibly)
        }
        Condition::Relation(RelationOperator::Unify, left, right) => {
            mentioned_in(left, &mut variables);
            mentioned_in(right, &mut variables);
            // `_ = X` binds nothing.
            let any = matches!(left, Pattern::Any) || matches!(right, Pattern::Any);
            both(if any { Vec::new() } else { variables })
        }
        Condition::Relation(..) => both(Vec::new()),
        Condition::Internal(internal, args) => one(output(*internal, args)),
        Condition::Stub(stub, args) => one(stub_output(&program.stubs[*stub], args)),
    }
}

/// The argument that an internal action binds.
fn output(internal: Internal, args: &[Argument]) -> Option<&Pattern> {
    let at = match internal {
        Internal::MyName => 0,
        Internal::Count => 1,
        Internal::Compute(_) => 2,
        _ => return None,
    };
    match args.get(at) {
        Some(Argument::Term(pattern)) => Some(pattern),
        _ => None,
    }
}

fn stub_output<'p>(stub: &Stub, args: &'p [Pattern]) -> Option<&'p Pattern> {
    match stub.answer {
        Answer::Succeeds | Answer::Either => None,
        _ => args.get(stub.params.iter().position(|direction| *direction == Direction::Out)?),
    }
}
