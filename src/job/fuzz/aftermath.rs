//! What came of a run after its search, as its folders have it: of this process, or of an earlier one.

use std::collections::BTreeSet;
use std::path::Path;

use crate::hunt::outcome::{Defect, Outcome, names as hunt_names};
use crate::job::recorded::recorded;
use crate::record::format::{Aftermath, DefectState, Environment};
use crate::record::{names, read_defects, read_json};
use crate::report::study::Triaged;
use crate::solver::profile::SolverSpec;

/// What the triage and the hunt in the run directory `root` came to, and how many wrong answers, wrong models and crashes of
/// the run's two solvers are among it.
///
/// # Errors
/// When a record cannot be read.
pub(super) fn aftermath(root: &Path) -> anyhow::Result<(Aftermath, u64)> {
    let mut aftermath = Aftermath::default();
    if let Some(triaged) = Triaged::list(&root.join(names::TRIAGE))? {
        let tried: BTreeSet<&str> = triaged.tried().collect();
        let defects = read_defects(root)?;
        let confirmed = defects.iter().filter(|defect| defect.record.state == DefectState::Confirmed);
        let name = |folder: &Path| folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let untried = confirmed.filter(|defect| !tried.contains(name(&defect.folder).as_str())).count();
        aftermath.distinct_defects = Some(triaged.defects.iter().filter(|defect| defect.is_confirmed()).count() as u64);
        aftermath.untriaged_defects = Some(untried as u64);
        aftermath.triage = Some(format!("{}/triage.md", names::TRIAGE));
    }
    let mut own = 0;
    if let Some(outcome) = read_json::<Outcome>(&root.join(names::HUNT).join(hunt_names::HUNT))? {
        let (config, environment) = recorded(root)?;
        let solvers =
            [label(&config.target, "target", &environment)?, label(&config.reference, "reference", &environment)?];
        let is_own = |defect: &&Defect| defect.kind.is_wrong() && defect.solvers.iter().any(|it| solvers.contains(it));
        own = outcome.defects.iter().filter(is_own).count() as u64;
        aftermath.wrong_answers = Some(outcome.wrong_answers() as u64);
        aftermath.other_findings = Some(outcome.other_findings() as u64);
        aftermath.alike_findings = Some(outcome.alike_findings() as u64);
        aftermath.unjudged_suspects = Some(super::suspects::unjudged(root)?.len() as u64);
        aftermath.hunt = Some(names::HUNT.to_owned());
    }
    Ok((aftermath, own))
}

/// What the run's solver in this role is called in the record of a hunt: its name with its version and options.
fn label(named: &str, role: &str, environment: &Environment) -> anyhow::Result<String> {
    let mut spec = SolverSpec::parse(named)?;
    if let Some(solver) = environment.solvers.get(role) {
        spec.version = Some(solver.version.parse()?);
    }
    Ok(spec.to_string())
}
