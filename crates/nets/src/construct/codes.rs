//! What `motet explain` knows of the problems of aspects, roles, operations and mediators.

use motet_source::Entry;

/// M1060 to M1079: construction.
pub(crate) const CODES: &[Entry] = &[
    Entry {
        code: "M1060",
        title: "an aspect is woven into a net that is not there",
        text: "`weave N { ... }` names a system or agent net, or a role, of the same model. All files of a model \
               are read as one, so the net may stand in another file.",
    },
    Entry {
        code: "M1061",
        title: "a name is mapped that is no pointcut, or is mapped twice",
        text: "On the left of `->` stand the pointcuts of the advice, each once:\n\
               \n\
               \x20   aspect Pumping {\n\
               \x20     advice {\n\
               \x20       pointcut place arrived : Vehicle;\n\
               \x20       ...\n\
               \x20     }\n\
               \x20     weave Diesel { arrived -> GasStation }\n\
               \x20   }\n\
               \n\
               To use an aspect at two places of one net, weave it twice, with different names: `weave N as \
               first_ { ... } weave N as second_ { ... }`.",
    },
    Entry {
        code: "M1062",
        title: "a pointcut is not mapped",
        text: "A pointcut stands for a place or transition of the target. It is dropped when the aspect is \
               woven, and its arcs go to the join point, so every weave must say which one that is.",
    },
    Entry {
        code: "M1063",
        title: "a join point that is not there",
        text: "On the right of `->` stand places, cells and transitions of the target. Aspects are woven in the \
               order of the text, so a join point may be something that an earlier aspect has added.",
    },
    Entry {
        code: "M1064",
        title: "pointcut and join point are of different kinds",
        text: "A place joins a place, a cell a cell, a transition a transition.",
    },
    Entry {
        code: "M1065",
        title: "pointcut and join point have different sorts",
        text: "The arcs of the advice carry tokens of the pointcut's sort, so the join point must hold the same \
               sort. Ranges are compared as they are written, because constants may be bound anew.",
    },
    Entry {
        code: "M1066",
        title: "a pointcut has a marking, a capacity or a limit",
        text: "A pointcut is replaced by the join point, which has its own. Only the arcs, guards and effects of a \
               pointcut are woven in.",
    },
    Entry {
        code: "M1067",
        title: "an aspect adds a name that is there already",
        text: "Everything in an advice that is no pointcut becomes part of the target under its own name. If the \
               name is taken there, write `weave N as prefix_ { ... }`, which puts `prefix_` before all of them, \
               or rename it. The names in one advice, and those of aspects, must differ too.",
    },
    Entry {
        code: "M1068",
        title: "a variable of an advice clashes",
        text: "The statements of a transition pointcut are added to the join transition, and variables are shared \
               by name: an advice may use what the transition binds. If both bind the same name, they would \
               silently be compared. Give the variable of the advice another name, and write `when x = y;` if \
               equality is meant. The same is told if a place would be taken for a variable after weaving.",
    },
    Entry {
        code: "M1069",
        title: "an aspect that is not woven",
        text: "An aspect changes nothing until some `weave` names a target.",
    },
    Entry {
        code: "M1070",
        title: "no port for requests",
        text: "A role asks through the port `request` and is answered through `reply`; both carry one record with \
               the fields `action` and `content`:\n\
               \n\
               \x20   type Op = (user: NAME, action: NAME, category: NAME, content: NAME);\n\
               \x20   port request(op: Op);\n\
               \x20   port reply(op: Op);",
    },
    Entry {
        code: "M1071",
        title: "no word for the end of a session",
        text: "A role ends its session with the action `quit`; fields that mean nothing then are `none`. Both \
               must be enumerators.",
    },
    Entry {
        code: "M1072",
        title: "two transitions of a role would have one name",
        text: "Each permitted action becomes a transition with its name capitalised: `read_` becomes `Read`. Every \
               role has `Return` and `Quit` besides.",
    },
    Entry {
        code: "M1073",
        title: "an operation without agents to serve",
        text: "`operation name on action agents P using busy, request -> result { ... }` serves the agents in `P`, a \
               place of the same net whose tokens are records with an agent: `place P : (user: NAME, net: agent);`.",
    },
    Entry {
        code: "M1074",
        title: "nothing tells which request belongs to which agent",
        text: "While an operation works, the agent and its request lie in two places. They find together by the \
               fields that both records have, such as `user`. Give the record of the agents a field of the request.",
    },
    Entry {
        code: "M1075",
        title: "a mediator of a net that is not there",
        text: "Behind `from` stand the agent nets that the mediator coordinates, and each row starts with one of them.",
    },
    Entry {
        code: "M1076",
        title: "a row of a mediator does not fit",
        text: "A row is about one transition of an agent net that speaks to `up`. Several coordinators may answer it, \
               in a row each; a coordinator that hears something puts it into the place behind `msg` and says \
               nothing. Transitions without a row are named by rule: the coordinator like the transition, the \
               places `Net_before_t`, `Net_after_t` and `t_msg`.",
    },
    Entry {
        code: "M1077",
        title: "two rows disagree about a coordinator",
        text: "Rows with the same coordinator become one transition, which serves agents of several nets. They must \
               have the same port, direction and places.",
    },
    Entry {
        code: "M1078",
        title: "a place of a mediator would have two sorts",
        text: "Places of one name are one place. A place of agents cannot be one of messages, and two messages in \
               one place must have the same sort. A mediator may declare places with their sorts, as a net does. The \
               place of what is heard may then be a record with more fields than the message: the others are taken \
               from the token of the agent, if it has fields of their names. Where what is said does not lie in a \
               place as it is, write `says` and the values instead of `msg`.",
    },
    Entry {
        code: "M1056",
        title: "an operation leaves a case out",
        text: "The work of an operation takes a request and makes an answer of it. If none of its alternatives applies to \
               some request, that request waits for ever, and so does whoever asked. The message tells such a request: \
               values of its fields, and what must hold of cells besides. Add a case, such as\n\
               \n\
               \x20   alt { when forall d in Database: d.category != r.category; out answers(r with {content = error}); }\n\
               \n\
               Conditions are compared as they are written: what the tool cannot see to be the opposite of another \
               condition may be reported although one of the two always holds. Requests that never come are reported \
               too; claims say what happens to those that do.",
    },
    Entry {
        code: "M1057",
        title: "a role starts with something it does not permit",
        text: "A role sends requests for the actions that it permits and for no others. The token behind `starts` asks for \
               another one, so it is never sent.",
    },
];
