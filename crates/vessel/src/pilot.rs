//! The pilot: carries out what the agent orders with the plan of the sweep, and knows where in it the vessel is.

use crate::coverage::Coverage;
use crate::geometry::{Leg, Point};
use crate::guidance::{CRUISE, Follower, stopping};
use crate::hull::{Forces, Helm, Hull, Motion};
use crate::layout::{Area, Planned};

/// A turning point counts as reached until the vessel is this far from it, in metres.
pub const NEAR: f64 = 58.0;
/// A leg begins when the vessel is this near to where it should, in metres.
const ARRIVED: f64 = 12.0;
/// Slower than this the vessel can be held, in metres a second.
const SLOW: f64 = 0.6;
/// Seconds that it takes to weigh anchor and to run through the checks before the vessel counts as under way.
const DEPARTURE: f64 = 42.0;
/// Seconds of these in which the anchor is weighed and nothing moves yet.
const WEIGHING: f64 = 8.0;
/// Length of the slack anchor chain in metres, and newtons for each metre beyond.
const CHAIN: (f64, f64) = (6.0, 500.0);

/// What the vessel is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    /// Nothing was ordered.
    Drift,
    /// It follows the plan, since some moment.
    UnderWay {
        /// The moment, in seconds.
        since: f64,
    },
    /// It stays where it is.
    Hold,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    /// On the way to the begin of a leg.
    Transit(Follower),
    /// On the leg.
    Sweep(Follower),
}

/// The pilot.
#[derive(Clone, Debug)]
pub struct Pilot {
    area: Area,
    /// What the sonar has seen.
    pub coverage: Coverage,
    plan: Vec<Planned>,
    /// How many legs of the plan are behind.
    at: usize,
    stage: Option<Stage>,
    mode: Mode,
    anchor: Option<Point>,
    turning: Option<Point>,
    last: bool,
    missed: bool,
    /// How often the plan was changed, so that a chart can tell.
    edition: u64,
}

impl Pilot {
    /// A pilot with nothing ordered.
    #[must_use]
    pub fn new(area: Area) -> Self {
        Self {
            area,
            coverage: area.coverage(),
            plan: Vec::new(),
            at: 0,
            stage: None,
            mode: Mode::Drift,
            anchor: None,
            turning: None,
            last: false,
            missed: false,
            edition: 0,
        }
    }

    /// Lays out all that remains to be swept. Spots that were missed are part of it, and so no longer missed.
    pub fn lay_out(&mut self, place: Point) {
        self.plan = self.area.lay_out(&self.coverage, place);
        self.at = 0;
        self.stage = None;
        self.missed = false;
        self.last &= self.plan.is_empty();
        self.edition += 1;
        if matches!(self.mode, Mode::UnderWay { .. }) {
            self.enter(place);
        }
    }

    /// Sets out along the plan. `false` when there is none.
    pub fn get_under_way(&mut self, time: f64, place: Point) -> bool {
        if self.leg().is_none() {
            return false;
        }
        if !matches!(self.mode, Mode::UnderWay { .. }) {
            self.mode = Mode::UnderWay { since: time };
            self.anchor = None;
            // A leg that was left is taken up where it was left; the way to a leg begins here and now.
            self.stage = match self.stage {
                Some(Stage::Sweep(follower)) => Some(Stage::Sweep(Follower::new(follower.leg()))),
                Some(Stage::Transit(_)) | None => None,
            };
        }
        self.enter(place);
        true
    }

    /// Stops, and stays there.
    pub fn hold(&mut self) {
        self.mode = Mode::Hold;
    }

    /// Forgets what was ordered.
    pub fn drift(&mut self) {
        self.mode = Mode::Drift;
        self.anchor = None;
    }

    /// What was ordered.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The leg that the vessel is on or heads for.
    #[must_use]
    pub fn leg(&self) -> Option<&Planned> {
        self.plan.get(self.at)
    }

    /// Legs that are still to come, with the present one.
    #[must_use]
    pub fn ahead(&self) -> &[Planned] {
        self.plan.get(self.at..).unwrap_or_default()
    }

    /// Whether the vessel is on its leg and not on the way to it.
    #[must_use]
    pub fn is_sweeping(&self) -> bool {
        matches!(self.stage, Some(Stage::Sweep(_))) && matches!(self.mode, Mode::UnderWay { .. })
    }

    /// Changes whenever the plan or the place in it does.
    #[must_use]
    pub fn edition(&self) -> u64 {
        self.edition
    }

