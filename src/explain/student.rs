//! Student's t distribution: the quantile behind 95 % confidence intervals.

use std::f64::consts::FRAC_2_PI;

/// The probability that a t variable with `degrees` degrees of freedom lies within ±`t`. The finite sums of M. Abramowitz
/// and I. A. Stegun, "Handbook of Mathematical Functions", 26.7.3 (odd) and 26.7.4 (even).
fn within(t: f64, degrees: u32) -> f64 {
    let theta = libm::atan(t / f64::from(degrees).sqrt());
    let (sine, cosine) = (libm::sin(theta), libm::cos(theta));
    let odd = degrees % 2 == 1;
    // Odd: cos θ + 2/3 cos³ θ + …; even: 1 + 1/2 cos² θ + …; up to the power degrees − 2.
    let mut term = if odd { cosine } else { 1.0 };
    let mut sum = 0.0;
    let mut power = u32::from(odd);
    while power + 2 <= degrees {
        sum += term;
        term *= f64::from(power + 1) / f64::from(power + 2) * cosine * cosine;
        power += 2;
    }
    if odd { FRAC_2_PI * (theta + sine * sum) } else { sine * sum }
}

/// The t for which a t variable with `degrees` (at least 1) degrees of freedom lies within ±t in 95 of 100 cases.
pub(super) fn t_95(degrees: u32) -> f64 {
    let (mut low, mut high) = (0.0, 20.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if within(middle, degrees.max(1)) < 0.95 {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of any textbook's table.
    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (degrees, t) in [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (10, 2.228), (30, 2.042)] {
            assert!((t_95(degrees) - t).abs() < 6e-4, "{degrees}: {}", t_95(degrees));
        }
    }
}
