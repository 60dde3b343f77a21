//! Random numbers that depend on a seed alone: SplitMix64 (Steele, Lea, Flood 2014), a stream for each purpose.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random(SplitMix64);

/// 2^64 divided by the golden ratio: what SplitMix64 adds for each number.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl Random {
    /// The stream of one purpose. What one purpose draws never shifts the numbers of another, so that the same storm passes
    /// over whatever the vessel does.
    #[must_use]
    pub fn new(seed: u64, purpose: u64) -> Self {
        let first = |seed| SplitMix64::seed_from_u64(seed).next_u64();
        // The generator adds the constant before it mixes: purpose 1 is the first number of seed 0.
        let stream = purpose.wrapping_sub(1).wrapping_mul(GOLDEN);
        Self(SplitMix64::seed_from_u64(first(seed) ^ first(stream)))
    }

    /// The next number, uniform over all of `u64`.
    pub fn draw(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform in `[0, 1)`.
    pub fn uniform(&mut self) -> f64 {
        // 53 bits are what a double can tell apart.
        (self.draw() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform between two bounds.
    pub fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * self.uniform()
    }

    /// Normally distributed with mean 0 and deviation 1 (Box and Muller 1958).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// A waiting time with this mean, without memory.
    pub fn waiting(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.uniform()).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_of_different_seeds_and_purposes_differ() {
        let first = |seed, purpose| Random::new(seed, purpose).draw();
        assert_eq!(first(1, 1), first(1, 1));
        assert_ne!(first(1, 1), first(1, 2));
        assert_ne!(first(1, 1), first(2, 1));
    }

    #[test]
    fn uniform_and_normal_numbers_have_their_moments() {
        let mut random = Random::new(7, 0);
        let n = 100_000;
        let (mut sum, mut normal, mut square) = (0.0, 0.0, 0.0);
        for _ in 0..n {
            sum += random.uniform();
            let x = random.normal();
            normal += x;
            square += x * x;
        }
        let n = f64::from(n);
        // Five standard errors: 5 * sqrt(1/12) / sqrt(n), 5 / sqrt(n), 5 * sqrt(2) / sqrt(n).
        assert!((sum / n - 0.5).abs() < 0.005, "{}", sum / n);
        assert!((normal / n).abs() < 0.016, "{}", normal / n);
        assert!((square / n - 1.0).abs() < 0.023, "{}", square / n);
    }
}
