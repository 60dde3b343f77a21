//! Nets without their colours: the skeleton that structural analysis looks at, and nets that have no colours to lose.

use crate::plain::{Arc, PlainNet, PlainPlace, PlainTransition};
use crate::program::{Alternative, Input, Net, Output, PlaceKind, Program, Sort};
use crate::semantics::create;
use crate::semantics::scope::Budget;
use crate::value::{Bag, NetId};

/// A net as if all tokens were black: each disjunct is a transition, guards and cells are forgotten. Whatever the arcs of the
/// skeleton keep constant, the net keeps constant. `None` if the initial marking cannot be computed; agents start as their
/// templates do with no arguments where these do not matter for numbers of tokens.
#[must_use]
pub fn skeleton(program: &Program, net: NetId) -> Option<PlainNet> {
    let declared = program.nets.get(net.0 as usize)?;
    let sizes: Vec<u32> = match create::marking(program, net, &[], &Budget::new(), 0) {
        Ok(bags) => bags.iter().map(|bag| u32::try_from(bag.size()).unwrap_or(u32::MAX)).collect(),
        Err(_) if !declared.parameters.is_empty() => vec![0; declared.places.len()],
        Err(_) => return None,
    };
    let kept: Vec<usize> = (0..declared.places.len())
        .filter(|&place| declared.places[place].kind == PlaceKind::Tokens)
        .collect();
    let place = |&number: &usize| PlainPlace {
        name: declared.places[number].name.clone(),
        initial: sizes[number],
        capacity: declared.places[number].capacity,
    };
    let mut transitions = Vec::new();
    for transition in &declared.transitions {
        for (number, alternative) in transition.alternatives.iter().enumerate() {
            let name = match transition.alternatives.len() {
                1 => transition.name.clone(),
                _ => format!("{} ({})", transition.name, number + 1),
            };
            transitions.push(bare(name, alternative, &kept));
        }
    }
    Some(PlainNet {
        name: declared.name.clone(),
        places: kept.iter().map(place).collect(),
        transitions,
        ..PlainNet::default()
    })
}

/// What lies in the places of the system net at the start, place by place; `None` if that cannot be computed.
#[must_use]
pub fn initial_marking(program: &Program) -> Option<Vec<Bag>> {
    create::marking(program, program.system, &[], &Budget::new(), 0).ok()
}

/// The system net as a place/transition net, if it is one: black tokens only, no guards, no agents, no cells.
#[must_use]
pub fn plain(program: &Program) -> Option<PlainNet> {
    let net = &program.nets[program.system.0 as usize];
    is_plain(net).then(|| skeleton(program, program.system))?
}

fn is_plain(net: &Net) -> bool {
    let black = net.places.iter().all(|place| place.kind == PlaceKind::Tokens && place.sort == Sort::Token);
    let bare = |alternative: &Alternative| {
        alternative.sync.is_none()
            && alternative.bindings.is_empty()
            && alternative.guards.is_empty()
            && alternative.updates.is_empty()
    };
    black && net.transitions.iter().flat_map(|transition| &transition.alternatives).all(bare)
}

fn bare(name: String, alternative: &Alternative, kept: &[usize]) -> PlainTransition {
    let inputs = |arcs: &[Input]| sum(arcs.iter().map(|arc| (arc.place.0, arc.weight)), kept);
    let outputs = |arcs: &[Output]| sum(arcs.iter().map(|arc| (arc.place.0, arc.weight)), kept);
    PlainTransition {
        name,
        inputs: inputs(&alternative.inputs),
        reads: inputs(&alternative.reads),
        inhibitors: inputs(&alternative.inhibitors),
        outputs: outputs(&alternative.outputs),
    }
}

/// Each place once, in order, with all its weights.
fn sum(arcs: impl Iterator<Item = (u32, u32)>, kept: &[usize]) -> Vec<Arc> {
    let mut weights = vec![0_u32; kept.len()];
    for (place, weight) in arcs {
        if let Ok(at) = kept.binary_search(&(place as usize)) {
            weights[at] = weights[at].saturating_add(weight);
        }
    }
    let arcs = weights.into_iter().enumerate().filter(|(_, weight)| *weight > 0);
    arcs.map(|(place, weight)| Arc { place, weight }).collect()
}
