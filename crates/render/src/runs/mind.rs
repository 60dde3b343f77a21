//! What the agents have in mind: the whole of it, or only what a step changed.

use motet_model::{Mind, Section, Snapshot};

use crate::typesetting::page::{Tone, View, plain};

/// The whole situation.
#[must_use]
pub fn minds(snapshot: &Snapshot, view: &View) -> String {
    let mut page = String::new();
    for mind in &snapshot.minds {
        page.push_str(&format!("  {}\n", view.paint(Tone::Strong, &plain(&mind.name))));
        for section in mind.sections.iter().filter(|section| !section.items.is_empty()) {
            for (i, item) in section.items.iter().enumerate() {
                let title = if i == 0 { section.title.as_str() } else { "" };
                page.push_str(&format!("    {title:<12} {}\n", plain(item)));
            }
        }
    }
    view.finish(page)
}

/// What changed between two situations, one line per item: `+` is new, `-` is gone. Empty when nothing changed.
#[must_use]
pub fn changes(before: &Snapshot, after: &Snapshot, view: &View) -> String {
    let mut page = String::new();
    for mind in &after.minds {
        let old = before.minds.iter().find(|old| old.name == mind.name);
        let changed = mind_changes(old, mind);
        if changed.is_empty() {
            continue;
        }
        for (i, (title, sign, item)) in changed.iter().enumerate() {
            let name = if i == 0 { plain(&mind.name) } else { String::new() };
            let tone = if *sign == '+' { Tone::Good } else { Tone::Quiet };
            let item = view.paint(tone, &format!("{sign} {}", plain(item)));
            page.push_str(&format!("        {name:<12} {title:<12} {item}\n"));
        }
    }
    view.finish(page)
}

/// Items that came and went, as (title, sign, item).
pub(crate) fn mind_changes<'a>(before: Option<&'a Mind>, after: &'a Mind) -> Vec<(&'a str, char, &'a str)> {
    let old_sections: &'a [Section] = before.map_or(&[], |mind| &mind.sections);
    let mut changed = Vec::new();
    let find = |sections: &'a [Section], title: &str| sections.iter().find(|section| section.title == title);
    for section in old_sections {
        let new = find(&after.sections, &section.title).map_or(&[][..], |section| &section.items);
        let gone = lost(&section.items, new);
        changed.extend(gone.into_iter().map(|item| (section.title.as_str(), '-', item)));
        let come = lost(new, &section.items);
        changed.extend(come.into_iter().map(|item| (section.title.as_str(), '+', item)));
    }
    for section in &after.sections {
        if find(old_sections, &section.title).is_none() {
            changed.extend(section.items.iter().map(|item| (section.title.as_str(), '+', item.as_str())));
        }
    }
    changed
}

/// Items of one list that the other lacks, each counted as often as it occurs.
pub(crate) fn lost<'a>(items: &'a [String], others: &[String]) -> Vec<&'a str> {
    let mut left: Vec<&str> = others.iter().map(String::as_str).collect();
    let mut lost = Vec::new();
    for item in items {
        match left.iter().position(|other| other == item) {
            Some(at) => {
                left.swap_remove(at);
            }
            None => lost.push(item.as_str()),
        }
    }
    lost
}

#[cfg(test)]
mod tests {
    use super::*;

    fn situation(beliefs: &[&str]) -> Snapshot {
        let items = beliefs.iter().map(|belief| (*belief).to_string()).collect();
        let sections = vec![Section { title: "beliefs".to_string(), items }];
        Snapshot { minds: vec![Mind { name: "ag3".to_string(), sections }] }
    }

    #[test]
    fn only_what_changed_is_shown() {
        let view = View::default();
        let text = changes(&situation(&["a", "b"]), &situation(&["b", "c"]), &view);
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(text.contains("- a") && text.contains("+ c") && !text.contains(" b\n"), "{text}");
        assert_eq!(changes(&situation(&["a"]), &situation(&["a"]), &view), "");
    }
}
