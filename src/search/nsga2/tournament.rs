//! Binary tournaments: who may have offspring.

use rand::Rng;
use rand::seq::SliceRandom;

use crate::search::Objectives;

/// Chooses `count` parents for generation 0 by binary tournament on rank (Algorithm 1, line 6: crowding is not known
/// yet). `ranks` holds the front of each individual, 0 the best; a tie goes to the lower position.
pub fn rank_tournament(ranks: &[usize], count: usize, rng: &mut impl Rng) -> Vec<usize> {
    tournament(ranks.len(), count, rng, |one, other| ranks[other] < ranks[one])
}

/// Chooses `count` parents by binary tournament on dominance, then on crowding, the larger the better (Algorithm 1,
/// line 18: DEAP's `selTournamentDCD`); a tie goes to the lower position.
///
/// As in DEAP, everybody fights once in each of a series of random pairings, so nobody can win more often than there
/// are pairings; unlike DEAP's, it takes populations and counts of any size.
pub fn dominance_tournament(
    objectives: &[Objectives],
    crowding: &[f64],
    count: usize,
    rng: &mut impl Rng,
) -> Vec<usize> {
    tournament(objectives.len(), count, rng, |one, other| {
        if objectives[one].dominates(objectives[other]) {
            false
        } else if objectives[other].dominates(objectives[one]) {
            true
        } else {
            crowding[other] > crowding[one]
        }
    })
}

/// Plays pairings until `count` have won. `beats(one, other)` tells whether `other`, the higher position, wins.
fn tournament(size: usize, count: usize, rng: &mut impl Rng, second_wins: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut winners = Vec::with_capacity(count);
    if size == 0 {
        return winners;
    }
    let mut order: Vec<usize> = (0..size).collect();
    while winners.len() < count {
        order.shuffle(rng);
        // The odd one out of a pairing has nobody to fight; alone in the population, it wins.
        let pairs = if size == 1 { order.chunks(1) } else { order.chunks(2) };
        for pair in pairs.filter(|pair| size == 1 || pair.len() == 2) {
            let (one, other) = (pair[0].min(pair[pair.len() - 1]), pair[0].max(pair[pair.len() - 1]));
            winners.push(if second_wins(one, other) { other } else { one });
        }
    }
    winners.truncate(count);
    winners
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn rng() -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(7)
    }

    #[test]
    fn the_better_rank_always_beats_the_worse() {
        // Of two, every pairing is the same fight.
        assert_eq!(rank_tournament(&[1, 0], 5, &mut rng()), [1; 5]);
        assert_eq!(rank_tournament(&[0, 0], 3, &mut rng()), [0; 3], "a tie goes to the lower slot");
    }

    #[test]
    fn dominance_comes_before_crowding() {
        let points = [Objectives([2.0, 2.0, 2.0]), Objectives([1.0, 1.0, 1.0])];
        assert_eq!(dominance_tournament(&points, &[0.0, 1.0], 4, &mut rng()), [0; 4]);
        let equal = [Objectives([2.0, 1.0, 0.0]), Objectives([1.0, 2.0, 0.0])];
        assert_eq!(dominance_tournament(&equal, &[0.2, 0.3], 4, &mut rng()), [1; 4]);
        assert_eq!(dominance_tournament(&equal, &[0.3, 0.3], 4, &mut rng()), [0; 4]);
    }

    #[test]
    fn one_individual_is_its_own_tournament_and_none_has_none() {
        assert_eq!(rank_tournament(&[0], 3, &mut rng()), [0; 3]);
        assert!(rank_tournament(&[], 3, &mut rng()).is_empty());
    }

    proptest! {
        #[test]
        fn any_size_gives_exactly_the_count_and_nobody_wins_twice_in_a_pairing(size in 1_usize..70, count in 0_usize..80) {
            let ranks: Vec<usize> = (0..size).map(|each| each % 5).collect();
            let winners = rank_tournament(&ranks, count, &mut rng());
            prop_assert_eq!(winners.len(), count);
            let pairings = if size == 1 { count } else { count.div_ceil((size / 2).max(1)) };
            for each in 0..size {
                prop_assert!(winners.iter().filter(|winner| **winner == each).count() <= pairings);
            }
        }
    }
}
