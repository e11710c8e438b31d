//! When a search had got as far as it would get (Figs. 4 and 6; the paper leaves the moment undefined).

/// How near the final value counts as there: 5 %.
const NEAR: f64 = 0.05;

/// The first moment from which on the value stays within 5 % of its final one. `points` are moments (CPU seconds, or
/// generations) with values, in order; `None` of nothing.
pub fn convergence(points: &[(f64, f64)]) -> Option<f64> {
    let (_, last) = points.last()?;
    let far = |value: f64| (value - last).abs() > NEAR * last.abs();
    let first = points.iter().rposition(|&(_, value)| far(value)).map_or(0, |far| far + 1);
    points.get(first).map(|(moment, _)| *moment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_when_the_value_stays_near_its_end() {
        assert_eq!(convergence(&[]), None);
        assert_eq!(convergence(&[(7.0, 0.0)]), Some(7.0));
        // 9.6 at 2 is near 10, but 8 at 3 is not; from 4 on it stays.
        assert_eq!(convergence(&[(1.0, 4.0), (2.0, 9.6), (3.0, 8.0), (4.0, 9.7), (5.0, 10.0)]), Some(4.0));
        assert_eq!(convergence(&[(1.0, 10.0), (2.0, 10.2)]), Some(1.0));
    }
}
