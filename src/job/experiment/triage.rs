//! The triage of a run's candidates, within what the experiment gives it.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;

use anyhow::Context;

use super::task::solvers;
use crate::experiment::{TriageSettings, Triaged};
use crate::job::recorded::recorded;
use crate::job::triage::{Extent, TriageRequest, triaged};
use crate::record::{RecordError, RunDirectory, names, read_defects, read_summary};
use crate::solver::process::Interrupt;
use crate::triage::overview::Triage;

/// Triages the run in `root`, whose search is over, and records what came of it, unless it is interrupted: then the next
/// call goes on.
pub(super) fn run(
    root: &Path,
    profiles: Option<&Path>,
    settings: &TriageSettings,
    interrupt: &Interrupt,
) -> anyhow::Result<()> {
    // A solver that was replaced since would find something else.
    solvers(root, profiles)?;
    let directory = RunDirectory::open(root)?;
    let summary = read_summary(root)?.ok_or(RecordError::NotARun { path: root.to_owned(), missing: names::SUMMARY })?;
    let allowance = settings.allowance(summary.charged_seconds);
    let triage = if read_defects(root)?.is_empty() {
        Triage::default()
    } else {
        let (config, _) = recorded(root)?;
        let out = root.join(names::TRIAGE);
        forget_list(&out)?;
        let args = TriageRequest {
            inputs: vec![root.to_owned()],
            out,
            target: config.target.parse()?,
            reference: config.reference.parse()?,
            also: Vec::new(),
            limit: config.limit,
            confirm_limit: settings.confirm_limit,
            budget: Some(allowance),
            known: Vec::new(),
            no_explain: true,
            // One core: so many tasks as there are cores run side by side.
            jobs: NonZeroUsize::MIN,
            profiles: profiles.map(Path::to_owned),
            extent: Extent::Counts,
        };
        triaged(&args, interrupt, None)?
    };
    if !interrupt.is_set() {
        directory.write(names::TRIAGED, &serde_json::to_vec_pretty(&Triaged::of(&triage, allowance))?)?;
    }
    Ok(())
}

/// Of a triage that was stopped, only reductions are gone on with: they are charged with what they cost, and what its list
/// says besides would stand in for what this one does not come to.
fn forget_list(out: &Path) -> anyhow::Result<()> {
    for list in ["triage.json", "triage.md"].map(|name| out.join(name)) {
        match fs::remove_file(&list) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("cannot remove {}", list.display()));
            }
            _ => {}
        }
    }
    Ok(())
}
