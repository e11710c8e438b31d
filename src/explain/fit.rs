//! The law by which time grows with size: polynomial or exponential, fitted by least squares.
//!
//! Times span orders of magnitude, and their error is relative: the logarithm of time is fitted, against the logarithm of
//! size (its slope is a polynomial's degree) and against size itself (its slope is the logarithm of an exponential's
//! base). The form with the smaller residuals is reported; both have two parameters, so no more need be said for either.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Fewest points that a law is fitted to.
pub(super) const FEWEST_POINTS: usize = 4;

/// The form of a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// Time is proportional to size to the power of the rate.
    Polynomial,
    /// Time is multiplied by the rate for each unit of size.
    Exponential,
}

/// A fitted law.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fit {
    /// Its form: the one with the smaller residuals.
    pub form: Form,
    /// The degree of a polynomial, or the base of an exponential.
    pub rate: f64,
    /// The lower end of the rate's 95 % confidence interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// R² of the fit of the logarithm of time, 0 to 1.
    pub r_squared: f64,
    /// R² of the other form.
    pub r_squared_of_other: f64,
    /// Points that were fitted.
    pub points: usize,
    /// Sizes at which the target ran out of time although the law predicts less than the limit: it grows faster there.
    pub exceeded_at: Vec<f64>,
}

/// What the points say of the target's growth.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Law {
    /// A law was fitted.
    Fitted(Fit),
    /// Fewer than four sizes have an answer that took measurably long.
    TooFewPoints {
        /// How many have.
        usable: usize,
    },
    /// Time or memory ran out at every size.
    SlowAtEverySize,
    /// Every size was answered within what cannot be told from the time of the trivial script.
    FastAtEverySize,
}

/// A line through points: `y = intercept + slope·x`.
struct Line {
    intercept: f64,
    slope: f64,
    /// Standard error of the slope.
    error: f64,
    residual: f64,
    r_squared: f64,
}

/// The least-squares line; `None` if all x are the same.
fn line(points: &[(f64, f64)]) -> Option<Line> {
    let count = points.len() as f64;
    let (sum_x, sum_y) = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
    let (mean_x, mean_y) = (sum_x / count, sum_y / count);
    let sum = |term: &dyn Fn(f64, f64) -> f64| points.iter().map(|(x, y)| term(x - mean_x, y - mean_y)).sum::<f64>();
    let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
    if points.len() < 3 || xx <= 0.0 {
        return None;
    }
    let slope = xy / xx;
    let residual = sum(&|x, y| (y - slope * x) * (y - slope * x));
    let r_squared = if yy > 0.0 { (1.0 - residual / yy).max(0.0) } else { 1.0 };
    let error = (residual / (count - 2.0) / xx).sqrt();
    Some(Line { intercept: mean_y - slope * mean_x, slope, error, residual, r_squared })
}

/// Fits both forms to `(size, seconds)` pairs of positive size and time, and keeps the better one. `ran_out` are the
/// sizes at which the target used up `limit` seconds: lower bounds, which are not fitted but compared. `None` if there
/// are fewer than [`FEWEST_POINTS`] points.
pub(super) fn fit(points: &[(f64, f64)], ran_out: &[f64], limit: f64) -> Option<Fit> {
    if points.len() < FEWEST_POINTS {
        return None;
    }
    let powers: Vec<_> = points.iter().map(|(size, seconds)| (libm::log(*size), libm::log(*seconds))).collect();
    let exponentials: Vec<_> = points.iter().map(|(size, seconds)| (*size, libm::log(*seconds))).collect();
    let (power, exponential) = (line(&powers)?, line(&exponentials)?);
    let polynomial = power.residual <= exponential.residual;
    let (form, best, other) =
        if polynomial { (Form::Polynomial, power, exponential) } else { (Form::Exponential, exponential, power) };
    let place = |size: f64| if polynomial { libm::log(size) } else { size };
    let rate = |slope: f64| if polynomial { slope } else { libm::exp(slope) };
    let margin = t_95(points.len() as u32 - 2) * best.error;
    let predicted = |size: f64| libm::exp(best.intercept + best.slope * place(size));
    Some(Fit {
        form,
        rate: rate(best.slope),
        low: rate(best.slope - margin),
        high: rate(best.slope + margin),
        r_squared: best.r_squared,
        r_squared_of_other: other.r_squared,
        points: points.len(),
        exceeded_at: ran_out.iter().copied().filter(|size| predicted(*size) < limit).collect(),
    })
}

