//! Crowding within a front: by traces (Eq. 4), and NSGA-II's own by objectives.

use crate::search::Objectives;

/// Tells how similar two individuals are (Eq. 3): from 0, nothing in common, to 1, the same.
pub trait Similarity {
    /// The similarity of the individuals at two positions. Symmetric.
    fn similarity(&self, one: usize, other: usize) -> f64;
}

impl<F: Fn(usize, usize) -> f64> Similarity for F {
    fn similarity(&self, one: usize, other: usize) -> f64 {
        self(one, other)
    }
}

/// Crowding of a front's only member: Eq. 4 would divide by zero, and nobody crowds it.
const LONE_MEMBER: f64 = 1.0;

/// Eq. 4: one minus the mean similarity to the others of the front; from 0, crowded, to 1, alone. In the front's order.
pub fn trace_crowding(front: &[usize], similarity: &(impl Similarity + ?Sized)) -> Vec<f64> {
    if front.len() < 2 {
        return vec![LONE_MEMBER; front.len()];
    }
    let mut sums = vec![0.0; front.len()];
    for first in 0..front.len() {
        for second in first + 1..front.len() {
            let value = similarity.similarity(front[first], front[second]);
            sums[first] += value;
            sums[second] += value;
        }
    }
    let others = (front.len() - 1) as f64;
    sums.iter().map(|sum| 1.0 - sum / others).collect()
}

/// NSGA-II's crowding distance: for each objective, the gap between a point's two neighbours over the objective's
/// range, summed; ∞ at the ends of each objective. An objective that is constant in the front says nothing. In the
/// front's order.
pub fn crowding_distance(front: &[usize], objectives: &[Objectives]) -> Vec<f64> {
    let mut distances = vec![0.0; front.len()];
    if front.len() < 3 {
        distances.fill(f64::INFINITY);
        return distances;
    }
    for axis in 0..Objectives::COUNT {
        let value = |place: usize| objectives[front[place]].0[axis];
        let mut order: Vec<usize> = (0..front.len()).collect();
        order.sort_by(|&one, &other| value(one).total_cmp(&value(other)).then(one.cmp(&other)));
        let (lowest, highest) = (order[0], order[order.len() - 1]);
        let range = value(highest) - value(lowest);
        if range <= 0.0 {
            continue;
        }
        distances[lowest] = f64::INFINITY;
        distances[highest] = f64::INFINITY;
        for around in order.windows(3) {
            distances[around[1]] += (value(around[2]) - value(around[0])) / range;
        }
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn trace_crowding_of_three_is_one_minus_the_mean() {
        // Similarities: 7-8 0.5, 7-9 0.1, 8-9 0.25.
        let table = |one: usize, other: usize| match one + other {
            15 => 0.5,
            16 => 0.1,
            17 => 0.25,
            _ => panic!("asked for {one} and {other}"),
        };
        let crowding = trace_crowding(&[7, 8, 9], &table);
        assert_eq!(crowding, [1.0 - 0.6 / 2.0, 1.0 - 0.75 / 2.0, 1.0 - 0.35 / 2.0]);
    }

    #[test]
    fn a_lone_member_crowds_to_one_and_twins_to_zero() {
        assert_eq!(trace_crowding(&[3], &|_: usize, _: usize| panic!("no pair")), [1.0]);
        assert_eq!(trace_crowding(&[0, 1], &|_: usize, _: usize| 1.0), [0.0, 0.0]);
        assert!(trace_crowding(&[], &|_: usize, _: usize| 1.0).is_empty());
    }

    #[test]
    fn crowding_distance_of_a_hand_worked_line() {
        let points = [[0.0, 4.0, 0.0], [1.0, 3.0, 0.0], [3.0, 1.0, 0.0], [4.0, 0.0, 0.0]].map(Objectives);
        let distances = crowding_distance(&[0, 1, 2, 3], &points);
        assert_eq!(distances, [f64::INFINITY, 1.5, 1.5, f64::INFINITY]);
    }

    #[test]
    fn equal_points_do_not_divide_by_zero() {
        let points = [Objectives([1.0, 1.0, 1.0]); 4];
        assert_eq!(crowding_distance(&[0, 1, 2, 3], &points), [0.0; 4]);
    }

    proptest! {
        #[test]
        fn boundary_points_crowd_to_infinity(
            points in proptest::collection::vec(proptest::array::uniform3(-50_i32..50), 3..30)
        ) {
            let points: Vec<Objectives> = points.iter().map(|point| Objectives(point.map(f64::from))).collect();
            let front: Vec<usize> = (0..points.len()).collect();
            let distances = crowding_distance(&front, &points);
            for axis in 0..Objectives::COUNT {
                let of = |place: &usize| points[*place].0[axis];
                let highest = front.iter().map(of).fold(f64::MIN, f64::max);
                let lowest = front.iter().map(of).fold(f64::MAX, f64::min);
                if highest > lowest {
                    prop_assert!(front.iter().any(|place| of(place) == highest && distances[*place].is_infinite()));
                    prop_assert!(front.iter().any(|place| of(place) == lowest && distances[*place].is_infinite()));
                }
            }
            prop_assert!(distances.iter().all(|distance| *distance >= 0.0));
        }
    }
}
