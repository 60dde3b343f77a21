//! How the hull answers to forces: surge, sway and yaw (Fossen, "Handbook of Marine Craft Hydrodynamics and Motion Control", 2011,
//! section 6.5: manoeuvring in three degrees of freedom, with diagonal masses, and drag that is linear and quadratic).

use crate::geometry::Point;
use crate::integrate::Vector;

/// Where the vessel is and how it moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Where it is.
    pub place: Point,
    /// Where its bow points, in radians, clockwise from north.
    pub heading: f64,
    /// Speed ahead, in metres a second.
    pub surge: f64,
    /// Speed to starboard, in metres a second.
    pub sway: f64,
    /// Turning to starboard, in radians a second.
    pub yaw: f64,
}

impl Motion {
    /// Speed over ground.
    #[must_use]
    pub fn speed(&self) -> f64 {
        self.surge.hypot(self.sway)
    }

    /// As numbers that can be integrated.
    #[must_use]
    pub fn vector(&self) -> Vector {
        [self.place.east, self.place.north, self.heading, self.surge, self.sway, self.yaw]
    }

    /// Back from numbers.
    #[must_use]
    pub fn of(vector: &Vector) -> Self {
        let [east, north, heading, surge, sway, yaw] = *vector;
        Self { place: Point::new(east, north), heading, surge, sway, yaw }
    }
}

/// Forces on the hull in its own axes: newtons ahead and to starboard, newton metres to starboard.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Forces {
    /// Ahead.
    pub surge: f64,
    /// To starboard.
    pub sway: f64,
    /// Turning to starboard.
    pub yaw: f64,
}

impl std::ops::Add for Forces {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { surge: self.surge + other.surge, sway: self.sway + other.sway, yaw: self.yaw + other.yaw }
    }
}

impl Forces {
    /// A force of the world (newtons to the east and to the north), felt by a hull with this heading.
    #[must_use]
    pub fn of_world(east: f64, north: f64, heading: f64) -> Self {
        let (sine, cosine) = heading.sin_cos();
        Self { surge: east * sine + north * cosine, sway: east * cosine - north * sine, yaw: 0.0 }
    }
}

/// What the helm commands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Helm {
    /// Thrust ahead, in newtons.
    pub thrust: f64,
    /// Rudder, in radians; positive turns to starboard.
    pub rudder: f64,
}

/// Masses and drag. Masses contain the water that moves along.
#[derive(Clone, Copy, Debug)]
pub struct Hull {
    /// Kilograms that surge accelerates.
    pub surge_mass: f64,
    /// Kilograms that sway accelerates.
    pub sway_mass: f64,
    /// Kilogram square metres that yaw accelerates.
    pub yaw_mass: f64,
    /// Drag ahead: newtons for each metre a second, and for its square.
    pub surge_drag: (f64, f64),
    /// Drag sideways.
    pub sway_drag: (f64, f64),
    /// Drag of turning.
    pub yaw_drag: (f64, f64),
    /// Most thrust ahead, and most astern, in newtons.
    pub thrust: (f64, f64),
    /// Most rudder to either side, in radians.
    pub rudder: f64,
    /// Newtons of rudder for each radian and square metre a second of flow.
    pub rudder_force: f64,
    /// How much flow a newton of thrust ahead sends over the rudder, so that it steers without way on.
    pub wash: f64,
    /// Metres from the middle to the rudder, and to the bow.
    pub arm: f64,
}

impl Default for Hull {
    /// A launch of seven metres. The numbers are ours. The hull keeps its course by itself at cruising speed: the linear drags
    /// satisfy `sway * yaw > surge_mass * (sway_mass - surge_mass) * speed^2` for every speed below 4 m/s.
    fn default() -> Self {
        Self {
            surge_mass: 3700.0,
            sway_mass: 5500.0,
            yaw_mass: 14_000.0,
            surge_drag: (120.0, 95.0),
            sway_drag: (6000.0, 2500.0),
            yaw_drag: (18_000.0, 15_000.0),
            thrust: (3000.0, 2500.0),
            rudder: 0.6,
            rudder_force: 170.0,
            wash: 0.002,
            arm: 3.0,
        }
    }
}

fn drag((linear, quadratic): (f64, f64), speed: f64) -> f64 {
    linear * speed + quadratic * speed.abs() * speed
}

impl Hull {
    /// The thrust that keeps a speed ahead in still water.
    #[must_use]
    pub fn balance(&self, speed: f64) -> f64 {
        drag(self.surge_drag, speed)
    }

    /// What the helm does to the hull, within what propeller and rudder can give.
    #[must_use]
    pub fn steering(&self, motion: &Motion, helm: Helm) -> Forces {
        let thrust = helm.thrust.clamp(-self.thrust.1, self.thrust.0);
        let rudder = helm.rudder.clamp(-self.rudder, self.rudder);
        let flow = motion.surge * motion.surge.abs() + self.wash * thrust.max(0.0);
        let force = self.rudder_force * flow * rudder;
        // The rudder pushes the stern to port to turn the bow to starboard.
        Forces { surge: thrust, sway: -force, yaw: force * self.arm }
    }

    /// How the motion changes under forces: kinematics, and `M dv/dt = forces - C(v) v - D(v) v`.
    #[must_use]
    pub fn rates(&self, motion: &Motion, forces: Forces) -> Vector {
        let Motion { heading, surge, sway, yaw, .. } = *motion;
        let (sine, cosine) = heading.sin_cos();
        // The terms of Coriolis do no work: they sum to zero when each is multiplied with its speed.
        let surging = forces.surge + self.sway_mass * sway * yaw - drag(self.surge_drag, surge);
        let swaying = forces.sway - self.surge_mass * surge * yaw - drag(self.sway_drag, sway);
        let munk = (self.sway_mass - self.surge_mass) * surge * sway;
        let yawing = forces.yaw - munk - drag(self.yaw_drag, yaw);
        [
            surge * sine + sway * cosine,
            surge * cosine - sway * sine,
            yaw,
            surging / self.surge_mass,
            swaying / self.sway_mass,
            yawing / self.yaw_mass,
        ]
    }

    /// The energy of the motion, in joules.
    #[must_use]
    pub fn energy(&self, motion: &Motion) -> f64 {
        0.5 * (self.surge_mass * motion.surge.powi(2)
            + self.sway_mass * motion.sway.powi(2)
            + self.yaw_mass * motion.yaw.powi(2))
    }
}
