//! The page of a run: what it sends to browsers, and what a real one makes of it.

#[path = "../../render/tests/page/browser.rs"]
mod browser;
#[path = "view/served.rs"]
mod served;
#[path = "view/voyage.rs"]
mod voyage;

use std::time::Duration;

use motet_live::Sink;
use motet_render::{RunCycle, RunEnd, RunEvent, RunHead};
use serde_json::json;
use served::Served;

const EVIL: &str =
    "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">";

#[test]
fn the_page_shows_the_vessel_its_chart_beliefs_and_decisions() {
    let served = Served::new(1);
    let mut sink = served.view.sink();
    let events = voyage::events();
    let (before, after) = events.split_at(events.len() / 2);
    before.iter().for_each(|event| drop(sink.tell(event)));
    // The other half happens while the browser looks.
    let rest = after.to_vec();
    let teller = std::thread::spawn(move || {
        for event in &rest {
            std::thread::sleep(Duration::from_millis(20));
            sink.tell(event);
        }
    });
    let dom = browser::dom_at("view", &served.page);
    teller.join().expect("the run ends");
    let Some(dom) = dom else { return };
    for part in [
        "data-shape=\"vessel\"",
        "<path class=\"trail\"",
        "class=\"cell good\"",
        "class=\"look planned\"",
        "class=\"look active\"",
        "wave height",
        "<li>Sweeping a track</li>",
        "<tr class=\"chosen\"><th>plan 5</th>",
        "L2 0.41",
        "ended: the skills said bye: mission over",
        "Calm: violated in cycle 7",
        "plan 1",
    ] {
        assert!(dom.contains(part), "{part} is missing in {dom}");
    }
    let last = voyage::CYCLES;
    assert!(dom.contains(&format!("cycle {last} of {last}")), "{dom}");
    assert!(!dom.contains("connecting"), "{dom}");
}

#[test]
fn going_back_shows_the_chart_and_the_minds_as_they_were() {
    let served = Served::new(6);
    let mut sink = served.view.sink();
    voyage::events().iter().for_each(|event| drop(sink.tell(event)));
    let Some(dom) = browser::dom_at("back", &format!("{}#cycle=3", served.page)) else { return };
    assert!(dom.contains("cycle 3 of 30") && dom.contains(">follow</button>"), "{dom}");
    assert!(
        dom.contains("data-shape=\"vessel\"") && !dom.contains("class=\"cell good\""),
        "nothing is swept yet: {dom}"
    );
    assert!(dom.contains("plan 1: Get under way</li>"), "the plan still runs: {dom}");
    assert!(
        !dom.contains("<tr class=\"chosen\">") && !dom.contains("Calm: violated"),
        "nothing of later: {dom}"
    );
}

#[test]
fn no_text_of_a_model_or_skill_becomes_a_part_of_the_page() {
    let served = Served::new(2);
    let mut sink = served.view.sink();
    let minds = voyage::minds(&[EVIL], &[EVIL]);
    let head = RunHead {
        model: EVIL.to_owned(),
        skills: EVIL.to_owned(),
        agents: vec![EVIL.to_owned()],
        ..RunHead::default()
    };
    sink.tell(&RunEvent::Begin(Box::new(head)));
    let shapes = json!([
        {"id": EVIL, "point": [1, 1], "heading": 1, "text": EVIL, "look": EVIL, "trail": true},
        {"id": "line", "polyline": [[0, 0], [EVIL, 1], [1, 1], [1e308, 1e308]], "look": "\" onload=\"x", "arrow": true, "text": EVIL},
        {"id": "grid", "cells": {"at": [0, 0], "size": [1, 1], "columns": 1e9, "rows": 1e9}, "set": {(EVIL): [0]}},
        {"id": "turn", "point": [1, 1], "heading": EVIL}, 7, null, [], {"id": 7},
    ]);
    let shown = json!({"chart": {"view": [0, 0, 9, 9], "unit": EVIL, "shapes": shapes},
        "figures": [{"name": EVIL, "value": 1, "unit": EVIL}, {"name": "odd", "value": EVIL}, 7], "notes": [{"name": EVIL, "text": EVIL}, 7]});
    let cycle = RunCycle {
        cycle: 1,
        said: vec![EVIL.to_owned()],
        shown: vec![shown, json!(7), json!({"chart": 7})],
        minds,
        ..RunCycle::default()
    };
    sink.tell(&RunEvent::Cycle(Box::new(cycle)));
    sink.tell(&RunEvent::End(Box::new(RunEnd { reason: EVIL.to_owned(), ..RunEnd::default() })));
    let Some(dom) = browser::dom_at("evil", &served.page) else { return };
    assert!(dom.contains("&lt;img src=x") && !dom.contains("<img"), "{dom}");
    assert!(!dom.contains("<title>owned") && dom.matches("<script").count() == 1, "{dom}");
    assert!(dom.contains("cycle 1 of 1"), "and the page goes on: {dom}");
}

