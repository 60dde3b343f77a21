//! A claim about an AgentSpeak team has the same verdict without the agents, steps, variables and percepts that cannot
//! influence it.

use std::fmt::Write as _;

use motet_agentspeak::AgentSpeak;
use motet_evidence::{Fairness, Verdict};
use motet_model::{Language as _, Options, Vocabulary};
use motet_source::fuzz::Random;
use motet_source::{Problems, Sources};
use motet_suite::agreement::{Compared, compare_random};
use motet_suite::generate::{self, dice};
use motet_suite::sliced::both;
use motet_workbench::{Loaded, Project, load};

/// Random teams in a usual test run; `MOTET_ROUNDS` widens it.
const ROUNDS: u64 = 150;
/// Claims about each.
const CLAIMS: usize = 12;

fn read(files: &[(String, String)]) -> Loaded {
    let mut sources = Sources::new();
    files.iter().for_each(|(name, text)| {
        sources.add(name.clone(), text.clone());
    });
    let loaded = load(Project { path: "team".to_owned(), sources, ..Project::default() });
    assert!(loaded.ready.is_some(), "{}\n{files:#?}", loaded.problems.lines(&loaded.sources));
    loaded
}

fn vocabulary(files: &[(String, String)]) -> Vocabulary {
    let mut sources = Sources::new();
    files.iter().for_each(|(name, text)| {
        sources.add(name.clone(), text.clone());
    });
    let mut problems = Problems::new();
    let draft = AgentSpeak.read(&sources, &Options::default(), &mut problems);
    draft.unwrap_or_else(|| panic!("{}\n{files:#?}", problems.lines(&sources))).vocabulary().clone()
}

/// Verdicts, or how one claim differs. What the whole team does not answer is not compared: a bound that only members exceed
/// who are left out is not met in the slice (`spec/agentspeak/slices.md`).
fn same(files: &[(String, String)], fairness: Option<Fairness>) -> Compared {
    let loaded = read(files);
    let (whole, sliced) = both(&loaded, fairness, 4_000);
    let (mut holds, mut others, mut smaller) = (0, 0, 0);
    for (one, other) in whole.claims.iter().zip(&sliced.claims) {
        let (verdict, without) = (&one.outcome.verdict, &other.outcome.verdict);
        if matches!(verdict, Verdict::Unknown(_)) {
            continue;
        }
        let same = match (verdict, without) {
            (Verdict::Value { low, high }, Verdict::Value { low: below, high: above }) => {
                low.max(*below) <= high.min(*above) + 1e-9
            }
            _ => verdict == without,
        };
        if !same || one.vacuous() != other.vacuous() {
            let name = &one.name;
            let texts: Vec<&str> = files.iter().map(|(_, text)| text.as_str()).collect();
            let left_out = other.left_out.join(", ");
            let texts = texts.join("\n---\n");
            return Some(Err(format!(
                "{name}, {fairness:?}: {verdict:?}, but {without:?} without {left_out}\n{texts}"
            )));
        }
        smaller += usize::from(!other.left_out.is_empty());
        holds += usize::from(*verdict == Verdict::Holds);
        others += usize::from(*verdict != Verdict::Holds);
    }
    // Only teams from which something is left out are counted.
    (smaller > 0).then_some(Ok((holds, others)))
}

#[test]
fn random_members_that_cannot_influence_a_claim_are_left_out() {
    compare_random(ROUNDS, |seed| {
        let mut dice = dice(seed ^ 0xa51c);
        let fairness = *dice.one(&[None, None, Some(Fairness::None), Some(Fairness::Strong)]);
        let mut files = loose_team(&mut dice);
        if seed.is_multiple_of(3) {
            files = generate::with_waits(files, seed);
        }
        let claims = claims(&mut dice, &vocabulary(&files));
        files.push(("claims.props".to_owned(), claims));
        same(&files, fairness)
    });
}

