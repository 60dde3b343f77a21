//! Storm and PRISM as second engines, and the forms in which they read models.

use crate::folder::Folder;

/// Heads come at the first throw with 1/2; the chance of heads within two throws is 3/4.
const COIN: &str = "dtmc
module coin
  s : [0..2] init 0;
  [] s=0 -> 1/2 : (s'=1) + 1/2 : (s'=2);
  [] s=2 -> 1/2 : (s'=1) + 1/2 : (s'=2);
  [] s=1 -> true;
endmodule
rewards \"throws\" s!=1 : 1; endrewards
";

const CLAIMS: &str =
    "dialect motet\nquery Twice: P=? [ F<=2 steps (s = 1) ]\nquery Wait: R{\"throws\"}=? [ F (s = 1) ]\n";

fn coin(name: &str) -> Folder {
    Folder::new(name, &[("coin.prism", COIN), ("coin.props", CLAIMS)])
}

fn agent(name: &str) -> Folder {
    let plan = "free.\n\n+start : free <- -free; +carries.\n";
    let team = "team robot\nagent robot\nenv yard {\n  percept start\n}\n";
    let claims = "property Kept: G (not (Bel(robot, carries) & Bel(robot, free)))\n";
    Folder::new(name, &[("robot.team", team), ("robot.asl", plan), ("robot.props", claims)])
}

/// A program that answers every claim with this result, in the way of PRISM.
fn fake_prism(folder: &Folder, result: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let script = format!(
        "#!/bin/sh\nif [ \"$1\" = -version ]; then echo 'PRISM version 0.0'; exit 0; fi\n\
         while read -r name rest; do echo \"Model checking: ${{name%:}}: $rest\"; echo 'Result: {result}'; done < \"$2\"\n"
    );
    folder.write("bin/prism", script.as_bytes());
    let path = folder.path().join("bin/prism");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("the folder is ours");
    format!("{}:/usr/bin:/bin", folder.path().join("bin").display())
}

#[test]
fn a_missing_storm_comes_with_the_two_commands_that_install_it() {
    let answer = coin("no-storm")
        .motet_with(&["check", ".", "--cross-check", "storm"], &[("MOTET_STORM_PYTHON", "/nowhere/python3")]);
    assert_eq!(answer.code, 5, "{}{}", answer.stdout, answer.stderr);
    let said = answer.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("python3 -m venv .motet/storm"), "{said}");
    assert!(said.contains(".motet/storm/bin/pip install stormpy"), "{said}");
    assert!(said.contains("M0960"), "{said}");
}

#[test]
fn a_missing_prism_is_named() {
    let answer = coin("no-prism").motet_with(&["check", ".", "--engine", "prism"], &[("PATH", "")]);
    assert_eq!(answer.code, 5, "{}{}", answer.stdout, answer.stderr);
    assert!(answer.stdout.contains("M0961"), "{}", answer.stdout);
}

#[test]
fn a_missing_nusmv_is_named() {
    let nowhere = [("PATH", ""), ("MOTET_NUSMV", "/nowhere/NuSMV")];
    let answer = coin("no-nusmv").motet_with(&["check", ".", "--cross-check", "nusmv"], &nowhere);
    assert_eq!(answer.code, 5, "{}{}", answer.stdout, answer.stderr);
    assert!(answer.stdout.contains("M0988"), "{}", answer.stdout);
}

#[test]
fn numbers_whose_intervals_do_not_meet_are_a_dispute() {
    let folder = coin("dispute");
    let path = fake_prism(&folder, "0.75 (exact floating point)");
    let check = ["check", ".", "-p", "Twice", "--cross-check", "prism"];
    let agreed = folder.motet_with(&check, &[("PATH", &path)]);
    assert_eq!(agreed.code, 0, "{}{}", agreed.stdout, agreed.stderr);
    assert!(agreed.stdout.contains("native 0.75 · prism 0.75 · agree"), "{}", agreed.stdout);
    let path = fake_prism(&folder, "0.5 (+/- 1E-6 estimated; rel err 2E-6)");
    let disputed = folder.motet_with(&check, &[("PATH", &path)]);
    assert_eq!(disputed.code, 5, "{}{}", disputed.stdout, disputed.stderr);
    assert!(disputed.stdout.contains("native 0.75 · prism 0.5 · DISAGREE"), "{}", disputed.stdout);
    assert!(disputed.stdout.contains("M0962"), "{}", disputed.stdout);
}

