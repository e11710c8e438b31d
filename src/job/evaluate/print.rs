//! The objectives as they are printed: for people, and as JSON.

use std::io::Write;

use super::{Entry, EvaluatedFiles, Row};
use crate::coverage::CoverageTotals;

impl EvaluatedFiles {
    /// Prints what became of each file.
    ///
    /// # Errors
    /// When `output` cannot be written.
    pub fn print(&self, json: bool, output: &mut dyn Write) -> anyhow::Result<()> {
        print(&self.entries, json, output)
    }
}

fn print(entries: &[Option<Entry>], json: bool, output: &mut dyn Write) -> anyhow::Result<()> {
    let entries: Vec<&Entry> = entries.iter().flatten().collect();
    if json {
        serde_json::to_writer_pretty(&mut *output, &entries)?;
        writeln!(output)?;
        return Ok(());
    }
    // That a file is no sound script was said on standard error already.
    let shown = entries.into_iter().filter(|entry| !matches!(entry, Entry::Failed { .. }));
    for (index, entry) in shown.enumerate() {
        if index > 0 {
            writeln!(output)?;
        }
        match entry {
            Entry::Evaluated(row) => print_row(row, output)?,
            Entry::Together { together } => print_totals(together, output)?,
            Entry::Failed { .. } => {}
        }
    }
    Ok(())
}

fn print_row(row: &Row, output: &mut dyn Write) -> std::io::Result<()> {
    let optional = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    let seconds = |seconds: f64| format!("{seconds:.5}");
    writeln!(output, "{}", row.file.display())?;
    let lines = [
        ("target_result", format!("{} {}", row.target_result, row.detail).trim_end().to_owned()),
        ("target_seconds", optional(row.target_seconds.map(seconds))),
        ("reference_result", format!("{} {}", row.reference_result, row.reference_detail).trim_end().to_owned()),
        ("reference_seconds", optional(row.reference_seconds.map(seconds))),
        ("t_score", format!("{:.5}", row.t_score)),
        ("coverage_score", optional(row.coverage_score.map(|score| format!("{score:.0}")))),
        ("lines_covered", optional(row.lines_covered.map(|lines| lines.to_string()))),
        ("complexity", row.complexity.to_string()),
        ("bytes", row.bytes.to_string()),
        ("trace_lines", optional(row.trace_lines.map(|lines| lines.to_string()))),
    ];
    lines.iter().try_for_each(|(name, value)| writeln!(output, "  {name:<18} {value}"))
}

/// Prints the totals for people.
fn print_totals(totals: &CoverageTotals, output: &mut dyn Write) -> std::io::Result<()> {
    writeln!(output, "together")?;
    let shares = [("lines", totals.lines), ("functions", totals.functions), ("branches", totals.branches)];
    shares.iter().try_for_each(|(name, share)| writeln!(output, "  {name:<18} {share}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::Share;

    #[test]
    fn totals_are_printed_under_the_rows() {
        let share = |covered| Share { covered, total: 1000 };
        let totals = CoverageTotals { lines: share(172), functions: share(165), branches: share(106) };
        let mut output = Vec::new();
        print_totals(&totals, &mut output).expect("memory");
        insta::assert_snapshot!(String::from_utf8(output).expect("text"), @r"
        together
          lines              17.2 % (172 of 1000)
          functions          16.5 % (165 of 1000)
          branches           10.6 % (106 of 1000)
        ");
    }
}
