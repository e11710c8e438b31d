//! What a user says of an experiment instead of its specification.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::ensure;

use super::{CoverageSettings, Coverages, Plan, Runs};
use crate::config::{Settings, absolute};

/// What is to be otherwise than the specification and the scale say.
#[derive(Clone, Debug, Default)]
pub struct Adjustments {
    /// The solver under test.
    pub target: Option<String>,
    /// The solver that its times are compared with.
    pub reference: Option<String>,
    /// The instrumented build of the target, or the solver whose coverage is measured.
    pub instrumented: Option<String>,
    /// Of coverage: scripts and folders of scripts to be the seeds.
    pub seeds: Option<Vec<PathBuf>>,
    /// CPU time of target and reference in the search, or of each run of a hunt or for coverage.
    pub limit: Option<Duration>,
    /// CPU time of solvers that each run has.
    pub solver_budget: Option<Duration>,
    /// Runs of each arm.
    pub repeats: Option<u32>,
    /// The master seed of the first repeat.
    pub seed: Option<u64>,
}

impl Adjustments {
    /// The plan with them.
    ///
    /// # Errors
    /// One that the experiment's kind of run has no use for, or a plan that contradicts itself.
    pub fn applied(&self, mut plan: Plan) -> anyhow::Result<Plan> {
        let own = Settings {
            target: self.target.clone(),
            reference: self.reference.clone(),
            instrumented: self.instrumented.clone(),
            limit: self.limit,
            solver_budget: self.solver_budget,
            ..Settings::default()
        };
        ensure!(
            self.seeds.is_none() || matches!(plan.runs, Runs::Coverage(_)),
            "--seeds is for experiments of coverage"
        );
        match &mut plan.runs {
            Runs::Coverage(Coverages { settings }) => {
                let (instrumented, limit) = (self.instrumented.clone(), self.limit);
                let own_alone = Settings { instrumented, limit, ..Settings::default() };
                ensure!(own == own_alone, "--target, --reference and --solver-budget are for campaigns");
                let solver = self.instrumented.as_deref().map(str::parse).transpose()?;
                let seeds = self.seeds.as_ref().map(|seeds| seeds.iter().map(|seed| absolute(seed)).collect());
                let own = CoverageSettings { solver, limit, seeds, ..CoverageSettings::default() };
                *settings = own.or(std::mem::take(settings));
            }
            Runs::Campaigns(campaigns) => campaigns.settings = own.or(std::mem::take(&mut campaigns.settings)),
            Runs::Hunts(hunts) => {
                let limit_alone = Settings { limit: self.limit, ..Settings::default() };
                ensure!(
                    own == limit_alone,
                    "--target, --reference, --instrumented and --solver-budget are for campaigns"
                );
                hunts.settings.limit = self.limit.or(hunts.settings.limit);
            }
        }
        plan.repeats = self.repeats.unwrap_or(plan.repeats);
        plan.seed = self.seed.unwrap_or(plan.seed);
        plan.check()?;
        Ok(plan)
    }
}
