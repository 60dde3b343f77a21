//! What claims about time mean, on a run that can be seen through.

use motet_evidence::{Evidence, Fairness, Forged, Objection, Run, Title, read_itf, rebuild, replay, to_itf};
use motet_model::{ActionId, AtomId, SlotId, Snapshot, State, Story, TimeUnit, Weight, Words};
use motet_naive::random::{Shape, Table};
use motet_property::{Bound, Claim, Expect, Formula, Interval, Kind, Path, Relation, Timer, Unit, Until};
use motet_source::{FileId, Span};

/// 0 lasts 3, 1 lasts no time, 2 lasts 4, 3 goes round in 2 or ends in the deadlock 4 after 1. Atom 0 holds in 1, atom 1 in
/// 2 and 3, atom 2 in 4.
fn table() -> Table {
    let mut table = Table::new(Shape { n_states: 5, n_processes: 1, n_atoms: 3 });
    table.signature.unit = TimeUnit::Milliseconds;
    for (from, to, delay) in [(0, 1, 3), (1, 2, 0), (2, 3, 4), (3, 3, 2), (3, 4, 1)] {
        table.step_after(from, 0, to, delay);
    }
    table.atoms[0][1] = true;
    table.atoms[1][2] = true;
    table.atoms[1][3] = true;
    table.atoms[2][4] = true;
    table
}

/// The same in cycles.
fn counted() -> Table {
    let mut table = table();
    table.signature.unit = TimeUnit::Cycles;
    table
}

fn run(ordinals: &[u32]) -> Run {
    let ordinals: Vec<(u32, u32)> = ordinals.iter().map(|&ordinal| (ordinal, 0)).collect();
    rebuild(&table(), 0, &ordinals).expect("the table has these steps")
}

fn property(formula: Path<AtomId>) -> Claim<AtomId> {
    let span = Span::new(FileId(0), 0, 0);
    Claim {
        name: "c".to_owned(),
        words: None,
        kind: Kind::Property,
        formula,
        expect: Expect::Holds,
        span,
        text: String::new(),
    }
}

fn truth(evidence: &Evidence, formula: &Path<AtomId>) -> Option<bool> {
    truth_in(&table(), evidence, formula)
}

fn truth_in(table: &Table, evidence: &Evidence, formula: &Path<AtomId>) -> Option<bool> {
    let broken = |formula: Path<AtomId>| match replay(table, &property(formula), evidence) {
        Ok(()) => true,
        Err(Objection::Forged(Forged::Undecided)) => false,
        other => panic!("{other:?}"),
    };
    match (broken(formula.clone()), broken(Path::Not(Box::new(formula.clone())))) {
        (true, false) => Some(false),
        (false, true) => Some(true),
        (false, false) => None,
        (true, true) => panic!("a formula and its negation"),
    }
}

fn atom(number: u32) -> Path<AtomId> {
    Path::Now(Formula::Atom(AtomId(number)))
}

fn bound(amount: u64) -> Bound {
    Bound { amount, unit: Some(Unit::Clock), strict: false }
}

fn between(low: u64, high: u64) -> Interval {
    Interval { low: Some(bound(low)), high: Some(bound(high)) }
}

fn within(low: u64, high: u64, number: u32) -> Path<AtomId> {
    Path::Eventually(between(low, high), Box::new(atom(number)))
}

fn always(low: u64, high: u64, number: u32) -> Path<AtomId> {
    Path::Always(between(low, high), Box::new(atom(number)))
}

fn until(low: u64, high: u64, a: Path<AtomId>, b: u32) -> Path<AtomId> {
    Path::Until(Until::Until, between(low, high), Box::new(a), Box::new(atom(b)))
}

fn not(path: Path<AtomId>) -> Path<AtomId> {
    Path::Not(Box::new(path))
}

fn some(timer: Timer<AtomId>, relation: Relation, amount: u64) -> Path<AtomId> {
    Path::Eventually(Interval::default(), Box::new(Path::Now(Formula::Timer(timer, relation, bound(amount)))))
}

fn held(number: u32) -> Timer<AtomId> {
    Timer::Held(Box::new(Formula::Atom(AtomId(number))))
}

