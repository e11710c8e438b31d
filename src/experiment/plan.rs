//! An experiment at one scale, with everything that decides its runs: what an experiment's folder keeps.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::ExperimentError;
use super::arm::Arm;
use super::coverages::Coverages;
use super::hunts::{Defect, Hunts};
use super::plan_file::PlanFile;
use super::spec::Compute;
use super::triage::TriageSettings;
use crate::config::{Config, ConfirmSettings, Settings};

/// One run: an arm, of hunts a defect, and which repeat of it.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// Its place among all tasks, from 0: repeat by repeat.
    pub index: usize,
    /// The arm.
    pub arm: &'a Arm,
    /// What a hunt hunts for.
    pub defect: Option<&'a Defect>,
    /// The repeat, from 1.
    pub repeat: u32,
}

impl std::fmt::Display for Task<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/", self.arm.name)?;
        if let Some(defect) = self.defect {
            write!(f, "{}/", defect.name)?;
        }
        write!(f, "{:03}", self.repeat)
    }
}

/// The experiment. Its TOML is `experiment.toml` in the experiment's folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "PlanFile", into = "PlanFile")]
pub struct Plan {
    /// One line that says what is compared.
    pub title: String,
    /// Which tables and figures of which paper it reproduces.
    pub reproduces: String,
    /// Which tables to make.
    pub compute: Vec<Compute>,
    /// The name of the scale.
    pub scale: String,
    /// The master seed of the first repeat.
    pub seed: u64,
    /// Runs of each arm; of hunts, for each defect.
    pub repeats: u32,
    /// What is compared.
    pub arms: Vec<Arm>,
    /// What the runs are.
    pub runs: Runs,
}

/// What the runs of an experiment are.
#[expect(clippy::large_enum_variant, reason = "an experiment has one")]
#[derive(Clone, Debug, PartialEq)]
pub enum Runs {
    /// Searches for slow instances.
    Campaigns(Campaigns),
    /// Hunts for wrong answers.
    Hunts(Hunts),
    /// Measurements of what seeds and mutants cover.
    Coverage(Coverages),
}

/// What an experiment of campaigns has besides its arms.
#[derive(Clone, Debug, PartialEq)]
pub struct Campaigns {
    /// The arm that the others are compared with.
    pub baseline: String,
    /// CPU time of both solvers for each member of a result set.
    pub measure_limit: Duration,
    /// What the triage after each search may spend, if there is one.
    pub triage: TriageSettings,
    /// What all runs have in common.
    pub settings: Settings,
}

impl Campaigns {
    /// What a run of an arm is told. Candidates are not confirmed during the run: the CPU time is for the search, and
    /// every member of the result set is measured afterwards.
    pub fn settings(&self, arm: &Arm, seed: u64) -> Settings {
        let fixed = Settings {
            seed: Some(seed),
            confirm: ConfirmSettings { enabled: Some(false), ..ConfirmSettings::default() },
            ..Settings::default()
        };
        fixed.or(arm.settings.clone()).or(self.settings.clone())
    }

    /// The configuration of a run, as far as it is known before solvers are asked.
    ///
    /// # Errors
    /// [`ExperimentError::Config`].
    pub fn config(&self, arm: &Arm, seed: u64) -> Result<Config, ExperimentError> {
        let config = Config::resolve(self.settings(arm, seed));
        config.map_err(|source| ExperimentError::Config { arm: arm.name.clone(), source })
    }

    /// What the triage of an arm's runs may spend; none if there is none.
    pub fn triage(&self, arm: &Arm) -> Option<TriageSettings> {
        Some(arm.triage.or(self.triage)).filter(TriageSettings::is_wanted)
    }

    /// Whether runs are triaged: those of all arms, or of none.
    pub fn triages(&self) -> bool {
        self.triage.is_wanted()
    }

    /// Checks that every arm has settings that are in range and end a run.
    fn check(&self, arms: &[Arm], seed: u64) -> Result<(), ExperimentError> {
        for arm in arms {
            let config = self.config(arm, seed)?;
            let stop = config.stop;
            let ends = stop.solver_budget.is_some()
                || stop.budget.is_some()
                || stop.evaluations.is_some()
                || stop.generations.is_some();
            if !ends {
                return Err(ExperimentError::Endless { arm: arm.name.clone() });
            }
            let checked = match self.triage(arm) {
                Some(_) if !self.triages() => {
                    Err("only the scale can say that there is a `triage`, of all arms".into())
                }
                Some(triage) => triage.check(&stop, config.limit),
                None => Ok(()),
            };
            checked.map_err(|reason| ExperimentError::Triage { arm: arm.name.clone(), reason })?;
        }
        Ok(())
    }
}

