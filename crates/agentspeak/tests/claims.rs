//! Atoms of claims, words, explanations and notices.

mod support;

use motet_agentspeak::AgentSpeak;
use motet_model::{AtomId, AtomText, Expr, Language as _, Operator, Options, Weight};
use motet_source::{Problems, Sources, Span, Spanned};
use support::{believes, call, count, explore, explore_unchecked, load_example, load_with, try_load};

fn compare(operator: Operator, left: Expr, right: Expr) -> AtomText {
    AtomText::Fact(Expr::Binary(operator, Box::new(left), Box::new(right)))
}

fn alliance() -> Expr {
    call("alliance", &["ag3", "ag2"])
}

#[test]
fn intending_implies_desiring_and_facts_differ_from_beliefs() {
    let ag3 = || "ag3".to_owned();
    let atoms = [
        AtomText::Intends(ag3(), alliance()),
        AtomText::Desires(ag3(), alliance()),
        AtomText::Fact(call("winner", &["_"])),
        believes("ag3", "winner", &["_"]),
        compare(Operator::Lt, call("n", &[]), Expr::Int(4)),
        AtomText::Does(ag3(), call("place_bid", &["_", "_"])),
        AtomText::Did(ag3(), call("place_bid", &["1", "3"])),
        AtomText::WillDo(ag3(), call("place_bid", &["4", "3"])),
        AtomText::Says("ag3".to_owned(), "ag2".to_owned(), alliance()),
    ];
    let system = load_example("auction", &atoms, &[("LAST", 4)]);
    let graph = explore(&system);
    let holds = |atom: u32, state: &motet_model::State| system.model.holds(AtomId(atom), state);
    for state in &graph.states {
        assert!(!holds(0, state) || holds(1, state));
    }
    assert!(count(&system, &graph, 1) > count(&system, &graph, 0));
    assert!(graph.states.iter().any(|state| holds(2, state) && !holds(3, state)));
    for atom in 4..9 {
        let states = count(&system, &graph, atom);
        assert!(states > 0 && states < graph.states.len(), "atom {atom}: {states}");
    }
}

#[test]
fn a_did_slot_exists_only_if_a_claim_asks_for_it() {
    let did = AtomText::Did("ag1".to_owned(), call("place_bid", &["_", "_"]));
    assert_eq!(load_example("auction", &[did], &[]).model.signature().slots.len(), 6);
    assert_eq!(load_example("auction", &[], &[]).model.signature().slots.len(), 5);
}

const TEAM: &str = "team t\nmode strict\nagent a\nagent b\nenv w {
  var n : 0..3 = 0
  var on[agent] : bool = false
  percept tick(n)
  action press by x { on[x] := true }
}\n";

fn problem(atom: AtomText) -> String {
    let files = [
        ("t.team", TEAM),
        ("a.asl", "+tick(N) : true <- press."),
        ("b.asl", "p. +tick(N) : p <- !q(N). +!q(N) : true <- press."),
    ];
    try_load(&files, &[atom], &[]).err().expect("the atom is wrong")
}

#[test]
fn an_argument_that_stands_nowhere_in_the_model_is_told() {
    let files =
        [("t.team", "team t\nmode strict\nagent a\n"), ("a.asl", "bag(blood). +bag(X) : true <- +has(X).")];
    let warned = |argument: &str| {
        let mut sources = Sources::new();
        let first = files.map(|(name, text)| sources.add(name, text))[0];
        let mut problems = Problems::new();
        let draft = AgentSpeak.read(&sources, &Options::default(), &mut problems).expect("it is a team");
        let atom = Spanned::new(believes("a", "has", &[argument]), Span::new(first, 0, 1));
        let mut found = Problems::new();
        assert!(draft.system(&[atom], &mut found).is_some(), "{}", found.lines(&sources));
        found.lines(&sources)
    };
    assert!(warned("blod").contains("M0481"), "{}", warned("blod"));
    assert!(warned("blod").contains("`blod` occurs nowhere in the model (help: did you mean `blood`?)"));
    assert!(warned("water").contains("nothing of the kind ever happens"));
    assert_eq!(warned("blood"), "");
    assert_eq!(warned("_"), "");
    assert_eq!(warned("7"), "");
}

