//! Models with exchanged words and numbers: whatever still is a model runs, and is told without panic and without
//! contradiction.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use motet_brahms::Brahms;
use motet_model::{ActionId, Change, Language, Options, ProcessId, State, Steps, System, What};
use motet_source::fuzz::{Random, each_seed, rounds};
use motet_source::{Problems, Sources};

const CORPUS: &[&str] =
    &[include_str!("corpus/care.b"), include_str!("corpus/ward.b"), include_str!("corpus/shift.b")];

/// Models in a usual test run.
const ROUNDS: u64 = 150;

/// Words that can stand for each other without breaking the grammar.
const CLASSES: &[&[&str]] = &[
    &["true", "false", "unknown"],
    &["=", "!=", "<", ">", "<=", ">="],
    &["forone", "foreach", "collectall"],
    &["abort", "impasse", "complete", "continue"],
    &["knownval", "not", "knownval"],
    &["start", "end"],
    &["Nurse", "Porter", "Bob", "Care_Worker", "House", "Ada", "Ben", "Nora"],
];

fn exchange(text: &str, random: &mut Random) -> String {
    let mut pieces: Vec<String> = Vec::new();
    let mut last_is_word = false;
    for character in text.chars() {
        let is_word = character.is_alphanumeric() || character == '_';
        match pieces.last_mut() {
            Some(piece) if is_word && last_is_word => piece.push(character),
            _ => pieces.push(character.to_string()),
        }
        last_is_word = is_word;
    }
    let class = |piece: &str| CLASSES.iter().find(|class| class.contains(&piece));
    let places: Vec<usize> = (0..pieces.len())
        .filter(|at| pieces[*at].parse::<u32>().is_ok() || class(&pieces[*at]).is_some())
        .collect();
    for _ in 0..=random.below(8) {
        let at = places[random.below(places.len())];
        pieces[at] = match class(&pieces[at]) {
            // Names of other models would only be unknown.
            Some(class) => {
                let keywords = class[0].starts_with(|c: char| c.is_lowercase() || !c.is_alphabetic());
                let known = class.iter().filter(|word| keywords || text.contains(**word));
                let known: Vec<&&str> = known.collect();
                (*known[random.below(known.len())]).to_string()
            }
            None => [0, 1, 2, 5, 10, 50, 90, 100, 600][random.below(9)].to_string(),
        };
    }
    pieces.concat()
}

fn system(text: &str) -> Option<System> {
    let mut sources = Sources::new();
    sources.add("model.b", text);
    let mut problems = Problems::new();
    let draft = Brahms.read(&sources, &Options::default(), &mut problems)?;
    draft.system(&[], &mut problems)
}

/// Each store as key and value: the beliefs of everybody, then the facts.
fn stores(system: &System, state: &State) -> Vec<BTreeMap<String, String>> {
    let split = |line: &String| {
        let parts = line.split_once(" = ").or_else(|| line.split_once(" is "));
        parts.map_or_else(
            || (line.clone(), "true".to_owned()),
            |(key, value)| (key.to_owned(), value.to_owned()),
        )
    };
    let minds = system.words.snapshot(state).minds;
    minds
        .iter()
        .map(|mind| mind.sections.last().expect("a store").items.iter().map(split).collect())
        .collect()
}

/// Applies what is told of a step.
fn apply(system: &System, state: &State, branch: u32) -> Vec<BTreeMap<String, String>> {
    let mut now = stores(system, state);
    let world = now.len() - 1;
    for event in system.words.events(state, 0, branch) {
        let lane = event.process.index();
        let (store, change) = match event.what {
            What::Believes(change) => (lane, change),
            What::Makes(change) => (world, change),
            What::Arrives { from, to } => {
                let subject = format!("{}.location", system.model.signature().processes[lane]);
                (world, Change { subject, before: from, after: to })
            }
            _ => continue,
        };
        if change.after == "none" {
            now[store].remove(&change.subject);
        } else {
            now[store].insert(change.subject, change.after);
        }
    }
    now
}

/// Runs a model for a while and looks at everything; whether it was a model.
fn look(text: &str, random: &mut Random) -> bool {
    let Some(system) = system(text) else { return false };
    let names: Vec<&str> =
        text.split_whitespace().filter(|word| word.starts_with("wf_") || word.starts_with("tf_")).collect();
    let mut states: Vec<Box<State>> = Vec::new();
    system.model.initial(&mut states);
    let mut steps = Steps::new(system.model.signature().slots.len());
    for _ in 0..25 {
        let state = states.last().expect("a start").clone();
        for name in &names {
            for account in system.words.account(&state, name) {
                assert!(!account.status.is_empty(), "{account:?}");
            }
        }
        for process in 0..system.model.signature().processes.len() {
            system.words.waits(ProcessId(u32::try_from(process).expect("few")), &state);
        }
        steps.clear();
        if system.model.steps(&state, &mut steps).is_err() {
            break;
        }
        let Some(step) = steps.get(0) else { break };
        let number = random.below(step.branches().len());
        let target = step.branches().nth(number).expect("just counted").target;
        let told = apply(&system, &state, u32::try_from(number).expect("few"));
        assert_eq!(told, stores(&system, target), "what is told is what happens");
        states.push(target.into());
    }
    let actions = vec![ActionId(0); states.len() - 1];
    for at in 0..states.len() {
        system.words.why(&states, &actions, at);
    }
    system.review.missing(&[]);
    true
}

#[test]
fn models_with_exchanged_words_are_told_without_contradiction() {
    let models = AtomicU64::new(0);
    each_seed(ROUNDS, |_, random| {
        let text = exchange(random.pick(CORPUS), random);
        models.fetch_add(u64::from(look(&text, random)), Ordering::Relaxed);
    });
    let (models, rounds) = (models.into_inner(), rounds(ROUNDS));
    assert!(models * 3 > rounds, "only {models} of {rounds} texts were models");
}
