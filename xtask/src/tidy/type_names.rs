//! A type name stands for one idea: a name that is declared in many modules says nothing when somebody searches for it.

use std::collections::{BTreeMap, BTreeSet};

use super::{Finding, line_of};
use crate::{Text, Tree};

/// In so many modules a name may be declared.
const LIMIT_MODULES: usize = 3;

/// Names that were declared in more modules before there was a limit. The list only gets shorter.
const BEFORE: &[&str] = &[
    "Alternative",
    "Answer",
    "Binding",
    "Bound",
    "Bounds",
    "Call",
    "Case",
    "Cell",
    "Change",
    "Choice",
    "Chosen",
    "Comparison",
    "Condition",
    "Context",
    "Course",
    "Cursor",
    "Definition",
    "Direction",
    "Domain",
    "Earned",
    "Edge",
    "Effect",
    "End",
    "Ending",
    "Entry",
    "Expr",
    "Extent",
    "Fate",
    "Field",
    "Form",
    "Found",
    "Frame",
    "Goal",
    "Graph",
    "Group",
    "Head",
    "Instance",
    "Item",
    "Kept",
    "Kind",
    "Known",
    "Layout",
    "Level",
    "Line",
    "Link",
    "Local",
    "Lowered",
    "Meaning",
    "Member",
    "Mode",
    "Module",
    "Moment",
    "Move",
    "Names",
    "Next",
    "Node",
    "Number",
    "Operator",
    "Order",
    "Origin",
    "Outcome",
    "Pace",
    "Page",
    "Part",
    "Parts",
    "Pattern",
    "Phase",
    "Place",
    "Places",
    "Plan",
    "Point",
    "Predicate",
    "Printer",
    "Program",
    "Promela",
    "Purpose",
    "Question",
    "Reader",
    "Reading",
    "Refusal",
    "Relation",
    "Renaming",
    "Repeat",
    "Report",
    "Resolver",
    "Rewards",
    "Role",
    "Room",
    "Row",
    "Run",
    "Said",
    "Scope",
    "Scratch",
    "Search",
    "Seen",
    "Semantics",
    "Shape",
    "Side",
    "Sign",
    "Sort",
    "Source",
    "Standing",
    "Statement",
    "Step",
    "System",
    "Table",
    "Taken",
    "Tally",
    "Target",
    "Task",
    "Team",
    "Teller",
    "Term",
    "Terms",
    "Test",
    "Ties",
    "Token",
    "TokenKind",
    "Told",
    "Tree",
    "Trigger",
    "Trouble",
    "Turn",
    "Until",
    "Value",
    "Values",
    "Variable",
    "View",
    "Visit",
    "Watch",
    "Way",
    "Word",
    "Work",
    "World",
    "Writer",
];

/// Type names that are declared in more modules than that, and those that no longer are but are still excused.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    excusing(tree, BEFORE)
}

fn excusing(tree: &Tree, before: &[&str]) -> Vec<Finding> {
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
    let healed = before.iter().filter(|name| !declared.contains_key(*name));
    let mut findings: Vec<Finding> = healed
        .map(|name| {
            let message = format!("`{name}` is not declared in many modules any more: take it off the list");
            Finding::new(file!(), 0, message)
        })
        .collect();
    for (name, places) in declared.iter().filter(|(name, _)| !before.contains(name)) {
        let text = message(name, modules(places));
        findings.extend(places.iter().map(|(path, line)| Finding::new(*path, *line, text.clone())));
    }
    findings
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
        let found = excusing(&Tree::of(&texts), &[]);
        assert_eq!(found.len(), 4);
        assert!(found.iter().all(|finding| finding.message.starts_with("`Place` is declared in 4 modules")));
        assert_eq!(found[3].line, 3);
    }

    #[test]
    fn a_name_of_before_is_excused_until_it_is_repaired() {
        let many: Vec<(String, &str)> =
            (0..4).map(|n| (format!("crates/a/src/m{n}.rs"), "struct Place;\n")).collect();
        let many: Vec<(&str, &str)> = many.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        assert_eq!(excusing(&Tree::of(&many), &["Place"]), []);
        let repaired = excusing(&Tree::of(&many[1..]), &["Place"]);
        assert_eq!(repaired.len(), 1);
        assert!(repaired[0].message.ends_with("take it off the list"));
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
        assert_eq!(excusing(&Tree::of(&texts), &[]), []);
    }
}
