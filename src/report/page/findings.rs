//! Wrong answers, wrong models and crashes that runs met on the way, as their hunts judged them.

use std::fmt::Write;

use super::defects::copyable;
use super::smt;
use super::table::{Cell, table};
use crate::report::escape::escape;
use crate::report::plots::count;
use crate::report::study::{Finding, Run, Study};

/// Findings that a page shows.
const SHOWN: usize = 100;

const HEADINGS: [&str; 7] = ["kind", "run", "like", "who is wrong", "why", "times", "size [B]"];

/// Writes what the hunts of all runs found; nothing if no run has hunted.
pub(super) fn write(out: &mut String, study: &Study) {
    if study.runs().all(|run| run.findings.is_none()) {
        return;
    }
    out.push_str("<h3>Wrong answers, wrong models and crashes</h3>\n");
    let found: Vec<(&Run, &Finding)> =
        study.runs().flat_map(|run| run.findings.iter().flatten().map(move |finding| (run, finding))).collect();
    if found.is_empty() {
        out.push_str("<p>None was found among the suspicious scripts that were judged after the runs.</p>\n");
        return;
    }
    let _ = writeln!(
        out,
        "<p>Met by the way, judged after the run, and made small: {}. <code>hunt/findings</code> in a run's directory has the \
         evidence.</p>",
        count(found.len(), "defect")
    );
    if found.len() > SHOWN {
        let _ = writeln!(out, "<p>The first {SHOWN} are shown.</p>");
    }
    table(
        out,
        &HEADINGS,
        found.into_iter().take(SHOWN).map(|(run, finding)| (cells(run, finding), Some(below(finding)))),
    );
}

fn cells(run: &Run, Finding { defect, .. }: &Finding) -> Vec<Cell> {
    vec![
        Cell::tight(defect.kind.name()),
        Cell::tight(&format!("{} {}", run.label, defect.number)),
        Cell::tight(defect.like.as_deref().unwrap_or_default()),
        Cell::text(&defect.solvers.join(", ")),
        Cell::text(&defect.because),
        Cell::count(defect.times),
        Cell::count(defect.bytes as u64),
    ]
}

fn below(finding: &Finding) -> String {
    let mut out = String::from("<details><summary>instance and evidence</summary>");
    match &finding.instance {
        Some(instance) => copyable(&mut out, "smt", &smt::highlight(instance)),
        None => out.push_str("<p class=\"missing\">Its file is not there any more.</p>"),
    }
    if !finding.defect.evidence.is_empty() {
        copyable(&mut out, "shell", &escape(&finding.defect.evidence.join("\n")));
    }
    out.push_str("</details>");
    out
}
