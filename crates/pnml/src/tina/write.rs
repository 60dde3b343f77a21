//! A net as lines.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use motet_nets::plain::{Arc, PlainNet, PlainTransition};

use crate::tina::lexer::is_plain;

/// The net in TINA's textual format. TINA knows no capacities: a transition that would exceed one is stopped by an
/// inhibitor arc instead. TINA knows no ids either: two places of one name would be one place there, so the second gets a number.
#[must_use]
pub fn write(net: &PlainNet) -> String {
    let places = names(net.places.iter().map(|place| place.name.as_str()));
    let transitions = names(net.transitions.iter().map(|transition| transition.name.as_str()));
    let writer = Writer { net, places };
    let mut out = format!("net {}\n", name(&on_one_line(&net.name)));
    for (place, name) in net.places.iter().zip(&writer.places) {
        let tokens = if place.initial > 0 { format!(" ({})", place.initial) } else { String::new() };
        writeln!(out, "pl {name}{tokens}").expect("writing to a string never fails");
    }
    for (transition, name) in net.transitions.iter().zip(&transitions) {
        let mut words = vec![format!("tr {name}")];
        words.extend(transition.inputs.iter().map(|arc| writer.weighted(arc)));
        words.extend(writer.tests(transition));
        words.push("->".to_owned());
        words.extend(transition.outputs.iter().map(|arc| writer.weighted(arc)));
        writeln!(out, "{}", words.join(" ")).expect("writing to a string never fails");
    }
    out
}

/// A net with the names of its places in the file.
struct Writer<'n> {
    net: &'n PlainNet,
    places: Vec<String>,
}

impl Writer<'_> {
    fn weighted(&self, arc: &Arc) -> String {
        let name = &self.places[arc.place];
        if arc.weight == 1 { name.clone() } else { format!("{name}*{}", arc.weight) }
    }

    /// Test arcs, inhibitor arcs and what stands for capacities.
    fn tests(&self, transition: &PlainTransition) -> Vec<String> {
        let weight =
            |arcs: &[Arc], place| arcs.iter().find(|arc| arc.place == place).map_or(0, |arc| arc.weight);
        let read = transition.reads.iter().map(|arc| {
            let tokens = u64::from(arc.weight) + u64::from(weight(&transition.inputs, arc.place));
            format!("{}?{tokens}", self.places[arc.place])
        });
        let mut words: Vec<String> = read.collect();
        let mut below: BTreeMap<usize, u32> =
            transition.inhibitors.iter().map(|arc| (arc.place, arc.weight)).collect();
        for arc in &transition.outputs {
            let gain = arc.weight.saturating_sub(weight(&transition.inputs, arc.place));
            let Some(capacity) = self.net.places[arc.place].capacity.filter(|_| gain > 0) else { continue };
            let limit = (u64::from(capacity) + 1).saturating_sub(u64::from(gain));
            let limit = u32::try_from(limit).unwrap_or(u32::MAX);
            let least = below.entry(arc.place).or_insert(limit);
            *least = (*least).min(limit);
        }
        for (place, limit) in below {
            let name = &self.places[place];
            match limit {
                // Fewer than none: two tests that exclude each other.
                0 => words.extend([format!("{name}?1"), format!("{name}?-1")]),
                limit => words.push(format!("{name}?-{limit}")),
            }
        }
        words
    }
}

/// Names that are different from each other. Those that can stay as they are do.
fn names<'n>(wanted: impl Iterator<Item = &'n str> + Clone) -> Vec<String> {
    let mut used: BTreeSet<String> = BTreeSet::new();
    let kept: Vec<bool> =
        wanted.clone().map(|name| on_one_line(name) == name && used.insert(name.to_owned())).collect();
    let mut different = |wanted: &str| {
        let base = on_one_line(wanted);
        let mut candidate = base.clone();
        let mut number = 1;
        while !used.insert(candidate.clone()) {
            number += 1;
            candidate = format!("{base}_{number}");
        }
        candidate
    };
    let names =
        wanted.zip(kept).map(|(wanted, kept)| if kept { wanted.to_owned() } else { different(wanted) });
    names.map(|own| name(&own)).collect()
}

fn on_one_line(name: &str) -> String {
    name.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// The words that lines begin with; a name that is one stands in braces.
const WORDS: [&str; 7] = ["net", "tr", "pl", "lb", "nt", "an", "pr"];

fn name(name: &str) -> String {
    if !name.is_empty() && name.chars().all(is_plain) && !WORDS.contains(&name) {
        return name.to_owned();
    }
    let mut out = String::from("{");
    for letter in name.chars() {
        if matches!(letter, '{' | '}' | '\\') {
            out.push('\\');
        }
        out.push(letter);
    }
    out.push('}');
    out
}
