//! The engine for chance and its slow twin agree on random chains and decision processes.

mod support;

use dashu::rational::RBig;
use motet_engine::{Precision, Settings, check};
use motet_evidence::{Memory, Outcome, Verdict};
use motet_model::{AtomId, Ratio};
use motet_naive::chance::random::{Choices, Dice, measure, question, timed_measure, timed_reward};
use motet_naive::chance::{Value, value};
use motet_naive::random::Random;
use motet_property::{Filter, Formula, Interval, Kind, Path, Query, RewardGoal};
use support::played::{Open, played};
use support::{claim, rounds};

/// Questions per process.
const QUESTIONS: usize = 6;

fn ask(dice: &Dice, formula: &Formula<AtomId>, expected: &Value, precision: Precision) -> Outcome {
    let kind = match expected {
        Value::Truth(_) => Kind::Property,
        Value::Number(_) | Value::Infinite => Kind::Query,
    };
    let settings = Settings { precision, ..Settings::default() };
    check(dice, &claim(kind, Path::Now(formula.clone())), &settings)
}

/// What is wrong with an answer whose width, relative to the value, may be 1e-6.
fn objection(outcome: &Outcome, expected: &Value) -> Option<&'static str> {
    let (low, high) = match (&outcome.verdict, expected) {
        (Verdict::Holds, Value::Truth(truth)) => return (!truth).then_some("it does not hold"),
        (Verdict::Fails, Value::Truth(truth)) => return truth.then_some("it holds"),
        (Verdict::Value { low, high }, _) => (*low, *high),
        _ => return Some("it is no answer"),
    };
    let number = match expected {
        Value::Infinite if low.is_infinite() && high.is_infinite() => return None,
        Value::Infinite => return Some("it is infinite"),
        _ if high.is_infinite() => return Some("it is finite"),
        Value::Number(number) => number,
        Value::Truth(_) => return Some("it is no number"),
    };
    let exactly = |bound: f64| RBig::try_from(bound).expect("bounds are finite");
    if exactly(low) > *number || exactly(high) < *number {
        return Some("it lies outside");
    }
    (high - low > 1e-6 * high).then_some("it is not known closely enough")
}

fn exact_objection(outcome: &Outcome, expected: &Value) -> Option<&'static str> {
    if let Some(objection) = objection(outcome, expected) {
        return Some(objection);
    }
    let Value::Number(number) = expected else { return None };
    let told = outcome.quantity.as_ref().and_then(|quantity| quantity.exact.clone());
    match told {
        None => Some("no fraction"),
        Some(told) => (told != number.to_string()).then_some("another fraction"),
    }
}

#[derive(Default)]
struct Tally {
    asked: usize,
    answered: usize,
    truths: usize,
    inner: usize,
    infinite: usize,
}

#[test]
fn certified_intervals_enclose_the_exact_value_and_fractions_equal_it() {
    let mut tally = Tally::default();
    let mut objections = Vec::new();
    for seed in 0..rounds(150) {
        let mut random = Random::new(seed);
        let choices = if random.once_in(2) { Choices::One } else { Choices::Several };
        let dice = Dice::random(&mut random, choices);
        for number in 0..QUESTIONS {
            let formula = question(&mut random, choices);
            tally.asked += 1;
            let Ok(expected) = value(&dice, &formula) else { continue };
            tally.answered += 1;
            match &expected {
                Value::Truth(_) => tally.truths += 1,
                Value::Infinite => tally.infinite += 1,
                Value::Number(number) if *number != RBig::ZERO && *number != RBig::ONE => tally.inner += 1,
                Value::Number(_) => {}
            }
            let outcome = ask(&dice, &formula, &expected, Precision::Certified(1e-6));
            let exact = ask(&dice, &formula, &expected, Precision::Exact);
            for (outcome, objection) in
                [(&outcome, objection(&outcome, &expected)), (&exact, exact_objection(&exact, &expected))]
            {
                if let Some(objection) = objection {
                    objections.push(format!(
                        "seed {seed}, question {number}: {objection}\n{formula:?}\non {:?} {:?} {:?}\nis {expected:?}\ntold {:?} {:?}\n",
                        dice.rows, dice.earned, dice.atoms, outcome.verdict, outcome.quantity
                    ));
                }
            }
        }
    }
    assert!(
        objections.is_empty(),
        "{} objections\n{}",
        objections.len(),
        objections[..objections.len().min(5)].join("\n")
    );
    // Otherwise the comparison says little.
    let Tally { asked, answered, truths, inner, infinite } = tally;
    assert!(answered > asked * 3 / 4, "{answered} of {asked}");
    assert!(truths > answered / 10 && inner > answered / 8 && infinite > 0, "{truths} {inner} {infinite}");
}

/// Asks both ways, plays what is told, and counts what was played.
#[track_caller]
fn plays(dice: &Dice, formula: &Formula<AtomId>, seed: u64, counted: &mut [usize; 4]) {
    let Ok(expected @ Value::Number(_)) = value(dice, formula) else { return };
    for precision in [Precision::Exact, Precision::Certified(1e-6)] {
        let outcome = ask(dice, formula, &expected, precision);
        let Some(strategy) = outcome.quantity.as_ref().and_then(|told| told.strategy.as_ref()) else {
            continue;
        };
        counted[strategy.memory as usize] += usize::from(!strategy.decisions.is_empty());
        let chain = played(dice, strategy, Open::First);
        let brought = value(&chain, formula);
        let Ok(brought @ Value::Number(_)) = brought else {
            panic!("seed {seed}: {formula:?} gives {brought:?}, not {expected:?}");
        };
        let objection = match precision {
            Precision::Exact => (brought != expected).then_some("another value"),
            Precision::Certified(_) => objection(&outcome, &brought),
        };
        assert_eq!(
            objection, None,
            "seed {seed}: {formula:?}\non {:?} {:?} {:?} {:?}\n{strategy:?}\ngive {brought:?}, not {expected:?}",
            dice.rows, dice.delays, dice.earned, dice.atoms
        );
    }
}

