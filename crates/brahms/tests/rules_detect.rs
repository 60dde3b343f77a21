//! Detectables, one small model each (`spec/brahms/rules.md`, detectables).

mod rules_lab;

use rules_lab::{all, ends, system};

/// Bob waits 100 s with this detectable; after 10 s Ann makes `Door.open` true. Afterwards Bob counts.
fn waiting(detectable: &str, after: &str) -> String {
    format!(
        "class Thing {{ attributes: public boolean open; public boolean broken; }}
        object Door instanceof Thing {{ initial_facts: (current.open = false); }}
        agent Ann {{ attributes: public boolean go; initial_beliefs: (current.go = true);
            activities: primitive_activity walk() {{ max_duration: 10; }} primitive_activity hold() {{ max_duration: 30; }}
            workframes: workframe w {{ when(knownval(current.go = true)) do {{
                walk(); conclude((Door.open = true)); hold(); conclude((Door.open = false)); }} }} }}
        agent Bob {{ attributes: public int x; public int y; initial_beliefs: (current.x = 0); (current.y = 0);
            activities: primitive_activity wait() {{ max_duration: 100; }}
            workframes: workframe w {{ repeat: false;
                detectables: {detectable}
                when(knownval(current.x = 0)) do {{ conclude((current.x = 1)); wait(); {after} }} }} }}"
    )
}

const SLOTS: [&str; 2] = ["Bob: Bob.x", "Bob: Bob.y"];

#[test]
fn abort_does_nothing_more() {
    let text = waiting(
        "detectable d { when(whenever) detect((Door.open = true), dc:100) then abort; }",
        "conclude((current.y = 5));",
    );
    assert_eq!(ends(&text, &[], &["Bob: Bob.x", "Bob: Door.open"]), all(&["40 1 true"]));
    let after = waiting(
        "detectable d { when(whenever) detect((Door.open = true), dc:100) then abort; }",
        "conclude((current.x = 5));",
    );
    assert_eq!(ends(&after, &[], &["Bob: Bob.x"]), all(&["40 1"]));
}

#[test]
fn complete_skips_activities_and_keeps_conclusions() {
    let text = waiting(
        "detectable d { when(whenever) detect((Door.open = true), dc:100) then complete; }",
        "conclude((current.y = 5)); wait(); conclude((current.x = 6));",
    );
    assert_eq!(ends(&text, &[], &SLOTS), all(&["40 6 5"]));
}

#[test]
fn continue_only_learns() {
    let text = waiting(
        "detectable d { when(whenever) detect((Door.open = true), dc:100) then continue; }",
        "conclude((current.y = 5));",
    );
    assert_eq!(ends(&text, &[], &["Bob: Bob.y", "Bob: Door.open"]), all(&["100 5 false"]));
}

#[test]
fn an_impasse_waits_until_the_actor_believes_that_the_obstacle_is_gone() {
    // Bob is at an impasse from 10 s on. He learns at 25 s from Ann that the door is closed, though it is not: he looks
    // again, and is at an impasse again. At 55 s he hears it again, and it is true: 90 s are left.
    let text = "class Thing { attributes: public boolean open; }
        object Door instanceof Thing { initial_facts: (current.open = false); }
        agent Ann { attributes: public boolean go; initial_beliefs: (current.go = true); (Door.open = false);
            activities: primitive_activity walk() { max_duration: 10; } primitive_activity rest() { max_duration: 14; }
                communicate tell() { max_duration: 1; with: Bob; about: send(Door.open = Door.open); }
            workframes: workframe w { when(knownval(current.go = true)) do {
                walk(); conclude((Door.open = true), bc:0, fc:100); rest(); tell();
                rest(); conclude((Door.open = false), bc:0, fc:100); rest(); tell(); } } }
        agent Bob { attributes: public int x; initial_beliefs: (current.x = 0);
            activities: primitive_activity wait() { max_duration: 100; }
            workframes: workframe w { repeat: false;
                detectables: detectable d { when(whenever) detect((Door.open = true), dc:100) then impasse; }
                when(knownval(current.x = 0)) do { conclude((current.x = 1)); wait(); conclude((current.x = 2)); } } }";
    assert_eq!(ends(text, &[], &["Bob: Bob.x"]), all(&["144 2"]));
}

