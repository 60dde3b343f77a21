//! `cargo xtask lab`: a laboratory that goes on looking for faults. Each part looks in its own way and says what it ran, for how
//! long and what it found; together they are the page `docs/assurance.md`.

mod coverage;
mod deny;
mod faults;
mod faults_cases;
mod fuzz;
mod fuzz_seeds;
mod mutants;
mod mutants_list;
mod page;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

pub use mutants_list::{MUTANTS, Mutant};

/// One way of looking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Changes of analyses that tests must notice.
    Mutants,
    /// Inputs that nobody would write.
    Fuzz,
    /// Calls to the system that fail.
    Faults,
    /// Which lines tests run.
    Coverage,
    /// Licences, sources and advisories of what is built in.
    Deny,
}

impl Part {
    /// In the order of the page.
    pub const ALL: [Self; 5] = [Self::Fuzz, Self::Faults, Self::Mutants, Self::Coverage, Self::Deny];

    /// As the command line names it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Mutants => "mutants",
            Self::Fuzz => "fuzz",
            Self::Faults => "faults",
            Self::Coverage => "coverage",
            Self::Deny => "deny",
        }
    }

    /// Of a limited time, the share in percent. What has none is left out of a limited run: it builds everything again, or
    /// asks a server.
    fn share(self) -> u32 {
        match self {
            Self::Fuzz => 50,
            Self::Faults => 20,
            Self::Mutants => 30,
            Self::Coverage | Self::Deny => 0,
        }
    }
}

/// Whether the page is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// The sections of what was run are renewed.
    Renew,
    /// Nothing is written: the findings are all.
    Leave,
}

/// What to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// For how long, without the time that building takes; without a limit everything is run to its end.
    pub time: Option<Duration>,
    /// Which parts; all that there is time for when empty.
    pub parts: Vec<Part>,
    /// Whether the page is written.
    pub paper: Paper,
    /// Of the mutants, those whose names have this in them.
    pub only: Option<String>,
    /// The words of the command line, for the page.
    pub command: String,
}

/// What a part did.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// What was run, as Markdown.
    pub text: String,
    /// What is wrong with Motet: one line each.
    pub findings: Vec<String>,
}

/// Where a part works.
struct Bench<'a> {
    root: &'a Path,
    /// For its own files, below `target`.
    folder: PathBuf,
    /// For how long.
    time: Option<Duration>,
    /// Of the mutants, those whose names have this in them.
    only: Option<&'a str>,
    say: &'a mut dyn FnMut(&str),
}

/// Runs the laboratory; the findings are one line each.
///
/// # Errors
/// When something that a part needs is missing or cannot be built.
pub fn lab(root: &Path, options: &Options, say: &mut dyn FnMut(&str)) -> Result<Vec<String>> {
    let limited = |part: &Part| options.time.is_none() || part.share() > 0;
    let parts: Vec<Part> = match options.parts.as_slice() {
        [] => Part::ALL.into_iter().filter(limited).collect(),
        named => named.to_vec(),
    };
    let shares: u32 = parts.iter().map(|part| part.share()).sum();
    let mut findings = Vec::new();
    for part in parts {
        say(&format!("== {}", part.word()));
        let time = options.time.map(|time| match shares {
            0 => time,
            _ => time * part.share() / shares,
        });
        let folder = root.join("target/lab").join(part.word());
        std::fs::create_dir_all(&folder)?;
        let begun = Instant::now();
        let mut bench = Bench { root, folder, time, only: options.only.as_deref(), say: &mut *say };
        let account = match part {
            Part::Mutants => mutants::run(&mut bench)?,
            Part::Fuzz => fuzz::run(&mut bench)?,
            Part::Faults => faults::run(&mut bench)?,
            Part::Coverage => coverage::run(&mut bench)?,
            Part::Deny => deny::run(&mut bench)?,
        };
        if options.paper == Paper::Renew {
            page::renew(root, part, &options.command, begun.elapsed(), &account)?;
        }
        findings.extend(account.findings.into_iter().map(|finding| format!("{}: {finding}", part.word())));
    }
    Ok(findings)
}

/// The options that words of the command line ask for: `[--minutes N] [--only WORDS] [--check] [PART...]`.
///
/// # Errors
/// When a word means nothing.
pub fn options(words: &[&str]) -> Result<Options> {
    let command = ["cargo xtask lab"].iter().chain(words).copied().collect::<Vec<_>>().join(" ");
    let mut options = Options { time: None, parts: Vec::new(), paper: Paper::Renew, only: None, command };
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "--check" => options.paper = Paper::Leave,
            "--only" => match words.next() {
                // What was made of a part of the list is no section of the page.
                Some(word) => (options.only, options.paper) = (Some(word.to_owned()), Paper::Leave),
                None => bail!("--only takes words of the names of mutants, such as 'brahms, slice'"),
            },
            "--minutes" => {
                let minutes = words.next().and_then(|text| text.parse::<f64>().ok());
                match minutes.filter(|minutes| *minutes > 0.0 && *minutes < 1e6) {
                    Some(minutes) => options.time = Some(Duration::from_secs_f64(minutes * 60.0)),
                    None => bail!("--minutes takes a number, such as 5"),
                }
            }
            _ => match Part::ALL.into_iter().find(|part| part.word() == word) {
                Some(part) => options.parts.push(part),
                None => {
                    let known = Part::ALL.map(Part::word).join(", ");
                    bail!("`{word}` is no part of the laboratory; the parts are {known}")
                }
            },
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_command_line_are_read() {
        let found = options(&["--minutes", "5", "--check", "fuzz", "deny"]).unwrap();
        assert_eq!((found.time, found.paper), (Some(Duration::from_secs(300)), Paper::Leave));
        assert_eq!(found.parts, [Part::Fuzz, Part::Deny]);
        assert_eq!(found.command, "cargo xtask lab --minutes 5 --check fuzz deny");
        let some = options(&["--only", "brahms, slice", "mutants"]).unwrap();
        assert_eq!((some.only.as_deref(), some.paper), (Some("brahms, slice"), Paper::Leave));
        assert!(options(&["--only"]).is_err());
        assert!(options(&["--minutes"]).is_err() && options(&["--minutes", "-1"]).is_err());
        assert!(options(&["fuz"]).is_err_and(|error| error.to_string().contains("fuzz, faults")));
    }
}
