//! The genetic search of `StringFuzz`'s `stringbreak`, the paper's baseline: mutation only, the slowest survive.
//!
//! `stringbreak` keeps a world of constant size, fills it with mutated copies of random survivors, and keeps the
//! slowest, ties to the older; it has no crossover. The world here is as large as our population, so that result sets
//! compare like with like.

use rand::{Rng, RngExt};

/// How often a child is mutated before it is tried (`stringbreak`: four rounds, each with a random mutator).
pub const MUTATION_ROUNDS: usize = 4;

/// Chooses the parent of each of `count` children uniformly among `size` survivors.
pub fn uniform_parents(size: usize, count: usize, rng: &mut impl Rng) -> Vec<usize> {
    if size == 0 {
        return Vec::new();
    }
    (0..count).map(|_| rng.random_range(0..size)).collect()
}

/// The `size` individuals with the longest times (seconds, by position), in ascending position; a tie goes to the lower
/// position, that is the older.
pub fn slowest(times: &[f64], size: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by(|&one, &other| times[other].total_cmp(&times[one]).then(one.cmp(&other)));
    order.truncate(size);
    order.sort_unstable();
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn the_slowest_survive_and_ties_go_to_the_older() {
        assert_eq!(slowest(&[0.1, 5.0, 0.3, 5.0, 5.0], 3), [1, 3, 4]);
        assert_eq!(slowest(&[0.1, 5.0, 0.3, 5.0, 5.0], 2), [1, 3]);
        assert_eq!(slowest(&[0.1], 3), [0]);
    }

    #[test]
    fn parents_are_drawn_from_all_survivors() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let parents = uniform_parents(3, 100, &mut rng);
        assert_eq!(parents.len(), 100);
        assert!((0..3).all(|each| parents.contains(&each)));
        assert!(uniform_parents(0, 5, &mut rng).is_empty());
    }
}