impl Plan {
    /// All runs (a union of arms has none), repeat by repeat, so that whoever stops early has complete repeats to compare.
    pub fn tasks(&self) -> impl Iterator<Item = Task<'_>> {
        let defects: Vec<Option<&Defect>> = match &self.runs {
            Runs::Campaigns(_) | Runs::Coverage(_) => vec![None],
            Runs::Hunts(hunts) if hunts.defects.is_empty() => vec![None],
            Runs::Hunts(hunts) => hunts.defects.iter().map(Some).collect(),
        };
        let of_one = move |repeat| {
            let arms: Vec<&Arm> = self.arms.iter().filter(|arm| arm.union.is_empty()).collect();
            let pairs = defects
                .clone()
                .into_iter()
                .flat_map(move |defect| arms.clone().into_iter().map(move |arm| (arm, defect)));
            pairs.map(move |(arm, defect)| (arm, defect, repeat))
        };
        let all = (1..=self.repeats).flat_map(of_one);
        all.enumerate().map(|(index, (arm, defect, repeat))| Task { index, arm, defect, repeat })
    }

    /// The task with this index.
    ///
    /// # Errors
    /// [`ExperimentError::NoTask`].
    pub fn task(&self, index: usize) -> Result<Task<'_>, ExperimentError> {
        let count = self.tasks().count();
        self.tasks().nth(index).ok_or(ExperimentError::NoTask { index, count })
    }

    /// The task that is called so, `ARM/NNN` or `ARM/DEFECT/NNN`: its index may change when an arm is added, its name
    /// never.
    ///
    /// # Errors
    /// [`ExperimentError::NoSuchRun`].
    pub fn named(&self, name: &str) -> Result<Task<'_>, ExperimentError> {
        let found = self.tasks().find(|task| task.to_string() == name);
        found.ok_or_else(|| ExperimentError::NoSuchRun { name: name.to_owned() })
    }

    /// What decides all that is random in a repeat, the same for all arms.
    pub fn seed_of(&self, repeat: u32) -> u64 {
        self.seed.wrapping_add(u64::from(repeat)).wrapping_sub(1)
    }

    /// Checks that there are runs, that each has a seed, and that every arm has settings that are in range and end a run.
    ///
    /// # Errors
    /// [`ExperimentError::NoRepeats`], [`ExperimentError::Seed`], [`ExperimentError::Config`],
    /// [`ExperimentError::Endless`], [`ExperimentError::Triage`], [`ExperimentError::Hunt`], [`ExperimentError::Coverage`].
    pub fn check(&self) -> Result<(), ExperimentError> {
        if self.repeats == 0 {
            return Err(ExperimentError::NoRepeats);
        }
        if self.seed.checked_add(u64::from(self.repeats)).is_none() {
            return Err(ExperimentError::Seed { seed: self.seed, repeats: self.repeats });
        }
        match &self.runs {
            Runs::Campaigns(campaigns) => campaigns.check(&self.arms, self.seed),
            Runs::Hunts(hunts) => hunts.check(&self.arms),
            Runs::Coverage(coverages) => coverages.check(&self.arms),
        }
    }

    /// Whether runs of `earlier` are runs of this plan: further arms, defects and repeats may come, and a triage where
    /// there was none; nothing else may change.
    ///
    /// # Errors
    /// What has changed.
    pub fn check_continues(&self, earlier: &Plan) -> Result<(), String> {
        if self.scale != earlier.scale {
            return Err(format!("the scale: it was {}", earlier.scale));
        }
        let same: &dyn Fn(&Arm, &Arm) -> bool = match (&self.runs, &earlier.runs) {
            (Runs::Campaigns(own), Runs::Campaigns(earlier)) if own.measure_limit != earlier.measure_limit => {
                return Err("the measure limit".into());
            }
            (Runs::Campaigns(own), Runs::Campaigns(before)) => &|now, then| {
                let triaged = before.triage(then);
                own.settings(now, self.seed) == before.settings(then, earlier.seed)
                    && (triaged.is_none() || own.triage(now) == triaged)
            },
            (Runs::Hunts(own), Runs::Hunts(before)) => {
                if self.seed != earlier.seed {
                    return Err("the seed".into());
                }
                for defect in &before.defects {
                    if !own.defects.contains(defect) {
                        return Err(format!("the defect {}", defect.name));
                    }
                }
                &|now, then| now.hunt.clone().or(own.settings.clone()) == then.hunt.clone().or(before.settings.clone())
            }
            (Runs::Coverage(_), Runs::Coverage(_)) if self.seed != earlier.seed => return Err("the seed".into()),
            (Runs::Coverage(own), Runs::Coverage(before)) if own != before => {
                return Err("what is in [coverage]".into());
            }
            (Runs::Coverage(_), Runs::Coverage(_)) => {
                &|now, then| (now.strategy, now.part, &now.union) == (then.strategy, then.part, &then.union)
            }
            _ => return Err("what its runs are: campaigns, hunts, or coverage".into()),
        };
        for arm in &earlier.arms {
            let now = self.arms.iter().find(|now| now.name == arm.name);
            let now = now.ok_or_else(|| format!("arm {} is gone", arm.name))?;
            if !same(now, arm) {
                return Err(format!("the settings of arm {}", arm.name));
            }
        }
        if self.repeats < earlier.repeats {
            return Err(format!("there were {} repeats", earlier.repeats));
        }
        Ok(())
    }
}
