//! PRISM, the probabilistic model checker, through its command.
//!
//! PRISM answers a list of properties with one block of lines each. Every property gets a name, so that each result is
//! known by the block it stands in, whatever else is printed.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::process::wait;
use crate::scratch::Scratch;
use crate::storm::{Found, Reply};
use crate::tool::{ExternalError, find};

/// What a number is trusted up to where PRISM does not say: it stops when values move little.
const PRECISION: f64 = 1e-5;

/// PRISM, ready to be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prism {
    /// Where it is.
    pub path: PathBuf,
    /// What it says about its version.
    pub version: String,
}

impl Prism {
    /// The command on the search path.
    ///
    /// # Errors
    /// When it is not there.
    pub fn find() -> Result<Self, ExternalError> {
        let tool = find("prism").ok_or(ExternalError::NoPrism)?;
        Ok(Self { path: tool.path, version: tool.version })
    }

    /// Asks all properties about a model in the PRISM language, with files in a new folder below `parent`.
    ///
    /// # Errors
    /// When PRISM cannot be started, refuses the model or says nothing that can be read.
    #[expect(clippy::disallowed_methods, reason = "this crate starts programs")]
    pub fn ask(
        &self,
        model: &str,
        properties: &[String],
        time: Duration,
        parent: &Path,
    ) -> Result<Vec<Reply>, ExternalError> {
        let folder = Scratch::new(parent)?;
        folder.write("model.prism", model)?;
        folder.write("claims.props", &named(properties))?;
        let system = |error| ExternalError::System("prism".to_owned(), error);
        let output = File::create(folder.path().join("prism.txt")).map_err(system)?;
        let mut child = Command::new(&self.path)
            .args(["model.prism", "claims.props", "-intervaliter"])
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stderr(output.try_clone().map_err(system)?)
            .stdout(output)
            .spawn()
            .map_err(system)?;
        let ended = wait(&mut child, time).map_err(system)?;
        let silence = if ended.is_some() { "PRISM gave no result" } else { "PRISM did not finish in time" };
        read(&folder.read("prism.txt")?, properties.len(), silence)
    }
}

/// `"claim0": P=? [ F x=1 ];`
fn named(properties: &[String]) -> String {
    let lines = properties.iter().enumerate();
    lines.map(|(number, property)| format!("\"claim{number}\": {property};\n")).collect()
}

/// Reads what PRISM printed.
fn read(text: &str, n_properties: usize, silence: &str) -> Result<Vec<Reply>, ExternalError> {
    let open = || Reply { found: Found::Open(silence.to_owned()), seconds: 0.0 };
    let mut replies: Vec<Reply> = (0..n_properties).map(|_| open()).collect();
    let mut current: Option<usize> = None;
    for line in text.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix("Model checking: \"claim") {
            current = rest.split('"').next().and_then(|number| number.parse().ok());
        } else if let Some(seconds) = line.strip_prefix("Time for model checking: ") {
            let seconds = seconds.split_whitespace().next().and_then(|number| number.parse().ok());
            if let (Some(seconds), Some(reply)) = (seconds, current.and_then(|at| replies.get_mut(at))) {
                reply.seconds = seconds;
            }
        } else if let Some(result) = line.strip_prefix("Result: ") {
            if let Some(reply) = current.and_then(|at| replies.get_mut(at)) {
                reply.found = found(result);
            }
        } else if let Some(words) = line.strip_prefix("Error: ") {
            match current.and_then(|at| replies.get_mut(at)) {
                Some(reply) => reply.found = Found::Open(words.to_owned()),
                // Before any property: the model itself.
                None => {
                    return Err(ExternalError::Refused { program: "prism", words: words.to_owned() });
                }
            }
        }
    }
    if current.is_none() && n_properties > 0 {
        let excerpt: Vec<&str> = text.lines().rev().filter(|line| !line.trim().is_empty()).take(3).collect();
        return Err(ExternalError::Unreadable(
            "prism",
            excerpt.into_iter().rev().collect::<Vec<_>>().join("; "),
        ));
    }
    Ok(replies)
}

/// `0.25 (+/- 2.5E-07 estimated; rel err 1.0E-06)`, `true`, `Infinity`, `[0.2,0.3] (range of values over initial states)`.
fn found(result: &str) -> Found {
    let (value, rest) = result.split_once(' ').unwrap_or((result, ""));
    match value {
        "true" => return Found::Truth(true),
        "false" => return Found::Truth(false),
        "Infinity" => return Found::Number { low: f64::INFINITY, high: f64::INFINITY, exact: None },
        _ => {}
    }
    let exact = rest.starts_with("(exact");
    let told = rest.split_once("(+/- ").and_then(|(_, error)| error.split_whitespace().next()?.parse().ok());
    match value.parse::<f64>() {
        Ok(value) => {
            let margin: f64 = match told {
                Some(error) => error,
                None if exact => 0.0,
                None => PRECISION * value.abs().max(1.0),
            };
            Found::Number { low: value - margin, high: value + margin, exact: None }
        }
        Err(_) => Found::Open(format!("PRISM says {result}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_known_by_the_block_they_stand_in() {
        let text = "Building model...\n\n---------\nModel checking: \"claim0\": P=? [ F x=1 ]\nTime for model checking: \
                    0.012 seconds.\n\nResult: 0.25 (+/- 0.001 estimated; rel err 0.004)\n\n--------\nModel checking: \
                    \"claim1\": S>0.5 [ x=1 ]\n\nError: not supported for MDPs.\n\n-------\nModel checking: \"claim2\": \
                    P>=0.2 [ F x=1 ]\nProperty satisfied in 3 of 4 states.\nResult: true\n-----\nModel checking: \
                    \"claim3\": R=? [ F x=2 ]\nResult: Infinity\n";
        let replies = read(text, 5, "silence").unwrap();
        let found: Vec<&Found> = replies.iter().map(|reply| &reply.found).collect();
        assert_eq!(*found[0], Found::Number { low: 0.249, high: 0.251, exact: None });
        assert!((replies[0].seconds - 0.012).abs() < 1e-12);
        assert_eq!(*found[1], Found::Open("not supported for MDPs.".to_owned()));
        assert_eq!(*found[2], Found::Truth(true));
        assert_eq!(*found[3], Found::Number { low: f64::INFINITY, high: f64::INFINITY, exact: None });
        assert_eq!(*found[4], Found::Open("silence".to_owned()));
    }

    #[test]
    fn a_model_that_is_refused_is_an_error_and_so_is_silence() {
        let refused = read("Parsing model file \"model.prism\"...\nError: Syntax error (line 1).\n", 1, "");
        assert!(matches!(refused, Err(ExternalError::Refused { program: "prism", .. })));
        assert!(matches!(read("Exception in thread", 1, ""), Err(ExternalError::Unreadable("prism", _))));
    }
}
