//! What is wrong with a model, and what is said about it.

use std::collections::BTreeSet;

use motet_prism::CODES;

use crate::lab::{codes, codes_of, read_with};

/// A module that is fine, for models that are wrong elsewhere.
const FINE: &str = "module m x : [0..3]; b : bool; [a] true -> true; [] true -> (x'=1); endmodule\n";

/// Wrong texts with what is reported, in the order of the text. Those that start with `+` are put after a fine model.
const CASES: &[(&str, &[&str])] = &[
    ("mdp § module m x : bool; endmodule", &["M0800"]),
    ("+const int", &["M0801"]),
    ("mdp module m x : [0..3] [] x=0 -> (x'=1); y : bool endmodule", &["M0801", "M0801"]),
    ("mdp module m x : [0..3]; [] x=0 -> x'=1; endmodule", &["M0801"]),
    ("+label \"x = true;", &["M0802", "M0801"]),
    ("+formula f = 99999999999999999999;", &["M0804"]),
    ("+formula f = 2nd;", &["M0804"]),
    ("+formula f = 1e99999;", &["M0804"]),
    ("+formula min = 1;", &["M0805"]),
    ("mdp module m F : bool; [] F -> (F'=false); endmodule", &["M0805", "M0805", "M0805"]),
    ("+formula f = x == 1 && b || b;", &["M0806", "M0806", "M0806"]),
    ("+/* old */ formula f = 1;", &["M0806"]),
    ("ctmc module m x : bool; [] x -> 5 : (x'=false); endmodule", &["M0807", "M0822"]),
    ("module m x : bool; endmodule", &["M0808"]),
    ("mdp dtmc module m x : bool; endmodule", &["M0808"]),
    ("mdp module m x : bool; [] x -> true; module n y : bool; endmodule", &["M0809"]),
    ("+rewards true : 1;", &["M0809"]),
    ("mdp module m x : clock; y : int; z : double; endmodule", &["M0810", "M0810", "M0810"]),
    ("+formula f = y + xx; label \"l\" = bb;", &["M0811", "M0811", "M0811"]),
    ("mdp module m x : [0..1]; [] x=0 -> (y'=1); endmodule", &["M0811"]),
    (
        "+const int k = 1; formula k = 2; global k : bool; label \"a\" = b; label \"a\" = b; label \"init\" = b;",
        &["M0812", "M0812", "M0812", "M0812"],
    ),
    ("+const int k = l; const int l = k + 1; formula f = g; formula g = f;", &["M0813", "M0813"]),
    (
        "+formula f = x + b; formula g = x ? 1 : 2; formula h = b ? 1 : b; formula i = b < b; formula j = x = b; formula k = mod(x/2, 2);",
        &["M0814", "M0814", "M0814", "M0814", "M0814", "M0814"],
    ),
    (
        "mdp module m x : [0..3]; [] x -> (x'=x/2); [] x=0 -> (x'=true); endmodule",
        &["M0814", "M0814", "M0814"],
    ),
    ("+const int k = 0.5; const bool t = 1; const double d = true;", &["M0814", "M0814", "M0814"]),
    ("+const int k = x;", &["M0814"]),
    ("+formula f = b => b => b;", &["M0815"]),
    ("+const int k;", &["M0816"]),
    ("mdp module m x : [3..1]; y : [0..9999999999]; z : [0..0.5]; endmodule", &["M0818", "M0818", "M0818"]),
    (
        "mdp module m x : [0..1] init 2; b : bool init 0; y : [0..1] init true; endmodule",
        &["M0819", "M0819", "M0819"],
    ),
    (
        "mdp const int k = 1; module m x : [0..1]; [] true -> (x'=0) & (x'=1); [] true -> (y'=1); [] true -> (k'=1); endmodule module n y : [0..1]; endmodule",
        &["M0820", "M0820", "M0820"],
    ),
    (
        "mdp global g : bool; module m [a] true -> (g'=true); endmodule module n [a] true -> true; endmodule",
        &["M0820"],
    ),
    (
        "dtmc module m x : [0..1]; [] true -> 0.333 : true + 0.333 : (x'=0) + 0.333 : (x'=1); endmodule",
        &["M0821"],
    ),
    ("dtmc module m x : [0..1]; [] true -> -0.5 : true + 1.5 : (x'=0); endmodule", &["M0822"]),
    ("dtmc module m x : [0..1]; [] true -> (x'=2); endmodule", &["M0823"]),
    (
        "+module n = k [x=y] endmodule module o = m [x=z, x=w, b=c] endmodule module p = p [x=y] endmodule",
        &["M0824", "M0824", "M0824"],
    ),
    ("+module n = m [x=y] endmodule", &["M0812", "M0824"]),
    ("mdp const int k = 1;", &["M0824"]),
    (
        "+system m || n || m / {z} endsystem module o y : bool; endmodule",
        &["M0825", "M0825", "M0825", "M0825"],
    ),
    ("+rewards true : -1; endrewards", &["M0827"]),
    ("+init x > 5 endinit", &["M0828"]),
    ("mdp module m x : [0..3] init 1; endmodule init true endinit", &["M0828"]),
    ("mdp module m x : [0..100000]; y : [0..100000]; endmodule init x+y>=0 endinit", &["M0828"]),
    (
        "+const double d = 1/0; const double e = log(-1, 2); const int i = mod(3, 0);",
        &["M0829", "M0829", "M0829"],
    ),
    (
        "+const double d = pow(0.1, 20000); const double e = pow(2.0, 1000000000); const double f = pow(0.5, 1e400);",
        &["M0829", "M0829", "M0829"],
    ),
    ("+formula f = sqrt(x); formula g = pow(x); formula h = min();", &["M0830", "M0830", "M0830"]),
    ("+rewards [zz] true : 1; endrewards", &["M0836"]),
];

