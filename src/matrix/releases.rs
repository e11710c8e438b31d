//! How many of the defects each solver has, and how many have shown themselves up to it: TypeFuzz's Fig. 6, where the
//! solvers are releases from old to new.

use std::collections::{BTreeMap, BTreeSet};

use super::{Matrix, Verdict, family};

/// What one solver has of the defects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Release {
    /// Its name.
    pub solver: String,
    /// How many instances it is bad on, by what it does.
    pub defects: BTreeMap<Verdict, usize>,
    /// On how many of these it is the first of its name, in the order of the columns.
    pub new: usize,
    /// How many it or an earlier one of its name is bad on.
    pub so_far: usize,
}

impl Release {
    /// How many instances it is bad on.
    pub fn total(&self) -> usize {
        self.defects.values().sum()
    }
}

impl Matrix {
    /// What each solver has of the defects, in the order of the columns.
    pub fn releases(&self) -> Vec<Release> {
        let mut seen: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        let mut releases = Vec::new();
        for (column, solver) in self.solvers.iter().enumerate() {
            let seen = seen.entry(family(solver)).or_default();
            let before = seen.len();
            let mut defects = BTreeMap::new();
            for (number, row) in self.rows.iter().enumerate() {
                let verdict = row.cells[column].verdict;
                if verdict.is_bad(self.measure) == Some(true) {
                    *defects.entry(verdict).or_default() += 1;
                    seen.insert(number);
                }
            }
            let so_far = seen.len();
            releases.push(Release { solver: solver.clone(), defects, new: so_far - before, so_far });
        }
        releases
    }

    /// What solvers do on instances on which they are bad, each once, in a fixed order.
    pub fn kinds_of_defect(&self) -> Vec<Verdict> {
        let bad = self.rows.iter().flat_map(|row| &row.cells).map(|cell| cell.verdict);
        let mut kinds: Vec<Verdict> = bad.filter(|verdict| verdict.is_bad(self.measure) == Some(true)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }
}

impl Verdict {
    /// What a solver does that is judged so, as the heading of a column: `slow`, `wrong`.
    pub fn heading(self) -> &'static str {
        match self {
            Verdict::Answers => "answers",
            Verdict::Wrong => "wrong",
            Verdict::Slow => "slow",
            Verdict::GivesUp => "gives up",
            Verdict::Fails => "crashes",
            Verdict::Unclear => "unclear",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cell, Measure, Row};
    use super::*;

    #[test]
    fn what_an_older_release_had_is_not_new_and_other_solvers_count_for_themselves() {
        use Verdict::{Answers, Fails, Slow, Wrong};
        let solvers = ["z3@1", "z3@2", "z3@3", "cvc4@1"].map(str::to_owned).to_vec();
        let row = |verdicts: [Verdict; 4]| {
            let cells = verdicts.map(|verdict| Cell { result: "sat", detail: String::new(), seconds: 0.0, verdict });
            Row::of("a", cells.to_vec(), &solvers, Measure::Answers)
        };
        let rows = vec![
            row([Wrong, Wrong, Answers, Answers]),
            row([Answers, Fails, Wrong, Wrong]),
            row([Answers, Wrong, Slow, Answers]),
        ];
        let matrix = Matrix {
            measure: Measure::Answers,
            solvers,
            limit_seconds: 1.0,
            rows,
            left_out: Vec::new(),
            unfinished: 0,
            internal_errors: 0,
        };
        let releases = matrix.releases();
        let counts: Vec<[usize; 3]> = releases.iter().map(|each| [each.total(), each.new, each.so_far]).collect();
        assert_eq!(counts, [[1, 1, 1], [3, 2, 3], [1, 0, 3], [1, 1, 1]]);
        assert_eq!(releases[1].defects, [(Wrong, 2), (Fails, 1)].into());
        assert_eq!(matrix.kinds_of_defect(), [Wrong, Fails]);
    }
}
