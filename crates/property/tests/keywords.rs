//! Keywords are suggested as names are, at the word that is wrong.

mod support;

use motet_model::{TimeUnit, Vocabulary};
use motet_source::Problem;
use support::{read_as, vocabulary, vocabulary_with_agents};

/// The one problem of a claim, and the text it stands at.
fn problem(formula: &str) -> (Problem, String) {
    problem_over(formula, &vocabulary_with_agents())
}

fn problem_over(formula: &str, vocabulary: &Vocabulary) -> (Problem, String) {
    let text = format!("property x: {formula}");
    let read = read_as(&text, None, vocabulary);
    let lines = read.problems.lines(&read.sources);
    let errors: Vec<&Problem> = read.problems.iter().collect();
    assert_eq!(errors.len(), 1, "{formula}\n{lines}");
    let span = errors[0].span;
    (errors[0].clone(), text[span.start as usize..span.end as usize].to_owned())
}

#[test]
fn a_misspelt_keyword_is_suggested_at_the_word() {
    for (formula, word, near) in [
        ("never (ag1 beleives p)", "beleives", "believes"),
        ("never (ag1 believs p)", "believs", "believes"),
        ("alwais p", "alwais", "always"),
        ("evenually p", "evenually", "eventually"),
        ("nevr p", "nevr", "never"),
        ("whenver p, eventually q", "whenver", "whenever"),
        ("G (p adn q)", "adn", "and"),
        ("p untill q", "untill", "until"),
        ("G (x is 3)", "is", "="),
        ("AG EFF p", "EFF", "EF"),
        ("for all x in agent: (x believes p)", "for all", "forall"),
    ] {
        let (problem, at) = problem(formula);
        assert_eq!((problem.code, at.as_str()), ("M0202", word), "{formula}: {}", problem.message);
        assert_eq!(problem.help, format!("did you mean `{near}`"), "{formula}");
    }
}

#[test]
fn a_misspelt_question_is_suggested() {
    for formula in ["Pmx=? [F p]", "Pmx>=0.5 [F p]"] {
        let (problem, at) = problem(formula);
        assert_eq!((at.as_str(), problem.help.as_str()), ("Pmx", "did you mean `Pmax`"), "{formula}");
    }
}

#[test]
fn a_unit_that_is_none_is_told_with_the_one_that_is_meant() {
    for (formula, word, near) in [
        ("within 2 m p", "m", "min"),
        ("F<=2 m p", "m", "min"),
        ("within 2 mins p", "mins", "min"),
        ("within 2 hrs p", "hrs", "h"),
        ("within 2 sec p", "sec", "s"),
        ("within 2 cylces p", "cylces", "cycles"),
        ("whenever p, within 2 m, q", "m", "min"),
    ] {
        let (problem, at) = problem(formula);
        assert_eq!((problem.code, at.as_str()), ("M0218", word), "{formula}: {}", problem.message);
        assert!(problem.help.starts_with(&format!("did you mean `{near}`")), "{formula}: {}", problem.help);
    }
    // A name may stand behind a bare bound.
    assert!(
        read_as("property x: F<=2 m", None, &vocabulary())
            .problems
            .iter()
            .all(|problem| problem.code == "M0307")
    );
}

#[test]
fn operators_over_agents_are_told_in_their_own_form() {
    for (formula, code, meant) in [
        ("G (K(ag1, p))", "M0238", "write `K[ag1](p)`"),
        ("G (B(ag1, p))", "M0238", "write `Bel(ag1, p)`"),
        ("G (Believes(ag1, p))", "M0238", "write `Bel(ag1, p)`"),
        ("G (Bell(ag1, p))", "M0238", "write `Bel(ag1, p)`"),
        ("G (ag1 knows p)", "M0202", "write `ag1 knows (p)`"),
    ] {
        let (problem, _) = problem(formula);
        assert_eq!((problem.code, problem.help.as_str()), (code, meant), "{formula}");
    }
}

#[test]
fn a_bound_counts_what_the_model_counts() {
    let of = |unit| Vocabulary { unit: Some(unit), ..vocabulary() };
    for (unit, formula, at) in [
        (TimeUnit::Milliseconds, "within 2 p", "2"),
        (TimeUnit::Milliseconds, "within 5 cycles p", "5 cycles"),
        (TimeUnit::Cycles, "within 5 min p", "5 min"),
        (TimeUnit::Firings, "G (held(p) <= 3 cycles)", "3 cycles"),
        (TimeUnit::Steps, "F[1 min, 2 min] p", "1 min"),
        (TimeUnit::Steps, "max time to (p) <= 3 cycles", "3 cycles"),
    ] {
        let text = format!("property x: {formula}");
        let read = read_as(&text, None, &of(unit));
        let problem = read.problems.iter().next().expect("it is refused");
        let codes: Vec<&str> = read.problems.iter().map(|problem| problem.code).collect();
        assert!(codes.iter().all(|code| *code == "M0264"), "{formula}: {codes:?}");
        assert_eq!(&text[problem.span.start as usize..problem.span.end as usize], at, "{formula}");
        assert!(read.lowered.claims.is_empty());
    }
    for (unit, formula) in [
        (TimeUnit::Milliseconds, "within 5 steps p"),
        (TimeUnit::Milliseconds, "F[0, 4 min] p"),
        (TimeUnit::Steps, "F<=5 p"),
        (TimeUnit::Firings, "F<=5 firings p"),
    ] {
        let read = read_as(&format!("property x: {formula}"), None, &of(unit));
        assert!(read.problems.is_empty(), "{formula}: {}", read.problems.lines(&read.sources));
    }
}

#[test]
fn a_bound_that_nothing_counts_is_refused() {
    for formula in
        ["F<=100000000000000000000 steps p", "F<=1000000000000000 d p", "F<=9000000000000000000 steps p"]
    {
        let (problem, _) = problem(formula);
        assert_eq!(problem.code, "M0230", "{formula}");
        assert!(problem.message.contains("larger than anything"), "{formula}: {}", problem.message);
    }
}

#[test]
fn what_stands_in_a_scope_and_speaks_of_its_opening_only_is_told() {
    let (problem, at) = problem("after q, p");
    assert_eq!((problem.code, at.as_str()), ("M0332", "p"));
    assert_eq!(problem.help, "write `after q, always (p)` for all of it, or `eventually (...)`");
    let (problem, _) = self::problem("p after q");
    assert_eq!((problem.code, problem.help.as_str()), ("M0219", "write `after q, p`"));
}

#[test]
fn knowledge_without_somebody_who_has_it_asks_who() {
    for (formula, help) in [("knows p", "`Bob knows (p)`"), ("always (believes p)", "`Bob believes p`")] {
        let (problem, at) = problem(formula);
        assert!(problem.help.contains(help), "{formula}: {problem:?}");
        assert_eq!(at, "p", "{formula}");
    }
}
