//! Spin: the model becomes a verifier in C, the verifier a program, and the program is asked claim by claim.

use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use motet_evidence::{Fairness, Stop, Verdict};

use crate::process::wait;
use crate::report::{SpinReport, read_report};
use crate::scratch::Scratch;
use crate::tool::{ExternalError, Tool, find};
use crate::trail::{Trail, read_trail};

/// Spin and the compiler it needs.
#[derive(Clone, Debug)]
pub struct Spin {
    /// Spin.
    pub spin: Tool,
    /// A C compiler.
    pub compiler: Tool,
}

/// How to search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// Which runs count.
    pub fairness: Fairness,
    /// The deepest path; a cut is answered by another search eight times as deep, up to `limit_depth`.
    pub depth: u64,
    /// Where to give up.
    pub limit_depth: u64,
    /// Memory in MiB.
    pub memory_mib: u64,
    /// Logarithm of the size of the hash table.
    pub hash: u32,
    /// Wall time of each program that is started.
    pub time: Duration,
    /// How many processes the model has; weak fairness keeps a bit for each.
    pub processes: usize,
    /// How hard the compiler tries.
    pub effort: Effort,
}

/// How hard the compiler tries. Compiling takes longer than searching for models of some thousand states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// A fast verifier.
    #[default]
    FastSearch,
    /// A verifier that is soon there.
    FastCompilation,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            fairness: Fairness::Weak,
            depth: 1_000_000,
            limit_depth: 64_000_000,
            memory_mib: 8_192,
            hash: 22,
            time: Duration::from_secs(3_600),
            processes: 6,
            effort: Effort::FastSearch,
        }
    }
}

/// Promela of this many bytes takes a compiler that tries hard ten minutes and more.
const LONG_MODEL: usize = 600_000;

/// A compiled model. Its folder disappears with it.
#[derive(Debug)]
pub struct Verifier {
    spin: Spin,
    folder: Scratch,
    /// Whether the model is so long that a fast verifier would take longer to compile than to run.
    long: bool,
    last: Mutex<Option<Violation>>,
}

/// What the last search found.
#[derive(Clone, Debug)]
struct Violation {
    claim: String,
    cycle: bool,
}

/// Asks Spin about one claim of a model.
///
/// # Errors
/// When a program is missing, refuses the model, or cannot be read.
pub fn run(
    spin: &Spin,
    model: &str,
    claim: &str,
    search: &Search,
    parent: &Path,
) -> Result<SpinReport, ExternalError> {
    spin.compile(model, search, parent)?.check(claim, search)
}

impl Spin {
    /// What is installed.
    ///
    /// # Errors
    /// Names the program that is missing.
    pub fn find() -> Result<Self, ExternalError> {
        let spin = find("spin").ok_or(ExternalError::Missing("spin"))?;
        let compiler = find("gcc").or_else(|| find("cc")).ok_or(ExternalError::Missing("gcc"))?;
        Ok(Self { spin, compiler })
    }

    /// Makes a verifier in a new folder below `parent`.
    ///
    /// # Errors
    /// When Spin or the compiler refuses the model.
    pub fn compile(&self, model: &str, search: &Search, parent: &Path) -> Result<Verifier, ExternalError> {
        let folder = Scratch::new(parent)?;
        folder.write("model.pml", model)?;
        let long = model.len() > LONG_MODEL;
        let verifier = Verifier { spin: self.clone(), folder, long, last: Mutex::new(None) };
        // Without -o2 Spin leaves variables that are never read out of the state, and states are not comparable.
        verifier.start("spin", &self.spin, &["-a", "-o2", "model.pml"], "spin.txt", search)?;
        let said = verifier.folder.read("spin.txt")?;
        if said.contains("Error:") || !verifier.folder.path().join("pan.c").is_file() {
            return Err(refused("spin", &said));
        }
        verifier.build("pan", &[], search)?;
        Ok(verifier)
    }
}

impl Verifier {
    /// Asks about one claim. A depth cut is answered by deeper searches up to the limit.
    ///
    /// # Errors
    /// When the verifier cannot be started or its report cannot be read.
    pub fn check(&self, claim: &str, search: &Search) -> Result<SpinReport, ExternalError> {
        let mut depth = search.depth;
        loop {
            let report = self.search(claim, depth, search)?;
            if report.verdict != Verdict::Unknown(Stop::Depth) || depth >= search.limit_depth {
                return Ok(report);
            }
            depth = depth.saturating_mul(8).min(search.limit_depth);
        }
    }

    /// Visits all states without any claim; `states` and `transitions` are then those of the model alone.
    ///
    /// # Errors
    /// When the verifier cannot be built, started or read.
    pub fn explore(&self, search: &Search) -> Result<SpinReport, ExternalError> {
        self.build("explore", &["-DNOCLAIM", "-DSAFETY"], search)?;
        let tool = self.program("explore");
        let (depth, hash) =
            (format!("-m{}", search.limit_depth.min(16_000_000)), format!("-w{}", search.hash));
        self.start("pan", &tool, &[&depth, &hash], "explore.txt", search)?;
        read_report(&self.folder.read("explore.txt")?)
    }

