//! The belief update of a live cycle: the model's own, with news in the place of draws.
//!
//! Where the model leaves something to chance, the outcome that was told is taken, and the occasion is a [`Trial`]. Where it
//! leaves nothing, the news are compared with it. What the model gives no chance is believed all the same, because it was seen;
//! the counters then stand where they would after the same change at its time.

use motet_model::{Fault, Perceived, Ratio, State, Trial, Trouble};

use super::hearing::{Heard, Reports};
use crate::number::{complement, quotient};
use crate::program::{Action, FALSE, Percept, Program, TRUE, UNKNOWN};
use crate::semantics::{Factor, conclude, feedbacks, percepts, too_fine};
use crate::sentence::fold;

/// The state after the belief update, and what is to be said about it.
pub(crate) fn believe(
    program: &Program,
    before: &State,
    heard: &Heard,
) -> Result<(Vec<u32>, Perceived), Fault> {
    let mut next = before.to_vec();
    conclude(program, before, &mut next);
    let perceived = Perceived { unknown: heard.unknown.clone(), ..Perceived::default() };
    let mut update = Update { program, before, next, perceived };
    for (action, reports) in program.actions.iter().zip(&heard.reports) {
        update.report(action, reports)?;
    }
    for (percept, told) in program.percepts.iter().zip(&heard.percepts) {
        update.sense(percept, *told)?;
    }
    for (belief, speaker) in &heard.notes {
        update.note(*belief, speaker);
    }
    Ok((update.next, update.perceived))
}

struct Update<'a> {
    program: &'a Program,
    before: &'a State,
    next: Vec<u32>,
    perceived: Perceived,
}

