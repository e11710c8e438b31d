//! The matrix as it is printed: a table, and in words below it what changed where.

use std::fmt::Write as _;

use super::{Cell, LeftOut, Matrix, Row, Verdict};
use crate::markdown::{plain, plain_cell};
use crate::number::counted;
use crate::solver::answer::Answer;

impl Matrix {
    /// The table, in Markdown, and in words below it what changed where.
    pub fn markdown(&self) -> String {
        let mut out = String::new();
        // A string cannot fail to be written to.
        let _ = self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        writeln!(
            out,
            "| instance | {} | first bad | first good after |",
            self.solvers.iter().map(|name| plain_cell(name)).collect::<Vec<_>>().join(" | ")
        )?;
        writeln!(out, "| --- |{} --- | --- |", " ---: |".repeat(self.solvers.len()))?;
        for row in &self.rows {
            let cells: Vec<String> = row.cells.iter().map(|cell| self.cell(cell, row)).collect();
            let or_none = |name: &Option<String>| name.as_deref().map_or_else(|| "-".to_owned(), plain_cell);
            let (bad, good) = (or_none(&row.first_bad), or_none(&row.first_good));
            let regressed = match &row.regressed_on {
                Some(on) if row.first_bad.as_ref() == Some(on) => " (regression)".to_owned(),
                Some(on) => format!(" (regression: {})", plain_cell(on)),
                None => String::new(),
            };
            writeln!(out, "| {} | {} | {bad}{regressed} | {good} |", plain_cell(&row.instance), cells.join(" | "))?;
        }
        writeln!(out, "\nCPU seconds; `>` means no answer within {} s.", self.limit_seconds)?;
        for row in &self.rows {
            if let Some((one, other)) = &row.contradiction {
                writeln!(out, "{}: {one} and {other} contradict each other, marked with `!`.", plain(&row.instance))?;
            }
        }
        self.write_releases(out)?;
        if !self.left_out.is_empty() {
            writeln!(out, "\nLeft out:\n")?;
        }
        for LeftOut { instance, reason } in &self.left_out {
            writeln!(out, "- {}: {}", plain(instance), plain(reason))?;
        }
        let noun = if self.unfinished == 1 { "instance" } else { "instances" };
        if self.unfinished > 0 {
            writeln!(out, "\nInterrupted: {} more {noun} did not come to the end.", self.unfinished)?;
        }
        if self.internal_errors > 0 {
            let runs = counted(self.internal_errors, "run");
            writeln!(out, "\n{runs} failed by an internal error of mulstringfuzz itself: please report it.")?;
        }
        Ok(())
    }

    /// How many defects each solver has, where there are several instances to count.
    fn write_releases(&self, out: &mut String) -> std::fmt::Result {
        let kinds = self.kinds_of_defect();
        if self.rows.len() < 2 || self.solvers.len() < 2 || kinds.is_empty() {
            return Ok(());
        }
        let headings: Vec<&str> = kinds.iter().map(|kind| kind.heading()).collect();
        writeln!(out, "\n| solver | {} | bad on | new | so far |", headings.join(" | "))?;
        writeln!(out, "| --- |{} ---: | ---: | ---: |", " ---: |".repeat(kinds.len()))?;
        for release in self.releases() {
            let of = |kind| release.defects.get(kind).copied().unwrap_or(0).to_string();
            let counts: Vec<String> = kinds.iter().map(of).collect();
            let (total, new, so_far) = (release.total(), release.new, release.so_far);
            writeln!(out, "| {} | {} | {total} | {new} | {so_far} |", plain_cell(&release.solver), counts.join(" | "))?;
        }
        writeln!(
            out,
            "\nInstances on which a solver is bad; new: no earlier one of its name is; so far: it or an earlier one is."
        )
    }

    fn cell(&self, cell: &Cell, row: &Row) -> String {
        match cell.verdict {
            _ if cell.is_internal_error() => cell.result.to_owned(),
            Verdict::Slow if cell.result == Answer::MemoryOut.name() => format!("memory, {:.2}", cell.seconds),
            Verdict::Wrong => format!("wrong {} {:.2}", cell.result, cell.seconds),
            Verdict::Slow => format!("> {}", self.limit_seconds),
            Verdict::Answers if row.contradiction.is_some() => format!("{}! {:.2}", cell.result, cell.seconds),
            _ => format!("{} {:.2}", cell.result, cell.seconds),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Measure;
    use super::*;

    fn cell(result: &'static str, seconds: f64, verdict: Verdict) -> Cell {
        Cell { result, detail: String::new(), seconds, verdict }
    }

    #[test]
    fn the_table_says_what_was_measured_and_what_contradicts() {
        let solvers = vec!["z3@1".to_owned(), "z3@2".to_owned(), "z3@3".to_owned()];
        let cells = vec![
            cell("unsat", 0.012, Verdict::Answers),
            cell("timeout", 5.01, Verdict::Slow),
            cell("sat", 0.25, Verdict::Answers),
        ];
        let left_out = vec![LeftOut { instance: "bad".into(), reason: "bad.smt2:1:1: no command".into() }];
        let matrix = Matrix {
            measure: Measure::Time,
            limit_seconds: 5.0,
            rows: vec![Row::of("007", cells, &solvers, Measure::Time)],
            solvers,
            left_out,
            unfinished: 2,
            internal_errors: 0,
        };
        insta::assert_snapshot!(matrix.markdown(), @r"
        | instance | z3@1 | z3@2 | z3@3 | first bad | first good after |
        | --- | ---: | ---: | ---: | --- | --- |
        | 007 | unsat! 0.01 | > 5 | sat! 0.25 | z3@2 (regression) | z3@3 |

        CPU seconds; `>` means no answer within 5 s.
        007: z3@3 and z3@1 contradict each other, marked with `!`.

        Left out:

        - bad: bad.smt2:1:1: no command

        Interrupted: 2 more instances did not come to the end.
        ");
    }

    #[test]
    fn several_instances_are_counted_by_solver() {
        let solvers = vec!["z3@1".to_owned(), "z3@2".to_owned()];
        let wrong = || cell("unsat", 0.012, Verdict::Wrong);
        let rows = [vec![wrong(), wrong()], vec![cell("sat", 0.25, Verdict::Answers), wrong()]];
        let rows =
            ["001", "002"].iter().zip(rows).map(|(name, cells)| Row::of(name, cells, &solvers, Measure::Answers));
        let matrix = Matrix {
            measure: Measure::Answers,
            limit_seconds: 5.0,
            rows: rows.collect(),
            solvers,
            left_out: Vec::new(),
            unfinished: 0,
            internal_errors: 0,
        };
        insta::assert_snapshot!(matrix.markdown(), @r"
        | instance | z3@1 | z3@2 | first bad | first good after |
        | --- | ---: | ---: | --- | --- |
        | 001 | wrong unsat 0.01 | wrong unsat 0.01 | z3@1 | - |
        | 002 | sat 0.25 | wrong unsat 0.01 | z3@2 (regression) | - |

        CPU seconds; `>` means no answer within 5 s.

        | solver | wrong | bad on | new | so far |
        | --- | ---: | ---: | ---: | ---: |
        | z3@1 | 1 | 1 | 1 | 1 |
        | z3@2 | 2 | 2 | 1 | 2 |

        Instances on which a solver is bad; new: no earlier one of its name is; so far: it or an earlier one is.
        ");
    }
}
