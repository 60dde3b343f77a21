//! The worth of choices by look-up and by the slow twin: the twin gets a process whose start has one choice alone, the one
//! that is taken now, and is as free as ever afterwards.

mod support;

use dashu::rational::RBig;
use motet_engine::{Bounds, Precision, Settings, action_values, check};
use motet_evidence::{Fit, Stop, Verdict};
use motet_model::{Model, ObserverId, Ratio};
use motet_naive::chance::random::{Choices, Dice, measure};
use motet_naive::chance::{Value, value};
use motet_naive::random::{Random, Shape, Table};
use motet_property::{Extremum, Formula, Kind, Path, Query};
use support::{atom, claim, eventually, rounds};

/// The process that starts in a copy of a state which has one of its choices only; every state is one further on.
fn committed(dice: &Dice, state: usize, ordinal: usize) -> Dice {
    let mut other = Dice::new(dice.rows.len() + 1);
    let moved = |(earned, outcomes): &(Ratio, Vec<(u64, usize)>)| {
        (*earned, outcomes.iter().map(|&(weight, target)| (weight, target + 1)).collect())
    };
    other.rows[0] = vec![moved(&dice.rows[state][ordinal])];
    other.earned[0] = dice.earned[state];
    for (from, row) in dice.rows.iter().enumerate() {
        other.rows[from + 1] = row.iter().map(moved).collect();
        other.earned[from + 1] = dice.earned[from];
    }
    for (column, known) in other.atoms.iter_mut().zip(&dice.atoms) {
        *column = std::iter::once(known[state]).chain(known.iter().copied()).collect();
    }
    other
}

#[track_caller]
fn encloses(bounds: Bounds, expected: &Value, place: &str) {
    let Bounds { low, high } = bounds;
    match expected {
        Value::Infinite => {
            assert!(low.is_infinite() && high.is_infinite(), "{place}: {bounds:?} is infinite")
        }
        Value::Number(number) => {
            let exactly = |bound: f64| RBig::try_from(bound).expect("bounds are finite");
            assert!(high.is_finite(), "{place}: {bounds:?} is {number}");
            assert!(exactly(low) <= *number && *number <= exactly(high), "{place}: {bounds:?} is {number}");
            assert!(high - low <= 2e-6 * high, "{place}: {bounds:?} is not close to {number}");
        }
        Value::Truth(_) => panic!("{place}: a number was asked for"),
    }
}

#[test]
fn every_choice_is_worth_what_the_process_is_that_has_no_other() {
    let (mut compared, mut between, mut infinite, mut apart) = (0, 0, 0, 0);
    for seed in 0..rounds(150) {
        let mut random = Random::new(seed);
        let dice = Dice::random(&mut random, Choices::Several);
        for _ in 0..4 {
            let formula = measure(&mut random, Choices::Several);
            let query = claim(Kind::Query, Path::Now(formula.clone()));
            let Ok(values) =
                action_values(&dice, std::slice::from_ref(&query), &Settings::default(), &mut |_| {})
            else {
                continue;
            };
            let verdict = check(&dice, &query, &Settings::default()).verdict;
            let start = values.of(&dice, &[0]);
            let Verdict::Value { low, high } = verdict else { panic!("seed {seed}: {verdict:?}") };
            assert!(
                start.now[0].low <= high && low <= start.now[0].high,
                "seed {seed}: {start:?} {verdict:?}"
            );
            let mut state = Vec::new();
            for number in 0..values.n_states() {
                values.state(u32::try_from(number).unwrap(), &mut state);
                let (here, at) = (values.of(&dice, &state), state[0] as usize);
                assert_eq!((here.fit, here.now.len()), (Fit::Exact, 1));
                let offered = if dice.rows[at].len() > 1 { dice.rows[at].len() } else { 0 };
                assert_eq!(here.choices.len(), offered, "seed {seed}, state {at}");
                for (ordinal, (action, worth)) in here.choices.iter().enumerate() {
                    assert_eq!(action.index(), 4 * at + ordinal);
                    let Ok(expected) = value(&committed(&dice, at, ordinal), &formula) else { continue };
                    let place = format!("seed {seed}, state {at}, choice {ordinal}, {formula:?} on {dice:?}");
                    encloses(worth[0], &expected, &place);
                    compared += 1;
                    infinite += usize::from(expected == Value::Infinite);
                    between += usize::from(worth[0].low > 0.0 && worth[0].high < 1.0);
                    apart += usize::from(worth[0].high < here.now[0].low || worth[0].low > here.now[0].high);
                }
            }
        }
    }
    assert!(
        compared > 1000 && between > 200 && infinite > 20 && apart > 200,
        "{compared} {between} {infinite} {apart}"
    );
}

#[test]
fn the_best_choice_is_worth_the_value_of_the_state() {
    for seed in 0..rounds(100) {
        let mut random = Random::new(seed);
        let dice = Dice::random(&mut random, Choices::Several);
        let formula = measure(&mut random, Choices::Several);
        let query = claim(Kind::Query, Path::Now(formula.clone()));
        let settings = Settings { precision: Precision::Exact, ..Settings::default() };
        let Ok(values) = action_values(&dice, &[query], &settings, &mut |_| {}) else { continue };
        let mut state = Vec::new();
        for number in 0..values.n_states() {
            values.state(u32::try_from(number).unwrap(), &mut state);
            let here = values.of(&dice, &state);
            let worths = here.choices.iter().map(|(_, worth)| worth[0]);
            let best = match values.extrema()[0] {
                Extremum::Max => {
                    worths.reduce(|a, b| Bounds { low: a.low.max(b.low), high: a.high.max(b.high) })
                }
                Extremum::Min => {
                    worths.reduce(|a, b| Bounds { low: a.low.min(b.low), high: a.high.min(b.high) })
                }
            };
            let Some(best) = best else { continue };
            let now = here.now[0];
            let meets = best.low <= now.high && now.low <= best.high;
            assert!(meets, "seed {seed}, state {}: {best:?} {now:?} {formula:?}", state[0]);
        }
    }
}

