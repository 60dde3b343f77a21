//! To whom a run is fair: a mode, that is the names of the transitions with the values that their input arcs bind; or, if
//! that is asked for, the transitions alone.

use std::sync::Arc;

use motet_model::{ActionId, Answers, Interner, SubjectId};

use crate::program::{Program, TransitionId};
use crate::semantics::firing::{AgentName, Firing};
use crate::semantics::plan::Plans;
use crate::semantics::show;
use crate::semantics::symmetry::Symmetry;
use crate::value::{Bag, NetId, Value};

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
    /// Modes that differ by renaming are one subject: markings do not keep the names apart.
    symmetry: Option<Symmetry>,
    subjects: Interner<Vec<Side>>,
    by_action: Answers<u32, SubjectId>,
}

impl Subjects {
    pub(crate) fn new(fairness: Fairness, symmetry: Option<Symmetry>) -> Self {
        Self { fairness, symmetry, subjects: Interner::new(), by_action: Answers::default() }
    }

    pub(crate) fn of(
        &self,
        program: &Program,
        plans: &Plans,
        action: ActionId,
        firings: &Interner<Firing>,
    ) -> SubjectId {
        if let Some(known) = self.by_action.find(&action.0) {
            return *known;
        }
        let sides = self.sides(program, plans, firings.get(action.0));
        *self.by_action.keep(action.0, SubjectId(self.subjects.intern(sides)))
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
        let sides = firing.halves().map(side).collect();
        match &self.symmetry {
            Some(symmetry) => renamed(symmetry, sides),
            None => sides,
        }
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

/// The sides that stand for all their renamings.
fn renamed(symmetry: &Symmetry, mut sides: Vec<Side>) -> Vec<Side> {
    let arguments =
        |side: &Side| side.agent.iter().flat_map(|agent| agent.arguments.to_vec()).collect::<Vec<_>>();
    let values = sides.iter().flat_map(|side| arguments(side).into_iter().chain(side.values.iter().cloned()));
    let least = symmetry.least(values.map(Bag::one).collect());
    let mut least = least.into_iter().filter_map(|bag| bag.tokens().first().map(|(value, _)| value.clone()));
    for side in &mut sides {
        let arguments = side.agent.iter_mut().flat_map(|agent| Arc::make_mut(&mut agent.arguments));
        for value in arguments.chain(&mut side.values) {
            *value = least.next().expect("a renaming leaves the number of values");
        }
    }
    sides
}
