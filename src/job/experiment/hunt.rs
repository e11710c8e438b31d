//! A hunt as a task of an experiment: a hunt in the run's folder, then another reducer if the arm has one.

use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;

use anyhow::Context;

use super::external::Reducer;
use super::ours;
use super::rediscovered;
use super::shown::Shown;
use crate::exit::{NotWritten, Status};
use crate::experiment::{ExperimentFolder, HuntConfig, HuntRun, Hunts, ReducerChoice, Task};
use crate::hunt::outcome::names;
use crate::hunt::parameters::{FormulaParameters, MutantParameters, StormParameters};
use crate::job::hunt::{self, HuntRequest};
use crate::job::place::remove_folder;
use crate::record::RunDirectory;
use crate::reduce::strategy::Strategy;
use crate::solver::process::Interrupt;

/// A hunt to be made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hunt<'a> {
    /// Where the runs of all arms are.
    pub(super) folder: &'a ExperimentFolder,
    /// What it is part of.
    pub(super) hunts: &'a Hunts,
    /// Which it is.
    pub(super) task: Task<'a>,
    /// Decides all that is random.
    pub(super) seed: u64,
    /// A file of further solver profiles.
    pub(super) profiles: Option<&'a Path>,
}

/// What makes the instance small after the hunt.
#[derive(Debug)]
enum AfterHunt<'a> {
    Ours(Strategy),
    Theirs(Reducer<'a>),
}

impl<'a> AfterHunt<'a> {
    fn of(choice: &'a ReducerChoice) -> anyhow::Result<Self> {
        Ok(match choice {
            ReducerChoice::Strategy(strategy) => AfterHunt::Ours(*strategy),
            ReducerChoice::Command(words) => AfterHunt::Theirs(Reducer::of(words)?),
        })
    }

    /// Has the file `instance` reduced, and records in `run` what came of it. `false` after an interrupt, which leaves no
    /// record.
    fn reduce(&self, instance: &Path, run: &HuntRun, shown: &Shown, interrupt: &Interrupt) -> anyhow::Result<bool> {
        match self {
            AfterHunt::Ours(strategy) => ours::reduce(*strategy, instance, run, shown, interrupt),
            AfterHunt::Theirs(reducer) => reducer.reduce(instance, run, shown, interrupt),
        }
    }
}