#[test]
fn teams_whose_members_depend_on_each_other_have_the_same_verdicts_sliced() {
    compare_random(ROUNDS / 5, |seed| {
        let mut files = generate::team(seed);
        if seed.is_multiple_of(2) {
            files = generate::with_waits(files, seed);
        }
        let claims = generate::claims(seed, &vocabulary(&files), 4);
        files.push(("claims.props".to_owned(), claims));
        same(&files, None)
    });
}

const AGENTS: [&str; 3] = ["one", "two", "three"];

/// Two or three agents that share a few things only.
fn loose_team(dice: &mut Random) -> Vec<(String, String)> {
    let agents = &AGENTS[..2 + usize::from(dice.chance(35))];
    let jason = dice.chance(50);
    let mut team = format!("team loose\nmode {}\n", if jason { "jason" } else { "strict" });
    agents.iter().for_each(|agent| {
        let _ = writeln!(team, "agent {agent}");
    });
    team.push_str("bound events = 6\nbound intentions = 6\nbound actions = 4\nbound messages = 4\n");
    environment(dice, &mut team);
    let mut files = vec![("loose.team".to_owned(), team)];
    for &agent in agents {
        files.push((format!("{agent}.asl"), program(dice, agents, agent, jason)));
    }
    files
}

fn environment(dice: &mut Random, team: &mut String) {
    team.push_str(
        "env loose {\n  var a : 0..2 = 0\n  var b : 0..2 = 0\n  var c : 0..2 = 0\n  var f : bool\n",
    );
    team.push_str("  var at[agent] : 0..2 = 0\n  percept start\n");
    for _ in 0..1 + dice.below(3) {
        team.push_str(dice.pick(&[
            "  percept to one: a(a)\n",
            "  percept to two: b(b)\n",
            "  percept a(a)\n",
            "  percept b(c) when f\n",
            "  percept to me: at(at[me])\n",
            "  percept for v in agent: seen(v) when at[v] == 1\n",
            "  percept to one: c(count v in agent: at[v] > 0)\n",
        ]));
    }
    team.push_str(dice.pick(&[
        "  action inc { a := (a + 1) % 3 }\n",
        "  action inc by one { a := (a + 1) % 3; c := 1 }\n  action inc { b := (b + 1) % 3; c := 2 }\n",
        "  action inc when f { a := 1 }\n  action inc { c := (c + 1) % 3 }\n",
    ]));
    team.push_str(dice.pick(&[
        "  action set(k) by me { at[me] := k; c := k }\n",
        "  action set(k) by me when not f { at[me] := k }\n",
        "  action set(1) by me { at[me] := 1 }\n  action set(k) { either { b := k } or { c := at[one] } }\n",
        "  action set(k) by me { if at[me] == k { at := 0 } else { at[me] := k } }\n",
    ]));
    team.push_str(dice.pick(&[
        "  action flip { f := not f }\n",
        "  action flip when a == 1 { f := true }\n",
        "  action flip by two { prob { 0.5: { f := true }, 0.5: { c := 1 } } }\n  action flip { c := 0 }\n",
    ]));
    if dice.chance(40) {
        team.push_str(dice.pick(&[
            "  step drift when b < 2 { b := b + 1 }\n",
            "  step drift { either { c := 0 } or { c := 2; a := 1 } }\n",
            "  step drift when f { f := false }\n",
            "  step drift when at[two] > 0 { a := 2 }\n",
            "  step drift { c := (c + 1) % 3 }\n",
        ]));
    }
    if dice.chance(40) {
        team.push_str(dice.pick(&[
            "  react when a == 2 { b := 1; a := 0 }\n",
            "  react when c == 0 { c := 1 }\n",
            "  react when f and at[two] > 0 { at[one] := 2; f := false }\n",
        ]));
    }
    team.push_str("}\n");
}

