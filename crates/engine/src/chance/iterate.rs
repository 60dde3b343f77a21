//! Values of a component closed in from below and above, sweep by sweep.
//!
//! The value is the least solution of the equations. From below, sweeps that start at nothing never pass it. From above,
//! any numbers that a sweep does not raise anywhere are an upper bound (Park induction), so a guess slightly above the
//! lower bounds is put to that test, as in optimistic value iteration (Hartmanns and Kaminski 2020). Whatever floating
//! point may have lost in a sweep is taken off, or put on, at once, so both bounds are certain.

use motet_evidence::Stop;
use motet_property::Extremum;

use super::block::Block;
use super::eliminate::UNIT;
use super::policy::Chosen;
use crate::exploration::limits::Meter;

/// Put on and taken off besides, for numbers so small that they lose precision.
pub(crate) const TINY: f64 = 1e-300;
/// Operations between two looks at the clock.
const TICK: u64 = 1 << 18;
/// Sweeps before it is told how many it will take.
const TRIED: u64 = 40;
/// A guess this close above cannot be told from its rounding errors.
const CLOSEST: f64 = 1e-15;

pub(crate) struct Iteration<'a> {
    block: &'a Block<f64, 2>,
    extremum: Extremum,
    pub(crate) low: Vec<f64>,
    /// An upper bound that has passed the test, or was known before.
    pub(crate) high: Vec<f64>,
    /// No value is greater.
    cap: f64,
    /// What floating point may lose in one equation, relatively.
    pub(crate) loss: f64,
    pub(crate) sweeps: u64,
    ticked: u64,
}

impl<'a> Iteration<'a> {
    pub(crate) fn new(
        block: &'a Block<f64, 2>,
        extremum: Extremum,
        low: Vec<f64>,
        high: Vec<f64>,
        cap: f64,
    ) -> Self {
        let loss = (2.0 * block.widest() as f64 + 16.0) * UNIT;
        let mut high = high;
        // Without a choice nothing is gained any more.
        (0..block.len())
            .filter(|&unknown| block.choices_of(unknown).is_empty())
            .for_each(|unknown| high[unknown] = 0.0);
        Self { block, extremum, low, high, cap, loss, sweeps: 0, ticked: 0 }
    }

