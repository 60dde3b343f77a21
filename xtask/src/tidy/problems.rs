//! Every problem code is explained, documented and exercised.

use std::collections::{BTreeMap, BTreeSet};

use super::{Finding, line_of};
use crate::codes::{self, Entry};
use crate::{Text, Tree};

/// Codes that are used have one entry, entries are used, the page is fresh, and something exercises each code.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let entries = codes::entries(tree);
    let mut findings = doubled(&entries);
    let explained: BTreeSet<&str> = entries.iter().map(|entry| entry.code.as_str()).collect();
    let used = used(tree, &entries);
    for (code, (path, line)) in &used {
        if !explained.contains(code.as_str()) {
            findings.push(Finding::new(path, *line, format!("{code} has no entry in a CODES table")));
        }
    }
    for entry in &entries {
        let place = |message: String| Finding::new(&entry.path, entry.line, message);
        if !used.contains_key(&entry.code) {
            findings.push(place(format!("{} is explained but never raised", entry.code)));
        } else if !is_exercised(tree, &entry.code) {
            findings.push(place(format!("{} is exercised by no test, spec or corpus file", entry.code)));
        }
    }
    if !entries.is_empty() && tree.get(codes::PAGE).is_none_or(|page| page.text != codes::page(tree)) {
        findings.push(Finding::new(codes::PAGE, 0, "stale: run `cargo xtask codes`"));
    }
    findings
}

fn doubled(entries: &[Entry]) -> Vec<Finding> {
    let twice = entries.windows(2).filter(|pair| pair[0].code == pair[1].code);
    twice
        .map(|pair| Finding::new(&pair[1].path, pair[1].line, format!("{} has two entries", pair[1].code)))
        .collect()
}

/// Codes in literals of shipped code outside their own entry, with the first place. Messages may mention a code in
/// the middle of a sentence (`motet explain M0301`), so any literal counts.
fn used(tree: &Tree, entries: &[Entry]) -> BTreeMap<String, (String, usize)> {
    let mut used = BTreeMap::new();
    for text in tree.rust().filter(|text| text.path.starts_with("crates/") && text.path.contains("/src/")) {
        let shipped = &text.text[..tests_start(text)];
        for (at, _) in shipped.match_indices('M') {
            let Some(code) = shipped.get(at..at + 5).filter(|code| codes::is_code(code)) else { continue };
            // The scanner blanks literals and comments alike; a comment line does not raise anything.
            let line_start = shipped[..at].rfind('\n').map_or(0, |start| start + 1);
            let is_comment = shipped[line_start..at].trim_start().starts_with("//");
            let is_word = shipped[..at].ends_with(|l: char| l.is_alphanumeric() || l == '_')
                || shipped[at + 5..].starts_with(|l: char| l.is_alphanumeric() || l == '_');
            let line = line_of(shipped, at);
            let in_table = entries.iter().any(|entry| entry.path == text.path);
            let is_elsewhere = !in_table || raises(shipped, line_start, at);
            if !is_comment && !is_word && is_elsewhere {
                used.entry(code.to_owned()).or_insert((text.path.clone(), line));
            }
        }
    }
    used
}

/// In a file with a table: whether the line is code that raises the code, not part of an entry's text.
fn raises(shipped: &str, line_start: usize, at: usize) -> bool {
    let line = shipped[line_start..].lines().next().unwrap_or("");
    let quoted = shipped[..at].ends_with('"') && shipped[at + 5..].starts_with('"');
    quoted && !line.contains("code:")
}

/// Where the unit tests of a file begin.
fn tests_start(text: &Text) -> usize {
    text.code.find("#[cfg(test)]").unwrap_or(text.text.len())
}

fn is_exercised(tree: &Tree, code: &str) -> bool {
    tree.texts.iter().any(|text| {
        if ["spec/", "corpus/"].iter().any(|folder| text.path.starts_with(folder))
            || text.path.contains("/tests/")
        {
            return text.text.contains(code);
        }
        text.is_rust() && text.text[tests_start(text)..].contains(code)
            || text.is_rust() && text.path.ends_with("tests.rs") && text.text.contains(code)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str =
        "const CODES: &[Entry] = &[\n    Entry { code: \"M0401\", title: \"a\", text: \"b\" },\n];\n";

    fn messages(texts: &[(&str, &str)]) -> Vec<String> {
        let mut tree = Tree::of(texts);
        let page = codes::page(&tree);
        tree.texts.push(Text::new(codes::PAGE, page));
        check(&tree).into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn a_code_without_an_entry_is_found() {
        let found = messages(&[("crates/a/src/b.rs", "fn f() { error(\"M0499\") }\n")]);
        assert_eq!(found, ["M0499 has no entry in a CODES table"]);
    }

    #[test]
    fn an_entry_that_nothing_raises_and_one_that_nothing_exercises_are_found() {
        assert_eq!(messages(&[("crates/a/src/codes.rs", TABLE)]), ["M0401 is explained but never raised"]);
        let raised = ("crates/a/src/b.rs", "fn f() { error(\"M0401\") }\n");
        let found = messages(&[("crates/a/src/codes.rs", TABLE), raised]);
        assert_eq!(found, ["M0401 is exercised by no test, spec or corpus file"]);
        let spec = ("spec/a.md", "RESULT: problem M0401\n");
        assert_eq!(messages(&[("crates/a/src/codes.rs", TABLE), raised, spec]), [""; 0]);
    }

    #[test]
    fn a_stale_page_is_found() {
        let tree = Tree::of(&[("crates/a/src/codes.rs", TABLE), (codes::PAGE, "old\n")]);
        assert!(check(&tree).iter().any(|finding| finding.message.starts_with("stale")));
    }
}
