//! Random teams: the model that remembers its answers against its twin that computes everything again, and what must
//! hold of every mind.

use std::collections::HashMap;
use std::sync::Arc;

use motet_model::{Fault, Model, Options, State, Steps, Words as _};
use motet_source::fuzz::{Random, rounds};
use motet_source::{Problems, Sources};

use crate::program::Program;
use crate::semantics::mind::{Mind, Seat, SeatId, Status};
use crate::semantics::team::{MINDS, Memory, Team};
use crate::words::Teller;

/// Enough to meet every kind of step, few enough for a quick test.
const LIMIT: usize = 1500;

const FORMULAS: &[&str] = &[
    "+p(X)",
    "-p(1)",
    "!g(X)",
    "!h",
    "?q(Y)",
    ".print(X)",
    "go(X)",
    "go(2)",
    ".send(b, tell, q(X))",
    ".send(a, achieve, g(2))",
    ".send(b, untell, q(1))",
    "+q(2)",
    "-q(X)",
];
const JASON_FORMULAS: &[&str] = &[
    "!!h",
    "-+p(2)",
    "!r(Z)",
    "if (p(2)) { +q(1) } else { .fail }",
    "while (p(V)) { -p(V) }",
    "for (q(W)) { .print(W) }",
    ".drop_intention(h)",
    ".succeed_goal(h)",
    ".fail_goal(g(2))",
    "jia.coin",
    ".broadcast(tell, p(X))",
    ".abolish(q(_))",
    ".drop_all_intentions",
    ".wait(5)",
    ".wait(5); !g(2)",
    ".wait(X)",
    "!g(1)",
    ".fail",
];
const CONTEXTS: &[&str] = &["true", "true", "p(X)", "q(X)", "not p(1)", "q(X) & not p(X)", "p(1)"];

fn body(dice: &mut Random, jason: bool) -> String {
    let length = 1 + dice.below(3);
    let one = |dice: &mut Random| {
        if jason && dice.below(3) == 0 { dice.pick(JASON_FORMULAS) } else { dice.pick(FORMULAS) }
    };
    (0..length).map(|_| one(dice)).collect::<Vec<_>>().join("; ")
}

fn program(dice: &mut Random, jason: bool) -> String {
    let mut text = String::from("p(1). q(1). ");
    if jason {
        text.push_str("!g(1). ");
    }
    let triggers = ["+p(X)", "+q(X)", "-p(X)", "+!g(X)", "+!g(X)", "+tick(X)"];
    for _ in 0..4 + dice.below(4) {
        let label = if jason && dice.below(6) == 0 { "@l[atomic] " } else { "" };
        let label = label.replace('l', &format!("l{}", text.len()));
        let (trigger, context) = (dice.pick(&triggers), dice.pick(CONTEXTS));
        text.push_str(&format!("{label}{trigger} : {context} <- {}.\n", body(dice, jason)));
    }
    // A plan without X must not use it.
    let safe = |text: String| text.replace("(X)", "(1)");
    text.push_str(&safe(format!("+!h : {} <- {}.\n", dice.pick(&["true", "not p(1)"]), body(dice, jason))));
    if jason {
        text.push_str(&safe(format!("-!h : true <- {}.\n", body(dice, jason))));
        let (context, end) = (dice.pick(CONTEXTS), dice.pick(&["", "; !g(X)", "; .fail"]));
        text.push_str(&format!("-!g(X) : {context} <- {}{end}.\n", body(dice, jason)));
        text.push_str("+!r(Z) : q(Y) <- Z = Y.\n+?q(Y) : true <- Y = 5.\n");
    }
    text
}

fn team(dice: &mut Random, jason: bool) -> Vec<(String, String)> {
    let mode = if jason { "jason" } else { "strict" };
    let team = format!(
        "team t\nmode {mode}\nbound events = 6\nbound intentions = 6\nbound messages = 3\nbound actions = 3\n\
         agent a\nagent b\nstub jia.coin either\nenv w {{ var n : 0..2 = 0\n percept tick(n)\n \
         action go(k) by x when k > n {{ either {{ n := k }} or {{ prob {{ 0.5: {{ n := 0 }}, 0.5: {{ n := 1 }} }} }} }}\n \
         step rest when n == 2 {{ n := 0 }} }}\n"
    );
    let mut files = vec![("t.team".to_owned(), team)];
    for name in ["a.asl", "b.asl"] {
        files.push((name.to_owned(), program(dice, jason)));
    }
    files
}

