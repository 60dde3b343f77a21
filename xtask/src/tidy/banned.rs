//! Words, file names and marks that have no place here.

use super::{Finding, line_of};
use crate::{Text, Tree};

/// Macros and attributes that library code may not hold.
const WORDS: [&str; 8] =
    ["todo!", "dbg!", "unimplemented!", "println!", "print!", "eprintln!", "eprint!", "#[ignore"];

/// Names that say nothing of what a file is about.
const FILE_NAMES: [&str; 5] = ["utils.rs", "helpers.rs", "common.rs", "types.rs", "manager.rs"];

/// Folders of one person's machine. Put together here so that this file does not hold them.
const HOMES: [&str; 3] = [concat!("/ho", "me/"), concat!("/Us", "ers/"), concat!("/ro", "ot/")];

/// Words, names, paths of a machine and trailing space.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for text in &tree.texts {
        words(text, &mut findings);
        lines(text, &mut findings);
        let name = text.path.rsplit('/').next().unwrap_or("");
        if FILE_NAMES.contains(&name) {
            findings.push(Finding::new(&text.path, 0, "the name does not say what the file is about"));
        }
    }
    findings
}

fn words(text: &Text, findings: &mut Vec<Finding>) {
    if !text.is_rust() {
        return;
    }
    for word in WORDS {
        // Printing is banned in libraries; the rest everywhere.
        if word.contains("print") && !text.is_library() {
            continue;
        }
        for (at, _) in text.code.match_indices(word) {
            let part_of_a_word = text.code[..at].ends_with(|l: char| l.is_alphanumeric() || l == '_');
            if !part_of_a_word || word.starts_with('#') {
                let line = line_of(&text.code, at);
                findings.push(Finding::new(&text.path, line, format!("`{word}` has no place here")));
            }
        }
    }
}

fn lines(text: &Text, findings: &mut Vec<Finding>) {
    for (number, line) in text.text.lines().enumerate() {
        if line.trim_end() != line {
            findings.push(Finding::new(&text.path, number + 1, "space at the end of the line"));
        }
        if HOMES.iter().any(|home| line.contains(home)) {
            findings.push(Finding::new(&text.path, number + 1, "a path of one machine"));
        }
    }
    if !text.text.is_empty() && !text.text.ends_with('\n') {
        findings.push(Finding::new(&text.path, 0, "no line break at the end of the file"));
    }
}

/// Crate roots open with what the crate is for.
pub(super) fn roots(tree: &Tree) -> Vec<Finding> {
    let is_root = |text: &&Text| {
        let name = text.path.strip_prefix("crates/").or_else(|| text.path.strip_prefix("xtask/"));
        name.is_some_and(|name| name.ends_with("src/lib.rs") || name.ends_with("src/main.rs"))
    };
    let silent = tree.rust().filter(is_root).filter(|text| !text.text.starts_with("//!"));
    silent.map(|text| Finding::new(&text.path, 1, "a crate root opens with a `//!` comment")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(path: &str, text: &str) -> Vec<String> {
        check(&Tree::of(&[(path, text)])).into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn printing_is_banned_in_libraries_only() {
        let text = "fn f() { println!(); }\n";
        assert_eq!(messages("crates/engine/src/a.rs", text).len(), 1);
        assert_eq!(messages("crates/cli/src/a.rs", text).len(), 0);
    }

    #[test]
    fn a_banned_word_in_a_comment_or_a_literal_is_no_finding() {
        assert_eq!(messages("crates/engine/src/a.rs", "// dbg!\nconst A: &str = \"todo!\";\n").len(), 0);
        assert_eq!(messages("crates/engine/src/a.rs", "fn f() { dbg!(1); }\n").len(), 1);
    }

    #[test]
    fn an_ignored_test_a_home_folder_and_trailing_space_are_found() {
        let home = format!("{}{}\n", HOMES[0], "someone");
        assert_eq!(messages("crates/engine/tests/a.rs", "#[ignore]\nfn f() {}\n").len(), 1);
        assert_eq!(messages("README.md", &home).len(), 1);
        assert_eq!(messages("README.md", "a \nb").len(), 2);
    }

    #[test]
    fn a_nameless_file_and_a_silent_root_are_found() {
        assert_eq!(messages("crates/engine/src/utils.rs", "").len(), 1);
        assert_eq!(roots(&Tree::of(&[("crates/engine/src/lib.rs", "mod a;\n")])).len(), 1);
    }
}
