//! Runs of a toy household with a clock, as lists, timelines and counterexamples.

mod care;

use care::{
    BOB, CARE_WORKER, Care, HOUR, HOUSE, MINUTE, ROBOT, WORRIED, afternoon, care_report, care_tale,
    comes_within, in_time, late,
};
use expect_test::expect;
use motet_evidence::Measure;
use motet_model::AtomId;
use motet_property::{Bound, Formula, Interval, Path, Relation, Timer, Unit};
use motet_render::{
    BarEnd, BreakSort, Chronicle, Extent, Happening, Letters, View, check, deadline, events, json, timeline,
    waits,
};
use motet_source::Sources;

fn chronicle() -> Chronicle {
    care_tale().chronicle.expect("the household has a clock")
}

#[test]
fn a_missed_deadline_is_told_along_the_clock() {
    expect![[r#"
        homecare/ · Brahms · 4 agents · 1 object · home.props

          ✗ M4    whenever Care_Worker believes Bob.tookMedication = false, within 2 h,
                  Care_Worker.location = BobChair                                             late by 27 min

          Shortest counterexample: 6 steps, 00:00:00 to 03:27:00

                       00:00      00:30      01:00      01:30      02:00      02:30      03:00      03:30
          House                    ▓ announ… ◆
          Bob          ▒ watchTe… ▒▒ watchTelevision (4 h) ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
          Care_Worker             ▒ otherDuties (2 h 30 min) ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▓ moveTo…
            at         Office ───────────────────────────────────────────────────────────────────── BobChair
          2 others
          deadline                           ●━━━━━━━━━━━━━━━ 2 h allowed ━━━━━━━━━━━━━━━✗┄┄┄┄┄┄┄┄┄▸
                                             01:00                                       03:00     03:27

           1  00:00:00  Bob          does wf_relax           (priority 5)
           2  00:00:00  Bob          does watchTelevision    (4 h)
           3  00:30:00  Care_Worker  does wf_duties          (priority 50)
           4  00:30:00  Care_Worker  does otherDuties        (2 h 30 min)
           5  00:35:00  Bob          thinks tf_forget        Bob.tookMedication    none → true
           6  01:00:00  House        makes                   Bob.tookMedication    none → false
           7  01:00:00  House        tells Care_Worker       Bob.tookMedication = false
           8  01:00:00  Care_Worker  believes              ● Bob.tookMedication    none → false
           9  03:00:00  Care_Worker  moves                   to BobChair (27 min)
           ✗  03:00:00  -            deadline              ● Care_Worker.location = BobChair still not so
          10  03:27:00  Care_Worker  arrives               ● Care_Worker.location  Office → BobChair
          11  03:27:00  Care_Worker  notes                   good afternoon
              22 more events, --full to see all
              nothing happens any more

          Why   at 01:00:00 Care_Worker is inside otherDuties (priority 50, care.b:88); wf_attendBob
                (priority 20, care.b:214) has to wait for it to end

          Next  motet trace step .motet/traces/M4.itf.json

        1 of 1 not as expected · complete: 30 911 states · 0.00 s
    "#]]
    .assert_eq(&check(&care_report(vec![late()]), &Sources::new(), &View::default()));
}

#[test]
fn a_run_is_a_list_of_events() {
    let chronicle = chronicle();
    expect![[r#"
        events:
          00:00:00  Bob          does wf_relax               (priority 5)
          00:00:00  Bob          does watchTelevision        (4 h)
          00:30:00  Robot        does wf_remindMedication    (priority 10)
          00:30:00  Robot        makes                       Robot.reminded        false → true
          00:30:00  Robot        does remind                 (5 min)
          00:30:00  Care_Worker  does wf_duties              (priority 50)
          00:30:00  Care_Worker  does otherDuties            (2 h 30 min)
          00:30:00  Bob          puts aside wf_relax
          00:30:00  Bob          does wf_listen              (priority 15)
          00:30:00  Bob          does listen                 (5 min)
          00:35:00  House        does wf_watch               (priority 1)
          01:00:00  House        makes                       Bob.tookMedication    none → false
          01:00:00  House        tells Care_Worker           Bob.tookMedication = false
          01:00:00  Care_Worker  believes                  ● Bob.tookMedication    none → false
          01:00:00  House        aborts wf_watch
          03:00:00  Care_Worker  detects bell                continue
          03:00:00  Care_Worker  does wf_attendBob           (priority 20)
          03:00:00  Care_Worker  moves                       to BobChair (27 min)
          03:27:00  Care_Worker  arrives                   ● Care_Worker.location  Office → BobChair
          03:27:00  Care_Worker  notes                       good afternoon
          …                                                  14 lesser events, --full to see them
    "#]]
    .assert_eq(&format!("events:\n{}", events(&chronicle, &View::default())));
}

#[test]
fn a_full_list_holds_every_event() {
    let chronicle = chronicle();
    let view = View { extent: Extent::Full, ..View::default() };
    expect![[r#"
        events:
          00:00:00  Robot        is at                       BobChair
          00:00:00  Bob          is at                       BobChair
          00:00:00  Care_Worker  is at                       Office
          00:00:00  Bob          does wf_relax               (priority 5)
          00:00:00  Bob          does watchTelevision        (4 h)
          00:30:00  Robot        does wf_remindMedication    (priority 10)
          00:30:00  Robot        makes                       Robot.reminded        false → true
          00:30:00  Robot        does remind                 (5 min)
          00:30:00  Care_Worker  does wf_duties              (priority 50)
          00:30:00  Care_Worker  does otherDuties            (2 h 30 min)
          00:30:00  Bob          puts aside wf_relax
          00:30:00  Bob          does wf_listen              (priority 15)
          00:30:00  Bob          does listen                 (5 min)
          00:35:00  Robot        ends remind
          00:35:00  Robot        ends wf_remindMedication
          00:35:00  Bob          ends wf_listen
          00:35:00  Bob          thinks tf_forget            Bob.tookMedication    none → true
          00:35:00  Bob          resumes wf_relax            (3 h 30 min left)
          00:35:00  House        does wf_watch               (priority 1)
          00:35:00  House        does announce               (25 min)
          01:00:00  House        makes                       Bob.tookMedication    none → false
          01:00:00  House        tells Care_Worker           Bob.tookMedication = false
          01:00:00  Care_Worker  believes                  ● Bob.tookMedication    none → false
          01:00:00  House        ends announce
          01:00:00  House        aborts wf_watch
          03:00:00  Care_Worker  ends otherDuties
          03:00:00  Care_Worker  ends wf_duties
          03:00:00  Care_Worker  detects bell                continue
          03:00:00  Care_Worker  does wf_attendBob           (priority 20)
          03:00:00  Care_Worker  moves                       to BobChair (27 min)
          03:27:00  Care_Worker  arrives                   ● Care_Worker.location  Office → BobChair
          03:27:00  Care_Worker  ends moveToBob
          03:27:00  Care_Worker  notes                       good afternoon
    "#]]
    .assert_eq(&format!("events:\n{}", events(&chronicle, &view)));
}

#[test]
fn a_run_along_the_clock_shows_who_does_what_and_where() {
    let chronicle = chronicle();
    expect![[r#"
        timeline:
                       00:00      00:30      01:00      01:30      02:00       02:30      03:00      03:30
          Robot                   ▒▒
          House                     ▓ annou… ◆
          Bob          ▒ watchTe… ▒▒▒ watchTelevision (4 h) ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
          Care_Worker             ▒ otherDuties (2 h 30 min) ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▓ moveTo…
            at         Office ────────────────────────────────────────────────────────────────────── BobCha…
          1 other
          deadline                           ●━━━━━━━━━━━━━━━ 2 h allowed ━━━━━━━━━━━━━━━━✗┄┄┄┄┄┄┄┄┄▸
                                             01:00                                        03:00     03:27

          ░ frame   ▒ activity   ▓ move or message   ┄ put aside   ◆ tells
    "#]]
    .assert_eq(&format!("timeline:\n{}", timeline(&chronicle, &View::default())));
}

#[test]
fn work_that_is_put_aside_keeps_its_bar_with_a_break() {
    let chronicle = chronicle();
    let bob = &chronicle.lanes[BOB.index()];
    let names: Vec<(&str, usize)> = bob.bars.iter().map(|bar| (bar.name.as_str(), bar.row)).collect();
    // While wf_relax and what is inside it are put aside, the rows 0 and 1 stay theirs.
    assert_eq!(names, [("wf_relax", 0), ("watchTelevision", 1), ("wf_listen", 2), ("listen", 3)]);
    for bar in &bob.bars[..2] {
        let gap = bar.breaks[0];
        assert_eq!((gap.start, gap.end, gap.why), (30 * MINUTE, 35 * MINUTE, BreakSort::Interrupted));
        assert_eq!((bar.start, bar.end, bar.ending), (0, 207 * MINUTE, None), "it goes on at the end");
    }
    assert_eq!(bob.bars[1].inside, Some(0));
    assert_eq!(bob.bars[2].ending, Some(BarEnd::Done));
    // 207 minutes less the 5 of the break, and the 5 of wf_listen.
    assert_eq!(chronicle.busy(BOB.index()), 207 * MINUTE);
    let house = &chronicle.lanes[HOUSE.index()].bars;
    assert_eq!((house[0].ending, house[1].ending), (Some(BarEnd::Aborted), Some(BarEnd::Done)));
}

#[test]
fn places_messages_atoms_and_beginnings_are_there_with_their_times() {
    let chronicle = chronicle();
    let stays = &chronicle.lanes[CARE_WORKER.index()].stays;
    let places: Vec<(&str, u64, u64)> =
        stays.iter().map(|stay| (stay.place.as_str(), stay.start, stay.end)).collect();
    assert_eq!(places, [("Office", 0, 207 * MINUTE), ("BobChair", 207 * MINUTE, 207 * MINUTE)]);
    let arrows: Vec<_> = chronicle.arrows().collect();
    assert_eq!(arrows, [(HOUR, HOUSE.index(), CARE_WORKER.index(), "Bob.tookMedication = false")]);
    assert_eq!(chronicle.strips[0].holds, [(HOUR, 207 * MINUTE)]);
    assert_eq!(chronicle.strips[1].holds, [(207 * MINUTE, 207 * MINUTE)]);
    assert_eq!(chronicle.begins(CARE_WORKER.index(), "wf_attendBob"), [3 * HOUR]);
    assert_eq!(chronicle.activities()[&(ROBOT.index(), "remind".to_string())], 1);
    let causes: Vec<&Happening> =
        chronicle.entries.iter().filter(|entry| entry.cause).map(|entry| &entry.what).collect();
    assert!(matches!(causes[..], [Happening::Believes(_), Happening::Arrives { .. }]), "{causes:?}");
}

#[test]
fn the_deadline_is_read_off_the_formula_and_the_run() {
    let (care, run) = (Care::new(), afternoon());
    let missed = deadline(&run, &care, &comes_within(2 * HOUR)).unwrap();
    assert_eq!((missed.start, missed.due, missed.answer), (HOUR, 3 * HOUR, Some(207 * MINUTE)));
    assert!(missed.missed && missed.measure == Measure::Response);
    let kept = deadline(&run, &care, &comes_within(147 * MINUTE)).unwrap();
    assert!(!kept.missed, "the bound is inclusive");
    let wait = &waits(&run, &care, &comes_within(HOUR))[0];
    assert_eq!((wait.start, wait.answer), (HOUR, Some(207 * MINUTE)));
}

#[test]
fn a_deadline_is_explained_from_its_trigger_and_its_answer() {
    let (care, run) = (Care::new(), afternoon());
    let mut tale = care_tale();
    tale.whys.clear();
    tale.explain_deadline(&run, &care);
    // Step 4 brings the message and has nothing to say, step 6 brings the care worker.
    let steps: Vec<usize> = tale.whys.iter().map(|why| why.step).collect();
    assert_eq!(steps, [5]);
}

#[test]
fn something_may_not_last_longer_than_allowed() {
    let (care, run) = (Care::new(), afternoon());
    let lasts = |timer: fn(Box<Formula<AtomId>>) -> Timer<AtomId>, relation, hours| {
        let bound = Bound { amount: hours * HOUR, unit: Some(Unit::Clock), strict: false };
        let timed = Formula::Timer(timer(Box::new(Formula::Atom(WORRIED))), relation, bound);
        Path::Always(Interval::default(), Box::new(Path::Now(timed)))
    };
    let held = deadline(&run, &care, &lasts(Timer::Held, Relation::Le, 2)).unwrap();
    // The worry begins at 01:00 and never ends: the run ends in a state that repeats for ever.
    assert_eq!((held.start, held.due, held.answer, held.missed), (HOUR, 3 * HOUR, None, true));
    assert_eq!(held.measure, Measure::Duration);
    // `always not held > 2 h` says the same.
    let never = Path::Not(Box::new(Path::Eventually(
        Interval::default(),
        Box::new(Path::Now(match lasts(Timer::Held, Relation::Gt, 2) {
            Path::Always(_, inner) => match *inner {
                Path::Now(formula) => formula,
                _ => unreachable!("it was made above"),
            },
            _ => unreachable!("it was made above"),
        })),
    )));
    assert_eq!(deadline(&run, &care, &never), Some(held));
    assert_eq!(deadline(&run, &care, &lasts(Timer::Since, Relation::Le, 2)), None, "it is never over");
}

#[test]
fn a_run_that_repeats_is_looked_at_for_ever() {
    let (care, mut run) = (Care::new(), afternoon());
    // Stage 5 for ever, in rounds of an hour: she never arrives.
    run.run.states.truncate(6);
    run.run.steps.truncate(5);
    run.run.states.push(run.run.states[5].clone());
    run.run.steps.push(motet_evidence::Taken { delay: 3_600_000, ..run.run.steps[4] });
    run.loop_start = Some(5);
    let missed = deadline(&run, &care, &comes_within(100 * HOUR)).unwrap();
    assert_eq!((missed.start, missed.answer, missed.missed), (HOUR, None, true));
    let mut tale = motet_render::tale(&run, &care, &care, &Sources::new(), &[WORRIED]);
    tale.judge(&run, &care, &comes_within(2 * HOUR));
    let page = motet_render::story(&tale, "Counterexample", &View::default());
    assert!(page.contains("6 steps, 00:00:00 to 04:00:00, then from 03:00:00 on for ever"), "{page}");
}

#[test]
fn a_run_without_steps_says_so() {
    let (care, mut run) = (Care::new(), afternoon());
    run.run.states.truncate(1);
    run.run.steps.clear();
    let tale = motet_render::tale(&run, &care, &care, &Sources::new(), &[WORRIED]);
    let page = motet_render::story(&tale, "Counterexample", &View::default());
    assert!(page.contains("no step is needed") && page.contains("from the start"), "{page}");
}

#[test]
fn passing_claims_show_their_worst_case() {
    let claims = vec![
        in_time("N3", Measure::Response, 3 * MINUTE + 35_000),
        in_time("N1", Measure::Arrival, 10 * HOUR + 17 * MINUTE + 20_000),
        in_time("P3", Measure::Duration, 41 * MINUTE + 10_000),
    ];
    let page = check(&care_report(claims), &Sources::new(), &View::default());
    for note in ["worst case 3 min 35 s\n", "latest at 10:17:20\n", "worst case 41 min 10 s\n"] {
        assert!(page.contains(note), "{page}");
    }
}

#[test]
fn a_claim_that_is_never_answered_says_so() {
    let mut claim = late();
    claim.outcome.margin =
        claim.outcome.margin.map(|margin| motet_evidence::Margin { worst: None, ..margin });
    let page = check(&care_report(vec![claim]), &Sources::new(), &View::default());
    assert!(page.contains(" never\n"), "{page}");
}

#[test]
fn every_view_is_pure_ascii_when_asked() {
    let view = View { letters: Letters::Ascii, ..View::default() };
    let chronicle = chronicle();
    let pages = [
        check(&care_report(vec![late()]), &Sources::new(), &view),
        events(&chronicle, &view),
        timeline(&chronicle, &view),
    ];
    for page in pages {
        assert!(page.is_ascii() && !page.contains("\\u{"), "{page}");
    }
}

#[test]
fn no_line_of_a_timeline_is_wider_than_the_page() {
    for width in [60, 80, 100, 160] {
        let view = View { width, ..View::default() };
        for page in [timeline(&chronicle(), &view), events(&chronicle(), &view)] {
            let widest = page.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(widest <= width.max(70), "{widest} > {width}\n{page}");
        }
    }
}

#[test]
fn a_long_run_with_a_large_team_still_fits_forty_lines() {
    let mut claim = late();
    let chronicle = claim.tale.as_mut().unwrap().chronicle.as_mut().unwrap();
    for i in 0..20 {
        let mut lane = chronicle.lanes[0].clone();
        lane.name = format!("Patient_{i}");
        chronicle.lanes.push(lane);
    }
    let more: Vec<_> = (0..200).flat_map(|_| chronicle.entries.clone()).collect();
    chronicle.entries.extend(more);
    let page = check(&care_report(vec![claim]), &Sources::new(), &View::default());
    assert!(page.lines().count() <= 40, "{page}");
    assert!(page.contains("22 others"), "{page}");
}

#[test]
fn the_report_for_programs_carries_margins_deadlines_and_times() {
    let value = serde_json::to_value(json(&care_report(vec![late()]), &Sources::new(), 1)).unwrap();
    let claim = &value["claims"][0];
    assert_eq!(value["model"]["unit"], "milliseconds");
    assert_eq!(claim["margin"]["kind"], "response");
    assert_eq!(claim["margin"]["bound_s"], 7200.0);
    assert_eq!(claim["margin"]["worst_s"], 8820.0);
    assert_eq!(claim["deadline"]["due"], 3 * HOUR);
    assert_eq!(claim["end"], 207 * MINUTE);
}
