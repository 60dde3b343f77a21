//! A check that is stopped or killed goes on where it was, and says what it would have said.

use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;

use crate::folder::Folder;

/// A quarter of a million situations, and a run of a thousand steps to the last of them.
const COUNTERS: &str = "mdp\nmodule two\n  a : [0..499] init 0;\n  b : [0..499] init 0;\n  [] a < 499 -> (a' = a + 1);\n  \
                        [] b < 499 -> (b' = b + 1);\nendmodule\n";
const CLAIMS: &str = "property Low: always (a + b < 998) expect fails\nproperty Small: always (a < 500)\n\
                      property On: always (a = 3 -> eventually b > 3)\npossible Half: a = 250 & b = 250\n";

fn counters(name: &str) -> Folder {
    Folder::new(name, &[("two.prism", COUNTERS), ("two.props", CLAIMS)])
}

/// What must be the same: verdicts, counts and runs, without times and paths.
fn told(text: &str) -> Value {
    let mut value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    strip(&mut value);
    value
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let vary = [
                "command",
                "seconds",
                "explored_seconds",
                "peak_bytes",
                "bytes",
                "rate",
                "trace",
                "memory_bytes",
                "wall_seconds",
            ];
            fields.retain(|name, _| !vary.contains(&name.as_str()));
            fields.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

fn example(name: &str) -> String {
    format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn examples_of_every_language_that_are_stopped_and_resumed_say_what_they_said() {
    for name in ["auction", "hospital", "courier", "rover", "gas-station", "asv-dtmc", "bit-transmission"] {
        let folder = Folder::new(&format!("resume-{name}"), &[]);
        let path = example(name);
        let whole = folder.motet(&["check", &path, "--format", "json"]);
        let states = told(&whole.stdout).pointer("/exploration/states").and_then(Value::as_u64).unwrap_or(0);
        assert!(states > 3, "{name}: {}", whole.stdout);
        let half = (states / 2).to_string();
        folder.motet(&["check", &path, "--states", "2"]);
        let stopped = folder.motet(&["check", "--resume", "--states", &half]);
        assert!(stopped.stdout.contains("NOT complete"), "{name}: {}{}", stopped.stdout, stopped.stderr);
        let resumed = folder.motet(&["check", "--resume", "--states", "1000000000", "--format", "json"]);
        assert_eq!(told(&resumed.stdout), told(&whole.stdout), "{name}");
        assert_eq!(resumed.code, whole.code, "{name}");
        let nothing = folder.motet(&["check", "--resume"]);
        assert_eq!(nothing.code, 3, "{name}: a finished check takes its checkpoint away");
        assert!(nothing.stdout.contains("M0020"), "{}", nothing.stdout);
    }
}

#[test]
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "the test starts and kills the program it is about")]
fn a_check_that_is_killed_again_and_again_says_what_it_would_have_said() {
    let folder = counters("resume-killed");
    // clock: only chooses moments at which to kill; what is asserted holds for all of them.
    let start = Instant::now();
    let whole = folder.motet(&["check", ".", "--checkpoint", "off", "--format", "json"]);
    // clock: as above.
    let pause = start.elapsed() / 6;
    let trace = folder.read(".motet/traces/Low.itf.json");
    let (mut killed, mut resumed) = (0, 0);
    for _ in 0..5 {
        let saved =
            folder.path().join(".motet/checkpoints").read_dir().is_ok_and(|mut all| all.next().is_some());
        let first = ["check", ".", "--checkpoint", "50ms", "--format", "json"];
        let words = if saved { &["check", "--resume"][..] } else { &first[..] };
        let mut child = Command::new(env!("CARGO_BIN_EXE_motet"))
            .args(words)
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        std::thread::sleep(pause);
        if child.try_wait().expect("the system tells").is_some() {
            break;
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        killed += 1;
        resumed += usize::from(saved);
    }
    let end = match folder.motet(&["check", "--resume"]) {
        // It was finished before it could be killed once more.
        answer if answer.stdout.contains("M0020") => folder.motet(&["check", ".", "--format", "json"]),
        answer => answer,
    };
    assert_eq!(told(&end.stdout), told(&whole.stdout), "killed {killed} times, resumed {resumed} times");
    assert_eq!(folder.read(".motet/traces/Low.itf.json"), trace);
    assert!(killed > 0, "a sixth of the time is enough to be killed in");
}

#[test]
fn damaged_and_foreign_checkpoints_are_refused_with_their_codes() {
    let folder = counters("resume-damaged");
    let none = folder.motet(&["check", "--resume"]);
    assert!(none.code == 3 && none.stdout.contains("M0020"), "{}{}", none.stdout, none.stderr);
    let stop = || {
        let answer = folder.motet(&["check", ".", "--states", "20000"]);
        assert!(answer.stdout.contains("--resume --states 80000"), "{}", answer.stdout);
    };
    let refused = |code: &str| {
        let answer = folder.motet(&["check", "--resume", "--states", "30000"]);
        assert!(
            answer.code == 3 && answer.stdout.contains(code),
            "{code}: {}{}",
            answer.stdout,
            answer.stderr
        );
        assert!(answer.stdout.contains("from the beginning"), "{}", answer.stdout);
    };
    let files = |ending: &str| {
        let run = folder.path().join(".motet/checkpoints").read_dir().expect("there is a checkpoint").next();
        let run = run.expect("there is a checkpoint").expect("it can be read").path();
        let mut files =
            run.read_dir().expect("it can be read").map(|file| file.expect("it can be read").path());
        files.find(|file| file.extension().is_some_and(|found| found == ending)).expect("there is one")
    };
    stop();
    let mut bytes = std::fs::read(files("log")).expect("it can be read");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    rewrite(&files("log"), &bytes);
    refused("M0021");
    stop();
    bytes = std::fs::read(files("log")).expect("it can be read");
    rewrite(&files("log"), &bytes[..bytes.len() - 10]);
    refused("M0021");
    stop();
    bytes = std::fs::read(files("json")).expect("it can be read");
    let text = String::from_utf8(bytes).expect("a text").replace("\"states\": 20", "\"states\": 30");
    rewrite(&files("json"), text.as_bytes());
    refused("M0021");
    stop();
    bytes = std::fs::read(files("json")).expect("it can be read");
    rewrite(&files("json"), of_another_version(&String::from_utf8(bytes).expect("a text")).as_bytes());
    refused("M0023");
    stop();
    folder.write("two.prism", COUNTERS.replace("499", "498").as_bytes());
    refused("M0022");
}

/// The same page as another version would have sealed it.
fn of_another_version(sealed: &str) -> String {
    let version = format!("\"{}\"", env!("CARGO_PKG_VERSION"));
    let text = sealed.replacen(&version, "\"0.0.0\"", 1);
    let compact: String = text.lines().map(|line| line.trim().replace("\": ", "\":")).collect();
    let (page, _) = compact
        .strip_prefix("{\"page\":")
        .and_then(|rest| rest.split_once(",\"seal\":"))
        .expect("a sealed page");
    format!("{{\"page\":{page},\"seal\":\"{}\"}}", motet_workbench::digest(page.as_bytes()))
}

fn rewrite(path: &std::path::Path, bytes: &[u8]) {
    let mut file = std::fs::File::create(path).expect("can be made");
    std::io::Write::write_all(&mut file, bytes).expect("can be written");
}

#[test]
fn a_check_that_ends_soon_leaves_no_checkpoint_and_only_limits_may_change() {
    let folder = counters("resume-soon");
    folder.motet(&["check", ".", "-p", "Half"]);
    assert!(!folder.path().join(".motet/checkpoints").exists());
    folder.motet(&["check", ".", "--states", "1000", "--checkpoint", "off"]);
    assert!(!folder.path().join(".motet/checkpoints").exists());
    let other = folder.motet(&["check", "--resume", "-p", "Half"]);
    assert!(other.code == 2 && other.stderr.contains("-p"), "{}", other.stderr);
}
