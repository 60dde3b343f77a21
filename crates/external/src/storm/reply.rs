//! What the Python program says: one JSON object per line, the model first.

use serde::Deserialize;

use crate::tool::ExternalError;

/// What Storm says about a task.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Storm's version.
    pub version: String,
    /// `dtmc`, `mdp`.
    pub sort: String,
    /// States of the model that Storm built.
    pub states: u64,
    /// Its choices.
    pub choices: u64,
    /// Its transitions, each outcome counted.
    pub transitions: u64,
    /// Seconds that it took to build the model.
    pub build_seconds: f64,
    /// One per property, in order.
    pub replies: Vec<Reply>,
}

/// The answer to one property.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// What was found.
    pub found: Found,
    /// Seconds that it took.
    pub seconds: f64,
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// A number between bounds that Storm vouches for; both are infinite where the value is.
    Number {
        /// Not less.
        low: f64,
        /// Not more.
        high: f64,
        /// The value as a fraction, in exact arithmetic.
        exact: Option<String>,
    },
    /// A truth.
    Truth(bool),
    /// A threshold lies within the bounds of the number that is compared with it. Exact arithmetic would tell.
    Undecided,
    /// No answer, and why: the property was refused, or time was over.
    Open(String),
}

/// How the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// As it should.
    Itself,
    /// Its time was over.
    Time,
    /// In some other way: memory, a crash.
    Died,
}

/// A line, of any kind.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Line {
    missing: Option<String>,
    failed: Option<String>,
    version: Option<String>,
    #[serde(rename = "type")]
    sort: String,
    states: u64,
    choices: u64,
    transitions: u64,
    seconds: f64,
    property: Option<usize>,
    error: Option<String>,
    low: Option<Number>,
    high: Option<Number>,
    exact: Option<String>,
    truth: Option<bool>,
}

/// JSON has no infinity, so it comes as a word.
#[derive(Deserialize)]
#[serde(untagged)]
enum Number {
    Finite(f64),
    Word(String),
}

impl Number {
    fn value(self) -> f64 {
        match self {
            Self::Finite(value) => value,
            Self::Word(word) if word.starts_with('-') => f64::NEG_INFINITY,
            Self::Word(_) => f64::INFINITY,
        }
    }
}

/// Reads the lines. What was not answered when the program ended is open.
pub(super) fn read(
    lines: &str,
    complaints: &str,
    n_properties: usize,
    ended: Ended,
) -> Result<Answer, ExternalError> {
    let mut answer = Answer::default();
    let mut replies: Vec<Option<Reply>> = vec![None; n_properties];
    for line in lines.lines() {
        let Ok(line) = serde_json::from_str::<Line>(line) else { continue };
        if let Some(words) = line.missing {
            return Err(ExternalError::NoStorm(words));
        }
        if let Some(words) = line.failed {
            return Err(ExternalError::Refused { program: "storm", words });
        }
        if let Some(version) = line.version {
            answer = Answer {
                version,
                sort: line.sort,
                states: line.states,
                choices: line.choices,
                transitions: line.transitions,
                build_seconds: line.seconds,
                replies: Vec::new(),
            };
        } else if let Some(slot) = line.property.and_then(|number| replies.get_mut(number)) {
            *slot = Some(Reply { seconds: line.seconds, found: found(line) });
        }
    }
    if answer.version.is_empty() {
        return Err(match ended {
            Ended::Time => ExternalError::Time("storm"),
            _ => ExternalError::Unreadable("storm", excerpt(complaints)),
        });
    }
    let silence = match ended {
        Ended::Time => "Storm did not finish in time".to_owned(),
        _ => format!("Storm died: {}", excerpt(complaints)),
    };
    let open = || Reply { found: Found::Open(silence.clone()), seconds: 0.0 };
    answer.replies = replies.into_iter().map(|reply| reply.unwrap_or_else(open)).collect();
    Ok(answer)
}

fn found(line: Line) -> Found {
    match (line.error, line.low, line.high, line.truth) {
        (Some(words), ..) => Found::Open(words),
        (_, Some(low), Some(high), _) => {
            Found::Number { low: low.value(), high: high.value(), exact: line.exact }
        }
        (_, _, _, Some(truth)) => Found::Truth(truth),
        _ => Found::Undecided,
    }
}

/// The last lines that say something.
fn excerpt(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(3)..];
    if last.is_empty() { "it said nothing".to_owned() } else { last.join("; ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = r#"{"version": "2.0.0", "type": "mdp", "states": 7, "choices": 8, "transitions": 11, "seconds": 0.1}"#;

    #[test]
    fn an_infinite_number_and_an_open_threshold_are_read() {
        let lines = format!(
            "{MODEL}\n{}\n{}\n",
            r#"{"property": 0, "seconds": 0.1, "low": "inf", "high": "inf"}"#,
            r#"{"property": 1, "seconds": 0.1, "truth": null}"#
        );
        let answer = read(&lines, "", 3, Ended::Time).unwrap();
        assert_eq!((answer.states, answer.choices, answer.transitions), (7, 8, 11));
        let infinite = Found::Number { low: f64::INFINITY, high: f64::INFINITY, exact: None };
        assert_eq!(answer.replies[0].found, infinite);
        assert_eq!(answer.replies[1].found, Found::Undecided);
        assert_eq!(answer.replies[2].found, Found::Open("Storm did not finish in time".to_owned()));
    }

    #[test]
    fn a_refused_model_and_a_silent_death_are_errors() {
        let refused = read("{\"failed\": \"no such file\"}\n", "", 1, Ended::Itself);
        assert!(matches!(refused, Err(ExternalError::Refused { program: "storm", .. })));
        assert!(matches!(read("", "killed", 1, Ended::Died), Err(ExternalError::Unreadable("storm", _))));
        assert!(matches!(read("", "", 1, Ended::Time), Err(ExternalError::Time("storm"))));
    }
}
