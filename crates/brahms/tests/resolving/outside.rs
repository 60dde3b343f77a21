//! Options and the sidecar.

use motet_brahms::program::{ActivityNode, Expr, Program, Rules, Statement, Ties, Value};
use motet_model::Options;

use crate::{beliefs, frame, read_files, store};

const CARE: &str = "group Worker { attributes: public int tea; public boolean tired; initial_beliefs: (current.tea = 2); initial_facts: (current.tea = 2);
    activities: primitive_activity stuff() { max_duration: 7800; } workframes: workframe w { do { stuff(); } } }
  agent ann memberof Worker { } agent bob memberof Worker { }";

fn with(parameters: &[(&str, &str)]) -> Options {
    let parameters =
        parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Options { parameters, ..Options::default() }
}

fn read(text: &str, options: &Options) -> Program {
    let (program, problems) = read_files(&[("m.b", text)], options);
    program.unwrap_or_else(|| panic!("{problems:?}"))
}

fn seconds(program: &Program, who: &str) -> Expr {
    let Statement::Do(activity) = &frame(program, who, "w").body[0] else { panic!("an activity") };
    program.activities[activity.index()].duration.clone().expect("a duration").max
}

#[test]
fn a_duration_is_set_for_a_group_or_for_one_of_its_members() {
    let int = |seconds| Expr::Value(Value::Int(seconds));
    let program = read(CARE, &with(&[("Worker.stuff", "150min")]));
    assert_eq!((seconds(&program, "ann"), seconds(&program, "bob")), (int(9000), int(9000)));
    let program = read(CARE, &with(&[("ann.stuff", "2 h"), ("Worker.stuff", "90")]));
    assert_eq!((seconds(&program, "ann"), seconds(&program, "bob")), (int(7200), int(90)));
}

#[test]
fn an_attribute_is_set_in_every_store_that_holds_it_or_as_fact_and_belief() {
    let program = read(CARE, &with(&[("ann.tea", "5"), ("bob.tired", "true")]));
    assert_eq!(store(&program, &program.facts), ["ann.tea = 5", "bob.tea = 2", "bob.tired = true"]);
    assert_eq!(beliefs(&program, "ann"), ["ann.tea = 5"]);
    assert_eq!(beliefs(&program, "bob"), ["bob.tea = 2", "bob.tired = true"]);
}

#[test]
fn parameters_are_listed_with_their_present_values() {
    let program = read(CARE, &Options::default());
    let listed: Vec<String> =
        program.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    assert_eq!(listed, ["Worker.stuff = 7800 s", "ann.tea = 2", "bob.tea = 2"]);
}

#[test]
fn wrong_parameters_are_errors_with_suggestions() {
    let problems = |name: &str, value: &str| read_files(&[("m.b", CARE)], &with(&[(name, value)])).1;
    assert_eq!(
        problems("Worker.stuf", "2h"),
        [
            "m.b:1:1: error[M0774]: -D Worker.stuf=2h names nothing in this model (help: did you mean `Worker.stuff`?)"
        ]
    );
    assert_eq!(
        problems("Worker.stuff", "soon"),
        ["m.b:1:1: error[M0775]: `soon` is no duration (help: write seconds, or a unit: 90, 150min, 2h)"]
    );
    assert_eq!(
        problems("ann.tea", "much"),
        ["m.b:1:1: error[M0775]: `ann.tea` cannot be `much` (help: give a whole number)"]
    );
}

