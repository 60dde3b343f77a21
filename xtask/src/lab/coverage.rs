//! Which lines the tests of each crate run, counted by the compiler itself and read with LLVM's own tools.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::page::spoken;
use super::{Account, Bench};

/// The crates, those first on which soundness hangs.
const CRATES: [&str; 18] = [
    "evidence",
    "prism",
    "senglish",
    "engine",
    "property",
    "model",
    "source",
    "nets",
    "pnml",
    "agentspeak",
    "brahms",
    "render",
    "naive",
    "external",
    "workbench",
    "live",
    "web",
    "vessel",
];

/// Lines of a file that can run, and those that did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Lines {
    all: u64,
    run: u64,
}

/// Measures one crate after the other, as long as there is time.
///
/// # Errors
/// When the tools are missing or tests fail.
pub(super) fn run(bench: &mut Bench<'_>) -> Result<Account> {
    let (major, tools) = tools(bench)?;
    let (mut rows, mut left, begun) = (String::new(), Vec::new(), Instant::now());
    for name in CRATES {
        if bench.time.is_some_and(|time| begun.elapsed() > time) {
            left.push(format!("`{name}`"));
            continue;
        }
        let lines = measure(bench, &tools, name)?;
        let (total, worst) = summary(&lines);
        let worst: Vec<String> = worst.iter().map(|(file, share)| format!("{file} {share} %")).collect();
        let row = format!(
            "| `{name}` | {} | {} | {} % | {} |\n",
            total.all,
            total.run,
            share(total),
            worst.join(", ")
        );
        (bench.say)(row.trim());
        rows.push_str(&row);
    }
    let left = match left.as_slice() {
        [] => String::new(),
        names => format!(" There was no time for {}.", names.join(", ")),
    };
    let text = format!(
        "`rustc -Cinstrument-coverage`, read with llvm-cov {major}. For each crate its own tests alone: what the specification, the corpus \
         and the comparisons of `suite` run in it comes on top and is not counted here. A line that was run is not a line that was \
         checked: that is what mutants are for.{left}\n\n\
         | crate | lines | run | | least, of files with more than 20 lines |\n|---|---:|---:|---:|---|\n{rows}\n\
         Measured in {}.",
        spoken(begun.elapsed())
    );
    Ok(Account { text, findings: Vec::new() })
}

