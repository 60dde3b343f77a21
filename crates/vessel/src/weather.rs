//! Weather: a wave height that returns to its mean (a process of Ornstein and Uhlenbeck), and fronts that pass over.

use crate::random::Random;
use crate::sea::Sea;

/// The sea is too rough from this wave height on, in metres, until it falls to the lower one.
pub const ROUGH: (f64, f64) = (2.0, 1.6);

/// What the forecast says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forecast {
    /// Little wind, rarely a front.
    Calm,
    /// Fronts now and then; some are too rough.
    Changing,
    /// One front after the other; most are too rough.
    Rough,
}

/// The numbers behind a forecast.
struct Climate {
    mean: f64,
    deviation: f64,
    front_every: f64,
    front_height: (f64, f64),
    front_seconds: (f64, f64),
}

/// Seconds in which a deviation from the mean fades.
const FADE: f64 = 150.0;

impl Forecast {
    fn climate(self) -> Climate {
        match self {
            Self::Calm => Climate {
                mean: 0.5,
                deviation: 0.12,
                front_every: 6000.0,
                front_height: (0.3, 0.9),
                front_seconds: (180.0, 400.0),
            },
            Self::Changing => Climate {
                mean: 0.8,
                deviation: 0.16,
                front_every: 700.0,
                front_height: (0.4, 2.0),
                front_seconds: (180.0, 420.0),
            },
            Self::Rough => Climate {
                mean: 1.1,
                deviation: 0.22,
                front_every: 350.0,
                front_height: (0.8, 2.2),
                front_seconds: (240.0, 600.0),
            },
        }
    }
}

/// A front that passes over.
#[derive(Clone, Copy, Debug)]
struct Front {
    begin: f64,
    seconds: f64,
    height: f64,
}

impl Front {
    fn height_at(&self, time: f64) -> f64 {
        let passed = (time - self.begin) / self.seconds;
        if (0.0..1.0).contains(&passed) {
            self.height * (std::f64::consts::PI * passed).sin().powi(2)
        } else {
            0.0
        }
    }
}

/// The weather of a run.
#[derive(Clone, Debug)]
pub struct Weather {
    climate_of: Forecast,
    random: Random,
    time: f64,
    deviation: f64,
    front: Front,
    wind_heading: f64,
    rough: bool,
    trend: f64,
}

impl Weather {
    /// The weather that a seed brings.
    #[must_use]
    pub fn new(forecast: Forecast, mut random: Random) -> Self {
        let wind_heading = random.between(0.0, std::f64::consts::TAU);
        let mut weather = Self {
            climate_of: forecast,
            random,
            time: 0.0,
            deviation: 0.0,
            front: Front { begin: 0.0, seconds: 1.0, height: 0.0 },
            wind_heading,
            rough: false,
            trend: 0.0,
        };
        weather.front = weather.next_front();
        weather
    }

    fn next_front(&mut self) -> Front {
        let climate = self.climate_of.climate();
        Front {
            begin: self.time + self.random.waiting(climate.front_every),
            seconds: self.random.between(climate.front_seconds.0, climate.front_seconds.1),
            height: self.random.between(climate.front_height.0, climate.front_height.1),
        }
    }

    /// Goes on by one step.
    pub fn advance(&mut self, seconds: f64) {
        let before = self.height();
        let climate = self.climate_of.climate();
        let fading = (-seconds / FADE).exp();
        // The exact transition of the process: its law does not depend on how time is cut into steps.
        self.deviation = self.deviation * fading
            + climate.deviation * (1.0 - fading * fading).sqrt() * self.random.normal();
        self.wind_heading += 0.01 * seconds.sqrt() * self.random.normal();
        self.time += seconds;
        if self.time >= self.front.begin + self.front.seconds {
            self.front = self.next_front();
        }
        // The trend is smoothed over half a minute: what somebody sees who watches the sea.
        let rising = (self.height() - before) / seconds;
        self.trend += (rising - self.trend) * (seconds / 30.0).min(1.0);
        self.rough = if self.rough { self.height() > ROUGH.1 } else { self.height() >= ROUGH.0 };
    }

    /// The significant wave height, in metres.
    #[must_use]
    pub fn height(&self) -> f64 {
        (self.climate_of.climate().mean + self.deviation + self.front.height_at(self.time)).max(0.05)
    }

    /// How fast it grows, in metres a second.
    #[must_use]
    pub fn trend(&self) -> f64 {
        self.trend
    }

    /// Waves go with the wind.
    #[must_use]
    pub fn sea(&self) -> Sea {
        Sea { height: self.height(), heading: self.wind_heading }
    }

    /// Wind in metres a second, about what raises such a sea.
    #[must_use]
    pub fn wind(&self) -> f64 {
        2.0 + 5.5 * self.height()
    }

    /// Whether the sea is too rough. There is some way between becoming and ceasing to be so, or every gust would change it.
    #[must_use]
    pub fn is_rough(&self) -> bool {
        self.rough
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hours(forecast: Forecast, seed: u64, hours: u32) -> Vec<(f64, bool)> {
        let mut weather = Weather::new(forecast, Random::new(seed, 1));
        (0..hours * 3600)
            .map(|_| {
                weather.advance(1.0);
                (weather.height(), weather.is_rough())
            })
            .collect()
    }

    fn mean(days: &[(f64, bool)]) -> f64 {
        days.iter().map(|(height, _)| height).sum::<f64>() / days.len() as f64
    }

    #[test]
    fn forecasts_are_ordered_by_how_rough_they_are() {
        let [calm, changing, rough] =
            [Forecast::Calm, Forecast::Changing, Forecast::Rough].map(|forecast| hours(forecast, 5, 40));
        assert!(mean(&calm) < mean(&changing) && mean(&changing) < mean(&rough));
        let n_rough = |days: &[(f64, bool)]| days.iter().filter(|(_, rough)| *rough).count();
        assert!(n_rough(&calm) < n_rough(&changing) && n_rough(&changing) < n_rough(&rough));
        assert!(n_rough(&changing) > 0);
    }

    #[test]
    fn the_sea_stays_rough_until_it_falls_below_the_lower_height() {
        let mut was = false;
        let mut n_turns = 0;
        for (height, rough) in hours(Forecast::Rough, 11, 20) {
            match (was, rough) {
                (false, true) => assert!(height >= ROUGH.0),
                (true, false) => assert!(height <= ROUGH.1),
                (true, true) => assert!(height > ROUGH.1),
                (false, false) => assert!(height < ROUGH.0),
            }
            n_turns += u32::from(was != rough);
            was = rough;
        }
        assert!(n_turns > 10, "{n_turns}");
    }

    #[test]
    fn the_deviation_does_not_depend_on_the_step() {
        let deviation = |step: f64| {
            let mut weather = Weather::new(Forecast::Calm, Random::new(2, 1));
            let n = 40_000;
            let squares: f64 = (0..n)
                .map(|_| {
                    weather.advance(step);
                    weather.deviation.powi(2)
                })
                .sum();
            (squares / f64::from(n)).sqrt()
        };
        // The stationary deviation of the process; the samples are correlated, hence the room.
        for step in [2.0, 20.0] {
            assert!((deviation(step) / 0.12 - 1.0).abs() < 0.15, "{}", deviation(step));
        }
    }
}
