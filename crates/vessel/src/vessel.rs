//! The vessel in its world: hull, pilot, sonar, sea and operator, advanced together in fixed steps.

use crate::geometry::Point;
use crate::hull::{Helm, Hull, Motion};
use crate::integrate::runge_kutta;
use crate::layout::Area;
use crate::operator::{Operator, Temper};
use crate::pilot::{Mode, Pilot};
use crate::random::Random;
use crate::sea::Waves;
use crate::weather::{Forecast, Weather};

/// Length of a step, in seconds.
pub const STEP: f64 = 0.2;
/// The sonar pings in every third step.
const PING_EVERY: u64 = 3;
/// Steps between two places of the wake.
const WAKE_EVERY: u64 = 10;
/// Places of the wake that are kept for whoever asks.
const MOST_WAKE: usize = 200;

/// What a run is about.
#[derive(Clone, Copy, Debug)]
pub struct Mission {
    /// Decides everything that is random.
    pub seed: u64,
    /// What is to be swept.
    pub area: Area,
    /// The weather.
    pub forecast: Forecast,
    /// The person ashore.
    pub temper: Temper,
}

/// The vessel in its world.
#[derive(Clone, Debug)]
pub struct Vessel {
    /// The hull.
    pub hull: Hull,
    /// Where it is and how it moves.
    pub motion: Motion,
    /// The helm during the last step.
    pub helm: Helm,
    /// The pilot.
    pub pilot: Pilot,
    /// The weather.
    pub weather: Weather,
    /// The operator.
    pub operator: Operator,
    /// What is swept.
    pub area: Area,
    waves: Waves,
    wake: Vec<Point>,
    n_steps: u64,
    ordered: f64,
}

impl Vessel {
    /// The vessel before its mission, off the south-western corner of the area.
    #[must_use]
    pub fn new(mission: &Mission) -> Self {
        let stream = |purpose| Random::new(mission.seed, purpose);
        Self {
            hull: Hull::default(),
            motion: Motion { place: Point::new(-125.0, -77.0), heading: 0.8, ..Motion::default() },
            helm: Helm::default(),
            pilot: Pilot::new(mission.area),
            weather: Weather::new(mission.forecast, stream(1)),
            operator: Operator::new(mission.temper, stream(2)),
            area: mission.area,
            waves: Waves::new(&mut stream(3)),
            wake: Vec::new(),
            n_steps: 0,
            ordered: 0.0,
        }
    }

    /// Seconds since the start.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.n_steps as f64 * STEP
    }

    /// Lets so many seconds pass. What is less than a step is kept for the next time.
    pub fn advance(&mut self, seconds: f64) {
        self.ordered += seconds;
        while self.time() + STEP / 2.0 <= self.ordered {
            self.step();
        }
    }

    /// Where the vessel has been since the last time this was asked.
    pub fn wake(&mut self) -> Vec<Point> {
        std::mem::take(&mut self.wake)
    }

    fn step(&mut self) {
        let time = self.time();
        self.weather.advance(STEP);
        let sea = self.weather.sea();
        let helm = self.pilot.steer(&self.hull, &self.motion, time, STEP);
        self.helm = helm;
        let (hull, waves, pilot) = (&self.hull, &self.waves, &self.pilot);
        let next = runge_kutta(&self.motion.vector(), time, STEP, |time, state| {
            let motion = Motion::of(state);
            let forces =
                hull.steering(&motion, helm) + waves.forces(sea, time, &motion) + pilot.chain(hull, &motion);
            hull.rates(&motion, forces)
        });
        self.motion = Motion::of(&next);
        self.n_steps += 1;
        if self.n_steps.is_multiple_of(WAKE_EVERY) && self.wake.len() < MOST_WAKE {
            self.wake.push(self.motion.place);
        }
        if self.n_steps.is_multiple_of(PING_EVERY) && matches!(self.pilot.mode(), Mode::UnderWay { .. }) {
            self.pilot.coverage.ping(&self.motion, sea.height);
        }
        self.pilot.look(&self.motion);
    }
}
