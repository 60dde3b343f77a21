//! Reports of numbers: values, certainty, choices, ways, tables of situations.

#[expect(dead_code, reason = "other tests use the rest")]
mod shop;

use expect_test::expect;
use motet_evidence::{
    Attained, Decision, Infinite, Memory, Method, Outcome, Over, Quantity, Strategy, Valued, Verdict,
};
use motet_property::{Expect, Extremum, Kind};
use motet_render::{
    Asked, ChanceReport, ChoiceTally, ClaimReport, Place, Report, UnfairReport, ValueReport, View, WayReport,
    check, json, json_text, junit,
};
use motet_source::Sources;
use shop::{claim, report};

fn quantity(low: f64, high: f64) -> Quantity {
    Quantity {
        low,
        high,
        exact: None,
        method: Method::Iteration(212),
        infinite: None,
        strategy: None,
        values: Vec::new(),
        ways: Vec::new(),
    }
}

fn query(name: &str, expect: Expect, quantity: Quantity) -> ClaimReport {
    let verdict = Verdict::Value { low: quantity.low, high: quantity.high };
    let plain = claim(name, verdict, expect);
    let outcome = Outcome { quantity: Some(quantity), ..plain.outcome.clone() };
    let place = Some(Place { file: "shop.props".to_string(), line: 1, column: 1 });
    ClaimReport { kind: Kind::Query, outcome, place, chance: Some(ChanceReport::default()), ..plain }
}

fn asked() -> ClaimReport {
    let decision = Decision { state: Box::new([0]), memory: 0, ordinal: 1 };
    let strategy = Strategy {
        memory: Memory::None,
        start: 0,
        decisions: vec![decision],
        turns: Vec::new(),
        unfair: None,
    };
    let quantity = Quantity { strategy: Some(strategy), ..quantity(0.635_699, 0.635_702) };
    let chance = ChanceReport {
        extremum: Some(Extremum::Min),
        decisions: 1844,
        choices: vec![ChoiceTally {
            options: vec!["fetch".to_string(), "wait".to_string()],
            situations: 1844,
            chosen: vec![("wait".to_string(), 1812), ("fetch".to_string(), 32)],
        }],
        ways: vec![WayReport {
            chance: 0.25,
            steps: vec!["parcel falls".to_string(), "clerk sighs".to_string()],
        }],
        ..ChanceReport::default()
    };
    ClaimReport {
        words: None,
        english: "the least probability that a parcel arrives".to_string(),
        text: "Pmin=? [F parcel]".to_string(),
        place: None,
        asked: Asked::ByName,
        chance: Some(chance),
        ..query("formula", Expect::Nothing, quantity)
    }
}

