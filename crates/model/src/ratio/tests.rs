use motet_source::fuzz::Random;

use super::*;

fn ratio(text: &str) -> Ratio {
    Ratio::read(text).unwrap()
}

#[test]
fn tenths_sum_to_exactly_one() {
    let tenth = Ratio::new(1, 10).unwrap();
    let sum = (1..10).fold(tenth, |sum, _| sum.checked_add(tenth).unwrap());
    assert_eq!(sum, Ratio::ONE);
}

#[test]
fn what_does_not_fit_a_word_is_as_exact_as_what_does() {
    let ratio = |above, below| Ratio::new(above, below).unwrap();
    assert_eq!(ratio(2, 3).checked_mul(ratio(3, 4)), Some(ratio(1, 2)));
    assert_eq!(Ratio::ZERO.checked_mul(ratio(1, 3)), Some(Ratio::ZERO));
    assert_eq!(ratio(u64::MAX, 5).checked_mul(ratio(5, u64::MAX)), Some(Ratio::ONE));
    let tiny = ratio(1, u64::MAX).checked_mul(ratio(1, 2)).unwrap();
    assert_eq!(tiny.words(), None);
    assert_eq!(tiny.checked_mul(ratio(2, 1)), Some(ratio(1, u64::MAX)));
    assert_eq!(tiny.checked_sub(tiny), Some(Ratio::ZERO));
    assert_eq!(Ratio::whole(i64::MIN).negated().unwrap().negated(), Some(Ratio::whole(i64::MIN)));
    assert_eq!(size_of::<Ratio>(), 16, "a fraction is as large as its two words");
}

#[test]
fn decimals_of_any_length_are_read_exactly() {
    assert_eq!(ratio("0.1").words(), Some((1, 10)));
    assert_eq!(ratio("2.50").words(), Some((5, 2)));
    assert_eq!(ratio("1e-3").words(), Some((1, 1000)));
    assert_eq!(ratio("1.5E2").words(), Some((150, 1)));
    assert_eq!(ratio(".5").words(), Some((1, 2)));
    assert_eq!(ratio("2/6").words(), Some((1, 3)));
    assert_eq!(ratio("-0.5"), Ratio::new(1, 2).unwrap().negated().unwrap());
    assert_eq!(ratio("0.1").checked_add(ratio("0.2")), Some(ratio("0.3")));
    let long = format!("0.{}1", "0".repeat(399));
    assert_eq!(ratio(&long), ratio("1e-400"));
    let nines = format!("0.{}", "9".repeat(400));
    assert_eq!(Ratio::ONE.checked_sub(ratio(&nines)), Some(ratio("1e-400")));
    assert_eq!(ratio("1e-400").checked_mul(ratio("1e400")), Some(Ratio::ONE));
    assert_eq!(ratio("0.1234567890123456789").words(), Some((1_234_567_890_123_456_789, 10_u64.pow(19))));
    for wrong in ["", ".", "x", "1.2.3", "1/0", "1/2/3", "1e", "--1", "1e1.5", "0x1", "1 2"] {
        assert_eq!(Ratio::read(wrong), None, "{wrong}");
    }
}

#[test]
fn numbers_beyond_all_measure_are_refused_before_they_are_calculated() {
    for text in ["1e-400000000", "1e400000000", "1e99999999999999999999", "1e-9223372036854775808"] {
        assert_eq!(Ratio::read(text), None, "{text}");
    }
    assert_eq!(Ratio::read(&"9".repeat(50_000)), None);
    assert_eq!(Ratio::read("0e400000000"), Some(Ratio::ZERO));
    assert_eq!(Ratio::whole(2).checked_pow(1_000_000_000), None);
    assert_eq!(Ratio::whole(2).checked_pow(i64::MIN), None);
    assert_eq!(ratio("0.999").checked_pow(i64::MAX), None);
    assert_eq!(Ratio::ONE.checked_pow(i64::MAX), Some(Ratio::ONE));
    assert_eq!(Ratio::whole(-1).checked_pow(i64::MAX), Some(Ratio::whole(-1)));
    assert_eq!(Ratio::ZERO.checked_pow(-1), None);
    let mut large = Ratio::whole(3);
    while let Some(square) = large.checked_mul(large) {
        large = square;
    }
    assert!(large.parts().0.bit_len() <= Ratio::LIMIT_BITS);
}

