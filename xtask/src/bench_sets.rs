//! The benchmarks by name, each with the time that it may take, and the command that runs them.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use crate::bench::{Bench, Extent, Options, Say};
use crate::bench_motet::MotetOptions;
use crate::bench_report::Page;
use crate::machine::Machine;
use crate::peers::Peers;
use crate::startup::Startup;
use crate::{
    bench_auction, bench_chance, bench_counting, bench_limits, bench_nets, bench_reduce, bench_studies,
    bench_threads, bench_vessel, bench_ward,
};

/// A benchmark.
pub struct Set {
    /// Of the command and the page.
    pub name: &'static str,
    /// After so many minutes every model is run once at most.
    pub minutes: f64,
    page: fn(&Bench, Say<'_>) -> Result<Page>,
}

/// The benchmarks that this runner knows, in the order in which all of them are run.
pub const SETS: [Set; 10] = [
    Set { name: "auction", minutes: 8.0, page: bench_auction::page },
    Set { name: "counting", minutes: 4.0, page: bench_counting::page },
    Set { name: "nets", minutes: 3.0, page: bench_nets::page },
    Set { name: "studies", minutes: 1.0, page: bench_studies::page },
    Set { name: "ward", minutes: 3.0, page: bench_ward::page },
    Set { name: "chance", minutes: 3.0, page: bench_chance::page },
    Set { name: "vessel", minutes: 6.0, page: bench_vessel::page },
    Set { name: "threads", minutes: 4.0, page: bench_threads::page },
    Set { name: "reduce", minutes: 3.0, page: bench_reduce::page },
    Set { name: "limits", minutes: 3.0, page: bench_limits::page },
];

/// Seconds that a quick benchmark may take.
const QUICK: f64 = 60.0;

/// Runs one benchmark, or all, writes the pages and returns them. What goes wrong in one of them does not keep the others.
///
/// # Errors
/// When the tool cannot be built, or, at the end, when in some benchmark Motet did not end as it should or two programs
/// disagreed.
pub fn bench(root: &Path, name: Option<&str>, options: Options, say: Say<'_>) -> Result<String> {
    let chosen: Vec<&Set> = SETS.iter().filter(|set| name.is_none_or(|name| name == set.name)).collect();
    if chosen.is_empty() {
        let names = SETS.map(|set| set.name);
        bail!("there is no benchmark of this name; there are {}, advise", names.join(", "));
    }
    let mut bench = begin(root, options.binary.find(root)?, options, Peers::find(root))?;
    let machine = Machine::here(bench.peers.storm_version(), bench.peers.prism_version());
    let (mut pages, mut failures) = (String::new(), Vec::new());
    for set in chosen {
        match set.run(&mut bench, &machine, say) {
            Ok(page) => pages += &(page + "\n"),
            Err(error) => {
                say(&format!("{} failed: {error:#}", set.name));
                failures.push(format!("{}: {error:#}", set.name));
            }
        }
    }
    if !failures.is_empty() {
        bail!("{} of the benchmarks failed:\n{}", failures.len(), failures.join("\n"));
    }
    Ok(pages)
}

/// Everything that all benchmarks need.
fn begin(root: &Path, motet: PathBuf, options: Options, peers: Peers) -> Result<Bench> {
    let mut bench = Bench {
        root: root.to_owned(),
        folder: root.join("target/bench"),
        options_of_motet: MotetOptions::of(&motet),
        motet,
        options,
        peers,
        startup: Startup::default(),
        begun: Instant::now(),
        budget: QUICK,
    };
    bench.startup = Startup::of(&bench)?;
    Ok(bench)
}

impl Set {
    fn run(&self, bench: &mut Bench, machine: &Machine, say: Say<'_>) -> Result<String> {
        bench.folder = bench.root.join("target/bench").join(self.name);
        std::fs::create_dir_all(&bench.folder).context("creating a folder below target/bench")?;
        bench.begun = Instant::now();
        bench.budget = if bench.options.extent == Extent::Quick { QUICK } else { 60.0 * self.minutes };
        let page = (self.page)(bench, say)?;
        let page = page.write(bench, machine)?;
        say(&format!("{} took {:.0} s", self.name, bench.begun.elapsed().as_secs_f64()));
        Ok(page)
    }
}
