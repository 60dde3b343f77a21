//! What a page says must come out, one line each.

use std::fmt;

use motet_model::Ratio;

/// One expectation.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// `RESULT: holds S1`
    Verdict(Word, String),
    /// `RESULT: P1 = 1/6`, `RESULT: P1 = 0.6358 +- 0.0001`, `RESULT: R1 = infinity`
    Value {
        /// The query.
        name: String,
        /// The value, exactly; `None` where the page says that it is infinite.
        value: Option<Ratio>,
        /// How far the certified interval, or the fraction, may be from it.
        tolerance: Ratio,
    },
    /// `RESULT: 5401 states`, `RESULT: 5401 states, 19403 transitions`, and `, 6000 choices`
    Size {
        /// Distinct states.
        states: u64,
        /// Steps between them.
        transitions: Option<u64>,
        /// Steps, each counted once however many outcomes it has.
        choices: Option<u64>,
    },
    /// `RESULT: problem M0210`: the texts have this problem. If it is an error nothing is checked.
    Problem(String),
    /// `RESULT: notice M0601`: the exploration gave this notice.
    Notice(String),
    /// `RESULT: export M0902`: the model has no Promela translation, for this reason.
    Export(String),
    /// `RESULT: part S1 the light is green`: the claim does not depend on this part of it, in English. All such parts are listed.
    Part(String, String),
    /// `RESULT: fact S1 the light is red`: this fact, in English, decides the claim on its run. If one is listed, all are.
    Fact(String, String),
    /// `RESULT: without S1 agent Robot`: the claim was checked without this. All such parts are listed.
    Without(String, String),
    /// `RESULT: never turn`: the text of this name never happens. All such texts are listed.
    Never(String),
    /// `RESULT: unneeded turn`: the text of this name happens, and no claim depends on it. All such texts are listed.
    Unneeded(String),
}

/// A verdict as a page writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Word {
    /// A property holds, and not vacuously.
    Holds,
    /// A property holds because its trigger never happens.
    Vacuous,
    /// A property fails.
    Fails,
    /// A possibility has a witness.
    Reachable,
    /// A possibility has none.
    Unreachable,
    /// No answer: a bound or a limit.
    Unknown,
    /// A property holds on the runs that an option left.
    HoldsOnPart,
    /// A possibility has no witness among the runs that an option left.
    UnreachableOnPart,
    /// A claim that no run alone shows wrong fails on the runs that an option left.
    FailsOnPart,
    /// A possibility that no run alone shows is one on the runs that an option left.
    ReachableOnPart,
}

impl Word {
    const ALL: [Word; 10] = [
        Word::Holds,
        Word::Vacuous,
        Word::Fails,
        Word::Reachable,
        Word::Unreachable,
        Word::Unknown,
        Word::HoldsOnPart,
        Word::UnreachableOnPart,
        Word::FailsOnPart,
        Word::ReachableOnPart,
    ];

    fn text(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Vacuous => "vacuous",
            Self::Fails => "fails",
            Self::Reachable => "reachable",
            Self::Unreachable => "unreachable",
            Self::Unknown => "unknown",
            Self::HoldsOnPart => "holds on the runs looked at",
            Self::UnreachableOnPart => "unreachable on the runs looked at",
            Self::FailsOnPart => "fails on the runs looked at",
            Self::ReachableOnPart => "reachable on the runs looked at",
        }
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Reads a line `RESULT: ...`.
///
/// # Errors
/// A message when the line has none of the known forms.
pub fn parse_line(line: &str) -> Result<Expected, String> {
    let unknown = || format!("cannot understand `{line}`");
    let words: Vec<&str> = line.strip_prefix("RESULT:").ok_or_else(unknown)?.split_whitespace().collect();
    let number = |text: &str| text.parse::<u64>().map_err(|_| unknown());
    match words[..] {
        ["problem", code] => Ok(Expected::Problem(code.to_owned())),
        ["notice", code] => Ok(Expected::Notice(code.to_owned())),
        ["export", code] => Ok(Expected::Export(code.to_owned())),
        ["part", claim, ref part @ ..] if !part.is_empty() => {
            Ok(Expected::Part(claim.to_owned(), part.join(" ")))
        }
        ["fact", claim, ref fact @ ..] if !fact.is_empty() => {
            Ok(Expected::Fact(claim.to_owned(), fact.join(" ")))
        }
        ["without", claim, ref part @ ..] if !part.is_empty() => {
            Ok(Expected::Without(claim.to_owned(), part.join(" ")))
        }
        ["never", ref name @ ..] if !name.is_empty() => Ok(Expected::Never(name.join(" "))),
        ["unneeded", ref name @ ..] if !name.is_empty() => Ok(Expected::Unneeded(name.join(" "))),
        [states, "states" | "state"] => {
            Ok(Expected::Size { states: number(states)?, transitions: None, choices: None })
        }
        [states, "states," | "state,", transitions, "transitions" | "transition"] => Ok(Expected::Size {
            states: number(states)?,
            transitions: Some(number(transitions)?),
            choices: None,
        }),
        [states, "states,", transitions, "transitions,", choices, "choices"] => Ok(Expected::Size {
            states: number(states)?,
            transitions: Some(number(transitions)?),
            choices: Some(number(choices)?),
        }),
        [name, "=", value] => {
            // A fraction or decimal is the exact value.
            let value = value_of(value).ok_or_else(unknown)?;
            Ok(Expected::Value { name: name.to_owned(), value, tolerance: Ratio::ZERO })
        }
        [name, "=", value, "+-", tolerance] => {
            let (value, tolerance) = value_of(value).zip(Ratio::read(tolerance)).ok_or_else(unknown)?;
            Ok(Expected::Value { name: name.to_owned(), value, tolerance })
        }
        [name, "=", ref length @ ..] => {
            let value = Some(time_of(length).ok_or_else(unknown)?);
            Ok(Expected::Value { name: name.to_owned(), value, tolerance: Ratio::ZERO })
        }
        // `RESULT: holds on the runs looked at S1`
        [ref words @ .., claim] if words.len() == 1 || words.ends_with(&["looked", "at"]) => {
            let word = words.join(" ");
            let word = Word::ALL.into_iter().find(|known| known.text() == word).ok_or_else(unknown)?;
            Ok(Expected::Verdict(word, claim.to_owned()))
        }
        _ => Err(unknown()),
    }
}

/// `4 min 20 s` in milliseconds, `37 cycles`.
fn time_of(length: &[&str]) -> Option<Ratio> {
    length.chunks(2).try_fold(Ratio::ZERO, |sum, part| {
        let [amount, unit] = part else { return None };
        let scale = match *unit {
            "ms" | "cycle" | "cycles" | "firing" | "firings" | "step" | "steps" => 1,
            "s" => 1_000,
            "min" => 60_000,
            "h" => 3_600_000,
            "d" => 86_400_000,
            _ => return None,
        };
        sum.checked_add(Ratio::read(amount)?.checked_mul(Ratio::whole(scale))?)
    })
}

/// `0.5`, `1/6`, `4.48e-8`, `infinity`, which is none.
#[expect(clippy::option_option, reason = "what cannot be read is something else than what is infinite")]
fn value_of(text: &str) -> Option<Option<Ratio>> {
    if text == "infinity" { Some(None) } else { Ratio::read(text).map(Some) }
}
