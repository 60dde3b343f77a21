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
use crate::limits::Meter;

/// Put on and taken off besides, for numbers so small that they lose precision.
pub(crate) const TINY: f64 = 1e-300;
/// Operations between two looks at the clock.
const TICK: u64 = 1 << 18;
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
    /// `patience` sweeps were not enough; the bounds are certain also then.
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
        while still > CLOSEST {
            while self.raise_low(meter)? > still {
                if self.sweeps > patience {
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
        let mut change = 0.0_f64;
        for unknown in (0..self.block.len()).rev() {
            let Some((_, worth)) = self.block.best(unknown, 1, &self.high, self.extremum) else { continue };
            let worth = up(worth, self.loss).min(self.cap);
            let old = self.high[unknown];
            if worth < old {
                change = change.max((old - worth) / old);
                self.high[unknown] = worth;
            }
        }
        self.swept(meter)?;
        Ok(change)
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
        let mut change = 0.0_f64;
        for unknown in (0..self.block.len()).rev() {
            let Some((_, worth)) = self.block.best(unknown, 0, &self.low, self.extremum) else { continue };
            let worth = down(worth, self.loss);
            let old = self.low[unknown];
            if worth > old {
                change = change.max((worth - old) / worth);
                self.low[unknown] = worth;
            }
        }
        self.swept(meter)?;
        Ok(change)
    }

    /// Looks for an upper bound: starts a little above the lower bounds and sweeps until a sweep raises nothing.
    fn guess(&mut self, slack: f64, patience: u64, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let above = |low: &f64| if *low > 0.0 { (low * (1.0 + slack)).clamp(TINY, self.cap) } else { 0.0 };
        let mut guess: Vec<f64> = self.low.iter().map(above).collect();
        let most = (self.sweeps * 2 + 64).min(patience.saturating_sub(self.sweeps).max(8));
        for _ in 0..most {
            let mut raised = false;
            for unknown in (0..self.block.len()).rev() {
                let Some((_, worth)) = self.block.best(unknown, 1, &guess, self.extremum) else { continue };
                let worth = up(worth, self.loss).min(self.cap);
                raised |= worth > guess[unknown];
                guess[unknown] = worth;
            }
            self.swept(meter)?;
            if !raised {
                for (high, guess) in self.high.iter_mut().zip(guess) {
                    *high = high.min(guess);
                }
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
