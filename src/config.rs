//! The configuration that decides a run: defaults, then a TOML file, then the command line.
//!
//! [`Settings`] is what a user wrote, every key optional; [`Config`] is what the run does, every key decided. Both have
//! the same TOML shape, so a run directory's `config.toml` can be given to `--config` again.

mod duration;

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use duration::{DurationError, format_duration, parse_duration};

use crate::search::Variant;
use crate::smtlib::dialect::Dialect;
use crate::trace::TraceLines;

/// What is wrong with a configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the configuration {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The file is no valid TOML of our keys.
    #[error("{path}: {source}")]
    Parse {
        /// The file.
        path: PathBuf,
        /// Line, column and reason.
        source: Box<toml::de::Error>,
    },
    /// A value is out of range.
    #[error("`{key}` must be {must}, not {got}")]
    Range {
        /// The key, as in the file.
        key: &'static str,
        /// What it must be.
        must: &'static str,
        /// What it is.
        got: String,
    },
    /// A resumed run cannot change what decides its course.
    #[error("`{key}` decides the course of the run and cannot change on --resume; start a new run instead")]
    FixedOnResume {
        /// The key, as in the file.
        key: &'static str,
    },
}

/// How the coverage archive is kept (Algorithm 2; see `coverage::reward`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum CoverageMode {
    /// Everybody of a generation is scored against the archive as it stood when the generation began.
    #[default]
    Snapshot,
    /// As printed in the paper: the archive is updated after each individual, in slot order.
    Paper,
}

/// When coverage scores are computed again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Rescore {
    /// Parents and offspring, every generation (Algorithm 1, line 10).
    #[default]
    EachGeneration,
    /// Once, when an individual is first evaluated.
    AtBirth,
}

/// Keys of `[coverage]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoverageSettings {
    /// How the archive is kept.
    pub mode: Option<CoverageMode>,
    /// When scores are computed again.
    pub rescore: Option<Rescore>,
}

/// Keys of `[confirm]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfirmSettings {
    /// Whether candidates are confirmed during the run.
    pub enabled: Option<bool>,
    /// CPU seconds of a confirmation run.
    #[serde(with = "duration::optional", default)]
    pub limit: Option<Duration>,
    /// The largest part of the run's core time that confirmation may take, from 0 to 1.
    pub share: Option<f64>,
}

/// What a user asked for; a key that is absent is left to the next source.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// The solver under test: a profile's name, or a path to a profile.
    pub target: Option<String>,
    /// The solver that its times are compared with.
    pub reference: Option<String>,
    /// The instrumented build of the target, for coverage and traces.
    pub instrumented: Option<String>,
    /// The variant of the search.
    pub variant: Option<Variant>,
    /// The master seed.
    pub seed: Option<u64>,
    /// Population size.
    pub population: Option<u32>,
    /// Crossover probability.
    pub crossover: Option<f64>,
    /// Mutation probability.
    pub mutation: Option<f64>,
    /// CPU seconds of a timing run.
    #[serde(with = "duration::optional", default)]
    pub limit: Option<Duration>,
    /// CPU seconds of an observed run (coverage and trace).
    #[serde(with = "duration::optional", default)]
    pub observe_limit: Option<Duration>,
    /// Wall time after which the run ends.
    #[serde(with = "duration::optional", default)]
    pub budget: Option<Duration>,
    /// Generations after generation 0.
    pub generations: Option<u32>,
    /// Evaluations after which the run ends.
    pub evaluations: Option<u64>,
    /// Ends the run after so many generations without a better mean t-score.
    pub stagnation: Option<u32>,
    /// Folder of seed files for generation 0.
    pub seeds: Option<PathBuf>,
    /// Theory files with further operators.
    pub theories: Option<Vec<PathBuf>>,
    /// Which lines of a trace are compared.
    pub trace_lines: Option<TraceLines>,
    /// The coverage archive.
    #[serde(default)]
    pub coverage: CoverageSettings,
    /// Confirmation of defects.
    #[serde(default)]
    pub confirm: ConfirmSettings,
    /// What was found out about the solvers when the run began; written by us.
    pub resolved: Option<Resolved>,
}

