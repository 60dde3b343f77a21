//! Programs that are not ours: where they are, and what can go wrong with them.

use std::path::PathBuf;
use std::process::Command;

/// An installed program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// Where it is.
    pub path: PathBuf,
    /// The first line of what it says about its version.
    pub version: String,
}

/// Why an external checker gave no answer at all. What it did say is in its report.
#[derive(Debug, thiserror::Error)]
pub enum ExternalError {
    /// A program is not installed.
    #[error("`{0}` was not found; install it (Debian: apt-get install spin gcc), see `motet explain M0951`")]
    Missing(&'static str),
    /// Storm is not installed where it is looked for.
    #[error(
        "Storm was not found: {0}; install it with `python3 -m venv .motet/storm` and `.motet/storm/bin/pip install \
         stormpy`, see `motet explain M0960`"
    )]
    NoStorm(String),
    /// PRISM is not installed.
    #[error("`prism` was not found on the search path; see `motet explain M0961`")]
    NoPrism,
    /// NuSMV is not installed.
    #[error(
        "`NuSMV` was not found, neither on the search path nor through MOTET_NUSMV; see `motet explain M0988`"
    )]
    NoNusmv,
    /// A file could not be written or read, or a program could not be started.
    #[error("{0}: {1}")]
    System(String, #[source] std::io::Error),
    /// A program refused its input. For a model that we wrote this is a bug in the tool.
    #[error("{program} refused the model: {words}; see `motet explain M0952`")]
    Refused {
        /// Which program.
        program: &'static str,
        /// Its last words.
        words: String,
    },
    /// A program said something that we cannot read.
    #[error("the report of {0} could not be read: {1}; see `motet explain M0952`")]
    Unreadable(&'static str, String),
    /// The time limit ended a program before there was anything to read.
    #[error("{0} did not finish in time; see `motet explain M0952`")]
    Time(&'static str),
}

/// The program with this name, if it can be started. Spin shows its version with `-V`, PRISM with `-version`, compilers with
/// `--version`.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "this crate starts programs")]
pub fn find(name: &str) -> Option<Tool> {
    let path = search(name)?;
    let flag = match name {
        "spin" => "-V",
        "prism" => "-version",
        _ => "--version",
    };
    let output = Command::new(&path).arg(flag).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let version = text.lines().next().unwrap_or_default().trim().to_owned();
    Some(Tool { path, version })
}

fn search(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}
