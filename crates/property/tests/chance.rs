//! Claims about chance: filters, PRISM property files and their results, bounds with names, expectations.

mod support;

use std::collections::BTreeMap;

use motet_property::{
    Dialect, Expect, Kind, format_file, looks_like_prism, lower, lower_each, parse, print_formula,
};
use motet_source::{FileId, Problems};
use support::{Read, formula, read, read_as, vocabulary};

fn prism(text: &str) -> Read {
    let read = read_as(text, Some(Dialect::Prism), &vocabulary());
    assert!(!read.problems.has_errors(), "{}", read.problems.lines(&read.sources));
    read
}

fn printed(read: &Read, claim: usize) -> String {
    print_formula(&read.lowered.claims[claim].formula, &read.lowered.atoms)
}

#[test]
fn filters_are_read_in_both_dialects() {
    for dialect in [Dialect::Motet, Dialect::Prism] {
        let item = if dialect == Dialect::Motet { "query q: " } else { "\"q\": " };
        for (text, wanted) in [
            ("filter(max, P=? [ F a ], b & c)", "filter(max, P=? [ F (a) ], (b) & (c))"),
            ("filter(printall, P=? [ F a ])", "filter(print, P=? [ F (a) ], true)"),
            ("filter(+, R{\"r\"}=? [ C<=3 steps ], b)", "filter(sum, R{\"r\"}=? [ C<=3 steps ], b)"),
            ("filter(count, P>=1 [ F a ], b)", "filter(count, P>=1 [ F (a) ], b)"),
            ("filter(state, a, b)", "filter(state, a, b)"),
        ] {
            let text = if dialect == Dialect::Prism { text.replace(" steps", "") } else { text.to_owned() };
            let read = read_as(&format!("{item}{text}"), Some(dialect), &vocabulary());
            assert!(!read.problems.has_errors(), "{text}: {}", read.problems.lines(&read.sources));
            assert_eq!(printed(&read, 0), wanted);
            assert_eq!(read.lowered.claims[0].kind, Kind::Query);
        }
    }
}

#[test]
fn a_filter_that_is_true_or_false_is_a_property_and_others_ask_for_a_number() {
    assert_eq!(formula("filter(forall, P>=0.5 [ F a ], b)"), "filter(forall, P>=0.5 [ F (a) ], b)");
    for text in [
        "property x: filter(max, P=? [ F a ], b)",
        "query x: filter(exists, P>0 [ F a ], b)",
        "query x: filter(min, a, b)",
        "query x: filter(min, P=? [ F a ], P=? [ F b ])",
    ] {
        let codes: Vec<&str> = read(text).problems.iter().map(|problem| problem.code).collect();
        assert_eq!(codes, ["M0231"], "{text}");
    }
    assert!(read("query x: filter(argmax, P=? [ F a ], b)").problems.iter().any(|p| p.code == "M0216"));
}

#[test]
fn the_long_run_has_a_least_and_a_greatest_share_and_its_letters_may_be_names() {
    for (text, wanted) in [
        ("query q: Smin=? [ a ]", "Smin=? [ a ]"),
        ("query q: S max =? [ a ]", "Smax=? [ a ]"),
        ("property q: Smax<0.5 [ a & b ]", "Smax<0.5 [ (a) & (b) ]"),
        ("property q: Smin > 1", "`Smin` > 1"),
    ] {
        let file = read(text);
        assert!(!file.problems.has_errors(), "{text}: {}", file.problems.lines(&file.sources));
        assert_eq!(printed(&file, 0), wanted);
    }
    let file = read("query q: Smax=? [ a ]");
    let told = motet_property::english(&file.lowered.claims[0].formula, &file.lowered.atoms);
    assert_eq!(told, "the greatest long-run share of time in which a");
}

