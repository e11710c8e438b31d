//! What a run does with the defects that it has confirmed: a triage of its own, within a tenth of its time.

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use super::campaign::recorded;
use crate::cmd::triage::{LIST, TriageArgs, triaged};
use crate::record::write_atomically;
use crate::solver::process::Interrupt;

/// The folder of the triage in the run's.
const TRIAGE: &str = "triage";
/// The part of a run's core time that its triage may take.
const SHARE: f64 = 0.1;
/// And so much at least, so that a short run's first defect is reduced and explained too.
const LEAST: Duration = Duration::from_mins(2);

/// Triages the run in `root`, which took so many core seconds, and puts each defect's reduced form beside it.
///
/// # Errors
/// When a solver is missing, or results cannot be written; those of the run itself are safe already.
pub(super) fn triage_run(
    root: &Path,
    core_seconds: f64,
    (jobs, profiles): (NonZeroUsize, Option<&Path>),
    interrupt: &Interrupt,
) -> anyhow::Result<()> {
    let (config, _) = recorded(root)?;
    let args = TriageArgs {
        inputs: vec![root.to_owned()],
        out: root.join(TRIAGE),
        target: config.target.parse()?,
        reference: config.reference.parse()?,
        also: Vec::new(),
        limit: config.limit,
        confirm_limit: Some(config.confirm.limit),
        budget: Some(Duration::from_secs_f64(SHARE * core_seconds).max(LEAST)),
        no_explain: false,
        jobs,
        profiles: profiles.map(Path::to_owned),
        fail_on_defect: false,
        json: false,
    };
    let defects = triaged(&args, interrupt, None)?.defects;
    for member in defects.iter().flat_map(|defect| &defect.members) {
        let path = Path::new(&member.path);
        if path.parent().and_then(Path::parent).is_some_and(|folder| folder.ends_with("defects")) {
            write_atomically(&path.with_file_name("reduced.smt2"), member.text.as_bytes())?;
        }
    }
    eprintln!("triage: {}", args.out.join(LIST).display());
    Ok(())
}
