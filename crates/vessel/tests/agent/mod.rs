//! A tiny agent for tests: it sails the mission by a short script, as the plans of the mine hunter would.

use motet_vessel::layout::Area;
use motet_vessel::operator::Temper;
use motet_vessel::weather::Forecast;
use motet_vessel::{Mission, Pace, Session};
use serde_json::{Value, json};

/// What the agent does about missed spots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missed {
    /// They can wait.
    Wait,
    /// It goes back at once.
    GoBack,
}

/// How a mission went.
#[derive(Debug, Default)]
pub(crate) struct Tale {
    /// Every line that the vessel said.
    pub(crate) lines: Vec<String>,
    /// How it ended.
    pub(crate) end: Option<String>,
    /// Ticks that it took.
    pub(crate) n_ticks: u64,
    /// At which ticks turning points were reached and left.
    pub(crate) turns: Vec<(u64, bool)>,
    /// Ticks between a call and its report.
    pub(crate) waits: Vec<(String, u64)>,
    /// How often spots were missed.
    pub(crate) n_missed: usize,
    /// How often the sea became too rough.
    pub(crate) n_rough: usize,
}

pub(crate) fn mission(seed: u64, forecast: Forecast) -> Mission {
    let area = Area { width: 334.0, height: 200.0, n_tracks: 5 };
    Mission { seed, area, forecast, temper: Temper::Bold }
}

pub(crate) const PACE: Pace = Pace { tick_seconds: 10.0, speed: None };

struct Agent {
    todo: Vec<&'static str>,
    waiting: Option<(String, u64)>,
    rough: bool,
    missed: bool,
    last: bool,
    complete: bool,
    id: u64,
}

impl Agent {
    fn orders(&mut self, tick: u64) -> Option<Value> {
        if self.waiting.is_none() && !self.todo.is_empty() {
            let name = self.todo.remove(0);
            self.id += 1;
            self.waiting = Some((name.to_string(), tick));
            return Some(json!({"call": name, "id": self.id, "agent": "asv", "args": {}, "repeat": "once"}));
        }
        None
    }

    fn perceive(&mut self, news: &Value, tick: u64, missed: Missed, tale: &mut Tale) {
        if let Some(feedback) = news.get("feedback") {
            assert_eq!(news["id"], self.id, "the newest call reports");
            let (name, since) = self.waiting.take().expect("something reports that was called");
            tale.waits.push((name, tick + 1 - since));
            match feedback.as_str().expect("feedbacks are texts") {
                "Continue" => self.todo = vec!["Get under way"],
                "Abort" => self.todo = vec!["Hold position"],
                _ => {}
            }
        }
        let Some(percept) = news.get("percept") else { return };
        let value = news["value"].as_bool().expect("percepts hold or do not");
        match percept.as_str().expect("percepts are sentences") {
            "The sea is too rough" => {
                self.rough = value;
                tale.n_rough += usize::from(value);
                if value {
                    self.waiting = None;
                    self.todo = vec!["Hold position", "Ask for orders"];
                }
            }
            "A turning point is reached" => tale.turns.push((tick, value)),
            "Some spots were missed" => {
                self.missed = value;
                tale.n_missed += usize::from(value);
                if value && missed == Missed::GoBack && !self.rough {
                    self.waiting = None;
                    self.todo = vec!["Hold position", "Lay out the tracks", "Get under way"];
                }
            }
            "The last turning point is reached" => self.last = value,
            other => panic!("no such percept: {other}"),
        }
    }
}

/// Sails a mission to its end, at most so many ticks.
pub(crate) fn sail(mission: &Mission, pace: Pace, missed: Missed, most: u64) -> Tale {
    let mut session = Session::new(mission, pace);
    let mut tale = Tale::default();
    let mut agent = Agent {
        todo: vec!["Lay out the tracks", "Get under way"],
        waiting: None,
        rough: false,
        missed: false,
        last: false,
        complete: false,
        id: 0,
    };
    let mut out = Vec::new();
    let hello = json!({"hello": "motet.skills/1", "agents": ["asv"], "pace": "lockstep"});
    session.hear(&hello.to_string(), &mut out);
    for tick in 0..most {
        if agent.last && !agent.missed && !agent.complete && !agent.rough {
            agent.complete = true;
            agent.waiting = None;
            agent.todo = vec!["Hold position"];
        }
        if let Some(order) = agent.orders(tick) {
            session.hear(&order.to_string(), &mut out);
        }
        let beliefs = if agent.complete { vec!["Mission complete"] } else { vec![] };
        session.hear(&json!({"tick": tick, "beliefs": beliefs}).to_string(), &mut out);
        for news in out.drain(..) {
            agent.perceive(&news, tick, missed, &mut tale);
            tale.end = news.get("bye").and_then(Value::as_str).map(str::to_string).or(tale.end);
            tale.lines.push(news.to_string());
        }
        tale.n_ticks = tick + 1;
        if tale.end.is_some() {
            break;
        }
    }
    tale
}
