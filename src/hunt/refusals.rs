//! What solvers refuse in a hunt: where they refuse nearly all, nothing was looked at, and "no defects" would be a lie.

use serde::{Deserialize, Serialize};

use super::tally::Tally;

/// Fewer scripts than these say nothing about a solver.
const LEAST: u64 = 8;
/// More than this share is nearly all.
const NEARLY_ALL: f64 = 0.9;

/// What one solver refused.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Refusals {
    /// How many scripts.
    pub count: u64,
    /// What it said of the last of them.
    pub words: String,
}

impl Tally {
    /// A line for each solver that refused nearly all of enough scripts, in its own words.
    pub fn warnings(&self) -> Vec<String> {
        let nearly_all = |solver: &str, count: u64| {
            let asked = self.asked_of(solver);
            asked >= LEAST && count as f64 > NEARLY_ALL * asked as f64
        };
        self.refusals
            .iter()
            .filter(|(solver, refusals)| nearly_all(solver, refusals.count))
            .map(|each| self.line(each))
            .collect()
    }

    /// Why nothing was compared, in the solvers' own words, if refusals are the reason; `None` if something was compared, or
    /// found all the same, or the solvers took the scripts but decided none.
    pub fn nothing_compared(&self) -> Option<String> {
        let is_refused = self.instances > 0 && self.refused as f64 > NEARLY_ALL * self.instances as f64;
        (is_refused && self.judged == 0 && self.findings.is_empty()).then(|| {
            let lines: Vec<String> = self.refusals.iter().map(|each| self.line(each)).collect();
            format!("nothing was compared: {}", lines.join("; "))
        })
    }

    fn line(&self, (solver, Refusals { count, words }): (&String, &Refusals)) -> String {
        format!("{solver} refuses {count} of {} scripts: {words}", self.asked_of(solver))
    }

    /// How many scripts a solver was asked about: not all, if it is one of several configurations.
    fn asked_of(&self, solver: &str) -> u64 {
        self.answers.get(solver).map_or(self.instances, |answers| answers.values().sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(instances: u64, refused: u64, judged: u64) -> Tally {
        let refusals = Refusals { count: refused, words: "error (no strings)".to_owned() };
        let refusals = [("yices".to_owned(), refusals)].into();
        Tally { instances, refusals, judged, refused, ..Tally::default() }
    }

    #[test]
    fn nothing_is_compared_where_refusals_leave_too_few_answers() {
        let words = "nothing was compared: yices refuses 2 of 2 scripts: error (no strings)";
        assert_eq!(tally(2, 2, 0).nothing_compared().as_deref(), Some(words));
        assert_eq!(tally(2, 1, 0).nothing_compared(), None, "the others ran out of time, perhaps");
        assert_eq!(tally(20, 19, 1).nothing_compared(), None, "one was compared");
        assert_eq!(tally(0, 0, 0).nothing_compared(), None, "nobody was asked");
    }

    #[test]
    fn a_solver_that_refuses_nearly_all_of_enough_scripts_is_named() {
        assert_eq!(tally(10, 10, 0).warnings(), ["yices refuses 10 of 10 scripts: error (no strings)"]);
        assert!(tally(10, 9, 0).warnings().is_empty() && tally(7, 7, 0).warnings().is_empty());
    }
}
