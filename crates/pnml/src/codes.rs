//! What `motet explain` knows of the problems of PNML, of TINA's nets and of the contest's formulas.

use motet_source::Entry;

/// M0985 the way out, M1080-M1092 nets, M1093 and M1094 formulas, M1095 TINA.
pub const CODES: &[Entry] = &[
    Entry {
        code: "M0985",
        title: "a net that is no symmetric net",
        text: "PNML knows nets of black tokens and symmetric nets. A system net is written as a symmetric net if its places hold \
               black tokens, truth values, members of enumerations, numbers of a range or records of these, and its conditions \
               compare such values and join comparisons with `and`, `or`, `not` and `=>`. Agents, channels, cells, limits, capacities, \
               inhibitor arcs, sets and arithmetic have no counterpart, except the next and the previous number of a ring: \
               `(i + 1) % n` and `(i + n - 1) % n`, where the numbers of the net are those from 0 to n - 1. `motet export --to nets` \
               and `--to promela` take more.",
    },
    Entry {
        code: "M1080",
        title: "a PNML file that is not well-formed XML",
        text: "Every element is closed, attributes stand in quotation marks, and `<` and `&` inside texts are written `&lt;` \
               and `&amp;`. Document type definitions are not read. Nothing else can be told about the file until that is \
               repaired.",
    },
    Entry {
        code: "M1081",
        title: "a file that does not hold one net that can be read",
        text: "A PNML document has the outermost element `pnml` with one `net` in it, whose type says what it is:\n\
               \n\
               \x20   <pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n\
               \x20     <net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n\
               \x20       <page id=\"g\"> ... </page>\n\
               \x20     </net>\n\
               \x20   </pnml>\n\
               \n\
               Place/transition nets (`ptnet`) and symmetric nets (`symmetricnet`) are read. A folder with several files of \
               nets is no model: give the file.",
    },
    Entry {
        code: "M1082",
        title: "an element that is not known here",
        text: "In places where it could change what the net does, an element that is not known is an error: a sort, a term, \
               a condition or a kind of arc. Elsewhere it is left out with a warning. What tools write for themselves \
               belongs in `toolspecific`, which is always left out.",
    },
    Entry {
        code: "M1083",
        title: "an attribute is missing",
        text: "Places, transitions and pages have an `id`, arcs a `source` and a `target`, references a `ref`, and declared \
               names are used through `declaration` or `refvariable`.",
    },
    Entry {
        code: "M1084",
        title: "an id that is used twice",
        text: "Arcs and references find places and transitions by their ids, so an id stands for one thing in the whole \
               file, on whatever page it is. Sorts, constants and variables are told apart in the same way.",
    },
    Entry {
        code: "M1085",
        title: "an arc or a reference that leads nowhere",
        text: "An arc joins a place and a transition that exist. A `referencePlace` or `referenceTransition` leads to a place \
               or transition in the end, perhaps through other references, but never back to itself.",
    },
    Entry {
        code: "M1086",
        title: "a number that cannot be read",
        text: "Initial markings and weights of arcs are whole numbers from 0 to 4294967295, written in a `text`:\n\
               \n\
               \x20   <initialMarking><text>3</text></initialMarking>\n\
               \n\
               PIPE's form `<value>Default,3</value>` is read too, as long as there is one class of tokens.",
    },
    Entry {
        code: "M1087",
        title: "a sort is missing or cannot be",
        text: "Every place of a symmetric net says of which sort its tokens are, in the `structure` of its `type`, and every \
               sort that is used is declared. Sorts are finite: `dot`, enumerations with at least one member, ranges of \
               numbers, partitions, and products of them. No sort is made of itself.",
    },
    Entry {
        code: "M1088",
        title: "a variable without declaration or without value",
        text: "Variables of arcs and conditions are declared with `variabledecl`, which gives them a sort. They get their values \
               when a transition fires, so an initial marking cannot use them.",
    },
    Entry {
        code: "M1089",
        title: "a constant or partition that is not declared",
        text: "`<useroperator declaration=\"c\"/>` stands for the member `c` of a declared enumeration, or for the class `c` of \
               a partition.",
    },
    Entry {
        code: "M1090",
        title: "a term that makes no sense",
        text: "The term of an arc or of a marking is of the sort of its place; what is compared or added is of one sort; every \
               operator has its number of operands, each in a `subterm`; constants of a range lie within it; and no mode of \
               a transition takes fewer than no tokens, which a subtraction could ask for.",
    },
    Entry {
        code: "M1091",
        title: "a net that is too large or nests too deep",
        text: "A coloured net is unfolded into a net of black tokens before it is checked: a place for each colour, a \
               transition for each mode that its condition allows. There are limits, so that a sort with a million members \
               does not eat the machine: a million places, a million transitions, ten million arcs. Terms, pages and \
               formulas nest at most 200 levels deep.",
    },
    Entry {
        code: "M1092",
        title: "a setting that nets do not have",
        text: "Nets of black tokens have no parameters, modes, bounds or rules, so `-D`, `--mode`, `--bound` and `--rule` say \
               nothing about them.",
    },
    Entry {
        code: "M1093",
        title: "a contest formula that cannot be read",
        text: "Formulas of the Model Checking Contest are made of `all-paths`, `exists-path`, `globally`, `finally`, `next`, \
               `until` with `before` and `reach`, `conjunction`, `disjunction`, `negation`, `integer-le`, \
               `integer-constant`, `tokens-count`, `is-fireable`, `deadlock` and `place-bound`, inside a `property-set` of \
               `property` elements with an `id` and a `formula`.",
    },
    Entry {
        code: "M1094",
        title: "a contest formula about something that the net does not have",
        text: "Formulas name places and transitions by their ids in the PNML file beside them. `tokens-count` counts the tokens \
               of places, of all colours; `is-fireable` asks for transitions, in any mode.",
    },
    Entry {
        code: "M1099",
        title: "a net of an exchange format that nested nets cannot say",
        text: "`motet export net.pnml --to nets` writes a place/transition net or a symmetric net in the language of nested nets. \
               A transition that takes nothing from any place fires without end; nested nets want a `limit` for it, which the \
               file does not give. An inhibitor arc with a variable of its own, or with a successor, has no counterpart. The \
               message says what it is.",
    },
    Entry {
        code: "M1095",
        title: "a line of a TINA net that cannot be read",
        text: "A net is written line by line:\n\
               \n\
               \x20   net forks\n\
               \x20   pl idle (3)\n\
               \x20   tr take idle*2 fork?1 stop?-1 -> busy\n\
               \n\
               `p*2` moves two tokens, `p?2` asks for two, `p?-2` for fewer than two. Names that are not made of letters, \
               digits, `_` and `'` stand in braces. Time intervals other than `[0,w[` and priorities are refused, because \
               nets are read without time.",
    },
];
