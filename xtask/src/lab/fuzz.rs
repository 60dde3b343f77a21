//! Coverage-guided fuzzing with a stable compiler: LLVM's counters are plain options of `rustc`, and libFuzzer is a crate.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};

use super::fuzz_seeds::{dictionary, seeds};
use super::page::spoken;
use super::{Account, Bench};
use crate::Tree;
use crate::machine::first_line;

/// What makes libFuzzer see which way a program takes.
const RUSTFLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=3 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares";

/// For each target, where nothing else is said.
const USUAL: Duration = Duration::from_secs(60);

/// An input that takes longer hangs, one that takes more memory eats it: both are findings.
const LIMITS: [&str; 4] = ["-timeout=25", "-rss_limit_mb=3000", "-max_len=16384", "-print_final_stats=1"];

/// The kept inputs of one target are no more bytes than this.
const KEPT: u64 = 30_000;

/// How a target did.
#[derive(Clone, Debug, Default)]
struct Run {
    target: String,
    seeds: usize,
    executions: u64,
    /// Edges of the program that were seen.
    edges: u64,
    /// Inputs that each show something new.
    inputs: u64,
    seconds: u64,
    findings: BTreeSet<String>,
}

/// Runs every target for its share of the time.
///
/// # Errors
/// When the targets cannot be built or started.
pub(super) fn run(bench: &mut Bench<'_>) -> Result<Account> {
    let program = build(bench)?;
    let targets = targets(bench.root)?;
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    let each = match bench.time {
        Some(time) => time * u32::try_from(cores)? / u32::try_from(targets.len())?,
        None => USUAL,
    };
    let prepared = prepare(bench, &targets)?;
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || -> Result<()> {
        while let Some((target, seeds)) = prepared.get(next.fetch_add(1, Ordering::Relaxed)) {
            let found = fuzz(bench.root, &bench.folder, &program, target, each);
            let found = Run { seeds: *seeds, ..found? };
            done.lock().expect("no thread panics").push(found);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..cores).map(|_| scope.spawn(work)).collect();
        let own = work();
        others.into_iter().try_for_each(|other| other.join().expect("no thread panics"))?;
        own
    })?;
    let mut runs = done.into_inner().expect("no thread panics");
    runs.sort_by(|one, two| one.target.cmp(&two.target));
    if bench.time.is_none() {
        for target in &targets {
            keep(bench.root, &bench.folder, &program, target)?;
        }
    }
    let mut account = told(&runs);
    account.findings = runs
        .iter()
        .flat_map(|run| run.findings.iter().map(|what| format!("{}: {what}", run.target)))
        .collect();
    (bench.say)(&account.text);
    Ok(account)
}

/// The program with all targets.
fn build(bench: &mut Bench<'_>) -> Result<PathBuf> {
    ensure!(
        first_line("c++", "--version").is_some(),
        "fuzzing needs a C++ compiler, which builds libFuzzer: sudo apt-get install g++"
    );
    (bench.say)("building the targets");
    let version = Command::new("rustc").arg("-vV").output().context("starting rustc")?;
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc says no host")?;
    let target = bench.folder.join("target");
    // With a target named, build scripts and macros are built without the counters.
    let status = Command::new("cargo")
        .args([
            "build",
            "--quiet",
            "--locked",
            "--manifest-path",
            "fuzz/Cargo.toml",
            "--target",
            host,
            "--target-dir",
        ])
        .arg(&target)
        .env("RUSTFLAGS", RUSTFLAGS)
        .current_dir(bench.root)
        .status()
        .context("starting cargo")?;
    ensure!(status.success(), "the targets in fuzz/ cannot be built");
    Ok(target.join(host).join("debug/fuzz"))
}

/// The names in `fuzz/src/main.rs`.
fn targets(root: &Path) -> Result<Vec<String>> {
    let text = std::fs::read_to_string(root.join("fuzz/src/main.rs")).context("reading fuzz/src/main.rs")?;
    let name = |line: &str| Some(line.trim().strip_prefix("(\"")?.split_once('"')?.0.to_owned());
    let names: Vec<String> = text.lines().filter_map(name).collect();
    if names.is_empty() {
        bail!("fuzz/src/main.rs names no target");
    }
    Ok(names)
}

