//! Which slot of a state holds what, and what it is called.

use super::Resolver;
use super::plans::WATCH;
use crate::formula::{Comparison, Formula};
use crate::program::{BEGUN, BeliefKind, Group, Logic, Program, Slot, TRUE, UNKNOWN};
use crate::semantics::start_of_counter;
use crate::sentence::{Names, identifier};
use crate::syntax::Sign;

impl Resolver<'_> {
    /// Lays out the state and turns tests of beliefs into tests of slots.
    pub(crate) fn lay_out(&mut self) {
        let mut names = Names::default();
        // Names that the export makes by itself come first, so that no sentence takes them.
        let counters = self.program.percepts.len();
        let reserved: Vec<String> = (1..=counters).map(|number| format!("c{number}")).collect();
        reserved.iter().for_each(|name| {
            names.fresh(name);
        });
        let plan_names: Vec<String> = (0..self.program.plans.len())
            .map(|plan| {
                let plan = &self.program.plans[plan];
                names.fresh(&self.owned(plan.agent, &format!("plan_{}", plan.number)))
            })
            .collect();
        self.slot("begun".to_owned(), 1, 0);
        debug_assert_eq!(self.program.slots.len(), BEGUN + 1);
        self.belief_slots(&mut names);
        self.counters();
        for watch in 0..self.program.watches.len() {
            let belief = self.program.watches[watch].belief;
            let before = self.program.slots[self.program.beliefs[belief].slot].name.clone();
            let initial = self.initial_value(belief);
            let most = self.most();
            self.program.watches[watch].slot =
                self.slot(names.fresh(&format!("was_{before}")), most, initial);
        }
        for (plan, name) in plan_names.into_iter().enumerate() {
            let most = u32::try_from(self.program.plans[plan].actions.len()).unwrap_or(u32::MAX);
            self.program.plans[plan].slot = self.slot(name, most, 0);
        }
        self.name_modules();
        self.use_slots();
        self.see_choices();
    }

    /// Modules of plans, notes and percepts are called like their variables; actions get what is left.
    fn name_modules(&mut self) {
        let mut modules = Names::default();
        self.program.slots.iter().for_each(|slot| {
            modules.fresh(&slot.name);
        });
        for action in 0..self.program.actions.len() {
            let wanted = self.owned(self.program.actions[action].agent, &self.program.actions[action].name);
            self.program.actions[action].name = modules.fresh(&wanted);
        }
    }

    /// In a team, what belongs to one agent carries its name.
    fn owned(&self, agent: usize, name: &str) -> String {
        if self.program.agents.len() == 1 {
            name.to_owned()
        } else {
            format!("{}_{name}", self.program.agents[agent].name)
        }
    }

    fn slot(&mut self, name: String, most: u32, initial: u32) -> usize {
        self.program.slots.push(Slot { name, most, initial });
        self.program.slots.len() - 1
    }

    /// The largest value of a percept or note.
    fn most(&self) -> u32 {
        if self.program.logic == Logic::ThreeValued { UNKNOWN } else { TRUE }
    }

    fn belief_slots(&mut self, names: &mut Names) {
        for belief in 0..self.program.beliefs.len() {
            let (key, kind, agent) = {
                let belief = &self.program.beliefs[belief];
                (identifier(&belief.key), belief.kind, belief.agent)
            };
            let wanted = agent.map_or_else(|| key.clone(), |agent| self.owned(agent, &key));
            let name = names.fresh(&wanted);
            let (most, initial) = match kind {
                BeliefKind::Feedback => self.feedback_range(belief),
                BeliefKind::Percept | BeliefKind::Note => (self.most(), self.initial_value(belief)),
            };
            let slot = self.slot(name, most, initial);
            self.program.beliefs[belief].slot = slot;
        }
    }

    /// The first feedback of an action counts, and starts to count at once when the action is called at the start.
    fn feedback_range(&self, belief: usize) -> (u32, u32) {
        for action in &self.program.actions {
            if action.feedbacks.first().is_some_and(|(first, _)| *first == belief) {
                let longest = action.mean.saturating_add(action.spread).max(1);
                let called = longest.saturating_add(1);
                return if action.initial { (called, called) } else { (longest, 0) };
            }
        }
        (1, 0)
    }

    /// What a belief is before the first cycle.
    fn initial_value(&self, belief: usize) -> u32 {
        let found = &self.program.beliefs[belief];
        if found.kind == BeliefKind::Feedback {
            return 0;
        }
        let holders = self.program.agents.iter().zip(&self.project.members);
        let initial = holders
            .filter(|(agent, _)| agent.beliefs.contains(&belief))
            .flat_map(|(_, member)| &member.tree.beliefs)
            .filter(|initial| initial.sentence.key == found.key);
        let mut value = if self.program.logic == Logic::ThreeValued { UNKNOWN } else { 0 };
        for initial in initial {
            value = match (initial.sign, value) {
                (Sign::Holds, _) | (Sign::HoldsNot, TRUE) => TRUE,
                (Sign::HoldsNot, _) => 0,
            };
        }
        value
    }

    fn counters(&mut self) {
        let mut number = 0;
        for percept in 0..self.program.percepts.len() {
            let (belief, activation, deactivation) = {
                let percept = &self.program.percepts[percept];
                (percept.belief, percept.activation, percept.deactivation)
            };
            let counted = [activation, deactivation].into_iter().filter(|d| d.is_counted());
            let Some(most) = counted.map(|distribution| distribution.last()).max() else { continue };
            number += 1;
            let first = if self.initial_value(belief) == TRUE { deactivation } else { activation };
            let slot = self.slot(format!("c{number}"), most, start_of_counter(first));
            self.program.percepts[percept].counter = Some(slot);
        }
    }

    /// A group chooses when two of its plans can be called for at once.
    fn see_choices(&mut self) {
        let program = &self.program;
        let most = |slot: usize| program.slots[slot].most;
        let chooses = |group: &Group| {
            let plans: Vec<&Formula> =
                group.plans.iter().map(|plan| &program.plans[*plan].condition).collect();
            (0..plans.len()).any(|one| {
                let both = |other: &&Formula| Formula::all([plans[one].clone(), (*other).clone()]);
                plans[..one].iter().any(|other| both(other).is_possible(most))
            })
        };
        let found: Vec<bool> = program.groups.iter().map(chooses).collect();
        self.program.groups.iter_mut().zip(found).for_each(|(group, chooses)| group.chooses = chooses);
    }

    /// Turns every test of a belief into a test of its slot.
    fn use_slots(&mut self) {
        let program = self.program.clone();
        let turn = |formula: &mut Formula| *formula = slotted(&program, formula);
        for percept in &mut self.program.percepts {
            turn(&mut percept.gate);
        }
        for note in &mut self.program.notes {
            turn(&mut note.raised);
            turn(&mut note.lowered);
        }
        for plan in &mut self.program.plans {
            turn(&mut plan.trigger);
            turn(&mut plan.context);
            turn(&mut plan.condition);
            plan.actions.iter_mut().for_each(|action| turn(&mut action.done));
        }
    }
}

/// A formula over beliefs and watches as one over slots.
fn slotted(program: &Program, formula: &Formula) -> Formula {
    let all = |parts: &[Formula]| parts.iter().map(|part| slotted(program, part)).collect();
    match formula {
        Formula::True | Formula::False => formula.clone(),
        Formula::Test(watch, comparison, value) if *watch >= WATCH => {
            Formula::Test(program.watches[watch - WATCH].slot, *comparison, *value)
        }
        Formula::Test(belief, Comparison::Equal, TRUE) => program.beliefs[*belief].holds(),
        Formula::Test(belief, ..) => program.beliefs[*belief].fails(),
        Formula::All(parts) => Formula::All(all(parts)),
        Formula::Any(parts) => Formula::Any(all(parts)),
    }
}
