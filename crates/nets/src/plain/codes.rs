//! What `motet explain` knows of the problems of place/transition nets.

use motet_source::Entry;

/// Claims and notices of nets of black tokens, whatever file they come from.
pub const CODES: &[Entry] = &[
    Entry {
        code: "M0900",
        title: "a claim names a place or transition by a word that several have",
        text: "In a PNML file every place has an id, and may have a name beside it. Where `p1` is the id of one place and the name of \
               another, or the name of two, the claim `#p1 = 0` could mean either, and other tools may choose otherwise than \
               this one would. So nothing is chosen. `id(p1)` is the one with this id, `name(p1)` the one with this name: \
               `#id(p1) = 0`, `fires(name(t1))`. Each of them can be named by its other word, too, as far as that is its own. \
               Names that differ in nothing but spaces are told apart by quoting them as the file has them: `#\"fork 1\"`.",
    },
    Entry {
        code: "M1096",
        title: "a claim names a place or transition that the net does not have",
        text: "Claims name places and transitions as the file names them, or by their ids. A coloured place stands for all \
               the places it is unfolded to: `#Think` counts the tokens of every colour, `#Think(p1)` those of one. A name \
               that is no identifier is written in quotation marks: `#\"fork 1\"`. `motet vocab MODEL` lists all names.",
    },
    Entry {
        code: "M1097",
        title: "a claim says something that a net of black tokens cannot answer",
        text: "Atoms about a place/transition net compare sums of tokens with numbers or with each other, such as \
               `#a + 2 * #b <= 3`, or say `enabled(t)` (the transition may fire), `fires(t)` (it was the last to fire) or \
               just `p` (the place is marked). There are no beliefs, no records and no products of tokens.",
    },
    Entry {
        code: "M1098",
        title: "a transition never fires",
        text: "In a complete exploration no step took this transition, so nothing the net does depends on it. Often an arc \
               is missing or points the wrong way, a weight is larger than a place can hold, or an initial marking was \
               forgotten. For a coloured transition it means that no mode of it ever fires.",
    },
];
