//! Atoms of claims.

use motet_model::{AtomId, AtomText, Expr, Operator};

use crate::lab::{codes_of, compare, name, read_with};

const MODEL: &str = "mdp const int N = 3; const double p = 0.5;
    formula half = x >= N/2;
    module m x : [0..N]; b : bool; [] x<N -> (x'=x+1) & (b'=!b); endmodule
    label \"end\" = x = N;";

/// Whether an atom holds in x = 0, 1, 2, 3.
fn holds(atom: AtomText) -> Vec<bool> {
    let (system, problems) = read_with(MODEL, &[], &[atom]);
    assert_eq!(problems, "");
    let model = system.expect("the model is fine").model;
    (0..4).map(|x| model.holds(AtomId(0), &[x, x % 2])).collect()
}

fn refused(atom: AtomText) -> (Vec<String>, String) {
    let (system, problems) = read_with(MODEL, &[], &[atom]);
    assert!(system.is_none());
    (codes_of(&problems), problems)
}

fn text(label: &str) -> AtomText {
    AtomText::Fact(Expr::Text(label.to_owned()))
}

#[test]
fn labels_variables_formulas_and_constants_may_be_used() {
    assert_eq!(holds(text("end")), [false, false, false, true]);
    assert_eq!(holds(AtomText::Fact(name("b"))), [false, true, false, true]);
    assert_eq!(holds(AtomText::Fact(name("half"))), [false, false, true, true]);
    assert_eq!(holds(compare(Operator::Eq, name("x"), name("N"))), [false, false, false, true]);
    let sum = Expr::Binary(Operator::Mul, Box::new(name("x")), Box::new(name("p")));
    assert_eq!(holds(compare(Operator::Ge, sum, Expr::Decimal("0.5".to_owned()))), [false, true, true, true]);
    let largest = Expr::Call("max".to_owned(), vec![name("x"), Expr::Int(2)]);
    assert_eq!(holds(compare(Operator::Gt, largest, Expr::Int(2))), [false, false, false, true]);
    let rest = Expr::Binary(Operator::Mod, Box::new(name("x")), Box::new(Expr::Int(2)));
    assert_eq!(holds(compare(Operator::Eq, rest, Expr::Int(1))), [false, true, false, true]);
    let not = Expr::Not(Box::new(Expr::Text("end".to_owned())));
    assert_eq!(holds(AtomText::Fact(not)), [true, true, true, false]);
}

#[test]
fn every_model_has_the_labels_init_and_deadlock() {
    assert_eq!(holds(text("init")), [true, false, false, false]);
    assert_eq!(holds(text("deadlock")), [false, false, false, true]);
}

#[test]
fn unknown_names_are_refused_with_the_nearest_one() {
    let (codes, problems) = refused(text("ende"));
    assert_eq!(codes, ["M0832"]);
    assert!(problems.contains("did you mean `\"end\"`"), "{problems}");
    let (codes, problems) = refused(compare(Operator::Eq, name("haf"), Expr::Int(1)));
    assert_eq!(codes, ["M0832"]);
    assert!(problems.contains("did you mean `half`"), "{problems}");
}

#[test]
fn numbers_are_no_conditions_and_modules_have_no_minds() {
    assert_eq!(refused(AtomText::Fact(name("x"))).0, ["M0833"]);
    assert_eq!(refused(compare(Operator::Lt, name("x"), name("b"))).0, ["M0833"]);
    assert_eq!(refused(AtomText::Believes("m".to_owned(), name("b"))).0, ["M0831"]);
    assert_eq!(refused(AtomText::Fact(Expr::Size(Box::new(name("x"))))).0, ["M0831"]);
}
