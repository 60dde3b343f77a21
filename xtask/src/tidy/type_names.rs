//! A type name stands for one idea: a name that is declared in many modules says nothing when somebody searches for it.

use std::collections::{BTreeMap, BTreeSet};

use super::{Finding, line_of};
use crate::{Text, Tree};

/// In so many modules a name may be declared.
const LIMIT_MODULES: usize = 3;

/// Type names that are declared in more modules than that.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut declared: BTreeMap<&str, BTreeSet<(&str, usize)>> = BTreeMap::new();
    for text in tree.rust().filter(|text| is_production(text)) {
        for (at, name) in declarations(production(text)) {
            declared.entry(name).or_default().insert((&text.path, line_of(&text.code, at)));
        }
    }
    let modules = |places: &BTreeSet<(&str, usize)>| {
        places.iter().map(|(path, _)| *path).collect::<BTreeSet<_>>().len()
    };
    declared.retain(|_, places| modules(places) > LIMIT_MODULES);
    let message = |name: &str, count: usize| {
        format!(
            "`{name}` is declared in {count} modules, the limit is {LIMIT_MODULES}: two words where one stands for many things"
        )
    };
    declared
        .iter()
        .flat_map(|(name, places)| {
            let text = message(name, modules(places));
            places.iter().map(move |(path, line)| Finding::new(*path, *line, text.clone()))
        })
        .collect()
}

/// Names that only tests declare confuse nobody who reads the product.
fn is_production(text: &Text) -> bool {
    !text.path.split('/').any(|part| matches!(part, "tests" | "tests.rs" | "benches"))
}

/// What stands before the tests of a file.
fn production(text: &Text) -> &str {
    text.code.split("\n#[cfg(test)]").next().unwrap_or_default()
}

/// The types declared at the left margin, with where their names start.
fn declarations(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    code.split_inclusive('\n').filter_map(move |line| {
        let here = start;
        start += line.len();
        let name = declared_name(line)?;
        Some((here + (name.as_ptr() as usize - line.as_ptr() as usize), name))
    })
}

/// The name that a line declares: `pub(crate) struct Store<T> {` declares `Store`.
fn declared_name(line: &str) -> Option<&str> {
    let public = line.strip_prefix("pub ").or_else(|| Some(line.strip_prefix("pub(")?.split_once(") ")?.1));
    let rest = public.unwrap_or(line);
    let rest = ["struct ", "enum ", "trait ", "type "].iter().find_map(|word| rest.strip_prefix(word))?;
    let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
    Some(&rest[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_four_modules_is_found_four_times_and_one_in_three_is_not() {
        let texts = [
            ("crates/a/src/one.rs", "pub struct Place;\npub(crate) enum Side {}\n"),
            ("crates/a/src/two.rs", "struct Place<T>(T);\n\nstruct Side;\n"),
            ("crates/b/src/one.rs", "pub(super) type Place = u32;\ntrait Side {}\n"),
            ("crates/b/src/two.rs", "fn a() {}\n\nenum Place {\n    A,\n}\n"),
        ];
        let found = check(&Tree::of(&texts));
        assert_eq!(found.len(), 4);
        assert!(found.iter().all(|finding| finding.message.starts_with("`Place` is declared in 4 modules")));
        assert_eq!(found[3].line, 3);
    }

    #[test]
    fn types_of_tests_and_types_inside_functions_are_not_counted() {
        let texts = [
            ("crates/a/src/one.rs", "struct Lab;\n"),
            ("crates/a/src/two.rs", "fn a() {}\n#[cfg(test)]\nmod tests {}\nstruct Lab;\n"),
            ("crates/a/tests/three.rs", "struct Lab;\n"),
            ("crates/a/src/four.rs", "fn a() {\n    struct Lab;\n}\n"),
            ("crates/a/src/five.rs", "struct Lab;\n"),
        ];
        assert_eq!(check(&Tree::of(&texts)), []);
    }
}
