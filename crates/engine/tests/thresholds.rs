//! Thresholds at a value, and as little beside it as no interval of floating point tells apart, are decided as the slow twin
//! decides them: alone, inside other formulas and in filters, for chances, rewards and the long run, within bounds and without.

mod support;

use dashu::integer::UBig;
use dashu::rational::RBig;
use motet_engine::{Precision, Settings, check};
use motet_evidence::Verdict;
use motet_model::AtomId;
use motet_naive::chance::random::{Choices, Dice, measure, timed_measure, timed_reward};
use motet_naive::chance::{Value, value};
use motet_naive::random::Random;
use motet_property::{Filter, Formula, Kind, Path, Query, Relation};
use support::{claim, rounds};

const RELATIONS: [Relation; 6] =
    [Relation::Lt, Relation::Le, Relation::Gt, Relation::Ge, Relation::Eq, Relation::Ne];

/// The same measure, compared with a number.
fn compared(measure: &Formula<AtomId>, relation: Relation, number: &RBig) -> Formula<AtomId> {
    let asked = Query::Compare(relation, number.to_string());
    match measure.clone() {
        Formula::Chance(extremum, _, path) => Formula::Chance(extremum, asked, path),
        Formula::Reward(name, extremum, _, goal) => Formula::Reward(name, extremum, asked, goal),
        Formula::Steady(extremum, _, inner) => Formula::Steady(extremum, asked, inner),
        other => panic!("no measure: {other:?}"),
    }
}

/// One part in 10^30: far less than floating point tells apart.
fn hair() -> RBig {
    RBig::ONE / RBig::from(UBig::from(10_u8).pow(30))
}

/// The threshold where others look at it.
fn surroundings(threshold: Formula<AtomId>, random: &mut Random) -> Formula<AtomId> {
    let everywhere = || Box::new(Formula::True);
    let inside = |path: Path<AtomId>| {
        Formula::Chance(None, Query::Compare(Relation::Ge, "1/2".to_owned()), Box::new(path))
    };
    match random.below(5) {
        0 => Formula::Not(Box::new(threshold)),
        1 => inside(Path::Next(Box::new(Path::Now(threshold)))),
        2 => Formula::Filter(Filter::ForAll, Box::new(threshold), everywhere()),
        3 => Formula::Filter(Filter::Exists, Box::new(threshold), everywhere()),
        _ => Formula::Filter(Filter::Count, Box::new(threshold), everywhere()),
    }
}

#[derive(Default)]
struct Tally {
    chances: usize,
    rewards: usize,
    shares: usize,
    inner: usize,
}

#[track_caller]
fn agrees(dice: &Dice, formula: &Formula<AtomId>, seed: u64) {
    let expected = value(dice, formula).expect("the measure has a value");
    for precision in [Precision::default(), Precision::Exact] {
        let settings = Settings { precision, ..Settings::default() };
        let kind = if matches!(expected, Value::Truth(_)) { Kind::Property } else { Kind::Query };
        let outcome = check(dice, &claim(kind, Path::Now(formula.clone())), &settings);
        let agrees = match (&expected, &outcome.verdict) {
            (Value::Truth(truth), Verdict::Holds) => *truth,
            (Value::Truth(truth), Verdict::Fails) => !truth,
            (Value::Number(number), Verdict::Value { low, high }) => {
                low == high && RBig::try_from(*low) == Ok(number.clone())
            }
            _ => false,
        };
        assert!(
            agrees,
            "seed {seed}, {precision:?}: {formula:?}\non {:?} {:?} {:?}\nis {expected:?}, told {:?}",
            dice.rows, dice.earned, dice.atoms, outcome.verdict
        );
    }
}

#[test]
fn a_threshold_at_the_value_is_decided_by_the_value() {
    let mut tally = Tally::default();
    for seed in 0..rounds(80) {
        let mut random = Random::new(seed);
        let choices = if random.once_in(2) { Choices::One } else { Choices::Several };
        let mut dice = Dice::random(&mut random, choices);
        let kind = random.below(4);
        if kind > 1 {
            dice.delay(&mut random);
        }
        let ask_for = [measure, measure, timed_measure, timed_reward][kind];
        for _ in 0..4 {
            let measure = ask_for(&mut random, choices);
            let Ok(Value::Number(number)) = value(&dice, &measure) else { continue };
            match &measure {
                Formula::Chance(..) => tally.chances += 1,
                Formula::Reward(..) => tally.rewards += 1,
                _ => tally.shares += 1,
            }
            tally.inner += usize::from(number != RBig::ZERO && number != RBig::ONE);
            for relation in RELATIONS {
                for beside in [&number - hair(), number.clone(), &number + hair()] {
                    if beside < RBig::ZERO {
                        continue;
                    }
                    let threshold = compared(&measure, relation, &beside);
                    agrees(&dice, &threshold, seed);
                    if random.once_in(4) {
                        agrees(&dice, &surroundings(threshold, &mut random), seed);
                    }
                }
            }
        }
    }
    // Otherwise the comparison says little.
    let Tally { chances, rewards, shares, inner } = tally;
    assert!(chances > 60 && rewards > 30 && shares > 3 && inner > 60, "{chances} {rewards} {shares} {inner}");
}
