//! Advice over HTTP, asked with bare sockets as any client may ask.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use motet_web::{Address, LIMIT_BODY, Server, advice};
use motet_workbench::{AdviceDesk, AdviseOptions, Project, Sources, Threshold, load};
use serde_json::Value;

/// Whoever settles with plan 2 sits outside, where it may rain; with plan 1 nobody is ever outside.
const AGENT: &str = include_str!("../../workbench/tests/advise/porch.sej");

const CLAIMS: &str = "\
query Out: Pmax=? [F<=9 cycles (\"Outside\" & \"The gate opens\")]
query Wet: Pmin=? [F<=4 cycles (\"Outside\" & \"It rains\")]
";

fn desk() -> AdviceDesk {
    let mut sources = Sources::new();
    sources.add("porch.sej", AGENT);
    sources.add("porch.props", CLAIMS);
    let mut loaded = load(Project { path: "porch".to_owned(), sources, ..Project::default() });
    let ready = loaded.ready.take().unwrap_or_else(|| panic!("{:?}", loaded.problems));
    let thresholds = vec![Threshold::parse("Stay in: Out < 0.25").expect("a threshold")];
    let options = AdviseOptions { thresholds, ..AdviseOptions::default() };
    let opened = AdviceDesk::open(&ready, &mut loaded.sources, &options, &mut |_| {});
    opened.unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// A server with a desk, until it is dropped.
struct Served {
    address: SocketAddr,
    token: String,
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Served {
    fn new() -> Self {
        let server = Server::bind(Address::parse("127.0.0.1:0").expect("this machine")).expect("a free port");
        let (address, stop) = (server.address(), Arc::new(AtomicBool::new(false)));
        let (until, token) = (Arc::clone(&stop), server.token().to_string());
        let thread =
            std::thread::spawn(move || server.run(advice(desk(), "porch"), until).expect("it serves"));
        Self { address, token, stop, thread: Some(thread) }
    }

    fn connect(&self) -> BufReader<TcpStream> {
        let stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
        BufReader::new(stream)
    }

    /// The answer to these bytes.
    fn ask(&self, request: &str) -> Answer {
        let mut stream = self.connect();
        // A server that has heard enough may close before everything is sent.
        let _ = stream.get_mut().write_all(request.as_bytes());
        answer(&mut stream)
    }

    fn post(&self, body: &str) -> Answer {
        self.ask(&post(body, &self.own()))
    }

    /// What a proper request says of itself.
    fn own(&self) -> String {
        format!("Host: {}\r\nAuthorization: Bearer {}\r\n", self.address, self.token)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let ended = self.thread.take().map(std::thread::JoinHandle::join);
        let well = matches!(ended, Some(Ok(())));
        assert!(well || std::thread::panicking(), "the server ends when it is asked to");
    }
}

struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    #[track_caller]
    fn is_wrong(&self, status: u16, code: &str, word: &str) {
        let json = self.json();
        assert_eq!((self.status, json["error"]["code"].as_str()), (status, Some(code)), "{}", self.body);
        assert!(self.body.contains(word), "{}", self.body);
        assert!(json["error"]["help"].as_str().is_some_and(|help| !help.is_empty()), "{}", self.body);
    }
}

fn post(body: &str, headers: &str) -> String {
    format!("POST /advise HTTP/1.1\r\n{headers}Content-Length: {}\r\n\r\n{body}", body.len())
}

fn answer(stream: &mut BufReader<TcpStream>) -> Answer {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(stream.read_line(&mut head).expect("a line") > 0, "closed after {head:?}");
    }
    let status = head.split(' ').nth(1).and_then(|text| text.parse().ok()).expect("a status");
    let lower = head.to_lowercase();
    let length = lower.split("content-length: ").nth(1).and_then(|rest| rest.split('\r').next());
    let length = length.and_then(|text| text.parse().ok()).expect("a length");
    let mut body = vec![0; length];
    stream.read_exact(&mut body).expect("a body");
    Answer { status, head, body: String::from_utf8(body).expect("a text") }
}

#[test]
fn a_situation_is_answered_with_the_best_choice_first() {
    let served = Served::new();
    let told = served.post(r#"{"beliefs": {"Day begins": true}, "counters": {"The gate opens": 2}}"#);
    assert_eq!(told.status, 200, "{}", told.body);
    assert!(told.head.to_lowercase().contains("content-type: application/json"));
    let json = told.json();
    assert_eq!(json["fit"], "exact");
    let choices: Vec<&str> =
        json["ranked"].as_array().unwrap().iter().map(|one| one["choice"].as_str().unwrap()).collect();
    assert_eq!(choices, ["plan 2", "plan 1"]);
    // With plan 1 nobody is outside, so nothing can happen there.
    assert_eq!(json["ranked"][1]["values"][0]["high"], 0.0);
    assert!(json["ranked"][0]["values"][0]["low"].as_f64().unwrap() > 0.5);
    assert_eq!(json["beliefs"]["Stay in"], false);
    assert_eq!(json["numbers_over"], "all strategies");
}

/// Agents do not see how long the gate has been counting.
#[test]
fn without_counters_the_answer_is_a_range_over_what_looks_the_same() {
    let json = Served::new().post(r#"{"beliefs": {"It rains": true, "Settled": true}}"#).json();
    assert_eq!(json["fit"], "similar", "{json}");
    assert!(json["situations"].as_u64().unwrap() > 1);
    assert!(json["says"].as_str().unwrap().contains("look like this"));
    let outside = r#"{"beliefs": {"Day begins": false, "Settled": false}}"#;
    let json = Served::new().post(outside).json();
    assert_eq!((json["fit"].as_str(), json["now"].as_array().map(Vec::len)), (Some("outside"), Some(0)));
}

#[test]
fn what_means_nothing_is_told_with_the_nearest_name() {
    let served = Served::new();
    served.post(r#"{"beliefs": {"It rain": true}}"#).is_wrong(422, "M0074", "It rains");
    served.post(r#"{"plans": {"7": 1}}"#).is_wrong(422, "M0074", "plan");
    served.post(r#"{"believes": {}}"#).is_wrong(422, "M0074", "believes");
    served.post("{").is_wrong(422, "M0074", "line 1");
    served.post("").is_wrong(422, "M0074", "line 1");
    assert_eq!(served.post("{}").status, 200, "and the service goes on");
}

#[test]
fn more_than_64_kib_are_not_read() {
    let served = Served::new();
    served.post(&" ".repeat(LIMIT_BODY + 1)).is_wrong(413, "M0078", "64 KiB");
    let chunk = format!("{:x}\r\n{}\r\n0\r\n\r\n", 2 * LIMIT_BODY, " ".repeat(2 * LIMIT_BODY));
    let request =
        format!("POST /advise HTTP/1.1\r\n{}Transfer-Encoding: chunked\r\n\r\n{chunk}", served.own());
    served.ask(&request).is_wrong(413, "M0078", "64 KiB");
    assert_eq!(served.post(&format!("{}{{}}", " ".repeat(LIMIT_BODY - 2))).status, 200);
}

#[test]
fn other_methods_and_places_are_told_what_there_is() {
    let served = Served::new();
    let get = |place: &str| served.ask(&format!("GET {place} HTTP/1.1\r\n{}\r\n", served.own()));
    let method = get("/advise");
    method.is_wrong(405, "M0078", "POST");
    assert!(method.head.to_lowercase().contains("allow: post"), "{}", method.head);
    get("/nothing").is_wrong(404, "M0078", "GET /health");
    let health = get("/health");
    assert_eq!((health.status, health.json()["model"].as_str()), (200, Some("porch")));
    assert_eq!(health.json()["queries"][0], "Out");
    assert_eq!(health.json()["numbers_over"], "all strategies");
    let page = get("/");
    assert!(page.status == 200 && page.body.contains("POST /advise") && page.head.contains("text/html"));
    assert!(page.body.contains("All values are numbers over all strategies."), "{}", page.body);
}

#[test]
fn a_page_of_another_site_cannot_ask() {
    let served = Served::new();
    let (port, bearer) = (served.address.port(), format!("Authorization: Bearer {}\r\n", served.token));
    let with = |headers: &str| served.ask(&post("{}", &format!("{headers}{bearer}")));
    let own = format!("Host: 127.0.0.1:{port}\r\n");
    let by_name = format!("Host: localhost:{port}\r\nOrigin: http://localhost:{port}\r\n");
    for here in [&own, &by_name] {
        assert_eq!(with(here).status, 200, "{here}");
    }
    for other in [
        String::new(),
        "Host: example.org\r\n".to_owned(),
        "Host: 127.0.0.1\r\n".to_owned(),
        format!("Host: [::1]:{port}\r\n"),
        format!("Host: 127.0.0.1.example.org:{port}\r\n"),
        format!("{own}{own}"),
        format!("{own}Origin: http://example.org\r\n"),
        format!("{own}Origin: http://127.0.0.1:5000\r\n"),
        format!("{own}Origin: http://localhost:{port}\r\n"),
        format!("{own}Origin: null\r\n"),
    ] {
        with(&other).is_wrong(403, "M0078", "this machine");
    }
}

#[test]
fn whoever_does_not_know_the_token_of_the_session_is_refused() {
    let (served, other) = (Served::new(), Served::new());
    let own = format!("Host: {}\r\n", served.address);
    assert_ne!(served.token, other.token);
    for headers in [own.clone(), format!("{own}Authorization: Bearer {}\r\n", other.token)] {
        let refused = served.ask(&post("{}", &headers));
        refused.is_wrong(401, "M0078", "token");
        assert!(refused.head.to_lowercase().contains("connection: close"), "{}", refused.head);
    }
    // As a page in a browser that was opened at the printed address.
    let page = served.ask(&format!("GET /?token={} HTTP/1.1\r\n{own}\r\n", served.token));
    assert_eq!(page.status, 200);
    let style = format!(
        "GET /advise.css HTTP/1.1\r\n{own}Cookie: motet-{}={}\r\n\r\n",
        served.address.port(),
        served.token
    );
    assert_eq!(served.ask(&style).status, 200);
    assert!(!page.body.contains("<style") && !page.body.contains("<script"), "its policy lets neither in");
}

#[test]
fn one_connection_asks_many_times_and_does_not_keep_the_server_from_ending() {
    let served = Served::new();
    let mut stream = served.connect();
    for round in 0..50 {
        let body = format!(r#"{{"beliefs": {{"It rains": {}}}}}"#, round % 2 == 0);
        stream.get_mut().write_all(post(&body, &served.own()).as_bytes()).unwrap();
        assert_eq!(answer(&mut stream).status, 200);
    }
    drop(served);
    drop(stream);
}

#[test]
fn an_address_that_is_taken_is_refused() {
    let served = Served::new();
    let again = Address::parse(&served.address.to_string()).unwrap();
    assert!(Server::bind(again).is_err());
}
