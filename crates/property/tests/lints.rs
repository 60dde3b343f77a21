//! Lints, fragments, the English echo and Spin's syntax.

mod support;

use std::collections::BTreeMap;

use motet_model::{Observers, Sort, TimeUnit, Vocabulary};
use motet_property::{
    CODES, Dialect, Expect, Feature, Fragment, english, fragment, lint, lower, parse, spin_ltl,
    unsupported_operator_words,
};
use motet_source::{FileId, Problems};
use support::{codes, read, read_as, vocabulary, vocabulary_with_agents};

fn lints(item: &str) -> Vec<&'static str> {
    let read = read_as(item, None, &vocabulary_with_agents());
    assert!(read.problems.is_empty(), "{item}\n{}", read.problems.lines(&read.sources));
    let mut problems = Problems::new();
    lint(&read.lowered, &vocabulary_with_agents(), motet_model::TimeUnit::Cycles, &mut problems);
    problems.iter().map(|problem| problem.code).collect()
}

#[test]
fn each_lint_finds_its_pattern_and_leaves_the_sound_form_alone() {
    for (doubtful, sound, code) in [
        ("property x: G (a -> F (a -> b))", "property x: G (a -> F b)", "M0302"),
        ("property x: F (a -> b)", "property x: F (a & b)", "M0303"),
        ("property x: F (a -> G b)", "property x: a -> F (G b)", "M0303"),
        ("property x: G ((a -> b) & F c)", "property x: G (a -> (b & F c))", "M0304"),
        (
            "property x \"Bob is reminded\": F (Robot believes done)",
            "property x \"Bob is reminded\": F (Bob believes done)",
            "M0305",
        ),
        (
            "property x \"no error, without Bob's help\": F (Bob.ok & done)",
            "property x \"ok with Bob\": F (Bob.ok & done)",
            "M0306",
        ),
        (
            "query x \"done and never an error\": P=? [ F (e = 0 & done) ]",
            "query x \"done and never an error\": P=? [ e = 0 U (e = 0 & done) ]",
            "M0306",
        ),
        ("property x: F<=100 (a)", "property x: F<=100 steps (a)", "M0307"),
        ("property x: G (held(p) <= 3)", "property x: G (held(p) <= 3 cycles)", "M0307"),
        ("query x: R=? [ C<=5 ]", "query x: R=? [ C<=5 cycles ]", "M0307"),
        (
            "property x: G (Bob knows (p) -> Bel(Bob, p))",
            "property x: G (Bel(Bob, q) -> Bel(Bob, p))",
            "M0308",
        ),
        ("property x: G !(Bob believes u.v = true)", "property x: G (Bob believes u.v = false)", "M0320"),
    ] {
        assert_eq!(lints(doubtful), [code], "{doubtful}");
        assert_eq!(lints(sound), [] as [&str; 0], "{sound}");
    }
}

/// The help of the one lint of a file, in which `A` and `a` are names of the model.
fn advice(text: &str, dialect: Dialect) -> String {
    let read = read_as(text, Some(dialect), &vocabulary());
    assert!(read.problems.is_empty(), "{text}\n{}", read.problems.lines(&read.sources));
    let mut problems = Problems::new();
    lint(&read.lowered, &vocabulary(), TimeUnit::Steps, &mut problems);
    let mut helps = problems.iter().map(|problem| problem.help.clone());
    let help = helps.next().unwrap_or_default();
    assert!(helps.next().is_none(), "{text}");
    help
}

