//! An experiment at one scale, with everything that decides its runs: what an experiment's folder keeps.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::ExperimentError;
use super::spec::{Arm, Compute};
use crate::config::{Config, ConfirmSettings, Settings, duration};

/// One run: an arm, and which repeat of it.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// Its place among all tasks, from 0: repeat by repeat.
    pub index: usize,
    /// The arm.
    pub arm: &'a Arm,
    /// The repeat, from 1.
    pub repeat: u32,
}

impl std::fmt::Display for Task<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{:03}", self.arm.name, self.repeat)
    }
}

/// The experiment. Its TOML is `experiment.toml` in the experiment's folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Plan {
    /// One line that says what is compared.
    pub title: String,
    /// Which tables and figures of which paper it reproduces.
    pub reproduces: String,
    /// The arm that the others are compared with.
    pub baseline: String,
    /// Which tables to make.
    pub compute: Vec<Compute>,
    /// The name of the scale.
    pub scale: String,
    /// The master seed of the first repeat.
    pub seed: u64,
    /// Runs of each arm.
    pub repeats: u32,
    /// CPU time of both solvers for each member of a result set.
    #[serde(with = "duration::required")]
    pub measure_limit: Duration,
    /// What all runs have in common.
    pub settings: Settings,
    /// What is compared.
    pub arm: Vec<Arm>,
}

impl Plan {
    /// All runs, repeat by repeat, so that whoever stops early has complete repeats to compare.
    pub fn tasks(&self) -> impl Iterator<Item = Task<'_>> {
        let pairs = (1..=self.repeats).flat_map(|repeat| self.arm.iter().map(move |arm| (arm, repeat)));
        pairs.enumerate().map(|(index, (arm, repeat))| Task { index, arm, repeat })
    }

    /// The task with this index.
    ///
    /// # Errors
    /// [`ExperimentError::NoTask`].
    pub fn task(&self, index: usize) -> Result<Task<'_>, ExperimentError> {
        let count = self.tasks().count();
        self.tasks().nth(index).ok_or(ExperimentError::NoTask { index, count })
    }

    /// The task that is called so, `ARM/NNN`: its index may change when an arm is added, its name never.
    ///
    /// # Errors
    /// [`ExperimentError::NoSuchRun`].
    pub fn named(&self, name: &str) -> Result<Task<'_>, ExperimentError> {
        let found = self.tasks().find(|task| task.to_string() == name);
        found.ok_or_else(|| ExperimentError::NoSuchRun { name: name.to_owned() })
    }

    /// What a run is told. Candidates are not confirmed during the run: the CPU time is for the search, and every member
    /// of the result set is measured afterwards.
    pub fn settings(&self, arm: &Arm, repeat: u32) -> Settings {
        let fixed = Settings {
            seed: Some(self.seed.wrapping_add(u64::from(repeat)).wrapping_sub(1)),
            confirm: ConfirmSettings { enabled: Some(false), ..ConfirmSettings::default() },
            ..Settings::default()
        };
        fixed.or(arm.settings.clone()).or(self.settings.clone())
    }

    /// The configuration of a run, as far as it is known before solvers are asked.
    ///
    /// # Errors
    /// [`ExperimentError::Config`].
    pub fn config(&self, arm: &Arm, repeat: u32) -> Result<Config, ExperimentError> {
        let config = Config::resolve(self.settings(arm, repeat));
        config.map_err(|source| ExperimentError::Config { arm: arm.name.clone(), source })
    }

    /// Checks that there are runs, that each has a seed, and that every arm has settings that are in range and end a run.
    ///
    /// # Errors
    /// [`ExperimentError::NoRepeats`], [`ExperimentError::Seed`], [`ExperimentError::Config`],
    /// [`ExperimentError::Endless`].
    pub fn check(&self) -> Result<(), ExperimentError> {
        if self.repeats == 0 {
            return Err(ExperimentError::NoRepeats);
        }
        if self.seed.checked_add(u64::from(self.repeats)).is_none() {
            return Err(ExperimentError::Seed { seed: self.seed, repeats: self.repeats });
        }
        for arm in &self.arm {
            let stop = self.config(arm, 1)?.stop;
            let ends = stop.solver_budget.is_some()
                || stop.budget.is_some()
                || stop.evaluations.is_some()
                || stop.generations.is_some();
            if !ends {
                return Err(ExperimentError::Endless { arm: arm.name.clone() });
            }
        }
        Ok(())
    }

    /// Whether runs of `earlier` are runs of this plan: further arms and repeats may come, nothing else may change.
    ///
    /// # Errors
    /// What has changed.
    pub fn check_continues(&self, earlier: &Plan) -> Result<(), String> {
        if self.measure_limit != earlier.measure_limit {
            return Err("the measure limit".into());
        }
        if self.scale != earlier.scale {
            return Err(format!("the scale: it was {}", earlier.scale));
        }
        for arm in &earlier.arm {
            let now = self.arm.iter().find(|now| now.name == arm.name);
            let now = now.ok_or_else(|| format!("arm {} is gone", arm.name))?;
            if self.settings(now, 1) != earlier.settings(arm, 1) {
                return Err(format!("the settings of arm {}", arm.name));
            }
        }
        if self.repeats < earlier.repeats {
            return Err(format!("there were {} repeats", earlier.repeats));
        }
        Ok(())
    }
}
