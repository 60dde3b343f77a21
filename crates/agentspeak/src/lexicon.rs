//! The words of a team: which predicates are believed, wanted, done, perceived and sent, by whom. Claims may use no
//! others.

use std::collections::BTreeSet;

use motet_model::{Entry, Sort, TimeUnit, Vocabulary};

use crate::program::{
    Argument, Atom, Audience, Condition, Domain, Environment, Force, Operation, Pattern, Plan, Program, Value,
};
use crate::semantics::rewards::names;
use crate::semantics::world;
use crate::syntax::TriggerKind;
use crate::term::{Term, TermId, Terms};

/// A predicate: name and arity.
pub(crate) type Predicate = (String, usize);

/// The words of a team.
#[derive(Debug, Default)]
pub(crate) struct Lexicon {
    /// What each agent may believe.
    pub(crate) beliefs: Vec<BTreeSet<Predicate>>,
    /// What each agent may want.
    pub(crate) goals: Vec<BTreeSet<Predicate>>,
    /// What each agent may do.
    pub(crate) actions: Vec<BTreeSet<Predicate>>,
    /// What somebody may perceive.
    pub(crate) percepts: BTreeSet<Predicate>,
    /// What somebody may send.
    pub(crate) messages: BTreeSet<Predicate>,
    /// What plans of somebody wait for, whether anybody sends it or not.
    pub(crate) triggers: BTreeSet<Predicate>,
    /// What the environment lets somebody do, whether anybody does it or not.
    pub(crate) deeds: BTreeSet<Predicate>,
}

impl Lexicon {
    /// The words of this team.
    pub(crate) fn of(program: &Program) -> Self {
        let agents = program.agents.len();
        let mut lexicon = Self {
            beliefs: vec![BTreeSet::new(); agents],
            goals: vec![BTreeSet::new(); agents],
            actions: vec![BTreeSet::new(); agents],
            ..Self::default()
        };
        let terms = &program.terms;
        for (agent, member) in program.agents.iter().enumerate() {
            lexicon.beliefs[agent].extend(member.beliefs.iter().filter_map(|&term| of_term(terms, term)));
            lexicon.goals[agent].extend(member.goals.iter().filter_map(|&term| of_term(terms, term)));
            for rule in &member.rules {
                lexicon.beliefs[agent].extend(of_pattern(terms, &rule.head));
                lexicon.condition(terms, agent, &rule.condition);
            }
            for plan in &member.plans {
                lexicon.plan(terms, agent, plan);
                lexicon.triggers.extend(of_pattern(terms, &plan.trigger.pattern));
            }
        }
        let actions = program.environment.actions.iter();
        lexicon.deeds.extend(actions.map(|rule| (terms.name(rule.name).to_string(), rule.params.len())));
        for percept in &program.environment.percepts {
            let predicate = (terms.name(percept.name).to_string(), percept.args.len());
            for (agent, beliefs) in lexicon.beliefs.iter_mut().enumerate() {
                if !matches!(percept.to, Audience::Agent(only) if only != agent) {
                    beliefs.insert(predicate.clone());
                }
            }
            lexicon.percepts.insert(predicate);
        }
        lexicon
    }

    fn plan(&mut self, terms: &Terms, agent: usize, plan: &Plan) {
        let of = match plan.kind {
            TriggerKind::Belief => &mut self.beliefs[agent],
            TriggerKind::Achieve | TriggerKind::Test => &mut self.goals[agent],
        };
        of.extend(of_pattern(terms, &plan.trigger.pattern));
        self.condition(terms, agent, &plan.context);
        for instruction in &plan.body {
            self.operation(terms, agent, &instruction.operation);
        }
    }

    fn operation(&mut self, terms: &Terms, agent: usize, operation: &Operation) {
        match operation {
            Operation::Act(action) => self.actions[agent].extend(of_pattern(terms, action)),
            Operation::Achieve(goal) | Operation::AchieveNew(goal) => {
                self.goals[agent].extend(of_pattern(terms, goal));
            }
            Operation::Test(condition)
            | Operation::Branch(condition, _)
            | Operation::Each { condition, .. } => self.condition(terms, agent, condition),
            Operation::Add(atom) | Operation::Delete(atom) | Operation::Replace(atom) => {
                self.belief(terms, agent, atom);
            }
            Operation::Send(_, force, content) | Operation::Broadcast(force, content) => {
                let content = of_pattern(terms, content);
                // Who receives it may be known only at run time, so it is a word of everybody.
                let of = match force {
                    Force::Tell | Force::Untell => &mut self.beliefs,
                    Force::Achieve | Force::Unachieve => &mut self.goals,
                };
                of.iter_mut().for_each(|words| words.extend(content.clone()));
                self.messages.extend(content);
            }
            Operation::Internal(_, args) => self.arguments(terms, agent, args),
            Operation::Relation(..) | Operation::Stub(..) | Operation::Jump(_) | Operation::Forget(_) => {}
        }
    }

    fn condition(&mut self, terms: &Terms, agent: usize, condition: &Condition) {
        match condition {
            Condition::Belief(atom) => self.belief(terms, agent, atom),
            Condition::Not(inner) => self.condition(terms, agent, inner),
            Condition::And(all) | Condition::Or(all) => {
                all.iter().for_each(|inner| self.condition(terms, agent, inner));
            }
            Condition::Internal(_, args) => self.arguments(terms, agent, args),
            Condition::True | Condition::False | Condition::Relation(..) | Condition::Stub(..) => {}
        }
    }

    fn arguments(&mut self, terms: &Terms, agent: usize, args: &[Argument]) {
        for arg in args {
            if let Argument::Condition(condition) = arg {
                self.condition(terms, agent, condition);
            }
        }
    }

