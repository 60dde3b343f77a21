//! Nets in Graphviz's language.

use motet_model::{ArcKind, MarkingPicture, NetPicture};

/// The nets, each in a box of its own; the outermost one with its tokens.
#[must_use]
pub fn net_dot(name: &str, nets: &[NetPicture], marking: Option<&MarkingPicture>) -> String {
    let mut text = format!("digraph {} {{\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n", quoted(name));
    for (number, net) in nets.iter().enumerate() {
        let marking = marking.filter(|marking| marking.net == number);
        text.push_str(&format!("  subgraph cluster_{number} {{\n    label={};\n", quoted(&net.name)));
        for (at, place) in net.places.iter().enumerate() {
            let tokens = marking.and_then(|marking| marking.places.get(at)).map_or(&[][..], Vec::as_slice);
            let mut lines = vec![place.name.clone()];
            lines.extend(tokens.iter().map(|token| match (token.text.is_empty(), token.count) {
                (true, count) => format!("{count}"),
                (false, 1) => token.text.clone(),
                (false, count) => format!("{count} × {}", token.text),
            }));
            let shape = if place.cell { "doublecircle" } else { "ellipse" };
            text.push_str(&format!(
                "    p{number}_{at} [shape={shape}, label={}];\n",
                quoted(&lines.join("\n"))
            ));
        }
        for (at, transition) in net.transitions.iter().enumerate() {
            let lines: Vec<&str> = std::iter::once(&transition.name)
                .chain(&transition.channel)
                .chain(&transition.notes)
                .map(String::as_str)
                .collect();
            text.push_str(&format!("    t{number}_{at} [shape=box, label={}];\n", quoted(&lines.join("\n"))));
        }
        for arc in &net.arcs {
            let (place, transition) =
                (format!("p{number}_{}", arc.place), format!("t{number}_{}", arc.transition));
            let (from, to, style) = match arc.kind {
                ArcKind::In => (place, transition, ""),
                ArcKind::Out => (transition, place, ""),
                ArcKind::Read => (place, transition, ", style=dashed, dir=none"),
                ArcKind::Inhibit => (place, transition, ", arrowhead=odot"),
                ArcKind::Update => (place, transition, ", dir=both"),
            };
            text.push_str(&format!("    {from} -> {to} [label={}{style}];\n", quoted(&arc.label)));
        }
        text.push_str("  }\n");
    }
    text.push_str("}\n");
    text
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
