//! The words that claims may use.

use motet_model::Vocabulary;

use crate::typesetting::page::{Tone, View, plain};

/// Agents, sorts, groups and parameters.
#[must_use]
pub fn vocabulary(words: &Vocabulary, view: &View) -> String {
    let mut page = String::new();
    let mut block = |title: &str, items: &[String]| {
        if items.is_empty() {
            return;
        }
        page.push_str(&format!("{}\n", view.paint(Tone::Strong, &plain(title))));
        for line in flow(items, view.width.saturating_sub(2)) {
            page.push_str(&format!("  {line}\n"));
        }
    };
    block("agents", &words.agents);
    for (name, members) in words.sorts.iter().filter(|(name, _)| name != "agent") {
        block(&format!("sort {name}"), members);
    }
    for (title, entries) in &words.groups {
        block(title, entries);
    }
    block("rewards (R{\"NAME\"})", &words.rewards);
    let parameters: Vec<String> =
        words.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    block("parameters (-D NAME=VALUE)", &parameters);
    view.finish(page)
}

/// Items side by side, as many as fit into a line.
fn flow(items: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for item in items {
        let item = plain(item);
        match lines.last_mut() {
            Some(line) if line.chars().count() + 3 + item.chars().count() <= width => {
                line.push_str("   ");
                line.push_str(&item);
            }
            _ => lines.push(item),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_stand_side_by_side_and_are_never_broken() {
        let items = ["alliance(_, _)", "auction(_)", "winner(_)"].map(String::from);
        assert_eq!(flow(&items, 30), ["alliance(_, _)   auction(_)", "winner(_)"]);
    }
}
