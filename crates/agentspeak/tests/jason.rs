//! The Jason dialect. Expected behaviour was observed in Jason where the comment says so.

mod support;

use support::{explore, jason, load, run, section, story, try_explore};

/// What agent `a` prints, in order.
fn printed(program: &str) -> Vec<String> {
    prints(&story(&jason(program)))
}

fn prints(lines: &[String]) -> Vec<String> {
    lines.iter().filter_map(|line| line.split_once(": prints ").map(|(_, text)| text.to_owned())).collect()
}

/// The beliefs of agent `a` in the end.
fn beliefs(program: &str) -> Vec<String> {
    let system = jason(program);
    let (state, _) = run(&system);
    section(&system, &state, "a", "beliefs")
}

#[test]
fn initial_beliefs_and_goals_raise_events() {
    assert_eq!(printed("p. !go. +p <- .print(p). +!go <- .print(go)."), ["p", "go"]);
}

#[test]
fn two_intentions_take_turns() {
    // Observed in Jason: a1 a2 b1 a3 b2 b3.
    let program =
        "!a. !b. +!a <- .print(a1); .print(a2); .print(a3). +!b <- .print(b1); .print(b2); .print(b3).";
    assert_eq!(printed(program), ["a1", "a2", "b1", "a3", "b2", "b3"]);
}

#[test]
fn added_beliefs_are_found_newest_first_and_initial_ones_in_file_order() {
    let program = "c(1). c(2). !go. +!go <- +d(1); +d(2); ?c(X); ?d(Y); .print(X, Y).";
    assert_eq!(printed(program), ["12"]);
}

#[test]
fn a_belief_event_is_handled_inside_its_intention() {
    assert_eq!(
        printed("!go. +!go <- +b; .print(after). +b <- .print(b1); .print(b2)."),
        ["b1", "b2", "after"]
    );
}

#[test]
fn a_belief_without_plan_lets_the_intention_go_on() {
    assert_eq!(printed("!go. +!go <- +b; .print(after)."), ["after"]);
}

#[test]
fn replacing_leaves_one_belief() {
    // Observed in Jason: {c(1)}.
    assert_eq!(beliefs("c(0). !go. +!go <- -+c(1)."), ["c(1) [self]"]);
}

#[test]
fn adding_a_belief_already_held_raises_no_event() {
    assert_eq!(printed("!go. +!go <- +b; +b; .print(end). +b <- .print(b)."), ["b", "end"]);
}

#[test]
fn a_sub_goal_hands_values_back() {
    let program = "!go. +!go <- !sum(2, 3, S); .print(S). +!sum(A, B, C) <- C = A + B.";
    assert_eq!(printed(program), ["5"]);
    let program = "!go. +!go <- !pair(P); P = pair(X, Y); .print(X). +!pair(pair(A, B)) <- A = 7.";
    assert_eq!(printed(program), ["7"]);
}

#[test]
fn values_come_back_through_several_levels() {
    let program =
        "!go. +!go <- !f(3, R); .print(R). +!f(0, 1). +!f(N, R) : N > 0 <- !f(N - 1, S); R = N * S.";
    assert_eq!(printed(program), ["6"]);
}

#[test]
fn a_recovery_plan_runs_in_place_of_the_failed_plan() {
    let program = "!go. +!go <- !risky; .print(after). +!risky <- .fail. -!risky <- .print(recovered).";
    assert_eq!(printed(program), ["recovered", "after"]);
}

#[test]
fn a_failure_without_recovery_fails_the_goals_below() {
    let program =
        "!go. +!go <- !middle; .print(no). -!go <- .print(saved). +!middle <- !inner. +!inner <- .fail.";
    assert_eq!(printed(program), ["saved"]);
    let system = jason("!go. +!go <- !middle; .print(no). +!middle <- ?missing.");
    let (state, lines) = run(&system);
    assert!(lines.last().is_some_and(|line| line.ends_with("intention for +!go lost")), "{lines:?}");
    assert_eq!(section(&system, &state, "a", "intentions"), [""; 0]);
}

#[test]
fn a_goal_without_applicable_plan_is_a_failure_and_other_intentions_go_on() {
    let program = "!x. !y. +!x <- !nothing; .print(no). -!x <- .print(x_failed). +!nothing : no. +z <- +no. +!y <- .print(y1); .print(y2).";
    assert_eq!(printed(program), ["y1", "y2", "x_failed"]);
}

#[test]
fn a_failing_recovery_plan_fails_the_goal_below() {
    let program =
        "!go. +!go <- !g; .print(no). -!go <- .print(outer). +!g <- .fail. -!g <- .print(inner); .fail.";
    assert_eq!(printed(program), ["inner", "outer"]);
}

