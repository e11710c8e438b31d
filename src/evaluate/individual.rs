//! What the search breeds and what is known of it: [`Individual`] → [`Evaluated`], with the [`Observation`] between.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::complexity::complexity;
use super::runtime;
use crate::coverage::LineCounts;
use crate::smtlib::script::Script;
use crate::solver::answer::Answer;
use crate::solver::process::Run;
use crate::trace::Trace;

/// The number of an individual: 0, 1, 2… in order of creation; unique within a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct IndividualId(pub u32);

impl fmt::Display for IndividualId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Where an individual comes from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// The user's seed file of this name.
    Seed(String),
    /// A generator: in generation 0, as an immigrant later on, or where breeding found nothing new.
    Generated,
    /// Crossover of two parents.
    Crossover,
    /// Mutation of one parent.
    Mutation,
    /// Crossover of two parents, then mutation.
    CrossoverMutation,
}

impl Origin {
    /// The word that the column `origin` of `evaluations.csv` holds.
    pub fn label(&self) -> &'static str {
        match self {
            Origin::Seed(_) => "seed",
            Origin::Generated => "generated",
            Origin::Crossover => "crossover",
            Origin::Mutation => "mutation",
            Origin::CrossoverMutation => "crossover+mutation",
        }
    }
}

/// One test case and its descent, before any solver has seen it (paper, section III.B).
#[derive(Clone, Debug)]
pub struct Individual {
    /// Its number.
    pub id: IndividualId,
    /// The generation in which it was made; 0 is the initial population.
    pub generation: u32,
    /// Its place within the generation: with the seed and the generation, what its random choices depend on.
    pub slot: u32,
    /// The test case.
    pub script: Script,
    /// Where it comes from.
    pub origin: Origin,
    /// The mutation operator that was applied last; empty if none was.
    pub operator: String,
    /// Its parents: none, one (mutation) or two (crossover).
    pub parents: Vec<IndividualId>,
    /// The canonical hash of the script: equal up to renaming of variables and order of assertions.
    pub fingerprint: u128,
}

/// One timed solver run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Timed {
    /// What the solver said, or how the run ended.
    pub answer: Answer,
    /// CPU seconds (user and system) of the solver's whole process group.
    pub cpu_seconds: f64,
    /// Seconds on the wall clock.
    pub wall_seconds: f64,
    /// The largest resident size that the solver reached, in bytes.
    pub peak_memory_bytes: u64,
}

impl Timed {
    /// A run and the answer that was read from it.
    pub fn of(answer: Answer, run: &Run) -> Timed {
        let Run { cpu_seconds, wall_seconds, peak_memory_bytes, .. } = *run;
        Timed { answer, cpu_seconds, wall_seconds, peak_memory_bytes }
    }
}

/// Everything that the solver runs of one individual showed.
#[derive(Clone, Debug)]
pub struct Observation {
    /// The timing run of the plain target.
    pub target: Timed,
    /// The timing run of the reference.
    pub reference: Timed,
    /// How often each source line of the instrumented target ran; `None` if coverage is off, the target
    /// rejected, or the run was killed and its counters come from files: no reward then, as if nothing new had run.
    pub coverage: Option<Arc<LineCounts>>,
    /// The target's trace log; `None` if traces are off or the target rejected.
    pub trace: Option<Arc<Trace>>,
    /// CPU seconds of all solver runs together, those of the observed runs included.
    pub solver_seconds: f64,
}

/// Which runs, beside the target's timing, a search looks at. All are made in every search, for the oracle and for what
/// searches are compared by; a search pays for those that it looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// The timing run of the reference.
    pub reference: bool,
    /// The observed runs.
    pub observed: bool,
}

/// What the answer to a script on which this program itself failed begins with.
const INTERNAL_ERROR: &str = "internal error of mulstringfuzz: ";

impl Observation {
    /// What is recorded of an individual on which this program itself failed: nothing of it says anything.
    pub fn of_internal_error(message: &str) -> Self {
        let answer = Answer::Unsupported(format!("{INTERNAL_ERROR}{message}"));
        let run = Timed { answer, cpu_seconds: 0.0, wall_seconds: 0.0, peak_memory_bytes: 0 };
        Observation { target: run.clone(), reference: run, coverage: None, trace: None, solver_seconds: 0.0 }
    }

    /// Whether this is what is recorded of an individual on which this program itself failed.
    pub fn is_internal_error(&self) -> bool {
        matches!(&self.target.answer, Answer::Unsupported(words) if words.starts_with(INTERNAL_ERROR))
    }

    /// CPU seconds that a search pays for. One that needs the observed runs pays for all that it needs; one that does not
    /// pays for the timing runs alone, of several timings of the target for the one that counts.
    pub fn charged_seconds(&self, needs: Needs) -> f64 {
        match needs {
            Needs { observed: true, reference: true } => self.solver_seconds,
            Needs { observed: true, reference: false } => self.solver_seconds - self.reference.cpu_seconds,
            Needs { observed: false, reference: true } => self.target.cpu_seconds + self.reference.cpu_seconds,
            Needs { observed: false, reference: false } => self.target.cpu_seconds,
        }
    }
}

/// An individual, what its runs showed, and the objectives that follow from the runs alone. The coverage score is not
/// among them: it depends on the archive, and is scored again in every generation (Algorithm 2).
#[derive(Clone, Debug)]
pub struct Evaluated {
    /// The individual.
    pub individual: Arc<Individual>,
    /// What its runs showed.
    pub observation: Observation,
    /// Eq. 1, in seconds: 0 to twice the limit.
    pub t_score: f64,
    /// The sum in Eq. 2 (the paper's comScore is its negative).
    pub complexity: u64,
    /// False if the target rejected the script or does not support an operator in it: never kept.
    pub valid: bool,
}

impl Evaluated {
    /// Scores what the runs of `individual` at `limit` showed.
    pub fn new(individual: Arc<Individual>, observation: Observation, limit: Duration) -> Self {
        let valid = runtime::is_valid(&observation.target);
        let t_score = if valid { runtime::t_score(&observation.target, &observation.reference, limit) } else { 0.0 };
        let complexity = complexity(&individual.script);
        Evaluated { individual, observation, t_score, complexity, valid }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_pays_for_the_runs_that_it_looks_at() {
        let run = |cpu_seconds| Timed { answer: Answer::Sat, cpu_seconds, wall_seconds: 0.0, peak_memory_bytes: 0 };
        let (target, reference) = (run(2.0), run(0.5));
        // The target was timed three times, and observed for a second.
        let observation = Observation { target, reference, coverage: None, trace: None, solver_seconds: 7.5 };
        let charged = |reference, observed| observation.charged_seconds(Needs { reference, observed });
        assert_eq!([charged(true, true), charged(false, true)], [7.5, 7.0]);
        assert_eq!([charged(true, false), charged(false, false)], [2.5, 2.0]);
    }

    #[test]
    fn an_origin_survives_serialisation_with_its_file() {
        let origin = Origin::Seed("a.smt2".into());
        let text = serde_json::to_string(&origin).unwrap_or_default();
        assert_eq!(serde_json::from_str::<Origin>(&text).ok(), Some(origin));
    }
}
