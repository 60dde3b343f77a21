//! What fires: the transitions of a step with the values of their variables. An agent is named by its template and its
//! arguments, so that it keeps its name while its marking changes.

use std::sync::Arc;

use crate::program::{Alternative, Net, PortId, Program, Transition, TransitionId, VariableId};
use crate::semantics::plan::{Plan, Plans};
use crate::value::{Agent, NetId, Value};

/// An agent's name: its template and its arguments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct AgentName {
    pub(crate) net: NetId,
    pub(crate) arguments: Arc<[Value]>,
}

impl AgentName {
    pub(crate) fn of(agent: &Agent) -> Self {
        Self { net: agent.net, arguments: agent.arguments.clone() }
    }
}

/// One transition of a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Half {
    /// From the agent in the system net to the agent that fires; empty for the system net itself.
    pub(crate) path: Vec<AgentName>,
    pub(crate) transition: TransitionId,
    pub(crate) alternative: u32,
    /// The values of the variables of [`Plan::bound`].
    pub(crate) values: Box<[Value]>,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Firing {
    /// One transition alone.
    Alone(Half),
    /// Two transitions through a port.
    Together {
        sender: Half,
        receiver: Half,
        port: PortId,
        /// What passes.
        sent: Box<[Value]>,
    },
}

impl Firing {
    /// The transitions, the sender's first.
    pub(crate) fn halves(&self) -> impl Iterator<Item = &Half> {
        let (first, second) = match self {
            Self::Alone(half) => (half, None),
            Self::Together { sender, receiver, .. } => (sender, Some(receiver)),
        };
        std::iter::once(first).chain(second)
    }

    /// The same, seen from the host of the net it was seen from.
    pub(crate) fn inside(mut self, agent: &AgentName) -> Self {
        let enter = |half: &mut Half| half.path.insert(0, agent.clone());
        match &mut self {
            Self::Alone(half) => enter(half),
            Self::Together { sender, receiver, .. } => {
                enter(sender);
                enter(receiver);
            }
        }
        self
    }

    /// The same with agents as names: what a step is called.
    pub(crate) fn named(mut self) -> Self {
        let name = |half: &mut Half| half.values.iter_mut().for_each(|value| *value = named(value));
        match &mut self {
            Self::Alone(half) => name(half),
            Self::Together { sender, receiver, sent, .. } => {
                name(sender);
                name(receiver);
                sent.iter_mut().for_each(|value| *value = named(value));
            }
        }
        self
    }
}

/// A value with agents as names: agents without their markings.
pub(crate) fn named(value: &Value) -> Value {
    match value {
        Value::Agent(agent) => {
            Value::Agent(Arc::new(Agent::new(agent.net, Arc::clone(&agent.arguments), Box::default())))
        }
        Value::Record(fields) if fields.iter().any(bears_agent) => Value::record(fields.iter().map(named)),
        other => other.clone(),
    }
}

fn bears_agent(value: &Value) -> bool {
    match value {
        Value::Agent(_) => true,
        Value::Record(fields) => fields.iter().any(bears_agent),
        _ => false,
    }
}

impl Half {
    /// The same transition with these values.
    pub(crate) fn with(&self, values: Box<[Value]>) -> Self {
        Self { values, ..self.clone() }
    }

    pub(crate) fn net(&self, program: &Program) -> NetId {
        self.path.last().map_or(program.system, |agent| agent.net)
    }

    pub(crate) fn declared<'p>(&self, program: &'p Program) -> (&'p Net, &'p Transition, &'p Alternative) {
        let net = &program.nets[self.net(program).0 as usize];
        let transition = &net.transitions[self.transition.0 as usize];
        (net, transition, &transition.alternatives[self.alternative as usize])
    }

    pub(crate) fn plan<'p>(&self, program: &Program, plans: &'p Plans) -> &'p Plan {
        let net = plans.net(self.net(program));
        &net.transitions[self.transition.0 as usize][self.alternative as usize]
    }

    /// The value of a variable of this firing.
    pub(crate) fn value(&self, plan: &Plan, variable: VariableId) -> Option<&Value> {
        let at = plan.bound.iter().position(|bound| *bound == variable)?;
        self.values.get(at)
    }
}
