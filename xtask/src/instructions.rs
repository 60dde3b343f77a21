//! `cargo xtask instructions`: how many instructions some fixed commands take, held against budgets that are kept with the
//! code. Unlike seconds they do not depend on how busy the machine is, so a change that makes the tool slower is seen.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};

use crate::bench::Binary;
use crate::counting::together;
use crate::generated_nets::kanban;
use crate::machine::first_line;

/// Where the budgets are kept.
pub const PAGE: &str = "docs/benchmarks/instructions.json";

/// A case may take this much more than its budget.
const SLACK: f64 = 0.05;

/// Set where the count may not be left out.
const REQUIRED: &str = "MOTET_REQUIRE_VALGRIND";

/// What to do with the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Hold them against the budgets.
    Compare,
    /// Make them the budgets.
    Bless,
}

/// How it went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// For the person who asked.
    pub text: String,
    /// Whether a case takes more than it may.
    pub failed: bool,
}

/// A command of the tool that is counted.
struct Case {
    name: &'static str,
    /// Options of `check`.
    arguments: Vec<String>,
}

/// Small enough to be counted in seconds each, and one for every language and kind of claim that the speed of the engine
/// matters for: fair runs, time, chance, markings.
fn cases(folder: &Path) -> Result<Vec<Case>> {
    let counting = together(4, 5);
    std::fs::write(folder.join("count.b"), &counting.brahms)?;
    std::fs::write(folder.join("kanban.net"), kanban(3).tina())?;
    let file = |name: &str| folder.join(name).display().to_string();
    let case = |name, arguments: &[&str]| Case {
        name,
        arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
    };
    Ok(vec![
        case("auction, 4 rounds", &["examples/auction-fixed", "-D", "LAST=4", "-p", "S1"]),
        case("counting, 4 agents to 5", &[&file("count.b"), "-e", &counting.claim]),
        case("home care", &["examples/home-care"]),
        case("vessel, L5", &["examples/asv", "-p", "L5"]),
        case("Kanban, 3 cards", &[&file("kanban.net")]),
    ])
}

/// Counts, and compares or blesses.
///
/// # Errors
/// When a program is missing that is required or does not end as it should.
pub fn instructions(root: &Path, purpose: Purpose, binary: Binary) -> Result<Count> {
    if first_line("valgrind", "--version").is_none() {
        let required = std::env::var_os(REQUIRED).is_some();
        ensure!(!required, "valgrind is needed to count instructions: `apt-get install valgrind` on Debian");
        let text = "valgrind is not installed, so instructions are not counted\n".to_owned();
        return Ok(Count { text, failed: false });
    }
    let folder = root.join("target/bench/instructions");
    std::fs::create_dir_all(&folder).context("creating target/bench/instructions")?;
    let motet = binary.find(root)?;
    let mut counts = BTreeMap::new();
    for case in cases(&folder)? {
        let count = count(&motet, root, &folder, &case).with_context(|| case.name)?;
        counts.insert(case.name.to_owned(), count);
    }
    let rustc = first_line("rustc", "--version").context("rustc says its version")?;
    let page = root.join(PAGE);
    if purpose == Purpose::Bless {
        std::fs::create_dir_all(page.parent().unwrap_or(root))?;
        std::fs::write(&page, Budgets { rustc, counts }.json()? + "\n")?;
        return Ok(Count { text: format!("wrote {PAGE}\n"), failed: false });
    }
    let text = std::fs::read_to_string(&page)
        .with_context(|| format!("{PAGE} is not there: `cargo xtask instructions --bless` makes it"))?;
    let budgets =
        Budgets::read(&text).with_context(|| format!("{PAGE} has not the form it was written in"))?;
    Ok(budgets.compare(&counts, &rustc))
}

/// Runs the tool under callgrind, which prints how many instructions it collected.
fn count(motet: &Path, root: &Path, folder: &Path, case: &Case) -> Result<u64> {
    let mut command = Command::new("valgrind");
    command.current_dir(root).args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    command.arg(motet).arg("check").args(&case.arguments);
    // Threads that wait for each other would count, too.
    command.args(["--threads", "1"]);
    command.args(["--format", "json", "--progress", "none", "--mem", "2GiB", "--trace-dir"]);
    let output = command.arg(folder.join("traces")).output().context("starting valgrind")?;
    let (report, remarks) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if !report.contains("\"complete\": true") {
        bail!("motet did not search everything:\n{report}\n{remarks}");
    }
    collected(&remarks).with_context(|| format!("callgrind does not say what it collected:\n{remarks}"))
}

/// The total of callgrind, as in `==42== Collected : 123456`.
fn collected(remarks: &str) -> Option<u64> {
    let line = remarks.lines().find_map(|line| line.split_once("Collected :"))?;
    line.1.split_whitespace().next()?.parse().ok()
}

