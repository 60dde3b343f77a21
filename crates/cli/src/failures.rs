//! How a command that cannot do what it was asked for says so: for people on standard error, for programs as an object on
//! standard output.

use std::io::Write as _;

use motet_render::{Colour, Spacing, View, failure_json, problems};
use motet_workbench::{Problems, Sources, misfit_command, no_thread};

use crate::deliver::print;
use crate::exit::ExitCode;
use crate::host::Host;

/// Who reads failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    /// A person.
    Person,
    /// A program, that reads a document of this layout.
    Program(Spacing),
}

/// Verbs whose form may be said by the environment.
const WITH_VARIABLE: &[&str] = &["check", "sim", "explain", "sweep"];

impl Reader {
    /// Read off the words of the command line, which may be one that cannot be parsed.
    pub(crate) fn of(command: &[String]) -> Self {
        let words: Vec<&str> = command.iter().map(String::as_str).take_while(|word| *word != "--").collect();
        let named = |(at, word): (usize, &&str)| match word.strip_prefix("--format") {
            Some("") => words.get(at + 1).map(|form| (*form).to_owned()),
            Some(rest) => rest.strip_prefix('=').map(ToOwned::to_owned),
            None => None,
        };
        let form = words.iter().enumerate().find_map(named).or_else(|| {
            let verb = words.iter().find(|word| !word.starts_with('-'))?;
            let variable = WITH_VARIABLE.contains(verb).then(|| std::env::var_os("MOTET_FORMAT")).flatten();
            variable.and_then(|form| form.into_string().ok())
        });
        match form.as_deref() {
            Some("json") => Self::Program(Spacing::Wide),
            Some("jsonl") => Self::Program(Spacing::Line),
            _ => Self::Person,
        }
    }
}

/// Says that a command cannot be carried out as it stands.
pub(crate) fn misfit(reader: Reader, command: &[String], why: &str, help: &str) -> ExitCode {
    let Reader::Program(spacing) = reader else {
        let _ = writeln!(anstream::stderr(), "error: {why}");
        return ExitCode::Usage;
    };
    let mut sources = Sources::new();
    let words: Vec<String> = command.iter().map(|word| crate::host::quoted(word)).collect();
    let problem = misfit_command(&mut sources, &format!("motet {}", words.join(" ")), why, help);
    let mut found = Problems::new();
    found.push(problem);
    print(&failure_json(&found, &sources, command, ExitCode::Usage.number(), spacing));
    ExitCode::Usage
}

/// Says that the system starts no thread to work in.
pub(crate) fn threadless(reader: Reader, command: &[String], error: &std::io::Error) -> ExitCode {
    let mut sources = Sources::new();
    let problem = no_thread(&mut sources, "motet", &crate::deliver::words(error));
    let mut found = Problems::new();
    found.push(problem);
    let exit = ExitCode::Inconclusive;
    match reader {
        Reader::Program(spacing) => {
            print(&failure_json(&found, &sources, command, exit.number(), spacing));
        }
        Reader::Person => {
            let view = View { colour: Colour::Ansi, ..View::default() };
            let _ = write!(anstream::stderr(), "{}", problems(&found, &sources, &view));
        }
    }
    exit
}

/// Says what the command line's parser complains about. Help and versions are no complaints.
pub(crate) fn unparsed(reader: Reader, command: &[String], error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        if let Err(lost) = error.print()
            && lost.kind() != std::io::ErrorKind::BrokenPipe
        {
            crate::deliver::lose("standard output", &lost);
        }
        return crate::deliver::settled(ExitCode::AsExpected);
    }
    if reader == Reader::Person {
        let _ = error.print();
        return ExitCode::Usage;
    }
    let text = error.render().to_string();
    let mut parts = text.split("\n\n").map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    let first = parts.next().unwrap_or_default();
    let why = first.strip_prefix("error: ").unwrap_or(&first);
    let tip = parts.find_map(|part| part.strip_prefix("tip: ").map(ToOwned::to_owned));
    misfit(reader, command, why, &tip.unwrap_or_else(|| "motet VERB --help lists the options".to_owned()))
}

impl Host {
    /// Says that the model does not have what the command names, and what it has.
    pub(crate) fn misfit(&self, why: &str, help: &str) -> ExitCode {
        let both = if help.is_empty() { why.to_owned() } else { format!("{why}; {help}") };
        let why = if self.reader == Reader::Person { &both } else { why };
        misfit(self.reader, &self.command, why, help)
    }

    /// Shows the problems of an input that cannot be used: standard output is for results, unless a program reads it.
    pub(crate) fn fail(&self, found: &Problems, sources: &Sources) -> ExitCode {
        match self.reader {
            Reader::Person => self.hint(problems(found, sources, &self.view).trim_end()),
            Reader::Program(spacing) => {
                let exit = ExitCode::BrokenInput.number();
                self.say(&failure_json(found, sources, &self.command, exit, spacing));
            }
        }
        ExitCode::BrokenInput
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(words: &[&str]) -> Reader {
        Reader::of(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn who_reads_failures_is_read_off_words_that_nobody_could_parse() {
        assert_eq!(reader(&["sim", "x", "--format", "json", "--oops"]), Reader::Program(Spacing::Wide));
        assert_eq!(reader(&["sim", "--format=jsonl"]), Reader::Program(Spacing::Line));
        assert_eq!(reader(&["sim", "--format"]), Reader::Person);
        assert_eq!(reader(&["sim", "--", "--format=json"]), Reader::Person);
        assert_eq!(reader(&["fmt", "--formatting=json"]), Reader::Person);
    }
}
