//! A run whose solvers refuse, or die of, nearly all that they are given measures nothing: it ends and says so.

use super::population::Known;
use super::{Campaign, CampaignError, Source, StopReason};
use crate::evaluate::EvaluateError;
use crate::evaluate::individual::{Observation, Timed};
use crate::solver::answer::Answer;

/// Fewer evaluations than these say nothing: a small generation may well hold nothing that a solver takes.
const LEAST: usize = 8;
/// More than this share is nearly all.
const NEARLY_ALL: f64 = 0.9;

/// Why a run gives nothing to compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Broken {
    /// The solver refused the script.
    Refused,
    /// It died of it: a finding, but not of this search.
    Crashed,
    /// Somebody killed it.
    Killed,
    /// This program itself failed.
    Failed,
}

impl Broken {
    /// All, the kind first that is told where kinds are equally frequent.
    const ALL: [Broken; 4] = [Broken::Failed, Broken::Crashed, Broken::Killed, Broken::Refused];

    fn of(observation: &Observation, run: &Timed) -> Option<Broken> {
        match &run.answer {
            _ if observation.is_internal_error() => Some(Broken::Failed),
            Answer::Crash(_) => Some(Broken::Crashed),
            Answer::Killed => Some(Broken::Killed),
            answer => answer.is_refusal().then_some(Broken::Refused),
        }
    }
}

/// What is wrong with nearly all runs of a solver.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Trouble {
    /// What is wrong with most of them.
    most: Broken,
    /// How many they are.
    count: usize,
    /// What the solver said in the last of them.
    words: String,
}

impl Trouble {
    /// That of these runs, if nearly all are broken, however that is.
    fn of<'r>(runs: impl Iterator<Item = (&'r Observation, &'r Timed)>) -> Option<Trouble> {
        let runs: Vec<_> = runs.map(|(observation, run)| (Broken::of(observation, run), run)).collect();
        let count = |kind| runs.iter().filter(|(broken, _)| *broken == Some(kind)).count();
        let broken = runs.iter().filter(|(broken, _)| broken.is_some()).count();
        if runs.len() < LEAST || broken as f64 <= NEARLY_ALL * runs.len() as f64 {
            return None;
        }
        // The first of those that are equally frequent.
        let most = Broken::ALL.into_iter().rev().max_by_key(|&kind| count(kind))?;
        let (_, last) = runs.iter().rfind(|(broken, _)| *broken == Some(most))?;
        Some(Trouble { most, count: count(most), words: last.answer.to_string() })
    }
}

impl Campaign<'_> {
    /// Looks at the evaluations of a generation; where nearly all runs of a solver are broken, the search is to end. A solver
    /// that refuses is asked whether it still works; one that crashes is left to the hunt after the search.
    ///
    /// # Errors
    /// [`EvaluateError::Unusable`] or [`EvaluateError::Refuses`], in the solver's own words, [`EvaluateError::Killed`], or
    /// [`EvaluateError::Fails`].
    pub(super) fn check_answers<'k>(
        &self,
        evaluated: impl Iterator<Item = &'k Known>,
    ) -> Result<Option<StopReason>, CampaignError> {
        // A record holds what was; it accuses nobody again.
        let Source::Solvers { evaluate, .. } = self.setup.source else { return Ok(None) };
        if self.recorder.log().offspring(self.state.next_generation()).is_some() {
            // A run that is resumed has ended on this one before, and its solvers may be mended since.
            return Ok(None);
        }
        let observations: Vec<_> = evaluated.map(|known| &known.evaluated.observation).collect();
        let (all, generation) = (observations.len(), self.state.next_generation());
        let targets = Trouble::of(observations.iter().map(|each| (*each, &each.target)));
        let references = Trouble::of(observations.iter().map(|each| (*each, &each.reference)));
        for (role, trouble) in [("target", targets), ("reference", references)] {
            let Some(Trouble { most, count, words }) = trouble else { continue };
            match most {
                Broken::Failed => return Err(EvaluateError::Fails { failed: count, all, generation, words }.into()),
                Broken::Killed => return Err(EvaluateError::Killed { role, killed: count, all, generation }.into()),
                Broken::Crashed => {
                    let told = format!(
                        "the {role} crashes on {count} of {all} scripts of generation {generation}, so the search ends; of the \
                         last: {words}"
                    );
                    self.setup.monitor.note(&told);
                    return Ok(Some(StopReason::Crashes));
                }
                Broken::Refused => {
                    match evaluate.check_solvers(self.setup.interrupt) {
                        Err(EvaluateError::Interrupted) => return Ok(None),
                        checked => checked?,
                    }
                    return Err(EvaluateError::Refuses { role, refused: count, all, generation, words }.into());
                }
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observation(answer: Answer) -> Observation {
        let run = Timed { answer, cpu_seconds: 0.0, wall_seconds: 0.0, peak_memory_bytes: 0 };
        Observation { target: run.clone(), reference: run, coverage: None, trace: None, solver_seconds: 0.0 }
    }

    fn trouble(answers: &[(usize, Observation)]) -> Option<Trouble> {
        let all = answers.iter().flat_map(|(count, each)| std::iter::repeat_n(each, *count));
        Trouble::of(all.map(|each| (each, &each.target)))
    }

    fn refused() -> Observation {
        observation(Answer::Rejected("(error \"no\")".into()))
    }

    fn told(most: Broken, count: usize, words: &str) -> Trouble {
        Trouble { most, count, words: words.to_owned() }
    }

    #[test]
    fn nearly_all_is_more_than_nine_of_ten_of_enough() {
        let slow = || observation(Answer::Timeout);
        let expected = told(Broken::Refused, 39, "error ((error \"no\"))");
        assert_eq!(trouble(&[(39, refused()), (1, slow())]), Some(expected));
        assert_eq!(trouble(&[(36, refused()), (4, slow())]), None);
        assert_eq!(trouble(&[(40, slow())]), None, "slow solvers are what is looked for");
        assert_eq!(trouble(&[(7, refused())]), None);
    }

    #[test]
    fn crashes_kills_and_failures_of_ours_are_no_refusals() {
        let crash = || observation(Answer::Crash("signal 11".into()));
        let words = crash().target.answer.to_string();
        assert_eq!(trouble(&[(39, crash()), (1, refused())]), Some(told(Broken::Crashed, 39, &words)));
        assert_eq!(trouble(&[(20, refused()), (20, crash())]), Some(told(Broken::Crashed, 20, &words)));
        let killed = trouble(&[(40, observation(Answer::Killed))]).expect("trouble");
        assert_eq!((killed.most, killed.count), (Broken::Killed, 40));
        let failed =
            trouble(&[(30, Observation::of_internal_error("no such index")), (10, refused())]).expect("trouble");
        assert!(failed.most == Broken::Failed && failed.words.contains("no such index"), "{failed:?}");
    }
}