/// What the solvers accept, as found when the run began: it decides which scripts are bred, so it is recorded, and a
/// replay needs no solver.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Resolved {
    /// The target's dialect: final populations are written in it.
    pub target_dialect: Dialect,
    /// The reference's dialect.
    pub reference_dialect: Dialect,
    /// The logic that scripts set.
    pub logic: String,
    /// Operators that one of the solvers does not accept.
    pub rejected: Vec<String>,
}

/// Everything that decides a run, resolved.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The solver under test.
    pub target: String,
    /// The solver that its times are compared with.
    pub reference: String,
    /// The instrumented build of the target; none to do without coverage and traces.
    pub instrumented: Option<String>,
    /// The variant of the search.
    pub variant: Variant,
    /// The master seed.
    pub seed: u64,
    /// Population size, 1 or more.
    pub population: u32,
    /// Crossover probability, 0 to 1.
    pub crossover: f64,
    /// Mutation probability, 0 to 1.
    pub mutation: f64,
    /// CPU time of a timing run.
    pub limit: Duration,
    /// CPU time of an observed run.
    pub observe_limit: Duration,
    /// When the run ends; whichever comes first.
    pub stop: Stop,
    /// Folder of seed files for generation 0.
    pub seeds: Option<PathBuf>,
    /// Theory files with further operators.
    pub theories: Vec<PathBuf>,
    /// Which lines of a trace are compared.
    pub trace_lines: TraceLines,
    /// How the coverage archive is kept.
    pub coverage_mode: CoverageMode,
    /// When coverage scores are computed again.
    pub rescore: Rescore,
    /// Confirmation of defects.
    pub confirm: Confirm,
    /// What the solvers accept; empty until they were asked.
    pub resolved: Option<Resolved>,
}

/// When a run ends. Nothing set: when it is interrupted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stop {
    /// Wall time.
    pub budget: Option<Duration>,
    /// Generations after generation 0.
    pub generations: Option<u32>,
    /// Evaluations.
    pub evaluations: Option<u64>,
    /// Generations without a better mean t-score.
    pub stagnation: Option<u32>,
}

/// Confirmation of defects during the run (design §4.3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confirm {
    /// Whether candidates are confirmed at all.
    pub enabled: bool,
    /// CPU time of a confirmation run.
    pub limit: Duration,
    /// The largest part of the run's core time that confirmation may take, 0 to 1.
    pub share: f64,
}

/// The paper's population size (RQ4: 40 to 60).
const POPULATION: u32 = 40;
/// The paper's crossover probability (IV.B).
const CROSSOVER: f64 = 0.75;
/// The paper's mutation probability (IV.B).
const MUTATION: f64 = 0.25;
/// The paper's limit while searching (III.C).
const LIMIT: Duration = Duration::from_secs(5);
/// Enough of an observed run to tell executions apart.
const OBSERVE_LIMIT: Duration = Duration::from_secs(1);
/// The confirm limit is this many times the limit, unless it is given.
const CONFIRM_FACTOR: u32 = 4;
/// Confirmation takes at most this part of the core time.
const CONFIRM_SHARE: f64 = 0.25;

