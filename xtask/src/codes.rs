//! The reference of problem codes, written from the tables that `motet explain` reads.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::Tree;

/// The generated page.
pub const PAGE: &str = "docs/book/src/reference/problems.md";

/// Titles of the ranges of codes.
const RANGES: [(&str, &str); 10] = [
    ("M00", "Files, projects and options"),
    ("M02", "Claims"),
    ("M03", "Remarks on claims"),
    ("M04", "AgentSpeak programs"),
    ("M05", "Team files and environments"),
    ("M06", "Notices after an exploration"),
    ("M07", "Brahms models"),
    ("M08", "PRISM and sEnglish models"),
    ("M09", "Exports and external engines"),
    ("M10", "Nets, PNML and TINA"),
];

/// An entry of a `CODES` table, read from the source text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// `M0210`
    pub code: String,
    /// Half a line.
    pub title: String,
    /// Markdown.
    pub text: String,
    /// Where the entry stands.
    pub path: String,
    /// 1-based.
    pub line: usize,
}

/// All entries of all tables, by code. The tables are read as text, so that this crate builds without the tool.
#[must_use]
pub fn entries(tree: &Tree) -> Vec<Entry> {
    let mut entries = Vec::new();
    for text in tree.rust().filter(|text| text.is_library()) {
        for (at, _) in text.code.match_indices("code:") {
            let field = |name: &str| {
                let from = at + text.code[at..].find(name)? + name.len();
                literal(text.text[from..].trim_start())
            };
            let (Some(code), Some(title), Some(body)) = (field("code:"), field("title:"), field("text:"))
            else {
                continue;
            };
            if is_code(&code) {
                let line = text.text[..at].matches('\n').count() + 1;
                entries.push(Entry { code, title, text: body, path: text.path.clone(), line });
            }
        }
    }
    entries.sort();
    entries
}

/// Whether a text is `M` and four digits.
#[must_use]
pub fn is_code(text: &str) -> bool {
    text.len() == 5 && text.starts_with('M') && text[1..].bytes().all(|byte| byte.is_ascii_digit())
}

/// The page for a tree.
#[must_use]
pub fn page(tree: &Tree) -> String {
    let mut page = String::from(
        "# Problems\n\n<!-- Written by `cargo xtask codes`. Edit the CODES tables of the crates instead. -->\n\n\
         Every message of Motet carries a code. `motet explain CODE` prints the entries below in the terminal.\n",
    );
    let entries = entries(tree);
    for (prefix, title) in RANGES {
        let group: Vec<_> = entries.iter().filter(|entry| entry.code.starts_with(prefix)).collect();
        if group.is_empty() {
            continue;
        }
        write!(page, "\n## {title}\n").expect("writing to a string succeeds");
        for entry in group {
            let text = entry.text.trim().lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
            write!(page, "\n### {}: {}\n\n{text}\n", entry.code, entry.title)
                .expect("writing to a string succeeds");
        }
    }
    page
}

/// Writes the page.
///
/// # Errors
/// When the file cannot be written.
pub fn write(root: &Path, tree: &Tree) -> Result<()> {
    let path = root.join(PAGE);
    std::fs::write(&path, page(tree)).with_context(|| format!("writing {}", path.display()))
}

/// The value of the string literal a text starts with, plain or raw.
fn literal(text: &str) -> Option<String> {
    if let Some(rest) = text.strip_prefix('r') {
        let hashes = rest.len() - rest.trim_start_matches('#').len();
        let inside = rest[hashes..].strip_prefix('"')?;
        let end = inside.find(&format!("\"{}", "#".repeat(hashes)))?;
        return Some(inside[..end].to_owned());
    }
    let mut letters = text.strip_prefix('"')?.chars().peekable();
    let mut value = String::new();
    loop {
        match letters.next()? {
            '"' => return Some(value),
            '\\' => match letters.next()? {
                'n' => value.push('\n'),
                't' => value.push('\t'),
                'x' => {
                    let digits: String = letters.by_ref().take(2).collect();
                    value.push(char::from(u8::from_str_radix(&digits, 16).ok()?));
                }
                '\n' => while letters.next_if(|letter| letter.is_whitespace()).is_some() {},
                letter => value.push(letter),
            },
            letter => value.push(letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_from_plain_and_raw_literals() {
        let table = "const CODES: &[Entry] = &[\n    Entry { code: \"M0402\", title: \"a\", text: \"one\\n\\x20 \
                     two \\\n        three\" },\n    Entry { code: \"M0401\", title: \"b \\\"q\\\"\", text: r#\"x \"y\"\"# },\n];\n";
        let tree = Tree::of(&[("crates/agentspeak/src/codes.rs", table)]);
        let entries = entries(&tree);
        let read: Vec<_> = entries
            .iter()
            .map(|entry| (entry.code.as_str(), entry.title.as_str(), entry.text.as_str()))
            .collect();
        assert_eq!(read, [("M0401", "b \"q\"", "x \"y\""), ("M0402", "a", "one\n  two three")]);
    }
}
