//! Spin's verifier of a Promela text: generated, compiled, run until the search is complete, and its report read.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::measure::{Cost, Limit, measure};

/// The stack is allocated beforehand, so a large limit would be held against Spin: it grows only as needed.
const DEPTHS: [&str; 5] = ["-m20000", "-m200000", "-m2000000", "-m20000000", "-m100000000"];

/// Spin refuses to compile a model with hidden variables for several cores. Those of our exports are scratch: no step reads
/// what another one has left there, so each core may have its own, and the numbers of states are compared.
const REFUSAL: &str = "#error cannot use hidden variables when compiling multi-core";

/// What no compilation takes.
const COMPILATION: Limit = Limit { seconds: 600.0, mib: 8192.0 };

/// A compiled verifier.
pub(crate) struct Verifier {
    program: PathBuf,
    /// Of compiling it.
    pub(crate) compile: Cost,
    /// The least of [`DEPTHS`] that may be enough.
    depth: Cell<usize>,
}

/// What pan reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PanReport {
    /// States that were stored.
    pub(crate) states: u64,
    /// Transitions that were followed.
    pub(crate) transitions: u64,
    /// Memory for them, as pan counts it: without its table of slots, whose size is fixed beforehand.
    pub(crate) bytes: Option<u64>,
    /// How the search ended.
    pub(crate) end: PanEnd,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PanEnd {
    /// Everything was searched, and nothing was found.
    Complete,
    /// An error was found, which stops the search.
    Error,
    /// The stack was too small.
    Depth,
    /// For another reason, such as memory.
    Unfinished,
}

/// One search.
pub(crate) struct Searched {
    /// What pan says; nothing if it was ended from outside.
    pub(crate) report: Option<PanReport>,
    /// Of the last attempt.
    pub(crate) cost: Cost,
    /// Why it is not complete.
    pub(crate) cut: Option<String>,
}

/// Writes the model and makes pan.c of it.
///
/// # Errors
/// When Spin is missing or refuses the model.
pub(crate) fn generate(folder: &Path, promela: &str) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("model.pml"), promela)?;
    let made = Command::new("spin").current_dir(folder).args(["-a", "model.pml"]).output();
    let made = made.context("spin is needed for the comparison; `apt-get install spin gcc` on Debian")?;
    if !made.status.success() {
        bail!("spin refuses the model:\n{}", String::from_utf8_lossy(&made.stdout));
    }
    let pan = folder.join("pan.c");
    let text = std::fs::read_to_string(&pan).context("reading pan.c")?;
    std::fs::write(&pan, text.replace(REFUSAL, ""))?;
    Ok(())
}

/// Compiles pan.c with `-O2`. The inner error is what the compiler says: some settings exclude each other.
///
/// # Errors
/// When there is no compiler.
pub(crate) fn compile(folder: &Path, program: &str, switches: &[&str]) -> Result<Result<Verifier, String>> {
    let log = folder.join(format!("{program}.gcc"));
    let mut gcc = Command::new("gcc");
    gcc.current_dir(folder).args(["-O2", "-w"]).args(switches).args(["-o", program, "pan.c"]);
    let target = folder.join(program);
    if target.exists() {
        std::fs::remove_file(&target)?;
    }
    let (cost, _) = measure(&mut gcc, &log, COMPILATION).context("gcc is needed for the comparison")?;
    if target.exists() {
        return Ok(Ok(Verifier { program: target, compile: cost, depth: Cell::new(0) }));
    }
    Ok(Err(complaint(&std::fs::read_to_string(&log)?)))
}

/// The first error of gcc, without its place.
fn complaint(log: &str) -> String {
    let line = log.lines().find_map(|line| line.split_once("error: "));
    let words = line.map_or("gcc made no program", |(_, words)| words);
    words.trim_start_matches("#error").trim().to_owned()
}

impl Verifier {
    /// Peak memory of a search of a few steps: what it takes before it has stored anything worth speaking of.
    pub(crate) fn startup_mib(&self, options: &[&str], limit: Limit) -> Option<f64> {
        let folder = self.program.parent()?;
        let mut pan = Command::new(&self.program);
        pan.current_dir(folder).arg("-m10").args(options);
        let (cost, ended) = measure(&mut pan, &folder.join("startup.log"), limit).ok()?;
        ended.cut(limit).is_none().then_some(cost.peak_mib)
    }

