//! A team that acts (`spec/senglish/live.md`): the state of the model, advanced by what really happens instead of by chance.
//!
//! A cycle of the run is a step of the model, in two halves. [`Team::decide`] does the plan update with the choice that was made
//! and says what is to be done; [`Team::perceive`] does the belief update, in which news take the place of draws. Both use the
//! code of the model's own step, so a run in which the model gives every news a chance is a run of the model.

mod hearing;
pub(crate) mod naming;
mod orders;
mod situation;
mod update;

use std::sync::Arc;

use motet_model::{Actor, Alternative, Fault, Manifest, News, Order, Perceived, Situation, Skill, State};

use crate::program::Program;
use crate::semantics::{Choice, plans};
use orders::Calls;

/// More combinations of choices than this are not listed.
const MOST_ALTERNATIVES: usize = 1 << 16;

/// All agents of a project, acting.
pub(crate) struct Team {
    program: Arc<Program>,
    /// The state of the model: between the belief update and the plan update of a cycle.
    state: Box<State>,
    /// The same with the new plan indices, from the decision until the end of the cycle.
    decided: Option<Vec<u32>>,
    /// What was called.
    calls: Calls,
}

impl Team {
    /// The team at its start.
    pub(crate) fn new(program: Arc<Program>) -> Self {
        let calls = Calls::new(program.actions.len());
        let state = program.slots.iter().map(|slot| slot.initial).collect();
        Self { program, state, decided: None, calls }
    }

    /// The choices that the model's step offers in this state, in its order.
    fn choices(&self) -> Vec<Choice> {
        let mut choice = Choice::first(&self.program, &self.state);
        let mut list = vec![choice.clone()];
        while list.len() < MOST_ALTERNATIVES && choice.advance() {
            list.push(choice.clone());
        }
        list
    }

    /// `plan 4`, `asv plan 4`
    fn plan(&self, plan: usize) -> String {
        let plan = &self.program.plans[plan];
        match &self.program.agents[..] {
            [_] => format!("plan {}", plan.number),
            agents => format!("{} plan {}", agents[plan.agent].name, plan.number),
        }
    }
}

impl Actor for Team {
    fn manifest(&self) -> Manifest {
        let program = &*self.program;
        let mut actions: Vec<Skill> = Vec::new();
        for action in &program.actions {
            let feedbacks = action.feedbacks.iter().map(|(belief, _)| program.beliefs[*belief].text.clone());
            // Agents that share an action file have an action each, but it is one skill.
            let known = actions.iter_mut().find(|skill| skill.name == action.text);
            match known {
                Some(skill) => {
                    let more: Vec<String> =
                        feedbacks.filter(|text| !skill.feedbacks.contains(text)).collect();
                    skill.feedbacks.extend(more);
                }
                None => actions.push(Skill {
                    name: action.text.clone(),
                    repeat: action.repeat,
                    feedbacks: feedbacks.collect(),
                }),
            }
        }
        Manifest {
            agents: program.agents.iter().map(|agent| agent.name.clone()).collect(),
            actions,
            percepts: program.percepts.iter().map(|p| program.beliefs[p.belief].text.clone()).collect(),
        }
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn alternatives(&self) -> Vec<Alternative> {
        let text = |choice: &Choice| {
            let plans = choice.plans(&self.program).into_iter().map(|plan| self.plan(plan));
            plans.collect::<Vec<_>>().join(", ")
        };
        let of = |choice: &Choice| Alternative { action: choice.action(&self.program), text: text(choice) };
        self.choices().iter().map(of).collect()
    }

    fn decide(&mut self, alternative: usize) -> Result<Vec<Order>, Fault> {
        if self.decided.is_some() {
            return Err(Fault { message: "this cycle was decided already".to_owned() });
        }
        let choices = self.choices();
        let Some(choice) = choices.get(alternative) else {
            let message = format!("there is no alternative {alternative}; there are {}", choices.len());
            return Err(Fault { message });
        };
        let mut next = self.state.to_vec();
        plans::update(&self.program, &self.state, choice, &mut next);
        let orders = self.calls.orders(&self.program, &self.state, &next);
        self.decided = Some(next);
        Ok(orders)
    }

    fn perceive(&mut self, news: &[News]) -> Result<Perceived, Fault> {
        let Some(before) = self.decided.take() else {
            return Err(Fault { message: "this cycle was not decided yet".to_owned() });
        };
        let heard = hearing::listen(&self.program, &self.calls, &before, news);
        let (next, perceived) = update::believe(&self.program, &before, &heard)?;
        self.calls.close(&heard);
        self.state = next.into();
        Ok(perceived)
    }

    fn place(&mut self, situation: &Situation) -> Result<(), Vec<String>> {
        self.state = situation::state(&self.program, situation)?.into();
        self.decided = None;
        self.calls.forget();
        Ok(())
    }
}
