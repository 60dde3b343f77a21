//! What every verb needs of the machine: where to write, how wide, and whether the user wants to stop.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use motet_render::{Colour, Detail, Extent, Letters, View};

use crate::arguments::{ColorWhen, Look};
use crate::deliver::print;
use crate::failures::Reader;

/// The machine as a verb sees it.
pub(crate) struct Host {
    /// How to draw.
    pub(crate) view: View,
    /// How things look, as asked.
    pub(crate) look: Look,
    /// The command line without the program's name.
    pub(crate) command: Vec<String>,
    /// Who reads failures.
    pub(crate) reader: Reader,
    /// Set by Ctrl-C.
    pub(crate) interrupt: Arc<AtomicBool>,
    /// When the program started.
    pub(crate) began: Instant,
}

impl Host {
    /// Reads the terminal and takes over Ctrl-C.
    pub(crate) fn new(look: Look, command: Vec<String>) -> Self {
        match look.color {
            ColorWhen::Auto => {}
            ColorWhen::Always => anstream::ColorChoice::Always.write_global(),
            ColorWhen::Never => anstream::ColorChoice::Never.write_global(),
        }
        let interrupt = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&interrupt);
        // Without a handler Ctrl-C ends the program without a report, which is no reason not to start.
        let _ = ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
        let view = View {
            width: width(),
            letters: if look.ascii { Letters::Ascii } else { Letters::Unicode },
            colour: Colour::Ansi,
            detail: match (look.quiet, look.verbose) {
                (true, _) => Detail::Quiet,
                (false, true) => Detail::Verbose,
                (false, false) => Detail::Normal,
            },
            extent: if look.full { Extent::Full } else { Extent::Chosen },
        };
        let reader = Reader::of(&command);
        Self { view, look, reader, command, interrupt, began: Instant::now() }
    }

    /// Writes results. A reader that went away, as in `motet check | head`, is not an error of ours.
    pub(crate) fn say(&self, text: &str) {
        print(text);
    }

    /// Writes hints and complaints.
    pub(crate) fn hint(&self, text: &str) {
        let _ = writeln!(anstream::stderr(), "{text}");
    }

    /// The command line as it can be pasted.
    pub(crate) fn command_line(&self) -> String {
        let words: Vec<String> = self.command.iter().map(|word| quoted(word)).collect();
        format!("motet {}", words.join(" "))
    }
}

/// A word as a shell reads it.
pub(crate) fn quoted(word: &str) -> String {
    let safe = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,+@%".contains(letter);
    if !word.is_empty() && word.chars().all(safe) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Characters in a line: the terminal's, within reason; 100 where there is no terminal.
fn width() -> usize {
    if !std::io::stdout().is_terminal() {
        return 100;
    }
    let (_, columns) = console::Term::stdout().size();
    usize::from(columns).clamp(60, 160)
}

/// Bytes of memory of this machine, where the system tells.
pub(crate) fn memory() -> Option<u64> {
    #[expect(clippy::disallowed_methods, reason = "the command line is a host")]
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kib * 1024)
}

/// Bytes of memory that this process has in use, where the system tells.
pub(crate) fn resident() -> Option<u64> {
    static PAGE: OnceLock<Option<u64>> = OnceLock::new();
    let page = (*PAGE.get_or_init(page_bytes))?;
    #[expect(clippy::disallowed_methods, reason = "the command line is a host")]
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * page)
}

/// Bytes of a page of memory; 4096 on most machines, but not on all.
fn page_bytes() -> Option<u64> {
    #[expect(clippy::disallowed_methods, reason = "the command line is a host")]
    let text = std::fs::read_to_string("/proc/self/smaps").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("KernelPageSize:"))?;
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell_only_where_needed() {
        assert_eq!(quoted("LAST=5"), "LAST=5");
        assert_eq!(quoted("[] a"), "'[] a'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }
}
