//! The other checkers: which are here, and how each is run on a model and its report read.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use crate::bench::{Basis, Bench, Contender, Sample, Standing};
use crate::machine::first_line;
use crate::measure::{measure, measure_fed};

/// The environment variable that names a Python with Storm's package; the tool reads it too.
const PYTHON: &str = "MOTET_STORM_PYTHON";

/// Reads a model and questions as JSON and answers line by line.
const ASK: &str = "crates/external/src/storm/ask.py";

/// The other checkers, each with its place or the reason why it is not here.
pub(crate) struct Peers {
    pub(crate) spin: Result<(), String>,
    pub(crate) storm: Result<Storm, String>,
    pub(crate) prism: Result<String, String>,
}

/// Storm through its Python package.
pub(crate) struct Storm {
    python: PathBuf,
    version: String,
}

impl Peers {
    /// Looks for all of them.
    pub(crate) fn find(root: &Path) -> Self {
        let program = |name: &str, option: &str| {
            first_line(name, option).ok_or_else(|| format!("not measured: `{name}` is not installed"))
        };
        let spin = program("spin", "-V").and_then(|_| program("gcc", "--version")).map(|_| ());
        Self { spin, storm: find_storm(root), prism: program("prism", "-version") }
    }

    /// Nobody, for this reason.
    #[cfg(test)]
    pub(crate) fn none(reason: &str) -> Self {
        let none = || reason.to_owned();
        Self { spin: Err(none()), storm: Err(none()), prism: Err(none()) }
    }

    pub(crate) fn storm_version(&self) -> Option<&str> {
        self.storm.as_ref().ok().map(|storm| storm.version.as_str())
    }

    pub(crate) fn prism_version(&self) -> Option<&str> {
        self.prism.as_deref().ok()
    }
}

/// In the Python that the environment names, in `target/storm`, or in the system's own.
fn find_storm(root: &Path) -> Result<Storm, String> {
    let named = std::env::var_os(PYTHON).filter(|name| !name.is_empty()).map(PathBuf::from);
    let places = named.into_iter().chain([root.join("target/storm/bin/python3"), PathBuf::from("python3")]);
    for python in places {
        let question = "import stormpy, stormpy.info; print(stormpy.info.storm_version())";
        let Ok(output) = Command::new(&python).args(["-c", question]).output() else { continue };
        let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        if output.status.success() && !version.is_empty() {
            return Ok(Storm { python, version });
        }
    }
    Err("not measured: no Python here can import stormpy".to_owned())
}

/// A model in the PRISM language with questions.
#[derive(Clone)]
pub(crate) struct Questions {
    /// Where the model is, and where files may be put.
    pub(crate) folder: PathBuf,
    /// The model in that folder.
    pub(crate) model: String,
    pub(crate) properties: Vec<String>,
}

impl Questions {
    /// Storm and PRISM, there or not.
    pub(crate) fn contenders<'a>(&self, bench: &'a Bench) -> Vec<Contender<'a>> {
        let absent = |words: &String| Standing::Absent(words.clone());
        let (storm, prism) = (self.clone(), self.clone());
        let storm = bench.peers.storm.as_ref().map_or_else(absent, |here| Standing::Ready {
            compile: None,
            run: Box::new(move || storm.ask_storm(bench, here)),
        });
        let prism = bench.peers.prism.as_ref().map_or_else(absent, |_| Standing::Ready {
            compile: None,
            run: Box::new(move || prism.ask_prism(bench)),
        });
        let contender =
            |name: &str, standing| Contender { name: name.to_owned(), basis: Basis::Work, standing };
        vec![contender("Storm, sparse", storm), contender("PRISM", prism)]
    }

    fn ask_storm(&self, bench: &Bench, storm: &Storm) -> Result<Sample> {
        let limit = bench.limit();
        let order = json!({
            "kind": "prism", "file": self.model, "constants": "", "properties": self.properties, "exact": false,
            "precision": 1e-6, "prune": false, "memory": 8192,
        });
        let (input, output) = (self.folder.join("storm.json"), self.folder.join("storm.log"));
        std::fs::write(&input, order.to_string())?;
        let mut command = Command::new(&storm.python);
        command.current_dir(&self.folder).arg(bench.root.join(ASK)).stdin(File::open(&input)?);
        let (cost, ended) = measure_fed(&mut command, &output, limit)?;
        if let Some(cut) = ended.cut(limit) {
            return Ok(Sample { cost, cut: Some(cut), ..Sample::default() });
        }
        let sample = read_storm(&std::fs::read_to_string(&output)?, self.properties.len());
        let sample = sample.with_context(|| format!("see {}", output.display()))?;
        Ok(Sample { cost, startup_mib: bench.startup.storm, ..sample })
    }

    fn ask_prism(&self, bench: &Bench) -> Result<Sample> {
        let limit = bench.limit();
        let named = self.properties.iter().map(|property| format!("{property};\n"));
        std::fs::write(self.folder.join("claims.props"), named.collect::<String>())?;
        let output = self.folder.join("prism.log");
        let mut command = Command::new("prism");
        command.current_dir(&self.folder).args([&self.model, "claims.props", "-sparse", "-intervaliter"]);
        let (cost, ended) = measure(&mut command, &output, limit)?;
        if let Some(cut) = ended.cut(limit) {
            return Ok(Sample { cost, cut: Some(cut), ..Sample::default() });
        }
        let sample = read_prism(&std::fs::read_to_string(&output)?, self.properties.len());
        Ok(Sample { cost, startup_mib: bench.startup.prism, ..sample })
    }
}

