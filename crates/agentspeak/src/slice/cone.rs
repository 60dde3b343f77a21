//! What a set of predicates can depend on: the cone of influence (Clarke, Grumberg and Peled 1999, section 13.2) over agents
//! and over the cells of the environment. `spec/agentspeak/slices.md` says what influences what.

use std::ops::Range;

use crate::atoms::{Fact, MindTest, Predicate};
use crate::program::{ActionRule, Audience, Effect, Mode, Percept, Program, Value};
use crate::semantics::world::{evaluate, truth};
use crate::slice::cells::{CellSet, Known, add_effect_reads, add_reads, may_write, target};
use crate::slice::conduct::Conduct;
use crate::slice::mentions::Mentions;
use crate::term::Term;

/// What the predicates can depend on.
pub(super) struct Cone<'a> {
    program: &'a Program,
    conducts: Vec<Conduct>,
    mentions: Vec<Mentions<'a>>,
    /// Percepts that a predicate speaks of.
    asked: Vec<bool>,
    /// Reactions that are due before anybody has moved.
    due: Vec<bool>,
    /// Agents that matter.
    pub(super) agents: Vec<bool>,
    /// Cells that matter.
    pub(super) cells: CellSet,
    /// Steps of the environment that matter.
    pub(super) steps: Vec<bool>,
    /// Reactions of the environment that matter.
    pub(super) reactions: Vec<bool>,
}

impl<'a> Cone<'a> {
    /// That of these predicates.
    pub(super) fn of(program: &'a Program, predicates: &[Predicate]) -> Self {
        let n_agents = program.agents.len();
        let environment = &program.environment;
        let due = environment.reactions.iter().map(|reaction| {
            let mut locals = vec![Value::None; reaction.n_locals];
            let when = evaluate(environment, &environment.initial, &mut locals, &reaction.when);
            when.and_then(truth).unwrap_or(true)
        });
        let mut cone = Self {
            program,
            conducts: (0..n_agents).map(|agent| Conduct::of(program, agent)).collect(),
            mentions: program.agents.iter().map(|agent| Mentions::of(&program.terms, agent)).collect(),
            asked: vec![false; environment.percepts.len()],
            due: due.collect(),
            agents: vec![false; n_agents],
            cells: CellSet::none(environment),
            steps: vec![false; environment.steps.len()],
            reactions: vec![false; environment.reactions.len()],
        };
        predicates.iter().for_each(|predicate| cone.ask(predicate));
        loop {
            let before = cone.size();
            cone.follow_percepts();
            cone.follow_actions();
            cone.follow_steps();
            cone.follow_reactions();
            cone.follow_agents();
            if cone.size() == before {
                return cone;
            }
        }
    }

    fn size(&self) -> usize {
        let marked = self.agents.iter().chain(&self.steps).chain(&self.reactions);
        marked.filter(|matters| **matters).count() + self.cells.len()
    }

    fn ask(&mut self, predicate: &Predicate) {
        match predicate {
            Predicate::Mind(agent, test) => {
                self.agents[*agent] = true;
                if let MindTest::Believes(condition) = test {
                    self.mentions[*agent].condition(condition);
                }
            }
            Predicate::World(fact) => self.ask_fact(fact),
            // It is over with the next step, whoever takes it.
            Predicate::Sends(..) | Predicate::Reads(..) => {
                self.agents.fill(true);
                self.steps.fill(true);
                self.reactions.fill(true);
            }
            // Everybody's actions wait in one queue, and the last one is whoever's it is.
            Predicate::Next(..) | Predicate::Last(..) => {
                for (agent, conduct) in self.agents.iter_mut().zip(&self.conducts) {
                    *agent |= !conduct.acts.is_empty();
                }
            }
        }
    }

