//! The page of a run: served beside it and after it, on this machine alone.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A run with a page that is looked at, started.
#[expect(clippy::disallowed_methods, reason = "the test starts and stops the program it is about")]
fn start(cycles: &str) -> Child {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/asv");
    let model = model.canonicalize().expect("the example is there").display().to_string();
    let skills = format!("motet world {model} --seed 4");
    Command::new(env!("CARGO_BIN_EXE_motet"))
        .args(["run", &model, "--skills", &skills, "--cycles", cycles, "--inspect", "none", "--view"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts")
}

#[expect(clippy::disallowed_methods, reason = "the test starts and stops the program it is about")]
fn interrupt(child: &Child) {
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("there is a kill");
}

/// The next line on standard error with this in it, from there on.
fn line_with(lines: &mut impl Iterator<Item = std::io::Result<String>>, what: &str) -> String {
    let mut line = lines.map(|line| line.expect("it writes text"));
    let found = line.find_map(|line| line.find(what).map(|at| line[at + what.len()..].to_owned()));
    found.expect("it says so before it ends")
}

#[test]
fn the_page_has_the_whole_run_and_stays_until_ctrl_c() {
    let mut child = start("30");
    let mut lines = BufReader::new(child.stderr.take().expect("its errors are a pipe")).lines();
    let address = line_with(&mut lines, "the run is shown at http://");
    line_with(&mut lines, "the page stays at");
    let (address, token) = address.trim().split_once("/?token=").expect("the address has a token");
    let ask = |headers: &str| {
        let mut stream = TcpStream::connect(address).expect("it listens");
        let request =
            format!("GET /events HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{headers}\r\n");
        stream.write_all(request.as_bytes()).expect("it hears");
        let mut events = String::new();
        stream.read_to_string(&mut events).expect("it answers and closes");
        events
    };
    let refused = ask("");
    assert!(refused.starts_with("HTTP/1.1 401") && refused.contains("token"), "{refused}");
    let events = ask(&format!("Authorization: Bearer {token}\r\n"));
    assert_eq!(events.matches("\"event\":\"cycle\"").count(), 30, "{events}");
    assert!(events.contains("\"event\":\"end\"") && events.contains("Mission ordered"), "{events}");
    interrupt(&child);
    // What the run came to, not that somebody has seen enough.
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn ctrl_c_ends_a_run_and_its_page_together() {
    let mut child = start("1000000000");
    let mut lines = BufReader::new(child.stderr.take().expect("its errors are a pipe")).lines();
    line_with(&mut lines, "the run is shown at http://");
    interrupt(&child);
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}

#[test]
fn a_page_for_other_machines_is_refused() {
    let folder = crate::folder::Folder::new("view-refused", &[]);
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/asv").display().to_string();
    let answer = folder.motet(&["run", &model, "--skills", "true", "--view=0.0.0.0:8080"]);
    assert_eq!(answer.code, 3, "{}{}", answer.stdout, answer.stderr);
    assert!(
        answer.stderr.contains("M0077") && answer.stderr.contains("--view 0.0.0.0:8080"),
        "{}",
        answer.stderr
    );
}

#[test]
fn a_page_where_somebody_else_listens_is_refused() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("some port is free");
    let view = format!("--view={}", taken.local_addr().expect("it listens somewhere"));
    let folder = crate::folder::Folder::new("view-taken", &[]);
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/asv").display().to_string();
    let answer = folder.motet(&["run", &model, "--skills", "true", &view]);
    assert_eq!(answer.code, 3, "{}{}", answer.stdout, answer.stderr);
    assert!(answer.stderr.contains("M0079"), "{}", answer.stderr);
}
