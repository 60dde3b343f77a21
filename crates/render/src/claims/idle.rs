//! Parts that a claim does not depend on, in words.

use motet_evidence::Vacuity;
use serde::Serialize;

use crate::claims::report::ClaimReport;
use crate::typesetting::number::count;
use crate::typesetting::page::{Detail, View, plain};

/// Parts told unless the reader wants more.
const LIMIT_PARTS: usize = 3;

/// A part of a claim that holds, which it does not depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdleReport {
    /// The part in English.
    pub words: String,
    /// The part as a formula.
    pub formula: String,
    /// What stands in its place in the stronger claim.
    pub constant: bool,
    /// The stronger claim, which holds too, in English.
    pub stronger: String,
    /// The stronger claim as a formula.
    pub stronger_formula: String,
}

/// The same as programs read it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct JsonIdle {
    part: String,
    english: String,
    constant: bool,
    stronger: String,
    stronger_english: String,
}

impl From<&IdleReport> for JsonIdle {
    fn from(idle: &IdleReport) -> Self {
        Self {
            part: idle.formula.clone(),
            english: idle.words.clone(),
            constant: idle.constant,
            stronger: idle.stronger_formula.clone(),
            stronger_english: idle.stronger.clone(),
        }
    }
}

/// Lines under a claim: `holds even without "the light is green": always, eventually ...`.
pub(crate) fn idle_remarks(claim: &ClaimReport, view: &View) -> Vec<String> {
    let limit = if view.detail == Detail::Verbose { usize::MAX } else { LIMIT_PARTS };
    let line =
        |idle: &IdleReport| format!("holds even without `{}`: {}", plain(&idle.words), plain(&idle.stronger));
    let mut lines: Vec<String> = claim.idle.iter().take(limit).map(line).collect();
    let more = claim.idle.len().saturating_sub(limit);
    if more > 0 {
        lines.push(format!("and without each of {more} more parts, -v shows them"));
    }
    if let Some(last) = lines.last_mut() {
        last.push_str(" · motet explain M0290");
    }
    if let Vacuity::Examined { unchecked: unchecked @ 1.., .. } = claim.outcome.vacuity {
        lines.push(format!("whether it depends on {} is not known", count(unchecked, "more part")));
    }
    lines
}
