//! Confidence intervals: Clopper and Pearson's for shares (The use of confidence or fiducial limits, 1934), which is never
//! too narrow, and Student's for means, which is right for many runs.

/// The exact interval for a share of `hits` in `total`, at this confidence.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts of runs are far below 2^52")]
pub fn clopper_pearson(hits: u64, total: u64, confidence: f64) -> (f64, f64) {
    if total == 0 {
        return (0.0, 1.0);
    }
    let (hits, total) = (hits as f64, total as f64);
    let tail = (1.0 - confidence) / 2.0;
    // The lower end is the chance p at which so many hits or more have the chance `tail`, and that is I_p(hits, n-hits+1).
    let low = if hits == 0.0 { 0.0 } else { solve(|p| beta(p, hits, total - hits + 1.0), tail, 0.0, 1.0) };
    let high =
        if hits == total { 1.0 } else { solve(|p| beta(p, hits + 1.0, total - hits), 1.0 - tail, 0.0, 1.0) };
    (low, high)
}

/// Half the width of the interval for a mean of `total` values with this sum and sum of squares.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts of runs are far below 2^52")]
pub fn student(total: u64, sum: f64, squares: f64, confidence: f64) -> f64 {
    if total < 2 {
        return f64::INFINITY;
    }
    let n = total as f64;
    let mean = sum / n;
    let variance = ((squares - n * mean * mean) / (n - 1.0)).max(0.0);
    quantile(n - 1.0, confidence) * (variance / n).sqrt()
}

/// How far from 0 the middle `confidence` of Student's distribution reaches.
fn quantile(degrees: f64, confidence: f64) -> f64 {
    // P(|T| <= t) = 1 - I_x(d/2, 1/2) with x = d / (d + t²).
    let inside = |t: f64| 1.0 - beta(degrees / (degrees + t * t), degrees / 2.0, 0.5);
    solve(inside, confidence, 0.0, 1e4)
}

/// Where an increasing function reaches a value.
fn solve(function: impl Fn(f64) -> f64, value: f64, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..200 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if function(middle) < value { low = middle } else { high = middle }
    }
    low + (high - low) / 2.0
}

/// The regularised incomplete beta function I_x(a, b), by its continued fraction (Abramowitz and Stegun 26.5.8) where that
/// converges fast, and by symmetry elsewhere.
fn beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta(1.0 - x, b, a);
    }
    let front = (log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * x.ln() + b * (-x).ln_1p()).exp();
    front * fraction(x, a, b) / a
}

/// The continued fraction of the incomplete beta function, evaluated from the front (Lentz 1976).
fn fraction(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let guard = |value: f64| if value.abs() < TINY { TINY } else { value };
    let (mut c, mut d) = (1.0, 1.0 / guard(1.0 - (a + b) * x / (a + 1.0)));
    let mut result = d;
    for number in 1..10_000_u32 {
        let m = f64::from(number);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / guard(1.0 + even * d);
        c = guard(1.0 + even / c);
        result *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / guard(1.0 + odd * d);
        c = guard(1.0 + odd / c);
        let factor = d * c;
        result *= factor;
        if (factor - 1.0).abs() < 1e-15 {
            break;
        }
    }
    result
}

/// The logarithm of the gamma function for positive arguments: Stirling's series, after moving up to where it is exact.
fn log_gamma(x: f64) -> f64 {
    let (mut x, mut shift) = (x, 0.0);
    while x < 12.0 {
        shift += x.ln();
        x += 1.0;
    }
    let inverse = 1.0 / (x * x);
    let series = (1.0 / 12.0 - inverse * (1.0 / 360.0 - inverse * (1.0 / 1260.0 - inverse / 1680.0))) / x;
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series - shift
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(left: f64, right: f64) {
        assert!((left - right).abs() < 1e-6, "{left} {right}");
    }

    #[test]
    fn shares_have_the_intervals_of_the_binomial_distribution() {
        // 0 of n: the upper end solves (1-p)^n = 0.025. All of n: the lower end is 0.025^(1/n).
        near(clopper_pearson(0, 10, 0.95).1, 1.0 - 0.025_f64.powf(0.1));
        near(clopper_pearson(10, 10, 0.95).0, 0.025_f64.powf(0.1));
        // 1 of 2: the lower end solves 1-(1-p)^2 = 0.025, the upper one is its mirror image.
        let (low, high) = clopper_pearson(1, 2, 0.95);
        near(low, 1.0 - 0.975_f64.sqrt());
        near(high, 0.975_f64.sqrt());
    }

    #[test]
    fn the_quantiles_of_student_are_those_of_the_tables() {
        // One degree is Cauchy's distribution: tan(pi * 0.475). Two degrees have a closed form. Many are the normal one.
        near(quantile(1.0, 0.95), (std::f64::consts::PI * 0.475).tan());
        near(quantile(2.0, 0.95), 0.95 * (2.0 / (1.0 - 0.95 * 0.95_f64)).sqrt());
        assert!((quantile(1e6, 0.95) - 1.959_964).abs() < 1e-4);
        near(student(2, 2.0, 4.0, 0.95), quantile(1.0, 0.95) * 1.0);
    }

    #[test]
    fn intervals_are_those_of_forty_digits_to_twelve() {
        // By bisection of the incomplete beta function of mpmath 1.3.0 with 40 digits.
        for (hits, total, confidence, low, high) in [
            (3, 10, 0.95, 0.0667395111777345, 0.6524528500599972),
            (50, 100, 0.99, 0.368861437358924, 0.6311385626410759),
            (999, 1000, 0.9, 0.9952650064245002, 0.999948708021091),
            (1, 10000, 0.999, 5.001250291724116e-08, 0.0009994179998953274),
        ] {
            let found = clopper_pearson(hits, total, confidence);
            let error = (found.0 - low).abs().max((found.1 - high).abs());
            assert!(error < 1e-12, "{hits} of {total}: {found:?}, off by {error}");
        }
        for (degrees, confidence, reach) in [
            (1.0, 0.99, 63.656_741_162_871_526),
            (5.0, 0.95, 2.570_581_835_636_315),
            (30.0, 0.999, 3.645_958_635_042_021_5),
            (999.0, 0.95, 1.962_341_461_133_449_5),
        ] {
            let found = quantile(degrees, confidence);
            assert!((found / reach - 1.0_f64).abs() < 1e-12, "{degrees} degrees: {found}");
        }
    }

    #[test]
    fn the_gamma_function_is_the_factorial() {
        near(log_gamma(5.0), 24.0_f64.ln());
        near(log_gamma(0.5), std::f64::consts::PI.sqrt().ln());
    }
}
