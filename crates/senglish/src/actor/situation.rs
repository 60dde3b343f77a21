//! A situation that somebody describes, as a state of the model. What is not mentioned is as at the start.
//!
//! `Rain` with *true* says that it holds, `+Rain` that it came in this cycle and `-Rain` that it went. Without a sign nothing has
//! changed in this cycle, but a feedback that holds has come, and a percept that is not as at the start has just begun to count.

use motet_model::Situation;

use super::naming::{self, near, near_belief, shown};
use crate::program::{Action, BEGUN, BeliefKind, FALSE, Percept, Program, TRUE};
use crate::sentence::fold;

/// The state of a situation, or what in it means nothing.
pub(crate) fn state(program: &Program, situation: &Situation) -> Result<Vec<u32>, Vec<String>> {
    let start: Vec<u32> = program.slots.iter().map(|slot| slot.initial).collect();
    let mut placing = Placing { program, state: start.clone(), changed: Vec::new(), problems: Vec::new() };
    if *situation == Situation::default() {
        return Ok(start);
    }
    placing.state[BEGUN] = 1;
    for (text, holds) in &situation.beliefs {
        let placed = placing.belief(text, *holds);
        placing.note(placed);
    }
    placing.watches();
    for percept in &program.percepts {
        let slot = program.beliefs[percept.belief].slot;
        if let Some(counter) = percept.counter
            && (placing.state[slot] == TRUE) != (start[slot] == TRUE)
        {
            placing.state[counter] = 0;
        }
    }
    for (text, index) in &situation.plans {
        let placed = placing.plan(text, *index);
        placing.note(placed);
    }
    placing.together();
    for (text, count) in &situation.counters {
        let placed = placing.counter(text, *count);
        placing.note(placed);
    }
    if placing.problems.is_empty() { Ok(placing.state) } else { Err(placing.problems) }
}

struct Placing<'a> {
    program: &'a Program,
    state: Vec<u32>,
    /// Beliefs that came or went in this cycle.
    changed: Vec<usize>,
    problems: Vec<String>,
}

/// Whether a belief changed in this cycle.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Plain,
    Came,
    Went,
}

/// A sentence with its sign: `+Rain`, `+^[Rain]`, `~Rain`.
fn signed(text: &str, holds: bool) -> Result<(Sign, &str, bool), String> {
    let text = text.trim();
    let (sign, rest) = match text.chars().next() {
        Some('+') => (Sign::Came, &text[1..]),
        Some('-') => (Sign::Went, &text[1..]),
        Some('~') => (Sign::Plain, &text[1..]),
        _ => (Sign::Plain, text),
    };
    let inner = rest.trim().strip_prefix("^[").and_then(|inner| inner.strip_suffix(']'));
    let sentence = inner.unwrap_or(rest).trim();
    if sign != Sign::Plain && !holds {
        return Err(format!("{} says what changed in this cycle; leave the sign away", shown(text)));
    }
    let value = match sign {
        Sign::Came => true,
        Sign::Went => false,
        Sign::Plain => holds != text.starts_with('~'),
    };
    Ok((sign, sentence, value))
}

