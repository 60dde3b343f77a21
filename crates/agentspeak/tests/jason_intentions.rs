//! What the Jason interpreter makes of its intentions: plans that fail, call themselves, wait, and let nobody else go on. The
//! programs were run in the interpreter, one reasoning cycle at a time; what they print there is what is expected here.

mod support;

use support::{explore, jason, story, try_explore};

/// The first lines that agent `a` prints if the environment and the clock answer at once.
fn prints(program: &str, first: usize) -> Vec<String> {
    let lines = story(&jason(program));
    let printed = lines.iter().filter_map(|line| line.split_once(": prints ").map(|(_, text)| text));
    printed.map(str::to_owned).take(first).collect()
}

/// Every line that agent `a` prints in some run.
fn possible(program: &str) -> Vec<String> {
    let system = jason(program);
    let told = explore(&system).actions.into_iter().map(|action| system.words.action(action));
    let mut lines: Vec<String> =
        told.filter_map(|told| told.strip_prefix("prints ").map(str::to_owned)).collect();
    lines.sort_unstable();
    lines
}

/// How many states there are.
fn states(program: &str) -> usize {
    explore(&jason(program)).states.len()
}

#[test]
fn a_plan_that_calls_itself_last_makes_room() {
    // Four steps, and the answer of the environment, before and after the plan is selected anew.
    assert!(states("!loop. +!loop <- tick; !loop.") < 40);
    assert!(states("!loop. +!loop : not p <- +p; !loop. +!loop <- -p; !loop.") < 60);
}

#[test]
fn a_plan_that_calls_itself_in_the_middle_does_not_make_room() {
    let fault = try_explore(&jason("!loop. +!loop <- tick; !loop; tick.")).err().expect("the stack grows");
    assert!(fault.message.contains("bound exceeded"), "{fault}");
}

#[test]
fn whoever_called_a_loop_hears_what_its_last_round_found() {
    let program = "n(0). !go. +!go <- !find(X, Y); .print(X, Y). \
                   +!find(A, B) : n(2) <- A = here; B = 7. +!find(A, B) : n(N) <- -+n(N + 1); !find(A, B).";
    assert_eq!(prints(program, 9), ["here7"]);
    let bound_on_the_way = "n(0). !go. +!go <- !find(X, Y); .print(X, Y). \
                   +!find(A, B) : n(1) <- A = 5; B = 7. +!find(A, B) : n(N) <- -+n(N + 1); B = 7; !find(A, B).";
    assert_eq!(prints(bound_on_the_way, 9), ["57"]);
}

#[test]
fn a_recovery_that_tries_again_makes_room() {
    assert!(states("!go. +!go <- tick; .fail. -!go <- !go.") < 60);
    assert!(states("!go. +!go <- !step. +!step <- tick; .fail. -!go <- !go.") < 80);
    assert!(states("!all. +!all <- !go; tick. +!go <- tick; .fail. -!go <- !go.") < 80);
}

#[test]
fn others_go_on_while_an_intention_waits_for_time_to_pass() {
    let program = "!a. !b. +!a <- .wait(1000); late. \
                   +!b <- .print(b1); .print(b2); .print(b3); .print(b4); done.";
    let system = jason(program);
    let graph = explore(&system);
    let told: Vec<String> = graph.actions.iter().map(|&action| system.words.action(action)).collect();
    for line in ["waits for 1000 ms", "the time of .wait(1000) for +!a is over", "executes late"] {
        assert!(told.iter().any(|told| told == line), "{line} is not among {told:?}");
    }
    let program = "!a. !b. +!a <- .wait(1000); if (done) { .print(after) } else { .print(before) }. \
                   +!b <- .print(b1); .print(b2); +done.";
    assert_eq!(possible(program), ["after", "b1", "b2", "before"], "a wait is over at any later moment");
}

#[test]
fn of_two_waits_for_the_same_time_the_first_is_over_first() {
    let program = "!a(1). !a(2). +!a(X) <- .wait(10); +over(X). +over(2) : not over(1) <- .print(early). \
                   +over(2) <- .print(late).";
    assert_eq!(possible(program), ["late"]);
    let program = program.replace(".wait(10)", ".wait(10 * X)");
    assert_eq!(possible(&program), ["early", "late"], "waits of other lengths end in any order");
}

#[test]
fn a_loop_that_waits_is_finite() {
    assert!(states("!loop. +!loop <- tick; .wait(100); !loop.") < 60);
}

