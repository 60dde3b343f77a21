//! Reports of a toy team, as text, JSON and JUnit.

#[expect(dead_code, reason = "other tests use the rest")]
mod care;
#[expect(dead_code, reason = "other tests use the rest")]
mod fire;
mod shop;

use expect_test::expect;
use motet_evidence::{Stop, Verdict};
use motet_property::{Expect, Kind};
use motet_render::{
    Asked, ClaimReport, Detail, Ending, Extent, Letters, Report, View, check, json, junit, story,
};
use motet_source::{Problem, Problems, Sources, Span};
use shop::{claim, failing, report, shop_tale};

fn text(report: &Report) -> String {
    check(report, &Sources::new(), &View::default())
}

#[test]
fn a_failing_claim_is_told_as_a_chart_with_its_loop_and_its_reason() {
    expect![[r#"
        shop/ · AgentSpeak(F) · 2 agents · shop.props

          ✗ S1    a wish for a parcel is granted
                  always, if clerk desires parcel, then eventually clerk believes parcel

          Counterexample: 3 steps, then steps 4 to 5 repeat for ever

               clerk                                robot
            1  .send ● ──fetch(parcel)────────────▶
            2                                       +!fetch(parcel)
            3                                       event dropped, no plan
          ╭▶
          │    idles                                idles
          ╰─   repeats for ever

          Why   robot has no plan for +!fetch(parcel) when its tray is full (robot.asl:3)

          Next  motet trace step .motet/traces/S1.itf.json

        1 of 1 not as expected · complete: 230 864 states · 2.9 s (79.6 k/s) · 61 MiB
    "#]]
    .assert_eq(&text(&report(vec![failing()])));
}

#[test]
fn a_green_run_of_twelve_claims_fits_sixteen_lines() {
    let claims = (1..=12).map(|i| claim(&format!("P{i}"), Verdict::Holds, Expect::Holds)).collect();
    let text = text(&report(claims));
    assert!(text.lines().count() <= 16, "{text}");
    assert!(
        text.ends_with(
            "12 of 12 as expected, none vacuous · complete: 230 864 states · 2.9 s (79.6 k/s) · 61 MiB\n"
        ),
        "{text}"
    );
}

#[test]
fn a_failing_claim_fits_forty_lines_however_long_its_run_is() {
    let mut failing = failing();
    let tale = failing.tale.as_mut().unwrap();
    let prefix: Vec<_> = (0..300).flat_map(|_| tale.beats[0..2].to_vec()).collect();
    tale.beats.splice(0..0, prefix);
    tale.loop_start = tale.loop_start.map(|start| start + 600);
    let text = text(&report(vec![failing]));
    assert!(text.lines().count() <= 40, "{text}");
    assert!(text.contains("event dropped, no plan"), "{text}");
}

#[test]
fn notes_name_expected_failures_starved_processes_and_missing_answers() {
    let claims = vec![
        ClaimReport { tale: Some(shop_tale()), ..claim("M1", Verdict::Fails, Expect::Fails) },
        ClaimReport { starved: vec!["robot".to_string()], ..claim("S2", Verdict::Holds, Expect::Holds) },
        claim("U", Verdict::Unknown(Stop::Memory), Expect::Holds),
        claim(
            "B",
            Verdict::Unknown(Stop::Bound("bound exceeded: ag3 events > 64".to_string())),
            Expect::Holds,
        ),
        claim("X", Verdict::Holds, Expect::Fails),
        ClaimReport {
            kind: Kind::Possible,
            tale: Some(shop_tale()),
            ..claim("W", Verdict::Holds, Expect::Holds)
        },
    ];
    expect![[r#"
        shop/ · AgentSpeak(F) · 2 agents · shop.props

          ✓ M1    a wish for a parcel is granted  fails, as expected
          ✓ S2    a wish for a parcel is granted  only if robot gets its turn
          ◌ U     a wish for a parcel is granted  unknown: memory
          ◌ B     a wish for a parcel is granted  unknown: bound exceeded
                  bound exceeded: ag3 events > 64: the model cannot say what comes next there
                  a larger bound decides it: --bound NAME=N, or `bound NAME = N` in the team file
          ✗ X     a wish for a parcel is granted  holds, but `expect fails`
                  always, if clerk desires parcel, then eventually clerk believes parcel
          ✓ W     a wish for a parcel is granted  reachable in 5 steps

          Next  motet check shop/ -p M1   shows the run behind an expected failure

        1 of 6 not as expected, 2 of 6 unknown, 3 as expected · complete: 230 864 states · 2.9 s (79.6 k/s) · 61 MiB
    "#]].assert_eq(&text(&report(claims)));
}

#[test]
fn an_expected_failure_is_told_when_it_was_asked_for() {
    let expected = ClaimReport { expect: Expect::Fails, ..failing() };
    let asked = ClaimReport { asked: Asked::ByName, ..expected.clone() };
    assert!(!text(&report(vec![expected])).contains("event dropped"));
    assert!(text(&report(vec![asked])).contains("event dropped"));
}

#[test]
fn ascii_reports_hold_no_other_letter() {
    let view = View { letters: Letters::Ascii, ..View::default() };
    let page = check(
        &report(vec![failing(), claim("ß", Verdict::Unknown(Stop::Time), Expect::Holds)]),
        &Sources::new(),
        &view,
    );
    assert!(page.is_ascii(), "{page}");
    assert!(page.contains("FAIL") && page.contains("UNKNOWN") && page.contains("-->"), "{page}");
}

#[test]
fn quiet_reports_hold_surprises_and_the_last_line_only() {
    let view = View { detail: Detail::Quiet, ..View::default() };
    let page = check(&report(vec![claim("A", Verdict::Holds, Expect::Holds)]), &Sources::new(), &view);
    assert_eq!(page.lines().count(), 1, "{page}");
}

#[test]
fn a_full_story_shows_every_step() {
    let view = View { extent: Extent::Full, ..View::default() };
    expect![[r#"
        told:
          Counterexample: 3 steps, then steps 4 to 5 repeat for ever

               clerk                                robot
            1  .send ● ──fetch(parcel)────────────▶
            2                                       +!fetch(parcel)
            3                                       event dropped, no plan
          ╭▶
            4  idle
            5                                       idle
          ╰─   repeats for ever

          Why   robot has no plan for +!fetch(parcel) when its tray is full (robot.asl:3)
    "#]]
    .assert_eq(&format!("told:\n{}", story(&shop_tale(), "Counterexample", &view)));
}

#[test]
fn a_large_team_is_told_as_a_list() {
    let mut tale = shop_tale();
    tale.processes = (0..12).map(|i| format!("agent{i}")).collect();
    let routine = tale.beats[1].clone();
    let more = (3..12).map(|process| motet_render::Beat { process, ..routine.clone() });
    tale.beats.splice(2..2, more);
    tale.loop_start = None;
    let page = story(&tale, "Run", &View::default());
    assert!(page.contains("agent0: .send fetch(parcel) → agent1"), "{page}");
}

#[test]
fn the_gravest_fact_decides_how_a_check_ended() {
    let bad = || claim("A", Verdict::Fails, Expect::Holds);
    let unknown = || claim("B", Verdict::Unknown(Stop::Time), Expect::Holds);
    let good = || claim("C", Verdict::Holds, Expect::Holds);
    assert_eq!(report(vec![good()]).ending(), Ending::AsExpected);
    assert_eq!(report(vec![good(), unknown()]).ending(), Ending::Inconclusive);
    assert_eq!(report(vec![bad(), unknown()]).ending(), Ending::NotAsExpected);
    let engine = Report { engine_failures: vec!["spin is missing".to_string()], ..report(vec![bad()]) };
    assert_eq!(engine.ending(), Ending::Engine);
    let internal = Report { internal: vec!["no replay".to_string()], ..engine };
    assert_eq!(internal.ending(), Ending::Internal);
}

#[test]
fn json_carries_every_required_field_of_the_published_schema() {
    let schema: serde_json::Value =
        serde_json::from_str(include_str!("../../../docs/schema/report-1.json")).unwrap();
    let mut sources = Sources::new();
    let file = sources.add("a.asl", "x y\n");
    let mut problems = Problems::new();
    problems.push(
        Problem::error("M0401", Span::new(file, 2, 3), "no `y`", "write `z`").fix(Span::new(file, 2, 3), "z"),
    );
    let failed = Report { problems, ..report(vec![failing()]) };
    let clocked = care::care_report(vec![care::late()]);
    let tree = ClaimReport { tale: Some(fire::told(&fire::grove())), ..failing() };
    for report in [report(vec![failing()]), report(Vec::new()), failed, clocked, report(vec![tree])] {
        let value = serde_json::to_value(json(&report, &sources, 1)).unwrap();
        let mut missing = Vec::new();
        validate(&schema, &schema, &value, "$", &mut missing);
        assert!(missing.is_empty(), "{missing:?}\n{value:#}");
    }
}

/// As much of JSON Schema as the published file uses.
fn validate(
    root: &serde_json::Value,
    schema: &serde_json::Value,
    value: &serde_json::Value,
    at: &str,
    out: &mut Vec<String>,
) {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = root.pointer(reference.trim_start_matches('#')).expect("every reference has a target");
        return validate(root, target, value, at, out);
    }
    let kind = match value {
        serde_json::Value::Null => "null",
        serde_json::Value::Bool(_) => "boolean",
        serde_json::Value::Number(number) if number.is_u64() => "integer",
        serde_json::Value::Number(_) => "number",
        serde_json::Value::String(_) => "string",
        serde_json::Value::Array(_) => "array",
        serde_json::Value::Object(_) => "object",
    };
    let fits = |allowed: &serde_json::Value| allowed == kind || (allowed == "number" && kind == "integer");
    let allowed = match &schema["type"] {
        serde_json::Value::Array(kinds) => kinds.iter().any(fits),
        serde_json::Value::Null => true,
        one => fits(one),
    };
    if !allowed {
        out.push(format!("{at} is {kind}, not {}", schema["type"]));
    }
    if let Some(choices) = schema["enum"].as_array().filter(|choices| !choices.contains(value)) {
        out.push(format!("{at} is {value}, not one of {choices:?}"));
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(|name| name.as_str()) {
        if value.get(name).is_none() && !value.is_null() {
            out.push(format!("{at} lacks {name}"));
        }
    }
    for (name, part) in value.as_object().into_iter().flatten() {
        match schema["properties"].get(name) {
            Some(schema) => validate(root, schema, part, &format!("{at}.{name}"), out),
            None if schema["properties"].is_object() => out.push(format!("{at}.{name} is not in the schema")),
            None => {}
        }
    }
    for (i, part) in value.as_array().into_iter().flatten().enumerate() {
        validate(root, &schema["items"], part, &format!("{at}[{i}]"), out);
    }
}

#[test]
fn junit_has_a_case_per_claim_and_a_failure_with_its_story() {
    let claims = vec![
        claim("A", Verdict::Holds, Expect::Holds),
        failing(),
        claim("U", Verdict::Unknown(Stop::Time), Expect::Holds),
    ];
    let xml = junit(&report(claims));
    assert_eq!(xml.matches("<testcase ").count(), 3, "{xml}");
    assert_eq!(xml.matches("<failure ").count(), 1, "{xml}");
    assert_eq!(xml.matches("<error ").count(), 1, "{xml}");
    assert!(xml.contains("event dropped, no plan"), "{xml}");
}

/// `--durations ends` and the like look at a part of the runs: nothing that is read off a report may look like a proof.
#[test]
fn what_holds_on_the_runs_that_an_option_left_is_no_pass_in_any_report() {
    let ends = || vec!["durations=ends".to_string()];
    let part = ClaimReport { narrowed: ends(), ..claim("Late", Verdict::Holds, Expect::Holds) };
    let shown = claim("Early", Verdict::Fails, Expect::Fails);
    let report = Report { narrowed: ends(), ..report(vec![part, shown]) };
    assert_eq!(report.ending(), Ending::Inconclusive);
    assert_eq!(report.is_complete(), Some(false));
    let text = text(&report);
    assert!(text.contains("◌ Late"), "{text}");
    assert!(text.contains("holds on the runs looked at (durations=ends)"), "{text}");
    assert!(
        text.contains(
            "1 of 2 on the runs looked at only, 1 as expected · NOT complete, durations=ends leaves runs out"
        ),
        "{text}"
    );
    let form = serde_json::to_value(json(&report, &Sources::new(), 4)).unwrap();
    assert_eq!(form["exploration"]["complete"], false);
    assert_eq!(form["exploration"]["narrowed"][0], "durations=ends");
    assert_eq!(form["claims"][0]["verdict"], "holds on the runs looked at");
    assert_eq!(form["claims"][0]["as_expected"], serde_json::Value::Null);
    assert_eq!(form["claims"][0]["limit"], "options");
    assert_eq!(form["claims"][1]["verdict"], "fails");
    let junit = junit(&report);
    assert!(
        junit.contains("errors=\"1\"") && junit.contains("holds on the runs looked at (durations=ends)"),
        "{junit}"
    );
}

/// Of several that act at one instant one order was looked at: a green line says so.
#[test]
fn a_verdict_that_was_found_in_one_order_says_so_in_every_report() {
    let orders = vec!["Ann before Ben at Desk.owner".to_string()];
    let report = report(vec![ClaimReport { orders, ..claim("Last", Verdict::Holds, Expect::Holds) }]);
    let text = text(&report);
    assert!(text.contains("in one order of turns"), "{text}");
    assert!(text.contains("Ann before Ben at Desk.owner") && text.contains("order=choice"), "{text}");
    let form = serde_json::to_value(json(&report, &Sources::new(), 0)).unwrap();
    assert_eq!(form["claims"][0]["only_in_order"][0], "Ann before Ben at Desk.owner");
    assert!(junit(&report).contains("Ann before Ben at Desk.owner"));
}

/// The standard library pads to 65 535 columns and panics beyond.
#[test]
fn a_help_about_a_name_of_70_000_letters_is_shown() {
    let name = "x".repeat(70_000);
    let help =
        |option: String| motet_render::Help { option, why: name.clone(), effect: "fewer states".to_string() };
    let claims = vec![claim(&name, Verdict::Unknown(Stop::States), Expect::Holds)];
    let report = Report {
        stop: Some(Stop::States),
        helps: vec![help(format!("--partial-order -p {name}")), help("--spill".to_string())],
        ..report(claims)
    };
    assert!(text(&report).contains("fewer states"));
}
