//! Whatever is read: resolving says what is wrong with it, and ends.

use motet_model::Options;
use motet_nets::parse::parse;
use motet_nets::resolve::resolve;
use motet_source::fuzz::{Corpus, check_linear, check_problems, each_seed};
use motet_source::{FileId, Problems, Sources, Span};

const CORPUS: Corpus<'_> = Corpus {
    texts: &[
        include_str!("texts/station.npn"),
        include_str!("texts/bcin.npn"),
        "const N = 3; type R = int 0..N; enum E = { a, b };
         port p(x: R, e: E); port q(x: set of R);
         def d(x) = exists y in w: y.e = x; def f = size(w) + N;
         agent net K(k: R) { place s, t : R = { k }; cell c : set of R = { k };
           transition t1 { in s(x); sync up ! p(x, a); c' = c union {x}; out t(x); }
           transition t2 limit N { in t(x) * 2; pick y in c where y > x; y'.z = 1; out s(y); }
           goal g : size(s) = 1; }
         system net S() { place w : (e: E, net: agent) = { (a, new K(1)), (b, new K(2)) };
           place z : token capacity 3 = 2; place r : (x: R, s: set of E) = { (x, {a}) | x in 0..N where x % 2 = 0 };
           transition u { in w(e, n); sync n ? p(x, e); alt { inhib z; } alt { read z * 2; r'.x = 1; }
             out w(e, n); } }",
    ],
    pieces: &[
        "(", ")", "{", "}", ";", ",", "'", "''", "x", "a", "new K(1)", "in w(a);", "out w(a);", "sync a.net ! p(1, a);",
        "sync up ? q(x);", "alt {", "when ", "pick x in c;", "let y = x;", "forall x in w: ", "size(w)", "set of ",
        "agent", "(x: int, y: agent)", "0..", " * 2", " / 0", "9223372036854775807", " + ", " union ", " with {x = 1}",
        ".net", ".e", "limit 2 ", "capacity 1 ", "def f = f;", "const N = N;", "type R = R;", "c' = c;", "x'.f = 1;",
        "_", "count(w, (a, _))", "enabled(u)", "if a then b else c", "\n",
    ],
};

fn read(text: &str) {
    let mut sources = Sources::new();
    let file = sources.add("m.npn", text);
    let (tree, _) = parse(file, text);
    let mut problems = Problems::new();
    let resolved = resolve(&tree, &Options::default(), Span::new(FileId(0), 0, 0), &mut problems);
    assert_eq!(resolved.is_none(), problems.has_errors(), "a program exactly if there are no errors");
    check_problems(&problems, &sources);
}

#[test]
fn changed_texts_are_resolved_or_refused() {
    each_seed(300, |_, random| read(&CORPUS.mutant(random)));
}

#[test]
fn deep_and_long_texts_end_in_time() {
    let around =
        |inner: &str| format!("system net S() {{ place p : token = 1; transition t {{ in p; {inner} }} }}");
    let deep = format!("when {}true{};", "not (".repeat(190), ")".repeat(190));
    let long = format!("when {};", vec!["size(p) = 1"; 150].join(" and "));
    let mut chain = around("");
    for number in 1..400 {
        chain += &format!("def d{number} = d{} + 1;", number - 1);
    }
    let mut sorts = around("");
    for number in 0..300 {
        sorts += &format!("type T{number} = (a: T{0}, b: T{0});", number + 1);
    }
    let mut double = around("") + "type T0 = int; agent net K(x: T40) { place p : T59; cell c : T50 = x; }";
    for number in 1..60 {
        double += &format!("type T{number} = (a: T{0}, b: T{0});", number - 1);
    }
    check_linear(&[around(&deep), around(&long), chain, sorts, double], 100, read);
}
