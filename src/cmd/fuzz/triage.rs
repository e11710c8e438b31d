//! What a run does with its candidates: a triage of its own, after which each folder of `defects/` is one distinct defect.

use std::fs;
use std::path::Path;

use anyhow::Context;

use super::afterwards::Allowance;
use super::campaign::recorded;
use crate::cmd::triage::{CLUSTERS, Extent, REPORT, TriageArgs, triaged};
use crate::record::format::DefectState;
use crate::record::{DefectStore, Findings, names, open_defects};
use crate::solver::process::Interrupt;
use crate::triage::report::Defect;

/// Triages the run in `root` within `allowance`, and lets each of its `defects/` be a distinct one that is confirmed.
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
        extent: Extent::Reports,
    };
    let triage = triaged(&args, interrupt, allowance.deadline)?;
    let mut store = open_defects(root)?;
    for defect in triage.defects.iter().filter(|defect| defect.is_confirmed()) {
        settle(&mut store, defect, &args.out.join(CLUSTERS))?;
    }
    Ok(())
}

/// Gives a distinct defect its folder in the run: that of the member which is reported, unless the run has confirmed another.
fn settle(store: &mut DefectStore, defect: &Defect, clusters: &Path) -> anyhow::Result<()> {
    let numbers: Vec<u32> = defect.members.iter().filter_map(|member| member.name.parse().ok()).collect();
    let is_confirmed =
        |number: &&u32| store.all().any(|it| it.number == **number && it.state == DefectState::Confirmed);
    let Some(&home) = numbers.iter().find(is_confirmed).or(numbers.first()) else { return Ok(()) };
    let folder = clusters.join(format!("{:03}", defect.number));
    let report = folder.join(REPORT);
    let report = fs::read_to_string(&report).with_context(|| format!("cannot read {}", report.display()))?;
    let pattern = defect.pattern.as_ref().map(|pattern| pattern.text.as_str());
    let findings = Findings { report: Some(&report), reduced: Some(&defect.instance), pattern };
    let others: Vec<u32> = numbers.into_iter().filter(|number| *number != home).collect();
    Ok(store.make_distinct(home, findings, &others)?)
}
