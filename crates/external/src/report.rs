//! What Spin's verifier reports at the end of a search. Only a completed search with no errors is a pass.

use motet_evidence::{Stop, Verdict};

use crate::ExternalError;

/// A report, read.
#[derive(Clone, Debug, PartialEq)]
pub struct SpinReport {
    /// What follows from it for the claim.
    pub verdict: Verdict,
    /// States stored, those of the claim's automaton and of fairness multiplied in.
    pub states: u64,
    /// Transitions, counted likewise.
    pub transitions: u64,
    /// Seconds, as the verifier counts them.
    pub seconds: f64,
    /// Bytes of one state.
    pub vector: u64,
    /// Whether a trail was written.
    pub trail: bool,
    /// All of the report.
    pub text: String,
}

/// Bounds of an exported model are asserted through variables with this prefix.
const BOUND: &str = "bound_";

/// Reads the text that a verifier wrote.
///
/// # Errors
/// When it is no report: the verifier died before it could write one.
pub fn read_report(text: &str) -> Result<SpinReport, ExternalError> {
    let errors = text
        .lines()
        .find_map(|line| line.split_once("errors: ").and_then(|(_, n)| n.trim().parse::<u64>().ok()));
    let Some(errors) = errors else {
        return match stopped(text) {
            Some(stop) => Ok(report(Verdict::Unknown(stop), text)),
            None => Err(ExternalError::Unreadable("pan", excerpt(text))),
        };
    };
    Ok(report(verdict(errors, text), text))
}

fn report(verdict: Verdict, text: &str) -> SpinReport {
    SpinReport {
        verdict,
        states: number_before(text, "states, stored").unwrap_or(0),
        transitions: number_before(text, "transitions (=").unwrap_or(0),
        seconds: seconds(text),
        vector: number_after(text, "State-vector ").unwrap_or(0),
        trail: text.contains("pan: wrote ") && text.contains(".trail"),
        text: text.to_owned(),
    }
}

fn verdict(errors: u64, text: &str) -> Verdict {
    let complaint = text.lines().find_map(complaint).unwrap_or_default();
    if errors > 0 {
        // Spin turns the end of a violated safety claim into an assertion inside the claim, so an assertion is an
        // exceeded bound only if it is one of those that the export wrote.
        if let Some(rest) = complaint.strip_prefix("assertion violated") {
            let condition = rest.trim().trim_start_matches('(').trim_end_matches(')');
            if let Some(name) = condition.strip_prefix(BOUND) {
                return Verdict::Unknown(Stop::Bound(bound(name)));
            }
            if rest.trim_start().starts_with("!(") {
                return Verdict::Fails;
            }
        }
        if complaint.starts_with("acceptance cycle") || complaint.starts_with("end state in claim reached") {
            return Verdict::Fails;
        }
        return Verdict::Unknown(stopped(text).unwrap_or_else(|| Stop::Engine(complaint.to_owned())));
    }
    match stopped(text) {
        Some(stop) => Verdict::Unknown(stop),
        None => Verdict::Holds,
    }
}

/// `bound_events (at depth 12)` as `bound exceeded: events`.
fn bound(name: &str) -> String {
    let word: String = name.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    format!("bound exceeded: {}", word.replace('_', " "))
}

/// `pan:1: acceptance cycle (at depth 134)` without its head.
fn complaint(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("pan:")?;
    let (number, words) = rest.split_once(':')?;
    number.trim().parse::<u32>().ok()?;
    Some(words.trim())
}

/// Why a search ended early, if it did.
fn stopped(text: &str) -> Option<Stop> {
    if text.contains("max search depth too small") {
        return Some(Stop::Depth);
    }
    if text.contains("reached -DMEMLIM bound") || text.contains("out of memory") {
        return Some(Stop::Memory);
    }
    let early = text.contains("Search not completed") || text.contains("VECTORSZ is too small");
    early.then(|| Stop::Engine(excerpt(text)))
}

/// The first lines that say something.
fn excerpt(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.take(3).collect::<Vec<_>>().join("; ")
}

fn number_before(text: &str, words: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.contains(words))?;
    line.split(words).next()?.trim().parse().ok()
}

fn number_after(text: &str, words: &str) -> Option<u64> {
    let (_, rest) = text.split_once(words)?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

fn seconds(text: &str) -> f64 {
    let elapsed = text.split_once("elapsed time ").map(|(_, rest)| rest);
    elapsed.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict_of(head: &str, tail: &str) -> Verdict {
        let text = format!(
            "{head}\nState-vector 92 byte, depth reached 9, errors: {}\n      44 states, stored (222 visited)\n     \
             374 transitions (= visited+matched)\n\npan: elapsed time 1.5 seconds\n{tail}\n",
            u8::from(head.contains("pan:1:"))
        );
        let report = read_report(&text).unwrap();
        assert_eq!((report.states, report.transitions, report.vector), (44, 374, 92));
        assert!((report.seconds - 1.5).abs() < 1e-9);
        report.verdict
    }

    #[test]
    fn only_a_completed_search_without_errors_is_a_pass() {
        assert_eq!(verdict_of("", ""), Verdict::Holds);
        assert_eq!(verdict_of("error: max search depth too small", ""), Verdict::Unknown(Stop::Depth));
        assert_eq!(verdict_of("pan: reached -DMEMLIM bound", ""), Verdict::Unknown(Stop::Memory));
        assert!(matches!(verdict_of("Warning: Search not completed", ""), Verdict::Unknown(Stop::Engine(_))));
    }

    #[test]
    fn a_cycle_and_an_assertion_of_the_claim_are_violations() {
        assert_eq!(verdict_of("pan:1: acceptance cycle (at depth 134)", ""), Verdict::Fails);
        assert_eq!(verdict_of("pan:1: assertion violated  !( !((x==0))) (at depth 2)", ""), Verdict::Fails);
    }

    #[test]
    fn an_assertion_of_the_export_is_an_exceeded_bound() {
        assert_eq!(
            verdict_of("pan:1: assertion violated bound_events (at depth 12)", ""),
            Verdict::Unknown(Stop::Bound("bound exceeded: events".to_owned()))
        );
        assert!(matches!(
            verdict_of("pan:1: invalid end state (at depth 3)", ""),
            Verdict::Unknown(Stop::Engine(_))
        ));
    }

    #[test]
    fn a_text_without_a_report_is_not_read_as_one() {
        assert!(read_report("Segmentation fault").is_err());
    }
}
