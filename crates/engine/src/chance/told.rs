//! What stands behind a number, as it is told: bounds, fraction, choices, ways.

use motet_evidence::{Attained, Decision, Infinite, Memory, Quantity, Stop, Strategy, Turn, Unfair, Way};
use motet_model::{AtomId, State, SubjectId};
use motet_property::{Formula, RewardGoal};

use super::backward::Stages;
use super::filter::Gathered;
use super::matrix::narrow;
use super::numbers::{Goal, GoalKind, Number, opposite};
use super::plan::{DECISIONS, Move, Plan};
use super::states::Process;
use super::values::{Aim, Focus, Values};
use super::{reach, strategy, ways};
use crate::checking::settings::Strategies;
use crate::exploration::limits::Meter;
use crate::storage::store::Store;

impl Process<'_> {
    /// The number at the start, with what stands behind it. With several initial states it spans all of them.
    pub(crate) fn told(
        &self,
        formula: &Formula<AtomId>,
        number: &Number,
        meter: &mut Meter<'_>,
    ) -> Result<Quantity, Stop> {
        let Values { low, high, exact, method, .. } = &number.staged.values;
        let starts = &self.matrix.initial;
        let over = |side: &[f64], start: f64, join: fn(f64, f64) -> f64| {
            starts.iter().map(|&state| side[state as usize]).fold(start, join)
        };
        // A value that is too large for floating point has an infinite upper bound only.
        let endless = starts.iter().any(|&state| low[state as usize].is_infinite());
        let (low, high) = (over(low, f64::INFINITY, f64::min), over(high, 0.0, f64::max));
        let fraction = |state: u32| exact.get(state as usize);
        let same = starts.windows(2).all(|pair| fraction(pair[0]) == fraction(pair[1]));
        let exact = starts.first().and_then(|&state| fraction(state)).filter(|_| same && !endless);
        let infinite = if endless { self.infinite(number, meter)? } else { None };
        // Fair strategies come to an infinite value by putting things off, each of them to less.
        let approached = infinite.is_some() || endless && self.fair().is_some();
        let strategy = if approached { None } else { self.strategy(number, attained(formula)) };
        Ok(Quantity {
            low,
            high,
            exact: exact.map(ToString::to_string),
            method: method.clone(),
            infinite,
            ways: self.ways(number, strategy.is_some() || self.matrix.is_chain(), meter)?,
            strategy,
            values: Vec::new(),
        })
    }

    /// Why an expected reward is infinite, where a goal may be missed.
    fn infinite(&self, number: &Number, meter: &mut Meter<'_>) -> Result<Option<Infinite>, Stop> {
        let Some(Goal { left, right, kind: GoalKind::Reward, .. }) = &number.goal else { return Ok(None) };
        let against = opposite(number.extremum);
        let aim = Aim { precision: self.precision, focus: Focus::Initial };
        let reached = reach::until(self.matrix, left, right, against, self.fair(), aim, meter)?;
        let starts = || self.matrix.initial.iter().map(|&state| state as usize);
        let missed = starts().map(|state| 1.0 - (reached.low[state] + reached.high[state]) / 2.0);
        let missed = missed.fold(0.0, f64::max);
        // Where the goal is surely reached in the end, fair strategies put it off for as long as they like.
        let lost = (0..self.matrix.n_states()).find(|&state| missed > 0.0 && reached.high[state] == 0.0);
        let run = lost.map(|state| self.graph.run_to(self.model, narrow(state)));
        Ok(Some(Infinite { missed, run }))
    }

    /// The choices behind a number, in models where somebody chooses.
    fn strategy(&self, number: &Number, attained: Attained) -> Option<Strategy> {
        if self.matrix.is_chain() {
            return None;
        }
        if let Some(plan) = number.plan.as_ref().filter(|plan| !plan.moves.is_empty()) {
            return Some(Strategy { unfair: self.unfair(&plan.passed_over, attained), ..self.planned(plan) });
        }
        if let Some(stages) = &number.staged.stages {
            let (decisions, later) = self.staged_decisions(stages, number)?;
            return Some(Strategy {
                unfair: self.unfair(&self.passed_over(&later, number), attained),
                memory: Memory::StepsLeft,
                start: stages.steps(),
                decisions,
                turns: Vec::new(),
            });
        }
        let decisions = self.lasting_decisions(&self.matrix.initial, number)?;
        let unfair = self.unfair(&self.passed_over(&self.matrix.initial, number), attained);
        Some(Strategy { memory: Memory::None, start: 0, decisions, turns: Vec::new(), unfair })
    }

    /// That somebody is passed over, as it is told; nothing where nobody is.
    fn unfair(&self, passed_over: &[u32], attained: Attained) -> Option<Unfair> {
        let whom = match self.strategies {
            Strategies::AsRuns => passed_over.iter().map(|&who| SubjectId(who)).collect(),
            Strategies::FairToChoices => Vec::new(),
        };
        (!passed_over.is_empty()).then_some(Unfair { whom, attained })
    }

    /// Who is owed a move and gets none under decisions that nothing but the state is needed for.
    fn passed_over(&self, from: &[u32], number: &Number) -> Vec<u32> {
        let choices = &number.staged.values.choices;
        match self.fair() {
            Some(fair) if !choices.is_empty() => {
                fair.passed_over(self.matrix, &self.lasting(from, number), choices)
            }
            _ => Vec::new(),
        }
    }

    /// The states that are met from these as long as something is decided.
    fn lasting(&self, from: &[u32], number: &Number) -> Vec<u32> {
        let decides = |state: u32| {
            let over = |goal: &Goal| goal.right.get(state as usize) || !goal.left.get(state as usize);
            !number.goal.as_ref().is_some_and(over)
        };
        strategy::met_while(self.matrix, from, &number.staged.values.choices, &decides)
    }

    fn planned(&self, plan: &Plan) -> Strategy {
        let decision = |step: &Move| self.decision(step.state, step.memory, step.choice);
        let turn =
            |&(state, memory, next): &(u32, u64, u64)| Turn { state: self.vector(state), memory, next };
        Strategy {
            memory: plan.memory,
            start: plan.start,
            decisions: plan.moves.iter().map(decision).collect(),
            turns: plan.turns.iter().map(turn).collect(),
            unfair: None,
        }
    }

    /// Decisions that nothing but the state is needed for, as far as a run from these can get; `None` where the number has
    /// none, or too many.
    fn lasting_decisions(&self, from: &[u32], number: &Number) -> Option<Vec<Decision>> {
        let choices = &number.staged.values.choices;
        if choices.is_empty() {
            return None;
        }
        let several =
            self.lasting(from, number).into_iter().filter(|&state| self.matrix.choices_of(state).len() > 1);
        let decisions: Vec<Decision> = several
            .take(DECISIONS + 1)
            .map(|state| self.decision(state, 0, choices[state as usize]))
            .collect();
        (decisions.len() <= DECISIONS).then_some(decisions)
    }

    fn decision(&self, state: u32, memory: u64, choice: u32) -> Decision {
        let ordinal = choice - self.matrix.choices[state as usize];
        Decision { state: self.vector(state), memory, ordinal }
    }

    fn vector(&self, state: u32) -> Box<State> {
        let mut vector = Vec::new();
        self.graph.store.load(state, &mut vector);
        vector.as_slice().into()
    }

    /// Decisions that depend on the steps left, as far as a run can get. Where the number is about what comes later, those
    /// without any step left follow, from the states that are told as well.
    fn staged_decisions(&self, stages: &Stages, number: &Number) -> Option<(Vec<Decision>, Vec<u32>)> {
        let mut left = stages.steps();
        let mut layer: Vec<u32> = self.matrix.initial.clone();
        let mut decisions = Vec::new();
        while left > 0 && !layer.is_empty() {
            layer.sort_unstable();
            layer.dedup();
            let mut next = Vec::new();
            for &state in &layer {
                if number.goal.as_ref().is_some_and(|goal| goal.is_over(state, stages.steps() - left)) {
                    continue;
                }
                let ordinal = stages.ordinal(state, left);
                let choice = self.matrix.choices[state as usize] + ordinal.unwrap_or(0);
                if ordinal.is_some() {
                    decisions.push(self.decision(state, left, choice));
                }
                let branches = self.matrix.branches_of(choice as usize);
                next.extend(branches.map(|branch| self.matrix.targets[branch]));
            }
            if decisions.len() > DECISIONS {
                return None;
            }
            layer = next;
            left -= 1;
        }
        if number.goal.as_ref().is_some_and(|goal| goal.window.high.is_none()) {
            decisions.extend(self.lasting_decisions(&layer, number)?);
            return Some((decisions, layer));
        }
        Some((decisions, Vec::new()))
    }

    /// The most probable ways to the goal.
    fn ways(&self, number: &Number, known: bool, meter: &mut Meter<'_>) -> Result<Vec<Way>, Stop> {
        let Some(goal @ Goal { kind: GoalKind::Chance, .. }) = &number.goal else { return Ok(Vec::new()) };
        if !known || goal.window.low > 0 {
            return Ok(Vec::new());
        }
        let found = ways::best(self.matrix, goal, &number.staged, meter)?;
        let way = |found: ways::Found| {
            let run = ways::run(self, &found);
            Way { chance: found.chance, run }
        };
        Ok(found.into_iter().map(way).collect())
    }

    /// What a filter gathered, as it is told.
    pub(crate) fn told_gathered(gathered: Gathered) -> Quantity {
        let Gathered { low, high, exact, method, values } = gathered;
        Quantity { low, high, exact, method, infinite: None, strategy: None, values, ways: Vec::new() }
    }
}

/// How fair strategies come to a number: what everybody's turns take of the time counts for averages only.
fn attained(formula: &Formula<AtomId>) -> Attained {
    match formula {
        Formula::Steady(..) => Attained::InTheLimit,
        Formula::Reward(_, _, _, goal) if matches!(**goal, RewardGoal::Average) => Attained::InTheLimit,
        _ => Attained::WithTurns,
    }
}

impl Goal {
    /// Whether nothing depends on the choices any more in this state after so many steps.
    fn is_over(&self, state: u32, steps: u64) -> bool {
        let at = state as usize;
        if steps < self.window.low { !self.left.get(at) } else { self.right.get(at) || !self.left.get(at) }
    }
}