impl Update<'_> {
    fn trial(&mut self, of: String, chance: Ratio, happened: bool) {
        if chance != Ratio::ZERO && chance != Ratio::ONE {
            self.perceived.trials.push(Trial { of, chance, happened });
        }
    }

    fn impossible(&mut self, text: String) {
        self.perceived.impossible.push(text);
    }

    /// A percept, with what was told about it.
    fn sense(&mut self, percept: &Percept, told: Option<bool>) -> Result<(), Fault> {
        let mut factors: Vec<Factor> = Vec::new();
        percepts::next(self.program, percept, self.before, &mut self.next, &mut factors)?;
        let belief = &self.program.beliefs[percept.belief];
        let value = self.before[belief.slot];
        if let Some(factor) = factors.pop() {
            let flipped = factor.values(0)[0] == TRUE;
            let flips = told == Some(flipped);
            factor.settle(usize::from(!flips), &mut self.next);
            self.trial(format!("{} becomes {flipped}", belief.text), factor.chances[0], flips);
            return Ok(());
        }
        let certain = self.next[belief.slot];
        let seen = match told {
            Some(holds) => u32::from(holds),
            // Nobody tells that a trouble is over: it is when the model is certain of it.
            None if is_trouble(&belief.key) && certain == FALSE => FALSE,
            None if value == UNKNOWN && certain != TRUE => certain,
            None => u32::from(value == TRUE),
        };
        if seen != certain {
            self.surprise(percept, certain, seen);
        }
        Ok(())
    }

    /// A percept that is not what the model is certain of.
    fn surprise(&mut self, percept: &Percept, certain: u32, seen: u32) {
        let belief = &self.program.beliefs[percept.belief];
        let held = self.before[belief.slot] == TRUE;
        let distribution = if held { percept.deactivation } else { percept.activation };
        let count = percept.counter.map_or(0, |counter| self.before[counter]);
        self.next[belief.slot] = seen;
        let (text, becomes) = (&belief.text, if seen == TRUE { "true" } else { "false" });
        let flips = (seen == TRUE) != held;
        let remark = if !flips && (certain == TRUE) != held {
            let missing = if held { "false" } else { "true" };
            format!("`{text}` does not become {missing}, of which the model is certain")
        } else if !held && !percept.gate.holds(self.before) {
            format!("`{text}` becomes {becomes} while its conditions do not hold")
        } else if distribution.is_counted() && count < distribution.first() {
            let first = distribution.first();
            format!("`{text}` becomes {becomes} at count {count}, and the model waits until {first}")
        } else {
            format!("`{text}` becomes {becomes}, to which the model gives no chance")
        };
        if let Some(counter) = percept.counter {
            if flips {
                self.next[counter] = 0;
            } else if (certain == TRUE) != held {
                self.next[counter] = percepts::missed(distribution, count);
            }
        }
        self.impossible(remark);
    }

    /// An action, with what it reports.
    fn report(&mut self, action: &Action, reports: &Reports) -> Result<(), Fault> {
        let mut factors: Vec<Factor> = Vec::new();
        feedbacks::next(self.program, action, self.before, &mut self.next, &mut factors)?;
        let told = match &reports.told[..] {
            _ if reports.is_stray => None,
            [] => Some(None),
            [one] => Some(Some(*one)),
            _ => None,
        };
        let reported = |values: &[u32]| values.iter().position(|value| *value == TRUE);
        if let Some(factor) = factors.pop() {
            let mut outcomes = 0..factor.chances.len();
            let outcome = outcomes.find(|outcome| told == Some(reported(factor.values(*outcome))));
            if let Some(outcome) = outcome {
                factor.settle(outcome, &mut self.next);
                let last = factor.chances.len() - 1;
                let waits =
                    if reported(factor.values(last)).is_none() { factor.chances[last] } else { Ratio::ZERO };
                return self.reported(action, complement(waits).ok_or_else(too_fine)?, told.flatten());
            }
        } else {
            let slots = action.feedbacks.iter().map(|(belief, _)| self.program.beliefs[*belief].slot);
            let certain: Vec<u32> = slots.map(|slot| self.next[slot]).collect();
            if told == Some(reported(&certain)) {
                return Ok(());
            }
        }
        self.astray(action, reports);
        Ok(())
    }

    /// The trials of a report that the model gives a chance: whether it comes now, and then which it is, one after the other.
    fn reported(&mut self, action: &Action, now: Ratio, place: Option<usize>) -> Result<(), Fault> {
        let name = self.name(action);
        let text = |belief: usize| self.program.beliefs[belief].text.as_str();
        let of = match &action.feedbacks[..] {
            [(only, _)] => format!("{name} reports {}", text(*only)),
            _ => format!("{name} reports"),
        };
        self.trial(of, now, place.is_some());
        let Some(place) = place else { return Ok(()) };
        let mut rest = Ratio::ONE;
        for (at, (belief, weight)) in action.feedbacks.iter().enumerate().take(place + 1) {
            let chance = quotient(*weight, rest).ok_or_else(too_fine)?;
            let of = format!("{name} reports {}", self.program.beliefs[*belief].text);
            self.trial(of, chance, at == place);
            rest = less(rest, *weight).ok_or_else(too_fine)?;
        }
        Ok(())
    }

    /// Reports that the model does not have: what was told is true for a cycle, and an action that is late goes on waiting.
    fn astray(&mut self, action: &Action, reports: &Reports) {
        let program = self.program;
        let slot = |place: usize| program.beliefs[action.feedbacks[place].0].slot;
        let Some(count) = (!action.feedbacks.is_empty()).then(|| self.before[slot(0)]) else { return };
        let called =
            action.callers.iter().any(|(plan, index)| self.before[program.plans[*plan].slot] == *index);
        for place in 0..action.feedbacks.len() {
            self.next[slot(place)] = u32::from(reports.told.contains(&place));
        }
        let name = self.name(action);
        let mut texts: Vec<&str> = Vec::new();
        for place in &reports.told {
            texts.push(&program.beliefs[action.feedbacks[*place].0].text);
        }
        let what = crate::words::listed(texts);
        let most = action.mean + action.spread;
        let remark = if reports.told.is_empty() {
            // The last count is as far as the model goes; where it has none, an action that is asked for anew comes closest.
            self.next[slot(0)] = if program.slots[slot(0)].most > TRUE { 2 } else { 0 };
            format!("`{name}` has not reported by cycle {most} after its call, the last in the model")
        } else if reports.told.len() > 1 {
            format!("`{name}` reports {} times in one cycle: {what}", reports.told.len())
        } else if reports.is_stray {
            format!("`{name}` reports {what} for a call that does not wait for it")
        } else if count <= TRUE && !called {
            format!("`{name}` reports {what}, and nobody called it")
        } else if feedbacks::reports(action, elapsed(action, count)).is_none() {
            let first = action.mean - action.spread;
            format!(
                "`{name}` reports {what} in cycle {} after its call, and the model waits until {first}",
                elapsed(action, count)
            )
        } else {
            format!("`{name}` reports {what}, to which the model gives no chance")
        };
        self.impossible(remark);
    }

    /// A note that somebody says is so. No rule and no plan of the model does that.
    fn note(&mut self, belief: usize, speaker: &str) {
        let belief = &self.program.beliefs[belief];
        if self.next[belief.slot] != TRUE {
            self.next[belief.slot] = TRUE;
            let remark =
                format!("`{}` is believed because {speaker} says so, and no rule or plan", belief.text);
            self.impossible(remark);
        }
    }

    /// The action, with its agent where there are several.
    fn name(&self, action: &Action) -> String {
        match &self.program.agents[..] {
            [_] => action.text.clone(),
            agents => format!("{}: {}", agents[action.agent].name, action.text),
        }
    }
}

/// How many cycles after its call an action reports now.
fn elapsed(action: &Action, count: u32) -> u32 {
    if count <= TRUE { 1 } else { (action.mean + action.spread + 2).saturating_sub(count) }
}

/// What is left of one number without another; `None` when it does not fit our numbers.
fn less(one: Ratio, other: Ratio) -> Option<Ratio> {
    complement(complement(one)?.checked_add(other)?)
}

/// Whether this is the sentence of something that can go wrong with skills.
fn is_trouble(key: &str) -> bool {
    Trouble::ALL.iter().any(|trouble| fold(trouble.sentence()) == key)
}