    fn belief(&mut self, terms: &Terms, agent: usize, atom: &Atom) {
        self.beliefs[agent].extend(of_pattern(terms, &atom.pattern));
    }

    /// For quantifiers, listings and suggestions.
    pub(crate) fn vocabulary(&self, program: &Program) -> Vocabulary {
        let terms = &program.terms;
        let agents: Vec<String> =
            program.agents.iter().map(|agent| terms.name(agent.name).to_string()).collect();
        let environment = &program.environment;
        let mut sorts: Vec<(String, Vec<String>)> = environment
            .sorts
            .iter()
            .map(|(name, members)| {
                (name.clone(), members.iter().map(|&member| world::show(terms, member)).collect())
            })
            .collect();
        if !sorts.iter().any(|(name, _)| name == "agent") {
            sorts.insert(0, ("agent".to_owned(), agents.clone()));
        }
        let mut groups = Vec::new();
        for (number, agent) in agents.iter().enumerate() {
            groups.push((format!("beliefs of {agent}"), entries(&self.beliefs[number])));
            groups.push((format!("goals of {agent}"), entries(&self.goals[number])));
            groups.push((format!("actions of {agent}"), entries(&self.actions[number])));
        }
        groups.push(("percepts".to_owned(), entries(&self.percepts)));
        groups.push(("messages".to_owned(), entries(&self.messages)));
        let variable = |variable: &crate::program::Variable| {
            let index = variable.index.map_or(String::new(), |sort| {
                format!("[{}]", environment.sorts.get(sort).map_or("", |(name, _)| name))
            });
            format!("{}{index} : {}", variable.name, domain(terms, &variable.domain))
        };
        groups.push(("variables".to_owned(), environment.variables.iter().map(variable).collect()));
        groups.retain(|(_, entries)| !entries.is_empty());
        let parameters = environment
            .constants
            .iter()
            .map(|(name, value)| (name.clone(), world::show(terms, *value)))
            .collect();
        let rewards = names(program, &self.actions);
        let terms = variables(terms, environment);
        let unit = Some(TimeUnit::Cycles);
        Vocabulary { agents, sorts, groups, parameters, rewards, terms, unit, ..Vocabulary::default() }
    }
}

/// The variables of the environment with their values. Of the terms that agents believe only name and arity are known.
fn variables(terms: &Terms, environment: &Environment) -> motet_model::Terms {
    let members = |members: &[Value]| -> Vec<String> {
        members.iter().map(|&member| world::show(terms, member)).collect()
    };
    let mut all = motet_model::Terms::default();
    for variable in &environment.variables {
        let value = sort(terms, environment, &variable.domain);
        let Some((index, values)) = variable.index.and_then(|index| environment.sorts.get(index)) else {
            all.names.insert(variable.name.clone(), value);
            continue;
        };
        let arguments = vec![Sort::members(index.as_str(), members(values))];
        all.entries.insert(variable.name.clone(), Entry { arguments, value });
    }
    all
}

fn sort(terms: &Terms, environment: &Environment, domain: &Domain) -> Sort {
    match domain {
        Domain::Range(low, high) => Sort::Whole(Some(*low), Some(*high)),
        Domain::Bool => Sort::Truth,
        Domain::Members(values) => {
            let declared = environment.sorts.iter().find(|(_, members)| members == values);
            let kind = declared.map_or("", |(name, _)| name);
            Sort::members(kind, values.iter().map(|&value| world::show(terms, value)).collect())
        }
        Domain::Optional(inner) => sort(terms, environment, inner).beside(&["none"]),
    }
}

fn entries(words: &BTreeSet<Predicate>) -> Vec<String> {
    words.iter().map(show).collect()
}

/// `alliance(_, _)`
pub(crate) fn show((name, arity): &Predicate) -> String {
    if *arity == 0 { name.clone() } else { format!("{name}({})", vec!["_"; *arity].join(", ")) }
}

fn domain(terms: &Terms, domain: &Domain) -> String {
    match domain {
        Domain::Range(low, high) => format!("{low}..{high}"),
        Domain::Bool => "bool".to_owned(),
        Domain::Members(members) => {
            let members: Vec<String> = members.iter().map(|&member| world::show(terms, member)).collect();
            format!("{{{}}}", members.join(", "))
        }
        Domain::Optional(inner) => format!("opt {}", self::domain(terms, inner)),
    }
}

/// Every value that some variable may take, except numbers.
pub(crate) fn symbols(program: &Program) -> Vec<Value> {
    fn collect(domain: &Domain, into: &mut Vec<Value>) {
        match domain {
            Domain::Members(members) => into.extend(members),
            Domain::Optional(inner) => collect(inner, into),
            Domain::Range(..) | Domain::Bool => {}
        }
    }
    let mut all: Vec<Value> = program.agents.iter().map(|agent| Value::Symbol(agent.name)).collect();
    for (_, members) in &program.environment.sorts {
        all.extend(members);
    }
    for variable in &program.environment.variables {
        collect(&variable.domain, &mut all);
    }
    all.retain(|value| matches!(value, Value::Symbol(_)));
    all.sort_unstable();
    all.dedup();
    all
}

fn of_pattern(terms: &Terms, pattern: &Pattern) -> Option<Predicate> {
    match pattern {
        Pattern::Ground(term) => of_term(terms, *term),
        Pattern::Structure(functor, args) => Some((terms.name(*functor).to_string(), args.len())),
        Pattern::Variable(_) | Pattern::Any | Pattern::Arithmetic(..) => None,
    }
}

fn of_term(terms: &Terms, term: TermId) -> Option<Predicate> {
    match terms.get(term) {
        Term::Structure(functor, args) => Some((terms.name(*functor).to_string(), args.len())),
        _ => None,
    }
}
