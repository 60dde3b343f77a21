//! What the codes of notices and of atoms mean, for `motet explain`.

use motet_source::Entry;

/// Notices after an exploration and before a team acts.
pub const NOTICE_CODES: &[Entry] = &[
    Entry {
        code: "M0601",
        title: "an intention is lost",
        text: "An intention waited for a sub-goal, and when the event of the sub-goal was selected no plan applied to \
it. AgentSpeak(F) discards such an event (Bordini et al. 2003, 4.1), and with it goes the whole stack that waits for \
it: whatever was left to do in those plans is never done.\n\n\
```\n+!alliance(I,A) : not(alliance(I,A)) <- .send(A,tell,alliance(I,A)).\n```\n\n\
If `alliance(I,A)` becomes a belief between posting and selecting `+!alliance(I,A)`, the plan that posted it is \
lost.\n\nAdd a plan that applies in the remaining situations, most simply one with the context `true`.",
    },
    Entry {
        code: "M0602",
        title: "the environment refuses an action",
        text: "An agent asked for an action, and when its turn came no rule of the environment matched: the arguments \
did not fit, or the condition behind `when` was false. The action is consumed and nothing changes; in the Jason \
dialect the plan that asked for it fails.\n\nOften the world moved on while the action waited. Add a rule for that \
case, or check in the plan's context that the action still makes sense.",
    },
    Entry {
        code: "M0603",
        title: "a message has no effect",
        text: "A message was sent to an agent that does not exist, or its receiver does not trust the sender with it, \
or it asks for a goal that the receiver has no plan for.\n\nCheck the name, the `trust` lines of the team file, or add \
a plan for the goal.",
    },
    Entry {
        code: "M0604",
        title: "a test goal fails",
        text: "A formula `?p(X)` found no belief that matches. AgentSpeak(F) has no handling of plan failure, so the \
whole intention is lost.\n\nMove the test into the plan's context, where a plan without a solution is simply not \
applicable, or make sure that the belief exists.",
    },
    Entry {
        code: "M0605",
        title: "a plan fails and nothing recovers",
        text: "A formula of a plan failed, and neither its goal nor any goal below it on the stack has an applicable \
recovery plan. The whole intention is lost.\n\nAdd a plan for the failure:\n\n```\n-!deliver(X) <- !try_later(X).\n```",
    },
    Entry {
        code: "M0606",
        title: "a plan never applies",
        text: "Events that this plan is relevant for did happen, but in the complete exploration it was never selected: \
its context never held at that moment, or a plan above it in the file was always taken first.\n\nCompare its context \
with the plans above it; plans are tried in the order of the file.",
    },
    Entry {
        code: "M0607",
        title: "a plan is dead",
        text: "No event in the complete exploration has the form of this plan's trigger, so it can be removed without any \
change of behaviour. Often a name or an argument of the trigger differs from what is sent, perceived or posted.",
    },
    Entry {
        code: "M0608",
        title: "a goal is not taken up",
        text: "A goal was posted for which no plan applied, and nobody waited for it: it is forgotten. Goals of this \
kind come from other agents, from `!!goal`, or from the initial goals.\n\nAdd a plan for the goal, or widen the context \
of the one there is.",
    },
    Entry {
        code: "M0650",
        title: "a stub answers while a team acts",
        text: "A stub stands in for an internal action that is written elsewhere. Claims look at every answer that the stub \
declares. A team that acts gets the first one every time: a stub that may succeed or fail succeeds, one with several values \
gives the first.\n\nIf the answer matters, make it an action, which a skill carries out, or a percept, which a skill tells.",
    },
];

/// Problems with the atoms of claims.
pub const ATOM_CODES: &[Entry] = &[
    Entry {
        code: "M0480",
        title: "a claim names an unknown agent",
        text: "The first argument of `Bel`, `Des`, `Int`, `Does`, `Did`, `ItD` and both of `Says` are agents of the team. \
`motet vocab` lists them.",
    },
    Entry {
        code: "M0481",
        title: "a claim uses a word that the model does not have",
        text: "A predicate that no plan, belief, percept, goal or message of the model mentions can never be true, so a \
claim about it says nothing. It is nearly always a typing error. The trigger of a plan that nobody posts, or an action of the \
environment that nobody takes, is a warning: the claim is answered, and nothing of the kind ever happens. `motet vocab` lists the words of the model: beliefs, \
goals and actions of each agent, percepts, messages, and the variables of the environment. An argument that stands nowhere in the \
model, as in `unavailable(blod)`, is a warning too: it might come about at run time.",
    },
    Entry {
        code: "M0482",
        title: "a claim uses a predicate with the wrong number of arguments",
        text: "`winner` and `winner(ag3)` are different predicates. Use `_` for an argument that does not matter: \
`winner(_)` holds if some instance does.",
    },
    Entry {
        code: "M0483",
        title: "an atom of a claim has the wrong form",
        text: "Contents of `Bel`, `Des`, `Int` and of actions are predicates with ground arguments or `_`; `Bel` also takes \
`not`, `and`, `or`. Facts are percepts, or comparisons over the variables of the environment such as `n < 4` and \
`bid[ag1] = 6`.",
    },
    Entry {
        code: "M0484",
        title: "a claim contains a variable",
        text: "Atoms of claims are ground. Write `_` for some instance, or quantify over a sort: \
`exists x in agent: Bel(x, p)`.",
    },
    Entry {
        code: "M0486",
        title: "a term of the program is too deep",
        text: "Terms are limited so that no program can exhaust the tool's memory. A list counts one level per item, so a \
list of several thousand items is refused; keep such data in several beliefs instead: `row(1, [..])`, `row(2, [..])`.",
    },
    Entry {
        code: "M0485",
        title: "a team has too many agents",
        text: "Each belief remembers which agents told it, and that memory has room for 62 agents. A state space of so many \
agents is out of reach anyway; model a smaller team.",
    },
];
