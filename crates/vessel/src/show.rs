//! What a page shows of the vessel: shapes of a chart, figures and notes, in the vocabulary of `docs/book/src/reference/skills.md`.
//! Only what changed is told; the page keeps the rest.

use serde_json::{Value, json};

use crate::coverage::Cell;
use crate::geometry::Point;
use crate::layout::{Planned, Purpose};
use crate::pilot::Mode;
use crate::vessel::Vessel;
use crate::weather::ROUGH;

/// Where the chart's origin lies: somewhere in the North Sea.
const ORIGIN: (f64, f64) = (54.2, 7.6);
/// Metres of a degree of latitude.
const DEGREE: f64 = 111_320.0;
/// Water around the area that the chart shows, in metres.
const MARGIN: f64 = 85.0;

/// What the page was told.
#[derive(Clone, Debug)]
pub(crate) struct Show {
    edition: Option<u64>,
}

fn rounded(number: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    // Adding zero turns a negative zero into a plain one.
    (number * scale).round() / scale + 0.0
}

fn pair(point: Point) -> Value {
    json!([rounded(point.east, 2), rounded(point.north, 2)])
}

fn degrees(heading: f64) -> f64 {
    rounded(heading.to_degrees().rem_euclid(360.0), 1)
}

/// Where the vessel is and how it moves, as an object of the agent.
pub(crate) fn position(vessel: &Vessel) -> Value {
    let motion = &vessel.motion;
    let latitude = ORIGIN.0 + motion.place.north / DEGREE;
    let longitude = ORIGIN.1 + motion.place.east / (DEGREE * ORIGIN.0.to_radians().cos());
    json!({
        "latitude": rounded(latitude, 6),
        "longitude": rounded(longitude, 6),
        "east": rounded(motion.place.east, 2),
        "north": rounded(motion.place.north, 2),
        "heading": degrees(motion.heading),
        "surge": rounded(motion.surge, 3),
        "sway": rounded(motion.sway, 3),
        "yaw": rounded(motion.yaw, 4),
        "time": rounded(vessel.time(), 1),
    })
}

impl Show {
    pub(crate) fn new() -> Self {
        Self { edition: None }
    }

    /// Everything that changed since the last time.
    pub(crate) fn page(&mut self, vessel: &mut Vessel) -> Value {
        let mut shapes = Vec::new();
        if self.edition.is_none() {
            shapes.push(area(vessel));
        }
        let changes = vessel.pilot.coverage.changes();
        if self.edition.is_none() || !changes.is_empty() {
            shapes.push(cells(vessel, &changes));
        }
        if self.edition != Some(vessel.pilot.edition()) {
            self.edition = Some(vessel.pilot.edition());
            shapes.extend(plan(vessel));
        }
        shapes.push(wind(vessel));
        shapes.push(turning(vessel));
        shapes.push(json!({
            "id": "vessel",
            "point": pair(vessel.motion.place),
            "heading": degrees(vessel.motion.heading),
            "look": "vessel",
            "trail": true,
            "path": vessel.wake().into_iter().map(pair).collect::<Vec<Value>>(),
        }));
        let (width, height) = (vessel.area.width, vessel.area.height);
        json!({
            "chart": {
                "view": [-MARGIN, -MARGIN, width + MARGIN, height + MARGIN],
                "unit": "m",
                "shapes": shapes,
            },
            "figures": figures(vessel),
            "notes": notes(vessel),
        })
    }
}

fn area(vessel: &Vessel) -> Value {
    let (width, height) = (vessel.area.width, vessel.area.height);
    json!({
        "id": "area",
        "polygon": [[0, 0], [width, 0], [width, height], [0, height]],
        "look": "border",
    })
}

fn cells(vessel: &Vessel, changes: &[usize]) -> Value {
    let coverage = &vessel.pilot.coverage;
    let of = |kind: fn(Cell) -> bool| -> Vec<usize> {
        changes.iter().copied().filter(|at| kind(coverage.numbered(*at))).collect()
    };
    let (width, height) = coverage.size();
    json!({
        "id": "cells",
        "cells": {
            "at": [0, 0],
            "size": [rounded(width, 4), rounded(height, 4)],
            "columns": coverage.columns(),
            "rows": coverage.rows(),
        },
        "set": {
            "good": of(|cell| cell == Cell::Swept),
            "warning": of(|cell| matches!(cell, Cell::Missed(..))),
            "bad": of(|cell| cell == Cell::GivenUp),
        },
    })
}

