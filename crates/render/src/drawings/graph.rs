//! A graph for drawing programs: the states of a small model, or who sends what to whom.

use serde::Serialize;

/// A directed graph with labels.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Graph {
    /// Its name.
    pub name: String,
    /// The nodes; edges refer to them by position.
    pub nodes: Vec<GraphNode>,
    /// The edges.
    pub edges: Vec<GraphEdge>,
    /// Whether every node and edge is there; a limit may have cut it.
    pub complete: bool,
}

/// A node.
#[derive(Clone, Debug, Default, Serialize)]
pub struct GraphNode {
    /// Lines of text.
    pub lines: Vec<String>,
    /// Whether runs start here.
    pub initial: bool,
    /// What it is in a drawing of a team: `group`, `agent`, `object`, `area`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
}

/// An edge.
#[derive(Clone, Debug, Default, Serialize)]
pub struct GraphEdge {
    /// From which node.
    pub from: usize,
    /// To which.
    pub to: usize,
    /// Who moves.
    pub who: String,
    /// What is done or said.
    pub label: String,
    /// What it is in a drawing of a team: `belongs`, `in`, `tells`, `writes`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
}

/// The graph in Graphviz's language.
#[must_use]
pub fn dot(graph: &Graph) -> String {
    let mut text =
        format!("digraph {} {{\n  node [shape=box, fontname=\"sans-serif\"];\n", quoted(&graph.name));
    if !graph.complete {
        text.push_str("  label=\"cut by a limit: not the whole graph\";\n");
    }
    for (at, node) in graph.nodes.iter().enumerate() {
        let style = match node.kind {
            Some("group") => ", shape=folder",
            Some("agent") => ", style=rounded",
            Some("area") => ", shape=house",
            _ if node.initial => ", penwidth=2",
            _ => "",
        };
        text.push_str(&format!("  n{at} [label={}{style}];\n", quoted(&node.lines.join("\n"))));
    }
    for edge in &graph.edges {
        let label = match (edge.who.is_empty(), edge.label.is_empty()) {
            (true, _) => edge.label.clone(),
            (false, true) => edge.who.clone(),
            (false, false) => format!("{}: {}", edge.who, edge.label),
        };
        let (label, style) = match edge.kind {
            Some("belongs") => (label, ", style=dotted, arrowhead=empty"),
            Some("in") => (label, ", style=dotted"),
            Some("writes") => (format!("writes {label}"), ", style=dashed"),
            _ => (label, ""),
        };
        text.push_str(&format!("  n{} -> n{} [label={}{style}];\n", edge.from, edge.to, quoted(&label)));
    }
    text.push_str("}\n");
    text
}

/// The graph as JSON.
#[must_use]
pub fn graph_json(graph: &Graph) -> String {
    let text = serde_json::to_string_pretty(graph).expect("a graph of texts and numbers can be written");
    format!("{text}\n")
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\l"),
            other if other.is_control() => out.push(' '),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
