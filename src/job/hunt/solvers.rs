//! The solvers of a hunt: each in the configurations that the user names, and none twice.

use std::path::Path;

use anyhow::Context;

use super::HuntRequest;
use super::lists::applied;
use crate::console::say;
use crate::hunt::configurations::{Configurations, OptionSets};
use crate::hunt::lists::Lists;
use crate::job::solvers::provers;
use crate::oracle::prover::{InstalledProver, Prover};
use crate::solver::process::Interrupt;
use crate::solver::profile::{Profiles, SolverSpec};
use crate::solver::tactic;

/// Solvers that can be asked.
#[derive(Debug)]
pub(super) struct Solvers {
    pub(super) provers: Vec<InstalledProver>,
    /// Which of them are configurations of one, where the user names such.
    pub(super) configurations: Option<Configurations>,
}

impl Solvers {
    /// Those of the command line, tried with their options.
    ///
    /// # Errors
    /// A file that cannot be read, or is wrong; a solver that cannot be got, or does not take its options.
    pub(super) fn of(
        args: &HuntRequest,
        profiles: &Profiles,
        lists: &Lists,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Solvers> {
        let sets = option_sets(args.options.as_deref(), &args.solvers)?;
        let numbered = args.solvers.iter().enumerate();
        let share = args.check_sat_using;
        let specs: Vec<(usize, SolverSpec)> = numbered
            .flat_map(|(number, solver)| {
                let plain = sets.of(solver);
                let by_tactic = if share > 0.0 { by_tactics(&plain, profiles) } else { Vec::new() };
                plain.into_iter().chain(by_tactic).map(move |spec| (number, spec))
            })
            .collect();
        let wanted: Vec<SolverSpec> = specs.iter().map(|(_, spec)| spec.clone()).collect();
        let installed = provers(&wanted, profiles, interrupt)?;
        let numbers = specs.into_iter().map(|(number, _)| number);
        let (numbers, kept): (Vec<usize>, Vec<InstalledProver>) =
            distinct(numbers.zip(installed).collect()).into_iter().unzip();
        let by_tactic = |prover: &InstalledProver| prover.solver().spec.tactic().is_some();
        let numbers: Vec<(usize, bool)> = numbers.into_iter().zip(kept.iter().map(by_tactic)).collect();
        let configurations =
            (args.options.is_some() || share > 0.0).then(|| Configurations::with_tactics(&numbers, share, args.seed));
        Ok(Solvers { provers: applied(lists, kept), configurations })
    }
}

/// These configurations of a solver with each of the tactics that its profile lists.
fn by_tactics(plain: &[SolverSpec], profiles: &Profiles) -> Vec<SolverSpec> {
    let with = |spec: &SolverSpec| -> Vec<SolverSpec> {
        let Ok((profile, _)) = profiles.get(spec) else { return Vec::new() };
        let with = |tactic: &String| {
            let options = spec.options.iter().cloned().chain([tactic::option(tactic)]).collect();
            SolverSpec { options, ..spec.clone() }
        };
        profile.tactics.iter().map(with).collect()
    };
    plain.iter().filter(|spec| spec.tactic().is_none()).flat_map(with).collect()
}

fn option_sets(file: Option<&Path>, solvers: &[SolverSpec]) -> anyhow::Result<OptionSets> {
    let Some(file) = file else { return Ok(OptionSets::default()) };
    let name = file.display().to_string();
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
    Ok(OptionSets::read(&text, &name, solvers)?)
}

/// The solvers without those that are another one under a second name: a program that agrees with itself says nothing.
fn distinct(provers: Vec<(usize, InstalledProver)>) -> Vec<(usize, InstalledProver)> {
    let mut kept: Vec<(usize, InstalledProver)> = Vec::new();
    for (number, prover) in provers {
        match kept.iter().find(|(_, other)| other.solver().is_same_as(prover.solver())) {
            Some((_, other)) => say!(
                "warning: {} is the same program with the same options as {}: it is asked once, as {}",
                prover.name(),
                other.name(),
                other.name()
            ),
            None => kept.push((number, prover)),
        }
    }
    kept
}
