//! The quality-diversity archive: of each kind of script the best one, so that no kind crowds out another.
//!
//! After Mouret and Clune: *Illuminating search spaces by mapping elites*, 2015, with the power schedule of `AFLFast`
//! (Böhme, Pham, Roychoudhury, CCS 2016) for who has offspring. A population in which scripts compete with each other
//! ends as relatives of the first slow one. Here a script competes only within its *cell*, which the caller names.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::random::{FuzzRng, below, chance};

/// How good a script is, among those of its cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Whether it is a defect, as far as one evaluation says.
    pub slow: bool,
    /// How far the target is behind the reference, 0 to 1: what counts among quick scripts.
    pub lead: f64,
    /// How rare what it covers is; 0 where that is not known.
    pub rarity: f64,
    /// Eq. 2: what counts among slow scripts, because the least is the easiest to understand.
    pub complexity: u64,
}

/// Leads are compared in so many steps: below, they are the jitter of processes that start.
const STEPS: f64 = 32.0;

impl Quality {
    /// `Greater` if this one is the better. A slow script is better than any quick one. Of slow ones the less complex is
    /// better; of quick ones the one with the longer lead, then the one that covers what is rarer.
    fn compare(&self, other: &Self) -> Ordering {
        let of_slow = || other.complexity.cmp(&self.complexity);
        let step = |each: &Self| (each.lead * STEPS).floor();
        let of_quick = || step(self).total_cmp(&step(other)).then(self.rarity.total_cmp(&other.rarity));
        self.slow.cmp(&other.slow).then_with(|| if self.slow { of_slow() } else { of_quick() })
    }
}

/// A script that is, or wants to be, an elite. Those that are stand first, one for each cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate<C> {
    /// Its cell.
    pub cell: C,
    /// How good it is in it.
    pub quality: Quality,
    /// Of a newcomer: the positions of its parents, which are elites.
    pub parents: Vec<usize>,
    /// Of an elite: how many offspring of its cell led nowhere.
    pub fruitless: u32,
}

/// An elite of the next generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elite {
    /// The position of the candidate.
    pub index: usize,
    /// How many offspring of its cell led nowhere by now.
    pub fruitless: u32,
}

/// The elites of the next generation, ascending by position; a tie goes to the lower position, that is the older. The
/// first `elites` of `candidates` are those of this one.
///
/// A newcomer leads somewhere if its cell was empty, or was a quick one's and it is slow; each other one is charged to
/// its parents' cells. To become simpler leads nowhere: that is what reduction is for. A cell keeps its charge when its
/// elite is replaced, but for a quick one by a slow one. Of more than `most` cells those stay that are slow, then those
/// whose offspring led nowhere the fewest times, then the newer.
pub fn survivors<C: Ord>(candidates: &[Candidate<C>], elites: usize, most: usize) -> Vec<Elite> {
    let (incumbents, newcomers) = candidates.split_at(elites.min(candidates.len()));
    let holders: BTreeMap<&C, usize> = incumbents.iter().zip(0..).map(|(each, index)| (&each.cell, index)).collect();
    let mut fruitless: Vec<u32> = incumbents.iter().map(|each| each.fruitless).collect();
    for newcomer in newcomers {
        let holder = holders.get(&newcomer.cell).map(|&index| &incumbents[index].quality);
        let leads_somewhere = holder.is_none_or(|holder| newcomer.quality.slow && !holder.slow);
        for &parent in newcomer.parents.iter().filter(|_| !leads_somewhere) {
            if let Some(count) = fruitless.get_mut(parent) {
                *count += 1;
            }
        }
    }
    let mut best: BTreeMap<&C, usize> = BTreeMap::new();
    for (index, candidate) in candidates.iter().enumerate() {
        let place = best.entry(&candidate.cell).or_insert(index);
        if candidate.quality.compare(&candidates[*place].quality) == Ordering::Greater {
            *place = index;
        }
    }
    let mut kept: Vec<Elite> = best
        .into_iter()
        .map(|(cell, index)| {
            let same_kind = |holder: &&usize| candidates[**holder].quality.slow == candidates[index].quality.slow;
            let holder = holders.get(cell).filter(same_kind);
            Elite { index, fruitless: holder.map_or(0, |&holder| fruitless[holder]) }
        })
        .collect();
    kept.sort_by_key(|each| (!candidates[each.index].quality.slow, each.fruitless, std::cmp::Reverse(each.index)));
    kept.truncate(most);
    kept.sort_unstable_by_key(|each| each.index);
    kept
}

