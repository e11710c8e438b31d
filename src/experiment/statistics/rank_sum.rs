//! Whether two arms differ: the Mann-Whitney U test, and Holm's correction for asking many times.

use super::effect::a12;

/// The result of a two-sided Mann-Whitney U test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankSum {
    /// The statistic of the first sample: pairs in which it is the larger, ties counted by half.
    pub u: f64,
    /// The probability of a U as far from its mean, if both samples were drawn from one distribution.
    pub p: f64,
}

/// Without ties, if a sample is no larger than this, p comes from the exact distribution of U (as in `SciPy`).
const EXACT: usize = 8;

/// The two-sided test of `xs` against `ys`: exact for small samples without ties, else by the normal approximation with
/// corrections for ties and for continuity. `None` if a sample is empty or holds a NaN.
pub fn rank_sum(xs: &[f64], ys: &[f64]) -> Option<RankSum> {
    let mut all = [xs, ys].concat();
    if xs.is_empty() || ys.is_empty() || all.iter().any(|value| value.is_nan()) {
        return None;
    }
    all.sort_by(f64::total_cmp);
    let pairs = (xs.len() * ys.len()) as f64;
    let u = a12(xs, ys)? * pairs;
    let larger = u.max(pairs - u);
    let ties = tie_sizes(&all);
    let one_sided = if ties.is_empty() && xs.len().min(ys.len()) <= EXACT {
        exact_tail(larger as usize, xs.len(), ys.len())
    } else {
        normal_tail(larger, xs.len() as f64, ys.len() as f64, &ties)
    };
    Some(RankSum { u, p: (2.0 * one_sided).min(1.0) })
}

/// How many values are equal, for each value that occurs more than once.
fn tie_sizes(sorted: &[f64]) -> Vec<f64> {
    let groups = sorted.chunk_by(|one, other| one == other);
    groups.map(|group| group.len() as f64).filter(|&size| size > 1.0).collect()
}

/// The probability of a U of at least `u` for samples of these sizes without ties. The number of ways to get each U is
/// a coefficient of the Gaussian binomial: the product of (1 − q^(m+i)) ⁄ (1 − q^i) for i from 1 to n.
fn exact_tail(u: usize, n: usize, m: usize) -> f64 {
    let (n, m) = (n.min(m), n.max(m));
    let mut ways = vec![0.0; n * m + 1];
    ways[0] = 1.0;
    for i in 1..=n {
        for power in (m + i..ways.len()).rev() {
            ways[power] -= ways[power - m - i];
        }
        for power in i..ways.len() {
            ways[power] += ways[power - i];
        }
    }
    ways.get(u..).unwrap_or_default().iter().sum::<f64>() / ways.iter().sum::<f64>()
}

/// The same by the normal approximation; 1 where nothing differs at all.
fn normal_tail(u: f64, n: f64, m: f64, ties: &[f64]) -> f64 {
    let total = n + m;
    let tied: f64 = ties.iter().map(|size| size.powi(3) - size).sum();
    let variance = n * m / 12.0 * (total + 1.0 - tied / (total * (total - 1.0)));
    if variance <= 0.0 {
        return 1.0;
    }
    let z = (u - n * m / 2.0 - 0.5) / variance.sqrt();
    0.5 * libm::erfc(z / std::f64::consts::SQRT_2)
}

/// The p-values corrected for testing that many hypotheses (Holm, 1979): each at least as large as before, in the order
/// given.
pub fn holm(ps: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..ps.len()).collect();
    order.sort_by(|&one, &other| ps[one].total_cmp(&ps[other]));
    let mut corrected = vec![0.0; ps.len()];
    let mut largest: f64 = 0.0;
    for (rank, &index) in order.iter().enumerate() {
        largest = largest.max(ps[index] * (ps.len() - rank) as f64).min(1.0);
        corrected[index] = largest;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_against_three_cannot_be_surer_than_one_in_ten() {
        let apart = rank_sum(&[4.0, 5.0, 6.0], &[1.0, 2.0, 3.0]).unwrap();
        assert_eq!(apart.u, 9.0);
        assert!((apart.p - 0.1).abs() < 1e-12, "{apart:?}");
        assert_eq!(rank_sum(&[], &[1.0]), None);
        assert_eq!(rank_sum(&[f64::NAN], &[1.0]), None);
        assert_eq!(rank_sum(&[2.0, 2.0], &[2.0]), Some(RankSum { u: 1.0, p: 1.0 }));
    }

    #[test]
    fn holm_multiplies_the_smallest_by_the_number_of_tests_and_keeps_the_order() {
        // Worked by hand: 0.01 × 3, then 0.02 × 2 = 0.04, then 0.03 × 1, which may not fall below 0.04.
        let corrected = holm(&[0.03, 0.01, 0.02]);
        for (corrected, expected) in corrected.iter().zip([0.04, 0.03, 0.04]) {
            assert!((corrected - expected).abs() < 1e-12);
        }
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
    }
}
