//! Ends of waits: each formula at which an agent waits for time to pass has a process that ends the waits there, at any
//! moment, and under fairness at some moment.

use motet_model::{Fault, State, Steps};

use crate::program::Program;
use crate::semantics::choices::Choices;
use crate::semantics::deed::Deed;
use crate::semantics::mind::{Mind, SeatId};
use crate::semantics::rest::Pause;
use crate::semantics::team::{MINDS, Memory, Team, process};
use crate::semantics::thinker::Thinker;

/// The names of the processes; formulas with the same words are told apart by their number.
pub(super) fn names(program: &Program, pauses: &[Pause]) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(pauses.len());
    for pause in pauses {
        let agent = &program.agents[pause.agent];
        let formula = &agent.plans[pause.plan as usize].body[pause.formula as usize].text;
        let plain = format!("{formula} of {}", program.terms.name(agent.name));
        let same = |name: &&String| **name == plain || name.starts_with(&format!("{plain} ("));
        let known = names.iter().filter(same).count();
        names.push(if known == 0 { plain } else { format!("{plain} ({})", known + 1) });
    }
    names
}

impl Team {
    /// The waits that can be over now.
    pub(super) fn wakings(&self, state: &State, target: &mut [u32], out: &mut Steps) -> Result<(), Fault> {
        let first = self.program.agents.len() + 1 + self.program.environment.steps.len();
        for (number, pause) in self.pauses.iter().enumerate() {
            let slot = MINDS + pause.agent;
            let mind = self.mind(pause.agent, state[slot]);
            for seat in pause.seats(mind) {
                target[slot] = self.woken(pause.agent, state[slot], seat)?;
                let instance = mind.instance(seat).expect("only instances wait");
                let agent = u32::try_from(pause.agent).expect("a team has few agents");
                let trigger = self.trigger_of(pause.agent, instance);
                let deed = Deed::Wake { agent, plan: pause.plan, formula: pause.formula, trigger };
                out.push(process(first + number), self.action_id(deed), 0, target);
                target.copy_from_slice(state);
            }
        }
        Ok(())
    }

    /// The agent whose waits a process ends.
    pub(super) fn sleeper(&self, process: usize) -> Option<usize> {
        let first = self.program.agents.len() + 1 + self.program.environment.steps.len();
        process.checked_sub(first).and_then(|number| self.pauses.get(number)).map(|pause| pause.agent)
    }

    fn woken(&self, agent: usize, mind: u32, seat: SeatId) -> Result<u32, Fault> {
        let compute = || {
            let before = self.minds[agent].get(mind).key.clone();
            Ok(self.minds[agent].intern(self.awake(agent, before, seat)?))
        };
        match self.memory {
            Memory::Kept => self.wakings[agent].get(mind, seat.0, compute).clone(),
            Memory::Bypassed => compute(),
        }
    }

    /// The mind of an agent after a wait of it.
    pub(super) fn awake(&self, agent: usize, mind: Mind, seat: SeatId) -> Result<Mind, Fault> {
        let mut choices = Choices::default();
        let mut thinker = Thinker::new(&self.program, agent, mind, &mut choices);
        thinker.wake(seat).map_err(|trouble| self.trouble(agent, trouble))?;
        Ok(thinker.mind)
    }
}
