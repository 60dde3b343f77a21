//! What can be wrong with asking for advice.

use motet_source::{Entry, Problem, Sources};

use crate::loading::command_line::command_line;

/// The manual entries of advice.
pub const ADVICE_CODES: &[Entry] = &[
    Entry {
        code: "M0070",
        title: "there is no query to advise by",
        text: "Advice ranks choices by numbers, so it needs claims that ask for one: `query L5: Pmax=? [F<=50 cycles \
               \"Mission complete\"]` in a claims file, chosen with `-p L5`, or a formula of the command line, `--query 'Pmax=? \
               [F \"Mission complete\"]'`. A `property` has a verdict and no number.\n\n\
               Without `-p` and `--query` all queries of the project are answered, and the first one ranks.",
    },
    Entry {
        code: "M0071",
        title: "the query has no answer by look-up",
        text: "Advice solves the model once and looks values up by the state, so a query has to be one whose value depends on the \
               state alone: `P` of one operator over states, `F`, `G`, `U`, `W`, `R` or `X`, with or without a bound from above in \
               cycles or steps; rewards `F goal`, `C<=k`, `C`, `I=k`; and the long run. In a model with choices it says whether \
               the greatest or the least is meant: `Pmax`, `Rmin`.\n\n\
               A formula such as `F (a & X F b)` has to remember whether `a` has come; filters and questions for a time have no \
               value for each state.",
    },
    Entry {
        code: "M0072",
        title: "the model could not be solved",
        text: "Values are certain only when every reachable state was seen, so a model that exceeds a limit (`--mem`, `--time`, \
               `--states`, `--depth`) or one of its own bounds gives no advice at all.\n\n\
               Raise the limit, or make the instance smaller with `-D`.",
    },
    Entry {
        code: "M0073",
        title: "numbers beside an assumption",
        text: "With an `assume` in the claims file a number would be about the runs alone that satisfy it, and those are not what \
               an agent is in while it runs. Take the assumption out, or say the condition inside the brackets.",
    },
    Entry {
        code: "M0074",
        title: "this is no situation of the team",
        text: "A situation is an object of JSON: `{\"beliefs\": {\"Track swept\": true}, \"plans\": {\"4\": 0}, \"counters\": {}}`. \
               Beliefs are true or false, plans have the index of the action they stand on (0 does not run), counters say how \
               many cycles a percept or an action has been counting. What is not mentioned is as at the start; without \
               `counters` they may be anything, and the answer is a range.\n\n\
               A name that the team does not have is refused together with the nearest one. `motet vocab` lists them.",
    },
    Entry {
        code: "M0075",
        title: "the threshold cannot be used",
        text: "`--threshold 'Mission at risk: L5 < 0.5'` makes a belief out of a number: it holds while the query is certainly \
               below, and does not while it is certainly not. The query has to be one of the project or of `--query`, by its name. The \
               comparisons are `<`, `<=`, `>` and `>=`.",
    },
    Entry {
        code: "M0076",
        title: "situations of this model cannot be described",
        text: "A described situation is understood by a team that can act: sEnglish agents, and AgentSpeak agents in the Jason \
               dialect. Models in other languages are advised in their initial situation only.",
    },
    Entry {
        code: "M0077",
        title: "pages and advice are for this machine only",
        text: "`--listen` and `--view` take an address of this machine: `127.0.0.1:8080`, `[::1]:8080` or `localhost:8080`; port 0 picks \
               a free one. Other machines could listen to what goes over the network, so other addresses are refused. To look from elsewhere, \
               tunnel, with the same port at both ends: `ssh -L 8080:127.0.0.1:8080 host`.",
    },
    Entry {
        code: "M0078",
        title: "the request is not understood",
        text: "Advice over HTTP has three places: `POST /advise` takes a situation, `GET /health` says what is served, `GET /` \
               explains both. A situation has 64 KiB at most. Every request shows the token of the session, which is printed at the \
               start: as the header `Authorization: Bearer TOKEN`, or behind the address of the page as `?token=TOKEN`, which gives a \
               browser a cookie. The `Host` has to be the very address where the server listens (`127.0.0.1:8080`, \
               `localhost:8080`), and an `Origin` the page that is served there, so that a page of another site cannot ask in a \
               visitor's name. The same holds for the page of `motet run --view`.",
    },
    Entry {
        code: "M0079",
        title: "nobody can listen at this address",
        text: "Another program listens at the port, or the system does not give it to you: ports below 1024 need rights. Take another \
               one, or port 0 for any that is free.",
    },
];

/// What a situation looks like, for those who got it wrong.
#[must_use]
pub fn situation_help() -> &'static str {
    "write {\"beliefs\": {\"Track swept\": true}, \"plans\": {\"4\": 0}}; `motet vocab` lists the beliefs"
}

/// The problem of a model whose situations cannot be described.
pub(crate) fn unplaceable(sources: &mut Sources, language: &str) -> Problem {
    Problem::error(
        "M0076",
        command_line(sources, "--state"),
        format!("situations of models in {language} cannot be described"),
        "leave --state and --listen out to ask about the initial situation",
    )
}

/// The problem of an address that is not of this machine alone.
#[must_use]
pub fn foreign_address(sources: &mut Sources, flag: &str, address: &str) -> Problem {
    Problem::error(
        "M0077",
        command_line(sources, &format!("{flag} {address}")),
        format!("`{address}` is no address of this machine alone"),
        "write 127.0.0.1:PORT or localhost:PORT; port 0 picks a free one",
    )
}

/// The problem of an address where nobody can listen; `reason` is what the system says.
#[must_use]
pub fn taken_address(sources: &mut Sources, flag: &str, address: &str, reason: &str) -> Problem {
    Problem::error(
        "M0079",
        command_line(sources, &format!("{flag} {address}")),
        format!("nobody can listen at `{address}`: {reason}"),
        "take another port, or port 0 for any that is free",
    )
}
