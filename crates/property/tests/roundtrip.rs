//! Layout keeps meaning: printing and reading again gives the same formulas, and printing twice the same text.

mod support;

use motet_property::{Dialect, format_file, print_formula};
use motet_source::fuzz::Random;
use support::{Read, read, read_as, rounds, vocabulary};

fn formulas(read: &Read) -> Vec<String> {
    let claims = &read.lowered.claims;
    claims
        .iter()
        .map(|claim| {
            format!(
                "{} {:?} {:?} {}",
                claim.name,
                claim.kind,
                claim.expect,
                print_formula(&claim.formula, &read.lowered.atoms)
            )
        })
        .collect()
}

/// Checks one file; false when it has errors, so nothing is promised.
fn keeps_meaning(text: &str, dialect: Option<Dialect>) -> bool {
    let first = read_as(text, dialect, &vocabulary());
    if first.problems.has_errors() {
        return false;
    }
    let printed = format_file(&first.file);
    let second = read(&printed);
    assert!(
        !second.problems.has_errors(),
        "{text}\n-->\n{printed}\n{}",
        second.problems.lines(&second.sources)
    );
    assert_eq!(formulas(&first), formulas(&second), "{text}\n-->\n{printed}");
    assert_eq!(printed, format_file(&second.file), "from\n{text}");
    // The fully parenthesised form reads back as the same formula, too.
    for claim in &first.lowered.claims {
        let whole = print_formula(&claim.formula, &first.lowered.atoms);
        let word = if claim.kind == motet_property::Kind::Query { "query" } else { "property" };
        let again = read(&format!("{word} x: {whole}"));
        assert!(!again.problems.has_errors(), "{whole}\n{}", again.problems.lines(&again.sources));
        assert_eq!(print_formula(&again.lowered.claims[0].formula, &again.lowered.atoms), whole);
    }
    true
}

#[test]
fn the_corpus_keeps_its_meaning_in_canonical_form() {
    for (text, dialect) in [
        (include_str!("corpus/examples.props"), None),
        (include_str!("corpus/definitions.props"), None),
        (include_str!("corpus/vessel.prism.props"), Some(Dialect::Prism)),
        (include_str!("corpus/lock.spin.props"), None),
        (include_str!("corpus/rescue.psl"), Some(Dialect::Psl)),
    ] {
        assert!(keeps_meaning(text, dialect), "{text}");
    }
}

#[test]
fn comments_and_blank_lines_are_kept() {
    let text = "// head\n\n\n// second\nproperty a :\n  // inner\n  F  p   // behind\n\n\nproperty b: /* mid */ q;\n// tail";
    let expected =
        "// head\n\n// second\n// inner\nproperty a: F p  // behind\n\n/* mid */\nproperty b: q\n// tail\n";
    assert_eq!(format_file(&read(text).file), expected);
}

#[test]
fn other_dialects_are_rewritten_with_parentheses() {
    let rewrite = |text: &str, dialect| format_file(&read_as(text, Some(dialect), &vocabulary()).file);
    assert_eq!(rewrite("P=? [ F a & b ]", Dialect::Prism), "query property_1: P=? [ F (a & b) ]\n");
    assert_eq!(
        rewrite("P=? [ a & b U<=9 c => d ]", Dialect::Prism),
        "query property_1: P=? [ (a & b) U<=9 steps (c -> d) ]\n"
    );
    assert_eq!(rewrite("<> a && b -> c -> d", Dialect::Spin), "property ltl_0: ((F a) & b -> c) -> d\n");
    assert_eq!(rewrite("x: B(a, p) & T || F", Dialect::Psl), "property x: Bel(a, p) & (true | false)\n");
}

const ATOMS: [&str; 28] = [
    "p",
    "q(x, 1)",
    "r.s",
    "x + 1 <= 2 * y",
    "a believes p",
    "Bel(b, not q & r)",
    "now < 3 min",
    "1 <= x < 5",
    "x in {a, b}",
    "<u, _> in Place",
    "#Place = 0",
    "deadlock",
    "true",
    "\"Sea is high\"",
    "`until`",
    "`a-b`",
    "a has no belief about x.y",
    "Robot tells Bob hello",
    "held(p & q) >= 2 h",
    "x[3] = -1",
    "f([a, b], [])",
    "K[a](p)",
    "DK[{a, b}](p | q)",
    "a knows (p)",
    "P>=0.5 [ F p ]",
    "A [ p U q ]",
    "x in 1..3",
    "Did(a, go)",
];

