//! What a hunt is asked for; `hunt.toml` has it.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::config::duration;
use crate::hunt::choices::{INSTANCES, Minimise, StrategyName};
use crate::hunt::parameters::{FormulaParameters, MutantParameters, StormParameters};
use crate::oracle::correctness::Kind;
use crate::solver::profile::SolverSpec;

/// What a hunt is asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct HuntRequest {
    /// Scripts and folders of scripts, searched through; each is read when its turn comes.
    pub seeds: Vec<PathBuf>,
    /// What is made of them.
    pub strategy: StrategyName,
    /// A solver, as "NAME OPTION…" or "NAME@VERSION OPTION…"; may be repeated.
    pub solvers: Vec<SolverSpec>,
    /// A file of sets of options by the names of solvers; for each instance, one of a solver's sets is drawn.
    pub options: Option<PathBuf>,
    /// The part of the instances that solvers with tactics in their profiles (Z3) are asked about by one of these,
    /// (check-sat-using TACTIC); half of them in STORM's published tool.
    #[serde(default)]
    pub check_sat_using: f64,
    /// A folder for the findings, which must not exist.
    #[serde(skip)]
    pub out: Option<PathBuf>,
    /// Continue the hunt in DIR; only when to stop may change.
    #[serde(skip)]
    pub resume: Option<PathBuf>,
    /// How many instances at most, of a resumed hunt all together.
    pub instances: Option<u64>,
    /// CPU time of solvers, minimising included, after which no further instance is made; of a resumed hunt all together.
    #[serde(with = "duration::optional", default)]
    pub budget: Option<Duration>,
    /// End after this wall time, 10m or 24h, whatever is being done then; of a resumed hunt all together.
    #[serde(with = "duration::optional", default)]
    pub time: Option<Duration>,
    /// End with the first defect of this kind.
    pub until: Option<Kind>,
    /// CPU time of each run [default: 8s where seeds are mutated, else 2s].
    #[serde(with = "duration::optional", default)]
    pub limit: Option<Duration>,
    /// Let the seeds have their turns in a random order, which --seed decides, instead of that of their names.
    pub shuffle: bool,
    /// Take this solver's model of each seed, or of its negation, as the first assignment (STORM); the truth is computed
    /// all the same.
    pub models_from: Option<SolverSpec>,
    /// STORM's parameters.
    pub storm: StormParameters,
    /// How seeds are mutated.
    pub mutants: MutantParameters,
    /// How fresh formulas are made.
    #[serde(default)]
    pub fuzzsmt: FormulaParameters,
    /// How the instances of the findings are made small.
    pub minimise: Minimise,
    /// Decides all that is random: equal seeds give equal instances, whatever --jobs is.
    pub seed: u64,
    /// Instances to ask about at once.
    pub jobs: NonZeroUsize,
    /// A file of further solver profiles.
    pub profiles: Option<PathBuf>,
    /// A file of texts: of crashes, of outputs to ignore, of findings that are known; see --print-lists.
    pub lists: Option<PathBuf>,
    /// Show no progress.
    #[serde(skip)]
    pub quiet: bool,
}

impl HuntRequest {
    /// CPU time of each run.
    pub(super) fn limit(&self) -> Duration {
        self.limit.unwrap_or_else(|| self.strategy.limit())
    }

    /// How many instances at most.
    pub(super) fn instances(&self) -> u64 {
        self.instances.unwrap_or(INSTANCES)
    }
}
