//! What `motet explain` knows of the problems of agent programs, team files and projects.

use motet_source::Entry;

/// M04xx agent programs, M05xx team files, environments and projects.
pub const CODES: &[Entry] = &[
    Entry {
        code: "M0401",
        title: "a character that is not part of the language",
        text: "Agent programs, team files and projects are written with letters, digits and the usual \
               signs. Other characters belong in texts (`\"so\"`) and comments. Names start with a small \
               letter, variables with a capital one.",
    },
    Entry {
        code: "M0402",
        title: "something else was expected here",
        text: "An agent program is a list of beliefs, rules, goals and plans, each closed by a full \
               stop:\n\
               \n\
               \x20   p(a).\n\
               \x20   q(X) :- p(X).\n\
               \x20   !start.\n\
               \x20   +!start : p(X) <- do(X); !next(X).\n\
               \n\
               Reading goes on at the next `;`, full stop or plan, so the other problems of the file are \
               shown in the same run.",
    },
    Entry {
        code: "M0403",
        title: "too deep or too long",
        text: "Parentheses, lists and blocks nest at most 120 levels deep, one formula chains at most \
               1000 operators, one list or block has at most 1000 elements, one plan at most 4000 \
               variables. Give the inner part a name: a rule, a belief or a plan of its own.",
    },
    Entry {
        code: "M0404",
        title: "a text or comment that is not closed",
        text: "A text ends with `\"` on the line it starts on. A comment that starts with `/*` ends with \
               `*/`; `//` reaches to the end of the line.",
    },
    Entry {
        code: "M0405",
        title: "a directive of Jason",
        text: "`{ include(..) }`, `{ begin .. }` and the other directives in braces are not carried out. \
               Copy included clauses into the file, and write the plans that a pattern would generate by \
               hand.",
    },
    Entry {
        code: "M0406",
        title: "a construct of Jason that is not supported",
        text: "Some of Jason has no counterpart here: concurrent bodies `|&|` and `|||`, plan bodies as \
               arguments `{ .. }`, namespaces `ns::p`, variables as functors, internal actions used as \
               functions inside terms, `.wait` for an event, `++b` and its kin. The message says what to \
               write instead; usually it is a goal with a plan of its own.",
    },
    Entry {
        code: "M0407",
        title: "a number that is too large",
        text: "Numbers are whole numbers of 64 bits, or decimals. Larger ones cannot be stored.",
    },
    Entry {
        code: "M0408",
        title: "a variable where a name is needed",
        text: "Conditions, goals, beliefs and actions are named in the text. A variable cannot stand for \
               one:\n\
               \n\
               \x20   +!do(Action) <- Action.        // not possible\n\
               \x20   +!do(open)  <- open_door.      // one plan per action\n\
               \x20   +!do(close) <- close_door.",
    },
    Entry {
        code: "M0410",
        title: "an initial belief or goal with a variable",
        text: "What an agent believes at the start is definite. `bid(X, 4)` would mean a bid of \
               everybody. Constants start with a small letter:\n\
               \n\
               \x20   bid(ag2, 4).",
    },
    Entry {
        code: "M0411",
        title: "an unknown internal action",
        text: "Internal actions start with a dot. Those of Jason that compute or test are built in; \
               actions written in Java cannot be run. Say in the team file what such an action may \
               answer, and every answer is tried:\n\
               \n\
               \x20   stub jia.dist(+X, +Y, -D) in 0..20\n\
               \x20   stub jia.near(+X) either",
    },
    Entry {
        code: "M0412",
        title: "an internal action with the wrong arguments",
        text: "The number of arguments does not suit the internal action or its stub. `.send` takes an \
               agent, a force and a literal; `.broadcast` a force and a literal; `.plus` and its kin two \
               numbers and the result.\n\
               \n\
               \x20   .send(ag2, tell, bid(ag1, 4))\n\
               \x20   .plus(X, 1, Y)",
    },
    Entry {
        code: "M0413",
        title: "an unknown force of a message",
        text: "A message wants the receiver to believe something (`tell`), to believe it no longer \
               (`untell`), to achieve a goal (`achieve`) or to drop one (`unachieve`, in Jason mode). \
               Questions (`askOne`, `askAll`) are not supported: achieve a goal whose plan tells the \
               answer.",
    },
    Entry {
        code: "M0414",
        title: "a message to an agent that is not in the team",
        text: "The receiver is written down and is no member of the team, so the message could never \
               arrive. Members are declared in the team file, or are the `.asl` files of the folder.",
    },
    Entry {
        code: "M0415",
        title: "an action that the environment does not have",
        text: "A name in a body without `!`, `?`, `+`, `-` or a dot is an action on the environment, and \
               the environment has no rule for it. It would always be refused. Correct the name, or \
               declare what it does:\n\
               \n\
               \x20   env shop { action open_door by a { door := open } }",
    },
    Entry {
        code: "M0416",
        title: "an action with the wrong number of arguments",
        text: "The environment has a rule for this action, but with another number of arguments. The \
               rule would never match and the action would always be refused.",
    },
    Entry {
        code: "M0417",
        title: "actions without an environment",
        text: "The team takes actions, but declares no environment. They are taken to succeed and to \
               change nothing, so agents perceive nothing either. That is right for agents that only \
               talk; otherwise declare an environment in a `.team` file.",
    },
    Entry {
        code: "M0418",
        title: "a feature of Jason in AgentSpeak(F)",
        text: "The program is read as AgentSpeak(F) (Bordini, Fisher, Pardavila, Wooldridge 2003), which \
               has beliefs, plans, contexts of conjunctions, `!`, `?`, `+`, `-`, actions and messages. \
               Initial goals, rules, annotations, `if`, `while`, `for`, `!!`, `-+` and goals about goals \
               are Jason's. Say which language is meant:\n\
               \n\
               \x20   mode jason",
    },
    Entry {
        code: "M0419",
        title: "a plan that AgentSpeak(F) never uses",
        text: "Failed goals (`-!g`) and tests (`+?g`, `-?g`) raise no events in AgentSpeak(F): an \
               intention that fails is lost. Such a plan can never be selected. In Jason mode it can.",
    },
    Entry {
        code: "M0420",
        title: "a plan for an event that nobody raises",
        text: "A plan is selected for an event. Belief events come from percepts, messages and `+b`, \
               `-b` in bodies; goal events from `!g` in bodies, from messages with `achieve` and from \
               initial goals. Nothing in the team raises this one, so the plan is dead text, often \
               because of a misspelt name or another number of arguments. In AgentSpeak(F) initial \
               beliefs raise no events.",
    },
    Entry {
        code: "M0421",
        title: "a variable without a value",
        text: "Actions, messages, added beliefs, comparisons and arithmetic need values. No way through \
               the plan gives this variable one before it is used. Variables get values from the event, \
               from beliefs in the context, from `?p(X)` and from `=`:\n\
               \n\
               \x20   +!go : at(Room) <- leave(Room).",
    },
    Entry {
        code: "M0422",
        title: "a variable that looks like a slip",
        text: "The variable is written once in its plan and resembles another one, so the two probably \
               should be the same. A variable that is meant to match anything may be written `_`.",
    },
    Entry {
        code: "M0423",
        title: "two plans with one label",
        text: "Labels name plans in reports, so they are unique within a program.",
    },
    Entry {
        code: "M0424",
        title: "a belief that is listed twice",
        text: "An agent holds a belief or does not; listing it twice has no effect.",
    },
    Entry {
        code: "M0425",
        title: "an annotation that is not understood",
        text: "Of annotations, `[source(S)]` on beliefs and events and `[atomic]` on plans have a \
               meaning. Others would be lost when beliefs are compared, so they are refused rather than \
               dropped: make them arguments.\n\
               \n\
               \x20   position(x, 3)[confidence(8)]      // refused\n\
               \x20   position(x, 3, 8)",
    },
    Entry {
        code: "M0426",
        title: "an internal action or condition in the wrong place",
        text: "Internal actions that change something (`.send`, `.drop_desire`, ..) stand in bodies, \
               never in conditions: a condition may be tried any number of times. Conditions as \
               arguments are taken by `.findall`, `.setof` and `.count` alone.",
    },
    Entry {
        code: "M0427",
        title: "a term of the wrong kind",
        text: "Arithmetic takes numbers; a message carries one literal. A belief is not a number: query \
               it first.\n\
               \n\
               \x20   ?price(P); Total = P + 2",
    },
    Entry {
        code: "M0428",
        title: "a goal that may be called with a variable",
        text: "In AgentSpeak(F) goals are called with values: the finite-state translation has no way to \
               pass a result back through a goal. Bind the variable before the call, or use Jason mode, \
               where a goal may give values to the variables it is called with.",
    },
    Entry {
        code: "M0429",
        title: "a goal without a plan",
        text: "The goal is posted, but the agent it reaches has no plan for a goal of this name and \
               number of arguments. The intention that waits for it will be lost (in Jason mode it \
               fails).",
    },
    Entry {
        code: "M0430",
        title: "a belief that nobody ever has",
        text: "A condition asks for a belief that is not among the initial beliefs and that no percept, \
               message, rule or `+` ever makes. It is false for ever, which is often a misspelt name.",
    },
    Entry {
        code: "M0501",
        title: "a parameter that the model does not have",
        text: "`-D NAME=VALUE` replaces a constant of the environment, declared by `const NAME = ..` in \
               the team file.",
    },
    Entry {
        code: "M0502",
        title: "a parameter of the wrong kind",
        text: "The value after `-D NAME=` has to be of the kind of the constant: a number for a number, \
               `true` or `false` for a truth value.",
    },
    Entry {
        code: "M0503",
        title: "an unknown mode",
        text: "`mode strict` is AgentSpeak(F), `mode jason` the Jason dialect. The command line \
               (`--mode`) wins over the team file; a `.mas2j` project is Jason unless told otherwise.",
    },
    Entry {
        code: "M0504",
        title: "a team without agents",
        text: "A folder with `.asl` files is a team of all of them. A `.team` file lists members with \
               `agent NAME`, whose programs are `NAME.asl` beside it.",
    },
    Entry {
        code: "M0505",
        title: "a program that is missing",
        text: "A member needs a program: `NAME.asl`, or the file named behind the colon.\n\
               \n\
               \x20   agent ag1\n\
               \x20   agent bob: worker.asl",
    },
    Entry {
        code: "M0506",
        title: "an agent's name that cannot be used",
        text: "Agents have different names, which start with a small letter and consist of letters, \
               digits and `_`. A line with a count makes numbered names: `agent worker: worker.asl * 3` \
               is worker1, worker2, worker3.",
    },
    Entry {
        code: "M0507",
        title: "an unknown or empty bound",
        text: "Bounds keep the model finite: `beliefs`, `events`, `intentions`, `actions`, `messages` \
               and `terms`, each at least 1. When a run exceeds one, claims become unknown and the \
               report says which.\n\
               \n\
               \x20   bound events = 8",
    },
    Entry {
        code: "M0508",
        title: "a trust line that cannot be read",
        text: "A trust line says which messages an agent acts on: the force (`tell` governs untell too, \
               `achieve` governs unachieve), sender and receiver (an agent or `*`), and what is trusted \
               (`all`, `none`, `only p(_), q(_)`).\n\
               \n\
               \x20   trust tell ag1 -> ag2: none",
    },
    Entry {
        code: "M0509",
        title: "trust lines about the same agents",
        text: "The last line that matches counts, so an earlier line about the same force, sender and \
               receiver has no effect.",
    },
    Entry {
        code: "M0510",
        title: "a stub that does not fit its answer",
        text: "A stub with `in` or `=` writes its answer to exactly one argument marked `-`; one that \
               only succeeds or fails has none. Answers are definite terms, at most 1024.\n\
               \n\
               \x20   stub jia.dist(+X, +Y, -D) in 0..20\n\
               \x20   stub jia.log(+M)",
    },
    Entry {
        code: "M0511",
        title: "a stub that is not needed",
        text: "The internal action is built in, or has a stub already.",
    },
    Entry {
        code: "M0512",
        title: "something else was expected in a team file or project",
        text: "A team file consists of `team`, `mode`, `agent`, `bound`, `trust`, `stub` and `env` \
               items; an environment of `const`, `sort`, `var`, `percept`, `action`, `step` and `react`; \
               a Jason project of sections in `MAS name { .. }`. Reading goes on at the next item.",
    },
    Entry {
        code: "M0513",
        title: "a second team or a second item",
        text: "A folder holds one `.team` and one `.mas2j` file at most, and a team file has one `team`, \
               one `mode` and one `env`.",
    },
    Entry {
        code: "M0514",
        title: "too many agents",
        text: "One line makes 1 to 256 agents, and reading stops at 512. What can be explored is less, \
               see M0485.",
    },
    Entry {
        code: "M0515",
        title: "a rule that AgentSpeak does not have",
        text: "`--ties choice` (or `--rule ties=choice`) looks at all ways to go on; `--ties random` lets chance decide who moves \
               next and what is selected, each with the same chance. There are no other rules.",
    },
    Entry {
        code: "M0520",
        title: "a Java environment",
        text: "Java code is not run, so what the environment class does is not part of the model. \
               Declare it in a `.team` file beside the project: percepts as views of variables, actions \
               as rules.\n\
               \n\
               \x20   env house { var door : {open, closed} = closed\n\
               \x20               percept door(door)\n\
               \x20               action open_door { door := open } }",
    },
    Entry {
        code: "M0521",
        title: "a Java class of an agent",
        text: "Classes for agents, architectures and belief bases are not run. If they change what the \
               agent does, say it in the agent program, or by stubs and the environment of a `.team` \
               file.",
    },
    Entry {
        code: "M0522",
        title: "a part of a project that is ignored",
        text: "Sections and options that only say how and where agents run are left aside. This one may \
               change what they do, so it is mentioned.",
    },
    Entry {
        code: "M0530",
        title: "a name that is not declared",
        text: "Names in the environment are variables, constants, names bound by the rule, agents and \
               members of sorts and sets. A plain word that agents use but no set contains is written in \
               quotes: `\"north\"`.",
    },
    Entry {
        code: "M0531",
        title: "values of different kinds",
        text: "Numbers, truth values, words and `none` do not mix: conditions are truth values, \
               arithmetic and `<` take numbers, `==` compares values of the same kind, and only `opt` \
               variables can be `none`.",
    },
    Entry {
        code: "M0532",
        title: "an index that does not fit",
        text: "A variable declared with a sort, `var bid[agent] : ..`, has one value per member and is \
               used as `bid[a]`, with `a` of that sort. A variable without one is used without an index.",
    },
    Entry {
        code: "M0533",
        title: "a name that is declared twice",
        text: "Constants, sorts, variables and steps share one space of names; the parameters of a rule \
               are different from each other; a set lists each member once.",
    },
    Entry {
        code: "M0534",
        title: "an empty or oversized range",
        text: "A range `low..high` includes both ends, so `low` is at most `high`. A sort has at most \
               4096 members.",
    },
    Entry {
        code: "M0535",
        title: "a value outside the declaration",
        text: "A variable only takes the values of its declaration. During a run this would stop the \
               check as a fault; here it is certain beforehand.",
    },
    Entry {
        code: "M0536",
        title: "probabilities that do not sum to one",
        text: "The branches of `prob` cover all cases. Sums are exact, without rounding, so write thirds \
               as `1/3`; a branch that cannot happen is left out.\n\
               \n\
               \x20   prob { 1/3: { x := 1 }, 2/3: { x := 2 } }",
    },
    Entry {
        code: "M0537",
        title: "a value that is not known before the run",
        text: "Constants, ends of ranges and first values are computed once from numbers and other \
               constants. They cannot mention variables, and constants cannot depend on themselves.",
    },
    Entry {
        code: "M0538",
        title: "an unknown sort or type",
        text: "Types are `low..high`, `bool`, `agent`, a declared sort, `{a, b}`, and `opt` before any \
               of these.\n\
               \n\
               \x20   sort room = {kitchen, hall}\n\
               \x20   var at[agent] : room",
    },
    Entry {
        code: "M0539",
        title: "a percept to nobody in particular",
        text: "`percept to NAME: ..` shows the percept to one agent, or, if NAME is new, to each agent \
               with NAME bound to it: `percept to a: at(r) when place[a] == r`. The name here is no \
               agent and is not used, so everybody perceives the same.",
    },
    Entry {
        code: "M0540",
        title: "a variable that is never read",
        text: "No percept, rule or expression reads it. It still is part of every state, so leave it out \
               unless claims look at it.",
    },
    Entry {
        code: "M0541",
        title: "a rule that never applies",
        text: "For an action the first rule that matches is taken. An earlier rule without a `when` \
               matches every time.",
    },
    Entry {
        code: "M0542",
        title: "a parameter that hides something",
        text: "Parameters of an action are new names that take any value. One that is named like a \
               variable or a value does not compare with it:\n\
               \n\
               \x20   action go(n) { .. }                 // any argument\n\
               \x20   action go(k) when k == n { .. }     // the present n\n\
               \x20   action go(\"north\") { .. }           // this word",
    },
    Entry {
        code: "M0543",
        title: "a value that cannot be computed",
        text: "The expression divides by zero, exceeds 64 bits, or calculates with something that is no \
               number.",
    },
    Entry {
        code: "M0544",
        title: "an action that nobody takes",
        text: "The environment has a rule for an action that occurs in no plan. Often a name is \
               misspelt, or the number of arguments differs.",
    },
    Entry {
        code: "M0545",
        title: "an assignment to something that is no variable",
        text: "Effects change variables of the environment. Constants, parameters and plain words keep \
               their value.",
    },
];

#[cfg(test)]
mod tests {
    use super::CODES;

    #[test]
    fn codes_are_ascending_and_explained() {
        assert!(CODES.windows(2).all(|pair| pair[0].code < pair[1].code));
        for entry in CODES {
            assert!(entry.text.len() > 40 && !entry.title.is_empty(), "{}", entry.code);
        }
    }
}
