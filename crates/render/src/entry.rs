//! Manual entries: a code, a claim, the programs found.

use motet_source::Entry;

use crate::page::{Tone, View, pad, plain, wrap};

/// What a code means and the way out.
#[must_use]
pub fn code_entry(entry: &Entry, view: &View) -> String {
    let mut page = format!("{}\n\n", view.paint(Tone::Strong, &format!("{}: {}", entry.code, entry.title)));
    page.push_str(entry.text.trim());
    page.push('\n');
    view.finish(page)
}

/// A claim in its author's words, in English, and with all parentheses.
#[must_use]
pub fn claim_entry(name: &str, words: Option<&str>, english: &str, formula: &str, view: &View) -> String {
    let mut page = format!("{}\n", view.paint(Tone::Strong, &plain(name)));
    let mut block = |title: &str, text: &str| {
        for (i, line) in wrap(&plain(text), view.width.saturating_sub(11)).iter().enumerate() {
            page.push_str(&format!("  {} {line}\n", pad(if i == 0 { title } else { "" }, 8)));
        }
    };
    if let Some(words) = words {
        block("words", words);
    }
    block("English", english);
    block("formula", formula);
    view.finish(page)
}

/// A table of programs or limits: name, whether it is there, remark.
#[must_use]
pub fn doctor(rows: &[(String, Option<String>, String)], view: &View) -> String {
    let name = rows.iter().map(|(name, _, _)| name.chars().count()).max().unwrap_or(0);
    let found =
        rows.iter().map(|(_, found, _)| found.as_ref().map_or(9, |found| found.chars().count())).max();
    let mut page = String::new();
    for (title, version, remark) in rows {
        let tone = if version.is_some() { Tone::Good } else { Tone::Quiet };
        let version = version.clone().unwrap_or_else(|| "not found".to_string());
        let version = view.paint(tone, &pad(&plain(&version), found.unwrap_or(9)));
        page.push_str(&format!("  {}  {version}  {remark}\n", pad(title, name)));
    }
    view.finish(page)
}
