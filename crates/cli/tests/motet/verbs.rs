//! Verbs beside `check`.

use crate::folder::Folder;

const PING: &str = "!start.\n+!start <- .send(pong, tell, hello).\n";
const PONG: &str = "+hello <- +greeted.\n";
const TEAM: &str = "team talk\nmode jason\nagent ping\nagent pong\n";

fn talk(name: &str) -> Folder {
    let claims = "property Greeted \"pong is greeted\": <> Bel(pong, greeted)\n";
    Folder::new(name, &[("ping.asl", PING), ("pong.asl", PONG), ("talk.team", TEAM), ("talk.props", claims)])
}

#[test]
fn bare_motet_prints_twelve_lines_with_three_examples() {
    let answer = Folder::new("bare", &[]).motet(&[]);
    assert_eq!(answer.code, 0);
    assert_eq!(answer.stdout.lines().count(), 12, "{}", answer.stdout);
    assert_eq!(answer.stdout.matches("\n  motet ").count(), 6, "{}", answer.stdout);
}

#[test]
fn the_same_seed_gives_the_same_run_and_the_run_says_how_to_repeat_it() {
    let folder = talk("seed");
    let first = folder.motet(&["sim", ".", "--seed", "7", "--steps", "60"]);
    assert_eq!(first.code, 0, "{}", first.stderr);
    assert!(first.stdout.contains("Again: motet sim . --seed 7 --steps 60"), "{}", first.stdout);
    let story = |text: &str| text.split("60 steps in").next().unwrap().to_string();
    let second = folder.motet(&["sim", ".", "--seed", "7", "--steps", "60"]);
    assert_eq!(story(&first.stdout), story(&second.stdout));
    let other = folder.motet(&["sim", ".", "--seed", "8", "--steps", "60", "--full"]);
    let full = folder.motet(&["sim", ".", "--seed", "7", "--steps", "60", "--full"]);
    assert_ne!(story(&full.stdout), story(&other.stdout));
}