fn whole(case: &str) -> String {
    case.strip_prefix('+').map_or_else(|| case.to_owned(), |rest| format!("mdp {FINE}{rest}"))
}

#[test]
fn each_wrong_text_has_exactly_its_problems() {
    let mut wrong = String::new();
    for (case, wanted) in CASES {
        let (_, lines) = read_with(&whole(case), &[], &[]);
        if codes_of(&lines) != *wanted {
            wrong += &format!("{case}\n  wanted {wanted:?}, got\n{lines}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn deep_and_long_expressions_are_refused() {
    let deep = format!("mdp {FINE} formula f = {}1{};", "(".repeat(200), ")".repeat(200));
    assert_eq!(codes(&deep), ["M0803"]);
    let long = format!("mdp {FINE} formula f = 1{};", " + 1".repeat(500));
    assert_eq!(codes(&long), ["M0803"]);
    let wide = format!("mdp {FINE} label \"l\" = b{};", " | x=1 & b".repeat(5_000));
    assert_eq!(codes(&wide), Vec::<String>::new());
}

#[test]
fn formulas_that_grow_too_large_are_refused() {
    let mut text = format!("mdp {FINE} formula f0 = x;");
    for n in 1..60 {
        text += &format!("formula f{n} = f{0} + f{0};", n - 1);
    }
    assert_eq!(codes(&text), ["M0826"]);
    let mut chain = format!("mdp {FINE} formula f0 = x;");
    for n in 1..5_000 {
        chain += &format!("formula f{n} = f{} + 1;", n - 1);
    }
    assert_eq!(codes(&chain)[0], "M0826");
}

#[test]
fn chains_of_constants_may_be_long() {
    let mut text = format!("mdp {FINE} const int c0 = 0;");
    for n in 1..20_000 {
        text += &format!("const int c{n} = c{} + 1;", n - 1);
    }
    assert_eq!(codes(&text), Vec::<String>::new());
}

#[test]
fn values_from_outside_are_checked() {
    let text = format!("mdp const int N; const double p = 0.5; const bool t; {FINE}");
    let ask = |parameters: &[(&str, &str)]| codes_of(&read_with(&text, parameters, &[]).1);
    assert_eq!(ask(&[("N", "3"), ("t", "true"), ("p", "1/3")]), Vec::<String>::new());
    assert_eq!(ask(&[("N", "2.5"), ("t", "1"), ("p", "half")]), ["M0817", "M0817", "M0817"]);
    assert_eq!(ask(&[("N", "3"), ("t", "true"), ("M", "3")]), ["M0817"]);
}

#[test]
fn problems_name_the_nearest_name_and_the_place() {
    let (_, lines) =
        read_with("mdp\nmodule m\n  count : [0..3];\n  [] cuont=0 -> true;\nendmodule\n", &[], &[]);
    assert_eq!(lines, "model.prism:4:6: error[M0811]: there is no `cuont` (help: did you mean `count`)\n");
}

#[test]
fn unreachable_commands_may_have_impossible_chances() {
    let text =
        "dtmc const int N = 2; module m x : [0..1]; [] N>2 & x=0 -> 0.5 : (x'=7) + 0.4 : true; endmodule";
    assert_eq!(codes(text), Vec::<String>::new());
}

#[test]
fn every_code_is_raised_somewhere() {
    // These are shown by other tests of this crate: claims, notices, files, exports, limits and options.
    let elsewhere =
        ["M0803", "M0817", "M0826", "M0831", "M0832", "M0833", "M0834", "M0835", "M0837", "M0838"];
    let raised: BTreeSet<&str> =
        CASES.iter().flat_map(|(_, codes)| codes.iter().copied()).chain(elsewhere).collect();
    for entry in CODES {
        assert!(raised.contains(entry.code), "{} is never raised", entry.code);
    }
    for code in &raised {
        assert!(CODES.iter().any(|entry| entry.code == *code), "{code} has no entry");
    }
}

#[test]
fn a_model_is_one_file() {
    use motet_model::{Language as _, Options};
    let mut sources = motet_source::Sources::new();
    sources.add("a.txt", "mdp");
    let mut problems = motet_source::Problems::new();
    assert!(motet_prism::Prism.read(&sources, &Options::default(), &mut problems).is_none());
    sources.add("a.pm", format!("mdp {FINE}"));
    sources.add("b.nm", format!("mdp {FINE}"));
    assert!(motet_prism::Prism.read(&sources, &Options::default(), &mut problems).is_none());
    let codes: Vec<&str> = problems.iter().map(|problem| problem.code).collect();
    assert_eq!(codes, ["M0837", "M0837"]);
}
