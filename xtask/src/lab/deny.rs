//! `cargo deny`: licences, sources and advisories of everything that is built in. What cannot be looked at is said to be so.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};

use super::{Account, Bench};

/// What is looked at, as `cargo deny` names it.
const CHECKS: [&str; 4] = ["licenses", "bans", "sources", "advisories"];

/// How one check came out.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    Fine,
    /// With what `cargo deny` says first.
    Wrong(String),
    /// It could not be done, and why.
    Undone(String),
}

/// Looks at everything that is built in.
///
/// # Errors
/// When `cargo deny` cannot be started although it is there.
pub(super) fn run(bench: &mut Bench<'_>) -> Result<Account> {
    let Some((program, version)) = find(bench) else {
        let text = "**Not done**: `cargo deny` is not installed here (`cargo install --locked cargo-deny`). Nothing is known of licences, \
                    sources and advisories from this run.";
        (bench.say)(text);
        return Ok(Account { text: text.to_owned(), findings: Vec::new() });
    };
    let mut account =
        Account { text: format!("{version}, with [deny.toml](../deny.toml).\n\n"), findings: Vec::new() };
    account.text.push_str("| what | the tool | the fuzz targets |\n|---|---|---|\n");
    for check in CHECKS {
        let mut cells = Vec::new();
        for (whose, manifest) in [("the tool", "Cargo.toml"), ("the fuzz targets", "fuzz/Cargo.toml")] {
            let output = Command::new(&program)
                .args([
                    "--color",
                    "never",
                    "--config",
                    "deny.toml",
                    "--manifest-path",
                    manifest,
                    "--all-features",
                    "check",
                ])
                .arg(check)
                .current_dir(bench.root)
                .stdin(Stdio::null())
                .output()
                .context("starting cargo deny")?;
            let outcome = read(check, output.status.success(), &String::from_utf8_lossy(&output.stderr));
            cells.push(match outcome {
                Outcome::Fine => "nothing to object to".to_owned(),
                Outcome::Wrong(words) => {
                    account.findings.push(format!("{check} of {whose}: {words}"));
                    words
                }
                Outcome::Undone(why) => format!("**not done**: {why}"),
            });
        }
        account.text.push_str(&format!("| {check} | {} |\n", cells.join(" | ")));
        (bench.say)(&format!("{check}: {}", cells.join(" | ")));
    }
    Ok(account)
}

/// The program, and what it says of itself: on the path, or where this laboratory may have put it.
fn find(bench: &Bench<'_>) -> Option<(PathBuf, String)> {
    let own = bench.root.join("target/lab/tools/bin/cargo-deny");
    [PathBuf::from("cargo-deny"), own].into_iter().find_map(|program| {
        let output = Command::new(&program).arg("--version").output().ok()?;
        Some((program, String::from_utf8_lossy(&output.stdout).trim().to_owned()))
    })
}

/// What `cargo deny` means. A database of advisories that cannot be fetched is no clean one.
fn read(check: &str, success: bool, text: &str) -> Outcome {
    let unreached =
        ["failed to fetch", "failed to load", "failed to clone", "unable to fetch", "advisory database"];
    let line = |wanted: &[&str]| {
        let found = text.lines().find(|line| wanted.iter().any(|word| line.contains(word)))?;
        Some(found.trim().chars().take(160).collect::<String>().replace('|', "/"))
    };
    if success {
        return Outcome::Fine;
    }
    match line(&unreached) {
        Some(_) if check == "advisories" => {
            Outcome::Undone("the database of advisories could not be fetched from here".to_owned())
        }
        _ => Outcome::Wrong(line(&["error"]).unwrap_or_else(|| "refused without a word".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_that_cannot_be_reached_is_no_clean_one() {
        let text = "[ERROR] failed to fetch advisory database https://example.org: no route\n";
        assert!(matches!(read("advisories", false, text), Outcome::Undone(_)));
        let text = "error[rejected]: failed to satisfy license requirements\n";
        assert_eq!(read("licenses", false, text), Outcome::Wrong(text.trim().to_owned()));
        assert_eq!(read("licenses", true, ""), Outcome::Fine);
    }
}
