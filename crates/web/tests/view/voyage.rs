//! The events of a short voyage, with what the real vessel shows.

use motet_render::{
    RunAlternative, RunCycle, RunEnd, RunEvent, RunHead, RunMind, RunSection, RunStanding, RunValue,
};
use motet_vessel::layout::Area;
use motet_vessel::operator::Temper;
use motet_vessel::weather::Forecast;
use motet_vessel::{Mission, Pace, Session};
use serde_json::json;

/// How long it is.
pub(crate) const CYCLES: u64 = 30;

pub(crate) fn minds(beliefs: &[&str], plans: &[&str]) -> Vec<RunMind> {
    let section = |title: &str, items: &[&str]| RunSection {
        title: title.to_owned(),
        items: items.iter().map(|item| (*item).to_owned()).collect(),
    };
    vec![RunMind {
        agent: "asv".to_owned(),
        sections: vec![section("beliefs", beliefs), section("plans", plans)],
    }]
}

fn alternative(text: &str, value: &str) -> RunAlternative {
    let values = vec![RunValue { query: "L2".to_owned(), value: value.to_owned() }];
    RunAlternative { text: text.to_owned(), values }
}

pub(crate) fn events() -> Vec<RunEvent> {
    let area = Area { width: 334.0, height: 200.0, n_tracks: 5 };
    let mission = Mission { seed: 1, area, forecast: Forecast::Calm, temper: Temper::Bold };
    let mut vessel = Session::new(&mission, Pace { tick_seconds: 10.0, speed: None });
    let mut out = Vec::new();
    for name in ["Lay out the tracks", "Get under way"] {
        vessel.hear(&json!({"call": name, "id": 1}).to_string(), &mut out);
    }
    let head = RunHead {
        model: "examples/asv".to_owned(),
        minds: minds(&["Mission ordered"], &[]),
        ..RunHead::default()
    };
    let mut events = vec![RunEvent::Begin(Box::new(head))];
    for cycle in 1..=CYCLES {
        vessel.hear(&json!({"tick": cycle}).to_string(), &mut out);
        let shown = out.drain(..).filter_map(|message| message.get("show").cloned()).collect();
        let plans: &[&str] = if cycle < 7 { &["plan 1: Get under way (2 of 4)"] } else { &[] };
        let mut told =
            RunCycle { cycle, shown, minds: minds(&["Sweeping a track"], plans), ..RunCycle::default() };
        if cycle == 20 {
            told.alternatives = vec![alternative("plan 4", "0.38"), alternative("plan 5", "0.41")];
            told.choice = Some(1);
        }
        events.push(RunEvent::Cycle(Box::new(told)));
    }
    let standing = RunStanding {
        claim: "Calm".to_owned(),
        standing: "violated".to_owned(),
        cycle: Some(7),
        alarm: true,
    };
    events.push(RunEvent::End(Box::new(RunEnd {
        cycles: CYCLES,
        end: "bye".to_owned(),
        reason: "the skills said bye: mission over".to_owned(),
        standings: vec![standing],
        ..RunEnd::default()
    })));
    events
}
