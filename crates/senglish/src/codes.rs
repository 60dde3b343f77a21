//! What `motet explain` knows of the problems of sEnglish projects.

use motet_source::Entry;

/// M086x syntax, M087x names, M088x numbers and options, M089x claims, exports and finished explorations.
pub const CODES: &[Entry] = &[
    Entry {
        code: "M0860",
        title: "something else was expected here",
        text: "Rules and plans are sentences with a fixed frame:\n\
               \n\
               \x20   If ^[The gate is open] and ~^[Rain] then ^[Ready].\n\
               \n\
               \x20   If ^[Ready] while ^[Daylight] or (^[Lamp lit] and ~^[Rain]) then\n\
               \x20     [Drive out.]\n\
               \x20     +^[On the road].\n\
               \n\
               `^[...]` is a belief, `[...]` an action, `~` (or `not`) negates, `+^[...]` adds a note and `-^[...]` \
               deletes one. A plan is triggered by one belief; further conditions stand behind `while`. `Or if` \
               begins an alternative to the plan before it: the two never run together. Reading goes on at the \
               next `If`, so the other problems of the file are shown in the same run.",
    },
    Entry {
        code: "M0861",
        title: "a section that is unknown, repeated or out of order",
        text: "A reasoning file has five sections, whose titles stand in capitals on lines of their own:\n\
               \n\
               \x20   INITIAL BELIEFS AND GOALS\n\
               \x20   INITIAL ACTIONS\n\
               \x20   PERCEPTION PROCESS\n\
               \x20   REASONING\n\
               \x20   EXECUTABLE PLANS\n\
               \n\
               They come in this order. A section that an agent does not need may be empty or left out.",
    },
    Entry {
        code: "M0862",
        title: "a bracket that is not closed, or closes nothing",
        text: "Every `[`, `{` and `(` has its partner. A sentence in brackets holds no brackets itself, so the \
               next opening one ends the search for the closing one.",
    },
    Entry {
        code: "M0863",
        title: "a sentence or plan without its dot",
        text: "Initial beliefs, initial actions and percepts need no brackets, but each ends with a dot on its \
               own line; without the dot two lines would be one sentence. The last action of a plan is followed \
               by a dot too: where it is missing the plan ends before the next `If`, and this is a hint only.",
    },
    Entry {
        code: "M0864",
        title: "numbers that cannot be read",
        text: "A percept carries a list of conditions and two distributions, a feedback one distribution:\n\
               \n\
               \x20   Rain. {[],[0.1,10,2],[0.5,3,0]}\n\
               \x20   performance feedback :: Done[0.9,5,2], Failed[0.1,5,2]\n\
               \n\
               A distribution is [p,mu,sigma]: the chance (a decimal or a fraction such as 1/3), the average \
               number of cycles, and how many cycles around it. The first distribution of a percept says how it \
               comes, the second how it goes.",
    },
    Entry {
        code: "M0865",
        title: "a condition that nests too deep",
        text: "Parentheses and negations nest at most 100 levels deep. A rule can keep a mental note up to date \
               that stands for a part of a large condition.",
    },
    Entry {
        code: "M0866",
        title: "a plan without actions",
        text: "A plan does something: at least one action, or one note that it adds or deletes, stands behind \
               `then`. What only concludes a belief is a rule and belongs to REASONING.",
    },
    Entry {
        code: "M0867",
        title: "an action file lacks a line it must have",
        text: "An action file has at least three lines:\n\
               \n\
               \x20   procedure name :: open the gate\n\
               \x20   senglish sentences :: Open the gate.\n\
               \x20   process, repeat mode :: control, runOnce\n\
               \n\
               The sentences are what plans call it by; several stand one behind the other, each with its dot.",
    },
    Entry {
        code: "M0868",
        title: "a line of an action file with an unknown or repeated key",
        text: "Lines are `key :: value`; a line without a key goes on with the value above it. This program reads \
               procedure name, senglish sentences, process and repeat mode, the classes and local names of inputs \
               and outputs, senglish code, and performance feedback. Keys of other tools are read over; a key \
               that looks like a misspelt one of these is reported.",
    },
    Entry {
        code: "M0869",
        title: "how an action runs cannot be read",
        text: "The line `process, repeat mode :: control, runOnce` names the subsystem and one of two ways to run: \
               `runOnce` ends by itself, `runRepeated` goes on until a plan says `[Stop ...]`. In the model both \
               are done when they report.",
    },
    Entry {
        code: "M0870",
        title: "a line of an ontology that is neither class nor attribute",
        text: "An ontology lists classes, each with as many `>` as its level, and attributes under their class:\n\
               \n\
               \x20   > place\n\
               \x20   >> harbour\n\
               \x20   @ depth : number\n\
               \n\
               A level cannot be left out: what has `>>` stands below something with `>`.",
    },
    Entry {
        code: "M0871",
        title: "a class that stands above itself",
        text: "A class may be listed more than once, to give it more attributes or another class above it, but \
               never below a class that is below it.",
    },
    Entry {
        code: "M0872",
        title: "a class that nobody declares",
        text: "Attributes, arguments of actions and monitored objects name classes. A project with an ontology \
               declares all of them, except the basic ones: number, integer, real, boolean, text, string, time, \
               vector, matrix and list. Without an ontology classes are not checked.",
    },
    Entry {
        code: "M0873",
        title: "a sentence that nothing makes true",
        text: "A belief is a percept (listed with numbers), a feedback (named in an action file) or a mental note \
               (added or deleted by a plan or rule, or there from the start). A sentence in a condition or trigger \
               that is none of them could never hold; most often it is misspelt. Sentences are compared without \
               regard to case, blanks and underscores.",
    },
    Entry {
        code: "M0874",
        title: "an action without an action file",
        text: "What stands in brackets without `^` is an external action. Some action file must list the sentence \
               under `senglish sentences`. A word of that sentence which is a local name of an input or output \
               stands for any word: `Go to place P.` is called by `[Go to place Harbour.]`. For a mental note \
               write `+^[...]`.",
    },
    Entry {
        code: "M0875",
        title: "a stop without something to stop",
        text: "`[Stop ...]` ends an action that runs repeatedly: behind `Stop` stands its sentence. An action that \
               runs once ends by itself. A stop takes one cycle and reports nothing.",
    },
    Entry {
        code: "M0876",
        title: "the same sentence twice",
        text: "A percept is listed once, an initial belief given once; two actions of one agent have different \
               sentences and different feedbacks, because a plan goes on when it believes its action's feedback. \
               In a team an agent may have its own action file for a sentence that a shared file has too.",
    },
    Entry {
        code: "M0877",
        title: "a percept without numbers that no action reports",
        text: "A line under `Monitor the following booleans:` is a sensory percept with numbers or the feedback of \
               an action without. This one has no numbers, and no action file names it under `performance \
               feedback`.",
    },
    Entry {
        code: "M0878",
        title: "a feedback that the reasoning file does not list",
        text: "A feedback may be named in its action file alone, but a reader of the reasoning file looks for it \
               under PERCEPTION PROCESS. This is a hint.",
    },
    Entry {
        code: "M0879",
        title: "a percept or feedback that the agent would change",
        text: "Percepts come and go with the world, and feedbacks come from actions. Plans and rules add and delete \
               mental notes only, and no feedback is there before its action was called. A percept may hold from \
               the start: list it under INITIAL BELIEFS AND GOALS.",
    },
    Entry {
        code: "M0880",
        title: "a number that is not a probability",
        text: "The first number of [p,mu,sigma] lies between 0 and 1.",
    },
    Entry {
        code: "M0881",
        title: "a range of cycles that begins before it can",
        text: "In [p,mu,sigma] the cycles from mu - sigma to mu + sigma count, so sigma is at most mu; and mu is at \
               least 1, because nothing comes in the very cycle in which it is called.",
    },
    Entry {
        code: "M0882",
        title: "weights that do not sum to one",
        text: "The feedbacks of one action share its outcome: exactly one of them comes, each with its weight. The \
               weights sum to exactly 1; thirds are written 1/3.",
    },
    Entry {
        code: "M0883",
        title: "feedbacks of one action at different times",
        text: "When an action reports is decided first, what it reports second. All its feedbacks have the same mu \
               and sigma. Others would be ignored, so they are not accepted.",
    },
    Entry {
        code: "M0884",
        title: "a reward that cannot be counted",
        text: "A reward is a name and an amount that is not negative, on a sensory percept or an action of a plan:\n\
               \n\
               \x20   [Drive out.] {fuel=2,time=1}\n\
               \n\
               Every model has the reward `cycles`, so no other may be called `cycles` or `res_cycles`.",
    },
    Entry {
        code: "M0885",
        title: "no agents, too many, or two of one name",
        text: "Every reasoning file (`.sej`) is an agent, called like the file in lower case and with underscores. A \
               project has between 1 and 64 of them.",
    },
    Entry {
        code: "M0886",
        title: "agents disagree about a percept they share",
        text: "A percept that several agents list is one thing in the world, and they see it at the same time. They \
               give it the same conditions, numbers and rewards. A condition that is a mental note is the note of \
               one agent: name the agent, `[scout: Mine found]`, and both lines say the same.",
    },
    Entry {
        code: "M0887",
        title: "an option that sEnglish does not have",
        text: "`--mode thesis` counts rewards on both halves of a cycle as the published models do, `--mode cycles` \
               once a cycle. `--rule beliefs=three-valued` lets beliefs be unknown. `-D` sets chances and averages: \
               NAME.on and NAME.off are the chances of a percept, NAME.on_mean and NAME.off_mean its averages, \
               NAME.mean the average of a feedback's action, where NAME is the sentence in lower case with \
               underscores. There are no bounds.",
    },
    Entry {
        code: "M0888",
        title: "a mental note that never holds",
        text: "Some plan or rule deletes the note, but none adds it and it does not hold at the start.",
    },
    Entry {
        code: "M0889",
        title: "an action that is never called, or never reports",
        text: "No plan and no initial action calls the sentences of this file; or the action runs once and has no \
               `performance feedback`, so that a plan goes on in the next cycle without knowing whether it is \
               done.",
    },
    Entry {
        code: "M0890",
        title: "a name in a claim that the model does not have",
        text: "Claims name beliefs by their sentence in quotes, `\"Mission complete\"`, or by its name in lower case \
               with underscores, `mission_complete = 1`; actions by their sentence; plans by number, `plan[7] = 2`. \
               `motet vocab` lists them all.",
    },
    Entry {
        code: "M0891",
        title: "a claim that has no meaning for agents in sEnglish",
        text: "A belief is `= 1` when it holds and `= 0` when it does not (`= unknown` with three values). \
               `plan[7]` and `counter[name]` are numbers to compare. `Bel(agent, ..)` is what it believes, \
               `Des(agent, plan[4])` that the plan's triggering condition holds, `Int(agent, plan[4])` that it \
               runs, `Does(agent, \"Open the gate\")` that some plan stands on the action. Nothing is told and \
               nothing remembered, so there is no `Says` and no `Did`.",
    },
    Entry {
        code: "M0892",
        title: "a name that several agents have",
        text: "In a team each agent has its own notes, feedbacks and plans. Say whose: `Bel(scout, \"Mine found\")`, \
               `scout.mine_found = 1`, `scout.plan[2] = 1`. Percepts are shared and need no owner.",
    },
    Entry {
        code: "M0893",
        title: "a model with chances has no Promela",
        text: "Spin knows choices but no probabilities. Export the model to PRISM instead: Storm and PRISM read it.",
    },
    Entry {
        code: "M0894",
        title: "a choice that is never offered",
        text: "Plans with the same triggering condition are a choice. In the whole exploration the condition never \
               held while all of them rested, so none of them is ever started.",
    },
    Entry {
        code: "M0896",
        title: "too many choices between plans",
        text: "Plans with the same triggering condition, and alternatives, form groups of at most 64 plans, and the \
               number of ways to choose in all groups at once must fit 32 bits.",
    },
    Entry {
        code: "M0897",
        title: "an action file with another name than its procedure",
        text: "The procedure name of an action file is the name of the file, with blanks for underscores. Tools that \
               run agents look for the file by that name.",
    },
];
