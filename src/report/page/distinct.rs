//! The distinct defects that the runs' triages came to: the reduced instance first, the raw one folded.

use std::fmt::Write;

use super::defects::copyable;
use super::smt;
use super::table::{Cell, table};
use crate::report::escape::{escape, prose};
use crate::report::figure::scale::grouped;
use crate::report::plots::count;
use crate::report::study::{Distinct, Run, Study};

/// Distinct defects that a page shows.
const SHOWN: usize = 100;

const HEADINGS: [&str; 7] = ["defect", "run", "class", "times slower", "complexity", "instances", "probably"];

/// Writes the distinct defects of all runs; nothing if no run was triaged. Says whether there was a triage.
pub(super) fn write(out: &mut String, study: &Study) -> bool {
    if study.runs().all(|run| run.triaged.is_none()) {
        return false;
    }
    let found: Vec<(&Run, &Distinct)> = study
        .runs()
        .flat_map(|run| run.triaged.iter().flat_map(|triaged| &triaged.defects).map(move |defect| (run, defect)))
        .collect();
    out.push_str("<h3>Distinct defects</h3>\n");
    let confirmed = found.iter().filter(|(_, defect)| defect.is_confirmed()).count();
    let _ = writeln!(
        out,
        "<p>{}, {confirmed} confirmed: the instances that runs found, reduced, and put together where the reduced forms are equal \
         up to names and literals. <code>triage/clusters</code> in a run's directory has a report of each.</p>",
        count(found.len(), "distinct defect")
    );
    let stopped = study.runs().filter(|run| run.triaged.as_ref().is_some_and(|triaged| triaged.stopped.is_some()));
    let stopped: Vec<&str> = stopped.map(|run| run.label.as_str()).collect();
    if !stopped.is_empty() {
        let _ = writeln!(out, "<p>The triage was stopped before its end: {}.</p>", escape(&stopped.join(", ")));
    }
    if found.len() > SHOWN {
        let _ = writeln!(out, "<p>The first {SHOWN} are shown.</p>");
    }
    if !found.is_empty() {
        let rows = found.into_iter().take(SHOWN).map(|(run, defect)| (cells(run, defect), Some(below(defect))));
        table(out, &HEADINGS, rows);
    }
    true
}

fn cells(run: &Run, defect: &Distinct) -> Vec<Cell> {
    let ratio = defect.severity.ratio;
    let times = if ratio > 0.0 { format!(">\u{202f}{}", grouped(ratio, 0)) } else { "\u{2013}".to_owned() };
    let like = defect.like.as_ref().map_or_else(String::new, |like| format!("{:03}", like.number));
    vec![
        Cell::tight(&format!("{:03}", defect.number)),
        Cell::text(&run.label),
        Cell::tight(defect.label()),
        Cell::number(&times, ratio),
        Cell::count(defect.severity.complexity),
        Cell::count(defect.members.len() as u64),
        Cell::tight(&like),
    ]
}

fn below(defect: &Distinct) -> String {
    let mut out = String::new();
    copyable(&mut out, "smt", &smt::highlight(&defect.instance));
    if let Some(like) = &defect.like {
        let _ = write!(out, "<p>Probably the same as {:03}: {}.</p>", like.number, prose(&like.because));
    }
    let names: Vec<&str> = defect.members.iter().map(|member| member.name.as_str()).collect();
    let _ = write!(out, "<details><summary>as it was found</summary><p>Found as {}.</p>", escape(&names.join(", ")));
    match &defect.found {
        Some(found) => copyable(&mut out, "smt", &smt::highlight(found)),
        None => out.push_str("<p class=\"missing\">Its file is not there any more.</p>"),
    }
    out.push_str("</details>");
    out
}