    fn ask_fact(&mut self, fact: &Fact) {
        match fact {
            Fact::Percept(pattern) => {
                let shape = match pattern {
                    crate::program::Pattern::Structure(name, args) => Some((*name, args.len())),
                    crate::program::Pattern::Ground(term) => match self.program.terms.get(*term) {
                        Term::Structure(name, args) => Some((*name, args.len())),
                        _ => None,
                    },
                    _ => None,
                };
                let percepts = &self.program.environment.percepts;
                for (asked, percept) in self.asked.iter_mut().zip(percepts) {
                    *asked |= shape.is_none_or(|shape| shape == (percept.name, percept.args.len()));
                }
            }
            Fact::Expr(expr) => {
                add_reads(&self.program.environment, &Vec::new(), expr, &mut self.cells);
            }
            Fact::Not(of) => self.ask_fact(of),
            Fact::And(left, right) | Fact::Or(left, right) => {
                self.ask_fact(left);
                self.ask_fact(right);
            }
        }
    }

    /// Whether a percept is looked at: by a predicate, or by an agent that matters. In AgentSpeak(F) every percept is an event
    /// of everybody who perceives it; in Jason only those are that the agent's text speaks of.
    pub(super) fn is_read(&self, number: usize) -> bool {
        let percept = &self.program.environment.percepts[number];
        let reads = |agent: usize| {
            let told = self.program.mode == Mode::Strict
                || self.mentions[agent].includes(percept.name, percept.args.len());
            self.agents[agent] && perceives(percept, agent) && told
        };
        self.asked[number] || (0..self.agents.len()).any(reads)
    }

    /// Whether somebody who matters perceives it.
    pub(super) fn is_perceived(&self, number: usize) -> bool {
        let percept = &self.program.environment.percepts[number];
        (0..self.agents.len()).any(|agent| self.agents[agent] && perceives(percept, agent))
    }

    fn follow_percepts(&mut self) {
        let environment = &self.program.environment;
        for (number, percept) in environment.percepts.iter().enumerate() {
            if !self.is_read(number) {
                continue;
            }
            for agent in 0..self.agents.len() {
                if !perceives(percept, agent) || !(self.agents[agent] || self.asked[number]) {
                    continue;
                }
                let mut known: Known = vec![None; percept.n_locals];
                if let Audience::Each(local) = percept.to {
                    known[local] = Some(Value::Symbol(self.program.agents[agent].name));
                }
                let members: Vec<Option<Value>> = match percept.each {
                    Some((sort, _)) => environment.sorts[sort].1.iter().copied().map(Some).collect(),
                    None => vec![None],
                };
                for member in members {
                    if let Some((_, local)) = percept.each {
                        known[local] = member;
                    }
                    for expr in percept.when.iter().chain(&percept.args) {
                        add_reads(environment, &known, expr, &mut self.cells);
                    }
                }
            }
        }
    }

    /// What a rule for an action may know when somebody who matters acts.
    pub(super) fn uses(&self, rule: &ActionRule) -> Vec<Known> {
        let mut uses: Vec<Known> = Vec::new();
        for (agent, member) in self.program.agents.iter().enumerate().filter(|(at, _)| self.agents[*at]) {
            for known in self.conducts[agent].acts.iter().filter_map(|act| act.met_by(rule, member)) {
                if !uses.contains(&known) {
                    uses.push(known);
                }
            }
        }
        uses
    }

    /// Whether an action of somebody who matters is executed or refused is told truly even where nothing depends on it.
    fn follow_actions(&mut self) {
        let environment = &self.program.environment;
        for rule in &environment.actions {
            let uses = self.uses(rule);
            let effects = self.stripped(&rule.effects, &uses, &mut Vec::new());
            for known in &uses {
                rule.when.iter().for_each(|when| add_reads(environment, known, when, &mut self.cells));
                add_effect_reads(environment, known, &effects, &mut self.cells);
            }
        }
    }

    fn follow_steps(&mut self) {
        let environment = &self.program.environment;
        let stirred = self.is_stirred();
        for (number, step) in environment.steps.iter().enumerate() {
            let known: Known = vec![None; step.n_locals];
            if stirred || may_write(environment, &known, &step.effects, &self.cells) {
                self.steps[number] = true;
                step.when.iter().for_each(|when| add_reads(environment, &known, when, &mut self.cells));
                self.follow_effects(&step.effects, known);
            }
        }
    }

