//! Files and functions stay small. A file is one idea; a function fits a screen.

use super::{Finding, line_of};
use crate::{Text, Tree};

const LIMIT_FILE_LINES: usize = 600;
const LOOK_FILE_LINES: usize = 400;
const LIMIT_FUNCTION_LINES: usize = 70;

/// Rust files past the limit.
pub(super) fn files(tree: &Tree) -> Vec<Finding> {
    let long = tree.rust().filter(|text| n_lines(text) > LIMIT_FILE_LINES);
    long.map(|text| {
        let message = format!("{} lines, the limit is {LIMIT_FILE_LINES}: split it by idea", n_lines(text));
        Finding::new(&text.path, 0, message)
    })
    .collect()
}

/// Rust files on their way to the limit.
pub(super) fn long_files(tree: &Tree) -> Vec<Finding> {
    let range = LOOK_FILE_LINES + 1..=LIMIT_FILE_LINES;
    let long = tree.rust().filter(|text| range.contains(&n_lines(text)));
    long.map(|text| Finding::new(&text.path, 0, format!("{} lines, past {LOOK_FILE_LINES}", n_lines(text))))
        .collect()
}

fn n_lines(text: &Text) -> usize {
    text.text.lines().count()
}

/// Functions past the limit that do not carry an `expect` of clippy's own lint with a reason.
pub(super) fn functions(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for text in tree.rust() {
        for (start, body) in bodies(&text.code) {
            let lines = body.lines().filter(|line| !line.trim().is_empty()).count();
            if lines > LIMIT_FUNCTION_LINES && !is_excused(text, start) {
                let message = format!("a function of {lines} lines, the limit is {LIMIT_FUNCTION_LINES}");
                findings.push(Finding::new(&text.path, line_of(&text.code, start), message));
            }
        }
    }
    findings
}

/// Where each `fn` starts and what stands between its braces.
pub(super) fn bodies(code: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (start, _) in code.match_indices("fn ") {
        if code[..start].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_') {
            continue;
        }
        let Some(open) = opening(code, start) else { continue };
        let mut depth = 0_usize;
        for (at, byte) in code.bytes().enumerate().skip(open) {
            match byte {
                b'{' => depth += 1,
                b'}' if depth == 1 => {
                    found.push((start, &code[open + 1..at]));
                    break;
                }
                b'}' => depth -= 1,
                _ => {}
            }
        }
    }
    found
}

/// The brace that opens a function's body; `None` for a declaration, which ends with `;` outside brackets.
fn opening(code: &str, start: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in code.bytes().enumerate().skip(start) {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b'{' => return Some(at),
            b';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// Whether the attributes right above the function hold the exception.
fn is_excused(text: &Text, start: usize) -> bool {
    let before = &text.code[..start];
    let from = before.rfind(['}', ';', '{']).unwrap_or(0);
    text.code[from..start].contains("clippy::too_many_lines")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(lines: usize) -> String {
        format!("fn long() {{\n{}}}\n", "    step();\n".repeat(lines))
    }

    #[test]
    fn a_function_of_seventy_one_lines_is_found_and_one_of_seventy_is_not() {
        let tree = Tree::of(&[("a.rs", &function(70)), ("b.rs", &function(71))]);
        let findings = functions(&tree);
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert_eq!(findings[0].path, "b.rs");
    }

    #[test]
    fn comments_and_blank_lines_do_not_count() {
        let text = format!("fn long() {{\n{}{}}}\n", "    // why\n\n".repeat(40), "    step();\n".repeat(60));
        assert_eq!(functions(&Tree::of(&[("a.rs", &text)])), []);
    }

    #[test]
    fn an_array_in_the_signature_does_not_hide_the_body() {
        let text = function(71).replace("long()", "long(bytes: [u8; 4])");
        assert_eq!(functions(&Tree::of(&[("a.rs", &text)])).len(), 1);
    }

    #[test]
    fn an_expected_exception_is_granted() {
        let text = format!("#[expect(clippy::too_many_lines, reason = \"one match\")]\n{}", function(90));
        assert_eq!(functions(&Tree::of(&[("a.rs", &text)])), []);
    }

    #[test]
    fn a_file_of_601_lines_is_found() {
        let text = "\n".repeat(601);
        assert_eq!(files(&Tree::of(&[("a.rs", &text), ("b.rs", "\n")])).len(), 1);
    }
}
