//! What a claim without an operator of time says, and `initially`.

mod support;

use motet_model::TimeUnit;
use motet_property::{english_claim, lint};
use motet_source::Problems;
use support::{codes, formula, read, vocabulary};

fn lints(item: &str) -> Vec<&'static str> {
    let read = read(item);
    assert!(read.problems.is_empty(), "{item}\n{}", read.problems.lines(&read.sources));
    let mut problems = Problems::new();
    lint(&read.lowered, &vocabulary(), TimeUnit::Milliseconds, &mut problems);
    problems.iter().map(|problem| problem.code).collect()
}

#[test]
fn a_property_without_an_operator_of_time_is_warned_of_and_initially_is_not() {
    for doubtful in [
        "property x: a = 1",
        "property x: (a = 1 -> b) and not c",
        "assume x: a",
        "property x: Bob knows (a)",
        "property x: once(a)",
        "property x: held(a) <= 1 min",
        "property x: globally, a",
        "define d = a\nproperty x: d",
        "property x: deadlock",
    ] {
        assert_eq!(lints(doubtful), ["M0330"], "{doubtful}");
    }
    for sound in [
        "property x: initially (a = 1)",
        "property x: initially (forall i in 1..2: a = i)",
        "property x: not (initially (a)) or b",
        "define d = initially (a)\nproperty x: d",
        "property x: always a",
        "property x: a -> F b",
        "property x: X a",
        "property x: AG a",
        "property x: P>=0.5 [ F a ]",
        "property x: filter(forall, a, b)",
        "property x: true",
        "possible x: a",
    ] {
        assert_eq!(lints(sound), [] as [&str; 0], "{sound}");
    }
}

#[test]
fn the_warning_points_at_the_formula_and_shows_both_repairs() {
    let text = "property x \"words\":\n  a = 1";
    let read = read(text);
    let mut problems = Problems::new();
    lint(&read.lowered, &vocabulary(), TimeUnit::Milliseconds, &mut problems);
    let problem = problems.iter().next().expect("a warning");
    assert_eq!(&text[problem.span.start as usize..problem.span.end as usize], "a = 1");
    assert!(problem.help.contains("`always (a = 1)`") && problem.help.contains("`initially (a = 1)`"));
}

#[test]
fn the_sentence_of_a_claim_says_what_is_about_the_start() {
    for (text, expected) in [
        ("property x: a = 1", "at the start, a = 1"),
        ("property x: initially (a = 1)", "at the start, a = 1"),
        ("property x: a -> b", "at the start, if a, then b"),
        ("property x: a -> F b", "if a at the start, then eventually b"),
        ("property x: a & G b", "(at the start, a) and (always b)"),
        ("assume x: a", "at the start, a"),
        ("property x: always a", "always a"),
        ("property x: a U b", "a until b"),
        ("possible x: a", "a"),
        ("query x: P=? [ a ]", "the probability that a"),
    ] {
        let read = read(text);
        assert_eq!(english_claim(&read.lowered.claims[0], &read.lowered.atoms), expected, "{text}");
    }
}

#[test]
fn initially_is_the_formula_inside_it_and_stands_outside_of_operators() {
    assert_eq!(formula("initially (a)"), formula("a"));
    assert_eq!(formula("initially (whenever a, eventually b) and G c"), formula("(G (a -> F b)) and G c"));
    for item in [
        "property x: always (initially (a))",
        "property x: F (b and initially (a))",
        "define d = initially (a)\nproperty x: G d",
        "property x: P>=0.5 [ initially (a) ]",
    ] {
        assert_eq!(codes(item), ["M0331"], "{item}");
    }
}
