//! `docs/assurance.md`: a section per part, renewed when the part was run.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};

use super::{Account, Part};
use crate::machine::{Machine, first_line};

/// Where the page is.
const PAGE: &str = "docs/assurance.md";

/// What stands above the sections.
const HEAD: &str = "\
# Assurance

What goes on looking for faults in Motet beside the tests: what was run, for how long, and what was found. `cargo xtask lab`
runs everything and writes this page; `cargo xtask lab fuzz` runs one part and renews its section. `./test` runs
`cargo xtask lab --minutes 5 --check fuzz faults`, which fails on any finding and writes nothing. What each part is and what it does not
show stands in [ADR 0024](adr/0024-a-laboratory-that-goes-on-looking.md).

Each section is what one run said.
";

/// Renews the section of a part.
///
/// # Errors
/// When the page cannot be read or written.
pub(super) fn renew(root: &Path, part: Part, command: &str, took: Duration, account: &Account) -> Result<()> {
    let path = root.join(PAGE);
    let old = std::fs::read_to_string(&path).unwrap_or_default();
    let date = first_line("date", "+%Y-%m-%d").context("the date")?;
    let new = section(&date, part, command, took, account);
    std::fs::write(&path, replaced(&old, part, &new)).with_context(|| format!("writing {PAGE}"))
}

fn section(date: &str, part: Part, command: &str, took: Duration, account: &Account) -> String {
    let machine = Machine::here(None, None);
    let about =
        |name: &str| machine.lines.iter().find(|line| line.0 == name).map_or("", |line| line.1.as_str());
    let found = match account.findings.as_slice() {
        [] => "Found: nothing.".to_owned(),
        findings => {
            let lines = findings.iter().map(|finding| format!("\n- {finding}"));
            format!("Found:\n{}", lines.collect::<String>())
        }
    };
    format!(
        "{}\n\n`{command}`, {date}, {} in all, {}, {} cores, {}.\n\n{}\n\n{found}\n",
        heading(part),
        spoken(took),
        about("rustc"),
        about("cores"),
        about("memory"),
        account.text.trim(),
    )
}

fn heading(part: Part) -> &'static str {
    match part {
        Part::Fuzz => "## Fuzzing",
        Part::Faults => "## Faults of the system",
        Part::Mutants => "## Mutants",
        Part::Coverage => "## Lines that tests run",
        Part::Deny => "## What is built in",
    }
}

/// The page with another section of a part.
fn replaced(old: &str, part: Part, new: &str) -> String {
    let section = |part: Part| {
        let start = old.find(&format!("{}\n", heading(part)))?;
        let end = old[start + 3..].find("\n## ").map_or(old.len(), |end| start + 3 + end + 1);
        Some(old[start..end].trim_end().to_owned())
    };
    let mut page = HEAD.to_owned();
    for other in Part::ALL {
        let text = if other == part { Some(new.trim_end().to_owned()) } else { section(other) };
        page.extend(text.map(|text| format!("\n{text}\n")));
    }
    page
}

/// `3 min 20 s`
pub(super) fn spoken(time: Duration) -> String {
    match time.as_secs() {
        0 => format!("{} ms", time.as_millis()),
        seconds @ ..60 => format!("{seconds} s"),
        seconds @ ..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        seconds => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_renewed_and_the_others_stay() {
        let one = replaced("", Part::Mutants, "## Mutants\n\nold\n");
        let two = replaced(&one, Part::Fuzz, "## Fuzzing\n\nfirst\n");
        let three = replaced(&two, Part::Mutants, "## Mutants\n\nnew\n");
        assert!(
            three.starts_with(HEAD) && three.ends_with("## Fuzzing\n\nfirst\n\n## Mutants\n\nnew\n"),
            "{three}"
        );
        assert_eq!(three, replaced(&three, Part::Mutants, "## Mutants\n\nnew\n"));
    }

    #[test]
    fn times_are_told_as_people_tell_them() {
        let told = |seconds| spoken(Duration::from_secs(seconds));
        assert_eq!((told(5), told(200), told(7260)), ("5 s".into(), "3 min 20 s".into(), "2 h 1 min".into()));
    }
}
