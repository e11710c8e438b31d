//! What a triage writes of one defect: the confirmed report, and below it what makes it worth reading.

use std::fmt::Write;

use serde::Serialize;

use super::severity::Severity;
use super::variants::Variant;
use crate::explain::{Growth, WhereTime, markdown};
use crate::matrix::Matrix;
use crate::oracle::performance::{Confirmed, NotConfirmed};
use crate::reduce::size::Size;

/// A raw instance that is this defect.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Member {
    /// Its name: the file's, or the number that the run gave it.
    pub name: String,
    /// Its file.
    pub path: String,
    /// Its size as it was found.
    pub found: Size,
    /// Its size after reduction.
    pub reduced: Size,
    /// Whether the reduction was stopped before its end.
    pub unfinished: bool,
    /// Its reduced form, in the target's dialect.
    pub text: String,
}

/// All that is known of one defect: `report.json`.
#[derive(Debug, Serialize)]
pub struct Defect {
    /// Its number: 1 is the worst.
    pub number: usize,
    /// One line that says what is wrong.
    pub title: String,
    /// What decides its number.
    pub severity: Severity,
    /// The reduced instance as the target reads it.
    pub instance: String,
    /// The instances that are this defect; the first is the one that is reported.
    pub members: Vec<Member>,
    /// The evidence, if it is confirmed.
    pub confirmed: Option<Confirmed>,
    /// Why not, if it is not.
    pub not_confirmed: Option<NotConfirmed>,
    /// The same instance in other words.
    pub variants: Vec<Variant>,
    /// The limit of the runs of the variants, CPU seconds.
    pub limit_seconds: f64,
    /// Other versions of the target.
    pub versions: Option<Matrix>,
    /// Where the time goes.
    pub where_time_goes: Option<WhereTime>,
    /// How it grows.
    pub growth: Option<Growth>,
}

impl Defect {
    /// The report in Markdown; `evidence` is the confirmed defect's own ([`crate::oracle::report`]), if it is confirmed.
    pub fn markdown(&self, evidence: Option<&str>) -> String {
        let mut out = String::new();
        // A string cannot fail to be written to.
        let _ = self.write(&mut out, evidence);
        out
    }

    fn write(&self, out: &mut String, evidence: Option<&str>) -> std::fmt::Result {
        if let Some(evidence) = evidence {
            writeln!(out, "{}", evidence.trim_end())?;
        } else {
            writeln!(out, "# {}\n", self.title)?;
            match &self.not_confirmed {
                Some(refusal) => writeln!(out, "**Not confirmed**: {}.\n", refusal.reason)?,
                None => writeln!(out, "**Not tried**: the triage was stopped before it was to be confirmed.\n")?,
            }
            writeln!(out, "```smt2\n{}\n```", self.instance.trim_end())?;
        }
        self.write_variants(out)?;
        if let Some(versions) = &self.versions {
            writeln!(out, "\n## Other versions\n\n{}", versions.markdown().trim_end())?;
        }
        if let Some(place) = &self.where_time_goes {
            writeln!(out, "\n{}", markdown::where_time_goes(place).trim_end())?;
        }
        if let Some(growth) = &self.growth {
            writeln!(out, "\n{}", markdown::how_it_grows(growth).trim_end())?;
        }
        self.write_members(out)
    }

    /// The word for what is known of it: its class, or that nobody tried.
    fn label(&self) -> &'static str {
        match (&self.confirmed, &self.not_confirmed) {
            (None, None) => "not tried",
            _ => self.severity.label(),
        }
    }

    fn write_variants(&self, out: &mut String) -> std::fmt::Result {
        if self.variants.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n## The same in other words\n\n| form | answer | CPU |\n| --- | --- | ---: |")?;
        for Variant { name, timed } in &self.variants {
            writeln!(out, "| {name} | {} | {:.2} s |", timed.answer.name(), timed.cpu_seconds)?;
        }
        writeln!(out, "\nOne run each, {} s at most.", self.limit_seconds)
    }

    fn write_members(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "\n## Found as\n\n| instance | bytes | bytes, reduced | complexity | complexity, reduced |")?;
        writeln!(out, "| --- | ---: | ---: | ---: | ---: |")?;
        for Member { name, found, reduced, unfinished, .. } in &self.members {
            let so_far = if *unfinished { " so far" } else { "" };
            writeln!(
                out,
                "| {name} | {} | {}{so_far} | {} | {}{so_far} |",
                found.bytes, reduced.bytes, found.complexity, reduced.complexity
            )?;
        }
        Ok(())
    }
}

