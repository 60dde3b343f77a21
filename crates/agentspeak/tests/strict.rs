//! The rules of AgentSpeak(F), one test each. Expected behaviour is that of Bordini et al. 2003, section 4.1.

mod support;

use support::{explore, load, run, section, story, strict, try_explore};

/// Two agents, `b` receives what `a` does.
fn pair(a: &str, b: &str) -> motet_model::System {
    load(&[("t.team", "team t\nmode strict\nagent a\nagent b\n"), ("a.asl", a), ("b.asl", b)])
}

const WORLD: &str = "env w {
  var n : 0..3 = 0
  percept tick(n)
  percept bell when n == 1
  action go by x { if n < 3 { n := n + 1 } }
}";

fn in_world(program: &str) -> motet_model::System {
    let team = format!("team t\nmode strict\nagent a\n{WORLD}\n");
    load(&[("t.team", &team), ("a.asl", program)])
}

#[test]
fn initial_beliefs_raise_no_events() {
    assert_eq!(story(&strict("p. +p : true <- +q.")), [""; 0]);
}

#[test]
fn percepts_become_beliefs_and_raise_events_in_order_of_declaration() {
    let system = in_world("+tick(N) : true <- go. +bell : true <- +heard.");
    let lines = story(&system);
    assert_eq!(
        lines[..6],
        [
            "a: perceives tick(0)",
            "a: selects +tick(0): plan a.asl:1",
            "a: executes go",
            "environment: executes go of a: n 0 → 1",
            "a: perceives tick(1), bell, no longer tick(0)",
            "a: selects +tick(1): plan a.asl:1",
        ]
    );
}

#[test]
fn a_percept_that_is_gone_is_no_longer_believed_but_own_beliefs_stay() {
    let system = in_world("home. bell. +tick(N) : true <- go.");
    let (state, _) = run(&system);
    let beliefs = section(&system, &state, "a", "beliefs");
    // `bell` was an initial belief and a percept for a while; its own source keeps it.
    assert_eq!(beliefs, ["home [self]", "bell [self]", "tick(3) [percept]"]);
}

#[test]
fn events_are_served_first_come_first_served() {
    let system = pair(
        "+go : true <- +x; +y. +x : true <- +x_seen. +y : true <- +y_seen.",
        "+start : true <- .send(a, tell, go).",
    );
    // Nobody starts: there is no percept. Only the shape of the graph is left, one cycle per agent.
    assert_eq!(explore(&system).states.len(), 16);
    let system = in_world("+tick(0) : true <- +x; +y. +x : true <- +first. +y : true <- +second.");
    let lines = story(&system);
    let at = |what: &str| lines.iter().position(|line| line.contains(what)).expect(what);
    assert!(at("selects +x") < at("selects +y"));
    // A belief event begins an intention of its own: the first body goes on before +x is served to the end.
    assert!(at("believes y") < at("believes first"));
}

#[test]
fn intentions_take_turns() {
    let system = in_world(
        "+tick(0) : true <- +x; .print(a1); .print(a2); .print(a3); .print(a4). +x : true <- .print(b1); .print(b2).",
    );
    let printed: Vec<String> = story(&system)
        .into_iter()
        .filter_map(|line| line.strip_prefix("a: prints ").map(str::to_owned))
        .collect();
    assert_eq!(printed, ["a1", "b1", "a2", "b2", "a3", "a4"]);
}

#[test]
fn the_first_applicable_plan_of_the_file_is_taken_and_the_oldest_belief_answers() {
    let system = in_world(
        "c(2). c(1). +tick(0) : never <- .print(no). +tick(0) : c(X) <- .print(X). +tick(0) : true <- .print(late). +z : true <- +never.",
    );
    assert!(story(&system).contains(&"a: prints 2".to_owned()));
}

#[test]
fn a_sub_goal_suspends_its_plan_and_finished_plans_below_end_in_the_same_step() {
    let system = in_world("+tick(0) : true <- !one. +!one : true <- !two. +!two : true <- .print(deep).");
    let graph = explore(&system);
    let deepest = graph.states.iter().map(|state| section(&system, state, "a", "intentions").len()).max();
    assert_eq!(deepest, Some(3));
    let (_, lines) = run(&system);
    assert_eq!(lines.last().map(String::as_str), Some("a: prints deep"));
}

#[test]
fn an_event_without_applicable_plan_takes_its_whole_intention_along() {
    let system =
        in_world("+tick(0) : true <- !one; .print(never). +!one : no <- .print(one). +z : true <- +no.");
    let (state, lines) = run(&system);
    assert_eq!(
        lines.last().map(String::as_str),
        Some("a: selects +!one: no applicable plan, intention for +tick(0) lost")
    );
    assert_eq!(section(&system, &state, "a", "intentions"), [""; 0]);
}

