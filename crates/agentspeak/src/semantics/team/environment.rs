//! What the environment does in a step: it consumes an action, or takes a declared step of its own.

use motet_model::{ActionId, Fault, ProcessId, Ratio, State, Steps};

use crate::program::Value;
use crate::semantics::choices::Choices;
use crate::semantics::deed::{Deed, Failure, Fate};
use crate::semantics::effects::{self, Distribution};
use crate::semantics::mind::{Mind, SeatId};
use crate::semantics::stack::Executed;
use crate::semantics::team::{MINDS, Memory, QUEUE, Team, WORLD, fault, process};
use crate::semantics::thinker::{Act, Thinker};
use crate::semantics::world;

/// A declared step of the environment that is enabled: its outcomes are a choice.
#[derive(Clone, Debug)]
pub(super) struct Spontaneous {
    rule: u32,
    alternatives: Box<[Alternative]>,
}

/// An action that the environment executed or refused.
#[derive(Clone, Debug)]
pub(super) struct Performed {
    fate: Fate,
    alternatives: Box<[Alternative]>,
}

/// One choice: a deed, then chance.
#[derive(Clone, Debug)]
struct Alternative {
    deed: ActionId,
    to: Option<u32>,
    branches: Box<[(Ratio, u32)]>,
}

impl Team {
    /// The environment consumes the first action.
    pub(super) fn environment_steps(
        &self,
        state: &State,
        target: &mut [u32],
        out: &mut Steps,
    ) -> Result<(), Fault> {
        let queue = self.queues.get(state[QUEUE]);
        let Some(&act) = queue.key.first() else { return Ok(()) };
        let fresh;
        let compute = || self.perform(state[WORLD], act);
        let performed = match self.memory {
            Memory::Kept => self.executions.get(state[WORLD], act, compute),
            Memory::Bypassed => {
                fresh = compute();
                &fresh
            }
        };
        let Performed { fate, alternatives } = performed.as_ref().map_err(Clone::clone)?;
        target[QUEUE] = *queue.known.rest.get_or_init(|| self.queues.intern(queue.key[1..].into()));
        let act = self.acts.get(act).key;
        let mut failure = Failure::None;
        if let Some(seat) = act.seat {
            let executed = if *fate == Fate::Refused { Executed::Refused } else { Executed::Yes };
            let slot = MINDS + act.agent as usize;
            (target[slot], failure) = self.answer(act.agent as usize, state[slot], seat.0, executed)?;
        }
        if let Some(slot) = self.last_action
            && *fate != Fate::Refused
        {
            target[slot] = self.acts.intern(Act { seat: None, ..act }) + 1;
        }
        for alternative in alternatives {
            let deed = match failure {
                Failure::None => alternative.deed,
                _ => self.act_deed(act, *fate, state[WORLD], alternative.to, failure),
            };
            self.push(process(self.program.agents.len()), deed, &alternative.branches, target, out);
        }
        target.copy_from_slice(state);
        Ok(())
    }

    fn act_deed(&self, act: Act, fate: Fate, from: u32, to: Option<u32>, failure: Failure) -> ActionId {
        self.action_id(Deed::Act { agent: act.agent, action: act.action, fate, from, to, failure })
    }

    /// What the environment makes of an action in one of its states.
    fn perform(&self, from: u32, act: u32) -> Result<Performed, Fault> {
        let act = self.acts.get(act).key;
        let cells = &self.worlds.get(from).key;
        let rule = world::action_rule(&self.program, cells, act.agent as usize, act.action).map_err(fault)?;
        let Some((rule, locals)) = rule else {
            let absent = self.program.environment.name.is_empty();
            let fate = if absent { Fate::Unobserved } else { Fate::Refused };
            let deed = self.act_deed(act, fate, from, Some(from), Failure::None);
            let branches = Box::new([(Ratio::ONE, from)]);
            let alternatives = Box::new([Alternative { deed, to: Some(from), branches }]);
            return Ok(Performed { fate, alternatives });
        };
        let effects = &self.program.environment.actions[rule].effects;
        let outcomes = effects::outcomes(&self.program, cells, &locals, effects).map_err(fault)?;
        let fate = Fate::Rule(u32::try_from(rule).expect("an environment has few rules"));
        let deed = |to| self.act_deed(act, fate, from, to, Failure::None);
        Ok(Performed { fate, alternatives: self.alternatives(outcomes, deed) })
    }

    fn alternatives(
        &self,
        outcomes: Vec<Distribution>,
        deed: impl Fn(Option<u32>) -> ActionId,
    ) -> Box<[Alternative]> {
        let alternative = |distribution: Distribution| {
            let branches: Box<[(Ratio, u32)]> =
                distribution.into_iter().map(|(chance, cells)| (chance, self.worlds.intern(cells))).collect();
            let to = (branches.len() == 1).then(|| branches[0].1);
            Alternative { deed: deed(to), to, branches }
        };
        outcomes.into_iter().map(alternative).collect()
    }

    /// An agent learns what became of its action.
    fn answer(
        &self,
        agent: usize,
        mind: u32,
        seat: u32,
        executed: Executed,
    ) -> Result<(u32, Failure), Fault> {
        let compute = || {
            let before = self.minds[agent].get(mind).key.clone();
            let (mind, failure) = self.answered(agent, before, SeatId(seat), executed)?;
            Ok((self.minds[agent].intern(mind), failure))
        };
        let key = seat * 2 + u32::from(executed == Executed::Yes);
        match self.memory {
            Memory::Kept => self.answers[agent].get(mind, key, compute).clone(),
            Memory::Bypassed => compute(),
        }
    }

