//! The table of defects and candidates, each with its instance and the commands that show it again.

use std::fmt::Write;

use super::smt;
use super::table::{Cell, table};
use crate::record::format::{EvaluationRow, SolverRecord};
use crate::report::defects::{Suspicion, Timing, of_runs};
use crate::report::escape::escape;
use crate::report::figure::scale::{grouped, short};
use crate::report::plots::count;
use crate::report::study::{Arm, Run, Study};
use crate::shell::quote;

/// Candidates that a page shows of a single arm, and of each of several: the whole list is in the table beside it.
const SHOWN: (usize, usize) = (60, 15);
/// Confirmed defects that a page shows of an arm.
const CONFIRMED_SHOWN: usize = 100;
/// Ancestors that a lineage names.
const ANCESTORS: usize = 8;

const HEADINGS: [&str; 11] = [
    "state",
    "run",
    "target [s]",
    "reference [s]",
    "ratio",
    "answers",
    "assertions",
    "complexity",
    "size [B]",
    "generation",
    "lineage",
];

/// Writes all suspicions of the runs; folded if they have been triaged, since then the distinct ones stand above.
pub(super) fn write(out: &mut String, study: &Study, folded: bool) {
    if folded {
        out.push_str("<details class=\"fold\"><summary>All candidates and defects as they were found</summary>\n");
    }
    write_all(out, study);
    if folded {
        out.push_str("</details>\n");
    }
}

fn write_all(out: &mut String, study: &Study) {
    let _ = writeln!(
        out,
        "<p>A <em>candidate</em> is an instance that the target could not answer within the search limit while the \
         reference answered within a tenth of it; a <em>defect</em> is a candidate that was confirmed by repeated runs at a higher limit and \
         with a verified answer. The most severe come first: confirmed ones, then by the ratio of times (a lower bound, \u{2265}, where the target ran \
         out of time), then the simplest. Times are CPU time at the highest limit at which the instance was run. Click a column to sort by \
         it; the whole list is in <a href=\"plots/defects.csv\">defects.csv</a>.</p>"
    );
    for arm in &study.arms {
        let (found, refuted) = of_runs(&arm.runs);
        let confirmed = found.iter().filter(|one| one.is_confirmed()).count();
        let summary =
            format!("{confirmed} confirmed, {}, {refuted} refuted", count(found.len() - confirmed, "candidate"));
        if study.compares() {
            let _ = writeln!(out, "<details class=\"fold\"><summary><b>{}</b>: {summary}</summary>", escape(&arm.name));
        } else {
            let _ = writeln!(out, "<p>{summary}.</p>");
        }
        write_arm(out, arm, &found, if study.compares() { SHOWN.1 } else { SHOWN.0 });
        if study.compares() {
            out.push_str("</details>\n");
        }
    }
}

