//! The page: one HTML file that loads nothing.

mod comparison;
mod defects;
mod distinct;
mod findings;
mod rerun;
mod smt;
mod table;
mod verdict;

use std::fmt::Write;
use std::path::Path;

use super::error::ReportError;
use super::escape::escape;
use super::figure::Figure;
use super::figure::palette::Ink;
use super::figure::scale::grouped;
use super::figure::svg::{self, Styles};
use super::plots::operators::{SHARES, percent};
use super::plots::scatter::contradictions;
use super::plots::{Plots, count};
use super::series::operator_yields;
use super::study::{Run, Study};
use table::{Cell, table};

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");
/// Runs first, so that it sees every error of what follows.
const WATCH: &str = "window.reportErrors=[];addEventListener('error',e=>reportErrors.push(String(e.message)));";
/// Nothing is loaded from anywhere.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// Contradictions that are listed.
const CONTRADICTIONS: usize = 100;
/// So many are listed without being asked for.
const CONTRADICTIONS_OPEN: usize = 8;

/// The sections: their names in links, and their titles.
const SECTIONS: [(&str, &str); 9] = [
    ("verdict", "Verdict"),
    ("defects", "Defects"),
    ("pareto", "Pareto front"),
    ("solved", "Solving times"),
    ("convergence", "Convergence"),
    ("scatter", "Target against reference"),
    ("operators", "Operators"),
    ("evaluations", "Evaluations"),
    ("rerun", "Rerun"),
];

/// The page as HTML. `folder` is where it will lie, to which links are relative.
///
/// # Errors
/// [`ReportError`] if an experiment's finished runs cannot be read.
pub(super) fn html(study: &Study, plots: &Plots, folder: &Path) -> Result<String, ReportError> {
    let title = title(study);
    let mut out = String::new();
    // A string cannot fail to be written to; so below.
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>\n{}{}{STYLE}</style>\n<script>{WATCH}</script></head>\n<body>\n\
         <header><h1>{}</h1><button type=\"button\" id=\"theme\">theme: system</button></header>\n",
        escape(&title),
        themes(),
        svg::style_sheet(Styles::OfThePage),
        escape(&title),
    );
    out.push_str("<nav aria-label=\"Contents\"><ol>");
    for (name, title) in SECTIONS {
        let _ = write!(out, "<li><a href=\"#{name}\">{title}</a></li>");
    }
    out.push_str("</ol></nav>\n<main>\n");
    for (name, title) in SECTIONS {
        let _ = writeln!(out, "<section id=\"{name}\"><h2>{title}</h2>");
        write_section(&mut out, name, study, plots, folder)?;
        out.push_str("</section>\n");
    }
    let _ = write!(out, "</main>\n<script>\n{SCRIPT}</script>\n</body></html>\n");
    Ok(out)
}

fn title(study: &Study) -> String {
    if let [only] = study.experiments.as_slice() {
        return only.folder.plan().title.clone();
    }
    let (target, reference) = study.solvers();
    let (arms, runs) = (study.arms.len(), study.runs().count());
    let what = match (arms, runs) {
        (1, 1) => format!("run {}", study.runs().next().map_or("", |run| run.label.as_str())),
        (1, _) => format!("{runs} runs"),
        _ => format!("{arms} arms, {runs} runs"),
    };
    format!("What makes {target} slow, compared with {reference}: {what}")
}

/// The colours of both themes, as variables.
fn themes() -> String {
    let theme = |dark: bool| {
        let pick = |ink: Ink| if dark { ink.hex().1 } else { ink.hex().0 };
        let variables = Ink::all().fold(String::new(), |all, ink| all + "--" + &ink.name() + ":" + &pick(ink) + ";");
        format!("color-scheme:{};{variables}", if dark { "dark" } else { "light" })
    };
    format!(
        ":root{{{0}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{1}}}}}\n\
         @media screen{{:root[data-theme=light]{{{0}}}:root[data-theme=dark]{{{1}}}}}\n",
        theme(false),
        theme(true)
    )
}

fn write_section(out: &mut String, name: &str, study: &Study, plots: &Plots, folder: &Path) -> Result<(), ReportError> {
    match name {
        "verdict" => {
            verdict::write(out, study);
            comparison::write(out, study)?;
        }
        "defects" => {
            let triaged = distinct::write(out, study);
            if triaged {
                findings::write(out, study);
            }
            defects::write(out, study, triaged);
            if !triaged {
                findings::write(out, study);
            }
        }
        "pareto" => write_figures(out, &plots.pareto),
        "solved" => write_figures(out, &plots.solved),
        "convergence" => {
            write_figures(out, &plots.convergence);
            if !plots.population.is_empty() {
                write_figures(out, &plots.population);
            }
        }
        "scatter" => {
            write_figures(out, &plots.scatter);
            write_contradictions(out, study);
        }
        "operators" => {
            write_figures(out, &plots.operators);
            write_operators(out, study);
        }
        "evaluations" => {
            write_figures(out, &plots.cost);
            write_runs(out, study);
        }
        _ => rerun::write(out, study, folder),
    }
    Ok(())
}