#[test]
fn rules_and_bounds_are_settled_by_name() {
    let options = Options {
        rules: [("ties", "first"), ("detect-at-start", "no"), ("location-awareness", "yes")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
        bounds: [("rounds".to_owned(), 7)].into(),
        ..Options::default()
    };
    let program = read(CARE, &options);
    let expected =
        Rules { ties: Ties::First, detect_at_start: false, location_awareness: true, ..Rules::default() };
    assert_eq!(program.rules, expected);
    assert_eq!(program.bounds.rounds, 7);
}

#[test]
fn wrong_rules_bounds_and_modes_are_errors_with_suggestions() {
    let problems = |options: Options| read_files(&[("m.b", CARE)], &options).1;
    let rule = |name: &str, value: &str| Options {
        rules: [(name.to_owned(), value.to_owned())].into(),
        ..Options::default()
    };
    assert_eq!(
        problems(rule("tie", "first")),
        ["m.b:1:1: error[M0770]: there is no rule `tie` (help: did you mean `ties`?)"]
    );
    assert_eq!(
        problems(rule("ties", "frist")),
        ["m.b:1:1: error[M0771]: the rule `ties` cannot be `frist` (help: did you mean `ties=first`?)"]
    );
    assert_eq!(
        problems(Options { bounds: [("round".to_owned(), 3)].into(), ..Options::default() }),
        ["m.b:1:1: error[M0772]: there is no bound `round` (help: did you mean `rounds`?)"]
    );
    assert_eq!(
        problems(Options { bounds: [("created".to_owned(), 1000)].into(), ..Options::default() }),
        ["m.b:1:1: error[M0779]: the bound `created` cannot be 1000 (help: use 0 to 64)"]
    );
    assert_eq!(
        problems(Options { mode: Some("tesis".to_owned()), ..Options::default() }),
        ["m.b:1:1: error[M0773]: there is no mode `tesis` (help: did you mean `thesis`?)"]
    );
}

#[test]
fn the_sidecar_settles_what_the_command_line_leaves_open() {
    let sidecar = "mode = \"thesis\"\n[rules]\nties = \"first\"\nresume = \"free\"\n[bounds]\nthoughts = 5\nrounds = 5\n\
                   [parameters]\n\"Worker.stuff\" = \"1h\"\nann.tea = 9\n";
    let mut options = with(&[("Worker.stuff", "60")]);
    options.bounds.insert("rounds".to_owned(), 8);
    let (program, problems) = read_files(&[("m.b", CARE), ("sub/motet.toml", sidecar)], &options);
    assert_eq!(problems, Vec::<String>::new());
    let program = program.expect("no errors");
    assert!(
        program.rules.unknown_is_zero
            && program.rules.ties == Ties::First
            && !program.rules.resume_tests_guard
    );
    assert_eq!((program.bounds.thoughts, program.bounds.rounds), (5, 8));
    assert_eq!(seconds(&program, "ann"), Expr::Value(Value::Int(60)));
    assert_eq!(beliefs(&program, "ann"), ["ann.tea = 9"]);
}

#[test]
fn another_toml_file_is_not_the_sidecar() {
    let (program, problems) =
        read_files(&[("m.b", CARE), ("Cargo.toml", "[package]\n")], &Options::default());
    assert!(program.is_some());
    assert_eq!(problems, Vec::<String>::new());
}

const SENSOR: &str = "area hall instanceof World { } area yard instanceof World { }
  agent a { attributes: public int level; public boolean checked; activities: java sense(int level, Area at) { class: \"x.S\"; }
    workframes: workframe w { variables: forone(int) v; forone(Area) p; do { sense(v, p); conclude((current.level = v)); } } }";

#[test]
fn a_stub_says_what_a_java_activity_does() {
    let sidecar = "[java.\"sense\"]\nduration = \"5 s\"\noutputs = { level = [1, 2], at = [\"hall\", \"yard\"] }\n\
                   concludes = [\"(current.checked = true), bc:100, fc:0\"]\n";
    let (program, problems) = read_files(&[("m.b", SENSOR), ("motet.toml", sidecar)], &Options::default());
    assert_eq!(problems, Vec::<String>::new());
    let program = program.expect("no errors");
    assert_eq!(seconds(&program, "a"), Expr::Value(Value::Int(5)));
    let Statement::Do(activity) = &frame(&program, "a", "w").body[0] else { panic!("an activity") };
    let ActivityNode::Foreign { outputs, concludes } = &program.activities[activity.index()].node else {
        panic!("foreign")
    };
    let (at, level) = (&outputs[0], &outputs[1]);
    assert_eq!(level.1, [Value::Int(1), Value::Int(2)]);
    assert!(at.1.iter().all(|value| matches!(value, Value::Entity(_))));
    assert_eq!((concludes[0].belief, concludes[0].fact), (100, 0));
}

#[test]
fn wrong_sidecars_are_errors_at_their_place() {
    let problems =
        |sidecar: &str| read_files(&[("m.b", SENSOR), ("motet.toml", sidecar)], &Options::default()).1;
    let errors = |sidecar: &str| -> Vec<String> {
        problems(sidecar).into_iter().filter(|line| line.contains("error")).collect()
    };
    assert_eq!(
        errors("[rule]\n"),
        ["motet.toml:1:2: error[M0777]: `rule` means nothing here (help: did you mean `rules`?)"]
    );
    assert_eq!(
        errors("[rules]\nties = 3\n"),
        ["motet.toml:2:8: error[M0777]: a rule is settled by a word (help: write a text or true, false)"]
    );
    assert_eq!(
        errors("[java.\"sens\"]\nduration = 3\n"),
        ["motet.toml:1:7: error[M0778]: there is no Java activity `sens` (help: did you mean `sense`?)"]
    );
    assert_eq!(
        errors("[java.\"sense\"]\nconcludes = [\"(current.chequed = true)\"]\n"),
        [
            "motet.toml:2:14: error[M0730]: `a` has no attribute or relation `chequed` (help: did you mean `checked`?)"
        ]
    );
    assert_eq!(
        errors("[java.\"sense\"]\noutputs = { lvel = [1] }\n"),
        [
            "motet.toml:2:13: error[M0778]: `sense` has no parameter `lvel` (help: name a parameter for which every call gives a \
          variable)"
        ]
    );
    assert!(errors("[rules\n")[0].starts_with("motet.toml:1:7: error[M0776]: this is not TOML: "));
}
