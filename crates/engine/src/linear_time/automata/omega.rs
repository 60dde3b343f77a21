//! Automata that come as claims: what they accept, and, if they are deterministic, what they do not.

use motet_model::AtomId;
use motet_property::{Guard, Omega};

use super::automaton::{Automaton, Label, Transition};
use crate::linear_time::linear::Unsupported;

/// A guard becomes this many conjunctions at most.
const MOST_LABELS: usize = 1 << 12;

/// The automaton itself.
pub(crate) fn accepted(omega: &Omega<AtomId>) -> Result<Automaton, Unsupported> {
    let states = 0..u32::try_from(omega.edges.len()).map_err(|_| too_large())?;
    // State 0 is the start; every state of the claim is one further on.
    let mut transitions = vec![Vec::new()];
    for state in states {
        let row = row(omega, state)?;
        let row: Vec<Transition> =
            row.into_iter().map(|edge| Transition { target: edge.target + 1, ..edge }).collect();
        if omega.starts.contains(&state) {
            transitions[0].extend(row.iter().copied());
        }
        transitions.push(row);
    }
    Ok(Automaton { propositions: omega.propositions.clone(), transitions, n_sets: omega.n_sets, sink: None })
}

/// An automaton for all other words. A deterministic automaton has one way for each word; it does not accept if the way ends,
/// or if from some point on an acceptance set is not met any more: which point and which set is guessed.
pub(crate) fn rejected(omega: &Omega<AtomId>) -> Result<Automaton, Unsupported> {
    let n = u32::try_from(omega.edges.len()).map_err(|_| too_large())?;
    let row = |state| row(omega, state).map(|row| disjoint(&row, omega.propositions.len()));
    let rows: Vec<Vec<Transition>> = (0..n).map(row).collect::<Result<_, _>>()?;
    let [start] = omega.starts[..] else { return Err(nondeterministic()) };
    if rows.iter().any(|row| overlaps(row)) {
        return Err(nondeterministic());
    }
    // The start, then one copy that waits, then one copy for each set, then the sink.
    let copy = |number: u32, state: u32| 1 + number * n + state;
    let sink = copy(omega.n_sets + 1, 0);
    let waits = |state: u32| -> Result<Vec<Transition>, Unsupported> {
        let mut out = Vec::new();
        for edge in &rows[state as usize] {
            let to =
                |number: u32| Transition { label: edge.label, sets: 0, target: copy(number, edge.target) };
            out.extend((0..=omega.n_sets).map(to));
        }
        let gaps = gaps(&rows[state as usize], omega.propositions.len())?;
        out.extend(gaps.into_iter().map(|label| Transition { label, sets: 0, target: sink }));
        Ok(out)
    };
    let mut transitions = vec![waits(start)?];
    for state in 0..n {
        transitions.push(waits(state)?);
    }
    for set in 0..omega.n_sets {
        for row in &rows {
            let avoids = row.iter().filter(|edge| edge.sets >> set & 1 == 0);
            transitions.push(
                avoids
                    .map(|edge| Transition { label: edge.label, sets: 1, target: copy(set + 1, edge.target) })
                    .collect(),
            );
        }
    }
    transitions.push(vec![Transition { label: Label::default(), sets: 1, target: sink }]);
    Ok(Automaton { propositions: omega.propositions.clone(), transitions, n_sets: 1, sink: Some(sink) })
}

fn too_large() -> Unsupported {
    "an automaton this large".to_owned()
}

fn nondeterministic() -> Unsupported {
    "an automaton with a choice, of which all runs are to be accepted: make it deterministic, or give one of what is \
     wrong with `claim: never`"
        .to_owned()
}

/// The edges of a state, each guard as the conjunctions it consists of.
fn row(omega: &Omega<AtomId>, state: u32) -> Result<Vec<Transition>, Unsupported> {
    let mut row = Vec::new();
    for edge in &omega.edges[state as usize] {
        for label in labels(&edge.guard, true)? {
            row.push(Transition { label, sets: edge.sets, target: edge.target });
        }
    }
    Ok(row)
}

