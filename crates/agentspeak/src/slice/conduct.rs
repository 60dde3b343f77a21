//! What an agent can do to others: the actions it may ask for and those whom it may write to.

use std::collections::BTreeSet;

use crate::program::{ActionRule, Agent, Operation, Parameter, Pattern, Program, Value};
use crate::semantics::world::value_of;
use crate::slice::cells::Known;
use crate::term::{Symbol, Term, TermId, Terms};

/// What an agent can do to others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conduct {
    /// Its actions, without repetition.
    pub(crate) acts: Vec<Act>,
    /// Whom it may write to.
    pub(crate) writes_to: BTreeSet<usize>,
}

/// An action as a body writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// With this name and these arguments.
    Named(Symbol, Vec<Given>),
    /// A variable stands for all of it.
    Open,
}

/// What is known of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    /// Its value.
    Value(Value),
    /// That it is a structure or a text, which no parameter matches.
    Compound,
    /// Nothing.
    Open,
}

impl Conduct {
    /// That of an agent with this number.
    pub(crate) fn of(program: &Program, number: usize) -> Self {
        let mut conduct = Self::default();
        let agent = &program.agents[number];
        for instruction in agent.plans.iter().flat_map(|plan| &plan.body) {
            match &instruction.operation {
                Operation::Act(pattern) => {
                    let act = Act::of(&program.terms, pattern);
                    if !conduct.acts.contains(&act) {
                        conduct.acts.push(act);
                    }
                }
                Operation::Send(to, ..) => conduct.writes_to.extend(receivers(program, to)),
                Operation::Broadcast(..) => {
                    conduct.writes_to.extend((0..program.agents.len()).filter(|&other| other != number));
                }
                _ => {}
            }
        }
        conduct
    }
}

impl Act {
    fn of(terms: &Terms, pattern: &Pattern) -> Self {
        match pattern {
            Pattern::Ground(term) => match terms.get(*term) {
                Term::Structure(name, args) => {
                    Self::Named(*name, args.iter().map(|&arg| Given::of_term(terms, arg)).collect())
                }
                _ => Self::Open,
            },
            Pattern::Structure(name, args) => {
                Self::Named(*name, args.iter().map(|arg| Given::of(terms, arg)).collect())
            }
            Pattern::Variable(_) | Pattern::Any | Pattern::Arithmetic(..) => Self::Open,
        }
    }

    /// What a rule of the environment knows of its local names when this agent asks for the action; `None` if the rule is
    /// never meant.
    pub(super) fn met_by(&self, rule: &ActionRule, agent: &Agent) -> Option<Known> {
        let mut known: Known = vec![None; rule.n_locals];
        if let Self::Named(name, args) = self {
            if rule.name != *name || rule.params.len() != args.len() {
                return None;
            }
            for (parameter, given) in rule.params.iter().zip(args) {
                bind(parameter, *given, &mut known)?;
            }
        }
        if let Some(by) = &rule.by {
            bind(by, Given::Value(Value::Symbol(agent.name)), &mut known)?;
        }
        Some(known)
    }
}

fn bind(parameter: &Parameter, given: Given, known: &mut Known) -> Option<()> {
    match (parameter, given) {
        (_, Given::Compound) => return None,
        (Parameter::Local(local), Given::Value(value)) => known[*local] = Some(value),
        (Parameter::Value(wanted), Given::Value(value)) if *wanted != value => return None,
        (Parameter::Value(_), Given::Value(_)) | (_, Given::Open) => {}
    }
    Some(())
}

impl Given {
    fn of(terms: &Terms, pattern: &Pattern) -> Self {
        match pattern {
            Pattern::Ground(term) => Self::of_term(terms, *term),
            Pattern::Structure(name, args) if args.is_empty() => {
                Self::of_term(terms, terms.structure(*name, &[]))
            }
            Pattern::Structure(..) => Self::Compound,
            Pattern::Variable(_) | Pattern::Any | Pattern::Arithmetic(..) => Self::Open,
        }
    }

    fn of_term(terms: &Terms, term: TermId) -> Self {
        match terms.get(term) {
            Term::Variable(_) => Self::Open,
            _ => value_of(terms, term).map_or(Self::Compound, Self::Value),
        }
    }
}

/// The members that `.send` may mean: a name, a list of names, or anybody where variables stand.
fn receivers(program: &Program, to: &Pattern) -> BTreeSet<usize> {
    let Pattern::Ground(to) = to else { return (0..program.agents.len()).collect() };
    let names = program.terms.items(*to).unwrap_or_else(|| vec![*to]);
    let named = |name: TermId| {
        let name = program.terms.get(name);
        program.agents.iter().position(
            |agent| matches!(&*name, Term::Structure(functor, args) if args.is_empty() && *functor == agent.name),
        )
    };
    names.into_iter().filter_map(named).collect()
}