fn since(number: u32) -> Timer<AtomId> {
    Timer::Since(Box::new(Formula::Atom(AtomId(number))))
}

/// Entered at 0, 3, 3, 7, and 8 where the run ends.
#[test]
fn a_run_that_ends_decides_everything() {
    let evidence = Evidence::finite(run(&[0, 0, 0, 1]));
    let cases = [
        (within(0, 3, 0), true),
        (within(0, 2, 0), false),
        // An instant is met at its time only.
        (within(4, 9, 0), false),
        // State 2 was entered at 3 and lasts into the window; at 8 state 3 is still seen.
        (within(5, 6, 1), true),
        (within(8, 9, 1), true),
        (within(9, 10, 1), false),
        (within(1000, 2000, 2), true),
        (always(3, 7, 1), false),
        (always(4, 7, 1), true),
        (always(4, 8, 1), false),
        (always(8, 100_000, 2), false),
        (always(9, 100_000, 2), true),
        (until(3, 3, not(atom(1)), 0), true),
        // Atom 1 has to come in the window and its opposite to last until the window opens.
        (until(3, 5, not(atom(1)), 1), true),
        (until(4, 5, not(atom(1)), 1), false),
        (until(4, 5, not(atom(2)), 1), true),
        // A window that closes before it opens is never met.
        (within(6, 5, 1), false),
        (always(6, 5, 0), true),
        (some(Timer::Now, Relation::Ge, 1_000_000), true),
        (some(Timer::Now, Relation::Eq, 5), true),
        (some(held(1), Relation::Gt, 4), true),
        // From 3 to 8.
        (some(held(1), Relation::Ge, 5), true),
        (some(held(1), Relation::Gt, 5), false),
        (some(held(0), Relation::Gt, 0), false),
        (some(held(2), Relation::Gt, 77), true),
        (some(since(0), Relation::Eq, 2), true),
        (some(since(2), Relation::Le, 3), true),
        // Atom 1 was never true before 3.
        (Path::Now(Formula::Timer(since(1), Relation::Le, bound(1000))), false),
        (Path::Now(Formula::Timer(since(1), Relation::Gt, bound(1000))), true),
    ];
    for (formula, expected) in cases {
        assert_eq!(truth(&evidence, &formula), Some(expected), "{formula:?}");
    }
}

/// The same run in cycles: a state is over at the number at which the next one is entered.
#[test]
fn what_is_counted_has_one_value_at_each_number() {
    let evidence = Evidence::finite(run(&[0, 0, 0, 1]));
    let cycles = |bound: Bound| Bound { unit: Some(Unit::Cycles), ..bound };
    let window =
        |low: u64, high: u64| Interval { low: Some(cycles(bound(low))), high: Some(cycles(bound(high))) };
    let within = |low, high, number| Path::Eventually(window(low, high), Box::new(atom(number)));
    let always = |low, high, number| Path::Always(window(low, high), Box::new(atom(number)));
    let some = |timer, relation, amount| {
        let timer = Formula::Timer(timer, relation, cycles(bound(amount)));
        Path::Eventually(Interval::default(), Box::new(Path::Now(timer)))
    };
    let strict = |amount| Interval { low: Some(Bound { strict: true, ..cycles(bound(amount)) }), high: None };
    let cases = [
        (within(0, 3, 0), true),
        (within(0, 2, 0), false),
        // Two states are entered at 3, and the second lasts to 6.
        (within(3, 3, 1), true),
        (within(5, 6, 1), true),
        (always(3, 7, 1), false),
        (always(4, 7, 1), true),
        // At 8 there is the end alone.
        (within(8, 9, 1), false),
        (always(8, 100_000, 2), true),
        (Path::Eventually(strict(7), Box::new(atom(1))), false),
        (Path::Eventually(strict(6), Box::new(atom(1))), true),
        (Path::Always(strict(7), Box::new(atom(2))), true),
        // From 3 to 7.
        (some(held(1), Relation::Ge, 4), true),
        (some(held(1), Relation::Gt, 4), false),
        (some(held(0), Relation::Gt, 0), false),
        (some(held(2), Relation::Eq, 77), true),
        (some(Timer::Now, Relation::Eq, 5), true),
        (some(since(0), Relation::Eq, 2), true),
    ];
    for (formula, expected) in cases {
        assert_eq!(truth_in(&counted(), &evidence, &formula), Some(expected), "{formula:?}");
    }
}