/// The list of all defects: `triage.md`. `stopped` says of a triage that was stopped why, and how it goes on.
pub fn overview(defects: &[Defect], raw: usize, dropped: &[(String, String)], stopped: Option<&str>) -> String {
    let mut out = String::new();
    // A string cannot fail to be written to.
    let _ = write_overview(&mut out, defects, raw, dropped, stopped.is_some());
    if let Some(stopped) = stopped {
        let _ = writeln!(out, "\n{stopped}");
    }
    out
}

fn write_overview(
    out: &mut String,
    defects: &[Defect],
    raw: usize,
    dropped: &[(String, String)],
    is_stopped: bool,
) -> std::fmt::Result {
    let confirmed = defects.iter().filter(|defect| defect.confirmed.is_some()).count();
    let (plural, instances) =
        (if defects.len() == 1 { "" } else { "s" }, if raw == 1 { "instance" } else { "instances" });
    let stopped = if is_stopped { " (not finished)" } else { "" };
    writeln!(
        out,
        "# {} distinct defect{plural} in {raw} {instances}, {confirmed} of them confirmed{stopped}\n",
        defects.len()
    )?;
    writeln!(out, "| defect | class | times slower | complexity | bytes | instances | first line |")?;
    writeln!(out, "| ---: | --- | ---: | ---: | ---: | ---: | --- |")?;
    for defect in defects {
        let Severity { ratio, complexity, members, .. } = defect.severity;
        let times = if ratio > 0.0 { format!("> {ratio:.0}") } else { "-".to_owned() };
        let line = defect.instance.lines().find(|line| line.starts_with("(assert")).unwrap_or_default();
        let line = line.replace('|', "\\|");
        writeln!(
            out,
            "| {:03} | {} | {times} | {complexity} | {} | {members} | `{line}` |",
            defect.number,
            defect.label(),
            defect.instance.len()
        )?;
    }
    if !dropped.is_empty() {
        writeln!(out, "\nNot among them:\n")?;
        for (name, reason) in dropped {
            writeln!(out, "- {name}: {reason}")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn untried() -> Defect {
        let size = |bytes| Size { complexity: 3, tokens: 3, commands: 2, bytes };
        let member = Member {
            name: "b".into(),
            path: "in/b.smt2".into(),
            found: size(443),
            reduced: size(97),
            unfinished: true,
            text: String::new(),
        };
        Defect {
            number: 1,
            title: "z3str3 may be slow".into(),
            severity: Severity::of(None, 0, 3, 1),
            instance: "(assert true)\n".into(),
            members: vec![member],
            confirmed: None,
            not_confirmed: None,
            variants: Vec::new(),
            limit_seconds: 5.0,
            versions: None,
            where_time_goes: None,
            growth: None,
        }
    }

    #[test]
    fn a_triage_that_was_stopped_says_so_and_how_to_go_on() {
        let dropped = [("c".to_owned(), "not tried: interrupted".to_owned())];
        insta::assert_snapshot!(overview(&[untried()], 2, &dropped, Some("Run it again.")), @r"
        # 1 distinct defect in 2 instances, 0 of them confirmed (not finished)

        | defect | class | times slower | complexity | bytes | instances | first line |
        | ---: | --- | ---: | ---: | ---: | ---: | --- |
        | 001 | not tried | - | 3 | 14 | 1 | `(assert true)` |

        Not among them:

        - c: not tried: interrupted

        Run it again.
        ");
        let report = untried().markdown(None);
        assert!(
            report.contains("**Not tried**") && report.contains("| b | 443 | 97 so far | 3 | 3 so far |"),
            "{report}"
        );
    }
}