    /// The mind of an agent after it learnt what became of its action.
    pub(super) fn answered(
        &self,
        agent: usize,
        mind: Mind,
        seat: SeatId,
        executed: Executed,
    ) -> Result<(Mind, Failure), Fault> {
        let mut choices = Choices::default();
        let mut thinker = Thinker::new(&self.program, agent, mind, &mut choices);
        let failure = thinker.answer(seat, executed).map_err(|trouble| self.trouble(agent, trouble))?;
        self.marks.mind(&thinker.mind);
        Ok((thinker.mind, failure))
    }

    /// Steps that the environment takes of its own.
    pub(super) fn spontaneous_steps(
        &self,
        state: &State,
        target: &mut [u32],
        out: &mut Steps,
    ) -> Result<(), Fault> {
        if self.program.environment.steps.is_empty() {
            return Ok(());
        }
        let compute = || self.spontaneous(state[WORLD]);
        let computed;
        let steps = match self.memory {
            Memory::Kept => self.worlds.get(state[WORLD]).known.steps.get_or_init(compute),
            Memory::Bypassed => {
                computed = compute();
                &computed
            }
        };
        let first = self.program.agents.len() + 1;
        for step in steps.as_ref().map_err(Clone::clone)? {
            for alternative in &step.alternatives {
                let process = process(first + step.rule as usize);
                self.push(process, alternative.deed, &alternative.branches, target, out);
            }
        }
        target.copy_from_slice(state);
        Ok(())
    }

    fn spontaneous(&self, from: u32) -> Result<Box<[Spontaneous]>, Fault> {
        let (program, cells) = (&self.program, &self.worlds.get(from).key);
        let mut enabled = Vec::new();
        for (number, step) in (0u32..).zip(&program.environment.steps) {
            let mut locals = vec![Value::None; step.n_locals];
            if let Some(when) = &step.when {
                let when = world::evaluate(&program.environment, cells, &mut locals, when);
                if !when.and_then(world::truth).map_err(fault)? {
                    continue;
                }
            }
            let outcomes = effects::outcomes(program, cells, &locals, &step.effects).map_err(fault)?;
            let deed = |to| self.action_id(Deed::Step { rule: number, from, to });
            enabled.push(Spontaneous { rule: number, alternatives: self.alternatives(outcomes, deed) });
        }
        Ok(enabled.into())
    }

    /// The environment carries out an action, and chance and choice are drawn.
    pub(crate) fn carry_out(
        &self,
        from: u32,
        act: Act,
        draw: &mut dyn FnMut() -> u64,
    ) -> Result<(u32, Executed), Fault> {
        let Performed { fate, alternatives } = self.perform(from, self.acts.intern(act))?;
        let executed = if fate == Fate::Refused { Executed::Refused } else { Executed::Yes };
        Ok((drawn(&alternatives, draw), executed))
    }

    /// One of the steps that the environment could take of its own, or none: all of these are equally likely.
    pub(crate) fn stir(&self, from: u32, draw: &mut dyn FnMut() -> u64) -> Result<u32, Fault> {
        let enabled = self.spontaneous(from)?;
        let step = enabled.get(one_of(enabled.len() + 1, draw));
        Ok(step.map_or(from, |step| drawn(&step.alternatives, draw)))
    }

    fn push(
        &self,
        process: ProcessId,
        deed: ActionId,
        branches: &[(Ratio, u32)],
        target: &mut [u32],
        out: &mut Steps,
    ) {
        if let [(_, world)] = branches {
            target[WORLD] = *world;
            out.push(process, deed, 0, target);
            return;
        }
        let targets: Vec<(Ratio, Vec<u32>)> = branches
            .iter()
            .map(|&(chance, world)| {
                target[WORLD] = world;
                (chance, target.to_vec())
            })
            .collect();
        out.push_random(process, deed, 0, targets.iter().map(|(chance, target)| (*chance, &target[..])));
    }
}

/// One of `0..options`, each equally likely.
fn one_of(options: usize, draw: &mut dyn FnMut() -> u64) -> usize {
    if options <= 1 {
        return 0;
    }
    let place = (u128::from(draw()) * options as u128) >> 64;
    usize::try_from(place).expect("a product with 64 bits, shifted by as many, is below the other factor")
}

/// The state that a drawn alternative leads to by drawn chance.
fn drawn(alternatives: &[Alternative], draw: &mut dyn FnMut() -> u64) -> u32 {
    let branches = &alternatives[one_of(alternatives.len(), draw)].branches;
    let (&(_, last), others) = branches.split_last().expect("a distribution has an outcome");
    if others.is_empty() {
        return last;
    }
    // A number below 2^64 is drawn: each outcome takes its share of them, rounded down, and the last one what is left.
    let mut number = draw();
    for &(chance, world) in others {
        let share = chance.of_two_to_64();
        match u128::from(number).checked_sub(share) {
            None => return world,
            Some(rest) => number = u64::try_from(rest).expect("less than what was drawn"),
        }
    }
    last
}