#[test]
fn wrong_atoms_are_refused_with_a_suggestion() {
    let text = problem(believes("bob", "tick", &["1"]));
    assert!(text.contains("M0480") && text.contains("the agents are a, b"), "{text}");
    let text = problem(believes("a", "tik", &["1"]));
    assert!(text.contains("M0481") && text.contains("did you mean `tick`?"), "{text}");
    let text = problem(believes("a", "tick", &[]));
    assert!(text.contains("M0482") && text.contains("the model has tick(_)"), "{text}");
    let text = problem(AtomText::Intends("a".to_owned(), call("q", &["1"])));
    assert!(text.contains("M0481") && text.contains("goal of a"), "{text}");
    let text = problem(compare(Operator::Lt, call("m", &[]), Expr::Int(1)));
    assert!(text.contains("M0481") && text.contains("did you mean"), "{text}");
    let text = problem(compare(Operator::Eq, call("on", &[]), call("true", &[])));
    assert!(text.contains("M0483") && text.contains("on[..]"), "{text}");
    let text = problem(believes("a", "tick", &["N"]));
    assert!(text.contains("M0484"), "{text}");
}

#[test]
fn beliefs_combine_inside_one_atom_and_variables_are_facts() {
    let both = Expr::Binary(
        Operator::And,
        Box::new(call("p", &[])),
        Box::new(Expr::Not(Box::new(call("tick", &["_"])))),
    );
    let index = Expr::Index(Box::new(call("on", &[])), Box::new(call("a", &[])));
    let atoms = [AtomText::Believes("b".to_owned(), both), AtomText::Fact(index)];
    let files = [
        ("t.team", TEAM),
        ("a.asl", "+tick(N) : true <- press."),
        ("b.asl", "p. +tick(N) : p <- !q(N). +!q(N) : true <- press."),
    ];
    let system = load_with(&files, &atoms, &[]);
    let graph = explore(&system);
    for atom in 0..2 {
        let states = count(&system, &graph, atom);
        assert!(states > 0 && states < graph.states.len(), "atom {atom}: {states}");
    }
}

/// The shortest run to a lost intention: 167 steps in an independent prototype.
#[test]
fn the_fault_of_the_auction_is_told_with_its_cause() {
    let system = load_example("auction", &[], &[("LAST", 5)]);
    let graph = explore_unchecked(&system);
    // Ten auctions reach five events; the other marks are those of ten auctions.
    assert_eq!(
        system.review.remarks(),
        ["most at once: beliefs 8, events 4, intentions 2, actions 3, messages 2"]
    );
    let is_lost = |action: &motet_model::ActionId| {
        system.review.happened(*action).is_some_and(|notice| notice.code == "M0601")
    };
    let lost: Vec<_> = graph.actions.iter().copied().filter(is_lost).collect();
    assert_eq!(lost.len(), 1);
    let mut out = motet_model::Steps::new(system.model.signature().slots.len());
    let (from, target) = graph
        .states
        .iter()
        .find_map(|state| {
            out.clear();
            system.model.steps(state, &mut out).expect("no bound is exceeded");
            let step = out.iter().find(|step| step.action == lost[0])?;
            let target: Box<motet_model::State> = step.branches().next()?.target.into();
            Some((state.clone(), target))
        })
        .expect("the action is taken somewhere");
    let (mut states, mut actions) = graph.run_to(&from);
    states.push(target);
    actions.push(lost[0]);
    assert_eq!(actions.len(), 167);
    assert_eq!(
        system.words.action(lost[0]),
        "selects +!alliance(ag3,ag2): no applicable plan, intention for +auction(5) lost"
    );
    assert_eq!(system.words.story(lost[0]).weight, Weight::Alarm);
    let why = system.words.why(&states, &actions, actions.len() - 1);
    assert_eq!(why.len(), 3, "{why:?}");
    assert!(why[0].starts_with("+!alliance(ag3,ag2) waited since step "), "{why:?}");
    assert!(
        why[1].starts_with("plan ag3.asl:27  +!alliance(Me,Friend) : not(alliance(Me,Friend))"),
        "{why:?}"
    );
    assert!(
        why[2].starts_with("  with Me=ag3, Friend=ag2: alliance(ag3,ag2) is believed since step "),
        "{why:?}"
    );
}

