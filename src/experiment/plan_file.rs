//! A plan as its file says it: keys of campaigns, of hunts and of coverage side by side, unknown ones refused.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::arm::{Arm, is_default};
use super::coverages::{CoverageSettings, Coverages};
use super::hunts::{Defect, HuntSettings, Hunts};
use super::plan::{Campaigns, Plan, Runs};
use super::spec::Compute;
use super::triage::TriageSettings;
use crate::config::{Settings, duration};

/// The keys of `experiment.toml`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct PlanFile {
    title: String,
    reproduces: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<String>,
    compute: Vec<Compute>,
    scale: String,
    seed: u64,
    repeats: u32,
    #[serde(with = "duration::optional", default, skip_serializing_if = "Option::is_none")]
    measure_limit: Option<Duration>,
    #[serde(default, skip_serializing_if = "is_default")]
    triage: TriageSettings,
    #[serde(default, skip_serializing_if = "is_default")]
    settings: Settings,
    #[serde(skip_serializing_if = "Option::is_none")]
    hunt: Option<HuntSettings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<CoverageSettings>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    defect: Vec<Defect>,
    arm: Vec<Arm>,
}

impl TryFrom<PlanFile> for Plan {
    type Error = &'static str;

    fn try_from(file: PlanFile) -> Result<Plan, Self::Error> {
        let PlanFile { title, reproduces, compute, scale, seed, repeats, arm: arms, .. } = file;
        let runs = match (file.hunt, file.coverage, file.baseline, file.measure_limit) {
            (Some(settings), None, None, None) => Runs::Hunts(Hunts { settings, defects: file.defect }),
            (None, Some(settings), None, None) => Runs::Coverage(Coverages { settings }),
            (None, None, Some(baseline), Some(measure_limit)) => {
                Runs::Campaigns(Campaigns { baseline, measure_limit, triage: file.triage, settings: file.settings })
            }
            _ => return Err("a plan has [hunt], or [coverage], or `baseline` and `measure-limit`"),
        };
        Ok(Plan { title, reproduces, compute, scale, seed, repeats, arms, runs })
    }
}

impl From<Plan> for PlanFile {
    fn from(plan: Plan) -> PlanFile {
        let Plan { title, reproduces, compute, scale, seed, repeats, arms: arm, runs } = plan;
        let file = PlanFile {
            title,
            reproduces,
            baseline: None,
            compute,
            scale,
            seed,
            repeats,
            measure_limit: None,
            triage: TriageSettings::default(),
            settings: Settings::default(),
            hunt: None,
            coverage: None,
            defect: Vec::new(),
            arm,
        };
        match runs {
            Runs::Campaigns(Campaigns { baseline, measure_limit, triage, settings }) => {
                PlanFile { baseline: Some(baseline), measure_limit: Some(measure_limit), triage, settings, ..file }
            }
            Runs::Coverage(Coverages { settings }) => PlanFile { coverage: Some(settings), ..file },
            Runs::Hunts(Hunts { settings, defects }) => PlanFile { hunt: Some(settings), defect: defects, ..file },
        }
    }
}
