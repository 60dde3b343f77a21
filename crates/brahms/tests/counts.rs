//! The case studies of Stocker 2013, chapters 8 and 9, where a folder with their models is given by `MOTET_MODELS`.

use std::collections::HashSet;

use motet_brahms::Brahms;
use motet_model::{Language, Options, State, Steps};
use motet_source::{Problems, Sources};

/// States and transitions of a model of the folder; `None` if there is none.
#[expect(clippy::disallowed_methods, reason = "the models are not part of the project")]
fn count(name: &str, rules: &[(&str, &str)]) -> Option<(usize, usize)> {
    let folder = std::env::var("MOTET_MODELS").ok()?;
    let text = std::fs::read_to_string(format!("{folder}/{name}")).ok()?;
    let mut sources = Sources::new();
    sources.add(name, text);
    let rules = rules.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let options = Options { rules, ..Options::default() };
    let mut problems = Problems::new();
    let draft = Brahms.read(&sources, &options, &mut problems);
    let system = draft.and_then(|draft| draft.system(&[], &mut problems));
    let model = system.unwrap_or_else(|| panic!("{}", problems.lines(&sources))).model;
    let mut states = Vec::new();
    model.initial(&mut states);
    let mut seen: HashSet<Box<State>> = states.iter().cloned().collect();
    let mut out = Steps::new(model.signature().slots.len());
    let (mut at, mut transitions) = (0, 0);
    while at < states.len() {
        out.clear();
        model.steps(&states[at], &mut out).unwrap_or_else(|fault| panic!("{fault}"));
        for branch in out.iter().flat_map(motet_model::Step::branches) {
            transitions += 1;
            if seen.insert(branch.target.into()) {
                states.push(branch.target.into());
            }
        }
        at += 1;
    }
    Some((states.len(), transitions))
}

fn check(name: &str, rules: &[(&str, &str)], expected: (usize, usize)) {
    if let Some(found) = count(name, rules) {
        assert_eq!(found, expected, "{name} {rules:?}");
    }
}

// The numbers are those that two interpreters written apart agree on. The first state, before anything happened, counts.

#[test]
fn the_home_helper_has_as_many_states_under_every_rule_as_the_slow_interpreter_finds() {
    for rules in [&[][..], &[("unknown", "zero")], &[("order", "reverse")]] {
        check("home_helper.b", rules, (1258, 1293));
    }
    check("home_helper.b", &[("detect-at-start", "no")], (1810, 1857));
    check("home_helper.b", &[("ties", "first")], (175, 175));
}

#[test]
fn the_digital_nurse_has_as_many_states_as_the_slow_interpreter_finds() {
    check("digital_nurse.b", &[], (12_459, 13_952));
    check("digital_nurse.b", &[("ties", "first")], (213, 212));
}
