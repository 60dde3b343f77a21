//! Points of the chart, in metres east and north, and straight legs between them. Headings are in radians, clockwise from north.

/// A point of the chart.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Metres to the east of the area's corner.
    pub east: f64,
    /// Metres to the north of it.
    pub north: f64,
}

impl Point {
    /// A point.
    #[must_use]
    pub fn new(east: f64, north: f64) -> Self {
        Self { east, north }
    }

    /// How far another point is, in metres.
    #[must_use]
    pub fn distance(self, other: Self) -> f64 {
        (other.east - self.east).hypot(other.north - self.north)
    }

    /// The heading in which another point lies.
    #[must_use]
    pub fn bearing(self, other: Self) -> f64 {
        (other.east - self.east).atan2(other.north - self.north)
    }

    /// The point so many metres away in a direction.
    #[must_use]
    pub fn towards(self, heading: f64, metres: f64) -> Self {
        Self::new(self.east + metres * heading.sin(), self.north + metres * heading.cos())
    }
}

/// An angle, brought into `(-π, π]`.
#[must_use]
pub fn wrapped(angle: f64) -> f64 {
    let turns = (angle / std::f64::consts::TAU).round();
    angle - turns * std::f64::consts::TAU
}

/// A straight way from one point to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg {
    /// Where it begins.
    pub begin: Point,
    /// Where it ends.
    pub end: Point,
}

impl Leg {
    /// Its length in metres.
    #[must_use]
    pub fn length(self) -> f64 {
        self.begin.distance(self.end)
    }

    /// Its direction.
    #[must_use]
    pub fn heading(self) -> f64 {
        self.begin.bearing(self.end)
    }

    /// Where a point is seen from the leg: metres along it from its begin, and metres off it, to starboard positive.
    #[must_use]
    pub fn along_and_off(self, point: Point) -> (f64, f64) {
        let (sine, cosine) = self.heading().sin_cos();
        let (east, north) = (point.east - self.begin.east, point.north - self.begin.north);
        (east * sine + north * cosine, east * cosine - north * sine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI, TAU};

    #[test]
    fn a_point_south_of_an_eastward_leg_is_off_to_starboard() {
        let leg = Leg { begin: Point::new(10.0, 10.0), end: Point::new(110.0, 10.0) };
        assert!((leg.heading() - FRAC_PI_2).abs() < 1e-12);
        let (along, off) = leg.along_and_off(Point::new(40.0, 7.0));
        assert!((along - 30.0).abs() < 1e-9 && (off - 3.0).abs() < 1e-9, "{along} {off}");
    }

    #[test]
    fn angles_wrap_to_half_a_turn_on_either_side() {
        for turns in [-3.0, -1.0, 0.0, 2.0] {
            assert!((wrapped(0.3 + turns * TAU) - 0.3).abs() < 1e-9);
        }
        assert!((wrapped(1.5 * PI) + FRAC_PI_2).abs() < 1e-12);
    }

    #[test]
    fn a_point_towards_a_heading_lies_in_that_bearing() {
        let origin = Point::new(3.0, -4.0);
        let there = origin.towards(2.0, 50.0);
        assert!((origin.distance(there) - 50.0).abs() < 1e-9);
        assert!((origin.bearing(there) - 2.0).abs() < 1e-12);
    }
}
