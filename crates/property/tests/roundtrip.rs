//! Layout keeps meaning: printing and reading again gives the same formulas, and printing twice the same text.

mod support;

use motet_property::{Bound, Dialect, Expect, Unit, format_file, print_formula};
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
        (include_str!("corpus/happenings.props"), None),
        (include_str!("corpus/vessel.prism.props"), Some(Dialect::Prism)),
        (include_str!("corpus/lock.spin.props"), None),
        (include_str!("corpus/rescue.psl"), Some(Dialect::Psl)),
    ] {
        assert!(keeps_meaning(text, dialect), "{text}");
    }
}

#[test]
fn questions_for_a_time_keep_their_words() {
    let text = "query a: max time to (p & q)\nquery b \"w\": min time from (p) to ((q)) expect = 4 min 20 s\n\
                query c: max time to (x = 1) expect in [1 h, 2 h]\nquery d: min time to (p) expect = infinity\n\
                query e: max time to (p) expect < 12 cycles";
    assert!(keeps_meaning(text, None));
    let read = read(text);
    assert!(format_file(&read.file).contains("min time from (p) to (q) expect = 4 min 20 s"));
    let bound = |amount, unit, strict| Some(Bound { amount, unit: Some(unit), strict });
    let expects: Vec<&Expect> = read.lowered.claims.iter().map(|claim| &claim.expect).collect();
    let exact = bound(260_000, Unit::Clock, false);
    assert_eq!(*expects[1], Expect::Time(exact.clone(), exact));
    assert_eq!(*expects[4], Expect::Time(None, bound(12, Unit::Cycles, true)));
    assert_eq!(*expects[3], Expect::Value(Some("inf".to_owned()), None));
}

/// `max`, `time`, `once` and the others are names wherever they are used as such.
#[test]
fn words_of_time_are_still_names() {
    for text in
        ["max = 1", "time.to < 3", "F max", "once & previously", "once(a, b)", "Bel(a, once(x))", "since.p"]
    {
        let read = read(&format!("property x: {text}"));
        assert!(!read.problems.has_errors(), "{text}\n{}", read.problems.lines(&read.sources));
    }
    let read = read("define once(p) = F p\nproperty x: once(q)");
    assert_eq!(print_formula(&read.lowered.claims[0].formula, &read.lowered.atoms), "F (q)");
}

#[test]
fn a_compared_time_is_a_claim_with_a_bound() {
    let meaning = |text: &str| {
        let read = read(text);
        assert!(!read.problems.has_errors(), "{text}\n{}", read.problems.lines(&read.sources));
        print_formula(&read.lowered.claims[0].formula, &read.lowered.atoms)
    };
    for (text, expected) in [
        ("property x: max time to (p) <= 4 min", "F<=240s (p)"),
        ("property x: 4 min > max time to (p)", "F<240s (p)"),
        ("property x: (min time to (p) >= 4 min)", "G<240s (!(p))"),
        ("property x: min time to (p) > 4 min", "G<=240s (!(p))"),
        ("possible x: min time to (p) < 4 min", "F<240s (p)"),
        ("possible x: max time to (p) >= 3 firings", "G<3 firings (!(p))"),
        (
            "property x: max time from (a) to (p) <= 2 cycles",
            "((a) -> (F<=2 cycles (p))) & (G ((!(a)) -> ((!(a)) W ((a) & (F<=2 cycles (p))))))",
        ),
    ] {
        assert_eq!(meaning(text), expected, "{text}");
    }
    for (text, code) in [
        ("property x: min time to (p) <= 4 min", "M0260"),
        ("possible x: max time to (p) <= 4 min", "M0260"),
        ("property x: max time to (p) = 4 min", "M0260"),
        ("property x: q & max time to (p) <= 4 min", "M0260"),
        ("property x: max time to (p) <= min time to (q)", "M0260"),
        ("property x: max time to (p)", "M0231"),
        ("query x: max time to (F p)", "M0227"),
        ("query x: max time to (p) expect = 4", "M0261"),
        ("property x: A [ F once(p) ]", "M0262"),
        ("property x: K[a](once(p))", "M0262"),
        ("property x: P>=0.5 [ F (p since q) ]", "M0262"),
        ("property x: once(F p)", "M0227"),
        ("property x: p since<=4min q", "M0230"),
        ("property x: p since q since r", "M0212"),
    ] {
        let read = read(text);
        let codes: Vec<&str> = read.problems.iter().map(|problem| problem.code).collect();
        assert!(codes.contains(&code), "{text}: {codes:?}");
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

const ATOMS: [&str; 33] = [
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
    "once(p)",
    "historically(p | q(x, 1))",
    "previously(once(p))",
    "(p since r.s)",
    "held(p since q) <= 3 steps",
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
