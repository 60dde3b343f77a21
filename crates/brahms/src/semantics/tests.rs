//! The reference models, where a folder with them is given.

use std::collections::HashMap;
use std::time::Instant;

use motet_model::{Model, Options, State, Steps};
use motet_source::{Problems, Sources};

use super::Semantics;
use super::record::Record;
use crate::program::Program;

fn folder() -> Option<String> {
    #[expect(clippy::disallowed_methods, reason = "tests may be told where models are")]
    std::env::var("MOTET_MODELS").ok()
}

fn model(name: &str) -> Option<Program> {
    let text = std::fs::read_to_string(format!("{}/{name}", folder()?)).ok()?;
    let mut sources = Sources::new();
    sources.add(name, text);
    let mut problems = Problems::new();
    let program = crate::project::read(&sources, &Options::default(), &mut problems);
    assert!(program.is_some(), "{}", problems.lines(&sources));
    program
}

pub(super) fn explore(semantics: &Semantics) -> (usize, usize) {
    let mut first = Vec::new();
    semantics.initial(&mut first);
    let mut numbers: HashMap<Box<State>, usize> = HashMap::new();
    let mut states = first.clone();
    numbers.insert(first.remove(0), 0);
    let mut transitions = 0;
    let mut at = 0;
    let mut out = Steps::new(semantics.signature().slots.len());
    while at < states.len() && at < 30_000 {
        out.clear();
        semantics.steps(&states[at], &mut out).unwrap_or_else(|fault| panic!("{fault}"));
        for step in out.iter() {
            for branch in step.branches() {
                transitions += 1;
                if !numbers.contains_key(branch.target) {
                    numbers.insert(branch.target.into(), states.len());
                    states.push(branch.target.into());
                }
            }
        }
        at += 1;
    }
    (states.len(), transitions)
}

fn count(mut program: Program, change: impl FnOnce(&mut Program)) -> (usize, usize) {
    change(&mut program);
    let semantics = Semantics::of(&program, &[], &mut Problems::new()).unwrap();
    let start = Instant::now();
    let counts = explore(&semantics);
    eprintln!("{counts:?} width {} in {:?}", semantics.layout.initial.len(), start.elapsed());
    counts
}

#[test]
fn peek() {
    let Some(program) = model("home_helper.b") else { return };
    count(program.clone(), |_| {});
    count(program.clone(), |program| program.rules.unknown_is_zero = true);
    count(program.clone(), |program| program.rules.reverse_order = true);
    count(program.clone(), |program| program.rules.detect_at_start = false);
    count(program, |program| program.rules.ties_first = true);
    let Some(program) = model("digital_nurse.b") else { return };
    count(program.clone(), |_| {});
    count(program.clone(), |program| program.rules.unknown_is_zero = true);
    count(program, |program| program.rules.ties_first = true);
}

#[test]
fn timeline() {
    let Some(program) = model("home_helper.b") else { return };
    let semantics = Semantics::of(&program, &[], &mut Problems::new()).unwrap();
    let mut first = Vec::new();
    semantics.initial(&mut first);
    let mut state = first.remove(0);
    let mut now = 0;
    for _ in 0..60 {
        let mut out = Steps::new(semantics.signature().slots.len());
        semantics.steps(&state, &mut out).unwrap();
        let Some(step) = out.get(0) else { break };
        now += step.delay / 1000;
        for record in semantics.retell(&state, 0) {
            let name =
                |actor: crate::program::ActorId| semantics.signature().processes[actor.index()].clone();
            match record {
                Record::Started { actor, frame, .. } => {
                    eprintln!("{now} {} starts {}", name(actor), program.frames[frame.index()].name);
                }
                Record::Begun { actor, activity, length, .. } => {
                    eprintln!(
                        "{now} {} begins {} {length:?}",
                        name(actor),
                        program.activities[activity.index()].name
                    );
                }
                Record::Ended { actor, frame, how } => {
                    eprintln!("{now} {} ends {} {how:?}", name(actor), program.frames[frame.index()].name);
                }
                _ => {}
            }
        }
        state = step.branches().next().unwrap().target.into();
    }
}

