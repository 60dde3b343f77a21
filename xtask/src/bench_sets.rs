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
    bench_auction, bench_chance, bench_counting, bench_limits, bench_nets, bench_reduce, bench_resume,
    bench_studies, bench_threads, bench_vessel, bench_ward,
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
pub const SETS: [Set; 11] = [
    Set { name: "auction", minutes: 5.0, page: bench_auction::page },
    Set { name: "counting", minutes: 5.0, page: bench_counting::page },
    Set { name: "nets", minutes: 3.0, page: bench_nets::page },
    Set { name: "studies", minutes: 1.0, page: bench_studies::page },
    Set { name: "ward", minutes: 6.0, page: bench_ward::page },
    Set { name: "chance", minutes: 3.0, page: bench_chance::page },
    Set { name: "vessel", minutes: 6.0, page: bench_vessel::page },
    Set { name: "threads", minutes: 3.0, page: bench_threads::page },
    Set { name: "reduce", minutes: 3.0, page: bench_reduce::page },
    Set { name: "limits", minutes: 2.0, page: bench_limits::page },
    Set { name: "resume", minutes: 7.0, page: bench_resume::page },
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::Binary;

    /// Everything of a benchmark but the programs: models are written, runs are read, pages are made.
    #[test]
    fn every_benchmark_makes_its_page_without_peers() {
        let root = std::env::temp_dir().join(format!("motet-bench-{}", std::process::id()));
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let example = root.join("examples/asv");
        std::fs::create_dir_all(&example).unwrap();
        let agent = std::fs::read_to_string(here.join("../examples/asv/asv.sej")).unwrap();
        std::fs::write(example.join("asv.sej"), agent).unwrap();
        let options = Options { extent: Extent::Quick, times: 2, last: None, binary: Binary::Built };
        let peers = Peers::none("not measured: not looked for");
        let mut bench = begin(&root, here.join("tests/stand-in"), options, peers).unwrap();
        let machine = Machine { lines: Vec::new() };
        // The models of chance are written by a program of the suite.
        for set in SETS.iter().filter(|set| set.name != "chance") {
            if set.name == "nets" {
                // Published numbers of states are no matter of taste.
                let error = set.run(&mut bench, &machine, &mut |_| {}).unwrap_err();
                assert!(
                    format!("{error:#}").contains("Some(5) states, but Some(4600) elsewhere"),
                    "{error:#}"
                );
                continue;
            }
            let page = set
                .run(&mut bench, &machine, &mut |_| {})
                .unwrap_or_else(|error| panic!("{}: {error:#}", set.name));
            assert!(page.starts_with(&format!("# Benchmark: {}\n", set.name)), "{page}");
            let data = std::fs::read_to_string(bench.folder.join(format!("{}.json", set.name))).unwrap();
            let data: serde_json::Value = serde_json::from_str(&data).unwrap();
            let cases = data["cases"].as_array().unwrap();
            assert_eq!(cases.is_empty(), ["limits", "resume"].contains(&set.name), "{page}");
            assert!(cases.iter().all(|case| case["programs"][0]["runs"][1]["states"] == 5), "{page}");
        }
        std::fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn all_benchmarks_together_have_less_than_45_minutes() {
        // Advice takes about one.
        assert!(SETS.iter().map(|set| set.minutes).sum::<f64>() + 1.0 <= 45.0);
    }
}