fn read(files: &[(String, String)]) -> Result<(Program, Sources), String> {
    let mut sources = Sources::new();
    for (name, text) in files {
        sources.add(name.clone(), text.clone());
    }
    let mut problems = Problems::new();
    let program = crate::project::read(&sources, &Options::default(), &mut problems);
    program.map(|program| (program, sources.clone())).ok_or_else(|| problems.lines(&sources))
}

/// The graph with states numbered in order of discovery: a line per step.
fn graph(teller: &Teller, check: &dyn Fn(&Team, &State)) -> Vec<String> {
    let team = &teller.team;
    let mut states = Vec::new();
    team.initial(&mut states);
    let mut numbers: HashMap<Box<State>, usize> = states.iter().cloned().zip(0..).collect();
    let mut lines = Vec::new();
    let mut at = 0;
    while at < states.len() && states.len() < LIMIT {
        let state = states[at].clone();
        check(team, &state);
        let mut out = Steps::new(team.signature().slots.len());
        if let Err(Fault { message }) = team.steps(&state, &mut out) {
            lines.push(format!("{at}: {message}"));
            at += 1;
            continue;
        }
        for step in out.iter() {
            let action = teller.action(step.action);
            let mut line = format!("{at} {} {} {action}:", step.process.0, step.delay);
            for branch in step.branches() {
                let next = numbers.len();
                let number = *numbers.entry(branch.target.into()).or_insert(next);
                if number == next {
                    states.push(branch.target.into());
                }
                line.push_str(&format!(" {number} ({})", branch.chance.quotient()));
            }
            lines.push(line);
        }
        at += 1;
    }
    lines
}

/// Nothing is forgotten and nothing dangles: every instance can run, waits for an event, for the instance above it, for time
/// to pass or for the environment; what failed waits for a recovery; every queue names taken seats; no free seat stands at the
/// end.
fn check_mind(mind: &Mind) {
    assert_ne!(mind.seats.last(), Some(&Seat::Free));
    for (seat, instance) in mind.instances() {
        let runs = mind.runnable.iter().filter(|&&other| other == seat).count();
        let events = mind.events.iter().filter(|event| event.parent == Some(seat)).count();
        let above = mind.instances().filter(|(_, other)| other.parent == Some(seat)).count();
        let acting = usize::from(instance.status == Status::Acting);
        let asleep = mind.asleep.iter().filter(|&&other| other == seat).count();
        assert_eq!(runs + events + above + acting + asleep, 1, "{seat:?} of {mind:?}");
        assert!(instance.status != Status::Failed || runs + acting + asleep == 0, "{seat:?} of {mind:?}");
        assert!(instance.parent.is_none_or(|parent| mind.instance(parent).is_some()), "{mind:?}");
    }
    let taken = |seat: &SeatId| mind.instance(*seat).is_some();
    assert!(mind.favoured.is_none_or(|seat| mind.runnable.contains(&seat)), "{mind:?}");
    assert!(
        mind.runnable.iter().all(taken) && mind.events.iter().filter_map(|e| e.parent.as_ref()).all(taken)
    );
    for (at, belief) in mind.beliefs.iter().enumerate() {
        assert!(!belief.sources.is_empty() && mind.believed(belief.term) == Some(at), "{mind:?}");
    }
}

#[test]
fn remembering_answers_changes_nothing_and_no_plan_is_forgotten() {
    let mut readable = 0;
    for seed in 0..rounds(30) {
        let jason = seed % 2 == 1;
        let mut dice = Random::new(seed);
        let files = team(&mut dice, jason);
        let Ok((program, sources)) = read(&files) else { continue };
        readable += 1;
        let (program, sources) = (Arc::new(program), Arc::new(sources));
        let teller = |memory| Teller {
            team: Arc::new(Team::new(Arc::clone(&program), Vec::new(), Vec::new(), memory)),
            sources: Arc::clone(&sources),
        };
        let check = |team: &Team, state: &State| {
            for agent in 0..team.program.agents.len() {
                check_mind(team.mind(agent, state[MINDS + agent]));
            }
        };
        let quick = graph(&teller(Memory::Kept), &check);
        let slow = graph(&teller(Memory::Bypassed), &|_, _| {});
        assert!(quick == slow, "seed {seed}");
    }
    assert!(readable * 2 > rounds(30), "most random programs must be readable: {readable}");
}

#[test]
fn random_teams_are_accepted_by_the_reader() {
    let mut dice = Random::new(7);
    let files = team(&mut dice, true);
    if let Err(problems) = read(&files) {
        panic!("{problems}\n{files:?}");
    }
}
