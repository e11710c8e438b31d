//! The genetic search of `StringFuzz`'s `stringbreak`, the paper's baseline: mutation only, the slowest survive.
//!
//! `stringbreak` begins with one script and keeps a *world* of constant size: three survivors, and mutated copies of them.
//! The slowest three of a world survive; it has no crossover. It times scripts by the clock, so that no two are equally slow.
//! Times that are cut at a limit often are, so that chance decides among them: if the older survived, a world of three
//! timeouts would never change again.

use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

/// How many scripts a world has (`stringbreak`).
pub const WORLD: usize = 10;

/// How many of a world survive (`stringbreak`).
pub const SURVIVORS: usize = 3;

/// How often a child is mutated before it is tried (`stringbreak`: four rounds, each with a random mutator).
pub const MUTATION_ROUNDS: usize = 4;

/// How often `stringbreak` times a script, of which the median counts.
pub const TIMINGS: u32 = 8;

/// How many children the survivors of a world have: as many as complete the next one.
pub fn children(survivors: usize) -> usize {
    WORLD.saturating_sub(survivors)
}

/// Chooses the parent of each of `count` children uniformly among `size` survivors.
pub fn uniform_parents(size: usize, count: usize, rng: &mut impl Rng) -> Vec<usize> {
    if size == 0 {
        return Vec::new();
    }
    (0..count).map(|_| rng.random_range(0..size)).collect()
}

/// The members of a world that survive (their positions, ascending): the slowest, by their times in seconds. Chance decides
/// among equally slow ones.
pub fn survivors(world: &[(usize, f64)], rng: &mut impl Rng) -> Vec<usize> {
    let mut order = world.to_vec();
    order.shuffle(rng);
    order.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let mut survivors: Vec<usize> = order.into_iter().take(SURVIVORS).map(|(index, _)| index).collect();
    survivors.sort_unstable();
    survivors
}

/// The `size` slowest of all (their positions, ascending), by their times in seconds: the result of the search so far. Who
/// is in `always` is among them, and a tie goes to the lower position, that is the older.
pub fn slowest(times: &[f64], always: &[usize], size: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by(|&one, &other| {
        let by_place = always.contains(&other).cmp(&always.contains(&one));
        by_place.then_with(|| times[other].total_cmp(&times[one])).then(one.cmp(&other))
    });
    order.truncate(size.max(always.len()));
    order.sort_unstable();
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn the_slowest_of_a_world_survive_and_chance_decides_among_equals() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        assert_eq!(survivors(&[(0, 0.1), (4, 5.0), (5, 0.3), (7, 4.0), (9, 0.2)], &mut rng), [4, 5, 7]);
        assert_eq!(survivors(&[(3, 0.1)], &mut rng), [3]);
        let equal: Vec<(usize, f64)> = (0..10).map(|index| (index, 5.0)).collect();
        let mut seen = [false; 10];
        for _ in 0..100 {
            for index in survivors(&equal, &mut rng) {
                seen[index] = true;
            }
        }
        assert_eq!(seen, [true; 10]);
    }

    #[test]
    fn the_result_holds_the_slowest_of_all_and_whoever_has_children() {
        assert_eq!(slowest(&[0.1, 5.0, 0.3, 5.0, 5.0], &[], 3), [1, 3, 4]);
        assert_eq!(slowest(&[0.1, 5.0, 0.3, 5.0, 5.0], &[], 2), [1, 3]);
        assert_eq!(slowest(&[0.1, 5.0, 0.3, 5.0, 5.0], &[4, 2], 3), [1, 2, 4]);
        assert_eq!(slowest(&[0.1, 5.0, 0.3], &[0, 1, 2], 1), [0, 1, 2]);
    }

    #[test]
    fn parents_are_drawn_from_all_survivors() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let parents = uniform_parents(3, 100, &mut rng);
        assert_eq!(parents.len(), 100);
        assert!((0..3).all(|each| parents.contains(&each)));
        assert!(uniform_parents(0, 5, &mut rng).is_empty());
        assert_eq!([children(0), children(1), children(3), children(40)], [10, 9, 7, 0]);
    }
}
