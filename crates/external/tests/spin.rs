//! Spin on tiny models written by hand. The tests need `spin` and `gcc` and fail without them.

use motet_evidence::{Fairness, Stop, Verdict};
use motet_external::{Effort, Move, Search, Spin, Verifier};

/// Two processes: one counts to three and starts again, one waits for a flag that nobody sets at two.
const COUNTER: &str = r#"
byte n;
bit bound_number;
active proctype counter() {
  do
  :: d_step { n < 3 -> n = n + 1; printf("@motet 0 0\n") }
  :: d_step { n == 3 -> n = 0; printf("@motet 0 0\n") }
  od
}
active proctype idle() { do :: d_step { true -> skip; printf("@motet 1 0\n") } od }
active proctype overflow() {
  do :: d_step { n == 2 -> bound_number = 0; skip; printf("@motet 2 0\n") } od
}
ltl returns { [] <> (n == 0) }
ltl small { [] (n < 3) }
ltl stays { <> [] (n == 1) }
"#;

fn search(fairness: Fairness) -> Search {
    Search {
        fairness,
        hash: 16,
        depth: 1_000,
        processes: 3,
        effort: Effort::FastCompilation,
        ..Search::default()
    }
}

fn compiled(model: &str) -> Verifier {
    let spin = Spin::find().expect("these tests need spin and gcc: apt-get install spin gcc");
    spin.compile(model, &search(Fairness::None), &std::env::temp_dir())
        .expect("spin and gcc accept the model")
}

#[test]
fn fairness_decides_whether_the_counter_returns() {
    let verifier = compiled(COUNTER);
    let fair = verifier.check("returns", &search(Fairness::Weak)).unwrap();
    assert_eq!(fair.verdict, Verdict::Holds, "{}", fair.text);
    let unfair = verifier.check("returns", &search(Fairness::None)).unwrap();
    assert_eq!((unfair.verdict, unfair.trail), (Verdict::Fails, true));
    let trail = verifier.trail(&search(Fairness::None)).unwrap();
    let start = trail.loop_start.expect("a liveness claim fails on a cycle");
    assert!(trail.moves[start..].iter().all(|step| step.process != 0), "the cycle starves the counter");
}

#[test]
fn a_violated_safety_claim_comes_with_a_finite_run() {
    let verifier = compiled(COUNTER);
    let report = verifier.check("small", &search(Fairness::Weak)).unwrap();
    assert_eq!(report.verdict, Verdict::Fails, "{}", report.text);
    let trail = verifier.trail(&search(Fairness::Weak)).unwrap();
    assert_eq!(trail.loop_start, None);
    let counted = trail.moves.iter().filter(|&&step| step == Move { process: 0, ordinal: 0 }).count();
    assert_eq!(counted, 3, "three steps lead to three");
}

#[test]
fn without_a_violation_there_is_no_run() {
    let verifier = compiled(COUNTER);
    assert!(verifier.trail(&search(Fairness::None)).is_err(), "nothing was asked yet");
    verifier.check("returns", &search(Fairness::None)).unwrap();
    assert!(verifier.trail(&search(Fairness::None)).is_ok());
    verifier.check("returns", &search(Fairness::Weak)).unwrap();
    assert!(verifier.trail(&search(Fairness::Weak)).is_err(), "the run of another question is not shown");
}

#[test]
fn states_without_a_claim_are_those_of_the_model() {
    // Four values of n, nothing else changes.
    let report = compiled(COUNTER).explore(&search(Fairness::None)).unwrap();
    assert_eq!((report.states, report.verdict), (4, Verdict::Holds), "{}", report.text);
}

#[test]
fn a_depth_cut_is_unknown_and_a_deeper_search_decides() {
    let verifier = compiled(COUNTER);
    let shallow = Search { depth: 4, limit_depth: 4, ..search(Fairness::None) };
    assert_eq!(
        verifier.check("returns", &Search { fairness: Fairness::Weak, ..shallow.clone() }).unwrap().verdict,
        Verdict::Unknown(Stop::Depth)
    );
    let deeper = Search { depth: 4, limit_depth: 4_000, ..search(Fairness::Weak) };
    assert_eq!(verifier.check("returns", &deeper).unwrap().verdict, Verdict::Holds);
}

#[test]
fn an_exceeded_bound_is_no_violation_of_the_claim() {
    let model = COUNTER.replace("bound_number = 0; skip;", "bound_number = 0; assert(bound_number);");
    let report = compiled(&model).check("returns", &search(Fairness::Weak)).unwrap();
    assert_eq!(report.verdict, Verdict::Unknown(Stop::Bound("bound exceeded: number".to_owned())));
}

#[test]
fn a_model_that_spin_does_not_read_is_refused_with_its_words() {
    let spin = Spin::find().expect("these tests need spin and gcc: apt-get install spin gcc");
    let error = spin.compile("proctype {", &search(Fairness::None), &std::env::temp_dir()).unwrap_err();
    assert!(error.to_string().contains("syntax error"), "{error}");
    assert!(error.to_string().contains("M0952"), "{error}");
    let missing = motet_external::ExternalError::Missing("spin").to_string();
    assert!(missing.contains("M0951"), "{missing}");
}
