//! What `motet explain` knows of claims about nets, of initial markings and of what never happens.

use motet_source::Entry;

pub(crate) const CODES: &[Entry] = &[
    Entry {
        code: "M1050",
        title: "this means nothing in a net",
        text: "Claims about nets speak of markings and of firings. An agent net has no beliefs, desires or intentions besides its \
               marking; what it does are firings of its transitions.\n\
               \n\
               \x20   #waiting <= 1                 how many tokens a place holds\n\
               \x20   <emily, observer> in RAs      whether a token is there\n\
               \x20   count(Actor, <emily, _>) = 0  how many tokens look like this\n\
               \x20   enabled(Park)                 whether a transition of the system net can fire\n\
               \x20   fires(Park)                   whether the last step was its firing\n\
               \n\
               Quantifiers over tokens are written in the model, in a definition, and claims use its name:\n\
               \n\
               \x20   def pending(n) = exists m in p1 union p3: m.user = n;",
    },
    Entry {
        code: "M1051",
        title: "`fires` speaks of a transition and of values",
        text: "`fires(T)` holds in a state that was reached by a firing of T. T is a transition of the system net, or of an agent \
               net if the system net has none of this name; `Diesel.Park` names the net. `fires(T, x, y)` holds if moreover x \
               and y are values of variables of that firing. They are constants: numbers, enumerators, tokens such as \
               `<truck, 1>`. At the start nothing has fired.",
    },
    Entry {
        code: "M1052",
        title: "a transition never fires",
        text: "All markings were explored, and in none of them is the transition enabled, alone or together with its partner. \
               Either it is there for cases that this initial marking does not have, or something that it needs never comes. \
               `motet explain MODEL --frame TRANSITION` lists what it lacks: tokens, guards that are false, partners.",
    },
    Entry {
        code: "M1053",
        title: "nothing ever passes through a port",
        text: "All markings were explored, and no two transitions ever met at this port. Its sender and its receiver are never \
               enabled in the same marking, or the receiver's patterns and guards refuse whatever is sent.",
    },
    Entry {
        code: "M1054",
        title: "there is no initial marking",
        text: "The initial marking is computed from constants and parameters. A number outside the range of its sort, a division \
               by zero, a number of tokens below zero, or agents that hold agents without end have no meaning. The message says \
               what went wrong.",
    },
    Entry {
        code: "M1055",
        title: "a member of an interchangeable sort is special",
        text: "`interchangeable enum` promises that its members may be renamed into each other: markings that differ by a renaming \
               are one state. A transition, a definition or a claim that names a member would tell them apart. Speak of all or \
               of some members with a quantifier, or leave `interchangeable` out.\n\
               \n\
               A marking does not remember which name a member had before, so fair runs are fair to modes up to renaming: if some \
               member can do something again and again, some member does it.",
    },
];
