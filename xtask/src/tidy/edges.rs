//! Dependencies between crates must be edges of the table in ARCHITECTURE.md.

use std::collections::BTreeMap;

use super::{Finding, back_ticked, line_of};
use crate::{Text, Tree};

const PAGE: &str = "ARCHITECTURE.md";

/// Every normal dependency of a crate on another is in the table, and every crate has a row.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let Some(page) = tree.get(PAGE) else {
        return vec![Finding::new(PAGE, 0, "missing: it holds the table of allowed edges")];
    };
    let allowed = table(&page.text);
    let manifests = tree.texts.iter().filter(|text| text.path.starts_with("crates/"));
    let mut findings = Vec::new();
    for manifest in manifests.filter(|text| text.path.ends_with("/Cargo.toml")) {
        let package = manifest.package().expect("filtered by folder");
        let Some(edges) = allowed.get(package) else {
            let message = format!("`{package}` has no row in the table of allowed edges of {PAGE}");
            findings.push(Finding::new(&manifest.path, 0, message));
            continue;
        };
        for (line, dependency) in dependencies(manifest) {
            if !edges.contains(&dependency) {
                let message = format!("`{package}` may not use `{dependency}`: not an edge of {PAGE}");
                findings.push(Finding::new(&manifest.path, line, message));
            }
        }
    }
    findings
}

/// The rows of the table under the heading "Allowed edges": crates, then the crates they may use.
fn table(page: &str) -> BTreeMap<String, Vec<String>> {
    let mut rows = BTreeMap::new();
    let section = page.split("\n## ").find(|section| section.starts_with("Allowed edges")).unwrap_or("");
    for row in section.lines().filter(|line| line.starts_with("| `")) {
        let mut cells = row
            .trim_matches('|')
            .splitn(2, '|')
            .map(|cell| back_ticked(cell).into_iter().map(|(_, name)| name.to_owned()).collect::<Vec<_>>());
        let (crates, uses) = (cells.next().unwrap_or_default(), cells.next().unwrap_or_default());
        rows.extend(crates.into_iter().map(|name| (name, uses.clone())));
    }
    rows
}

/// Crates of the workspace that a manifest depends on, without their prefix: for every target, but not for tests alone.
fn dependencies(manifest: &Text) -> Vec<(usize, String)> {
    let Ok(table) = manifest.text.parse::<toml::Table>() else { return Vec::new() };
    let targets =
        table.get("target").and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::values);
    let sections = std::iter::once(table.get("dependencies"))
        .chain(targets.map(|target| target.get("dependencies")))
        .filter_map(|section| section?.as_table());
    let names = sections.flat_map(toml::Table::keys).filter_map(|name| name.strip_prefix("motet-"));
    let line =
        |name: &str| manifest.text.find(&format!("motet-{name}")).map_or(0, |at| line_of(&manifest.text, at));
    names.map(|name| (line(name), name.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE_TEXT: &str = "# A\n\n## Allowed edges\n\n| crate | may use |\n|---|---|\n| `model` | `source` |\n| `a`, `b` | `model` |\n";

    #[test]
    fn an_edge_outside_the_table_is_found_and_one_inside_is_not() {
        let tree = Tree::of(&[
            (PAGE, PAGE_TEXT),
            ("crates/a/Cargo.toml", "[dependencies]\nmotet-model.workspace = true\n"),
            ("crates/b/Cargo.toml", "[dependencies]\nmotet-a.workspace = true\n"),
        ]);
        let findings = check(&tree);
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert_eq!((findings[0].path.as_str(), findings[0].line), ("crates/b/Cargo.toml", 2));
    }

    #[test]
    fn a_dependency_of_one_target_or_with_a_table_of_its_own_is_an_edge_too() {
        for manifest in [
            "[target.'cfg(unix)'.dependencies]\nmotet-b.workspace = true\n",
            "[dependencies.motet-b]\nworkspace = true\n",
        ] {
            let tree = Tree::of(&[(PAGE, PAGE_TEXT), ("crates/a/Cargo.toml", manifest)]);
            assert_eq!(check(&tree).len(), 1, "{manifest}");
        }
    }

    #[test]
    fn tests_may_use_what_they_like() {
        let manifest = "[dependencies]\n\n[dev-dependencies]\nmotet-b.workspace = true\n";
        let tree = Tree::of(&[(PAGE, PAGE_TEXT), ("crates/a/Cargo.toml", manifest)]);
        assert_eq!(check(&tree), []);
    }

    #[test]
    fn a_crate_without_a_row_is_found() {
        let tree = Tree::of(&[(PAGE, PAGE_TEXT), ("crates/c/Cargo.toml", "[dependencies]\n")]);
        assert_eq!(check(&tree).len(), 1);
    }
}
