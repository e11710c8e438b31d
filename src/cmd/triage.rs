//! `triage`: from the raw findings of runs to few, distinct, confirmed, small defects with a report each.

mod bench;
mod gather;
mod investigation;
mod reductions;

use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;

use super::place::remove_folder;
use crate::config::parse_duration;
use crate::exit::{NotWritten, Status};
use crate::number::positive;
use crate::record::write_atomically;
use crate::report;
use crate::solver::process::Interrupt;
use crate::solver::profile::SolverSpec;
use crate::triage::cluster::{Kin, clusters};
use crate::triage::report::{Defect, overview};
use bench::Bench;
use reductions::Slowed;

/// The list of the defects.
pub(super) const LIST: &str = "triage.md";

/// What the list of a triage that was stopped ends with.
const INTERRUPTED: &str = "Interrupted: `mulstringfuzz triage` with the same inputs, options and `--out` goes on; reductions \
                           are kept as far as they came.";
const OVER_BUDGET: &str = "The budget is used up: `mulstringfuzz triage` with the same `--out` and a new budget goes on; \
                           reductions are kept as far as they came.";

/// Reduce, cluster, confirm and explain slow instances: DIR/triage.md lists the distinct defects, the worst first, and
/// each has a report to paste into an issue.
#[derive(Clone, Debug, clap::Args)]
pub struct TriageArgs {
    /// Run directories (their candidates and defects), folders of scripts, or scripts
    #[arg(value_name = "DIR", required = true)]
    pub inputs: Vec<PathBuf>,
    /// Where the result goes: a new folder, or that of an earlier triage, of which the reductions for the same solvers and
    /// limit are kept, while confirmations and explanations are made again
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// The solver under test, as "NAME OPTION…" or "NAME@VERSION OPTION…"
    #[arg(long, value_name = "SOLVER", default_value = "z3str3")]
    pub target: SolverSpec,
    /// The solver that is quick
    #[arg(long, value_name = "SOLVER", default_value = "cvc4")]
    pub reference: SolverSpec,
    /// Another version of the target, on which the defects are tried too; may be repeated
    #[arg(long = "also", value_name = "SOLVER")]
    pub also: Vec<SolverSpec>,
    /// CPU time in which the target must fail to answer
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_duration)]
    pub limit: Duration,
    /// CPU time of the runs that confirm, the limit at least [default: four times the limit]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub confirm_limit: Option<Duration>,
    /// CPU time of solvers after which nothing is begun any more, but for the list of what there is
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub budget: Option<Duration>,
    /// Leave out where the time goes and how it grows
    #[arg(long)]
    pub no_explain: bool,
    /// Instances to reduce at once
    #[arg(long, value_name = "N", default_value = "1", value_parser = positive::<NonZeroUsize>)]
    pub jobs: NonZeroUsize,
    /// A file of further solver profiles
    #[arg(long, value_name = "FILE")]
    pub profiles: Option<PathBuf>,
    /// Exit with code 1 if a defect is confirmed
    #[arg(long)]
    pub fail_on_defect: bool,
    /// Print the defects as JSON instead of the list
    #[arg(long)]
    pub json: bool,
}

/// Triages the instances, and prints the list of defects to `output`.
///
/// # Errors
/// An input that cannot be read, a solver that is missing, or a result that cannot be written.
pub fn run(args: &TriageArgs, interrupt: &Interrupt, output: &mut dyn Write) -> anyhow::Result<Status> {
    gather::check(args)?;
    let (defects, list) = triaged(args, interrupt)?;
    let printed = if args.json { serde_json::to_string_pretty(&defects)? + "\n" } else { list };
    output.write_all(printed.as_bytes()).context("cannot write the list")?;
    Ok(match () {
        () if interrupt.is_set() => Status::Interrupted,
        () if args.fail_on_defect && defects.iter().any(|defect| defect.confirmed.is_some()) => Status::DefectsFound,
        () => Status::Done,
    })
}