/// Writes seeds and dictionaries; says how many seeds each target has, the kept inputs among them.
fn prepare(bench: &Bench<'_>, targets: &[String]) -> Result<Vec<(String, usize)>> {
    let all = seeds(bench.root, &Tree::read(bench.root)?);
    let mut prepared = Vec::new();
    for target in targets {
        let none = BTreeSet::new();
        let seeds = all.get(target.as_str()).unwrap_or(&none);
        let folder = bench.folder.join("seeds").join(target);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder)?;
        std::fs::create_dir_all(bench.folder.join("work").join(target))?;
        for (number, text) in seeds.iter().enumerate() {
            std::fs::write(folder.join(format!("{number:04}")), text)?;
        }
        std::fs::write(bench.folder.join(format!("{target}.dict")), dictionary(seeds))?;
        let kept = std::fs::read_dir(kept(bench.root, target)).map_or(0, Iterator::count);
        prepared.push((target.clone(), seeds.len() + kept));
    }
    Ok(prepared)
}

/// Inputs that are kept with the code: those that were findings once, and those that show what no example shows.
fn kept(root: &Path, target: &str) -> PathBuf {
    root.join("fuzz/corpus").join(target)
}

/// Runs one target until its time is over. A finding ends libFuzzer, so that it is started again for the rest.
fn fuzz(root: &Path, folder: &Path, program: &Path, target: &str, time: Duration) -> Result<Run> {
    let begun = Instant::now();
    let mut run = Run { target: target.to_owned(), ..Run::default() };
    for _ in 0..5 {
        let left = time.saturating_sub(begun.elapsed()).as_secs();
        if left == 0 && run.executions > 0 {
            break;
        }
        let artifacts = folder.join("findings").join(target);
        std::fs::create_dir_all(&artifacts)?;
        let mut command = Command::new(program);
        command.env("MOTET_FUZZ", target).env_remove("RUST_BACKTRACE").args(LIMITS);
        command.arg(format!("-max_total_time={}", left.max(1)));
        command.arg(format!("-artifact_prefix={}/", artifacts.display()));
        let words = folder.join(format!("{target}.dict"));
        // libFuzzer refuses a dictionary without words.
        if std::fs::metadata(&words)?.len() > 0 {
            command.arg(format!("-dict={}", words.display()));
        }
        command.arg(folder.join("work").join(target)).arg(folder.join("seeds").join(target));
        command.args(Some(kept(root, target)).filter(|folder| folder.is_dir()));
        let output =
            command.stdout(Stdio::null()).stdin(Stdio::null()).output().context("starting the targets")?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        std::fs::write(folder.join(format!("{target}.log")), &text)?;
        read_statistics(&text, &mut run);
        if output.status.success() {
            break;
        }
        run.findings.insert(finding(&text));
    }
    run.seconds = begun.elapsed().as_secs();
    Ok(run)
}

/// Adds what libFuzzer says at its end.
fn read_statistics(text: &str, run: &mut Run) {
    let number = |line: &str, name: &str| -> Option<u64> {
        line.split_once(name)?.1.split_whitespace().next()?.split('/').next()?.parse().ok()
    };
    for line in text.lines() {
        run.edges = run.edges.max(number(line, " cov: ").unwrap_or(0));
        run.inputs = run.inputs.max(number(line, " corp: ").unwrap_or(0));
    }
    let total = text.lines().find_map(|line| number(line, "stat::number_of_executed_units:"));
    let pulse = || text.lines().rev().find_map(|line| number(line, "#"));
    run.executions += total.or_else(pulse).unwrap_or(0);
}

/// What went wrong, and the input that shows it.
fn finding(text: &str) -> String {
    let mut lines = text.lines();
    let panic = lines.by_ref().find(|line| line.contains("panicked at")).map(|line| {
        let place = line.split_once("panicked at ").map_or(line, |(_, place)| place);
        let words: String = lines.next().unwrap_or_default().chars().take(200).collect();
        format!("{} {words}", place.trim_end_matches(':'))
    });
    let other = || text.lines().find(|line| line.contains("ERROR: libFuzzer")).map(str::to_owned);
    let input =
        text.lines().find_map(|line| line.split_once("Test unit written to ")).map_or("", |(_, path)| path);
    format!("{} ({input})", panic.or_else(other).unwrap_or_else(|| "ended without a word".to_owned()))
}

