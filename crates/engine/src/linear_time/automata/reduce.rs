//! Smaller automata for the same words.

use std::collections::BTreeMap;

use super::automaton::{Automaton, Label, Transition};

/// Transitions of one state that are joined pair by pair.
const JOIN_MAX: usize = 200;
/// Looks at transitions that merging may cost; each round looks at all, and there are at most as many rounds as states.
const MERGE_MAX: usize = 20_000_000;

/// Removes what no accepting run needs and merges what no word can tell apart, until nothing changes.
pub(super) fn reduce(mut automaton: Automaton) -> Automaton {
    loop {
        let before = (automaton.transitions.len(), n_transitions(&automaton), automaton.n_sets);
        normalise_sets(&mut automaton);
        prune(&mut automaton);
        simplify_transitions(&mut automaton);
        merge_states(&mut automaton);
        drop_sets(&mut automaton);
        if before == (automaton.transitions.len(), n_transitions(&automaton), automaton.n_sets) {
            return automaton;
        }
    }
}

fn n_transitions(automaton: &Automaton) -> usize {
    automaton.transitions.iter().map(Vec::len).sum()
}

/// Acceptance counts only on cycles of components that can accept; everywhere else the sets are emptied.
fn normalise_sets(automaton: &mut Automaton) {
    let (component, n_components) = automaton.components();
    let inside = automaton.sets_inside(&component, n_components);
    let all = automaton.all_sets();
    for (state, transitions) in automaton.transitions.iter_mut().enumerate() {
        for transition in transitions {
            let own = component[state];
            if own != component[transition.target as usize] || inside[own as usize] != Some(all) {
                transition.sets = 0;
            }
        }
    }
}

/// Keeps the states that are reachable and from which an accepting cycle can be reached. State 0 always stays.
fn prune(automaton: &mut Automaton) {
    let (component, n_components) = automaton.components();
    let inside = automaton.sets_inside(&component, n_components);
    let all = automaton.all_sets();
    // A component's successors have lower numbers, so one pass in this order suffices.
    let mut useful: Vec<bool> = inside.iter().map(|sets| *sets == Some(all)).collect();
    let mut by_component: Vec<Vec<usize>> = vec![Vec::new(); n_components as usize];
    for (state, &number) in component.iter().enumerate() {
        by_component[number as usize].push(state);
    }
    for (number, states) in by_component.iter().enumerate() {
        let leads = |&state: &usize| {
            automaton.transitions[state].iter().any(|t| useful[component[t.target as usize] as usize])
        };
        useful[number] = useful[number] || states.iter().any(leads);
    }
    let keep = |state: u32| useful[component[state as usize] as usize];
    for transitions in &mut automaton.transitions {
        transitions.retain(|transition| keep(transition.target));
    }
    renumber_reachable(automaton);
}

fn renumber_reachable(automaton: &mut Automaton) {
    let mut numbers = vec![None; automaton.transitions.len()];
    let mut order = vec![0_u32];
    numbers[0] = Some(0);
    let mut next = 0;
    while let Some(&state) = order.get(next) {
        next += 1;
        for transition in &automaton.transitions[state as usize] {
            let slot = &mut numbers[transition.target as usize];
            if slot.is_none() {
                *slot = Some(u32::try_from(order.len()).expect("translation limits the number of states"));
                order.push(transition.target);
            }
        }
    }
    let number = |state: u32| numbers[state as usize].expect("targets of reachable states are reachable");
    automaton.sink = automaton.sink.and_then(|sink| numbers[sink as usize]);
    automaton.transitions = order
        .iter()
        .map(|&state| {
            let transitions = automaton.transitions[state as usize].iter();
            transitions.map(|t| Transition { target: number(t.target), ..*t }).collect()
        })
        .collect();
}

/// Joins `p` and `!p`, and drops transitions that another one covers.
fn simplify_transitions(automaton: &mut Automaton) {
    for transitions in &mut automaton.transitions {
        while join_once(transitions) {}
        let mut kept: Vec<Transition> = Vec::new();
        for &transition in transitions.iter() {
            if kept.iter().any(|known| covers(known, &transition)) {
                continue;
            }
            kept.retain(|known| !covers(&transition, known));
            kept.push(transition);
        }
        kept.sort_unstable();
        *transitions = kept;
    }
}

fn covers(strong: &Transition, weak: &Transition) -> bool {
    strong.target == weak.target && strong.label.covers(weak.label) && weak.sets & !strong.sets == 0
}

