//! What remains of events that a story had to let go: how many there were, and the last that was shown of everything.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// Shapes that are remembered at most; skills may name as many as they like.
const MOST_SHAPES: usize = 1000;
/// Cells of a grid.
const MOST_CELLS: usize = 40_000;
/// Points of a trail. A longer one is thinned out.
const MOST_POINTS: usize = 2000;

/// What remains.
#[derive(Default)]
pub(super) struct Earlier {
    n_events: u64,
    last_cycle: u64,
    chart: Map<String, Value>,
    shapes: BTreeMap<String, Shape>,
    figures: BTreeMap<String, Value>,
    notes: BTreeMap<String, Value>,
}

#[derive(Default)]
struct Shape {
    last: Map<String, Value>,
    cells: BTreeMap<u64, String>,
    trail: Vec<Value>,
}

impl Earlier {
    /// Keeps of an event what is still seen later.
    pub(super) fn keep(&mut self, event: &str) {
        self.n_events += 1;
        let Ok(event) = serde_json::from_str::<Value>(event) else { return };
        self.last_cycle = event["cycle"].as_u64().unwrap_or(self.last_cycle);
        for shown in event["shown"].as_array().into_iter().flatten() {
            if let Some(chart) = shown["chart"].as_object() {
                let own = chart.iter().filter(|(name, _)| *name != "shapes");
                self.chart.extend(own.map(|(name, value)| (name.clone(), value.clone())));
                chart
                    .get("shapes")
                    .and_then(Value::as_array)
                    .into_iter()
                    .flatten()
                    .for_each(|shape| self.draw(shape));
            }
            named(&mut self.figures, &shown["figures"]);
            named(&mut self.notes, &shown["notes"]);
        }
    }

    fn draw(&mut self, shape: &Value) {
        let (Some(id), Some(parts)) = (shape["id"].as_str(), shape.as_object()) else { return };
        if parts.contains_key("gone") {
            self.shapes.remove(id);
            return;
        }
        if !self.shapes.contains_key(id) && self.shapes.len() >= MOST_SHAPES {
            return;
        }
        let kept = self.shapes.entry(id.to_owned()).or_default();
        if shape["trail"] == true {
            kept.trail.extend(shape["path"].as_array().into_iter().flatten().cloned());
            kept.trail.push(shape["point"].clone());
            while kept.trail.len() > MOST_POINTS {
                let mut place = 0;
                kept.trail.retain(|_| {
                    place += 1;
                    place % 2 == 1
                });
            }
        }
        for (look, cells) in shape["set"].as_object().into_iter().flatten() {
            for cell in cells.as_array().into_iter().flatten().filter_map(Value::as_u64) {
                if kept.cells.len() < MOST_CELLS || kept.cells.contains_key(&cell) {
                    kept.cells.insert(cell, look.clone());
                }
            }
        }
        kept.last = parts.clone();
    }

    /// As an event of its own; `None` while nothing was let go.
    pub(super) fn text(&self) -> Option<String> {
        if self.n_events == 0 {
            return None;
        }
        let shapes: Vec<Value> = self.shapes.values().map(Shape::whole).collect();
        let mut chart = self.chart.clone();
        let has_chart = !chart.is_empty() || !shapes.is_empty();
        chart.insert("shapes".to_owned(), Value::Array(shapes));
        let mut shown = Map::new();
        if has_chart {
            shown.insert("chart".to_owned(), Value::Object(chart));
        }
        shown.insert("figures".to_owned(), self.figures.values().cloned().collect());
        shown.insert("notes".to_owned(), self.notes.values().cloned().collect());
        let event =
            json!({"event": "earlier", "cycle": self.last_cycle, "events": self.n_events, "shown": [shown]});
        Some(event.to_string())
    }
}

impl Shape {
    /// The shape as one that has just been shown for the first time.
    fn whole(&self) -> Value {
        let mut shape = self.last.clone();
        if !self.cells.is_empty() {
            let mut looks: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
            for (cell, look) in &self.cells {
                looks.entry(look).or_default().push(*cell);
            }
            shape.insert("set".to_owned(), json!(looks));
        }
        if !self.trail.is_empty() {
            shape.insert("path".to_owned(), Value::Array(self.trail.clone()));
        }
        Value::Object(shape)
    }
}

fn named(kept: &mut BTreeMap<String, Value>, list: &Value) {
    for item in list.as_array().into_iter().flatten() {
        if let Some(name) = item["name"].as_str()
            && (kept.len() < MOST_SHAPES || kept.contains_key(name))
        {
            kept.insert(name.to_owned(), item.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(shapes: &Value) -> String {
        json!({"event": "cycle", "cycle": 1, "shown": [{"chart": {"view": [0, 0, 9, 9], "shapes": shapes}}]})
            .to_string()
    }

    #[test]
    fn cells_add_up_trails_grow_and_what_is_gone_is_gone() {
        let mut earlier = Earlier::default();
        assert_eq!(earlier.text(), None);
        earlier.keep(&shown(&json!([
            {"id": "grid", "cells": {"columns": 3, "rows": 3}, "set": {"good": [1, 2], "bad": [3]}},
            {"id": "boat", "point": [1, 1], "trail": true},
            {"id": "mark", "point": [5, 5]},
        ])));
        earlier.keep(&shown(&json!([
            {"id": "grid", "cells": {"columns": 3, "rows": 3}, "set": {"good": [3]}},
            {"id": "boat", "point": [2, 1], "trail": true},
            {"id": "mark", "gone": true},
        ])));
        let event: Value =
            serde_json::from_str(&earlier.text().expect("two were let go")).expect("it is JSON");
        let shapes = &event["shown"][0]["chart"]["shapes"];
        assert_eq!(shapes[0]["path"], json!([[1, 1], [2, 1]]));
        assert_eq!(shapes[1]["set"], json!({"good": [1, 2, 3]}));
        assert_eq!(shapes.as_array().map(Vec::len), Some(2));
        assert_eq!(
            (&event["events"], &event["shown"][0]["chart"]["view"]),
            (&json!(2), &json!([0, 0, 9, 9]))
        );
    }

    #[test]
    fn what_skills_say_is_bounded() {
        let mut earlier = Earlier::default();
        let many: Vec<Value> =
            (0..3 * MOST_SHAPES).map(|at| json!({"id": format!("{at}"), "point": [0, 0]})).collect();
        earlier.keep(&shown(&json!(many)));
        assert_eq!(earlier.shapes.len(), MOST_SHAPES);
        for at in 0..3 * MOST_POINTS {
            earlier.keep(&shown(&json!([{"id": "7", "point": [at, 0], "trail": true}])));
        }
        assert!(earlier.shapes["7"].trail.len() <= MOST_POINTS);
        for odd in
            ["", "7", "{}", r#"{"shown":[7,{"chart":7},{"chart":{"shapes":[7,{},{"id":7}]},"figures":7}]}"#]
        {
            earlier.keep(odd);
        }
    }
}