/// Chooses `count` parents among elites whose cells have had so many fruitless offspring: each with a probability in
/// proportion to 1 ⁄ (1 + them).
pub fn parents(fruitless: &[u32], count: usize, rng: &mut FuzzRng) -> Vec<usize> {
    if fruitless.is_empty() {
        return Vec::new();
    }
    // Draws uniformly, and accepts with the weight. Weights are made relative to the largest, so that the wait is short.
    let least = fruitless.iter().copied().min().unwrap_or(0);
    let weight = |each: u32| (f64::from(least) + 1.0) / (f64::from(each) + 1.0);
    let draw = |_| loop {
        let index = below(rng, fruitless.len());
        if chance(rng, weight(fruitless[index])) {
            return index;
        }
    };
    (0..count).map(draw).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::rng_for;

    fn quick(cell: &str, lead: f64, rarity: f64, parents: &[usize]) -> Candidate<String> {
        let quality = Quality { slow: false, lead, rarity, complexity: 10 };
        Candidate { cell: cell.to_owned(), quality, parents: parents.to_vec(), fruitless: 0 }
    }

    fn slow(cell: &str, complexity: u64, parents: &[usize]) -> Candidate<String> {
        let quality = Quality { slow: true, lead: 1.0, rarity: 0.0, complexity };
        Candidate { cell: cell.to_owned(), quality, parents: parents.to_vec(), fruitless: 0 }
    }

    fn kept(candidates: &[Candidate<String>], incumbents: usize, most: usize) -> Vec<(usize, u32)> {
        survivors(candidates, incumbents, most).into_iter().map(|each| (each.index, each.fruitless)).collect()
    }

    #[test]
    fn a_hand_worked_generation() {
        let mut candidates = [
            quick("at", 0.1, 0.0, &[]),
            quick("len", 0.5, 0.0, &[]),
            slow("substr", 20, &[]),
            // Offspring.
            slow("at", 30, &[0, 2]),      // the first slow one of its cell: leads somewhere
            slow("substr", 12, &[2]),     // simpler, and so the elite, but leads nowhere
            quick("len", 0.4, 9.0, &[1]), // worse: leads nowhere
            quick("++", 0.0, 0.0, &[0]),  // a new cell
            slow("at", 40, &[1, 2]),      // slow in a cell that was a quick one's, but not the simplest
        ];
        candidates[0].fruitless = 7;
        candidates[2].fruitless = 4;
        assert_eq!(kept(&candidates, 3, 100), [(1, 1), (3, 0), (4, 5), (6, 0)]);
        // The slow cells stay; then the one whose offspring led nowhere less often.
        assert_eq!(kept(&candidates, 3, 3), [(3, 0), (4, 5), (6, 0)]);
        assert_eq!(kept(&candidates, 3, 1), [(3, 0)]);
    }

    #[test]
    fn a_quick_script_is_the_better_by_its_lead_then_by_its_rarity_then_by_its_age() {
        let leads = [quick("a", 0.2, 5.0, &[]), quick("a", 0.4, 0.0, &[])];
        assert_eq!(kept(&leads, 0, 9), [(1, 0)]);
        // Both are quick to within the jitter.
        let rare = [quick("a", 0.011, 5.0, &[]), quick("a", 0.013, 0.0, &[]), quick("a", 0.012, 6.0, &[])];
        assert_eq!(kept(&rare, 0, 9), [(2, 0)]);
        assert_eq!(kept(&[quick("a", 0.1, 1.0, &[]), quick("a", 0.1, 1.0, &[])], 0, 9), [(0, 0)]);
        assert_eq!(kept(&[quick("a", 0.9, 9.0, &[]), slow("a", 90, &[])], 0, 9), [(1, 0)]);
    }

    #[test]
    fn generation_0_has_no_elites_before() {
        assert_eq!(kept(&[], 0, 9), []);
        assert_eq!(kept(&[quick("a", 0.0, 0.0, &[]), quick("b", 0.0, 0.0, &[])], 0, 9), [(0, 0), (1, 0)]);
    }

    #[test]
    fn cells_whose_offspring_lead_nowhere_have_fewer() {
        let chosen = parents(&[3, 0, 1, 999], 30_000, &mut rng_for(1, 0, 0));
        let share = |index: usize| chosen.iter().filter(|each| **each == index).count() as f64 / 30_000.0;
        // Weights 1/4, 1, 1/2 and 1/1000.
        let sum = 1.751;
        for (index, weight) in [0.25, 1.0, 0.5, 0.001].into_iter().enumerate() {
            assert!((share(index) - weight / sum).abs() < 0.01, "{index}: {}", share(index));
        }
        assert_eq!(parents(&[400], 3, &mut rng_for(1, 0, 0)), [0; 3]);
        assert!(parents(&[], 3, &mut rng_for(1, 0, 0)).is_empty());
    }
}
