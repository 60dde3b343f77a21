//! Replay and the form on disk, on models small enough to see through.

use motet_evidence::{
    Evidence, Fairness, Forged, Objection, Run, Taken, Title, Unreadable, read_itf, rebuild, replay,
    replay_fault, replay_under, to_itf,
};
use motet_model::{
    ActionId, AtomId, Mind, Model, ProcessId, Section, SlotId, Snapshot, State, Story, Weight, Words,
};
use motet_naive::random::{Random, Shape, Table, TableStep};
use motet_property::{Bound, Claim, Expect, Formula, Interval, Kind, Knowledge, Path, Unit};
use motet_source::{FileId, Span};

/// Two processes. p0 goes round 0 -> 1 -> 0; p1 leads from 1 to the deadlock 2, where atom 0 holds. Atom 1 holds in 1.
fn table() -> Table {
    let mut table = Table::new(Shape { n_states: 3, n_processes: 2, n_atoms: 2 });
    table.step(0, 0, 1);
    table.step(1, 0, 0);
    table.step(1, 1, 2);
    table.atoms[0][2] = true;
    table.atoms[1][1] = true;
    table
}

fn claim(kind: Kind, formula: Path<AtomId>) -> Claim<AtomId> {
    let span = Span::new(FileId(0), 0, 0);
    Claim {
        name: "c".to_owned(),
        words: None,
        kind,
        formula,
        expect: Expect::Holds,
        span,
        text: String::new(),
    }
}

fn now(formula: Formula<AtomId>) -> Box<Path<AtomId>> {
    Box::new(Path::Now(formula))
}

fn atom(number: u32) -> Box<Path<AtomId>> {
    now(Formula::Atom(AtomId(number)))
}

fn always(path: Box<Path<AtomId>>) -> Path<AtomId> {
    Path::Always(Interval::default(), path)
}

fn eventually(path: Box<Path<AtomId>>) -> Path<AtomId> {
    Path::Eventually(Interval::default(), path)
}

fn run(model: &dyn Model, ordinals: &[u32]) -> Run {
    let ordinals: Vec<(u32, u32)> = ordinals.iter().map(|&ordinal| (ordinal, 0)).collect();
    rebuild(model, 0, &ordinals).expect("the table has these steps")
}

fn evidence(run: Run, loop_start: Option<usize>, fairness: Fairness) -> Evidence {
    Evidence::new(run, loop_start, fairness)
}

const UNDECIDED: Result<(), Objection> = Err(Objection::Forged(Forged::Undecided));

#[test]
fn a_loop_refutes_a_liveness_claim_only_if_it_may_be_unfair_to_nobody() {
    let table = table();
    let property = claim(Kind::Property, eventually(atom(0)));
    let round = run(&table, &[0, 0]);
    assert_eq!(replay(&table, &property, &evidence(round.clone(), Some(0), Fairness::None)), Ok(()));
    // p1 has no step in state 0, so weak fairness does not force it.
    assert_eq!(replay(&table, &property, &evidence(round.clone(), Some(0), Fairness::Weak)), Ok(()));
    let unfair = Err(Objection::Forged(Forged::Unfair(1)));
    // But it has one in state 1 again and again, which is enough for strong fairness.
    assert_eq!(replay(&table, &property, &evidence(round.clone(), Some(0), Fairness::Strong)), unfair);
    let mut busy = table.clone();
    busy.step(0, 1, 0);
    assert_eq!(replay(&busy, &property, &evidence(round, Some(0), Fairness::Weak)), unfair);
}

#[test]
fn a_loop_leads_back_to_the_state_where_it_begins() {
    let table = table();
    let property = claim(Kind::Property, eventually(atom(0)));
    let no_loop = Err(Objection::Forged(Forged::Loop));
    for (ordinals, start) in [(&[0][..], 0), (&[0, 0, 0], 0), (&[0, 0], 1), (&[0, 0], 2), (&[0, 0], 9)] {
        let claimed = evidence(run(&table, ordinals), Some(start), Fairness::None);
        assert_eq!(replay(&table, &property, &claimed), no_loop, "{ordinals:?} from {start}");
    }
}

#[test]
fn a_run_that_ends_in_a_deadlock_repeats_its_last_state() {
    let table = table();
    let to_the_end = evidence(run(&table, &[0, 1]), None, Fairness::Weak);
    let recurrence = claim(Kind::Property, always(Box::new(eventually(atom(1)))));
    assert_eq!(replay(&table, &recurrence, &to_the_end), Ok(()));
    let stays = claim(Kind::Possible, eventually(Box::new(always(atom(0)))));
    assert_eq!(replay(&table, &stays, &to_the_end), Ok(()));
    let no_deadlock = claim(Kind::Property, always(Box::new(Path::Not(now(Formula::Deadlock)))));
    assert_eq!(replay(&table, &no_deadlock, &to_the_end), Ok(()));
}

