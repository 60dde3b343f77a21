//! What claims say about a single state: their atoms get a meaning here.

mod resolve;

use std::collections::BTreeSet;

pub(crate) use resolve::resolve;

use crate::program::{Condition, Expr, Operation, Pattern, Plan, Program, Value};
use crate::semantics::Choices;
use crate::semantics::bindings::Bindings;
use crate::semantics::condition::Reasoner;
use crate::semantics::mind::{Instance, Mind, SeatId, Status};
use crate::semantics::team::{MINDS, QUEUE, WORLD};
use crate::semantics::thinker::Act;
use crate::semantics::world;
use crate::syntax::{Sign, TriggerKind};
use crate::term::{Term, TermId, Terms};

/// One bit per atom.
pub(crate) type Bits = Box<[u64]>;

/// A predicate over states. Each looks at a single slot, so that its value is computed once per value of the slot; those
/// about messages as events are answered by the step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Predicate {
    /// Over the mind of one agent.
    Mind(usize, MindTest),
    /// Over the environment.
    World(Fact),
    /// `Does`: the next action.
    Next(usize, Pattern),
    /// `Did`: the last action.
    Last(usize, Pattern),
    /// `Sends`: this agent sent this one the message just now.
    Sends(usize, usize, Pattern),
    /// `Reads`: what this agent sent this one took out of its mailbox just now.
    Reads(usize, usize, Pattern),
}

/// A predicate over a mind. Patterns have no variables, only `_`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MindTest {
    /// It follows from beliefs and rules.
    Believes(Condition),
    /// It is posted, or intended.
    Desires(Pattern),
    /// A plan for it is on a stack.
    Intends(Pattern),
    /// It occurs in what is left of an intention.
    WillDo(Pattern),
    /// It is the first message of the mailbox, from this agent.
    Hears(usize, Pattern),
}

/// A predicate over the environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
    /// Somebody perceives it.
    Percept(Pattern),
    /// A condition over the variables.
    Expr(Expr),
    /// Negation.
    Not(Box<Fact>),
    /// Conjunction.
    And(Box<Fact>, Box<Fact>),
    /// Disjunction.
    Or(Box<Fact>, Box<Fact>),
}

impl Predicate {
    /// Whether it looks at the last action.
    pub(crate) fn asks_last_action(&self) -> bool {
        matches!(self, Self::Last(..))
    }

    /// The slot it looks at, unless it is about something that happens.
    pub(crate) fn place(&self, last_action: Option<usize>) -> Option<usize> {
        Some(match self {
            Self::Mind(agent, _) => MINDS + agent,
            Self::World(_) => WORLD,
            Self::Next(..) => QUEUE,
            Self::Last(..) => last_action.expect("a team has the slot if a predicate asks for it"),
            Self::Sends(..) | Self::Reads(..) => return None,
        })
    }

    /// Its value, if it is about this agent's mind.
    pub(crate) fn holds_of_mind(&self, program: &Program, agent: usize, mind: &Mind) -> bool {
        match self {
            Self::Mind(whose, test) if *whose == agent => test.holds(program, agent, mind),
            _ => false,
        }
    }

    /// Its value, if it is about the environment.
    pub(crate) fn holds_of_world<'t>(
        &self,
        program: &Program,
        cells: &[Value],
        percepts: &dyn Fn(usize) -> &'t [TermId],
    ) -> bool {
        match self {
            Self::World(fact) => fact.holds(program, cells, percepts),
            _ => false,
        }
    }

    /// Its value, if it is about the action in this slot.
    pub(crate) fn holds_of_action(&self, program: &Program, slot: usize, act: Option<Act>) -> bool {
        match (self, act) {
            (Self::Next(agent, pattern), Some(act)) if slot == QUEUE => {
                *agent == act.agent as usize && matches(&program.terms, pattern, act.action)
            }
            (Self::Last(agent, pattern), Some(act)) if slot != QUEUE => {
                *agent == act.agent as usize && matches(&program.terms, pattern, act.action)
            }
            _ => false,
        }
    }
}