#[test]
fn an_abort_at_the_start_with_a_true_guard_does_not_hang() {
    let text = "class Thing { attributes: public boolean open; }
        object Door instanceof Thing { initial_facts: (current.open = true); }
        agent Bob { attributes: public int x; initial_beliefs: (current.x = 0);
            activities: primitive_activity wait() { max_duration: 100; }
            workframes: workframe w { repeat: true;
                detectables: detectable d { when(whenever) detect((Door.open = true), dc:100) then abort; }
                when(knownval(current.x = 0)) do { wait(); conclude((current.x = 1)); } } }";
    assert_eq!(ends(text, &[], &["Bob: Door.open"]), all(&["0 true"]));
    // Without a look at the start nothing happens that could make it look.
    assert_eq!(ends(text, &[("detect-at-start", "no")], &["Bob: Bob.x"]), all(&["100 1"]));
}

#[test]
fn a_belief_that_somebody_tells_triggers_too() {
    let text = "agent Ann { attributes: public boolean p; initial_beliefs: (current.p = true);
            activities: communicate tell() { max_duration: 7; with: Bob; about: send(Ann.p = Ann.p); }
            workframes: workframe w { when(knownval(current.p = true)) do { tell(); } } }
        agent Bob { attributes: public int x; initial_beliefs: (current.x = 0);
            activities: primitive_activity wait() { max_duration: 100; }
            workframes: workframe w { detectables: detectable d { when(whenever) detect((Ann.p = true), dc:100) then complete; }
                when(knownval(current.x = 0)) do { wait(); conclude((current.x = 1)); } } }";
    assert_eq!(ends(text, &[], &["Bob: Bob.x"]), all(&["7 1"]));
}

/// Somebody who waits until the door is open, which Ann tells after 7 s though it is closed.
fn told(waiting: &str, more: &str) -> String {
    format!(
        "class Thing {{ attributes: public boolean open; public boolean lit; }}
        object Door instanceof Thing {{ initial_facts: (current.open = false); (current.lit = false); }}
        agent Ann {{ initial_beliefs: (Door.open = true);
            activities: communicate tell() {{ max_duration: 7; with: Bob; about: send(Door.open); }}
                primitive_activity rest() {{ max_duration: 3; }}
            workframes: workframe w {{ do {{ tell(); {more} }} }} }}
        {waiting}"
    )
}

const WAITS: &str = "{ attributes: public int x; activities: primitive_activity wait() { max_duration: 100; }
    workframes: workframe w { repeat: false;
        detectables: detectable d { when(whenever) detect((Door.open = true), dc:100) then ACTION; }
            detectable e { when(whenever) detect((Door.lit = true), dc:100) then continue; }
        do { wait(); conclude((current.x = 1)); } } }";

#[test]
fn a_told_belief_triggers_agents_and_objects_though_the_fact_is_another() {
    let waits = WAITS.replace("ACTION", "complete");
    assert_eq!(ends(&told(&format!("agent Bob {waits}"), ""), &[], &["Bob: Bob.x"]), all(&["7 1"]));
    let object = format!("class Device {waits} object Bob instanceof Device {{ }}");
    assert_eq!(ends(&told(&object, ""), &[], &["Bob: Bob.x"]), all(&["7 1"]));
    assert_eq!(ends(&told(&object, ""), &[("detect-on", "facts")], &["Bob: Bob.x"]), all(&["100 1"]));
}

#[test]
fn a_told_belief_is_erased_by_no_older_fact_and_by_every_later_one() {
    let waits = WAITS.replace("ACTION", "continue");
    let object = format!("class Device {waits} object Bob instanceof Device {{ }}");
    for waiting in [format!("agent Bob {waits}"), object] {
        for rules in [&[][..], &[("detect-at-start", "no")]] {
            let light = told(&waiting, "rest(); conclude((Door.lit = true));");
            assert_eq!(ends(&light, rules, &["Bob: Door.open", "Bob: Door.lit"]), all(&["100 true true"]));
            // To state what is so already is no news.
            let again = told(&waiting, "rest(); conclude((Door.open = false), bc:0);");
            assert_eq!(ends(&again, rules, &["Bob: Door.open"]), all(&["100 true"]));
            let later =
                "rest(); conclude((Door.open = true), bc:0); rest(); conclude((Door.open = false), bc:0);";
            assert_eq!(ends(&told(&waiting, later), rules, &["Bob: Door.open"]), all(&["100 false"]));
        }
    }
}

