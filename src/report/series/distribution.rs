//! Distributions of solving times, in which an instance that was not solved counts too.

/// The cumulative distribution of solving times, as in the paper's Fig. 3: the share of all `count` instances that were
/// solved within a time. `solved` are the times of those that were; the rest makes the curve end below 1. A step function:
/// (time, the share from there on), with one corner for each time.
pub fn cdf(solved: &[f64], count: usize) -> Vec<(f64, f64)> {
    let mut times = solved.to_vec();
    times.sort_by(f64::total_cmp);
    let mut corners: Vec<(f64, f64)> = Vec::new();
    for (index, time) in times.iter().enumerate() {
        let share = (index + 1) as f64 / count.max(1) as f64;
        match corners.last_mut() {
            Some(last) if last.0 == *time => last.1 = share,
            _ => corners.push((*time, share)),
        }
    }
    corners
}

/// The cactus plot's points: (n, the time within which n instances were solved, each for itself).
pub fn cactus(solved: &[f64]) -> Vec<(f64, f64)> {
    let mut times = solved.to_vec();
    times.sort_by(f64::total_cmp);
    times.into_iter().enumerate().map(|(index, time)| ((index + 1) as f64, time)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts_keep_the_distribution_below_one() {
        // Five instances: two are solved at 0.5 s, one at 2 s, two are not.
        assert_eq!(cdf(&[2.0, 0.5, 0.5], 5), [(0.5, 0.4), (2.0, 0.6)]);
        assert_eq!(cdf(&[], 3), []);
    }

    #[test]
    fn a_cactus_counts_the_solved() {
        assert_eq!(cactus(&[3.0, 1.0, 2.0]), [(1.0, 1.0), (2.0, 2.0), (3.0, 3.0)]);
    }
}
