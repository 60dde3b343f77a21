//! The whole team as a model. Situations of agents, of the environment and of the action queue are numbered, and what
//! follows from each is computed once: most steps of a search are then a look into a table.

mod acting;
mod draw;
mod environment;
mod independence;
mod likeness;
mod waits;

use std::sync::{Arc, OnceLock};

use motet_model::{
    ActionId, AtomId, Facets, Fault, Independence, Model, Observation, ObserverId, ProcessId, Ratio, Reward,
    RewardId, Rewards, Signature, State, Steps, Symmetry, TimeUnit,
};

use crate::atoms::{Bits, Predicate};
use crate::program::{Mode, Presence, Program, Ties};
use crate::semantics::arithmetic::Trouble;
use crate::semantics::choices::{Choices, MAX_OUTCOMES};
use crate::semantics::deed::{Deed, Failure};
use crate::semantics::marks::Marks;
use crate::semantics::mind::{Belief, Instance, Message, Mind, Phase, Source, SourceSet, Trigger};
use crate::semantics::passed::{Board, Passed};
use crate::semantics::rest::{self, Pause};
use crate::semantics::rewards::Earning;
use crate::semantics::table::{Cache, Table};
use crate::semantics::team::environment::{Performed, Spontaneous};
use crate::semantics::thinker::{Act, Thinker};
use crate::semantics::world::{self, Cells};
use crate::symmetry::Likeness;
use crate::syntax::{Sign, TriggerKind};
use crate::term::TermId;

/// Slot of the environment's variables.
pub(crate) const WORLD: usize = 0;
/// Slot of the action queue.
pub(crate) const QUEUE: usize = 1;
/// Slot of the first agent.
pub(crate) const MINDS: usize = 2;

/// A team that runs.
#[derive(Debug)]
pub(crate) struct Team {
    pub(crate) program: Arc<Program>,
    pub(crate) predicates: Vec<Predicate>,
    pub(crate) marks: Marks,
    signature: Signature,
    memory: Memory,
    /// The slot of the last action, if a claim asks for it.
    last_action: Option<usize>,
    /// What was sent and read in the last step, if a claim asks for it.
    pub(crate) board: Board,
    /// The slot of the step that was drawn, if steps are.
    turn: Option<usize>,
    /// The formulas at which agents wait for time to pass, in the order of their processes.
    pauses: Vec<Pause>,
    /// The rewards that claims ask for, in the order of the signature.
    rewards: Vec<Earning>,
    minds: Vec<Table<Mind, MindKnown>>,
    worlds: Table<Cells, WorldKnown>,
    queues: Table<Box<[u32]>, QueueKnown>,
    acts: Table<Act, ActKnown>,
    messages: Table<Message, ()>,
    percept_lists: Table<Vec<TermId>, ()>,
    deeds: Table<Deed, ()>,
    revisions: Vec<Cache<Thought>>,
    deliveries: Vec<Cache<Result<u32, Fault>>>,
    answers: Vec<Cache<Result<(u32, Failure), Fault>>>,
    wakings: Vec<Cache<Result<u32, Fault>>>,
    longer: Cache<Result<u32, Fault>>,
    executions: Cache<Result<Performed, Fault>>,
    /// Who may get in whose way, once somebody asked.
    ties: OnceLock<independence::Ties>,
    /// Who can change places, once somebody asked.
    likeness: OnceLock<Likeness>,
}

/// Whether answers are kept. Without, everything is computed again: the slow twin that tests compare with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    /// Computed once.
    Kept,
    /// Computed every time.
    #[cfg_attr(not(test), expect(dead_code, reason = "the twin for tests"))]
    Bypassed,
}

/// What an agent may do next.
type Thought = Result<Box<[Outcome]>, Fault>;

#[derive(Clone, Debug)]
struct Outcome {
    /// How likely it is if everything that can be selected is equally likely; `None` if that does not fit.
    chance: Option<Ratio>,
    mind: u32,
    deed: ActionId,
    sent: Box<[(u32, u32)]>,
    act: Option<u32>,
}

#[derive(Debug, Default)]
struct MindKnown {
    /// For the parts of the cycle that do not look at the environment.
    thought: OnceLock<Thought>,
    bits: OnceLock<Bits>,
}

#[derive(Debug, Default)]
struct WorldKnown {
    /// Number of the percept list of each agent.
    percepts: OnceLock<Result<Box<[u32]>, Fault>>,
    steps: OnceLock<Result<Box<[Spontaneous]>, Fault>>,
    bits: OnceLock<Bits>,
}

