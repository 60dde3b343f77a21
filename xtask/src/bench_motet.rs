//! Motet itself as one of those who are measured: how it is started and its report read.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::bench::{Basis, Bench, Contender, Sample, Standing};
use crate::measure::{Cost, Limit, measure};

/// What is said where a benchmark says nothing else: peers work on one core unless their name tells, and write nothing that
/// could be continued.
const DEFAULTS: [(&str, &str); 2] = [("--threads", "1"), ("--checkpoint", "off")];

/// What Motet is asked.
#[derive(Clone)]
pub(crate) struct Motet {
    name: String,
    /// Where it is started.
    folder: PathBuf,
    /// The model and options of `check`.
    arguments: Vec<String>,
    /// Where its report is kept.
    output: PathBuf,
    basis: Basis,
    /// Other than that of all runs.
    limit: Option<Limit>,
}

impl Motet {
    /// A check, started in a folder; the report is kept beside that of the others.
    pub(crate) fn new(folder: &Path, arguments: &[&str], output: PathBuf) -> Self {
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        let name = "Motet".to_owned();
        Self { name, folder: folder.to_owned(), arguments, output, basis: Basis::Cpu, limit: None }
    }

    /// Compared by something else than CPU time.
    pub(crate) fn by(self, basis: Basis) -> Self {
        Self { basis, ..self }
    }

    /// With its report in another place.
    pub(crate) fn to(self, output: PathBuf) -> Self {
        Self { output, ..self }
    }

    /// With another limit than that of all runs.
    pub(crate) fn within(self, limit: Limit) -> Self {
        Self { limit: Some(limit), ..self }
    }

    /// The same check with more options, which its name then tells.
    pub(crate) fn with(&self, options: &[&str]) -> Self {
        let mut other = self.clone();
        other.arguments.extend(options.iter().map(|&option| option.to_owned()));
        other.name = format!("{} {}", self.name, options.join(" "));
        let words: String = options.concat().chars().filter(|letter| letter.is_alphanumeric()).collect();
        other.output = self.output.with_extension(format!("{words}.json"));
        other
    }

    /// As somebody who takes part; absent if this Motet does not have one of the options.
    pub(crate) fn contender(self, bench: &Bench) -> Contender<'_> {
        let (name, basis) = (self.name.clone(), self.basis);
        let options = self.arguments.iter().filter(|argument| argument.starts_with("--"));
        let unknown: Vec<&str> =
            options.map(String::as_str).filter(|option| !bench.options_of_motet.has(option)).collect();
        let standing = if unknown.is_empty() {
            Standing::Ready { compile: None, run: Box::new(move || self.run(bench)) }
        } else {
            Standing::Absent(format!("not measured: this Motet has no {}", unknown.join(", ")))
        };
        Contender { name, basis, standing }
    }

    /// Two of them at the same time: as much as two cores can do where nobody waits for anybody. Times are the mean of both.
    pub(crate) fn twice(self, bench: &Bench) -> Contender<'_> {
        let (name, basis) = (format!("{} twice at once", self.name), self.basis);
        let other = self.clone().to(self.output.with_extension("other.json"));
        let run = move || {
            let (one, two) = std::thread::scope(|scope| {
                let two = scope.spawn(|| other.run(bench));
                (self.run(bench), two.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            });
            let (one, two) = (one?, two?);
            let mean = |one: f64, two: f64| f64::midpoint(one, two);
            let cost = Cost {
                cpu_seconds: mean(one.cost.cpu_seconds, two.cost.cpu_seconds),
                wall_seconds: mean(one.cost.wall_seconds, two.cost.wall_seconds),
                peak_mib: one.cost.peak_mib + two.cost.peak_mib,
            };
            let cut = one.cut.clone().or(two.cut);
            Ok(Sample { cost, cut, work: one.work.zip(two.work).map(|(one, two)| mean(one, two)), ..one })
        };
        Contender { name, basis, standing: Standing::Ready { compile: None, run: Box::new(run) } }
    }

    /// Runs it once, with limits of its own, so that it says how far it came.
    ///
    /// # Errors
    /// When it makes no report.
    pub(crate) fn run(&self, bench: &Bench) -> Result<Sample> {
        let limit = self.limit.unwrap_or(bench.limit());
        let mut command = self.command(bench);
        command.arg("--time").arg(format!("{:.0}s", limit.seconds));
        command.arg("--mem").arg(format!("{:.0}MiB", limit.mib));
        // Printing the report comes after its limit.
        let patient = Limit { seconds: limit.seconds + 30.0, mib: 1.5 * limit.mib };
        let (cost, ended) = measure(&mut command, &self.output, patient)?;
        let startup_mib = bench.startup.motet;
        if let Some(cut) = ended.cut(patient) {
            return Ok(Sample { cost, startup_mib, cut: Some(cut), ..Sample::default() });
        }
        Ok(Sample { cost, startup_mib, ..self.report()? })
    }

    /// The command without limits.
    pub(crate) fn command(&self, bench: &Bench) -> Command {
        let mut command = Command::new(&bench.motet);
        command.current_dir(&self.folder).arg("check").args(&self.arguments);
        command.args(["--format", "json", "--progress", "none"]);
        for (option, value) in DEFAULTS {
            let given = self.arguments.iter().any(|argument| argument == option);
            if bench.options_of_motet.has(option) && !given {
                command.args([option, value]);
            }
        }
        command.arg("--trace-dir").arg(bench.folder.join("traces"));
        command
    }

    /// Where it is started.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where its report is kept.
    pub(crate) fn output(&self) -> &Path {
        &self.output
    }

    /// What the last run has reported.
    ///
    /// # Errors
    /// When there is no report.
    pub(crate) fn report(&self) -> Result<Sample> {
        let text = std::fs::read_to_string(&self.output)?;
        let report = serde_json::from_str(&text).ok().and_then(|report| read_motet(&report));
        report.with_context(|| format!("motet made no report; see {}", self.output.display()))
    }
}

