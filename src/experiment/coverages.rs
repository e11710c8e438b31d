//! Experiments of coverage: how much of an instrumented solver seeds and their mutants run (`TypeFuzz`'s RQ3,
//! Fig. 7; STORM's RQ5, Table 5).

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::ExperimentError;
use super::arm::Arm;
use crate::config::{absolute, duration};
use crate::hunt::choices::{MUTANT_LIMIT, StrategyName};
use crate::random::{choose_front, rng_for};
use crate::solver::profile::SolverSpec;

/// Mutants of each seed, unless the specification says otherwise: that of the paper.
const MUTANTS: u32 = 10;
/// Keeps what draws the seeds apart from what mutates them, which counts the seeds from 0 in its place.
const DRAWING: u32 = u32::MAX;

/// What is run; a key that is absent is left to the next source.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CoverageSettings {
    /// The instrumented solver.
    pub solver: Option<SolverSpec>,
    /// CPU time of each of its runs.
    #[serde(with = "duration::optional", default)]
    pub limit: Option<Duration>,
    /// The solver's own, repeatable limit of each run, in its own units (Z3: `rlimit`).
    pub soft_limit: Option<u64>,
    /// Scripts and folders of scripts, searched through.
    pub seeds: Option<Vec<PathBuf>>,
    /// How many of them each repeat draws.
    pub sample: Option<usize>,
    /// Mutants of each seed, one made of the other.
    pub mutants: Option<u32>,
}

impl CoverageSettings {
    /// Makes relative paths relative to `folder`.
    pub(super) fn relative_to(&mut self, folder: &Path) {
        self.seeds.iter_mut().flatten().for_each(|seed| *seed = absolute(&folder.join(&*seed)));
    }

    /// These settings, and where they leave a key open, the other's.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        CoverageSettings {
            solver: self.solver.or(other.solver),
            limit: self.limit.or(other.limit),
            soft_limit: self.soft_limit.or(other.soft_limit),
            seeds: self.seeds.or(other.seeds),
            sample: self.sample.or(other.sample),
            mutants: self.mutants.or(other.mutants),
        }
    }
}

/// What an experiment of coverage has besides its arms.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverages {
    /// What all runs have in common.
    pub settings: CoverageSettings,
}

/// What is run, with all defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct CoverageConfig {
    /// The instrumented solver.
    pub solver: SolverSpec,
    /// CPU time of each of its runs.
    pub limit: Duration,
    /// The solver's own limit of each run; `None` for none.
    pub soft_limit: Option<u64>,
    /// Scripts and folders of scripts.
    pub seeds: Vec<PathBuf>,
    /// How many of them each repeat draws; `None` for all.
    pub sample: Option<usize>,
    /// Mutants of each seed.
    pub mutants: u32,
}

impl Coverages {
    /// What is run.
    ///
    /// # Errors
    /// [`ExperimentError::Coverage`] if a key is missing or out of range.
    pub fn config(&self) -> Result<CoverageConfig, ExperimentError> {
        let wrong = |reason: &str| ExperimentError::Coverage { reason: reason.to_owned() };
        let settings = self.settings.clone();
        let config = CoverageConfig {
            solver: settings.solver.ok_or_else(|| wrong("[coverage] needs a `solver`, an instrumented one"))?,
            limit: settings.limit.unwrap_or(MUTANT_LIMIT),
            soft_limit: settings.soft_limit,
            seeds: settings.seeds.unwrap_or_default(),
            sample: settings.sample,
            mutants: settings.mutants.unwrap_or(MUTANTS),
        };
        let range = |fits: bool, what: &str| if fits { Ok(()) } else { Err(wrong(what)) };
        range(!config.seeds.is_empty(), "[coverage] needs `seeds`")?;
        range(!config.limit.is_zero(), "`limit` must be above 0")?;
        range(config.soft_limit != Some(0), "`soft-limit` must be above 0: leave it out for none")?;
        range(config.sample != Some(0), "`sample` must be 1 or more")?;
        range(config.mutants > 0, "`mutants` must be 1 or more")?;
        Ok(config)
    }

    /// Checks the settings, and the arms, of which each runs something or is the union of some that do.
    pub(super) fn check(&self, arms: &[Arm]) -> Result<(), ExperimentError> {
        self.config()?;
        for arm in arms {
            let is_run = |name: &String| arms.iter().any(|other| other.name == *name && other.union.is_empty());
            let reason = match arm.strategy {
                None if arm.union.is_empty() => "it needs a `strategy`, or a `union` of arms".to_owned(),
                Some(_) if !arm.union.is_empty() => {
                    "it has a `strategy` and a `union`: one of them is its own".to_owned()
                }
                Some(StrategyName::Fuzzsmt) => {
                    "`strategy` must be none, storm, opfuzz, typefuzz, fuzzchick or mixed".to_owned()
                }
                Some(StrategyName::Storm) if arm.part.is_none_or(|part| part == 0) => {
                    "storm needs a `part`, the first of which is 1".to_owned()
                }
                Some(strategy) if arm.part.is_some() && strategy != StrategyName::Storm => {
                    "only storm has a `part`".to_owned()
                }
                _ => match arm.union.iter().find(|name| !is_run(name)) {
                    Some(name) => format!("`union` has `{name}`, which is no arm with a `strategy`"),
                    None => continue,
                },
            };
            return Err(ExperimentError::Coverage { reason: format!("arm `{}`: {reason}", arm.name) });
        }
        Ok(())
    }
}

