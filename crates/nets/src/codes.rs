//! What `motet explain` knows of the problems of net texts.

use motet_source::Entry;

/// All the tables of the language.
const TABLES: [&[Entry]; 5] = [
    crate::parse::codes::CODES,
    RESOLVE,
    crate::semantics::codes::CODES,
    crate::construct::codes::CODES,
    crate::promela::CODES,
];

const COUNT: usize = {
    let (mut table, mut count) = (0, 0);
    while table < TABLES.len() {
        count += TABLES[table].len();
        table += 1;
    }
    count
};

const ALL: [Entry; COUNT] = {
    let mut all = [TABLES[0][0]; COUNT];
    let (mut table, mut next) = (0, 0);
    while table < TABLES.len() {
        let mut entry = 0;
        while entry < TABLES[table].len() {
            all[next] = TABLES[table][entry];
            next += 1;
            entry += 1;
        }
        table += 1;
    }
    all
};

/// M100x syntax, M102x names, sorts and constants, M103x agents, channels and places, M104x definitions and settings,
/// M106x construction, M098x translations.
pub const CODES: &[Entry] = &ALL;

const RESOLVE: &[Entry] = &[
    Entry {
        code: "M1020",
        title: "a name is declared twice",
        text: "Sorts, ports, and values (constants, enumerators, definitions and nets) have a space of names each, and inside \
               a net places and transitions have one each. Within a space every name is declared once. A place may be called \
               like an enumerator; it may not be called like a constant, a definition, an agent net or a parameter, because \
               a guard could then mean either.",
    },
    Entry {
        code: "M1021",
        title: "nothing has this name",
        text: "A name in a claim, a definition or an initial marking is a variable of a quantifier, a place or cell of the \
               system net, a constant, an enumerator, an agent net or a definition. Places of an agent are reached through \
               the token that holds it:\n\
               \n\
               \x20   def served = exists a in pumped: size(a.net.store) = 1;\n\
               \n\
               `motet vocab MODEL` lists all names.",
    },
    Entry {
        code: "M1022",
        title: "there is no such sort",
        text: "Sorts are `int`, `int 0..5`, `bool`, `token`, `class`, `agent`, `set of T`, records `(kind: CAR, tank: int)` \
               and the names that `type` and `enum` declare. A sort may not contain itself: values are finite.",
    },
    Entry {
        code: "M1023",
        title: "something is of the wrong sort",
        text: "Every place, cell, port and parameter has a sort, and what goes there fits it: numbers to numbers, members of \
               an enumeration to that enumeration, records to records with the same fields. A tuple `(a, b)` takes the field \
               names of the place it goes to; a variable that holds a record keeps its own:\n\
               \n\
               \x20   type Vehicle = (kind: CAR, tank: int 0..1);\n\
               \x20   type Filled  = (kind: CAR, g: int 0..1);\n\
               \x20   place store : Vehicle;\n\
               \x20   transition Go { in pumped(c); out store(c); }              // refused: c is Filled\n\
               \x20   transition Go { in pumped(c); out store(c.kind, c.g); }    // says what is meant\n\
               \n\
               The tokens of a place are no value: they are counted with `size(p)`, tested with `x in p`, and looked at with \
               `forall x in p: ...`.",
    },
    Entry {
        code: "M1024",
        title: "a number that has to be known beforehand cannot be computed",
        text: "Ends of ranges, weights of arcs, capacities and limits are made of numbers and constants, because they belong \
               to the structure of the net. Initial markings may use parameters too, but no markings. Weights and capacities \
               are at least 1.",
    },
    Entry {
        code: "M1025",
        title: "`-D` does not fit a constant",
        text: "`-D NAME=VALUE` gives a `const` of the model another value of the same sort: a whole number, `true` or \
               `false`, or an enumerator.",
    },
    Entry {
        code: "M1026",
        title: "nothing binds a variable",
        text: "Guards, messages, new values and output arcs use variables that the same disjunct binds: by an input or read \
               arc, by a received message, by `pick` or by `let`. An inhibitor arc binds nothing, since there is no token. \
               With `alt`, each alternative together with the common part has to bind all it uses:\n\
               \n\
               \x20   transition ReadDB {\n\
               \x20     in request(r);\n\
               \x20     alt { pick d in Database where d.category = r.category; out answer(d.content); }\n\
               \x20     alt { when forall d in Database: d.category != r.category; out answer(error); }\n\
               \x20   }",
    },
    Entry {
        code: "M1027",
        title: "a primed name has no value, or nothing to be the new value of",
        text: "`x'` is the value of `x` after firing. It needs an `x`: a cell of the net, a variable that an input arc binds, \
               or a member picked from a cell whose value is a set. And it needs a definition in every disjunct that uses \
               it, `x' = e;` for the whole or `x'.f = e;` for a field; fields that are not mentioned keep their values. \
               Parameters never change.",
    },
    Entry {
        code: "M1028",
        title: "a transition with two channel commands",
        text: "A step is one firing, or two that exchange one message. So a disjunct has at most one `sync`, and the \
               alternatives of a transition either all use one port in one direction or use none.",
    },
    Entry {
        code: "M1029",
        title: "an agent is in two places",
        text: "An agent is referenced exactly once: by the one token that holds it. A transition that consumes the token may \
               put the agent into one place, or into none, which removes it. It may not put it into two, put out an agent \
               that it only reads, give it a second name, or take several equal agents with one arc.\n\
               \n\
               \x20   transition Pay { in parked(a); out waiting(a); }              // moves it\n\
               \x20   transition Leave { in pumped(a); }                            // removes it\n\
               \x20   transition Split { in parked(a); out waiting(a), pumped(a); } // refused",
    },
    Entry {
        code: "M1030",
        title: "an agent where only data can be",
        text: "Agents live in tokens of places, at most one in each. Cells, sets, messages and parameters hold data; they can \
               name an agent by a number or a name in its token. `new K(...)` stands in initial markings and output arcs.",
    },
    Entry {
        code: "M1031",
        title: "a channel command without a partner",
        text: "`sync up` speaks with the net that holds this agent, so the system net cannot say it. `sync a.net` speaks with \
               the agent in a token that an input or read arc of the same transition binds. `sync chan(e)` speaks with \
               another agent of the same host.",
    },
    Entry {
        code: "M1032",
        title: "a cell is used like a place, or changed twice",
        text: "A cell holds exactly one token. Its value is its name, in guards and terms; its new value is `c' = e;`, at most \
               once in each disjunct. Arcs with `in` and `out` are for places; `read` may test a cell. A cell has a value at \
               the start and no capacity.",
    },
    Entry {
        code: "M1033",
        title: "a transition that can fire without end",
        text: "A transition that takes nothing, tests nothing and waits for nobody can fire for ever, and the places behind \
               it grow without bound. Say how often the environment acts:\n\
               \n\
               \x20   transition drive_in limit 2 { out in_station(5, new Diesel(3)); }",
    },
    Entry {
        code: "M1034",
        title: "a dead port",
        text: "A port is used by senders and receivers on opposite sides. If one side is missing the others wait for ever: \
               their transitions never fire.",
    },
    Entry {
        code: "M1035",
        title: "a port that goes both ways",
        text: "Through one port values go from agents to their host (`sync up ! p`, `sync a.net ? p`), from a host to its \
               agents (`sync a.net ! p`, `sync up ? p`), or between agents (`sync chan(e)`), and only one of these. \
               Otherwise two transitions that were not meant for each other could meet.",
    },
    Entry {
        code: "M1036",
        title: "a place that never holds a token",
        text: "The place is empty at the start and no transition puts tokens there, so whatever waits for one never fires. \
               Often the initial marking or an output arc was forgotten, or an arc names another place.",
    },
    Entry {
        code: "M1037",
        title: "an agent net that nothing instantiates",
        text: "Agents come into being by `new K(...)` in an initial marking or an output arc, or by `new e(...)` where `e` is \
               a value of sort `class`. Nothing mentions this net, so no agent of it ever exists.",
    },
    Entry {
        code: "M1038",
        title: "something that nothing uses",
        text: "A type, an enumeration, a port, a parameter, a `let` or a primed definition that nothing uses does no harm, \
               but often something else was meant.",
    },
    Entry {
        code: "M1039",
        title: "a variable with the name of an enumerator",
        text: "`in Users(emily)` takes Emily, and `in Users(u)` takes anybody: a name in a pattern is a variable unless it has \
               a value already. So that the two are never confused, variables and parameters may not be called like an \
               enumerator, a constant or an agent net. A variable that nothing else uses and that looks like a misspelt \
               enumerator gets a warning.",
    },
    Entry {
        code: "M1040",
        title: "not exactly one system net",
        text: "A model has one `system net`, which holds everything else: its tokens carry the agents, which are instances \
               of `agent net`s. Several files are one model.",
    },
    Entry {
        code: "M1041",
        title: "a definition that uses itself",
        text: "Definitions are abbreviations: each is put in where it is used. One that leads back to itself would never end.",
    },
    Entry {
        code: "M1042",
        title: "a wrong number of arguments",
        text: "A definition takes as many arguments as it has parameters, and so does an agent net after `new`. `size(p)`, \
               `nonempty(p)`, `class(a)` and `enabled(t)` take one, `count(p, (u, _))` takes two.",
    },
    Entry {
        code: "M1043",
        title: "a label with a wrong number of parts",
        text: "A label has one part for the whole token or one for each field of its record: for `place p : (aid: int, net: \
               agent);` that is `in p(a)` or `in p(i, n)`. A port takes one part for each of its fields. Black tokens have no \
               parts: `in p`.",
    },
    Entry {
        code: "M1044",
        title: "a value outside its range",
        text: "This value can never be in a place or cell whose sort has these ends. Where a value is only known when the \
               model runs it is tested then, and leaving the range is reported with the run that leads to it; nothing is \
               ever cut off silently.",
    },
    Entry {
        code: "M1045",
        title: "a setting that means nothing for nets",
        text: "Nets have one rule to settle: `--rule fairness=mode` (the usual one) lets fairness speak of each way to bind a \
               transition's variables, `--rule fairness=transition` of transitions as wholes, which is weaker. There are no \
               modes and no bounds.",
    },
    Entry {
        code: "M1046",
        title: "there is no net text here",
        text: "A model of nested nets is one or several files with the extension `.npn` or `.prt`.",
    },
    Entry {
        code: "M1047",
        title: "something that is only for claims",
        text: "`enabled(t)` says that a transition of the system net may fire, in claims and definitions; a guard says itself \
               what it waits for. `fires(t)` says what the last step was, in claims alone. `_` stands for any part of a \
               pattern: `(u, _) in p`, `count(p, (u, _))`.",
    },
    Entry {
        code: "M1048",
        title: "an expression that is too large",
        text: "Definitions are put in where they are used, and the result nests at most 220 levels deep and has at most \
               20 000 parts; a declared sort has at most 1 000. Definitions that double each other grow faster than they look.",
    },
    Entry {
        code: "M1049",
        title: "an alternative inside an alternative",
        text: "The `alt` blocks of a transition stand side by side, and what stands outside of them belongs to each. Write out \
               the combinations.",
    },
];
