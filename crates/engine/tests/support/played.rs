//! Strategies as they are told, played.

use std::collections::BTreeSet;

use motet_evidence::{Memory, Strategy};
use motet_model::Ratio;
use motet_naive::chance::random::{Dice, Throw};
use motet_naive::chance::{Fair, Visit};

/// What to do where nothing is told: it is never met, or the matter is settled there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Open {
    /// The first choice.
    First,
    /// All choices, each as often: whoever goes on like this is fair.
    Drawn,
}

/// The chain of states and memories that is left when these choices are taken.
pub(crate) fn played(dice: &Dice, strategy: &Strategy, open: Open) -> Dice {
    followed(dice, strategy, open).0
}

/// The same as places for which fairness is told: whoever comes to a state that is `over` goes on fairly.
pub(crate) fn course(
    dice: &Dice,
    strategy: &Strategy,
    fair: Fair,
    over: &dyn Fn(usize) -> bool,
) -> Vec<Visit> {
    let (chain, met) = followed(dice, strategy, Open::Drawn);
    let visit = |(at, &(state, ordinal)): (usize, &(usize, Option<usize>))| {
        let who = |choice: usize| match fair {
            Fair::ToChoices => u32::try_from(100 * state + choice).expect("few"),
            Fair::Weakly | Fair::Strongly => dice.takers[state][choice],
        };
        let able: BTreeSet<u32> = (0..dice.rows[state].len()).map(who).collect();
        let taken = ordinal.map_or_else(|| able.clone(), |ordinal| BTreeSet::from([who(ordinal)]));
        let next: Vec<usize> =
            chain.rows[at].iter().flat_map(|(_, outcomes)| outcomes).map(|&(_, to)| to).collect();
        if next.is_empty() || over(state) {
            return Visit { able: BTreeSet::new(), taken: BTreeSet::new(), next: vec![at] };
        }
        Visit { able, taken, next }
    };
    met.iter().enumerate().map(visit).collect()
}

/// The chain, and per place the state and the choice that is taken; `None` where all are.
fn followed(dice: &Dice, strategy: &Strategy, open: Open) -> (Dice, Vec<(usize, Option<usize>)>) {
    let mut met = Vec::new();
    let mut places = vec![(0, strategy.start)];
    let mut chain = dice.clone();
    (chain.rows, chain.delays, chain.earned) = (Vec::new(), Vec::new(), Vec::new());
    chain.takers.clear();
    chain.atoms.iter_mut().for_each(Vec::clear);
    while let Some(&(state, memory)) = places.get(chain.rows.len()) {
        let here = |vector: &[u32], remembered: u64| vector[0] as usize == state && remembered == memory;
        let decided = strategy.decisions.iter().find(|decision| here(&decision.state, decision.memory));
        let ordinal = decided.map_or(0, |decision| decision.ordinal as usize);
        let delay = dice.delays[state].get(ordinal).copied();
        let turn = strategy.turns.iter().find(|turn| here(&turn.state, turn.memory));
        let next = match strategy.memory {
            Memory::None => memory,
            Memory::StepsLeft => memory.saturating_sub(1),
            Memory::TimeLeft => memory.saturating_sub(u64::from(delay.unwrap_or(1))),
            Memory::Progress => turn.map_or(memory, |turn| turn.next),
        };
        let mut place = |target: usize| {
            let known = places.iter().position(|place| *place == (target, next));
            known.unwrap_or_else(|| {
                places.push((target, next));
                places.len() - 1
            })
        };
        let row = &dice.rows[state];
        let drawn = decided.is_none() && open == Open::Drawn;
        met.push((state, (!drawn && !row.is_empty()).then_some(ordinal)));
        let taken = if drawn { all_of(row) } else { row.get(ordinal).cloned() };
        let taken = taken.map(|(earned, outcomes)| {
            (earned, outcomes.into_iter().map(|(weight, target)| (weight, place(target))).collect())
        });
        chain.rows.push(taken.into_iter().collect());
        chain.delays.push(delay.into_iter().collect());
        chain.earned.push(dice.earned[state]);
        chain.takers.push(Vec::new());
        chain.atoms.iter_mut().zip(&dice.atoms).for_each(|(chain, atom)| chain.push(atom[state]));
    }
    (chain, met)
}

/// All choices of a state, each as often; what they earn does not count.
fn all_of(row: &[Throw]) -> Option<Throw> {
    let sum = |(_, outcomes): &Throw| outcomes.iter().map(|(weight, _)| weight).sum::<u64>();
    let all: u64 = row.iter().map(sum).product();
    let scaled = row.iter().flat_map(|throw| {
        let scale = all / sum(throw);
        throw.1.iter().map(move |&(weight, target)| (weight * scale, target))
    });
    (!row.is_empty()).then(|| (Ratio::ZERO, scaled.collect()))
}