#[test]
fn the_choices_that_are_told_bring_the_value_about() {
    let mut counted = [0; 4];
    for seed in 0..rounds(150) {
        let mut random = Random::new(seed);
        let mut dice = Dice::random(&mut random, Choices::Several);
        for _ in 0..QUESTIONS {
            plays(&dice, &measure(&mut random, Choices::Several), seed, &mut counted);
        }
        dice.delay(&mut random);
        for _ in 0..QUESTIONS {
            plays(&dice, &timed_measure(&mut random, Choices::Several), seed, &mut counted);
            plays(&dice, &timed_reward(&mut random, Choices::Several), seed, &mut counted);
        }
    }
    let [lasting, steps, time, progress] = counted;
    assert!(lasting > 200 && steps > 100 && time > 100 && progress > 100, "{counted:?}");
}

/// The twin has no windows without an end, so that the chain that is left is asked in its place.
#[test]
fn the_choices_of_a_window_of_time_that_stays_open_bring_the_value_about() {
    let exactly = |dice: &Dice, formula: &Formula<AtomId>| {
        let settings = Settings { precision: Precision::Exact, ..Settings::default() };
        check(dice, &claim(Kind::Query, Path::Now(formula.clone())), &settings).quantity.unwrap()
    };
    let (mut timed, mut between) = (0, 0);
    for seed in 0..rounds(300) {
        let mut random = Random::new(seed);
        let mut dice = Dice::random(&mut random, Choices::Several);
        dice.delay(&mut random);
        let mut formula = timed_measure(&mut random, Choices::Several);
        let Formula::Chance(_, _, path) = &mut formula else { panic!("it asks for a chance") };
        let (Path::Eventually(when, ..) | Path::Always(when, ..) | Path::Until(_, when, ..)) = &mut **path
        else {
            panic!("it has one operator")
        };
        when.high = None;
        let quantity = exactly(&dice, &formula);
        let Some(strategy) = &quantity.strategy else { continue };
        let brought = exactly(&played(&dice, strategy, Open::First), &formula);
        assert_eq!(
            brought.exact, quantity.exact,
            "seed {seed}: {formula:?}\non {:?} {:?} {:?}\n{strategy:?}",
            dice.rows, dice.delays, dice.atoms
        );
        timed += usize::from(strategy.memory == Memory::TimeLeft);
        between += usize::from(quantity.low > 0.0 && quantity.high < 1.0);
    }
    assert!(timed > 40 && between > 20, "{timed} {between}");
}

#[test]
fn chances_within_a_window_of_time_agree_with_runs_written_out() {
    agree_with_runs_written_out(timed_measure);
}

#[test]
fn rewards_within_a_time_agree_with_runs_written_out() {
    agree_with_runs_written_out(timed_reward);
}

fn agree_with_runs_written_out(ask_for: fn(&mut Random, Choices) -> Formula<AtomId>) {
    let (mut answered, mut between) = (0, 0);
    for seed in 0..rounds(200) {
        let mut random = Random::new(seed);
        let choices = if random.once_in(2) { Choices::One } else { Choices::Several };
        let mut dice = Dice::random(&mut random, choices);
        dice.delay(&mut random);
        for number in 0..QUESTIONS {
            let formula = ask_for(&mut random, choices);
            let Ok(expected) = value(&dice, &formula) else { continue };
            answered += 1;
            between +=
                usize::from(matches!(&expected, Value::Number(n) if *n != RBig::ZERO && *n != RBig::ONE));
            for precision in [Precision::Exact, Precision::Certified(1e-6)] {
                let outcome = ask(&dice, &formula, &expected, precision);
                let objection = match precision {
                    Precision::Exact => exact_objection(&outcome, &expected),
                    Precision::Certified(_) => objection(&outcome, &expected),
                };
                assert_eq!(
                    objection, None,
                    "seed {seed}, question {number}: {formula:?}\non {:?} {:?} {:?}\nis {expected:?}\ntold {:?}",
                    dice.rows, dice.delays, dice.atoms, outcome.verdict
                );
            }
        }
    }
    assert!(answered > 300 && between > 50, "{answered} {between}");
}

/// The first state may end where the goal is missed, the second cannot.
#[test]
fn the_least_of_finite_and_infinite_rewards_is_finite() {
    let mut dice = Dice::new(4);
    dice.rows[0] = vec![(Ratio::ZERO, vec![(1, 1), (1, 2)])];
    dice.rows[1] = vec![(Ratio::ONE, vec![(1, 3)])];
    dice.atoms[0][3] = true;
    let goal = Path::Eventually(Interval::default(), Box::new(Path::Now(Formula::Atom(AtomId(0)))));
    let reward = Formula::Reward(None, None, Query::Value, Box::new(RewardGoal::Until(goal)));
    let elsewhere = Formula::Not(Box::new(Formula::Atom(AtomId(0))));
    let least = Formula::Filter(Filter::Min, Box::new(reward), Box::new(elsewhere));
    let expected = Value::Number(RBig::ONE);
    assert_eq!(value(&dice, &least), Ok(expected.clone()));
    let outcome = ask(&dice, &least, &expected, Precision::Exact);
    assert_eq!(exact_objection(&outcome, &expected), None, "{:?}", outcome.quantity);
}
