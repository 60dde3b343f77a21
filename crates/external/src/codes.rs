//! What `motet explain` knows about the problems of external engines.

use motet_source::Entry;

/// The manual entries of this crate. Exports have theirs beside the translations.
pub const CODES: &[Entry] = &[
    Entry {
        code: "M0951",
        title: "an external engine is not installed",
        text: "A cross-check needs the other checker and, for Spin, a C compiler, because Spin writes its verifier as a \
               C program. On Debian and Ubuntu: `apt-get install spin gcc`. Without it the native verdict stands alone; \
               leave out `--cross-check` to get it.",
    },
    Entry {
        code: "M0952",
        title: "an external engine gave no answer",
        text: "The other checker was stopped by its depth, memory or time limit, or it died. Its exit status says nothing \
               (Spin ends with 0 in all of these cases), so its report is read, and only a completed search counts. Raise \
               the limit that the message names, or make the instance smaller with `-D`.",
    },
    Entry {
        code: "M0953",
        title: "two engines disagree",
        text: "The native engine and the external one give different verdicts on the same model and the same claim. One of \
               the two, or the translation between them, is wrong. The exported model and the run of whichever engine \
               found one are worth a bug report; neither verdict should be used until it is settled.",
    },
    Entry {
        code: "M0954",
        title: "an external run cannot be followed",
        text: "The run that the other checker reports could not be repeated step by step in the native model, so it is \
               not shown: no evidence is shown unreplayed. This is a bug in the tool; please report the exported model.",
    },
    Entry {
        code: "M0960",
        title: "Storm is not installed",
        text: "Storm is asked through its Python package. Two commands install it beside the model: `python3 -m venv \
               .motet/storm` and `.motet/storm/bin/pip install stormpy`. The tool looks for an interpreter that can import \
               `stormpy` in the environment variable MOTET_STORM_PYTHON, then in `.motet/storm` at or above the current \
               folder, then in the system's `python3`. Without Storm the native answers stand alone; leave out \
               `--cross-check storm` to get them.",
    },
    Entry {
        code: "M0961",
        title: "PRISM is not installed",
        text: "The command `prism` was not found on the search path. PRISM is a Java program with an installer of its own; \
               after installing, add its `bin` folder to PATH. Storm reads the same models and properties and is easier to \
               install: try `--engine storm`.",
    },
    Entry {
        code: "M0988",
        title: "NuSMV is not installed",
        text: "NuSMV is asked about the state space, written out for it. The tool looks for the command in the environment \
               variable MOTET_NUSMV, then for `NuSMV` on the search path. Version 2.5.4 comes as source with the Python \
               package `pynusmv`; `./test` shows the four commands that build it below target. Without NuSMV the native \
               answers stand alone; leave out `--cross-check nusmv` to get them.",
    },
    Entry {
        code: "M0908",
        title: "Storm differs by a known fault",
        text: "Storm reads two things of the PRISM language otherwise than PRISM and this tool do, as of version 2.0.0. `mod(a, b)` of a \
               negative multiple of `b` is `b` there and not 0: `mod(-6, 3)` is 3. And a state in which nothing can happen, \
               where both add a step to itself, has no state reward there. Where the numbers differ, the model has such a \
               construct, and Storm gives our number once it is asked about the same model written without it (the remainder \
               taken twice, the step that stays written out), the report says so. The verdict is that of our own engine, and the exit \
               code is the one without a cross-check. Every other difference is a dispute (M0962).",
    },
    Entry {
        code: "M0962",
        title: "a number is disputed",
        text: "The native engine and the external one computed numbers whose intervals do not meet, or opposite truths. One \
               of the two, or the translation between them, is wrong. Export the model (`motet export MODEL --to drn`) and \
               report it with the claim; neither number should be used until it is settled.",
    },
];
