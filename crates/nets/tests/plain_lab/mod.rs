//! Small nets, random nets and an exploration that is easy to believe.

use std::collections::{BTreeMap, BTreeSet};

use motet_nets::plain::{Arc, PlainNet, PlainPlace, PlainTransition, merged};
use motet_source::fuzz::Random;

/// `take idle fork -> busy` and so on, with places as they turn up.
#[allow(dead_code, reason = "each test file uses its own part of the lab")]
pub(crate) fn net(marked: &[(&str, u32)], transitions: &[(&str, &str, &str)]) -> PlainNet {
    let mut net = PlainNet::new("net");
    let mut numbers = BTreeMap::new();
    let mut place = |net: &mut PlainNet, name: &str| -> usize {
        *numbers.entry(name.to_owned()).or_insert_with(|| {
            net.places.push(PlainPlace { name: name.to_owned(), ..PlainPlace::default() });
            net.places.len() - 1
        })
    };
    for (name, tokens) in marked {
        let number = place(&mut net, name);
        net.places[number].initial = *tokens;
    }
    for (name, takes, gives) in transitions {
        let mut arcs = |names: &str| {
            let all: Vec<Arc> = names
                .split_whitespace()
                .map(|name| Arc { place: place(&mut net, name), weight: 1 })
                .collect();
            merged(all).expect("small weights")
        };
        let (inputs, outputs) = (arcs(takes), arcs(gives));
        net.transitions.push(PlainTransition {
            name: (*name).to_owned(),
            inputs,
            outputs,
            ..PlainTransition::default()
        });
    }
    net
}

/// A net with everything a net can have.
#[allow(dead_code, reason = "each test file uses its own part of the lab")]
pub(crate) fn random(random: &mut Random, n_places: usize, n_transitions: usize) -> PlainNet {
    let mut net = PlainNet::new("net");
    for number in 0..n_places {
        let capacity =
            (random.below(4) == 0).then(|| 1 + u32::try_from(random.below(3)).expect("a small number"));
        let initial = u32::try_from(random.below(3)).expect("a small number").min(capacity.unwrap_or(9));
        net.places.push(PlainPlace { name: format!("p{number}"), initial, capacity });
    }
    for number in 0..n_transitions {
        let arcs = |random: &mut Random, most: usize| {
            let arc = |random: &mut Random| Arc {
                place: random.below(n_places),
                weight: 1 + u32::from(random.below(4) == 0),
            };
            let all: Vec<Arc> = (0..random.below(most + 1)).map(|_| arc(random)).collect();
            let mut seen = BTreeSet::new();
            merged(all.into_iter().filter(|arc| seen.insert(arc.place))).expect("small weights")
        };
        net.transitions.push(PlainTransition {
            name: format!("t{number}"),
            inputs: arcs(random, 3),
            reads: if random.below(3) == 0 { arcs(random, 1) } else { Vec::new() },
            inhibitors: if random.below(3) == 0 { arcs(random, 1) } else { Vec::new() },
            outputs: arcs(random, 3),
        });
    }
    net
}

/// What firing does to a marking, straight from the definition; `None` if the transition is not enabled.
#[allow(dead_code, reason = "each test file uses its own part of the lab")]
pub(crate) fn fired(net: &PlainNet, transition: usize, marking: &[u32]) -> Option<Vec<u32>> {
    let transition = &net.transitions[transition];
    let weight = |arcs: &[Arc], place: usize| -> i64 {
        arcs.iter().filter(|arc| arc.place == place).map(|arc| i64::from(arc.weight)).sum()
    };
    let mut after = Vec::new();
    for (place, &tokens) in marking.iter().enumerate() {
        let left = i64::from(tokens) - weight(&transition.inputs, place);
        if left < 0 || left < weight(&transition.reads, place) {
            return None;
        }
        let inhibited = transition.inhibitors.iter().any(|arc| arc.place == place && tokens >= arc.weight);
        let now = left + weight(&transition.outputs, place);
        let full =
            net.places[place].capacity.is_some_and(|most| now > i64::from(most) && now > i64::from(tokens));
        if inhibited || full {
            return None;
        }
        after.push(u32::try_from(now).ok()?);
    }
    Some(after)
}

/// Markings that can be reached, as many as wanted at most, and whether these are all.
#[allow(dead_code, reason = "each test file uses its own part of the lab")]
pub(crate) fn reachable(net: &PlainNet, most: usize) -> (BTreeSet<Vec<u32>>, bool) {
    let mut seen = BTreeSet::from([net.initial()]);
    let mut waiting = vec![net.initial()];
    while let Some(marking) = waiting.pop() {
        for transition in 0..net.transitions.len() {
            let Some(next) = fired(net, transition, &marking) else { continue };
            if seen.insert(next.clone()) {
                waiting.push(next);
            }
        }
        if seen.len() > most {
            return (seen, false);
        }
    }
    (seen, true)
}