#[test]
fn a_test_goal_without_answer_becomes_an_event_if_there_are_plans() {
    let program = "!go. +!go <- ?age(X); .print(X). +?age(X) <- X = 30.";
    assert_eq!(printed(program), ["30"]);
}

#[test]
fn loops_and_branches_run_as_written() {
    let program =
        "counter(0). !go. +!go <- while (counter(X) & X < 3) { .print(X); -+counter(X + 1) }; .print(end).";
    assert_eq!(printed(program), ["0", "1", "2", "end"]);
    let program = "p(1). p(2). !go. +!go <- for (p(X)) { .print(X) }; .print(end).";
    assert_eq!(printed(program), ["1", "2", "end"]);
    let program = "p(1). !go. +!go <- if (p(2)) { .print(two) } else { .print(other) }; .print(end).";
    assert_eq!(printed(program), ["other", "end"]);
}

#[test]
fn a_variable_of_a_for_loop_is_free_again_after_it() {
    let program = "p(1). p(2). q(2). !go. +!go <- for (p(X)) { .print(X) }; ?q(X); .print(X).";
    assert_eq!(printed(program), ["1", "2", "2"]);
}

#[test]
fn rules_derive_and_unbounded_derivations_are_a_fault() {
    let program = "edge(a, b). edge(b, c). path(X, Y) :- edge(X, Y). path(X, Y) :- edge(X, Z) & path(Z, Y).
        !go. +!go : path(a, c) <- .findall(Y, path(a, Y), L); .print(L).";
    assert_eq!(printed(program), ["[b,c]"]);
    let system = jason("loop(X) :- loop(X). !go. +!go : loop(1) <- .print(never).");
    let fault = try_explore(&system).err().expect("the rule never ends");
    assert_eq!(fault.message, "bound exceeded: a derivation > 256");
}

#[test]
fn lists_are_collected_counted_and_taken_apart() {
    let program = "p(3). p(1). p(2). !go. +!go <- .findall(X, p(X), L); .sort(L, S); .length(S, N); .max(S, M); \
        .count(p(_), C); .print(S, N, M, C); .member(2, L); .nth(0, S, F); .concat(S, [9], T); .print(F, T).";
    assert_eq!(printed(program), ["[1,2,3]333", "1[1,2,3,9]"]);
    assert_eq!(printed("!go. +!go <- [H | T] = [1, 2, 3]; .print(H, T)."), ["1[2,3]"]);
}

#[test]
fn an_atomic_plan_is_not_interrupted() {
    let program =
        "!a. !b. @x[atomic] +!a <- .print(a1); !sub; .print(a3). +!sub <- .print(a2). +!b <- .print(b1).";
    assert_eq!(printed(program), ["a1", "a2", "a3", "b1"]);
}

#[test]
fn a_new_intention_does_not_hold_up_its_parent() {
    assert_eq!(printed("!go. +!go <- !!later; .print(now). +!later <- .print(later)."), ["now", "later"]);
}

#[test]
fn goals_can_be_dropped_succeeded_and_failed() {
    let program = "!long. !boss. +!long <- .print(l1); .print(l2); .print(l3); .print(l4). +!boss <- .drop_intention(long); .print(dropped).";
    assert_eq!(printed(program), ["l1", "l2", "dropped"]);
    let program = "!outer. !boss. +!outer <- !inner; .print(on). +!inner <- .print(i1); .print(i2); .print(i3); .print(i4). +!boss <- .print(b); .succeed_goal(inner).";
    assert!(printed(program).ends_with(&["on".to_owned()]));
    let program = "!outer. !boss. +!outer <- !inner. -!outer <- .print(failed). +!inner <- .print(i1); .print(i2); .print(i3); .print(i4). +!boss <- .print(b); .fail_goal(inner).";
    assert!(printed(program).ends_with(&["failed".to_owned()]));
}

#[test]
fn mental_state_queries_see_posted_and_adopted_goals() {
    let program = "!x. !go. +!x <- .print(x1); .print(x2); .print(x3). +!go : .desire(x) & .intend(x) & not .intend(y) <- .print(yes).";
    assert!(printed(program).contains(&"yes".to_owned()));
}

