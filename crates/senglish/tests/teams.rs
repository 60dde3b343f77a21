//! Several agents, three values, and what a user is told.

mod lab;

use lab::{explore, held, near, system};
use motet_model::{AtomId, AtomText, Expr, Language as _, Operator, Options, ProcessId};
use motet_senglish::SEnglish;
use motet_source::Problems;

const A: AtomId = AtomId(0);
const B: AtomId = AtomId(1);

const SCOUT: &str = "PERCEPTION PROCESS\nMonitor the following booleans:\nA mine is near. {[],[0.5,1,0],[0,1,0]}\n\
                     EXECUTABLE PLANS\nIf ^[A mine is near] while ~^[Mine found] then +^[Mine found].\n";
const HUNTER: &str = "PERCEPTION PROCESS\nMonitor the following booleans:\n\
                      A mine is near. {[],[0.5,1,0],[0,1,0]}\n\
                      The scout calls. {[scout: Mine found],[1,2,0],[0,1,0]}\nDone.\n\
                      EXECUTABLE PLANS\nIf ^[The scout calls] while ~^[Mine found] then [Sweep.] +^[Mine found].\n";
const SWEEP: &str = "procedure name :: sweep\nsenglish sentences :: Sweep.\nprocess, repeat mode :: control, runOnce\n\
                     performance feedback :: Done[1,1,0]\n";
const TEAM: &[(&str, &str)] = &[("scout.sej", SCOUT), ("hunter.sej", HUNTER), ("sweep.sep", SWEEP)];

fn believes(agent: &str, text: &str) -> AtomText {
    AtomText::Believes(agent.to_owned(), Expr::Text(text.to_owned()))
}

#[test]
fn agents_share_percepts_and_nothing_else() {
    let near_hunter = believes("hunter", "A mine is near");
    let atoms = [
        believes("scout", "Mine found"),
        believes("hunter", "Mine found"),
        held("A mine is near"),
        near_hunter,
    ];
    let system = system(TEAM, &Options::default(), &atoms);
    let graph = explore(&system);
    // The percept comes in cycle 1 with chance 1/2; the plan starts there, cycle 2 adds the note.
    near(graph.at(1, AtomId(2)), 0.5);
    near(graph.at(1, AtomId(3)), 0.5);
    near(graph.at(2, A), 0.5);
    // Then two cycles until the hunter hears it, and the sweep and the note take one each.
    near(graph.at(5, B), 0.0);
    near(graph.at(6, B), 0.5);
    assert_eq!(system.summary.facts[0], "2 agents");
    assert_eq!(system.model.signature().processes, ["hunter", "scout"]);
}

#[test]
fn the_translation_of_a_team_names_what_belongs_to_whom() {
    let system = system(TEAM, &Options::default(), &[believes("scout", "Mine found")]);
    let text = system.export.prism().expect("a translation").expect("complete");
    assert_eq!(text.atoms, ["scout_mine_found=1"]);
    for line in
        ["module a_mine_is_near", "module scout_plan_1", "module hunter_plan_1", "  hunter_done : [0..1]"]
    {
        assert_eq!(text.text.matches(line).count(), 1, "{line} in\n{}", text.text);
    }
    assert!(text.text.contains("[b] the_scout_calls=0 & !(scout_mine_found=1) -> (c1'=1);"), "{}", text.text);
}

#[test]
fn an_action_file_with_an_agents_name_is_its_own() {
    let own = SWEEP.replace("Done[1,1,0]", "Done[1,3,0]");
    let same = HUNTER.replace("scout calls", "scout shouts");
    let files =
        [("hunter.sej", HUNTER), ("scout.sej", SCOUT), ("twin.sej", same.as_str()), ("sweep.sep", SWEEP)];
    for path in ["twin.sweep.sep", "twin/sweep.sep"] {
        let mut files = files.to_vec();
        files.push((path, &own));
        let atoms = [believes("hunter", "Done"), believes("twin", "Done")];
        let graph = explore(&system(&files, &Options::default(), &atoms));
        near(graph.at(5, A), 0.5);
        near(graph.at(5, B), 0.0);
        near(graph.at(7, B), 0.5);
    }
}

