//! Spin's verifier of a Promela text: generated, compiled, run until the search is complete, and its report read.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::measure::{Cost, measure};

/// What Spin found and what it cost.
pub(crate) struct Verified {
    /// States that were stored.
    pub(crate) states: u64,
    /// Of compiling the verifier.
    pub(crate) compile: Cost,
    /// Of the search.
    pub(crate) search: Cost,
}

/// Searches all states; `switches` are for gcc, `options` for the verifier.
pub(crate) fn verify(folder: &Path, promela: &str, switches: &[&str], options: &[&str]) -> Result<Verified> {
    std::fs::write(folder.join("model.pml"), promela)?;
    let made = Command::new("spin").current_dir(folder).args(["-a", "model.pml"]).output();
    made.context("spin is needed for the comparison; `apt-get install spin gcc` on Debian")?;
    let mut gcc = Command::new("gcc");
    gcc.current_dir(folder).args(["-O2", "-w", "-DSAFETY"]).args(switches).args(["-o", "pan", "pan.c"]);
    let compile = measure(&mut gcc, &folder.join("gcc.log"))?;
    let log = folder.join("pan.log");
    // The stack is allocated beforehand, so a large limit would be held against Spin: it grows only as needed.
    for depth in ["-m100000", "-m1000000", "-m10000000"] {
        let mut pan = Command::new(folder.join("pan"));
        let search = measure(pan.current_dir(folder).arg(depth).args(options), &log)?;
        let report = std::fs::read_to_string(&log)?;
        if report.contains("search depth too small") {
            continue;
        }
        if !report.contains("errors: 0") || report.contains("Search not completed") {
            break;
        }
        let states = count(&report, "states, stored").context("pan reports no states")?;
        return Ok(Verified { states, compile, search });
    }
    bail!("pan did not search everything; see {}", log.display())
}

/// The number at the beginning of the line that has `mark`; large ones are written like `1.5e+06`.
fn count(report: &str, mark: &str) -> Option<u64> {
    let line = report.lines().find(|line| line.contains(mark))?;
    let word = line.split_whitespace().next()?;
    word.parse().ok().or_else(|| {
        let number: f64 = word.parse().ok()?;
        number.is_finite().then(|| format!("{number:.0}").parse().ok())?
    })
}

/// The digits that follow `mark`.
pub(crate) fn number_after(text: &str, mark: &str) -> Option<u64> {
    let rest = text.split_once(mark)?.1.trim_start();
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_pan_are_read_in_both_forms() {
        let report =
            "   531441 states, stored\n 2125765 states, matched\n1.593e+06 transitions (= stored+matched)\n";
        assert_eq!(count(report, "states, stored"), Some(531_441));
        assert_eq!(count(report, "transitions (="), Some(1_593_000));
        assert_eq!(count(report, "atomic"), None);
        assert_eq!(number_after("\"states\": 12,", "\"states\":"), Some(12));
    }
}
