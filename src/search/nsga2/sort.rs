//! The fast non-dominated sort of NSGA-II.

use crate::search::Objectives;

/// Sorts individuals into fronts, the best first: front 0 holds those whom nobody dominates, front *k* those whom only
/// members of fronts before *k* dominate. Every position occurs exactly once; each front is in ascending order.
///
/// Quadratic in the number of individuals, which is at most twice the population: 3,160 comparisons at 80.
pub fn fast_non_dominated_sort(objectives: &[Objectives]) -> Vec<Vec<usize>> {
    let count = objectives.len();
    let mut dominated_by_me: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut dominators_left = vec![0_usize; count];
    for first in 0..count {
        for second in first + 1..count {
            if objectives[first].dominates(objectives[second]) {
                dominated_by_me[first].push(second);
                dominators_left[second] += 1;
            } else if objectives[second].dominates(objectives[first]) {
                dominated_by_me[second].push(first);
                dominators_left[first] += 1;
            }
        }
    }
    let mut front: Vec<usize> = (0..count).filter(|&each| dominators_left[each] == 0).collect();
    let mut fronts = Vec::new();
    while !front.is_empty() {
        let mut next = Vec::new();
        for &dominator in &front {
            for &dominated in &dominated_by_me[dominator] {
                dominators_left[dominated] -= 1;
                if dominators_left[dominated] == 0 {
                    next.push(dominated);
                }
            }
        }
        next.sort_unstable();
        fronts.push(std::mem::replace(&mut front, next));
    }
    fronts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sorts_a_hand_worked_example() {
        let points = [
            [5.0, 1.0, -9.0], // 0: front 0, best time
            [1.0, 9.0, -9.0], // 1: front 0, best coverage
            [1.0, 1.0, -2.0], // 2: front 0, simplest
            [1.0, 1.0, -9.0], // 3: dominated by 0, 1 and 2
            [5.0, 1.0, -9.0], // 4: equal to 0, so front 0
            [0.5, 0.5, -9.5], // 5: dominated by 3 too
        ];
        assert_eq!(fast_non_dominated_sort(&points.map(Objectives)), [vec![0, 1, 2, 4], vec![3], vec![5]]);
    }

    #[test]
    fn nobody_makes_no_front() {
        assert!(fast_non_dominated_sort(&[]).is_empty());
    }

    proptest! {
        #[test]
        fn fronts_partition_and_respect_dominance(
            points in proptest::collection::vec(proptest::array::uniform3(-3_i8..4), 0..50)
        ) {
            let points: Vec<Objectives> = points.iter().map(|point| Objectives(point.map(f64::from))).collect();
            let fronts = fast_non_dominated_sort(&points);
            let mut all: Vec<usize> = fronts.concat();
            all.sort_unstable();
            prop_assert_eq!(all, (0..points.len()).collect::<Vec<_>>());
            for (rank, front) in fronts.iter().enumerate() {
                prop_assert!(!front.is_empty());
                for &member in front {
                    for later in fronts[rank..].iter().flatten() {
                        prop_assert!(!points[*later].dominates(points[member]));
                    }
                    if rank > 0 {
                        prop_assert!(fronts[rank - 1].iter().any(|&each| points[each].dominates(points[member])));
                    }
                }
            }
        }
    }
}
