//! Codes of problems with what leaves the program: outputs that are lost, reports with nothing to show, commands that cannot be
//! carried out.

use motet_source::{Entry, Problem, Sources};

use crate::loading::command_line::command_line;

/// The manual entries of these codes.
pub const DELIVERY_CODES: &[Entry] = &[
    Entry {
        code: "M0015",
        title: "the system starts no thread",
        text: "A command works in a thread of its own, with room for the deepest formulas that are read, and a page is served by \
               another. The operating system would not start it. Nothing was checked, so the exit code is 4, as with any limit.\n\n\
               Threads that share the work of a search are another matter: a search that gets fewer of them takes longer and says \
               the same.\n\n\
               End other programs, or raise the limits of the session: `ulimit -u` says how many threads you may have, `ulimit -v` how \
               much memory.",
    },
    Entry {
        code: "M0025",
        title: "an output was lost",
        text: "What was asked for could not be delivered: the disk is full, the folder may not be written, a folder has the name of the \
               file, or standard output takes no more. The message carries the words of the operating system. Files are written whole \
               or not at all, so a file that was there before is as it was, and none is left half written.\n\n\
               All other outputs of the command are tried all the same. The exit code is 6, also where a claim failed. A reader \
               that went away, as in `motet check . | head`, is no problem.\n\n\
               Name a place that may be written and has room: `motet check . --report json=/tmp/report.json`.",
    },
    Entry {
        code: "M0026",
        title: "there is nothing to write",
        text: "A report was asked for that has nothing to show in this check: a picture of a run where no claim has a run that can be \
               drawn, a strategy where no number depends on choices, curves where no claim asks for a number. The file is not written, \
               everything else is, and the exit code is that of the verdicts.\n\n\
               Leave the option out, or choose with `-p` a claim that has what is wanted.",
    },
    Entry {
        code: "M0027",
        title: "the command cannot be carried out as it stands",
        text: "Options are missing, contradict each other, or name something that this model does not have. With `--format json` the \
               complaint is an object with this code; without it the same words stand behind `error:`. The exit code is 2.\n\n\
               `motet VERB --help` lists the options of a verb, as `motet sweep --help` does.",
    },
];

/// The problem that an output was lost: `what` is its file, or standard output.
#[must_use]
pub fn lost_output(sources: &mut Sources, what: &str, why: &str) -> Problem {
    let span = command_line(sources, what);
    let help = "name a place that may be written and has room; other outputs do not depend on this one";
    Problem::error("M0025", span, format!("this output was lost: {why}"), help)
}

/// The problem that the system starts no thread for `what`, and why.
#[must_use]
pub fn no_thread(sources: &mut Sources, what: &str, why: &str) -> Problem {
    let span = command_line(sources, what);
    let help = "end other programs, or raise the limits that `ulimit -a` shows";
    Problem::error("M0015", span, format!("the system starts no thread: {why}"), help)
}

/// The problem that a report has nothing to show.
#[must_use]
pub fn nothing_to_write(sources: &mut Sources, what: &str, why: &str) -> Problem {
    let span = command_line(sources, what);
    let help = "leave the option out, or choose a claim that has it with -p";
    Problem::warning("M0026", span, format!("nothing was written: {why}"), help)
}

/// The problem that a command cannot be carried out.
#[must_use]
pub fn misfit_command(sources: &mut Sources, command: &str, why: &str, help: &str) -> Problem {
    let span = command_line(sources, command);
    Problem::error("M0027", span, why.to_owned(), help)
}