#[test]
fn a_name_may_be_counted_and_a_compared_name_is_no_unit() {
    assert_eq!(formula("P>=0.5 [ F<=(2*3) steps (a) ]"), "P>=0.5 [ F<=6 steps (a) ]");
    let text = "const N = 7\nquery q: P=? [ F<=N cycles \"Mission complete\" ]";
    let file = read(text);
    assert_eq!(printed(&file, 0), "P=? [ F<=7 cycles (\"Mission complete\") ]");
    assert_eq!(format_file(&file.file), "const N = 7\nquery q: P=? [ F<=N cycles (\"Mission complete\") ]\n");
    // `s` is a variable of nearly every textbook model, and a second.
    let file = read("query q: P=? [ F<=10 s=7 ]");
    assert_eq!(printed(&file, 0), "P=? [ F<=10 (s = 7) ]");
}

#[test]
fn comments_with_results_are_what_the_author_expects() {
    let read = prism(
        "const int N = 5;\n// RESULT: 1/6\n\"one\": P=? [ F s=7 ];\n// RESULT: true\nP>=0.9 [ F s=7 ];\n\
         // RESULT (N=4): 0.25\n// RESULT (N=5): 0.5\n\"n\": P=? [ F<=N s=7 ];\n// RESULT: Infinity\nR=? [ F s=9 ];\n\
         // a remark\nP=? [ F s=1 ];\n// RESULT: 0.16666650772094727\nP=? [ F s=2 ];\n// RESULT: Error:no\nP=? [ X s=2 ];",
    );
    let value = |low: &str, high: &str| Expect::Value(Some(low.to_owned()), Some(high.to_owned()));
    let expects: Vec<Expect> = read.lowered.claims.iter().map(|claim| claim.expect.clone()).collect();
    assert_eq!(expects[0], value("1/6", "1/6"));
    assert_eq!(expects[1], Expect::Holds);
    assert_eq!(expects[2], value("0.499995", "0.500005"));
    assert_eq!(expects[3], Expect::Value(Some("inf".to_owned()), None));
    assert_eq!((&expects[4], &expects[6]), (&Expect::Nothing, &Expect::Nothing));
    // All digits are kept; PRISM compares with a relative error of a hundred-thousandth.
    assert_eq!(expects[5], value("0.16666450772094727", "0.16666850772094727"));
    let other = [("N".to_owned(), "4".to_owned())].into_iter().collect();
    let lowered = lower(&read.file, &vocabulary(), &other, &mut Problems::new());
    assert_eq!(lowered.claims[2].expect, value("0.249997", "0.250003"));
}

#[test]
fn results_follow_a_property_that_another_one_refers_to() {
    let read = prism("// RESULT: true\n\"a\": P>=1 [ F x=1 ];\n// RESULT: false\n\"b\": \"a\" & false;");
    let expects: Vec<&Expect> = read.lowered.claims.iter().map(|claim| &claim.expect).collect();
    assert_eq!(expects, [&Expect::Holds, &Expect::Fails]);
}

#[test]
fn a_file_is_prisms_unless_an_item_starts_with_a_word_of_motets() {
    for text in ["P=? [ F \"goal\" ]", "const int k;\nP=? [ F<=k s=1 ]", "label \"a\" = x=1;", ""] {
        assert!(looks_like_prism(text), "{text}");
    }
    for text in ["query q: P=? [ F a ]", "const k: int = 3\nproperty p: a", "dialect motet", "dialect spin"] {
        assert!(!looks_like_prism(text), "{text}");
    }
    assert!(looks_like_prism("dialect prism\nP=? [ F a ]"));
}

#[test]
fn infinity_can_be_expected_of_a_query_only() {
    let file = read("query q: R=? [ F a ] expect = infinity");
    assert_eq!(file.lowered.claims[0].expect, Expect::Value(Some("inf".to_owned()), None));
    assert_eq!(format_file(&file.file), "query q: R=? [ F a ] expect = infinity\n");
    assert!(read("property p: a expect = infinity").problems.has_errors());
}

