//! Two checkers, one claim: do they say the same?

use std::fmt;

use motet_evidence::Verdict;

/// What a cross-check found.
#[derive(Clone, Debug, PartialEq)]
pub enum Agreement {
    /// Both have an answer, and it is the same.
    Agree,
    /// Both have an answer, and they differ: one of the two is wrong.
    Disagree {
        /// Ours.
        native: Verdict,
        /// Theirs.
        external: Verdict,
    },
    /// At least one has no answer, so there is nothing to compare.
    Open {
        /// Ours.
        native: Verdict,
        /// Theirs.
        external: Verdict,
    },
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agree => f.write_str("agree"),
            Self::Disagree { native, external } => {
                write!(f, "native {}, external {}: see `motet explain M0953`", word(native), word(external))
            }
            Self::Open { native, external } => {
                write!(f, "native {}, external {}: nothing to compare", word(native), word(external))
            }
        }
    }
}

fn word(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Holds => "holds".to_owned(),
        Verdict::Fails => "fails".to_owned(),
        Verdict::Value { low, high } => format!("{low} to {high}"),
        Verdict::Unknown(_) => "unknown".to_owned(),
    }
}

/// Compares two verdicts on the same claim. Numbers agree when their intervals overlap.
#[must_use]
pub fn compare(native: &Verdict, external: &Verdict) -> Agreement {
    let same = match (native, external) {
        (Verdict::Unknown(_), _) | (_, Verdict::Unknown(_)) => {
            return Agreement::Open { native: native.clone(), external: external.clone() };
        }
        (Verdict::Value { low, high }, Verdict::Value { low: low2, high: high2 }) => {
            low <= high2 && low2 <= high
        }
        _ => native == external,
    };
    if same {
        Agreement::Agree
    } else {
        Agreement::Disagree { native: native.clone(), external: external.clone() }
    }
}

/// The verdict on `possible phi` from the verdict on "phi never happens", which is what Spin is asked.
#[must_use]
pub fn possible(never: Verdict) -> Verdict {
    match never {
        Verdict::Holds => Verdict::Fails,
        Verdict::Fails => Verdict::Holds,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use motet_evidence::Stop;

    use super::*;

    #[test]
    fn an_unknown_verdict_neither_agrees_nor_disagrees() {
        let cut = Verdict::Unknown(Stop::Depth);
        assert!(matches!(compare(&Verdict::Holds, &cut), Agreement::Open { .. }));
        let differ = compare(&Verdict::Holds, &Verdict::Fails);
        assert_eq!(differ.to_string(), "native holds, external fails: see `motet explain M0953`");
        assert_eq!(compare(&Verdict::Fails, &Verdict::Fails), Agreement::Agree);
    }

    #[test]
    fn a_possibility_is_the_opposite_of_never() {
        assert_eq!(possible(Verdict::Fails), Verdict::Holds);
        assert_eq!(possible(Verdict::Unknown(Stop::Memory)), Verdict::Unknown(Stop::Memory));
    }
}
