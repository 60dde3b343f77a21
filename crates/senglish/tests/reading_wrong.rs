//! Every problem that reading can find, each raised at least once, and all of a project at once.

mod lab;

use std::collections::BTreeSet;

use lab::{atom_problems, codes, held};
use motet_model::{AtomText, Expr, Operator, Options};
use motet_senglish::{CODES, SEnglish};

const ACT: &str = "procedure name :: act\nsenglish sentences :: Act.\nprocess, repeat mode :: control, runOnce\nperformance feedback :: Done[1,1,0]\n";

/// A sound agent that the cases below break.
const AGENT: &str = "INITIAL BELIEFS AND GOALS\nGo.\nPERCEPTION PROCESS\nMonitor the following booleans:\n\
                     Rain. {[],[0.5,1,0],[0.5,1,0]}\nDone.\nREASONING\nIf ^[Rain] then ^[Wet].\n\
                     EXECUTABLE PLANS\nIf ^[Go] while ~^[Wet] then\n  [Act.] {fuel=1}\n  -^[Go].\n";

const ONTOLOGY: &str = "> place\n>> harbour\n@ depth : number\n";

fn project(agent: &str, action: &str, ontology: &str) -> Vec<&'static str> {
    codes(&[("a.sej", agent), ("act.sep", action), ("a.ont", ontology)], &Options::default())
}

#[test]
fn the_sound_project_has_no_problems() {
    assert_eq!(project(AGENT, ACT, ONTOLOGY), [""; 0]);
}