    /// Iterates until all values are known up to `tolerance`, relatively, and what is inherited from outside. `false` when
    /// `patience` sweeps are not enough, or will not be as it looks; the bounds are certain also then.
    pub(crate) fn close(
        &mut self,
        tolerance: f64,
        patience: u64,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stop> {
        // How far the guess lies above stays the same; how far the lower bounds are driven up before it does not. A slow
        // component is far from its value long after its bounds have almost stopped to move.
        let slack = tolerance / 2.0;
        let mut still = tolerance / 8.0;
        let mut pace = Pace::default();
        while still > CLOSEST {
            loop {
                pace.note(self.raise_low(meter)?);
                if pace.now <= still && (pace.left() <= slack / 4.0 || pace.now <= CLOSEST) {
                    break;
                }
                let expected = self.sweeps.saturating_add(pace.sweeps_until(still));
                if self.sweeps > patience || self.sweeps > TRIED && expected > patience {
                    return Ok(false);
                }
            }
            self.guess(slack, patience, meter)?;
            if self.is_close(tolerance) {
                return Ok(true);
            }
            if self.sweeps > patience {
                return Ok(false);
            }
            still /= 16.0;
        }
        self.close_from_above(tolerance, patience, meter)
    }

    /// Sweeps from both sides, which closes in wherever something is known above (interval iteration, Haddad and Monmege
    /// 2014).
    fn close_from_above(
        &mut self,
        tolerance: f64,
        patience: u64,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stop> {
        while self.sweeps <= patience && self.high.iter().all(|high| high.is_finite()) {
            let moved = self.raise_low(meter)?.max(self.lower_high(meter)?);
            if self.is_close(tolerance) {
                return Ok(true);
            }
            if moved == 0.0 {
                break;
            }
        }
        Ok(false)
    }

    /// One sweep from above; says by how much the bounds fell, relatively.
    fn lower_high(&mut self, meter: &mut Meter<'_>) -> Result<f64, Stop> {
        let (loss, cap) = (self.loss, self.cap);
        let mut high = std::mem::take(&mut self.high);
        let swept = self.block.sweep(&mut high, (1, self.extremum), meter.threads(), |old, worth| {
            let worth = up(worth, loss).min(cap);
            if worth < old { (worth, (old - worth) / old) } else { (old, 0.0) }
        });
        self.high = high;
        self.swept(meter)?;
        Ok(swept.most)
    }

    /// Whether all values are known up to `tolerance`, relatively, and what is inherited from outside.
    pub(crate) fn is_close(&self, tolerance: f64) -> bool {
        self.width() <= tolerance + self.inherited()
    }

    /// The greatest relative distance of the bounds.
    fn width(&self) -> f64 {
        self.low.iter().zip(&self.high).map(|(&low, &high)| relative(low, high)).fold(0.0, f64::max)
    }

    /// How far apart the bounds are that come from outside.
    fn inherited(&self) -> f64 {
        self.block.rights.iter().map(|&[low, high]| relative(low, high)).fold(0.0, f64::max)
    }

    /// One sweep from below; says by how much the bounds rose, relatively.
    fn raise_low(&mut self, meter: &mut Meter<'_>) -> Result<f64, Stop> {
        let loss = self.loss;
        let mut low = std::mem::take(&mut self.low);
        let swept = self.block.sweep(&mut low, (0, self.extremum), meter.threads(), |old, worth| {
            let worth = down(worth, loss);
            if worth > old { (worth, (worth - old) / worth) } else { (old, 0.0) }
        });
        self.low = low;
        self.swept(meter)?;
        Ok(swept.most)
    }

    /// Looks for an upper bound: starts a little above the lower bounds and sweeps until a sweep raises nothing.
    fn guess(&mut self, slack: f64, patience: u64, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let (loss, cap) = (self.loss, self.cap);
        let above = |low: &f64| if *low > 0.0 { (low * (1.0 + slack)).clamp(TINY, cap) } else { 0.0 };
        let mut guess: Vec<f64> = self.low.iter().map(above).collect();
        let most = (self.sweeps * 2 + 64).min(patience.saturating_sub(self.sweeps).max(8));
        for _ in 0..most {
            // Raised is positive, lowered negative.
            let swept = self.block.sweep(&mut guess, (1, self.extremum), meter.threads(), |old, worth| {
                let worth = up(worth, loss).min(cap);
                let direction = if worth < old { -1.0 } else { 0.0 };
                (worth, if worth > old { 1.0 } else { direction })
            });
            self.swept(meter)?;
            if swept.most <= 0.0 {
                for (high, guess) in self.high.iter_mut().zip(guess) {
                    *high = high.min(guess);
                }
                return Ok(());
            }
            if swept.least >= 0.0 {
                // Raised here and lowered nowhere: it lies below the value, and no sweep will change that.
                return Ok(());
            }
        }
        Ok(())
    }

    /// Takes upper bounds from elsewhere if they pass the test.
    pub(crate) fn accept_high(&mut self, mut guess: Vec<f64>) -> bool {
        for unknown in (0..self.block.len()).rev() {
            let Some((_, worth)) = self.block.best(unknown, 1, &guess, self.extremum) else { continue };
            let worth = up(worth, self.loss).min(self.cap);
            if worth > guess[unknown] {
                return false;
            }
            guess[unknown] = worth;
        }
        for (high, guess) in self.high.iter_mut().zip(guess) {
            *high = high.min(guess);
        }
        true
    }

    /// Takes lower bounds from elsewhere if a sweep lowers none of them: the equations have one solution only, so what
    /// is below its own sweep is below that.
    pub(crate) fn accept_low(&mut self, guess: &[f64]) -> bool {
        for unknown in 0..self.block.len() {
            let Some((_, worth)) = self.block.best(unknown, 0, guess, self.extremum) else { continue };
            if down(worth, self.loss) < guess[unknown] {
                return false;
            }
        }
        for (low, guess) in self.low.iter_mut().zip(guess) {
            *low = low.max(*guess);
        }
        true
    }

    fn swept(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        self.sweeps += 1;
        self.ticked += self.block.size() as u64;
        if self.ticked > TICK {
            self.ticked = 0;
            meter.tick(self.block.size() as u64 * 12)?;
        }
        Ok(())
    }

    /// The choices that bring the bounds about: a policy that is greedy below cannot do worse than the lower bounds, one
    /// that is greedy above not worse than the upper ones.
    pub(crate) fn choices(&self) -> Chosen {
        let (side, values) = match self.extremum {
            Extremum::Max => (0, &self.low),
            Extremum::Min => (1, &self.high),
        };
        let best = |unknown| self.block.best(unknown, side, values, self.extremum);
        (0..self.block.len()).map(|unknown| best(unknown).map(|(choice, _)| choice)).collect()
    }
}

/// How fast bounds move: after a while by a factor per sweep.
#[derive(Default)]
struct Pace {
    now: f64,
    /// The last changes, of which the first is the oldest.
    last: std::collections::VecDeque<f64>,
}

impl Pace {
    /// Sweeps that the factor is taken over.
    const SPAN: usize = 12;

    fn note(&mut self, change: f64) {
        self.now = change;
        self.last.push_back(change);
        if self.last.len() > Self::SPAN + 1 {
            self.last.pop_front();
        }
    }

    /// By which factor the changes shrink; `None` while that is not known.
    fn factor(&self) -> Option<f64> {
        let oldest = *self.last.front().filter(|_| self.last.len() > Self::SPAN)?;
        (oldest > 0.0).then(|| (self.now / oldest).powf(1.0 / Self::SPAN as f64))
    }

    /// How far the bounds still have to move, as it looks.
    fn left(&self) -> f64 {
        match self.factor() {
            Some(factor) if factor < 1.0 => self.now * factor / (1.0 - factor),
            Some(_) => f64::INFINITY,
            None => self.now,
        }
    }

    /// How many sweeps it will take until a sweep changes less than this.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive, and saturates")]
    fn sweeps_until(&self, still: f64) -> u64 {
        match self.factor() {
            Some(factor) if factor < 1.0 => ((still / self.now).ln() / factor.ln()).max(0.0) as u64,
            Some(_) => u64::MAX,
            None => 0,
        }
    }
}

/// How far apart two bounds are, relative to the upper one.
pub(crate) fn relative(low: f64, high: f64) -> f64 {
    if high <= low {
        0.0
    } else if high.is_infinite() {
        1.0
    } else {
        (high - low) / high
    }
}

/// Less, by all that floating point may have gained.
pub(crate) fn down(value: f64, loss: f64) -> f64 {
    (value * (1.0 - loss) - TINY).max(0.0)
}

/// More, by all that floating point may have lost. Upper bounds are 0 or at least [`TINY`], so that a product with a
/// chance, which is at least 2^-64, never vanishes: what is 0 is a sum of nothing.
pub(crate) fn up(value: f64, loss: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value * (1.0 + loss) + TINY }
}
