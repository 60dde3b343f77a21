//! Trees of runs on disk.

use motet_evidence::{Branch, Evidence, Fairness, Run, Shown, Title, Unreadable, read_itf, rebuild, to_itf};
use motet_model::{
    ActionId, AtomId, Mind, ObserverId, Section, SlotId, Snapshot, State, Story, Weight, Words,
};
use motet_naive::random::{Shape, Table};
use motet_property::{Formula, Interval, Knowledge, Path, Quantifier};
use motet_source::fuzz::each_seed;

/// Tells where a table is.
struct Place;

impl Words for Place {
    fn value(&self, _: SlotId, value: u32) -> String {
        value.to_string()
    }

    fn action(&self, action: ActionId) -> String {
        format!("act {}", action.0)
    }

    fn story(&self, action: ActionId) -> Story {
        let text = self.action(action);
        Story { process: motet_model::ProcessId(0), text, to: None, weight: Weight::Notable }
    }

    fn origin(&self, _: ActionId) -> Option<motet_source::Span> {
        None
    }

    fn snapshot(&self, state: &State) -> Snapshot {
        let items = state.iter().map(u32::to_string).collect();
        let sections = vec![Section { title: "place".to_owned(), items }];
        Snapshot { minds: vec![Mind { name: "p0".to_owned(), sections }] }
    }

    fn why(&self, _: &[Box<State>], _: &[ActionId], _: usize) -> Vec<String> {
        Vec::new()
    }
}

/// p0 goes round 0 -> 1 -> 0, each way in three units of time; p1 leads from 1 to the deadlock 2.
fn table() -> Table {
    let mut table = Table::new(Shape { n_states: 3, n_processes: 2, n_atoms: 2 });
    table.step_after(0, 0, 1, 3);
    table.step_after(1, 0, 0, 3);
    table.step(1, 1, 2);
    table.signature.observers = vec!["Ann".to_owned(), "Bob".to_owned()];
    table
}

fn run(ordinals: &[u32]) -> Run {
    let ordinals: Vec<(u32, u32)> = ordinals.iter().map(|&ordinal| (ordinal, 0)).collect();
    rebuild(&table(), 0, &ordinals).expect("the table has these steps")
}

/// The part of a run from a state on.
fn rest(mut run: Run, from: usize) -> Run {
    run.states.drain(..from);
    run.steps.drain(..from);
    run
}

fn some(number: u32) -> Formula<AtomId> {
    let goal = Box::new(Path::Now(Formula::Atom(AtomId(number))));
    Formula::Runs(Quantifier::Some, Box::new(Path::Eventually(Interval::default(), goal)))
}

fn common(number: u32) -> Formula<AtomId> {
    let group = vec!["Ann".to_owned(), "Bob".to_owned()];
    Formula::Knows(Knowledge::Common, group, Box::new(Formula::Atom(AtomId(number))))
}

/// A run with four branches, one of which has three of its own, one of which has one.
fn tree() -> Evidence {
    let search = |at, truth| Branch { at, formula: some(1), truth, shown: Shown::Search };
    let elsewhere = |at, observer, evidence| Branch {
        at,
        formula: common(0),
        truth: false,
        shown: Shown::Elsewhere(vec![ObserverId(observer)], Box::new(evidence)),
    };
    let mut last = Evidence::finite(run(&[]));
    last.branches.push(search(0, true));
    let mut link = Evidence::new(run(&[0, 0, 0]), Some(1), Fairness::Strong);
    link.branches = vec![search(3, false), elsewhere(3, 0, last), search(0, true)];
    let onward = Evidence::new(rest(run(&[0, 0, 0]), 1), Some(0), Fairness::Weak);
    let deadlock = Evidence::finite(rest(run(&[0, 1]), 1));
    let mut main = Evidence::finite(run(&[0]));
    main.branches = vec![
        Branch { at: 1, formula: some(0), truth: true, shown: Shown::Onward(Box::new(onward)) },
        search(0, false),
        elsewhere(1, 1, link),
        Branch { at: 1, formula: some(1), truth: true, shown: Shown::Onward(Box::new(deadlock)) },
    ];
    main
}

fn text() -> String {
    to_itf(&table(), &Place, &Title::default(), &tree())
}

#[test]
fn a_tree_comes_back_as_it_went() {
    let recorded = read_itf(&text()).unwrap();
    assert_eq!(recorded.evidence(&table(), &Place), Ok(tree()), "{}", text());
}

#[test]
fn a_chain_of_links_comes_back_however_the_file_is_nested() {
    let mut chain = Evidence::finite(run(&[0]));
    for link in 0..150 {
        let shown = Shown::Elsewhere(vec![ObserverId(link % 2)], Box::new(chain));
        chain = Evidence::finite(run(&[0, 0]));
        chain.branches.push(Branch { at: 2, formula: common(0), truth: false, shown });
    }
    let text = to_itf(&table(), &Place, &Title::default(), &chain);
    assert_eq!(read_itf(&text).unwrap().evidence(&table(), &Place), Ok(chain));
}