/// LLVM's tools that read what this compiler writes. Versions say little: the format changes less often than they do, so that an
/// older tool may do, and each is shown a small program first.
fn tools(bench: &Bench<'_>) -> Result<(u32, PathBuf)> {
    let text = |program: &Path, word: &str| {
        let output = Command::new(program).arg(word).stderr(Stdio::null()).output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let verbose = text(Path::new("rustc"), "-vV").context("starting rustc")?;
    let version = |text: &str, name: &str| -> Option<u32> {
        text.split_once(name)?.1.trim().split(['.', ' ']).next()?.parse().ok()
    };
    let wanted = version(&verbose, "LLVM version:").context("rustc does not say which LLVM it has")?;
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output()?;
    let sysroot = PathBuf::from(String::from_utf8_lossy(&sysroot.stdout).trim());
    let host = verbose.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    let own = sysroot.join("lib/rustlib").join(host).join("bin");
    let (raw, program) = sample(bench)?;
    // The compiler's own, then the versions from its own on, then older ones from the newest.
    let majors = (wanted..wanted + 8).chain((OLDEST..wanted).rev());
    let folders = majors.map(|major| PathBuf::from(format!("/usr/lib/llvm-{major}/bin")));
    for folder in std::iter::once(own).chain(folders).chain([PathBuf::from("/usr/bin")]) {
        let found =
            text(&folder.join("llvm-cov"), "--version").and_then(|text| version(&text, "LLVM version"));
        let Some(major) = found else { continue };
        let merged = raw.with_extension("profdata");
        if merge(&folder, &merged, std::slice::from_ref(&raw))
            && export(&folder, &merged, std::slice::from_ref(&program))
                .is_some_and(|text| text.contains("sample.rs"))
        {
            return Ok((major, folder));
        }
    }
    anyhow::bail!(
        "no llvm-cov here reads what this rustc writes: rustup component add llvm-tools, or sudo apt-get install llvm-{wanted} (or \
         the newest there is)"
    )
}

/// The oldest version that is tried: what it reads is what compilers wrote in 2024.
const OLDEST: u32 = 18;

/// A small program with counters, and what it counted.
fn sample(bench: &Bench<'_>) -> Result<(PathBuf, PathBuf)> {
    let (source, program) = (bench.folder.join("sample.rs"), bench.folder.join("sample"));
    std::fs::write(&source, "fn main() {\n    println!(\"{}\", std::env::args().count());\n}\n")?;
    let built = Command::new("rustc")
        .arg("-Cinstrument-coverage")
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .status()
        .context("starting rustc")?;
    ensure!(built.success(), "rustc builds no program with counters here");
    let raw = bench.folder.join("sample.profraw");
    let ran = Command::new(&program).env("LLVM_PROFILE_FILE", &raw).stdout(Stdio::null()).status()?;
    ensure!(ran.success(), "a program with counters does not run here");
    Ok((raw, program))
}

/// Whether the counts of many runs became those of one.
fn merge(tools: &Path, merged: &Path, raw: &[PathBuf]) -> bool {
    let mut command = Command::new(tools.join("llvm-profdata"));
    command.args(["merge", "-sparse", "-o"]).arg(merged).args(raw).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// What the tool says of the files of some programs.
fn export(tools: &Path, merged: &Path, programs: &[PathBuf]) -> Option<String> {
    let mut command = Command::new(tools.join("llvm-cov"));
    command.args(["export", "--summary-only", "--instr-profile"]).arg(merged);
    for (number, program) in programs.iter().enumerate() {
        command.args((number > 0).then_some("--object")).arg(program);
    }
    let output = command.stderr(Stdio::null()).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs the tests of a crate and reads which lines they ran.
fn measure(bench: &Bench<'_>, tools: &Path, name: &str) -> Result<BTreeMap<String, Lines>> {
    let (target, profiles) = (bench.folder.join("target"), bench.folder.join("profiles").join(name));
    let _ = std::fs::remove_dir_all(&profiles);
    let cargo = |more: &[&str]| {
        let mut command = Command::new("cargo");
        command.args(["test", "--quiet", "-p", &format!("motet-{name}"), "--lib", "--tests"]).args(more);
        command.current_dir(bench.root).env("CARGO_TARGET_DIR", &target).env("CARGO_INCREMENTAL", "0");
        command.env("RUSTFLAGS", "-Cinstrument-coverage").env("CARGO_PROFILE_DEV_DEBUG", "0");
        command.env("LLVM_PROFILE_FILE", profiles.join("%p-%m.profraw"));
        command.stderr(Stdio::null());
        command
    };
    let built = cargo(&["--no-run", "--message-format=json"]).output().context("starting cargo")?;
    ensure!(built.status.success(), "the tests of {name} cannot be built with counters");
    let executable = |line: &str| {
        let message: Value = serde_json::from_str(line).ok()?;
        Some(PathBuf::from(message["executable"].as_str()?))
    };
    let programs: Vec<PathBuf> =
        String::from_utf8_lossy(&built.stdout).lines().filter_map(executable).collect();
    ensure!(cargo(&[]).stdout(Stdio::null()).status()?.success(), "the tests of {name} fail");
    let merged = bench.folder.join(format!("{name}.profdata"));
    let raw: Vec<PathBuf> = std::fs::read_dir(&profiles)?.flatten().map(|entry| entry.path()).collect();
    ensure!(merge(tools, &merged, &raw), "llvm-profdata does not read what the tests of {name} wrote");
    let _ = std::fs::remove_dir_all(&profiles);
    let text = export(tools, &merged, &programs).context("starting llvm-cov")?;
    read(&text, name).with_context(|| format!("llvm-cov says nothing of {name}"))
}

/// The lines of the files of a crate.
fn read(text: &str, name: &str) -> Option<BTreeMap<String, Lines>> {
    let report: Value = serde_json::from_str(text).ok()?;
    let inside = format!("/crates/{name}/src/");
    let file = |file: &Value| {
        let (_, path) = file["filename"].as_str()?.split_once(&inside)?;
        let lines = &file["summary"]["lines"];
        Some((path.to_owned(), Lines { all: lines["count"].as_u64()?, run: lines["covered"].as_u64()? }))
    };
    Some(report["data"][0]["files"].as_array()?.iter().filter_map(file).collect())
}

/// All lines together, and the three files of which the least was run.
fn summary(files: &BTreeMap<String, Lines>) -> (Lines, Vec<(String, u64)>) {
    let total = files
        .values()
        .fold(Lines::default(), |sum, lines| Lines { all: sum.all + lines.all, run: sum.run + lines.run });
    let large = files.iter().filter(|(_, lines)| lines.all > 20);
    let mut worst: Vec<(String, u64)> = large.map(|(file, lines)| (file.clone(), share(*lines))).collect();
    worst.sort_by_key(|(_, share)| *share);
    worst.truncate(3);
    (total, worst)
}

/// In percent.
fn share(lines: Lines) -> u64 {
    lines.run * 100 / lines.all.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_llvm_says_is_read_by_crate() {
        let text = r#"{"data":[{"files":[
            {"filename":"/x/crates/prism/src/a.rs","summary":{"lines":{"count":100,"covered":50}}},
            {"filename":"/x/crates/prism/src/b/c.rs","summary":{"lines":{"count":40,"covered":40}}},
            {"filename":"/x/crates/prism/src/d.rs","summary":{"lines":{"count":4,"covered":0}}},
            {"filename":"/x/crates/model/src/a.rs","summary":{"lines":{"count":9,"covered":9}}}]}]}"#;
        let (total, worst) = summary(&read(text, "prism").unwrap());
        assert_eq!(total, Lines { all: 144, run: 90 });
        assert_eq!(worst, [("a.rs".to_owned(), 50), ("b/c.rs".to_owned(), 100)]);
        assert_eq!(share(total), 62);
    }
}
