//! Manual entries: a code, the programs found.

use motet_source::Entry;

use crate::typesetting::page::{Tone, View, pad, plain};

/// What a code means and the way out.
#[must_use]
pub fn code_entry(entry: &Entry, view: &View) -> String {
    let mut page = format!("{}\n\n", view.paint(Tone::Strong, &format!("{}: {}", entry.code, entry.title)));
    page.push_str(entry.text.trim());
    page.push('\n');
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