    /// Whether a turning point is reached and near.
    #[must_use]
    pub fn is_turning(&self) -> bool {
        self.turning.is_some()
    }

    /// Whether it is the last one.
    #[must_use]
    pub fn is_last(&self) -> bool {
        self.last
    }

    /// Whether spots of the last leg were missed and not laid out since.
    #[must_use]
    pub fn has_missed(&self) -> bool {
        self.missed
    }

    /// The turning point that is reached.
    #[must_use]
    pub fn turning(&self) -> Option<Point> {
        self.turning
    }

    /// Whether the vessel is held.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.mode == Mode::Hold && self.anchor.is_some()
    }

    /// Whether the vessel is under way: the checks are through, it has its speed, and it has left the turning point.
    #[must_use]
    pub fn is_under_way(&self, time: f64, motion: &Motion) -> bool {
        let Mode::UnderWay { since } = self.mode else { return false };
        time - since >= DEPARTURE && motion.surge >= 0.8 * CRUISE && !self.is_turning()
    }

    /// Whether the engine keeps the vessel where it is: by order, or because there is nowhere left to go.
    fn stays(&self) -> bool {
        match self.mode {
            Mode::Hold => true,
            Mode::UnderWay { .. } => self.stage.is_none(),
            Mode::Drift => false,
        }
    }

    /// What the helm does during the next step.
    pub fn steer(&mut self, hull: &Hull, motion: &Motion, time: f64, seconds: f64) -> Helm {
        if self.stays() {
            return if self.anchor.is_some() { Helm::default() } else { stopping(motion) };
        }
        match (self.mode, &mut self.stage) {
            (Mode::UnderWay { since }, Some(Stage::Transit(follower) | Stage::Sweep(follower)))
                if time - since >= WEIGHING =>
            {
                follower.steer(hull, motion, seconds)
            }
            _ => Helm::default(),
        }
    }

    /// The pull of the anchor chain at the bow.
    #[must_use]
    pub fn chain(&self, hull: &Hull, motion: &Motion) -> Forces {
        let Some(anchor) = self.anchor else { return Forces::default() };
        let bow = motion.place.towards(motion.heading, hull.arm);
        let pull = CHAIN.1 * (bow.distance(anchor) - CHAIN.0).max(0.0);
        let bearing = bow.bearing(anchor);
        let force = Forces::of_world(pull * bearing.sin(), pull * bearing.cos(), motion.heading);
        Forces { yaw: force.sway * hull.arm, ..force }
    }

    /// Looks where the vessel has come to.
    pub fn look(&mut self, motion: &Motion) {
        // At the last turning point the vessel stays, so it never ceases to be reached before a new plan is laid out.
        if self.turning.is_some_and(|point| motion.place.distance(point) >= NEAR) && !self.last {
            self.turning = None;
        }
        if self.stays() && self.anchor.is_none() && motion.speed() < SLOW {
            self.anchor = Some(motion.place.towards(motion.heading, CHAIN.0));
        }
        if !matches!(self.mode, Mode::UnderWay { .. }) {
            return;
        }
        match self.stage {
            Some(Stage::Transit(way))
                if way.is_past(motion.place) || motion.place.distance(way.leg().end) < ARRIVED =>
            {
                let leg = self.leg().expect("a way leads to a leg").leg;
                self.stage = Some(Stage::Sweep(Follower::new(leg)));
            }
            Some(Stage::Sweep(follower)) if follower.is_past(motion.place) => self.finish(motion.place),
            _ => {}
        }
    }

    /// The end of a leg: a turning point.
    fn finish(&mut self, place: Point) {
        let done = self.leg().expect("a leg that is followed is in the plan").clone();
        self.missed = self.coverage.pass(done.columns, done.rows) > 0;
        self.turning = Some(done.leg.end);
        self.at += 1;
        self.edition += 1;
        if self.leg().is_none() {
            // What was left for later comes now.
            self.plan = self.area.lay_out(&self.coverage, place);
            self.at = 0;
        }
        self.stage = None;
        self.enter(place);
        self.last = self.leg().is_none();
    }

    /// Heads for the next leg, if there is one.
    fn enter(&mut self, place: Point) {
        if self.stage.is_none()
            && let Some(next) = self.leg()
        {
            self.stage = Some(Stage::Transit(Follower::new(Leg { begin: place, end: next.leg.begin })));
        }
    }
}
