//! Whatever is given to the reader: it says what is wrong, and it ends.

use motet_nets::parse::{parse, parse_expression};
use motet_nets::print::{format, format_source};
use motet_source::fuzz::{Corpus, check_linear, check_problems, each_seed};
use motet_source::{FileId, Sources};

const CORPUS: Corpus<'_> = Corpus {
    texts: &[
        include_str!("texts/station.npn"),
        include_str!("texts/station_aspect.npn"),
        include_str!("texts/bcin.npn"),
        include_str!("texts/bcin_roles.npn"),
        "mediator M from A, B { A.t : T before -> after msg m also x, y; }\nproperty p: always x;",
        "interchangeable enum E = {a};\nagent net N() {\n  goal g : {x | x in 0..3};\n}\n",
    ],
    pieces: &[
        "agent net ",
        "system net ",
        "N() {",
        "}",
        "{",
        "(",
        ")",
        ";",
        ",",
        ":",
        "=",
        "'",
        "->",
        "..",
        ".",
        "!",
        "?",
        "*",
        "-",
        "//",
        "/*",
        "*/",
        "\"",
        "§",
        "\u{0}",
        "\n",
        "enum ",
        "type ",
        "const ",
        "port ",
        "def ",
        "aspect ",
        "advice ",
        "pointcut ",
        "weave ",
        "as ",
        "role ",
        "permits ",
        "starts ",
        "mediator ",
        "from ",
        "operation ",
        "on ",
        "agents ",
        "using ",
        "place ",
        "cell ",
        "transition ",
        "limit ",
        "capacity ",
        "in ",
        "read ",
        "inhib ",
        "out ",
        "when ",
        "pick ",
        "where ",
        "let ",
        "sync ",
        "up ",
        "chan(",
        "alt {",
        "forall ",
        "exists ",
        "if ",
        "then ",
        "else ",
        "not ",
        "and ",
        "new ",
        "with {",
        "set of ",
        "int ",
        "99999999999999999999",
        "0",
        "x",
        "_",
        "2nd",
        "property ",
        "goal ",
        "interchangeable ",
        "[",
        "==",
        "&&",
    ],
};

fn read(text: &str) {
    let mut sources = Sources::new();
    let file = sources.add("m.npn", text);
    let (tree, problems) = parse(file, text);
    check_problems(&problems, &sources);
    let printed = format(&tree);
    if problems.is_empty() {
        let (again, problems) = parse(FileId(0), &printed);
        assert!(problems.is_empty(), "what is printed is right: {problems:?}\n{printed}");
        assert_eq!(format(&again), printed);
        let kept = format_source(file, text).expect("it has no errors");
        let again = format_source(FileId(0), &kept).expect("it has no errors either");
        let differs = kept.lines().zip(again.lines()).find(|(once, twice)| once != twice);
        assert_eq!(differs, None, "formatting again changes nothing");
    }
}

#[test]
fn mutated_models_are_read_or_refused() {
    each_seed(600, |_, random| read(&CORPUS.mutant(random)));
}

#[test]
fn words_in_any_order_are_read_or_refused() {
    each_seed(800, |_, random| read(&CORPUS.soup(random)));
}

#[test]
fn expressions_of_any_words_are_read_or_refused() {
    each_seed(1500, |_, random| {
        let text = CORPUS.soup(random);
        if let Err(problems) = parse_expression(FileId(0), 0, &text) {
            assert!(problems.has_errors(), "{text}");
        }
    });
}

#[test]
fn large_shapes_take_a_few_steps_for_each_byte() {
    let many = |piece: &str| piece.repeat(50_000);
    let inside = |text: String| format!("system net S() {{ transition t {{ {text} }} }}");
    let mut texts = vec![
        many("enum A = {a}; "),
        many("{"),
        many("}"),
        many("agent net N() {"),
        many("aspect A {"),
        many("transition t {"),
        many("property p: {"),
        format!("type T = {}int;", many("set of ")),
        format!("type T = {}", many("(a: ")),
        format!("def d = {}1;", many("1 + ")),
        format!("def d = {}1;", many("not ")),
        format!("def d = {}1;", many("-")),
        format!("def d = x{};", many(".y")),
        format!("def d = {}1;", many("forall x in ")),
        format!("def d = {}1;", many("if ")),
        format!("def d = {{{}1}};", many("1, ")),
    ];
    texts.extend([
        inside(many("alt {")),
        inside(many("in p(x);")),
        inside(many("in p(x) ")),
        inside(format!("in p{};", many("("))),
        inside(many("when ")),
        inside(many("sync up ! ")),
        inside(format!("x{} = 1;", many("'"))),
    ]);
    check_linear(&texts, 100, read);
}
