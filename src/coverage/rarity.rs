//! Rarity of what runs cover: a line counts the more, the fewer others run it.

use super::counts::LineCounts;

/// How many of some runs executed each line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rarity {
    /// By slot.
    runs: Vec<u32>,
}

impl Rarity {
    /// The lines of these runs.
    pub fn among<'a>(runs: impl IntoIterator<Item = &'a LineCounts>) -> Self {
        let mut rarity = Rarity::default();
        for (slot, _) in runs.into_iter().flat_map(LineCounts::iter) {
            if slot.index() >= rarity.runs.len() {
                rarity.runs.resize(slot.index() + 1, 0);
            }
            rarity.runs[slot.index()] += 1;
        }
        rarity
    }

    /// The sum over the lines of one of these runs of 1 ⁄ (how many of them executed the line). A run of nothing but what
    /// all run scores its share of the lines; the only one that runs a line gets 1 for it, in every generation.
    ///
    /// The reward of Algorithm 2 pays for a new line once: in the next generation it is a known one, and nothing keeps the
    /// only script that runs it.
    pub fn score(&self, counts: &LineCounts) -> f64 {
        let of = |slot: usize| self.runs.get(slot).map_or(1.0, |&runs| 1.0 / f64::from(runs.max(1)));
        counts.iter().map(|(slot, _)| of(slot.index())).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::counts::LineSlot;
    use super::*;

    fn counts(slots: &[u32]) -> LineCounts {
        slots.iter().map(|&slot| (LineSlot::new(slot), 7)).collect()
    }

    #[test]
    fn a_line_is_shared_by_those_that_run_it() {
        let runs = [counts(&[0, 1, 9]), counts(&[0, 1]), counts(&[0]), counts(&[0, 4])];
        let rarity = Rarity::among(&runs);
        let scores: Vec<f64> = runs.iter().map(|run| rarity.score(run)).collect();
        assert_eq!(scores, [0.25 + 0.5 + 1.0, 0.25 + 0.5, 0.25, 0.25 + 1.0]);
        // Everything is shared out: the scores are the lines that anybody runs.
        assert!((scores.iter().sum::<f64>() - 4.0).abs() < 1e-12);
    }

    #[test]
    fn no_lines_are_not_rare() {
        assert_eq!(Rarity::among([]).score(&counts(&[])), 0.0);
        assert_eq!(Rarity::among([&counts(&[])]).score(&counts(&[3])), 1.0);
    }
}