#[test]
fn claims_lowered_for_several_values_share_their_atoms() {
    let text = "const N\nquery q: P=? [ F<=N steps (done) ]";
    let (file, mut problems) = parse(FileId(0), text, None);
    let values: Vec<BTreeMap<String, String>> =
        ["1", "2", "3"].iter().map(|n| [("N".to_owned(), (*n).to_owned())].into_iter().collect()).collect();
    let motet_property::LoweredEach { claims, atoms, .. } =
        lower_each(&[&file], &vocabulary(), &values, &mut problems);
    assert!(problems.is_empty());
    assert_eq!((claims.len(), atoms.len()), (3, 1));
    assert_eq!(print_formula(&claims[2][0].formula, &atoms), "P=? [ F<=3 steps (done) ]");
}

#[test]
fn no_number_of_a_claim_is_cut() {
    let long = format!("0.{}", "123456789".repeat(45));
    let nines = format!("0.{}", "9".repeat(400));
    for (text, wanted) in [
        ("P>1/3 [ F a ]".to_owned(), "P>1/3 [ F (a) ]".to_owned()),
        ("P<=1 - 2/3 [ F a ]".to_owned(), "P<=1/3 [ F (a) ]".to_owned()),
        ("P>=0.1 + 0.2 [ F a ]".to_owned(), "P>=0.3 [ F (a) ]".to_owned()),
        ("P>=1e-400 [ F a ]".to_owned(), "P>=1e-400 [ F (a) ]".to_owned()),
        ("P>=2 * 1e-400 [ F a ]".to_owned(), "P>=2e-400 [ F (a) ]".to_owned()),
        ("S<1 - 1e-400 [ a ]".to_owned(), format!("S<{nines} [ a ]")),
        (format!("P>={long} [ F a ]"), format!("P>={long} [ F (a) ]")),
        ("R{\"r\"}<1e400 / 7 [ F a ]".to_owned(), format!("R{{\"r\"}}<1{}/7 [ F (a) ]", "0".repeat(400))),
        ("P>=1e-30 * (1/3) [ F a ]".to_owned(), format!("P>=1/3{} [ F (a) ]", "0".repeat(30))),
    ] {
        assert_eq!(formula(&text), wanted, "{text}");
        // What is printed is read back as the same.
        assert_eq!(formula(&wanted), wanted);
    }
    for text in ["P>=1e-400000000 [ F a ]", "R<1e400000000 [ F a ]", "P>=1e-10000 * 1e-10000 [ F a ]"] {
        let codes: Vec<&str> = read(&format!("property x: {text}")).problems.iter().map(|p| p.code).collect();
        assert_eq!(codes, ["M0229"], "{text}");
    }
}

#[test]
fn expected_values_are_exact_and_results_keep_their_digits() {
    let expect = |text: &str| read(text).lowered.claims[0].expect.clone();
    let value = |low: &str, high: &str| Expect::Value(Some(low.to_owned()), Some(high.to_owned()));
    assert_eq!(expect("query x: P=? [ F a ] expect = 1/3"), value("1/3", "1/3"));
    assert_eq!(expect("query x: P=? [ F a ] expect = 1e-400"), value("1e-400", "1e-400"));
    assert_eq!(expect("query x: P=? [ F a ] expect = 1/3 +- 1/6"), value("1/6", "0.5"));
    let result =
        |text: &str| prism(&format!("// RESULT: {text}\nP=? [ F x=1 ];")).lowered.claims[0].expect.clone();
    assert_eq!(result("1/3"), value("1/3", "1/3"));
    assert_eq!(result("1/12345678901234567890"), value("1/12345678901234567890", "1/12345678901234567890"));
    assert_eq!(result(".5"), value("0.499995", "0.500005"));
    assert_eq!(result("0.12345678901234567890"), value("0.1234557890123456789", "0.1234577890123456789"));
}
