//! Warnings about a whole model: what is never filled, never made, never used.

use motet_source::Problem;

use super::declare::Declarations;
use crate::program::{Initial, Net, PlaceKind};
use crate::syntax::{Item, Level, Text};
use crate::value::NetId;

/// All of them.
pub(crate) fn remarks(declared: &mut Declarations<'_>, text: &Text, nets: &[Net]) {
    for net in nets {
        unfilled(declared, net);
    }
    templates(declared);
    sorts(declared, text);
}

/// Places that never hold a token, and transitions that wait for one of them.
fn unfilled(declared: &mut Declarations<'_>, net: &Net) {
    let mut filled = vec![false; net.places.len()];
    let alternatives = || net.transitions.iter().flat_map(|transition| &transition.alternatives);
    for output in alternatives().flat_map(|alternative| &alternative.outputs) {
        if let Some(filled) = filled.get_mut(output.place.0 as usize) {
            *filled = true;
        }
    }
    let empty = |number: usize| {
        let place = &net.places[number];
        place.kind == PlaceKind::Tokens && !filled[number] && matches!(place.initial, Initial::Empty)
    };
    for (number, place) in net.places.iter().enumerate().filter(|(number, _)| empty(*number)) {
        let message = format!("place `{}` of `{}` never holds a token", place.name, net.name);
        let help = "give it an initial marking, or put tokens there";
        declared.problems.push(Problem::warning("M1036", place.span, message, help));
        for transition in &net.transitions {
            let waits = |alternative: &crate::program::Alternative| {
                let arcs = alternative.inputs.iter().chain(&alternative.reads);
                arcs.into_iter().any(|arc| arc.place.0 as usize == number)
            };
            if !transition.alternatives.is_empty() && transition.alternatives.iter().all(waits) {
                let message = format!(
                    "`{}` never fires: it waits for `{}`, which stays empty",
                    transition.name, place.name
                );
                let problem = Problem::warning("M1036", transition.span, message, help);
                declared.problems.push(problem.also(place.span, "the place"));
            }
        }
    }
}

/// Templates that nothing instantiates.
fn templates(declared: &mut Declarations<'_>) {
    for (number, net) in (0..).zip(&declared.scope.nets) {
        if net.level == Level::Agent && !declared.uses.templates.contains(&NetId(number)) {
            let message = format!("nothing creates an agent of `{}`", net.name);
            let help = format!("write `new {}(...)` in an initial marking or an output arc", net.name);
            declared.problems.push(Problem::warning("M1037", net.span, message, help));
        }
    }
}

/// Sorts that nothing mentions.
fn sorts(declared: &mut Declarations<'_>, text: &Text) {
    for item in &text.items {
        let (name, what) = match item {
            Item::Type(name, _) => (name, "type"),
            Item::Enumeration(enumeration) => (&enumeration.name, "enum"),
            _ => continue,
        };
        if !declared.uses.sorts.contains(&name.node) {
            let message = format!("nothing uses {what} `{}`", name.node);
            let help = "leave it out, or use it";
            declared.problems.push(Problem::warning("M1038", name.span, message, help));
        }
    }
}
