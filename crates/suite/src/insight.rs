//! What a page says beside verdicts, against what came out: parts that do not matter, facts that decide, what claims do
//! without, texts that never happen or that no claim depends on. Compared in both directions.

use motet_render::{ClaimReport, Report, TextNeed};

use crate::expectation::Expected;
use crate::markdown::Check;

/// What is not as the page says.
pub(crate) fn insights(report: &Report, check: &Check) -> Vec<String> {
    let mut failures = Vec::new();
    for claim in &report.claims {
        failures.extend(parts(claim, check));
        failures.extend(facts(claim, check));
        failures.extend(left_out(claim, check));
    }
    failures.extend(texts(report, check));
    failures
}

fn parts(claim: &ClaimReport, check: &Check) -> Option<String> {
    let expected = check.expected.iter().filter_map(|expected| match expected {
        Expected::Part(name, part) if *name == claim.name => Some(part.as_str()),
        _ => None,
    });
    let found = claim.idle.iter().map(|idle| idle.words.as_str());
    different(&format!("parts of {} that do not matter", claim.name), expected.collect(), found.collect())
}

fn facts(claim: &ClaimReport, check: &Check) -> Option<String> {
    let expected: Vec<&str> = check
        .expected
        .iter()
        .filter_map(|expected| match expected {
            Expected::Fact(name, fact) if *name == claim.name => Some(fact.as_str()),
            _ => None,
        })
        .collect();
    if expected.is_empty() {
        return None;
    }
    let found = claim.tale.iter().flat_map(|tale| &tale.facts).map(|fact| fact.text.as_str());
    different(&format!("facts that decide {}", claim.name), expected, found.collect())
}

fn left_out(claim: &ClaimReport, check: &Check) -> Option<String> {
    let expected = check.expected.iter().filter_map(|expected| match expected {
        Expected::Without(name, part) if *name == claim.name => Some(part.as_str()),
        _ => None,
    });
    let found = claim.left_out.iter().map(String::as_str);
    different(&format!("what {} does without", claim.name), expected.collect(), found.collect())
}

fn texts(report: &Report, check: &Check) -> Vec<String> {
    let Some(coverage) = &report.texts else { return Vec::new() };
    let never = check.expected.iter().filter_map(|expected| match expected {
        Expected::Never(name) => Some(name.as_str()),
        _ => None,
    });
    let unneeded = check.expected.iter().filter_map(|expected| match expected {
        Expected::Unneeded(name) => Some(name.as_str()),
        _ => None,
    });
    let named = |wanted: &dyn Fn(&motet_render::TextReport) -> bool| -> Vec<&str> {
        coverage.texts.iter().filter(|text| wanted(text)).map(|text| text.name.as_str()).collect()
    };
    let idle = |text: &motet_render::TextReport| text.happened() > 0 && text.need == TextNeed::None;
    let lists = [
        different("texts that never happen", never.collect(), named(&|text| text.happened() == 0)),
        different("texts that no claim depends on", unneeded.collect(), named(&idle)),
    ];
    lists.into_iter().flatten().collect()
}

fn different(what: &str, mut expected: Vec<&str>, mut found: Vec<&str>) -> Option<String> {
    expected.sort_unstable();
    found.sort_unstable();
    (expected != found).then(|| format!("{what}: expected {expected:?}, found {found:?}"))
}
