//! The rules of the semantics, one small model each. What must come out follows from `spec/brahms/rules.md`; the times are
//! sums of the durations in the texts.

mod rules_lab;

use rules_lab::{all, ends, try_ends};

fn agent(body: &str) -> String {
    format!(
        "agent Bob {{ attributes: public int x; public int y; public boolean p; public boolean q; {body} }}"
    )
}

#[test]
fn a_tie_of_two_thoughtframes_has_two_outcomes() {
    let text = agent(
        "initial_beliefs: (current.x = 0);
         thoughtframes:
            thoughtframe one { repeat: true; when(knownval(current.x = 0)) do { conclude((current.x = 1)); } }
            thoughtframe two { repeat: true; when(knownval(current.x = 0)) do { conclude((current.x = 2)); } }",
    );
    assert_eq!(ends(&text, &[], &["Bob: Bob.x"]), all(&["0 1", "0 2"]));
    assert_eq!(ends(&text, &[("ties", "first")], &["Bob: Bob.x"]), all(&["0 1"]));
}

#[test]
fn the_thoughtframe_of_higher_priority_comes_first() {
    let text = agent(
        "initial_beliefs: (current.x = 0);
         thoughtframes:
            thoughtframe low { repeat: true; when(knownval(current.x = 0)) do { conclude((current.x = 1)); } }
            thoughtframe high { repeat: true; priority: 5; when(knownval(current.x = 0)) do { conclude((current.x = 2)); } }",
    );
    assert_eq!(ends(&text, &[], &["Bob: Bob.x"]), all(&["0 2"]));
}

#[test]
fn a_thoughtframe_writes_no_fact() {
    let text = agent(
        "initial_beliefs: (current.x = 0); initial_facts: (current.x = 7);
         activities: primitive_activity rest() { max_duration: 1; }
         workframes: workframe w { when(knownval(current.y = 1)) do { conclude((current.x = 9)); rest(); } }
         thoughtframes: thoughtframe t { when(knownval(current.x = 0)) do { conclude((current.x = 1), bc:100, fc:100); } }",
    );
    assert_eq!(ends(&text, &[], &["Bob: Bob.x", "Bob.x"]), all(&["0 1 7"]));
}

#[test]
fn a_counting_thoughtframe_runs_to_its_end_and_one_without_change_fires_once() {
    let counter = agent(
        "initial_beliefs: (current.x = 0);
         thoughtframes: thoughtframe t { repeat: true; when(knownval(current.x < 5)) do { conclude((current.x = current.x + 1)); } }",
    );
    assert_eq!(ends(&counter, &[], &["Bob: Bob.x"]), all(&["0 5"]));
    let steady = agent(
        "initial_beliefs: (current.x = 0); (current.y = 0);
         thoughtframes: thoughtframe t { repeat: true; when(knownval(current.x = 0)) do { conclude((current.y = current.y + 1)); } }",
    );
    assert_eq!(ends(&steady, &[], &["Bob: Bob.y"]), all(&["0 1"]));
}

#[test]
fn thinking_in_circles_is_a_bound_that_names_the_frames() {
    let text = agent(
        "initial_beliefs: (current.p = true);
         thoughtframes:
            thoughtframe off { repeat: true; when(knownval(current.p = true)) do { conclude((current.p = false)); } }
            thoughtframe on { repeat: true; when(knownval(current.p = false)) do { conclude((current.p = true)); } }",
    );
    let fault = try_ends(&text, &[("thoughts", "100")], &[]).expect_err("it never ends");
    assert!(fault.message.contains("off of Bob"), "{fault}");
    assert!(fault.message.contains("on of Bob"), "{fault}");
    assert!(fault.message.contains("100"), "{fault}");
}

#[test]
fn two_actors_that_provoke_each_other_are_a_bound_too() {
    let text = "agent A { attributes: public boolean p;
            initial_facts: (current.p = true);
            initial_beliefs: (A.p = true);
            activities: primitive_activity wait() { max_duration: 10; }
            workframes:
              workframe watch { repeat: true;
                detectables: detectable see { when(whenever) detect((A.p = true), dc:100) then abort; }
                when(knownval(A.p = false)) do { wait(); } }
              workframe off { repeat: true; priority: 2; when(knownval(A.p = true)) do { conclude((A.p = false)); } } }
        agent B {
            initial_beliefs: (A.p = true);
            activities: primitive_activity wait() { max_duration: 10; }
            workframes:
              workframe look { repeat: true;
                detectables: detectable see { when(whenever) detect((A.p = false), dc:100) then abort; }
                when(knownval(A.p = true)) do { wait(); } }
              workframe on { repeat: true; priority: 2; when(knownval(A.p = false)) do { conclude((A.p = true)); } } }";
    let fault = try_ends(text, &[("rounds", "20")], &[]).expect_err("it never ends");
    assert!(fault.message.contains("rounds"), "{fault}");
    assert!(fault.message.contains("on of B") && fault.message.contains("off of A"), "{fault}");
}

