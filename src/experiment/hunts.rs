//! Experiments of hunts: defects to be found, and how each run hunts for them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::ExperimentError;
use super::arm::Arm;
use crate::config::{absolute, duration};
use crate::generator::layered::parameters::Parameters;
use crate::generator::{PRESETS, Preset};
use crate::hunt::chains::CHAIN;
use crate::hunt::choices::{INCREMENTAL, INSTANCES, Minimise, StrategyName};
use crate::operator::storm::Bounds;
use crate::oracle::correctness::Kind;
use crate::reduce::strategy::Strategy;
use crate::solver::profile::SolverSpec;

/// A defect that all arms hunt for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Defect {
    /// Its name, also of its folders: letters, digits, `-`, `_` and `.`.
    pub name: String,
    /// Scripts and folders of scripts, searched through; none where formulas are fresh.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seeds: Vec<PathBuf>,
    /// The solver that has it.
    pub solver: SolverSpec,
    /// What it is.
    pub kind: Kind,
    /// A solver that does not have it, whose `sat` is the truth to reducers that know no assignment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub second_solver: Option<SolverSpec>,
    /// A later version of the solver, in which the defect is mended: a hunt goes on to its end, and has found the known defect
    /// if this version says `sat` to one of the instances (STORM's RQ2).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed: Option<SolverSpec>,
    /// Solvers that are trusted: where they agree and the solver says the opposite, it is wrong. The first one also tells a
    /// hunt with fresh formulas who is wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trusted: Vec<SolverSpec>,
}

impl Defect {
    /// Who is asked about the instances of a hunt. Nothing is known of a fresh formula but what another solver says; one is
    /// enough, and takes least time.
    pub fn asked(&self, strategy: StrategyName) -> Vec<SolverSpec> {
        let judge = self.trusted.first().filter(|_| strategy == StrategyName::Fuzzsmt);
        std::iter::once(&self.solver).chain(judge).cloned().collect()
    }

    /// Why no reducer could be told whether a script shows it; `None` if one can.
    fn lack_of_test(&self) -> Option<String> {
        let name = &self.name;
        match self.kind {
            Kind::RefutationUnsoundness if self.trusted.is_empty() && self.second_solver.is_none() => Some(format!(
                "needs a `second-solver` of the defect `{name}`, whose `sat` is the truth, or `trusted` ones"
            )),
            Kind::SolutionUnsoundness | Kind::Disagreement if self.trusted.is_empty() => {
                Some(format!("needs `trusted` solvers of the defect `{name}`"))
            }
            Kind::Crash | Kind::RefutationUnsoundness | Kind::SolutionUnsoundness | Kind::Disagreement => None,
            kind => Some(format!("keeps wrong answers and crashes, but `{name}` is of the kind {kind}")),
        }
    }
}

/// How a run hunts; a key that is absent is left to the next source.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct HuntSettings {
    /// What is made of the seeds.
    pub strategy: Option<StrategyName>,
    /// Of fresh formulas: the solvers that are all asked about each, and compared.
    pub solvers: Option<Vec<SolverSpec>>,
    /// Of fresh formulas: their logic, as the command line names it.
    pub generator: Option<String>,
    /// Of fresh formulas: how they are shaped; one such table replaces another as a whole.
    pub formulas: Option<Parameters>,
    /// The deepest nesting of connectives in an assertion.
    pub depth: Option<u32>,
    /// The most assertions of an instance.
    pub assertions: Option<u32>,
    /// The part of the instances that ask several times.
    pub incremental: Option<f64>,
    /// Mutations one after the other before the next seed's turn comes.
    pub chain: Option<u32>,
    /// The part of the instances about which Z3 is asked by a tactic.
    pub check_sat_using: Option<f64>,
    /// CPU time of each run of a solver.
    #[serde(with = "duration::optional", default)]
    pub limit: Option<Duration>,
    /// Instances after which a defect counts as not found.
    pub instances: Option<u64>,
    /// How the instance that shows the defect is made small.
    pub minimise: Option<Minimise>,
    /// A reducer that makes it small besides, called as `COMMAND… INPUT OUTPUT TEST`.
    pub minimise_with: Option<Words>,
    /// Instead, a strategy of ours that does so, judged by the same test.
    pub reduce_by: Option<Strategy>,
}

/// A command: one text, which is split at white space, or a list of words, which is not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Vec<String>")]
pub struct Words(Vec<String>);

#[derive(Deserialize)]
#[serde(untagged, expecting = "a command is one text or a list of words")]
enum Written {
    Text(String),
    Words(Vec<String>),
}

impl From<Written> for Words {
    fn from(written: Written) -> Self {
        match written {
            Written::Text(text) => Words(text.split_whitespace().map(str::to_owned).collect()),
            Written::Words(words) => Words(words),
        }
    }
}