/// Which text is broken, what is replaced by what, and the code that must come.
const CASES: &[(&str, &str, &str, &str)] = &[
    ("sej", "then ^[Wet]", "^[Wet]", "M0860"),
    ("sej", "If ^[Go] while", "Or if ^[Go] while", "M0860"),
    ("sej", "~^[Wet]", "~^[Wet] &", "M0860"),
    ("sej", "Monitor the following booleans:\n", "", "M0860"),
    ("sej", "^[Go] while", "^[Go] and ^[Rain] while", "M0860"),
    ("sej", "REASONING", "INITIAL ACTIONS", "M0861"),
    ("sej", "REASONING", "EXECUTABLE PLANS", "M0861"),
    ("sej", "REASONING", "REASONNING", "M0861"),
    ("sej", "REASONING", "Reasoning", "M0861"),
    ("sej", "INITIAL", "Go.\nINITIAL", "M0861"),
    ("sej", "~^[Wet]", "~^[Wet", "M0862"),
    ("sej", "~^[Wet]", "(~^[Wet]", "M0862"),
    ("sej", "Done.", "Done", "M0863"),
    ("sej", "-^[Go].", "-^[Go]", "M0863"),
    ("sej", "[0.5,1,0],[0.5", "[0.5,1],[0.5", "M0864"),
    ("sej", "[0.5,1,0],[0.5,1,0]", "[0.5,1,0]", "M0864"),
    ("sej", "[0.5,1,0],[0.5", "[half,1,0],[0.5", "M0864"),
    ("sej", "[0.5,1,0],[0.5", "[0.5,1.5,0],[0.5", "M0864"),
    ("sej", "  [Act.] {fuel=1}\n  -^[Go].\n", "", "M0866"),
    ("sep", "procedure name :: act\n", "", "M0867"),
    ("sep", "senglish sentences :: Act.\n", "", "M0867"),
    ("sep", "process, repeat mode :: control, runOnce\n", "", "M0867"),
    ("sep", "performance feedback", "performence feedback", "M0868"),
    ("sep", "procedure name :: act\n", "procedure name :: act\nprocedure name :: act\n", "M0868"),
    ("sep", "runOnce", "runTwice", "M0869"),
    ("sep", "control, runOnce", "runOnce", "M0869"),
    ("ont", ">> harbour", "harbour", "M0870"),
    ("ont", ">> harbour", ">>> harbour", "M0870"),
    ("ont", "> place\n>> harbour\n", "", "M0870"),
    ("ont", "> place\n", "> place\n>> harbour\n>>> place\n", "M0871"),
    ("ont", "number", "nomber", "M0872"),
    ("sep", "performance", "input classes and local names :: harbor [H]\nperformance", "M0872"),
    ("sej", "~^[Wet]", "~^[Wett]", "M0873"),
    ("sej", "{[],[0.5", "{[Thunder],[0.5", "M0873"),
    ("sej", "{[],[0.5", "{[b: Thunder],[0.5", "M0873"),
    ("sej", "[Act.]", "[Acct.]", "M0874"),
    ("sej", "[Act.]", "[Act.] [Stop rain.]", "M0875"),
    ("sej", "[Act.]", "[Act.] [Stop act.]", "M0875"),
    ("sej", "Done.", "Done.\nRain. {[],[0.5,1,0],[0.5,1,0]}", "M0876"),
    ("sej", "Go.\n", "Go.\ngo.\n", "M0876"),
    ("sep", "Done[1,1,0]", "Done[0.5,1,0], Done[0.5,1,0]", "M0876"),
    ("sej", "Done.", "Done. {[],[0.5,1,0],[0.5,1,0]}", "M0876"),
    ("sej", "Done.", "Done.\nThunder.", "M0877"),
    ("sej", "Done.\n", "", "M0878"),
    ("sej", "-^[Go].", "-^[Rain].", "M0879"),
    ("sej", "then ^[Wet]", "then ^[Done]", "M0879"),
    ("sej", "Go.\n", "Go.\nDone.\n", "M0879"),
    ("sej", "[0.5,1,0],[0.5", "[1.5,1,0],[0.5", "M0880"),
    ("sej", "[0.5,1,0],[0.5", "[0.5,1,2],[0.5", "M0881"),
    ("sej", "[0.5,1,0],[0.5", "[0.5,0,0],[0.5", "M0881"),
    ("sep", "Done[1,1,0]", "Done[0.9,1,0]", "M0882"),
    ("sep", "Done[1,1,0]", "Done[0.9,1,0], Failed[0.1,2,0]", "M0883"),
    ("sej", "{fuel=1}", "{fuel}", "M0884"),
    ("sej", "{fuel=1}", "{fuel=-1}", "M0884"),
    ("sej", "{fuel=1}", "{cycles=1}", "M0884"),
    ("sej", "Done.", "Done. {fuel=1}", "M0884"),
    ("sej", "-^[Go].", "-^[Gone].", "M0888"),
    ("sej", "  [Act.] {fuel=1}\n", "", "M0889"),
    ("sep", "performance feedback :: Done[1,1,0]\n", "", "M0889"),
    ("sep", "procedure name :: act", "procedure name :: do", "M0897"),
];

#[test]
fn every_break_has_its_code() {
    for (which, from, to, code) in CASES {
        let broken = |file: &str, text: &str| {
            if file != *which {
                return text.to_owned();
            }
            assert!(text.contains(from), "{from} is not there");
            text.replacen(from, to, 1)
        };
        let found = project(&broken("sej", AGENT), &broken("sep", ACT), &broken("ont", ONTOLOGY));
        assert!(found.contains(code), "{from} -> {to}: {code} is not among {found:?}");
    }
}

fn options_with(change: impl Fn(&mut Options)) -> Vec<&'static str> {
    let mut options = Options::default();
    change(&mut options);
    codes(&[("a.sej", AGENT), ("act.sep", ACT)], &options)
}

#[test]
fn options_that_do_not_exist_are_problems() {
    let text = |name: &str| name.to_owned();
    assert_eq!(options_with(|options| options.mode = Some(text("thesys"))), ["M0887"]);
    assert_eq!(options_with(|options| drop(options.rules.insert(text("ties"), text("first")))), ["M0887"]);
    assert_eq!(options_with(|options| drop(options.rules.insert(text("beliefs"), text("many")))), ["M0887"]);
    assert_eq!(
        options_with(|options| {
            options.bounds.insert(text("events"), 3);
        }),
        ["M0887"]
    );
    assert_eq!(
        options_with(|options| drop(options.parameters.insert(text("rain.onn"), text("1")))),
        ["M0887"]
    );
    assert_eq!(
        options_with(|options| drop(options.parameters.insert(text("rain.on"), text("x")))),
        ["M0887"]
    );
    assert_eq!(
        options_with(|options| drop(options.parameters.insert(text("rain.on"), text("2")))),
        ["M0880"]
    );
    assert_eq!(
        options_with(|options| drop(options.parameters.insert(text("done.mean"), text("2")))),
        [""; 0]
    );
}