/// Triages the instances; also gives the list of defects in Markdown.
///
/// # Errors
/// As [`run`].
pub(super) fn triaged(args: &TriageArgs, interrupt: &Interrupt) -> anyhow::Result<(Vec<Defect>, String)> {
    let (raws, mut unreadable) = gather::raws(args)?;
    // What cannot be written must show now, not after runs.
    fs::create_dir_all(&args.out).map_err(|source| NotWritten { path: args.out.clone(), source })?;
    let bench = Bench::open(args, interrupt)?;
    fs::create_dir_all(bench.reductions()).map_err(|source| NotWritten { path: args.out.clone(), source })?;
    let (slowed, mut dropped) = bench.reduce_all(&raws)?;
    dropped.append(&mut unreadable);
    let kin: Vec<Kin<'_>> =
        slowed.iter().map(|each| Kin { script: &each.script, trace: each.trace.as_deref() }).collect();
    let mut defects = Vec::new();
    for cluster in clusters(&kin) {
        let mut members: Vec<&Slowed> = cluster.iter().map(|&index| &slowed[index]).collect();
        members.sort_by_key(|member| (member.size, member.raw));
        defects.push(bench.investigate(&members, &raws)?);
    }
    defects.sort_by_key(|(defect, _)| defect.severity.key());
    let stopped = match () {
        () if interrupt.is_set() => Some(INTERRUPTED),
        () if bench.is_over(1.0) || slowed.iter().any(|each| each.unfinished.is_some()) => Some(OVER_BUDGET),
        () => None,
    };
    if interrupt.is_set() && args.out.join(LIST).exists() {
        // What an earlier triage wrote says more than a half of this one.
        let defects: Vec<Defect> = defects.into_iter().map(|(defect, _)| defect).collect();
        let list = overview(&defects, raws.len(), &dropped, stopped);
        return Ok((defects, list));
    }
    let defects = bench.write_all(defects)?;
    let list = overview(&defects, raws.len(), &dropped, stopped);
    write_atomically(&args.out.join(LIST), list.as_bytes())?;
    write_atomically(&args.out.join("triage.json"), serde_json::to_string_pretty(&defects)?.as_bytes())?;
    Ok((defects, list))
}

impl Bench<'_> {
    /// Numbers the defects in their order, and writes a folder for each.
    fn write_all(&self, defects: Vec<(Defect, Option<String>)>) -> anyhow::Result<Vec<Defect>> {
        // Numbers change from one triage to the next: an old folder would be another defect's. It stays until all is there,
        // since it may be what is triaged.
        let clusters = self.args.out.join("clusters");
        let new = self.args.out.join("clusters.new");
        remove_folder(&new)?;
        let mut written = Vec::with_capacity(defects.len());
        for (number, (mut defect, evidence)) in (1..).zip(defects) {
            defect.number = number;
            let folder = new.join(format!("{number:03}"));
            fs::create_dir_all(&folder).map_err(|source| NotWritten { path: folder.clone(), source })?;
            let write = |name: &str, text: &str| write_atomically(&folder.join(name), text.as_bytes());
            if let Some(first) = defect.members.first() {
                let original =
                    fs::read_to_string(&first.path).with_context(|| format!("cannot read {}", first.path))?;
                write("instance.smt2", &original)?;
            }
            write("reduced.smt2", &defect.instance)?;
            write("report.md", &defect.markdown(evidence.as_deref()))?;
            write("report.json", &serde_json::to_string_pretty(&defect)?)?;
            if let Some(growth) = &defect.growth {
                report::write_growth(growth, &folder)?;
            }
            written.push(defect);
        }
        remove_folder(&clusters)?;
        if new.exists() {
            fs::rename(&new, &clusters).map_err(|source| NotWritten { path: clusters, source })?;
        }
        Ok(written)
    }
}
