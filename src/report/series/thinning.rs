//! Scatters of many points, thinned so that nobody sees a difference: points that would be drawn at one place are drawn
//! once.

use std::collections::BTreeSet;

/// What is left of a scatter.
#[derive(Clone, Debug, PartialEq)]
pub struct Thinned {
    /// The points that stay, in their order.
    pub points: Vec<(f64, f64)>,
    /// Points that are in one square of this width are drawn once.
    pub width: f64,
}

/// Keeps the first point in each square of a grid, the finest of squares half a unit wide and its doubles that leaves at
/// most `most` points.
pub fn thin(points: &[(f64, f64)], most: usize) -> Thinned {
    let mut width = 0.5;
    loop {
        let mut taken = BTreeSet::new();
        let square = |(x, y): &(f64, f64)| ((x / width).floor() as i64, (y / width).floor() as i64);
        let points: Vec<(f64, f64)> = points.iter().filter(|point| taken.insert(square(point))).copied().collect();
        if points.len() <= most.max(1) {
            return Thinned { points, width };
        }
        width *= 2.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_at_one_place_are_drawn_once() {
        let points = [(0.0, 0.0), (0.4, 0.1), (0.6, 0.0), (5.0, 5.0), (0.0, 0.0)];
        assert_eq!(thin(&points, 10), Thinned { points: vec![(0.0, 0.0), (0.6, 0.0), (5.0, 5.0)], width: 0.5 });
        assert_eq!(thin(&points, 2), Thinned { points: vec![(0.0, 0.0), (5.0, 5.0)], width: 1.0 });
        assert_eq!(thin(&points, 0).points.len(), 1);
    }
}