/// What each case may take.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Budgets {
    /// The compiler that made the tool; another one makes other instructions.
    rustc: String,
    counts: BTreeMap<String, u64>,
}

impl Budgets {
    fn json(&self) -> Result<String> {
        let value =
            json!({ "schema": "motet.instructions/1", "rustc": self.rustc, "instructions": self.counts });
        Ok(serde_json::to_string_pretty(&value)?)
    }

    fn read(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let counts = value.get("instructions")?.as_object()?;
        let counts: Option<BTreeMap<String, u64>> =
            counts.iter().map(|(name, count)| Some((name.clone(), count.as_u64()?))).collect();
        Some(Self { rustc: value.get("rustc")?.as_str()?.to_owned(), counts: counts? })
    }

    /// Every case has a line. More than the budget and the slack is a failure, with the same compiler.
    fn compare(&self, counts: &BTreeMap<String, u64>, rustc: &str) -> Count {
        let (mut text, mut failed, mut less) = (String::new(), false, false);
        for (name, count) in counts {
            let Some(budget) = self.counts.get(name) else {
                text += &format!("{name}: {count}, without a budget\n");
                failed = true;
                continue;
            };
            let ratio = *count as f64 / *budget as f64;
            let judged = if ratio > 1.0 + SLACK {
                failed = true;
                ", too many"
            } else if ratio < 1.0 - SLACK {
                less = true;
                ", fewer"
            } else {
                ""
            };
            text += &format!("{name}: {count}, {ratio:.3} of its budget{judged}\n");
        }
        for name in self.counts.keys().filter(|name| !counts.contains_key(*name)) {
            text += &format!("{name}: has a budget and is not counted any more\n");
            failed = true;
        }
        if rustc != self.rustc {
            text += &format!("the budgets are those of {}; with {rustc} they decide nothing\n", self.rustc);
            failed = false;
        }
        if failed {
            text += "find out why; if it must be so, `cargo xtask instructions --bless` makes the new numbers the budgets\n";
        } else if less {
            text += "`cargo xtask instructions --bless` makes the new numbers the budgets\n";
        }
        Count { text, failed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUSTC: &str = "rustc 1.95.0";

    fn counts(counts: &[(&str, u64)]) -> BTreeMap<String, u64> {
        counts.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
    }

    fn budgets() -> Budgets {
        Budgets { rustc: RUSTC.to_owned(), counts: counts(&[("a", 1_000), ("b", 2_000)]) }
    }

    #[test]
    fn the_total_of_callgrind_is_read() {
        // As valgrind 3.24 prints it.
        let remarks = "==7== Callgrind, a call-graph generating cache profiler\n==7== \n==7== Events    : Ir\n\
                       ==7== Collected : 1234567890\n==7== \n==7== I   refs:      1,234,567,890\n";
        assert_eq!(collected(remarks), Some(1_234_567_890));
        assert_eq!(collected("==7== Collected :\n"), None);
        assert_eq!(collected(""), None);
    }

    #[test]
    fn five_per_cent_more_is_let_through_and_six_are_not() {
        assert!(!budgets().compare(&counts(&[("a", 1_049), ("b", 2_000)]), RUSTC).failed);
        let found = budgets().compare(&counts(&[("a", 1_060), ("b", 2_000)]), RUSTC);
        assert!(found.failed);
        assert!(found.text.contains("a: 1060, 1.060 of its budget, too many"), "{}", found.text);
    }

    #[test]
    fn fewer_instructions_suggest_new_budgets() {
        let found = budgets().compare(&counts(&[("a", 900), ("b", 2_000)]), RUSTC);
        assert!(!found.failed && found.text.contains("--bless"), "{}", found.text);
        let same = budgets().compare(&counts(&[("a", 990), ("b", 2_000)]), RUSTC);
        assert!(!same.text.contains("--bless"), "{}", same.text);
    }

    #[test]
    fn another_compiler_decides_nothing() {
        let found = budgets().compare(&counts(&[("a", 5_000), ("b", 2_000)]), "rustc 1.99.0");
        assert!(!found.failed && found.text.contains("too many"), "{}", found.text);
    }

    #[test]
    fn cases_and_budgets_are_the_same_set() {
        assert!(budgets().compare(&counts(&[("a", 1_000)]), RUSTC).failed);
        assert!(budgets().compare(&counts(&[("a", 1_000), ("b", 2_000), ("c", 1)]), RUSTC).failed);
    }

    #[test]
    fn budgets_are_read_as_they_were_written() {
        assert_eq!(Budgets::read(&budgets().json().unwrap()), Some(budgets()));
        assert_eq!(Budgets::read("{}"), None);
    }
}
