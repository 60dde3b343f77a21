//! How long advice takes on the mine hunter: `cargo xtask bench advise`. The model is solved once for L5; then many different
//! situations of it are asked about, by state, by description, and over HTTP on a connection that stays open. Prints a page.
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use motet_evidence::Fit;
use motet_model::{Situation, Words};
use motet_render::{Counters, Described};
use motet_suite::folder;
use motet_web::{Address, Server, advice};
use motet_workbench::{AdviceDesk, AdviseOptions, Adviser, Project, Sight, load};

/// Situations asked about, spread evenly over the states of the model.
const SITUATIONS: usize = 20_000;
/// Of these over HTTP.
const REQUESTS: usize = 5_000;
const QUERY: &str = "L5";

fn main() {
    let sources = folder::sources(&folder::root(), "examples/asv").expect("the example is there");
    let mut loaded = load(Project { path: "examples/asv".to_owned(), sources, ..Project::default() });
    let ready = loaded.ready.take().expect("the example is well formed");
    let options = AdviseOptions { queries: vec![QUERY.to_owned()], ..AdviseOptions::default() };
    let start = Instant::now();
    let opened = AdviceDesk::open(&ready, &mut loaded.sources, &options, &mut |_| {});
    let mut desk = opened.unwrap_or_else(|problems| panic!("{problems:?}"));
    let solved = start.elapsed();
    let states = sample(desk.adviser());
    let described = descriptions(ready.system.words.as_ref(), &states);
    let exact = by_state(desk.adviser(), &states);
    let chosen = by_state(desk.adviser(), &with_choice(desk.adviser()));
    let seen = by_description(&mut desk, &described);
    let (n_states, n_situations) = (desk.adviser().n_states(), desk.adviser().n_situations().unwrap_or(0));
    let mebibytes = desk.adviser().bytes() as f64 / f64::from(1 << 20);
    let http = over_http(desk, &described);
    println!("# Advice on the mine hunter\n");
    println!(
        "`cargo xtask bench advise` writes this page. The model of `examples/asv` is solved for {QUERY}, \"the mission is complete"
    );
    println!(
        "within 50 cycles\"; then different situations of it are asked about, one after the other. Machines differ, so only the orders"
    );
    println!("of magnitude mean anything.\n");
    println!(
        "{n_states} states, {n_situations} situations that the agent tells apart, {mebibytes:.0} MiB of values and states."
    );
    println!("Solved in {:.2} s.\n", solved.as_secs_f64());
    println!("| asked | questions | median | 99 of 100 | slowest |\n|---|---:|---:|---:|---:|");
    println!("{}", row("in the process, by state", exact));
    println!("{}", row("the same, where there is something to choose", chosen));
    println!("{}", row("in the process, by description (the team is placed first)", seen));
    println!("{}", row("over HTTP, JSON to JSON, one connection", http));
}

/// States of the model, spread evenly.
fn sample(adviser: &Adviser) -> Vec<Vec<u32>> {
    let n = adviser.n_states();
    let number =
        |place: usize| u32::try_from(place * n / SITUATIONS).expect("states are numbered with 32 bits");
    let mut state = Vec::new();
    let mut load = |place: usize| {
        adviser.state(number(place), &mut state);
        state.clone()
    };
    (0..SITUATIONS.min(n)).map(&mut load).collect()
}

/// States of the model that leave a choice open, as many as there are up to the limit.
fn with_choice(adviser: &Adviser) -> Vec<Vec<u32>> {
    let numbers = 0..u32::try_from(adviser.n_states()).expect("states are numbered with 32 bits");
    let load = |number: u32| {
        let mut state = Vec::new();
        adviser.state(number, &mut state);
        state
    };
    let open = |state: &Vec<u32>| !adviser.advise(state, &[], Sight::Everything).ranked.is_empty();
    numbers.map(load).filter(open).take(SITUATIONS).collect()
}

