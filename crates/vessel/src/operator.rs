//! The operator ashore: answers when asked for orders, after a while, by judging the weather.

use crate::random::Random;
use crate::weather::{ROUGH, Weather};

/// What kind of person the operator is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Temper {
    /// Goes on when in doubt.
    Bold,
    /// Gives up when in doubt.
    Careful,
}

/// What the operator says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// Go on.
    Continue,
    /// Give up.
    Abort,
}

impl Word {
    /// As the agent hears it.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Continue => "Continue",
            Self::Abort => "Abort",
        }
    }
}

/// Seconds that the operator thinks: least and most.
const THINKS: (f64, f64) = (41.0, 49.0);
/// Seconds of good weather after which the operator wonders why the vessel still waits.
const WONDERS: f64 = 60.0;

/// The operator.
#[derive(Clone, Debug)]
pub struct Operator {
    temper: Temper,
    random: Random,
    answers_at: Option<f64>,
    word: Option<Word>,
    spoke_at: f64,
}

impl Operator {
    /// An operator.
    #[must_use]
    pub fn new(temper: Temper, random: Random) -> Self {
        Self { temper, random, answers_at: None, word: None, spoke_at: 0.0 }
    }

    /// The last word.
    #[must_use]
    pub fn word(&self) -> Option<Word> {
        self.word
    }

    /// Whether somebody waits for an answer.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.answers_at.is_some()
    }

    /// Somebody asks for orders. Who asks again while the operator thinks is answered along with the first.
    pub fn ask(&mut self, time: f64) {
        if self.answers_at.is_none() {
            self.answers_at = Some(time + self.random.between(THINKS.0, THINKS.1));
        }
    }

    /// Nobody waits any more.
    pub fn forget(&mut self) {
        self.answers_at = None;
    }

    /// The answer, when it is due.
    pub fn answer(&mut self, time: f64, weather: &Weather) -> Option<Word> {
        if time < self.answers_at? {
            return None;
        }
        self.answers_at = None;
        let word = if self.random.uniform() < self.doubt(weather) { Word::Abort } else { Word::Continue };
        self.say(word, time);
        Some(word)
    }

    /// A vessel that was told to go on, and still waits although the weather is good, is told again by radio.
    pub fn hail(&mut self, time: f64, weather: &Weather) -> Option<Word> {
        let forgotten = self.word == Some(Word::Continue)
            && self.answers_at.is_none()
            && !weather.is_rough()
            && time - self.spoke_at >= WONDERS;
        forgotten.then(|| {
            self.say(Word::Continue, time);
            Word::Continue
        })
    }

    fn say(&mut self, word: Word, time: f64) {
        self.word = Some(word);
        self.spoke_at = time;
    }

    /// How likely the operator gives up: more in high and rising seas.
    fn doubt(&self, weather: &Weather) -> f64 {
        let height = (weather.height() - ROUGH.1) / (ROUGH.0 - ROUGH.1);
        let rising = if weather.trend() > 0.0 { 0.2 } else { -0.1 };
        let (least, slope) = match self.temper {
            Temper::Bold => (0.02, 0.08),
            Temper::Careful => (0.15, 0.16),
        };
        (least + slope * height + rising * slope / 0.16).clamp(0.0, 0.95)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weather::Forecast;

    fn rough(seed: u64) -> Weather {
        let mut weather = Weather::new(Forecast::Rough, Random::new(seed, 1));
        while !weather.is_rough() {
            weather.advance(1.0);
        }
        weather
    }

    fn aborts(temper: Temper) -> usize {
        let answers = (0..400).map(|seed| {
            let weather = rough(seed);
            let mut operator = Operator::new(temper, Random::new(seed, 2));
            operator.ask(0.0);
            assert_eq!(operator.answer(40.0, &weather), None, "thinking takes its time");
            operator.answer(50.0, &weather).expect("an answer is due")
        });
        answers.filter(|word| *word == Word::Abort).count()
    }

    #[test]
    fn a_careful_operator_gives_up_more_often_than_a_bold_one() {
        let (bold, careful) = (aborts(Temper::Bold), aborts(Temper::Careful));
        assert!(bold > 0 && bold * 2 < careful && careful < 300, "{bold} {careful}");
    }

    #[test]
    fn who_still_waits_in_good_weather_is_hailed_once_in_a_while() {
        let calm = Weather::new(Forecast::Calm, Random::new(1, 1));
        let mut operator = Operator::new(Temper::Bold, Random::new(1, 2));
        assert_eq!(operator.hail(1e6, &calm), None, "nothing was said before");
        operator.say(Word::Continue, 100.0);
        assert_eq!(operator.hail(130.0, &calm), None);
        assert_eq!(operator.hail(170.0, &calm), Some(Word::Continue));
        assert_eq!(operator.hail(180.0, &calm), None);
        operator.say(Word::Abort, 200.0);
        assert_eq!(operator.hail(1e6, &calm), None);
    }
}
