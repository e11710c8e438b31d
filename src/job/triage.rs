//! A triage: from the raw findings of runs to few, distinct, confirmed, small defects with a report each.

mod bench;
mod earlier;
mod gather;
mod hints;
mod investigation;
mod peeling;
mod progress;
mod reductions;

use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::exit::NotWritten;
use crate::oracle::prover::Prover;
use crate::solver::process::Interrupt;
use crate::solver::profile::SolverSpec;
use crate::triage::overview::Triage;
use bench::{Bench, End};
use earlier::Earlier;
pub(super) use progress::CLUSTERS;
use progress::Progress;

/// The list of the defects.
pub(super) const LIST: &str = "triage.md";
/// The report of a defect, in its folder.
pub(super) const REPORT: &str = "report.md";

/// What a triage is asked for.
#[derive(Clone, Debug)]
pub struct TriageRequest {
    /// Run directories (their candidates and defects), folders of scripts, or scripts.
    pub inputs: Vec<PathBuf>,
    /// Where the result goes: a new folder, or that of an earlier triage, of which the reductions for the same solvers and
    /// limit are kept, while confirmations and explanations are made again, as far as the budget lasts.
    pub out: PathBuf,
    /// The solver under test, as "NAME OPTION…" or "NAME@VERSION OPTION…".
    pub target: SolverSpec,
    /// The solver that is quick.
    pub reference: SolverSpec,
    /// Another version of the target, on which the defects are tried too; may be repeated.
    pub also: Vec<SolverSpec>,
    /// CPU time in which the target must fail to answer.
    pub limit: Duration,
    /// CPU time of the runs that confirm, the limit at least [default: four times the limit].
    pub confirm_limit: Option<Duration>,
    /// CPU time of solvers after which nothing is begun any more, but for the list of what there is.
    pub budget: Option<Duration>,
    /// A file of patterns of what is known already, or an earlier triage or run with such; may be given again: instances that
    /// are slow for nothing else are left out.
    pub known: Vec<PathBuf>,
    /// Leave out where the time goes and how it grows.
    pub no_explain: bool,
    /// Instances to reduce at once.
    pub jobs: NonZeroUsize,
    /// A file of further solver profiles.
    pub profiles: Option<PathBuf>,
    /// How far it goes.
    pub extent: Extent,
}

/// How far a triage goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// Reports on defects, as good as the budget allows. What an earlier triage has reduced costs nothing.
    #[default]
    Reports,
    /// The number of distinct defects that a budget pays for, and nothing else. What an earlier triage has reduced costs what
    /// it did, so that one that was stopped comes to what it would have come to without the stop.
    Counts,
}

/// Triages the instances.
///
/// # Errors
/// An input that cannot be read, a solver that is missing, or a result that cannot be written.
pub fn run(request: &TriageRequest, interrupt: &Interrupt) -> anyhow::Result<Triage> {
    gather::check(request)?;
    triaged(request, interrupt, None)
}

/// Triages the instances. At the `deadline` solvers are stopped at once, and what there is is written as when the budget is
/// used up.
///
/// # Errors
/// As [`run`].
pub(super) fn triaged(
    args: &TriageRequest,
    interrupt: &Interrupt,
    deadline: Option<Instant>,
) -> anyhow::Result<Triage> {
    let end = End { user: interrupt, begun: Instant::now(), deadline };
    interrupt.until(deadline, |halt| {
        let (raws, unreadable) = gather::raws(args)?;
        // What cannot be written must show now, not after runs.
        fs::create_dir_all(&args.out).map_err(|source| NotWritten { path: args.out.clone(), source })?;
        let bench = Bench::open(args, halt, end)?;
        fs::create_dir_all(bench.reductions()).map_err(|source| NotWritten { path: args.out.clone(), source })?;
        let earlier = Earlier::read(&bench);
        let (mut groups, mut dropped) = bench.peel_all(&raws)?;
        earlier.stand_in(&raws, bench.target.dialect(), &mut groups, &mut dropped);
        dropped.extend(unreadable);
        Progress::begin(&bench, &raws, &groups, dropped)?.complete(&earlier)
    })
}

#[cfg(test)]
mod tests;
