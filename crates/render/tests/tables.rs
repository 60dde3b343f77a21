//! Sweeps, statistics of many runs and accounts of frames, as text and for programs.

#[expect(dead_code, reason = "other tests use the rest")]
mod care;

use care::{CARE_WORKER, Care, HOUR, MINUTE, care_tale};
use expect_test::expect;
use motet_evidence::{Margin, Measure, Over};
use motet_model::{Model, TimeUnit, Words};
use motet_render::{
    ActivityTally, ClaimTally, CostTally, Delays, FrameReport, LaneTally, Letters, Simulation, Sweep,
    SweepAnswer, SweepPoint, View, frame_report, simulation, sweep, sweep_csv, sweep_json, sweep_svg,
};
use motet_source::Sources;

/// The sweep of a care worker's other duties: the worst case is 27 min of travel plus the duties, but not less than 30.
fn duties() -> Sweep {
    let point = |minutes: u64| {
        let worst = (minutes.max(30) - 3) * MINUTE;
        let holds = worst <= 2 * HOUR;
        let margin = Margin { measure: Measure::Response, bound: Some(2 * HOUR), worst: Some(worst) };
        let answer = SweepAnswer {
            name: "M4".to_string(),
            text: String::new(),
            verdict: if holds { "holds" } else { "fails" }.to_string(),
            as_expected: Some(holds),
            margin: Some(margin),
            quantity: None,
            reason: None,
        };
        let other = SweepAnswer {
            name: "T2".to_string(),
            text: String::new(),
            verdict: "unknown".to_string(),
            as_expected: None,
            margin: None,
            quantity: None,
            reason: Some("stopped by the limit on states".to_string()),
        };
        SweepPoint { value: format!("{minutes}min"), claims: vec![answer, other] }
    };
    Sweep {
        parameter: "CareWorker.otherDuties".to_string(),
        unit: TimeUnit::Milliseconds,
        points: (0..=180).step_by(15).map(point).collect(),
        seconds: 1.1,
        ..Sweep::default()
    }
}

