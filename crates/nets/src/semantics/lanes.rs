//! Who acts: the system net, each agent of the initial marking by its name, and each template whose agents come later.

use motet_model::ProcessId;

use crate::program::{Expr, Program};
use crate::semantics::firing::{AgentName, Half};
use crate::semantics::parts;
use crate::semantics::plan::Plans;
use crate::semantics::show;
use crate::semantics::symmetry::Symmetry;
use crate::value::{Agent, Bag, NetId};

/// The lanes of a model.
#[derive(Debug)]
pub(crate) struct Lanes {
    agents: Vec<AgentName>,
    templates: Vec<NetId>,
}

impl Lanes {
    pub(crate) fn of(program: &Program, plans: &Plans, symmetry: Option<&Symmetry>, initial: &[Bag]) -> Self {
        let mut lanes = Self { agents: Vec::new(), templates: Vec::new() };
        if symmetry.is_some() {
            // Agents change their names when members of interchangeable sorts do, so none has a lane of its own.
            let nets = (0..).map(NetId).zip(&program.nets).map(|(id, _)| id);
            lanes.templates = nets.filter(|net| *net != program.system).collect();
            return lanes;
        }
        lanes.gather(plans, program.system, initial);
        lanes.templates = created(program);
        lanes
    }

    fn gather(&mut self, plans: &Plans, net: NetId, places: &[Bag]) {
        for (place, ways) in &plans.net(net).homes {
            for (token, _) in places[place.0 as usize].tokens() {
                for way in ways {
                    let agent: &Agent = crate::semantics::effect::agent_at(token, way);
                    let name = AgentName::of(agent);
                    if !self.agents.contains(&name) {
                        self.agents.push(name);
                    }
                    self.gather(plans, agent.net, &agent.places);
                }
            }
        }
    }

    /// What the lanes are called, in order.
    pub(crate) fn names(&self, program: &Program) -> Vec<String> {
        let system = program.nets[program.system.0 as usize].name.clone();
        let agents = self.agents.iter().map(|agent| show::agent_name(program, agent));
        let templates = self.templates.iter().map(|net| program.nets[net.0 as usize].name.clone());
        std::iter::once(system).chain(agents).chain(templates).collect()
    }

    /// Whose lane a transition fires on.
    pub(crate) fn of_half(&self, half: &Half) -> ProcessId {
        half.path.last().map_or(ProcessId(0), |agent| self.of_agent(agent))
    }

    /// The lane of an agent.
    pub(crate) fn of_agent(&self, agent: &AgentName) -> ProcessId {
        let number = |at: usize| ProcessId(u32::try_from(at).expect("fewer than 2^32 lanes") + 1);
        if let Some(at) = self.agents.iter().position(|known| known == agent) {
            return number(at);
        }
        let template = self.templates.iter().position(|net| *net == agent.net);
        number(self.agents.len() + template.expect("every template that is created has a lane"))
    }
}

/// The templates of which agents may be created by a firing.
pub(crate) fn created(program: &Program) -> Vec<NetId> {
    let mut found: Vec<NetId> = Vec::new();
    let mut any = false;
    let transitions = program.nets.iter().flat_map(|net| &net.transitions);
    for alternative in transitions.flat_map(|transition| &transition.alternatives) {
        parts::each_of_alternative(alternative, &mut |expr| news(expr, &mut found, &mut any));
    }
    // What is created may hold agents from the start.
    let templates = (0..).map(NetId).zip(&program.nets).filter(|(id, _)| *id != program.system);
    let initial: Vec<&Expr> = templates
        .clone()
        .flat_map(|(_, net)| &net.places)
        .filter_map(|place| match &place.initial {
            crate::program::Initial::Tokens(expr) | crate::program::Initial::Value(expr) => Some(expr),
            _ => None,
        })
        .collect();
    if any || !found.is_empty() {
        initial.into_iter().for_each(|expr| news(expr, &mut found, &mut any));
    }
    let all = templates.map(|(id, _)| id);
    all.filter(|id| any || found.contains(id)).collect()
}

/// The templates that an expression creates agents of; `any` if that is computed.
fn news(expr: &Expr, found: &mut Vec<NetId>, any: &mut bool) {
    if let Expr::New(class, _) = expr {
        match &**class {
            Expr::Constant(crate::value::Value::Class(net)) => found.push(*net),
            _ => *any = true,
        }
    }
    parts::each(expr, &mut |part| news(part, found, any));
}
