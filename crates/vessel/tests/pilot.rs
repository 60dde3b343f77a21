//! The pilot under waves: legs are followed, places are held, what is swept adds up.

use motet_vessel::geometry::{Leg, Point};
use motet_vessel::guidance::Follower;
use motet_vessel::hull::{Hull, Motion};
use motet_vessel::integrate::runge_kutta;
use motet_vessel::layout::Area;
use motet_vessel::operator::Temper;
use motet_vessel::pilot::Mode;
use motet_vessel::random::Random;
use motet_vessel::sea::{Sea, Waves};
use motet_vessel::weather::Forecast;
use motet_vessel::{Mission, Vessel};

const STEP: f64 = 0.2;

#[expect(clippy::disallowed_methods, reason = "tests are widened by the environment")]
fn rounds() -> u64 {
    std::env::var("MOTET_ROUNDS").ok().and_then(|text| text.parse::<u64>().ok()).unwrap_or(0).max(40)
}

/// Follows legs one after the other, and gives the greatest distance off a leg beyond its first part.
fn followed(seed: u64, height: f64) -> Option<f64> {
    let mut random = Random::new(seed, 9);
    let waves = Waves::new(&mut random);
    let sea = Sea { height, heading: random.between(0.0, std::f64::consts::TAU) };
    let hull = Hull::default();
    let mut motion = Motion { heading: random.between(0.0, std::f64::consts::TAU), ..Motion::default() };
    let mut begin = motion.place;
    let mut off = 0.0f64;
    let mut time = 0.0;
    for _ in 0..4 {
        let end = Point::new(random.between(-300.0, 300.0), random.between(-300.0, 300.0));
        let leg = Leg { begin, end };
        let mut follower = Follower::new(leg);
        let deadline = time + 60.0 + leg.length() / 1.5;
        while !follower.is_past(motion.place) {
            let helm = follower.steer(&hull, &motion, STEP);
            let next = runge_kutta(&motion.vector(), time, STEP, |time, state| {
                let motion = Motion::of(state);
                hull.rates(&motion, hull.steering(&motion, helm) + waves.forces(sea, time, &motion))
            });
            motion = Motion::of(&next);
            time += STEP;
            if time > deadline {
                return None;
            }
            let (along, distance) = leg.along_and_off(motion.place);
            if along > 90.0 {
                off = off.max(distance.abs());
            }
        }
        begin = end;
    }
    Some(off)
}

#[test]
fn the_follower_reaches_its_waypoints_under_waves() {
    for seed in 0..rounds() {
        let calm = followed(seed, 0.5).unwrap_or_else(|| panic!("seed {seed} is lost in a calm"));
        assert!(calm < 5.0, "seed {seed}: {calm} m off in a calm");
        let rough = followed(seed, 2.0).unwrap_or_else(|| panic!("seed {seed} is lost in a rough sea"));
        assert!(rough < 10.0, "seed {seed}: {rough} m off in a rough sea");
    }
}

fn vessel(seed: u64, forecast: Forecast) -> Vessel {
    let area = Area { width: 300.0, height: 200.0, n_tracks: 5 };
    Vessel::new(&Mission { seed, area, forecast, temper: Temper::Bold })
}

#[test]
fn a_vessel_that_holds_stays_near() {
    for seed in 0..rounds().min(20) {
        let mut vessel = vessel(seed, Forecast::Rough);
        vessel.pilot.lay_out(vessel.motion.place);
        assert!(vessel.pilot.get_under_way(0.0, vessel.motion.place));
        vessel.advance(120.0);
        assert!(vessel.motion.surge > 2.0, "seed {seed}");
        vessel.pilot.hold();
        let place = vessel.motion.place;
        vessel.advance(10.0);
        assert!(vessel.pilot.is_held(), "seed {seed}: {:?}", vessel.motion);
        for _ in 0..90 {
            vessel.advance(10.0);
            let away = vessel.motion.place.distance(place);
            assert!(away < 45.0, "seed {seed}: {away} m away");
        }
    }
}

#[test]
fn a_vessel_without_a_plan_does_not_set_out() {
    let mut vessel = vessel(1, Forecast::Calm);
    assert!(!vessel.pilot.get_under_way(0.0, vessel.motion.place));
    assert_eq!(vessel.pilot.mode(), Mode::Drift);
}

#[test]
fn every_cell_is_of_one_kind_and_swept_ones_stay_swept() {
    for seed in [1, 2, 3] {
        let mut vessel = vessel(seed, Forecast::Rough);
        let n_cells = vessel.pilot.coverage.columns() * vessel.pilot.coverage.rows();
        vessel.pilot.lay_out(vessel.motion.place);
        vessel.pilot.get_under_way(0.0, vessel.motion.place);
        let mut swept = 0;
        let mut told = vec![None; n_cells];
        while !vessel.pilot.is_last() {
            vessel.advance(10.0);
            let tally = vessel.pilot.coverage.tally();
            assert_eq!(tally.open + tally.swept + tally.missed + tally.given_up, n_cells);
            assert!(tally.swept >= swept, "seed {seed}");
            swept = tally.swept;
            for at in vessel.pilot.coverage.changes() {
                told[at] = Some(vessel.pilot.coverage.numbered(at));
            }
            assert!(vessel.time() < 20_000.0, "seed {seed} does not end");
        }
        let tally = vessel.pilot.coverage.tally();
        assert_eq!((tally.open, tally.missed), (0, 0), "seed {seed}: the last turning point comes last");
        assert!(tally.given_up * 20 < n_cells, "seed {seed}: {tally:?}");
        // Whoever only hears of changes knows it all.
        assert!(told.iter().enumerate().all(|(at, cell)| *cell == Some(vessel.pilot.coverage.numbered(at))));
    }
}

#[test]
fn time_cut_into_other_ticks_is_the_same_time() {
    let place = |tick: f64| {
        let mut vessel = vessel(4, Forecast::Changing);
        vessel.pilot.lay_out(vessel.motion.place);
        vessel.pilot.get_under_way(0.0, vessel.motion.place);
        for _ in 0..(300.0 / tick) as u32 {
            vessel.advance(tick);
        }
        (vessel.time(), vessel.motion)
    };
    assert_eq!(place(10.0), place(1.0));
    assert_eq!(place(10.0), place(0.5));
}