fn write_arm(out: &mut String, arm: &Arm, found: &[Suspicion<'_>], most: usize) {
    if found.is_empty() {
        let evaluations: usize = arm.runs.iter().map(|run| run.evaluations.len()).sum();
        let _ = writeln!(out, "<p class=\"missing\">No instance of {evaluations} evaluations became a candidate.</p>");
        return;
    }
    let (confirmed, candidates): (Vec<_>, Vec<_>) = found.iter().partition(|one| one.is_confirmed());
    let shown: Vec<&Suspicion<'_>> =
        confirmed.into_iter().take(CONFIRMED_SHOWN).chain(candidates.into_iter().take(most)).collect();
    if shown.len() < found.len() {
        let _ = writeln!(out, "<p>The first {} of {} are shown.</p>", shown.len(), found.len());
    }
    table(out, &HEADINGS, shown.into_iter().map(|one| (cells(one), Some(below(one)))));
}

fn cells(one: &Suspicion<'_>) -> Vec<Cell> {
    let record = &one.defect.record;
    let measure = |of: fn(&EvaluationRow) -> u64| one.evaluation.map_or(Cell::text(""), |row| Cell::count(of(row)));
    let state = if one.is_confirmed() { "<span class=\"badge\">confirmed</span>".into() } else { "candidate".into() };
    let bound = if is_timeout(&one.target) { "\u{2265}\u{202f}" } else { "" };
    vec![
        Cell::html(state),
        Cell::tight(&format!("{} #{}", one.run.label, record.id)),
        Cell::number(&time(&one.target), one.target.seconds),
        Cell::number(&time(&one.reference), one.reference.seconds),
        Cell::number(&format!("{bound}{}", grouped(one.ratio(), 0)), one.ratio()),
        Cell::tight(&format!("{} / {}", one.target.answer, one.reference.answer)),
        Cell::count(smt::assertions(&one.defect.instance) as u64),
        measure(|row| row.complexity),
        measure(|row| row.bytes),
        Cell::count(record.generation.into()),
        Cell::text(&lineage(one.run, record.id)),
    ]
}

fn is_timeout(timing: &Timing<'_>) -> bool {
    timing.answer == "timeout"
}

fn time(timing: &Timing<'_>) -> String {
    let bound = if is_timeout(timing) { ">\u{202f}" } else { "" };
    format!("{bound}{}", short(if is_timeout(timing) { timing.limit } else { timing.seconds }))
}

/// How an individual came to be: the operators from its first ancestor on, along the parent with the highest t-score.
fn lineage(run: &Run, id: u32) -> String {
    let mut steps: Vec<String> = Vec::new();
    let mut next = run.evaluation(id);
    while let Some(row) = next {
        if steps.len() == ANCESTORS {
            steps.push("\u{2026}".into());
            break;
        }
        steps.push(if row.operator.is_empty() { row.origin.clone() } else { row.operator.clone() });
        // Parents are older; a record that says otherwise must not lead us round in circles.
        let parents = row.parents.split(' ').filter_map(|parent| run.evaluation(parent.parse().ok()?));
        let older = parents.filter(|parent| parent.id < row.id);
        next = older.max_by(|one, other| one.t_score.total_cmp(&other.t_score));
    }
    steps.reverse();
    // What happened several times in a row is said once.
    let chain = steps.chunk_by(|one, other| one == other).map(|same| match same.len() {
        1 => same[0].clone(),
        times => format!("{times}\u{d7} {}", same[0]),
    });
    chain.collect::<Vec<_>>().join(" \u{2192} ")
}

/// What unfolds below a row: the instance and the commands.
fn below(one: &Suspicion<'_>) -> String {
    let mut out = String::from("<details><summary>instance and commands</summary>");
    let record = &one.defect.record;
    if !record.reason.is_empty() && !one.is_confirmed() {
        let _ = write!(out, "<p>Not confirmed: {}.</p>", escape(&record.reason));
    }
    let _ = write!(out, "<p class=\"quiet\">Operators: {}</p>", escape(&record.class));
    if let Some(reduced) = &one.defect.reduced {
        out.push_str("<p class=\"quiet\">Reduced, which is what was confirmed:</p>");
        copyable(&mut out, "smt", &smt::highlight(reduced));
        out.push_str("<p class=\"quiet\">As it was found:</p>");
    }
    copyable(&mut out, "smt", &smt::highlight(&one.defect.instance));
    copyable(&mut out, "shell", &escape(&commands(one)));
    out.push_str("</details>");
    out
}

/// A preformatted text with a button that copies it.
pub(super) fn copyable(out: &mut String, class: &str, html: &str) {
    let _ = write!(
        out,
        "<div class=\"copyable\"><button type=\"button\" class=\"copy\">copy</button><pre class=\"{class}\" \
         tabindex=\"0\">{}</pre></div>",
        html.trim_end()
    );
}

fn commands(one: &Suspicion<'_>) -> String {
    let file = if one.defect.reduced.is_some() { "reduced.smt2" } else { "instance.smt2" };
    let instance = quote(&one.defect.folder.join(file).display().to_string());
    let config = &one.run.config;
    let mut out = String::new();
    let solvers = one.run.environment.as_ref().map(|environment| &environment.solvers);
    let dialects = config.resolved.as_ref().map(|resolved| (resolved.target_dialect, resolved.reference_dialect));
    let mut read = instance.clone();
    for (role, timing) in [("target", &one.target), ("reference", &one.reference)] {
        let Some(solver) = solvers.and_then(|solvers| solvers.get(role)) else { continue };
        if let Some((own, other)) = dialects.filter(|(own, other)| role == "reference" && own != other) {
            read = "reference.smt2".into();
            let _ = writeln!(out, "# the reference reads {other}, the instance is in {own}");
            let _ = writeln!(out, "mulstringfuzz convert --dialect {other} {instance} > {read}");
        }
        let _ = writeln!(
            out,
            "# {role}, {} {}: {} after {} s of CPU time",
            solver.name,
            solver.version,
            timing.answer,
            short(timing.seconds)
        );
        let _ = writeln!(out, "(ulimit -t {}; {} {read})", timing.limit.ceil() + 1.0, invocation(solver));
    }
    let _ = writeln!(out, "# both, timed as the search does");
    let _ = writeln!(
        out,
        "mulstringfuzz evaluate --no-coverage --target {} --reference {} --limit {}ms {instance}",
        quote(&config.target),
        quote(&config.reference),
        config.limit.as_millis()
    );
    out
}

fn invocation(solver: &SolverRecord) -> String {
    let words = std::iter::once(&solver.executable).chain(&solver.arguments);
    words.map(|word| quote(word)).collect::<Vec<_>>().join(" ")
}
