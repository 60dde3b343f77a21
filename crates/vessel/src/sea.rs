//! Waves: a few long-crested sinusoids that push the hull to and fro. How strongly follows the wave height.

use crate::geometry::Point;
use crate::hull::{Forces, Motion};
use crate::random::Random;

/// Standard gravity, in metres a square second.
const GRAVITY: f64 = 9.806_65;
/// Newtons of a wave's push for each metre of wave height: along the hull and across it.
const PUSH: (f64, f64) = (420.0, 1250.0);
/// Newton metres of turning for each metre of wave height.
const TWIST: f64 = 1500.0;
/// Newtons of steady drift for each square metre of wave height.
const DRIFT: f64 = 60.0;

/// One sinusoid.
#[derive(Clone, Debug)]
struct Train {
    /// Radians a second.
    frequency: f64,
    /// Radians a metre, in deep water.
    number: f64,
    /// How far its direction is off the main one, in radians.
    spread: f64,
    /// Its part of the whole; the squares of all parts sum to one.
    part: f64,
    /// Where it begins.
    phase: f64,
}

/// The waves of a run.
#[derive(Clone, Debug)]
pub struct Waves {
    trains: Vec<Train>,
}

/// Wave height and where the waves go.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sea {
    /// The significant wave height, in metres.
    pub height: f64,
    /// The direction in which waves travel, in radians, clockwise from north.
    pub heading: f64,
}

impl Waves {
    /// Five trains with periods of three to eight seconds.
    #[must_use]
    pub fn new(random: &mut Random) -> Self {
        let n = 5;
        let trains = (0..n).map(|at| {
            let period = 8.0 - f64::from(at) + random.between(-0.4, 0.4);
            let frequency = std::f64::consts::TAU / period;
            Train {
                frequency,
                number: frequency * frequency / GRAVITY,
                spread: random.between(-0.5, 0.5),
                part: (1.0 / f64::from(n)).sqrt(),
                phase: random.between(0.0, std::f64::consts::TAU),
            }
        });
        Self { trains: trains.collect() }
    }

    /// What the waves do to the hull at a moment.
    #[must_use]
    pub fn forces(&self, sea: Sea, time: f64, motion: &Motion) -> Forces {
        let mut total = Forces::of_world(
            DRIFT * sea.height.powi(2) * sea.heading.sin(),
            DRIFT * sea.height.powi(2) * sea.heading.cos(),
            motion.heading,
        );
        for train in &self.trains {
            let heading = sea.heading + train.spread;
            let seen = heading - motion.heading;
            let phase = train.frequency * time - train.number * ahead(motion.place, heading) + train.phase;
            let (lift, slope) = phase.sin_cos();
            let size = sea.height * train.part;
            total = total
                + Forces {
                    surge: size * PUSH.0 * seen.cos() * lift,
                    sway: size * PUSH.1 * seen.sin() * lift,
                    // A wave twists a hull most when it meets it at an angle.
                    yaw: size * TWIST * (2.0 * seen).sin() * slope,
                };
        }
        total
    }
}

/// How far a place lies in a direction.
fn ahead(place: Point, heading: f64) -> f64 {
    place.east * heading.sin() + place.north * heading.cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flat_sea_pushes_nothing() {
        let waves = Waves::new(&mut Random::new(3, 0));
        let motion = Motion { heading: 1.0, ..Motion::default() };
        for time in 0..50 {
            assert_eq!(waves.forces(Sea::default(), f64::from(time), &motion), Forces::default());
        }
    }

    #[test]
    fn beam_seas_push_sideways_and_grow_with_their_height() {
        let waves = Waves::new(&mut Random::new(3, 0));
        let motion = Motion::default();
        let strongest = |height: f64, heading: f64| {
            let sea = Sea { height, heading };
            let all = (0..400).map(|time| waves.forces(sea, f64::from(time) * 0.25, &motion));
            all.fold((0.0f64, 0.0f64), |most, force| {
                (most.0.max(force.surge.abs()), most.1.max(force.sway.abs()))
            })
        };
        let (surge, sway) = strongest(1.0, std::f64::consts::FRAC_PI_2);
        assert!(sway > 2.0 * surge, "{sway} {surge}");
        assert!(strongest(2.0, std::f64::consts::FRAC_PI_2).1 > 1.9 * sway);
    }
}
