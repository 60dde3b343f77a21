//! Activities, one small model each (`spec/brahms/rules.md`, activities).

mod rules_lab;

use rules_lab::{all, ends, try_ends};

const MAP: &str = "areadef Place { } area home instanceof Place { } area street instanceof Place { }
    area shop instanceof Place { } area island instanceof Place { }
    path one { area1: home; area2: street; distance: 30; } path two { area1: shop; area2: street; distance: 50; } ";

#[test]
fn a_move_takes_the_shortest_way_and_ends_in_fact_and_mind() {
    let text = MAP.to_owned()
        + "agent Bob { location: home; attributes: public boolean go; initial_beliefs: (current.go = true);
            activities: move walk() { location: shop; }
            workframes: workframe w { when(knownval(current.go = true)) do { walk(); } } }";
    assert_eq!(ends(&text, &[], &["Bob.location", "Bob: Bob.location"]), all(&["80 shop shop"]));
}

#[test]
fn a_given_duration_overrides_the_way_and_no_way_back_is_an_error() {
    let text = |body: &str| {
        format!(
            "{MAP} agent Bob {{ location: home; attributes: public boolean go; initial_beliefs: (current.go = true);
            activities: move fly() {{ location: island; max_duration: 7; }} move walk() {{ location: street; }}
            workframes: workframe w {{ when(knownval(current.go = true)) do {{ {body} }} }} }}"
        )
    };
    assert_eq!(ends(&text("walk(); fly();"), &[], &["Bob.location"]), all(&["37 island"]));
    let fault = try_ends(&text("fly(); walk();"), &[], &[]).expect_err("there is no way");
    assert!(fault.message.contains("island") && fault.message.contains("street"), "{fault}");
}

#[test]
fn nothing_is_sent_that_the_sender_does_not_believe() {
    let text = |held: &str, about: &str| {
        format!(
            "agent Ann {{ attributes: public int n; public boolean go; initial_beliefs: (current.go = true); {held}
            activities: communicate tell() {{ max_duration: 5; with: Bob; about: {about}; }}
            workframes: workframe w {{ when(knownval(current.go = true)) do {{ tell(); conclude((Ann.n = 4)); }} }} }}
            agent Bob {{ initial_beliefs: (Ann.n = 1); activities: communicate back() {{ with: Ann; about: send(Ann.n = Ann.n); }}
            workframes: workframe w {{ when(knownval(Ann.n = 99)) do {{ back(); conclude((Ann.n = 98)); }} }} }}"
        )
    };
    let bob = ["Bob: Ann.n"];
    assert_eq!(ends(&text("", "send(Ann.n = Ann.n)"), &[], &bob), all(&["5 1"]));
    assert_eq!(ends(&text("(Ann.n = 3);", "send(Ann.n = Ann.n)"), &[], &bob), all(&["5 3"]));
    assert_eq!(ends(&text("(Ann.n = 3);", "send(Ann.n)"), &[], &bob), all(&["5 3"]));
    assert_eq!(ends(&text("(Ann.n = 3);", "send(Ann.n = 2)"), &[], &bob), all(&["5 1"]));
    assert_eq!(ends(&text("(Ann.n = 3);", "send(Ann.n = 3)"), &[], &bob), all(&["5 3"]));
    assert_eq!(ends(&text("(Ann.n = 3);", "send(Ann.n = unknown)"), &[], &bob), all(&["5 3"]));
}

#[test]
fn receive_copies_what_the_other_believes() {
    let text =
        "agent Ann { attributes: public int n; public boolean go; initial_beliefs: (current.go = true);
            activities: communicate ask() { max_duration: 5; with: Bob; about: receive(Ann.n); when: start; }
            workframes: workframe w { when(knownval(current.go = true)) do { ask(); } } }
        agent Bob { initial_beliefs: (Ann.n = 8); }";
    assert_eq!(ends(text, &[], &["Ann: Ann.n"]), all(&["5 8"]));
}