/// The t for which a t variable with `degrees` (at least 1) degrees of freedom lies within ±t in 95 of 100 cases, to nine
/// places: the last bits of the logarithms behind it differ between machines.
fn t_95(degrees: u32) -> f64 {
    let student = StudentsT::new(0.0, 1.0, f64::from(degrees.max(1)));
    student.map_or(f64::INFINITY, |student| (student.inverse_cdf(0.975) * 1e9).round() / 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What our own sums (Abramowitz and Stegun 26.7.3 and 26.7.4) gave before; those of any textbook's table.
    #[test]
    fn quantiles_of_t_are_as_they_were() {
        let before = [
            (1, 12.706_204_736_2),
            (2, 4.302_652_729_7),
            (3, 3.182_446_305_3),
            (4, 2.776_445_105_2),
            (9, 2.262_157_162_8),
            (10, 2.228_138_852_0),
            (30, 2.042_272_456_3),
        ];
        for (degrees, t) in before {
            assert!((t_95(degrees) - t).abs() < 1e-9, "{degrees}: {}", t_95(degrees));
        }
    }

    #[test]
    fn a_cubic_and_a_doubling_are_told_apart() {
        let cubic: Vec<_> = [2.0, 4.0, 8.0, 16.0].map(|size: f64| (size, 0.01 * size.powi(3))).into();
        let fitted = fit(&cubic, &[20.0, 40.0], 100.0).expect("four points");
        assert_eq!((fitted.form, fitted.points), (Form::Polynomial, 4));
        assert!((fitted.rate - 3.0).abs() < 1e-9 && fitted.r_squared > 0.999_999);
        assert_eq!(fitted.exceeded_at, [20.0], "80 s are predicted there, and 640 s at 40");
        let doubling: Vec<_> = [1.0, 2.0, 3.0, 4.0, 6.0].map(|size: f64| (size, 0.1 * size.exp2())).into();
        let fitted = fit(&doubling, &[], 5.0).expect("five points");
        assert_eq!(fitted.form, Form::Exponential);
        assert!((fitted.rate - 2.0).abs() < 1e-9 && fitted.r_squared_of_other < fitted.r_squared);
    }

    /// y = 1, 2, 2, 3 at x = 0, 1, 2, 3: slope 0.6, residual 0.2, error √(0.2/2/5), R² 0.9; t of 2 degrees is 4.3027.
    #[test]
    fn a_line_and_its_interval_are_those_worked_by_hand() {
        let points = [(0.0, 1.0), (1.0, 2.0), (2.0, 2.0), (3.0, 3.0)];
        let by_hand = line(&points).expect("different x");
        assert!((by_hand.slope - 0.6).abs() < 1e-12 && (by_hand.intercept - 1.1).abs() < 1e-12);
        assert!((by_hand.residual - 0.2).abs() < 1e-12 && (by_hand.r_squared - 0.9).abs() < 1e-12);
        assert!((by_hand.error - 0.02_f64.sqrt()).abs() < 1e-12);
        let powers = points.map(|(x, y): (f64, f64)| (x.exp(), y.exp()));
        let fitted = fit(&powers, &[], 5.0).expect("four points");
        assert!((fitted.low - (0.6 - 4.302_65 * 0.02_f64.sqrt())).abs() < 1e-4, "{fitted:?}");
        assert!((fitted.high - (0.6 + 4.302_65 * 0.02_f64.sqrt())).abs() < 1e-4);
    }

    #[test]
    fn three_points_are_too_few_and_one_size_is_no_growth() {
        assert_eq!(fit(&[(1.0, 1.0), (2.0, 2.0), (3.0, 3.0)], &[], 5.0), None);
        assert_eq!(fit(&[(1.0, 1.0), (1.0, 2.0), (1.0, 3.0), (1.0, 2.0)], &[], 5.0), None);
    }
}
