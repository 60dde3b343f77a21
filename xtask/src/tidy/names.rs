//! ARCHITECTURE.md and the glossary name only what exists, and the first names every crate: a map that names the dead is worse
//! than none.

use std::collections::BTreeSet;

use super::{Finding, back_ticked};
use crate::Tree;

const PAGE: &str = "ARCHITECTURE.md";
const GLOSSARY: &str = "docs/glossary.md";

/// Names in back-ticks exist; every crate is named.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let Some(page) = tree.get(PAGE) else { return Vec::new() };
    let known = Known::of(tree);
    let mut findings = Vec::new();
    let names = back_ticked(&page.text);
    for text in [PAGE, GLOSSARY].into_iter().filter_map(|page| tree.get(page)) {
        for (line, name) in back_ticked(&text.text) {
            if let Some(reason) = known.missing(tree, name) {
                findings.push(Finding::new(&text.path, line, format!("`{name}`: {reason}")));
            }
        }
    }
    let crates: BTreeSet<&str> = tree.texts.iter().filter_map(|text| text.package()).collect();
    for package in crates {
        if !names.iter().any(|(_, name)| *name == package) {
            findings.push(Finding::new(PAGE, 0, format!("the crate `{package}` is not named")));
        }
    }
    findings
}

/// Words declared anywhere in the workspace.
struct Known {
    words: BTreeSet<String>,
}

impl Known {
    fn of(tree: &Tree) -> Self {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let mut words = BTreeSet::new();
        for text in tree.rust() {
            words.extend(text.code.split(|letter| !is_word(letter)).map(str::to_owned));
        }
        Self { words }
    }

    /// Why a name does not exist; `None` if it does or is no name of ours.
    fn missing(&self, tree: &Tree, name: &str) -> Option<String> {
        let is_path = name.contains('/') || [".rs", ".md", ".toml"].iter().any(|end| name.ends_with(end));
        if is_path && !name.contains([' ', '*', '<']) && !name.starts_with("./") {
            let found =
                tree.exists(name) || tree.paths.iter().any(|path| path.ends_with(&format!("/{name}")));
            return (!found).then(|| "no such file or folder".to_owned());
        }
        let is_identifier = |part: &str| {
            !part.is_empty() && part.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        };
        let path = name.trim_end_matches("()").trim_start_matches("motet_");
        let is_type = path.starts_with(|letter: char| letter.is_ascii_uppercase());
        let looks_like_code = is_type || path.contains("::") || name.ends_with("()");
        if !looks_like_code || !path.split("::").all(is_identifier) {
            return None;
        }
        let absent = path.split("::").find(|part| !self.words.contains(*part) && !is_crate(tree, part))?;
        Some(format!("`{absent}` does not occur in the code"))
    }
}

fn is_crate(tree: &Tree, name: &str) -> bool {
    tree.exists(&format!("crates/{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dead_type_a_dead_path_and_a_forgotten_crate_are_found() {
        let page = "`Model` and `model` and `Ghost::walk`, `crates/gone/src/lib.rs`, `crates/model`\n";
        let tree = Tree::of(&[
            (PAGE, page),
            ("crates/model/src/lib.rs", "pub trait Model {}"),
            ("crates/other/src/lib.rs", ""),
        ]);
        let messages: Vec<_> = check(&tree).into_iter().map(|finding| finding.message).collect();
        assert_eq!(messages.len(), 3, "{messages:?}");
        assert!(
            messages[0].contains("Ghost") && messages[1].contains("gone") && messages[2].contains("other")
        );
    }

    #[test]
    fn a_name_in_a_comment_does_not_count_as_existing() {
        let tree = Tree::of(&[
            (PAGE, "`Model`, `model`\n"),
            ("crates/model/src/lib.rs", "// Model\nconst X: &str = \"Model\";"),
        ]);
        assert_eq!(check(&tree).len(), 1);
    }
}
