//! Mutated texts: whatever is given, reading ends, does not panic and points into the files.

use motet_agentspeak::parse::{parse_agent, parse_mas2j, parse_team};
use motet_agentspeak::project::read;
use motet_model::Options;
use motet_source::fuzz::{Corpus, Random, check_linear, check_problems, each_seed};
use motet_source::{FileId, Problems, Sources};

const CORPUS: &[(&str, &str)] = &[
    ("porter.asl", include_str!("corpus/porter.asl")),
    ("guard.asl", include_str!("corpus/guard.asl")),
    ("house.team", include_str!("corpus/house.team")),
    ("house.mas2j", include_str!("corpus/house.mas2j")),
    ("ag1.asl", include_str!("../../../examples/auction/ag1.asl")),
    ("ag2.asl", include_str!("../../../examples/auction/ag2.asl")),
    ("ag3.asl", include_str!("../../../examples/auction/ag3.asl")),
    ("auction.team", include_str!("../../../examples/auction/auction.team")),
];

/// Pieces that matter to one of the grammars.
const PIECES: &[&str] = &[
    ".",
    ";",
    ":",
    "<-",
    ":-",
    "->",
    "+",
    "-",
    "!",
    "?",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "|",
    "&",
    "not ",
    "~",
    "\"",
    "/*",
    "*/",
    "//",
    "\n",
    "@l ",
    ",",
    "..",
    "1..2",
    "99999999999999999999",
    "1e400",
    "-9223372036854775808",
    "_",
    "X",
    "é",
    "\u{0}",
    "if (p) { ",
    "while (p) { ",
    "for (p(X)) { ",
    "else ",
    "env e { ",
    "const K = K ",
    "var v : 0..9 ",
    "either { ",
    "prob { 1/3: { ",
    " or ",
    "all a in agent: ",
    "argmax a in agent: ",
    "agent b * 3 ",
    "trust tell ",
    "stub j.x(-X) in ",
    "MAS m { agents: ",
    "#3",
    ".send(b, tell, p)",
    ".findall(X, p(X), L)",
    "|&|",
    "mod ",
    "**",
    "=..",
    "\\==",
    " when ",
];

fn round(random: &mut Random) {
    let texts: Vec<&str> = CORPUS.iter().map(|(_, text)| *text).collect();
    let (name, original) = random.pick(CORPUS);
    let text = Corpus { texts: &texts, pieces: PIECES }.mutate(original, random);
    let mut sources = Sources::new();
    let file = sources.add(name, text.clone());
    assert_eq!(file, FileId(0));
    for problems in [parse_agent(file, &text).1, parse_team(file, &text).1, parse_mas2j(file, &text).1] {
        check_problems(&problems, &sources);
    }
    let others = if name.starts_with(['a']) { &CORPUS[4..] } else { &CORPUS[..4] };
    for (other, text) in others.iter().filter(|(other, _)| *other != name) {
        sources.add(*other, *text);
    }
    let mode = random.pick(&["strict", "jason"]).to_owned();
    let parameters = [("LAST".to_owned(), random.below(9).to_string())].into();
    let options = Options { mode: Some(mode), parameters, ..Options::default() };
    let mut problems = Problems::new();
    let program = read(&sources, &options, &mut problems);
    assert_eq!(program.is_none(), problems.has_errors());
    check_problems(&problems, &sources);
}

#[test]
fn mutated_texts_never_break_the_reader() {
    each_seed(3_000, |_, random| round(random));
}

#[test]
fn hostile_shapes_take_a_few_steps_for_each_byte() {
    let deep = |open: &str, close: &str, n: usize| format!("{}1{}", open.repeat(n), close.repeat(n));
    let shapes = [
        format!("p({}).", deep("(", ")", 50_000)),
        format!("p({}).", deep("[", "]", 50_000)),
        format!("p({}).", deep("f(", ")", 50_000)),
        format!("+p : {} <- true.", deep("not ", "", 50_000)),
        format!("+p : {} <- true.", "p & ".repeat(100_000) + "p"),
        format!("p({}1).", "1 + ".repeat(100_000)),
        format!("p({}1).", "- ".repeat(100_000)),
        format!("p({}1).", "2 ** ".repeat(100_000)),
        format!("p([{}1]).", "1, ".repeat(100_000)),
        format!("+p <- {}", "if (p) { ".repeat(50_000)),
        format!("+p <- {}", "a; ".repeat(200_000)),
        "{".repeat(100_000),
        ".".repeat(100_000),
        "@".repeat(100_000),
        "+!".repeat(100_000),
        format!("env e {{ {} }}", "action a { either { ".repeat(50_000)),
        format!("env e {{ const A = {}1 }}", "(".repeat(100_000)),
        format!("env e {{ const A = {}1 }}", "1 -> ".repeat(100_000)),
        format!("env e {{ const A = {}true }}", "all a in agent: ".repeat(50_000)),
        format!("env e {{ var v : {} }}", "opt ".repeat(100_000)),
        format!("env e {{ {} }}", "const A = A\n".repeat(50_000)),
        (0..900)
            .map(|i| format!("const a{i} = a{}\n", i + 1))
            .fold("env e {\n".to_owned(), |all, line| all + &line)
            + "}",
        format!("MAS m {{ agents: {} }}", "a #3; ".repeat(50_000)),
    ];
    check_linear(&shapes, 100, |text| {
        let mut sources = Sources::new();
        for path in ["a.asl", "t.team", "t.mas2j"] {
            let file = sources.add(path, text);
            let problems = [parse_agent(file, text).1, parse_team(file, text).1, parse_mas2j(file, text).1];
            problems.iter().for_each(|problems| check_problems(problems, &sources));
        }
        let mut problems = Problems::new();
        read(&sources, &Options::default(), &mut problems);
    });
}