#[test]
fn plans_that_never_run_are_noticed_after_a_complete_exploration() {
    let files = [
        ("t.team", "team t\nmode strict\nagent a\nenv w { var n : 0..1 = 0\n percept tick(n) }\n"),
        (
            "a.asl",
            "+tick(N) : true <- .print(N).\n+tick(N) : tick(1) <- .print(late).\n+bell : true <- .print(no).\n+z : true <- +bell.",
        ),
    ];
    let system = load_with(&files, &[], &[]);
    let graph = explore(&system);
    let missing = system.review.missing(&graph.actions);
    let codes: Vec<(&str, Option<u32>)> =
        missing.iter().map(|notice| (notice.code, notice.span.map(|span| span.start))).collect();
    assert_eq!(codes, [("M0606", Some(30)), ("M0607", Some(66)), ("M0607", Some(94))]);
}

#[test]
fn refused_actions_and_messages_without_effect_are_noticed() {
    let files = [
        (
            "t.team",
            "team t\nmode strict\nagent a\nagent b\ntrust tell a -> b: none\nenv w { var n : 0..1 = 0\n percept tick(n)\n action go(k) by x when k == 1 { n := 0 } }\n",
        ),
        (
            "a.asl",
            "friend(carl). +tick(N) : friend(F) <- go(2); .send(b, tell, p); .send(b, achieve, q); .send(F, tell, p).",
        ),
        ("b.asl", "+p : true <- .print(p)."),
    ];
    let system = load_with(&files, &[], &[]);
    let graph = explore(&system);
    let mut notices: Vec<String> = graph
        .actions
        .iter()
        .filter_map(|&action| system.review.happened(action))
        .map(|n| format!("{} {}", n.code, n.message))
        .collect();
    notices.sort();
    notices.dedup();
    assert_eq!(
        notices,
        [
            "M0602 the environment refuses go(2) of a",
            "M0603 a sends p to carl, who does not exist",
            "M0603 b does not trust a with p",
            "M0603 b has no plan for q, which a asks for",
            "M0608 b drops +!q: no plan applies",
        ]
    );
}

#[test]
fn a_variable_that_only_a_claim_reads_is_read() {
    let mut sources = Sources::new();
    let team = "team t\nmode strict\nagent a\nenv w {\n  var seen : bool = false\n  action look { seen := true }\n}\n";
    sources.add("t.team", team);
    let program = sources.add("a.asl", "go. +go : true <- look.");
    let unread = |atoms: &[AtomText]| {
        let mut problems = Problems::new();
        let draft = AgentSpeak.read(&sources, &Options::default(), &mut problems).expect("it is sound");
        let span = Span::new(program, 0, 1);
        let atoms: Vec<_> = atoms.iter().map(|atom| Spanned::new(atom.clone(), span)).collect();
        assert!(draft.system(&atoms, &mut problems).is_some());
        problems.iter().filter(|problem| problem.code == "M0540").count()
    };
    assert_eq!(unread(&[]), 1);
    assert_eq!(unread(&[AtomText::Fact(call("seen", &[]))]), 0);
}

#[test]
fn a_term_too_deep_for_the_stack_is_refused() {
    let level = |inner: &str| format!("[{}{inner}]", "a,".repeat(990));
    let program = format!("p({}). +p(X) : true <- .print(X).", level(&level(&level("a"))));
    let problems = try_load(&[("a.asl", &program)], &[], &[]).err().expect("it is refused");
    assert!(problems.contains("M0486"), "{problems}");
}