/// What the agent would tell of each state: all beliefs, and the plans that run. Counters it does not see.
fn descriptions(words: &dyn Words, states: &[Vec<u32>]) -> Vec<Described> {
    let told = |state: &Vec<u32>, title: &str| -> Vec<String> {
        let minds = words.snapshot(state).minds;
        let sections = minds.into_iter().flat_map(|mind| mind.sections);
        sections.filter(|section| section.title == title).flat_map(|section| section.items).collect()
    };
    let all: BTreeSet<String> = states.iter().flat_map(|state| told(state, "beliefs")).collect();
    let describe = |state: &Vec<u32>| {
        let held: BTreeSet<String> = told(state, "beliefs").into_iter().collect();
        let beliefs = all.iter().map(|belief| (belief.clone(), held.contains(belief))).collect();
        // `plan 4: Hold position (1 of 3)`
        let running = |text: &String| {
            let (plan, rest) = text.strip_prefix("plan ")?.split_once(':')?;
            let index = rest.rsplit_once('(')?.1.split(' ').next()?.parse().ok()?;
            Some((plan.to_owned(), index))
        };
        let plans = told(state, "plans").iter().filter_map(running).collect();
        let situation = Situation { beliefs, plans, counters: Vec::new() };
        Described { situation, counters: Counters::Open }
    };
    states.iter().map(describe).collect()
}

fn by_state(adviser: &Adviser, states: &[Vec<u32>]) -> Vec<Duration> {
    let ask = |state: &Vec<u32>| {
        let start = Instant::now();
        let advice = adviser.advise(state, &[], Sight::Everything);
        let taken = start.elapsed();
        assert_eq!(advice.fit, Fit::Exact);
        taken
    };
    states.iter().map(ask).collect()
}

fn by_description(desk: &mut AdviceDesk, described: &[Described]) -> Vec<Duration> {
    let mut found = 0;
    let mut ask = |described: &Described| {
        let start = Instant::now();
        let advice = desk.advise(described).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let taken = start.elapsed();
        found += usize::from(advice.fit != Fit::Outside);
        taken
    };
    let times = described.iter().map(&mut ask).collect();
    // The first state of all is before the first cycle and looks like no other.
    assert!(found + 1 >= described.len(), "{found} of {}", described.len());
    times
}

fn over_http(desk: AdviceDesk, described: &[Described]) -> Vec<Duration> {
    let server = Server::bind(Address::parse("127.0.0.1:0").expect("this machine")).expect("a free port");
    let (address, stop) = (server.address(), Arc::new(AtomicBool::new(false)));
    let head =
        format!("POST /advise HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\n", server.token());
    let until = Arc::clone(&stop);
    let serving = std::thread::spawn(move || server.run(advice(desk, "examples/asv"), until));
    let stream = TcpStream::connect(address).expect("the server listens");
    stream.set_nodelay(true).expect("a socket of this machine");
    let mut stream = BufReader::new(stream);
    let every = (described.len() / REQUESTS).max(1);
    let times = described
        .iter()
        .step_by(every)
        .map(|described| request(&mut stream, &head, &body(&described.situation)));
    let times = times.collect();
    stop.store(true, Ordering::Relaxed);
    drop(stream);
    serving.join().expect("the server does not panic").expect("the server ends well");
    times
}

fn body(situation: &Situation) -> String {
    let beliefs: Vec<String> =
        situation.beliefs.iter().map(|(name, holds)| format!("{name:?}:{holds}")).collect();
    let plans: Vec<String> =
        situation.plans.iter().map(|(name, index)| format!("{name:?}:{index}")).collect();
    format!("{{\"beliefs\":{{{}}},\"plans\":{{{}}}}}", beliefs.join(","), plans.join(","))
}

fn request(stream: &mut BufReader<TcpStream>, head: &str, body: &str) -> Duration {
    let head = format!("{head}Content-Length: {}\r\n\r\n", body.len());
    let start = Instant::now();
    stream.get_mut().write_all((head + body).as_bytes()).expect("the server hears");
    let mut length = 0;
    let mut line = String::new();
    while line != "\r\n" {
        line.clear();
        stream.read_line(&mut line).expect("the server answers");
        assert!(!line.starts_with("HTTP") || line.contains("200"), "{line}");
        if let Some(number) = line.to_lowercase().strip_prefix("content-length:") {
            length = number.trim().parse().expect("a length is a number");
        }
    }
    let mut answer = vec![0; length];
    stream.read_exact(&mut answer).expect("the answer is complete");
    start.elapsed()
}

fn row(title: &str, mut times: Vec<Duration>) -> String {
    times.sort_unstable();
    let at = |share: f64| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in a list")]
        let place = ((times.len() - 1) as f64 * share) as usize;
        format!("{:.1} µs", times[place].as_secs_f64() * 1e6)
    };
    format!("| {title} | {} | {} | {} | {} |", times.len(), at(0.5), at(0.99), at(1.0))
}