#[test]
fn projects_need_agents_that_agree() {
    let none = codes(&[("act.sep", ACT)], &Options::default());
    assert!(none.contains(&"M0885"), "{none:?}");
    let twice = codes(&[("a.sej", AGENT), ("x/a.sej", AGENT), ("act.sep", ACT)], &Options::default());
    assert!(twice.contains(&"M0885"), "{twice:?}");
    let other = AGENT.replace("[0.5,1,0],[0.5", "[0.4,1,0],[0.5");
    let differ = codes(&[("a.sej", AGENT), ("b.sej", &other), ("act.sep", ACT)], &Options::default());
    assert_eq!(differ, ["M0886"]);
    let agree = codes(&[("a.sej", AGENT), ("b.sej", AGENT), ("act.sep", ACT)], &Options::default());
    assert_eq!(agree, [""; 0]);
}

#[test]
fn deep_conditions_and_many_choices_are_problems_and_no_crash() {
    let deep = AGENT.replace("~^[Wet]", &format!("{}^[Wet]{}", "(".repeat(5000), ")".repeat(5000)));
    assert!(project(&deep, ACT, ONTOLOGY).contains(&"M0865"));
    let negated = AGENT.replace("~^[Wet]", &format!("{}^[Wet]", "~".repeat(50_000)));
    assert!(project(&negated, ACT, ONTOLOGY).contains(&"M0865"));
    let many = AGENT.replace("EXECUTABLE PLANS\n", &{
        let plan = "If ^[Rain] while true then +^[A].\n";
        format!("EXECUTABLE PLANS\n{}", plan.repeat(65))
    });
    assert!(project(&many, ACT, ONTOLOGY).contains(&"M0896"));
}

#[test]
fn a_faulty_project_gets_all_its_problems_at_once() {
    let agent =
        AGENT.replace("~^[Wet]", "~^[Wett]").replace("[Act.]", "[Akt.]").replace("[0.5,1,0]}", "[0.5,1,3]}");
    let action = ACT.replace("[1,1,0]", "[0.9,1,0]").replace("runOnce", "runSometimes");
    let ontology = ONTOLOGY.replace("number", "nomber");
    let found: BTreeSet<&str> = project(&agent, &action, &ontology).into_iter().collect();
    let wanted = ["M0869", "M0872", "M0873", "M0874", "M0881", "M0882"];
    assert!(wanted.iter().all(|code| found.contains(code)), "{found:?}");
}

#[test]
fn what_cannot_be_read_is_not_missed_elsewhere() {
    // The plan that would add `Wet` cannot be read; that nothing makes it true would be no news.
    let agent = AGENT.replace("then ^[Wet]", "^[Wet]");
    assert_eq!(project(&agent, ACT, ONTOLOGY), ["M0860"]);
    // Nor is a feedback missed whose line cannot be read.
    let action = ACT.replace("Done[1,1,0]", "Done[1,1]");
    assert_eq!(project(AGENT, &action, ONTOLOGY), ["M0864"]);
}

#[test]
fn helps_name_the_nearest_sentence() {
    use motet_model::Language as _;
    let agent = AGENT.replace("~^[Wet]", "~^[wett]").replace("[Act.]", "[Acts.]");
    let sources = lab::sources(&[("a.sej", &agent), ("act.sep", ACT)]);
    let mut problems = motet_source::Problems::new();
    assert!(SEnglish.read(&sources, &Options::default(), &mut problems).is_none());
    let text = problems.lines(&sources);
    assert!(text.contains("did you mean ^[Wet]?"), "{text}");
    assert!(text.contains("did you mean [Act]?"), "{text}");
}

