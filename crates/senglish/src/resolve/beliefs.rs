//! Which sentence is what: a percept, a feedback or a note (Izzo 2016, section 4.3, belief variables).

use motet_source::Problem;

use super::Resolver;
use crate::formula::Formula;
use crate::program::{Action, Agent, Belief, BeliefKind, Distribution, Note, Percept};
use crate::resolve::checks;
use crate::sentence::{Sentence, identifier, nearest};
use crate::syntax::{ActionKind, DistributionTree, PerceptTree, PlanTree, Repeat};

impl Resolver<'_> {
    /// Gives every belief of every agent a number.
    pub(crate) fn name_beliefs(&mut self) {
        for number in 0..self.project.members.len() {
            let name = self.project.members[number].name.clone();
            self.program.agents.push(Agent { name, beliefs: Vec::new(), plans: Vec::new() });
            self.name_feedbacks(number);
            self.name_percepts(number);
            self.name_notes(number);
        }
    }

    /// The belief of an agent with this sentence.
    pub(crate) fn find(&self, agent: usize, key: &str) -> Option<usize> {
        let known = &self.program.agents[agent].beliefs;
        known.iter().copied().find(|belief| self.program.beliefs[*belief].key == key)
    }

    /// The belief that a condition or trigger speaks of; a problem when there is none.
    pub(crate) fn belief(&mut self, agent: usize, sentence: &Sentence) -> Option<usize> {
        let found = self.find(agent, &sentence.key);
        if found.is_none() {
            let known = &self.program.agents[agent].beliefs;
            let texts = known.iter().map(|belief| self.program.beliefs[*belief].text.as_str());
            let help = match nearest(&sentence.text, texts) {
                Some(near) => format!("did you mean ^[{near}]?"),
                None => "list it under PERCEPTION PROCESS, or let a plan or rule add it".to_owned(),
            };
            let message = format!("nothing makes `{}` true", sentence.text);
            self.error("M0873", sentence.span, message, help);
        }
        found
    }

    fn add_belief(&mut self, agent: usize, sentence: &Sentence, kind: BeliefKind) -> usize {
        let number = self.program.beliefs.len();
        let owner = (kind != BeliefKind::Percept).then_some(agent);
        self.program.beliefs.push(Belief {
            text: sentence.text.clone(),
            key: sentence.key.clone(),
            kind,
            slot: 0,
            agent: owner,
            span: sentence.span,
        });
        self.program.agents[agent].beliefs.push(number);
        number
    }

    /// Whether an agent has to do with an action file: alone it has all of them, in a team those it calls or listens to.
    fn concerns(&self, agent: usize, procedure: usize) -> bool {
        let tree = self.project.members[agent].tree;
        let listed = self.project.procedures[procedure].feedbacks.iter().any(|feedback| {
            tree.percepts.iter().any(|percept| percept.sentence.key == feedback.sentence.key)
        });
        let externals =
            tree.plans.iter().flat_map(|plan| &plan.actions).filter_map(|action| match &action.node.kind {
                ActionKind::External(sentence) => Some(sentence),
                ActionKind::Add(_) | ActionKind::Delete(_) => None,
            });
        let mut called = externals.chain(&tree.actions);
        self.project.members.len() == 1
            || listed
            || called.any(|sentence| self.procedure(agent, sentence) == Some(procedure))
    }

    /// Actions and their feedbacks.
    fn name_feedbacks(&mut self, agent: usize) {
        for procedure in self.project.members[agent].procedures.clone() {
            let tree = &self.project.procedures[procedure];
            let Some(first) = tree.sentences.first() else { continue };
            if !self.concerns(agent, procedure) {
                continue;
            }
            self.same_sentence(agent, procedure);
            let mut feedbacks = Vec::new();
            for feedback in &tree.feedbacks {
                if let Some(known) = self.find(agent, &feedback.sentence.key) {
                    let message = format!("two actions report `{}`", feedback.sentence.text);
                    let help =
                        "give each action a feedback of its own, or the agent cannot tell which is done";
                    let problem = Problem::error("M0876", feedback.sentence.span, message, help);
                    self.problems.push(problem.also(self.program.beliefs[known].span, "the other one"));
                    continue;
                }
                let belief = self.add_belief(agent, &feedback.sentence, BeliefKind::Feedback);
                feedbacks.push((belief, feedback.numbers.chance));
            }
            let numbers = tree.feedbacks.first().map(|feedback| feedback.numbers);
            self.action_of.push((agent, procedure));
            self.program.actions.push(Action {
                agent,
                name: identifier(&first.key),
                text: first.text.clone(),
                keys: tree.sentences.iter().map(|sentence| sentence.key.clone()).collect(),
                feedbacks,
                mean: numbers.map_or(1, |numbers| numbers.mean),
                spread: numbers.map_or(0, |numbers| numbers.spread),
                callers: Vec::new(),
                initial: false,
                repeat: match &tree.mode {
                    Some((_, mode)) if mode.node == Repeat::Repeated => motet_model::Repeat::Repeated,
                    _ => motet_model::Repeat::Once,
                },
                arguments: Vec::new(),
            });
        }
    }

    /// Two action files of one agent cannot have the same sentence, unless one is its own and the other shared.
    fn same_sentence(&mut self, agent: usize, procedure: usize) {
        let trees = self.project.procedures;
        for sentence in &trees[procedure].sentences {
            let others: Vec<usize> =
                self.action_of.iter().filter(|(owner, _)| *owner == agent).map(|(_, other)| *other).collect();
            for other in others {
                let same = trees[other].sentences.iter().find(|known| known.key == sentence.key);
                if let Some(same) = same {
                    let message = format!("two action files say `{}`", sentence.text);
                    let problem =
                        Problem::error("M0876", sentence.span, message, "change one of the sentences");
                    self.problems.push(problem.also(same.span, "the other one"));
                }
            }
        }
    }

    /// The lines under `Monitor the following booleans:`.
    fn name_percepts(&mut self, agent: usize) {
        let tree = self.project.members[agent].tree;
        for (number, percept) in tree.percepts.iter().enumerate() {
            let sentence = &percept.sentence;
            if let Some(first) = tree.percepts[..number].iter().find(|p| p.sentence.key == sentence.key) {
                let message = format!("`{}` is listed twice", sentence.text);
                let problem = Problem::error("M0876", sentence.span, message, "keep one of the lines");
                self.problems.push(problem.also(first.sentence.span, "the first one"));
                continue;
            }
            match (self.find(agent, &sentence.key), &percept.numbers) {
                (Some(_), None) => self.feedback_line(percept),
                (Some(feedback), Some(_)) => {
                    let message = format!("`{}` is a feedback of an action already", sentence.text);
                    let help = "take its numbers away here: an action file says how it comes";
                    let problem = Problem::error("M0876", sentence.span, message, help);
                    self.problems.push(problem.also(self.program.beliefs[feedback].span, "the feedback"));
                }
                (None, None) => {
                    let members = self.program.agents[agent].beliefs.iter();
                    let texts = members.map(|belief| self.program.beliefs[*belief].text.as_str());
                    let help = match nearest(&sentence.text, texts) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => "give it numbers, {[],[p,mu,sigma],[p,mu,sigma]}, or name it in an action file's performance feedback".to_owned(),
                    };
                    let message = format!("`{}` has no numbers, and no action reports it", sentence.text);
                    self.error("M0877", sentence.span, message, help);
                    // It counts as known, so that its uses are not reported as well.
                    self.add_belief(agent, sentence, BeliefKind::Percept);
                }
                (None, Some(_)) => self.name_percept(agent, sentence),
            }
        }
        self.unlisted(agent);
    }

    fn feedback_line(&mut self, percept: &PerceptTree) {
        if let Some(reward) = percept.rewards.first() {
            let help = "write the reward on the actions that call it, or on a sensory percept";
            self.error("M0884", reward.name.span, "a feedback earns nothing", help);
        }
    }

    /// A percept that another agent has already is the same percept.
    fn name_percept(&mut self, agent: usize, sentence: &Sentence) {
        let shared = |belief: &Belief| belief.kind == BeliefKind::Percept && belief.key == sentence.key;
        match self.program.beliefs.iter().position(shared) {
            Some(belief) => self.program.agents[agent].beliefs.push(belief),
            None => {
                self.add_belief(agent, sentence, BeliefKind::Percept);
            }
        }
    }

    /// Feedbacks may be left out of the list (section 3.4), but a reader looks for them there.
    fn unlisted(&mut self, agent: usize) {
        let tree = self.project.members[agent].tree;
        for (owner, procedure) in self.action_of.clone() {
            if owner != agent {
                continue;
            }
            for feedback in &self.project.procedures[procedure].feedbacks {
                let listed =
                    tree.percepts.iter().any(|percept| percept.sentence.key == feedback.sentence.key);
                if !listed {
                    let message = format!("the feedback `{}` is not listed", feedback.sentence.text);
                    let help = "write it, with a dot, under `Monitor the following booleans:`";
                    self.problems.push(Problem::hint("M0878", feedback.sentence.span, message, help));
                }
            }
        }
    }

    /// Notes: what plans and rules add or delete, and initial beliefs that are nothing else.
    fn name_notes(&mut self, agent: usize) {
        let tree = self.project.members[agent].tree;
        let internal = |plan: &PlanTree| -> Vec<Sentence> {
            let notes = plan.actions.iter().filter_map(|action| match &action.node.kind {
                ActionKind::Add(sentence) | ActionKind::Delete(sentence) => Some(sentence.clone()),
                ActionKind::External(_) => None,
            });
            notes.collect()
        };
        let initial = tree.beliefs.iter().map(|belief| belief.sentence.clone());
        let concluded = tree.rules.iter().map(|rule| rule.conclusion.clone());
        let all: Vec<Sentence> =
            initial.chain(concluded).chain(tree.plans.iter().flat_map(internal)).collect();
        for sentence in all {
            if self.find(agent, &sentence.key).is_none() {
                let belief = self.add_belief(agent, &sentence, BeliefKind::Note);
                self.program.notes.push(Note {
                    belief,
                    added: Vec::new(),
                    deleted: Vec::new(),
                    raised: Formula::False,
                    lowered: Formula::False,
                });
            }
        }
    }

    /// Numbers, conditions and rewards of the percepts.
    pub(crate) fn percepts(&mut self) {
        for agent in 0..self.project.members.len() {
            let tree = self.project.members[agent].tree;
            for percept in &tree.percepts {
                self.percept(agent, percept);
            }
        }
    }

    fn percept(&mut self, agent: usize, tree: &PerceptTree) {
        let Some(numbers) = &tree.numbers else { return };
        checks::distribution(numbers.activation, &mut self.problems);
        checks::distribution(numbers.deactivation, &mut self.problems);
        let mut gate = Vec::new();
        for condition in &numbers.conditions {
            let whose = match &condition.agent {
                None => Some(agent),
                Some(name) => self.member(name),
            };
            let belief = whose.and_then(|whose| self.belief(whose, &condition.sentence));
            gate.extend(belief.map(|belief| Formula::Test(belief, crate::formula::Comparison::Equal, 1)));
        }
        // The tests name beliefs here; `lay_out` turns them into slots.
        let gate = Formula::all(gate).canonical();
        let Some(belief) = self.find(agent, &tree.sentence.key) else { return };
        if self.program.beliefs[belief].kind != BeliefKind::Percept {
            return;
        }
        let rewards = self.rewards(&tree.rewards);
        let (activation, deactivation) = (of(numbers.activation), of(numbers.deactivation));
        let known = self.program.percepts.iter().find(|percept| percept.belief == belief);
        let Some(known) = known else {
            let percept = Percept { belief, counter: None, gate, activation, deactivation, rewards };
            self.program.percepts.push(percept);
            return;
        };
        let same = (known.activation, known.deactivation, &known.gate, &known.rewards)
            == (activation, deactivation, &gate, &rewards);
        if !same && self.program.beliefs[belief].span != tree.sentence.span {
            let message = format!("agents give `{}` different numbers", tree.sentence.text);
            let help =
                "agents that list the same percept share it: write the same conditions, numbers and rewards";
            let problem = Problem::error("M0886", numbers.span, message, help);
            self.problems.push(problem.also(self.program.beliefs[belief].span, "the other agent's line"));
        }
    }

    fn member(&mut self, name: &motet_source::Spanned<String>) -> Option<usize> {
        let members = &self.project.members;
        let found = members.iter().position(|member| member.name == identifier(&name.node));
        if found.is_none() {
            let help = match nearest(&name.node, members.iter().map(|member| member.name.as_str())) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!(
                    "the agents are {}",
                    crate::words::listed(members.iter().map(|m| m.name.as_str()))
                ),
            };
            self.error("M0873", name.span, format!("there is no agent `{}`", name.node), help);
        }
        found
    }
}

fn of(tree: DistributionTree) -> Distribution {
    Distribution { chance: tree.chance, mean: tree.mean, spread: tree.spread }
}