#[test]
fn a_broadcast_reaches_the_agents_of_an_area_and_of_those_inside() {
    let world = "areadef Place { } area town instanceof Place { } area hall instanceof Place partof town { }
        area wood instanceof Place { }
        agent Ann { location: town; attributes: public int n; initial_beliefs: (current.n = 3);
            activities: broadcast shout() { max_duration: 1; about: send(Ann.n = Ann.n); FIELDS }
            workframes: workframe w { when(knownval(current.n = 3)) do { shout(); } } }
        agent Bob { location: hall; initial_beliefs: (Ann.n = 0); } agent Eve { location: wood; initial_beliefs: (Ann.n = 0); }";
    let slots = ["Bob: Ann.n", "Eve: Ann.n"];
    assert_eq!(ends(&world.replace("FIELDS", ""), &[], &slots), all(&["1 3 0"]));
    assert_eq!(ends(&world.replace("FIELDS", "to: wood;"), &[], &slots), all(&["1 0 3"]));
    assert_eq!(ends(&world.replace("FIELDS", "toSubAreas: false;"), &[], &slots), all(&["1 0 0"]));
}

#[test]
fn things_go_where_their_holder_goes_and_are_put_down_there() {
    let text = MAP.to_owned()
        + "class Thing { } object Cup instanceof Thing { location: home; }
        agent Eve { location: street; }
        agent Bob { location: home; attributes: public boolean go; initial_beliefs: (current.go = true);
            activities: get take() { items: Cup; max_duration: 2; } put lay() { items: Cup; max_duration: 3; }
                move walk() { location: street; }
            workframes: workframe w { when(knownval(current.go = true)) do { take(); walk(); lay(); } } }";
    let slots =
        ["Cup.location", "Bob contains Cup", "home contains Cup", "street contains Cup", "Eve: Cup.location"];
    assert_eq!(ends(&text, &[], &slots), all(&["35 street false false true street"]));
}

#[test]
fn random_durations_take_every_second_or_only_the_ends() {
    let text = "agent Bob { attributes: public int x; initial_beliefs: (current.x = 0);
            activities: primitive_activity work() { random: true; min_duration: 3; max_duration: 6; }
            workframes: workframe w { when(knownval(current.x = 0)) do { work(); conclude((current.x = 1)); } } }";
    let slots = ["Bob: Bob.x"];
    assert_eq!(ends(text, &[], &slots), all(&["3 1", "4 1", "5 1", "6 1"]));
    assert_eq!(ends(text, &[("durations", "ends")], &slots), all(&["3 1", "6 1"]));
}

#[test]
fn a_composite_activity_ends_when_there_is_no_work_left_in_it() {
    let text = "agent Bob { attributes: public int x; initial_beliefs: (current.x = 0);
            activities:
                primitive_activity tick() { max_duration: 5; }
                composite_activity cook() {
                    activities: primitive_activity stir() { max_duration: 10; }
                    workframes:
                        workframe inner { repeat: false; when(knownval(current.x < 3)) do { stir(); conclude((current.x = current.x + 1)); } }
                    thoughtframes:
                        thoughtframe think { repeat: false; when(knownval(current.x = 1)) do { conclude((current.x = 2)); } } }
            workframes: workframe outer { repeat: false; when(knownval(current.x < 9)) do { cook(); tick(); cook(); conclude((current.x = current.x + 10)); } } }";
    // Ten seconds inside and a thought, five outside; then the marks inside are forgotten: ten seconds again.
    assert_eq!(ends(text, &[], &["Bob: Bob.x"]), all(&["25 13"]));
}

#[test]
fn end_activity_ends_a_composite_activity_and_its_caller_goes_on() {
    let text = "agent Ann { attributes: public boolean p; initial_beliefs: (current.p = true);
            activities: primitive_activity walk() { max_duration: 4; }
            workframes: workframe w { when(knownval(current.p = true)) do { walk(); conclude((Ann.p = false)); } } }
        agent Bob { attributes: public int x; initial_beliefs: (current.x = 0);
            activities:
                composite_activity cook() {
                    end_condition: detectable;
                    detectables: detectable d { when(whenever) detect((Ann.p = false), dc:100) then end_activity; }
                    activities: primitive_activity stir() { max_duration: 10; }
                    workframes: workframe inner { repeat: true; when(knownval(current.x = 0)) do { stir(); } } }
            workframes: workframe outer { repeat: false; when(knownval(current.x = 0)) do { cook(); conclude((current.x = 1)); } } }";
    assert_eq!(ends(text, &[], &["Bob: Bob.x"]), all(&["4 1"]));
}

