//! `cargo xtask bench nets`: all markings of generated nets, Motet beside Spin in one run.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};

use crate::bench::build;
use crate::generated_nets::{Extent, Generated, nets};
use crate::measure::{Cost, measure};
use crate::pan::{number_after, verify};

/// For gcc, besides `-O2 -DSAFETY`: one process has nothing to reduce, and looking for it would cost Spin time.
const SWITCHES: [&str; 2] = ["-DNOREDUCE", "-DNOFAIR"];
/// For pan: philosophers starve, and that is no error here.
const OPTIONS: [&str; 1] = ["-E"];

/// Explores all nets and returns the table.
///
/// # Errors
/// When a program is missing, does not end as it should, or counts other states than the literature or the other program.
pub fn bench_nets(root: &Path, extent: Extent) -> Result<String> {
    let folder = root.join("target/bench/nets");
    std::fs::create_dir_all(&folder).context("creating target/bench/nets")?;
    let motet = build(root)?;
    let mut table = format!(
        "{:<24} {:>10} {:>11} {:>7} {:>8} {:>7} | {:>7} {:>8} {:>7} {:>6} | {:>6} {:>8}\n",
        "",
        "states",
        "firings",
        "CPU s",
        "k/s",
        "B/state",
        "Spin s",
        "k/s",
        "B/state",
        "gcc s",
        "CPU x",
        "memory x"
    );
    for (number, net) in nets(extent).iter().enumerate() {
        let place = folder.join(number.to_string());
        std::fs::create_dir_all(&place)?;
        table += &row(&motet, &place, net).with_context(|| net.title.clone())?;
    }
    let _ = writeln!(
        table,
        "\nfull graph, no claims; Spin: a byte per place, a d_step per transition, gcc -O2 -DSAFETY {}, pan {}\n\
         B/state is the peak resident memory of the whole program by states, with the stack of Spin's depth-first search;\n\
         x is Spin by Motet, without gcc",
        SWITCHES.join(" "),
        OPTIONS.join(" ")
    );
    Ok(table)
}

fn row(motet: &Path, folder: &Path, net: &Generated) -> Result<String> {
    let native = native(motet, folder, net)?;
    let spin = verify(folder, &net.promela(), &SWITCHES, &OPTIONS)?;
    ensure!(spin.states == native.states, "Spin stored {} states and Motet {}", spin.states, native.states);
    let own = Speed::new(native.states, native.cost);
    let other = Speed::new(spin.states, spin.search);
    Ok(format!(
        "{:<24} {:>10} {:>11} {:>7.2} {:>8.0} {:>7.1} | {:>7.2} {:>8.0} {:>7.1} {:>6.2} | {:>6.1} {:>8.1}\n",
        net.title,
        native.states,
        native.firings,
        own.seconds,
        own.rate,
        own.bytes,
        other.seconds,
        other.rate,
        other.bytes,
        spin.compile.cpu_seconds,
        other.seconds / own.seconds,
        other.bytes / own.bytes
    ))
}

/// What a search cost, per state.
struct Speed {
    seconds: f64,
    /// Thousands of states in a second.
    rate: f64,
    bytes: f64,
}

impl Speed {
    fn new(states: u64, cost: Cost) -> Self {
        let seconds = cost.cpu_seconds.max(0.01);
        let states = states as f64;
        Self { seconds, rate: states / seconds / 1000.0, bytes: cost.peak_mib * 1024.0 * 1024.0 / states }
    }
}

struct Native {
    states: u64,
    firings: u64,
    cost: Cost,
}

fn native(motet: &Path, folder: &Path, net: &Generated) -> Result<Native> {
    std::fs::write(folder.join("model.net"), net.tina())?;
    let output = folder.join("motet.json");
    let mut command = Command::new(motet);
    let cost =
        measure(command.current_dir(folder).args(["check", "model.net", "--format", "json"]), &output)?;
    let report = std::fs::read_to_string(&output)?;
    if !report.contains("\"complete\": true") {
        bail!("motet did not search everything; see {}", output.display());
    }
    let states = number_after(&report, "\"states\":").context("the report has no states")?;
    let firings = number_after(&report, "\"transitions\":").context("the report has no transitions")?;
    ensure!(
        net.states.is_none_or(|known| known == states),
        "{states} states, but {:?} are known",
        net.states
    );
    let known = net.firings;
    ensure!(known.is_none_or(|known| known == firings), "{firings} firings, but {known:?} are known");
    Ok(Native { states, firings, cost })
}
