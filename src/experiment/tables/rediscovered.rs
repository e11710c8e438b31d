//! How many known defects hunts find again: the version in which one is mended says `sat` to an instance (STORM's RQ2).

use super::hunted::{FinishedHunt, Hunted};
use super::layout::{Table, grouped};
use crate::experiment::Defect;
use crate::number::counted;

/// The table.
pub(super) fn table(hunted: &Hunted<'_>) -> Table {
    let known: Vec<&Defect> = hunted.hunts.defects.iter().filter(|defect| defect.fixed.is_some()).collect();
    let (mut rows, mut records) = (Vec::new(), Vec::new());
    let mut found_again = 0;
    for defect in &known {
        let runs: Vec<&FinishedHunt<'_>> = hunted.runs.iter().filter(|run| run.defect.name == defect.name).collect();
        let counts = |run: &FinishedHunt<'_>| run.rediscovery.as_ref().map_or((0, 0), |it| (it.instances, it.sat));
        let wrong = runs.iter().filter(|run| run.found).count();
        let again = runs.iter().filter(|run| counts(run).1 > 0).count();
        found_again += usize::from(again > 0);
        let instances: u64 = runs.iter().map(|run| run.instances).sum();
        let findings: u64 = runs.iter().map(|run| counts(run).0).sum();
        let sat: u64 = runs.iter().map(|run| counts(run).1).sum();
        let fixed = defect.fixed.as_ref().map(ToString::to_string).unwrap_or_default();
        let names = [defect.name.clone(), defect.solver.to_string(), fixed];
        let numbers = [runs.len() as u64, instances, wrong as u64, findings, sat, again as u64];
        rows.push(names.iter().cloned().chain(numbers.map(|number| grouped(number as f64, 0))).collect());
        records.push(names.into_iter().chain(numbers.map(|number| number.to_string())).collect());
    }
    let headings = [
        "Defect",
        "Solver",
        "Fixed in",
        "Runs",
        "Instances",
        "Runs with a wrong unsat",
        "Findings",
        "Fixed: sat",
        "Runs that find it again",
    ];
    Table {
        name: "rediscovered".into(),
        title: "Known defects that are found again (RQ2)".into(),
        note: format!(
            "A run has found the known defect if the version in which it is fixed says sat to one of its findings, each of \
             which is asked about as it was found. Found again: {found_again} of {}; in the paper 6 of 21 that were \
             reported in three months. {}.",
            counted(known.len(), "defect"),
            hunted.finished()
        ),
        headings: headings.map(str::to_owned).to_vec(),
        rows,
        columns: vec![
            "defect",
            "solver",
            "fixed",
            "runs",
            "instances",
            "runs_wrong",
            "findings",
            "fixed_sat",
            "runs_again",
        ],
        records,
    }
}