#[test]
fn an_advice_is_written_in_the_dialect_of_its_claim() {
    for (dialect, text, advised, all) in [
        (Dialect::Motet, "property x: p = 0", "`always (p = 0)`", "property x: always (p = 0)"),
        (Dialect::Prism, "p=0", "`A [ G (p=0) ]`", "A [ G (p=0) ]"),
        (Dialect::Prism, "p=0", "`filter(forall, p=0, \"init\")`", "filter(forall, p=0, \"init\")"),
        (Dialect::Spin, "p == 0", "`[] (p == 0)`", "[] (p == 0)"),
        (Dialect::Psl, "x: B(a, p)", "`[] (B(a, p))`", "x: [] (B(a, p))"),
        (Dialect::Prism, "G (a=0 => F (a=0 => b=0))", "`G (a => F b)` instead", "G (a=0 => F b=0)"),
        (Dialect::Spin, "[] (a -> <> (a -> b))", "`[] (a -> <> b)` instead", "[] (a -> <> b)"),
        (Dialect::Psl, "x: <> (B(a, p) -> B(a, q))", "`[] (a -> <> b)` if", "x: [] (B(a, p) -> <> B(a, q))"),
        (Dialect::Spin, "[] ((a -> b) && <> c)", "`[] (a -> (x && <> c))`", "[] (a -> (b && <> c))"),
    ] {
        let help = advice(text, dialect);
        assert!(help.contains(advised), "{text}: {help}");
        assert_eq!(advice(all, dialect), "", "{all}");
    }
}

#[test]
fn a_claim_that_says_nothing_of_the_model_is_told() {
    for said in [
        "property x: never 1 = 2",
        "const N = 4\nproperty x: never N = 5",
        "property x: never (exists i in 3..1: p = i)",
        "possible x: 2 > 1",
        "property x: P>=0 [ F p ]",
        "property x: always P<=1 [ F p ]",
        "property x: S>=0.0 [ p ]",
    ] {
        assert_eq!(lints(said), ["M0333"], "{said}");
    }
    for said in [
        "property x: always true",
        "property x: false",
        "const N = 4\nproperty x: always (N = 4 -> p = 1)",
        "property x: never (exists i in 1..3: p = i)",
        "property x: P>0 [ F p ]",
        "property x: Pmax<1 [ F p ]",
        "property x: F<=3 cycles true",
        "property x: X (1 = 1)",
        "query x: P=? [ F p ]",
    ] {
        assert_eq!(lints(said), [] as [&str; 0], "{said}");
    }
}

#[test]
fn published_properties_of_the_home_care_model_smell() {
    // H2, M2, M3 and M4 of Stocker's thesis, retold; their English wants something else than their formulas say.
    for (claim, expected) in [
        (
            "property H2: G (Bel(Robot, Bob.plate = empty) -> F (Bel(Robot, Bob.plate = empty) -> Bel(Robot, at = dishwasher)))",
            &["M0302"][..],
        ),
        (
            "property M2 \"if Bob has his pills and has not taken them, Bob will have\": \
             G (Bob believes Bob.has = true -> F (not (Robot believes Bob.took = false)))",
            &["M0320", "M0305"],
        ),
        ("property M3: F (Bob.took = false -> ag1 believes Bob.took = false)", &["M0303"]),
        ("property M4: G ((ag1 believes Bob.took = false -> G !late) & F ag1.atChair)", &["M0304"]),
    ] {
        assert_eq!(lints(claim), expected, "{claim}");
    }
}

#[test]
fn a_claim_lies_in_the_smallest_fragment() {
    let of = |item: &str| {
        let read = read(item);
        assert!(read.problems.is_empty(), "{}", read.problems.lines(&read.sources));
        format!("{:?}", fragment(&read.lowered.claims[0])).split('(').next().unwrap().to_owned()
    };
    for (item, name) in [
        ("property x: G (a -> (b | !c))", "Invariant"),
        ("property x: never (forall n in Nurse: n.lost)", "Invariant"),
        ("possible x: a & b", "Reachability"),
        ("possible x: F a", "Reachability"),
        ("property x: G (a -> F b)", "Ltl"),
        ("property x: AG (EF a)", "Ctl"),
        ("property x: A [ G (F a) ]", "CtlStar"),
        ("property x: G (EF a)", "CtlStar"),
        ("property x: F<=3 s (a)", "Timed"),
        ("property x: G (now < 3 h)", "Timed"),
        ("property x: whenever a, within 3 s, b", "Timed"),
        ("possible x: since(p) > 3 h", "Timed"),
        ("property x: G (K[Bob](a))", "Knowledge"),
        ("property x: P>=0.5 [ F a ]", "Chance"),
        ("query x: R=? [ F a ]", "Reward"),
    ] {
        assert_eq!(of(item), name, "{item}");
    }
    let read = read("property x: G (a -> X (b & deadlock))");
    let formula = &read.lowered.claims[0].formula;
    assert_eq!(unsupported_operator_words(formula, &[Feature::Deadlock]), Some("the operator X (next)"));
    assert_eq!(unsupported_operator_words(formula, &[Feature::Deadlock, Feature::Next]), None);
    assert!(matches!(fragment(&read.lowered.claims[0]), Fragment::Ltl));
}

