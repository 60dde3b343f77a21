//! Mutants are made in a copy of the crates, one at a time, and the tests that should notice are run.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};

use super::page::spoken;
use super::{Account, Bench, MUTANTS, Mutant};

/// A test that takes longer hangs, which is noticed too.
const PATIENCE: Duration = Duration::from_secs(600);

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fate {
    /// A test failed, or hung.
    Killed,
    /// All tests pass.
    Survived,
    /// What it changes is no longer there once: the list has to follow the code.
    Lost,
    /// It does not compile, so that it says nothing.
    Broken,
}

/// Makes one mutant after the other, as long as there is time.
///
/// # Errors
/// When the crates cannot be copied, or their tests fail without any mutant.
pub(super) fn run(bench: &mut Bench<'_>) -> Result<Account> {
    let copy = Copy::make(bench)?;
    let mut account = Account::default();
    let mut rows = String::new();
    let mut counts = [0; 4];
    let begun = Instant::now();
    let order = order(bench);
    let mut sound: Vec<(&str, &[&str])> = Vec::new();
    for &number in &order {
        if bench.time.is_some_and(|time| begun.elapsed() > time) {
            break;
        }
        let mutant = &MUTANTS[number];
        if !sound.contains(&mutant.tests) {
            // Tests that fail anyway would kill everything.
            ensure!(copy.tests_pass(mutant)?, "the tests {:?} fail without any mutant", mutant.tests);
            sound.push(mutant.tests);
        }
        let fate = copy.fate(mutant)?;
        (bench.say)(&format!("{fate:?}: {}", mutant.name));
        let word = match fate {
            Fate::Killed => "killed",
            Fate::Survived => "**survives**",
            Fate::Lost => "**no longer applies**",
            Fate::Broken => "**does not compile**",
        };
        counts[fate.clone() as usize] += 1;
        rows.push_str(&format!(
            "| {} | `{} {}` | {word} |\n",
            mutant.name,
            mutant.tests.0,
            mutant.tests.1.join(" ")
        ));
        if fate != Fate::Killed {
            account.findings.push(format!("{}: {}", mutant.name, word.replace('*', "")));
        }
    }
    let [killed, survived, lost, broken] = counts;
    account.text = format!(
        "{} of {} mutants were made: {killed} killed, {survived} survived, {} could not be made. Each is one line of an analysis \
         on which soundness hangs, gone wrong; it has to be noticed by the tests of its own crate.\n\n\
         | mutant | tests | |\n|---|---|---|\n{rows}",
        killed + survived + lost + broken,
        MUTANTS.len(),
        lost + broken,
    );
    (bench.say)(&format!("{killed} killed, {survived} survived, in {}", spoken(begun.elapsed())));
    Ok(account)
}

/// All mutants; in a limited run those first whose turn it is for the commit at hand, so that different commits see different ones.
fn order(bench: &Bench<'_>) -> Vec<usize> {
    let wanted = |number: &usize| bench.only.is_none_or(|only| MUTANTS[*number].name.contains(only));
    let mut order: Vec<usize> = (0..MUTANTS.len()).filter(wanted).collect();
    if bench.time.is_some() {
        let head = Command::new("git").args(["rev-parse", "HEAD"]).current_dir(bench.root).output();
        let text =
            head.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
        let turn = u64::from_str_radix(text.get(..8).unwrap_or("0"), 16).unwrap_or(0);
        let size = order.len();
        order.rotate_left(usize::try_from(turn).unwrap_or(0) % size.max(1));
    }
    order
}

/// The crates, apart from the user's own.
struct Copy {
    root: PathBuf,
    target: PathBuf,
}

impl Copy {
    /// Copies all files that the repository tracks or would track.
    fn make(bench: &Bench<'_>) -> Result<Self> {
        let target =
            std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| bench.root.join("target"), PathBuf::from);
        let root = bench.folder.join("copy");
        let listed = Command::new("git")
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .current_dir(bench.root)
            .output()
            .context("starting git, which says what belongs to the repository")?;
        ensure!(listed.status.success(), "git does not know this folder");
        for name in String::from_utf8_lossy(&listed.stdout).split('\0').filter(|name| !name.is_empty()) {
            let (from, to) = (bench.root.join(name), root.join(name));
            let Ok(text) = std::fs::read(&from) else { continue };
            // What is as it was keeps its time, so that cargo builds nothing twice.
            if std::fs::read(&to).is_ok_and(|old| old == text) {
                continue;
            }
            std::fs::create_dir_all(to.parent().unwrap_or(&root))?;
            std::fs::write(&to, text).with_context(|| format!("writing {}", to.display()))?;
        }
        Ok(Self { root, target })
    }

    fn fate(&self, mutant: &Mutant) -> Result<Fate> {
        let path = self.root.join(mutant.file);
        let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", mutant.file))?;
        if text.matches(mutant.before).count() != 1 {
            return Ok(Fate::Lost);
        }
        let _restored = Restored { path: &path, text: &text };
        std::fs::write(&path, text.replace(mutant.before, mutant.after))?;
        if !self.cargo(mutant, &["--no-run"])? {
            return Ok(Fate::Broken);
        }
        Ok(if self.cargo(mutant, &[])? { Fate::Survived } else { Fate::Killed })
    }

    fn tests_pass(&self, mutant: &Mutant) -> Result<bool> {
        self.cargo(mutant, &[])
    }

    /// Whether `cargo test` says that all is well.
    fn cargo(&self, mutant: &Mutant, more: &[&str]) -> Result<bool> {
        let (package, words) = mutant.tests;
        let mut command = Command::new("cargo");
        command.args(["test", "--quiet", "-p", package]).args(more).args(words).current_dir(&self.root);
        // With the same folder and settings as the repository's own tests nothing of the registry is built again.
        command.env("CARGO_TARGET_DIR", &self.target).env_remove("RUSTFLAGS");
        let mut child =
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().context("starting cargo")?;
        let begun = Instant::now();
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(status.success());
            }
            if begun.elapsed() > PATIENCE {
                child.kill()?;
                child.wait()?;
                return Ok(false);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Puts a file back, whatever happens.
struct Restored<'a> {
    path: &'a Path,
    text: &'a str,
}

impl Drop for Restored<'_> {
    fn drop(&mut self) {
        // The next run copies what differs once more.
        let _ = std::fs::write(self.path, self.text);
    }
}