/// `(a & p) | (a & !p) = a`, once. Not worth the time on very many transitions.
fn join_once(transitions: &mut Vec<Transition>) -> bool {
    if transitions.len() > JOIN_MAX {
        return false;
    }
    for i in 0..transitions.len() {
        for j in i + 1..transitions.len() {
            let (one, two) = (transitions[i], transitions[j]);
            if (one.target, one.sets) != (two.target, two.sets) {
                continue;
            }
            if let Some(label) = join(one.label, two.label) {
                transitions[i].label = label;
                transitions.swap_remove(j);
                return true;
            }
        }
    }
    false
}

fn join(a: Label, b: Label) -> Option<Label> {
    let differ = a.positive ^ b.positive;
    let opposite = differ == a.negative ^ b.negative && differ.is_power_of_two();
    let same_literals = a.positive | a.negative == b.positive | b.negative;
    (opposite && same_literals)
        .then_some(Label { positive: a.positive & !differ, negative: a.negative & !differ })
}

/// Merges states with the same transitions up to merged states (bisimulation).
fn merge_states(automaton: &mut Automaton) {
    let n = automaton.transitions.len();
    if n * n_transitions(automaton) > MERGE_MAX {
        return;
    }
    let mut class = vec![0_u32; n];
    let mut n_classes = 1;
    loop {
        let mut signatures: BTreeMap<(u32, Vec<Transition>), u32> = BTreeMap::new();
        let mut refined = vec![0; n];
        for state in 0..n {
            let transitions = automaton.transitions[state].iter();
            let mut signature: Vec<Transition> =
                transitions.map(|t| Transition { target: class[t.target as usize], ..*t }).collect();
            signature.sort_unstable();
            signature.dedup();
            let fresh = u32::try_from(signatures.len()).expect("translation limits the number of states");
            refined[state] = *signatures.entry((class[state], signature)).or_insert(fresh);
        }
        class = refined;
        if signatures.len() == n_classes {
            break;
        }
        n_classes = signatures.len();
    }
    // State 0 got class 0 because it is looked at first; each class keeps the transitions of its first state.
    let members = |wanted: u32| class.iter().filter(|&&c| c == wanted).count();
    automaton.sink = automaton.sink.map(|sink| class[sink as usize]).filter(|&sink| members(sink) == 1);
    let mut merged: Vec<Option<Vec<Transition>>> = vec![None; n_classes];
    for state in 0..n {
        let transitions = automaton.transitions[state].iter();
        let mapped = || transitions.map(|t| Transition { target: class[t.target as usize], ..*t }).collect();
        merged[class[state] as usize].get_or_insert_with(mapped);
    }
    automaton.transitions = merged.into_iter().map(|t| t.expect("every class has a state")).collect();
}

/// Drops an acceptance set whenever another one implies it. The sets of components that cannot accept are empty by now,
/// and must stay so: the last set is dropped only if there is no cycle outside.
fn drop_sets(automaton: &mut Automaton) {
    let (component, n_components) = automaton.components();
    let inside = automaton.sets_inside(&component, n_components);
    let all = automaton.all_sets();
    let strict = inside.iter().any(|sets| sets.is_some_and(|sets| sets != all));
    let mut seen: Vec<u32> = Vec::new();
    for (state, transitions) in automaton.transitions.iter().enumerate() {
        let own = component[state];
        let cycles = transitions.iter().filter(|t| component[t.target as usize] == own);
        seen.extend(cycles.filter(|_| inside[own as usize] == Some(all)).map(|t| t.sets));
    }
    let mut kept: Vec<u32> = (0..automaton.n_sets).collect();
    for set in 0..automaton.n_sets {
        let has = |sets: u32, set: u32| sets >> set & 1 == 1;
        let implied = |other: &u32| *other != set && seen.iter().all(|&s| !has(s, *other) || has(s, set));
        let trivial = seen.iter().all(|&s| has(s, set)) && !(strict && kept.len() == 1);
        if trivial || kept.iter().any(implied) {
            kept.retain(|&k| k != set);
        }
    }
    for transition in automaton.transitions.iter_mut().flatten() {
        let old = transition.sets;
        transition.sets = kept.iter().enumerate().fold(0, |sets, (i, &set)| sets | (old >> set & 1) << i);
    }
    automaton.n_sets = u32::try_from(kept.len()).expect("at most 32 acceptance sets");
}
