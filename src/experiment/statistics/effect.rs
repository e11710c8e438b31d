//! How much two arms differ: Vargha and Delaney's A12 (JEBS 25(2), 2000).

use std::cmp::Ordering;

/// The probability that a value of `xs` is larger than one of `ys`, ties counted by half: 0 to 1, 0.5 if neither tends to
/// be larger; `None` if a sample is empty.
pub fn a12(xs: &[f64], ys: &[f64]) -> Option<f64> {
    let pairs = xs.len() * ys.len();
    let score = |x: f64, y: f64| match x.total_cmp(&y) {
        Ordering::Greater => 1.0,
        Ordering::Equal => 0.5,
        Ordering::Less => 0.0,
    };
    let sum: f64 = xs.iter().flat_map(|&x| ys.iter().map(move |&y| score(x, y))).sum();
    (pairs > 0).then(|| sum / pairs as f64)
}

/// How large a difference is, in Vargha and Delaney's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Magnitude {
    /// A12 within 0.06 of 0.5.
    Negligible,
    /// Within 0.14.
    Small,
    /// Within 0.21.
    Medium,
    /// Beyond.
    Large,
}

impl Magnitude {
    /// The word.
    pub fn name(self) -> &'static str {
        match self {
            Magnitude::Negligible => "negligible",
            Magnitude::Small => "small",
            Magnitude::Medium => "medium",
            Magnitude::Large => "large",
        }
    }
}

/// The word for an A12.
pub fn magnitude(a12: f64) -> Magnitude {
    match (a12 - 0.5).abs() {
        distance if distance < 0.06 => Magnitude::Negligible,
        distance if distance < 0.14 => Magnitude::Small,
        distance if distance < 0.21 => Magnitude::Medium,
        _ => Magnitude::Large,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted() {
        assert_eq!(a12(&[2.0, 3.0], &[1.0, 2.0]), Some(3.5 / 4.0));
        assert_eq!(a12(&[1.0], &[1.0]), Some(0.5));
        assert_eq!(a12(&[], &[1.0]), None);
        assert_eq!(magnitude(0.5), Magnitude::Negligible);
        assert_eq!(magnitude(0.36), Magnitude::Medium);
        assert_eq!(magnitude(0.9), Magnitude::Large);
    }
}
