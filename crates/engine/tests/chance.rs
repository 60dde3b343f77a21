//! Chances, rewards, strategies and ways, compared with slow and obvious twins and with numbers that are proved.

mod support;

use dashu::rational::RBig;
use motet_engine::{Precision, Settings, check};
use motet_evidence::{Outcome, Stop, Verdict};
use motet_model::AtomId;
use motet_naive::chance::random::{Choices, Dice, question};
use motet_naive::chance::{Value, value};
use motet_naive::random::Random;
use motet_property::{Formula, Kind, Path};
use support::{claim, rounds};

fn ask(dice: &Dice, formula: &Formula<AtomId>, precision: Precision) -> Outcome {
    let settings = Settings { precision, ..Settings::default() };
    check(dice, &claim(Kind::Query, Path::Now(formula.clone())), &settings)
}

fn is_between(low: f64, value: &RBig, high: f64) -> bool {
    RBig::try_from(low).is_ok_and(|low| low <= *value) && RBig::try_from(high).is_ok_and(|high| *value <= high)
}

#[test]
fn numbers_and_truths_agree_with_the_twin() {
    let (mut compared, mut numbers) = (0, 0);
    for seed in 0..rounds(1500) {
        let mut random = Random::new(seed);
        let choices = if seed % 2 == 0 { Choices::One } else { Choices::Several };
        let dice = Dice::random(&mut random, choices);
        let formula = question(&mut random, choices);
        let Ok(expected) = value(&dice, &formula) else { continue };
        for precision in [Precision::default(), Precision::Exact] {
            let outcome = ask(&dice, &formula, precision);
            let place = format!("seed {seed}, {precision:?}, {formula:?}, {dice:?}, {outcome:?}, {expected:?}");
            match (&expected, &outcome.verdict) {
                (_, Verdict::Unknown(Stop::Unsupported(_))) => continue,
                (Value::Truth(truth), verdict) => {
                    assert_eq!(*verdict == Verdict::Holds, *truth, "{place}");
                    assert!(matches!(verdict, Verdict::Holds | Verdict::Fails), "{place}");
                }
                (Value::Infinite, Verdict::Value { low, .. }) => assert!(low.is_infinite(), "{place}"),
                (Value::Number(number), Verdict::Value { low, high }) => {
                    assert!(is_between(*low, number, *high), "{place}");
                    assert!(high - low <= 1e-6 * high, "{place}");
                    numbers += 1;
                    let exact = outcome.quantity.as_ref().and_then(|quantity| quantity.exact.clone());
                    if precision == Precision::Exact {
                        assert_eq!(exact, Some(number.to_string()), "{place}");
                    }
                }
                _ => panic!("{place}"),
            }
            compared += 1;
        }
    }
    assert!(compared > 1500 && numbers > 700, "{compared} {numbers}");
}
