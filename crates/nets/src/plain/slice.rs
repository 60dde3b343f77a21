//! What a claim about places does not need: transitions that change nothing it reads, nor anything that decides about those
//! that do.
//!
//! Slicing of nets (Rakow 2012): a place is needed if an atom reads it, or if a transition that changes the tokens of a needed
//! place takes, reads, is inhibited by or, where there is a capacity, fills it. A firing that changes no needed place is a
//! repetition to the claim and is left out.

use crate::plain::atoms::Predicate;
use crate::plain::{Family, PlainNet, PlainTransition};

/// The net without what these predicates do not need, and which transitions are left; `None` if they need all of them, or
/// speak of transitions.
pub(crate) fn slice(net: &PlainNet, predicates: &[&Predicate]) -> Option<(PlainNet, Vec<usize>)> {
    let mut needed = vec![false; net.places.len()];
    for predicate in predicates {
        reads(predicate, &mut needed)?;
    }
    let mut kept = vec![false; net.transitions.len()];
    loop {
        let mut grown = false;
        for (transition, kept) in net.transitions.iter().zip(&mut kept) {
            if !*kept && changes(transition, &needed) {
                *kept = true;
                grown = true;
                depends(net, transition, &mut needed);
            }
        }
        if !grown {
            break;
        }
    }
    let left: Vec<usize> = (0..kept.len()).filter(|&at| kept[at]).collect();
    if left.len() == kept.len() {
        return None;
    }
    let family = |family: &Family| {
        let members = family.members.iter().filter_map(|member| left.binary_search(member).ok()).collect();
        Family { members, ..family.clone() }
    };
    let sliced = PlainNet {
        transitions: left.iter().map(|&at| net.transitions[at].clone()).collect(),
        transition_families: net.transition_families.iter().map(family).collect(),
        ..net.clone()
    };
    Some((sliced, left))
}

/// Notes the places it reads; `None` if it speaks of transitions.
fn reads(predicate: &Predicate, needed: &mut [bool]) -> Option<()> {
    match predicate {
        Predicate::Constant(_) => {}
        Predicate::Compare(sum, _) => {
            sum.parts().0.iter().for_each(|(place, _)| needed[*place as usize] = true);
        }
        Predicate::Enabled(_) | Predicate::Fired(_) => return None,
        Predicate::Not(inner) => reads(inner, needed)?,
        Predicate::All(parts) | Predicate::Any(parts) => {
            for part in parts {
                reads(part, needed)?;
            }
        }
    }
    Some(())
}

/// Whether it changes how many tokens lie in a needed place.
fn changes(transition: &PlainTransition, needed: &[bool]) -> bool {
    let takes =
        |place: usize| transition.inputs.iter().find(|arc| arc.place == place).map_or(0, |arc| arc.weight);
    let gives =
        |place: usize| transition.outputs.iter().find(|arc| arc.place == place).map_or(0, |arc| arc.weight);
    let mut arcs = transition.inputs.iter().chain(&transition.outputs);
    arcs.any(|arc| needed[arc.place] && takes(arc.place) != gives(arc.place))
}

/// Notes the places that decide whether it may fire.
fn depends(net: &PlainNet, transition: &PlainTransition, needed: &mut [bool]) {
    let filled = transition.outputs.iter().filter(|arc| net.places[arc.place].capacity.is_some());
    let arcs = transition.inputs.iter().chain(&transition.reads).chain(&transition.inhibitors).chain(filled);
    arcs.for_each(|arc| needed[arc.place] = true);
}
