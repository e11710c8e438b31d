//! A run whose solvers refuse nearly all that they are given measures nothing: it ends with their own words.

use super::population::Known;
use super::{Campaign, CampaignError, Source};
use crate::evaluate::EvaluateError;
use crate::evaluate::individual::Timed;
use crate::evaluate::runtime::is_broken;

/// Fewer evaluations than these say nothing: a small generation may well hold nothing that a solver takes.
const LEAST: usize = 8;
/// More than this share is nearly all.
const NEARLY_ALL: f64 = 0.9;

impl Campaign<'_> {
    /// Looks at the evaluations of a generation; where nearly all are refused, asks the solvers whether they still work.
    ///
    /// # Errors
    /// [`EvaluateError::Unusable`] or [`EvaluateError::Refuses`], in the solver's own words.
    pub(super) fn check_refusals<'k>(&self, evaluated: impl Iterator<Item = &'k Known>) -> Result<(), CampaignError> {
        // A record holds what was; it accuses nobody again.
        let Source::Solvers { evaluate, .. } = self.setup.source else { return Ok(()) };
        if self.recorder.log().offspring(self.state.next_generation()).is_some() {
            // A run that is resumed has ended on this one before, and its solvers may be mended since.
            return Ok(());
        }
        let observations: Vec<_> = evaluated.map(|known| &known.evaluated.observation).collect();
        let generation = self.state.next_generation();
        let targets: Vec<&Timed> = observations.iter().map(|each| &each.target).collect();
        let references: Vec<&Timed> = observations.iter().map(|each| &each.reference).collect();
        for (role, runs) in [("target", targets), ("reference", references)] {
            let Some((refused, words)) = nearly_all_broken(&runs) else { continue };
            match evaluate.check_solvers(self.setup.interrupt) {
                Err(EvaluateError::Interrupted) => return Ok(()),
                checked => checked?,
            }
            return Err(EvaluateError::Refuses { role, refused, all: runs.len(), generation, words }.into());
        }
        Ok(())
    }
}

/// How many of these runs are broken, and what the solver said of the last, if that is nearly all.
fn nearly_all_broken(runs: &[&Timed]) -> Option<(usize, String)> {
    let broken: Vec<&&Timed> = runs.iter().filter(|run| is_broken(run)).collect();
    let last = broken.last()?;
    (runs.len() >= LEAST && broken.len() as f64 > NEARLY_ALL * runs.len() as f64)
        .then(|| (broken.len(), last.answer.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::answer::Answer;

    #[test]
    fn nearly_all_is_more_than_nine_of_ten_of_enough() {
        let run = |answer| Timed { answer, cpu_seconds: 0.0, wall_seconds: 0.0, peak_memory_bytes: 0 };
        let (refused, slow) = (run(Answer::Rejected("(error \"no\")".into())), run(Answer::Timeout));
        let runs = |broken: usize, all: usize| -> Vec<&Timed> {
            (0..all).map(|index| if index < broken { &refused } else { &slow }).collect()
        };
        assert_eq!(nearly_all_broken(&runs(39, 40)), Some((39, "error ((error \"no\"))".to_owned())));
        assert_eq!(nearly_all_broken(&runs(36, 40)), None);
        assert_eq!(nearly_all_broken(&runs(0, 40)), None, "slow solvers are what is looked for");
        assert_eq!(nearly_all_broken(&runs(7, 7)), None);
    }
}
