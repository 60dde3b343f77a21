//! Limits hold for the process as the system sees it.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::folder::Folder;

/// A hundred million situations: no machine is through with them in a test.
const COUNTERS: &str = "mdp\nmodule four\n  a : [0..99] init 0;\n  b : [0..99] init 0;\n  c : [0..99] init 0;\n  d : [0..99] \
                        init 0;\n  [] a < 99 -> (a' = a + 1);\n  [] b < 99 -> (b' = b + 1);\n  [] c < 99 -> (c' = c + 1);\n  \
                        [] d < 99 -> (d' = d + 1);\nendmodule\n";

/// Runs a check and says how much memory it had at most, and what it printed.
#[expect(clippy::disallowed_methods, reason = "the test starts and watches the program it is about")]
pub(crate) fn measured(folder: &Folder, arguments: &[&str]) -> (u64, String, Option<i32>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_motet"))
        .args(arguments)
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().expect("the system tells").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
        peak = peak.max(kib.unwrap_or(0) * 1024);
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().expect("it has ended");
    (peak, String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

fn folder(name: &str) -> Folder {
    let claims = "property P: always (a < 100)\nproperty Q: always (a = 1 -> eventually b = 5)\n";
    Folder::new(name, &[("four.prism", COUNTERS), ("four.props", claims)])
}

#[test]
#[cfg(target_os = "linux")]
fn memory_is_that_of_the_process() {
    let folder = folder("limits-memory");
    for (limit, mebibytes) in [("64MiB", 64), ("150MiB", 150)] {
        let (peak, text, code) = measured(&folder, &["check", ".", "--mem", limit]);
        assert_eq!(code, Some(4), "{text}");
        assert!(text.contains("unknown: memory") && text.contains("This is not a proof"), "{text}");
        assert!(text.contains("--resume --mem"), "{text}");
        let most = (mebibytes << 20) * 115 / 100;
        assert!((mebibytes << 19..most).contains(&peak), "{peak} bytes with {limit}\n{text}");
    }
}

#[test]
fn time_is_that_of_the_whole_check() {
    let folder = folder("limits-time");
    let (_, text, code) = measured(&folder, &["check", ".", "--time", "2s"]);
    assert_eq!(code, Some(4), "{text}");
    assert!(text.contains("unknown: time") && text.contains("--resume --time 4s"), "{text}");
}
