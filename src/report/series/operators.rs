//! What each operator's offspring came to.

use std::collections::BTreeMap;

use crate::report::study::Run;

/// The offspring of one operator, or of one origin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperatorYield {
    /// The origin, and the mutation if there was one.
    pub name: String,
    /// All that were evaluated.
    pub offspring: usize,
    /// Those that the target takes.
    pub valid: usize,
    /// Those that came into the next population.
    pub survived: usize,
    /// Those with a higher t-score than each of their parents.
    pub better: usize,
    /// Those with parents, the only ones that can be better than them.
    pub with_parents: usize,
    /// Those that became suspicions of performance defects, confirmed or not.
    pub candidates: usize,
}

/// The yields of all operators in these runs, by name; those of fresh scripts first.
pub fn operator_yields<'a>(runs: impl Iterator<Item = &'a Run>) -> Vec<OperatorYield> {
    let mut yields: BTreeMap<(bool, String), OperatorYield> = BTreeMap::new();
    for run in runs {
        let suspected: std::collections::BTreeSet<u32> = run.defects.iter().map(|defect| defect.record.id).collect();
        for row in &run.evaluations {
            let name = name(&row.origin, &row.operator);
            let entry = yields.entry((!row.parents.is_empty(), name.clone())).or_default();
            entry.name = name;
            entry.offspring += 1;
            entry.valid += usize::from(row.valid);
            entry.survived += usize::from(row.survives == Some(true));
            entry.candidates += usize::from(suspected.contains(&row.id));
            let parents = row.parents.split(' ').filter_map(|id| run.evaluation(id.parse().ok()?));
            let best = parents
                .map(|parent| parent.t_score)
                .fold(None, |best: Option<f64>, score| Some(best.map_or(score, |best| best.max(score))));
            if let Some(best) = best {
                entry.with_parents += 1;
                entry.better += usize::from(row.valid && row.t_score > best);
            }
        }
    }
    yields.into_values().collect()
}

/// `crossover`, `mutation: fuzz-literals`.
fn name(origin: &str, operator: &str) -> String {
    if operator.is_empty() { origin.to_owned() } else { format!("{origin}: {operator}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_the_mutation_if_there_was_one() {
        assert_eq!(name("crossover", ""), "crossover");
        assert_eq!(name("mutation", "fuzz-literals"), "mutation: fuzz-literals");
    }
}
