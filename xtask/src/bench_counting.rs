//! `cargo xtask bench counting`: the counting experiments, Motet beside Spin in one run.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::bench::build;
use crate::counting::{Experiment, Extent, experiments};
use crate::measure::{Cost, measure};

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
            let spin = spin(&place, promela)?;
            let ratio = spin.cost.cpu_seconds / native.cost.cpu_seconds.max(0.01);
            let _ = write!(
                table,
                " {:>11} {:>7.2} {:>7.2} {:>7.1} {ratio:>6.1}",
                spin.states, spin.compile.cpu_seconds, spin.cost.cpu_seconds, spin.cost.peak_mib
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

struct Spin {
    states: u64,
    compile: Cost,
    cost: Cost,
}

fn spin(folder: &Path, promela: &str) -> Result<Spin> {
    std::fs::write(folder.join("count.pml"), promela)?;
    let made = Command::new("spin").current_dir(folder).args(["-a", "count.pml"]).output();
    made.context("spin is needed for the comparison; `apt-get install spin gcc` on Debian")?;
    let mut gcc = Command::new("gcc");
    gcc.current_dir(folder).args(["-O2", "-w", "-DSAFETY", "-o", "pan", "pan.c"]);
    let compile = measure(&mut gcc, &folder.join("gcc.log"))?;
    let log = folder.join("pan.log");
    for depth in ["-m100000", "-m1000000", "-m10000000"] {
        let mut pan = Command::new(folder.join("pan"));
        let cost = measure(pan.current_dir(folder).arg(depth), &log)?;
        let report = std::fs::read_to_string(&log)?;
        if report.contains("search depth too small") {
            continue;
        }
        if !report.contains("errors: 0") || report.contains("Search not completed") {
            break;
        }
        let line = report.lines().find(|line| line.contains("states, stored"));
        let states = line.and_then(|line| line.trim().split(' ').next()?.parse().ok());
        return Ok(Spin { states: states.context("pan reports no states")?, compile, cost });
    }
    bail!("pan did not search everything; see {}", log.display())
}

pub(crate) fn number_after(text: &str, mark: &str) -> Option<u64> {
    let rest = text.split_once(mark)?.1.trim_start();
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}
