//! Explores a folder of agent programs and prints the size of its graph and the time it took:
//! `cargo run --release -p motet-agentspeak --example explore -- examples/auction LAST=10`.

#![expect(clippy::print_stdout, reason = "a program for measuring")]

use std::hash::BuildHasher;
use std::time::Instant;

use hashbrown::HashTable;
use motet_agentspeak::AgentSpeak;
use motet_model::{Language, Model, Options, State, Steps};
use motet_source::{Problems, Sources};
use rustc_hash::FxBuildHasher;

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

/// All states one after the other, and a table of their numbers.
struct Store {
    width: usize,
    states: Vec<u32>,
    table: HashTable<u32>,
}

impl Store {
    fn insert(&mut self, state: &State) {
        let (width, states) = (self.width, &self.states);
        let at = |number: u32| &states[number as usize * width..][..width];
        let hash = FxBuildHasher.hash_one(state);
        if self.table.find(hash, |&number| at(number) == state).is_none() {
            let number = u32::try_from(self.table.len()).expect("fewer than 2^32 states");
            self.table.insert_unique(hash, number, |&number| FxBuildHasher.hash_one(at(number)));
            self.states.extend_from_slice(state);
        }
    }
}

fn explore(model: &(dyn Model + Send + Sync)) -> (usize, usize, usize) {
    let width = model.signature().slots.len();
    let mut store = Store { width, states: Vec::new(), table: HashTable::new() };
    let mut first = Vec::new();
    model.initial(&mut first);
    first.iter().for_each(|state| store.insert(state));
    let (mut state, mut out, mut next, mut steps) = (Vec::new(), Steps::new(width), 0, 0);
    while next < store.table.len() {
        state.clear();
        state.extend_from_slice(&store.states[next * width..][..width]);
        next += 1;
        out.clear();
        if let Err(fault) = model.steps(&state, &mut out) {
            println!("{fault}");
            break;
        }
        for branch in out.iter().flat_map(|step| step.branches()) {
            steps += 1;
            store.insert(branch.target);
        }
    }
    (store.table.len(), steps, 4 * store.states.capacity() + store.table.allocation_size())
}