#[test]
fn a_claim_reaches_one_agents_plans_and_beliefs() {
    let field = |agent: &str, name: &str| {
        Expr::Field(Box::new(Expr::Call(agent.to_owned(), Vec::new())), name.to_owned())
    };
    let plan = Expr::Index(Box::new(field("hunter", "plan")), Box::new(Expr::Int(1)));
    let runs = AtomText::Fact(Expr::Binary(Operator::Eq, Box::new(plan), Box::new(Expr::Int(1))));
    let does = AtomText::Does("hunter".to_owned(), Expr::Text("Sweep".to_owned()));
    let intends = AtomText::Intends(
        "hunter".to_owned(),
        Expr::Index(Box::new(Expr::Call("plan".to_owned(), Vec::new())), Box::new(Expr::Int(1))),
    );
    let desires = AtomText::Desires("hunter".to_owned(), Expr::Int(1));
    let will = AtomText::WillDo("hunter".to_owned(), Expr::Call("sweep".to_owned(), Vec::new()));
    let found = AtomText::Fact(field("hunter", "mine_found"));
    let graph = explore(&system(TEAM, &Options::default(), &[runs, does, intends, desires, will, found]));
    use motet_model::Model as _;
    for state in &graph.states {
        let holds = |atom: u32| graph.model.holds(AtomId(atom), state);
        assert_eq!(holds(0), holds(1), "the first action is the sweep");
        assert_eq!(holds(0), holds(4), "it lies ahead only while it is done");
        assert!(!holds(0) || holds(2), "a plan on an action is intended");
    }
    // Cycle 4 brings the call: the plan is desired, and in cycle 5 it stands on the sweep.
    near(graph.at(4, AtomId(3)), 0.5);
    near(graph.at(4, A), 0.0);
    near(graph.at(5, A), 0.5);
    near(graph.at(6, AtomId(2)), 0.5 + 0.25);
    near(graph.at(6, AtomId(5)), 0.5);
}

fn three_valued() -> Options {
    let mut options = Options::default();
    options.rules.insert("beliefs".to_owned(), "three-valued".to_owned());
    options
}

/// Whether a belief has this value with certainty in a cycle.
fn value(text: &str, belief: &str, value: &str, cycle: usize) -> f64 {
    let atom = AtomText::Fact(Expr::Binary(
        Operator::Eq,
        Box::new(Expr::Call(belief.to_owned(), Vec::new())),
        Box::new(Expr::Call(value.to_owned(), Vec::new())),
    ));
    explore(&system(&[("a.sej", text)], &three_valued(), &[atom])).at(cycle, A)
}

#[test]
fn a_percept_is_unknown_until_the_first_trial() {
    let text = "PERCEPTION PROCESS\nMonitor the following booleans:\nRain. {[],[0.25,3,0],[1,1,0]}\n";
    for cycle in 0..3 {
        near(value(text, "rain", "unknown", cycle), 1.0);
    }
    near(value(text, "rain", "true", 3), 0.25);
    near(value(text, "rain", "false", 3), 0.75);
    near(value(text, "rain", "unknown", 3), 0.0);
}

#[test]
fn a_note_is_unknown_until_something_speaks_for_or_against_it() {
    let text = |rules: &str| {
        format!(
            "INITIAL BELIEFS AND GOALS\nGo.\n~Stay.\nREASONING\n{rules}EXECUTABLE PLANS\n\
             If ^[Go] while true then +^[Up] -^[Down] +^[Both].\nIf ^[Go] while true then -^[Nothing].\n"
        )
    };
    let plain = text("If ^[Nothing] then ^[Nothing]\nIf ^[Stay] then ^[Stay]\n");
    near(value(&plain, "stay", "false", 0), 1.0);
    near(value(&plain, "go", "true", 0), 1.0);
    near(value(&plain, "up", "unknown", 0), 1.0);
    let pulled = text("If ^[Go] then ^[Both]\nIf ^[Go] then ~^[Both]\nIf ~^[Nothing] then ^[Stay]\n");
    near_unknown(&pulled, "both");
    // Unknown is not false: a rule on `~^[Nothing]` does not apply before the note was deleted.
    near(value(&pulled, "stay", "false", 1), 1.0);
}

fn near_unknown(text: &str, belief: &str) {
    let unknown = AtomText::Fact(Expr::Binary(
        Operator::Eq,
        Box::new(Expr::Call(belief.to_owned(), Vec::new())),
        Box::new(Expr::Call("unknown".to_owned(), Vec::new())),
    ));
    let graph = explore(&system(&[("a.sej", text)], &three_valued(), &[unknown]));
    // As much speaks for it as against it, in every cycle and whatever is chosen.
    use motet_model::Model as _;
    assert!(graph.states.iter().all(|state| graph.model.holds(A, state)));
}

