//! Claims as PRISM and Storm read them.

mod support;

use motet_model::AtomId;
use motet_property::{Dialect, Formula, Moments, Path, PrismNames, prism_formula};
use support::{Read, read_as, vocabulary};

fn prism(text: &str) -> Read {
    let read = read_as(&format!("\"q\": {text}"), Some(Dialect::Prism), &vocabulary());
    assert!(!read.problems.has_errors(), "{text}: {}", read.problems.lines(&read.sources));
    read
}

fn printed(read: &Read, steps: u32) -> Result<String, String> {
    let name = |atom: AtomId| read.lowered.atoms[atom.index()].node.to_string();
    let names = PrismNames {
        atom: &name,
        reward: &|name| name.map(str::to_owned),
        per_step: steps,
        per_unit: Some(steps),
        moments: None,
    };
    prism_formula(&read.lowered.claims[0].formula, &names).map_err(|refused| refused.operator.to_owned())
}

#[test]
fn what_both_programs_read_comes_back_as_the_same_formula() {
    for text in [
        "P=? [ F a ]",
        "Pmin>=0.25 [ (a | !b) U<=7 (c & d) ]",
        "Pmax=? [ (G (F a)) & (F (G b)) ]",
        "P>0.5 [ X (X a) ]",
        "P<1 [ F[2,5] a ]",
        "R{\"energy used\"}max=? [ F a ]",
        "R{\"r\"}min<=3.5 [ C<=12 ]",
        "R{\"r\"}=? [ I=4 ]",
        "R{\"r\"}=? [ S ]",
        "R{\"r\"}=? [ C ]",
        "S>=0.5 [ a & b ]",
        "Smax=? [ a ]",
        "filter(max, P=? [ F a ], b)",
        "filter(forall, P>=0.5 [ F (P>=1 [ G b ]) ], a)",
        "(P>=0.5 [ F a ]) & (!(P<0.1 [ G b ]))",
    ] {
        let first = prism(text);
        let again = prism(&printed(&first, 1).unwrap());
        assert_eq!(first.lowered.claims[0].formula, again.lowered.claims[0].formula, "{text}");
    }
}

#[test]
fn what_storm_does_not_read_is_written_with_what_it_reads() {
    for (text, wanted) in [
        ("P=? [ (F a) => (G b) ]", "P=? [ (!(F (a))) | (G (b)) ]"),
        ("P=? [ a W b ]", "P=? [ !((!(b)) U (!((a) | (b)))) ]"),
        ("P=? [ a R b ]", "P=? [ !((!(a)) U (!(b))) ]"),
        ("P=? [ G<=4 a ]", "P=? [ !(F<=4 (!(a))) ]"),
        ("P=? [ F>=4 a ]", "P=? [ (F>=4 (a)) & (F (a)) ]"),
        ("P=? [ F<4 a ]", "P=? [ F<=3 (a) ]"),
        ("P=? [ F>4 a ]", "P=? [ (F>=5 (a)) & (F (a)) ]"),
        ("(P>=1 [ F a ]) => b", "(!(P>=1 [ F (a) ])) | (b)"),
        ("(P>=1 [ F a ]) <=> b", "((P>=1 [ F (a) ]) & (b)) | ((!(P>=1 [ F (a) ])) & (!(b)))"),
        ("A [ G a ]", "P>=1 [ G (a) ]"),
        ("E [ F a ]", "!(P<=0 [ F (a) ])"),
    ] {
        assert_eq!(printed(&prism(text), 1).unwrap(), wanted, "{text}");
    }
}

#[test]
fn counts_are_multiplied_where_one_step_becomes_several() {
    for (text, wanted) in [
        ("P=? [ F<=7 a ]", "P=? [ F<=14 (a) ]"),
        ("P=? [ a U[2,3] b ]", "P=? [ (a) U[4,6] (b) ]"),
        ("P=? [ X a ]", "P=? [ X (X (a)) ]"),
        ("R{\"r\"}=? [ C<=5 ]", "R{\"r\"}=? [ C<=10 ]"),
        ("R{\"r\"}=? [ I=5 ]", "R{\"r\"}=? [ I=10 ]"),
        ("P=? [ F<4 a ]", "P=? [ F<=6 (a) ]"),
    ] {
        assert_eq!(printed(&prism(text), 2).unwrap(), wanted, "{text}");
    }
}

