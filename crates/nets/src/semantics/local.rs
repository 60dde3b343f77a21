//! What an agent sees of a state: its own marking, with the agents inside it (`spec/claims/knowledge.md`).
//!
//! Agents have no numbers, only names: their template and their arguments. Whoever bears a name sees what all bearers of the
//! name see together, which for a name of one agent is what that agent sees; while nobody bears it, nothing is seen. Hidden
//! counters of limited transitions are no part of what is seen, as they are none of what is believed.

use std::collections::BTreeSet;
use std::sync::Arc;

use motet_model::{Interner, Observers, State};

use crate::program::{PlaceId, PlaceKind, Program, Sort};
use crate::semantics::create;
use crate::semantics::firing::AgentName;
use crate::semantics::lanes::created;
use crate::semantics::layout::Layout;
use crate::semantics::plan::Plans;
use crate::semantics::scope::Budget;
use crate::semantics::show;
use crate::semantics::symmetry::Symmetry;
use crate::value::{Agent, Bag, Value};

/// Of a template whose agents come into being later, so many names can be observed.
const LIMIT_NAMES: usize = 512;

/// Those who see something.
#[derive(Debug)]
pub(crate) struct Locals {
    names: Vec<AgentName>,
    /// The places of the system net that hold agents.
    homes: Vec<PlaceId>,
    seen: Interner<Bag>,
}

impl Locals {
    pub(crate) fn of(program: &Program, plans: &Plans) -> Self {
        let homes = plans.net(program.system).homes.iter().map(|(place, _)| *place).collect();
        Self { names: names(program).list, homes, seen: Interner::new() }
    }

    /// What they are called, in order.
    pub(crate) fn texts(&self, program: &Program) -> Vec<String> {
        self.names.iter().map(|name| show::agent_name(program, name)).collect()
    }

    /// What the bearers of a name see, as a number.
    pub(crate) fn observe(&self, program: &Program, layout: &Layout, observer: usize, state: &State) -> u32 {
        let name = &self.names[observer];
        let mut found = Vec::new();
        for place in &self.homes {
            let bag = layout.decode(*place, state[place.0 as usize]);
            gather(program, name, &bag, &mut found);
        }
        self.seen.intern(Bag::new(found))
    }
}

/// Agents with this name anywhere in a bag, as they see themselves.
fn gather(program: &Program, name: &AgentName, bag: &Bag, found: &mut Vec<(Value, u32)>) {
    for (token, count) in bag.tokens() {
        gather_in(program, name, token, *count, found);
    }
}

fn gather_in(program: &Program, name: &AgentName, value: &Value, count: u32, found: &mut Vec<(Value, u32)>) {
    match value {
        Value::Agent(agent) => {
            if agent.net == name.net && agent.arguments == name.arguments {
                found.push((as_seen(program, value), count));
            }
            agent.places.iter().for_each(|bag| gather(program, name, bag, found));
        }
        Value::Record(parts) | Value::Set(parts) => {
            parts.iter().for_each(|part| gather_in(program, name, part, count, found));
        }
        Value::Token | Value::Bool(_) | Value::Int(_) | Value::Member(..) | Value::Class(_) => {}
    }
}

/// A value without the hidden counters of the agents in it.
fn as_seen(program: &Program, value: &Value) -> Value {
    match value {
        Value::Agent(agent) => {
            let places = program.nets[agent.net.0 as usize].places.iter().zip(&agent.places);
            let bags = places.filter(|(place, _)| place.kind != PlaceKind::Limit).map(|(_, bag)| {
                Bag::new(bag.tokens().iter().map(|(token, count)| (as_seen(program, token), *count)))
            });
            let (net, arguments) = (agent.net, agent.arguments.clone());
            Value::Agent(Arc::new(Agent::new(net, arguments, bags.collect())))
        }
        Value::Record(parts) => Value::record(parts.iter().map(|part| as_seen(program, part))),
        other => other.clone(),
    }
}

/// Those whose knowledge claims may speak of; and as sorts, for claims about groups, those that are there from the start and
/// share a template.
pub(crate) fn observers(program: &Program) -> (Observers, Vec<(String, Vec<String>)>) {
    if Symmetry::of(program).is_some() {
        let why = "this net has interchangeable members, and a state stands for all their renamings";
        return (Observers::Nobody(why.to_owned()), Vec::new());
    }
    let Names { list, first, .. } = names(program);
    if list.is_empty() {
        return (Observers::Nobody("this net has no agents".to_owned()), Vec::new());
    }
    let mut sorts: Vec<(String, Vec<String>)> = Vec::new();
    for name in list[..first].iter().filter(|name| !name.arguments.is_empty()) {
        let template = &program.nets[name.net.0 as usize].name;
        let text = show::agent_name(program, name);
        match sorts.iter_mut().find(|(sort, _)| sort == template) {
            Some((_, members)) => members.push(text),
            None => sorts.push((template.clone(), vec![text])),
        }
    }
    (Observers::Named(list.iter().map(|name| show::agent_name(program, name)).collect()), sorts)
}

/// The agents of the initial marking, then those that may be created with arguments of small sorts.
fn names(program: &Program) -> Names {
    let mut names = Names::default();
    // A net without an initial marking is refused elsewhere.
    if let Ok(marking) = create::marking(program, program.system, &[], &Budget::new(), 0) {
        marking.iter().for_each(|bag| names.add_all(bag));
    }
    names.first = names.list.len();
    for net in created(program) {
        let mut all: Vec<Vec<Value>> = vec![Vec::new()];
        for (_, sort) in &program.nets[net.0 as usize].parameters {
            let values = members(program, sort);
            if all.len() * values.len() > LIMIT_NAMES {
                all.clear();
                break;
            }
            let longer = |before: &Vec<Value>| {
                let before = before.clone();
                values.iter().map(move |value| [before.as_slice(), std::slice::from_ref(value)].concat())
            };
            all = all.iter().flat_map(longer).collect();
        }
        for arguments in all {
            names.add(AgentName { net, arguments: arguments.into() });
        }
    }
    names
}

/// Names in the order in which they turn up.
#[derive(Default)]
struct Names {
    list: Vec<AgentName>,
    /// So many of them are there from the start.
    first: usize,
    known: BTreeSet<AgentName>,
}

impl Names {
    fn add(&mut self, name: AgentName) {
        if self.known.insert(name.clone()) {
            self.list.push(name);
        }
    }

    fn add_all(&mut self, bag: &Bag) {
        bag.tokens().iter().for_each(|(token, _)| self.add_in(token));
    }

    fn add_in(&mut self, value: &Value) {
        match value {
            Value::Agent(agent) => {
                self.add(AgentName::of(agent));
                agent.places.iter().for_each(|bag| self.add_all(bag));
            }
            Value::Record(parts) | Value::Set(parts) => parts.iter().for_each(|part| self.add_in(part)),
            Value::Token | Value::Bool(_) | Value::Int(_) | Value::Member(..) | Value::Class(_) => {}
        }
    }
}

/// The values of a small sort; none of any other.
fn members(program: &Program, sort: &Sort) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::Int(Some((low, high))) if high.saturating_sub(*low) < 64 => {
            (*low..=*high).map(Value::Int).collect()
        }
        Sort::Enumeration(id) => {
            let members = program.enumerations[id.0 as usize].members.len();
            (0..).take(members).map(|member| Value::Member(*id, member)).collect()
        }
        _ => Vec::new(),
    }
}
