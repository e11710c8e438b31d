//! What an experiment compares: a TOML file with arms, and with scales from minutes on a laptop to the paper's weeks.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::ExperimentError;
use super::arm::{Arm, check_name, is_default};
use super::coverages::{CoverageSettings, Coverages};
use super::hunts::{Defect, Grid, HuntSettings, Hunts};
use super::plan::{Campaigns, Plan, Runs};
use super::triage::TriageSettings;
use crate::config::{Settings, absolute, duration};
use crate::hunt::choices::StrategyName;

/// What the runs of an experiment are, in complaints.
const CAMPAIGNS: &str = "campaigns";
const HUNTS: &str = "hunts";
const COVERAGE: &str = "coverage";

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
    /// How much of the result sets the target solves in a second and at all (RQ1, Fig. 3).
    Solved,
    /// How the Pareto fronts lie in objective space (Fig. 5).
    Fronts,
    /// How many distinct defects were there when, and when the k-th (needs `triage`).
    Discovery,
    /// Of hunts: instances and time until a defect is found, by STORM's bounds (its Figs. 4 and 5).
    Iterations,
    /// Of hunts: how small each way of minimising makes instances (STORM's Table 4).
    Sizes,
    /// Of hunts: time, size and reduction by defect and reducer (DeltaSMT's Table 3).
    Deltas,
    /// Of hunts: which known defects are found again (STORM's RQ2); those with a `fixed` version.
    Rediscovered,
    /// Of hunts with fresh formulas: on how many each solver crashes or is wrong (FuzzSMT's Tables 1 and 2), and each finding.
    Answers,
    /// Of coverage: lines, functions and branches that the arms cover (TypeFuzz's Fig. 7), and what one has beyond another.
    Coverage,
}

impl Compute {
    /// The experiments that it is of.
    fn kind(self) -> &'static str {
        match self {
            Compute::Iterations | Compute::Sizes | Compute::Deltas | Compute::Rediscovered | Compute::Answers => HUNTS,
            Compute::Coverage => COVERAGE,
            _ => CAMPAIGNS,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Compute::Results => "results",
            Compute::Comparison => "comparison",
            Compute::Relative => "relative",
            Compute::Solved => "solved",
            Compute::Fronts => "fronts",
            Compute::Discovery => "discovery",
            Compute::Iterations => "iterations",
            Compute::Sizes => "sizes",
            Compute::Deltas => "deltas",
            Compute::Rediscovered => "rediscovered",
            Compute::Answers => "answers",
            Compute::Coverage => "coverage",
        }
    }
}

/// How large an experiment is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Scale {
    /// Runs of each arm; of hunts, for each defect.
    pub repeats: u32,
    /// Of campaigns: CPU time that both solvers have for each member of a result set, after the search.
    #[serde(with = "duration::optional", default)]
    pub measure_limit: Option<Duration>,
    /// Of campaigns: what the triage after each search may spend, over what the experiment says and under what the arm
    /// does; without a `total` or `budget`, there is none.
    #[serde(default)]
    pub triage: TriageSettings,
    /// Of campaigns: keys of a run's `config.toml`, over those of the experiment and under those of the arm.
    #[serde(default)]
    pub settings: Settings,
    /// Of hunts: keys over those of the experiment and under those of the arm.
    #[serde(default)]
    pub hunt: HuntSettings,
    /// Of coverage: keys over those of the experiment.
    #[serde(default)]
    pub coverage: CoverageSettings,
}

/// An experiment as its file says it: of hunts if it has `[hunt]`, of coverage if it has `[coverage]`, of campaigns
/// otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Spec {
    /// One line that says what is compared.
    pub title: String,
    /// Which tables and figures of which paper it reproduces.
    #[serde(default)]
    pub reproduces: String,
    /// Of campaigns: the arm that the others are compared with.
    pub baseline: Option<String>,
    /// Which tables to make.
    pub compute: Vec<Compute>,
    /// The master seed of the first repeat; each further repeat has the next. All arms of a repeat share it, so that
    /// they begin with the same population.
    #[serde(default = "first_seed")]
    pub seed: u64,
    /// What all campaigns have in common: keys of a run's `config.toml`.
    #[serde(default)]
    pub settings: Settings,
    /// What the triages of all campaigns have in common.
    #[serde(default)]
    pub triage: TriageSettings,
    /// What all hunts have in common.
    pub hunt: Option<HuntSettings>,
    /// What is run to measure coverage.
    pub coverage: Option<CoverageSettings>,
    /// Arms of hunts, by STORM's bounds.
    pub grid: Option<Grid>,
    /// What hunts hunt for.
    #[serde(default)]
    pub defect: Vec<Defect>,
    /// The scales, by name.
    pub scale: BTreeMap<String, Scale>,
    /// What is compared, in the order of the tables.
    #[serde(default)]
    pub arm: Vec<Arm>,
}

