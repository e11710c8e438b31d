//! What a run does with the defects that it has confirmed: a triage of its own.

use std::path::Path;

use super::afterwards::Allowance;
use super::campaign::recorded;
use crate::cmd::triage::{Purpose, TriageArgs, triaged};
use crate::record::{names, write_atomically};
use crate::solver::process::Interrupt;

/// Triages the run in `root` within `allowance`, and puts each defect's reduced form beside it.
///
/// # Errors
/// When a solver is missing, or results cannot be written; those of the run itself are safe already.
pub(super) fn triage_run(
    root: &Path,
    allowance: Allowance,
    profiles: Option<&Path>,
    interrupt: &Interrupt,
) -> anyhow::Result<()> {
    let (config, _) = recorded(root)?;
    let args = TriageArgs {
        inputs: vec![root.to_owned()],
        out: root.join(names::TRIAGE),
        target: config.target.parse()?,
        reference: config.reference.parse()?,
        also: Vec::new(),
        limit: config.limit,
        confirm_limit: Some(config.confirm.limit),
        budget: Some(allowance.cpu),
        known: Vec::new(),
        no_explain: false,
        jobs: allowance.jobs,
        profiles: profiles.map(Path::to_owned),
        fail_on_defect: false,
        json: false,
        purpose: Purpose::Reports,
    };
    let defects = triaged(&args, interrupt, allowance.deadline)?.defects;
    for member in defects.iter().flat_map(|defect| &defect.members) {
        let path = Path::new(&member.path);
        if let Some(text) = member.text.as_ref().filter(|_| is_of_confirmed(path)) {
            write_atomically(&path.with_file_name("reduced.smt2"), text.as_bytes())?;
        }
    }
    Ok(())
}

/// Whether a file stands in a folder of a confirmed defect.
fn is_of_confirmed(path: &Path) -> bool {
    path.parent().and_then(Path::parent).is_some_and(|folder| folder.ends_with(names::DEFECTS))
}
