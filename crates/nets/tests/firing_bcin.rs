//! The business continuity information network of Chang (2011), appendices A3, A4 and B, as resolved and as printed. Counts
//! and verdicts come from two independent executors.

mod firing_lab;

use firing_lab::{BCIN, Case, Counts, afresh, case, counts, holding, same_graph, system, told_run, with};
use motet_evidence::Fairness;

const CLAIMS: &str = "
property a: always a_valid_role
property b: always b_permitted
property b_as_asserted: always actors_have_rights
property c: always c_one_session
property d: forall n in {david, alice, emily, john}: (always (pending(n) -> F not pending(n)))
property proper_end: always (deadlock -> all_gone)
";

const DEFINITIONS: &str = "
def a_valid_role = (forall s in Sessions: exists r in RAs: r.user = s)
               and (forall m in live: exists r in RAs: r.user = m.user);
def b_permitted = (forall o in p2: o.action = read_) and (forall o in p4: o.action = sendM)
              and (forall o in p6: o.action = publish) and (forall o in p12: o.action = assign)
              and (forall m in p11: class(m.net) = S_NET)
              and (forall m in p3: class(m.net) = P_NET or class(m.net) = PR_NET)
              and (forall m in p5: class(m.net) != O_NET);
def actors_have_rights = forall a in Actor: exists p in PAs: p.role = a.role;
def c_one_session = forall m in live, n in live: m != n => m.user != n.user;
def all_gone = size(live) = 0 and size(Sessions) = 0;
def pending(n) = exists m in p1 union p3 union p5 union p11: m.user = n;
";

const ROLES: &str = include_str!("texts/bcin_roles.npn");
const EXAMPLE: &str = include_str!("../../../examples/bcin-roles/bcin.npn");

const USERS: &str = "{ emily, david, alice }";

fn bcin(users: &str) -> String {
    with(BCIN, &[(USERS, users)])
}

/// No session tests where roles are assigned, as in appendix A4.
fn without_session_tests(text: &str) -> String {
    with(
        text,
        &[
            ("when u notin Sessions; pick r", "pick r"),
            ("when a.user notin Sessions; pick p", "pick p"),
            (
                "when a.user in Sessions or (forall p in PAs: p.role != a.role)",
                "when forall p in PAs: p.role != a.role",
            ),
        ],
    )
}

/// The session is asked for when a role is assigned, but not when it is taken up.
fn with_one_session_test(text: &str) -> String {
    with(
        text,
        &[
            ("when a.user notin Sessions; pick p", "pick p"),
            (
                "when a.user in Sessions or (forall p in PAs: p.role != a.role)",
                "when forall p in PAs: p.role != a.role",
            ),
        ],
    )
}

/// Appendix A4 as printed: neither session tests nor tests of the action, except that quitting is no operation.
fn as_printed(text: &str) -> String {
    with(
        &without_session_tests(text),
        &[
            ("when op.action = read_;", "when op.action != quit;"),
            ("when op.action = sendM;", "when op.action != quit;"),
            ("when op.action = publish;", "when op.action != quit;"),
            ("when op.action = assign;", "when op.action != quit;"),
        ],
    )
}

fn asked(text: &str) -> Case {
    case(&format!("{text}{DEFINITIONS}"), CLAIMS)
}

/// The claims that hold, besides the one that holds everywhere.
fn verdicts(text: &str) -> Vec<String> {
    let mut holding = holding(&asked(text), Fairness::None);
    let before = holding.len();
    holding.retain(|name| name != "b_as_asserted");
    assert_eq!(before, holding.len() + 1, "roles always have rights here");
    holding
}

const ALL: [&str; 5] = ["a", "b", "c", "d", "proper_end"];

#[test]
fn each_user_alone_has_seven_states_and_three_have_their_product() {
    for (users, expected) in [
        ("{ emily }", Counts(7, 6, 1)),
        (USERS, Counts(343, 882, 1)),
        ("{ emily, david, alice, mary }", Counts(686, 2107, 1)),
        ("{ emily, emily }", Counts(18, 26, 1)),
    ] {
        let text = bcin(users);
        assert_eq!(counts(&text), expected, "{users}");
        assert_eq!(verdicts(&text), ALL, "{users}");
        same_graph(&system(&text).model, &afresh(&text));
    }
}

