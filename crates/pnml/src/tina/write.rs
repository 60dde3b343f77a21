//! A net as lines.

use std::collections::BTreeMap;
use std::fmt::Write;

use motet_nets::plain::{Arc, PlainNet, PlainTransition};

use crate::tina::lexer::is_plain;

/// The net in TINA's textual format. TINA knows no capacities: a transition that would exceed one is stopped by an
/// inhibitor arc instead.
#[must_use]
pub fn write(net: &PlainNet) -> String {
    let mut out = format!("net {}\n", name(&net.name));
    for place in &net.places {
        let tokens = if place.initial > 0 { format!(" ({})", place.initial) } else { String::new() };
        writeln!(out, "pl {}{tokens}", name(&place.name)).expect("writing to a string never fails");
    }
    for transition in &net.transitions {
        let mut words = vec![format!("tr {}", name(&transition.name))];
        words.extend(transition.inputs.iter().map(|arc| weighted(net, arc)));
        words.extend(tests(net, transition));
        words.push("->".to_owned());
        words.extend(transition.outputs.iter().map(|arc| weighted(net, arc)));
        writeln!(out, "{}", words.join(" ")).expect("writing to a string never fails");
    }
    out
}

fn weighted(net: &PlainNet, arc: &Arc) -> String {
    let name = name(&net.places[arc.place].name);
    if arc.weight == 1 { name } else { format!("{name}*{}", arc.weight) }
}

/// Test arcs, inhibitor arcs and what stands for capacities.
fn tests(net: &PlainNet, transition: &PlainTransition) -> Vec<String> {
    let weight = |arcs: &[Arc], place| arcs.iter().find(|arc| arc.place == place).map_or(0, |arc| arc.weight);
    let name = |place: usize| name(&net.places[place].name);
    let read = transition.reads.iter().map(|arc| {
        let tokens = u64::from(arc.weight) + u64::from(weight(&transition.inputs, arc.place));
        format!("{}?{tokens}", name(arc.place))
    });
    let mut words: Vec<String> = read.collect();
    let mut below: BTreeMap<usize, u32> =
        transition.inhibitors.iter().map(|arc| (arc.place, arc.weight)).collect();
    for arc in &transition.outputs {
        let gain = arc.weight.saturating_sub(weight(&transition.inputs, arc.place));
        let Some(capacity) = net.places[arc.place].capacity.filter(|_| gain > 0) else { continue };
        let limit = (u64::from(capacity) + 1).saturating_sub(u64::from(gain));
        let limit = u32::try_from(limit).unwrap_or(u32::MAX);
        let least = below.entry(arc.place).or_insert(limit);
        *least = (*least).min(limit);
    }
    for (place, limit) in below {
        match limit {
            // Fewer than none: two tests that exclude each other.
            0 => words.extend([format!("{}?1", name(place)), format!("{}?-1", name(place))]),
            limit => words.push(format!("{}?-{limit}", name(place))),
        }
    }
    words
}

fn name(name: &str) -> String {
    if !name.is_empty() && name.chars().all(is_plain) {
        return name.to_owned();
    }
    let mut out = String::from("{");
    for letter in name.chars() {
        match letter {
            '{' | '}' | '\\' => out.extend(['\\', letter]),
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out.push('}');
    out
}
