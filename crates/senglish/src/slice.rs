//! What a claim does not need: plans, notes, actions and percepts that cannot change what it reads.
//!
//! The cone of influence (Clarke, Grumberg and Peled 1999, section 13.2), over the slots of a state: a slot is needed if an atom
//! reads it, or if the next value of a needed slot depends on it. All slots change together, once a cycle, and independent
//! draws stay as likely as they are when others are left out; so every cycle of the whole team is a cycle of what is left, with
//! the same chances.

use std::collections::BTreeSet;

use crate::formula::Formula;
use crate::program::{BEGUN, BeliefKind, Program};

/// The program without what these formulas do not need, and what that is in words; `None` if they need everything. What is
/// left out keeps its slots, which nothing changes any more.
pub(crate) fn slice(program: &Program, atoms: &[Formula]) -> Option<(Program, Vec<String>)> {
    let mut needed = BTreeSet::from([BEGUN]);
    atoms.iter().for_each(|atom| needed.extend(atom.slots()));
    loop {
        let before = needed.len();
        grow(program, &mut needed);
        if needed.len() == before {
            break;
        }
    }
    let left_out = left_out(program, &needed);
    (!left_out.is_empty()).then(|| (without(program, &needed), left_out))
}

/// Adds the slots on which the next values of needed slots depend.
fn grow(program: &Program, needed: &mut BTreeSet<usize>) {
    let plan_slots = |places: &[(usize, u32)]| -> Vec<usize> {
        places.iter().map(|(plan, _)| program.plans[*plan].slot).collect()
    };
    for plan in program.plans.iter().filter(|plan| needed.contains(&plan.slot)).collect::<Vec<_>>() {
        needed.extend(plan.condition.slots());
        plan.actions.iter().for_each(|action| needed.extend(action.done.slots()));
        // Of a group one runs at a time.
        let rivals = plan.group.iter().flat_map(|group| &program.groups[*group].plans);
        needed.extend(rivals.map(|rival| program.plans[*rival].slot));
    }
    for note in &program.notes {
        if needed.contains(&program.beliefs[note.belief].slot) {
            needed.extend(plan_slots(&note.added).into_iter().chain(plan_slots(&note.deleted)));
            needed.extend(note.raised.slots().into_iter().chain(note.lowered.slots()));
        }
    }
    for action in &program.actions {
        let own = feedback_slots(program, action);
        if own.iter().any(|slot| needed.contains(slot)) {
            needed.extend(own);
            needed.extend(plan_slots(&action.callers));
        }
    }
    for percept in &program.percepts {
        let own: Vec<usize> =
            [program.beliefs[percept.belief].slot].into_iter().chain(percept.counter).collect();
        if own.iter().any(|slot| needed.contains(slot)) {
            needed.extend(own);
            needed.extend(percept.gate.slots());
        }
    }
    for watch in &program.watches {
        if needed.contains(&watch.slot) {
            needed.insert(program.beliefs[watch.belief].slot);
        }
    }
}

fn feedback_slots(program: &Program, action: &crate::program::Action) -> Vec<usize> {
    action.feedbacks.iter().map(|(belief, _)| program.beliefs[*belief].slot).collect()
}

/// The program in which nothing changes the other slots: plans are never called for, actions are never called. Plans and
/// actions keep their numbers, because others refer to them.
fn without(program: &Program, needed: &BTreeSet<usize>) -> Program {
    let mut rest = program.clone();
    let belief_slot = |belief: usize| program.beliefs[belief].slot;
    rest.notes.retain(|note| needed.contains(&belief_slot(note.belief)));
    rest.percepts.retain(|percept| needed.contains(&belief_slot(percept.belief)));
    for plan in rest.plans.iter_mut().filter(|plan| !needed.contains(&plan.slot)) {
        plan.condition = Formula::False;
    }
    for group in &mut rest.groups {
        group.chooses &= group.plans.iter().any(|plan| needed.contains(&program.plans[*plan].slot));
    }
    for action in &mut rest.actions {
        let slots = feedback_slots(program, action);
        if slots.iter().any(|slot| !needed.contains(slot)) {
            action.callers.clear();
            slots.iter().for_each(|slot| rest.slots[*slot].initial = 0);
        }
    }
    rest
}

/// `agent harbour`, `plan 8`, `percept Fog comes in`; with several agents `asv plan 8`.
fn left_out(program: &Program, needed: &BTreeSet<usize>) -> Vec<String> {
    let gone = |slot: usize| !needed.contains(&slot);
    let mut words = Vec::new();
    // A percept belongs to everybody who lists it, and is told once.
    let mut told: BTreeSet<usize> = BTreeSet::new();
    for agent in &program.agents {
        let all = agent.beliefs.iter().all(|belief| gone(program.beliefs[*belief].slot))
            && agent.plans.iter().all(|plan| gone(program.plans[*plan].slot));
        if all {
            told.extend(&agent.beliefs);
            words.push(format!("agent {}", agent.name));
            continue;
        }
        let whose = if program.agents.len() == 1 { String::new() } else { format!("{} ", agent.name) };
        let plans = agent.plans.iter().map(|plan| &program.plans[*plan]).filter(|plan| gone(plan.slot));
        words.extend(plans.map(|plan| format!("{whose}plan {}", plan.number)));
        for belief in agent.beliefs.iter().filter(|belief| gone(program.beliefs[**belief].slot)) {
            if told.insert(*belief) {
                let belief = &program.beliefs[*belief];
                let kind = match belief.kind {
                    BeliefKind::Percept => "percept",
                    BeliefKind::Feedback => "feedback",
                    BeliefKind::Note => "note",
                };
                words.push(format!("{whose}{kind} {}", belief.text));
            }
        }
    }
    words
}
