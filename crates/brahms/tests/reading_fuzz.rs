//! Mutated texts and random tokens: whatever is given, parsing ends, does not panic and points into the file.

use motet_brahms::parse::parse;
use motet_source::fuzz::{Corpus, check_linear, check_problems, each_seed};
use motet_source::{Problems, Sources};

const CORPUS: &[&str] = &[
    include_str!("corpus/everything.b"),
    include_str!("corpus/untidy.b"),
    include_str!("corpus/ward.b"),
    include_str!("corpus/wrong/frames.b"),
    include_str!("corpus/wrong/braces.b"),
    include_str!("corpus/wrong/operators.b"),
];

/// Pieces that matter to the grammar.
const PIECES: &str = "agent|group|class|object|area|areadef|path|external agent|conceptual_object|memberof|extends|\
    instanceof|partof|attributes:|relations:|initial_beliefs:|initial_facts:|activities:|workframes:|thoughtframes:|\
    detectables:|variables:|display:|location:|repeat: true;|priority: 3;|workframe w {|thoughtframe t {|detectable d {|\
    primitive_activity a() {|composite_activity c(int i) {|communicate m() {|about: send(|with:|do {|when(|knownval(|\
    known(|not(|and|or|conclude((|bc:|fc: 50|dc:100|detect((|then abort;|whenever|forone(|foreach(|collectall(|delete|\
    current|current.|unknown|true|is|is false|mod|div|public int|private|relation(|java(|map|package|import|jimport|a|b|\
    x.y|x.m(|-|a-b|+|*|/|^|=|!=|<|>|<=|=<|=>|==|&&|?|(|)|{|}|[|]|;|:|,|.|..|1|2.5|1e400|99999999999999999999|3rd|\"text\"|\"|\
    /*|*/|//|\n|é|\u{FFFD}|\u{0}|'|<Sensor>|((";

fn check(text: &str) -> Problems {
    let mut sources = Sources::new();
    let file = sources.add("model.b", text);
    let (_, problems) = parse(file, text);
    check_problems(&problems, &sources);
    problems
}

#[test]
fn mutated_texts_and_random_tokens_never_break_the_parser() {
    let pieces: Vec<&str> = PIECES.split('|').collect();
    let corpus = Corpus { texts: CORPUS, pieces: &pieces };
    each_seed(3_000, |seed, random| {
        check(&if seed % 3 == 0 { corpus.soup(random) } else { corpus.mutant(random) });
    });
}

#[test]
fn a_text_cut_anywhere_is_reported_unless_it_is_cut_between_declarations() {
    let text = CORPUS[2];
    let ends: Vec<usize> = text.match_indices("}\n").map(|(at, _)| at + 1).collect();
    for cut in (0..text.len()).filter(|cut| text.is_char_boundary(*cut)) {
        let part = &text[..cut];
        let open = part.matches('{').count() > part.matches('}').count();
        let problems = check(part);
        assert!(!open || problems.has_errors(), "cut at {cut}");
        assert!(!ends.contains(&cut) || open || problems.is_empty(), "cut at {cut}: {problems:?}");
    }
}

#[test]
fn hostile_shapes_take_a_few_steps_for_each_byte() {
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
    check_linear(&shapes, 100, |text| drop(check(text)));
}
