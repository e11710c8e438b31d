//! An experiment's tables: the paper's columns beside ours, and each arm against the baseline.

use std::fmt::Write;

use super::table::{Cell, table};
use crate::experiment::ExperimentError;
use crate::experiment::tables::{Table, Tables};
use crate::report::error::ReportError;
use crate::report::escape::escape;
use crate::report::study::Study;

/// Writes the tables of all experiments that the study is about, the first of each open and the others folded.
///
/// # Errors
/// [`ReportError::Experiment`] if a finished run cannot be read.
pub(super) fn write(out: &mut String, study: &Study) -> Result<(), ReportError> {
    for experiment in &study.experiments {
        let tables = match Tables::of(&experiment.folder) {
            Err(ExperimentError::NothingFinished { .. }) => {
                // A string cannot fail to be written to; so below.
                let title = escape(&experiment.folder.plan().title);
                let _ = writeln!(out, "<p class=\"missing\">{title}: no run is finished, so there are no tables.</p>");
                continue;
            }
            tables => tables?.all,
        };
        for (index, table) in tables.iter().enumerate() {
            let (tag, title) = if index == 0 { ("div", "h3") } else { ("details class=\"fold\"", "summary") };
            let _ = writeln!(out, "<{tag}><{title}>{}</{title}><p>{}</p>", escape(&table.title), escape(&table.note));
            write_table(out, table);
            let _ = writeln!(out, "</{}>", tag.split(' ').next().unwrap_or_default());
        }
    }
    Ok(())
}

fn write_table(out: &mut String, own: &Table) {
    let headings: Vec<&str> = own.headings.iter().map(String::as_str).collect();
    let cell = |(column, text): (usize, &String)| {
        // What people read begins with the number; grouping and what stands behind it do not count for sorting.
        let number: String = text.chars().take_while(|c| !" (".contains(*c)).filter(|c| *c != ',').collect();
        match number.parse() {
            Ok(key) if column > 0 => Cell::number(text, key),
            _ if column > 0 && !text.chars().any(char::is_alphabetic) => Cell::number(text, -1.0),
            _ => Cell::text(text),
        }
    };
    table(out, &headings, own.rows.iter().map(|row| (row.iter().enumerate().map(cell).collect(), None)));
}
