//! What happens within an instant and changes nothing that a claim speaks of changes neither its verdict nor its worst case.
//! Front-ends show such states or leave them out, depending on what other claims speak of.

mod support;

use motet_engine::check;
use motet_evidence::{Fairness, Margin, Outcome, Verdict, replay_outcome};
use motet_model::{AtomId, TimeUnit};
use motet_naive::random::{Random, Shape, Table, TableStep, timed_path};
use motet_property::{Bound, Formula, Interval, Kind, Path, Relation, Timer, Unit};
use support::{always, atom, claim, fair, implies, rounds};

const SHAPE: Shape = Shape { n_states: 5, n_processes: 2, n_atoms: 2 };

/// The same model with more states: some steps first lead to states in which nothing has changed yet, or everything has
/// already, and which are left in no time.
fn refined(table: &Table, random: &mut Random) -> Table {
    let mut refined = table.clone();
    for state in 0..table.rows.len() {
        for (at, step) in table.rows[state].iter().enumerate() {
            for (branch, &target) in step.targets.iter().enumerate() {
                let mut next = target;
                for like in [target, state] {
                    if random.once_in(2) {
                        next = stopover(&mut refined, like, next, step.process);
                    }
                }
                refined.rows[state][at].targets[branch] = next;
            }
        }
    }
    refined
}

/// A new state that looks like another one and is left in no time.
fn stopover(table: &mut Table, like: usize, target: usize, process: u32) -> usize {
    table.rows.push(vec![TableStep { process, targets: vec![target], delay: 0 }]);
    table.atoms.iter_mut().for_each(|column| column.push(column[like]));
    table.rows.len() - 1
}

/// Steps and deadlocks are told apart by states, not by what holds in them.
fn counts_states(formula: &Path<AtomId>) -> bool {
    let text = format!("{formula:?}");
    ["Next", "Steps", "Deadlock"].iter().any(|word| text.contains(word))
}

/// Claims that measure something.
fn measuring(random: &mut Random) -> Vec<Path<AtomId>> {
    let bound = Bound { amount: random.below(12) as u64, unit: Some(Unit::Clock), strict: random.once_in(2) };
    let high = Interval { low: None, high: Some(bound.clone()) };
    let within = || Path::Eventually(high.clone(), Box::new(atom(1)));
    let relation = if bound.strict { Relation::Lt } else { Relation::Le };
    let inner = || Box::new(Formula::Atom(AtomId(0)));
    let clock = |timer| always(Path::Now(Formula::Timer(timer, relation, bound.clone())));
    vec![
        always(implies(atom(0), within())),
        within(),
        clock(Timer::Held(inner())),
        clock(Timer::Since(inner())),
    ]
}

fn told(outcome: &Outcome) -> (&Verdict, Option<Margin>) {
    (&outcome.verdict, outcome.margin)
}

#[test]
fn states_within_an_instant_that_change_nothing_change_no_verdict_and_no_worst_case() {
    let (mut holding, mut failing, mut measured) = (0, 0, 0);
    for seed in 0..rounds(600) {
        let mut random = Random::new(seed);
        let mut table = Table::random(&mut random, SHAPE);
        table.signature.unit = TimeUnit::Milliseconds;
        table.delay(&mut random);
        let refined = refined(&table, &mut random);
        let mut formulas = measuring(&mut random);
        formulas.extend((0..4).map(|_| timed_path(&mut random, Unit::Clock, 2, 2)));
        for formula in formulas.iter().filter(|formula| !counts_states(formula)) {
            let property = claim(Kind::Property, formula.clone());
            let plain = check(&table, &property, &fair(Fairness::None));
            let fine = check(&refined, &property, &fair(Fairness::None));
            let context = || format!("seed {seed}, {formula:?}\n{:?}\n{:?}", table.rows, table.atoms);
            assert_eq!(told(&plain), told(&fine), "{}", context());
            assert_eq!(replay_outcome(&refined, &[], &property, &fine), Ok(()), "{}", context());
            holding += usize::from(plain.verdict == Verdict::Holds);
            failing += usize::from(plain.verdict == Verdict::Fails);
            measured += usize::from(plain.margin.is_some());
        }
    }
    assert!(holding > 500 && failing > 500 && measured > 500, "{holding} {failing} {measured}");
}

/// Atom 0 lasts exactly 10; the run may or may not stop over at 10 with it.
#[test]
fn what_lasts_ten_units_does_not_last_less() {
    let mut table = Table::new(Shape { n_states: 2, n_processes: 1, n_atoms: 2 });
    table.signature.unit = TimeUnit::Milliseconds;
    table.step_after(0, 0, 1, 10);
    table.step_after(1, 0, 1, 1);
    table.atoms[0][0] = true;
    let mut fine = table.clone();
    fine.rows[0][0].targets[0] = stopover(&mut fine, 0, 1, 0);
    let bound = |amount| Bound { amount, unit: Some(Unit::Clock), strict: false };
    let held = |relation, amount| {
        let timer = Timer::Held(Box::new(Formula::Atom(AtomId(0))));
        always(Path::Now(Formula::Timer(timer, relation, bound(amount))))
    };
    let in_window = |path: fn(Interval, Box<Path<AtomId>>) -> Path<AtomId>, low, high, inner| {
        path(Interval { low: Some(bound(low)), high: Some(bound(high)) }, Box::new(inner))
    };
    let cases = [
        (held(Relation::Lt, 10), Verdict::Fails),
        (held(Relation::Le, 10), Verdict::Holds),
        (held(Relation::Le, 9), Verdict::Fails),
        (held(Relation::Lt, 11), Verdict::Holds),
        (in_window(Path::Eventually, 10, 12, atom(0)), Verdict::Holds),
        (in_window(Path::Eventually, 11, 12, atom(0)), Verdict::Fails),
        (in_window(Path::Always, 0, 9, atom(0)), Verdict::Holds),
        (in_window(Path::Always, 0, 10, atom(0)), Verdict::Fails),
        (in_window(Path::Always, 10, 12, support::not(atom(0))), Verdict::Fails),
        (in_window(Path::Always, 11, 12, support::not(atom(0))), Verdict::Holds),
    ];
    for (formula, expected) in cases {
        for model in [&table, &fine] {
            let outcome = check(model, &claim(Kind::Property, formula.clone()), &fair(Fairness::None));
            assert_eq!(outcome.verdict, expected, "{formula:?}");
        }
    }
}