#[test]
fn a_finite_run_decides_only_what_every_continuation_shares() {
    let table = table();
    let prefix = evidence(run(&table, &[0]), None, Fairness::None);
    assert_eq!(replay(&table, &claim(Kind::Property, always(Box::new(Path::Not(atom(1))))), &prefix), Ok(()));
    assert_eq!(replay(&table, &claim(Kind::Property, eventually(atom(0))), &prefix), UNDECIDED);
    assert_eq!(replay(&table, &claim(Kind::Possible, *atom(1)), &prefix), Ok(()));
    assert_eq!(replay(&table, &claim(Kind::Possible, *atom(0)), &prefix), UNDECIDED);
    // What is constant is known behind the end as well.
    assert_eq!(replay(&table, &claim(Kind::Possible, always(now(Formula::True))), &prefix), Ok(()));
}

#[test]
fn step_bounds_are_inclusive_unless_strict() {
    let table = table();
    let round = evidence(run(&table, &[0, 0]), Some(0), Fairness::None);
    let within = |amount, strict| {
        let high = Some(Bound { amount, unit: Some(Unit::Steps), strict });
        let formula = Path::Eventually(Interval { low: None, high }, atom(1));
        replay(&table, &claim(Kind::Possible, formula), &round)
    };
    assert_eq!((within(1, false), within(1, true), within(0, true)), (Ok(()), UNDECIDED, UNDECIDED));
}

#[test]
fn a_run_that_breaks_an_assumption_does_not_count() {
    let table = table();
    let assumption = claim(Kind::Assume, always(Box::new(eventually(atom(1)))));
    let property = claim(Kind::Property, always(Box::new(Path::Not(now(Formula::Deadlock)))));
    let to_the_end = evidence(run(&table, &[0, 1]), None, Fairness::None);
    let broken = Err(Objection::Forged(Forged::Assumption("c".to_owned())));
    assert_eq!(replay_under(&table, &[&assumption], &property, &to_the_end), broken);
}

#[test]
fn knowledge_is_not_seen_without_a_branch_that_shows_it() {
    let table = table();
    let knows = Formula::Knows(Knowledge::One, vec!["p0".to_owned()], Box::new(Formula::Atom(AtomId(0))));
    let property = claim(Kind::Property, always(now(knows)));
    let result = replay(&table, &property, &evidence(run(&table, &[0]), None, Fairness::None));
    assert_eq!(result, Err(Objection::Forged(Forged::Undecided)));
}

#[test]
fn a_fault_is_replayed_by_its_message() {
    let mut table = table();
    table.faults.push(1);
    let mut there = Run { initial: 0, states: vec![vec![0, 0].into()], steps: Vec::new() };
    assert_eq!(replay_fault(&table, "bound exceeded in state 1", &there), Err(Forged::NoFault.into()));
    there.states.push(vec![1, 0].into());
    there.steps.push(Taken { ordinal: 0, branch: 0, process: ProcessId(0), action: ActionId(0), delay: 0 });
    assert_eq!(replay_fault(&table, "bound exceeded in state 1", &there), Ok(()));
    assert_eq!(replay_fault(&table, "another bound", &there), Err(Forged::NoFault.into()));
}

/// Says where the table is.
struct Place;

impl Words for Place {
    fn value(&self, _: SlotId, value: u32) -> String {
        value.to_string()
    }

    fn action(&self, action: ActionId) -> String {
        format!("does {}", action.0)
    }

    fn story(&self, action: ActionId) -> Story {
        Story { process: ProcessId(0), text: self.action(action), to: None, weight: Weight::Routine }
    }

    fn origin(&self, _: ActionId) -> Option<Span> {
        None
    }

    fn snapshot(&self, state: &State) -> Snapshot {
        let section =
            |title: &str, value: u32| Section { title: title.to_owned(), items: vec![format!("at {value}")] };
        let low = Mind {
            name: "#meta".to_owned(),
            sections: vec![section("place", state[0]), section("place", 7)],
        };
        let high = Mind { name: "high".to_owned(), sections: vec![section("place", state[1])] };
        Snapshot { minds: vec![low, high] }
    }

    fn why(&self, _: &[Box<State>], _: &[ActionId], _: usize) -> Vec<String> {
        Vec::new()
    }
}

