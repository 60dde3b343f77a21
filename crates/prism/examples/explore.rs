//! Explores a PRISM model and prints how large it is and how long that took: `explore FILE [NAME=VALUE ...]`.
#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a program for the command line")]

use std::time::Instant;

use motet_model::{Language as _, Options, Steps};
use motet_prism::Prism;
use motet_source::{Problems, Sources};

/// A plain store of states: a vector and a table of numbers.
struct Store {
    width: usize,
    states: Vec<u32>,
    table: hashbrown::HashTable<u32>,
}

fn hash(state: &[u32]) -> u64 {
    let mixed = state.iter().fold(0_u64, |mixed, word| {
        (mixed.rotate_left(5) ^ u64::from(*word)).wrapping_mul(0x517C_C1B7_2722_0A95)
    });
    mixed ^ (mixed >> 29)
}

impl Store {
    fn insert(&mut self, state: &[u32]) {
        let (width, states) = (self.width, &mut self.states);
        let at = |number: u32| number as usize * width..(number as usize + 1) * width;
        if self.table.find(hash(state), |number| states[at(*number)] == *state).is_none() {
            let number = u32::try_from(states.len() / width).expect("fewer than 2^32 states");
            states.extend_from_slice(state);
            self.table.insert_unique(hash(state), number, |number| hash(&states[at(*number)]));
        }
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("a file to explore");
    let mut options = Options::default();
    for argument in arguments {
        let (name, value) = argument.split_once('=').expect("NAME=VALUE");
        options.parameters.insert(name.to_owned(), value.to_owned());
    }
    let mut sources = Sources::new();
    sources.add(path.as_str(), std::fs::read_to_string(&path).expect("the file can be read"));
    let mut problems = Problems::new();
    let start = Instant::now();
    let draft = Prism.read(&sources, &options, &mut problems);
    let system = draft.and_then(|draft| draft.system(&[], &mut problems));
    println!("{}", problems.lines(&sources));
    let Some(system) = system else { return };
    let read = start.elapsed();
    let model = system.model;
    let width = model.signature().slots.len();
    let mut store = Store { width, states: Vec::new(), table: hashbrown::HashTable::new() };
    let mut initial = Vec::new();
    model.initial(&mut initial);
    initial.iter().for_each(|state| store.insert(state));
    let mut steps = Steps::new(width);
    let (mut next, mut transitions, mut choices, mut deadlocks) = (0, 0_u64, 0_u64, 0_u64);
    let mut state = Vec::new();
    while next < store.states.len() {
        state.clear();
        state.extend_from_slice(&store.states[next..next + width]);
        next += width;
        steps.clear();
        if let Err(fault) = model.steps(&state, &mut steps) {
            println!("fault: {fault}");
            return;
        }
        deadlocks += u64::from(steps.is_empty());
        for step in steps.iter() {
            choices += 1;
            for branch in step.branches() {
                transitions += 1;
                store.insert(branch.target);
            }
        }
    }
    let states = store.states.len() / width.max(1);
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{states} states, {choices} choices, {transitions} transitions, {deadlocks} deadlocks, {seconds:.3} s (read {:.3} s)",
        read.as_secs_f64()
    );
}
