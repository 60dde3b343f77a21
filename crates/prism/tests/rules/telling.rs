//! What a user is told: words, vocabulary, notices, exports.

use motet_model::{ActionId, Expr, Language as _, Options, Steps};
use motet_prism::Prism;
use motet_source::{Problems, Sources};

use crate::lab::{explore, graph, read_with, system};

const MODEL: &str = "mdp
const int N;
const double third = 1/3;
global turn : [1..2];
module left
  x : [0..N] init 0;
  ready : bool;
  [go] x<N -> third : (x'=x+1) + 1-third : (ready'=true);
  [] x=N & turn=1 -> (turn'=2);
  [] x=N+1 -> true;
endmodule
module right
  y : [0..1];
  [go] y=0 -> true;
endmodule
label \"full\" = x=N;
rewards \"steps\" [go] true : 1; endrewards
";

#[test]
fn the_vocabulary_lists_what_claims_may_use() {
    let mut sources = Sources::new();
    sources.add("m.nm", MODEL);
    let mut options = Options::default();
    options.parameters.insert("N".to_owned(), "2".to_owned());
    let mut problems = Problems::new();
    let draft = Prism.read(&sources, &options, &mut problems).expect("the model is fine");
    let vocabulary = draft.vocabulary();
    let group = |title: &str| {
        let found = vocabulary.groups.iter().find(|(name, _)| name == title);
        found.map_or_else(Vec::new, |(_, words)| words.clone())
    };
    assert_eq!(group("labels"), ["\"full\"", "\"init\"", "\"deadlock\""]);
    assert_eq!(group("global variables"), ["turn : [1..2]"]);
    assert_eq!(group("variables of left"), ["x : [0..2]", "ready : bool"]);
    assert_eq!(group("rewards"), ["\"steps\""]);
    let parameters: Vec<String> =
        vocabulary.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(parameters, ["N=2", "third=1/3"]);
}

#[test]
fn states_and_steps_are_told_by_module_and_label() {
    let (system, problems) = read_with(MODEL, &[("N", "2")], &[]);
    let system = system.unwrap_or_else(|| panic!("{problems}"));
    assert_eq!(system.summary.facts, ["MDP", "2 modules", "4 variables"]);
    let snapshot = system.words.snapshot(&[1, 2, 0, 1]);
    let minds: Vec<String> = snapshot
        .minds
        .iter()
        .map(|mind| format!("{}: {}", mind.name, mind.sections[0].items.join(", ")))
        .collect();
    assert_eq!(minds, ["globals: turn = 2", "left: x = 2, ready = false", "right: y = 1"]);
    let mut steps = Steps::new(4);
    system.model.steps(&[0, 0, 0, 0], &mut steps).expect("no fault");
    let step = steps.get(0).expect("they go together");
    assert_eq!(system.words.action(step.action), "[go]");
    assert_eq!(system.words.story(step.action).process, step.process);
    assert_eq!(system.model.signature().processes[step.process.index()], "left & right");
    let state: Box<[u32]> = [0; 4].into();
    let why = system.words.why(&[state], &[step.action], 0);
    assert_eq!(why[0], "left, right do this together");
    assert_eq!(why[2], "right: [go] y = 0 -> true;");
    assert!(system.words.origin(step.action).is_some());
}

#[test]
fn deadlocks_and_idle_commands_are_noticed_after_an_exploration() {
    let (system, _) = read_with(MODEL, &[("N", "1")], &[]);
    let system = system.expect("the model is fine");
    explore(&system).expect("no fault");
    let notices = system.review.missing(&[]);
    let told: Vec<(&str, &str)> =
        notices.iter().map(|notice| (notice.code, notice.message.as_str())).collect();
    assert_eq!(
        told,
        [
            ("M0834", "deadlock in turn=2, x=1, ready=false, y=0"),
            ("M0835", "this command of left never happens")
        ]
    );
}

#[test]
fn the_mixed_step_of_a_chain_has_words() {
    let system = system("dtmc module m x : bool; [] true -> true; [a] true -> (x'=true); endmodule");
    let graph = explore(&system).expect("no fault");
    assert_eq!(graph.states["x=false"][0].0, "one of the enabled commands, each as likely");
    assert_eq!(system.words.origin(ActionId(99)), None);
    let mut steps = Steps::new(1);
    system.model.steps(&[0], &mut steps).expect("no fault");
    let action = steps.get(0).expect("there is one").action;
    let why = system.words.why(&[[0].into()], &[action], 0);
    assert_eq!(
        why,
        [
            "2 combinations of commands are enabled, each has the chance 1/2",
            "m: [] true -> true;",
            "m: [a] true -> (x'=true);"
        ]
    );
}

#[test]
fn the_export_binds_constants_and_can_be_read_again() {
    let atoms = [
        motet_model::AtomText::Fact(Expr::Text("full".to_owned())),
        motet_model::AtomText::Fact(Expr::Text("init".to_owned())),
        motet_model::AtomText::Fact(Expr::Text("deadlock".to_owned())),
    ];
    let (system, _) = read_with(MODEL, &[("N", "2")], &atoms);
    let system = system.expect("the model is fine");
    let export = system.export.prism().expect("there is one").expect("without problems");
    assert!(export.text.contains("const int N = 2;"), "{}", export.text);
    assert!(export.text.contains("const double third = 1/3;"), "{}", export.text);
    assert_eq!((export.steps, export.rewards), (1, vec!["steps".to_owned()]));
    assert_eq!(export.atoms[0], "x = N");
    assert_eq!(export.atoms[1], "(turn = 1 & x = 0 & ready = false & y = 0)");
    let original = explore(&system).expect("no fault");
    let again = graph(&export.text);
    assert_eq!(again.states, original.states);
    // The atoms as labels of the text hold where they hold in the model.
    let labels: String =
        (0..).zip(&export.atoms).map(|(n, atom)| format!("label \"a{n}\" = {atom};\n")).collect();
    let asked: Vec<_> = (0..3).map(|n| motet_model::AtomText::Fact(Expr::Text(format!("a{n}")))).collect();
    let (twin, problems) = read_with(&format!("{}{labels}", export.text), &[], &asked);
    let twin = twin.unwrap_or_else(|| panic!("{problems}"));
    for turn in 0..2 {
        for x in 0..3 {
            for y in 0..2 {
                for atom in (0..3).map(motet_model::AtomId) {
                    let state = [turn, x, 0, y];
                    assert_eq!(
                        system.model.holds(atom, &state),
                        twin.model.holds(atom, &state),
                        "{state:?} {atom:?}"
                    );
                }
            }
        }
    }
    let refused = system.export.promela(&[], &motet_model::Unexplored).expect_err("Spin knows no chances");
    assert_eq!(refused.code, "M0838");
}
