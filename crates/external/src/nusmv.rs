//! NuSMV, through its command. It answers specifications of branching time first and those of linear time after them, each in
//! the order of the file, one line each.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use motet_property::SmvSpec;

use crate::process::wait;
use crate::scratch::Scratch;
use crate::tool::{ExternalError, find};

/// NuSMV, ready to be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nusmv {
    /// Where it is.
    pub path: PathBuf,
    /// What it says about its version.
    pub version: String,
}

impl Nusmv {
    /// The command that the environment variable `MOTET_NUSMV` names, or `NuSMV` on the search path.
    ///
    /// # Errors
    /// When it is not there.
    pub fn find() -> Result<Self, ExternalError> {
        if let Some(path) = std::env::var_os("MOTET_NUSMV").map(PathBuf::from)
            && path.is_file()
        {
            return Ok(Self { path, version: "NuSMV".to_owned() });
        }
        let tool = find("NuSMV").ok_or(ExternalError::NoNusmv)?;
        Ok(Self { path: tool.path, version: tool.version })
    }

    /// Asks about a model whose text ends with these specifications, in this order: `None` where it did not say.
    ///
    /// # Errors
    /// When NuSMV cannot be started or refuses the model.
    #[expect(clippy::disallowed_methods, reason = "this crate starts programs")]
    pub fn ask(
        &self,
        model: &str,
        specs: &[SmvSpec],
        time: Duration,
        parent: &Path,
    ) -> Result<Vec<Option<bool>>, ExternalError> {
        let folder = Scratch::new(parent)?;
        folder.write("model.smv", model)?;
        let system = |error| ExternalError::System("NuSMV".to_owned(), error);
        let output = File::create(folder.path().join("nusmv.txt")).map_err(system)?;
        let mut child = Command::new(&self.path)
            // Without counterexamples: verdicts are compared, runs are our own.
            .args(["-dcx", "model.smv"])
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stderr(output.try_clone().map_err(system)?)
            .stdout(output)
            .spawn()
            .map_err(system)?;
        let ended = wait(&mut child, time).map_err(system)?;
        let text = folder.read("nusmv.txt")?;
        match ended {
            Some(status) if !status.success() => {
                let words = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
                Err(ExternalError::Refused { program: "NuSMV", words: words.trim().to_owned() })
            }
            _ => Ok(read(&text, specs)),
        }
    }
}

/// Reads what NuSMV printed.
fn read(text: &str, specs: &[SmvSpec]) -> Vec<Option<bool>> {
    let branching = |spec: &SmvSpec| matches!(spec, SmvSpec::Branching(_));
    let mut order: Vec<usize> = (0..specs.len()).filter(|&at| branching(&specs[at])).collect();
    order.extend((0..specs.len()).filter(|&at| !branching(&specs[at])));
    let mut answers = vec![None; specs.len()];
    let said = text.lines().filter(|line| line.starts_with("-- specification")).filter_map(|line| {
        let line = line.trim_end();
        line.ends_with("is true").then_some(true).or_else(|| line.ends_with("is false").then_some(false))
    });
    for (at, truth) in order.into_iter().zip(said) {
        answers[at] = Some(truth);
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_back_in_the_order_of_the_questions() {
        let specs = [
            SmvSpec::Linear("F (heads)".to_owned()),
            SmvSpec::Branching("AG (EF (heads))".to_owned()),
            SmvSpec::Linear("G (heads)".to_owned()),
        ];
        let text = "*** This is NuSMV 2.5.4\n-- specification AG (EF heads)  is true\n-- specification  F heads  is \
                    false\n-- as demonstrated by the following execution sequence\n";
        assert_eq!(read(text, &specs), [Some(false), Some(true), None]);
    }
}
