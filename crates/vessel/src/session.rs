//! The conversation with the agent: lines of JSON in, lines of JSON out (the protocol `motet.skills/1`).

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::operator::Word;
use crate::pilot::Mode;
use crate::show::Show;
use crate::vessel::{Mission, Vessel};

/// How much simulated time a tick stands for.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Simulated seconds of a tick.
    pub tick_seconds: f64,
    /// With a rate: how many times faster than real time the vessel sails. A tick is then this over the rate.
    pub speed: Option<f64>,
}

/// Whether the conversation goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// It does.
    GoesOn,
    /// Everything is said.
    Ends,
}

/// What the vessel can be asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Action {
    LayOut,
    GetUnderWay,
    Hold,
    Ask,
}

const ACTIONS: [(Action, &str); 4] = [
    (Action::LayOut, "Lay out the tracks"),
    (Action::GetUnderWay, "Get under way"),
    (Action::Hold, "Hold position"),
    (Action::Ask, "Ask for orders"),
];

/// A sentence, and whether it holds.
type Percept = (&'static str, fn(&Vessel) -> bool);

/// Where in the list the turning point stands.
const TURNING: usize = 1;

/// Percepts, in the order in which they are told.
const PERCEPTS: [Percept; 4] = [
    ("The sea is too rough", |vessel| vessel.weather.is_rough()),
    ("A turning point is reached", |vessel| vessel.pilot.is_turning()),
    ("Some spots were missed", |vessel| vessel.pilot.has_missed()),
    ("The last turning point is reached", |vessel| vessel.pilot.is_last()),
];

/// Ticks for which the vessel stays at hand after its mission, so that the agent can come to rest.
const REST: u32 = 3;

/// A conversation.
#[derive(Clone, Debug)]
pub struct Session {
    vessel: Vessel,
    pace: Pace,
    show: Show,
    tick_seconds: f64,
    lockstep: bool,
    open: BTreeMap<Action, Option<u64>>,
    told: [bool; PERCEPTS.len()],
    /// Whether the vessel sets out as soon as it is held and the sea allows it.
    deferred: bool,
    over: Option<(&'static str, u32)>,
}

impl Session {
    /// A conversation about a mission.
    #[must_use]
    pub fn new(mission: &Mission, pace: Pace) -> Self {
        Self {
            vessel: Vessel::new(mission),
            show: Show::new(),
            tick_seconds: pace.tick_seconds,
            lockstep: true,
            pace,
            open: BTreeMap::new(),
            told: [false; PERCEPTS.len()],
            deferred: false,
            over: None,
        }
    }

    /// The vessel.
    #[must_use]
    pub fn vessel(&self) -> &Vessel {
        &self.vessel
    }

    /// Takes in a line and says what there is to say. A line that means nothing is answered with a remark.
    pub fn hear(&mut self, line: &str, out: &mut Vec<Value>) -> Flow {
        if line.trim().is_empty() {
            return Flow::GoesOn;
        }
        let message: Value = match serde_json::from_str(line) {
            Ok(message) => message,
            Err(error) => {
                out.push(json!({"log": format!("a line is no JSON: {error}")}));
                return Flow::GoesOn;
            }
        };
        if message.get("bye").is_some() {
            return Flow::Ends;
        }
        if message.get("hello").is_some() {
            self.greet(&message, out);
        } else if let Some(name) = message.get("call") {
            self.call(name, message.get("id").and_then(Value::as_u64), out);
        } else if let Some(name) = message.get("stop") {
            self.stop(name, out);
        } else if let Some(tick) = message.get("tick") {
            self.tick(tick, message.get("beliefs"), out);
        } else {
            out.push(json!({"log": "a message is none of hello, call, stop, tick and bye"}));
        }
        Flow::GoesOn
    }

    fn greet(&mut self, hello: &Value, out: &mut Vec<Value>) {
        if hello["hello"] != "motet.skills/1" {
            out.push(json!({"log": "the vessel speaks motet.skills/1"}));
        }
        self.lockstep = hello.get("pace").and_then(Value::as_str) != Some("rate");
        let rate = hello.get("rate").and_then(Value::as_f64).filter(|rate| (0.01..=1000.0).contains(rate));
        self.tick_seconds = match (self.lockstep, self.pace.speed, rate) {
            (false, Some(speed), Some(rate)) => speed / rate,
            _ => self.pace.tick_seconds,
        };
        let foreign = hello.get("actions").and_then(Value::as_array).into_iter().flatten();
        for name in foreign.filter_map(|action| action.get("name")).filter(|name| named(name).is_none()) {
            out.push(json!({"log": format!("the vessel cannot do {}", shortened(name))}));
        }
        out.push(json!({"ready": "vessel"}));
    }

    fn call(&mut self, name: &Value, id: Option<u64>, out: &mut Vec<Value>) {
        let Some(action) = named(name) else {
            out.push(json!({"log": format!("the vessel cannot do {}", shortened(name))}));
            return;
        };
        let time = self.vessel.time();
        match action {
            Action::LayOut => self.vessel.pilot.lay_out(self.vessel.motion.place),
            // One vessel cannot do both: it is held first.
            Action::GetUnderWay if self.open.contains_key(&Action::Hold) => self.deferred = true,
            Action::GetUnderWay => self.set_out(out),
            Action::Hold => {
                self.vessel.pilot.hold();
                self.deferred = false;
            }
            Action::Ask => self.vessel.operator.ask(time),
        }
        self.open.insert(action, id);
    }

    fn set_out(&mut self, out: &mut Vec<Value>) {
        self.deferred = false;
        if !self.vessel.pilot.get_under_way(self.vessel.time(), self.vessel.motion.place) {
            out.push(json!({"log": "there is nowhere to go: no tracks are laid out, or all are swept"}));
        }
    }

    /// An order to get under way that was not carried out before the vessel had to be held still stands: an agent does not
    /// repeat what it has asked for. The vessel sets out when the operator says so.
    fn released(&mut self, word: Option<Word>) {
        let stands = self.open.contains_key(&Action::GetUnderWay) && self.vessel.pilot.mode() == Mode::Hold;
        self.deferred |= word == Some(Word::Continue) && stands;
    }

    fn stop(&mut self, name: &Value, out: &mut Vec<Value>) {
        let Some(action) = named(name) else {
            out.push(json!({"log": format!("the vessel does not do {}", shortened(name))}));
            return;
        };
        self.open.remove(&action);
        self.deferred &= action != Action::GetUnderWay;
        match (action, self.vessel.pilot.mode()) {
            (Action::GetUnderWay, Mode::UnderWay { .. }) | (Action::Hold, Mode::Hold) => {
                self.vessel.pilot.drift()
            }
            (Action::Ask, _) => self.vessel.operator.forget(),
            _ => {}
        }
    }

    fn tick(&mut self, tick: &Value, beliefs: Option<&Value>, out: &mut Vec<Value>) {
        self.vessel.advance(self.tick_seconds);
        let holds = |sentence: &str| {
            let all = beliefs.and_then(Value::as_array).into_iter().flatten();
            all.filter_map(Value::as_str).any(|belief| folded(belief) == folded(sentence))
        };
        self.report(out);
        let waits = holds("Waiting for orders") || self.open.contains_key(&Action::GetUnderWay);
        if waits && self.vessel.pilot.is_held() && self.over.is_none() {
            let hail = self.vessel.operator.hail(self.vessel.time(), &self.vessel.weather);
            self.released(hail);
            out.extend(hail.map(|word| json!({"message": word.sentence(), "from": "operator", "to": null})));
        }
        if self.deferred && !self.open.contains_key(&Action::Hold) && !self.vessel.weather.is_rough() {
            self.set_out(out);
        }
        self.perceive(out);
        out.push(json!({"object": "position", "value": crate::show::position(&self.vessel)}));
        out.push(json!({"show": self.show.page(&mut self.vessel)}));
        self.rest(holds("Mission complete"), out);
        if self.lockstep {
            out.push(json!({"done": tick}));
        }
    }

    /// Percepts that changed. What the sonar has seen of a track, and whether it was the last, is found out after its end is
    /// reached: a tick later, as the model of the mine hunter has it.
    fn perceive(&mut self, out: &mut Vec<Value>) {
        let fresh = self.vessel.pilot.is_turning() && !self.told[TURNING];
        for (place, (sentence, holds)) in PERCEPTS.into_iter().enumerate() {
            let now = holds(&self.vessel);
            let waits = now && fresh && place > TURNING;
            if now != self.told[place] && !waits {
                out.push(json!({"percept": sentence, "value": now, "agent": null}));
                self.told[place] = now;
            }
        }
    }

    /// Reports of actions that have come to something.
    fn report(&mut self, out: &mut Vec<Value>) {
        let (time, vessel) = (self.vessel.time(), &mut self.vessel);
        let mut word = None;
        for (action, _) in ACTIONS {
            let Some(id) = self.open.get(&action) else { continue };
            let feedback = match action {
                Action::LayOut => Some("Tracks laid out"),
                Action::GetUnderWay => vessel.pilot.is_under_way(time, &vessel.motion).then_some("Under way"),
                Action::Hold => vessel.pilot.is_held().then_some("Holding position"),
                Action::Ask => {
                    word = vessel.operator.answer(time, &vessel.weather);
                    word.map(Word::sentence)
                }
            };
            let Some(feedback) = feedback else { continue };
            out.push(
                id.map_or_else(
                    || json!({"feedback": feedback}),
                    |id| json!({"feedback": feedback, "id": id}),
                ),
            );
            self.open.remove(&action);
        }
        self.released(word);
    }

    /// The mission is over when the agent believes so, or when the operator has given it up and the vessel is held.
    fn rest(&mut self, complete: bool, out: &mut Vec<Value>) {
        let given_up = self.vessel.operator.word() == Some(Word::Abort) && self.vessel.pilot.is_held();
        let end = match (complete, given_up) {
            (true, _) => "mission complete",
            (false, true) => "mission given up by the operator",
            (false, false) => {
                self.over = None;
                return;
            }
        };
        // Once said it is said: the agent hangs up when it likes.
        let left = match self.over {
            Some((_, 0)) => return,
            Some((_, left)) => left - 1,
            None => REST,
        };
        self.over = Some((end, left));
        if left == 0 {
            out.push(json!({"bye": end}));
        }
    }
}

/// Sentences are the same when they differ in case, blanks and underscores only.
fn folded(sentence: &str) -> String {
    let words: Vec<String> = sentence
        .split(|c: char| c.is_whitespace() || c == '_')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join(" ")
}

fn named(name: &Value) -> Option<Action> {
    let name = folded(name.as_str()?);
    ACTIONS.iter().find(|(_, sentence)| folded(sentence) == name).map(|(action, _)| *action)
}

/// A foreign value as it is quoted in a remark: not longer than a line of text.
fn shortened(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 80 { text } else { text.chars().take(79).chain(['…']).collect() }
}