/// What only campaigns have.
const FUZZING: &str = "`baseline`, `measure-limit`, `triage` and `settings`";

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
        let Spec { settings, hunt, coverage, scale, arm, .. } = &mut spec;
        let coverages = scale.values_mut().map(|scale| &mut scale.coverage).chain(coverage);
        coverages.for_each(|settings| settings.relative_to(folder));
        let hunts = scale.values_mut().map(|scale| &mut scale.hunt).chain(arm.iter_mut().map(|arm| &mut arm.hunt));
        hunts.chain(hunt).for_each(|settings| settings.relative_to(folder));
        let all =
            scale.values_mut().map(|scale| &mut scale.settings).chain(arm.iter_mut().map(|arm| &mut arm.settings));
        all.chain([settings]).for_each(|settings| settings.relative_to(folder));
        spec.defect.iter_mut().for_each(|defect| defect.relative_to(folder));
        spec.check().map_err(|reason| ExperimentError::Spec { path: path.to_owned(), reason })?;
        Ok(spec)
    }

    fn check(&self) -> Result<(), String> {
        if self.arm.is_empty() && self.grid.is_none() {
            return Err("it has no [[arm]]".into());
        }
        let arms = self.arms();
        for (index, arm) in arms.iter().enumerate() {
            check_name(&arm.name, "an arm")?;
            if arms[..index].iter().any(|other| other.name == arm.name) {
                return Err(format!("two arms are called `{}`", arm.name));
            }
        }
        if self.scale.is_empty() {
            return Err("it has no [scale.NAME]".into());
        }
        if let Some((name, _)) = self.scale.iter().find(|(_, scale)| scale.repeats == 0) {
            return Err(format!("[scale.{name}] needs `repeats` of 1 or more"));
        }
        let these = match (&self.hunt, &self.coverage) {
            (None, None) => CAMPAIGNS,
            (Some(_), None) => HUNTS,
            (None, Some(_)) => COVERAGE,
            (Some(_), Some(_)) => return Err("it has [hunt] and [coverage]: an experiment is of one of them".into()),
        };
        if let Some(compute) = self.compute.iter().find(|compute| compute.kind() != these) {
            let (table, others) = (compute.name(), compute.kind());
            return Err(format!("the table `{table}` is of {others}, and these are {these}"));
        }
        let covering = self.scale.values().any(|scale| !is_default(&scale.coverage))
            || self.arm.iter().any(|arm| arm.strategy.is_some() || !arm.union.is_empty());
        if these != COVERAGE && covering {
            return Err("`strategy` and `union` of an arm, and `coverage`, are for coverage: give [coverage]".into());
        }
        match these {
            HUNTS => self.check_hunts(),
            COVERAGE => self.check_coverage(),
            _ => self.check_campaigns(),
        }
    }

    fn check_coverage(&self) -> Result<(), String> {
        if self.fuzzes() {
            return Err(format!("{FUZZING} are for campaigns, and it has [coverage]"));
        }
        if self.hunts() {
            return Err("`grid`, `defect` and `hunt` are for hunts, and it has [coverage]".into());
        }
        let all = self.scale.values().map(|scale| &scale.coverage).chain(&self.coverage);
        match all.flat_map(|settings| settings.seeds.iter().flatten()).find(|seed| !seed.exists()) {
            Some(seed) => Err(format!("there is no seed {}", seed.display())),
            None => Ok(()),
        }
    }

    /// Whether it has what only campaigns have.
    fn fuzzes(&self) -> bool {
        self.baseline.is_some()
            || !is_default(&self.settings)
            || !is_default(&self.triage)
            || self.scale.values().any(|scale| scale.measure_limit.is_some() || !is_default(&scale.settings))
            || self.scale.values().any(|scale| !is_default(&scale.triage))
            || self.arm.iter().any(|arm| !is_default(&arm.settings) || !is_default(&arm.triage))
    }

    /// Whether it has what only hunts have, besides `[hunt]`.
    fn hunts(&self) -> bool {
        self.grid.is_some()
            || !self.defect.is_empty()
            || self.scale.values().any(|scale| !is_default(&scale.hunt))
            || self.arm.iter().any(|arm| !is_default(&arm.hunt) || arm.published.is_some())
    }

    fn check_campaigns(&self) -> Result<(), String> {
        match &self.baseline {
            None => return Err("campaigns need a `baseline`, one of the arms".into()),
            Some(name) if self.arm.iter().all(|arm| arm.name != *name) => {
                return Err(format!("the baseline `{name}` is none of its arms"));
            }
            Some(_) => {}
        }
        for (name, scale) in &self.scale {
            if scale.measure_limit.is_none_or(|limit| limit.is_zero()) {
                return Err(format!("[scale.{name}] needs a `measure-limit` above 0"));
            }
        }
        if self.hunts() {
            return Err("`grid`, `defect` and `hunt` are for hunts: give [hunt], what all hunts have in common".into());
        }
        Ok(())
    }

    fn check_hunts(&self) -> Result<(), String> {
        if self.fuzzes() {
            return Err(format!("{FUZZING} are for campaigns, and it has [hunt]"));
        }
        let all = self.scale.values().map(|scale| &scale.hunt).chain(self.arm.iter().map(|arm| &arm.hunt));
        let compares = all.chain(&self.hunt).any(|settings| settings.solvers.is_some());
        if self.defect.is_empty() && !compares {
            return Err("hunts need a [[defect]] to be found, or `solvers` to be compared on fresh formulas".into());
        }
        if let Some(table) = self.compute.iter().find(|table| compares != (**table == Compute::Answers)) {
            let these = if compares { "compare solvers on fresh formulas" } else { "are for a [[defect]] each" };
            return Err(format!("the table `{}` is not of these hunts, which {these}", table.name()));
        }
        for (index, defect) in self.defect.iter().enumerate() {
            check_name(&defect.name, "a defect")?;
            if self.defect[..index].iter().any(|other| other.name == defect.name) {
                return Err(format!("two defects are called `{}`", defect.name));
            }
            let is_fresh = self.hunt.as_ref().is_some_and(|hunt| hunt.strategy == Some(StrategyName::Fuzzsmt));
            if defect.seeds.is_empty() && !is_fresh {
                return Err(format!("the defect `{}` has no `seeds`", defect.name));
            }
            if let Some(seed) = defect.seeds.iter().find(|seed| !seed.exists()) {
                return Err(format!("the defect `{}` has no seed {}", defect.name, seed.display()));
            }
        }
        Ok(())
    }

    /// The arms: those of the grid, then the others.
    fn arms(&self) -> Vec<Arm> {
        self.grid.iter().flat_map(Grid::arms).chain(self.arm.iter().cloned()).collect()
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
        let runs = match (&self.hunt, &self.coverage) {
            (Some(hunt), _) => {
                Runs::Hunts(Hunts { settings: chosen.hunt.clone().or(hunt.clone()), defects: self.defect.clone() })
            }
            (None, Some(coverage)) => {
                Runs::Coverage(Coverages { settings: chosen.coverage.clone().or(coverage.clone()) })
            }
            (None, None) => Runs::Campaigns(Campaigns {
                baseline: self.baseline.clone().unwrap_or_default(),
                measure_limit: chosen.measure_limit.unwrap_or_default(),
                triage: chosen.triage.or(self.triage),
                settings: chosen.settings.clone().or(self.settings.clone()),
            }),
        };
        let plan = Plan {
            title: self.title.clone(),
            reproduces: self.reproduces.clone(),
            compute: self.compute.clone(),
            scale: scale.to_owned(),
            seed: self.seed,
            repeats: chosen.repeats,
            arms: self.arms(),
            runs,
        };
        plan.check()?;
        Ok(plan)
    }
}