    fn follow_reactions(&mut self) {
        let environment = &self.program.environment;
        for (number, reaction) in environment.reactions.iter().enumerate() {
            let known: Known = vec![None; reaction.n_locals];
            if may_write(environment, &known, &reaction.effects, &self.cells) {
                self.reactions[number] = true;
                add_reads(environment, &known, &reaction.when, &mut self.cells);
                self.follow_effects(&reaction.effects, known);
            }
        }
    }

    fn follow_effects(&mut self, effects: &[Effect], known: Known) {
        let uses = [known];
        let effects = self.stripped(effects, &uses, &mut Vec::new());
        add_effect_reads(&self.program.environment, &uses[0], &effects, &mut self.cells);
    }

    /// Reactions come after actions and steps, and what changes nothing that matters leaves them settled. Only those that are
    /// due from the start wait for the first move of anybody.
    fn is_stirred(&self) -> bool {
        self.reactions.iter().zip(&self.due).any(|(matters, due)| *matters && *due)
    }

    fn follow_agents(&mut self) {
        let stirred = self.is_stirred();
        for (agent, conduct) in self.conducts.iter().enumerate() {
            let writes = || conduct.writes_to.iter().any(|&to| self.agents[to]);
            let acts = || !conduct.acts.is_empty() && (stirred || self.changes(agent));
            if !self.agents[agent] && (writes() || acts()) {
                self.agents[agent] = true;
            }
        }
    }

    /// Whether an action of this agent may change a cell that matters.
    fn changes(&self, agent: usize) -> bool {
        let environment = &self.program.environment;
        let member = &self.program.agents[agent];
        let acts = &self.conducts[agent].acts;
        environment.actions.iter().any(|rule| {
            let uses = acts.iter().filter_map(|act| act.met_by(rule, member));
            uses.into_iter().any(|known| may_write(environment, &known, &rule.effects, &self.cells))
        })
    }

    /// The effects without assignments that change nothing that matters in any of these uses, and without the branches that
    /// are then empty. The variables of what is gone are noted.
    pub(super) fn stripped(&self, effects: &[Effect], uses: &[Known], gone: &mut Vec<usize>) -> Vec<Effect> {
        let environment = &self.program.environment;
        let mut kept = Vec::new();
        for effect in effects {
            match effect {
                Effect::Assign(variable, ..) | Effect::AssignAll(variable, _) => {
                    let cells =
                        |known: &Known| -> Option<Range<usize>> { target(environment, known, effect) };
                    if uses.iter().filter_map(cells).any(|cells| self.cells.meets(cells)) {
                        kept.push(effect.clone());
                    } else if !uses.is_empty() {
                        gone.push(*variable);
                    }
                }
                Effect::If(condition, then, otherwise) => {
                    let (then, otherwise) =
                        (self.stripped(then, uses, gone), self.stripped(otherwise, uses, gone));
                    if !then.is_empty() || !otherwise.is_empty() {
                        kept.push(Effect::If(condition.clone(), then, otherwise));
                    }
                }
                Effect::Either(options) => {
                    let options: Vec<Vec<Effect>> =
                        options.iter().map(|option| self.stripped(option, uses, gone)).collect();
                    if options.iter().any(|option| !option.is_empty()) {
                        kept.push(Effect::Either(options));
                    }
                }
                Effect::Chance(branches) => {
                    let branches: Vec<_> = branches
                        .iter()
                        .map(|(chance, body)| (*chance, self.stripped(body, uses, gone)))
                        .collect();
                    if branches.iter().any(|(_, body)| !body.is_empty()) {
                        kept.push(Effect::Chance(branches));
                    }
                }
            }
        }
        kept
    }
}

fn perceives(percept: &Percept, agent: usize) -> bool {
    match percept.to {
        Audience::Everyone | Audience::Each(_) => true,
        Audience::Agent(only) => only == agent,
    }
}
