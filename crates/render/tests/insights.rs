//! Facts that decide, parts that do not matter, texts that never happen: as text, as JSON and as a page.

#[allow(dead_code, reason = "other tests use the rest")]
mod shop;

use motet_evidence::Verdict;
use motet_property::Expect;
use motet_render::{
    Extent, Fact, IdleReport, ModelCoverage, TextNeed, TextReport, View, check, coverage_page, coverage_text,
    json, json_text, story, why_story,
};
use motet_source::Sources;
use shop::{claim, failing, report, shop_tale};

fn fact(text: &str, from: usize, until: Option<usize>) -> Fact {
    Fact { text: text.to_string(), atom: text.to_string(), holds: true, from, until, recurs: false }
}

fn lines<'a>(page: &'a str, head: &str) -> Vec<&'a str> {
    let first =
        page.lines().position(|line| line.trim_start().starts_with(head)).expect("the block is there");
    page.lines().skip(first).take_while(|line| !line.is_empty()).collect()
}

#[test]
fn a_fact_is_told_with_its_time_and_with_the_step_that_made_it_so() {
    let mut tale = shop_tale();
    tale.facts = vec![
        fact("the tray is full", 0, None),
        fact("the clerk waits", 1, Some(3)),
        fact("the robot is idle", 1, Some(3)),
    ];
    let page = story(&tale, "Counterexample", &View::default());
    assert_eq!(
        lines(&page, "Facts"),
        [
            "  Facts the tray is full all along",
            "        the clerk waits and the robot is idle from step 1 to step 3 (clerk: .send fetch(parcel))",
        ]
    );
    let why = why_story(&tale, "S1", &View::default());
    assert!(why.contains("Facts") && why.contains("Why") && !why.contains("repeats for ever"), "{why}");
}

#[test]
fn of_many_facts_those_are_told_that_a_step_made_so() {
    let mut tale = shop_tale();
    tale.facts = (0..8).map(|n| fact(&format!("fact {n}"), if n < 5 { 0 } else { n - 3 }, None)).collect();
    let page = story(&tale, "Counterexample", &View::default());
    let shown = lines(&page, "Facts");
    assert!(["fact 5", "fact 6", "fact 7"].iter().all(|one| page.contains(one)), "{page}");
    assert!(shown.last().is_some_and(|last| last.trim() == "and 3 more, --full to see all"), "{page}");
    let full = View { extent: Extent::Full, ..View::default() };
    assert!((0..8).all(|n| story(&tale, "Counterexample", &full).contains(&format!("fact {n}"))));
}

#[test]
fn causes_reach_programs_with_the_step_and_who_did_it() {
    let mut claim = failing();
    claim.tale.as_mut().expect("it has a run").facts = vec![fact("the clerk waits", 1, None)];
    let text = json_text(&json(&report(vec![claim]), &Sources::new(), 1));
    let value: serde_json::Value = serde_json::from_str(&text).expect("a report is JSON");
    let cause = &value["claims"][0]["causes"][0];
    assert_eq!((&cause["step"], &cause["until"]), (&1.into(), &serde_json::Value::Null), "{cause}");
    assert_eq!(cause["by"], "clerk: .send fetch(parcel)");
}

#[test]
fn a_part_that_does_not_matter_is_told_with_the_stronger_claim() {
    let mut claim = claim("S1", Verdict::Holds, Expect::Holds);
    claim.idle = vec![IdleReport {
        words: "clerk desires parcel".to_string(),
        formula: "Des(clerk, parcel)".to_string(),
        constant: true,
        stronger: "always eventually clerk believes parcel".to_string(),
        stronger_formula: "G (F (Bel(clerk, parcel)))".to_string(),
    }];
    let report = report(vec![claim]);
    let page = check(&report, &Sources::new(), &View::default());
    let told = "holds even without `clerk desires parcel`: always eventually clerk believes parcel";
    assert!(page.contains(told) && page.contains("1 of 1 as expected"), "{page}");
    assert!(
        json_text(&json(&report, &Sources::new(), 0))
            .contains("\"stronger\": \"G (F (Bel(clerk, parcel)))\"")
    );
}

fn text(name: &str, line: usize, owners: &[(&str, u64)], need: TextNeed) -> TextReport {
    TextReport {
        name: name.to_string(),
        kind: "plan",
        owners: owners.iter().map(|(owner, times)| (owner.to_string(), *times)).collect(),
        file: "shop/robot.asl".to_string(),
        line,
        last_line: line,
        need,
    }
}

fn covered() -> ModelCoverage {
    let claims = TextNeed::Claims(vec!["S1".to_string()]);
    ModelCoverage {
        texts: vec![
            text("+!fetch(X)", 1, &[("r1", 3), ("r2", 0)], claims),
            text("+bell", 2, &[("r1", 5)], TextNeed::None),
            text("+<never>", 3, &[("r2", 0)], TextNeed::Unchecked),
        ],
        stop: None,
        n_claims: 1,
        n_numbers: 0,
    }
}

#[test]
fn coverage_counts_per_agent_and_lists_what_is_there_for_nothing() {
    let page = coverage_text(&covered(), &View::default());
    let counts: Vec<&str> = page.lines().skip(1).take(3).map(str::trim).collect();
    assert_eq!(counts, ["plans", "r1        2 of 2", "r2        0 of 2"]);
    assert_eq!(lines(&page, "never happens")[1].trim(), "robot.asl:3  plan +<never> of r2");
    assert_eq!(lines(&page, "no claim depends on")[1].trim(), "robot.asl:2  plan +bell of r1");
    assert!(!page.contains("+!fetch"), "{page}");
}

#[test]
fn the_page_colours_each_line_and_no_text_of_the_user_becomes_markup() {
    let mut sources = Sources::new();
    sources.add("shop/robot.asl", "+!fetch(X).\n+bell.\n+<never>.\nr(1).\n");
    sources.add("shop/shop.props", "property S1: true\n");
    let page = coverage_page(&covered(), &sources, "shop/");
    let class = |line: &str| {
        let row = page.lines().find(|row| row.contains(line)).expect("the line is there");
        row.split('"').nth(1).unwrap_or_default().to_string()
    };
    assert_eq!(
        [class("+!fetch(X)."), class("+bell."), class("+&lt;never&gt;."), class("r(1).")],
        ["needed", "idle", "never", ""]
    );
    assert!(!page.contains("<never>") && !page.contains("property S1"), "{page}");
    assert!(!page.contains("{{"), "every place is filled");
}