#[test]
fn a_sweep_shows_marks_margins_and_where_a_verdict_flips() {
    expect![[r#"
          otherDuties    0   15   30   45   60   75   90  105  120  135  150  165  180  min
          M4             ✓    ✓    ✓    ✓    ✓    ✓    ✓    ✓    ✓    ✗    ✗    ✗    ✗
            margin     +93  +93  +93  +78  +63  +48  +33  +18   +3  -12  -27  -42  -57  min
          T2             ?    ?    ?    ?    ?    ?    ?    ?    ?    ?    ?    ?    ?
          M4 flips between 120 and 135 min · refine: --bisect 1min
          T2 is unknown for all values: stopped by the limit on states
        13 points · 1.1 s
    "#]]
    .assert_eq(&sweep(&duties(), &View::default()));
}

#[test]
fn a_narrow_sweep_is_broken_into_blocks_and_ascii_uses_words() {
    let view = View { width: 50, letters: Letters::Ascii, ..View::default() };
    expect![[r#"
          otherDuties     0    15    30    45    60  min
          M4             ok    ok    ok    ok    ok
            margin      +93   +93   +93   +78   +63  min
          T2              ?     ?     ?     ?     ?

          otherDuties    75    90   105   120   135  min
          M4             ok    ok    ok    ok  FAIL
            margin      +48   +33   +18    +3   -12  min
          T2              ?     ?     ?     ?     ?

          otherDuties   150   165   180  min
          M4           FAIL  FAIL  FAIL
            margin      -27   -42   -57  min
          T2              ?     ?     ?
          M4 flips between 120 and 135 min - refine: --bisect 1min
          T2 is unknown for all values: stopped by the limit on states
        13 points - 1.1 s
    "#]]
    .assert_eq(&sweep(&duties(), &view));
}

#[test]
fn every_reason_why_a_claim_is_unknown_says_for_which_values() {
    let mut odd = duties();
    for (at, point) in odd.points.iter_mut().enumerate() {
        point.claims[1].reason = match at {
            2 => Some("a fault".to_string()),
            9.. => Some("stopped by the limit on time".to_string()),
            _ => None,
        };
    }
    let page = sweep(&odd, &View::default());
    assert!(page.contains("\n  T2 is unknown for 30 min: a fault\n"), "{page}");
    assert!(page.contains("\n  T2 is unknown for 4 of 13 values: stopped by the limit on time\n"), "{page}");
    for (at, point) in odd.points.iter_mut().enumerate() {
        point.claims[1].reason = Some(format!("reason {at}"));
    }
    let page = sweep(&odd, &View::default());
    assert!(page.contains("\n  T2: 10 more reasons"), "{page}");
}

#[test]
fn a_sweep_for_programs_has_a_row_per_value_and_claim() {
    let mut odd = duties();
    odd.points.truncate(1);
    odd.points[0].value = "a,\"b\"".to_string();
    let csv = sweep_csv(std::slice::from_ref(&odd));
    assert_eq!(csv.lines().count(), 3, "{csv}");
    assert!(
        csv.contains(r#"CareWorker.otherDuties,"a,""b""",M4,holds,true,response,7200000,1620000,5580000,"#)
    );
    let value: serde_json::Value = serde_json::from_str(&sweep_json(&[duties()])).unwrap();
    assert_eq!(value["schema"], "motet.sweep/1");
    assert_eq!(value["points"].as_array().unwrap().len(), 13);
    assert_eq!(value["points"][12]["claims"][0]["margin"]["left"], -57 * 60_000);
    assert_eq!(value["points"][12]["claims"][1]["margin"], serde_json::Value::Null);
    assert_eq!(value["points"][12]["claims"][1]["reason"], "stopped by the limit on states");
    assert_eq!(value["points"][12]["claims"][0].get("reason"), None);
    assert!(csv.lines().nth(2).unwrap().ends_with(",,,stopped by the limit on states"), "{csv}");
}

#[test]
fn many_runs_tell_violations_delays_busy_time_and_costs() {
    let waits: Vec<(u64, u64)> = (1..=40).map(|run| (run * MINUTE, run)).collect();
    let many = Simulation {
        runs: 1000,
        unit: TimeUnit::Milliseconds,
        time: Some(24 * HOUR),
        seconds: 3.8,
        stuck: 12,
        claims: vec![
            ClaimTally { name: "P2".to_string(), satisfied: 1000, ..ClaimTally::default() },
            ClaimTally {
                name: "N3".to_string(),
                violated: 3,
                satisfied: 997,
                first: Some(417),
                delays: Delays::of(Measure::Response, &waits, 2),
            },
        ],
        lanes: vec![
            LaneTally { name: "Nurse_one".to_string(), busy: 0.71 },
            LaneTally { name: "Robot".to_string(), busy: 0.93 },
        ],
        activities: vec![ActivityTally {
            lane: "Nurse_one".to_string(),
            name: "turnPatient".to_string(),
            count: 12_345,
        }],
        costs: vec![CostTally {
            lane: "Robot".to_string(),
            resource: "energy".to_string(),
            mean: 12.5,
            most: 20.0,
        }],
        again: "motet sim nurse/ --until 24h -n 1000 --seed 40213".to_string(),
        ..Simulation::default()
    };
    expect![[r#"
        1 000 runs · 24 h each · 3.8 s

          claim  violated  95 % interval      satisfied  open
          P2            0  [0.0000, 0.0038]        1000     0
          N3            3  [0.0010, 0.0088]         997     0   first in run 417
                 mean 20 min 30 s, p50 20 min, p95 38 min, max 40 min in run 40, 2 unanswered
          12 of 1000 runs came to an end

          busy time
          Robot       93 %  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇·
          Nurse_one   71 %  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇······

          activities begun
          Nurse_one  turnPatient      12.35 a run     12 345 in all

          costs
          Robot  energy  mean     12.50  most     20.00

        N3 failed on some run
        Again: motet sim nurse/ --until 24h -n 1000 --seed 40213
    "#]]
    .assert_eq(&simulation(&many, &View::default()));
}

#[test]
fn a_frame_is_explained_agent_by_agent_with_its_conditions() {
    let care = Care::new();
    let chronicle = care_tale().chronicle.unwrap();
    let mut report = FrameReport {
        frame: "wf_attendBob".to_string(),
        time: HOUR,
        unit: TimeUnit::Milliseconds,
        processes: care.signature().processes.clone(),
        accounts: care.account(&[4], "wf_attendBob"),
        began: vec![chronicle.begins(CARE_WORKER.index(), "wf_attendBob")],
    };
    expect![[r#"
        wf_attendBob at 01:00:00

          Care_Worker
            waits: otherDuties has priority 50, wf_attendBob 20
            ✓ knownval(Bob.tookMedication = false): it is false
            ✗ knownval(Bob.missed > 1): Bob.missed is 0
              repeat: true
            begins in this run at 03:00:00
    "#]]
    .assert_eq(&frame_report(&report, &Sources::new(), &View::default()));
    report.accounts.clear();
    let page = frame_report(&report, &Sources::new(), &View::default());
    assert!(page.contains("nobody has a frame of this name"), "{page}");
}

/// The number of a decision process at each value of a parameter.
fn risks(over: Over) -> Sweep {
    let point = |percent: u32| {
        let answer = SweepAnswer {
            name: "Home".to_string(),
            text: "Pmin=? [F home]".to_string(),
            verdict: "value".to_string(),
            as_expected: Some(true),
            margin: None,
            quantity: Some((f64::from(percent) / 100.0, f64::from(percent) / 100.0)),
            reason: None,
        };
        SweepPoint { value: percent.to_string(), claims: vec![answer] }
    };
    let points = vec![point(25), point(50)];
    Sweep { parameter: "risk".to_string(), points, over: Some(over), ..Sweep::default() }
}

#[test]
fn a_sweep_says_in_all_its_forms_which_strategies_numbers_are_over() {
    let fair = [risks(Over::WeaklyFair)];
    let words = "weakly fair strategies";
    assert!(sweep(&fair[0], &View::default()).contains(&format!("numbers over {words}")));
    assert!(sweep_json(&fair).contains(&format!("\"numbers_over\": \"{words}\"")));
    let csv = sweep_csv(&fair);
    assert!(csv.lines().next().unwrap().ends_with(",numbers_over"), "{csv}");
    assert!(csv.lines().skip(1).all(|line| line.ends_with(words)), "{csv}");
    assert!(sweep_svg(&fair).unwrap().contains(words));
    let alone = [risks(Over::One)];
    assert!(!sweep(&alone[0], &View::default()).contains("strategies"), "nobody chooses");
    assert!(!sweep_csv(&alone).contains("numbers_over"));
}
