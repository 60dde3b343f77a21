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