/// Known up to 7, where state 3 is entered.
#[test]
fn a_run_that_is_known_in_part_decides_what_has_passed() {
    let evidence = Evidence::finite(run(&[0, 0, 0]));
    let cases = [
        (within(0, 6, 2), Some(false)),
        (within(0, 7, 2), None),
        (within(7, 9, 1), Some(true)),
        (within(8, 9, 1), None),
        (always(4, 6, 1), Some(true)),
        (always(4, 7, 1), None),
        (some(held(1), Relation::Gt, 3), Some(true)),
        (some(held(1), Relation::Gt, 4), None),
        (some(since(0), Relation::Gt, 3), Some(true)),
    ];
    for (formula, expected) in cases {
        assert_eq!(truth(&evidence, &formula), expected, "{formula:?}");
    }
}

#[test]
fn a_run_that_repeats_goes_on_for_ever_in_time() {
    let evidence = Evidence::new(run(&[0, 0, 0, 0]), Some(3), Fairness::None);
    let cases = [
        (within(0, 100_000, 2), false),
        (always(4, 1_000_000_000, 1), true),
        (until(1_000_000_001, 1_000_000_002, not(atom(2)), 1), true),
        (some(held(1), Relation::Gt, 12_345), true),
    ];
    for (formula, expected) in cases {
        assert_eq!(truth(&evidence, &formula), Some(expected), "{formula:?}");
    }
}

#[test]
fn a_forged_delay_is_noticed() {
    let mut evidence = Evidence::finite(run(&[0, 0, 0]));
    evidence.run.steps[2].delay = 400;
    let claim = property(within(0, 6, 2));
    assert_eq!(replay(&table(), &claim, &evidence), Err(Objection::Forged(Forged::Label(2))));
}

#[test]
fn bounds_in_another_unit_are_refused() {
    let evidence = Evidence::finite(run(&[0]));
    for unit in [Some(Unit::Cycles), Some(Unit::Firings), None] {
        let high = Some(Bound { unit, ..bound(1) });
        let claim = property(Path::Eventually(Interval { low: None, high }, Box::new(atom(0))));
        assert!(matches!(replay(&table(), &claim, &evidence), Err(Objection::Refused(_))), "{unit:?}");
    }
}

struct Plain;

impl Words for Plain {
    fn value(&self, _: SlotId, value: u32) -> String {
        value.to_string()
    }

    fn action(&self, action: ActionId) -> String {
        action.0.to_string()
    }

    fn story(&self, _: ActionId) -> Story {
        Story { process: motet_model::ProcessId(0), text: String::new(), to: None, weight: Weight::Idle }
    }

    fn origin(&self, _: ActionId) -> Option<Span> {
        None
    }

    fn snapshot(&self, _: &State) -> Snapshot {
        Snapshot::default()
    }

    fn why(&self, _: &[Box<State>], _: &[ActionId], _: usize) -> Vec<String> {
        Vec::new()
    }
}

#[test]
fn traces_tell_the_time_of_every_state_and_open_without_it() {
    let evidence = Evidence::finite(run(&[0, 0, 0, 1]));
    let text = to_itf(&table(), &Plain, &Title::default(), &evidence);
    let trace: serde_json::Value = serde_json::from_str(&text).expect("a trace is JSON");
    let states = trace["states"].as_array().expect("a trace has states");
    let times: Vec<Option<u64>> = states.iter().map(|state| state["#meta"]["time"].as_u64()).collect();
    assert_eq!(times, [0, 3, 3, 7, 8].map(Some));
    assert_eq!(trace["#meta"]["motet"]["unit"], serde_json::json!("ms"));
    let old = text.replace("\"time\"", "\"other\"").replace("\"unit\"", "\"another\"");
    for text in [text, old] {
        let recorded = read_itf(&text).expect("a trace");
        assert_eq!(recorded.evidence(&table(), &Plain).as_ref(), Ok(&evidence));
    }
}