#[test]
fn powers_and_quotients_are_exact() {
    assert_eq!(ratio("1/2").checked_pow(-3), Some(Ratio::whole(8)));
    assert_eq!(ratio("-2/3").checked_pow(3), ratio("8/27").negated());
    assert_eq!(ratio("1/10").checked_pow(400), Some(ratio("1e-400")));
    assert_eq!(ratio("-1/3").checked_div(ratio("-2/3")), Some(ratio("0.5")));
    assert_eq!(ratio("1").checked_div(Ratio::ZERO), None);
    assert_eq!(Ratio::of_float(0.5), Ratio::new(1, 2));
    assert_eq!(Ratio::of_float(5e-324).unwrap(), Ratio::whole(2).checked_pow(-1074).unwrap());
    assert_eq!(Ratio::of_float(f64::NAN), None);
}

#[test]
fn rounding_is_downwards_and_shares_are_never_too_large() {
    assert_eq!(ratio("-2.5").floor(), Some(-3));
    assert_eq!(ratio("2.5").floor(), Some(2));
    assert_eq!(ratio("1e-400").floor(), Some(0));
    assert_eq!(ratio("-1e-400").floor(), Some(-1));
    assert_eq!(ratio("1e400").floor(), None);
    assert_eq!(Ratio::ONE.of_two_to_64(), 1 << 64);
    assert_eq!(ratio("1/2").of_two_to_64(), 1 << 63);
    assert_eq!(ratio("1e-400").of_two_to_64(), 0);
    assert_eq!(Ratio::ONE.checked_sub(ratio("1e-400")).unwrap().of_two_to_64(), (1 << 64) - 1);
}

#[test]
fn the_order_is_that_of_numbers() {
    let ordered = ["-1e400", "-2", "-1e-400", "0", "1e-400", "1/3", "0.34", "1", "1e19", "1e400"];
    let numbers = ordered.map(ratio);
    assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]), "{numbers:?}");
    let third = ratio("1/3");
    let cut = ratio("0.33333333333333333333");
    assert!(cut < third && third < cut.checked_add(ratio("1e-20")).unwrap());
}

#[test]
fn numbers_are_told_in_the_shortest_exact_way() {
    for text in ["0", "1", "-2", "0.25", "0.1", "1/3", "-1/3", "2.5", "12/7", "1e-400", "1e400", "1234567"] {
        assert_eq!(ratio(text).to_string(), text);
    }
    assert_eq!(ratio("1e-18").to_string(), "0.000000000000000001");
    assert_eq!(ratio("0.5").quotient(), "1/2");
    assert_eq!(Ratio::whole(2).checked_pow(-30).unwrap().to_string(), "1/1073741824");
}

#[test]
fn what_is_told_is_read_back_as_the_same_number() {
    let mut random = Random::new(1);
    let mut next = || random.bits();
    for round in 0..2000 {
        let mut number = Ratio::new(next() >> (next() % 64), (next() >> (next() % 64)).max(1)).unwrap();
        for _ in 0..round % 4 {
            let other = Ratio::new(next(), 10_u64.pow((next() % 20) as u32)).unwrap();
            number = number.checked_mul(other).unwrap();
        }
        if round % 5 == 0 {
            number = number.negated().unwrap();
        }
        assert_eq!(Ratio::read(&number.to_string()), Some(number), "round {round}");
        assert_eq!(Ratio::read(&number.quotient()), Some(number), "round {round}");
        assert_eq!(Ratio::of(number.fraction()), Some(number), "round {round}");
    }
}

#[test]
fn words_have_the_usual_divisors() {
    for (a, b, divisor) in [(12, 18, 6), (0, 5, 5), (7, 0, 7), (64, 48, 16), (1, u64::MAX, 1), (0, 0, 1)] {
        assert_eq!(gcd(a, b), divisor);
    }
}

#[test]
fn a_long_number_is_rounded_to_its_first_digits() {
    let rounded = |text: &str| ratio(text).rounded(6);
    for (text, told) in [
        ("2/3", "0.666667"),
        ("1/3", "0.333333"),
        ("-1/3", "-0.333333"),
        ("0", "0"),
        ("9999999/10000000", "1"),
        ("999999", "999999"),
        ("9999999", "1e7"),
        ("1234567", "1234570"),
        ("1.5e-400", "1.5e-400"),
        ("2e400", "2e400"),
        ("1/7e300", "1.42857e-301"),
        ("12.5", "12.5"),
        ("0.00012345678", "0.000123457"),
    ] {
        assert_eq!(rounded(text), told, "{text}");
    }
}
