//! `cargo xtask bench studies`: the two case studies of Brahms with all their claims. The thesis (Stocker 2013, tables 11.1
//! and 11.2, and 8.3.2) needed 30 to 848 seconds and 1 GB for each claim about the first, 64 to 154 seconds for each about
//! the second.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::bench::build;
use crate::measure::measure;
use crate::pan::number_after;

/// Checks all claims of both studies and returns the table.
///
/// # Errors
/// When the tool cannot be built or a study is not as expected.
pub fn studies(root: &Path) -> Result<String> {
    let folder = root.join("target/bench");
    std::fs::create_dir_all(&folder).context("creating target/bench")?;
    let motet = build(root)?;
    let mut table = format!("{:<24} {:>7} {:>10} {:>8} {:>8}\n", "", "claims", "states", "CPU s", "MiB");
    for study in ["home-care", "digital-nurse"] {
        let output = folder.join(format!("{study}.json"));
        let mut command = Command::new(&motet);
        command.current_dir(root).args(["check", &format!("examples/{study}"), "--format", "json"]);
        let cost = measure(&mut command, &output)?;
        let report = std::fs::read_to_string(&output)?;
        let claims = report.matches("\"verdict\":").count();
        if !report.contains("\"exit\": 0") {
            bail!("{study} is not as expected; see {}", output.display());
        }
        let states = number_after(&report, "\"states\":").context("the report has no states")?;
        let _ = writeln!(
            table,
            "{study:<24} {claims:>7} {states:>10} {:>8.2} {:>8.1}",
            cost.cpu_seconds, cost.peak_mib
        );
    }
    Ok(table)
}
