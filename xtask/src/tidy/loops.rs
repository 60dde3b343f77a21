//! There is one exploration. A loop that asks a model for steps and keeps what it has not looked at yet explores, and belongs
//! to the engine; the naive twin is there to differ, and the contract looks around one instant where it holds a model to its word.

use super::{Finding, line_of};
use crate::{Text, Tree};

/// How steps are asked for.
const ASKS: [&str; 3] = [".steps(", ".steps_unless(", ".steps_into("];
/// How states that wait are taken up.
const TAKES_UP: [&str; 3] = [".pop()", ".pop_front()", ".pop_first()"];

/// Explorations outside of the engine and the naive twin.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let texts = tree.rust().filter(|text| is_elsewhere(text));
    texts.flat_map(explorations).collect()
}

fn is_elsewhere(text: &Text) -> bool {
    let in_tests = text.path.split('/').any(|part| matches!(part, "tests" | "tests.rs"));
    text.package().is_some_and(|package| !matches!(package, "engine" | "naive" | "model")) && !in_tests
}

/// The functions that ask for steps and take up what waits.
fn explorations(text: &Text) -> Vec<Finding> {
    let code = text.code.split("\n#[cfg(test)]").next().unwrap_or_default();
    let mut findings = Vec::new();
    for (start, body) in super::limits::bodies(code) {
        let has = |words: &[&str]| words.iter().any(|word| body.contains(word));
        // A closure may ask, a loop around it take up: both stand in one function.
        if has(&ASKS) && has(&TAKES_UP) {
            let message =
                "this explores a model: `motet_engine::Space` does, with limits, threads and memory";
            findings.push(Finding::new(&text.path, line_of(code, start), message));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOP: &str = "fn all(m: &dyn Model) {\n    while let Some(s) = open.pop() {\n        m.steps(&s, &mut out);\n    }\n}\n";

    #[test]
    fn a_loop_that_explores_is_found_in_a_front_end_and_left_to_the_engine_and_its_twin() {
        let at = |path: &str| check(&Tree::of(&[(path, LOOP)])).len();
        assert_eq!(at("crates/nets/src/a.rs"), 1);
        assert_eq!(at("crates/workbench/src/a.rs"), 1);
        assert_eq!(at("crates/engine/src/a.rs"), 0);
        assert_eq!(at("crates/naive/src/a.rs"), 0);
    }

    #[test]
    fn who_follows_a_run_does_not_explore() {
        let follow =
            "fn follow(m: &dyn Model) {\n    for taken in run {\n        m.steps(&s, &mut out);\n    }\n}\n";
        assert_eq!(check(&Tree::of(&[("crates/evidence/src/a.rs", follow)])), []);
    }
}