impl From<Words> for Vec<String> {
    fn from(words: Words) -> Self {
        words.0
    }
}

impl HuntSettings {
    /// Whether they say how to minimise: such an arm compares that, and others compare something else.
    pub(super) fn minimises(&self) -> bool {
        self.minimise.is_some() || self.minimise_with.is_some() || self.reduce_by.is_some()
    }

    /// Makes the path of a program relative to `folder`; a bare name is looked up along the `PATH`.
    pub(super) fn relative_to(&mut self, folder: &Path) {
        let program = self.minimise_with.as_mut().and_then(|Words(words)| words.first_mut());
        if let Some(program) = program.filter(|program| program.contains('/')) {
            *program = absolute(&folder.join(&*program)).display().to_string();
        }
    }

    /// These settings, and where they leave a key open, the other's.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        HuntSettings {
            strategy: self.strategy.or(other.strategy),
            solvers: self.solvers.or(other.solvers),
            generator: self.generator.or(other.generator),
            formulas: self.formulas.or(other.formulas),
            depth: self.depth.or(other.depth),
            assertions: self.assertions.or(other.assertions),
            incremental: self.incremental.or(other.incremental),
            chain: self.chain.or(other.chain),
            check_sat_using: self.check_sat_using.or(other.check_sat_using),
            limit: self.limit.or(other.limit),
            instances: self.instances.or(other.instances),
            minimise: self.minimise.or(other.minimise),
            minimise_with: self.minimise_with.or(other.minimise_with),
            reduce_by: self.reduce_by.or(other.reduce_by),
        }
    }
}

/// Bounds of STORM, every pair of them an arm: `depth-4-assertions-16`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Grid {
    /// Bounds of the depth.
    pub depth: Vec<u32>,
    /// Bounds of the assertions.
    pub assertions: Vec<u32>,
}

impl Grid {
    /// Its arms.
    pub(super) fn arms(&self) -> impl Iterator<Item = Arm> {
        let pairs =
            self.depth.iter().flat_map(|depth| self.assertions.iter().map(move |assertions| (depth, assertions)));
        pairs.map(|(&depth, &assertions)| Arm {
            hunt: HuntSettings { depth: Some(depth), assertions: Some(assertions), ..HuntSettings::default() },
            ..Arm::named(format!("depth-{depth}-assertions-{assertions}"))
        })
    }
}

/// What an experiment of hunts has besides its arms.
#[derive(Clone, Debug, PartialEq)]
pub struct Hunts {
    /// What all runs have in common.
    pub settings: HuntSettings,
    /// What is hunted; nothing where solvers are compared on fresh formulas, to the end.
    pub defects: Vec<Defect>,
}

/// How one run hunts, with all defaults.
#[derive(Clone, Debug)]
pub struct HuntConfig {
    /// What is made of the seeds.
    pub strategy: StrategyName,
    /// The solvers that are compared, of fresh formulas.
    pub solvers: Vec<SolverSpec>,
    /// The logic of fresh formulas.
    pub preset: &'static Preset,
    /// How they are shaped.
    pub formulas: Parameters,
    /// STORM's bounds.
    pub bounds: Bounds,
    /// The part of the instances that ask several times.
    pub incremental: f64,
    /// Mutations one after the other before the next seed's turn comes.
    pub chain: u32,
    /// The part of the instances about which Z3 is asked by a tactic.
    pub check_sat_using: f64,
    /// CPU time of each run of a solver.
    pub limit: Duration,
    /// Instances at most.
    pub instances: u64,
    /// How the instance that shows the defect is made small.
    pub minimise: Minimise,
    /// What makes it small after the hunt.
    pub reducer: Option<ReducerChoice>,
}

/// What makes an instance small after the hunt, judged by a test that knows no assignment.
#[derive(Clone, Debug, PartialEq)]
pub enum ReducerChoice {
    /// A strategy of ours.
    Strategy(Strategy),
    /// A reducer of somebody else: its program and arguments.
    Command(Vec<String>),
}

impl Hunts {
    /// How the runs of an arm hunt.
    ///
    /// # Errors
    /// [`ExperimentError::Hunt`] if a key is out of range.
    pub fn config(&self, arm: &Arm) -> Result<HuntConfig, ExperimentError> {
        resolved(self.settings_of(arm)).map_err(|reason| ExperimentError::Hunt { arm: arm.name.clone(), reason })
    }

