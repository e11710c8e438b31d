//! What an experiment compares: a TOML file with arms, and with scales from minutes on a laptop to the paper's weeks.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::ExperimentError;
use super::plan::Plan;
use crate::config::{Settings, absolute, duration};

/// What the tables of an experiment show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compute {
    /// The columns of the paper's Table I, the paper's own beside them.
    Results,
    /// Every arm against the baseline: Mann-Whitney U and Vargha-Delaney A12.
    Comparison,
    /// Convergence time and timeouts relative to the baseline (Fig. 6).
    Relative,
    /// How the Pareto fronts lie in objective space (Fig. 5).
    Fronts,
}

/// The numbers that the paper prints for an arm; keys are those of `summary.json`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PaperRow {
    /// Lines of code covered by all scripts of a run.
    pub total_lines: Option<f64>,
    /// Lines of code covered by a script of the result set, on average.
    pub mean_lines: Option<f64>,
    /// Seconds, at the paper's limit of 5 s.
    pub mean_t_score: Option<f64>,
    /// Scripts of the result set that the target did not solve in 2,400 s.
    pub timeouts: Option<f64>,
    /// Mean complexity of the result set.
    pub mean_complexity: Option<f64>,
}

/// One of the ways to search that are compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Arm {
    /// Its name, also of its folder: letters, digits, `-`, `_` and `.`.
    pub name: String,
    /// How tables call it; its name if absent.
    pub label: Option<String>,
    /// What the paper found.
    pub paper: Option<PaperRow>,
    /// What distinguishes it: keys of a run's `config.toml`.
    #[serde(default)]
    pub settings: Settings,
}

impl Arm {
    /// How tables call it.
    pub fn label(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.name)
    }
}

/// How large an experiment is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Scale {
    /// Runs of each arm.
    pub repeats: u32,
    /// CPU time that both solvers have for each member of a result set, after the search.
    #[serde(with = "duration::required")]
    pub measure_limit: Duration,
    /// Keys of a run's `config.toml`, over those of the experiment and under those of the arm.
    #[serde(default)]
    pub settings: Settings,
}

/// An experiment as its file says it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Spec {
    /// One line that says what is compared.
    pub title: String,
    /// Which tables and figures of which paper it reproduces.
    #[serde(default)]
    pub reproduces: String,
    /// The arm that the others are compared with.
    pub baseline: String,
    /// Which tables to make.
    pub compute: Vec<Compute>,
    /// The master seed of the first repeat; each further repeat has the next. All arms of a repeat share it, so that
    /// they begin with the same population.
    #[serde(default = "first_seed")]
    pub seed: u64,
    /// What all runs have in common: keys of a run's `config.toml`.
    #[serde(default)]
    pub settings: Settings,
    /// The scales, by name.
    pub scale: BTreeMap<String, Scale>,
    /// What is compared, in the order of the tables.
    pub arm: Vec<Arm>,
}

fn first_seed() -> u64 {
    1
}

impl Spec {
    /// Reads and checks a spec.
    ///
    /// # Errors
    /// [`ExperimentError::Read`]; [`ExperimentError::Parse`] with line and column; [`ExperimentError::Spec`].
    pub fn read(path: &Path) -> Result<Self, ExperimentError> {
        let text =
            std::fs::read_to_string(path).map_err(|source| ExperimentError::Read { path: path.to_owned(), source })?;
        let mut spec: Spec = toml::from_str(&text)
            .map_err(|source| ExperimentError::Parse { path: path.to_owned(), source: Box::new(source) })?;
        // Absolute: a run's directory is elsewhere, and so may be the process that goes on with it.
        let path_here = absolute(path);
        let folder = path_here.parent().unwrap_or(Path::new(""));
        let Spec { settings, scale, arm, .. } = &mut spec;
        let all =
            scale.values_mut().map(|scale| &mut scale.settings).chain(arm.iter_mut().map(|arm| &mut arm.settings));
        all.chain([settings]).for_each(|settings| settings.relative_to(folder));
        spec.check().map_err(|reason| ExperimentError::Spec { path: path.to_owned(), reason })?;
        Ok(spec)
    }

