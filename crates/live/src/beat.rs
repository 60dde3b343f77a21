//! The beat of a run with a rate: when each cycle ends.

use std::time::{Duration, Instant};

use crate::protocol::Pace;

/// The ends of cycles. A cycle that is late does not make the next ones shorter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beat {
    begun: Instant,
    next: Instant,
    period: Duration,
    late: u64,
}

impl Beat {
    /// The beat that starts now; `None` where cycles end when everything is said.
    pub(crate) fn new(pace: Pace, speed: f64) -> Option<Self> {
        let rate = pace.rate()?;
        let period = Duration::try_from_secs_f64(1.0 / (rate * speed)).unwrap_or(Duration::from_secs(1));
        let begun = Instant::now();
        Some(Self { begun, next: begun + period, period, late: 0 })
    }

    /// When the present cycle ends.
    pub(crate) fn next(&self) -> Instant {
        self.next
    }

    /// When the present cycle ends; the one after it begins.
    pub(crate) fn step(&mut self) -> Instant {
        let deadline = self.next;
        let now = Instant::now();
        if now > deadline {
            self.late += 1;
            self.next = now + self.period;
        } else {
            self.next = deadline + self.period;
        }
        deadline
    }

    /// How many cycles were late.
    pub(crate) fn late(&self) -> u64 {
        self.late
    }

    /// Milliseconds since the beginning.
    pub(crate) fn millis(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_cycle_does_not_make_the_next_ones_shorter() {
        let mut beat = Beat::new(Pace::Rate(1000.0), 0.5).expect("a rate has a beat");
        assert_eq!(beat.period, Duration::from_millis(2));
        std::thread::sleep(Duration::from_millis(20));
        let passed = beat.step();
        // clock: the moment lies before the end of a sleep, which is never too short.
        assert!(passed < Instant::now());
        assert_eq!(beat.late(), 1);
        assert!(beat.next() > passed + Duration::from_millis(10));
        assert!(Beat::new(Pace::Lockstep, 1.0).is_none());
    }
}