    /// The run behind the last violation that was found. The verifier repeats it itself: the simulator of Spin 6.5.2
    /// dies in the middle of some runs, and half a run would prove nothing.
    ///
    /// # Errors
    /// When the verifier cannot be started, or does not tell the whole run.
    pub fn trail(&self, search: &Search) -> Result<Trail, ExternalError> {
        let unreadable = |words: &str| ExternalError::Unreadable("pan", words.to_owned());
        let last = self.last.lock().expect("nobody panics with the lock").clone();
        let violation = last.ok_or_else(|| unreadable("no violation was found before"))?;
        let arguments = ["-r", "-S", "-N", &violation.claim];
        let status = self.start("pan", &self.program("pan"), &arguments, "trail.txt", search)?;
        let trail = read_trail(&self.folder.read("trail.txt")?);
        if !status.success() {
            return Err(unreadable("it died while it repeated its run"));
        }
        if violation.cycle && trail.loop_start.is_none() {
            return Err(unreadable("it found a cycle and does not say where the cycle starts"));
        }
        Ok(trail)
    }

    fn search(&self, claim: &str, depth: u64, search: &Search) -> Result<SpinReport, ExternalError> {
        let (depth, hash) = (format!("-m{depth}"), format!("-w{}", search.hash));
        let mut arguments = vec!["-a", "-N", claim, &depth, &hash];
        if search.fairness == Fairness::Weak {
            arguments.push("-f");
        }
        let trail = self.folder.path().join("model.pml.trail");
        if trail.exists() {
            std::fs::remove_file(&trail)
                .map_err(|error| ExternalError::System("model.pml.trail".to_owned(), error))?;
        }
        match self.start("pan", &self.program("pan"), &arguments, "report.txt", search) {
            Err(ExternalError::Time(_)) => {
                Ok(SpinReport { verdict: Verdict::Unknown(Stop::Time), ..read_report("errors: 0")? })
            }
            Err(error) => Err(error),
            Ok(_) => {
                let report = read_report(&self.folder.read("report.txt")?)?;
                let cycle = report.text.contains("acceptance cycle (at depth");
                let found = report.trail.then(|| Violation { claim: claim.to_owned(), cycle });
                *self.last.lock().expect("nobody panics with the lock") = found;
                Ok(report)
            }
        }
    }

    /// Compiles Spin's C program. Partial-order reduction is off: an agent's step is visible almost always, and the
    /// reduction is not sound together with weak fairness.
    fn build(&self, program: &'static str, extra: &[&str], search: &Search) -> Result<(), ExternalError> {
        let memory = format!("-DMEMLIM={}", search.memory_mib);
        // Spin allows four processes per unit, less two (6.5.2 says so: 2 with one unit, 6 with two); `init` and the
        // claim are processes too.
        let fair = format!("-DNFAIR={}", (search.processes + 2 + 2).div_ceil(4));
        let effort = match search.effort {
            Effort::FastSearch if !self.long => "-O2",
            Effort::FastSearch => "-O0",
            Effort::FastCompilation => "-O0",
        };
        let mut arguments = vec![effort, "-w", "-DCOLLAPSE", "-DNOREDUCE", "-DVECTORSZ=65536", &memory];
        if !extra.contains(&"-DSAFETY") {
            arguments.push(&fair);
        }
        arguments.extend(extra);
        arguments.extend(["-o", program, "pan.c"]);
        let status = self.start("gcc", &self.spin.compiler, &arguments, "compiler.txt", search)?;
        if !status.success() || !self.folder.path().join(program).is_file() {
            return Err(refused("gcc", &self.folder.read("compiler.txt")?));
        }
        Ok(())
    }

    fn program(&self, name: &str) -> Tool {
        Tool { path: self.folder.path().join(name), version: String::new() }
    }

    /// Runs a program in the folder, with both outputs in one file. It is ended when its time is over.
    #[expect(clippy::disallowed_methods, reason = "this crate starts programs")]
    fn start(
        &self,
        name: &'static str,
        tool: &Tool,
        arguments: &[&str],
        output: &str,
        search: &Search,
    ) -> Result<ExitStatus, ExternalError> {
        let system = |error| ExternalError::System(name.to_owned(), error);
        let file = File::create(self.folder.path().join(output)).map_err(system)?;
        let mut child = Command::new(&tool.path)
            .args(arguments)
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stderr(file.try_clone().map_err(system)?)
            .stdout(file)
            .spawn()
            .map_err(system)?;
        wait(&mut child, search.time).map_err(system)?.ok_or(ExternalError::Time(name))
    }
}

fn refused(program: &'static str, words: &str) -> ExternalError {
    let lines = words.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("ltl "));
    ExternalError::Refused { program, words: lines.take(4).collect::<Vec<_>>().join("; ") }
}