impl Settings {
    /// Reads a TOML file. Relative paths in it are relative to it.
    ///
    /// # Errors
    /// [`ConfigError::Read`] and [`ConfigError::Parse`].
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let text =
            std::fs::read_to_string(path).map_err(|source| ConfigError::Read { path: path.to_owned(), source })?;
        let mut settings: Settings = toml::from_str(&text)
            .map_err(|source| ConfigError::Parse { path: path.to_owned(), source: Box::new(source) })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for each in settings.seeds.iter_mut().chain(settings.theories.iter_mut().flatten()) {
            *each = folder.join(&*each);
        }
        Ok(settings)
    }

    /// These settings, and where they leave a key open, the other's.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Settings {
            target: self.target.or(other.target),
            reference: self.reference.or(other.reference),
            instrumented: self.instrumented.or(other.instrumented),
            variant: self.variant.or(other.variant),
            seed: self.seed.or(other.seed),
            population: self.population.or(other.population),
            crossover: self.crossover.or(other.crossover),
            mutation: self.mutation.or(other.mutation),
            limit: self.limit.or(other.limit),
            observe_limit: self.observe_limit.or(other.observe_limit),
            budget: self.budget.or(other.budget),
            generations: self.generations.or(other.generations),
            evaluations: self.evaluations.or(other.evaluations),
            stagnation: self.stagnation.or(other.stagnation),
            seeds: self.seeds.or(other.seeds),
            theories: self.theories.or(other.theories),
            trace_lines: self.trace_lines.or(other.trace_lines),
            coverage: CoverageSettings {
                mode: self.coverage.mode.or(other.coverage.mode),
                rescore: self.coverage.rescore.or(other.coverage.rescore),
            },
            confirm: ConfirmSettings {
                enabled: self.confirm.enabled.or(other.confirm.enabled),
                limit: self.confirm.limit.or(other.confirm.limit),
                share: self.confirm.share.or(other.confirm.share),
            },
            resolved: self.resolved.or(other.resolved),
        }
    }

    /// These settings on top of a run's own, for `--resume`: only when to stop may differ.
    ///
    /// # Errors
    /// [`ConfigError::FixedOnResume`] names the first key that is set and differs.
    pub fn resuming(self, run: &Config) -> Result<Config, ConfigError> {
        let stop = Stop {
            budget: self.budget.or(run.stop.budget),
            generations: self.generations.or(run.stop.generations),
            evaluations: self.evaluations.or(run.stop.evaluations),
            stagnation: self.stagnation.or(run.stop.stagnation),
        };
        let before = Settings::from(run);
        let changed = [
            ("target", differs(self.target.as_ref(), before.target.as_ref())),
            ("reference", differs(self.reference.as_ref(), before.reference.as_ref())),
            ("instrumented", differs(self.instrumented.as_ref(), before.instrumented.as_ref())),
            ("variant", differs(self.variant.as_ref(), before.variant.as_ref())),
            ("seed", differs(self.seed.as_ref(), before.seed.as_ref())),
            ("population", differs(self.population.as_ref(), before.population.as_ref())),
            ("crossover", differs(self.crossover.as_ref(), before.crossover.as_ref())),
            ("mutation", differs(self.mutation.as_ref(), before.mutation.as_ref())),
            ("limit", differs(self.limit.as_ref(), before.limit.as_ref())),
            ("observe-limit", differs(self.observe_limit.as_ref(), before.observe_limit.as_ref())),
            ("seeds", differs(self.seeds.as_ref(), before.seeds.as_ref())),
            ("theories", differs(self.theories.as_ref(), before.theories.as_ref())),
            ("trace-lines", differs(self.trace_lines.as_ref(), before.trace_lines.as_ref())),
            ("coverage.mode", differs(self.coverage.mode.as_ref(), before.coverage.mode.as_ref())),
            ("coverage.rescore", differs(self.coverage.rescore.as_ref(), before.coverage.rescore.as_ref())),
        ];
        if let Some((key, _)) = changed.into_iter().find(|(_, changed)| *changed) {
            return Err(ConfigError::FixedOnResume { key });
        }
        let confirm = Confirm {
            enabled: self.confirm.enabled.unwrap_or(run.confirm.enabled),
            limit: self.confirm.limit.unwrap_or(run.confirm.limit),
            share: self.confirm.share.unwrap_or(run.confirm.share),
        };
        Ok(Config { stop, confirm, ..run.clone() })
    }
}

fn differs<T: PartialEq>(wanted: Option<&T>, before: Option<&T>) -> bool {
    wanted.is_some() && wanted != before
}

