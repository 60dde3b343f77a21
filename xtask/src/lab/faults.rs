//! Faults of the system, injected from outside: a small library, loaded before the C library, lets the n-th write, flush, rename,
//! start of a thread, new file or new folder fail, for every n until none fails. The program under test is the one that users have.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use super::faults_cases::{CASES, CLAIMS, Case, LIMITS, MODEL, OLD};
use super::{Account, Bench};

/// The library.
const SHIM: &str = include_str!("shim.c");

/// What fails. A write that takes half, or that a signal interrupts, has to be gone on with.
const KINDS: [&str; 8] = ["write", "short", "signal", "flush", "rename", "thread", "create", "folder"];

/// Calls of one kind beyond this many fail at times only: a search starts threads for every level.
const EACH: u64 = 60;

/// A command that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// The exit code of a lost output.
const LOST: i32 = 6;

/// How a command ended.
#[derive(Clone, Debug)]
struct Answer {
    /// `None` when a signal ended it.
    code: Option<i32>,
    stdout: String,
    stderr: String,
    /// The files that were asked for.
    files: BTreeMap<String, Option<String>>,
    /// What the undisturbed command behind it said.
    after: Option<String>,
    /// Files under names that nobody asked for.
    left_behind: usize,
}

/// Lets everything fail that the cases do.
///
/// # Errors
/// When the library or the program cannot be built, or a command fails without a fault.
pub(super) fn run(bench: &mut Bench<'_>) -> Result<Account> {
    let lab = Lab::new(bench)?;
    let begun = Instant::now();
    let over = |share: u32| bench.time.is_some_and(|time| begun.elapsed() > time * share / 100);
    let mut account = Account::default();
    let mut rows = String::new();
    let mut injected = 0;
    for (number, case) in (1_u32..).zip(CASES) {
        let whole = lab.answer(case, None)?;
        ensure!(matches!(whole.code, Some(0 | 1 | 4)), "{}: {}", case.name, whole.stderr);
        let counts = lab.counts()?;
        for kind in KINDS {
            let calls = counts.get(kind).or(counts.get("write")).copied().unwrap_or(0);
            let turns = turns(calls);
            let mut done = 0;
            for turn in &turns {
                if over(80 * number / u32::try_from(CASES.len())?) {
                    break;
                }
                let answer = lab.answer(case, Some(&format!("{kind}:{turn}")))?;
                done += 1;
                for wrong in judge(kind, &whole, &answer) {
                    account.findings.push(format!("{}, {kind} {turn} fails: {wrong}", case.name));
                }
            }
            injected += done;
            rows.push_str(&format!("| {} | {kind} | {calls} | {done} |\n", case.name));
        }
        (bench.say)(&format!("{}: {injected} faults so far, {} findings", case.name, account.findings.len()));
    }
    let (mut limits, mut found) = (0, Vec::new());
    for (limit, values) in LIMITS {
        for value in *values {
            if over(100) {
                break;
            }
            limits += 1;
            found.extend(lab.limited(limit, value)?);
        }
    }
    account.findings.extend(found);
    account.text = format!(
        "{injected} faults and {limits} limits. The n-th call of a kind fails, for every n up to {EACH} and a spread of those behind. \
         Afterwards the program has ended by itself and without a bug report; each file that was asked for is the new one or the old \
         one, as a whole; where one of them or standard output is not what it is without a fault, the exit code is {LOST} or that \
         of a limit; a write that takes half or is interrupted changes nothing; every claim has the same verdict or is unknown, also \
         in the undisturbed command that goes on from what was saved. With limits on states, depth, time and memory every claim has \
         the verdict that it has without them, or is unknown.\n\n\
         | command | what fails | calls | faults |\n|---|---|---:|---:|\n{rows}"
    );
    Ok(account)
}

/// Which calls fail.
fn turns(calls: u64) -> Vec<u64> {
    let step = (calls.saturating_sub(EACH) / 12).max(1);
    (1..=calls.min(EACH))
        .chain((EACH + 1..=calls).step_by(usize::try_from(step).unwrap_or(usize::MAX)))
        .collect()
}

