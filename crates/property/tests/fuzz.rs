//! No text makes the tool panic, overflow the stack, hang or point outside the file: mutations of a corpus, and texts of
//! a megabyte.

mod support;

use motet_property::{Dialect, english, format_file, fragment, lint, parse_formula, print_formula, spin_ltl};
use motet_source::fuzz::Random;
use motet_source::work::steps;
use motet_source::{FileId, Problems};
use support::{check_spans, read_as, rounds, vocabulary, vocabulary_with_agents};

const CORPUS: [&str; 6] = [
    include_str!("corpus/happenings.props"),
    include_str!("corpus/examples.props"),
    include_str!("corpus/definitions.props"),
    include_str!("corpus/vessel.prism.props"),
    include_str!("corpus/lock.spin.props"),
    include_str!("corpus/rescue.psl"),
];

const WORDS: [&str; 58] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "\"",
    "`",
    "//",
    "/*",
    "*/",
    ",",
    ";",
    ":",
    "F",
    "G",
    "U",
    "[]",
    "<>",
    "->",
    "<->",
    "&",
    "||",
    "not ",
    "forall x in ",
    "1..99999999",
    "property x: ",
    "define f(x) = f(x)",
    "expect ",
    "=?",
    "P>=",
    "R{",
    "K[",
    "within ",
    "whenever ",
    "precedes ",
    "after ",
    "9999999999999999999999",
    "/ 0",
    "é∀",
    "\u{0}",
    "dialect spin\n",
    "-",
    "#",
    "Bel ",
    "+-",
    " again",
    "at most once ",
    " at least 3 times",
    "exactly twice ",
    "never more than ",
    " twice",
    "becomes ",
    "each time ",
    " sends b ",
    " from everywhere",
];

fn mutated(random: &mut Random) -> String {
    let text = CORPUS[random.below(CORPUS.len())];
    let mut bytes = text.as_bytes().to_vec();
    let from = random.below(bytes.len());
    let length = 1 + random.below(400);
    bytes = bytes[from..(from + length).min(bytes.len())].to_vec();
    for _ in 0..random.below(6) {
        let at = random.below(bytes.len() + 1);
        match random.below(4) {
            0 => {
                bytes.splice(at..at, WORDS[random.below(WORDS.len())].bytes());
            }
            1 if at < bytes.len() => {
                let end = (at + 1 + random.below(9)).min(bytes.len());
                bytes.drain(at..end);
            }
            2 if at < bytes.len() => bytes[at] = u8::try_from(random.below(128)).expect("it is below 128"),
            _ => {
                let other = CORPUS[random.below(CORPUS.len())].as_bytes();
                let start = random.below(other.len());
                let end = (start + random.below(40)).min(other.len());
                bytes.splice(at..at, other[start..end].iter().copied());
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn survives(text: &str) {
    for dialect in [None, Some(Dialect::Prism), Some(Dialect::Spin), Some(Dialect::Psl)] {
        let mut read = read_as(text, dialect, &vocabulary_with_agents());
        check_spans(&read);
        let mut problems = Problems::new();
        lint(&read.lowered, &vocabulary_with_agents(), motet_model::TimeUnit::Cycles, &mut problems);
        for claim in &read.lowered.claims {
            let _ = fragment(claim);
            let _ = spin_ltl(&claim.formula, &|atom| format!("a{}", atom.0));
            assert!(!english(&claim.formula, &read.lowered.atoms).is_empty());
            assert!(!print_formula(&claim.formula, &read.lowered.atoms).is_empty());
        }
        let printed = format_file(&read.file);
        if !read.problems.has_errors() {
            let again = read_as(&printed, None, &vocabulary());
            assert!(
                !again.problems.has_errors(),
                "{text}\n-->\n{printed}\n{}",
                again.problems.lines(&again.sources)
            );
        }
        read.problems.sort();
        let _ = parse_formula(FileId(0), text, dialect);
    }
}

#[test]
fn mutations_of_the_corpus_are_survived() {
    for seed in 0..rounds(2000) as u64 {
        let text = mutated(&mut Random::new(seed));
        let caught = std::panic::catch_unwind(|| survives(&text));
        assert!(caught.is_ok(), "seed {seed}:\n{text}");
    }
}

/// Steps of reading for each byte of a text. At each of a million parentheses the parser looks as deep as parts may nest, which is
/// 200 levels.
const MOST: u64 = 300;

#[test]
fn a_megabyte_of_anything_is_read_in_a_few_looks_at_each_token() {
    let size = 1 << 20;
    let filled = |start: &str, part: &str| {
        let mut text = start.to_owned();
        while text.len() < size {
            text.push_str(part);
        }
        text
    };
    let texts = [
        filled("property x: ", "("),
        filled("property x: ", "!"),
        filled("property x: ", "F "),
        filled("property x: p", " & p"),
        filled("property x: p", " | q xor r"),
        filled("property x: p", " -> p"),
        filled("property x: p", " U p"),
        filled("property x: p", " + 1"),
        filled("property x: p", ".p"),
        filled("property x: p", "(p"),
        filled("property x: p", "[1]"),
        filled("property x: ", "-"),
        filled("property x: ", "P>=0 [ "),
        filled("property x: ", "F p & ("),
        filled("property x: ", "forall x in {1,2}: "),
        filled("property x: ", "whenever p, "),
        filled("property x: ", "after p, "),
        filled("property x: a believes ", "not "),
        filled("", "property x: F p & q\n"),
        filled("", "property x: always (p -> F q)\n"),
        filled("", "define f(x) = f(x)\n"),
        filled("", "k: B(a, p) & T || ~(\n"),
        filled("", "@@@ \u{1F600} "),
        filled("", "\"label\": P=? [ F a & b ];\n"),
        filled("/*", "*"),
        filled("property x: ", "<"),
        filled("ltl x { ", "[] "),
        filled("x: ", "["),
    ];
    for text in &texts {
        let (looks, ()) = steps(|| check_spans(&read_as(text, None, &vocabulary())));
        assert!(looks > 0 && looks < MOST * text.len() as u64, "{looks} looks for {}...", &text[..30]);
        // A quarter is enough to see that the other dialects are not quadratic either.
        let quarter = text.get(..size / 4).unwrap_or("");
        for dialect in [Dialect::Prism, Dialect::Spin, Dialect::Psl] {
            let (looks, ()) = steps(|| check_spans(&read_as(quarter, Some(dialect), &vocabulary())));
            assert!(looks < MOST * quarter.len() as u64, "{dialect:?}: {looks} looks for {}...", &text[..30]);
        }
    }
}

#[test]
fn formulas_that_explode_are_refused_and_not_built() {
    let mut doubling = String::from("define d0 = p\n");
    for i in 1..60 {
        doubling += &format!("define d{i} = d{} & F (d{})\n", i - 1, i - 1);
    }
    doubling += "property x: d59";
    let nested = "property x: forall a in 1..999: (forall b in 1..999: (forall c in 1..999: p(a, b, c)))";
    let chain: String = (1..2000).map(|i| format!("define c{i} = !c{}\n", i - 1)).collect();
    let long = format!("define c0 = p\n{chain}property x: c1999");
    for (text, code) in [
        (doubling.as_str(), "M0228"),
        (nested, "M0228"),
        ("property x: exists a in 1..999999999999: p(a)", "M0228"),
        (long.as_str(), "M0205"),
    ] {
        let read = read_as(text, None, &vocabulary());
        assert!(
            read.problems.iter().any(|problem| problem.code == code),
            "{}",
            read.problems.lines(&read.sources)
        );
        assert!(read.lowered.claims.is_empty());
    }
}