/// Roles and operations are expanded by the algorithms of Chang 2011, figures 42 and 44; the numbers are those of the nets
/// written by hand.
#[test]
fn the_network_of_generated_roles_has_the_counts_and_verdicts_of_the_one_written_by_hand() {
    for (users, expected) in [
        ("{ emily }", Counts(7, 6, 1)),
        (USERS, Counts(343, 882, 1)),
        ("{ emily, david, alice, mary }", Counts(686, 2107, 1)),
        ("{ emily, emily }", Counts(18, 26, 1)),
    ] {
        for roles in [ROLES, EXAMPLE] {
            // The example brings a definition of its own.
            let roles =
                roles.lines().filter(|line| !line.starts_with("def pending")).collect::<Vec<_>>().join("\n");
            let text = with(&roles, &[(USERS, users)]);
            assert_eq!(counts(&text), expected, "{users}");
            assert_eq!(verdicts(&text), ALL, "{users}");
            same_graph(&system(&text).model, &system(&bcin(users)).model);
        }
    }
}

#[test]
fn without_session_tests_one_user_has_two_sessions() {
    let text = without_session_tests(&bcin("{ emily, emily }"));
    assert_eq!(counts(&text), Counts(32, 49, 2));
    assert_eq!(verdicts(&text), ["a", "b", "d"]);
    let run = told_run(&asked(&text), "c");
    assert_eq!(run.iter().filter(|action| action.starts_with("AssignPA (")).count(), 2, "{run:?}");
    assert_eq!(run.len(), 4, "{run:?}");
}

#[test]
fn a_session_test_that_comes_too_early_is_a_race() {
    let text = with_one_session_test(&bcin("{ emily, emily }"));
    assert_eq!(counts(&text), Counts(32, 45, 2));
    assert_eq!(verdicts(&text), ["a", "b", "d"]);
    let run = told_run(&asked(&text), "c");
    let names: Vec<&str> = run.iter().filter_map(|action| action.split(' ').next()).collect();
    assert_eq!(names, ["AssignRole", "AssignRole", "AssignPA", "AssignPA"]);
}

#[test]
fn as_printed_any_request_is_taken_by_any_operation() {
    let one = as_printed(&bcin("{ emily }"));
    assert_eq!(counts(&one), Counts(16, 18, 1));
    assert_eq!(verdicts(&one), ["a", "c", "d", "proper_end"]);
    let run = told_run(&asked(&one), "b");
    assert_eq!(run.len(), 3, "{run:?}");
    assert!(run[2].starts_with("SendM with BCIN.") && run[2].contains("request(<emily, sendM"), "{run:?}");
    let three = as_printed(&bcin(USERS));
    assert_eq!(counts(&three), Counts(4608, 14976, 3));
    assert_eq!(verdicts(&three), ["a", "c", "d", "proper_end"]);
    let twice = as_printed(&bcin("{ emily, emily }"));
    assert_eq!(counts(&twice), Counts(149, 313, 5));
    assert_eq!(verdicts(&twice), ["a", "d"]);
}

/// The assertion that is printed for (b) is false as soon as a role without rights is assigned, although the net copes.
#[test]
fn a_role_without_rights_refutes_the_printed_assertion_in_one_step() {
    let text = with(&bcin("{ mary }"), &[("(emily, contact) }", "(emily, contact), (mary, visitor) }")]);
    let case = asked(&text);
    assert_eq!(holding(&case, Fairness::None), ALL);
    assert_eq!(told_run(&case, "b_as_asserted").len(), 1);
}

/// Role models that start again.
fn repeating() -> String {
    let again = |net: &str| {
        format!("transition Again {{ in result(x); out start(me, read_, advisory, none); }}\n{net}")
    };
    let quit = "transition Quit";
    with(&bcin("{ emily, david }"), &[(quit, &again(quit))])
}

#[test]
fn role_models_that_start_again_answer_only_fair_runs() {
    let text = repeating();
    assert_eq!(counts(&text), Counts(110, 230, 1));
    let responds = |fairness, rules: &[(&str, &str)]| {
        let text = format!("{text}{DEFINITIONS}");
        let case = firing_lab::attempt(&text, CLAIMS, rules).unwrap();
        holding(&case, fairness).contains(&"d".to_owned())
    };
    assert!(!responds(Fairness::None, &[]));
    assert!(responds(Fairness::Weak, &[]));
    assert!(!responds(Fairness::Weak, &[("fairness", "transition")]));
}