#[test]
fn a_tie_of_two_workframes_is_a_choice_and_the_other_follows() {
    let text = agent(
        "initial_beliefs: (current.x = 0);
         activities: primitive_activity short() { max_duration: 3; } primitive_activity long() { max_duration: 10; }
         workframes:
            workframe one { when(knownval(current.x < 5)) do { short(); conclude((current.x = 10 * current.x + 1)); } }
            workframe two { when(knownval(current.x < 5)) do { long(); conclude((current.x = 10 * current.x + 2)); } }",
    );
    assert_eq!(ends(&text, &[], &["Bob: Bob.x"]), all(&["13 12", "13 21"]));
}

#[test]
fn interrupted_work_resumes_with_what_is_left_of_its_time() {
    let text = agent(
        "initial_beliefs: (current.p = false); (current.x = 0);
         activities: primitive_activity work() { max_duration: 10; } primitive_activity call() { max_duration: 4; }
            communicate ring() { max_duration: 3; with: Bob; about: send(Bob.p = Bob.p); }
         workframes:
            workframe w { priority: 1; when(knownval(current.x = 0)) do { work(); conclude((current.x = 1)); } }
            workframe urgent { priority: 5; when(knownval(current.p = true)) do { conclude((current.p = false)); call(); } }",
    ) + "agent Ann { initial_beliefs: (Bob.p = true); (current.go = true); attributes: public boolean go;
          activities: communicate ring() { max_duration: 3; with: Bob; about: send(Bob.p = Bob.p); when: end; }
          workframes: workframe w { when(knownval(current.go = true)) do { ring(); } } }";
    assert_eq!(ends(&text, &[], &["Bob: Bob.x"]), all(&["14 1"]));
}

#[test]
fn a_priority_that_is_only_a_little_higher_does_not_interrupt() {
    let text = |priority: &str| {
        agent(&format!(
            "initial_beliefs: (current.x = 0); (current.y = 0);
             activities: primitive_activity tick() {{ max_duration: 2; }} primitive_activity work() {{ max_duration: 10; }}
             workframes:
                workframe w {{ priority: 1; when(knownval(current.x = 0)) do {{ conclude((current.x = 1)); work(); conclude((current.x = 2)); }} }}
                workframe v {{ priority: {priority}; when(knownval(current.x = 1)) do {{ tick(); conclude((current.y = current.x)); }} }}"
        ))
    };
    // An equal priority waits; then the guard is false. A higher one interrupts before the work starts.
    assert_eq!(ends(&text("1"), &[], &["Bob: Bob.y"]), all(&["10 0"]));
    assert_eq!(ends(&text("2"), &[], &["Bob: Bob.y"]), all(&["12 1"]));
}

#[test]
fn certainties_are_drawn_apart_for_belief_and_fact() {
    let text = |certainty: &str| {
        agent(&format!(
            "initial_beliefs: (current.x = 0); initial_facts: (current.x = 0);
             workframes: workframe w {{ when(knownval(current.x < 9)) do {{ conclude((current.x = 1), {certainty}); }} }}"
        ))
    };
    let slots = ["Bob: Bob.x", "Bob.x"];
    assert_eq!(ends(&text("bc:100, fc:100"), &[], &slots), all(&["0 1 1"]));
    assert_eq!(ends(&text("bc:50, fc:50"), &[], &slots), all(&["0 0 0", "0 0 1", "0 1 0", "0 1 1"]));
    assert_eq!(ends(&text("bc:100, fc:0"), &[], &["Bob: Bob.x"]), all(&["0 1"]));
    assert_eq!(ends(&text("bc:0, fc:100"), &[], &["Bob.x"]), all(&["0 1"]));
}

#[test]
fn an_unknown_value_makes_no_guard_true_except_under_not() {
    let text = |guard: &str| {
        agent(&format!(
            "initial_beliefs: (current.x = 0);
             workframes: workframe w {{ when({guard}) do {{ conclude((current.x = 1)); }} }}"
        ))
    };
    for guard in ["knownval(current.y = 0)", "knownval(current.y != 3)", "known(current.y)", "(current.y)"] {
        assert_eq!(ends(&text(guard), &[], &["Bob: Bob.x"]), all(&["0 0"]), "{guard}");
    }
    for guard in ["not(current.y = 0)", "unknown(current.y)", "known(current.x)"] {
        assert_eq!(ends(&text(guard), &[], &["Bob: Bob.x"]), all(&["0 1"]), "{guard}");
    }
    let zero = [("unknown", "zero")];
    assert_eq!(ends(&text("knownval(current.y = 0)"), &zero, &["Bob: Bob.x"]), all(&["0 1"]));
}

#[test]
fn a_conclusion_from_an_unknown_value_is_skipped() {
    let text = agent(
        "initial_beliefs: (current.x = 0); (current.p = true);
         workframes: workframe w { when(knownval(current.p = true)) do { conclude((current.x = current.y + 1)); conclude((current.p = false)); } }",
    );
    assert_eq!(ends(&text, &[], &["Bob: Bob.p"]), all(&["0 false"]));
}

