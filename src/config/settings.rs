//! What a user asked for: a TOML file, or the command line, every key optional.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Config, ConfigError, Confirm, CoverageMode, Mutators, Rescore, Resolved, Stop, duration};
use crate::evaluate::Fusion;
use crate::generator::STRINGS;
use crate::search::Variant;
use crate::solver::profile::SolverSpec;
use crate::trace::TraceLines;

/// Keys of `[coverage]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoverageSettings {
    /// How the archive is kept.
    pub mode: Option<CoverageMode>,
    /// When scores are computed again.
    pub rescore: Option<Rescore>,
}

/// Keys of `[observe]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ObserveSettings {
    /// Whether coverage and trace come from one run.
    pub runs: Option<Fusion>,
    /// The target's own limit of an observed run, in its own units; 0 for none.
    pub soft_limit: Option<u64>,
}

/// Keys of `[trace]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TraceSettings {
    /// Lines after which a trace is cut, and the observed run ended.
    pub max_lines: Option<u64>,
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
    /// What offspring are mutated by, where it is not what the variant has.
    pub mutators: Option<Mutators>,
    /// CPU seconds of a timing run.
    #[serde(with = "duration::optional", default)]
    pub limit: Option<Duration>,
    /// Of the `StringFuzz` variants: how often the target is timed on each script.
    pub timings: Option<u32>,
    /// CPU seconds of an observed run (coverage and trace).
    #[serde(with = "duration::optional", default)]
    pub observe_limit: Option<Duration>,
    /// Wall time after which the run ends.
    #[serde(with = "duration::optional", default)]
    pub budget: Option<Duration>,
    /// CPU time of solver runs after which the run ends.
    #[serde(with = "duration::optional", default)]
    pub solver_budget: Option<Duration>,
    /// Generations after generation 0.
    pub generations: Option<u32>,
    /// Evaluations after which the run ends.
    pub evaluations: Option<u64>,
    /// Ends the run after so many generations without a better mean t-score.
    pub stagnation: Option<u32>,
    /// What fresh scripts are about: the name of a generator, from which the logic follows.
    pub generator: Option<String>,
    /// Folder of seed files for generation 0.
    pub seeds: Option<PathBuf>,
    /// Theory files with further operators.
    pub theories: Option<Vec<PathBuf>>,
    /// Which lines of a trace are compared.
    pub trace_lines: Option<TraceLines>,
    /// Observed runs.
    #[serde(default)]
    pub observe: ObserveSettings,
    /// Traces.
    #[serde(default)]
    pub trace: TraceSettings,
    /// The coverage archive.
    #[serde(default)]
    pub coverage: CoverageSettings,
    /// Confirmation of defects.
    #[serde(default)]
    pub confirm: ConfirmSettings,
    /// Whether the patterns of defects are learned during the run, and kept out of what is bred; not so in the paper.
    pub learn: Option<bool>,
    /// Patterns of defects that are known beforehand, as SMT-LIB text.
    pub known: Option<Vec<String>>,
    /// What was found out about the solvers when the run began; written by us.
    pub resolved: Option<Resolved>,
}

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
        settings.relative_to(path.parent().unwrap_or(Path::new("")));
        Ok(settings)
    }

    /// Makes relative paths relative to `folder`, and absolute: a configuration is read again from the run directory, and
    /// by processes that start elsewhere.
    pub fn relative_to(&mut self, folder: &Path) {
        for each in self.seeds.iter_mut().chain(self.theories.iter_mut().flatten()) {
            *each = absolute(&folder.join(&*each));
        }
        for solver in [&mut self.target, &mut self.reference, &mut self.instrumented].into_iter().flatten() {
            if let Some(there) = solver_in(folder, solver) {
                *solver = there;
            }
        }
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
            mutators: self.mutators.or(other.mutators),
            limit: self.limit.or(other.limit),
            timings: self.timings.or(other.timings),
            observe_limit: self.observe_limit.or(other.observe_limit),
            budget: self.budget.or(other.budget),
            solver_budget: self.solver_budget.or(other.solver_budget),
            generations: self.generations.or(other.generations),
            evaluations: self.evaluations.or(other.evaluations),
            stagnation: self.stagnation.or(other.stagnation),
            generator: self.generator.or(other.generator),
            seeds: self.seeds.or(other.seeds),
            theories: self.theories.or(other.theories),
            trace_lines: self.trace_lines.or(other.trace_lines),
            observe: ObserveSettings {
                runs: self.observe.runs.or(other.observe.runs),
                soft_limit: self.observe.soft_limit.or(other.observe.soft_limit),
            },
            trace: TraceSettings { max_lines: self.trace.max_lines.or(other.trace.max_lines) },
            coverage: CoverageSettings {
                mode: self.coverage.mode.or(other.coverage.mode),
                rescore: self.coverage.rescore.or(other.coverage.rescore),
            },
            confirm: ConfirmSettings {
                enabled: self.confirm.enabled.or(other.confirm.enabled),
                limit: self.confirm.limit.or(other.confirm.limit),
                share: self.confirm.share.or(other.confirm.share),
            },
            learn: self.learn.or(other.learn),
            known: self.known.or(other.known),
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
            solver_budget: self.solver_budget.or(run.stop.solver_budget),
            generations: self.generations.or(run.stop.generations),
            evaluations: self.evaluations.or(run.stop.evaluations),
            stagnation: self.stagnation.or(run.stop.stagnation),
        };
        let before = Settings::from(run);
        let changed = [
            ("target", is_another(self.target.as_deref(), &run.target)),
            ("reference", is_another(self.reference.as_deref(), &run.reference)),
            ("instrumented", differs(self.instrumented.as_ref(), before.instrumented.as_ref())),
            ("variant", differs(self.variant.as_ref(), before.variant.as_ref())),
            ("seed", differs(self.seed.as_ref(), before.seed.as_ref())),
            ("population", differs(self.population.as_ref(), before.population.as_ref())),
            ("crossover", differs(self.crossover.as_ref(), before.crossover.as_ref())),
            ("mutation", differs(self.mutation.as_ref(), before.mutation.as_ref())),
            ("mutators", differs(self.mutators.as_ref(), Some(&run.mutators))),
            ("limit", differs(self.limit.as_ref(), before.limit.as_ref())),
            ("timings", differs(self.timings.as_ref(), Some(&run.timings))),
            ("observe-limit", differs(self.observe_limit.as_ref(), before.observe_limit.as_ref())),
            ("generator", differs(self.generator.as_ref(), Some(&run.generator))),
            ("seeds", differs(self.seeds.as_ref(), before.seeds.as_ref())),
            ("theories", differs(self.theories.as_ref(), before.theories.as_ref())),
            ("trace-lines", differs(self.trace_lines.as_ref(), before.trace_lines.as_ref())),
            ("observe.runs", differs(self.observe.runs.as_ref(), before.observe.runs.as_ref())),
            ("observe.soft-limit", differs(self.observe.soft_limit.as_ref(), before.observe.soft_limit.as_ref())),
            ("trace.max-lines", differs(self.trace.max_lines.as_ref(), before.trace.max_lines.as_ref())),
            ("coverage.mode", differs(self.coverage.mode.as_ref(), before.coverage.mode.as_ref())),
            ("learn", differs(self.learn.as_ref(), before.learn.as_ref())),
            ("known", differs(self.known.as_ref(), before.known.as_ref())),
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

/// Whether a solver that is asked for is another than the run's. A name without a version means the version that the run
/// began with.
fn is_another(asked: Option<&str>, run: &str) -> bool {
    let Some(asked) = asked else { return false };
    match (SolverSpec::parse(asked), SolverSpec::parse(run)) {
        (Ok(asked), Ok(run)) => asked != SolverSpec { version: asked.version.as_ref().and(run.version), ..run },
        _ => asked != run,
    }
}

/// A solver that is named by its path, relative to `folder`, by its absolute path; none if it may stay as it is. What is
/// not in `folder` is looked for in the working folder, as the names of solvers are everywhere else.
fn solver_in(folder: &Path, name: &str) -> Option<String> {
    let spec = SolverSpec::parse(name).ok().filter(SolverSpec::is_path)?;
    let (program, options) = name.trim().split_once(char::is_whitespace).unwrap_or((name.trim(), ""));
    if Path::new(program).is_absolute() {
        return None;
    }
    let there = absolute(&folder.join(program)).display().to_string();
    let is_there = SolverSpec::parse(&there).is_ok_and(|spec| Path::new(&spec.name).exists());
    let found = if is_there { there } else { SolverSpec { options: Vec::new(), ..spec }.to_string() };
    // The name of a solver ends at white space: a path with some could not be read again.
    (!found.contains(char::is_whitespace)).then(|| format!("{found} {options}").trim_end().to_owned())
}

/// A path that means the same whatever folder it is read in. As it is, if there is no working folder.
pub fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn differs<T: PartialEq>(wanted: Option<&T>, before: Option<&T>) -> bool {
    wanted.is_some() && wanted != before
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
            mutators: (config.mutators != Mutators::Variant).then_some(config.mutators),
            limit: Some(config.limit),
            timings: (config.timings != config.variant.timings()).then_some(config.timings),
            observe_limit: Some(config.observe_limit),
            budget: config.stop.budget,
            solver_budget: config.stop.solver_budget,
            generations: config.stop.generations,
            evaluations: config.stop.evaluations,
            stagnation: config.stop.stagnation,
            generator: (config.generator != STRINGS).then(|| config.generator.clone()),
            seeds: config.seeds.clone(),
            theories: (!config.theories.is_empty()).then(|| config.theories.clone()),
            trace_lines: Some(config.trace_lines),
            observe: ObserveSettings { runs: Some(config.observe_runs), soft_limit: config.observe_soft_limit },
            trace: TraceSettings { max_lines: config.trace_max_lines },
            coverage: CoverageSettings { mode: Some(config.coverage_mode), rescore: Some(config.rescore) },
            confirm: ConfirmSettings {
                enabled: Some(config.confirm.enabled),
                limit: Some(config.confirm.limit),
                share: Some(config.confirm.share),
            },
            learn: Some(config.learn),
            known: (!config.known.is_empty()).then(|| config.known.clone()),
            resolved: config.resolved.clone(),
        }
    }
}