#[test]
fn a_run_written_to_disk_comes_back_and_replays() {
    let mut table = table();
    table.rows[0].push(TableStep { process: 1, targets: vec![0, 1], delay: 0 });
    let title = Title {
        claim: "c".to_owned(),
        text: "eventually a0".to_owned(),
        model: "team/".to_owned(),
        settings: vec![("-D LAST".to_owned(), "5".to_owned())],
    };
    let with_chance = rebuild(&table, 0, &[(1, 1), (0, 0)]).unwrap();
    let runs = [
        evidence(run(&table, &[0, 0]), Some(0), Fairness::Weak),
        evidence(run(&table, &[0, 0]), Some(0), Fairness::Strong),
        evidence(with_chance, Some(0), Fairness::None),
        evidence(run(&table, &[0, 1]), None, Fairness::None),
        evidence(run(&table, &[]), None, Fairness::None),
    ];
    for original in runs {
        let text = to_itf(&table, &Place, &title, &original);
        let recorded = read_itf(&text).unwrap();
        assert_eq!(recorded.title, title);
        assert_eq!(recorded.evidence(&table, &Place).as_ref(), Ok(&original), "{text}");
    }
}

/// The shape of the format is Apalache's: `vars`, `states`, `loop` and a `#meta` for everything else.
#[test]
fn a_loop_is_written_without_its_closing_state() {
    let table = table();
    let original = evidence(run(&table, &[0, 0]), Some(0), Fairness::None);
    let text = to_itf(&table, &Place, &Title::default(), &original);
    let trace: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(trace["states"].as_array().unwrap().len(), 2);
    assert_eq!(
        (&trace["loop"], &trace["vars"]),
        (&serde_json::json!(0), &serde_json::json!(["_#meta", "high"]))
    );
    assert_eq!(trace["states"][1]["#meta"]["changed"], serde_json::json!(["_#meta"]));
    assert_eq!(trace["states"][1]["_#meta"], serde_json::json!({ "place": ["at 1"], "place_": ["at 7"] }));
    assert_eq!(trace["states"][1]["#meta"]["agent"], serde_json::json!("p0"));
}

#[test]
fn a_trace_of_a_changed_model_is_noticed() {
    let table = table();
    let text =
        to_itf(&table, &Place, &Title::default(), &evidence(run(&table, &[0, 1]), None, Fairness::None));
    let recorded = read_itf(&text).unwrap();
    let mut changed = table.clone();
    changed.rows[1][1].targets = vec![1];
    assert_eq!(recorded.evidence(&changed, &Place), Err(Unreadable::Changed(2)));
    let mut shrunk = table.clone();
    shrunk.rows[1].pop();
    assert_eq!(recorded.evidence(&shrunk, &Place), Err(Unreadable::Forged(Forged::Step(1))));
    let mut renamed = table;
    renamed.signature.processes[0] = "someone".to_owned();
    assert_eq!(recorded.evidence(&renamed, &Place), Err(Unreadable::Changed(0)));
}

#[test]
fn texts_that_are_no_traces_are_refused_with_a_reason() {
    let table = table();
    let text =
        to_itf(&table, &Place, &Title::default(), &evidence(run(&table, &[0, 0]), Some(0), Fairness::None));
    assert!(matches!(read_itf("{"), Err(Unreadable::Json(_))));
    assert_eq!(read_itf("{}"), Err(Unreadable::Field("#meta.motet.schema")));
    assert_eq!(
        read_itf(&text.replace("trace/1", "trace/9")),
        Err(Unreadable::Schema("motet.trace/9".to_owned()))
    );
    assert_eq!(read_itf(&text.replace("\"loop\": 0", "\"loop\": 2")), Err(Unreadable::Field("loop")));
    assert_eq!(
        read_itf(&text.replace("\"ordinal\": 0", "\"ordinal\": -1")),
        Err(Unreadable::Field("ordinal"))
    );
    assert_eq!(read_itf(&text.replace("states", "stages")), Err(Unreadable::Field("states")));
}

/// Whatever happens to a file, reading it ends with a trace or a reason.
#[test]
fn mutated_traces_are_read_or_refused_but_never_break_the_reader() {
    let table = table();
    let original = evidence(run(&table, &[0, 0]), Some(0), Fairness::Weak);
    let text = to_itf(&table, &Place, &Title::default(), &original);
    let numbers = ["-1", "18446744073709551616", "4294967295", "null", "[]", "\"x\"", "1e300"];
    for seed in 0..2000 {
        let mut random = Random::new(seed);
        let mut mutated = text.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(mutated.len());
            match random.below(3) {
                0 => mutated.truncate(at),
                1 => {
                    mutated.remove(at);
                }
                _ => {
                    let digits: Vec<usize> =
                        mutated.match_indices(char::is_numeric).map(|(at, _)| at).collect();
                    if digits.is_empty() {
                        continue;
                    }
                    let digit = digits[random.below(digits.len())];
                    mutated.replace_range(digit..=digit, numbers[random.below(numbers.len())]);
                }
            }
            if mutated.is_empty() {
                break;
            }
        }
        if let Ok(recorded) = read_itf(&mutated)
            && let Ok(found) = recorded.evidence(&table, &Place)
        {
            assert!(found.run.states.len() == found.run.steps.len() + 1, "seed {seed}\n{mutated}");
        }
    }
}
