//! Plans, their groups, and what holds before the first cycle.

use motet_source::Problem;

use super::Resolver;
use crate::formula::{Comparison, Formula};
use crate::program::{BeliefKind, Deed, Group, Plan, PlanAction, TRUE, Watch};
use crate::sentence::Sentence;
use crate::syntax::{ActionKind, ActionTree, PlanTree, Relation, Sign, TriggerKind, TriggerTree};

/// Marks a test of a watch instead of a belief, until both have slots.
pub(crate) const WATCH: usize = 1 << 30;

impl Resolver<'_> {
    /// Numbers the plans.
    pub(crate) fn plans(&mut self) {
        for agent in 0..self.project.members.len() {
            let tree = self.project.members[agent].tree;
            for (number, plan) in tree.plans.iter().enumerate() {
                let number = u32::try_from(number + 1).unwrap_or(u32::MAX);
                self.plan(agent, number, plan);
            }
        }
    }

    fn plan(&mut self, agent: usize, number: u32, tree: &PlanTree) {
        let id = self.program.plans.len();
        let trigger = self.trigger(agent, &tree.trigger);
        let context = self.condition(agent, &tree.context);
        let mut actions = Vec::new();
        for (index, action) in tree.actions.iter().enumerate() {
            let index = u32::try_from(index + 1).unwrap_or(u32::MAX);
            actions.extend(self.plan_action(agent, (id, index), &action.node));
        }
        self.program.agents[agent].plans.push(id);
        self.program.plans.push(Plan {
            agent,
            number,
            slot: 0,
            condition: Formula::all([trigger.clone(), context.clone()]),
            trigger,
            context,
            actions,
            group: None,
            head: head(tree),
            span: tree.head,
        });
    }

    /// A trigger is a belief's value, or its change in this cycle (our own: the thesis speaks of events, but the model it
    /// generates tests the value).
    fn trigger(&mut self, agent: usize, tree: &TriggerTree) -> Formula {
        let Some(belief) = self.belief(agent, &tree.sentence) else { return Formula::False };
        let is = |value| Formula::Test(belief, Comparison::Equal, value);
        let (value, changed) = match tree.kind {
            TriggerKind::Holds => return is(TRUE),
            TriggerKind::HoldsNot => return is(0),
            TriggerKind::Added => (TRUE, TRUE),
            TriggerKind::Deleted => (0, 0),
        };
        let known = self.program.watches.iter().position(|watch| watch.belief == belief);
        let watch = known.unwrap_or_else(|| {
            self.program.watches.push(Watch { slot: 0, belief });
            self.program.watches.len() - 1
        });
        Formula::all([is(value), Formula::Test(WATCH + watch, Comparison::Unequal, changed)])
    }

    fn plan_action(&mut self, agent: usize, place: (usize, u32), tree: &ActionTree) -> Option<PlanAction> {
        let rewards = self.rewards(&tree.rewards);
        let (deed, text) = match &tree.kind {
            ActionKind::External(sentence) => (self.deed(agent, sentence)?, format!("[{}]", sentence.text)),
            ActionKind::Add(sentence) => {
                (Deed::Add(self.note(agent, sentence)?), format!("+^[{}]", sentence.text))
            }
            ActionKind::Delete(sentence) => {
                (Deed::Delete(self.note(agent, sentence)?), format!("-^[{}]", sentence.text))
            }
        };
        let mut done = Formula::True;
        let mut arguments = Vec::new();
        match deed {
            Deed::Call(action) => {
                if let ActionKind::External(sentence) = &tree.kind {
                    arguments = self.arguments(agent, action, &sentence.text);
                }
                let action = &mut self.program.actions[action];
                action.callers.push(place);
                if !action.feedbacks.is_empty() {
                    let tests = action
                        .feedbacks
                        .iter()
                        .map(|(belief, _)| Formula::Test(*belief, Comparison::Equal, TRUE));
                    done = Formula::any(tests);
                }
            }
            Deed::Stop(_) => {}
            Deed::Add(note) => self.program.notes[note].added.push(place),
            Deed::Delete(note) => self.program.notes[note].deleted.push(place),
        }
        Some(PlanAction { deed, done, rewards, text, arguments })
    }

    fn note(&mut self, agent: usize, sentence: &Sentence) -> Option<usize> {
        let belief = self.find(agent, &sentence.key)?;
        let note = self.program.notes.iter().position(|note| note.belief == belief);
        if note.is_none() {
            self.not_a_note(belief, sentence.span, "a plan");
        }
        note
    }

    /// Initial beliefs and actions.
    pub(crate) fn initial(&mut self) {
        for agent in 0..self.project.members.len() {
            let tree = self.project.members[agent].tree;
            for (number, belief) in tree.beliefs.iter().enumerate() {
                let sentence = &belief.sentence;
                let before = tree.beliefs[..number].iter().find(|other| other.sentence.key == sentence.key);
                if let Some(before) = before {
                    let message = format!("`{}` is there twice", sentence.text);
                    let problem = Problem::error("M0876", sentence.span, message, "keep one of them");
                    self.problems.push(problem.also(before.sentence.span, "the first one"));
                }
                let Some(found) = self.find(agent, &sentence.key) else { continue };
                if self.program.beliefs[found].kind == BeliefKind::Feedback && belief.sign == Sign::Holds {
                    self.not_a_note(found, sentence.span, "an initial belief");
                }
            }
            for (number, sentence) in tree.actions.iter().enumerate() {
                if tree.actions[..number].iter().any(|other| other.key == sentence.key) {
                    let message = format!("`{}` is there twice", sentence.text);
                    self.error("M0876", sentence.span, message, "keep one of them");
                }
                match self.deed(agent, sentence) {
                    Some(Deed::Call(action)) => {
                        self.program.actions[action].initial = true;
                        self.program.actions[action].arguments =
                            self.arguments(agent, action, &sentence.text);
                    }
                    Some(_) => {
                        let help =
                            "nothing runs before the first cycle; call an action, or take the line away";
                        self.error("M0875", sentence.span, "there is nothing to stop at the start", help);
                    }
                    None => {}
                }
            }
            self.never_true(agent);
        }
    }

    /// Notes that nothing can make true.
    fn never_true(&mut self, agent: usize) {
        let tree = self.project.members[agent].tree;
        let mut silent = Vec::new();
        for note in &self.program.notes {
            let belief = &self.program.beliefs[note.belief];
            let initial = tree
                .beliefs
                .iter()
                .any(|initial| initial.sentence.key == belief.key && initial.sign == Sign::Holds);
            let mine = belief.agent == Some(agent);
            if mine && !initial && note.added.is_empty() && note.raised == Formula::False {
                silent.push((belief.span, belief.text.clone()));
            }
        }
        for (span, text) in silent {
            let help = "let a plan or rule add it, or list it as an initial belief";
            self.warning("M0888", span, format!("nothing ever makes `{text}` true"), help);
        }
    }

    /// Plans of one agent with the same triggering condition form a group (theorem 4.2), and so do declared alternatives.
    pub(crate) fn groups(&mut self) {
        let first = self.first_of_groups();
        let mut radix: u32 = 1;
        for leader in 0..first.len() {
            let members: Vec<usize> = (leader..first.len()).filter(|plan| first[*plan] == leader).collect();
            if members.len() < 2 {
                continue;
            }
            let number = self.program.groups.len();
            for plan in &members {
                self.program.plans[*plan].group = Some(number);
            }
            let options = u32::try_from(members.len() + 1).unwrap_or(u32::MAX);
            let next = radix.checked_mul(options).filter(|_| members.len() <= MOST_ALTERNATIVES);
            self.program.groups.push(Group { plans: members, radix, chooses: true });
            let Some(next) = next else {
                let span = self.program.plans[leader].span;
                let help = "give plans conditions that exclude each other";
                self.error("M0896", span, "there are too many choices between plans", help);
                self.program.groups.clear();
                self.program.plans.iter_mut().for_each(|plan| plan.group = None);
                return;
            };
            radix = next;
        }
    }

    /// For each plan the first plan of its group.
    fn first_of_groups(&self) -> Vec<usize> {
        let plans = &self.program.plans;
        let keys: Vec<(usize, Formula, Formula)> = plans
            .iter()
            .map(|plan| (plan.agent, plan.trigger.canonical(), plan.context.canonical()))
            .collect();
        let mut first: Vec<usize> = (0..plans.len()).collect();
        for plan in 0..plans.len() {
            // A plan whose trigger is unknown was told already.
            let same = (0..plan).find(|other| keys[*other] == keys[plan] && keys[plan].1 != Formula::False);
            let tree = &self.project.members[plans[plan].agent].tree.plans[plans[plan].number as usize - 1];
            let before = (tree.relation == Relation::Alternative && plans[plan].number > 1).then(|| plan - 1);
            for other in [same, before].into_iter().flatten() {
                let (from, to) = (first[plan].max(first[other]), first[plan].min(first[other]));
                first.iter_mut().filter(|leader| **leader == from).for_each(|leader| *leader = to);
            }
        }
        first
    }
}

/// A group has at most this many plans.
const MOST_ALTERNATIVES: usize = 64;

/// `If ^[a] while ^[b] and ~^[c]`, as written but on one line.
fn head(tree: &PlanTree) -> String {
    let sign = match tree.trigger.kind {
        TriggerKind::Holds => "",
        TriggerKind::HoldsNot => "~",
        TriggerKind::Added => "+",
        TriggerKind::Deleted => "-",
    };
    format!("If {sign}^[{}] while {}", tree.trigger.sentence.text, crate::words::condition(&tree.context))
}
