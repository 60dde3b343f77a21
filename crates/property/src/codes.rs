//! What `motet explain` knows of the problems of claims.

use motet_source::Entry;

/// The problems of claims: M02xx syntax and meaning, M03xx lints.
pub const CODES: &[Entry] = &[
    Entry {
        code: "M0201",
        title: "a character, text or comment that cannot be read",
        text: "The file holds a character that no part of the language starts with, or a text, name or comment that is \
               not closed. Texts stand between `\"` and names with unusual characters between back-ticks, both on one \
               line; `/*` needs its `*/`.\n\n    property A: `is-ready` and \"Sea state is high\"",
    },
    Entry {
        code: "M0202",
        title: "something else was expected here",
        text: "Reading stopped because the grammar asks for something else at this place: an operand, a closing \
               bracket, a colon. The rest of the item is skipped and reading goes on with the next one, so the other \
               problems of the file are shown in the same run.",
    },
    Entry {
        code: "M0203",
        title: "an operator stands where a name or value is expected",
        text: "`F G X U W R`, `AG EF` and the like, `and or not always until` and the other operator words cannot be \
               used as names directly. Put such a name in back-ticks:\n\n    property A: F (`U` = 3)",
    },
    Entry {
        code: "M0204",
        title: "an item starts with an unknown word",
        text: "A claims file is a list of items. Each starts with `property`, `possible`, `query`, `assume`, `define`, \
               `const` or `model`; `dialect` may stand first.\n\n    property Safe \"nobody is hurt\": always not hurt",
    },
    Entry {
        code: "M0205",
        title: "the formula is nested too deep",
        text: "Formulas may be nested 200 levels deep as written, and 300 when definitions are written out. Chains such \
               as `a & b & c` are one level, however long. Give parts of the formula names with `define`.",
    },
    Entry {
        code: "M0206",
        title: "a name is given twice",
        text: "Two claims of a file have the same name, or two constants or definitions have. Reports and `-p` speak of \
               claims by name, so each needs its own.",
    },
    Entry {
        code: "M0207",
        title: "an unknown dialect, or a dialect line that is not the first",
        text: "`dialect motet`, `dialect prism` or `dialect spin` may stand as the first item of a file. It decides how \
               tightly operators bind in the whole file, so it cannot change in the middle.",
    },
    Entry {
        code: "M0208",
        title: "an expectation that does not fit the kind of claim",
        text: "A property `holds` or `fails`, a possibility is `reachable` or `unreachable`, a query has a value:\n\n    \
               property A: always p            expect fails\n    possible B: p                   expect unreachable\n    \
               query C: P=? [ F p ]            expect = 0.44 +- 0.01",
    },
    Entry {
        code: "M0209",
        title: "a quantifier without parentheses inside a formula",
        text: "`forall x in D: ...` reaches to the end of its bracket. Inside a larger formula it stands in parentheses, \
               so that its end can be seen:\n\n    property A: always (forall n in Nurse: n.awake)",
    },
    Entry {
        code: "M0210",
        title: "a formula that two tools read differently",
        text: "After a bare prefix operator such as `F`, `[]` or `always`, no binary operator may follow in the same \
               bracket. Spin and NuSMV read `F a & b` as `(F a) & b`; PRISM and Storm read it as `F (a & b)`. `F a U b` \
               is `(F a) U b` in Spin and PRISM, and few people know it. A claim must not change its meaning when it is pasted from one tool \
               into another, so such a formula is refused, and the message shows both readings. Write the parentheses \
               you mean. `a -> F b` is fine: everybody reads it the same way.",
    },
    Entry {
        code: "M0211",
        title: "a chain of arrows",
        text: "`a -> b -> c` is `(a -> b) -> c` in Spin and `a => (b => c)` in PRISM since 4.9; `<->` chains are just as \
               doubtful. Put one of the two in parentheses.",
    },
    Entry {
        code: "M0212",
        title: "a chain of until operators",
        text: "`a U b U c` is `(a U b) U c` in Spin, and other tools refuse it. The same goes for `W`, `R` and their \
               words. Put one of the two in parentheses.",
    },
    Entry {
        code: "M0213",
        title: "a chain of comparisons with two readings",
        text: "`8 <= x < 9` is read by everybody as two comparisons. `a = b = c` and `a < b > c` are not: programming \
               languages compare the truth value of the first with the third. Write the comparisons apart with `and`.",
    },
    Entry {
        code: "M0214",
        title: "a whenever or a shall without a timing",
        text: "`whenever a, b` does not say when `b` is due: some readers take it as at once, some tools as sooner or \
               later. Say it: `immediately`, `eventually`, `within 4 min`, `for 4 min` or `after 4 min`.\n\n    \
               property A: whenever alarm, within 4 min, helped\n\n\
               `whenever p, never q` does not say from when to when `never` counts, and shows both readings: `always (p -> never (q))`, \
               or `whenever p, immediately not (q)`.\n\n\
               `Robot shall satisfy p` does not say it either: FRET takes it as eventually, a reader may take it as always. A \
               `shall` also takes `always`, `never`, `at the next timepoint`, `until p` and `before p`.",
    },
    Entry {
        code: "M0215",
        title: "`&` and `||` mixed without parentheses in a psl file",
        text: "In AJPF's grammar `||` binds tighter than `&`, so `a & b || c` means `a & (b || c)` there. Nearly every \
               other language reads it the other way. The file is read as AJPF does; parentheses make it safe.",
    },
    Entry {
        code: "M0216",
        title: "a part of PRISM's property language without a counterpart",
        text: "`multi(...)`, partial and Pareto queries and coalitions of players cannot be checked here, nor can a \
               filter gather by `argmin`, `argmax` or `range`. Filters gather by `min`, `max`, `avg`, `sum`, `count`, \
               `state`, `first`, `forall`, `exists` and `print`.\n\n    filter(max, P=? [ F \"goal\" ], x<3)",
    },
    Entry {
        code: "M0217",
        title: "a word and a duration that can be read two ways",
        text: "`always within 4 min p` may mean that `p` holds all through the four minutes, or that at every moment it \
               comes within four. Write `always for 4 min p` or `always (within 4 min p)`; likewise `eventually within \
               4 min p` or `eventually (for 4 min p)`.",
    },
    Entry {
        code: "M0218",
        title: "a unit that is none",
        text: "Lengths of time are written in `ms s min h d` or in full, `minutes`; counts in `steps`, `cycles` or `firings`. `m` may \
               be meters, minutes or months, and is none of them.",
    },
    Entry {
        code: "M0219",
        title: "a scope behind its claim",
        text: "A scope stands first, with a comma behind it:\n\n    property Once: after asked, never (asked again)",
    },
    Entry {
        code: "M0220",
        title: "a constant that does not exist",
        text: "A bound, a threshold or an expectation names a constant that neither the file nor the model has. Declare \
               it, with a value or without one:\n\n    const T: duration = 4 min\n    property A: F<=T (done)",
    },
    Entry {
        code: "M0221",
        title: "a definition used with the wrong number of arguments",
        text: "`define busy(a) = ...` is used as `busy(Bob)`: one argument for each parameter. Arguments may be formulas: \
               `define answered(p, q) = G (p -> F q)`.",
    },
    Entry {
        code: "M0222",
        title: "a definition that needs itself",
        text: "Definitions and constants are written out where they are used, so none may need itself, directly or \
               through others.",
    },
    Entry {
        code: "M0223",
        title: "a constant without a value",
        text: "A constant without a value is a parameter of the file. Give it one with `-D T=4min`, or let `motet sweep` \
               try several.",
    },
    Entry {
        code: "M0224",
        title: "a sort that does not exist",
        text: "A quantifier ranges over a sort of the model's vocabulary (`motet vocab` lists them; `agent` always \
               exists), over a set `{a, b}` or over a range `1..3`.",
    },
    Entry {
        code: "M0225",
        title: "an agent or member that does not exist",
        text: "Attitudes such as `Bel(a, p)`, messages and knowledge are about agents of the model. `motet vocab` lists \
               them.",
    },
    Entry {
        code: "M0226",
        title: "a value where a formula is expected, or the other way round",
        text: "A number, a clock or a tuple is not true or false by itself: compare it. And a bound or an agent cannot \
               be a formula.\n\n    property A: always held(waiting) <= 1 h",
    },
    Entry {
        code: "M0227",
        title: "a temporal formula where only a state can be looked at",
        text: "What an agent believes, desires or does, what a clock watches and what an agent knows is about one state. \
               Put the temporal operator outside, `F (Bel(a, p))`, or say about which runs inside knowledge, \
               `K[a](A [ F p ])`. Attitudes cannot be nested. Scopes cut a run into parts, so they cannot hold branching \
               time, probabilities or rewards. A quantifier over a collection, whose members change from state to state, is \
               part of one atom: put temporal operators outside of it, `always (forall a in parked: ...)`.",
    },
    Entry {
        code: "M0228",
        title: "a claim that grows too large when it is written out",
        text: "Quantifiers and definitions are written out for every member. More than 300 000 parts are refused, so that \
               a slip such as `1..1000000` does not eat the memory. Let quantifiers range over smaller domains.",
    },
    Entry {
        code: "M0229",
        title: "a calculation that has no exact result",
        text: "Numbers in claims are exact. Division by zero, `%` of fractions, and numbers with more than twenty thousand \
               digits, such as `1e-400000000`, have no exact result.",
    },
    Entry {
        code: "M0230",
        title: "a bound or threshold that makes no sense",
        text: "A bound is a whole number of its unit (of milliseconds on a clock), 0 or more; both ends of `[a, b]` count \
               the same thing and the smaller comes first; a probability lies between 0 and 1; `X` takes no bound.",
    },
    Entry {
        code: "M0231",
        title: "a question for a number in the wrong place",
        text: "`=?` asks for a number. It stands at the outside of a `query`, once. Everything else is true or false: \
               compare the number, `P>=0.95 [ F done ]`.",
    },
    Entry {
        code: "M0232",
        title: "a value on the command line that cannot be read",
        text: "`-D NAME=VALUE` gives a constant its value: a number, a length such as `4min` or `50cycles`, or a name.",
    },
    Entry {
        code: "M0233",
        title: "a comparison with a value of another sort",
        text: "The model says what each of its words is: true or false, a number, a text, one of some names, a tuple. A value \
               of another sort is never equal to it, so that `never Bob.fallen = 1` would be proved for a `boolean fallen`, and \
               would say nothing. Write a value of the sort that the message names:\n\n    \
               property Safe: never Bob.fallen = true",
    },
    Entry {
        code: "M0234",
        title: "a name that is none of the sort's",
        text: "What is asked for is one of some names, an area or a member of a declared sort, and this is none of them: \
               probably it was misspelt. The message lists the names.",
    },
    Entry {
        code: "M0235",
        title: "a wrong number of parts or arguments",
        text: "A token of a place has as many parts as the place's sort, and a relation or an indexed variable takes as many \
               arguments as it was declared with. Write `_` for a part that may be anything.",
    },
    Entry {
        code: "M0236",
        title: "an order where there is none",
        text: "Truths, names and texts are equal or not. `<`, `<=`, `>` and `>=` are for numbers: between anything else they are \
               false in every state.",
    },
    Entry {
        code: "M0237",
        title: "a question for a number that depends on choices",
        text: "Where the model has something to choose there is not one probability but one for each way to choose. `Pmin=?` \
               asks for the least of them and `Pmax=?` for the greatest; `Rmin=?`, `Rmax=?`, `Smin=?`, `Smax=?` are the same \
               for rewards and long-run shares. What the model leaves open can be drawn instead, in the languages that say so \
               (`--ties random`); then `P=?` has an answer:\n\n    query Worst: Pmin=? [ F done ]\n    query Best:  Pmax=? [ F done ]",
    },
    Entry {
        code: "M0238",
        title: "an operator over an agent as others write it",
        text: "What an agent knows is written `K[Bob](p)` or `Bob knows (p)`, what it believes `Bel(Bob, p)` or `Bob believes p`. \
               `Des`, `Int`, `Does`, `Did` and `ItD` are written like `Bel`.",
    },
    Entry {
        code: "M0239",
        title: "a constant with the name of something that changes",
        text: "A constant stands in the place of its name wherever a claim uses it. With `-D parts=9` the claim `never parts = 3` \
               would compare two numbers and say nothing of the variable `parts` of the model. Constants have names of their own.",
    },
    Entry {
        code: "M0240",
        title: "a division by zero",
        text: "`x / 0` and `x % 0` have no value, so a comparison with them is false in every state, and `never x / 0 = 1` would be \
               proved.",
    },
    Entry {
        code: "M0246",
        title: "a number that does not say what it counts",
        text: "`at most 2 inside` may count who is inside at one moment, or how often somebody is. `asked once` may mean \
               that it happens once and no more, or that it happens at most once. Both readings are shown, to be pasted:\n\n    \
               property Room:  always (#inside <= 2)\n    property Times: at most 2 times (inside)\n    \
               property Asked: at most once (asked)\n    property Just:  exactly once (asked)",
    },
    Entry {
        code: "M0247",
        title: "what can come from everywhere, or comes",
        text: "`always possible p`, `from everywhere p` and `it is always possible to p` are read in two ways: wherever the \
               system is, it can still get to p; or it gets there on every run, again and again. The second is much more. \
               Write the one that is meant:\n\n    property Can:   AG (EF (p))\n    property Comes: always (eventually (p))",
    },
    Entry {
        code: "M0248",
        title: "what opens a scope is refused in it",
        text: "A scope begins right behind the moment that opens it. What is so at a moment (a fact, a belief, a variable) \
               is still so right behind it, so `after p, never p` could only hold where p never comes. What is sent, read \
               or fired at a moment is over behind it, and `after (a sends b c), never (a sends b c)` says that it is not \
               sent twice. Of what lasts write which is meant:\n\n    property Once:  at most once p\n    \
               property Never: never p",
    },
    Entry {
        code: "M0249",
        title: "so many times are not counted",
        text: "`at most N times p` is written out as a formula with N parts, for N from 0 to 100. For more, let the model \
               count, or say how long: `always (held(p) <= 4 min)`.",
    },
    Entry {
        code: "M0250",
        title: "a requirement for somebody unknown",
        text: "In `Robot shall within 4 minutes satisfy p` the component, `Robot`, is who has to see to it. It is said and not \
               checked: the formula speaks of `p` alone. A component that is neither an agent or an object of the model nor \
               occurs in the requirement was probably misspelt. `the system` stands for the model as a whole.",
    },
    Entry {
        code: "M0260",
        title: "a time compared where it says nothing",
        text: "`max time to (p) <= 4 min` says of all runs that `p` comes within four minutes, and so does \
               `min time to (p) >= 4 min` say of all runs that it does not come before: these are properties. \
               `min time to (p) <= 4 min` and `max time to (p) >= 4 min` say that some run is as fast, or as slow: these \
               are possibilities. Such a comparison is the whole of a claim; inside a larger formula write the bounded \
               operator it stands for, `F<=4min p`. To see the time itself, ask: `query T: max time to (p)`.",
    },
    Entry {
        code: "M0261",
        title: "an expected time without a unit",
        text: "The answer to `max time to (p)` is a length of time, or a number of cycles, firings or steps. What is expected \
               has to say which: `expect = 4 min 20 s`, `expect <= 37 cycles`, `expect = infinity`.",
    },
    Entry {
        code: "M0262",
        title: "the past inside another operator",
        text: "`once`, `historically`, `previously` and `since` look back along the run on which they stand. Under `A`, `E`, \
               `K`, `P`, `S`, `R` or a filter a formula is about many runs or about a state alone, and which past is meant \
               is not clear. Leave the quantifier out: a property speaks of all runs, a possibility of some run.",
    },
    Entry {
        code: "M0263",
        title: "an expected time in another unit",
        text: "The claim expects a length of time, and the model counts something else: Brahms models have a clock (ms, s, \
               min, h, d), AgentSpeak and sEnglish count cycles, nets count firings, PRISM counts steps. The expectation \
               cannot be met; write it in what the model counts.",
    },
    Entry {
        code: "M0264",
        title: "a bound in something that the model does not count",
        text: "Each model counts one thing beside steps: Brahms models time on a clock (`ms s min h d`), AgentSpeak teams and agents in \
               sEnglish `cycles`, nets `firings`; PRISM models count `steps` alone. A bound in another unit has no answer, and a \
               bare number could mean two things. `steps` are counted in every model.",
    },
    Entry {
        code: "M0270",
        title: "an automaton cannot be read",
        text: "A file of the Hanoi format (HOA v1) does not follow its grammar at this place. The file holds one automaton or \
               several, each from `HOA: v1` to `--END--`; `motet export MODEL --to hoa` writes the automata of a model's \
               claims as examples.",
    },
    Entry {
        code: "M0271",
        title: "an acceptance condition that is not a Büchi condition",
        text: "An automaton that is a claim accepts a run if each of its acceptance sets is met again and again: `Inf(0)`, \
               `Inf(0)&Inf(1)`, or `t` for none. Rabin, Streett, parity and co-Büchi conditions have to be converted first, \
               for example with `autfilt --gba`.",
    },
    Entry {
        code: "M0272",
        title: "an automaton that goes several ways at once",
        text: "Alternating automata, whose starts or targets are conjunctions (`0&1`), are not read. Convert the automaton to \
               one with choices only, for example with `autfilt --remove-alternation`.",
    },
    Entry {
        code: "M0273",
        title: "something in an automaton does not exist",
        text: "A state, a proposition, an alias or an acceptance set is named that the automaton does not have, or there are \
               more of them than a claim may have. All of them are numbered from 0.",
    },
    Entry {
        code: "M0274",
        title: "a proposition of an automaton speaks of more than a state",
        text: "The propositions in `AP:` are formulas about single states, in the words of the model: `Bob.location = chair`, \
               `(Bel ag1 fire)`, `#Queue <= 2`. What happens one after the other is said by the automaton.",
    },
    Entry {
        code: "M0280",
        title: "knowledge in a model where nobody knows anything",
        text: "Somebody knows what is true in every state that looks the same to them, so there must be somebody who sees a \
               part of the state. A plain net has no agents. In a net with interchangeable sorts members keep no names: a \
               state stands for all its renamings, and what looks the same to one agent cannot be told from it. Leave \
               `interchangeable` out to ask what agents know.",
    },
    Entry {
        code: "M0281",
        title: "knowledge of a group without members",
        text: "Each of nobody knows everything, so a claim about a group without members says nothing. A sort of the model \
               may have become empty.\n\n    property A: EK[{ag1, ag2}](p)",
    },
    Entry {
        code: "M0290",
        title: "a claim does not depend on one of its parts",
        text: "`--vacuity full` puts a constant in place of each part of a claim that holds: the one that makes the claim say \
               more, `false` for a part that is demanded, `true` for one that is a condition. If the stronger claim holds too \
               then the part does not matter in this model, and the report shows the claim without it. Often the stronger \
               claim is what is meant: `G (called -> F served)` holds even without `called` where everybody is served \
               again and again anyway. Or the model lacks what the part is about: `F (done | cancelled)` holds even without \
               `cancelled` where nothing is ever cancelled; then ask for it with `possible`. A bound is no part: how much \
               tighter it could be is the worst case in the report.",
    },
    Entry {
        code: "M0301",
        title: "a claim that holds for the wrong reason",
        text: "The claim holds because its trigger never happens: `G (alarm -> F helped)` says nothing about a model in \
               which the alarm cannot sound. Add a `possible` claim for the trigger, or repair the model.",
    },
    Entry {
        code: "M0302",
        title: "a response that cancels itself",
        text: "`G (a -> F (a -> b))` is satisfied as soon as `a` becomes false, with `b` never true: the inner `a -> b` \
               holds then. Write `G (a -> F b)`.",
    },
    Entry {
        code: "M0303",
        title: "an implication under an eventuality",
        text: "`F (a -> b)` holds as soon as `a` is false once, which is nearly always at the start. English sentences \
               that lead to it usually want `G (a -> F b)`.",
    },
    Entry {
        code: "M0304",
        title: "an eventuality beside an implication",
        text: "`G ((a -> x) & F c)` demands `c` again and again for ever, whether `a` happens or not. If `c` answers `a`, \
               it belongs to the right side: `G (a -> (x & F c))`.",
    },
    Entry {
        code: "M0305",
        title: "words and formula disagree",
        text: "The description speaks of an agent that does not occur in the formula, or the formula of the beliefs, goals \
               or acts of one agent more than the description names. One of the two was probably copied. The help line \
               tells the formula in English.",
    },
    Entry {
        code: "M0306",
        title: "one moment or the whole way",
        text: "The description says `never` or `without`, and the formula is `F (ok & done)`, which looks at the moment of \
               `done` only. It says what is meant only if `ok`, once lost, stays lost. `ok U (ok & done)` looks at the \
               whole way.",
    },
    Entry {
        code: "M0307",
        title: "a bound without a unit",
        text: "`F<=100` counts steps in one tool, reasoning cycles or seconds in another; on one published model the \
               factor is two. Write the unit: `ms s min h d` on a clock, `steps`, `cycles` or `firings`. Models whose \
               time is nothing but their steps, such as those of the PRISM language, need none.",
    },
    Entry {
        code: "M0308",
        title: "knows and believes in one claim",
        text: "`Bob believes p` says that `p` is in Bob's belief base. `Bob knows (p)` says that `p` is true in every \
               state that Bob cannot tell from the present one. A belief may be wrong, knowledge cannot; neither implies \
               the other.",
    },
    Entry {
        code: "M0309",
        title: "an expected reward that is infinite",
        text: "`R=? [ F goal ]` counts what a run earns until it reaches the goal. A run that never reaches it has no end to \
               its count, so the expectation is infinite as soon as the goal is missed with some chance: with the most \
               favourable choices for `Rmin`, with the least favourable ones for `Rmax`. The report shows a run to a \
               situation from which the goal is missed. Where strategies are fair the goal may be reached surely and the \
               reward be infinite all the same: a fair strategy stays nowhere for ever that it has to leave, but it may stay \
               for as long as it likes, and earn meanwhile. Ask for the probability of the goal first, `P=? [ F goal ]`; or \
               bound the count, `R=? [ C<=100 steps ]`; or let the path end somewhere surely, `R=? [ F (goal | lost) ]`.",
    },
    Entry {
        code: "M0310",
        title: "an atom that can never change",
        text: "The atom has one truth value in every state of this model, so the claim says less than it seems to. \
               Perhaps a name is meant differently, or the model lacks the step that changes it.",
    },
    Entry {
        code: "M0311",
        title: "a value outside of the range",
        text: "The model declares which values are possible, `x : [0..3]`, and this one is none of them; or it lists all texts, \
               and this is none. The comparison is the same in every state, so the claim says less than it seems to. It is a \
               warning because a constant may be chosen so on purpose, as the end of a larger range; `--deny warnings` refuses \
               it.",
    },
    Entry {
        code: "M0320",
        title: "not believing is not believing the opposite",
        text: "Beliefs have three values: true, false and none. `not (Bob believes x = true)` also holds when Bob has no \
               belief about `x`. Write `Bob believes x = false` if that is meant, or `Bob has no belief about x`.",
    },
    Entry {
        code: "M0330",
        title: "a property that speaks of the start only",
        text: "A formula without an operator of time is about the first state of a run, before anything has happened: \
               `property Safe: distance > 0` holds as soon as the start is safe, whatever comes later. Write `always (...)` or \
               `never (...)` if all moments are meant. If the start is meant, say so:\n\n    property Start: initially \
               (distance > 0)",
    },
    Entry {
        code: "M0331",
        title: "initially inside an operator that looks at other moments",
        text: "`initially (p)` says that `p` holds in the first state of every run. Under `always`, `F`, `U`, `A`, `P` and the like \
               another moment is looked at, and which start is meant is not clear. Write it beside the operator:\n\n    \
               property A: initially (calm) and always (moored -> calm)",
    },
    Entry {
        code: "M0332",
        title: "a claim about the moment that opens its scope",
        text: "`after q, p` with `p` about one moment speaks of the moment at which the scope opens, and of nothing later. Mostly `p` is \
               meant to hold all along, never, or sooner or later:\n\n    property All:   after q, always (p)\n    \
               property None:  after q, never (p)\n    property Later: after q, eventually (p)",
    },
    Entry {
        code: "M0333",
        title: "a claim that says nothing of the model",
        text: "`never N = 5` compares constants, `exists i in 3..1: x = i` ranges over nothing, and every probability is at \
               least 0 and at most 1: such a claim is proved, or refuted, whatever the model does. Compare something that \
               the model changes, or write the bound that is meant.",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_in_order_and_every_code_has_a_title_and_a_text() {
        assert!(CODES.windows(2).all(|pair| pair[0].code < pair[1].code));
        for entry in CODES {
            assert!(entry.code.starts_with("M02") || entry.code.starts_with("M03"), "{}", entry.code);
            assert!(entry.text.len() > 80 && !entry.title.ends_with('.'), "{}", entry.code);
        }
    }
}
