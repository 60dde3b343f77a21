//! Many runs of agents that act, counted and compared with what the model says.
#![cfg(unix)]

use std::path::Path;

use serde_json::Value;

use crate::folder::{Answer, Folder};

fn vessel() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/asv");
    root.canonicalize().expect("the example is there").display().to_string()
}

/// Missions of the mine hunter in the modelled world, completed within 50 cycles.
fn missions(folder: &Folder, more: &[&str]) -> Answer {
    let (model, skills) = (vessel(), format!("motet world {} --seed {{seed}}", vessel()));
    let mut arguments = vec!["run", &model, "--skills", &skills, "--cycles", "50"];
    arguments.extend(["--until", "\"Mission complete\"", "--seed", "1"]);
    arguments.extend(more);
    folder.motet(&arguments)
}

fn series(answer: &Answer) -> Value {
    serde_json::from_str(&answer.stdout).unwrap_or_else(|_| panic!("{}{}", answer.stdout, answer.stderr))
}

#[test]
fn the_share_of_completed_missions_is_what_the_model_says() {
    let folder = Folder::new("series-share", &[]);
    let more = ["-n", "200", "--compare", "L5", "--compare", "L5max", "--format", "jsonl"];
    let answer = missions(&folder, &more);
    assert_eq!(answer.code, 0, "{}{}", answer.stdout, answer.stderr);
    let told = series(&answer);
    // Table 6.3 of the thesis and its maximum: 0.6357 and 0.6454.
    let modelled = |at: usize| told["modelled"][at]["low"].as_f64().expect("a number");
    assert!((modelled(0) - 0.635_794).abs() < 1e-5 && (modelled(1) - 0.645_368).abs() < 1e-5);
    let share = told["reached"].as_f64().expect("a number") / 200.0;
    // With 200 draws at 0.64 the standard deviation is 0.034; 1.96 of them are the 95 % interval around the model's answers.
    assert!((0.6358 - 0.067..=0.6454 + 0.067).contains(&share), "{share}");
    assert!(told["interval"][0].as_f64() < Some(0.6454) && told["interval"][1].as_f64() > Some(0.6358));
    assert_eq!(told["drifted"], 0, "the modelled world is as modelled");
}

#[test]
fn missions_do_not_depend_on_how_many_are_made_at_a_time() {
    let folder = Folder::new("series-jobs", &[]);
    let alone = missions(&folder, &["-n", "12", "--select", "random", "--jobs", "1"]);
    let together = missions(&folder, &["-n", "12", "--select", "random", "--jobs", "4"]);
    assert_eq!(alone.code, 0, "{}{}", alone.stdout, alone.stderr);
    assert_eq!(alone.stdout, together.stdout);
}

#[test]
fn each_mission_has_its_own_log_that_can_be_followed_again() {
    let folder = Folder::new("series-log", &[]);
    let answer = missions(&folder, &["-n", "3", "--log", "mission-{seed}.jsonl"]);
    assert_eq!(answer.code, 0, "{}{}", answer.stdout, answer.stderr);
    for seed in 1..=3 {
        let log = format!("mission-{seed}.jsonl");
        let again = folder.motet(&["run", &vessel(), "--replay", &log]);
        assert_eq!(again.code, 0, "{seed}: {}{}", again.stdout, again.stderr);
    }
}

#[test]
fn missions_that_would_all_be_the_same_are_refused() {
    let folder = Folder::new("series-same", &[]);
    let skills = format!("motet world {} --seed 4", vessel());
    let answer = folder.motet(&[
        "run",
        &vessel(),
        "--skills",
        &skills,
        "--cycles",
        "50",
        "--until",
        "\"Error\"",
        "-n",
        "2",
    ]);
    assert_eq!(answer.code, 2, "{}{}", answer.stdout, answer.stderr);
    assert!(answer.stderr.contains("{seed}"), "{}", answer.stderr);
    let answer = missions(&folder, &["-n", "2", "--compare", "Choice"]);
    assert_eq!(answer.code, 2, "{}{}", answer.stdout, answer.stderr);
    assert!(answer.stderr.contains("--compare Choice"), "{}", answer.stderr);
}

#[test]
fn a_decision_between_plans_is_explained_with_the_chances_of_both() {
    let folder = Folder::new("series-decisions", &[]);
    let log = "decisions-{seed}.jsonl";
    let answer = missions(&folder, &["-n", "6", "--select", "advise", "--by", "L5max", "--log", log]);
    assert_eq!(answer.code, 0, "{}{}", answer.stdout, answer.stderr);
    let mut decisions = 0;
    for seed in 1..=6 {
        for line in folder.read(&format!("decisions-{seed}.jsonl")).lines() {
            let cycle: Value = serde_json::from_str(line).expect("a log is lines of JSON");
            let Some(choice) = cycle["choice"].as_u64() else { continue };
            decisions += 1;
            assert!(cycle["reason"].as_str().is_some_and(|reason| reason.starts_with("best for L5max")));
            let chance = |at: usize| {
                let alternative = &cycle["alternatives"][at];
                assert_eq!(alternative["text"], format!("plan {}", at + 4));
                let value = alternative["values"][0]["value"].as_str().expect("each plan has its chance");
                value.parse::<f64>().expect("a chance is a number")
            };
            let chances = [chance(0), chance(1)];
            let best = chances[0].max(chances[1]);
            assert!((chances[choice as usize] - best).abs() < 1e-9, "{chances:?}, {choice}");
        }
    }
    assert!(decisions > 0, "six missions meet missed spots at least once");
}
