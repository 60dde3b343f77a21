//! The vessel as a process of its own.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

#[expect(clippy::disallowed_methods, reason = "the vessel is another program")]
fn start(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_motet-vessel"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the vessel starts")
}

/// Says some lines, hangs up, and gives all that was answered.
fn said(arguments: &[&str], lines: &[u8]) -> (Vec<String>, bool) {
    let mut child = start(arguments);
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    stdin.write_all(lines).expect("it listens");
    drop(stdin);
    let stdout = BufReader::new(child.stdout.take().expect("its output is a pipe"));
    let out = stdout.lines().map(|line| line.expect("it writes text")).collect();
    (out, child.wait().expect("it ends").success())
}

const LINES: &[u8] = b"{\"hello\":\"motet.skills/1\",\"pace\":\"lockstep\"}\n\xff\n{\"call\":\"Lay out the tracks\",\"id\":1}\n\
    {\"call\":\"Get under way\",\"id\":2}\n{\"tick\":1,\"beliefs\":[]}\n{\"tick\":2,\"beliefs\":[]}\n";

#[test]
fn it_answers_and_ends_when_the_agent_hangs_up() {
    let (out, success) = said(&["--seed", "7"], LINES);
    assert!(success);
    assert_eq!(out[0], "{\"ready\":\"vessel\"}");
    assert!(out[1].contains("no UTF-8"), "{}", out[1]);
    assert_eq!(out.iter().filter(|line| line.contains("\"done\"")).count(), 2);
    assert_eq!((out, success), said(&["--seed", "7"], LINES));
}

#[test]
fn it_ends_at_goodbye_though_the_line_stays_open() {
    let mut child = start(&[]);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"{\"bye\":\"over\"}\n").unwrap();
    stdin.flush().unwrap();
    assert!(child.wait().unwrap().success());
    drop(stdin);
}

#[test]
fn flags_that_do_not_fit_are_refused() {
    for arguments in [
        &["--tracks", "2"][..],
        &["--area", "300"],
        &["--area", "1e9x2"],
        &["--tick-seconds", "0"],
        &["--speed", "NaN"],
        &["--weather", "sunny"],
    ] {
        assert!(!said(arguments, b"").1, "{arguments:?}");
    }
    assert!(said(&["--area", "120x60", "--tracks", "3", "--weather", "rough", "--operator", "bold"], b"").1);
}
