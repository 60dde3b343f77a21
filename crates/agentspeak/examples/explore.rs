//! Explores a folder of agent programs and prints the size of its graph and the time it took:
//! `cargo run --release -p motet-agentspeak --example explore -- examples/auction LAST=10`.

#![expect(clippy::print_stdout, reason = "a program for measuring")]

use std::time::Instant;

use motet_agentspeak::AgentSpeak;
use motet_engine::{Arena, Arrival, Store};
use motet_model::{Language, Model, Options, Steps};
use motet_source::{Problems, Sources};

fn main() {
    let mut args = std::env::args().skip(1);
    let folder = args.next().expect("the first argument is a folder");
    let mut options = Options::default();
    for arg in args {
        let (name, value) = arg.split_once('=').expect("further arguments are NAME=VALUE");
        options.parameters.insert(name.to_owned(), value.to_owned());
    }
    let mut sources = Sources::new();
    let mut names: Vec<_> =
        std::fs::read_dir(folder).expect("the folder exists").map(|e| e.expect("readable").path()).collect();
    names.sort();
    for name in names {
        if let Ok(text) = String::from_utf8(std::fs::read(&name).unwrap_or_default()) {
            sources.add(name.display().to_string(), text);
        }
    }
    let mut problems = Problems::new();
    let draft = AgentSpeak.read(&sources, &options, &mut problems);
    let system = draft.and_then(|draft| draft.system(&[], &mut problems));
    let Some(system) = system else {
        println!("{}", problems.lines(&sources));
        return;
    };
    let start = Instant::now();
    let (states, steps, bytes) = explore(&*system.model);
    let seconds = start.elapsed().as_secs_f64();
    println!("{states} states, {steps} steps, {seconds:.2} s, {} MiB of states", bytes >> 20);
    for remark in system.review.remarks() {
        println!("{remark}");
    }
}

fn explore(model: &(dyn Model + Send + Sync)) -> (usize, usize, u64) {
    let width = model.signature().slots.len();
    let mut store = Arena::new(width);
    let mut first = Vec::new();
    model.initial(&mut first);
    for state in &first {
        store.insert(state);
    }
    let (mut state, mut out, mut next, mut steps) = (Vec::new(), Steps::new(width), 0u32, 0);
    while (next as usize) < store.len() {
        store.load(next, &mut state);
        next += 1;
        out.clear();
        if let Err(fault) = model.steps(&state, &mut out) {
            println!("{fault}");
            break;
        }
        for branch in out.iter().flat_map(|step| step.branches()) {
            steps += 1;
            let (_, arrival) = store.insert(branch.target).expect("fewer than 2^32 states");
            debug_assert!(arrival == Arrival::New || arrival == Arrival::Known);
        }
    }
    (store.len(), steps, store.bytes())
}
