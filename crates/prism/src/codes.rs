//! What `motet explain` knows of the problems of PRISM models.

use motet_source::Entry;

/// M080x syntax, M081x names, types and constants, M082x commands, modules and rewards, M083x claims, notices and exports.
pub const CODES: &[Entry] = &[
    Entry {
        code: "M0800",
        title: "a character that is not part of the language",
        text: "PRISM models are written with letters, digits, `_` and the usual signs. Other characters belong in \
               comments, which start with `//` and reach to the end of the line.",
    },
    Entry {
        code: "M0801",
        title: "something else was expected here",
        text: "A model starts with its type and goes on with constants, formulas, labels, modules and rewards:\n\
               \n\
               \x20   mdp\n\
               \n\
               \x20   const int N = 3;\n\
               \x20   const double p = 0.5;\n\
               \n\
               \x20   module walker\n\
               \x20     x : [0..N] init 0;\n\
               \x20     [step] x < N -> p : (x'=x+1) + 1-p : (x'=0);\n\
               \x20     [rest] x > 0 -> true;\n\
               \x20   endmodule\n\
               \n\
               \x20   label \"there\" = x = N;\n\
               \n\
               \x20   rewards \"steps\"\n\
               \x20     [step] true : 1;\n\
               \x20   endrewards\n\
               \n\
               Reading goes on after the next `;` or at the next part, so the other problems of the file are shown in \
               the same run.",
    },
    Entry {
        code: "M0802",
        title: "a text that is not closed",
        text: "Names of labels and rewards stand between double quotes on one line: `label \"done\" = s = 7;`.",
    },
    Entry {
        code: "M0803",
        title: "an expression that is too deep or too long",
        text: "Parentheses nest at most 150 levels deep, and one expression chains at most 400 operators other than `&` \
               and `|`, which may be chained without limit. `formula` gives parts of an expression a name.",
    },
    Entry {
        code: "M0804",
        title: "a number that cannot be read",
        text: "Whole numbers fit 64 bits. Decimals are exact fractions, however many digits they have, up to twenty thousand \
               together with those that an exponent adds. Names start with a letter: `2nd` is neither a number nor a name.",
    },
    Entry {
        code: "M0805",
        title: "a word of PRISM is used as a name",
        text: "PRISM reserves words such as `module`, `init`, `min` and `label`. Words that only its properties use, such \
               as `F`, `G` and `P`, get a warning: Motet and Storm take them as names inside a model, PRISM does not.",
    },
    Entry {
        code: "M0806",
        title: "an operator or a comment of another language",
        text: "PRISM writes `&`, `|`, `=`, `!=`, `pow(a, b)` and `mod(a, b)`, not `&&`, `||`, `==`, `<>`, `^` and `%`. \
               Comments start with `//`; other comments are skipped with a warning.",
    },
    Entry {
        code: "M0807",
        title: "a type of model that is not supported",
        text: "Motet reads `dtmc` (discrete-time Markov chains) and `mdp` (Markov decision processes), also under their \
               old names `probabilistic` and `nondeterministic`. Continuous time (`ctmc`), clocks (`pta`), games (`smg`), \
               partial observation (`pomdp`) and intervals have no engine here, and guessing at their meaning would give \
               wrong numbers.\n\
               \n\
               Claims about a `ctmc` that do not speak of time are claims about its embedded chain: divide the rates \
               that leave a state by their sum.",
    },
    Entry {
        code: "M0808",
        title: "the type of the model is missing or given twice",
        text: "One of the words `dtmc` and `mdp` stands once in the file, usually first. It decides what happens where \
               several commands are enabled: in an `mdp` that is a choice, in a `dtmc` each is as likely as the others.",
    },
    Entry {
        code: "M0809",
        title: "a block that is not closed",
        text: "`module`, `rewards`, `init` and `system` end with `endmodule`, `endrewards`, `endinit` and `endsystem`. \
               Where the word is missing, the block ends before the next thing that cannot be part of it; that place is \
               shown too.",
    },
    Entry {
        code: "M0810",
        title: "a part of PRISM that is not supported",
        text: "Clocks, invariants, observables, players, variables without a range, named systems and chances that are \
               intervals belong to types of models that Motet does not analyse. A number that counts gets a range: \
               `x : [0..100];`.",
    },
    Entry {
        code: "M0811",
        title: "an unknown name",
        text: "The name is neither a constant, nor a formula, nor a variable of any module. If a known name is within two \
               letters it is suggested. In the copy of a module names are those after renaming.",
    },
    Entry {
        code: "M0812",
        title: "a name that is declared twice",
        text: "Constants, formulas and variables of all modules share one set of names, because expressions may use them \
               everywhere. Modules, labels and rewards have sets of their own. Every model has the labels `\"init\"` and \
               `\"deadlock\"` already.",
    },
    Entry {
        code: "M0813",
        title: "a definition that goes in a circle",
        text: "A constant or a formula stands for its definition. If that leads back to itself there is no value. The \
               message shows the way round.",
    },
    Entry {
        code: "M0814",
        title: "a value of the wrong type",
        text: "Values are `bool`, `int` or `double`. An `int` may stand where a `double` is needed, not the other way \
               round: `/` always gives a `double`, and `floor`, `ceil` and `round` give an `int`. Conditions are no \
               numbers; `c ? 1 : 0` makes one of them. Bounds of ranges and initial values are constant.",
    },
    Entry {
        code: "M0815",
        title: "a chain of implications",
        text: "`a => b => c` is read from the left, as `(a => b) => c`, because PRISM does so. In logic it is often meant \
               the other way. Parentheses say which.",
    },
    Entry {
        code: "M0816",
        title: "a constant without a value",
        text: "`const int N;` leaves the value open. It is given on the command line, `-D N=5`, or swept over, \
               `motet sweep -D N=1..5`.",
    },
    Entry {
        code: "M0817",
        title: "an option that does not fit the model",
        text: "`-D NAME=VALUE` binds a constant of the model or of the claims. The value is a number (`5`, `0.25`, `1/3`) \
               or `true` or `false`, according to the constant's type. A value given this way replaces the one in the \
               text. Modes, bounds and rules belong to other languages.",
    },
    Entry {
        code: "M0818",
        title: "a range that is empty, too large or not of whole numbers",
        text: "`x : [low..high];` has whole constant bounds with `low <= high`, and fewer than 2^32 values.",
    },
    Entry {
        code: "M0819",
        title: "an initial value outside the range",
        text: "`x : [0..5] init 7;` cannot start. Without `init` a number starts with its lower bound and a `bool` with \
               `false`.",
    },
    Entry {
        code: "M0820",
        title: "an assignment that is not allowed",
        text: "A module changes its own variables and global ones, each at most once in an update. Other modules' \
               variables may be read only. Commands that happen together with commands of other modules cannot change \
               global variables, since two of them could do so at once.",
    },
    Entry {
        code: "M0821",
        title: "chances that do not sum to 1",
        text: "The chances of a command are exact fractions, so `0.333 + 0.333 + 0.333` is 0.999 and refused; write \
               `1/3`, or let the last one be `1 - ...`. Chances that depend on variables are looked at in each state; \
               there the check stops with *unknown*, the command and the state. Where a logarithm or a root is \
               involved the sum may be off by a billionth, and the last chance takes the difference.",
    },
    Entry {
        code: "M0822",
        title: "a chance that is negative or more than 1",
        text: "Chances lie between 0 and 1. Numbers above 1 are rates, which belong to `ctmc` models.",
    },
    Entry {
        code: "M0823",
        title: "an update that leaves the range",
        text: "The command gives a variable a constant outside its range. If it ever happens, the check stops with \
               *unknown*, the command and the state. Widen the range, or strengthen the guard.",
    },
    Entry {
        code: "M0824",
        title: "a copy of a module that cannot be made",
        text: "`module M2 = M1 [x1=x2] endmodule` copies `M1` with new names. The base is a module of the same file, each \
               name is renamed once, and every variable of the base gets a new name, because names are shared by all \
               modules. A model has at least one module.",
    },
    Entry {
        code: "M0825",
        title: "a system that does not fit the modules",
        text: "`system ... endsystem` names every module exactly once. Labels that it synchronises on, hides or renames \
               are labels of commands.",
    },
    Entry {
        code: "M0826",
        title: "something that grows too large",
        text: "Formulas are written out wherever they are used, and systems are unfolded into the ways in which modules \
               synchronise. Both can grow without bound from a short text.",
    },
    Entry {
        code: "M0827",
        title: "a negative reward",
        text: "Rewards are zero or more, so that expected totals are well defined. Count what is left, or what is lost, \
               instead.",
    },
    Entry {
        code: "M0828",
        title: "initial states that cannot be found",
        text: "`init ... endinit` describes all initial states by a condition. Some state must satisfy it, at most a \
               million do, and no variable has an initial value of its own besides.",
    },
    Entry {
        code: "M0829",
        title: "a number that has no exact value",
        text: "Numbers are exact fractions. A division by zero has no value, nor has the logarithm of a negative number. \
               A number has at most twenty thousand digits above the line and below; what needs more, such as \
               `pow(2, 1000000000)`, is refused before it is calculated rather than rounded to something else.",
    },
    Entry {
        code: "M0830",
        title: "a function that does not exist, or with the wrong number of arguments",
        text: "The functions are `min` and `max` (one argument or more), `floor`, `ceil`, `round` (one), `pow`, `mod` and \
               `log` (two: `log(x, base)`). The old way to write them, `func(min, a, b)`, is read too.",
    },
    Entry {
        code: "M0831",
        title: "a claim in words that PRISM models do not have",
        text: "Modules have variables, not minds: there are no beliefs, intentions or messages. Claims use labels \
               (`\"done\"`), variables, constants, formulas and arithmetic.",
    },
    Entry {
        code: "M0832",
        title: "a claim about an unknown name",
        text: "The name is neither a variable, nor a constant, nor a formula of the model, and the text in quotes is no \
               label. `motet vocab MODEL` lists what claims may use.",
    },
    Entry {
        code: "M0833",
        title: "a claim with a value of the wrong type",
        text: "An atom is true or false in a state: a comparison, a `bool` variable, a formula or a label. A number alone \
               is none of these.",
    },
    Entry {
        code: "M0834",
        title: "a state that no command leaves",
        text: "A run that gets there stays for ever, as in PRISM, which adds a loop to such states. Often a command is \
               missing, or a module refuses a label that another one waits for. If the end is meant, a command such as \
               `[] s = 7 -> true;` says so.",
    },
    Entry {
        code: "M0835",
        title: "a command that never happens",
        text: "The whole model was explored and no step was made of the command: its guard never holds, or the modules it \
               synchronises with are never ready at the same time.",
    },
    Entry {
        code: "M0836",
        title: "a reward for a label that no command has",
        text: "`[label] guard : value;` is earned by steps with this label. There are none, so the reward is never earned.",
    },
    Entry {
        code: "M0837",
        title: "no model, or several",
        text: "A PRISM model is one file, NAME.prism, NAME.pm, NAME.nm or NAME.sm. Where a folder holds several, the file is \
               given instead of the folder.",
    },
    Entry {
        code: "M0838",
        title: "a PRISM model has no translation to Promela",
        text: "Spin explores choices and knows no chances, so the translation would answer other questions. \
               `motet export --to prism` gives a text for Storm and PRISM.",
    },
];
