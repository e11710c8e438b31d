//! The report of a confirmed performance defect, ready to paste into an issue: what maintainers ask for, and no more.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::candidate::Failing;
use super::machine::Machine;
use super::model::Model;
use super::performance::{Confirmed, Step};
use super::verification::Verification;
use crate::markdown::{cell, fenced};

/// A script as one of the solvers reads it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    /// The dialect's name: `smtlib-2.5`.
    pub dialect: String,
    /// The script.
    pub text: String,
}

/// Everything that a defect's report tells.
#[derive(Clone, Debug)]
pub struct DefectReport<'a> {
    /// The evidence.
    pub confirmed: &'a Confirmed,
    /// The script as the target reads it.
    pub for_target: &'a Instance,
    /// The script as the reference reads it.
    pub for_reference: &'a Instance,
    /// Where it was measured.
    pub machine: &'a Machine,
}

impl DefectReport<'_> {
    /// One line that says which solver fails how, and which does not.
    pub fn title(&self) -> String {
        let Confirmed { target, reference, answer, settings, runs, .. } = self.confirmed;
        let what = match self.confirmed.failing {
            Failing::Slow => {
                format!("{target} gives no answer in {} s of CPU time", settings.confirm_limit.as_secs_f64())
            }
            Failing::GivesUp => format!("{target} gives up"),
        };
        let times = runs.iter().filter(|row| matches!(row.step, Step::Reference(_))).map(|row| row.timed.cpu_seconds);
        format!("{what}; {reference} says {} in {}", answer.name(), seconds(times.fold(0.0, f64::max)))
    }

    /// The report, in Markdown.
    pub fn markdown(&self) -> String {
        let mut out = String::new();
        // A string cannot fail to be written to.
        let _ = self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "# {}\n", self.title())?;
        self.write_instances(out)?;
        self.write_commands(out)?;
        self.write_runs(out)?;
        self.write_verification(out)?;
        self.write_profile(out)
    }

    fn write_instances(&self, out: &mut String) -> std::fmt::Result {
        let Confirmed { target, reference, .. } = self.confirmed;
        writeln!(out, "## Instance\n")?;
        if self.for_target.text == self.for_reference.text {
            return write_instance(out, "Both solvers read the same text", self.for_target);
        }
        write_instance(out, &format!("For {target}"), self.for_target)?;
        write_instance(out, &format!("The same for {reference}"), self.for_reference)
    }

    fn write_commands(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "## Solvers and how to reproduce\n")?;
        writeln!(out, "| solver | version | command |\n| --- | --- | --- |")?;
        let mut seen = BTreeSet::new();
        for row in self.confirmed.runs.iter().filter(|row| row.seed.is_none()) {
            if seen.insert((&row.solver, &row.command)) {
                writeln!(out, "| {} | {} | `{}` |", cell(&row.solver), cell(&row.version), cell(&row.command))?;
            }
        }
        writeln!(out, "\nSave the instance under the name that the command ends in. Times and limits are CPU time;")?;
        writeln!(out, "`ulimit -t SECONDS` sets such a limit. Measured on {}.\n", self.machine)
    }

    fn write_runs(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "## Runs\n")?;
        writeln!(out, "| run | solver | seed | limit | answer | CPU | memory |")?;
        writeln!(out, "| --- | --- | --- | ---: | --- | ---: | ---: |")?;
        for row in &self.confirmed.runs {
            let seed = row.seed.map_or_else(|| "default".to_owned(), |seed| seed.to_string());
            let (answer, time) = (row.timed.answer.name(), seconds(row.timed.cpu_seconds));
            let memory = match row.timed.peak_memory_bytes {
                0 => "-".to_owned(),
                bytes => format!("{} MB", bytes.div_ceil(1_000_000)),
            };
            let (step, solver, limit) = (row.step, cell(&row.solver), row.limit_seconds);
            writeln!(out, "| {step} | {solver} | {seed} | {limit} s | {answer} | {time} | {memory} |")?;
        }
        writeln!(out, "\nNo output of either solver holds `(error`, and neither rejects an operator as unsupported.\n")
    }

    fn write_verification(&self, out: &mut String) -> std::fmt::Result {
        let answer = self.confirmed.answer.name();
        writeln!(out, "## Is `{answer}` right?\n")?;
        match &self.confirmed.verification {
            Verification::ModelEvaluated { model } => {
                writeln!(out, "Yes: with these values every assertion is true, by the definitions of SMT-LIB.\n")?;
                write_model(out, model)
            }
            Verification::ModelChecked { by, model } => {
                writeln!(out, "Yes: with these values asserted, {by} says `sat` too.\n")?;
                write_model(out, model)
            }
            Verification::ModelCheckedItself { by } => {
                writeln!(out, "Its model passes the solver's own check ({by}); no other solver decided it.\n")
            }
            Verification::Agreed { by } => writeln!(out, "{by} says `{answer}` too.\n"),
        }
    }

    fn write_profile(&self, out: &mut String) -> std::fmt::Result {
        let profile = &self.confirmed.profile;
        writeln!(out, "## Random seeds\n")?;
        writeln!(
            out,
            "**{}**: of {} seeds, {} ran out of time or memory, {} gave up (`unknown`), {} answered ({} s each).",
            profile.stability.label(),
            profile.seeds,
            profile.slow,
            profile.gave_up,
            profile.answered,
            self.confirmed.settings.search_limit.as_secs_f64(),
        )?;
        for each in &self.confirmed.contradictions {
            let row = &each.counterclaim;
            let (solver, answer, step) = (&row.solver, row.timed.answer.name(), row.step);
            writeln!(out, "\n**Wrong answer:** {solver} says `{answer}` ({step}).")?;
        }
        Ok(())
    }
}

/// The section of a report on a reduced instance that shows the script as it was found.
pub fn as_found(found: &Instance) -> String {
    let mut out = String::new();
    // A string cannot fail to be written to.
    let _ = write_instance(&mut out, "\n## As it was found\n\nThe script before its reduction", found);
    out
}

fn write_model(out: &mut String, model: &Model) -> std::fmt::Result {
    let lines: Vec<String> = model.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    writeln!(out, "{}", fenced("", &lines.join("\n")))
}

fn write_instance(out: &mut String, heading: &str, instance: &Instance) -> std::fmt::Result {
    let (dialect, text) = (&instance.dialect, fenced("smt2", instance.text.trim_end()));
    writeln!(out, "{heading} ({dialect}, {} bytes):\n\n{text}", instance.text.len())
}

/// Seconds with three significant decimals at least where runs are short.
fn seconds(value: f64) -> String {
    if value < 1.0 { format!("{value:.3} s") } else { format!("{value:.1} s") }
}