/// The plan at the scale `small` of a specification that lies beside an empty `seed.smt2`.
#[cfg(test)]
pub(super) fn plan_beside_a_seed(text: &str) -> Result<Plan, ExperimentError> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("seed.smt2"), "").expect("a file");
    std::fs::write(folder.path().join("spec.toml"), text).expect("a file");
    Spec::read(&folder.path().join("spec.toml"))?.plan("small")
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
        let Runs::Campaigns(campaigns) = &plan.runs else { panic!("{plan:?}") };
        let population = |arm: usize| campaigns.config(&plan.arms[arm], 1).unwrap().population;
        assert_eq!((population(0), population(1)), (8, 4));
        assert_eq!(plan.tasks().count(), 4);
        let seeds: Vec<u64> = plan.tasks().map(|task| plan.seed_of(task.repeat)).collect();
        assert_eq!(seeds, [1, 1, 2, 2], "repeat by repeat, so that an early end leaves whole repeats");
    }

    #[test]
    fn seed_folders_are_those_beside_the_file_wherever_it_is_read_from() {
        let spec = read(&SPEC.replace("[settings]", "[settings]\nseeds = 'mine'")).unwrap();
        let Runs::Campaigns(campaigns) = spec.plan("small").unwrap().runs else { panic!("{spec:?}") };
        let seeds = campaigns.settings.seeds.unwrap();
        assert!(seeds.is_absolute() && seeds.ends_with("mine"), "{}", seeds.display());
    }

    #[test]
    fn a_triage_may_come_later_but_is_then_as_it_is() {
        let plan = |triage: &str| {
            let text = SPEC.replace("repeats = 2", &format!("repeats = 2\n{triage}"));
            read(&text).unwrap().plan("small").unwrap()
        };
        let (none, first, second) = (plan(""), plan("triage = { total = '20s' }"), plan("triage = { total = '30s' }"));
        assert!(first.check_continues(&none).is_ok());
        assert_eq!(none.check_continues(&first), Err("the settings of arm a".into()));
        assert_eq!(second.check_continues(&first), Err("the settings of arm a".into()));
        let written: Plan = toml::from_str(&toml::to_string_pretty(&first).unwrap()).unwrap();
        assert_eq!(written, first);
        let Runs::Campaigns(campaigns) = &first.runs else { panic!("{first:?}") };
        let allowance = campaigns.triage(&first.arms[1]).unwrap().allowance(12.5);
        assert_eq!(allowance, Duration::from_millis(7500));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let complaint = |text: &str| read(text).unwrap_err().to_string();
        assert!(complaint(&SPEC.replace("baseline = 'a'", "baseline = 'c'")).contains("`c` is none of its arms"));
        assert!(complaint(&SPEC.replace("name = 'b'", "name = 'a'")).contains("two arms are called `a`"));
        assert!(complaint(&SPEC.replace("name = 'b'", "name = '../b'")).contains("`../b` is no name for an arm"));
        assert!(complaint(&SPEC.replace("repeats = 2", "repeat = 2")).contains("line 7, column 1"));
        assert!(complaint(&SPEC.replace("baseline = 'a'\n", "")).contains("campaigns need a `baseline`"));
        assert!(complaint(&SPEC.replace("measure-limit = '2s'\n", "")).contains("a `measure-limit` above 0"));
        assert!(complaint(&SPEC.replace("'results'", "'sizes'")).contains("the table `sizes` is of hunts"));
        let alone = SPEC.replace("name = 'b'", "name = 'b'\ntriage = { budget = '1s' }");
        assert!(read(&alone).unwrap().plan("small").unwrap_err().to_string().contains("only the scale can say"));
        let short = SPEC.replace("repeats = 2", "repeats = 2\ntriage = { total = '10s' }");
        assert!(read(&short).unwrap().plan("small").unwrap_err().to_string().contains("must be above"));
        assert!(complaint(&SPEC.replace("name = 'b'", "name = 'b'\nhunt = { depth = 4 }")).contains("are for hunts"));
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
