//! What a run does with its candidates: a triage of its own, after which each folder of `defects/` is one distinct defect.

use std::fs;
use std::path::Path;

use anyhow::Context;

use super::afterwards::Allowance;
use crate::job::recorded::recorded;
use crate::job::triage::{CLUSTERS, Extent, REPORT, TriageRequest, triaged};
use crate::record::{DefectStore, Findings, names, open_defects};
use crate::solver::process::Interrupt;
use crate::triage::known::Known;
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
    let args = TriageRequest {
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
        extent: Extent::Reports,
    };
    let triage = triaged(&args, interrupt, allowance.deadline)?;
    if interrupt.is_set() {
        // An earlier list may stand, whose folders have other numbers.
        return Ok(());
    }
    let mut store = open_defects(root)?;
    for defect in &triage.defects {
        settle(&mut store, defect, &args.out.join(CLUSTERS))?;
    }
    Ok(())
}

/// Gives a distinct defect that the triage has confirmed its folder in the run: that of the instance which is reported. What it
/// has not tried stays as the run left it; what an earlier triage has confirmed, and this one refutes, is a candidate again.
fn settle(store: &mut DefectStore, defect: &Defect, clusters: &Path) -> anyhow::Result<()> {
    let numbers: Vec<u32> = defect.members.iter().filter_map(|member| member.name.parse().ok()).collect();
    let Some((&home, others)) = numbers.split_first() else { return Ok(()) };
    if let (None, Some(refusal), false) = (&defect.confirmed, &defect.not_confirmed, defect.confirmed_by_run) {
        let why =
            refusal.now().map_or_else(|| "it was refused before".to_owned(), |refusal| refusal.reason.to_string());
        return Ok(numbers
            .iter()
            .try_for_each(|number| store.demote(*number, format!("not confirmed by the triage: {why}")))?);
    }
    // What was taken over from an earlier triage stands already, if it did then.
    let Some(confirmed) = defect.confirmed.as_ref().and_then(Known::now) else { return Ok(()) };
    let report = clusters.join(format!("{:03}", defect.number)).join(REPORT);
    let report = fs::read_to_string(&report).with_context(|| format!("cannot read {}", report.display()))?;
    let pattern = defect.pattern.as_ref().map(|pattern| pattern.text.as_str());
    let findings = Findings { report: Some(&report), reduced: Some(&defect.instance), pattern };
    Ok(store.make_distinct(home, (findings, &confirmed.runs), others)?)
}
