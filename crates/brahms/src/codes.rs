//! What `motet explain` knows of the problems of Brahms models.

use motet_source::Entry;

/// M070x and M071x syntax, M072x to M076x names, types and checks, M077x options, M078x atoms, M079x finished explorations.
pub const CODES: &[Entry] = &[
    Entry {
        code: "M0700",
        title: "a character that is not part of the language",
        text: "Brahms models are written with letters, digits and the usual signs. Other characters belong in \
               texts (`\"so\"`) and comments. A file in another encoding is read all the same: its foreign \
               letters count as letters.",
    },
    Entry {
        code: "M0701",
        title: "something else was expected here",
        text: "A concept is a list of sections, each with what it lists:\n\
               \n\
               \x20   agent Bob memberof Person {\n\
               \x20       location: chair;\n\
               \x20       attributes:\n\
               \x20           public int hunger;\n\
               \x20       initial_beliefs:\n\
               \x20           (current.hunger = 3);\n\
               \x20       activities:\n\
               \x20           primitive_activity eat() { max_duration: 600; }\n\
               \x20       workframes:\n\
               \x20           workframe wf_eat {\n\
               \x20               repeat: true;\n\
               \x20               when(knownval(current.hunger > 2))\n\
               \x20               do {\n\
               \x20                   eat();\n\
               \x20                   conclude((current.hunger = 0));\n\
               \x20               }\n\
               \x20           }\n\
               \x20   }\n\
               \n\
               Sections come in any order. Reading goes on after the next `;` or at the next frame, activity or \
               declaration, so the other problems of the file are shown in the same run.",
    },
    Entry {
        code: "M0702",
        title: "a brace that is not closed, or closes nothing",
        text: "Every `{` has its `}`. Where one is missing, the block ends before the next thing that cannot be \
               part of it, such as a workframe inside `do { .. }` or an agent inside an agent; the place of that \
               thing is shown too.",
    },
    Entry {
        code: "M0703",
        title: "a text or comment that is not closed",
        text: "A text ends with `\"`. A comment that starts with `/*` ends with `*/`; `//` reaches to the end of \
               the line.",
    },
    Entry {
        code: "M0704",
        title: "too deep or too long",
        text: "Parentheses and composite activities nest at most 100 levels deep, and one expression chains at \
               most 500 operators.",
    },
    Entry {
        code: "M0705",
        title: "a section, field or kind that does not exist",
        text: "The word is followed by what follows keywords in this place, but it is none of those that Brahms \
               knows here. Keywords are written in small letters. If another word is within two letters it is \
               suggested.",
    },
    Entry {
        code: "M0706",
        title: "a number that cannot be read",
        text: "Whole numbers fit 64 bits, other numbers are written `2.5`. Names start with a letter, so `2nd` is \
               neither a number nor a name.",
    },
    Entry {
        code: "M0707",
        title: "an operator of another language",
        text: "Brahms compares with `=`, `!=`, `<`, `>`, `<=` and `>=` and joins conditions with `and`. There is \
               no \"or\": write one frame for each case.",
    },
    Entry {
        code: "M0708",
        title: "a frame that does nothing, or a detectable that detects nothing",
        text: "A frame needs `do { .. }` (which may be empty), a detectable needs `detect((x.a = v))`.",
    },
    Entry {
        code: "M0709",
        title: "a certainty that is not a percentage",
        text: "`bc`, `fc` and `dc` are percentages from 0 (never) to 100 (always, which is also the default).",
    },
    Entry {
        code: "M0710",
        title: "the wrong word for a parent",
        text: "Groups and agents are `memberof` groups; classes, conceptual classes and area definitions \
               `extends` others of their sort; objects, conceptual objects and areas are `instanceof` theirs.",
    },
    Entry {
        code: "M0711",
        title: "a condition without parentheses of its own",
        text: "In `when(..)`, `detect(..)` and `conclude(..)` each condition has its own parentheses: \
               `when((x.a = 3) and knownval(x.b = 4))`, `conclude((x.a = 3))`. Without them the text is \
               understood here, but not by other tools.",
    },
    Entry {
        code: "M0712",
        title: "a hyphen inside a name",
        text: "The grammar of Brahms allows hyphens in names, so `a-b` without spaces is one name. To subtract, \
               write `a - b`. Names with `_` cannot be misread.",
    },
    Entry {
        code: "M0713",
        title: "a part that is given twice",
        text: "A frame has one `priority:`, one `repeat:`, one `when(..)` and so on. Of two values the last one \
               counts; two guards and two bodies are joined.",
    },
];