/// What is wrong with an answer under a fault.
fn judge(kind: &str, whole: &Answer, answer: &Answer) -> Vec<String> {
    let mut wrong = Vec::new();
    let Some(code) = answer.code else {
        return vec![format!("the program is ended by a signal: {}", last_line(&answer.stderr))];
    };
    if !matches!(code, 0 | 1 | 3..=6) || answer.stderr.contains("this is a bug in the tool") {
        wrong.push(format!("exit code {code}: {}", last_line(&answer.stderr)));
    }
    let mut lost = differs(&whole.stdout, &answer.stdout);
    for (name, text) in &answer.files {
        match text.as_deref() {
            Some(text) if text == OLD => lost = true,
            None => wrong.push(format!("{name} is gone")),
            Some(text) if whole.files[name].as_deref().is_some_and(|new| !is_whole(name, new, text)) => {
                wrong.push(format!("{name} is neither as before nor whole"));
            }
            Some(_) => {}
        }
    }
    let harmless = matches!(kind, "short" | "signal");
    if harmless && (lost || Some(code) != whole.code) {
        wrong.push(format!("something is lost, exit code {code}"));
    } else if lost && Some(code) == whole.code {
        wrong.push(format!("something is lost and the exit code is {code} all the same"));
    }
    if answer.left_behind > 0 {
        wrong.push(format!("{} unfinished files are left behind", answer.left_behind));
    }
    let texts = [(&whole.stdout, Some(&answer.stdout)), (&whole.stdout, answer.after.as_ref())];
    let reference = whole.after.as_ref().unwrap_or(&whole.stdout);
    for (_, text) in texts {
        wrong.extend(text.into_iter().flat_map(|text| contradictions(reference, text)));
    }
    wrong
}

/// Whether a file is the new one. A report in XML names the runs that were saved, so one without such a name may be as whole.
fn is_whole(name: &str, new: &str, text: &str) -> bool {
    let cases = |text: &str| (text.matches("<testcase").count(), text.trim_end().ends_with("</testsuites>"));
    if name.ends_with(".xml") { cases(new) == cases(text) } else { !differs(new, text) }
}

/// Whether two outputs say something else, numbers apart: they are times and amounts of memory. Of documents only the verdicts count,
/// because a report says which outputs were lost before it.
fn differs(one: &str, other: &str) -> bool {
    match (verdicts(one), verdicts(other)) {
        (Some(one), Some(other)) => one.keys().ne(other.keys()),
        (Some(_), None) => true,
        _ => {
            let words = |text: &str| -> String {
                text.chars().filter(|c| !c.is_ascii_digit() && *c != '.').collect()
            };
            let first = |text: &str| {
                words(text)
                    .lines()
                    .map(|line| line.split(" · ").next().unwrap_or("").to_owned() + "\n")
                    .collect::<String>()
            };
            first(one) != first(other)
        }
    }
}

/// The verdicts of a report by claim.
fn verdicts(text: &str) -> Option<BTreeMap<String, String>> {
    let report: Value = serde_json::from_str(text).ok()?;
    let verdict =
        |claim: &Value| Some((claim["name"].as_str()?.to_owned(), claim["verdict"].as_str()?.to_owned()));
    Some(report.get("claims")?.as_array()?.iter().filter_map(verdict).collect())
}

/// Claims that have another verdict, neither of them unknown.
fn contradictions(whole: &str, text: &str) -> Vec<String> {
    let (Some(whole), Some(found)) = (verdicts(whole), verdicts(text)) else { return Vec::new() };
    let wrong = |(name, verdict): (&String, &String)| {
        let right = whole.get(name)?;
        (right != verdict && right != "unknown" && verdict != "unknown")
            .then(|| format!("`{name}`: {verdict}, and without a fault: {right}"))
    };
    found.iter().filter_map(wrong).collect()
}