/// Disjoint or not, the conjunctions of a guard, or of its negation.
fn labels(guard: &Guard, positive: bool) -> Result<Vec<Label>, Unsupported> {
    let both = |left: &Guard, right: &Guard| -> Result<Vec<Label>, Unsupported> {
        let (left, right) = (labels(left, positive)?, labels(right, positive)?);
        let pairs = left.iter().flat_map(|one| right.iter().filter_map(|two| one.and(*two)));
        let pairs: Vec<Label> = pairs.take(MOST_LABELS + 1).collect();
        if pairs.len() > MOST_LABELS { Err(too_large()) } else { Ok(pairs) }
    };
    let either = |left: &Guard, right: &Guard| -> Result<Vec<Label>, Unsupported> {
        // The second without the first, so that one letter has one label.
        let (one, two) = (labels(left, positive)?, labels(right, positive)?);
        let rest = labels(left, !positive)?;
        let pairs = two.iter().flat_map(|label| rest.iter().filter_map(|other| label.and(*other)));
        let all: Vec<Label> = one.iter().copied().chain(pairs).take(MOST_LABELS + 1).collect();
        if all.len() > MOST_LABELS { Err(too_large()) } else { Ok(all) }
    };
    match (guard, positive) {
        (Guard::True, true) | (Guard::False, false) => Ok(vec![Label::default()]),
        (Guard::True, false) | (Guard::False, true) => Ok(Vec::new()),
        (Guard::Proposition(number), true) => Ok(vec![Label { positive: 1 << number, negative: 0 }]),
        (Guard::Proposition(number), false) => Ok(vec![Label { positive: 0, negative: 1 << number }]),
        (Guard::Not(inner), _) => labels(inner, !positive),
        (Guard::And(left, right), true) | (Guard::Or(left, right), false) => both(left, right),
        (Guard::Or(left, right), true) | (Guard::And(left, right), false) => either(left, right),
    }
}

/// Where two edges lead to the same state and one of them is in all sets of the other, a letter that can take both takes it:
/// the other is left with the rest of its letters.
fn disjoint(row: &[Transition], n_propositions: usize) -> Vec<Transition> {
    let mut kept: Vec<Transition> = Vec::new();
    for (at, edge) in row.iter().enumerate() {
        let mut labels = vec![edge.label];
        let better = |(other, rival): (usize, &Transition)| {
            let more = rival.sets & edge.sets == edge.sets && (rival.sets != edge.sets || other < at);
            other != at && rival.target == edge.target && more
        };
        for (_, rival) in row.iter().enumerate().filter(|(other, rival)| better((*other, rival))) {
            let mut rest = Vec::new();
            labels.iter().for_each(|label| without(*label, rival.label, n_propositions, &mut rest));
            labels = rest;
        }
        kept.extend(labels.into_iter().map(|label| Transition { label, ..*edge }));
    }
    kept
}

/// Whether some letter can take two edges.
fn overlaps(row: &[Transition]) -> bool {
    row.iter().enumerate().any(|(at, one)| row[at + 1..].iter().any(|two| one.label.and(two.label).is_some()))
}

/// The letters that no edge reads, as conjunctions.
fn gaps(row: &[Transition], n_propositions: usize) -> Result<Vec<Label>, Unsupported> {
    let mut open = vec![Label::default()];
    for edge in row {
        let mut rest = Vec::new();
        for label in open {
            without(label, edge.label, n_propositions, &mut rest);
        }
        if rest.len() > MOST_LABELS {
            return Err(too_large());
        }
        open = rest;
    }
    Ok(open)
}

/// The letters of one label that the other does not read, as disjoint conjunctions.
fn without(label: Label, other: Label, n_propositions: usize, out: &mut Vec<Label>) {
    if label.and(other).is_none() {
        out.push(label);
        return;
    }
    let mut prefix = label;
    for bit in (0..n_propositions).map(|at| 1_u64 << at) {
        let literal = match (other.positive & bit != 0, other.negative & bit != 0) {
            (true, _) => Label { positive: bit, negative: 0 },
            (_, true) => Label { positive: 0, negative: bit },
            _ => continue,
        };
        let opposite = Label { positive: literal.negative, negative: literal.positive };
        out.extend(prefix.and(opposite));
        match prefix.and(literal) {
            Some(next) => prefix = next,
            None => return,
        }
    }
}