#[test]
fn a_frame_outside_interrupts_the_whole_composite_activity() {
    let text = "agent Ann { attributes: public boolean p; initial_beliefs: (current.p = true);
            activities: communicate tell() { max_duration: 4; with: Bob; about: send(Ann.p = Ann.p); }
            workframes: workframe w { when(knownval(current.p = true)) do { tell(); } } }
        agent Bob { attributes: public int x; public int y; initial_beliefs: (current.x = 0); (current.y = 0);
            activities:
                primitive_activity call() { max_duration: 100; }
                composite_activity cook(int n) {
                    activities: primitive_activity stir() { max_duration: 10; }
                    workframes: workframe inner { repeat: false; when(knownval(current.x = 0)) do { stir(); conclude((current.x = n)); } } }
            workframes:
                workframe outer { repeat: false; priority: 1; when(knownval(current.x = 0)) do { cook(7); } }
                workframe urgent { repeat: false; priority: 2; when(knownval(Ann.p = true)) do { call(); conclude((current.y = current.x)); } } }";
    assert_eq!(ends(text, &[], &["Bob: Bob.x", "Bob: Bob.y"]), all(&["110 7 0"]));
}

#[test]
fn entries_of_a_map_are_values_of_their_own() {
    let text = "agent Bob { attributes: public map m; public int sum;
            initial_beliefs: (current.m(1) = 10); (current.m(2) = 20); (current.m(3) = 30); (current.sum = 0);
            workframes: workframe w { repeat: false; variables: foreach(int) i;
                when(knownval(current.m(i) > 10)) do { conclude((current.sum = current.sum + current.m(i))); } } }";
    assert_eq!(ends(text, &[], &["Bob: Bob.sum"]), all(&["0 50"]));
}

#[test]
fn what_is_created_acts_and_what_is_deleted_is_gone() {
    let text = |count: u32| {
        format!(
            "areadef Place {{ }} area home instanceof Place {{ }}
            class Bell {{ attributes: public int n; initial_facts: (current.n = 0);
                activities: primitive_activity ring() {{ max_duration: 10; }}
                workframes: workframe w {{ repeat: true; when(knownval(current.n < 2)) do {{ ring(); conclude((current.n = current.n + 1)); }} }} }}
            agent Bob {{ location: home; attributes: public int x; initial_beliefs: (current.x = 0);
                activities: create_object make() {{ action: new; source: Bell; max_duration: 5; location: home; }}
                workframes: workframe w {{ repeat: true; when(knownval(current.x < {count})) do {{ make(); conclude((current.x = current.x + 1)); }} }} }}"
        )
    };
    assert_eq!(ends(&text(1), &[], &["Bob: Bob.x"]), all(&["25 1"]));
    assert_eq!(ends(&text(2), &[], &["Bob: Bob.x"]), all(&["30 2"]));
    let fault = try_ends(&text(4), &[("created", "3")], &[]).expect_err("the reserve is used up");
    assert!(fault.message.contains("make") && fault.message.contains('3'), "{fault}");
}

#[test]
fn those_who_are_there_notice_who_comes_and_goes_if_a_rule_says_so() {
    let text = MAP.to_owned()
        + "agent Ann { location: home; initial_beliefs: (Bob.location = home); } agent Eve { location: street; initial_beliefs: (Bob.location = home); }
        agent Bob { location: home; attributes: public boolean go; initial_beliefs: (current.go = true);
            activities: move walk() { location: street; }
            workframes: workframe w { when(knownval(current.go = true)) do { walk(); } } }";
    let aware = [("location-awareness", "yes")];
    assert_eq!(ends(&text, &aware, &["Ann: Bob.location", "Eve: Bob.location"]), all(&["30 none street"]));
}

#[test]
fn named_areas_detect_an_arrival() {
    let text = MAP.to_owned()
        + "agent Eve { location: shop; }
        agent Bob { location: home; attributes: public boolean go; initial_beliefs: (current.go = true);
            activities: move walk() { location: street; detectArrivalIn: shop; }
            workframes: workframe w { when(knownval(current.go = true)) do { walk(); } } }";
    assert_eq!(ends(&text, &[], &["Eve: Bob.location"]), all(&["30 street"]));
}
