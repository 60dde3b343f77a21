//! From texts to programs: names, inheritance, frames, activities, initial beliefs and facts, options, and every problem that
//! can be said before anything runs.

#[path = "resolving/activities.rs"]
mod activities;
#[path = "resolving/frames.rs"]
mod frames;
#[path = "resolving/hostile.rs"]
mod hostile;
#[path = "resolving/initials.rs"]
mod initials;
#[path = "resolving/names.rs"]
mod names;
#[path = "resolving/odd.rs"]
mod odd;
#[path = "resolving/outside.rs"]
mod outside;
#[path = "resolving/vocabulary.rs"]
mod vocabulary;
#[path = "resolving/wrong.rs"]
mod wrong;

use motet_brahms::program::{Actor, Frame, Key, KeyId, Place, Program, Value};
use motet_brahms::project;
use motet_model::Options;
use motet_source::{Problems, Sources};

/// Reads some files; the program, if there is one, and a line for each problem.
fn read_files(files: &[(&str, &str)], options: &Options) -> (Option<Program>, Vec<String>) {
    let mut sources = Sources::new();
    for (path, text) in files {
        sources.add(*path, *text);
    }
    let mut problems = Problems::new();
    let program = project::read(&sources, options, &mut problems);
    let lines = problems.lines(&sources).lines().map(str::to_owned).collect();
    (program, lines)
}

/// Reads one file that has no errors.
fn read(text: &str) -> Program {
    let (program, problems) = read_files(&[("m.b", text)], &Options::default());
    program.unwrap_or_else(|| panic!("errors:\n{}", problems.join("\n")))
}

/// The problems of one file.
fn problems(text: &str) -> Vec<String> {
    read_files(&[("m.b", text)], &Options::default()).1
}

/// The problems of one file with this code.
fn only(text: &str, code: &str) -> Vec<String> {
    problems(text).into_iter().filter(|line| line.contains(code)).collect()
}

fn actor<'p>(program: &'p Program, name: &str) -> &'p Actor {
    let named = |actor: &&Actor| program.entities[actor.entity.index()].name == name;
    program.actors.iter().find(named).unwrap_or_else(|| panic!("no actor {name}"))
}

fn frames<'p>(program: &'p Program, who: &str) -> Vec<&'p Frame> {
    let actor = actor(program, who);
    let all = actor.workframes.iter().chain(&actor.thoughtframes);
    all.map(|frame| &program.frames[frame.index()]).collect()
}

fn frame<'p>(program: &'p Program, who: &str, name: &str) -> &'p Frame {
    let found = frames(program, who).into_iter().find(|frame| frame.name == name);
    found.unwrap_or_else(|| panic!("{who} has no frame {name}"))
}

/// A value as people write it.
fn shown(program: &Program, value: Value) -> String {
    match value {
        Value::Bool(truth) => truth.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Double(bits) => f64::from_bits(bits).to_string(),
        Value::Text(text) => format!("{:?}", program.texts[text.index()]),
        Value::Entity(entity) => program.entities[entity.index()].name.clone(),
    }
}

/// A key as people write it.
fn key(program: &Program, key: KeyId) -> String {
    let entity = |of: motet_brahms::program::EntityId| program.entities[of.index()].name.as_str();
    let attribute = |of: motet_brahms::program::AttributeId| program.attributes[of.index()].name.as_str();
    match program.keys.get(key) {
        Key::Attribute(of, name) => format!("{}.{}", entity(of), attribute(name)),
        Key::Entry(of, name, index) => {
            format!("{}.{}({})", entity(of), attribute(name), shown(program, index))
        }
        Key::Pair(of, name, to) => format!("{} {} {}", entity(of), attribute(name), entity(to)),
    }
}

/// What a store holds, sorted.
fn store(program: &Program, held: &[(KeyId, Value)]) -> Vec<String> {
    let line = |(at, value): &(KeyId, Value)| format!("{} = {}", key(program, *at), shown(program, *value));
    let mut lines: Vec<String> = held.iter().map(line).collect();
    lines.sort();
    lines
}

/// What somebody believes at the start.
fn beliefs(program: &Program, who: &str) -> Vec<String> {
    store(program, &actor(program, who).beliefs)
}

/// The key of a fixed place.
fn fixed(program: &Program, place: &Place) -> String {
    match place {
        Place::Fixed(at) => key(program, *at),
        other => panic!("not fixed: {other:?}"),
    }
}
