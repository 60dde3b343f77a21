//! What a check did to look at fewer states, in words.

use serde::Serialize;

use crate::typesetting::number::grouped;

/// A reduction that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReductionReport {
    /// `partial order`.
    pub name: &'static str,
    /// What came of it.
    pub result: ReductionResult,
}

/// What came of a reduction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReductionResult {
    /// It was used: what it did, as in `12 of 40 states looked at a part of their steps only`, and that as a number.
    Used(String, u64),
    /// It was not, because of these claims: their names, and why.
    Claims(Vec<(String, String)>),
    /// It was not, because of the model: why.
    Model(String),
}

impl ReductionReport {
    /// Whether states were left out.
    #[must_use]
    pub fn is_used(&self) -> bool {
        matches!(self.result, ReductionResult::Used(..))
    }

    /// One line for people.
    #[must_use]
    pub fn line(&self) -> String {
        let name = self.name;
        match &self.result {
            ReductionResult::Used(words, _) => format!("{name}: {words}"),
            ReductionResult::Model(why) => format!("{name} not used: {why}"),
            ReductionResult::Claims(claims) => {
                let claims: Vec<String> =
                    claims.iter().map(|(claim, why)| format!("{claim}: {why}")).collect();
                format!("{name} not used: {}", claims.join("; "))
            }
        }
    }
}

/// `1 234 of 5 678`.
#[must_use]
pub fn share(part: u64, whole: u64) -> String {
    format!("{} of {}", grouped(part), grouped(whole))
}

/// The same for programs.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct JsonReduction {
    name: &'static str,
    used: bool,
    words: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    saved: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    claims: Vec<String>,
}

impl From<&ReductionReport> for JsonReduction {
    fn from(report: &ReductionReport) -> Self {
        let (saved, claims) = match &report.result {
            ReductionResult::Used(_, saved) => (Some(*saved), Vec::new()),
            ReductionResult::Claims(claims) => {
                (None, claims.iter().map(|(claim, _)| claim.clone()).collect())
            }
            ReductionResult::Model(_) => (None, Vec::new()),
        };
        Self { name: report.name, used: saved.is_some(), words: report.line(), saved, claims }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reduction_says_what_it_did_or_who_stood_in_its_way() {
        let used = ReductionResult::Used(format!("{} states", share(1234, 5678)), 1234);
        let used = ReductionReport { name: "partial order", result: used };
        assert_eq!(used.line(), "partial order: 1 234 of 5 678 states");
        let claims = vec![("Soon".to_owned(), "it counts steps".to_owned())];
        let refused = ReductionReport { name: "chains", result: ReductionResult::Claims(claims) };
        assert_eq!(refused.line(), "chains not used: Soon: it counts steps");
        let json = serde_json::to_string(&JsonReduction::from(&refused)).unwrap();
        assert_eq!(
            json,
            r#"{"name":"chains","used":false,"words":"chains not used: Soon: it counts steps","claims":["Soon"]}"#
        );
    }
}
