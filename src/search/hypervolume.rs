//! The exact hypervolume of a set of points in three dimensions: one number for how far a front has come.

use super::Objectives;

/// The volume that `points` dominate above `reference`, all objectives maximised. Points that do not exceed the
/// reference everywhere add nothing. Zero for no points.
///
/// Sweeps the third objective downwards: between two heights, the volume is the height times the area that the points
/// above dominate in the other two. Cubic at worst; fronts are small.
pub fn hypervolume(points: &[Objectives], reference: Objectives) -> f64 {
    let mut above: Vec<[f64; 3]> = points
        .iter()
        .map(|point| std::array::from_fn(|axis| point.0[axis] - reference.0[axis]))
        .filter(|point: &[f64; 3]| point.iter().all(|value| *value > 0.0))
        .collect();
    above.sort_by(|one, other| other[2].total_cmp(&one[2]));
    let mut volume = 0.0;
    for seen in 1..=above.len() {
        let floor = above.get(seen).map_or(0.0, |next| next[2]);
        let height = above[seen - 1][2] - floor;
        if height > 0.0 {
            volume += height * area(&above[..seen]);
        }
    }
    volume
}

/// The area between the origin and the staircase of the points' first two objectives.
fn area(points: &[[f64; 3]]) -> f64 {
    let mut corners: Vec<(f64, f64)> = points.iter().map(|point| (point[0], point[1])).collect();
    corners.sort_by(|one, other| other.0.total_cmp(&one.0).then(other.1.total_cmp(&one.1)));
    let mut highest = 0.0;
    let mut sum = 0.0;
    for (x, y) in corners {
        if y > highest {
            sum += x * (y - highest);
            highest = y;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ORIGIN: Objectives = Objectives([0.0; 3]);

    #[test]
    fn one_point_is_a_box() {
        assert_eq!(hypervolume(&[Objectives([2.0, 3.0, 4.0])], ORIGIN), 24.0);
        assert_eq!(hypervolume(&[Objectives([2.0, 3.0, -7.0])], Objectives([0.0, 0.0, -10.0])), 18.0);
    }

    #[test]
    fn a_hand_worked_front() {
        // Boxes 3x1x1, 1x3x1, 1x1x3 overlap in the unit cube only: 3 * 3 - 2.
        let points = [[3.0, 1.0, 1.0], [1.0, 3.0, 1.0], [1.0, 1.0, 3.0]].map(Objectives);
        assert_eq!(hypervolume(&points, ORIGIN), 7.0);
    }

    #[test]
    fn points_below_the_reference_add_nothing() {
        assert_eq!(hypervolume(&[], ORIGIN), 0.0);
        assert_eq!(hypervolume(&[Objectives([5.0, 0.0, 5.0]), Objectives([5.0, -1.0, 5.0])], ORIGIN), 0.0);
    }

    proptest! {
        #[test]
        fn it_counts_the_unit_cubes_that_are_dominated(
            points in proptest::collection::vec(proptest::array::uniform3(0_u8..6), 0..12)
        ) {
            let cubes = (0..216_u32).filter(|cube| {
                let corner = [cube % 6, cube / 6 % 6, cube / 36];
                points.iter().any(|point| (0..3).all(|axis| u32::from(point[axis]) > corner[axis]))
            });
            let points: Vec<Objectives> = points.iter().map(|point| Objectives(point.map(f64::from))).collect();
            prop_assert_eq!(hypervolume(&points, ORIGIN), cubes.count() as f64);
        }
    }
}
