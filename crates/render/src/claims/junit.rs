//! The report as JUnit: one test case per claim, so that a green run is visible.

use std::time::Duration;

use motet_evidence::{Over, Stop, Verdict};
use motet_model::TimeUnit;
use quick_junit::{NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite};

use crate::claims::claim::{expected_text, on_part, order_remarks, time_value, told};
use crate::claims::report::{ClaimReport, Report};
use crate::numbers::value::value_text;
use crate::typesetting::page::View;

/// The report as an XML text.
#[must_use]
pub fn junit(report: &Report) -> String {
    let mut suite = TestSuite::new(report.head.path.clone());
    if let Some(words) = report.over.and_then(Over::words) {
        suite.add_property(("numbers_over", words));
    }
    for claim in &report.claims {
        let mut case = TestCase::new(claim.name.clone(), status(claim, report.unit));
        case.set_classname(report.head.path.clone());
        case.set_time(duration(claim.outcome.coverage.seconds));
        if !claim.orders.is_empty() {
            case.set_system_out(order_remarks(claim).join("\n"));
        }
        suite.add_test_case(case);
    }
    for message in report.problems.iter().map(|problem| format!("{}: {}", problem.code, problem.message)) {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        if report.problems.has_errors() {
            status.set_message(message);
            suite.add_test_case(TestCase::new("input", status));
        }
    }
    let mut junit = Junit::new("motet");
    junit.set_time(duration(report.coverage.as_ref().map_or(0.0, |coverage| coverage.seconds)));
    junit.add_test_suite(suite);
    junit.to_string().expect("a report in memory can be written")
}

fn status(claim: &ClaimReport, unit: TimeUnit) -> TestCaseStatus {
    let title = claim.words.as_ref().unwrap_or(&claim.english);
    match (claim.as_expected(), &claim.outcome.verdict) {
        (Some(true), _) => TestCaseStatus::success(),
        (Some(false), _) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type(claim.verdict());
            let note = match &claim.outcome.verdict {
                Verdict::Value { low, high } => {
                    let value = time_value(claim, unit).unwrap_or_else(|| value_text(*low, *high));
                    format!("{value}, expected {}", expected_text(&claim.expect))
                }
                _ => claim.verdict().to_string(),
            };
            status.set_message(format!("{title}: {note}"));
            status.set_description(told(claim, &View::default()));
            status
        }
        (None, _) if !claim.narrowed.is_empty() => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_type("options");
            status.set_message(format!("{title}: {}", on_part(claim)));
            status
        }
        (None, verdict) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_type("unknown");
            let limit = match verdict {
                Verdict::Unknown(
                    Stop::Bound(text) | Stop::Unsupported(text) | Stop::Engine(text) | Stop::Hashed(text),
                ) => text.as_str(),
                Verdict::Unknown(stop) => crate::claims::claim::stop_word(stop),
                _ => "",
            };
            status.set_message(format!("{title}: unknown, {limit}"));
            status
        }
    }
}

fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}
