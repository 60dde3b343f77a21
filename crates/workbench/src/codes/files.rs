//! Codes of problems with files, projects and options.

use motet_source::{Entry, Problem, Span};

/// The manual entries of this crate's codes.
pub const CODES: &[Entry] = &[
    Entry {
        code: "M0001",
        title: "there is nothing at this path",
        text: "A model is a folder with a team, or a file. The path given exists neither as one nor as the other.\n\n\
               Check the spelling, and from which folder the command is started. `motet check examples/auction` \
               checks a folder, `motet check robot.asl` a single agent.",
    },
    Entry {
        code: "M0002",
        title: "the folder holds no model",
        text: "A folder is a model when it holds a team file (`.team` or `.mas2j`) or programs of agents (`.asl`). \
               Claims files (`.props`, `.psl`) alone are not enough: there is nothing they could be about.\n\n\
               Give the folder that holds the agents, or the file itself.",
    },
    Entry {
        code: "M0003",
        title: "the file is too large",
        text: "Files of more than 8 MiB are not read as models or claims: they are data or programs that got the wrong \
               name. A model of that size could not be explored either.",
    },
    Entry {
        code: "M0004",
        title: "the file is not a text",
        text: "Models and claims are texts in UTF-8. The file holds bytes that are none, so it is a program, a picture, \
               or a text in an old encoding.\n\n\
               Convert it, for example with `iconv -f latin1 -t utf-8 old.asl > new.asl`.",
    },
    Entry {
        code: "M0005",
        title: "the file cannot be read",
        text: "The operating system refuses to read the file. The message carries its words; most often the \
               permissions are missing.",
    },
    Entry {
        code: "M0006",
        title: "no such language",
        text: "The language of a model is known by the extensions of its files. `--lang NAME` says it where they do \
               not, and NAME has to be one that this version speaks.",
    },
    Entry {
        code: "M0007",
        title: "no claim has this name",
        text: "`-p GLOB` selects claims by name; `*` stands for any letters and `?` for one. A selection that fits \
               nothing is an error, because checking nothing must not look like a pass.\n\n\
               The names are those after `property` and `possible` in the claims files beside the model.",
    },
    Entry {
        code: "M0010",
        title: "the trace does not fit the model",
        text: "A trace is a list of choices in one model, beside the words that were shown. It can be followed only \
               in the model it was made from. The model has changed since, or was bound differently.\n\n\
               Check again to get a new trace.",
    },
    Entry {
        code: "M0011",
        title: "this is not a trace",
        text: "`motet trace` reads files that `motet check` and `motet sim` write: the Informal Trace Format, with \
               the command that made them. The file is something else, or was cut.",
    },
    Entry {
        code: "M0012",
        title: "a reward that the model does not have",
        text: "`R{\"fuel\"}=? [ F done ]` counts a reward of the model by its name: `rewards \"fuel\" ... endrewards` in the PRISM \
               language, the names behind percepts and actions in sEnglish, where `cycles` always exists. Without a name the \
               first reward of the model is meant. `motet vocab` lists them.",
    },
    Entry {
        code: "M0013",
        title: "the tree has no such branch",
        text: "A claim about other runs, or about what somebody knows, is shown by a tree of runs. `motet trace show FILE \
               --tree` lists it: the main run is 1, its branches are 1.1, 1.2 and so on, those of branch 1.2 are 1.2.1, \
               1.2.2 and so on. `--branch` takes one of these numbers.\n\n\
               A branch that a complete search is behind has no run, so `motet trace step` cannot walk it.",
    },
    Entry {
        code: "M0014",
        title: "no kind of members has this name",
        text: "`--symmetry NAME` explores the members of one kind as interchangeable: a group or class of a Brahms model, \
               modules of a PRISM model that are copies of each other. The kinds of a model are those that have several \
               members of the same text.\n\n\
               `--symmetry` without a name takes all kinds, and the report says which there are.",
    },
    Entry {
        code: "M0963",
        title: "the model has too many states to be written one by one",
        text: "Explicit forms (`drn`, `tra`, `jani`) list every reachable state, and so does a cross-check with Storm of a \
               model that has no translation to the PRISM language. The limit keeps files and memory in bounds.\n\n\
               Raise it with `--states N`, or make the instance smaller with `-D`.",
    },
    Entry {
        code: "M0964",
        title: "the model cannot be written to its end",
        text: "A form that lists every state needs to know what follows each of them. The model exceeds one of its own \
               bounds in some reachable state, or has no state to start in.\n\n\
               `motet check` shows a run to that state. Raise the bound with `--bound NAME=N`.",
    },
    Entry {
        code: "M0965",
        title: "the language has no translation to PRISM",
        text: "Models of minds have no short text in the PRISM language: a belief base is no number. They are written state \
               by state instead: `--to drn` for Storm, `--to tra` for PRISM, `--to jani` for tools that read JANI.",
    },
    Entry {
        code: "M0986",
        title: "the format has black tokens only",
        text: "TINA's nets, and PNML's place/transition nets, know how many tokens a place holds and nothing else. A net \
               whose tokens carry data, whose transitions have guards, or whose tokens are agents has no such form.\n\n\
               `--to nets` prints it in the language of Motet, `--to promela` translates it for Spin.",
    },
    Entry {
        code: "M0987",
        title: "no mediator to make a net of",
        text: "`motet nets mediate` writes the system net that a mediator describes: which transition answers which command \
               of an agent, and where the agent is before and afterwards. The text describes none.\n\n    \
               mediator Station from Truck, Bank {\n        Truck.Park : Park arrived -> parked msg pumps;\n    }",
    },
];

/// What can be wrong with a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputFault {
    /// Nothing is there.
    Missing,
    /// A folder without a model.
    NoModel,
    /// More than the limit.
    TooLarge,
    /// Not UTF-8.
    NotText,
    /// The system refuses.
    Unreadable,
}

/// The problem with a path; `detail` is what the system said, or a name near the one given.
#[must_use]
pub fn input_problem(fault: InputFault, span: Span, path: &str, detail: &str) -> Problem {
    match fault {
        InputFault::Missing => {
            let help = if detail.is_empty() {
                "give a folder with a team, or a .team, .mas2j or .asl file".to_string()
            } else {
                format!("there is `{detail}`")
            };
            Problem::error("M0001", span, format!("there is nothing at `{path}`"), help)
        }
        InputFault::NoModel => Problem::error(
            "M0002",
            span,
            format!("`{path}` holds no model"),
            "a model has a .team or .mas2j file, or at least one .asl file",
        ),
        InputFault::TooLarge => Problem::error(
            "M0003",
            span,
            format!("`{path}` is too large to be a model or claims: {detail}"),
            "move it out of the model's folder; the limit is 8 MiB",
        ),
        InputFault::NotText => Problem::error(
            "M0004",
            span,
            format!("`{path}` is not a text"),
            "models and claims are texts in UTF-8; convert it, or move it out of the folder",
        ),
        InputFault::Unreadable => Problem::error(
            "M0005",
            span,
            format!("`{path}` cannot be read: {detail}"),
            "check the permissions of the file",
        ),
    }
}
