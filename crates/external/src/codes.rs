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
];
