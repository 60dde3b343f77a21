//! Verbs for nets: beliefs, intentions and the token game.

use crate::folder::Folder;

const PLAN: &str = include_str!("../../../../examples/travel/travel.npn");

fn travel(name: &str) -> Folder {
    Folder::new(name, &[("travel.npn", PLAN)])
}

/// Chang's thesis of 2011, figure 24.
#[test]
fn beliefs_and_intentions_of_the_travelling_plan() {
    let folder = travel("bdi");
    let beliefs = folder.motet(&["nets", "beliefs", "."]);
    assert_eq!(beliefs.code, 0, "{}", beliefs.stderr);
    assert!(beliefs.stdout.contains("Plan  4 beliefs, goals: arrived"), "{}", beliefs.stdout);
    assert!(
        beliefs.stdout.contains("LosAngeles = John  (goal arrived, nothing follows)"),
        "{}",
        beliefs.stdout
    );
    let intentions = folder.motet(&["nets", "intentions", "."]);
    assert_eq!(intentions.code, 0, "{}", intentions.stderr);
    for text in ["goal arrived: reached in 2 steps", "1  t1 t3\n", "2  t2 t4\n"] {
        assert!(intentions.stdout.contains(text), "{text}: {}", intentions.stdout);
    }
    let json = folder.motet(&["nets", "intentions", ".", "--format", "json"]);
    assert!(json.stdout.starts_with('{') && json.stdout.contains("\"reachable\": true"), "{}", json.stdout);
    let cut = folder.motet(&["nets", "intentions", ".", "--most", "1"]);
    assert!(cut.stdout.contains("and more; --most N lists more of them"), "{}", cut.stdout);
}

#[test]
fn a_goal_out_of_reach_is_not_as_expected_and_an_unknown_one_is_refused() {
    let folder = travel("bdi-far");
    folder.write("travel.npn", PLAN.replace("size(LosAngeles) = 1", "size(LosAngeles) = 2").as_bytes());
    let answer = folder.motet(&["nets", "intentions", "."]);
    assert_eq!(answer.code, 1, "{}", answer.stdout);
    assert!(answer.stdout.contains("no run reaches it"), "{}", answer.stdout);
    assert_eq!(folder.motet(&["nets", "intentions", ".", "--states", "2"]).code, 4);
    let unknown = folder.motet(&["nets", "intentions", ".", "--goal", "home"]);
    assert_eq!(unknown.code, 2, "{}", unknown.stdout);
    assert!(unknown.stderr.contains("there is no goal home"), "{}", unknown.stderr);
}

#[test]
fn a_run_is_chosen_step_by_step_and_back() {
    let folder = travel("game");
    let sim = |arguments: &[&str]| folder.motet(&[&["sim", "."][..], arguments].concat());
    let start = sim(&["--choose"]);
    assert_eq!(start.code, 0, "{}", start.stderr);
    for text in
        ["2 steps are enabled", "1  Plan: t1 (x = John)", "2  Plan: t2 (x = John)", "on: --choose N\n"]
    {
        assert!(start.stdout.contains(text), "{text}: {}", start.stdout);
    }
    let second = sim(&["--choose", "2"]);
    assert!(second.stdout.contains("1 step is enabled\n       1  Plan: t4 (x = John)"), "{}", second.stdout);
    let last = sim(&["--choose", "2,1"]);
    assert!(last.stdout.contains("  nothing can happen any more\n  back: --choose 2\n"), "{}", last.stdout);
    assert!(second.stdout.contains("on: --choose 2,N · back: --choose\n"), "{}", second.stdout);
    let random = sim(&["--choose", "1", "--steps", "9", "--seed", "3"]);
    assert!(
        random.stdout.contains("t1 (x = John)") && random.stdout.contains("t3 (x = John)"),
        "{}",
        random.stdout
    );
    let wrong = sim(&["--choose", "3"]);
    assert_eq!(wrong.code, 2, "{}", wrong.stdout);
    assert!(wrong.stderr.contains("step 1 is to be number 3, and 2 are enabled"), "{}", wrong.stderr);
    assert_eq!(sim(&["--choose", "0"]).code, 2);
    assert!(sim(&["--choose", "1,1,1"]).stderr.contains("nothing is enabled after 2"));
}

#[test]
fn a_wordy_run_says_what_was_enabled_and_what_changed() {
    let answer = travel("wordy").motet(&["sim", ".", "-v", "--seed", "1", "--steps", "2"]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    for text in ["Step 1\n", "Step 2\n", "Plan: t1 (x = John)\n", "Plan: t2 (x = John)\n"] {
        assert!(answer.stdout.contains(text), "{text}: {}", answer.stdout);
    }
    assert!(answer.stdout.contains("Plan.Miami") && answer.stdout.contains("- John"), "{}", answer.stdout);
    assert!(
        answer.stdout.contains("Plan.LosAngeles") && answer.stdout.contains("+ John"),
        "{}",
        answer.stdout
    );
}