impl Config {
    /// Fills what the settings leave open with the defaults, and checks ranges.
    ///
    /// # Errors
    /// [`ConfigError::Range`].
    pub fn resolve(settings: Settings) -> Result<Self, ConfigError> {
        let limit = positive("limit", settings.limit.unwrap_or(LIMIT))?;
        let confirm = Confirm {
            enabled: settings.confirm.enabled.unwrap_or(true),
            limit: positive("confirm.limit", settings.confirm.limit.unwrap_or(limit * CONFIRM_FACTOR))?,
            share: fraction("confirm.share", settings.confirm.share.unwrap_or(CONFIRM_SHARE))?,
        };
        let population = settings.population.unwrap_or(POPULATION);
        if population == 0 {
            return Err(ConfigError::Range { key: "population", must: "1 or more", got: "0".into() });
        }
        Ok(Config {
            target: settings.target.unwrap_or_else(|| "z3str3".into()),
            reference: settings.reference.unwrap_or_else(|| "cvc4".into()),
            instrumented: settings.instrumented,
            variant: settings.variant.unwrap_or_default(),
            seed: settings.seed.unwrap_or(0),
            population,
            crossover: fraction("crossover", settings.crossover.unwrap_or(CROSSOVER))?,
            mutation: fraction("mutation", settings.mutation.unwrap_or(MUTATION))?,
            limit,
            observe_limit: positive("observe-limit", settings.observe_limit.unwrap_or(OBSERVE_LIMIT))?,
            stop: Stop {
                budget: settings.budget.map(|budget| positive("budget", budget)).transpose()?,
                generations: settings.generations,
                evaluations: settings.evaluations,
                stagnation: settings.stagnation,
            },
            seeds: settings.seeds,
            theories: settings.theories.unwrap_or_default(),
            trace_lines: settings.trace_lines.unwrap_or_default(),
            coverage_mode: settings.coverage.mode.unwrap_or_default(),
            rescore: settings.coverage.rescore.unwrap_or_default(),
            confirm,
            resolved: settings.resolved,
        })
    }

    /// The TOML of `config.toml`.
    ///
    /// # Errors
    /// The serialiser's, for paths that are not UTF-8.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string_pretty(&Settings::from(self))
    }
}

impl From<&Config> for Settings {
    fn from(config: &Config) -> Self {
        Settings {
            target: Some(config.target.clone()),
            reference: Some(config.reference.clone()),
            instrumented: config.instrumented.clone(),
            variant: Some(config.variant),
            seed: Some(config.seed),
            population: Some(config.population),
            crossover: Some(config.crossover),
            mutation: Some(config.mutation),
            limit: Some(config.limit),
            observe_limit: Some(config.observe_limit),
            budget: config.stop.budget,
            generations: config.stop.generations,
            evaluations: config.stop.evaluations,
            stagnation: config.stop.stagnation,
            seeds: config.seeds.clone(),
            theories: (!config.theories.is_empty()).then(|| config.theories.clone()),
            trace_lines: Some(config.trace_lines),
            coverage: CoverageSettings { mode: Some(config.coverage_mode), rescore: Some(config.rescore) },
            confirm: ConfirmSettings {
                enabled: Some(config.confirm.enabled),
                limit: Some(config.confirm.limit),
                share: Some(config.confirm.share),
            },
            resolved: config.resolved.clone(),
        }
    }
}

fn fraction(key: &'static str, value: f64) -> Result<f64, ConfigError> {
    if (0.0..=1.0).contains(&value) {
        Ok(value)
    } else {
        Err(ConfigError::Range { key, must: "from 0 to 1", got: value.to_string() })
    }
}

fn positive(key: &'static str, value: Duration) -> Result<Duration, ConfigError> {
    if value.is_zero() { Err(ConfigError::Range { key, must: "longer than 0", got: "0s".into() }) } else { Ok(value) }
}

#[cfg(test)]
mod tests;
