//! Random agents of the Jason dialect print, cycle by cycle, what they print in the Jason interpreter.
//!
//! `jason/observed.txt` says for each agent, by the seed that makes it, what the interpreter printed and which actions it
//! executed, each with the number of its cycle. The interpreter is not needed here.

use motet_agentspeak::AgentSpeak;
use motet_model::{Language, Options, State, Steps, System};
use motet_source::{Problems, Sources};
use motet_suite::generate_jason::agent;

/// ORIGIN: the Jason interpreter itself, version 3 as of 2026, built from source, one reasoning cycle at a time.
const OBSERVED: &str = include_str!("jason/observed.txt");
/// So many cycles of each agent were observed.
const CYCLES: usize = 40;
/// What the agents act on: `bad` and `go(9)` are refused, as in the environment of the interpreter.
const TEAM: &str = "team t\nmode jason\nagent ag\nenv w {\n  var x : bool = false\n  action bad when x { x := false }\n  action go(k) when k < 5 { x := false }\n}\n";

/// An agent and what it printed.
struct Row<'t> {
    seed: u64,
    /// Of the program's text, so that a change of the generator is noticed.
    hash: u64,
    lines: Vec<&'t str>,
}

fn rows() -> Vec<Row<'static>> {
    let lines = OBSERVED.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let row = |line: &'static str| {
        let (head, printed) = line.split_once(':').expect("a row has a seed and a hash before the colon");
        let (seed, hash) = head.split_once(' ').expect("a row has a seed and a hash");
        Row {
            seed: seed.parse().expect("a seed is a number"),
            hash: u64::from_str_radix(hash, 16).expect("a hash is a hexadecimal number"),
            lines: printed.trim().split("; ").filter(|line| !line.is_empty()).collect(),
        }
    };
    lines.map(row).collect()
}

/// FNV-1a of Fowler, Noll and Vo.
fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

fn system(program: &str) -> System {
    let mut sources = Sources::new();
    sources.add("ag.asl", program);
    sources.add("t.team", TEAM);
    let mut problems = Problems::new();
    let draft = AgentSpeak.read(&sources, &Options::default(), &mut problems);
    let system = draft.and_then(|draft| draft.system(&[], &mut problems));
    system.unwrap_or_else(|| panic!("the agent is well-formed:\n{program}\n{}", problems.lines(&sources)))
}

/// The run of the interpreter: waits are over, and actions answered, before the agent selects an event, as they were there;
/// the answer is heard after that.
fn printed(system: &System) -> Vec<String> {
    let mut states = Vec::new();
    system.model.initial(&mut states);
    let mut state: Box<State> = states.remove(0);
    let mut out = Steps::new(state.len());
    let mut lines = Vec::new();
    let mut take = |state: &mut Box<State>, wanted: &dyn Fn(usize) -> bool| -> Option<String> {
        out.clear();
        system.model.steps(state, &mut out).unwrap_or_else(|fault| panic!("{fault}"));
        let step = out.iter().find(|step| wanted(step.process.index()))?;
        let told = system.words.action(step.action);
        *state = step.branches().next().expect("a step has a branch").target.into();
        Some(told)
    };
    for cycle in 1..=CYCLES {
        for part in ["mail", "revise", "select", "execute"] {
            // The agent is process 0, the environment 1, and the ends of waits come behind.
            match part {
                "select" => while take(&mut state, &|process| process > 1).is_some() {},
                "execute" => while take(&mut state, &|process| process == 1).is_some() {},
                _ => {}
            }
            let told = take(&mut state, &|process| process == 0).expect("an agent can always move");
            if let Some(line) = told.strip_prefix("prints ") {
                lines.push(format!("{cycle} {line}"));
            }
            let action = told.strip_prefix("executes ").filter(|_| part == "execute");
            if let Some(action) = action.filter(|action| *action == "bad" || action.starts_with("go(")) {
                lines.push(format!("{cycle} act {action}"));
            }
        }
    }
    lines
}

#[test]
fn four_hundred_random_agents_print_what_they_print_in_the_interpreter() {
    let rows = rows();
    assert_eq!(rows.len(), 400, "the table is whole");
    let mut wrong = Vec::new();
    for row in &rows {
        let program = agent(row.seed);
        assert_eq!(hash(&program), row.hash, "seed {}: the generator writes another program", row.seed);
        let here = printed(&system(&program));
        if here != row.lines {
            wrong.push(format!("seed {}\n{program}observed {:?}\nhere     {here:?}", row.seed, row.lines));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

#[test]
fn the_table_has_agents_that_fail_wait_and_act() {
    let rows = rows();
    let programs: Vec<String> = rows.iter().map(|row| agent(row.seed)).collect();
    for part in ["-!", "[atomic]", ".fail", ".wait(1)", ".send(ag,", "bad", "-+c(", "+?w(X)", ".succeed_goal"]
    {
        let having = programs.iter().filter(|program| program.contains(part)).count();
        assert!(having >= 40, "{having} of the agents have {part}");
    }
    assert!(rows.iter().filter(|row| row.lines.len() > 5).count() > 200, "most agents do something");
}