#[derive(Debug, Default)]
struct QueueKnown {
    /// The queue without its first action.
    rest: OnceLock<u32>,
    bits: OnceLock<Bits>,
}

#[derive(Debug, Default)]
struct ActKnown {
    bits: OnceLock<Bits>,
}

impl Team {
    /// The team with these atoms; `atoms` are their texts.
    pub(crate) fn new(
        program: Arc<Program>,
        predicates: Vec<Predicate>,
        atoms: Vec<String>,
        memory: Memory,
    ) -> Self {
        let terms = &program.terms;
        let names: Vec<String> =
            program.agents.iter().map(|agent| terms.name(agent.name).to_string()).collect();
        let mut slots = vec!["environment".to_owned(), "actions".to_owned()];
        slots.extend(names.iter().cloned());
        let asks = predicates.iter().any(Predicate::asks_last_action);
        let last_action = asks.then_some(slots.len());
        if asks {
            slots.push("last action".to_owned());
        }
        let board = Board::new(&predicates, slots.len());
        slots.extend((0..board.slots()).map(|_| "messages".to_owned()));
        let mut processes = names.clone();
        processes.push("environment".to_owned());
        processes.extend(program.environment.steps.iter().map(|step| step.name.clone()));
        let pauses = rest::pauses(&program);
        processes.extend(waits::names(&program, &pauses));
        let turn = (program.ties == Ties::Random).then_some(slots.len());
        if turn.is_some() {
            slots.push("next step".to_owned());
            processes.push("chance".to_owned());
        }
        let signature = Signature {
            slots,
            processes,
            atoms,
            rewards: Vec::new(),
            observers: names,
            unit: TimeUnit::Cycles,
        };
        let agents = program.agents.len();
        Self {
            predicates,
            marks: Marks::default(),
            signature,
            memory,
            last_action,
            board,
            turn,
            pauses,
            rewards: Vec::new(),
            minds: (0..agents).map(|_| Table::default()).collect(),
            worlds: Table::default(),
            queues: Table::default(),
            acts: Table::default(),
            messages: Table::default(),
            percept_lists: Table::default(),
            deeds: Table::default(),
            revisions: (0..agents).map(|_| Cache::default()).collect(),
            deliveries: (0..agents).map(|_| Cache::default()).collect(),
            answers: (0..agents).map(|_| Cache::default()).collect(),
            wakings: (0..agents).map(|_| Cache::default()).collect(),
            longer: Cache::default(),
            executions: Cache::default(),
            ties: OnceLock::new(),
            likeness: OnceLock::new(),
            program,
        }
    }

    /// The mind behind a slot's number.
    pub(crate) fn mind(&self, agent: usize, number: u32) -> &Mind {
        &self.minds[agent].get(number).key
    }

    /// The environment's variables behind a slot's number.
    pub(crate) fn world(&self, number: u32) -> &Cells {
        &self.worlds.get(number).key
    }

    /// The actions behind a slot's number.
    pub(crate) fn queue(&self, number: u32) -> Vec<Act> {
        self.queues.get(number).key.iter().map(|&act| self.acts.get(act).key).collect()
    }

    /// The last action behind its slot's number.
    pub(crate) fn last_action(&self, number: u32) -> Option<Act> {
        number.checked_sub(1).map(|act| self.acts.get(act).key)
    }

    /// What was done.
    pub(crate) fn deed(&self, action: ActionId) -> &Deed {
        &self.deeds.get(action.0).key
    }

    /// What an agent perceives in a state of the environment.
    pub(crate) fn percepts(&self, world: u32, agent: usize) -> Result<&[TermId], Fault> {
        let known = self.worlds.get(world);
        let lists = known.known.percepts.get_or_init(|| {
            let list = |agent| {
                let list = match world::percepts(&self.program, &known.key, agent) {
                    // Nobody looks, and what it would see may have stood still.
                    Err(_) if !self.is_present(agent) => Vec::new(),
                    list => list.map_err(fault)?,
                };
                Ok(self.percept_lists.intern(list))
            };
            (0..self.program.agents.len()).map(list).collect()
        });
        let list = lists.as_ref().map_err(Clone::clone)?[agent];
        Ok(&self.percept_lists.get(list).key)
    }

