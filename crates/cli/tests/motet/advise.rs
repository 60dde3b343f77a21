//! Advice from the binary: a table, lines of JSON, and HTTP until Ctrl-C.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::folder::Folder;

/// Whoever settles with plan 2 sits outside, where it may rain; with plan 1 nobody is ever outside.
const AGENT: &str = include_str!("../../../workbench/tests/advise/porch.sej");

const CLAIMS: &str = "query Out: Pmax=? [F<=9 cycles (\"Outside\" & \"The gate opens\")]\n";
const MORNING: &str = "{\"beliefs\": {\"Day begins\": true}, \"counters\": {\"The gate opens\": 2}}";

fn porch(name: &str) -> Folder {
    Folder::new(name, &[("porch.sej", AGENT), ("porch.props", CLAIMS), ("morning.json", MORNING)])
}

#[expect(clippy::disallowed_methods, reason = "the test starts the program it is about")]
fn start(name: &str, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_motet"))
        .arg("advise")
        .args(arguments)
        .current_dir(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts")
}

#[test]
fn a_situation_in_a_file_is_answered_with_a_table() {
    let answer = porch("advise-file").motet(&["advise", ".", "-p", "Out", "--state", "morning.json"]);
    assert_eq!(answer.code, 0, "{}{}", answer.stdout, answer.stderr);
    // Plan 2 waits for a gate that opens every second time: within nine cycles it is tried twice.
    for part in ["solved: ", "this situation is in the model", "1. plan 2   0.75", "2. plan 1   0"] {
        assert!(answer.stdout.contains(part), "{part}: {}", answer.stdout);
    }
    let wrong = porch("advise-wrong").motet(&["advise", ".", "-p", "Ouf"]);
    assert_eq!(wrong.code, 3);
    assert!(wrong.stderr.contains("M0070") && wrong.stderr.contains("there is `Out`"), "{}", wrong.stderr);
    let limited = porch("advise-limited").motet(&["advise", ".", "--states", "3"]);
    assert_eq!(limited.code, 4);
    assert!(
        limited.stderr.contains("M0072") && limited.stderr.contains("raise --states"),
        "{}",
        limited.stderr
    );
    let foreign = porch("advise-foreign").motet(&["advise", ".", "--listen", "0.0.0.0:0"]);
    assert_eq!(foreign.code, 3);
    assert!(foreign.stderr.contains("M0077"), "{}", foreign.stderr);
}

#[test]
fn every_line_is_answered_with_a_line_whatever_it_is() {
    let folder = porch("advise-lines");
    let mut child = start("advise-lines", &[".", "--state", "-"]);
    let mut input = child.stdin.take().expect("a pipe");
    let feeding = std::thread::spawn(move || {
        let long = "x".repeat(200_000);
        let lines = [MORNING, "nonsense", "{\"beliefs\": {\"It rain\": true}}", &long, "", "{}"];
        lines.iter().for_each(|line| writeln!(input, "{line}").expect("somebody listens"));
        input.write_all(b"\xff\xfe\n").expect("somebody listens");
        writeln!(input, "{MORNING}").expect("somebody listens");
    });
    let output = child.wait_with_output().expect("the binary ends");
    feeding.join().expect("all was said");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("JSON is a text");
    let answers: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    // Empty lines say nothing and are passed over.
    assert_eq!(answers.len(), 7, "{text}");
    assert_eq!(answers[0]["ranked"][0]["choice"], "plan 2");
    for wrong in [1, 2, 3, 5] {
        assert_eq!(answers[wrong]["error"]["code"], "M0074", "{}", answers[wrong]);
    }
    assert!(answers[2]["error"]["messages"][0].as_str().is_some_and(|words| words.contains("It rains")));
    assert_eq!(answers[4]["fit"], "exact", "the start");
    assert_eq!(answers[0], answers[6]);
    drop(folder);
}

#[test]
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "the test stops the program it is about")]
fn http_is_served_until_ctrl_c() {
    let folder = porch("advise-http");
    let mut child = start("advise-http", &[".", "--listen", "127.0.0.1:0"]);
    let mut said = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line_with = |what: &str| {
        let mut line = String::new();
        while !line.starts_with(what) {
            line.clear();
            assert!(said.read_line(&mut line).expect("a line") > 0, "it ends without listening");
        }
        line[what.len()..].trim().to_owned()
    };
    let (address, token) = (line_with("listening at http://"), line_with("token "));
    let mut stream = TcpStream::connect(&address).expect("it listens");
    let length = MORNING.len();
    write!(stream, "POST /advise HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{MORNING}")
        .expect("it hears");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\"choice\":\"plan 2\""), "{answer}");
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("there is a kill");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    drop(folder);
}

#[test]
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "the test stops the program it is about")]
fn a_program_reads_the_address_and_the_token_as_json() {
    let folder = porch("advise-json");
    let mut child = start("advise-json", &[".", "--listen", "127.0.0.1:0", "--format", "json"]);
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    let told: serde_json::Value = serde_json::from_str(&line).expect("it is JSON");
    let (url, token) = (told["listening"].as_str().expect("where"), told["token"].as_str().expect("a token"));
    let address = url.strip_prefix("http://").expect("an address of this machine");
    let mut stream = TcpStream::connect(address).expect("it listens");
    write!(stream, "GET /health HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n")
        .expect("it hears");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("motet.advice/1"), "{answer}");
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("there is a kill");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    drop(folder);
}