fn write_figures(out: &mut String, figures: &[Figure]) {
    out.push_str("<div class=\"figures\">\n");
    for figure in figures {
        let name = figure.name;
        let width = figure.drawing.as_ref().map_or(0.0, |canvas| canvas.width);
        let class = match width {
            0.0 | 600.0.. => "wide-figure",
            500.0..600.0 => "half-figure",
            _ => "third-figure",
        };
        let _ = writeln!(out, "<figure id=\"{name}\" class=\"{class}\"><h3>{}</h3>", figure.title);
        match &figure.drawing {
            Ok(canvas) => {
                out.push_str(&svg::write(canvas, name, figure.title, &figure.caption, Styles::OfThePage));
                let _ = writeln!(
                    out,
                    "<figcaption>{} <span class=\"files\"><a href=\"plots/{name}.svg\">SVG</a> \
                     <a href=\"plots/{name}.png\">PNG</a> <a href=\"plots/{name}.csv\">CSV</a></span></figcaption>",
                    escape(&figure.caption)
                );
            }
            Err(reason) => {
                let _ = writeln!(out, "<p class=\"missing\">{}</p>", escape(reason));
            }
        }
        out.push_str("</figure>\n");
    }
    out.push_str("</div>\n");
}

fn write_contradictions(out: &mut String, study: &Study) {
    let found = contradictions(study);
    if found.is_empty() {
        out.push_str("<p>No two answers contradict each other.</p>\n");
        return;
    }
    let open = if found.len() <= CONTRADICTIONS_OPEN { " open" } else { "" };
    let _ = write!(
        out,
        "<details class=\"fold\"{open}><summary><b class=\"alarm\">{} have contradicting answers</b>: at least one \
         solver is wrong about each</summary><ul>",
        count(found.len(), "instance")
    );
    for one in found.iter().take(CONTRADICTIONS) {
        let _ = write!(out, "<li>{}</li>", escape(&one.words()));
    }
    out.push_str("</ul></details>\n");
    if found.len() > CONTRADICTIONS {
        let _ = writeln!(out, "<p>The first {CONTRADICTIONS} are listed; scatter.csv has all.</p>");
    }
}

fn write_operators(out: &mut String, study: &Study) {
    let headings =
        ["arm", "origin and operator", "offspring", "valid", "survived", "beat its parents", "became candidate"];
    let rows = study.arms.iter().flat_map(|arm| {
        operator_yields(arm.runs.iter()).into_iter().map(|row| {
            let mut cells = vec![Cell::text(&arm.name), Cell::text(&row.name), Cell::count(row.offspring as u64)];
            cells.extend(SHARES.iter().map(|share| match percent(share, &row) {
                Some((key, text)) => Cell::number(&text, key),
                None => Cell::number("\u{2013}", -1.0),
            }));
            (cells, None)
        })
    });
    out.push_str(
        "<p>Each cell: how many, and in parentheses the share of the offspring and its 95 % interval (Wilson) in percent.</p>",
    );
    let folded = study.compares();
    out.push_str(if folded { "<details class=\"fold\"><summary>All operators of all arms</summary>" } else { "" });
    table(out, &headings, rows.collect::<Vec<_>>().into_iter());
    out.push_str(if folded { "</details>\n" } else { "" });
}

fn write_runs(out: &mut String, study: &Study) {
    let headings = [
        "run",
        "variant",
        "seed",
        "state",
        "evaluations",
        "invalid",
        "generations",
        "per minute (clock)",
        "per CPU minute",
        "solver CPU [s]",
        "solver share [%]",
    ];
    table(out, &headings, study.runs().map(|run| (run_cells(run), None)));
}

fn run_cells(run: &Run) -> Vec<Cell> {
    let number = |value: f64, places: usize| Cell::number(&grouped(value, places), value);
    let of_summary = |value: Option<f64>| value.map_or(Cell::number("\u{2013}", -1.0), |value| number(value, 1));
    let summary = run.summary.as_ref();
    let seconds = run.solver_seconds();
    let evaluations = run.evaluations.len();
    vec![
        Cell::text(&run.label),
        Cell::text(run.config.variant.name()),
        Cell::number(&run.config.seed.to_string(), run.config.seed as f64),
        Cell::text(summary.map_or("not finished", |summary| summary.stop_reason.as_str())),
        Cell::count(evaluations as u64),
        Cell::count(run.evaluations.iter().filter(|row| !row.valid).count() as u64),
        Cell::count(run.generations.len() as u64),
        of_summary(summary.map(|summary| summary.evaluations_per_minute)),
        number(60.0 * evaluations as f64 / seconds.max(f64::MIN_POSITIVE), 1),
        number(seconds, 0),
        of_summary(summary.map(|summary| 100.0 * summary.solver_share)),
    ]
}