impl MindTest {
    fn holds(&self, program: &Program, agent: usize, mind: &Mind) -> bool {
        let terms = &program.terms;
        let plans = &program.agents[agent].plans;
        match self {
            // A derivation that exceeds a bound proves nothing; the same bound is a fault wherever the agent itself
            // needs the condition.
            Self::Believes(condition) => {
                let mut choices = Choices::default();
                let mut reasoner = Reasoner::new(program, agent, mind, &mut choices, Vec::new());
                reasoner.solve(condition).unwrap_or(false)
            }
            Self::Intends(goal) => intends(terms, plans, mind, goal),
            Self::Desires(goal) => {
                let posted = mind.events.iter().any(|event| {
                    event.trigger.kind == TriggerKind::Achieve
                        && event.trigger.sign == Sign::Added
                        && matches(terms, goal, event.trigger.term)
                });
                posted || intends(terms, plans, mind, goal)
            }
            Self::WillDo(action) => mind.instances().any(|(seat, instance)| {
                will_do(program, &plans[instance.plan as usize], mind, seat, instance, action)
            }),
            Self::Hears(from, content) => mind.mail.first().is_some_and(|message| {
                message.sender as usize == *from && matches(terms, content, message.content)
            }),
        }
    }
}

/// INTEND of Bordini et al. 2003, 4.2: the goal is the trigger of a plan on some stack, running or suspended.
fn intends(terms: &Terms, plans: &[Plan], mind: &Mind, goal: &Pattern) -> bool {
    mind.instances().any(|(_, instance)| {
        let plan = &plans[instance.plan as usize];
        plan.kind == TriggerKind::Achieve
            && plan.sign == Sign::Added
            && matches(terms, goal, instance.trigger)
    })
}

/// Whether the action occurs in a formula that the instance may still execute.
fn will_do(
    program: &Program,
    plan: &Plan,
    mind: &Mind,
    seat: SeatId,
    instance: &Instance,
    action: &Pattern,
) -> bool {
    if instance.status == Status::Failed {
        return false;
    }
    // A suspended instance stands at the formula it waits for, which is executed already.
    let first = instance.counter as usize + usize::from(!mind.runnable.contains(&seat));
    let mut ahead = BTreeSet::from([first]);
    let mut open = vec![first];
    while let Some(at) = open.pop() {
        let Some(instruction) = plan.body.get(at) else { continue };
        let next = match &instruction.operation {
            Operation::Jump(target) => vec![*target],
            Operation::Branch(_, target) | Operation::Each { end: target, .. } => vec![at + 1, *target],
            _ => vec![at + 1],
        };
        open.extend(next.into_iter().filter(|&next| ahead.insert(next)));
        if let Operation::Act(pattern) = &instruction.operation {
            let mut bindings = Bindings::new(&program.terms, program.bounds.terms, instance.binding.to_vec());
            let built = bindings.build_open(pattern, 0);
            if built.is_ok_and(|built| matches(&program.terms, action, built)) {
                return true;
            }
        }
    }
    false
}

impl Fact {
    fn variables(&self, found: &mut BTreeSet<usize>) {
        match self {
            Self::Percept(_) => {}
            Self::Expr(expr) => expr.variables(found),
            Self::Not(of) => of.variables(found),
            Self::And(left, right) | Self::Or(left, right) => {
                left.variables(found);
                right.variables(found);
            }
        }
    }

    fn holds<'t>(
        &self,
        program: &Program,
        cells: &[Value],
        percepts: &dyn Fn(usize) -> &'t [TermId],
    ) -> bool {
        match self {
            Self::Percept(pattern) => (0..program.agents.len())
                .any(|agent| percepts(agent).iter().any(|&term| matches(&program.terms, pattern, term))),
            Self::Expr(expr) => {
                let value = world::evaluate(&program.environment, cells, &mut Vec::new(), expr);
                value.is_ok_and(|value| value == Value::Bool(true))
            }
            Self::Not(of) => !of.holds(program, cells, percepts),
            Self::And(left, right) => {
                left.holds(program, cells, percepts) && right.holds(program, cells, percepts)
            }
            Self::Or(left, right) => {
                left.holds(program, cells, percepts) || right.holds(program, cells, percepts)
            }
        }
    }
}

/// The variables of the environment that some predicate reads.
pub(crate) fn variables(predicates: &[Predicate]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for predicate in predicates {
        if let Predicate::World(fact) = predicate {
            fact.variables(&mut found);
        }
    }
    found
}

/// Whether a term is an instance of a pattern without variables.
pub(crate) fn matches(terms: &Terms, pattern: &Pattern, term: TermId) -> bool {
    match pattern {
        Pattern::Any => true,
        Pattern::Ground(ground) => *ground == term,
        Pattern::Structure(functor, args) => match terms.get(term) {
            Term::Structure(other, values) => {
                functor == other
                    && args.len() == values.len()
                    && args.iter().zip(values).all(|(arg, &value)| matches(terms, arg, value))
            }
            _ => false,
        },
        Pattern::Variable(_) | Pattern::Arithmetic(..) => false,
    }
}