#[test]
fn who_comes_late_is_told_everything_and_who_comes_back_the_rest() {
    let served = Served::new(3);
    let mut sink = served.view.sink();
    voyage::events().iter().for_each(|event| drop(sink.tell(event)));
    let whole = served.get("/events", "");
    assert!(whole.contains("text/event-stream"), "{whole}");
    let of = |text: &str, what: &str| text.matches(what).count();
    assert_eq!(of(&whole, "\"event\":\"cycle\""), voyage::CYCLES as usize);
    assert_eq!((of(&whole, "\"event\":\"begin\""), of(&whole, "\"event\":\"end\"")), (1, 1));
    let rest = served.get("/events", "Last-Event-ID: 3-4\r\n");
    assert_eq!(of(&rest, "\"event\":\"cycle\""), voyage::CYCLES as usize - 5, "{rest}");
    assert_eq!(of(&rest, "\"event\":\"begin\""), 0);
    let other = served.get("/events", "Last-Event-ID: 99-4\r\n");
    assert_eq!(of(&other, "\"event\":\"begin\""), 1, "another run is another story");
}

#[test]
fn a_browser_that_does_not_read_holds_up_nobody() {
    let served = Served::new(4);
    let mut sink = served.view.sink();
    sink.tell(&RunEvent::Begin(Box::<RunHead>::default()));
    let lazy: Vec<_> = (0..3).map(|_| served.ask("/events", "")).collect();
    // Far more than sockets and channels hold.
    let said = vec!["x".repeat(4000)];
    for number in 1..=5000 {
        sink.tell(&RunEvent::Cycle(Box::new(RunCycle {
            cycle: number,
            said: said.clone(),
            ..RunCycle::default()
        })));
    }
    sink.tell(&RunEvent::End(Box::<RunEnd>::default()));
    let whole = served.get("/events", "");
    assert!(whole.contains("\"cycle\":5000"), "others are served");
    drop(lazy);
}

#[test]
fn the_page_is_for_this_machine_and_needs_nothing_else() {
    let served = Served::new(5);
    let (here, bearer) = (served.address.to_string(), format!("Authorization: Bearer {}\r\n", served.token));
    for host in ["attacker.example", "127.0.0.1", "127.0.0.1:1"] {
        let refused = served.get_as(host, "/events", &bearer);
        assert!(refused.starts_with("HTTP/1.1 403"), "{host}: {refused}");
    }
    let own = served.address;
    let elsewhere = format!("http://localhost:{}", own.port());
    for origin in
        ["http://attacker.example", "http://127.0.0.1:1", "null", &format!("https://{own}"), &elsewhere]
    {
        let foreign = served.get("/", &format!("Origin: {origin}\r\n"));
        assert!(foreign.starts_with("HTTP/1.1 403"), "{origin}: {foreign}");
    }
    let own = served.get("/", &format!("Origin: http://{own}\r\n"));
    assert!(own.starts_with("HTTP/1.1 200"), "{own}");
    for path in ["/", "/view.css", "/view.js"] {
        let answer = served.get(path, "");
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        let head = head.to_lowercase();
        for part in [
            "content-security-policy: default-src 'none'",
            "frame-ancestors 'none'",
            "x-content-type-options: nosniff",
            "cache-control: no-store",
            "cross-origin-resource-policy: same-origin",
        ] {
            assert!(head.contains(part), "{path}: {part} is missing in {head}");
        }
        let policy = head.split("content-security-policy: ").nth(1).and_then(|rest| rest.lines().next());
        assert!(policy.is_some_and(|policy| !policy.contains("unsafe")), "{path}: {head}");
        let outside = body.replace("http://www.w3.org/2000/svg", "");
        assert!(
            !outside.contains("http:") && !outside.contains("https:") && !outside.contains("url("),
            "{path}"
        );
    }
    assert!(served.get("/else", "").starts_with("HTTP/1.1 404"));
    let refused = served.get_as(&here, "/events", "");
    assert!(refused.to_lowercase().contains("content-security-policy: default-src 'none'"), "{refused}");
}

#[test]
fn nothing_of_a_run_is_told_without_the_token_of_its_session() {
    let (served, other) = (Served::new(7), Served::new(8));
    let here = served.address.to_string();
    let cookie =
        |served: &Served, token: &str| format!("Cookie: motet-{}={token}\r\n", served.address.port());
    for headers in [
        String::new(),
        format!("Authorization: Bearer {}\r\n", other.token),
        format!("Authorization: Basic {}\r\n", served.token),
        "Authorization: Bearer \r\n".to_owned(),
        cookie(&served, &other.token),
        cookie(&other, &served.token),
        format!("Sec-Fetch-Site: same-site\r\n{}", cookie(&served, &served.token)),
    ] {
        for path in ["/", "/events", "/view.js", "/else", "/?token=", &format!("/?token={}", other.token)] {
            let refused = served.get_as(&here, path, &headers);
            assert!(refused.starts_with("HTTP/1.1 401"), "{path} {headers}: {refused}");
            assert!(refused.contains("M0078") && !refused.contains(&served.token), "{path}: {refused}");
        }
    }
    // The address that was printed gives a browser a cookie, and the cookie is enough for what the page asks for.
    let page = served.get_as(&here, &format!("/?token={}", served.token), "");
    let set = format!(
        "set-cookie: motet-{}={}; path=/; httponly; samesite=strict",
        served.address.port(),
        served.token
    );
    assert!(page.starts_with("HTTP/1.1 200") && page.to_lowercase().contains(&set), "{page}");
    let style = served.get_as(&here, "/view.css", &cookie(&served, &served.token));
    assert!(style.starts_with("HTTP/1.1 200"), "{style}");
}