#[test]
fn the_echo_tells_a_claim_in_english() {
    let told = |text: &str| {
        let read = read(&format!("property x: {text}"));
        english(&read.lowered.claims[0].formula, &read.lowered.atoms)
    };
    for (text, expected) in [
        (
            "[] ((! (Bel ag3 winner(ag3)) && (Des ag3 alliance(ag3,ag2))) -> <> (Int ag3 alliance(ag3,ag2)))",
            "always, if ag3 does not believe winner(ag3) and desires alliance(ag3,ag2), then eventually ag3 intends alliance(ag3,ag2)",
        ),
        ("never Monitor.lowWaterAlarm", "never Monitor.lowWaterAlarm"),
        ("whenever a, within 90 min, b & !c", "always, if a, then within 1 h 30 min, b and not c"),
        ("(F a) & G b", "(eventually a) and (always b)"),
        ("a U (b | c)", "a until (b or c)"),
        ("Bob knows (p)", "Bob knows that p"),
        ("P>=0.95 [ F done ]", "the probability that eventually done is at least 0.95"),
        ("G<=1 cycles p", "for 1 cycle, always p"),
        ("within 4 min p", "within 4 min, p"),
        ("whenever a, after 10 s, b", "always, if a, then after exactly 10 s, b"),
        ("F[10 h, 11 h] p", "at some time between 10 h and 11 h from now, p"),
        ("G[1 h, 2 h] p", "from 1 h to 2 h from now, always p"),
        ("p U<5s q", "p until q in less than 5 s"),
        ("p U>5s q", "p until q after more than 5 s"),
        ("always (held(p) <= 1 h)", "always p has held for at most 1 h"),
        ("F (p and since(q) > 5 min)", "eventually p and q last held more than 5 min ago"),
        ("always (p -> once(q))", "always, if p, then (q now or before)"),
        ("G (p since q)", "always (p ever since q)"),
        ("F (8 h <= now < 9 h)", "eventually the time is at least 8 h and the time is less than 9 h"),
        ("AG (EF home)", "on all runs from here always, on some run from here eventually home"),
        ("G (F p)", "again and again p"),
        ("F (G !p)", "from some moment on never p"),
        ("a precedes b", "never b before a"),
        ("after q, never p", "from the first moment when q, never p"),
        (
            "upon a, the system shall within 4 minutes satisfy b",
            "each time that a begins to hold (also at the start), within 4 min, b",
        ),
        ("F (a -> b)", "eventually, if a, then b"),
        ("G !deadlock", "always something can happen"),
        (
            "in m, whenever a, the system shall for 10 seconds satisfy b",
            "always, if m and a, then for 10 s, or until not m, always b",
        ),
        ("in m, the system shall always satisfy p", "always, if m, then p"),
        ("EK[{a, b}](p)", "each of a and b knows that p"),
        ("CK[{a, b}](p)", "it is common knowledge among a and b that p"),
        ("DK[{a, b}](p)", "a and b together know that p"),
        (
            "filter(forall, P>=0.5 [ F p ], q)",
            "in all reachable states where q, the probability that eventually p is at least 0.5",
        ),
    ] {
        assert_eq!(told(text), expected, "{text}");
    }
}

