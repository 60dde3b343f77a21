//! What `motet explain` knows of the problems of reading a net text.

use motet_source::Entry;

/// M1000 to M1019: the text of a net.
pub(crate) const CODES: &[Entry] = &[
    Entry {
        code: "M1000",
        title: "a character that is not part of the language",
        text: "Nets are written with letters, digits, `_` and the usual signs. Other characters belong in \
               comments: `// to the end of the line` or `/* between these */`.",
    },
    Entry {
        code: "M1001",
        title: "something else was expected here",
        text: "A net text is a list of declarations:\n\
               \n\
               \x20   enum CAR = {sedan, truck};\n\
               \x20   port park(st: int 1..3);\n\
               \x20   agent net Car(card: int) {\n\
               \x20     place home : CAR = { sedan };\n\
               \x20     place away : CAR;\n\
               \x20     transition Go { in home(c); sync up ? park(st); out away(c); }\n\
               \x20   }\n\
               \n\
               Everything but a block ends with `;`. Reading goes on at the next statement, so the other \
               problems of the text are shown in the same run.",
    },
    Entry {
        code: "M1002",
        title: "a text or comment that is not closed",
        text: "A comment that starts with `/*` ends with `*/`; `//` reaches to the end of the line. Nets have \
               no texts in quotes.",
    },
    Entry {
        code: "M1003",
        title: "too deep or too long",
        text: "Parentheses, sets, sorts and `alt` blocks nest at most 150 levels deep, and one expression \
               chains at most 400 operators. Give the inner part a name with `def` or `let`.",
    },
    Entry {
        code: "M1004",
        title: "not a number, or a number that is too large",
        text: "Numbers are whole numbers below 2^63. Names start with a letter: `2nd` is neither.",
    },
    Entry {
        code: "M1005",
        title: "a word of the language used as a name",
        text: "Words such as `read`, `in`, `out`, `set` and `new` have a meaning of their own everywhere, so \
               they cannot name places, variables, fields or enumerators. Write `read_`, or another name. Words \
               that have a meaning in one position only, such as `limit`, `net`, `role` or `goal`, are free.",
    },
    Entry {
        code: "M1006",
        title: "an operator of another language",
        text: "Equality is `=`, inequality `!=`; the connectives are written `and`, `or`, `not`, `=>`. Fields \
               of a record are addressed by name, `r.content`, and not by number. New values of cells are \
               given with a prime: `c' = c + 1;`.",
    },
    Entry {
        code: "M1007",
        title: "a chain of comparisons",
        text: "`a < b < c` compares a truth value with a number. Write `a < b and b < c`.",
    },
    Entry {
        code: "M1008",
        title: "a claim inside a net text",
        text: "Claims are kept beside the net, in a file that ends with `.props`, so that several sets of \
               claims can be checked of one net and the same claims of several nets. Move the line there; \
               `def` in the net names what several claims need.",
    },
    Entry {
        code: "M1009",
        title: "a cell without a value",
        text: "A `cell` holds exactly one token at all times, so it needs a first value: `cell gas : int 0..10 \
               = 10;`. A place that may be empty is a `place`. Only the pointcut of an aspect, which stands for \
               a cell of the target, has none.",
    },
    Entry {
        code: "M1010",
        title: "a block that is not closed",
        text: "Nets, transitions, aspects, mediators and `alt` end with `}`. The message shows where the block \
               starts, and where something stands that cannot be part of it.",
    },
];
