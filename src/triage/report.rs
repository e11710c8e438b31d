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
            let reason = self.not_confirmed.as_ref().map(|refusal| refusal.reason.to_string());
            writeln!(out, "**Not confirmed**: {}.\n", reason.as_deref().unwrap_or("it was not tried"))?;
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
        writeln!(out, "\n## Found as\n\n| instance | bytes | reduced to | complexity | reduced to |")?;
        writeln!(out, "| --- | ---: | ---: | ---: | ---: |")?;
        for Member { name, found, reduced, .. } in &self.members {
            writeln!(
                out,
                "| {name} | {} | {} | {} | {} |",
                found.bytes, reduced.bytes, found.complexity, reduced.complexity
            )?;
        }
        Ok(())
    }
}

/// The list of all defects: `triage.md`.
pub fn overview(defects: &[Defect], raw: usize, dropped: &[(String, String)]) -> String {
    let mut out = String::new();
    // A string cannot fail to be written to.
    let _ = write_overview(&mut out, defects, raw, dropped);
    out
}

fn write_overview(out: &mut String, defects: &[Defect], raw: usize, dropped: &[(String, String)]) -> std::fmt::Result {
    let confirmed = defects.iter().filter(|defect| defect.confirmed.is_some()).count();
    writeln!(out, "# {} distinct defects in {raw} instances, {confirmed} of them confirmed\n", defects.len())?;
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
            defect.severity.label(),
            defect.instance.len()
        )?;
    }
    if !dropped.is_empty() {
        writeln!(out, "\nNo defects:\n")?;
        for (name, reason) in dropped {
            writeln!(out, "- {name}: {reason}")?;
        }
    }
    Ok(())
}