/// Keeps with the code what shows something that neither the examples nor the kept inputs show, the shortest first.
fn keep(root: &Path, folder: &Path, program: &Path, target: &str) -> Result<()> {
    let known = folder.join("known").join(target);
    let _ = std::fs::remove_dir_all(&known);
    std::fs::create_dir_all(&known)?;
    let own = kept(root, target);
    let status = Command::new(program)
        .env("MOTET_FUZZ", target)
        .args(["-merge=1", "-timeout=25", "-rss_limit_mb=3000", "-max_len=4096"])
        .args([&known, &folder.join("seeds").join(target)])
        .args(Some(&own).filter(|folder| folder.is_dir()))
        .arg(folder.join("work").join(target))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    if !status.success() {
        return Ok(());
    }
    let names = |folder: &Path| -> BTreeSet<Vec<u8>> {
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        files.filter_map(|file| std::fs::read(file.path()).ok()).collect()
    };
    let seeds = names(&folder.join("seeds").join(target));
    let mut new: Vec<Vec<u8>> = names(&known).difference(&seeds).cloned().collect();
    new.sort_by_key(|text| (text.len(), text.clone()));
    let mut bytes: u64 = names(&own).iter().map(|text| text.len() as u64).sum();
    for text in new {
        bytes += text.len() as u64;
        if bytes > KEPT {
            break;
        }
        std::fs::create_dir_all(&own)?;
        let name = checksum(&text);
        std::fs::write(own.join(format!("{name:016x}")), text)?;
    }
    Ok(())
}

/// Fowler, Noll and Vo's hash: a name that is the same for the same input.
fn checksum(text: &[u8]) -> u64 {
    text.iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

fn told(runs: &[Run]) -> Account {
    let total = |of: fn(&Run) -> u64| runs.iter().map(of).sum::<u64>();
    let mut text = format!(
        "{} targets, {} executions in {} of fuzzing. A target reads an input, lowers its claims, builds the model, looks at up to 200 \
         states, whole and with every reduction, and follows each run that is shown once more from its file. A panic is a finding, and \
         so are 25 s, 3 GB, a run that does not replay, two verdicts that differ, a canonical form that is not its own, and a refusal \
         without a reason. Edges are of the whole program, all crates together.\n\n\
         | target | examples | executions | edges | inputs | |\n|---|---:|---:|---:|---:|---|\n",
        runs.len(),
        total(|run| run.executions),
        spoken(Duration::from_secs(total(|run| run.seconds))),
    );
    for run in runs {
        let state = match run.findings.len() {
            0 => String::new(),
            1 => "1 finding".to_owned(),
            many => format!("{many} findings"),
        };
        let (executions, edges, inputs) = (run.executions, run.edges, run.inputs);
        text.push_str(&format!(
            "| {} | {} | {executions} | {edges} | {inputs} | {state} |\n",
            run.target, run.seeds
        ));
    }
    Account { text, findings: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_libfuzzer_says_is_read() {
        let text = "#2\tINITED cov: 12 ft: 13 corp: 1/1b exec/s: 0\n#9\tNEW    cov: 40 ft: 41 corp: 5/25b lim: 4\n\
                    thread 'x' panicked at crates/a/src/b.rs:1:2:\nno promise is kept\n\
                    Test unit written to /tmp/crash-1\nstat::number_of_executed_units: 77\n";
        let mut run = Run::default();
        read_statistics(text, &mut run);
        assert_eq!((run.executions, run.edges, run.inputs), (77, 40, 5));
        assert_eq!(finding(text), "crates/a/src/b.rs:1:2 no promise is kept (/tmp/crash-1)");
        let text = "==1== ERROR: libFuzzer: timeout after 25 seconds\n#5\tpulse cov: 1\n";
        assert_eq!(finding(text), "==1== ERROR: libFuzzer: timeout after 25 seconds ()");
    }

    #[test]
    fn the_targets_are_read_from_their_source() {
        let names = targets(&crate::root()).unwrap();
        assert!(names.len() > 15 && names.iter().any(|name| name == "brahms"), "{names:?}");
    }
}