impl Hunt<'_> {
    /// Hunts until the defect is found, in a folder that no other process works in. One that was stopped before is begun
    /// again; one that compares solvers, which may take hours, goes on.
    pub(super) fn run(&self, root: &Path, interrupt: &Interrupt) -> anyhow::Result<Status> {
        let config = self.hunts.config(self.task.arm)?;
        let defect = self.task.defect;
        // Before an hour of hunting.
        let reducer = config.reducer.as_ref().map(AfterHunt::of).transpose()?;
        let _alone = RunDirectory::claim(root)?;
        let run = HuntRun::new(root);
        if run.outcome()?.is_none() {
            let goes_on = defect.is_none() && run.is_begun();
            if !goes_on {
                remove_folder(&run.hunt())?;
            }
            match self.same_hunt()? {
                Some(same) => take_over(&same.hunt(), &run.hunt())?,
                None => {
                    hunt::run(&self.arguments(&config, &run, goes_on), interrupt)?;
                }
            }
        }
        let Some(outcome) = run.outcome()?.filter(|_| !interrupt.is_set()) else { return Ok(Status::Interrupted) };
        if let (Some(reducer), Some(defect)) = (reducer, defect)
            && let Some(found) = outcome.first(defect.kind)
            && run.external_outcome()?.is_none()
        {
            remove_folder(&run.external())?;
            let instance = found.folder(&run.hunt()).join(names::INSTANCE);
            let shown = Shown::of(defect, &instance, config.limit, self.profiles, interrupt)?;
            if !reducer.reduce(&instance, &run, &shown, interrupt)? {
                return Ok(Status::Interrupted);
            }
        }
        if let Some(defect) = defect
            && defect.fixed.is_some()
            && run.rediscovery()?.is_none()
            && !rediscovered::ask(defect, &outcome, &run, config.limit, self.profiles, interrupt)?
        {
            return Ok(Status::Interrupted);
        }
        Ok(Status::Done)
    }

    /// A hunt that came to its end in another arm, and would be the same here: only what comes after it differs.
    fn same_hunt(&self) -> anyhow::Result<Option<HuntRun>> {
        let (arm, repeat) = (self.task.arm, self.task.repeat);
        let Some(defect) = self.task.defect.filter(|_| self.hunts.reduces(arm)) else { return Ok(None) };
        for other in self.folder.plan().tasks() {
            let is_same = other.defect.is_some_and(|other| other.name == defect.name) && other.repeat == repeat;
            if is_same && other.arm.name != arm.name && self.hunts.hunt_alike(other.arm, arm) {
                let run = HuntRun::new(&self.folder.run(&other));
                if run.outcome()?.is_some() {
                    return Ok(Some(run));
                }
            }
        }
        Ok(None)
    }

    fn arguments(&self, config: &HuntConfig, run: &HuntRun, goes_on: bool) -> HuntRequest {
        let defect = self.task.defect;
        HuntRequest {
            seeds: defect.map(|defect| defect.seeds.clone()).unwrap_or_default(),
            strategy: config.strategy,
            solvers: defect.map_or(config.solvers.clone(), |defect| defect.asked(config.strategy)),
            options: None,
            check_sat_using: config.check_sat_using,
            out: Some(run.hunt()),
            resume: goes_on.then(|| run.hunt()),
            instances: Some(config.instances),
            budget: None,
            time: None,
            until: defect.filter(|defect| defect.fixed.is_none()).map(|defect| defect.kind),
            limit: Some(config.limit),
            shuffle: false,
            models_from: None,
            storm: StormParameters {
                depth: config.bounds.depth,
                assertions: config.bounds.assertions,
                incremental: config.incremental,
            },
            mutants: MutantParameters { chain: config.chain, ..MutantParameters::default() },
            fuzzsmt: FormulaParameters {
                generator: config.preset.name.to_owned(),
                parameters: config.formulas,
                ..FormulaParameters::default()
            },
            minimise: config.minimise,
            seed: self.seed,
            // One core: so many tasks as there are cores run side by side.
            jobs: NonZeroUsize::MIN,
            profiles: self.profiles.map(Path::to_owned),
            lists: None,
            quiet: false,
        }
    }
}

/// Copies the folder of a hunt, which is there as a whole or not at all.
fn take_over(from: &Path, to: &Path) -> anyhow::Result<()> {
    let part = to.with_extension("part");
    remove_folder(&part)?;
    copy(from, &part).with_context(|| format!("cannot copy {} to {}", from.display(), part.display()))?;
    fs::rename(&part, to).map_err(|source| NotWritten { path: to.to_owned(), source })?;
    Ok(())
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let there = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &there)?;
        } else {
            fs::copy(entry.path(), there)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hunt_is_taken_over_with_all_its_folders_in_place_of_what_a_kill_left() {
        let root = tempfile::tempdir().unwrap();
        let (from, to) = (root.path().join("from"), root.path().join("run/hunt"));
        fs::create_dir_all(from.join("findings/001")).unwrap();
        fs::write(from.join("hunt.json"), "{}").unwrap();
        fs::write(from.join("findings/001/instance.smt2"), "(check-sat)").unwrap();
        fs::create_dir_all(root.path().join("run/hunt.part/findings/002")).unwrap();
        take_over(&from, &to).unwrap();
        assert_eq!(fs::read_to_string(to.join("findings/001/instance.smt2")).unwrap(), "(check-sat)");
        assert!(to.join("hunt.json").is_file() && !to.join("findings/002").exists());
        assert!(!root.path().join("run/hunt.part").exists());
        let missing = take_over(&root.path().join("none"), &to).unwrap_err();
        assert!(format!("{missing:#}").contains("cannot copy"), "{missing:#}");
    }
}