#[test]
fn work_that_resumes_takes_over_every_fact() {
    // Bob is told at 7 s, has something more urgent to do at 20 s, and goes on with his work at 25 s.
    let text = told(
        "agent Bob { attributes: public int x; public boolean call; initial_beliefs: (current.x = 0);
            activities: primitive_activity wait() { max_duration: 100; } primitive_activity answer() { max_duration: 5; }
            workframes: workframe w { repeat: false; priority: 1;
                    detectables: detectable d { when(whenever) detect((Door.open = true), dc:100) then continue; }
                    do { wait(); conclude((current.x = 1)); } }
                workframe v { repeat: false; priority: 9; when(knownval(Ann.calls = true)) do { answer(); } } }
        agent Eve { }",
        "rest(); rest(); rest(); rest(); say(); ",
    )
    .replace(
        "primitive_activity rest()",
        "communicate say() { max_duration: 1; with: Bob; about: send(Ann.calls = true); } primitive_activity rest()",
    )
    .replace("agent Ann { initial_beliefs:", "agent Ann { attributes: public boolean calls; initial_beliefs: (Ann.calls = true);");
    assert_eq!(ends(&text, &[], &["Bob: Door.open", "Bob: Bob.x"]), all(&["105 false 1"]));
}

#[test]
fn with_facts_only_what_somebody_tells_triggers_nothing() {
    let text = "agent Ann { attributes: public boolean p; initial_beliefs: (current.p = true);
            activities: communicate tell() { max_duration: 7; with: Bob; about: send(Ann.p = Ann.p); }
            workframes: workframe w { when(knownval(current.p = true)) do { tell(); } } }
        agent Bob { attributes: public int x; initial_beliefs: (current.x = 0);
            activities: primitive_activity wait() { max_duration: 100; }
            workframes: workframe w { detectables: detectable d { when(whenever) detect((Ann.p = true), dc:100) then complete; }
                when(knownval(current.x = 0)) do { wait(); conclude((current.x = 1)); } } }";
    assert_eq!(ends(text, &[("detect-on", "facts")], &["Bob: Bob.x"]), all(&["100 1"]));
}

#[test]
fn with_facts_only_what_does_not_match_is_not_believed() {
    let look = "detectable d { when(whenever) detect((Door.open = true), dc:100) then continue; }";
    let text = waiting(look, "conclude((current.y = 5));");
    // The door opens at 10 s and is closed at 40 s; nobody looks for a closed one.
    assert_eq!(
        ends(&text, &[("detect-on", "facts")], &["Bob: Bob.y", "Bob: Door.open"]),
        all(&["100 5 true"])
    );
}

#[test]
fn with_facts_only_an_impasse_ends_with_the_fact() {
    // Bob stands still from 10 s to 40 s; 90 of his 100 s are left then.
    let text = waiting(
        "detectable d { when(whenever) detect((Door.open = true), dc:100) then impasse; }",
        "conclude((current.y = 5));",
    );
    let facts = [("detect-on", "facts")];
    assert_eq!(ends(&text, &facts, &["Bob: Bob.y", "Bob: Door.open"]), all(&["130 5 true"]));
}

#[test]
fn the_strongest_of_several_actions_wins() {
    let detectables = "detectable a { when(whenever) detect((Door.open = true), dc:100) then complete; }
        detectable b { when(whenever) detect((Door.open = true), dc:100) then abort; }
        detectable c { when(whenever) detect((Door.open = true), dc:100) then continue; }";
    let text = waiting(detectables, "conclude((current.x = 5));");
    assert_eq!(ends(&text, &[], &["Bob: Bob.x"]), all(&["40 1"]));
}

#[test]
fn a_detection_is_drawn_each_time_something_changes() {
    let text = waiting(
        "detectable d { when(whenever) detect((Door.open = true), dc:50) then abort; }",
        "conclude((current.x = 5));",
    );
    // Seen or not when the door opens; when it closes nothing is there to see any more.
    assert_eq!(ends(&text, &[], &["Bob: Bob.x"]), all(&["40 1", "100 5"]));
    let never = waiting(
        "detectable d { when(whenever) detect((Door.open = true), dc:0) then abort; }",
        "conclude((current.x = 5));",
    );
    assert_eq!(ends(&never, &[], &["Bob: Bob.x"]), all(&["100 5"]));
}

