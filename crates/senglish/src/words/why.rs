//! What plans wait for.

use motet_model::{Account, AccountLine, ActionId, ProcessId, State, Words as _};

use super::{Teller, has_begun};
use crate::formula::{Comparison, Formula};
use crate::program::{Belief, BeliefKind, FALSE, Plan, Program, TRUE};

/// Why a step went as it did: what was chosen, what each running plan waits for, and what kept each resting plan back.
pub(crate) fn why(teller: &Teller, states: &[Box<State>], actions: &[ActionId], at: usize) -> Vec<String> {
    let Some(state) = states.get(at) else { return Vec::new() };
    let program = teller.program();
    if !has_begun(state) {
        return vec!["the first cycle updates the beliefs; no plan runs yet".to_owned()];
    }
    let mut lines = Vec::new();
    if let Some(action) = actions.get(at) {
        for plan in teller.chosen(*action) {
            let group = program.plans[plan].group.expect("a chosen plan is in a group");
            let names: Vec<String> =
                program.groups[group].plans.iter().map(|plan| teller.plan(*plan)).collect();
            let all = super::listed(names.iter().map(String::as_str));
            lines.push(format!("{}: {all} have the same triggering condition", teller.action(*action)));
        }
    }
    let told = program.plans.iter().enumerate().map(|(number, plan)| (number, status(program, plan, state)));
    // What happens comes before what does not: a report may show the first lines only.
    let (resting, busy): (Vec<_>, Vec<_>) = told.partition(|(_, status)| status.starts_with("rests"));
    lines.extend(
        busy.into_iter().chain(resting).map(|(plan, status)| format!("{} {status}", teller.plan(plan))),
    );
    lines
}

/// `waits for Drive mode`, `starts`, `rests: ^[a] does not hold`
fn status(program: &Program, plan: &Plan, state: &State) -> String {
    let index = state[plan.slot] as usize;
    if index > 0 {
        let action = &plan.actions[index - 1];
        return if action.done.holds(state) {
            format!("goes on: {} is done", action.text)
        } else {
            format!("waits for {}", awaited(program, &action.done))
        };
    }
    if plan.condition.holds(state) {
        let busy = plan.group.is_some_and(|group| {
            program.groups[group].plans.iter().any(|other| state[program.plans[*other].slot] > 0)
        });
        return if busy {
            "rests: a plan with the same condition runs".to_owned()
        } else if plan.group.is_some() {
            "may be chosen".to_owned()
        } else {
            "starts".to_owned()
        };
    }
    match unmet(&plan.condition, state).first() {
        Some(test) => format!("rests: {}", tested(program, test, state)),
        None => "rests".to_owned(),
    }
}

/// The feedbacks a plan waits for.
fn awaited(program: &Program, done: &Formula) -> String {
    let name = |test: &Formula| match test {
        Formula::Test(slot, ..) => {
            belief_at(program, *slot).map(|belief| belief.text.clone()).unwrap_or_default()
        }
        _ => String::new(),
    };
    match done {
        Formula::Any(parts) => parts.iter().map(name).collect::<Vec<_>>().join(" or "),
        other => name(other),
    }
}

fn belief_at(program: &Program, slot: usize) -> Option<&Belief> {
    program.beliefs.iter().find(|belief| belief.slot == slot)
}

/// The parts of a condition that keep it from holding.
fn unmet<'a>(formula: &'a Formula, state: &State) -> Vec<&'a Formula> {
    match formula {
        _ if formula.holds(state) => Vec::new(),
        Formula::All(parts) => parts.iter().flat_map(|part| unmet(part, state)).collect(),
        other => vec![other],
    }
}

/// A test in the user's words, with how it stands.
fn tested(program: &Program, test: &Formula, state: &State) -> String {
    match test {
        Formula::Test(slot, comparison, value) => {
            let Some(belief) = belief_at(program, *slot) else {
                return "the belief has not changed in this cycle".to_owned();
            };
            let now = match (belief.kind, state[*slot]) {
                (_, TRUE) => "holds",
                (BeliefKind::Feedback, _) | (_, FALSE) => "does not hold",
                _ => "is unknown",
            };
            let wanted = (*comparison == Comparison::Equal) == (*value == TRUE);
            let sign = if wanted { "" } else { "~" };
            format!("{sign}^[{}] is needed, and it {now}", belief.text)
        }
        Formula::Any(parts) => {
            let parts: Vec<String> = parts.iter().map(|part| tested(program, part, state)).collect();
            format!("none of these: {}", parts.join("; "))
        }
        Formula::All(parts) => {
            let open: Vec<String> = parts
                .iter()
                .filter(|part| !part.holds(state))
                .map(|part| tested(program, part, state))
                .collect();
            open.join("; ")
        }
        Formula::True => "always".to_owned(),
        Formula::False => "it never holds".to_owned(),
    }
}

/// What an agent waits for, short: the feedbacks of its running plans.
pub(crate) fn waits(program: &Program, agent: usize, state: &State) -> Option<String> {
    let mut waits: Vec<String> = Vec::new();
    for plan in program.agents.get(agent)?.plans.iter().map(|plan| &program.plans[*plan]) {
        let index = state[plan.slot] as usize;
        if index > 0 && !plan.actions[index - 1].done.holds(state) {
            let awaited = awaited(program, &plan.actions[index - 1].done);
            if !waits.contains(&awaited) {
                waits.push(awaited);
            }
        }
    }
    (!waits.is_empty()).then(|| super::listed(waits.iter().map(String::as_str)))
}

/// Why `plan 7`, or `7`, runs or does not run.
pub(crate) fn account(teller: &Teller, state: &State, subject: &str) -> Vec<Account> {
    let program = teller.program();
    let wanted = subject.to_lowercase().replace(['_', ' ', '[', ']'], "");
    let wanted: Option<u32> = wanted.strip_prefix("plan").unwrap_or(&wanted).parse().ok();
    let plans = program.plans.iter().enumerate().filter(|(_, plan)| Some(plan.number) == wanted);
    plans
        .map(|(number, plan)| {
            let parts: &[Formula] = match &plan.condition {
                Formula::All(parts) => parts,
                other => std::slice::from_ref(other),
            };
            let line = |part: &Formula| AccountLine {
                met: Some(part.holds(state)),
                text: tested(program, part, state),
            };
            let mut lines: Vec<AccountLine> = parts.iter().map(line).collect();
            lines.push(AccountLine { met: None, text: plan.head.clone() });
            Account {
                process: ProcessId(u32::try_from(plan.agent).unwrap_or(0)),
                subject: teller.plan(number),
                status: status(program, plan, state),
                active: state[plan.slot] > 0,
                lines,
                origin: Some(plan.span),
            }
        })
        .collect()
}
