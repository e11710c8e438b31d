//! Confidence intervals of shares.

/// The standard normal distribution's 97.5 % quantile.
const Z: f64 = 1.959_963_984_540_054;

/// Wilson's score interval (95 %) of a share: `successes` of `trials`. The whole range 0 to 1 without trials.
pub fn wilson(successes: usize, trials: usize) -> (f64, f64) {
    if trials == 0 {
        return (0.0, 1.0);
    }
    let count = trials as f64;
    let share = successes as f64 / count;
    let square = Z * Z;
    let middle = share + square / (2.0 * count);
    let half = Z * (share * (1.0 - share) / count + square / (4.0 * count * count)).sqrt();
    let whole = 1.0 + square / count;
    // The ends that are exact are not left to rounding.
    let low = if successes == 0 { 0.0 } else { ((middle - half) / whole).max(0.0) };
    let high = if successes == trials { 1.0 } else { ((middle + half) / whole).min(1.0) };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilsons_interval_is_the_published_one() {
        // Newcombe (1998), Table I, method 3: 81 of 263, and 0 of 20.
        let (low, high) = wilson(81, 263);
        assert!((low - 0.2553).abs() < 5e-5 && (high - 0.3662).abs() < 5e-5, "{low} {high}");
        let (low, high) = wilson(0, 20);
        assert!(low == 0.0 && (high - 0.1611).abs() < 5e-5, "{low} {high}");
        assert_eq!((wilson(0, 3).0, wilson(3, 3).1, wilson(0, 0)), (0.0, 1.0, (0.0, 1.0)));
    }
}