fn last_line(text: &str) -> String {
    text.lines()
        .rev()
        .find(|line| !line.trim().is_empty())
        .unwrap_or("not a word")
        .chars()
        .take(200)
        .collect()
}

/// The program, the library, and a folder to work in.
struct Lab {
    program: PathBuf,
    shim: PathBuf,
    folder: PathBuf,
    /// Where the library says how many calls there were.
    counts: PathBuf,
}

impl Lab {
    fn new(bench: &mut Bench<'_>) -> Result<Self> {
        ensure!(cfg!(target_os = "linux"), "faults are injected on Linux only");
        let (source, shim) = (bench.folder.join("shim.c"), bench.folder.join("shim.so"));
        std::fs::write(&source, SHIM)?;
        let built = Command::new("gcc")
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .arg(&shim)
            .arg(&source)
            .arg("-ldl")
            .status();
        ensure!(built.context("starting gcc")?.success(), "the library that injects faults cannot be built");
        (bench.say)("building the program, with its assertions");
        let built = Command::new("cargo")
            // As the tests of all crates need it, so that nothing is built twice.
            .args(["test", "--quiet", "--workspace", "--no-run", "--test", "motet"])
            .current_dir(bench.root)
            .status();
        ensure!(built.context("starting cargo")?.success(), "the program cannot be built");
        let target =
            std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| bench.root.join("target"), PathBuf::from);
        let (program, folder) = (target.join("debug/motet"), bench.folder.join("case"));
        Ok(Self { program, shim, folder, counts: bench.folder.join("counts") })
    }

    /// Does a case from the beginning.
    fn answer(&self, case: &Case, fault: Option<&str>) -> Result<Answer> {
        let _ = std::fs::remove_dir_all(&self.folder);
        for folder in ["out", "runs"] {
            std::fs::create_dir_all(self.folder.join(folder))?;
        }
        std::fs::write(self.folder.join("model.prism"), MODEL)?;
        std::fs::write(self.folder.join("model.props"), CLAIMS)?;
        for name in case.files {
            std::fs::write(self.folder.join(name), OLD)?;
        }
        if !case.before.is_empty() {
            self.motet(case.before, &[])?;
        }
        let output = match fault {
            Some(fault) => self.motet(case.command, &[("MOTET_FAULT", fault)])?,
            None => self.motet(case.command, &[("MOTET_FAULT_COUNTS", &self.counts.to_string_lossy())])?,
        };
        let after = match case.after {
            [] => None,
            words => {
                let output = self.motet(words, &[])?;
                Some(String::from_utf8_lossy(&output.stdout).into_owned())
            }
        };
        let read = |name: &&str| ((*name).to_owned(), std::fs::read_to_string(self.folder.join(name)).ok());
        Ok(Answer {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            files: case.files.iter().map(read).collect(),
            after,
            left_behind: unfinished(&self.folder),
        })
    }

    /// Runs the program in the folder.
    fn motet(&self, words: &[&str], settings: &[(&str, &str)]) -> Result<Output> {
        let mut command = Command::new(&self.program);
        command.args(words).current_dir(&self.folder).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        if !settings.is_empty() {
            command.env("LD_PRELOAD", &self.shim).envs(settings.iter().copied());
        }
        let mut child = command.spawn().with_context(|| format!("starting {}", self.program.display()))?;
        // What it says is little: it fits into the pipes.
        let begun = Instant::now();
        while child.try_wait()?.is_none() {
            if begun.elapsed() > PATIENCE {
                child.kill()?;
                let output = child.wait_with_output()?;
                let text = String::from_utf8_lossy(&output.stderr).into_owned();
                bail!("motet {} hangs with {settings:?}: {text}", words.join(" "));
            }
            std::thread::sleep(Duration::from_millis(3));
        }
        Ok(child.wait_with_output()?)
    }

    /// How many calls of each kind there were.
    fn counts(&self) -> Result<BTreeMap<String, u64>> {
        let text = std::fs::read_to_string(&self.counts).context("the library has counted nothing")?;
        let line =
            |line: &str| Some((line.split_once(' ')?.0.to_owned(), line.split_once(' ')?.1.parse().ok()?));
        Ok(text.lines().filter_map(line).collect())
    }

    /// What is wrong with a check under a limit.
    fn limited(&self, limit: &str, value: &str) -> Result<Vec<String>> {
        let check = |more: &'static [&'static str]| Case {
            name: "",
            before: &[],
            command: more,
            after: &[],
            files: &[],
        };
        let whole = self.answer(&check(&["check", "model.prism", "--format", "json"]), None)?;
        let words = ["check", "model.prism", "--format", "json", limit, value];
        let output = self.motet(&words, &[])?;
        let (text, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let mut wrong = contradictions(&whole.stdout, &text);
        if !matches!(output.status.code(), Some(0 | 1 | 4)) {
            wrong.push(format!("exit code {:?}: {}", output.status.code(), last_line(&said)));
        }
        Ok(wrong.into_iter().map(|wrong| format!("a check with {limit} {value}: {wrong}")).collect())
    }
}