impl CoverageConfig {
    /// Which of so many seeds a repeat uses, ascending; `seed` is that of the repeat, so that all its arms use the same.
    pub fn drawn(&self, seeds: usize, seed: u64) -> Vec<usize> {
        let mut places: Vec<usize> = (0..seeds).collect();
        if let Some(sample) = self.sample.filter(|&sample| sample < seeds) {
            choose_front(&mut rng_for(seed, DRAWING, 0), &mut places, sample);
            places.truncate(sample);
            places.sort_unstable();
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::spec::plan_beside_a_seed as read;
    use crate::experiment::{Plan, Runs};

    const SPEC: &str = "title = 'T'\ncompute = ['coverage']\n[coverage]\nsolver = 'z3str3-gcov@4.8.10'\n\
        seeds = ['seed.smt2']\n[scale.small]\nrepeats = 2\ncoverage = { limit = '1s', mutants = 3 }\n\
        [[arm]]\nname = 'seeds'\nstrategy = 'none'\npaper = { lines = 17.2, functions = 16.5, branches = 10.6 }\n\
        [[arm]]\nname = 'mutants'\nstrategy = 'typefuzz'\n\
        [[arm]]\nname = 'all'\nunion = ['seeds', 'mutants']\n";

    #[test]
    fn a_union_runs_nothing() {
        let plan = read(SPEC).unwrap();
        let names: Vec<String> = plan.tasks().map(|task| task.to_string()).collect();
        assert_eq!(names, ["seeds/001", "mutants/001", "seeds/002", "mutants/002"]);
        let again: Plan = toml::from_str(&toml::to_string_pretty(&plan).unwrap()).unwrap();
        assert_eq!(again, plan);
        let Runs::Coverage(coverages) = &plan.runs else { panic!("{plan:?}") };
        let config = coverages.config().unwrap();
        assert_eq!((config.limit.as_secs(), config.mutants, config.sample), (1, 3, None));
        assert!(config.seeds[0].is_absolute());
    }

    #[test]
    fn arms_and_repeats_may_come_later() {
        let plan = read(SPEC).unwrap();
        let mut larger = plan.clone();
        larger.repeats = 3;
        larger.arms.push(Arm { strategy: Some(StrategyName::Opfuzz), ..Arm::named("opfuzz".into()) });
        assert_eq!(larger.check_continues(&plan), Ok(()));
        let mut other = plan.clone();
        other.arms[1].strategy = Some(StrategyName::Opfuzz);
        assert_eq!(other.check_continues(&plan), Err("the settings of arm mutants".into()));
        let mut other = plan.clone();
        let Runs::Coverage(coverages) = &mut other.runs else { panic!("{other:?}") };
        coverages.settings.mutants = Some(4);
        assert_eq!(other.check_continues(&plan), Err("what is in [coverage]".into()));
    }

    #[test]
    fn each_repeat_draws_its_seeds_and_all_its_arms_the_same() {
        let sample = SPEC.replace("seeds = ['seed.smt2']", "seeds = ['seed.smt2']\nsample = 10");
        let Runs::Coverage(coverages) = read(&sample).unwrap().runs else { panic!("{sample}") };
        let config = coverages.config().unwrap();
        let drawn = config.drawn(100, 1);
        assert!(drawn.len() == 10 && drawn.is_sorted() && drawn.iter().all(|place| *place < 100), "{drawn:?}");
        assert_eq!(config.drawn(100, 1), drawn);
        assert_ne!(config.drawn(100, 2), drawn);
        assert_eq!(config.drawn(3, 1), [0, 1, 2]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let complaint = |from: &str, to: &str| {
            assert!(SPEC.contains(from), "{from}");
            read(&SPEC.replacen(from, to, 1)).unwrap_err().to_string()
        };
        assert!(complaint("solver = 'z3str3-gcov@4.8.10'\n", "").contains("needs a `solver`"));
        assert!(complaint("seeds = ['seed.smt2']\n", "").contains("needs `seeds`"));
        assert!(complaint("'seed.smt2'", "'none.smt2'").contains("there is no seed"));
        assert!(complaint("mutants = 3", "mutants = 0").contains("`mutants` must be 1 or more"));
        assert!(complaint("mutants = 3", "mutant = 3").contains("`mutant`"));
        assert!(complaint("'typefuzz'", "'fuzzsmt'").contains("arm `mutants`: `strategy` must be none"));
        assert!(complaint("'typefuzz'", "'storm'").contains("arm `mutants`: storm needs a `part`"));
        assert!(complaint("'typefuzz'", "'storm'\npart = 0").contains("arm `mutants`: storm needs a `part`"));
        assert!(complaint("'typefuzz'", "'typefuzz'\npart = 1").contains("arm `mutants`: only storm has a `part`"));
        assert!(read(&SPEC.replace("'typefuzz'", "'storm'\npart = 2")).is_ok());
        assert!(complaint("'mutants']", "'none']").contains("`none`, which is no arm with a `strategy`"));
        assert!(complaint("strategy = 'none'\n", "").contains("arm `seeds`: it needs a `strategy`"));
        assert!(complaint("'coverage'", "'sizes'").contains("the table `sizes` is of hunts, and these are coverage"));
        assert!(complaint("repeats = 2", "repeats = 2\nmeasure-limit = '1s'").contains("are for campaigns"));
        assert!(complaint("strategy = 'none'", "strategy = 'none'\nhunt = { depth = 3 }").contains("are for hunts"));
        let hunting = SPEC.replace("[scale.small]", "[hunt]\ndepth = 3\n[scale.small]");
        assert!(read(&hunting).unwrap_err().to_string().contains("[hunt] and [coverage]"));
    }
}
