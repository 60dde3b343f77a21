//! What can be wrong with running agents, and with following a run again.

use motet_source::{Entry, Problem, Sources};

use crate::loading::command_line::command_line;

/// The manual entries of runs.
pub const RUN_CODES: &[Entry] = &[
    Entry {
        code: "M0060",
        title: "the file is no log of a run",
        text: "`motet run MODEL --replay LOG` follows a run that `motet run MODEL --skills CMD --log LOG` has logged: lines of JSON, \
               the first of which says `\"schema\":\"motet.run/1\"`. The file given begins otherwise. A trace that `check` or `sim` \
               saved is looked at with `motet trace show`.",
    },
    Entry {
        code: "M0061",
        title: "the log is of another version",
        text: "The first line of a log names the version of its form. This version of Motet reads `motet.run/1` only and does not guess \
               what a later form means: a run that is followed wrongly would differ for no reason of the model's.",
    },
    Entry {
        code: "M0062",
        title: "the log is torn",
        text: "Every line of a log is one event, and cycles are numbered without a gap. A line that is cut off, or that does not follow \
               upon the one before, comes from a run that was ended in the middle of a line, from a full disk, or from two runs that \
               wrote to one file.\n\n\
               Up to the line that is named the log can be trusted: delete that line and all after it, and the run is followed up \
               to there.",
    },
    Entry {
        code: "M0063",
        title: "the log is of another model",
        text: "A log carries the digest of the model's texts and claims. With other texts the agents may decide otherwise, and a \
               difference would say nothing.\n\n\
               Give the model as it was when the log was made, for example from version control. To see what the present model makes \
               of the same world, run it against skills instead.",
    },
    Entry {
        code: "M0064",
        title: "models of this language do not act",
        text: "`motet run` executes agents that reason by themselves and leave the world to skills: LISA agents in sEnglish, and \
               AgentSpeak teams in the Jason dialect. Brahms models, guarded commands and nets describe a whole world together with \
               those who act in it; `motet sim` runs them.",
    },
    Entry {
        code: "M0065",
        title: "the model does not describe its world",
        text: "`motet world` answers agents as their model says: percepts with their chances, actions with their feedbacks, or the \
               environment of a team file. This model has nothing of the kind, so there is no world that it could stand for.\n\n\
               Write a skill of your own; the reference page on skills shows how little it takes.",
    },
    Entry {
        code: "M0066",
        title: "a run cannot decide what it is to wait for",
        text: "`--until` ends a run as soon as a formula holds, or as soon as the claim of that name is decided. What is decided by one run \
               alone can be waited for; numbers, other runs (`E`, `A`) and knowledge cannot, nor can what a model says of an \
               environment that skills have taken the place of.",
    },
];

/// That a run cannot decide what it is to wait for.
#[must_use]
pub fn no_goal(sources: &mut Sources, until: &str, reason: &str) -> Problem {
    let span = command_line(sources, &format!("--until {until}"));
    let message = format!("no run decides `{until}`: {reason}");
    Problem::error(
        "M0066",
        span,
        message,
        "wait for a belief, a plan or an action, as in --until '\"Mission complete\"'",
    )
}

/// That models of this language do not act.
#[must_use]
pub fn no_actor(sources: &mut Sources, path: &str) -> Problem {
    let span = command_line(sources, &format!("motet run {path}"));
    let help =
        "run LISA agents in sEnglish or AgentSpeak teams in the Jason dialect; `motet sim` runs every model";
    Problem::error("M0064", span, "models of this language run by themselves and do not act", help)
}

/// That the model does not describe its world.
#[must_use]
pub fn no_world(sources: &mut Sources, path: &str) -> Problem {
    let span = command_line(sources, &format!("motet world {path}"));
    let help = "write a skill of your own, or describe the world in the model";
    Problem::error("M0065", span, "the model does not describe its world", help)
}
