//! What the Promela export writes, and what it refuses. That its models have the native graph is compared with Spin in
//! the suite.

use motet_agentspeak::AgentSpeak;
use motet_model::{AtomId, AtomText, Expr, Language, Options, PromelaClaim};
use motet_source::{Problems, Sources, Span, Spanned};

/// The exported text, or `line:column code message`.
fn export(program: &str) -> Result<String, String> {
    let mut sources = Sources::new();
    sources.add("one.asl", program);
    sources
        .add("t.team", "mode jason\nagent one\nenv e { var n : 0..2 percept n(n) action go { n := 1 } }\n");
    let mut problems = Problems::new();
    let draft = AgentSpeak.read(&sources, &Options::default(), &mut problems);
    let draft = draft.unwrap_or_else(|| panic!("well-formed:\n{}", problems.lines(&sources)));
    let system = draft.system(&[], &mut problems).expect("no atoms, no problems");
    let claim = PromelaClaim {
        name: "quiet".to_owned(),
        text: "always */ quiet".to_owned(),
        formula: "[] (up <= 1)".to_owned(),
    };
    system.export.promela(&[claim], &motet_model::Unexplored).map_err(|problem| {
        let place = sources.place(problem.span);
        assert!(!problem.help.is_empty(), "every problem has a way out");
        format!("{}:{} {} {}", place.line, place.column, problem.code, problem.message)
    })
}

#[test]
fn the_model_shows_plans_formulas_and_claims_as_the_user_wrote_them() {
    let text = export("!start.\n+!start : n(X) & X < 2 <- go; +done(X).").unwrap();
    for part in [
        "motet export --to promela",
        "/* +!start : n(X) & X < 2 */",
        "/* go */",
        "/* +done(X) */",
        "#define p_done",
        "proctype agent_one()",
        "proctype Environment()",
        "@motet 0 0",
        "/* always * / quiet */",
        "ltl quiet { [] (up <= 1) }",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}

#[test]
fn what_has_no_translation_is_refused_at_its_place() {
    let refused = [
        ("!start.\n+!start <- +seen([1, 2]).", "2:12 M0901 "),
        ("!start.\n+!start <- +seen(at(1)).", "2:12 M0901 "),
        ("!start.\np(X) :- n(X).\n+!start : p(_) <- go.", "3:1 M0902 "),
        ("!start.\n+!start <- .findall(X, n(X), L); go.", "2:12 M0903 "),
        ("!start.\n+!start <- for (n(X)) { go }.", "2:12 M0903 "),
        ("!start.\n+!start <- !find(X).\n+!find(X) <- ?n(X).", "2:12 M0904 "),
        ("!start.\n+!start <- go.\n-!start <- go.", "3:1 M0903 "),
        ("!start.\n@s[atomic] +!start <- go.", "2:12 M0903 "),
        ("!start.\n+!start <- .wait(10).", "2:12 M0903 "),
        ("!start.\n+!start <- +seen(0.5).", "2:12 M0905 "),
        ("!start.\n+!start <- +seen(12345678).", "2:12 M0905 "),
    ];
    for (program, expected) in refused {
        match export(program) {
            Err(problem) => assert!(problem.starts_with(expected), "{program}\n{problem}"),
            Ok(_) => panic!("{program}\nwas translated"),
        }
    }
}

#[test]
fn a_body_beyond_the_counter_is_refused() {
    let body = vec!["go"; 260].join("; ");
    let problem = export(&format!("!start.\n+!start <- {body}.")).unwrap_err();
    assert!(problem.starts_with("2:1 M0906 "), "{problem}");
}

#[test]
fn an_atom_about_remaining_actions_is_refused() {
    let mut sources = Sources::new();
    let file = sources.add("one.asl", "+!start <- go.\n!start.");
    sources.add("t.team", "mode jason\nagent one\nenv e { action go { } }\n");
    let mut problems = Problems::new();
    let draft = AgentSpeak.read(&sources, &Options::default(), &mut problems).expect("well-formed");
    let atom = AtomText::WillDo("one".to_owned(), Expr::Call("go".to_owned(), Vec::new()));
    let atoms = [Spanned::new(atom, Span::new(file, 0, 0))];
    let system = draft.system(&atoms, &mut problems).expect("the atom is known");
    let formula = format!("[] {}", system.export.promela_atom(AtomId(0)));
    let claim = PromelaClaim { name: "left".to_owned(), text: "ItD(one, go)".to_owned(), formula };
    assert_eq!(system.export.promela(&[claim], &motet_model::Unexplored).unwrap_err().code, "M0907");
}

#[test]
fn the_flat_part_of_jason_is_translated() {
    let program = "!start.\n+!start : n(X) | .my_name(X) <- if (n(Y) & Y > 1) { -+seen(Y); } else { !!rest; }; \
                   while (n(0)) { go }; .count(n(_), C); .send(one, achieve, rest); Z = C * 2; +twice(Z)[source(self)].\n\
                   +!rest <- -seen(_); .abolish(twice(_)); !rest.";
    assert!(export(program).is_ok(), "{:?}", export(program));
}