/// Other viewers read `vars`, `states` and `loop`; the rest is in `#meta`.
#[test]
fn other_viewers_meet_the_main_run_alone() {
    let whole: serde_json::Value = serde_json::from_str(&text()).unwrap();
    let alone = to_itf(&table(), &Place, &Title::default(), &Evidence::finite(run(&[0])));
    let mut alone: serde_json::Value = serde_json::from_str(&alone).unwrap();
    alone["#meta"]["motet"]["branches"] = whole["#meta"]["motet"]["branches"].clone();
    assert_eq!(whole, alone);
}

#[test]
fn a_run_from_a_state_on_tells_the_time_from_the_start() {
    let trace: serde_json::Value = serde_json::from_str(&text()).unwrap();
    let branches = &trace["#meta"]["motet"]["branches"];
    let times: Vec<u64> = branches[0]["run"]["states"]
        .as_array()
        .unwrap()
        .iter()
        .map(|state| state["#meta"]["time"].as_u64().unwrap())
        .collect();
    assert_eq!(times, [3, 6]);
    assert_eq!(branches[0]["formula"], "(E (F (now 'a0')))");
    assert_eq!(branches[2]["agents"], serde_json::json!(["Bob"]));
}

#[test]
fn what_two_runs_share_is_written_once() {
    let trace: serde_json::Value = serde_json::from_str(&text()).unwrap();
    let other = &trace["#meta"]["motet"]["branches"][2]["run"];
    let states: Vec<u64> = other["states"]
        .as_array()
        .unwrap()
        .iter()
        .map(|state| state["#meta"]["index"].as_u64().unwrap())
        .collect();
    // The main run has one step, the other one three, of which the last leads back to its second state.
    assert_eq!((&other["shared"], states), (&serde_json::json!(1), vec![1, 2]));
    assert_eq!(other["states"][0]["#meta"]["time"], 3);
}

#[test]
fn a_tree_that_does_not_fit_is_refused_with_a_reason() {
    let refused = |from: &str, to: &str| {
        let changed = text().replacen(from, to, 1);
        assert_ne!(changed, text(), "{from} is not in the trace");
        let found = read_itf(&changed).and_then(|recorded| recorded.evidence(&table(), &Place));
        found.expect_err("this is no tree of the model")
    };
    let foreign = |text: &str| Unreadable::Foreign(text.to_owned());
    assert_eq!(refused("'a0'", "'a7'"), foreign("(E (F (now 'a7')))"));
    assert_eq!(refused("(E (F", "(E (Q"), foreign("(E (Q (now 'a0')))"));
    assert_eq!(refused("\"Bob\"\n", "\"Eve\"\n"), foreign("Eve"));
    assert_eq!(refused("\"of\": 0", "\"of\": 9"), Unreadable::Field("of"));
    assert_eq!(refused("\"at\": 0", "\"at\": 2"), Unreadable::Field("at"));
    assert_eq!(refused("\"search\"", "\"guess\""), Unreadable::Field("shown"));
    assert_eq!(refused("\"truth\": false", "\"truth\": 0"), Unreadable::Field("truth"));
    assert_eq!(refused("\"shared\": 1", "\"shared\": 2"), Unreadable::Field("shared"));
    assert_eq!(refused("\"run\": {", "\"run\": { \"shared\": 1,"), Unreadable::Field("shared"));
    // The only run that repeats from its second state on is that of the third branch.
    assert_eq!(refused("\"loop\": 1", "\"loop\": 0"), motet_evidence::Forged::Loop.into());
}

/// Whatever happens to a file, reading it ends with a tree or a reason; what is read can be written again.
#[test]
fn mutated_trees_are_read_or_refused_but_never_break_the_reader() {
    let text = text();
    let pieces = [
        "0",
        "1",
        "2",
        "3",
        "-1",
        "4294967296",
        "null",
        "[]",
        "search",
        "onward",
        "elsewhere",
        "true",
        "false",
        "Ann",
        "Bob",
        "a0",
        "a1",
        "(now ",
        "(E ",
        "(F ",
        "(CK ",
        "'",
        ")",
        "\\\\",
        "\n",
    ];
    each_seed(2000, |_, random| {
        let mut mutated = text.clone();
        for _ in 0..=random.below(3) {
            let piece = random.pick(&pieces);
            let places: Vec<usize> = mutated.match_indices(piece).map(|(at, _)| at).collect();
            if let Some(&at) = places.get(random.below(places.len().max(1))) {
                mutated.replace_range(at..at + piece.len(), random.pick(&pieces));
            }
        }
        if let Ok(recorded) = read_itf(&mutated)
            && let Ok(found) = recorded.evidence(&table(), &Place)
        {
            let again = to_itf(&table(), &Place, &Title::default(), &found);
            let back = read_itf(&again).and_then(|recorded| recorded.evidence(&table(), &Place));
            assert_eq!(back, Ok(found), "{mutated}");
        }
    });
}
