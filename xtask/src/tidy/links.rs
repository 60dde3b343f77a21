//! Links between our own Markdown pages lead somewhere.

use super::Finding;
use crate::{Text, Tree};

/// Every relative link names a file or folder; a link with `#` names a heading of a page.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let pages = tree.texts.iter().filter(|text| text.path.ends_with(".md"));
    pages.flat_map(|page| page_links(tree, page)).collect()
}

fn page_links(tree: &Tree, page: &Text) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut fenced = false;
    // A block of code is fenced, or indented by four behind an empty line.
    let (mut indented, mut empty) = (false, true);
    for (number, line) in page.text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        indented = line.starts_with("    ") && (indented || empty);
        empty = line.trim().is_empty();
        if fenced || indented {
            continue;
        }
        let line = without_code(line);
        for target in
            targets(&line).filter(|target| !target.contains("://") && !target.starts_with("mailto:"))
        {
            if let Some(reason) = broken(tree, &page.path, target) {
                findings.push(Finding::new(&page.path, number + 1, format!("link `{target}`: {reason}")));
            }
        }
    }
    findings
}

/// The line without what stands in back-ticks, which may look like a link and is none.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// What stands in `](...)`.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("](").filter_map(|(at, _)| {
        let rest = &line[at + 2..];
        rest.find(')').map(|end| &rest[..end])
    })
}

fn broken(tree: &Tree, from: &str, target: &str) -> Option<&'static str> {
    let (path, heading) = target.split_once('#').unwrap_or((target, ""));
    let resolved = if path.is_empty() { from.to_owned() } else { resolve(from, path) };
    if !tree.exists(&resolved) {
        return Some("no such file");
    }
    let known = |page: &Text| page.text.lines().any(|line| slug(line).as_deref() == Some(heading));
    let page = tree.get(&resolved);
    (!heading.is_empty() && !page.is_some_and(known)).then_some("no such heading")
}

/// The path of a link as seen from the root.
fn resolve(from: &str, target: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in target.trim_end_matches('/').split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The anchor that renderers give to a heading line.
fn slug(line: &str) -> Option<String> {
    let title = line.strip_prefix('#')?.trim_start_matches('#').trim();
    let letters =
        title.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
    Some(letters.map(|letter| if letter == ' ' { '-' } else { letter.to_ascii_lowercase() }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_to_nothing_is_found_and_one_to_a_page_or_heading_is_not() {
        let tree = Tree::of(&[
            ("docs/a.md", "[b](b.md) [up](../README.md#two-words) [out](https://example.org)\n"),
            ("docs/b.md", "[gone](c.md) [self](#no-heading)\n"),
            ("README.md", "## Two words\n"),
        ]);
        let found: Vec<_> = check(&tree).into_iter().map(|finding| finding.to_string()).collect();
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found.iter().all(|finding| finding.starts_with("docs/b.md:1")));
    }

    #[test]
    fn links_in_fenced_blocks_are_examples() {
        assert_eq!(check(&Tree::of(&[("a.md", "```text\n[b](b.md)\n```\n`A [](f)`\n")])), []);
        assert_eq!(check(&Tree::of(&[("a.md", "As in\n\n    K[a](p)\n    K[b](p)\n")])), []);
        assert_eq!(check(&Tree::of(&[("a.md", "As in\n    K[a](p)\n")])).len(), 1, "a line that goes on");
    }
}