impl Placing<'_> {
    fn note(&mut self, placed: Result<(), String>) {
        self.problems.extend(placed.err());
    }

    fn belief(&mut self, text: &str, holds: bool) -> Result<(), String> {
        let (sign, sentence, value) = signed(text, holds)?;
        let (agent, sentence) = naming::owner(self.program, sentence);
        let found = naming::beliefs(self.program, agent, sentence);
        let belief = match found[..] {
            [one] => one,
            [] => {
                let help = near_belief(self.program, sentence, |_| true);
                let help = help.unwrap_or_else(|| "`motet vocab` lists the beliefs".to_owned());
                return Err(format!("there is no belief {}; {help}", shown(sentence)));
            }
            [first, ..] => {
                return Err(self.whose(&self.program.beliefs[first].text, self.program.beliefs[first].agent));
            }
        };
        self.changed.retain(|other| *other != belief);
        if sign != Sign::Plain {
            self.changed.push(belief);
        }
        let slot = self.program.beliefs[belief].slot;
        match self.program.beliefs[belief].kind {
            BeliefKind::Percept | BeliefKind::Note => self.state[slot] = u32::from(value),
            BeliefKind::Feedback => return self.feedback(belief, value),
        }
        Ok(())
    }

    /// `several agents have ...; say whose`
    fn whose(&self, text: &str, agent: Option<usize>) -> String {
        let name = &self.program.agents[agent.unwrap_or(0)].name;
        format!("several agents have `{text}`; say whose, as in `{name}: {text}`")
    }

    /// A feedback that holds; or one that does not, whose action then does not run either unless a counter says so.
    fn feedback(&mut self, belief: usize, value: bool) -> Result<(), String> {
        let of = |action: &&Action| action.feedbacks.iter().any(|(other, _)| *other == belief);
        let action = self.program.actions.iter().find(of).expect("a feedback belongs to an action");
        let slot = |belief: usize| self.program.beliefs[belief].slot;
        let slots: Vec<usize> = action.feedbacks.iter().map(|(belief, _)| slot(*belief)).collect();
        let others = || slots.iter().filter(|other| **other != slot(belief));
        if value && others().any(|slot| self.state[*slot] == TRUE) {
            return Err(format!("`{}` reports one thing at a time", action.text));
        }
        if value {
            slots.iter().for_each(|slot| self.state[*slot] = FALSE);
        }
        self.state[slot(belief)] = u32::from(value);
        Ok(())
    }

    /// What the beliefs were before this cycle.
    fn watches(&mut self) {
        for watch in &self.program.watches {
            let value = self.program.value(watch.belief, &self.state);
            let is_feedback = self.program.beliefs[watch.belief].kind == BeliefKind::Feedback;
            let changed = self.changed.contains(&watch.belief) || (is_feedback && value == TRUE);
            self.state[watch.slot] = if changed { u32::from(value != TRUE) } else { value };
        }
    }

    fn plan(&mut self, text: &str, index: u32) -> Result<(), String> {
        let (agent, rest) = naming::owner(self.program, text);
        let rest = rest.trim();
        let number = rest.strip_prefix("plan").unwrap_or(rest).trim().parse::<u32>();
        let agent = match (agent, &self.program.agents[..]) {
            (Some(agent), _) => agent,
            (None, [_]) => 0,
            (None, agents) => {
                let example = format!("{}.1", agents[0].name);
                return Err(format!("plan {} is whose? say it as in `{example}`", shown(text)));
            }
        };
        let plans = &self.program.agents[agent].plans;
        let found = number.ok().and_then(|number| {
            plans.iter().map(|plan| &self.program.plans[*plan]).find(|plan| plan.number == number)
        });
        let Some(plan) = found else {
            let last = plans.len();
            return Err(format!("there is no plan {}; the plans are numbered from 1 to {last}", shown(text)));
        };
        if index as usize > plan.actions.len() {
            let most = plan.actions.len();
            return Err(format!("plan {} cannot be at {index}; its indices are 0 to {most}", shown(text)));
        }
        self.state[plan.slot] = index;
        Ok(())
    }

    /// Plans of one group never run together.
    fn together(&mut self) {
        for group in &self.program.groups {
            let plans = group.plans.iter().map(|plan| &self.program.plans[*plan]);
            let running: Vec<String> =
                plans.filter(|plan| self.state[plan.slot] > 0).map(|plan| plan.number.to_string()).collect();
            if running.len() > 1 {
                let listed = crate::words::listed(running.iter().map(String::as_str));
                self.problems.push(format!("the plans {listed} never run together; leave one at 0"));
            }
        }
    }

    fn counter(&mut self, text: &str, count: u32) -> Result<(), String> {
        let program = self.program;
        let (agent, sentence) = naming::owner(program, text.trim());
        let inner = sentence.trim().strip_prefix('[').and_then(|inner| inner.strip_suffix(']'));
        let key = fold(inner.unwrap_or(sentence));
        let about = |percept: &&Percept| program.beliefs[percept.belief].key == key;
        if let Some(percept) = program.percepts.iter().find(about) {
            return self.percept_counter(percept, count);
        }
        let mine = |action: &&Action| agent.is_none_or(|agent| action.agent == agent);
        let found: Vec<&Action> =
            program.actions.iter().filter(mine).filter(|action| action.keys.contains(&key)).collect();
        match found[..] {
            [action] => self.action_counter(action, count),
            [] => {
                let percepts = program.percepts.iter().map(|p| program.beliefs[p.belief].text.as_str());
                let known = percepts.chain(program.actions.iter().map(|action| action.text.as_str()));
                let help = near(sentence, known).unwrap_or_else(|| "percepts and actions do".to_owned());
                Err(format!("nothing called {} counts cycles; {help}", shown(text)))
            }
            [first, ..] => Err(self.whose(&first.text, Some(first.agent))),
        }
    }

    fn percept_counter(&mut self, percept: &Percept, count: u32) -> Result<(), String> {
        let belief = &self.program.beliefs[percept.belief];
        let holds = self.state[belief.slot] == TRUE;
        let distribution = if holds { percept.deactivation } else { percept.activation };
        let Some(counter) = percept.counter.filter(|_| distribution.is_counted()) else {
            let what = if holds { "go" } else { "come" };
            return Err(format!("`{}` counts nothing: it may {what} in every cycle", belief.text));
        };
        if count > distribution.last() {
            let (text, last) = (&belief.text, distribution.last());
            return Err(format!("`{text}` cannot be at {count}; it counts from 0 to {last}"));
        }
        self.state[counter] = count;
        Ok(())
    }

    /// So many cycles after its call an action counts this.
    fn action_counter(&mut self, action: &Action, count: u32) -> Result<(), String> {
        let program = self.program;
        let slots: Vec<usize> =
            action.feedbacks.iter().map(|(belief, _)| program.beliefs[*belief].slot).collect();
        let Some(slot) = slots.first().copied() else {
            return Err(format!("`{}` counts nothing: it reports nothing", action.text));
        };
        if slots.iter().any(|slot| self.state[*slot] == TRUE) {
            return Err(format!("`{}` counts nothing: it has just reported", action.text));
        }
        let last = action.mean + action.spread;
        let value = (last + 1).checked_sub(count).filter(|value| *value > TRUE);
        let Some(value) = value.filter(|value| *value <= program.slots[slot].most) else {
            let text = &action.text;
            return Err(format!(
                "`{text}` cannot have run for {count} cycles; it reports after {last} at most"
            ));
        };
        self.state[slot] = value;
        Ok(())
    }
}