#[test]
fn conditions_follow_kleene() {
    // Rain is unknown for ever, Dry is known to be false: what is unknown or false does not count as true.
    let case = |condition: &str| {
        let text = format!(
            "INITIAL BELIEFS AND GOALS\n~Dry.\nSunny.\nREASONING\nIf ^[Rain] then ^[Rain]\nIf ^[Dry] then ^[Dry]\n\
             If {condition} then ^[Yes]\n"
        );
        value(&text, "yes", "true", 1)
    };
    for (condition, wanted) in [
        ("^[Rain]", 0.0),
        ("~^[Rain]", 0.0),
        ("^[Rain] or ~^[Rain]", 0.0),
        ("^[Rain] or ^[Sunny]", 1.0),
        ("~(^[Rain] and ^[Dry])", 1.0),
        ("~(^[Rain] or ^[Dry])", 0.0),
        ("~(^[Rain] or ^[Sunny])", 0.0),
        ("~^[Dry] and ^[Sunny]", 1.0),
        ("not ~~^[Dry]", 1.0),
    ] {
        near(case(condition), wanted);
    }
}

#[test]
fn a_translation_with_three_values_starts_unknown() {
    let text = "PERCEPTION PROCESS\nMonitor the following booleans:\nRain. {[],[0.25,3,1],[1,1,0]}\n\
                REASONING\nIf ^[Rain] then ^[Wet]\n";
    let system = system(&[("a.sej", text)], &three_valued(), &[]);
    let text = system.export.prism().expect("a translation").expect("complete").text;
    assert!(text.contains("rain : [0..2] init 2;") && text.contains("wet : [0..2] init 2;"), "{text}");
    assert!(text.contains("[b] rain!=1 & c1<2 -> (c1'=c1+1);"), "{text}");
    assert!(system.summary.facts.iter().any(|fact| fact == "beliefs may be unknown"));
}

#[test]
fn a_snapshot_tells_beliefs_plans_and_what_is_awaited() {
    let system = system(TEAM, &Options::default(), &[held("A mine is near")]);
    let graph = explore(&system);
    let runs = |state: &[u32]| {
        system.words.snapshot(state).minds[0]
            .sections
            .iter()
            .any(|section| section.title == "plans" && section.items == ["plan 1: [Sweep] (1 of 2)"])
    };
    let state = graph.states.iter().find(|state| runs(state)).expect("the hunter sweeps at some time");
    let minds = system.words.snapshot(state).minds;
    assert_eq!(minds.iter().map(|mind| mind.name.as_str()).collect::<Vec<_>>(), ["hunter", "scout"]);
    assert!(minds[0].sections[0].items.contains(&"The scout calls".to_owned()));
    let lines = system.words.why(std::slice::from_ref(state), &[], 0);
    assert!(lines.iter().any(|line| line.starts_with("Plan 1 of hunter")), "{lines:?}");
    let accounts = system.words.account(state, "plan 1");
    assert_eq!(accounts.len(), 2, "both agents have a plan 1");
    assert!(accounts[0].active);
    let events = system.words.events(&graph.states[0], 0, 0);
    assert!(!events.is_empty() || graph.rows[0][0].1.len() > 1);
    let slow = SWEEP.replace("[1,1,0]", "[1,4,0]");
    let files = [("scout.sej", SCOUT), ("hunter.sej", HUNTER), ("sweep.sep", slow.as_str())];
    let system = lab::system(&files, &Options::default(), &[]);
    let graph = explore(&system);
    let waits = graph.states.iter().filter_map(|state| system.words.waits(ProcessId(0), state));
    assert!(waits.into_iter().any(|text| text == "Done"));
}

#[test]
fn the_vocabulary_lists_what_claims_may_name() {
    let sources = lab::sources(TEAM);
    let draft =
        SEnglish.read(&sources, &Options::default(), &mut Problems::new()).expect("the team is sound");
    let vocabulary = draft.vocabulary();
    assert_eq!(vocabulary.agents, ["hunter", "scout"]);
    let titles: Vec<&str> = vocabulary.groups.iter().map(|(title, _)| title.as_str()).collect();
    assert_eq!(titles, ["percepts", "feedbacks", "mental notes", "actions", "plans", "rewards"]);
    let all: Vec<&String> = vocabulary.groups.iter().flat_map(|(_, words)| words).collect();
    for word in ["\"A mine is near\" (a_mine_is_near)", "\"Sweep\"", "R{\"cycles\"}"] {
        assert!(all.iter().any(|known| *known == word), "{word} in {all:?}");
    }
    assert!(vocabulary.parameters.contains(&("the_scout_calls.on_mean".to_owned(), "2".to_owned())));
}
