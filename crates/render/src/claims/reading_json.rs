//! Explained claims as programs read them, schema `motet.explain/1`. Fields are only ever added.

use motet_property::Kind;
use serde::Serialize;

use crate::claims::reading::{ExampleRun, ExampleRuns, ExampleSystem, ExampleSystems, Reading, Sketch};

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    motet: &'static str,
    claims: Vec<Claim>,
}

#[derive(Serialize)]
struct Claim {
    name: String,
    kind: &'static str,
    words: Option<String>,
    text: String,
    english: String,
    formula: String,
    logic: &'static str,
    answered: String,
    /// Which strategies its numbers are over, where somebody chooses.
    #[serde(skip_serializing_if = "Option::is_none")]
    numbers_over: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    runs: Option<Pair<Run>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    systems: Option<Pair<System>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    situations: Option<Situations>,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_example: Option<&'static str>,
}

#[derive(Serialize)]
struct Pair<T> {
    atoms: Vec<String>,
    satisfied: Option<T>,
    violated: Option<T>,
}

#[derive(Serialize)]
struct Run {
    steps: Vec<Step>,
    /// The number of the step that follows the last one.
    back: usize,
}

#[derive(Serialize)]
struct Step {
    when: String,
    holds: Vec<bool>,
}

#[derive(Serialize)]
struct System {
    states: Vec<State>,
}

#[derive(Serialize)]
struct State {
    holds: Vec<bool>,
    next: Vec<usize>,
}

#[derive(Serialize)]
struct Situations {
    satisfied: Vec<String>,
    violated: Vec<String>,
}

/// Explained claims as one JSON document.
#[must_use]
pub fn readings_json(readings: &[Reading]) -> String {
    let claims = readings.iter().map(claim).collect();
    let document = Document { schema: "motet.explain/1", motet: env!("CARGO_PKG_VERSION"), claims };
    let text = serde_json::to_string_pretty(&document).expect("texts and truths are JSON");
    format!("{text}\n")
}

fn claim(reading: &Reading) -> Claim {
    let mut claim = Claim {
        name: reading.name.clone(),
        kind: match reading.kind {
            Kind::Property => "property",
            Kind::Possible => "possible",
            Kind::Query => "query",
            Kind::Assume => "assume",
        },
        words: reading.words.clone(),
        text: reading.text.clone(),
        english: reading.english.clone(),
        formula: reading.formula.clone(),
        logic: reading.logic,
        answered: reading.answered.clone(),
        numbers_over: reading.over.clone(),
        runs: None,
        systems: None,
        situations: None,
        no_example: None,
    };
    match &reading.shown {
        Sketch::Runs(runs) => claim.runs = Some(pair_of_runs(runs)),
        Sketch::Systems(systems) => claim.systems = Some(pair_of_systems(systems)),
        Sketch::Situations(satisfied, violated) => {
            claim.situations = Some(Situations { satisfied: satisfied.clone(), violated: violated.clone() });
        }
        Sketch::Nothing(why) => claim.no_example = Some(why),
    }
    claim
}

fn pair_of_runs(runs: &ExampleRuns) -> Pair<Run> {
    let run = |word: &ExampleRun| {
        let step = |(number, row): (usize, &Vec<bool>)| Step { when: runs.when(number), holds: row.clone() };
        Run { steps: word.rows.iter().enumerate().map(step).collect(), back: word.back }
    };
    Pair {
        atoms: runs.columns.clone(),
        satisfied: runs.satisfied.as_ref().map(run),
        violated: runs.violated.as_ref().map(run),
    }
}

fn pair_of_systems(systems: &ExampleSystems) -> Pair<System> {
    let system = |small: &ExampleSystem| {
        let state = |(row, next): (&Vec<bool>, &Vec<usize>)| State { holds: row.clone(), next: next.clone() };
        System { states: small.rows.iter().zip(&small.next).map(state).collect() }
    };
    Pair {
        atoms: systems.columns.clone(),
        satisfied: systems.satisfied.as_ref().map(system),
        violated: systems.violated.as_ref().map(system),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_its_steps_and_its_loop() {
        let word = ExampleRun { rows: vec![vec![true], vec![false]], back: 1 };
        let runs = ExampleRuns {
            columns: vec!["p".to_owned()],
            tick: None,
            satisfied: Some(word),
            violated: None,
            remark: None,
        };
        let reading = Reading {
            name: "x".to_owned(),
            kind: Kind::Property,
            words: None,
            text: "p".to_owned(),
            english: "p".to_owned(),
            formula: "p".to_owned(),
            logic: "linear time",
            answered: String::new(),
            over: None,
            shown: Sketch::Runs(Box::new(runs)),
        };
        let json: serde_json::Value = serde_json::from_str(&readings_json(&[reading])).expect("JSON");
        let run = &json["claims"][0]["runs"];
        assert_eq!(run["satisfied"]["back"], 1);
        assert_eq!(run["satisfied"]["steps"][0]["holds"][0], true);
        assert!(run["violated"].is_null());
        assert_eq!(json["schema"], "motet.explain/1");
    }
}
