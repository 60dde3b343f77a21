//! Codes of problems with checkpoints.

use motet_engine::Damage;
use motet_source::{Entry, Problem, Span};

/// The manual entries of the codes about checkpoints.
pub const CHECKPOINT_CODES: &[Entry] = &[
    Entry {
        code: "M0020",
        title: "there is no checkpoint to resume",
        text: "`motet check --resume` continues the last check that was stopped, from its checkpoint below \
               `.motet/checkpoints`. There is none: no check was stopped here, it was stopped before its first checkpoint \
               (`--checkpoint 5min`) by something that gave it no time to save one, or it was finished since.\n\n\
               Start it from the folder in which the check was started, or check from the beginning.",
    },
    Entry {
        code: "M0021",
        title: "the checkpoint is damaged",
        text: "A checkpoint is a list of pieces, each with its length and a checksum. One of them is cut short, or is not what \
               was written. A search that goes on from there could give a wrong answer, so it does not.\n\n\
               Check from the beginning, without `--resume`. If this happens again, look at the disk.",
    },
    Entry {
        code: "M0022",
        title: "the checkpoint is of another model",
        text: "A checkpoint can be continued only with the very texts it was made from: the states of one model say \
               nothing about another. The model or its claims have changed since, or were taken from another place.\n\n\
               Check from the beginning, or bring the old texts back.",
    },
    Entry {
        code: "M0023",
        title: "the checkpoint is of another version",
        text: "Another version of Motet wrote the checkpoint. It may number states differently or read the language \
               differently, so its search is not continued.\n\n\
               Use that version, or check from the beginning.",
    },
];

/// The problem with a checkpoint.
#[must_use]
pub fn damaged_checkpoint(span: Span, path: &str, damage: &Damage) -> Problem {
    const AGAIN: &str = "check from the beginning, without --resume";
    match damage {
        Damage::Torn | Damage::Flipped | Damage::Unreadable(_) => Problem::error(
            "M0021",
            span,
            format!("the checkpoint in `{path}` cannot be read: {damage}"),
            AGAIN,
        ),
        Damage::Foreign(how) => Problem::error(
            "M0022",
            span,
            format!("the checkpoint in `{path}` does not fit the model: {how}"),
            AGAIN,
        ),
    }
}

/// The problem that there is nothing to continue.
#[must_use]
pub fn no_checkpoint(span: Span, path: &str) -> Problem {
    let help = "check without --resume, or go to the folder in which the check was started";
    Problem::error("M0020", span, format!("there is no checkpoint below `{path}`"), help)
}

/// The problem that another version wrote a checkpoint.
#[must_use]
pub fn old_checkpoint(span: Span, path: &str, version: &str) -> Problem {
    let message = format!("the checkpoint in `{path}` was written by Motet {version}");
    Problem::error("M0023", span, message, "use that version, or check from the beginning, without --resume")
}
