//! What benchmarks report: less moved by a disturbed run than a mean.

/// The median; the upper one of two.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