/// A random formula as text, more or less in parentheses.
fn text(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return ATOMS[random.below(ATOMS.len())].to_owned();
    }
    let side = |random: &mut Random| {
        let less = 1 + random.below(depth);
        let part = text(random, depth - less);
        if random.chance(70) { format!("({part})") } else { part }
    };
    match random.below(14) {
        0 => format!("!{}", side(random)),
        1 => format!("not {}", side(random)),
        2 => {
            let word = ["F", "G", "X", "[]", "<>", "always", "eventually", "never", "next"][random.below(9)];
            format!("{word} {}", side(random))
        }
        3 => {
            let word = [
                "F<=4min",
                "G<3 steps",
                "F[1 h, 2 h]",
                "always for 1 h 30 min",
                "G>=2 cycles",
                "within 5 s",
                "for T",
            ][random.below(7)];
            format!("{word} {}", side(random))
        }
        4 | 5 => format!(
            "{} {} {}",
            side(random),
            ["U", "W", "R", "until", "unless", "U<=3 s"][random.below(6)],
            side(random)
        ),
        6..=8 => format!(
            "{} {} {}",
            side(random),
            ["&", "|", "and", "or", "xor", "&&", "||"][random.below(7)],
            side(random)
        ),
        9 => format!("{} {} {}", side(random), ["->", "implies", "=>"][random.below(3)], side(random)),
        10 => format!("{} {} {}", side(random), ["<->", "iff"][random.below(2)], side(random)),
        11 => {
            let domain = ["Nurse", "{a, b}", "1..3"][random.below(3)];
            let word = ["forall", "exists"][random.below(2)];
            format!("({word} x in {domain}: {})", side(random))
        }
        12 => format!(
            "(whenever {}, {} {})",
            side(random),
            ["eventually", "within 3 s,", "immediately", "after T"][random.below(4)],
            side(random)
        ),
        _ => format!("({} precedes {})", side(random), side(random)),
    }
}

#[test]
fn random_formulas_keep_their_meaning() {
    let mut n_kept = 0;
    let n = rounds(1500);
    for seed in 0..n as u64 {
        let mut random = Random::new(seed);
        let depth = 1 + random.below(4);
        let scope = ["", "", "", "after p, ", "before (p & q), ", "while s, ", "between q and x = 1, "]
            [random.below(7)];
        let file = format!("const T = 3 min\nproperty x: {scope}{}", text(&mut random, depth));
        if keeps_meaning(&file, None) {
            n_kept += 1;
        }
    }
    assert!(n_kept * 3 > n, "only {n_kept} of {n} formulas were readable: the generator is broken");
}

#[test]
fn random_formulas_of_other_dialects_keep_their_meaning() {
    let atoms = ["a", "b", "c=1", "(x+1>2)"];
    for seed in 0..rounds(600) as u64 {
        let mut random = Random::new(seed);
        let (dialect, prefix, infix): (_, &[&str], &[&str]) = if random.chance(50) {
            (Dialect::Spin, &["[]", "<>", "!", "X"], &["&&", "||", "->", "<->", "U", "V", "W"])
        } else {
            (Dialect::Prism, &["G", "F<=3", "!", "X", "F"], &["&", "|", "=>", "<=>"])
        };
        let mut text = String::new();
        for i in 0..=random.below(5) {
            if i > 0 {
                text += &format!(" {} ", infix[random.below(infix.len())]);
            }
            for _ in 0..random.below(3) {
                text += &format!("{} ", prefix[random.below(prefix.len())]);
            }
            text += atoms[random.below(atoms.len())];
        }
        assert!(keeps_meaning(&text, Some(dialect)), "seed {seed}: {text}");
    }
}
