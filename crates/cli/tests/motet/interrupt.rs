//! Ctrl-C ends a search with a report.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Nine million situations keep any search busy for seconds: one per pair of values.
const COUNTERS: &str = "team counters\nmode jason\nagent idle\nenv two {\n  var a : 0..3000 = 0\n  var b : 0..3000 = 0\n  \
                        step more_a when a < 3000 { a := a + 1 }\n  step more_b when b < 3000 { b := b + 1 }\n}\n";

#[test]
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "the test starts and stops the program it is about")]
fn an_interrupted_search_reports_what_it_saw_and_ends_with_130() {
    let folder = crate::folder::Folder::new(
        "interrupt",
        &[("idle.asl", "idle.\n"), ("two.team", COUNTERS), ("two.props", "property P: [] Bel(idle, idle)\n")],
    );
    let child = Command::new(env!("CARGO_BIN_EXE_motet"))
        .args(["check", "."])
        .current_dir(Path::new(env!("CARGO_TARGET_TMPDIR")).join("interrupt"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    std::thread::sleep(Duration::from_millis(1500));
    let pid = child.id().to_string();
    Command::new("kill").args(["-INT", &pid]).status().expect("there is a kill");
    let output = child.wait_with_output().expect("the binary ends");
    let text = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{text}{complaint}");
    assert!(text.contains("Interrupted after") && text.contains("unknown: interrupted"), "{text}");
    drop(folder);
}
