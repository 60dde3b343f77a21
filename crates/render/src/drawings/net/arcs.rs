//! Arcs as drawn: from outline to outline, with their labels.

use motet_model::{ArcKind, NetPicture};

use super::nodes::{Node, Outline};
use super::words::{escaped, width};
use crate::drawings::layers::Layout;

/// Heads of arcs: an arrow, and the circle of an inhibitor.
pub(super) const HEADS: &str = "<defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" \
    markerHeight=\"7\" orient=\"auto-start-reverse\"><path d=\"M0 0L10 5L0 10z\" fill=\"#444444\"/></marker><marker \
    id=\"ring\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\"><circle cx=\"5\" cy=\"5\" \
    r=\"4\" fill=\"#ffffff\" stroke=\"#444444\"/></marker></defs>\n";

type Point = (f64, f64);

/// The edges for the layout: places first, then transitions.
pub(super) fn edges(net: &NetPicture) -> Vec<(usize, usize)> {
    let edge = |arc: &motet_model::ArcPicture| {
        let (place, transition) = (arc.place, net.places.len() + arc.transition);
        if arc.kind == ArcKind::Out { (transition, place) } else { (place, transition) }
    };
    net.arcs.iter().map(edge).collect()
}

/// All arcs of a net.
pub(super) fn draw(net: &NetPicture, nodes: &[Node], laid: &Layout) -> String {
    let mut body = String::new();
    let edges = edges(net);
    for (number, (arc, way)) in net.arcs.iter().zip(&laid.ways).enumerate() {
        let (from, to) = edges[number];
        // Several arcs between the same two are drawn side by side.
        let twins = |edge: &&(usize, usize)| **edge == (from, to) || **edge == (to, from);
        let before = edges[..number].iter().filter(twins).count();
        let among = edges.iter().filter(twins).count();
        let aside = (before as f64 - (among as f64 - 1.0) / 2.0) * 18.0;
        let way = clipped(way, &nodes[from], &nodes[to], aside);
        let style = match arc.kind {
            ArcKind::In | ArcKind::Out => "marker-end=\"url(#arrow)\"",
            ArcKind::Read => "stroke-dasharray=\"5 3\"",
            ArcKind::Inhibit => "marker-end=\"url(#ring)\"",
            ArcKind::Update => "marker-end=\"url(#arrow)\" marker-start=\"url(#arrow)\"",
        };
        body.push_str(&format!(
            "<path d=\"{}\" fill=\"none\" stroke=\"#444444\" stroke-width=\"1.2\" {style}/>\n",
            path(&way)
        ));
        body.push_str(&label(&arc.label, &way));
    }
    body
}

fn label(text: &str, way: &[Point]) -> String {
    if text.is_empty() {
        return String::new();
    }
    let (a, b) = middle(way);
    let (x, y) = (f64::midpoint(a.0, b.0), f64::midpoint(a.1, b.1));
    format!(
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"14\" fill=\"#fbfbfd\" fill-opacity=\"0.85\"/><text x=\"{x:.1}\" \
         y=\"{:.1}\" text-anchor=\"middle\" font-size=\"11\" fill=\"#444444\">{}</text>\n",
        x - width(text) / 2.0,
        y - 8.0,
        width(text),
        y + 3.0,
        escaped(text)
    )
}

/// The piece of the way in its middle.
fn middle(way: &[Point]) -> (Point, Point) {
    let at = (way.len().max(2) - 2) / 2;
    match (way.get(at), way.get(at + 1)) {
        (Some(&a), Some(&b)) => (a, b),
        (Some(&a), None) => (a, a),
        _ => ((0.0, 0.0), (0.0, 0.0)),
    }
}

/// The way without what lies under its ends, moved aside a little.
fn clipped(way: &[Point], from: &Node, to: &Node, aside: f64) -> Vec<Point> {
    let mut way = way.to_vec();
    if aside != 0.0 {
        if way.len() == 2 {
            way.insert(1, (f64::midpoint(way[0].0, way[1].0), f64::midpoint(way[0].1, way[1].1)));
        }
        let last = way.len() - 1;
        for point in &mut way[1..last] {
            point.1 += aside;
        }
    }
    let last = way.len() - 1;
    if last > 0 {
        way[0] = edge_of(from.outline, way[0], way[1]);
        way[last] = edge_of(to.outline, way[last], way[last - 1]);
    }
    way
}

/// Where the line from the middle of an outline towards a point leaves it.
fn edge_of(outline: Outline, middle: Point, towards: Point) -> Point {
    let (dx, dy) = (towards.0 - middle.0, towards.1 - middle.1);
    let length = dx.hypot(dy);
    if length < 1e-9 {
        return middle;
    }
    let share = match outline {
        Outline::Circle(radius) => radius / length,
        Outline::Box(width, height) => {
            let across = if dx.abs() < 1e-9 { f64::INFINITY } else { width / 2.0 / dx.abs() };
            let down = if dy.abs() < 1e-9 { f64::INFINITY } else { height / 2.0 / dy.abs() };
            across.min(down)
        }
    };
    (middle.0 + dx * share.min(1.0), middle.1 + dy * share.min(1.0))
}

/// A smooth line through the points: straight at its ends, curved at its bends.
fn path(way: &[Point]) -> String {
    let Some(first) = way.first() else { return String::new() };
    let mut text = format!("M{:.1} {:.1}", first.0, first.1);
    for (at, pair) in way.windows(2).enumerate() {
        let (a, b) = (pair[0], pair[1]);
        if way.len() == 2 {
            text.push_str(&format!("L{:.1} {:.1}", b.0, b.1));
            continue;
        }
        let bend = (b.0 - a.0) * 0.4;
        let (start, end) = (
            if at == 0 { (a.0 + (b.0 - a.0) * 0.3, a.1 + (b.1 - a.1) * 0.3) } else { (a.0 + bend, a.1) },
            if at + 2 == way.len() {
                (b.0 - (b.0 - a.0) * 0.3, b.1 - (b.1 - a.1) * 0.3)
            } else {
                (b.0 - bend, b.1)
            },
        );
        text.push_str(&format!(
            "C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}",
            start.0, start.1, end.0, end.1, b.0, b.1
        ));
    }
    text
}
