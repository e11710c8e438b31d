//! The configuration that decides a run: defaults, then a TOML file, then the command line.
//!
//! [`Settings`] is what a user wrote, every key optional; [`Config`] is what the run does, every key decided. Both have
//! the same TOML shape, so a run directory's `config.toml` can be given to `--config` again.

pub mod duration;
mod settings;
mod unless_told;

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use duration::{DurationError, format_duration, parse_duration};
pub use settings::{ConfirmSettings, CoverageSettings, ObserveSettings, Settings, TraceSettings, absolute};

use crate::evaluate::Fusion;
use crate::generator;
use crate::search::{Crowding, Variant};
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
    /// There is no generator of this name.
    #[error("there is no generator `{got}`; known: {known}")]
    Generator {
        /// All names.
        known: String,
        /// What was given.
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

/// What offspring are mutated by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Mutators {
    /// What the variant has: the paper's seven operators, or `StringFuzz`'s
    #[default]
    Variant,
    /// `TypeFuzz`: an expression gives way to an operator over expressions of the script
    Typefuzz,
    /// `OpFuzz`: an operator gives way to another one over the same arguments
    Opfuzz,
    /// `FuzzChick`: an expression gives way to another one of the script
    Fuzzchick,
    /// `TypeFuzz`, `OpFuzz` and `FuzzChick`, drawn for each mutation
    Mixed,
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
    /// Whether the target writes no traces, so that there is nothing to crowd by but the objectives.
    #[serde(default)]
    pub traceless: bool,
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
    /// What offspring are mutated by.
    pub mutators: Mutators,
    /// CPU time of a timing run.
    pub limit: Duration,
    /// How often the target is timed on each script, of which the median counts: 1 or more, and 1 in all but the
    /// `StringFuzz` variants.
    pub timings: u32,
    /// CPU time of an observed run.
    pub observe_limit: Duration,
    /// Whether coverage and trace come from one run.
    pub observe_runs: Fusion,
    /// The target's own limit of an observed run, in its own units; 0 for none, and `None` until its profile was asked.
    pub observe_soft_limit: Option<u64>,
    /// Lines after which a trace is cut, and the observed run ended.
    pub trace_max_lines: Option<u64>,
    /// When the run ends; whichever comes first.
    pub stop: Stop,
    /// What fresh scripts are about: one of [`generator::names`].
    pub generator: String,
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
    /// Whether the patterns of defects are learned, and kept out of what is bred.
    pub learn: bool,
    /// Patterns that are known beforehand, as SMT-LIB text.
    pub known: Vec<String>,
    /// What the solvers accept; empty until they were asked.
    pub resolved: Option<Resolved>,
}

/// When a run ends. Nothing set: when it is interrupted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stop {
    /// Wall time.
    pub budget: Option<Duration>,
    /// CPU time of the evaluations' solver runs, as far as the search pays for them
    /// ([`Observation::charged_seconds`](crate::evaluate::individual::Observation::charged_seconds)): the budget that
    /// makes variants comparable on a machine with other work.
    pub solver_budget: Option<Duration>,
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
        let variant = settings.variant.unwrap_or_default();
        // Only where it is part of the published search: elsewhere one timing counts.
        let timings = match (variant.timings(), settings.timings) {
            (1, _) => 1,
            (default, asked) => asked.unwrap_or(default),
        };
        for (key, count) in [("population", population), ("timings", timings)] {
            if count == 0 {
                return Err(ConfigError::Range { key, must: "1 or more", got: "0".into() });
            }
        }
        Ok(Config {
            target: settings.target.unwrap_or_else(|| "z3str3".into()),
            reference: settings.reference.unwrap_or_else(|| "cvc4".into()),
            instrumented: settings.instrumented,
            variant,
            seed: settings.seed.unwrap_or(0),
            population,
            crossover: fraction("crossover", settings.crossover.unwrap_or(CROSSOVER))?,
            mutation: fraction("mutation", settings.mutation.unwrap_or(MUTATION))?,
            mutators: settings.mutators.unwrap_or_default(),
            limit,
            timings,
            observe_limit: positive("observe-limit", settings.observe_limit.unwrap_or(OBSERVE_LIMIT))?,
            observe_runs: settings.observe.runs.unwrap_or_default(),
            observe_soft_limit: settings.observe.soft_limit,
            trace_max_lines: match settings.trace.max_lines {
                Some(0) => {
                    let must = "1 or more; leave it out for whole traces";
                    return Err(ConfigError::Range { key: "trace.max-lines", must, got: "0".into() });
                }
                lines => lines,
            },
            stop: Stop {
                budget: settings.budget.map(|budget| positive("budget", budget)).transpose()?,
                solver_budget: settings.solver_budget.map(|budget| positive("solver-budget", budget)).transpose()?,
                generations: settings.generations,
                evaluations: settings.evaluations,
                stagnation: settings.stagnation,
            },
            generator: known_generator(settings.generator)?,
            seeds: settings.seeds,
            theories: settings.theories.unwrap_or_default(),
            trace_lines: settings.trace_lines.unwrap_or_default(),
            coverage_mode: settings.coverage.mode.unwrap_or_default(),
            rescore: settings.coverage.rescore.unwrap_or_default(),
            confirm,
            learn: settings.learn.unwrap_or(false),
            known: settings.known.unwrap_or_default(),
            resolved: settings.resolved,
        })
    }

    /// How survivors of one front are told apart: as the variant has it, but by distance if the target writes no
    /// traces. Without them all would be equally crowded, and the older would always survive.
    pub fn crowding(&self) -> Crowding {
        let traceless = self.resolved.as_ref().is_some_and(|resolved| resolved.traceless);
        if traceless { Crowding::Distance } else { self.variant.crowding() }
    }

    /// The TOML of `config.toml`.
    ///
    /// # Errors
    /// The serialiser's, for paths that are not UTF-8.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string_pretty(&Settings::from(self))
    }
}

fn known_generator(name: Option<String>) -> Result<String, ConfigError> {
    let Some(name) = name else { return Ok(generator::STRINGS.to_owned()) };
    if generator::logic_of(&name).is_some() {
        return Ok(name);
    }
    Err(ConfigError::Generator { known: generator::names().collect::<Vec<_>>().join(", "), got: name })
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