/// The twin goes through all states and gathers those that every observer sees alike.
#[test]
fn what_looks_the_same_has_the_range_of_all_that_look_so() {
    let (mut several, mut outside) = (0, 0);
    for seed in 0..rounds(150) {
        let mut random = Random::new(seed);
        let mut table = Table::random(&mut random, Shape { n_states: 9, n_processes: 2, n_atoms: 2 });
        table.observe_at_random(&mut random, 2);
        let query = |extremum, goal| {
            let path = Box::new(eventually(atom(goal)));
            claim(Kind::Query, Path::Now(Formula::Chance(Some(extremum), Query::Value, path)))
        };
        let queries = [query(Extremum::Max, 0), query(Extremum::Min, 1)];
        let values = action_values(&table, &queries, &Settings::default(), &mut |_| {}).unwrap();
        let view = |state: &[u32]| {
            [0, 1].map(|observer| {
                let mut out = Vec::new();
                table.facets().observe(ObserverId(observer), state, &mut out);
                out
            })
        };
        let states: Vec<Vec<u32>> = (0..values.n_states())
            .map(|number| {
                let mut state = Vec::new();
                values.state(u32::try_from(number).unwrap(), &mut state);
                state
            })
            .collect();
        for state in &states {
            let alike: Vec<&Vec<u32>> = states.iter().filter(|other| view(other) == view(state)).collect();
            let seen = values.as_seen(&table, state);
            if alike.len() == 1 {
                assert_eq!(seen, values.of(&table, state), "seed {seed}");
                continue;
            }
            several += 1;
            assert_eq!(seen.fit, Fit::Similar { situations: u32::try_from(alike.len()).unwrap() });
            for query in 0..2 {
                let all = alike.iter().map(|state| values.of(&table, state));
                let low = all.clone().map(|worth| worth.now[query].low).fold(f64::INFINITY, f64::min);
                let high = all.clone().map(|worth| worth.now[query].high).fold(0.0, f64::max);
                assert_eq!(seen.now[query], Bounds { low, high }, "seed {seed}");
                for (action, worth) in &seen.choices {
                    let offered = all.clone().flat_map(|one| one.choices);
                    let same: Vec<Bounds> =
                        offered.filter(|(other, _)| other == action).map(|(_, worth)| worth[query]).collect();
                    let low = same.iter().map(|bounds| bounds.low).fold(f64::INFINITY, f64::min);
                    let high = same.iter().map(|bounds| bounds.high).fold(0.0, f64::max);
                    assert_eq!(worth[query], Bounds { low, high }, "seed {seed}");
                }
            }
            let offered: std::collections::BTreeSet<_> = alike
                .iter()
                .flat_map(|state| values.of(&table, state).choices)
                .map(|(action, _)| action)
                .collect();
            assert_eq!(offered.len(), seen.choices.len(), "seed {seed}");
        }
        for state in (0..table.rows.len()).map(|n| u32::try_from(n).unwrap()).map(|n| vec![n % 3, n / 3]) {
            if !states.contains(&state) {
                let alike = states.iter().filter(|other| view(other) == view(&state)).count();
                let fit = values.of(&table, &state).fit;
                let similar = Fit::Similar { situations: u32::try_from(alike).unwrap() };
                assert_eq!(fit, if alike == 0 { Fit::Outside } else { similar }, "seed {seed}");
                outside += usize::from(alike == 0);
            }
        }
    }
    assert!(several > 200 && outside > 50, "{several} {outside}");
}

/// Whether a run has come to `a0` before is not in the state, so no look-up can answer it.
#[test]
fn a_query_that_needs_a_memory_is_refused_by_name() {
    let dice = Dice::random(&mut Random::new(3), Choices::Several);
    let twice = eventually(Path::And(Box::new(atom(0)), Box::new(Path::Next(Box::new(eventually(atom(1)))))));
    let plain = Formula::Chance(Some(Extremum::Max), Query::Value, Box::new(eventually(atom(1))));
    let twice = Formula::Chance(Some(Extremum::Max), Query::Value, Box::new(twice));
    let queries = [plain, twice].map(|formula| claim(Kind::Query, Path::Now(formula)));
    let refusal = action_values(&dice, &queries, &Settings::default(), &mut |_| {}).unwrap_err();
    assert_eq!(refusal.query, Some(1));
    assert!(matches!(refusal.stop, Stop::Unsupported(words) if words.contains("remember")));
}

#[test]
fn a_part_of_a_model_answers_nothing() {
    let dice = Dice::random(&mut Random::new(5), Choices::Several);
    let formula = Formula::Chance(Some(Extremum::Max), Query::Value, Box::new(eventually(atom(1))));
    let query = claim(Kind::Query, Path::Now(formula));
    let mut settings = Settings::default();
    settings.limits.states = Some(1);
    let refusal = action_values(&dice, &[query], &settings, &mut |_| {}).unwrap_err();
    assert_eq!((refusal.query, refusal.stop), (None, Stop::States));
}