/// Which options `motet check` has: those that came late are measured when they are there.
#[derive(Clone, Debug, Default)]
pub(crate) struct MotetOptions {
    help: String,
}

impl MotetOptions {
    /// Asks it for help.
    pub(crate) fn of(motet: &Path) -> Self {
        let output = Command::new(motet).args(["check", "--help"]).output();
        Self {
            help: output.map_or(String::new(), |output| String::from_utf8_lossy(&output.stdout).into_owned()),
        }
    }

    /// Whether it has this one, such as `--slice`.
    pub(crate) fn has(&self, option: &str) -> bool {
        let ends = |letter: char| !(letter.is_alphanumeric() || letter == '-');
        self.help.split(ends).any(|word| word == option)
    }
}

/// Reads the JSON report of `motet check`.
fn read_motet(report: &Value) -> Option<Sample> {
    let exploration = report.get("exploration")?;
    let complete = exploration.get("complete")?.as_bool()?;
    let claims = report.get("claims").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let bounds = |claim: &Value| {
        let value = claim.get("value")?;
        // JSON has no infinity.
        if value.get("infinite").and_then(Value::as_bool) == Some(true) {
            return Some((f64::INFINITY, f64::INFINITY));
        }
        Some((value.get("lower")?.as_f64()?, value.get("upper")?.as_f64()?))
    };
    let verdict = |claim: &Value| {
        let word = |name: &str| claim.get(name).and_then(Value::as_str).unwrap_or("?").to_owned();
        format!("{}: {}", word("name"), word("verdict"))
    };
    let limit = exploration.get("limit").and_then(Value::as_str);
    let stopped =
        || limit.map_or("stopped early".to_owned(), |limit| format!("stopped at its limit of {limit}"));
    Some(Sample {
        states: exploration.get("states")?.as_u64(),
        transitions: exploration.get("transitions")?.as_u64(),
        work: exploration.get("seconds")?.as_f64(),
        exploring: exploration.get("explored_seconds").and_then(Value::as_f64),
        own_bytes: exploration.get("peak_bytes").and_then(Value::as_u64),
        cut: (!complete).then(stopped),
        values: claims.iter().map(bounds).collect(),
        verdicts: claims.iter().map(verdict).collect(),
        ..Sample::default()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn motets_report_is_read() {
        let report = json!({
            "exploration": {"states": 5, "transitions": 9, "complete": true, "seconds": 0.5, "explored_seconds": 0.125, "peak_bytes": 80},
            "claims": [
                {"name": "A", "verdict": "holds", "seconds": 0.125},
                {"verdict": "value", "seconds": 0.25, "value": {"lower": 0.25, "upper": 0.5, "infinite": false}},
                {"verdict": "value", "seconds": 0, "value": {"lower": null, "upper": null, "infinite": true}},
            ],
        });
        let sample = read_motet(&report).unwrap();
        assert_eq!((sample.states, sample.transitions, sample.work), (Some(5), Some(9), Some(0.5)));
        assert_eq!((sample.exploring, sample.own_bytes), (Some(0.125), Some(80)));
        assert_eq!(sample.values, [None, Some((0.25, 0.5)), Some((f64::INFINITY, f64::INFINITY))]);
        assert_eq!(sample.verdicts, ["A: holds", "?: value", "?: value"]);
        assert_eq!(sample.cut, None);
        assert_eq!(read_motet(&json!({"exploration": null})), None);
    }

    #[test]
    fn a_search_that_stopped_says_at_which_limit() {
        let exploration = json!({
            "states": 5, "transitions": 9, "complete": false, "seconds": 0.5, "limit": "memory",
        });
        let sample = read_motet(&json!({ "exploration": exploration })).unwrap();
        assert_eq!(sample.cut.as_deref(), Some("stopped at its limit of memory"));
    }

    #[test]
    fn an_option_is_found_by_its_whole_name() {
        let options =
            MotetOptions { help: "  -p, --property <GLOB>\n      --slice\n  --chain[=WHICH]\n".to_owned() };
        let found = ["--property", "--slice", "--chain", "--sli", "--prop"].map(|option| options.has(option));
        assert_eq!(found, [true, true, true, false, false]);
    }

    #[test]
    fn more_options_have_a_name_and_a_report_of_their_own() {
        let motet = Motet::new(Path::new("a"), &["b"], PathBuf::from("motet.json"));
        let other = motet.with(&["--threads", "2"]);
        assert_eq!(other.name, "Motet --threads 2");
        assert_eq!(other.output, Path::new("motet.threads2.json"));
        assert_eq!(other.arguments, ["b", "--threads", "2"]);
    }
}