#[test]
fn deleting_takes_only_the_named_source() {
    let team = "team t\nmode jason\nagent a\nagent b\n";
    let b = "!go. +!go <- .send(a, tell, p); .send(a, achieve, forget).";
    let a = "+!forget[source(S)] <- -p; .print(S); ?p[source(T)]; .print(T); -p[source(b)]; not_p. +!not_p <- true.";
    let a = a.replace("not_p. +!not_p <- true.", ".print(end).");
    let system = load(&[("t.team", team), ("a.asl", &a), ("b.asl", b)]);
    let (state, lines) = run(&system);
    assert_eq!(prints(&lines), ["b", "b", "end"]);
    assert_eq!(section(&system, &state, "a", "beliefs"), [""; 0]);
}

#[test]
fn broadcasts_reach_everybody_else_and_unachieve_drops_the_goal() {
    let team = "team t\nmode jason\nagent a\nagent b\nagent c\n";
    let listener = "+hello[source(S)] <- .print(S).";
    let system = load(&[
        ("t.team", team),
        ("a.asl", "!go. +!go <- .broadcast(tell, hello)."),
        ("b.asl", listener),
        ("c.asl", listener),
    ]);
    let mut lines = story(&system);
    lines.retain(|line| line.contains("prints"));
    lines.sort();
    assert_eq!(lines, ["b: prints a", "c: prints a"]);
}

const DOOR: &str = "team t\nmode jason\nagent a\nenv house {
  var open : bool = false
  percept opened when open
  action open_door by x when not open { open := true }
}\n";

#[test]
fn an_action_holds_its_intention_until_the_environment_answers() {
    let system = load(&[("t.team", DOOR), ("a.asl", "!go. +!go <- open_door; .print(in).")]);
    let graph = explore(&system);
    for state in &graph.states {
        let waiting = section(&system, state, "environment", "actions");
        let shut = section(&system, state, "environment", "variables") == ["open = false"];
        assert!(waiting.len() <= 1 && (waiting.is_empty() || shut));
    }
    assert_eq!(prints(&story(&system)), ["in"]);
}

#[test]
fn a_refused_action_fails_its_plan() {
    let program = "!go. +!go <- open_door; open_door; .print(no). -!go <- .print(refused).";
    let system = load(&[("t.team", DOOR), ("a.asl", program)]);
    assert_eq!(prints(&story(&system)), ["refused"]);
}

#[test]
fn the_answer_to_a_dropped_plan_reaches_nobody_else() {
    let program = "!go. !stop. +!go <- open_door; .print(no). +!stop <- .drop_intention(go); !again. \
        +!again <- .print(a1); .print(a2).";
    let system = load(&[("t.team", DOOR), ("a.asl", program)]);
    let graph = explore(&system);
    // Whatever the interleaving, the plan after the drop is carried out to its end and nothing is lost.
    for &action in &graph.actions {
        assert!(system.review.happened(action).is_none(), "{}", system.words.action(action));
    }
    assert!(graph.actions.iter().any(|&action| system.words.action(action) == "prints a2"));
}

#[test]
fn a_stub_with_several_answers_is_a_choice() {
    let team = "team t\nmode jason\nagent a\nstub jia.ask(-A) in {yes, no}\n";
    let system = load(&[("t.team", team), ("a.asl", "!go. +!go <- jia.ask(X); +said(X).")]);
    let graph = explore(&system);
    let said = |what: &str| {
        graph
            .states
            .iter()
            .any(|state| section(&system, state, "a", "beliefs").contains(&format!("said({what}) [self]")))
    };
    assert!(said("yes") && said("no"));
}

#[test]
fn terms_that_grow_without_end_are_a_fault() {
    let system = jason("!go(zero). +!go(X) <- !!go(s(X)).");
    let fault = try_explore(&system).err().expect("the term grows");
    assert_eq!(fault.message, "bound exceeded: a term size > 256");
}

#[test]
fn a_stub_in_a_context_is_a_choice_and_too_many_choices_are_a_fault() {
    let team = "team t\nmode jason\nagent a\nstub jia.coin either\n";
    let system =
        load(&[("t.team", team), ("a.asl", "!go. +!go : jia.coin <- .print(heads). +!go <- .print(tails).")]);
    let graph = explore(&system);
    for side in ["prints heads", "prints tails"] {
        assert!(graph.actions.iter().any(|&action| system.words.action(action) == side));
    }
    let beliefs: String = (0..20).map(|n| format!("p({n}). ")).collect();
    let program = format!("{beliefs} !go. +!go : p(X) & not jia.coin & X > 20 <- .print(never).");
    let system = load(&[("t.team", team), ("a.asl", &program)]);
    let fault = try_explore(&system).err().expect("a million ways to toss the coins");
    assert_eq!(fault.message, "a step of a has more than 4096 outcomes");
}