/// Reads Storm's answers: one JSON object in a line, the model first. Other lines are Storm's remarks.
fn read_storm(text: &str, n_properties: usize) -> Result<Sample> {
    let mut sample = Sample { values: vec![None; n_properties], ..Sample::default() };
    let (mut work, mut open) = (0.0, n_properties);
    for line in text.lines() {
        let Ok(line) = serde_json::from_str::<Value>(line) else { continue };
        if let Some(words) = line.get("failed").or(line.get("missing")) {
            bail!("Storm refuses the model: {words}");
        }
        work += line.get("seconds").and_then(Value::as_f64).unwrap_or(0.0);
        let Some(number) = line.get("property").and_then(Value::as_u64) else {
            sample.states = line.get("states").and_then(Value::as_u64).or(sample.states);
            sample.transitions = line.get("transitions").and_then(Value::as_u64).or(sample.transitions);
            continue;
        };
        if line.get("error").is_none() {
            open = open.saturating_sub(1);
        }
        let bound = |name: &str| match line.get(name)? {
            Value::String(word) if word.starts_with('-') => Some(f64::NEG_INFINITY),
            Value::String(_) => Some(f64::INFINITY),
            number => number.as_f64(),
        };
        if let Some(slot) = sample.values.get_mut(usize::try_from(number).unwrap_or(usize::MAX)) {
            *slot = bound("low").zip(bound("high"));
        }
    }
    sample.states.context("Storm says nothing about the model")?;
    sample.cut = (open > 0).then(|| format!("{open} of {n_properties} questions open"));
    sample.work = Some(work);
    Ok(sample)
}

/// Reads what PRISM prints: sizes, and the seconds for building and for each question.
fn read_prism(text: &str, n_properties: usize) -> Sample {
    let number = |line: &str, mark: &str| -> Option<f64> {
        line.trim().strip_prefix(mark)?.split_whitespace().next()?.parse().ok()
    };
    let sum = |mark: &str| -> f64 { text.lines().filter_map(|line| number(line, mark)).sum() };
    let size = |mark: &str| {
        let line = text.lines().find_map(|line| line.trim().strip_prefix(mark))?;
        line.split_whitespace().next()?.parse().ok()
    };
    let answered = text.lines().filter(|line| line.starts_with("Result:")).count();
    let open = n_properties.saturating_sub(answered);
    Sample {
        states: size("States:"),
        transitions: size("Transitions:"),
        work: Some(sum("Time for model construction:") + sum("Time for model checking:")),
        cut: (open > 0).then(|| format!("{open} of {n_properties} questions open")),
        ..Sample::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storms_answers_are_read_between_its_remarks() {
        let text = "WARN (Program.cpp:202): The input model is a CTMC, but uses probabilities\n\
            {\"version\": \"2.0.0\", \"type\": \"mdp\", \"states\": 7, \"choices\": 8, \"transitions\": 11, \"seconds\": 0.5}\n\
            {\"property\": 0, \"seconds\": 0.25, \"low\": 0.1, \"high\": 0.2}\n\
            {\"property\": 1, \"seconds\": 0.25, \"low\": \"inf\", \"high\": \"inf\"}\n\
            {\"property\": 2, \"seconds\": 1.0, \"truth\": true}\n";
        let sample = read_storm(text, 3).unwrap();
        assert_eq!((sample.states, sample.transitions, sample.work), (Some(7), Some(11), Some(2.0)));
        assert_eq!(sample.values, [Some((0.1, 0.2)), Some((f64::INFINITY, f64::INFINITY)), None]);
        assert_eq!(sample.cut, None);
        assert_eq!(read_storm(text, 4).unwrap().cut.as_deref(), Some("1 of 4 questions open"));
        let refused = text.replace("\"truth\": true", "\"error\": \"not supported\"");
        assert_eq!(read_storm(&refused, 3).unwrap().cut.as_deref(), Some("1 of 3 questions open"));
    }

    #[test]
    fn a_model_that_storm_refuses_is_an_error() {
        assert!(read_storm("{\"failed\": \"no such file\"}\n", 1).is_err());
        assert!(read_storm("", 0).is_err());
    }

    #[test]
    fn the_times_of_prism_add_up() {
        let text = "Building model...\n\nTime for model construction: 0.25 seconds.\n\nType:        DTMC\n\
            States:      13 (1 initial)\nTransitions: 20\n\nTime for model checking: 0.5 seconds.\n\n\
            Result: 0.1666665 (+/- 1.0E-7)\n\nTime for model checking: 1.0 seconds.\n\nResult: true\n";
        let sample = read_prism(text, 2);
        assert_eq!((sample.states, sample.transitions, sample.work), (Some(13), Some(20), Some(1.75)));
        assert_eq!(sample.cut, None);
        assert!(read_prism(text, 3).cut.is_some());
    }
}
