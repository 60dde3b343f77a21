//! `cargo xtask bench counting`: the counting experiments, Motet beside Spin in one run.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::bench::build;
use crate::counting::{Experiment, Extent, experiments};
use crate::measure::{Cost, measure};
use crate::pan::{number_after, verify};

/// Runs all experiments and returns the table.
///
/// # Errors
/// When a program is missing or does not end as it should.
pub fn counting(root: &Path, extent: Extent) -> Result<String> {
    let folder = root.join("target/bench/counting");
    std::fs::create_dir_all(&folder).context("creating target/bench/counting")?;
    let motet = build(root)?;
    let mut table = format!(
        "{:<48} {:>10} {:>5} {:>7} {:>7} | {:>11} {:>7} {:>7} {:>7} {:>6}\n",
        "", "states", "/comb", "CPU s", "MiB", "pan states", "gcc s", "CPU s", "MiB", "CPU x"
    );
    for (number, experiment) in experiments(extent).iter().enumerate() {
        let place = folder.join(number.to_string());
        std::fs::create_dir_all(&place)?;
        let native = native(&motet, &place, experiment)?;
        let _ = write!(
            table,
            "{:<48} {:>10} {:>5.2} {:>7.2} {:>7.1} |",
            experiment.title,
            native.states,
            native.states as f64 / experiment.combinations as f64,
            native.cost.cpu_seconds,
            native.cost.peak_mib
        );
        if let Some(promela) = &experiment.promela {
            let spin = verify(&place, promela, &[], &[])?;
            let ratio = spin.search.cpu_seconds / native.cost.cpu_seconds.max(0.01);
            let _ = write!(
                table,
                " {:>11} {:>7.2} {:>7.2} {:>7.1} {ratio:>6.1}",
                spin.states, spin.compile.cpu_seconds, spin.search.cpu_seconds, spin.search.peak_mib
            );
        }
        table.push('\n');
    }
    Ok(table)
}

struct Native {
    states: u64,
    cost: Cost,
}

fn native(motet: &Path, folder: &Path, experiment: &Experiment) -> Result<Native> {
    std::fs::write(folder.join("count.b"), &experiment.brahms)?;
    let output = folder.join("motet.json");
    let mut command = Command::new(motet);
    command.current_dir(folder).args(["check", "count.b", "--format", "json", "-e", &experiment.claim]);
    let cost = measure(&mut command, &output)?;
    let report = std::fs::read_to_string(&output)?;
    if !report.contains("\"complete\": true") || !report.contains("\"verdict\": \"holds\"") {
        bail!("motet did not prove the claim; see {}", output.display());
    }
    let states = number_after(&report, "\"states\":").context("the report has no states")?;
    Ok(Native { states, cost })
}
