//! Connections that begin a request and never end it cost the program little, and keep nobody out who knows the token. The only
//! test of this program, so that all its files and threads are those of the server and of the test itself.
#![cfg(target_os = "linux")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use motet_web::{Address, Server, View};

/// Connections that are begun.
const HALF_OPEN: usize = 400;
/// Of these the server keeps so many at the same time.
const KEPT: usize = 128;

/// Sockets of this process.
fn sockets() -> usize {
    let files = std::fs::read_dir("/proc/self/fd").expect("this is Linux");
    let names = files.filter_map(|file| std::fs::read_link(file.ok()?.path()).ok());
    names.filter(|name| name.to_string_lossy().starts_with("socket:")).count()
}

/// A number that the system tells of this process.
fn told(field: &str) -> u64 {
    #[expect(clippy::disallowed_methods, reason = "the system tells here how large a process is")]
    let text = std::fs::read_to_string("/proc/self/status").expect("this is Linux");
    let line = text.lines().find_map(|line| line.strip_prefix(field)).expect("Linux tells it");
    line.trim_start_matches(':')
        .split_whitespace()
        .next()
        .and_then(|word| word.parse().ok())
        .expect("a number")
}

fn connect(address: SocketAddr, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("sockets can wait");
    // A stranger may be sent away while it still speaks.
    let _ = stream.write_all(text.as_bytes());
    stream
}

#[test]
fn four_hundred_half_open_connections_keep_nobody_out() {
    let server = Server::bind(Address::parse("127.0.0.1:0").expect("this machine")).expect("a free port");
    let (address, stop, view) = (server.address(), Arc::new(AtomicBool::new(false)), View::new(1));
    let proper = format!(
        "GET /view.js HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\nConnection: close\r\n\r\n",
        server.token()
    );
    let (routes, until) = (view.routes(), Arc::clone(&stop));
    let serving = std::thread::spawn(move || server.run(routes, until).expect("it serves"));
    let ask = || {
        let mut answer = String::new();
        connect(address, &proper).read_to_string(&mut answer).expect("it answers and closes");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    };
    ask();
    let (threads, kibibytes, before) = (told("Threads"), told("VmRSS"), sockets());
    let heads = [
        "",
        "GET",
        "GET / HTTP/1.1\r\nHost: ",
        "POST /advise HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{",
    ];
    let mut half_open: Vec<TcpStream> = Vec::new();
    for number in 0..HALF_OPEN {
        half_open.push(connect(address, heads[number % heads.len()]));
        // Whoever has something to ask is answered while others stand around.
        if number % 50 == 49 {
            ask();
        }
    }
    ask();
    let theirs = sockets() - before - HALF_OPEN;
    assert!(theirs <= KEPT + 1, "{theirs} connections are kept");
    assert_eq!(told("Threads"), threads, "no connection has a thread of its own");
    let more = told("VmRSS").saturating_sub(kibibytes);
    assert!(more < 64 << 10, "{more} KiB for half-open connections");
    // And each of them is sent away in the end, without having said anything more.
    for stream in &mut half_open {
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        let rest = String::from_utf8_lossy(&rest);
        assert!(rest.is_empty() || rest.starts_with("HTTP/1.1 4"), "{rest}");
    }
    ask();
    view.close();
    stop.store(true, Ordering::Relaxed);
    serving.join().expect("it ends when it is asked to");
}
