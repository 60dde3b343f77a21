//! What the vessel answers to lines that are not as they should be.

#[expect(dead_code, reason = "other tests use the rest")]
mod agent;

use agent::{PACE, mission};
use motet_vessel::random::Random;
use motet_vessel::weather::Forecast;
use motet_vessel::{Flow, Pace, Session};
use serde_json::{Value, json};

fn session() -> Session {
    Session::new(&mission(1, Forecast::Changing), PACE)
}

fn hear(session: &mut Session, message: &Value) -> Vec<Value> {
    let mut out = Vec::new();
    session.hear(&message.to_string(), &mut out);
    out
}

fn has(out: &[Value], key: &str) -> bool {
    out.iter().any(|message| message.get(key).is_some())
}

#[test]
fn bad_lines_are_answered_with_a_remark() {
    for line in [
        "nonsense",
        "{\"tick\":",
        "[1,2]",
        "17",
        "{}",
        "{\"call\":\"Fly\"}",
        "{\"call\":7}",
        "{\"stop\":null}",
        &"[".repeat(5000),
        "{\"hello\":\"motet.skills/9\"}",
    ] {
        let mut out = Vec::new();
        assert_eq!(session().hear(line, &mut out), Flow::GoesOn);
        assert!(has(&out, "log"), "{line}: {out:?}");
        assert!(out.iter().all(|message| message.to_string().len() < 300));
    }
}

#[test]
fn the_vessel_ends_when_it_hears_goodbye() {
    assert_eq!(session().hear("{\"bye\":\"over\"}", &mut Vec::new()), Flow::Ends);
}

#[test]
fn names_of_actions_are_sentences() {
    let mut session = session();
    assert!(!has(&hear(&mut session, &json!({"call": "lay_out  the TRACKS", "id": 4})), "log"));
    let out = hear(&mut session, &json!({"tick": 1, "beliefs": []}));
    assert!(out.contains(&json!({"feedback": "Tracks laid out", "id": 4})), "{out:?}");
    assert_eq!(out.last(), Some(&json!({"done": 1})));
    assert!(!has(&hear(&mut session, &json!({"tick": 2})), "feedback"), "once is enough");
}

#[test]
fn an_unknown_action_is_named_at_the_start() {
    let hello = json!({"hello": "motet.skills/1", "actions": [{"name": "Hold position"}, {"name": "Dive"}]});
    let out = hear(&mut session(), &hello);
    assert_eq!(out, [json!({"log": "the vessel cannot do \"Dive\""}), json!({"ready": "vessel"})]);
}

#[test]
fn with_a_rate_nobody_waits_and_speed_counts() {
    let pace = Pace { tick_seconds: 10.0, speed: Some(40.0) };
    let mut session = Session::new(&mission(1, Forecast::Calm), pace);
    hear(&mut session, &json!({"hello": "motet.skills/1", "pace": "rate", "rate": 20.0, "speed": 1.0}));
    for tick in 0..10 {
        assert!(!has(&hear(&mut session, &json!({"tick": tick})), "done"));
    }
    assert!((session.vessel().time() - 20.0).abs() < 1e-9, "10 ticks of 40 / 20 seconds");
}

#[test]
fn the_vessel_is_held_before_it_gets_under_way() {
    let mut session = session();
    for (id, name) in ["Lay out the tracks", "Hold position", "Get under way"].iter().enumerate() {
        hear(&mut session, &json!({"call": name, "id": id}));
    }
    let mut told = Vec::new();
    for tick in 0..20 {
        for message in hear(&mut session, &json!({"tick": tick})) {
            told.extend(message.get("feedback").and_then(Value::as_str).map(str::to_string));
        }
    }
    assert_eq!(told, ["Tracks laid out", "Holding position", "Under way"]);
}

#[test]
fn an_order_that_was_interrupted_is_carried_out_when_the_operator_says_so() {
    // An agent does not repeat a call that has not reported, so a vessel that forgot it would lie there for ever.
    let mut session = session();
    hear(&mut session, &json!({"call": "Lay out the tracks", "id": 1}));
    hear(&mut session, &json!({"call": "Get under way", "id": 2}));
    hear(&mut session, &json!({"tick": 0}));
    hear(&mut session, &json!({"call": "Hold position", "id": 3}));
    hear(&mut session, &json!({"tick": 1}));
    hear(&mut session, &json!({"call": "Ask for orders", "id": 4}));
    let mut told = Vec::new();
    for tick in 2..40 {
        for message in hear(&mut session, &json!({"tick": tick})) {
            told.extend(message.get("feedback").and_then(Value::as_str).map(str::to_string));
        }
    }
    assert_eq!(told, ["Continue", "Under way"]);
}

#[test]
fn stopping_what_was_ordered_lets_the_vessel_drift() {
    let mut session = session();
    for name in ["Lay out the tracks", "Get under way"] {
        hear(&mut session, &json!({"call": name, "id": 1}));
    }
    for tick in 0..8 {
        hear(&mut session, &json!({"tick": tick}));
    }
    assert!(session.vessel().motion.surge > 2.0);
    hear(&mut session, &json!({"stop": "Get under way", "agent": "asv"}));
    for tick in 8..30 {
        hear(&mut session, &json!({"tick": tick}));
    }
    assert!(session.vessel().motion.surge < 1.0);
}

#[expect(clippy::disallowed_methods, reason = "tests are widened by the environment")]
fn rounds() -> u64 {
    std::env::var("MOTET_ROUNDS").ok().and_then(|text| text.parse::<u64>().ok()).unwrap_or(0).max(60)
}

/// Messages of the protocol with parts exchanged, cut or repeated.
fn mutated(random: &mut Random) -> String {
    let names = ["Lay out the tracks", "Get under way", "Hold position", "Ask for orders", "Fly", ""];
    let name = names[(random.draw() % 6) as usize];
    let number = [json!(1), json!(-1), json!(1e300), json!(u64::MAX), json!(null), json!("x"), json!([[]])];
    let number = &number[(random.draw() % 7) as usize];
    let message = match random.draw() % 7 {
        0 => {
            json!({"hello": number, "actions": [{"name": name}, number], "pace": "rate", "rate": number, "speed": number})
        }
        1 | 2 => json!({"call": name, "id": number, "args": number}),
        3 => json!({"stop": name, "agent": number}),
        4 | 5 => json!({"tick": number, "beliefs": ["Waiting for orders", number, name]}),
        _ => json!({name: number}),
    };
    let mut text = message.to_string().into_bytes();
    for _ in 0..random.draw() % 3 {
        let at = (random.draw() % text.len() as u64) as usize;
        match random.draw() % 3 {
            0 => text[at] = (random.draw() % 128) as u8,
            1 => text.truncate(at.max(1)),
            _ => text.extend_from_within(at..),
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[test]
fn no_line_makes_the_vessel_panic_or_lose_its_numbers() {
    for seed in 0..rounds() {
        let mut random = Random::new(seed, 77);
        let mut session = Session::new(&mission(seed, Forecast::Rough), PACE);
        let mut out = Vec::new();
        for _ in 0..120 {
            session.hear(&mutated(&mut random), &mut out);
        }
        let place = session.vessel().motion.place;
        assert!(place.east.is_finite() && place.north.is_finite(), "seed {seed}");
        assert!(out.iter().all(Value::is_object), "seed {seed}");
    }
}