#[test]
fn a_failed_test_goal_loses_the_intention() {
    let system = in_world("+tick(0) : true <- ?missing(X); .print(X). +z : true <- +missing(1).");
    let lines = story(&system);
    assert_eq!(
        lines.last().map(String::as_str),
        Some("a: fails at ?missing(X), intention for +tick(0) lost")
    );
}

#[test]
fn an_intention_with_an_empty_body_is_dropped_one_step_later() {
    let system = in_world("+tick(0) : true <- !nothing; .print(after). +!nothing : true <- true.");
    assert_eq!(story(&system).last().map(String::as_str), Some("a: prints after"));
}

#[test]
fn telling_what_is_believed_raises_no_event_and_untelling_takes_only_the_sender_back() {
    let system = pair(
        "p. +go : true <- .print(x). +p : true <- .print(again). -p : true <- .print(gone).",
        "go. +go : true <- .send(a, tell, p). +z : true <- +go.",
    );
    assert_eq!(story(&system), [""; 0]);
    let team = format!("team t\nmode strict\nagent a\nagent b\n{WORLD}\n");
    let system = load(&[
        ("t.team", &team),
        ("a.asl", "p. +p : true <- .print(again). -p : true <- .print(gone). -q : true <- .print(q_gone)."),
        (
            "b.asl",
            "+tick(0) : true <- .send(a, tell, p); .send(a, tell, q); .send(a, untell, p); .send(a, untell, q).",
        ),
    ]);
    let (state, lines) = run(&system);
    let printed: Vec<&String> = lines.iter().filter(|line| line.contains("prints")).collect();
    assert_eq!(printed, ["a: prints q_gone"]);
    assert_eq!(section(&system, &state, "a", "beliefs"), ["p [self]", "tick(0) [percept]"]);
}

#[test]
fn an_achieve_message_posts_a_goal() {
    let team = format!("team t\nmode strict\nagent a\nagent b\n{WORLD}\n");
    let system = load(&[
        ("t.team", &team),
        ("a.asl", "+!clean(X) : true <- .print(X)."),
        ("b.asl", "+tick(0) : true <- .send(a, achieve, clean(hall))."),
    ]);
    assert!(story(&system).contains(&"a: prints hall".to_owned()));
}

#[test]
fn distrusted_messages_have_no_effect() {
    let team = format!("team t\nmode strict\nagent a\nagent b\ntrust tell b -> a: only q(_)\n{WORLD}\n");
    let system = load(&[
        ("t.team", &team),
        ("a.asl", "+p : true <- .print(p). +q(X) : true <- .print(X)."),
        ("b.asl", "+tick(0) : true <- .send(a, tell, p); .send(a, tell, q(1))."),
    ]);
    let lines = story(&system);
    assert!(lines.contains(&"a: reads mail: b tells p, not trusted".to_owned()), "{lines:?}");
    assert!(lines.contains(&"a: prints 1".to_owned()) && !lines.contains(&"a: prints p".to_owned()));
}

#[test]
fn too_many_events_are_a_fault_that_names_agent_and_bound() {
    let team = format!("team t\nmode strict\nbound events = 2\nagent a\n{WORLD}\n");
    let body: Vec<String> = (0..6).map(|n| format!("+x({n})")).collect();
    let program = format!("+tick(0) : true <- !go; !go. +!go : true <- {}.", body.join("; "));
    let system = load(&[("t.team", &team), ("a.asl", &program)]);
    // One event is served per cycle and one is raised: two can wait only together with the percept's own.
    assert!(try_explore(&system).is_ok());
    let team = format!("team t\nmode strict\nbound messages = 2\nagent a\nagent b\n{WORLD}\n");
    let program = "+tick(0) : true <- .send(b, tell, x); .send(b, tell, y); .send(b, tell, z).";
    let system = load(&[("t.team", &team), ("a.asl", program), ("b.asl", "+x : true <- .print(x).")]);
    let fault = try_explore(&system).err().expect("b need not read its mail");
    assert_eq!(fault.message, "bound exceeded: b messages > 2");
}

#[test]
fn deleting_a_belief_removes_it_whatever_its_source() {
    let system = in_world("p. +tick(0) : true <- -p; -p; .print(done). -p : true <- .print(gone).");
    let (state, lines) = run(&system);
    assert_eq!(lines.iter().filter(|line| line.contains("prints gone")).count(), 1);
    assert_eq!(section(&system, &state, "a", "beliefs"), ["tick(0) [percept]"]);
}
