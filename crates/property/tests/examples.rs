//! The example claims of the language, and what is accepted and refused.

mod support;

use motet_property::{Dialect, Kind, parse_formula};
use motet_source::FileId;
use support::{check_spans, codes, formula, read, read_as, vocabulary};

const EXAMPLES: &str = include_str!("corpus/examples.props");

#[test]
fn all_39_example_claims_are_read_without_a_problem() {
    let read = read(EXAMPLES);
    assert!(read.problems.is_empty(), "{}", read.problems.lines(&read.sources));
    assert_eq!(read.lowered.claims.len(), 39);
    let count = |kind| read.lowered.claims.iter().filter(|claim| claim.kind == kind).count();
    assert_eq!((count(Kind::Property), count(Kind::Query)), (30, 7));
    assert_eq!((count(Kind::Possible), count(Kind::Assume)), (1, 1));
    check_spans(&read);
}

#[test]
fn equal_atoms_have_one_number() {
    let read = read("property a: p(1) & F p(1)\nproperty b: Bel(x, p(1)) | p( 1 )");
    let atoms: Vec<String> = read.lowered.atoms.iter().map(|atom| atom.node.to_string()).collect();
    // `p(1) & F p(1)` is fine: the operator before `F` is no operator behind it.
    assert_eq!(atoms, ["p(1)", "Bel(x, p(1))"]);
}

#[test]
fn every_corpus_file_is_read_in_its_dialect_without_an_error() {
    for (text, dialect, n) in [
        (include_str!("corpus/definitions.props"), None, 13),
        (include_str!("corpus/vessel.prism.props"), Some(Dialect::Prism), 12),
        (include_str!("corpus/lock.spin.props"), None, 5),
        (include_str!("corpus/rescue.psl"), Some(Dialect::Psl), 5),
    ] {
        let read = read_as(text, dialect, &vocabulary());
        assert!(!read.problems.has_errors(), "{}", read.problems.lines(&read.sources));
        assert_eq!(read.lowered.claims.len(), n, "{text}");
    }
}

#[test]
fn spellings_of_one_formula_are_one_formula() {
    let spellings = [
        "G (!(p) -> F (q & r | s))",
        "[] ( ! p -> <> ((q && r) || s))",
        "□ (¬p ⇒ ◇ (q ∧ r ∨ s))",
        "always (not p implies eventually (q and r or s))",
        "globally, always (not p => <> (q & r | s))",
        "whenever not p, eventually, q and r or s",
        "whenever !p, then eventually (q & r | s)",
        "G (~p → F (q & r or s))",
    ];
    for spelling in spellings {
        assert_eq!(formula(spelling), formula(spellings[0]), "{spelling}");
    }
    for (left, right) in [
        ("(Bel ag3 winner(ag3))", "ag3 believes winner(ag3)"),
        ("Bel ag3 winner(ag3)", "Bel(ag3, winner(ag3))"),
        ("Bel(ag3, not p)", "ag3 believes not p"),
        ("Robot tells Bob take(pill)", "Says(Robot, Bob, take(pill))"),
        ("K[Bob](p)", "Bob knows (p)"),
        ("never p", "G !p"),
        ("within 4 min p", "F<=240s (p)"),
        ("for 1 h 30 min p", "G<=5400 s (p)"),
        ("eventually within 4 min p", "F<=4min p"),
        ("p unless q", "p W q"),
        ("p precedes q", "!q W p"),
        ("whenever p, after 3 steps, q", "G (p -> F[3 steps, 3 steps] q)"),
        ("whenever p, immediately q", "G (p -> q)"),
        ("x in {a, b}", "x = a | x = b"),
        ("x in 2..4", "x >= 2 & x <= 4"),
        ("1 <= x < 2 * 3", "1 <= x & x < 6"),
        ("8 h <= now < 9 h", "now >= 8 h & now < 9 h"),
        ("a has no belief about x.y", "belief(a, x.y) = none"),
        ("(AG p)", "A [ G p ]"),
        ("forall n in Nurse: n.ok", "Nurse_one.ok & Nurse_two.ok"),
        ("exists n in Nurse: n != Nurse_one & n.ok", "Nurse_two.ok"),
        ("forall i in 1..3: (i = 2 -> p(i))", "p(2)"),
        ("forall i in 3..1: p(i)", "true"),
        ("F <u> in Place", "F (<u> in Place)"),
        ("a xor b", "!(a <-> b)"),
    ] {
        assert_eq!(formula(left), formula(right), "{left} and {right}");
    }
}