    /// What an agent has in mind at first, if these are its initial beliefs: them, and in Jason their events and the
    /// initial goals.
    pub(crate) fn first_mind(&self, agent: usize, beliefs: &[TermId]) -> Mind {
        let own = SourceSet::only(Source::Own);
        let mind = Mind {
            phase: Phase::Mail,
            beliefs: beliefs.iter().map(|&term| Belief { term, sources: own }).collect(),
            events: Vec::new(),
            seats: Vec::new(),
            runnable: Vec::new(),
            favoured: None,
            asleep: Vec::new(),
            mail: Vec::new(),
        };
        if self.program.mode == Mode::Strict {
            return mind;
        }
        let mut choices = Choices::default();
        let mut thinker = Thinker::new(&self.program, agent, mind, &mut choices);
        // The interpreter adds them from the last to the first, so that queries see them in the order of the file.
        for &belief in beliefs.iter().rev() {
            thinker.post_belief(Sign::Added, belief, Source::Own);
        }
        for &term in &self.program.agents[agent].goals {
            let trigger = Trigger { sign: Sign::Added, kind: TriggerKind::Achieve, term };
            thinker.post(trigger, None, Source::Own);
        }
        thinker.mind
    }

    /// The same team, able to say what is earned of these rewards.
    pub(crate) fn earning(mut self, rewards: Vec<(String, Earning)>) -> Self {
        let name = |(name, _): &(String, Earning)| Reward { name: name.clone() };
        self.signature.rewards = rewards.iter().map(name).collect();
        self.rewards = rewards.into_iter().map(|(_, earning)| earning).collect();
        self
    }

    /// What an instance was created for.
    fn trigger_of(&self, agent: usize, instance: &Instance) -> Trigger {
        let plan = &self.program.agents[agent].plans[instance.plan as usize];
        Trigger { sign: plan.sign, kind: plan.kind, term: instance.trigger }
    }

    /// Whether an agent takes part.
    pub(crate) fn is_present(&self, agent: usize) -> bool {
        self.program.agents[agent].presence == Presence::Present
    }

