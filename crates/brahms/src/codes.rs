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
        text: "`bc`, `fc` and `dc` are whole percentages from 0 (never) to 100 (always, which is also the default).",
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
    Entry {
        code: "M0720",
        title: "a group, class or area definition that does not exist",
        text: "`memberof`, `extends`, `instanceof`, types of attributes, variables and parameters name a group, a class, \
               a conceptual class or an area definition. Those of the base library (`BaseGroup`, `World`, ...) and the \
               names `Agent`, `Object`, `Area`, `Concept` are known without a declaration.",
    },
    Entry {
        code: "M0721",
        title: "declared twice",
        text: "Two concepts of one package, or two variables of one frame, have the same name. A group and an agent may \
               share a name; two agents may not.",
    },
    Entry {
        code: "M0722",
        title: "a name that means nothing here",
        text: "Before a dot and beside a relation stands a variable of the frame, a parameter of the activity, an agent, an \
               object or an area; `current` is whoever runs the frame. A group or class is not one of its members: bind a \
               variable to it, or write `<Sensor>` for all of them where a detectable or a transfer may have many.",
    },
    Entry {
        code: "M0723",
        title: "a name that several packages have",
        text: "A short name is looked up in the own package, then among the imports, then in the base library; failing \
               these it may be the only one of its name in the whole model. Where two fit, write the package too: \
               `ward.Robot`.",
    },
    Entry {
        code: "M0724",
        title: "a concept of the wrong kind",
        text: "Agents and groups are members of groups, objects and classes descend from classes, areas from area \
               definitions, conceptual objects from conceptual classes. An area is part of an area, an object part of a \
               conceptual object. A location is an area.",
    },
    Entry {
        code: "M0725",
        title: "descends from itself",
        text: "Following `memberof`, `extends` or `partof` leads back to where it started, so it is not clear what is \
               inherited from whom.",
    },
    Entry {
        code: "M0726",
        title: "imported from a file that is not here",
        text: "An import promises a concept that none of the files declares. It is taken as an empty group or class, so that \
               the rest of the model can be looked at: its attributes, frames and activities are missing.",
    },
    Entry {
        code: "M0727",
        title: "two frames or activities of one name",
        text: "Both are kept: reports call the second one `name~2`. A call means the activity with as many parameters as \
               there are arguments, else the first. A frame or activity of a nearer concept replaces one of the same name \
               that is inherited; that is no problem.",
    },
    Entry {
        code: "M0728",
        title: "an attribute declared twice with different types",
        text: "One concept declares the same attribute or relation with two types. The first one counts until one is taken \
               out.",
    },
    Entry {
        code: "M0729",
        title: "two parents bring the same",
        text: "A concept inherits a frame or an activity of one name from two parents. The nearer one counts, and of two that \
               are equally near the one whose parent is written first.",
    },
    Entry {
        code: "M0730",
        title: "an attribute that nobody declares",
        text: "A frame or activity speaks of an attribute or relation that no concept of the model declares. Mostly it is a \
               slip of the pen; otherwise declare it:\n\
               \n\
               \x20   attributes:\n\
               \x20       public int hunger;\n\
               \x20   relations:\n\
               \x20       public Patient caresFor;",
    },
    Entry {
        code: "M0731",
        title: "an attribute that this concept does not declare",
        text: "Another concept declares the attribute, or an initial belief or fact sets it without any declaration. The \
               value is stored all the same.",
    },
    Entry {
        code: "M0732",
        title: "a relation used as an attribute, or the other way round",
        text: "Attributes stand after a dot and are compared, `x.hunger > 3`. Relations stand between two entities, \
               `nurse caresFor patient`, and are true, false or unknown.",
    },
    Entry {
        code: "M0733",
        title: "a private attribute used elsewhere",
        text: "A private attribute is for the frames of the concept that declares it alone. The model is run all the same.",
    },
    Entry {
        code: "M0734",
        title: "a map without index, or an index without a map",
        text: "An attribute of type `map` has one value for each index, `x.price(\"tea\")`, `x.queue(1)`. Other attributes \
               have a single value.",
    },
    Entry {
        code: "M0735",
        title: "things that are never equal",
        text: "Numbers are compared with numbers, truth values with `true` and `false`, attributes that hold an agent, object \
               or area with one of them. Only numbers can be more or less.",
    },
    Entry {
        code: "M0736",
        title: "something that cannot be calculated",
        text: "`+ - * / div mod ^` take numbers. `/` on whole numbers truncates unless the rule `division=exact` is set; a \
               division by zero has no value.",
    },
    Entry {
        code: "M0737",
        title: "a symbol and a text",
        text: "`x.state = ready` compares with a symbol, `x.state = \"ready\"` with a text. They are equal where their letters \
               are, but one of the two is probably not what was meant.",
    },
    Entry {
        code: "M0738",
        title: "a value of the wrong type",
        text: "An attribute gets a value that does not fit its declaration: a symbol for a number, a number for a truth value, \
               a name that is no entity for an attribute that holds one.",
    },
    Entry {
        code: "M0739",
        title: "a whole that has no effect",
        text: "Areas are inside areas, which matters to those who look or speak into an area. What an agent or object is a part \
               of changes nothing in a run, so `conceptual_object` and `partof` of `create_agent` and `create_object` are left \
               out. A new area needs a whole that is known beforehand: one area by its name.",
    },
    Entry {
        code: "M0740",
        title: "an activity that does not exist",
        text: "A workframe calls an activity of its own concept, of one it inherits from, of the composite activity it is \
               inside of, or of the base library (`print`, `println`, `printBelief`, `readBeliefs`, `retractBelief`, ...).",
    },
    Entry {
        code: "M0741",
        title: "too many or too few arguments",
        text: "A call gives as many arguments as the activity has parameters.",
    },
    Entry {
        code: "M0742",
        title: "an argument of the wrong type",
        text: "The argument does not fit the parameter, or something that is not an agent, object or area stands where one is \
               needed: messages go to agents and objects, moves to areas.",
    },
    Entry {
        code: "M0743",
        title: "a composite activity that calls itself",
        text: "A frame inside a composite activity calls the same activity again. Let the frame repeat instead.",
    },
    Entry {
        code: "M0744",
        title: "a line of an activity that means nothing",
        text: "Activities have `max_duration`, `min_duration`, `random`, `priority`, `resources`, `display`; moves `location`, \
               communications `with`, `about`, `when`, and so on. A line of another name is not looked at.",
    },
    Entry {
        code: "M0745",
        title: "an activity that lacks something",
        text: "A move says where it goes (`location`), a communication with whom and about what (`with`, `about`), `get` and \
               `put` which items, and `create_agent` of which group (`memberof`).",
    },
    Entry {
        code: "M0746",
        title: "a Java activity that is not run",
        text: "Java is not run. The activity takes its time and changes nothing, unless `motet.toml` beside the model says \
               what it does:\n\
               \n\
               \x20   [java.\"readSensor\"]\n\
               \x20   duration = \"5 s\"\n\
               \x20   outputs = { level = [1, 2, 3] }\n\
               \x20   concludes = [\"(current.checked = true), bc:100, fc:0\"]\n\
               \n\
               Each output becomes one of the listed values; all of them are tried. An output that is not listed has no value, \
               except that of a variable over agents, objects, areas or truth values, which may be any of them.",
    },
    Entry {
        code: "M0747",
        title: "a duration that cannot be",
        text: "Durations are seconds, whole numbers from 0 to 10^9; `min_duration` is not above `max_duration`.",
    },
    Entry {
        code: "M0748",
        title: "a point of time in a composite activity",
        text: "`when(40)` looks when forty percent of the time of a workframe are done, as far as its activities say how long \
               they take. How long a composite activity takes depends on the work that comes up in it, so its own detectables \
               look `whenever` something changes.",
    },
    Entry {
        code: "M0749",
        title: "a model that unfolds into too much",
        text: "Every agent has its own copy of the frames and activities it may run, and composite activities are copied \
               wherever they are called. Here that makes too many.",
    },
    Entry {
        code: "M0751",
        title: "a moment after the end of the frame",
        text: "`when(40)` is looked at once, when 40 percent of the frame's time are done. Write `when(whenever)` to look after \
               every change.",
    },
    Entry {
        code: "M0752",
        title: "a conclusion that gives no value",
        text: "A conclusion is `conclude((x.a = v), bc:100, fc:100);` or `conclude((x R y is true));`. It gives a value and \
               does not compare.",
    },
    Entry {
        code: "M0753",
        title: "a variable without a value",
        text: "A variable gets its value from the guard that mentions it, or from an activity that gives something back: one \
               that creates, or a Java activity. This one is used before that.",
    },
    Entry {
        code: "M0754",
        title: "a number or text that the guard does not settle",
        text: "A variable over numbers or texts has no list of values to try. The guard must say what it is, by an equation \
               `knownval(n = x.count + 1)` or as the index of a map, `knownval(x.price(n) > 3)`.",
    },
    Entry {
        code: "M0755",
        title: "a condition that cannot be asked",
        text: "Guards are made of `known(x.a)`, `unknown(x.a)`, `knownval(x.a = v)`, `not(x.a = v)` and the same of relations. \
               `<Sensor>` and `?` belong into detectables and transfers.",
    },
    Entry {
        code: "M0756",
        title: "a detectable or transfer that looks for nothing",
        text: "Detectables and transfers name an attribute or a relation: `detect((x.a = v), dc:100) then abort`, \
               `send(x.a)`, `send(x R y)`. A detectable then does one of continue, abort, complete, impasse, end_activity.",
    },
    Entry {
        code: "M0757",
        title: "a frame or variable of a type that cannot be",
        text: "Objects look at facts in their workframes (`type: factframe`, which need not be written) or at what they believe \
               (`type: dataframe`). Agents always act on what they believe. Variables range over concepts, numbers, texts or \
               truth values, at most 64 in a frame.",
    },
    Entry {
        code: "M0758",
        title: "the end of something else",
        text: "`end_activity` ends the composite activity that has the detectable. abort, complete and impasse are for the \
               detectables of workframes.",
    },
    Entry {
        code: "M0759",
        title: "a thoughtframe that works",
        text: "A thoughtframe only concludes, and only beliefs: it takes no time, detects nothing and changes no facts.",
    },
    Entry {
        code: "M0760",
        title: "a fact with two values",
        text: "Two concepts say different things of the same attribute under `initial_facts`. There is one world, so the one \
               that is declared later counts.",
    },
    Entry {
        code: "M0761",
        title: "said twice with different values",
        text: "One concept gives the same attribute two initial values; the later one counts. A value that is inherited may be \
               replaced without a warning, and the same value twice is no problem.",
    },
    Entry {
        code: "M0762",
        title: "an initial belief or fact without a value",
        text: "Initial beliefs and facts are `(x.a = v);` or `(x R y);` with a constant. `(x.a != v)` and `(x.a)` say no value, \
               and count as unknown.",
    },
    Entry {
        code: "M0763",
        title: "a frame that can never start",
        text: "A condition of the guard reads something that nobody ever concludes, sends or detects for the reader, and its \
               initial value, or the lack of one, makes the condition false for everybody who has the frame. An agent knows \
               even its own attributes only if it holds a belief about them.",
    },
    Entry {
        code: "M0764",
        title: "an activity that nobody calls",
        text: "No workframe calls the activity. The model is not wrong for it.",
    },
    Entry {
        code: "M0765",
        title: "a place that cannot be reached",
        text: "A move takes as long as the shortest way over the paths, walked in either direction. No path leads there, and the \
               move gives no `max_duration` of its own.",
    },
    Entry {
        code: "M0766",
        title: "a path that leads nowhere",
        text: "A path has two areas and a distance in seconds: `path p { area1: a; area2: b; distance: 10; }`.",
    },
    Entry {
        code: "M0767",
        title: "a creation that cannot be provided for",
        text: "States have a fixed size, so whatever may be created is provided for beforehand: as many as the bound `created` \
               says for each activity, of a group or class that is known from the text. `destination` names the parameter \
               through which the new entity is given back.",
    },
    Entry {
        code: "M0768",
        title: "nobody is there",
        text: "A Brahms model is a set of `.b` files that declare at least one agent or object.",
    },
    Entry {
        code: "M0769",
        title: "a transfer that does not send what it says",
        text: "Only beliefs are sent, not communicative acts. `send(x.a = y.b)` sends what the sender believes of \
               `x.a`. A constant on the right side is a condition: it is sent only if that is what is believed.",
    },
    Entry {
        code: "M0770",
        title: "a rule that does not exist",
        text: "Rules settle open questions of the language: unknown, detect-at-start, detect-on, resume, ties, order, \
               arrival-restates, aborted-counts, complete-delivers, location-awareness, durations, division, repeat, once. \
               They are given with `--rule ties=first` or under `[rules]` in `motet.toml`; the command line wins.",
    },
    Entry {
        code: "M0771",
        title: "a rule that cannot be settled this way",
        text: "Every rule has its ways: unknown real or zero, detect-on beliefs or facts, resume free or tested, ties choice, first or random, order \
               declared, reverse or choice, durations all, ends, choice or random, division truncate or exact, repeat binding or frame, once false or twice; the \
               others are yes or no.",
    },
    Entry {
        code: "M0772",
        title: "a bound that does not exist",
        text: "The bounds are thoughts and rounds (within one instant), created (entities in reserve for each activity that \
               creates) and indices (whole numbers that a computed index of a map may be).",
    },
    Entry {
        code: "M0773",
        title: "a mode that does not exist",
        text: "`--mode motet` is the usual reading. `--mode thesis` is that of Stocker's thesis where it departs from it: absent \
               values are 0 or false, an interrupted frame must pass its guard again, `repeat: false` counts for the whole \
               frame, and `repeat: once` fires twice.",
    },
    Entry {
        code: "M0774",
        title: "a parameter that names nothing",
        text: "`-D X.a=V` sets the duration of an activity, the initial value of an attribute, or the certainties of a frame or \
               detectable; X is an agent, object, group or class. `motet vocab` lists them.",
    },
    Entry {
        code: "M0775",
        title: "a parameter with a value that does not fit",
        text: "Durations are seconds, or have a unit: `90`, `150min`, `2h`. Attributes get a value of their type. Certainties are \
               0 to 100; what is certain in the text, or certain not to be, stays so.",
    },
    Entry {
        code: "M0776",
        title: "a sidecar that is not TOML",
        text: "`motet.toml` beside the model is written in TOML: tables in brackets, `name = value` below them, texts in quotes.",
    },
    Entry {
        code: "M0777",
        title: "an entry of the sidecar that means nothing",
        text: "`motet.toml` has `mode`, `[rules]`, `[bounds]`, `[parameters]` and `[java.\"activity\"]` with `duration`, \
               `outputs` and `concludes`.",
    },
    Entry {
        code: "M0778",
        title: "a stub for something that is not there",
        text: "`[java.\"activity\"]` speaks of a declared Java activity, or of that of one concept: `[java.\"Robot.read\"]`. Its \
               outputs are parameters for which every call gives a variable.",
    },
    Entry {
        code: "M0779",
        title: "a bound that is too large or too small",
        text: "thoughts and rounds are 1 to 10^8, created is at most 64, indices at most 10 000.",
    },
    Entry {
        code: "M0780",
        title: "an atom about somebody the model does not have",
        text: "Claims speak of the agents, objects and areas of the model by their names, upper and lower case as \
               written there. `Bel(..)`, `Does(..)` and `Says(..)` need somebody who can act: an agent or an object.",
    },
    Entry {
        code: "M0781",
        title: "an atom about an attribute or relation the model does not have",
        text: "`Bob.hunger` is the fact about an attribute, `belief(Ann, Bob.hunger)` what Ann believes of it; \
               `hasDN(Nurse_one, Digital_Nurse_one)` is a relation between two. `motet vocab` lists all of them.",
    },
    Entry {
        code: "M0782",
        title: "an attitude that actors of a Brahms model do not have",
        text: "Actors have beliefs and work. Goals and intentions are not part of the language; what an actor is at is \
               `Does(Ann, wf_cook)`, and what it wants is best said by its beliefs.",
    },
    Entry {
        code: "M0783",
        title: "an atom that says nothing about the model",
        text: "Atoms compare values: `Bob.hunger > 3`, `Bob.location = chair`, `Bob.hunger = Ann.hunger + 1`. An attribute \
               that is true or false stands alone: `Bob.asleep`. `known(Bob.location)` says that there is a value, \
               `belief(Ann, Bob.location) = none` that Ann has no belief about it. A comparison in which a side is unknown \
               does not hold, also with `!=`.",
    },
    Entry {
        code: "M0784",
        title: "an atom about work that somebody does not have",
        text: "`Does(Ann, wf_cook)` holds while Ann works on that frame, `Does(Ann, stir)` while she performs that \
               activity, `Does(Ann, idle)` or `Ann.idle` while she works on nothing. Work that was interrupted is not being \
               done. Thoughtframes take no time, so nobody is ever at one. Work that some text declares and that this actor never \
               does is a warning: the claim is answered, and nothing of the kind ever happens.",
    },
    Entry {
        code: "M0785",
        title: "an atom with a name that the model does not have",
        text: "Names inside atoms are agents, objects, areas, or symbols that some text of the model uses; everything else \
               can never be the value of anything. Texts stand in quotes. An attribute needs its owner: `Bob.hunger`.",
    },
    Entry {
        code: "M0790",
        title: "a frame that never begins",
        text: "In every run of the model, whatever is chosen, nobody who has this frame begins it (a thoughtframe: it \
               never fires). Its guard never holds, or something more urgent always goes first. Often a name in the guard \
               is meant differently, or a belief that it reads was never given a value: what is unknown equals nothing. \
               `motet explain MODEL --frame NAME` shows each condition with what it reads.",
    },
    Entry {
        code: "M0791",
        title: "a conclusion that is skipped",
        text: "`conclude((x.a = y.b + 1))` computes with values that the actor knows. Where one of them is unknown there is \
               nothing to conclude, and the conclusion is skipped. Give the value an initial belief (or fact, for frames \
               that read facts), or ask for `known(y.b)` in the guard.",
    },
    Entry {
        code: "M0792",
        title: "two actors write the same thing at one instant",
        text: "Two actors give one fact, or one belief of a third, different values at one instant, so the order in which they have \
               their turns decides what it is afterwards. Actors have their turns in the order of declaration; Brahms itself \
               promises no order. Every search finds all such instants among its states, whether or not a claim reads what is written. \
               A verdict that they may have an influence on says in which order it was found; `--rule order=choice` looks at all \
               orders that make a difference, and then this is a hint. Where only slices of the model were searched, the first 300 states of the whole \
               are searched for it, and the message says so.",
    },
    Entry {
        code: "M0793",
        title: "a detectable that never sees anything",
        text: "The frame is done, but in no run does its detectable see what it looks for: the fact never has that value \
               while the frame is being done, and the actor never believes it.",
    },
];
