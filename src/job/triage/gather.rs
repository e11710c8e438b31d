//! What a triage begins with: the raw instances, and a folder for the result that is none of theirs.

use std::fs;
use std::path::PathBuf;

use anyhow::{bail, ensure};

use super::TriageRequest;
use crate::config::format_duration;
use crate::job::input::{parsed, read as read_text};
use crate::job::instances::{Instance, holds_defects, instances_of};
use crate::job::place::{is_same, is_within};
use crate::job::recorded::recorded;
use crate::oracle::performance::RunRow;
use crate::record::{BY_TRIAGE, names, read_confirmation, read_defect};
use crate::smtlib::dialect::Dialect;
use crate::smtlib::printer::{PrintOptions, print};
use crate::smtlib::script::Script;
use crate::solver::profile::SolverSpec;
use crate::triage::overview::{Dropped, Reason};

/// A raw instance.
pub(super) struct Raw {
    pub(super) instance: Instance,
    pub(super) script: Script,
    /// Its text as it is in the file.
    pub(super) text: String,
    /// Whether it is a candidate or defect of a run with the same solvers and limit, and so is slow.
    pub(super) is_slow: bool,
    /// Whether that run has confirmed it.
    pub(super) confirmed_by_run: bool,
    /// The script that the run has confirmed, in the target's dialect, and the runs that did.
    confirmation: Option<(String, Vec<RunRow>)>,
}

impl Raw {
    /// The runs of a confirmation of this script that need not be made again.
    pub(super) fn known_runs(&self, script: &Script, dialect: Dialect) -> &[RunRow] {
        let is_this = |confirmed: &str| {
            print(script, dialect, &PrintOptions::default())
                .is_ok_and(|script| script.trim_end() == confirmed.trim_end())
        };
        match &self.confirmation {
            Some((confirmed, runs)) if is_this(confirmed) => runs,
            _ => &[],
        }
    }

    /// That it is in no defect, for this reason.
    pub(super) fn dropped(&self, reason: Reason) -> Dropped {
        Dropped { instance: self.instance.name.clone(), reason, confirmed_by_run: self.confirmed_by_run }
    }
}

/// Refuses limits that would confirm nothing, and a folder for the result that has something else in it.
pub(super) fn check(args: &TriageRequest) -> anyhow::Result<()> {
    if let Some(confirm) = args.confirm_limit.filter(|&confirm| confirm < args.limit) {
        let limit = format_duration(args.limit);
        bail!("--confirm-limit {} is below --limit {limit}, and so would confirm nothing", format_duration(confirm));
    }
    let out = &args.out;
    for input in &args.inputs {
        // A run directory may well have its triage in it: only its defects and candidates are read.
        let clash = if holds_defects(input) { is_same(out, input) } else { is_within(out, input) };
        ensure!(
            !clash,
            "--out {} is in {}, whose scripts are to be triaged: choose a folder elsewhere",
            out.display(),
            input.display()
        );
    }
    let is_empty = fs::read_dir(out).map_or(true, |mut entries| entries.next().is_none());
    ensure!(
        is_empty || out.join("triage.json").exists() || out.join("reduced").is_dir(),
        "{} is not empty, and what it holds is no triage: choose a new folder for --out",
        out.display()
    );
    Ok(())
}

/// The runs among the inputs that had the same target and reference, and a limit that is no shorter.
pub(super) fn runs_of_these_solvers(args: &TriageRequest) -> Vec<PathBuf> {
    let same = |named: &str, spec: &SolverSpec| SolverSpec::parse(named).is_ok_and(|named| named == *spec);
    let is_of_these_solvers = |root: &&PathBuf| {
        recorded(root).is_ok_and(|(config, _)| {
            same(&config.target, &args.target) && same(&config.reference, &args.reference) && config.limit >= args.limit
        })
    };
    args.inputs.iter().filter(is_of_these_solvers).cloned().collect()
}

/// What a run has confirmed of this instance: the script and the runs. What cannot be read is confirmed again.
fn confirmation(instance: &Instance) -> Option<(String, Vec<RunRow>)> {
    read_confirmation(instance.path.parent()?).ok()?
}

/// Whether an earlier triage has made a defect of this instance, and not the search.
fn by_triage(instance: &Instance) -> bool {
    let folder = instance.path.parent().unwrap_or(&instance.path);
    read_defect(folder).is_ok_and(|record| record.is_some_and(|record| record.reason == BY_TRIAGE))
}

/// Reads the instances; the second list says of the others why they cannot be read.
pub(super) fn raws(args: &TriageRequest) -> anyhow::Result<(Vec<Raw>, Vec<Dropped>)> {
    let mut raws = Vec::new();
    let mut unreadable: Vec<Dropped> = Vec::new();
    let runs = runs_of_these_solvers(args);
    for instance in instances_of(&args.inputs, true)? {
        let run = runs.iter().find(|root| instance.path.starts_with(root));
        let is_defect = run.is_some_and(|root| instance.path.starts_with(root.join(names::DEFECTS)));
        let confirmed_by_run = is_defect && !by_triage(&instance);
        let is_slow = run.is_some();
        match read_text(&instance.path).and_then(|text| Ok((parsed(&instance.path, &text)?, text))) {
            Ok((script, text)) => {
                let confirmation = if confirmed_by_run { confirmation(&instance) } else { None };
                raws.push(Raw { instance, script, text, is_slow, confirmed_by_run, confirmation });
            }
            // One that cannot be read keeps none of the others from being looked at.
            Err(error) => {
                let reason = Reason::Unfit(format!("{error:#}"));
                unreadable.push(Dropped { instance: instance.name, reason, confirmed_by_run });
            }
        }
    }
    if raws.is_empty() {
        let inputs: Vec<String> = args.inputs.iter().map(|input| input.display().to_string()).collect();
        let why = match unreadable.first() {
            Some(dropped) => dropped.reason.to_string(),
            None => "no file in them is named .smt2".to_owned(),
        };
        bail!("there are no scripts to triage in {}: {why}", inputs.join(", "));
    }
    Ok((raws, unreadable))
}