#[test]
fn a_wait_for_no_number_fails() {
    assert_eq!(prints("t(now). !a. +!a : t(T) <- .wait(T); .print(on). -!a <- .print(rec).", 9), ["rec"]);
}

#[test]
fn a_recovery_plan_that_does_not_apply_ends_the_intention() {
    let program = "!top. +!top <- !sub; .print(end). +!sub <- .fail. \
                   -!sub : never <- .print(local). -!top <- .print(recovered).";
    assert_eq!(possible(program), Vec::<String>::new());
}

#[test]
fn a_recovery_plan_for_another_value_ends_the_intention() {
    let program = "!top. +!top <- !g(4); .print(end). +!g(X) <- .fail. \
                   -!g(3) <- .print(local). -!top <- .print(recovered).";
    assert_eq!(possible(program), Vec::<String>::new());
}

#[test]
fn a_goal_that_fails_without_a_value_is_matched_by_any() {
    let program = "!s. +!s <- !g(X); .print(got, X). +!g(X) <- .fail. -!g(ok) <- .print(rec).";
    assert_eq!(prints(program, 9), ["rec", "gotok"]);
}

#[test]
fn initial_beliefs_are_told_from_the_last_to_the_first() {
    assert_eq!(prints("x(1). x(2). +x(N) <- .print(x, N).", 9), ["x2", "x1"]);
}

#[test]
fn an_atomic_plan_that_fails_recovers_before_others_go_on() {
    let program = "!x. !y. @l[atomic] +!x <- +busy; .fail. -!x <- -busy. \
                   +!y : busy <- .print(bad). +!y <- .print(good).";
    assert_eq!(possible(program), ["good"]);
}

#[test]
fn after_an_atomic_plan_its_intention_has_one_more_turn() {
    let program = "!p. !q. +!p <- !s; .print(p1); .print(p2). @l[atomic] +!s <- .print(s1); .print(s2). \
                   +!q <- .print(q1); .print(q2); .print(q3).";
    assert_eq!(prints(program, 9), ["q1", "s1", "s2", "p1", "q2", "p2", "q3"]);
}

#[test]
fn what_an_agent_tells_itself_is_its_own() {
    let program = "!s. +!s <- .send(a, tell, hello); .send(a, achieve, g). \
                   +hello[source(S)] <- .print(hello, S). +!g[source(S)] <- .print(g, S).";
    assert_eq!(prints(program, 9), ["helloself", "gself"]);
}

#[test]
fn a_plan_for_the_end_of_a_belief_is_no_recovery() {
    let program = "!s. +!s <- +b; .print(end). +b <- .fail. -b <- .print(minus). -!s <- .print(rec).";
    assert_eq!(possible(program), Vec::<String>::new());
    // Without it the goal below is asked.
    let program = "!s. +!s <- +b; .print(end). +b <- .fail. -!s <- .print(rec).";
    assert_eq!(prints(program, 9), ["rec"]);
}

#[test]
fn a_recovery_that_fails_at_the_bottom_is_called_for_again() {
    let program = "!top. +!top <- .fail. -!top <- .print(rec); .fail.";
    assert_eq!(prints(program, 9)[..2], ["rec", "rec"]);
    assert!(states(program) < 40, "and that is no larger stack");
}

#[test]
fn what_failed_goes_on_when_its_second_recovery_ends() {
    let program = "!top. +!top <- .fail; .print(after). \
                   -!top : not tried <- +tried; .print(one); .fail. -!top <- .print(two).";
    assert_eq!(prints(program, 9), ["one", "two", "after"]);
}

#[test]
fn a_subgoal_of_a_recovery_that_fails_calls_for_the_recovery_again() {
    let program = "!s. +!s <- !top; .print(ok). +!top <- .fail. -!top <- .print(rec); !h. +!h <- .fail. \
                   -!s <- .print(s).";
    assert_eq!(prints(program, 9)[..2], ["rec", "rec"]);
    assert_eq!(possible(program), ["rec"]);
}

#[test]
fn a_belief_without_a_plan_is_passed_over_in_the_same_cycle() {
    let program = "p(1). p(2). !go. +p(X) : never <- .print(X). +!go <- .print(go).";
    let lines = story(&jason(program));
    assert!(
        lines.iter().any(|line| line.contains("no plan applies to +p(2), +p(1), selects +!go")),
        "{lines:?}"
    );
}