#[test]
fn formulas_that_all_tools_read_alike_are_accepted() {
    for text in [
        "a -> F b",
        "a & b -> F G c",
        "a U b & c U d",
        "a | b & c",
        "(F a) & b",
        "F (a & b)",
        "!F a",
        "G F a",
        "a <-> b -> c",
        "A [ a U b ] & E [ F c ]",
        "P>=0.5 [ F a ] & P<0.3 [ G b ]",
        "K[ag1](p) & F q",
        "not a and not b",
        "x + 1 <= y * 2 - 3",
        "a <= x < b",
        "F<=(2 * 3) steps_done",
        "`F` = 1 & `until`",
        "a and b or c and F d",
        "a W (b R c)",
    ] {
        assert_eq!(codes(&format!("const T = 3 s\nproperty x: {text}")), [] as [&str; 0], "{text}");
    }
}

#[test]
fn doubtful_and_broken_formulas_are_refused_with_their_code() {
    for (text, code) in [
        ("F a & b", "M0210"),
        ("<> a && b", "M0210"),
        ("F a & F b", "M0210"),
        ("[] p -> <> q", "M0210"),
        ("always x and y", "M0210"),
        ("F a U b", "M0210"),
        ("a & F b & c", "M0210"),
        ("a -> F b <-> c", "M0210"),
        ("!F a | b", "M0210"),
        ("within 3 s a and b", "M0210"),
        ("EF a & b", "M0210"),
        ("a -> b -> c", "M0211"),
        ("a <-> b <-> c", "M0211"),
        ("a U b U c", "M0212"),
        ("a until b unless c", "M0212"),
        ("a = b = c", "M0213"),
        ("a < b > c", "M0213"),
        ("whenever a, b", "M0214"),
        ("always within 3 s p", "M0217"),
        ("a b", "M0202"),
        ("a &", "M0202"),
        ("(a", "M0202"),
        ("a)", "M0202"),
        ("P=? F a", "M0202"),
        ("F<=x", "M0202"),
        ("U b", "M0203"),
        ("a & and b", "M0203"),
        ("a & forall n in Nurse: n.ok", "M0209"),
        ("a @ b", "M0201"),
        ("\"a", "M0201"),
    ] {
        assert_eq!(codes(&format!("property x: {text}")).first(), Some(&code), "{text}");
    }
}

#[test]
fn the_two_readings_of_an_ambiguous_formula_are_shown() {
    let read = read("property X : F Patient_one.heartAttack & G Nurse_one.onDuty");
    let problem = read.problems.iter().next().unwrap();
    assert_eq!(problem.label, "this `&` follows a bare `F`");
    assert_eq!(
        problem.notes,
        [
            "Spin, NuSMV:  (F Patient_one.heartAttack) & (G Nurse_one.onDuty)",
            "PRISM, Storm: F (Patient_one.heartAttack & (G Nurse_one.onDuty))",
        ]
    );
}

#[test]
fn one_run_finds_the_problems_of_all_items() {
    let text = "property a: F p & q\nproprty b: p\nproperty c: (p\nproperty d: p expect = 3\nproperty e: Bel(agg1, p)\n";
    assert_eq!(codes(text), ["M0210", "M0204", "M0202", "M0208", "M0225"]);
}

#[test]
fn a_formula_of_the_command_line_is_a_claim_called_formula() {
    for (text, kind) in [("G p", Kind::Property), ("P=? [ F p ]", Kind::Query)] {
        let (file, problems) = parse_formula(FileId(0), text, None);
        assert!(problems.is_empty());
        let motet_property::syntax::ItemNode::Claim(claim) = &file.items[0].node else { panic!("no claim") };
        assert_eq!((claim.kind, claim.name.node.as_str()), (kind, "formula"));
    }
}