#[test]
fn spin_gets_plain_linear_time_with_every_parenthesis_and_nothing_else() {
    let spin = |text: &str| {
        let read = read(&format!("property x: {text}"));
        spin_ltl(&read.lowered.claims[0].formula, &|atom| format!("a{}", atom.0))
            .map_err(|error| error.operator)
    };
    assert_eq!(spin("G (p -> F q)").unwrap(), "[] ((a0) -> (<> (a1)))");
    assert_eq!(spin("(p W q) & (p R q)").unwrap(), "((a0) W (a1)) && ((a0) V (a1))");
    assert_eq!(spin("X p"), Err("the next operator X"));
    for bounded in ["F<=3 s p", "G>=3 s p", "p U[1 s, 2 s] q", "p W<=3s q", "p R<3steps q", "F G<=1cycles p"]
    {
        assert_eq!(spin(bounded), Err("a time bound"), "{bounded}");
    }
    for clocked in ["G (now < 3 h)", "G (held(p) <= 1 s)", "F (p & since(q) > 1 s)"] {
        assert_eq!(spin(clocked), Err("a clock"), "{clocked}");
    }
    assert_eq!(spin("AG p"), Err("branching time"));
    assert_eq!(spin("K[a](p)"), Err("knowledge"));
}

#[test]
fn every_code_of_the_second_hundred_is_raised_by_some_text() {
    let raised: Vec<&str> = [
        "property x: a @ b",
        "property x: a b",
        "property x: U",
        "proprety x: a",
        "property x: a\nproperty x: b",
        "property x: a\ndialect prism",
        "property x: a expect reachable",
        "property x: a & forall i in 1..2: p(i)",
        "property x: F a & b",
        "property x: a -> b -> c",
        "property x: a U b U c",
        "property x: a = b = c",
        "property x: whenever a, b",
        "property x: always within 3 s p",
        "property x: F<=T (p)",
        "define f(x) = x\nproperty x: f(a, b)",
        "define f = g\ndefine g = f\nproperty x: p",
        "const T: duration\nproperty x: F<=T p",
        "property x: forall n in Nurze: n.ok",
        "property x: Bel(Bbo, p)",
        "property x: a + 1",
        "property x: Bel(Bob, F p)",
        "property x: exists i in 1..9999999: p(i)",
        "property x: x = 1 / 0",
        "property x: F[2 s, 1 s] (p)",
        "property x: P=? [ F p ]",
        &format!("property x: {}p", "!".repeat(300)),
        "property x: Robott shall always satisfy p",
        "possible x: max time to (p) <= 4 min",
        "query x: max time to (p) expect = 4",
        "property x: A [ F once(p) ]",
        "property x: within 2 m p",
        "property x: p after q",
        "property x: G (K(ag1, p))",
    ]
    .iter()
    .flat_map(|text| codes(text))
    .chain(
        read_as("multi(P=? [ F a ], P=? [ F b ])", Some(motet_property::Dialect::Prism), &vocabulary())
            .problems
            .iter()
            .map(|p| p.code),
    )
    .chain(
        read_as("a: T & T || F", Some(motet_property::Dialect::Psl), &vocabulary())
            .problems
            .iter()
            .map(|p| p.code),
    )
    .chain(bad_parameter())
    .chain(nobody_knows())
    .chain(of_a_model("query x: max time to (p) expect = 4 firings"))
    .chain(of_a_model("property x: within 4 min p"))
    .chain(of_a_model("const n = 3\nproperty x: G (n = 4)"))
    .collect();
    // Automata, parts that do not matter and choices of a model are not raised by texts of claims; sorts and times have tests of
    // their own.
    let apart = ["M0233", "M0234", "M0235", "M0236", "M0237", "M0240", "M0246", "M0247", "M0248", "M0249"];
    let elsewhere =
        |code: &str| code.starts_with("M027") || code.starts_with("M029") || apart.contains(&code);
    for entry in CODES.iter().filter(|entry| entry.code < "M0300" && !elsewhere(entry.code)) {
        assert!(raised.contains(&entry.code), "{} is raised by no text", entry.code);
    }
    assert!(raised.iter().all(|code| CODES.iter().any(|entry| entry.code == *code)));
}

/// The codes of a claim of a model that counts cycles and has a variable `n`.
fn of_a_model(text: &str) -> Vec<&'static str> {
    let mut vocabulary = Vocabulary { unit: Some(TimeUnit::Cycles), ..vocabulary() };
    vocabulary.terms.names.insert("n".to_owned(), Sort::Whole(Some(0), Some(9)));
    read_as(text, None, &vocabulary).problems.iter().map(|problem| problem.code).collect()
}

