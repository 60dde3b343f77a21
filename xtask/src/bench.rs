//! Motet beside Spin on the same model in one run. Machines differ, so only the ratios mean anything.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::measure::{Cost, measure};

/// The claims of the auction that both are asked.
const CLAIMS: [&str; 3] = ["S1", "S2", "S3"];

/// What to measure.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many auctions; ten is the published case, fewer are faster.
    pub last: u32,
}

/// The repaired auction, full graph and three fair claims: Motet, then Spin on Motet's own export. Returns the table.
///
/// # Errors
/// When a program is missing or does not end as it should.
pub fn auction(root: &Path, options: &Options) -> Result<String> {
    let folder = root.join("target/bench");
    std::fs::create_dir_all(&folder).context("creating target/bench")?;
    let motet = build(root)?;
    let mut rows = Vec::new();
    let native = native(&motet, root, &folder, options)?;
    let spin = spin(&motet, root, &folder, options)?;
    let total = spin.claims.iter().fold(spin.reach, |sum, (_, cost)| sum + *cost);
    rows.push(row("Motet: graph and S1 to S3, weakly fair", native, native));
    rows.push(row("Spin: compile pan (gcc -O2)", spin.compile, native));
    rows.push(row("Spin: reachability alone", spin.reach, native));
    for (name, cost) in &spin.claims {
        rows.push(row(&format!("Spin: {name} with weak fairness"), *cost, native));
    }
    rows.push(row("Spin: all four runs", total, native));
    let head = format!(
        "auction-fixed, LAST = {}\n\n{:<42} {:>8} {:>9} {:>9} {:>9}\n",
        options.last, "", "CPU s", "MiB", "CPU x", "memory x"
    );
    Ok(head + &rows.concat())
}

fn row(title: &str, cost: Cost, native: Cost) -> String {
    let time = cost.cpu_seconds / native.cpu_seconds.max(0.01);
    let memory = cost.peak_mib / native.peak_mib.max(1.0);
    format!("{title:<42} {:>8.2} {:>9.1} {time:>9.1} {memory:>9.1}\n", cost.cpu_seconds, cost.peak_mib)
}

/// Builds the tool for speed and says where it is.
///
/// # Errors
/// When cargo fails.
pub fn build(root: &Path) -> Result<PathBuf> {
    let cargo = option_env!("CARGO").unwrap_or("cargo");
    let built =
        Command::new(cargo).current_dir(root).args(["build", "--release", "-p", "motet-cli"]).status()?;
    if !built.success() {
        bail!("building motet failed");
    }
    Ok(root.join("target/release/motet"))
}

fn native(motet: &Path, root: &Path, folder: &Path, options: &Options) -> Result<Cost> {
    let output = folder.join("motet.json");
    let mut command = Command::new(motet);
    command.current_dir(root).args(["check", "examples/auction-fixed", "--format", "json", "-p", "S*"]);
    command.arg("-D").arg(format!("LAST={}", options.last));
    let cost = measure(&mut command, &output)?;
    let report = std::fs::read_to_string(&output)?;
    if !report.contains("\"complete\": true") && !report.contains("\"complete\":true") {
        bail!("motet did not search everything; see {}", output.display());
    }
    Ok(cost)
}

struct SpinCosts {
    compile: Cost,
    reach: Cost,
    claims: Vec<(&'static str, Cost)>,
}

fn spin(motet: &Path, root: &Path, folder: &Path, options: &Options) -> Result<SpinCosts> {
    let model = folder.join("auction.pml");
    let exported = Command::new(motet)
        .current_dir(root)
        .args(["export", "examples/auction-fixed", "--to", "promela", "-D"])
        .arg(format!("LAST={}", options.last))
        .output()?;
    if !exported.status.success() {
        bail!("the export failed: {}", String::from_utf8_lossy(&exported.stderr));
    }
    std::fs::write(&model, &exported.stdout)?;
    run(Command::new("spin").current_dir(folder).args(["-a", "auction.pml"]))
        .context("spin is needed for the comparison; `apt-get install spin gcc` on Debian")?;
    let compile = gcc(folder, "pan", &[])?;
    // A verifier with inline formulas always searches the product with one of them unless it is compiled without.
    gcc(folder, "pan-reach", &["-DNOCLAIM", "-DSAFETY"])?;
    let reach = pan(folder, "pan-reach", &[], "reach.log")?;
    let mut claims = Vec::new();
    for name in CLAIMS {
        let cost = pan(folder, "pan", &["-a", "-f", "-N", name], &format!("{name}.log"))?;
        claims.push((name, cost));
    }
    Ok(SpinCosts { compile, reach, claims })
}

fn gcc(folder: &Path, program: &str, switches: &[&str]) -> Result<Cost> {
    let mut command = Command::new("gcc");
    command.current_dir(folder).args(["-O2", "-w", "-DCOLLAPSE", "-DNOREDUCE", "-DVECTORSZ=16384"]);
    measure(command.args(switches).args(["-o", program, "pan.c"]), &folder.join("gcc.log"))
}

/// Runs pan. Its exit code says nothing: a depth cut also ends with 0, so the report is read. A claim that fails stops
/// the search early (S3 does with fewer than nine auctions), and that is an answer too.
fn pan(folder: &Path, program: &str, arguments: &[&str], log: &str) -> Result<Cost> {
    let log = folder.join(log);
    // The stack is allocated beforehand, so a large limit would be held against Spin: it grows only as needed.
    for depth in ["-m20000", "-m200000", "-m2000000", "-m20000000"] {
        let mut command = Command::new(folder.join(program));
        let cost = measure(command.current_dir(folder).arg(depth).args(arguments), &log)?;
        let report = std::fs::read_to_string(&log)?;
        if report.contains("search depth too small") {
            continue;
        }
        let complete = report.contains("errors: 0") && !report.contains("Search not completed");
        if complete || report.contains("errors: 1") {
            return Ok(cost);
        }
        break;
    }
    bail!("pan did not search everything; see {}", log.display())
}

fn run(command: &mut Command) -> Result<()> {
    let output = command.output()?;
    if !output.status.success() {
        bail!("{command:?} failed:\n{}", String::from_utf8_lossy(&output.stdout));
    }
    Ok(())
}
