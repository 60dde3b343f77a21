//! How the vessel follows a leg: line of sight with an integral part against drift (Borhaug, Pavlov, Pettersen, "Integral LOS
//! control for path following of underactuated marine surface vessels in the presence of constant ocean currents", 2008), and a
//! proportional and derivative controller for the heading.

use crate::geometry::{Leg, Point, wrapped};
use crate::hull::{Helm, Hull, Motion};

/// Cruising speed, in metres a second.
pub const CRUISE: f64 = 3.0;
/// How far ahead on the leg the vessel aims, in metres.
const LOOKAHEAD: f64 = 16.0;
/// Weight of the integral part.
const INTEGRAL: f64 = 0.25;
/// Rudder for each radian of wrong heading, and for each radian a second of turning.
const RUDDER: (f64, f64) = (1.6, 2.2);
/// Thrust for each metre a second of missing speed.
const THROTTLE: f64 = 2500.0;

/// Follows one leg.
#[derive(Clone, Copy, Debug)]
pub struct Follower {
    leg: Leg,
    drift: f64,
}

impl Follower {
    /// A follower of a leg.
    #[must_use]
    pub fn new(leg: Leg) -> Self {
        Self { leg, drift: 0.0 }
    }

    /// The leg.
    #[must_use]
    pub fn leg(&self) -> Leg {
        self.leg
    }

    /// What the helm should do for the next step.
    pub fn steer(&mut self, hull: &Hull, motion: &Motion, seconds: f64) -> Helm {
        let (_, off) = self.leg.along_and_off(motion.place);
        let aimed = off + INTEGRAL * self.drift;
        self.drift += seconds * LOOKAHEAD * off / (LOOKAHEAD * LOOKAHEAD + aimed * aimed);
        let heading = self.leg.heading() - (aimed / LOOKAHEAD).atan();
        towards(hull, motion, heading, CRUISE)
    }

    /// Whether the end of the leg lies abeam or behind.
    #[must_use]
    pub fn is_past(&self, place: Point) -> bool {
        self.leg.along_and_off(place).0 >= self.leg.length()
    }
}

/// Steers a heading at a speed. The speed is less while the bow points elsewhere, so that turns are tight.
#[must_use]
pub fn towards(hull: &Hull, motion: &Motion, heading: f64, speed: f64) -> Helm {
    let wrong = wrapped(heading - motion.heading);
    let speed = speed * (0.7 + 0.3 * wrong.cos().max(0.0));
    Helm {
        thrust: hull.balance(speed) + THROTTLE * (speed - motion.surge),
        rudder: RUDDER.0 * wrong - RUDDER.1 * motion.yaw,
    }
}

/// Takes the way off the vessel, with the rudder amidships.
#[must_use]
pub fn stopping(motion: &Motion) -> Helm {
    Helm { thrust: -THROTTLE * motion.surge, rudder: 0.0 }
}