fn nobody_knows() -> Vec<&'static str> {
    let nobody =
        Vocabulary { observers: Observers::Nobody("a plain net has no agents".to_owned()), ..vocabulary() };
    let empty = Vocabulary { sorts: vec![("Nobody".to_owned(), Vec::new())], ..vocabulary() };
    let codes = |text: &str, vocabulary: &Vocabulary| -> Vec<&'static str> {
        read_as(text, None, vocabulary).problems.iter().map(|problem| problem.code).collect()
    };
    let mut found = codes("property x: K[ag1](p)", &nobody);
    found.extend(codes("property x: EK[Nobody](p)", &empty));
    found
}

fn bad_parameter() -> Vec<&'static str> {
    let (file, mut problems) = parse(FileId(0), "const T = 3 s\nproperty x: F<=T p", None);
    let parameters = BTreeMap::from([("T".to_owned(), "(((".to_owned())]);
    let _ = lower(&file, &vocabulary(), &parameters, &mut problems);
    problems.iter().map(|problem| problem.code).collect()
}

#[test]
fn a_parameter_of_the_command_line_overrides_a_constant() {
    let text = "const T: duration = 3 s\nconst who = ag1\nproperty x: F<=T (Bel(who, p))";
    let (file, mut problems) = parse(FileId(0), text, None);
    let parameters =
        BTreeMap::from([("T".to_owned(), "4min".to_owned()), ("who".to_owned(), "ag2".to_owned())]);
    let lowered = lower(&file, &vocabulary_with_agents(), &parameters, &mut problems);
    assert!(problems.is_empty());
    assert_eq!(
        motet_property::print_formula(&lowered.claims[0].formula, &lowered.atoms),
        "F<=240s (Bel(ag2, p))"
    );
}

#[test]
fn misspelt_names_get_a_suggestion() {
    for (text, near) in [
        ("property x: Bel(Robt, p)", "did you mean `Robot`"),
        ("property x: forall n in Nurze: n.ok", "did you mean `Nurse`"),
        ("const limit = 3\nproperty x: F<=limt p", "did you mean `limit`"),
        ("properti x: p", "did you mean `property`"),
        ("dialect prsm\nproperty x: p", "did you mean `prism`"),
    ] {
        let read = read_as(text, None, &vocabulary_with_agents());
        assert!(
            read.problems.iter().any(|problem| problem.help == near),
            "{}",
            read.problems.lines(&read.sources)
        );
    }
}

#[test]
fn expectations_are_kept_as_exact_ends() {
    let expect = |text: &str| read(text).lowered.claims[0].expect.clone();
    let value = |low: Option<&str>, high: Option<&str>| {
        Expect::Value(low.map(str::to_owned), high.map(str::to_owned))
    };
    assert_eq!(
        expect("query x: P=? [ F p ] expect = 0.4416 +- 0.0001"),
        value(Some("0.4415"), Some("0.4417"))
    );
    assert_eq!(expect("query x: P=? [ F p ] expect in [1/3, 1/2]"), value(Some("1/3"), Some("0.5")));
    assert_eq!(expect("query x: P=? [ F p ] expect >= 0.9"), value(Some("0.9"), None));
    assert_eq!(expect("query x: P=? [ F p ]"), Expect::Nothing);
    assert_eq!(expect("property x: p expect fails"), Expect::Fails);
    assert_eq!(expect("possible x: p expect unreachable"), Expect::Fails);
    assert_eq!(expect("possible x: p"), Expect::Holds);
}

#[test]
fn constants_keep_the_promise_of_their_sort() {
    for (item, expected) in [
        ("const T: duration = 4 min", None),
        ("const T: duration = 4", Some("M0230")),
        ("const N: int = 7 / 2", Some("M0230")),
        ("const N: int = 6 / 2", None),
        ("const x: double = 1 / 3", None),
        ("const x: double = 3 s", Some("M0230")),
        ("const who: agent = Bob", None),
        ("const who: agent = Bobb", Some("M0225")),
        ("const n: Nurse = Nurse_one", None),
        ("const n: Nurrse = Nurse_one", Some("M0224")),
        ("const b: bool = true", None),
    ] {
        assert_eq!(codes(item).first().copied(), expected, "{item}");
    }
}