fn program(dice: &mut Random, agents: &[&str], own: &str, jason: bool) -> String {
    let mut text = String::new();
    if jason && dice.chance(30) {
        text.push_str("busy :- a(1).\n");
    }
    let _ = writeln!(text, "+start <- {}.", body(dice, agents, own, jason));
    for trigger in ["+a(1)", "+b(X)", "+at(1)", "+seen(one)", "+m(1)", "+!g", "-a(0)"] {
        if dice.chance(25) {
            let context = match jason {
                true => dice.pick(&["", "", " : p(1)", " : not busy", " : at(0)", " : not m(1)"]),
                false => dice.pick(&["", "", " : p(1)", " : not(b(1))"]),
            };
            let _ = writeln!(text, "{trigger}{context} <- {}.", body(dice, agents, own, jason));
        }
    }
    text
}

fn body(dice: &mut Random, agents: &[&str], own: &str, jason: bool) -> String {
    let mut formulas = Vec::new();
    for _ in 0..1 + dice.below(2) {
        formulas.push(match dice.below(if jason { 17 } else { 14 }) {
            0..2 => "inc".to_owned(),
            2..4 => format!("set({})", dice.below(3)),
            4..6 => "flip".to_owned(),
            6..9 => format!("+p({})", dice.below(2)),
            9 | 10 => "-p(1)".to_owned(),
            11 => {
                let to = dice.one(agents);
                let force = dice.pick(&["tell, m(1)", "achieve, g", "untell, m(1)"]);
                format!(".send({}, {force})", if to == &own { &agents[0] } else { to })
            }
            12 => "?p(1)".to_owned(),
            13 => "!g".to_owned(),
            14 if dice.chance(40) => ".broadcast(tell, m(1))".to_owned(),
            15 => ".my_name(X); set(X)".to_owned(),
            _ => "if (a(1)) { inc } else { -p(0) }".to_owned(),
        });
    }
    formulas.join("; ")
}

fn claims(dice: &mut Random, vocabulary: &Vocabulary) -> String {
    let mut text = String::new();
    for number in 0..CLAIMS {
        let (one, two) = (atom(dice, vocabulary), atom(dice, vocabulary));
        let claim = match dice.below(14) {
            0 | 1 => format!("possible C{number}: {one}"),
            2 => format!("possible C{number}: {one} && {two}"),
            3 => format!("property C{number}: [] ({one} -> <> {two})"),
            4 | 5 => format!("property C{number}: <> ({one})"),
            6 => format!("property C{number}: [] ({one})"),
            7 => format!("property C{number}: <> [] (!{one})"),
            8 => format!("property C{number}: [] <> ({one} || !{two})"),
            9 => format!("property C{number}: ((!{one}) U {two})"),
            10 => format!("property C{number}: ([] (!{one})) || (<> ({two} && <> (!{one})))"),
            11 => format!("property C{number}: [] ({one} -> X {one})"),
            12 => format!("query C{number}: Pmax=? [ F ({one}) ]"),
            _ => format!("property C{number}: ({one}) R (!{two})"),
        };
        text.push_str(&claim);
        text.push('\n');
    }
    text
}

fn atom(dice: &mut Random, vocabulary: &Vocabulary) -> String {
    let agent = dice.one(&vocabulary.agents).clone();
    let number = dice.below(3);
    let (title, kind) = match dice.below(12) {
        0..4 => (format!("beliefs of {agent}"), "Bel"),
        4 => (format!("goals of {agent}"), dice.pick(&["Des", "Int"])),
        5 => (format!("actions of {agent}"), dice.pick(&["Does", "Did"])),
        6 => ("percepts".to_owned(), ""),
        7 => return format!("({} = {number})", dice.pick(&["a", "b", "c"])),
        8 => return "f".to_owned(),
        9 => return format!("(at[{agent}] = a)"),
        _ => return format!("(at[{agent}] = {number})"),
    };
    let words = vocabulary.groups.iter().find(|(known, words)| *known == title && !words.is_empty());
    let Some((_, words)) = words else { return "(a = 1)".to_owned() };
    let filled = if dice.chance(70) { dice.one(words).replace('_', "1") } else { dice.one(words).clone() };
    if kind.is_empty() { filled } else { format!("{kind}({agent}, {filled})") }
}