    fn check(&self) -> Result<(), String> {
        if self.arm.is_empty() {
            return Err("it has no [[arm]]".into());
        }
        for (index, arm) in self.arm.iter().enumerate() {
            let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            if arm.name.is_empty() || arm.name.starts_with('.') || !arm.name.chars().all(fits) {
                return Err(format!(
                    "`{}` is no name for an arm: use letters, digits, `-`, `_` and `.`, and begin with none of `.`",
                    arm.name
                ));
            }
            if self.arm[..index].iter().any(|other| other.name == arm.name) {
                return Err(format!("two arms are called `{}`", arm.name));
            }
        }
        if !self.arm.iter().any(|arm| arm.name == self.baseline) {
            return Err(format!("the baseline `{}` is none of its arms", self.baseline));
        }
        if self.scale.is_empty() {
            return Err("it has no [scale.NAME]".into());
        }
        for (name, scale) in &self.scale {
            if scale.repeats == 0 || scale.measure_limit.is_zero() {
                return Err(format!("[scale.{name}] needs `repeats` of 1 or more and a `measure-limit` above 0"));
            }
        }
        Ok(())
    }

    /// The experiment at one of its scales.
    ///
    /// # Errors
    /// [`ExperimentError::NoScale`]; [`ExperimentError::Config`] if an arm's settings are out of range or end no run.
    pub fn plan(&self, scale: &str) -> Result<Plan, ExperimentError> {
        let chosen = self.scale.get(scale).ok_or_else(|| ExperimentError::NoScale {
            scale: scale.to_owned(),
            scales: self.scale.keys().cloned().collect::<Vec<_>>().join(", "),
        })?;
        let plan = Plan {
            title: self.title.clone(),
            reproduces: self.reproduces.clone(),
            baseline: self.baseline.clone(),
            compute: self.compute.clone(),
            scale: scale.to_owned(),
            seed: self.seed,
            repeats: chosen.repeats,
            measure_limit: chosen.measure_limit,
            settings: chosen.settings.clone().or(self.settings.clone()),
            arm: self.arm.clone(),
        };
        plan.check()?;
        Ok(plan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = "title = 'T'\nbaseline = 'a'\ncompute = ['results']\n[settings]\npopulation = 40\n\
        [scale.small]\nrepeats = 2\nmeasure-limit = '2s'\nsettings = { solver-budget = '10s', population = 8 }\n\
        [[arm]]\nname = 'a'\n[[arm]]\nname = 'b'\nsettings = { variant = 'random', population = 4 }\n";

    fn read(text: &str) -> Result<Spec, ExperimentError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spec.toml");
        std::fs::write(&path, text).unwrap();
        Spec::read(&path)
    }

    #[test]
    fn an_arm_wins_over_the_scale_and_the_scale_over_the_experiment() {
        let plan = read(SPEC).unwrap().plan("small").unwrap();
        let population = |arm: usize| plan.config(&plan.arm[arm], 1).unwrap().population;
        assert_eq!((population(0), population(1)), (8, 4));
        assert_eq!(plan.tasks().count(), 4);
        let seeds: Vec<u64> = plan.tasks().map(|task| plan.config(task.arm, task.repeat).unwrap().seed).collect();
        assert_eq!(seeds, [1, 1, 2, 2], "repeat by repeat, so that an early end leaves whole repeats");
    }

    #[test]
    fn seed_folders_are_those_beside_the_file_wherever_it_is_read_from() {
        let spec = read(&SPEC.replace("[settings]", "[settings]\nseeds = 'mine'")).unwrap();
        let seeds = spec.plan("small").unwrap().settings.seeds.unwrap();
        assert!(seeds.is_absolute() && seeds.ends_with("mine"), "{}", seeds.display());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let complaint = |text: &str| read(text).unwrap_err().to_string();
        assert!(complaint(&SPEC.replace("baseline = 'a'", "baseline = 'c'")).contains("`c` is none of its arms"));
        assert!(complaint(&SPEC.replace("name = 'b'", "name = 'a'")).contains("two arms are called `a`"));
        assert!(complaint(&SPEC.replace("name = 'b'", "name = '../b'")).contains("`../b` is no name for an arm"));
        assert!(complaint(&SPEC.replace("repeats = 2", "repeat = 2")).contains("line 7, column 1"));
        let spec = read(SPEC).unwrap();
        assert!(spec.plan("large").unwrap_err().to_string().contains("it has small"));
        let endless = read(&SPEC.replace("solver-budget = '10s', ", "")).unwrap();
        let mut none = spec.plan("small").unwrap();
        none.repeats = 0;
        assert!(none.check().unwrap_err().to_string().contains("1 repeat or more"));
        let mut last = spec.plan("small").unwrap();
        last.seed = u64::MAX;
        assert!(last.check().unwrap_err().to_string().contains("a smaller seed"));
        assert!(endless.plan("small").unwrap_err().to_string().contains("would never end"));
    }
}
