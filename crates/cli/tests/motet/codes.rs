//! Exit codes and where things are written.

use crate::folder::Folder;

/// A robot that carries a parcel, or drops it when its hand is full already.
const ROBOT: &str = "free.\n\n+!fetch : free <- -free; +carries.\n\n!fetch.\n";

fn robot(name: &str, claims: &str) -> Folder {
    let team = "team robot\nmode jason\nagent robot\n";
    Folder::new(name, &[("robot.asl", ROBOT), ("robot.team", team), ("robot.props", claims)])
}

#[test]
fn a_claim_that_holds_ends_with_0_and_a_last_line_that_says_so() {
    let folder = robot("pass", "property P \"the parcel is fetched\": <> Bel(robot, carries)\n");
    let answer = folder.motet(&["check", "."]);
    assert_eq!(answer.code, 0, "{}{}", answer.stdout, answer.stderr);
    let last = answer.stdout.lines().last().unwrap();
    assert!(last.starts_with("1 of 1 as expected, none vacuous · complete: "), "{last}");
    assert_eq!(answer.stderr, "");
}

#[test]
fn a_claim_that_fails_ends_with_1_and_its_run_is_saved() {
    let folder = robot("fail", "property P: [] Bel(robot, free)\n");
    let answer = folder.motet(&["check", "."]);
    assert_eq!(answer.code, 1, "{}{}", answer.stdout, answer.stderr);
    assert!(answer.stdout.contains("✗ P"), "{}", answer.stdout);
    assert!(answer.stdout.contains("motet trace step .motet/traces/P.itf.json"), "{}", answer.stdout);
    let shown = folder.motet(&["trace", "show", ".motet/traces/P.itf.json"]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    let stepped = folder.motet(&["trace", "step", ".motet/traces/P.itf.json"]);
    assert!(stepped.stdout.contains("- free"), "{}", stepped.stdout);
}

#[test]
fn an_expected_failure_ends_with_0() {
    let folder = robot("expected", "property P: [] Bel(robot, free) expect fails\n");
    let answer = folder.motet(&["check", "."]);
    assert_eq!(answer.code, 0, "{}", answer.stdout);
    assert!(answer.stdout.contains("fails, as expected"), "{}", answer.stdout);
}

#[test]
fn a_limit_that_stops_the_search_ends_with_4() {
    let folder = robot("limit", "property Q: <> Bel(robot, carries)\n");
    let answer = folder.motet(&["check", ".", "--states", "1"]);
    assert_eq!(answer.code, 4, "{}{}", answer.stdout, answer.stderr);
    assert!(answer.stdout.contains("unknown: states"), "{}", answer.stdout);
    assert!(answer.stdout.contains("This is not a proof"), "{}", answer.stdout);
    assert!(answer.stdout.contains("NOT complete"), "{}", answer.stdout);
}

#[test]
fn errors_in_model_or_claims_end_with_3_and_are_all_shown() {
    let folder = Folder::new(
        "errors",
        &[("robot.asl", "+!fetch : free <- .\n+!go <- ;\n"), ("robot.props", "property P: [] (\n")],
    );
    let answer = folder.motet(&["check", "."]);
    assert_eq!(answer.code, 3, "{}{}", answer.stdout, answer.stderr);
    assert!(answer.stdout.contains("robot.asl:2:"), "{}", answer.stdout);
    assert!(answer.stdout.contains("robot.props:1:"), "{}", answer.stdout);
    assert!(answer.stdout.contains("nothing was checked"), "{}", answer.stdout);
}

#[test]
fn a_wrong_command_line_ends_with_2() {
    let folder = robot("usage", "");
    for arguments in [
        &["check"][..],
        &["chekc", "."],
        &["check", ".", "--mem", "4"],
        &["check", ".", "-D", "LAST"],
        &["explain", "M9999"],
    ] {
        let answer = folder.motet(arguments);
        assert_eq!((answer.code, answer.stdout.as_str()), (2, ""), "{arguments:?}: {}", answer.stderr);
        assert!(!answer.stderr.is_empty());
    }
}

#[test]
fn a_missing_engine_ends_with_5() {
    let folder = robot("engine", "property P: <> Bel(robot, carries)\n");
    let answer = folder.motet_with(&["check", ".", "--cross-check", "spin"], &[("PATH", "")]);
    assert_eq!(answer.code, 5, "{}{}", answer.stdout, answer.stderr);
    assert!(answer.stdout.contains("`spin` was not found"), "{}", answer.stdout);
}

#[test]
fn a_second_opinion_agrees_where_spin_is_installed() {
    let folder = robot(
        "second",
        "property P: <> Bel(robot, carries)\nproperty Q: [] Bel(robot, free)\n  expect fails\n",
    );
    if folder
        .motet(&["doctor"])
        .stdout
        .lines()
        .any(|line| line.contains("spin") && line.contains("not found"))
    {
        return;
    }
    let answer = folder.motet(&["check", ".", "--cross-check", "spin"]);
    assert_eq!(answer.code, 0, "{}{}", answer.stdout, answer.stderr);
    assert!(answer.stdout.contains("native holds · spin holds · agree"), "{}", answer.stdout);
    assert!(answer.stdout.contains("native fails · spin fails · agree"), "{}", answer.stdout);
    let alone = folder.motet(&["check", ".", "--engine", "spin", "-p", "Q"]);
    assert_eq!(alone.code, 0, "{}{}", alone.stdout, alone.stderr);
    assert!(alone.stdout.contains("fails, as expected"), "{}", alone.stdout);
    assert_eq!(folder.motet(&["check", ".", "--engine", "spin", "--cross-check", "spin"]).code, 2);
}

#[test]
fn json_is_written_on_success_on_failure_and_on_errors() {
    let good = robot("json-good", "property P: <> Bel(robot, carries)\n");
    let bad = robot("json-bad", "property P: [] Bel(robot, free)\n");
    let broken = robot("json-broken", "property P: [] (\n");
    for (folder, exit) in [(good, 0), (bad, 1), (broken, 3)] {
        let answer = folder.motet(&["check", ".", "--format", "json"]);
        assert_eq!(answer.code, exit);
        let value: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
        assert_eq!(value["schema"], "motet.report/1");
        assert_eq!(value["exit"], exit);
        let schema: serde_json::Value =
            serde_json::from_str(include_str!("../../../../docs/schema/report-1.json")).unwrap();
        let lacks = |part: &serde_json::Value, of: &serde_json::Value| -> Vec<String> {
            let names = of["required"].as_array().unwrap().iter().map(|name| name.as_str().unwrap());
            names.filter(|name| part.get(name).is_none()).map(String::from).collect()
        };
        assert_eq!(lacks(&value, &schema), Vec::<String>::new(), "{value:#}");
        for claim in value["claims"].as_array().unwrap() {
            assert_eq!(lacks(claim, &schema["$defs"]["claim"]), Vec::<String>::new(), "{value:#}");
        }
        assert_eq!(value["diagnostics"].as_array().unwrap().is_empty(), exit != 3, "{value:#}");
    }
}

#[test]
fn denied_remarks_turn_a_pass_into_a_failure() {
    let folder =
        robot("deny", "property P: [] (Bel(robot, carries) & Bel(robot, free) -> <> Bel(robot, carries))\n");
    let plain = folder.motet(&["check", "."]);
    assert_eq!(plain.code, 0, "{}", plain.stdout);
    assert!(plain.stdout.contains("! P") && plain.stdout.contains("1 vacuous"), "{}", plain.stdout);
    assert_eq!(folder.motet(&["check", ".", "--deny", "vacuous"]).code, 1);
    assert_eq!(folder.motet(&["check", ".", "--deny", "vacuous", "--vacuity", "off"]).code, 0);
}

#[test]
fn reports_go_to_files_and_do_not_silence_the_terminal() {
    let folder = robot("reports", "property P: [] Bel(robot, free)\n");
    let arguments = ["check", ".", "--report", "junit=out/report.xml", "--report", "json=report.json"];
    let answer = folder.motet(&arguments);
    assert_eq!(answer.code, 1);
    assert!(answer.stdout.contains("✗ P"), "{}", answer.stdout);
    assert!(folder.read("out/report.xml").contains("<failure "));
    let value: serde_json::Value = serde_json::from_str(&folder.read("report.json")).unwrap();
    assert_eq!(value["claims"][0]["verdict"], "fails");
}

#[test]
fn ascii_output_is_ascii_and_a_pipe_gets_no_colour() {
    let folder = robot("ascii", "property P: [] Bel(robot, free)\nproperty Q: <> Bel(robot, carries)\n");
    let answer = folder.motet(&["check", ".", "--ascii"]);
    assert!(answer.stdout.is_ascii(), "{}", answer.stdout);
    assert!(answer.stdout.contains("FAIL") && answer.stdout.contains("PASS"), "{}", answer.stdout);
    assert!(!answer.stdout.contains('\u{1b}'));
    let coloured = folder.motet(&["check", ".", "--color", "always"]);
    assert!(coloured.stdout.contains('\u{1b}'), "{}", coloured.stdout);
}
