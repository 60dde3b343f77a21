//! Tests do not measure seconds: what takes one on a quiet machine takes thirty on a busy one. They count work instead.

use super::{Finding, line_of};
use crate::{Text, Tree};

/// How a test looks at the clock.
const LOOKS: [&str; 3] = ["Instant::now", "SystemTime::now", ".elapsed()"];

/// How the line above says why a test looks at it all the same.
const REASON: &str = "// clock: ";

/// Looks at the clock in tests, without a reason.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for text in tree.rust() {
        let start = tests_start(text);
        for word in LOOKS {
            for (at, _) in text.code[start..].match_indices(word) {
                let line = line_of(&text.code, start + at);
                if !is_excused(text, line) {
                    let message = format!(
                        "a test that looks at the clock (`{word}`) fails on a busy machine: count work instead, for readers with \
                         `motet_source::work::steps`, or say above why no speed is asserted: `{REASON}...`"
                    );
                    findings.push(Finding::new(&text.path, line, message));
                }
            }
        }
    }
    findings
}

/// The byte from which on a text is tests: all of it in a file of tests, otherwise what the compiler sees for tests alone.
fn tests_start(text: &Text) -> usize {
    let is_test = text.path.contains("/tests/") || text.path.ends_with("/tests.rs");
    let inside = || text.code.find("#[cfg(test)]\nmod tests {").unwrap_or(text.code.len());
    if is_test { 0 } else { inside() }
}

fn is_excused(text: &Text, line: usize) -> bool {
    let above = line.checked_sub(2).and_then(|above| text.text.lines().nth(above));
    above.is_some_and(|above| above.trim_start().starts_with(REASON))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        check(&Tree::of(&[(path, text)])).into_iter().map(|finding| finding.line).collect()
    }

    const LOOK: &str = "fn f() {\n    let start = Instant::now();\n}\n";

    #[test]
    fn a_test_that_looks_at_the_clock_is_found_and_code_that_does_is_not() {
        assert_eq!(lines("crates/engine/tests/a.rs", LOOK), [2]);
        assert_eq!(lines("crates/engine/src/a.rs", LOOK), [0; 0]);
        assert_eq!(lines("crates/engine/src/a/tests.rs", LOOK), [2]);
        assert_eq!(lines("crates/engine/src/a.rs", &format!("#[cfg(test)]\nmod tests {{\n{LOOK}}}\n")), [4]);
    }

    #[test]
    fn a_reason_above_excuses_one_line() {
        let text =
            "fn f() {\n    // clock: a moment.\n    let start = Instant::now();\n    start.elapsed();\n}\n";
        assert_eq!(lines("crates/engine/tests/a.rs", text), [4]);
    }
}