/// Files that have the name of unfinished ones, in a folder and below.
fn unfinished(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.path() {
            path if path.is_dir() => unfinished(&path),
            path => usize::from(path.extension().is_some_and(|extension| extension == "part")),
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(code: i32, stdout: &str, file: &str) -> Answer {
        let files = BTreeMap::from([("f".to_owned(), Some(file.to_owned()))]);
        let (stdout, stderr) = (stdout.to_owned(), "words".to_owned());
        Answer { code: Some(code), stdout, stderr, files, after: None, left_behind: 0 }
    }

    #[test]
    fn what_is_lost_silently_is_found() {
        let whole = answer(0, "3 of 3 · 0.1 s\n", "new\n");
        let found = |kind: &str, other: &Answer| judge(kind, &whole, other).len();
        assert_eq!(found("write", &answer(0, "3 of 3 · 7.0 s\n", "new\n")), 0);
        assert_eq!(found("write", &answer(6, "3 of 3 · 0.1 s\n", OLD)), 0);
        assert_eq!(found("write", &answer(0, "3 of 3 · 0.1 s\n", OLD)), 1, "lost, and nothing says so");
        assert_eq!(found("write", &answer(6, "3 of 3 · 0.1 s\n", "ne")), 1, "half a file");
        assert_eq!(found("write", &answer(0, "", "new\n")), 1, "nothing on standard output");
        assert_eq!(found("short", &answer(6, "", "new\n")), 1, "half a write is no loss");
        assert_eq!(found("thread", &answer(70, "3 of 3 · 0.1 s\n", "new\n")), 1, "a bug report");
    }

    #[test]
    fn a_report_without_the_name_of_a_run_is_whole_and_half_a_report_is_not() {
        let new = "<testsuites><testcase>runs/P</testcase></testsuites>\n";
        assert!(is_whole("r.xml", new, "<testsuites><testcase></testcase></testsuites>\n"));
        assert!(
            !is_whole("r.xml", new, "<testsuites><testcase>ru")
                && !is_whole("c.html", "<html>x</html>", "<html>")
        );
    }

    #[test]
    fn a_verdict_may_be_lost_but_not_turn() {
        let report = |verdict: &str| format!("{{\"claims\":[{{\"name\":\"P\",\"verdict\":\"{verdict}\"}}]}}");
        assert_eq!(contradictions(&report("holds"), &report("unknown")), Vec::<String>::new());
        assert_eq!(contradictions(&report("holds"), &report("fails")).len(), 1);
    }

    #[test]
    fn of_many_calls_the_first_fail_and_a_spread_of_the_others() {
        assert_eq!(turns(3), [1, 2, 3]);
        let many = turns(1300);
        assert!(
            many.len() < 90 && many[EACH as usize] == EACH + 1 && *many.last().unwrap() > 1200,
            "{many:?}"
        );
    }
}
