//! `--spill`: a check that does not fit into memory goes on, within its limit, and says what it would have said.

use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::folder::Folder;
use crate::limits::measured;

/// Two million situations and seven million steps.
const COUNTERS: &str = "mdp\nmodule four\n  a : [0..37] init 0;\n  b : [0..37] init 0;\n  c : [0..37] init 0;\n  d : [0..37] \
                        init 0;\n  [] a < 37 -> (a' = a + 1);\n  [] b < 37 -> (b' = b + 1);\n  [] c < 37 -> (c' = c + 1);\n  \
                        [] d < 37 -> (d' = d + 1);\nendmodule\n";
const CLAIMS: &str = "property Low: always (a + b + c + d < 148) expect fails\nproperty Small: always (a < 38)\n\
                      possible Half: a = 19 & b = 19 & c = 19 & d = 19\n\
                      property Mix: always (a = 37 -> eventually b > 3)\n";
const STATES: u64 = 38 * 38 * 38 * 38;

fn counters(name: &str) -> Folder {
    Folder::new(name, &[("four.prism", COUNTERS), ("four.props", CLAIMS)])
}

/// Verdicts with their runs, and counts.
fn told(text: &str) -> (Vec<(Value, Value)>, Value, Value) {
    let value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let claims = value["claims"].as_array().expect("there are claims").iter();
    let claims = claims.map(|claim| (claim["verdict"].clone(), claim["trace"]["steps"].clone())).collect();
    (claims, value["exploration"]["states"].clone(), value["exploration"]["transitions"].clone())
}

#[test]
#[cfg(target_os = "linux")]
fn a_check_that_does_not_fit_goes_on_within_its_limit() {
    const LIMIT: &str = "60MiB";
    let folder = counters("spill-limit");
    let check = |more: &[&str]| {
        let words = [&["check", ".", "--format", "json", "--checkpoint", "off"], more].concat();
        measured(&folder, &words)
    };
    let (large, whole, code) = check(&[]);
    assert_eq!((code, told(&whole).1), (Some(0), STATES.into()), "{whole}");
    assert!(large > 80 << 20, "{large} bytes show little");
    let (_, stopped, code) = check(&["--mem", LIMIT]);
    assert_eq!(code, Some(4), "{stopped}");
    let (peak, text, code) = check(&["--mem", LIMIT, "--spill", "aside"]);
    assert_eq!((told(&text), code), (told(&whole), Some(0)), "{text}");
    assert!(peak < (60 << 20) * 104 / 100, "{peak} bytes");
    let spilled =
        serde_json::from_str::<Value>(&text).expect("it was read")["exploration"]["spilled_bytes"].as_u64();
    assert!(spilled.is_some_and(|bytes| bytes > 20 << 20), "{spilled:?}");
    assert_eq!(std::fs::read_dir(folder.path().join("aside")).expect("it was made").count(), 0);
}

#[test]
fn people_are_told_what_was_put_away_and_what_would_help() {
    let folder = counters("spill-told");
    let stopped = folder.motet(&["check", ".", "--mem", "40MiB", "-p", "Low"]);
    assert_eq!(stopped.code, 4, "{}", stopped.stdout);
    assert!(stopped.stdout.contains("--spill DIR"), "{}", stopped.stdout);
    // The same limit may not be enough, but there is something to be told of.
    let away = folder.motet(&["check", ".", "--mem", "40MiB", "-p", "Low", "--spill", "aside"]);
    assert!(away.stdout.contains("of states and steps were put away in aside"), "{}", away.stdout);
    assert!(!away.stdout.contains("--spill DIR"), "{}", away.stdout);
}

#[test]
fn a_folder_that_cannot_be_made_is_refused() {
    let folder = counters("spill-refused");
    let refused = folder.motet(&["check", ".", "--spill", "four.prism/aside"]);
    assert_eq!(refused.code, 3, "{}", refused.stdout);
    assert!(
        refused.stdout.contains("M0024") && refused.stdout.contains("four.prism/aside"),
        "{}",
        refused.stdout
    );
}

#[test]
#[cfg(target_os = "linux")]
#[expect(clippy::disallowed_methods, reason = "the test starts and kills the program it is about")]
fn nothing_is_left_of_a_check_that_is_killed() {
    let folder = counters("spill-killed");
    let mut child = Command::new(env!("CARGO_BIN_EXE_motet"))
        .args(["check", ".", "--mem", "60MiB", "--spill", "aside", "--checkpoint", "off"])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary starts");
    let files = format!("/proc/{}/fd", child.id());
    let has_scratch = || {
        let open = std::fs::read_dir(&files).into_iter().flatten().flatten();
        let size = |path: &std::path::Path| std::fs::metadata(path).map_or(0, |file| file.len());
        open.map(|entry| entry.path()).any(|path| {
            let target = std::fs::read_link(&path).unwrap_or_default();
            target.to_string_lossy().contains(".spill") && size(&path) > 0
        })
    };
    while !has_scratch() {
        assert!(child.try_wait().expect("the system tells").is_none(), "it ended and had put nothing away");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it has ended");
    assert_eq!(std::fs::read_dir(folder.path().join("aside")).expect("it was made").count(), 0);
}