#[test]
fn when_looks_once_at_a_share_of_the_frames_time() {
    // At 20 % of 100 s the door is open, at 50 % it is closed again.
    let at = |percent: u32| {
        waiting(
            &format!("detectable d {{ when({percent}) detect((Door.open = true), dc:100) then abort; }}"),
            "conclude((current.x = 5));",
        )
    };
    assert_eq!(ends(&at(20), &[], &["Bob: Bob.x"]), all(&["40 1"]));
    assert_eq!(ends(&at(50), &[], &["Bob: Bob.x"]), all(&["100 5"]));
    assert_eq!(ends(&at(5), &[], &["Bob: Bob.x"]), all(&["100 5"]));
}

#[test]
fn every_instance_of_a_class_is_looked_at() {
    let text = "class Sensor { attributes: public boolean alarm; }
        object One instanceof Sensor { initial_facts: (current.alarm = false); }
        object Two instanceof Sensor { initial_facts: (current.alarm = true); }
        agent Bob { attributes: public int x; initial_beliefs: (current.x = 0);
            activities: primitive_activity wait() { max_duration: 100; }
            workframes: workframe w { detectables: detectable d { when(whenever) detect((<Sensor>.alarm = true), dc:100) then abort; }
                when(knownval(current.x = 0)) do { wait(); conclude((current.x = 1)); } } }";
    assert_eq!(ends(text, &[], &["Bob: One.alarm", "Bob: Two.alarm"]), all(&["0 false true"]));
}

#[test]
fn an_aborted_frame_counts_as_done_unless_a_rule_says_otherwise() {
    let text = "class Thing { attributes: public boolean open; }
        object Door instanceof Thing { initial_facts: (current.open = true); }
        agent Ann { attributes: public boolean go; initial_beliefs: (current.go = true);
            activities: primitive_activity walk() { max_duration: 10; }
            workframes: workframe w { when(knownval(current.go = true)) do { walk(); conclude((Door.open = false)); } } }
        agent Bob { attributes: public int x; initial_beliefs: (current.x = 0);
            activities: primitive_activity wait() { max_duration: 100; }
            workframes: workframe w { repeat: false;
                detectables: detectable d { when(whenever) detect((Door.open = true), dc:100) then abort; }
                when(knownval(current.x = 0)) do { wait(); conclude((current.x = 1)); } } }";
    assert_eq!(ends(text, &[], &["Bob: Door.open"]), all(&["10 true"]));
    assert_eq!(ends(text, &[("aborted-counts", "no")], &["Bob: Bob.x"]), all(&["110 1"]));
}

#[test]
fn complete_may_deliver() {
    let text = "agent Ann { attributes: public boolean p; initial_beliefs: (current.p = true);
            activities: communicate tell() { max_duration: 7; with: Bob; about: send(Ann.p = Ann.p); }
            workframes: workframe w { when(knownval(current.p = true)) do { tell(); } } }
        agent Eve { }
        agent Bob { attributes: public int x; initial_beliefs: (current.x = 3);
            activities: communicate tell() { max_duration: 50; with: Eve; about: send(Bob.x = Bob.x); }
            workframes: workframe w { detectables: detectable d { when(whenever) detect((Ann.p = true), dc:100) then complete; }
                when(knownval(current.x = 3)) do { tell(); } } }";
    assert_eq!(ends(text, &[], &["Eve: Bob.x"]).first().map(String::as_str), Some("7 none"));
    assert_eq!(ends(text, &[("complete-delivers", "yes")], &["Eve: Bob.x"]), all(&["7 3"]));
}

#[test]
fn two_orders_of_the_same_draws_are_one_outcome() {
    let text = "agent Bob { attributes: public boolean a; public boolean b; public boolean c; public boolean d;
            initial_beliefs: (current.a = false); (current.b = false); (current.c = false); (current.d = false);
            thoughtframes:
              thoughtframe ta { when(knownval(current.a = false)) do { conclude((current.a = true)); } }
              thoughtframe tb { when(knownval(current.b = false)) do { conclude((current.b = true)); } }
              thoughtframe tc { when(knownval(current.c = false)) do { conclude((current.c = true)); } }
              thoughtframe td { when(knownval(current.d = false)) do { conclude((current.d = true)); } } }";
    let system = system(text, &[], &[]);
    assert_eq!(rules_lab::size(&system), (2, 1), "24 orders, one end");
}
