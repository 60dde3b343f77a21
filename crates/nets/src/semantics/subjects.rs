//! To whom a run is fair: a mode, that is the names of the transitions with the values that their input arcs bind; or, if
//! that is asked for, the transitions alone.

use std::sync::{PoisonError, RwLock};

use motet_model::{ActionId, Interner, SubjectId};

use crate::program::{Program, TransitionId};
use crate::semantics::firing::{AgentName, Firing};
use crate::semantics::plan::Plans;
use crate::semantics::show;
use crate::value::{NetId, Value};

/// What fairness is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Fairness {
    /// Each mode by itself.
    #[default]
    Mode,
    /// Each transition, however its variables are bound.
    Transition,
}

/// One side of a subject.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Side {
    net: NetId,
    transition: TransitionId,
    /// Who fires it.
    agent: Option<AgentName>,
    /// What the input arcs bind; agents as names.
    values: Vec<Value>,
}

/// The subjects of a model, as they turn up.
#[derive(Debug)]
pub(crate) struct Subjects {
    fairness: Fairness,
    subjects: Interner<Vec<Side>>,
    /// Per action; `u32::MAX` if not known yet.
    by_action: RwLock<Vec<u32>>,
}

impl Subjects {
    pub(crate) fn new(fairness: Fairness) -> Self {
        Self { fairness, subjects: Interner::new(), by_action: RwLock::default() }
    }

    pub(crate) fn of(
        &self,
        program: &Program,
        plans: &Plans,
        action: ActionId,
        firings: &Interner<Firing>,
    ) -> SubjectId {
        let known = self.by_action.read().unwrap_or_else(PoisonError::into_inner).get(action.index()).copied();
        if let Some(known) = known.filter(|known| *known != u32::MAX) {
            return SubjectId(known);
        }
        let sides = self.sides(program, plans, &firings.get(action.0));
        let subject = self.subjects.intern(sides);
        let mut table = self.by_action.write().unwrap_or_else(PoisonError::into_inner);
        if table.len() <= action.index() {
            table.resize(action.index() + 1, u32::MAX);
        }
        table[action.index()] = subject;
        SubjectId(subject)
    }

    fn sides(&self, program: &Program, plans: &Plans, firing: &Firing) -> Vec<Side> {
        let side = |half: &crate::semantics::firing::Half| {
            let (net, transition) = (half.net(program), half.transition);
            if self.fairness == Fairness::Transition {
                return Side { net, transition, agent: None, values: Vec::new() };
            }
            let plan = half.plan(program, plans);
            let (_, _, alternative) = half.declared(program);
            let values = alternative.key.iter().filter_map(|variable| half.value(plan, *variable).cloned());
            Side { net, transition, agent: half.path.last().cloned(), values: values.collect() }
        };
        firing.halves().map(side).collect()
    }

    /// `Station.Park<<1, Diesel(1)>, 2> with Diesel(1).Park<<truck, 0>>`
    pub(crate) fn told(&self, program: &Program, subject: SubjectId) -> String {
        let side = |side: &Side| {
            let net = &program.nets[side.net.0 as usize];
            let owner = match &side.agent {
                Some(agent) => show::agent_name(program, agent),
                None => net.name.clone(),
            };
            let values: Vec<String> = side.values.iter().map(|value| show::value(program, value)).collect();
            let values = if values.is_empty() { String::new() } else { format!("<{}>", values.join(", ")) };
            format!("{owner}.{}{values}", net.transitions[side.transition.0 as usize].name)
        };
        self.subjects.get(subject.0).iter().map(side).collect::<Vec<_>>().join(" with ")
    }
}