#[test]
fn many_runs_are_counted_and_called_no_proof() {
    let answer = talk("many").motet(&["sim", ".", "-n", "50", "--seed", "1", "--steps", "200"]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert!(answer.stdout.contains("no violation in 50 runs (not a proof, use check)"), "{}", answer.stdout);
    assert!(answer.stdout.contains("Greeted"), "{}", answer.stdout);
}

#[test]
fn the_vocabulary_names_agents_and_beliefs() {
    let answer = talk("vocab").motet(&["vocab", "."]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    for word in ["agents", "ping", "pong", "greeted", "hello"] {
        assert!(answer.stdout.contains(word), "{word}: {}", answer.stdout);
    }
}

#[test]
fn claims_are_explained_in_english() {
    let answer = talk("explain").motet(&["explain", ".", "-p", "Greeted"]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert!(
        answer.stdout.contains("eventually") && answer.stdout.contains("pong is greeted"),
        "{}",
        answer.stdout
    );
}

#[test]
fn exports_say_who_sends_what_to_whom() {
    let folder = talk("dot");
    let dot = folder.motet(&["export", ".", "--to", "dot"]);
    assert_eq!(dot.code, 0, "{}", dot.stderr);
    assert!(dot.stdout.contains("n0 -> n1 [label=\"tell hello\"]"), "{}", dot.stdout);
    let graph = folder.motet(&["export", ".", "--to", "json", "--graph", "states", "--states", "5"]);
    let value: serde_json::Value = serde_json::from_str(&graph.stdout).unwrap();
    assert_eq!(value["nodes"].as_array().unwrap().len(), 5);
    assert_eq!(value["complete"], false);
    let promela = folder.motet(&["export", ".", "--to", "promela"]);
    assert!(promela.stdout.starts_with("/* motet export . --to promela */"), "{}", promela.stdout);
    assert!(promela.stdout.contains("ltl Greeted"), "{}", promela.stdout);
}

#[test]
fn formatting_is_idempotent_and_checkable() {
    let folder = Folder::new("fmt", &[("a.props", "property   P :<>  Bel(a,b)\n")]);
    assert_eq!(folder.motet(&["fmt", "--check", "a.props"]).code, 1);
    assert_eq!(folder.motet(&["fmt", "."]).code, 0);
    assert_eq!(folder.motet(&["fmt", "--check", "a.props"]).code, 0);
    assert!(folder.read("a.props").contains("Bel(a, b)"));
}

#[test]
fn files_of_another_dialect_are_rewritten_only_when_asked() {
    let spin = "dialect spin\nltl p { [] (a -> <> b && c) }\n";
    let psl = "1: []~B(a, x)\n";
    let folder = Folder::new("dialects", &[("a.props", spin), ("b.psl", psl)]);
    let answer = folder.motet(&["fmt", "."]);
    assert_eq!((answer.code, folder.read("a.props").as_str()), (0, spin), "{}", answer.stderr);
    assert!(answer.stderr.contains("--to motet"), "{}", answer.stderr);
    assert_eq!(folder.motet(&["fmt", "--to", "motet", "."]).code, 0);
    assert!(folder.read("a.props").contains("(F b) & c"), "{}", folder.read("a.props"));
    assert_eq!(folder.read("b.psl"), psl);
    assert!(folder.read("b.props").contains("Bel(a, x)"), "{}", folder.read("b.props"));
}

#[test]
fn a_long_claim_is_laid_out_in_lines_that_end_behind_operators() {
    let long = "property P \"words\": [] ((Bel(ag2, alliance(ag3, ag2)) && Bel(ag3, alliance(ag3, ag2))) -> <> winner(ag3)) expect fails\n";
    let folder = Folder::new("layout", &[("a.props", long)]);
    folder.motet(&["fmt", "."]);
    assert_eq!(
        folder.read("a.props"),
        "property P \"words\":
  G ((Bel(ag2, alliance(ag3, ag2)) & Bel(ag3, alliance(ag3, ag2))) -> F winner(ag3))
  expect fails\n"
    );
}

#[test]
fn a_failing_claim_about_something_that_never_changes_is_told_so() {
    let team = "team t\nmode strict\nagent a\nenv w {\n  var n : 0..3 = 0\n  percept tick(n)\n  action say(k) { n := k }\n}\n";
    let claims = "property P: eventually (a believes tick(3))\n";
    let files = [("t.team", team), ("a.asl", "+tick(0) : true <- say(1).\n"), ("t.props", claims)];
    let answer = Folder::new("constant", &files).motet(&["check", "."]);
    assert_eq!(answer.code, 1);
    assert!(answer.stdout.contains("[M0310] t.props:1 `Bel(a, tick(3))` is false"), "{}", answer.stdout);
}

#[test]
fn completions_manual_and_doctor_are_there() {
    let folder = Folder::new("manual", &[]);
    for shell in ["bash", "zsh", "fish"] {
        assert!(folder.motet(&["completions", shell]).stdout.contains("motet"), "{shell}");
    }
    assert!(folder.motet(&["man"]).stdout.contains(".TH motet"));
    let doctor = folder.motet(&["doctor"]);
    assert!(doctor.stdout.contains("spin") && doctor.stdout.contains("memory"), "{}", doctor.stdout);
}

#[test]
fn help_and_version_go_to_standard_output() {
    let folder = Folder::new("help", &[]);
    for arguments in [&["--help"][..], &["check", "--help"], &["--version"]] {
        let answer = folder.motet(arguments);
        assert_eq!((answer.code, answer.stderr.as_str()), (0, ""), "{arguments:?}");
        assert!(!answer.stdout.is_empty());
    }
}

#[test]
fn the_auction_tells_its_fault_in_fifteen_rows() {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/auction");
    // With five auctions the fault is there already; 650 973 is the count of the corpus.
    let folder = Folder::new("auction", &[]);
    let answer = folder.motet(&["check", example, "-D", "LAST=5", "-p", "S1"]);
    assert_eq!(answer.code, 1, "{}{}", answer.stdout, answer.stderr);
    let text = &answer.stdout;
    let row = |words: &str| {
        text.lines().position(|line| line.contains(words)).unwrap_or_else(|| panic!("{words}: {text}"))
    };
    let order = [
        row("auction(4)"),
        row("tell alliance(ag3,ag2)"),
        row("──tell alliance(ag3,ag2)─"),
        row("auction(5)"),
        row("reads mail: ag2 tells alliance(ag3,ag2)"),
        row("+!alliance(ag3,ag2) dropped, no plan ●"),
        row("repeats for ever"),
        row("Why   ag3 loses its intention for +auction(5)"),
        row("alliance(ag3,ag2) is believed since step"),
    ];
    assert!(order.windows(2).all(|pair| pair[0] <= pair[1]), "{order:?} {text}");
    assert!(text.contains("plan ag3.asl:27"), "{text}");
    assert!(text.contains("complete: 650 973 states"), "{text}");
    let lanes = text.lines().position(|line| line.trim_end().ends_with("environment")).unwrap();
    let close = text.lines().position(|line| line.contains("╰─")).unwrap();
    assert!(close - lanes <= 15, "{text}");
}

#[test]
fn a_kind_that_no_member_is_of_is_refused_with_the_kinds_there_are() {
    let coin = |name: &str, x: &str| {
        format!("module {name}\n  {x} : bool init false;\n  [] !{x} -> ({x}'=true);\nendmodule\n")
    };
    let model = format!("mdp\n{}module two = one [x=y] endmodule\n", coin("one", "x"));
    let folder = Folder::new("kinds", &[("coins.prism", &model), ("coins.props", "property P: F (x & y)\n")]);
    let wrong = folder.motet(&["check", "coins.prism", "--symmetry", "nobody"]);
    assert_eq!(wrong.code, 3, "{}{}", wrong.stdout, wrong.stderr);
    let told = wrong.stdout + &wrong.stderr;
    assert!(told.contains("M0014") && told.contains("`nobody`"), "{told}");
    let right = folder.motet(&["check", "coins.prism", "--symmetry"]);
    assert!(right.code != 3 && right.stdout.contains("interchangeable"), "{}{}", right.stdout, right.stderr);
}

#[test]
fn a_missed_wait_for_the_end_of_something_says_that_it_is_still_so() {
    let model = "object Bob { attributes: public boolean fallen; initial_facts: (current.fallen = true);\n\
                 activities: primitive_activity lie() { max_duration: 9; } workframes: workframe wf { do { lie(); } } }\n";
    let folder = Folder::new("still-so", &[("bob.b", model)]);
    let answer = folder.motet(&["check", "bob.b", "-e", "F<=2s not (Bob.fallen = true)"]);
    assert_eq!(answer.code, 1, "{}{}", answer.stdout, answer.stderr);
    assert!(answer.stdout.contains("Bob.fallen = true still so"), "{}", answer.stdout);
}
