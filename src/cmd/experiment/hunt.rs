//! A hunt as a task of an experiment: the verb's hunt in the run's folder, then another reducer if the arm has one.

use std::io;
use std::num::NonZeroUsize;
use std::path::Path;

use super::external::{Reducer, Shown};
use crate::cmd::hunt::{self, FormulaArgs, HuntArgs, MutantArgs, StormArgs};
use crate::cmd::place::remove_folder;
use crate::exit::Status;
use crate::experiment::{HuntConfig, HuntRun, Hunts, Task};
use crate::hunt::outcome::names;
use crate::record::RunDirectory;
use crate::solver::process::Interrupt;

/// A hunt to be made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hunt<'a> {
    /// What it is part of.
    pub(super) hunts: &'a Hunts,
    /// Which it is.
    pub(super) task: Task<'a>,
    /// Decides all that is random.
    pub(super) seed: u64,
    /// A file of further solver profiles.
    pub(super) profiles: Option<&'a Path>,
}

impl Hunt<'_> {
    /// Hunts until the defect is found, in a folder that no other process works in. One that was stopped before is begun
    /// again; one that compares solvers, which may take hours, goes on.
    pub(super) fn run(&self, root: &Path, interrupt: &Interrupt) -> anyhow::Result<Status> {
        let config = self.hunts.config(self.task.arm)?;
        let defect = self.task.defect;
        // Before an hour of hunting.
        let reducer = config.external.as_deref().map(Reducer::of).transpose()?;
        let _alone = RunDirectory::claim(root)?;
        let run = HuntRun::new(root);
        if run.outcome()?.is_none() {
            let goes_on = defect.is_none() && run.is_begun();
            if !goes_on {
                remove_folder(&run.hunt())?;
            }
            hunt::run(&self.arguments(&config, &run, goes_on), interrupt, &mut io::sink())?;
        }
        let Some(outcome) = run.outcome()?.filter(|_| !interrupt.is_set()) else { return Ok(Status::Interrupted) };
        if let (Some(reducer), Some(defect)) = (reducer, defect)
            && let Some(found) = outcome.first(defect.kind)
            && run.external_outcome()?.is_none()
        {
            remove_folder(&run.external())?;
            let instance = found.folder(&run.hunt()).join(names::INSTANCE);
            let shown = Shown::of(defect, config.limit, self.profiles)?;
            if !reducer.reduce(&instance, &run, &shown, interrupt)? {
                return Ok(Status::Interrupted);
            }
        }
        Ok(Status::Done)
    }

    fn arguments(&self, config: &HuntConfig, run: &HuntRun, goes_on: bool) -> HuntArgs {
        let defect = self.task.defect;
        HuntArgs {
            seeds: defect.map(|defect| defect.seeds.clone()).unwrap_or_default(),
            strategy: config.strategy,
            solvers: defect.map_or(config.solvers.clone(), |defect| vec![defect.solver.clone()]),
            options: None,
            out: Some(run.hunt()),
            resume: goes_on.then(|| run.hunt()),
            instances: Some(config.instances),
            budget: None,
            time: None,
            until: defect.map(|defect| defect.kind),
            limit: Some(config.limit),
            shuffle: false,
            models_from: None,
            storm: StormArgs {
                depth: config.bounds.depth,
                assertions: config.bounds.assertions,
                incremental: config.incremental,
            },
            mutants: MutantArgs { chain: config.chain, ..MutantArgs::default() },
            fuzzsmt: FormulaArgs {
                generator: config.preset.name.to_owned(),
                parameters: config.formulas,
                ..FormulaArgs::default()
            },
            minimise: config.minimise,
            seed: self.seed,
            // One core: so many tasks as there are cores run side by side.
            jobs: NonZeroUsize::MIN,
            profiles: self.profiles.map(Path::to_owned),
            lists: None,
            print_lists: false,
            fail_on_defect: false,
            json: false,
            quiet: false,
        }
    }
}
