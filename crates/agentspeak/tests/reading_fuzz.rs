//! Mutated texts: whatever is given, reading ends, does not panic and points into the files.

use motet_agentspeak::parse::{parse_agent, parse_mas2j, parse_team};
use motet_agentspeak::project::read;
use motet_model::Options;
use motet_source::{FileId, Problems, Sources, Span};

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

/// Splitmix64: small, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % (limit.max(1) as u64)).expect("less than the limit")
    }
}

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

fn mutate(text: &str, random: &mut Random) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(6) {
        let at = random.below(text.len() + 1);
        let until = (at + random.below(30)).min(text.len());
        match random.below(6) {
            0 => {
                text.drain(at..until);
            }
            1 => {
                let piece: Vec<char> = text[at..until].to_vec();
                let to = random.below(text.len() + 1);
                text.splice(to..to, piece);
            }
            2 => {
                let piece = PIECES[random.below(PIECES.len())];
                text.splice(at..at, piece.chars());
            }
            3 => {
                let piece = PIECES[random.below(PIECES.len())].repeat(1 + random.below(300));
                text.splice(at..at, piece.chars());
            }
            4 => text.truncate(at),
            _ => {
                let other: Vec<char> = CORPUS[random.below(CORPUS.len())].1.chars().collect();
                let from = random.below(other.len());
                let end = (from + random.below(200)).min(other.len());
                text.splice(at..until, other[from..end].iter().copied());
            }
        }
        text.truncate(20_000);
    }
    text.into_iter().collect()
}

fn check_spans(problems: &Problems, sources: &Sources, seed: u64) {
    let inside = |span: Span| {
        let text = &sources.file(span.file).text;
        let (start, end) = (span.start as usize, span.end as usize);
        start <= end && end <= text.len() && text.is_char_boundary(start) && text.is_char_boundary(end)
    };
    for problem in problems {
        assert!(inside(problem.span), "seed {seed}: {problem:?}");
        assert!(problem.also.iter().all(|(span, _)| inside(*span)), "seed {seed}: {problem:?}");
        assert!(!problem.help.is_empty(), "seed {seed}: {problem:?}");
    }
}

fn round(seed: u64) {
    let mut random = Random(seed);
    let (name, original) = CORPUS[random.below(CORPUS.len())];
    let text = mutate(original, &mut random);
    let mut sources = Sources::new();
    let file = sources.add(name, text.clone());
    assert_eq!(file, FileId(0));
    for problems in [parse_agent(file, &text).1, parse_team(file, &text).1, parse_mas2j(file, &text).1] {
        check_spans(&problems, &sources, seed);
    }
    let others = if name.starts_with(['a']) { &CORPUS[4..] } else { &CORPUS[..4] };
    for (other, text) in others.iter().filter(|(other, _)| *other != name) {
        sources.add(*other, *text);
    }
    let mode = ["strict", "jason"][random.below(2)].to_owned();
    let parameters = [("LAST".to_owned(), random.below(9).to_string())].into();
    let options = Options { mode: Some(mode), parameters, ..Options::default() };
    let mut problems = Problems::new();
    let program = read(&sources, &options, &mut problems);
    assert_eq!(program.is_none(), problems.has_errors(), "seed {seed}");
    check_spans(&problems, &sources, seed);
}

#[test]
fn mutated_texts_never_break_the_reader() {
    #[expect(clippy::disallowed_methods, reason = "a switch for longer searches")]
    let rounds = std::env::var("MOTET_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(3_000);
    for seed in 0..rounds {
        if let Err(panic) = std::panic::catch_unwind(|| round(seed)) {
            panic!("seed {seed}: {:?}", panic.downcast_ref::<String>());
        }
    }
}

#[test]
fn hostile_shapes_end_quickly() {
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
    for (i, text) in shapes.iter().enumerate() {
        let start = std::time::Instant::now();
        let mut sources = Sources::new();
        for (path, text) in [("a.asl", text.as_str()), ("t.team", text), ("t.mas2j", text)] {
            let file = sources.add(path, text);
            let problems = [parse_agent(file, text).1, parse_team(file, text).1, parse_mas2j(file, text).1];
            problems.iter().for_each(|problems| check_spans(problems, &sources, 0));
        }
        let mut problems = Problems::new();
        read(&sources, &Options::default(), &mut problems);
        assert!(start.elapsed().as_secs() < 5, "shape {i} took {:?}", start.elapsed());
    }
}