    /// Searches, with a deeper stack where it is too small. Its exit code says nothing: a depth cut also ends with 0.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(crate) fn search(&self, options: &[&str], limit: Limit, log: &str) -> Result<Searched> {
        let folder = self.program.parent().context("programs are in a folder")?;
        let log = folder.join(log);
        loop {
            let depth = DEPTHS[self.depth.get()];
            let mut pan = Command::new(&self.program);
            let (cost, ended) = measure(pan.current_dir(folder).arg(depth).args(options), &log, limit)?;
            let report = read_pan(&String::from_utf8_lossy(&std::fs::read(&log)?));
            if let Some(cut) = ended.cut(limit) {
                return Ok(Searched { report: None, cost, cut: Some(cut) });
            }
            let report =
                report.with_context(|| format!("pan says nothing readable; see {}", log.display()))?;
            if report.end == PanEnd::Depth && self.depth.get() + 1 < DEPTHS.len() {
                self.depth.set(self.depth.get() + 1);
                continue;
            }
            let cut = match report.end {
                PanEnd::Complete | PanEnd::Error => None,
                PanEnd::Depth => Some("the stack is too small".to_owned()),
                PanEnd::Unfinished => Some("pan gave up".to_owned()),
            };
            return Ok(Searched { report: Some(report), cost, cut });
        }
    }
}

/// Reads what pan printed.
fn read_pan(report: &str) -> Option<PanReport> {
    let end = if report.contains("search depth too small") {
        PanEnd::Depth
    } else if report.contains("errors: 0") && !report.contains("Search not completed") {
        PanEnd::Complete
    } else if report.contains("errors: 1") {
        PanEnd::Error
    } else {
        PanEnd::Unfinished
    };
    let states = count(report, "states, stored")?;
    let mebibytes = number(report, "actual memory usage for states");
    let bytes = mebibytes.and_then(|mebibytes| whole(mebibytes * 1024.0 * 1024.0));
    Some(PanReport { states, transitions: count(report, "transitions (=")?, bytes, end })
}

/// The number at the beginning of the line that has `mark`; large ones are written like `1.5e+06`.
fn number(report: &str, mark: &str) -> Option<f64> {
    let line = report.lines().find(|line| line.contains(mark))?;
    line.split_whitespace().next()?.parse().ok()
}

fn count(report: &str, mark: &str) -> Option<u64> {
    number(report, mark).and_then(whole)
}

/// The nearest number without a fraction.
fn whole(number: f64) -> Option<u64> {
    number.is_finite().then(|| format!("{number:.0}").parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Printed by Spin 6.5.2 for the repaired auction with three auctions, shortened.
    const AUCTION: &str = "
(Spin Version 6.5.2 -- 6 December 2019)
\t+ Partial Order Reduction
\t+ Compression

State-vector 1172 byte, depth reached 618, errors: 0
    54253 states, stored
   141143 states, matched
   195396 transitions (= stored+matched)
       18 atomic steps
hash conflicts:     11441 (resolved)

Stats on memory usage (in Megabytes):
   61.674\tequivalent memory usage for states (stored*(State-vector + overhead))
    4.500\tactual memory usage for states (compression: 7.19%)
         \tstate-vector as stored = 1138 byte + 20 byte overhead
  128.000\tmemory used for hash table (-w24)
";

    #[test]
    fn a_report_has_states_transitions_and_an_end() {
        let bytes = Some(4_718_592);
        let report = PanReport { states: 54_253, transitions: 195_396, bytes, end: PanEnd::Complete };
        assert_eq!(read_pan(AUCTION), Some(report));
        let deep = format!("error: max search depth too small\n{AUCTION}");
        assert_eq!(read_pan(&deep).map(|report| report.end), Some(PanEnd::Depth));
        let failed = AUCTION.replace("errors: 0", "errors: 1");
        assert_eq!(read_pan(&failed).map(|report| report.end), Some(PanEnd::Error));
        let memory = format!("Warning: Search not completed\n{AUCTION}");
        assert_eq!(read_pan(&memory).map(|report| report.end), Some(PanEnd::Unfinished));
        assert_eq!(read_pan("killed"), None);
    }

    #[test]
    fn numbers_of_pan_are_read_in_both_forms() {
        let report =
            "   531441 states, stored\n 2125765 states, matched\n1.593e+06 transitions (= stored+matched)\n";
        assert_eq!(count(report, "states, stored"), Some(531_441));
        assert_eq!(count(report, "transitions (="), Some(1_593_000));
        assert_eq!(count(report, "atomic"), None);
    }

    #[test]
    fn the_first_error_of_gcc_is_told() {
        let log = "pan.c: In function 'main':\npan.c:10494:10: error: #error cannot use hidden variables when compiling multi-core\n";
        assert_eq!(complaint(log), "cannot use hidden variables when compiling multi-core");
        assert_eq!(complaint(""), "gcc made no program");
    }
}