/// The leg at hand, the way that remains after it, and its turning points.
fn plan(vessel: &Vessel) -> Vec<Value> {
    let ahead = vessel.pilot.ahead();
    let ways = |legs: &[Planned]| -> Vec<Value> {
        legs.iter().flat_map(|planned| [pair(planned.leg.begin), pair(planned.leg.end)]).collect()
    };
    let ends: Vec<Value> = ahead.iter().map(|planned| pair(planned.leg.end)).collect();
    let n_now = ahead.len().min(1);
    vec![
        json!({"id": "plan", "polyline": ways(ahead), "look": "planned"}),
        json!({"id": "leg", "polyline": ways(&ahead[..n_now]), "look": "active"}),
        json!({"id": "turns", "points": ends, "look": "planned"}),
    ]
}

/// An arrow in the corner that shows where the wind blows and how strongly.
fn wind(vessel: &Vessel) -> Value {
    let sea = vessel.weather.sea();
    let wind = vessel.weather.wind();
    let middle = Point::new(vessel.area.width + MARGIN / 2.0, vessel.area.height + MARGIN / 2.0);
    let half = 8.0 + 1.4 * wind;
    json!({
        "id": "wind",
        "polyline": [pair(middle.towards(sea.heading, -half)), pair(middle.towards(sea.heading, half))],
        "arrow": true,
        "look": if vessel.weather.is_rough() { "bad" } else { "plain" },
        "text": format!("wind {wind:.0} m/s"),
    })
}

fn turning(vessel: &Vessel) -> Value {
    let Some(point) = vessel.pilot.turning() else { return json!({"id": "turning", "gone": true}) };
    let text = if vessel.pilot.is_last() { "last turning point" } else { "turning point" };
    json!({"id": "turning", "point": pair(point), "look": "active", "text": text})
}

fn figures(vessel: &Vessel) -> Value {
    let motion = &vessel.motion;
    let tally = vessel.pilot.coverage.tally();
    let n_cells = tally.open + tally.swept + tally.missed + tally.given_up;
    json!([
        {"name": "wave height", "value": rounded(vessel.weather.height(), 3), "unit": "m", "least": 0, "most": 4, "limit": ROUGH.0},
        {"name": "wind", "value": rounded(vessel.weather.wind(), 2), "unit": "m/s", "least": 0},
        {"name": "speed", "value": rounded(motion.speed(), 3), "unit": "m/s", "least": 0, "most": 4},
        {"name": "heading", "value": degrees(motion.heading), "unit": "°", "least": 0, "most": 360},
        {"name": "swept", "value": rounded(100.0 * tally.swept as f64 / n_cells as f64, 2), "unit": "%", "least": 0, "most": 100},
        {"name": "spots missed", "value": tally.missed, "least": 0},
        {"name": "spots given up", "value": tally.given_up, "least": 0},
    ])
}

fn notes(vessel: &Vessel) -> Value {
    let word = vessel.operator.word().map_or("nothing yet", crate::operator::Word::sentence);
    let thinks = if vessel.operator.is_asked() { ", is asked" } else { "" };
    let minutes = (vessel.time() / 60.0).floor();
    let seconds = vessel.time() - 60.0 * minutes;
    json!([
        {"name": "clock", "text": format!("{minutes} min {seconds:02.0} s")},
        {"name": "vessel", "text": doing(vessel)},
        {"name": "operator", "text": format!("{word}{thinks}")},
    ])
}

fn doing(vessel: &Vessel) -> String {
    let pilot = &vessel.pilot;
    match (pilot.mode(), pilot.leg()) {
        (Mode::Drift, _) => "drifts".to_string(),
        (Mode::Hold, _) if pilot.is_held() => "holds its position".to_string(),
        (Mode::Hold, _) => "stops".to_string(),
        (Mode::UnderWay { .. }, None) => "has swept all it can".to_string(),
        (Mode::UnderWay { .. }, Some(planned)) => {
            let what = match planned.purpose {
                Purpose::Track => "track",
                Purpose::Patch => "missed spots of track",
            };
            let does = if pilot.is_sweeping() { "sweeps" } else { "heads for" };
            format!("{does} {what} {} of {}", planned.track + 1, vessel.area.n_tracks)
        }
    }
}