#[test]
fn what_has_no_counterpart_is_named() {
    let claim = |text: &str| {
        let read = read_as(&format!("property q: {text}"), None, &vocabulary());
        assert!(!read.problems.has_errors(), "{text}: {}", read.problems.lines(&read.sources));
        printed(&read, 1).unwrap_err()
    };
    assert_eq!(claim("K[ag1](a)"), "knowledge");
    assert_eq!(claim("G (held(a) <= 1 h)"), "a clock");
    assert_eq!(claim("P>=0.5 [ F<=2 min (a) ]"), "a bound in clock time");
    assert_eq!(claim("A [ G (F a) ]"), "a claim about all runs that is more than reaching or keeping");
}

#[test]
fn counts_of_time_need_steps_that_take_the_same_time() {
    let text = |unit: &str| {
        let read = read_as(&format!("query q: P=? [ F<=3 {unit} (a) ]"), None, &vocabulary());
        assert!(!read.problems.has_errors(), "{}", read.problems.lines(&read.sources));
        let atom = |atom: AtomId| read.lowered.atoms[atom.index()].node.to_string();
        let names = PrismNames { atom: &atom, reward: &|_| None, per_step: 1, per_unit: None, moments: None };
        prism_formula(&read.lowered.claims[0].formula, &names).map_err(|refused| refused.operator)
    };
    assert_eq!(text("steps").unwrap(), "P=? [ F<=3 (a) ]");
    assert_eq!(text("cycles").unwrap_err(), "a bound where steps take different times");
}

#[test]
fn what_changes_within_a_step_is_asked_only_at_the_moments_that_count() {
    let text = |claim: &str| {
        let read = prism(claim);
        let atom = |atom: AtomId| read.lowered.atoms[atom.index()].node.to_string();
        let wavering: Vec<AtomId> = (0..)
            .map(AtomId)
            .zip(&read.lowered.atoms)
            .filter(|(_, a)| a.node.to_string() == "w")
            .map(|(at, _)| at)
            .collect();
        let moments = Some(Moments { expression: "x=1", wavering: &wavering });
        let names = PrismNames { atom: &atom, reward: &|_| None, per_step: 2, per_unit: Some(2), moments };
        prism_formula(&read.lowered.claims[0].formula, &names).map_err(|refused| refused.operator)
    };
    assert_eq!(text("P=? [ F<=3 a ]").unwrap(), "P=? [ F<=6 (a) ]");
    assert_eq!(text("P=? [ F<=3 w ]").unwrap(), "P=? [ F<=6 (((x=1) | (\"init\")) & (w)) ]");
    assert_eq!(text("A [ G w ]").unwrap(), "P>=1 [ G ((!((x=1) | (\"init\"))) | (w)) ]");
    let until = "P=? [ ((!((x=1) | (\"init\"))) | (a)) U (((x=1) | (\"init\")) & (w)) ]";
    assert_eq!(text("P=? [ a U w ]").unwrap(), until);
    assert_eq!(text("P=? [ G (F w) ]").unwrap_err(), "a nested formula over what changes within a step");
    assert_eq!(text("P=? [ X w ]").unwrap_err(), "the next state of what changes within a step");
    assert_eq!(text("R{\"r\"}=? [ S ]").unwrap_err(), "a long-run average where a step is several steps");
}

#[test]
fn nested_equivalences_do_not_eat_memory() {
    let mut formula = Formula::Atom(AtomId(0));
    for _ in 0..200 {
        formula = Formula::Iff(Box::new(formula), Box::new(Formula::True));
    }
    let names = PrismNames {
        atom: &|_| "a".to_owned(),
        reward: &|_| None,
        per_step: 1,
        per_unit: None,
        moments: None,
    };
    let refused = prism_formula(&Path::Now(formula), &names).unwrap_err();
    assert_eq!(refused.operator, "a formula of more than a million letters");
}