#[test]
fn unknown_can_be_concluded() {
    let text = agent(
        "initial_beliefs: (current.x = 3);
         workframes: workframe w { when(known(current.x)) do { conclude((current.x = unknown)); } }",
    );
    let found = ends(&text, &[], &["Bob: Bob.x"]);
    assert_eq!(found.len(), 1);
    assert!(!found.contains("0 3"), "{found:?}");
}

#[test]
fn repeat_false_counts_for_each_binding() {
    let text = "group Guest { attributes: public boolean here; }
        agent One memberof Guest { } agent Two memberof Guest { } agent Three memberof Guest { }
        agent Host { attributes: public int greeted;
            initial_beliefs: (current.greeted = 0); (One.here = true); (Two.here = true); (Three.here = true);
            activities: primitive_activity greet() { max_duration: 2; }
            workframes: workframe w { repeat: false; variables: forone(Guest) g;
                when(knownval(g.here = true)) do { greet(); conclude((current.greeted = current.greeted + 1)); } } }";
    assert_eq!(ends(text, &[], &["Host: Host.greeted"]), all(&["6 3"]));
    assert_eq!(ends(text, &[("repeat", "frame")], &["Host: Host.greeted"]), all(&["2 1"]));
}

#[test]
fn forone_of_three_has_three_outcomes() {
    let text = "group Guest { attributes: public boolean here; }
        agent One memberof Guest { } agent Two memberof Guest { } agent Three memberof Guest { }
        agent Host { attributes: public Guest first;
            initial_beliefs: (One.here = true); (Two.here = true); (Three.here = true);
            workframes: workframe w { repeat: false; variables: forone(Guest) g;
                when(unknown(current.first) and knownval(g.here = true)) do { conclude((current.first = g)); } } }";
    assert_eq!(ends(text, &[], &["Host: Host.first"]), all(&["0 One", "0 Two", "0 Three"]));
}

#[test]
fn foreach_does_each_once_in_any_order_and_drops_those_whose_guard_became_false() {
    let text = |extra: &str| {
        format!(
            "group Guest {{ attributes: public boolean here; }}
            agent One memberof Guest {{ }} agent Two memberof Guest {{ }} agent Three memberof Guest {{ }}
            agent Host {{ attributes: public int n; public Guest last;
                initial_beliefs: (current.n = 0); (One.here = true); (Two.here = true); (Three.here = true);
                activities: primitive_activity greet() {{ max_duration: 2; }}
                workframes: workframe w {{ repeat: false; variables: foreach(Guest) g;
                    when(knownval(g.here = true)) do {{ greet(); {extra}
                        conclude((current.n = current.n + 1)); conclude((current.last = g)); }} }} }}"
        )
    };
    let slots = ["Host: Host.n", "Host: Host.last"];
    assert_eq!(ends(&text(""), &[], &slots), all(&["6 3 One", "6 3 Two", "6 3 Three"]));
    let gone = text("conclude((Three.here = false));");
    assert_eq!(
        ends(&gone, &[], &slots),
        all(&["4 2 One", "4 2 Two", "6 3 One", "6 3 Two"]),
        "Three is greeted only if it comes first"
    );
}

#[test]
fn collectall_is_one_instance_that_concludes_and_sends_for_all() {
    let text = "group Guest { attributes: public boolean here; public boolean told; public int n; }
        agent One memberof Guest { } agent Two memberof Guest { }
        agent Host { attributes: public int n;
            initial_beliefs: (current.n = 7); (One.here = true); (Two.here = true);
            activities: communicate tell(Guest to) { max_duration: 5; with: to; about: send(Host.n = Host.n); }
            workframes: workframe w { repeat: false; variables: collectall(Guest) g;
                when(knownval(g.here = true)) do { tell(g); conclude((g.told = true)); } } }";
    let slots = ["One: Host.n", "Two: Host.n", "Host: One.told", "Host: Two.told", "Two.told"];
    assert_eq!(ends(text, &[], &slots), all(&["5 7 7 true true true"]));
}

#[test]
fn objects_match_facts_and_compute_with_them() {
    let text = "class Meter { attributes: public int n;
            activities: primitive_activity tick() { max_duration: 60; }
            workframes: workframe w { repeat: true; when(knownval(current.n < 3)) do { tick(); conclude((current.n = current.n + 1)); } } }
        object Water instanceof Meter { initial_facts: (current.n = 0); initial_beliefs: (current.n = 9); }";
    assert_eq!(ends(text, &[], &["Water.n"]), all(&["180 3"]));
}

#[test]
fn what_does_not_change_is_no_state_of_its_own() {
    let text = agent(
        "initial_beliefs: (current.x = 0);
         activities: primitive_activity tick() { max_duration: 1; }
         workframes: workframe w { repeat: true; when(knownval(current.x < 3)) do { tick(); conclude((current.x = current.x + 1)); } }",
    );
    let system = rules_lab::system(&text, &[], &[]);
    // Before anything; three times at work; the end.
    assert_eq!(rules_lab::size(&system), (5, 4));
}