#[test]
fn problems_of_claims_name_the_way_out() {
    let files = [("a.sej", AGENT), ("act.sep", ACT)];
    let first = |atom: AtomText| atom_problems(&files, atom).remove(0);
    let call = |name: &str| Expr::Call(name.to_owned(), Vec::new());
    let plan = |number| Expr::Index(Box::new(call("plan")), Box::new(Expr::Int(number)));
    let is =
        |left: Expr, right: Expr| AtomText::Fact(Expr::Binary(Operator::Eq, Box::new(left), Box::new(right)));
    let (code, message, help) = first(held("Wett"));
    assert_eq!((code, message.as_str()), ("M0890", "there is no belief `Wett`"));
    assert!(help.contains("did you mean \"Wet\" (wet)?"), "{help}");
    assert_eq!(first(is(plan(2), Expr::Int(1))).0, "M0890");
    assert_eq!(first(AtomText::Believes("b".to_owned(), call("wet"))).0, "M0890");
    assert_eq!(first(AtomText::Does("a".to_owned(), Expr::Text("Akt".to_owned()))).0, "M0890");
    assert!(atom_problems(&files, is(plan(1), Expr::Int(3))).is_empty(), "no plan is that long: never");
    assert_eq!(first(is(call("wet"), Expr::Int(2))).0, "M0891");
    assert_eq!(first(is(call("wet"), call("unknown"))).0, "M0891");
    assert_eq!(first(AtomText::Fact(plan(1))).0, "M0891");
    assert_eq!(first(AtomText::Did("a".to_owned(), call("act"))).0, "M0891");
    assert_eq!(first(AtomText::Intends("a".to_owned(), call("wet"))).0, "M0891");
    let team = [("a.sej", AGENT), ("b.sej", AGENT), ("act.sep", ACT)];
    let shared = atom_problems(&team, held("Rain"));
    assert!(shared.is_empty(), "a percept is shared: {shared:?}");
    let own = atom_problems(&team, held("Wet")).remove(0);
    assert_eq!((own.0, own.2.as_str()), ("M0892", "say whose: Bel(a, \"Wet\")"));
}

#[test]
fn there_is_no_promela() {
    let system = lab::system(&[("a.sej", AGENT), ("act.sep", ACT)], &Options::default(), &[]);
    assert_eq!(
        system.export.promela(&[], &motet_model::Unexplored).expect_err("chances have no Promela").code,
        "M0893"
    );
}

#[test]
fn a_choice_that_never_comes_is_noticed() {
    let agent = AGENT.replace(
        "EXECUTABLE PLANS\n",
        "EXECUTABLE PLANS\nIf ^[Wet] while ~^[Wet] then +^[A].\nIf ^[Wet] while ~^[Wet] then +^[B].\n",
    );
    let agent = agent
        .replace("while ~^[Wet] then +", "while ^[Never] then +")
        .replace("REASONING\n", "REASONING\nIf ^[Never] then ^[Never].\n");
    let system = lab::system(&[("a.sej", &agent), ("act.sep", ACT)], &Options::default(), &[]);
    let graph = lab::explore(&system);
    let seen: Vec<_> = graph.rows.iter().flatten().map(|(action, _)| *action).collect();
    let notices = system.review.missing(&seen);
    assert_eq!(notices.len(), 1);
    assert_eq!(
        (notices[0].code, notices[0].message.as_str()),
        ("M0894", "Plan 1 and Plan 2 are never chosen")
    );
}

#[test]
fn every_code_is_explained_once_and_raised_somewhere_in_these_tests() {
    let text = include_str!("reading_wrong.rs");
    let mut seen = BTreeSet::new();
    for entry in CODES {
        assert!(seen.insert(entry.code), "{} is explained twice", entry.code);
        assert!(entry.code >= "M0860" && entry.code <= "M0899");
        assert!(text.contains(&format!("\"{}\"", entry.code)), "{} is raised by no test", entry.code);
        assert!(!entry.title.ends_with('.') && entry.text.len() > 50, "{}", entry.code);
    }
}
