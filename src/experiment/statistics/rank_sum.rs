//! Whether two arms differ: the Mann-Whitney U test, and Holm's correction for asking many times.

use statrs::stats_tests::Alternative;
use statrs::stats_tests::mannwhitneyu::{MannWhitneyUMethod, mannwhitneyu};

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
///
/// The exact distribution is ours: the one in `statrs` 0.19 answers 1 minus the tail where the first sample is the
/// smaller one (see the tests), and walks through all subsets.
pub fn rank_sum(xs: &[f64], ys: &[f64]) -> Option<RankSum> {
    let method = MannWhitneyUMethod::AsymptoticInclContinuityCorrection;
    let (u, approximate) = mannwhitneyu(xs, ys, method, Alternative::TwoSided).ok()?;
    let p = if xs.len().min(ys.len()) <= EXACT && !has_ties(xs, ys) {
        let larger = u.max((xs.len() * ys.len()) as f64 - u);
        (2.0 * exact_tail(larger as usize, xs.len(), ys.len())).min(1.0)
    } else {
        approximate
    };
    Some(RankSum { u, p })
}

fn has_ties(xs: &[f64], ys: &[f64]) -> bool {
    let mut all = [xs, ys].concat();
    all.sort_by(f64::total_cmp);
    all.windows(2).any(|pair| pair[0] == pair[1])
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

    /// What the normal approximation gave before `statrs` computed it: with ties, and with more than eight values each.
    #[test]
    fn the_approximation_is_as_it_was() {
        let tied = rank_sum(&[1.0, 2.0, 2.0, 3.0, 5.0], &[2.0, 4.0, 5.0, 6.0]).unwrap();
        assert_eq!(tied.u, 4.5);
        assert!((tied.p - TIED).abs() < 1e-9, "{tied:?}");
        let values = |from: u32| (from..from + 10).map(|value| f64::from(value) * 1.1).collect::<Vec<f64>>();
        let shifted: Vec<f64> = values(4).iter().map(|value| value + 0.05).collect();
        let large = rank_sum(&values(1), &shifted).unwrap();
        assert_eq!(large.u, 21.0);
        assert!((large.p - LARGE).abs() < 1e-9, "{large:?}");
    }

    /// Computed with `libm`'s erfc, from which p came before.
    const TIED: f64 = 0.210_902_926_056_610_4;
    const LARGE: f64 = 0.031_209_012_771_740_2;

    /// Why the exact distribution is not taken from `statrs`. If this fails, [`exact_tail`] may go.
    #[test]
    fn the_exact_test_of_statrs_fails_if_the_first_sample_is_no_larger() {
        let test =
            |xs: &[f64], ys: &[f64]| mannwhitneyu(xs, ys, MannWhitneyUMethod::Exact, Alternative::TwoSided).unwrap().1;
        assert_eq!(test(&[4.0, 5.0, 6.0], &[1.0, 2.0, 3.0]), 1.0, "it is 0.1");
        assert!((rank_sum(&[4.0, 5.0, 6.0], &[1.0, 2.0, 3.0]).unwrap().p - 0.1).abs() < 1e-12);
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