    /// Checks the arms together with the defects.
    pub(super) fn check(&self, arms: &[Arm]) -> Result<(), ExperimentError> {
        for arm in arms {
            let config = self.config(arm)?;
            let wrong = |reason: String| Err(ExperimentError::Hunt { arm: arm.name.clone(), reason });
            let (is_fresh, compares) = (config.strategy == StrategyName::Fuzzsmt, self.defects.is_empty());
            if compares == config.solvers.is_empty() || compares && !is_fresh {
                return wrong(
                    "`solvers` are compared on fresh formulas, `strategy = \"fuzzsmt\"`, or there is a [[defect]]"
                        .into(),
                );
            }
            let key = match config.reducer {
                Some(ReducerChoice::Strategy(_)) => "reduce-by",
                _ => "minimise-with",
            };
            if compares && config.reducer.is_some() {
                return wrong(format!("`{key}` needs a [[defect]]"));
            }
            for defect in &self.defects {
                let name = &defect.name;
                if defect.fixed.is_some() && defect.kind != Kind::RefutationUnsoundness {
                    return wrong(format!(
                        "`fixed` of `{name}` is of a wrong unsat, but it is of the kind {}",
                        defect.kind
                    ));
                }
                let lack = defect.lack_of_test().filter(|_| config.reducer.is_some());
                match (lack, is_fresh) {
                    (Some(lack), _) => return wrong(format!("`{key}` {lack}")),
                    (None, false) if defect.seeds.is_empty() => {
                        return wrong(format!("the defect `{name}` has no `seeds`"));
                    }
                    (None, _) => {}
                }
            }
        }
        Ok(())
    }

    /// Whether something makes the instances of this arm small after the hunt.
    pub fn reduces(&self, arm: &Arm) -> bool {
        let settings = self.settings_of(arm);
        settings.minimise_with.is_some() || settings.reduce_by.is_some()
    }

    /// Whether two arms hunt alike, and differ in what comes after the hunt at most.
    pub fn hunt_alike(&self, one: &Arm, other: &Arm) -> bool {
        let alone = |arm| HuntSettings { minimise_with: None, reduce_by: None, ..self.settings_of(arm) };
        alone(one) == alone(other)
    }

    fn settings_of(&self, arm: &Arm) -> HuntSettings {
        arm.hunt.clone().or(self.settings.clone())
    }
}

fn resolved(settings: HuntSettings) -> Result<HuntConfig, String> {
    let default = Bounds::default();
    let reducer = match (settings.minimise_with, settings.reduce_by) {
        (Some(_), Some(_)) => return Err("`minimise-with` and `reduce-by`: one of them makes instances small".into()),
        (Some(command), None) => Some(ReducerChoice::Command(Vec::from(command))),
        (None, strategy) => strategy.map(ReducerChoice::Strategy),
    };
    let preset = settings.generator.as_deref().map_or(Some(&PRESETS[0]), Preset::named);
    let config = HuntConfig {
        strategy: settings.strategy.unwrap_or_default(),
        solvers: settings.solvers.unwrap_or_default(),
        preset: preset.ok_or("`generator` must be one of the logics of `generate`: qf-bv, qf-abv, …")?,
        formulas: settings.formulas.unwrap_or_default(),
        bounds: Bounds {
            depth: settings.depth.unwrap_or(default.depth),
            assertions: settings.assertions.unwrap_or(default.assertions),
        },
        incremental: settings.incremental.unwrap_or(INCREMENTAL),
        chain: settings.chain.unwrap_or(CHAIN),
        check_sat_using: settings.check_sat_using.unwrap_or(0.0),
        limit: settings.limit.unwrap_or_else(|| settings.strategy.unwrap_or_default().limit()),
        instances: settings.instances.unwrap_or(INSTANCES),
        minimise: settings.minimise.unwrap_or_default(),
        reducer,
    };
    let range = |fits: bool, what: &str| if fits { Ok(()) } else { Err(what.to_owned()) };
    config.formulas.check().map_err(|error| error.to_string())?;
    range(config.bounds.assertions > 0, "`assertions` must be 1 or more")?;
    range((0.0..=1.0).contains(&config.incremental), "`incremental` must be from 0 to 1")?;
    range((0.0..=1.0).contains(&config.check_sat_using), "`check-sat-using` must be from 0 to 1")?;
    range(!config.limit.is_zero(), "`limit` must be above 0")?;
    range(config.chain > 0, "`chain` must be 1 or more")?;
    range(config.instances > 0, "`instances` must be 1 or more")?;
    let is_command = match &config.reducer {
        Some(ReducerChoice::Command(words)) => words.first().is_some_and(|program| !program.is_empty()),
        _ => true,
    };
    range(is_command, "`minimise-with` needs a command")?;
    Ok(config)
}

impl Defect {
    /// Makes relative paths relative to `folder`.
    pub(super) fn relative_to(&mut self, folder: &Path) {
        self.seeds.iter_mut().for_each(|seed| *seed = folder.join(&*seed));
    }
}

#[cfg(test)]
mod tests;
