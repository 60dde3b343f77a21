//! Steps that do not mind each other (`motet_model::Independence`): which members of a team can get in each other's way.
//!
//! A group of members is *closed* in a state if nothing that the others do, now or later, changes what the next step of one of
//! the group is or does, and if none of these steps changes what a later step of the others does. The steps of a closed group
//! are ample. What one member's next step has to do with others depends on the part of its reasoning cycle:
//!
//! - taking mail: whoever may write to it comes first or later;
//! - revising beliefs: the environment, if it can change what the member perceives;
//! - selecting and executing: nobody, unless the step sends a message, which has to do with the receiver and all who may write
//!   to it, or asks for an action, which has to do with the environment and all who may act;
//! - all of them: the environment, while that has to answer an action of the member.
//!
//! The end of a wait is a step of the agent that waits: it belongs to every group with that agent, and nobody else notices it.
//!
//! The environment's steps have to do with all who may act and with all who perceive what can change.

use std::collections::BTreeSet;

use motet_model::{AtomId, Independence, Model, State, Steps};

use crate::program::{Audience, Effect, Percept, Program};
use crate::semantics::mind::{Mind, Phase, Seat, Status};
use crate::semantics::team::{MINDS, QUEUE, Team};
use crate::slice::Conduct;

/// A set of members, one bit each.
type Group = u64;

/// The bit of the environment; there are at most 62 agents.
const ENVIRONMENT: Group = 1 << 63;

/// Who may get in whose way, in any state.
#[derive(Debug)]
pub(crate) struct Ties {
    /// Per agent: who may write to it.
    writers: Vec<Group>,
    /// Who may ask for actions.
    actors: Group,
    /// Whose percepts can change.
    observers: Group,
}

impl Ties {
    pub(crate) fn of(program: &Program) -> Self {
        let agents = program.agents.len();
        let mut ties = Self { writers: vec![0; agents], actors: 0, observers: 0 };
        for agent in 0..agents {
            let conduct = Conduct::of(program, agent);
            for receiver in conduct.writes_to {
                ties.writers[receiver] |= 1 << agent;
            }
            ties.actors |= u64::from(!conduct.acts.is_empty()) << agent;
        }
        let changing = changing(program);
        for percept in program.environment.percepts.iter().filter(|percept| reads(percept, &changing)) {
            ties.observers |= match percept.to {
                Audience::Agent(agent) => 1 << agent,
                Audience::Everyone | Audience::Each(_) => (1 << agents) - 1,
            };
        }
        ties
    }

    /// Who has to do with the environment's steps.
    fn around_environment(&self) -> Group {
        self.actors | self.observers
    }
}

/// The environment's variables that something can change.
fn changing(program: &Program) -> BTreeSet<usize> {
    let environment = &program.environment;
    let actions = environment.actions.iter().map(|rule| &rule.effects);
    let steps = environment.steps.iter().map(|rule| &rule.effects);
    let reactions = environment.reactions.iter().map(|rule| &rule.effects);
    let mut changing = BTreeSet::new();
    let mut open: Vec<&Effect> = actions.chain(steps).chain(reactions).flatten().collect();
    while let Some(effect) = open.pop() {
        match effect {
            Effect::Assign(variable, ..) | Effect::AssignAll(variable, _) => {
                changing.insert(*variable);
            }
            Effect::If(_, one, other) => open.extend(one.iter().chain(other)),
            Effect::Either(ways) => open.extend(ways.iter().flatten()),
            Effect::Chance(ways) => open.extend(ways.iter().flat_map(|(_, effects)| effects)),
        }
    }
    changing
}

fn reads(percept: &Percept, changing: &BTreeSet<usize>) -> bool {
    let mut read = BTreeSet::new();
    percept.args.iter().chain(&percept.when).for_each(|expr| expr.variables(&mut read));
    !read.is_disjoint(changing)
}

impl Team {
    /// With whom the next step of an agent has to do.
    fn around(&self, ties: &Ties, agent: usize, state: &State, steps: &Steps) -> Group {
        let mind = self.mind(agent, state[MINDS + agent]);
        let waits = if waits(mind) { ENVIRONMENT } else { 0 };
        match mind.phase {
            Phase::Mail => ties.writers[agent] | waits,
            Phase::Revise if ties.observers >> agent & 1 == 1 => ENVIRONMENT,
            Phase::Revise => waits,
            Phase::Select | Phase::Execute => {
                let own = steps.iter().filter(|step| step.process.index() == agent);
                let targets = own.flat_map(|step| step.branches().map(|branch| branch.target));
                targets.fold(waits, |group, target| group | self.touched(ties, agent, state, target))
            }
        }
    }

    /// With whom a step of an agent has to do that leads to this state.
    fn touched(&self, ties: &Ties, agent: usize, state: &State, target: &State) -> Group {
        let mut group = 0;
        if target[QUEUE] != state[QUEUE] {
            group |= ENVIRONMENT | ties.actors;
        }
        for receiver in 0..self.program.agents.len() {
            let slot = MINDS + receiver;
            let letters = |state: &State| self.mind(receiver, state[slot]).mail.len();
            let receives = match receiver == agent {
                true => letters(target) > letters(state),
                false => target[slot] != state[slot],
            };
            if receives {
                group |= 1 << receiver | ties.writers[receiver];
            }
        }
        group
    }

    /// The least closed group with this agent.
    fn closed(&self, ties: &Ties, agent: usize, state: &State, steps: &Steps) -> Group {
        let mut group: Group = 0;
        let mut open: Group = 1 << agent;
        while open != 0 {
            let next = open.trailing_zeros() as usize;
            group |= 1 << next;
            let around = match 1 << next {
                ENVIRONMENT => ties.around_environment(),
                _ => self.around(ties, next, state, steps),
            };
            open = (open | around) & !group;
        }
        group
    }

    /// Whether a process belongs to a group.
    fn is_in(&self, group: Group, process: usize) -> bool {
        let agent = Some(process).filter(|&process| process < self.program.agents.len());
        let bit = agent.or_else(|| self.sleeper(process)).map_or(ENVIRONMENT, |agent| 1 << agent);
        group & bit != 0
    }
}

/// Whether the environment has to answer an action of an agent.
fn waits(mind: &Mind) -> bool {
    mind.seats.iter().any(|seat| match seat {
        Seat::Free => false,
        Seat::Taken(instance) => instance.status == Status::Acting,
        Seat::Abandoned => true,
    })
}

impl Independence for Team {
    fn ample(&self, visible: &[AtomId], state: &State, steps: &Steps, out: &mut Vec<u32>) {
        let ties = self.ties.get_or_init(|| Ties::of(&self.program));
        let same =
            |target: &State| visible.iter().all(|&atom| self.holds(atom, state) == self.holds(atom, target));
        let mut best: Option<(Group, usize)> = None;
        for agent in (0..self.program.agents.len()).filter(|&agent| self.is_present(agent)) {
            let group = self.closed(ties, agent, state, steps);
            let own = || steps.iter().filter(|step| self.is_in(group, step.process.index()));
            let size = own().count();
            let fewest = best.map_or(steps.len(), |(_, fewest)| fewest);
            let hidden = || own().all(|step| step.branches().all(|branch| same(branch.target)));
            if size > 0 && size < fewest && hidden() {
                best = Some((group, size));
            }
        }
        let group = best.map_or(Group::MAX, |(group, _)| group);
        let chosen = (0..).zip(steps.iter()).filter(|(_, step)| self.is_in(group, step.process.index()));
        out.extend(chosen.map(|(ordinal, _): (u32, _)| ordinal));
    }
}