#[test]
fn an_answer_leads_with_its_number_and_tells_the_choices_behind_it() {
    expect![[r#"
        shop/ · AgentSpeak(F) · 2 agents · shop.props

          = 0.6357   the least probability that a parcel arrives
                     certified in [0.635 699, 0.635 702] · interval iteration, 212 sweeps

                     The minimising choice    wait in 1 812 of 1 844 situations that offer fetch or wait
                                              fetch in 32 of 1 844 situations
                     Most probable ways       0.25 parcel falls → clerk sighs

                     Strategy: motet check shop/ -e 'Pmin=? [F parcel]' --strategy strategy.csv   (plays in motet sim --strategy)

        1 value · complete: 230 864 states · 300 000 choices · build 0.00 s, solve 2.9 s · 61 MiB
    "#]]
    .assert_eq(&check(&report(vec![asked()]), &Sources::new(), &View::default()));
}

#[test]
fn values_meet_expectations_they_have_a_number_in_common_with() {
    let expected = |low: &str, high: &str| Expect::Value(Some(low.to_string()), Some(high.to_string()));
    let fits = query("Fits", expected("0.6357", "0.6357"), quantity(0.635_699, 0.635_702));
    let misses = query("Misses", expected("0.7", "0.8"), quantity(0.635_699, 0.635_702));
    assert_eq!((fits.as_expected(), misses.as_expected()), (Some(true), Some(false)));
    let infinite = Quantity {
        method: Method::Graph,
        infinite: Some(Infinite { missed: 0.25, run: None }),
        ..quantity(f64::INFINITY, f64::INFINITY)
    };
    let endless = query("Endless", Expect::Value(Some("inf".to_string()), None), infinite);
    assert_eq!(endless.as_expected(), Some(true));
    let half = Quantity { exact: Some("2/3".to_string()), ..quantity(2.0 / 3.0, 2.0 / 3.0) };
    let all = report(vec![fits, misses, endless, query("Exact", Expect::Nothing, half)]);
    let text = check(&all, &Sources::new(), &View::default());
    for part in [
        "= 0.6357; expected in [0.7, 0.8]",
        "= infinite",
        "because runs never reach the goal with a chance of at least 0.25 · motet explain M0309",
        "= 2/3 (0.666667)",
        "1 of 4 not as expected",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let xml = junit(&all);
    assert!(xml.contains("0.6357, expected in [0.7, 0.8]"), "{xml}");
    let page = json_text(&json(&all, &Sources::new(), 1));
    let value: serde_json::Value = serde_json::from_str(&page).unwrap();
    assert_eq!(value["claims"][2]["value"]["infinite"], true);
    assert_eq!(value["claims"][2]["value"]["upper"], serde_json::Value::Null);
    assert_eq!(value["claims"][3]["value"]["exact"], "2/3");
}

#[test]
fn a_filter_that_prints_is_a_table_of_situations_with_a_limit() {
    let valued =
        |n: u32| Valued { state: Box::new([n]), low: f64::from(n) / 40.0, high: f64::from(n) / 40.0 };
    let quantity = Quantity { values: (0..30).map(valued).collect(), ..quantity(0.0, 0.725) };
    let told = |n: u32| ValueReport {
        situation: format!("tray = {n}"),
        low: f64::from(n) / 40.0,
        high: f64::from(n) / 40.0,
    };
    let chance =
        ChanceReport { values: (0..30).map(told).collect(), n_values: 30, ..ChanceReport::default() };
    let print = ClaimReport { chance: Some(chance), ..query("Print", Expect::Nothing, quantity) };
    let text = check(&report(vec![print]), &Sources::new(), &View::default());
    assert!(text.contains("30 values, 0 to 0.725"), "{text}");
    assert!(text.contains("tray = 1    0.025\n") && !text.contains("tray = 25"), "{text}");
    assert!(text.contains("10 more; --full shows them"), "{text}");
}

#[test]
fn a_strategy_that_starves_somebody_is_not_told_as_a_fair_one() {
    let told = |whom: &[&str], attained| {
        let chance = ChanceReport {
            unfair: Some(UnfairReport { whom: whom.iter().map(ToString::to_string).collect(), attained }),
            ..asked().chance.expect("it is asked with one")
        };
        let claim = ClaimReport { chance: Some(chance), ..asked() };
        let all = Report { over: Some(Over::WeaklyFair), ..report(vec![claim]) };
        (check(&all, &Sources::new(), &View::default()), json_text(&json(&all, &Sources::new(), 0)))
    };
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (text, page) = told(&["clerk"], Attained::WithTurns);
    let text = plain(&text);
    assert!(text.contains("numbers over weakly fair strategies"), "{text}");
    assert!(text.contains("As it stands the strategy is not fair: clerk never gets a turn."), "{text}");
    assert!(text.contains("remembers whose turn it is"), "{text}");
    let value: serde_json::Value = serde_json::from_str(&page).unwrap();
    let unfair = &value["claims"][0]["value"]["strategy"]["unfair"];
    assert_eq!(unfair["never_gets_a_turn"][0], "clerk");
    assert_eq!(unfair["value"], "with a memory of turns");
    let (text, page) = told(&["clerk", "cook"], Attained::InTheLimit);
    assert!(
        plain(&text).contains("clerk and cook never get turns. Fair strategies come to the value"),
        "{text}"
    );
    assert!(page.contains("in the limit"), "{page}");
    let (text, _) = told(&[], Attained::WithTurns);
    assert!(plain(&text).contains("a choice is never taken though it is offered again and again"), "{text}");
    let all = report(vec![asked()]);
    assert!(!check(&all, &Sources::new(), &View::default()).contains("not fair"));
}

#[test]
fn junit_says_which_strategies_numbers_are_over() {
    let over = |over| junit(&Report { over, ..report(vec![asked()]) });
    assert!(over(Some(Over::StronglyFair)).contains("strongly fair strategies"));
    assert!(!over(Some(Over::One)).contains("numbers_over"), "nobody chooses");
}
