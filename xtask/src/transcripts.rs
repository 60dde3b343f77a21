//! Terminal sessions in our pages are what the tool really prints.
//!
//! A fenced `text` block whose first line starts with `$ motet` is a session: each such line is a command, run from the
//! root of the repository, and what follows is its output. Times and memory differ between runs and are not compared.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::tidy::Finding;
use crate::{Text, Tree};

const PROMPT: &str = "$ motet ";

/// Pages whose sessions no longer show what the tool prints.
///
/// # Errors
/// When the tool cannot be run.
pub fn stale(root: &Path, motet: &Path, tree: &Tree) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for page in pages(tree) {
        for session in sessions(&page.text) {
            let fresh = run(root, motet, session.command)?;
            if normal(session.output) != normal(&fresh) {
                let message = format!("`motet {}` prints something else now:\n{fresh}", session.command);
                findings.push(Finding { path: page.path.clone(), line: session.line, message });
            }
        }
    }
    Ok(findings)
}

/// Writes what the tool prints now into the pages, and returns the pages that changed. Sessions that differ in times
/// alone stay as they are.
///
/// # Errors
/// When the tool cannot be run or a page cannot be written.
pub fn refresh(root: &Path, motet: &Path, tree: &Tree) -> Result<Vec<String>> {
    let mut changed = Vec::new();
    for page in pages(tree) {
        let mut text = page.text.clone();
        let sessions = sessions(&page.text);
        // Run in the order of the page: a session may look at a trace that the one before it has saved.
        let outputs: Result<Vec<String>> =
            sessions.iter().map(|session| run(root, motet, session.command)).collect();
        // Replace from the last to the first, so that the places of the others stay right.
        for (session, fresh) in sessions.iter().zip(outputs?).rev() {
            if normal(session.output) != normal(&fresh) {
                text.replace_range(session.start..session.start + session.output.len(), &fresh);
            }
        }
        if text != page.text {
            std::fs::write(root.join(&page.path), text).with_context(|| format!("writing {}", page.path))?;
            changed.push(page.path.clone());
        }
    }
    Ok(changed)
}

fn pages(tree: &Tree) -> impl Iterator<Item = &Text> {
    let is_shown =
        |path: &str| path == "README.md" || ["examples/", "docs/"].iter().any(|at| path.starts_with(at));
    tree.texts.iter().filter(move |text| text.path.ends_with(".md") && is_shown(&text.path))
}

struct Session<'a> {
    /// Without the prompt.
    command: &'a str,
    /// Up to the next prompt or the end of the block.
    output: &'a str,
    /// Where the output starts in the page.
    start: usize,
    /// The 1-based line of the command.
    line: usize,
}

fn sessions(page: &str) -> Vec<Session<'_>> {
    let mut sessions: Vec<Session<'_>> = Vec::new();
    let (mut at, mut inside, mut first) = (0, false, true);
    for (number, line) in page.split_inclusive('\n').enumerate() {
        let start = at;
        at += line.len();
        if line.starts_with("```") {
            (inside, first) = (line.trim_end() == "```text", true);
            continue;
        }
        match line.strip_prefix(PROMPT) {
            Some(command) if inside => {
                let (command, output) = (command.trim_end(), &page[at..at]);
                sessions.push(Session { command, output, start: at, line: number + 1 });
            }
            _ if inside && !first => {
                if let Some(open) = sessions.last_mut().filter(|open| open.start + open.output.len() == start)
                {
                    open.output = &page[open.start..at];
                }
            }
            // A block that does not start with a command is no session.
            _ => inside = false,
        }
        first = false;
    }
    sessions
}

/// Runs a command line. Words are separated by spaces; single quotes hold a word together.
fn run(root: &Path, motet: &Path, command: &str) -> Result<String> {
    let output = Command::new(motet)
        .current_dir(root)
        .env_clear()
        .envs(std::env::vars().filter(|(name, _)| name == "PATH" || name == "HOME"))
        .args(words(command))
        .output()
        .with_context(|| format!("running {}", motet.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().map(|line| format!("{}\n", line.trim_end())).collect())
}

fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for letter in command.chars() {
        match letter {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            letter => words.last_mut().expect("there is at least one word").push(letter),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// What stands before a time or an amount of memory: the number of states, the length of a simulation, of a sweep,
/// what advice is about.
const MEASURES: [&str; 6] =
    [" states · ", " simulated in ", " points · ", " runs · ", " queries, ", " strategies, "];

/// The output without what differs from run to run: everything after the number of states in the last line, and times.
fn normal(output: &str) -> Vec<String> {
    let plain = |line: &str| {
        let before = MEASURES.iter().find_map(|measure| line.split_once(measure));
        before.map_or(line, |(before, _)| before).trim_end().to_owned()
    };
    output.trim_end().lines().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_are_found_with_their_outputs() {
        let page = "a\n```text\n$ motet check x\none\ntwo\n$ motet vocab y\nthree\n```\n```text\nno session\n$ motet z\n```\n";
        let found: Vec<_> = sessions(page).into_iter().map(|s| (s.command, s.output, s.line)).collect();
        assert_eq!(found, [("check x", "one\ntwo\n", 3), ("vocab y", "three\n", 6)]);
    }

    #[test]
    fn quotes_hold_a_formula_together() {
        assert_eq!(words("check a -e 'F (a & b)'"), ["check", "a", "-e", "F (a & b)"]);
    }

    #[test]
    fn times_do_not_count_and_verdicts_do() {
        let one = "✓ A\n\n1 of 1 as expected · complete: 4 states · 0.01 s · 2 MiB\n";
        assert_eq!(normal(one), normal(&one.replace("0.01 s", "0.25 s")));
        assert_ne!(normal(one), normal(&one.replace("4 states", "5 states")));
        assert_ne!(normal(one), normal(&one.replace('✓', "✗")));
        let run = "1 h simulated in 0.01 s · trace: a.itf.json\n";
        assert_eq!(normal(run), normal(&run.replace("0.01", "0.02")));
        assert_ne!(normal(run), normal(&run.replace("1 h", "2 h")));
    }
}
