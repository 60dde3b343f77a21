//! What a team that acts needs of its model: steps of one agent at a time, with the percepts it really has, and the states
//! that stand for the situations it gets into. Nothing is remembered here: such a run seldom meets a situation twice.

use motet_model::{ActionId, Fault, State};

use crate::semantics::choices::Choices;
use crate::semantics::deed::Deed;
use crate::semantics::mind::{Message, Mind, SeatId};
use crate::semantics::passed::Passed;
use crate::semantics::stack::Executed;
use crate::semantics::team::{MINDS, QUEUE, Team, WORLD};
use crate::semantics::thinker::{Act, Rest, Thinker};
use crate::term::TermId;

/// What came of a step of an agent.
pub(crate) struct Taken {
    /// Its mind.
    pub(crate) mind: Mind,
    /// What was done.
    pub(crate) deed: Deed,
    /// Messages, each with the number of its receiver.
    pub(crate) sent: Vec<(u32, Message)>,
    /// The action that it asks for.
    pub(crate) act: Option<Act>,
    /// The wait that it began.
    pub(crate) rest: Option<Rest>,
}

impl Team {
    /// The next part of an agent's reasoning cycle; whatever a stub leaves open is its first answer.
    pub(crate) fn take_step(&self, agent: usize, mind: Mind, percepts: &[TermId]) -> Result<Taken, Fault> {
        let mut choices = Choices::default();
        let mut thinker = Thinker::new(&self.program, agent, mind, &mut choices);
        let deed = thinker.step(percepts).map_err(|trouble| self.trouble(agent, trouble))?;
        let Thinker { mind, sent, act, rest, .. } = thinker;
        self.marks.mind(&mind);
        Ok(Taken { mind, deed, sent, act, rest })
    }

    /// The mind of an agent once it knows what became of its action.
    pub(crate) fn take_answer(
        &self,
        agent: usize,
        mind: Mind,
        seat: SeatId,
        executed: Executed,
    ) -> Result<Mind, Fault> {
        self.answered(agent, mind, seat, executed).map(|(mind, _)| mind)
    }

    /// The mind of an agent once a wait is over.
    pub(crate) fn take_waking(&self, agent: usize, mind: Mind, seat: SeatId) -> Result<Mind, Fault> {
        self.awake(agent, mind, seat)
    }

    /// What the first step of the model does in a situation at the start of a cycle.
    pub(crate) fn first_action(&self, minds: &[Mind]) -> ActionId {
        let deed = match (self.turn, minds.first()) {
            (None, Some(mind)) => self.take_step(0, mind.clone(), &[]).map_or(Deed::Draw, |taken| taken.deed),
            _ => Deed::Draw,
        };
        self.action_id(deed)
    }

    /// The number of the environment's first state.
    pub(crate) fn first_world(&self) -> u32 {
        self.worlds.intern(self.program.environment.initial.clone())
    }

    /// The state of these minds and open actions. The environment is as at the start: a team that acts has another one.
    pub(crate) fn state_of(
        &self,
        minds: &[Mind],
        open: &[Act],
        (last, passed): (Option<Act>, &[Passed]),
    ) -> Box<State> {
        let mut state: Box<State> = vec![0; self.signature.slots.len()].into();
        state[WORLD] = self.first_world();
        self.marks.queue(open.len());
        state[QUEUE] = self.queues.intern(open.iter().map(|&act| self.acts.intern(act)).collect());
        for (agent, mind) in minds.iter().enumerate() {
            state[MINDS + agent] = self.minds[agent].intern(mind.clone());
        }
        if let (Some(slot), Some(last)) = (self.last_action, last) {
            state[slot] = self.acts.intern(Act { seat: None, ..last }) + 1;
        }
        self.board.write(&self.program.terms, &self.predicates, passed, &mut state);
        state
    }
}