    /// All steps that the team could take: agents in order, then the environment's queue, then its own steps in order, then
    /// the ends of waits.
    fn free_steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
        let mut target = state.to_vec();
        for agent in (0..self.program.agents.len()).filter(|&agent| self.is_present(agent)) {
            self.agent_steps(agent, state, &mut target, out)?;
        }
        self.environment_steps(state, &mut target, out)?;
        self.spontaneous_steps(state, &mut target, out)?;
        self.wakings(state, &mut target, out)
    }

    /// Every outcome of an agent's next step.
    fn think(&self, agent: usize, mind: &Mind, percepts: &[TermId]) -> Thought {
        let mut choices = Choices::default();
        let mut outcomes: Vec<Outcome> = Vec::new();
        // Scripts are counted, not outcomes: many choices may all lead to the same one.
        for _ in 0..MAX_OUTCOMES {
            let mut thinker = Thinker::new(&self.program, agent, mind.clone(), &mut choices);
            let deed = thinker.step(percepts).map_err(|trouble| self.trouble(agent, trouble))?;
            let Thinker { mind, sent, act, .. } = thinker;
            self.marks.mind(&mind);
            let sent = sent.iter().map(|&(to, message)| (to, self.messages.intern(message)));
            let outcome = Outcome {
                chance: choices.chance(),
                mind: self.minds[agent].intern(mind),
                deed: self.action_id(deed),
                sent: sent.collect(),
                act: act.map(|act| self.acts.intern(act)),
            };
            let repeats = |known: &Outcome| {
                known.mind == outcome.mind && known.deed == outcome.deed && known.sent == outcome.sent
            };
            match outcomes.iter_mut().find(|known| repeats(known)) {
                Some(known) => {
                    let both = known.chance.zip(outcome.chance);
                    known.chance = both.and_then(|(one, other)| one.checked_add(other));
                }
                None => outcomes.push(outcome),
            }
            if !choices.advance() {
                return Ok(outcomes.into());
            }
        }
        let name = self.program.terms.name(self.program.agents[agent].name);
        Err(fault(format!("a step of {name} has more than {MAX_OUTCOMES} outcomes")))
    }

    fn trouble(&self, agent: usize, trouble: Trouble) -> Fault {
        let name = || self.program.terms.name(self.program.agents[agent].name);
        fault(match trouble {
            Trouble::Fault(message) => message,
            Trouble::LargeTerm => {
                format!("bound exceeded: {} term size > {}", name(), self.program.bounds.terms)
            }
            Trouble::Fails => format!("a formula of {} has no value; this is a bug in the tool", name()),
        })
    }

    fn action_id(&self, deed: Deed) -> ActionId {
        ActionId(self.deeds.intern(deed))
    }

    fn agent_steps(
        &self,
        agent: usize,
        state: &State,
        target: &mut [u32],
        out: &mut Steps,
    ) -> Result<(), Fault> {
        // Executing ends a reasoning cycle: the unit of time is a cycle of some agent.
        let phase = self.minds[agent].get(state[MINDS + agent]).key.phase;
        let delay = u32::from(phase == Phase::Execute);
        self.with_thought(agent, state, |thought| {
            self.push_thought((agent, delay), thought, state, target, out)
        })?
    }

    /// Asks what an agent may do next.
    fn with_thought<R>(
        &self,
        agent: usize,
        state: &State,
        ask: impl FnOnce(&Thought) -> R,
    ) -> Result<R, Fault> {
        let number = state[MINDS + agent];
        let entry = self.minds[agent].get(number);
        let phase = entry.key.phase;
        let fresh;
        let thought = match (phase, self.memory) {
            (Phase::Revise, Memory::Kept) => {
                let world = self.worlds.get(state[WORLD]);
                self.percepts(state[WORLD], agent)?;
                let lists = world.known.percepts.get().and_then(|lists| lists.as_ref().ok());
                let list = lists.expect("the percepts were asked for")[agent];
                let percepts = &self.percept_lists.get(list).key;
                self.revisions[agent].get(number, list, || self.think(agent, &entry.key, percepts))
            }
            (_, Memory::Kept) => entry.known.thought.get_or_init(|| self.think(agent, &entry.key, &[])),
            (_, Memory::Bypassed) => {
                let percepts = self.percepts(state[WORLD], agent)?;
                fresh = self.think(agent, &entry.key, percepts);
                &fresh
            }
        };
        Ok(ask(thought))
    }

    fn push_thought(
        &self,
        (agent, delay): (usize, u32),
        thought: &Thought,
        state: &State,
        target: &mut [u32],
        out: &mut Steps,
    ) -> Result<(), Fault> {
        for outcome in thought.as_ref().map_err(Clone::clone)? {
            target[MINDS + agent] = outcome.mind;
            for &(to, message) in outcome.sent.iter().filter(|(to, _)| self.is_present(*to as usize)) {
                let slot = MINDS + to as usize;
                target[slot] = self.deliver(to as usize, target[slot], message)?;
            }
            if let Some(act) = outcome.act {
                target[QUEUE] = self.append(target[QUEUE], act)?;
            }
            if self.board.first.is_some() {
                let sent = outcome.sent.iter().map(|&(to, message)| (to, self.messages.get(message).key));
                let passed = Passed::of(self.deed(outcome.deed), sent);
                self.board.write(&self.program.terms, &self.predicates, &passed, target);
            }
            out.push(process(agent), outcome.deed, delay, target);
            target.copy_from_slice(state);
        }
        Ok(())
    }

    /// Puts a message into a mailbox.
    fn deliver(&self, to: usize, mind: u32, message: u32) -> Result<u32, Fault> {
        let compute = || {
            let mut mind = self.minds[to].get(mind).key.clone();
            self.receive(to, &mut mind, self.messages.get(message).key)?;
            Ok(self.minds[to].intern(mind))
        };
        match self.memory {
            Memory::Kept => self.deliveries[to].get(mind, message, compute).clone(),
            Memory::Bypassed => compute(),
        }
    }

    /// A message arrives in an agent's mailbox.
    pub(crate) fn receive(&self, agent: usize, mind: &mut Mind, message: Message) -> Result<(), Fault> {
        mind.mail.push(message);
        let bound = self.program.bounds.messages;
        if mind.mail.len() > bound as usize {
            let name = self.program.terms.name(self.program.agents[agent].name);
            return Err(fault(format!("bound exceeded: {name} messages > {bound}")));
        }
        self.marks.mind(mind);
        Ok(())
    }

    /// Whether so many actions may wait for the environment.
    pub(crate) fn check_actions(&self, actions: usize) -> Result<(), Fault> {
        let bound = self.program.bounds.actions;
        if actions > bound as usize {
            return Err(fault(format!("bound exceeded: actions > {bound}")));
        }
        Ok(())
    }

    /// Puts an action into the queue.
    fn append(&self, queue: u32, act: u32) -> Result<u32, Fault> {
        let compute = || {
            let mut actions = self.queues.get(queue).key.to_vec();
            actions.push(act);
            self.check_actions(actions.len())?;
            self.marks.queue(actions.len());
            Ok(self.queues.intern(actions.into()))
        };
        match self.memory {
            Memory::Kept => self.longer.get(queue, act, compute).clone(),
            Memory::Bypassed => compute(),
        }
    }
}