#[test]
fn storm_agrees_where_it_is_installed() {
    let folder = coin("storm");
    let doctor = folder.motet(&["doctor"]).stdout;
    if doctor.lines().any(|line| line.contains("storm") && line.contains("not found")) {
        return;
    }
    let answer = folder.motet(&["check", ".", "--cross-check", "storm"]);
    assert_eq!(answer.code, 0, "{}{}", answer.stdout, answer.stderr);
    assert!(answer.stdout.contains("native 0.75 · storm 0.75 · agree"), "{}", answer.stdout);
    assert!(answer.stdout.contains("native 2 · storm 2 · agree"), "{}", answer.stdout);
    let alone = agent("storm-alone").motet(&["check", ".", "--engine", "storm"]);
    assert_eq!(alone.code, 0, "{}{}", alone.stdout, alone.stderr);
}

#[test]
fn explicit_forms_start_with_the_command_and_say_what_names_mean() {
    let folder = agent("explicit");
    let drn = folder.motet(&["export", ".", "--to", "drn"]);
    assert_eq!(drn.code, 0, "{}", drn.stderr);
    assert!(drn.stdout.starts_with("// motet export . --to drn\n"), "{}", drn.stdout);
    let label = "// label Bel_robot_carries: Bel(robot, carries)\n";
    assert!(drn.stdout.contains(label) && drn.stdout.contains("@type: DTMC"), "{}", drn.stdout);
    let jani = folder.motet(&["export", ".", "--to", "jani"]);
    let value: serde_json::Value = serde_json::from_str(&jani.stdout).unwrap();
    assert_eq!(value["metadata"]["description"], "motet export . --to jani");
    let missing = folder.motet(&["export", ".", "--to", "tra"]);
    assert_eq!(missing.code, 2, "{}", missing.stderr);
    let tra = folder.motet(&["export", ".", "--to", "tra", "-o", "out/robot.tra"]);
    assert_eq!(tra.code, 0, "{}", tra.stderr);
    assert!(folder.read("out/robot.lab").starts_with("0=\"init\" 1=\"deadlock\" 2=\"Bel_robot_carries\""));
    assert!(folder.read("out/robot.props").contains("\"Kept\": P>=1 [ G ("));
}

#[test]
fn a_model_of_minds_has_no_prism_text_and_too_many_states_are_refused() {
    let folder = agent("refused");
    let prism = folder.motet(&["export", ".", "--to", "prism"]);
    assert_eq!(prism.code, 3, "{}", prism.stdout);
    assert!(prism.stderr.contains("M0965") && prism.stderr.contains("--to drn"), "{}", prism.stderr);
    let few = folder.motet(&["export", ".", "--to", "drn", "--states", "2"]);
    assert_eq!(few.code, 3, "{}", few.stdout);
    assert!(few.stderr.contains("M0963") && few.stderr.contains("more than 2 states"), "{}", few.stderr);
    let text = coin("prism-text").motet(&["export", ".", "--to", "prism"]);
    assert_eq!(text.code, 0, "{}", text.stderr);
    let head = "// motet export . --to prism\n// \"Twice\": P=? [ F<=2 (";
    assert!(text.stdout.starts_with(head), "{}", text.stdout);
}

#[test]
fn a_model_that_exceeds_its_bounds_cannot_be_written_to_its_end() {
    let plan = "free.\n\n+start : free <- +a; +b; +c; +d.\n";
    let team = "team robot\nagent robot\nbound events = 1\nenv yard {\n  percept start\n  percept again\n}\n";
    let folder = Folder::new("bounded", &[("robot.team", team), ("robot.asl", plan)]);
    let drn = folder.motet(&["export", ".", "--to", "drn"]);
    assert_eq!(drn.code, 3, "{}", drn.stdout);
    assert!(drn.stderr.contains("M0964") && drn.stderr.contains("--bound"), "{}", drn.stderr);
}
