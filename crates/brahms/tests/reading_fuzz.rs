//! Mutated texts and random tokens: whatever is given, parsing ends, does not panic and points into the file.

use motet_brahms::parse::parse;
use motet_source::{Problems, Sources, Span};

const CORPUS: &[&str] = &[
    include_str!("corpus/everything.b"),
    include_str!("corpus/untidy.b"),
    include_str!("corpus/ward.b"),
    include_str!("corpus/wrong/frames.b"),
    include_str!("corpus/wrong/braces.b"),
    include_str!("corpus/wrong/operators.b"),
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

/// Pieces that matter to the grammar.
const PIECES: &str = "agent|group|class|object|area|areadef|path|external agent|conceptual_object|memberof|extends|\
    instanceof|partof|attributes:|relations:|initial_beliefs:|initial_facts:|activities:|workframes:|thoughtframes:|\
    detectables:|variables:|display:|location:|repeat: true;|priority: 3;|workframe w {|thoughtframe t {|detectable d {|\
    primitive_activity a() {|composite_activity c(int i) {|communicate m() {|about: send(|with:|do {|when(|knownval(|\
    known(|not(|and|or|conclude((|bc:|fc: 50|dc:100|detect((|then abort;|whenever|forone(|foreach(|collectall(|delete|\
    current|current.|unknown|true|is|is false|mod|div|public int|private|relation(|java(|map|package|import|jimport|a|b|\
    x.y|x.m(|-|a-b|+|*|/|^|=|!=|<|>|<=|=<|=>|==|&&|?|(|)|{|}|[|]|;|:|,|.|..|1|2.5|1e400|99999999999999999999|3rd|\"text\"|\"|\
    /*|*/|//|\n|é|\u{FFFD}|\u{0}|'|<Sensor>|((";

fn pieces() -> Vec<&'static str> {
    PIECES.split('|').collect()
}

fn mutate(text: &str, random: &mut Random) -> String {
    let pieces = pieces();
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
                let piece = pieces[random.below(pieces.len())];
                text.splice(at..at, piece.chars());
            }
            3 => {
                let piece = pieces[random.below(pieces.len())].repeat(1 + random.below(300));
                text.splice(at..at, piece.chars());
            }
            4 => text.truncate(at),
            _ => {
                let other: Vec<char> = CORPUS[random.below(CORPUS.len())].chars().collect();
                let from = random.below(other.len());
                let end = (from + random.below(200)).min(other.len());
                text.splice(at..until, other[from..end].iter().copied());
            }
        }
        text.truncate(20_000);
    }
    text.into_iter().collect()
}

fn soup(random: &mut Random) -> String {
    let pieces = pieces();
    let mut text = String::new();
    for _ in 0..random.below(400) {
        text.push_str(pieces[random.below(pieces.len())]);
        text.push_str([" ", "\n", "", " "][random.below(4)]);
    }
    text
}

fn check(text: &str, seed: u64) -> Problems {
    let mut sources = Sources::new();
    let file = sources.add("model.b", text);
    let (_, problems) = parse(file, text);
    let inside = |span: Span| {
        let (start, end) = (span.start as usize, span.end as usize);
        start <= end && end <= text.len() && text.is_char_boundary(start) && text.is_char_boundary(end)
    };
    for problem in &problems {
        assert!(inside(problem.span), "seed {seed}: {problem:?}");
        assert!(problem.also.iter().all(|(span, _)| inside(*span)), "seed {seed}: {problem:?}");
        assert!(problem.fix.iter().all(|fix| inside(fix.span)), "seed {seed}: {problem:?}");
        assert!(!problem.help.is_empty(), "seed {seed}: {problem:?}");
    }
    problems
}

#[test]
fn mutated_texts_and_random_tokens_never_break_the_parser() {
    #[expect(clippy::disallowed_methods, reason = "a switch for longer searches")]
    let rounds = std::env::var("MOTET_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(3_000);
    for seed in 0..rounds {
        let outcome = std::panic::catch_unwind(|| {
            let mut random = Random(seed);
            let original = CORPUS[random.below(CORPUS.len())];
            let text = if seed % 3 == 0 { soup(&mut random) } else { mutate(original, &mut random) };
            check(&text, seed);
        });
        if let Err(panic) = outcome {
            panic!("seed {seed}: {:?}", panic.downcast_ref::<String>());
        }
    }
}

#[test]
fn a_text_cut_anywhere_is_reported_unless_it_is_cut_between_declarations() {
    let text = CORPUS[2];
    let ends: Vec<usize> = text.match_indices("}\n").map(|(at, _)| at + 1).collect();
    for cut in (0..text.len()).filter(|cut| text.is_char_boundary(*cut)) {
        let part = &text[..cut];
        let open = part.matches('{').count() > part.matches('}').count();
        let problems = check(part, cut as u64);
        assert!(!open || problems.has_errors(), "cut at {cut}");
        assert!(!ends.contains(&cut) || open || problems.is_empty(), "cut at {cut}: {problems:?}");
    }
}

#[test]
fn hostile_shapes_end_quickly() {
    let inside = |part: &str| format!("agent A {{ workframes: workframe w {{ do {{ {part} }} }} }}");
    let shapes = [
        inside(&format!("conclude((x.a = {}1));", "(".repeat(50_000))),
        inside(&format!("conclude((x.a = {}1));", "- ".repeat(50_000))),
        inside(&format!("conclude((x.a = {}1));", "1 + ".repeat(100_000))),
        inside(&format!("conclude((x.a = {}1));", "2 ^ ".repeat(100_000))),
        inside(&format!("conclude((x.a = {}1));", "x.m(".repeat(50_000))),
        inside(&format!("a({}1);", "1, ".repeat(200_000))),
        inside(&"a();".repeat(200_000)),
        inside(&"a()\n".repeat(200_000)),
        format!("agent A {{ activities: {}", "composite_activity c() { activities: ".repeat(50_000)),
        format!("agent A {{ workframes: workframe w {{ when({}", "(knownval(".repeat(50_000)),
        format!("agent A {{ workframes: {}", "workframe w {\n".repeat(50_000)),
        format!("agent A {{ attributes: {}", "relation(".repeat(50_000)),
        format!("agent A memberof {}", "a, ".repeat(100_000)),
        "agent A {\n".repeat(50_000),
        "{".repeat(100_000),
        "}".repeat(100_000),
        "\"\n".repeat(100_000),
        "a-b ".repeat(100_000),
        "a".repeat(1_000_000),
        ".".repeat(100_000),
        "/*".repeat(100_000),
        "agent ".repeat(100_000),
    ];
    for (i, text) in shapes.iter().enumerate() {
        let start = std::time::Instant::now();
        check(text, i as u64);
        assert!(start.elapsed().as_secs() < 5, "shape {i} took {:?}", start.elapsed());
    }
}