/// Process number `number`.
fn process(number: usize) -> ProcessId {
    ProcessId(u32::try_from(number).expect("a team has few processes"))
}

pub(crate) fn fault(message: String) -> Fault {
    Fault { message }
}

impl Model for Team {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn initial(&self, out: &mut Vec<Box<State>>) {
        let mut state = vec![0; self.signature.slots.len()];
        state[WORLD] = self.first_world();
        state[QUEUE] = self.queues.intern(Box::new([]));
        for agent in 0..self.program.agents.len() {
            let mind = self.first_mind(agent, &self.program.agents[agent].beliefs);
            self.marks.mind(&mind);
            state[MINDS + agent] = self.minds[agent].intern(mind);
        }
        out.push(state.into());
    }

    /// Agents in order, then the environment's queue, then its own steps in order, then the ends of waits.
    fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
        // What was sent and read is over with the next step.
        let mut calm;
        let state = match self.board.first {
            None => state,
            Some(_) => {
                calm = state.to_vec();
                self.board.clear(&mut calm);
                &calm
            }
        };
        match self.turn {
            Some(turn) => self.drawn_steps(turn, state, out),
            None => self.free_steps(state, out),
        }
    }

    fn holds(&self, atom: AtomId, state: &State) -> bool {
        let predicate = &self.predicates[atom.index()];
        let (word, bit) = (atom.index() / 64, atom.index() % 64);
        let Some(place) = predicate.place(self.last_action) else {
            return self.board.holds(atom.index(), state);
        };
        let bits = match place {
            QUEUE => {
                let queue = self.queues.get(state[QUEUE]);
                queue.known.bits.get_or_init(|| {
                    let head = queue.key.first().map(|&act| self.acts.get(act).key);
                    self.bits(|predicate| predicate.holds_of_action(&self.program, QUEUE, head))
                })
            }
            WORLD => {
                let world = self.worlds.get(state[WORLD]);
                world.known.bits.get_or_init(|| {
                    self.bits(|predicate| {
                        predicate.holds_of_world(&self.program, &world.key, &|agent| {
                            self.percepts(state[WORLD], agent).unwrap_or(&[])
                        })
                    })
                })
            }
            slot if Some(slot) == self.last_action => match state[slot].checked_sub(1) {
                None => return false,
                Some(act) => {
                    let act = self.acts.get(act);
                    act.known.bits.get_or_init(|| {
                        self.bits(|predicate| predicate.holds_of_action(&self.program, slot, Some(act.key)))
                    })
                }
            },
            slot => {
                let mind = self.minds[slot - MINDS].get(state[slot]);
                mind.known.bits.get_or_init(|| {
                    self.bits(|predicate| predicate.holds_of_mind(&self.program, slot - MINDS, &mind.key))
                })
            }
        };
        bits[word] >> bit & 1 == 1
    }

    fn facets(&self) -> Facets<'_> {
        // The board has one place for each message that claims ask for, whoever sends it; and a step wipes it.
        let no_board = self.board.first.is_none();
        let symmetry: Option<&dyn Symmetry> = if no_board { Some(self) } else { None };
        // Where the order of steps is drawn, it is no matter of indifference.
        let independence: Option<&dyn Independence> =
            if no_board && self.turn.is_none() { Some(self) } else { None };
        Facets { subjects: None, observation: Some(self), rewards: Some(self), symmetry, independence }
    }
}

impl Observation for Team {
    /// An agent sees its own configuration and nothing else: what is in the environment it sees once it has looked
    /// (`spec/claims/knowledge.md`).
    fn observe(&self, observer: ObserverId, state: &State, out: &mut Vec<u32>) {
        out.push(state[MINDS + observer.index()]);
    }
}

impl Rewards for Team {
    fn action_reward(&self, reward: RewardId, _state: &State, action: ActionId) -> Ratio {
        let earning = self.rewards.get(reward.index());
        earning.map_or(Ratio::ZERO, |earning| earning.earned(&self.program, self.deed(action)))
    }
}

impl Team {
    /// All predicates at once, as bits.
    fn bits(&self, holds: impl Fn(&Predicate) -> bool) -> Bits {
        let mut bits = vec![0u64; self.predicates.len().div_ceil(64)];
        for (number, predicate) in self.predicates.iter().enumerate() {
            bits[number / 64] |= u64::from(holds(predicate)) << (number % 64);
        }
        bits.into()
    }
}
