//! Whole missions, sailed by a small agent.

mod agent;

use agent::{Missed, PACE, mission, sail};
use motet_vessel::weather::Forecast;

#[expect(clippy::disallowed_methods, reason = "tests are widened by the environment")]
fn rounds() -> u64 {
    std::env::var("MOTET_ROUNDS").ok().and_then(|text| text.parse::<u64>().ok()).unwrap_or(0).max(12)
}

#[test]
fn every_mission_comes_to_its_end() {
    let mut ends = [0, 0];
    let (mut n_missed, mut n_rough) = (0, 0);
    for seed in 1..=rounds() {
        for forecast in [Forecast::Calm, Forecast::Changing, Forecast::Rough] {
            for missed in [Missed::Wait, Missed::GoBack] {
                let tale = sail(&mission(seed, forecast), PACE, missed, 1000);
                let end = tale.end.as_deref();
                let at = ["mission complete", "mission given up by the operator"]
                    .iter()
                    .position(|known| Some(*known) == end)
                    .unwrap_or_else(|| panic!("seed {seed}, {forecast:?}, {missed:?}: {end:?}"));
                ends[at] += 1;
                n_missed += tale.n_missed;
                n_rough += tale.n_rough;
                assert!(at == 0 || tale.n_rough > 0, "seed {seed}: only a rough sea ends a mission early");
            }
        }
    }
    // Otherwise this test would say nothing about going back, holding and asking.
    assert!(
        ends[0] > ends[1] && ends[1] > 0 && n_missed > 10 && n_rough > 10,
        "{ends:?} {n_missed} {n_rough}"
    );
}

/// The numbers of `examples/asv`: a turning point after a count of 10 for a count of 3, 5 cycles to get under way and for an
/// answer, 1 to hold and to lay out. Counts begin at 0 in the cycle after a change, so a count of 3 is four cycles.
#[test]
fn the_vessel_is_about_as_fast_as_modelled() {
    let tale = sail(&mission(1, Forecast::Calm), PACE, Missed::Wait, 200);
    for pair in tale.turns.windows(2) {
        let ticks = pair[1].0 - pair[0].0;
        let modelled = if pair[0].1 { 4 } else { 11 };
        assert!(ticks.abs_diff(modelled) <= 1, "{:?}", tale.turns);
    }
    assert_eq!(tale.turns.len(), 9, "five turning points are reached, four are left");
    for seed in 1..=rounds() {
        let tale = sail(&mission(seed, Forecast::Rough), PACE, Missed::Wait, 1000);
        for (action, ticks) in &tale.waits {
            match action.as_str() {
                "Lay out the tracks" | "Hold position" => assert_eq!(*ticks, 1, "seed {seed}: {action}"),
                "Ask for orders" => assert_eq!(*ticks, 5, "seed {seed}"),
                "Get under way" => assert!((5..=12).contains(ticks), "seed {seed}: {ticks}"),
                other => panic!("{other}"),
            }
        }
    }
}

#[test]
fn a_turning_point_is_reached_whenever_the_last_is() {
    for seed in 1..=rounds() {
        let tale = sail(&mission(seed, Forecast::Changing), PACE, Missed::GoBack, 1000);
        let (mut turning, mut last) = (false, false);
        for line in &tale.lines {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            let value = line["value"].as_bool().unwrap_or_default();
            match line["percept"].as_str() {
                Some("A turning point is reached") => turning = value,
                Some("The last turning point is reached") => last = value,
                _ => {}
            }
            assert!(line.get("done").is_none() || !last || turning, "seed {seed}");
        }
        assert!(last || tale.end.as_deref() != Some("mission complete"), "seed {seed}");
    }
}

#[test]
fn the_same_seed_says_the_same_byte_for_byte_and_another_does_not() {
    let lines = |seed| sail(&mission(seed, Forecast::Changing), PACE, Missed::GoBack, 400).lines;
    for seed in [1, 2, 3] {
        assert_eq!(lines(seed), lines(seed), "seed {seed}");
    }
    assert_ne!(lines(1), lines(2));
}

#[test]
fn lines_are_short_enough_for_the_protocol() {
    let tale = sail(&mission(3, Forecast::Rough), PACE, Missed::GoBack, 400);
    let longest = tale.lines.iter().map(String::len).max().unwrap();
    assert!(longest < 16 << 10, "{longest}");
}
