//! A confirmed defect as the text of an issue, with what the solver's tracker asks for, in its order.
//!
//! Z3 asks by a form of fields, cvc5 by a list in bold; the others ask for nothing, and get what both want to know. Only what
//! was measured is said: a field that was not measured says that.

use std::fmt::{self, Write};

use super::report::Defect;
use crate::matrix::{Cell, Matrix, Verdict};
use crate::oracle::candidate::Failing;
use crate::oracle::machine::Machine;
use crate::oracle::performance::{Confirmed, RunRow, Step};
use crate::oracle::verification::Verification;
use crate::solver::profile::{SolverSpec, Version};

/// Instances of more bytes than this are to be attached.
const MOST_INLINE: usize = 8 << 10;

/// What an issue is made of.
#[derive(Clone, Copy, Debug)]
pub struct Issue<'a> {
    /// The defect.
    pub defect: &'a Defect,
    /// Its evidence.
    pub confirmed: &'a Confirmed,
    /// Where that was measured.
    pub machine: &'a Machine,
    /// The target's family (`z3`, `cvc5`, …), which decides the form.
    pub family: &'a str,
    /// The logic that the instance's sorts call for, if it is known.
    pub logic: Option<&'a str>,
    /// What other solvers, and other versions of the target, made of it.
    pub versions: Option<&'a Matrix>,
}

impl Issue<'_> {
    /// The text, in Markdown; its first line is the title.
    pub fn markdown(&self) -> String {
        let mut out = String::new();
        // A string cannot fail to be written to.
        let _ = match self.family {
            "z3" | "z3seq" | "z3str3" => self.as_z3_asks(&mut out),
            "cvc5" => self.as_cvc5_asks(&mut out),
            _ => self.plainly(&mut out),
        };
        out
    }

    fn as_z3_asks(&self, out: &mut String) -> fmt::Result {
        let kind = match self.regression() {
            Some(Regression { last_good: Some(_), .. }) => "Regression (was faster in previous version)",
            _ => "Timeout/infinite loop",
        };
        writeln!(out, "[Performance] {}\n", self.title())?;
        field(out, "Performance Issue Type", kind)?;
        field(out, "Issue Description", &self.description())?;
        field(out, "Input Formula", &self.input())?;
        let mut measured = format!("**Current performance:**\n{}\n", self.measurements());
        let _ = write!(measured, "\n**Expected performance:**\n- {}\n", self.expected());
        let _ = write!(measured, "\n**System specifications:**\n- {}", self.machine);
        field(out, "Performance Measurements", &measured)?;
        field(out, "Z3 Version", self.target_row().map_or("", |row| &row.version))?;
        let (is_one, last_good) = match self.regression() {
            None => ("I don't know", "no older version was asked".to_owned()),
            Some(Regression { last_good: Some(good), .. }) => ("Yes, this is slower than a previous version", good),
            Some(Regression { asked, .. }) => ("No, this has always been slow", format!("none of {asked}")),
        };
        field(out, "Is this a regression?", is_one)?;
        field(out, "Last Working Version (if regression)", &last_good)?;
        field(out, "Primary Theory", self.theory())?;
        field(out, "Solver Configuration", &format!("Command line: `{}`", self.command()))?;
        field(out, "Additional Context", &self.context())
    }

    fn as_cvc5_asks(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "{}\n\n**Describe the bug**\n{}\n", self.title(), self.description())?;
        writeln!(out, "{}\n\n{}\n", self.input(), self.measurements())?;
        writeln!(out, "Expected: {}\n\n{}\n", self.expected(), self.context())?;
        writeln!(out, "**Command line arguments**: `{}`", self.command())?;
        writeln!(out, "**cvc5 version/commit**: {}", self.target_row().map_or("", |row| &row.version))?;
        writeln!(out, "**Operating system**: {}\n", self.machine.system)?;
        writeln!(out, "**`configure.sh` options**\nNot known: a released package, unless you built it yourself.")
    }

    fn plainly(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "{}\n\n{}\n\n{}\n", self.title(), self.description(), self.input())?;
        writeln!(out, "{}\n- Version: {}", self.measurements(), self.target_row().map_or("", |row| &row.version))?;
        writeln!(out, "- System: {}\n\nExpected: {}\n\n{}", self.machine, self.expected(), self.context())
    }

    fn title(&self) -> String {
        let logic = self.logic.map(|logic| format!("{logic} ")).unwrap_or_default();
        format!("{}; a {logic}script of {} bytes", self.defect.title, self.defect.instance.len())
    }

    /// What happens, and how sure it is.
    fn description(&self) -> String {
        let Confirmed { target, reference, answer, failing, profile, settings, .. } = self.confirmed;
        let mut text = format!(
            "{target} {} in {} of {} runs; with {} of {} other random seeds it comes to no answer in {} s either.",
            match failing {
                Failing::Slow =>
                    format!("gives no answer within {} s of CPU time", settings.confirm_limit.as_secs_f64()),
                Failing::GivesUp => "gives up (`unknown`)".to_owned(),
            },
            settings.runs,
            settings.runs,
            profile.slow + profile.gave_up,
            profile.seeds,
            settings.search_limit.as_secs_f64(),
        );
        let why = match &self.confirmed.verification {
            Verification::ModelEvaluated { .. } => {
                ", with a model under which every assertion is true by the definitions of SMT-LIB".to_owned()
            }
            Verification::ModelChecked { by, .. } => format!(", and {by} agrees on its model"),
            Verification::ModelCheckedItself { by } => format!(", and checks its model itself ({by})"),
            Verification::Agreed { by } => format!(", and so does {by}"),
        };
        let _ = write!(text, " {reference} answers `{}`{why}.", answer.name());
        text
    }

    fn input(&self) -> String {
        let instance = self.defect.instance.trim_end();
        if instance.len() > MOST_INLINE {
            return format!("Attached: `reduced.smt2` ({} bytes).", self.defect.instance.len());
        }
        format!("```smt2\n{instance}\n```")
    }

    fn measurements(&self) -> String {
        let runs: Vec<&RunRow> =
            self.confirmed.runs.iter().filter(|row| matches!(row.step, Step::Confirm(_))).collect();
        let seconds: Vec<_> = runs.iter().map(|row| format!("{:.1} s", row.timed.cpu_seconds)).collect();
        let memory = runs.iter().map(|row| row.timed.peak_memory_bytes).max().unwrap_or_default();
        let memory = match memory {
            0 => "not measured".to_owned(),
            bytes => format!("{} MB at most", bytes.div_ceil(1_000_000)),
        };
        let times = seconds.join(", ");
        format!(
            "- Time: {times} of CPU time until it ended or was stopped\n- Memory: {memory}\n- Command: `{}`",
            self.command()
        )
    }

    fn expected(&self) -> String {
        let Confirmed { reference, answer, runs, .. } = self.confirmed;
        let took = runs.iter().filter(|row| matches!(row.step, Step::Reference(_))).map(|row| row.timed.cpu_seconds);
        format!("`{}`, for which {reference} takes {:.3} s at most", answer.name(), took.fold(0.0, f64::max))
    }

    /// How it was found, and which other versions are slow.
    fn context(&self) -> String {
        let mut text = match self.defect.members.first().map(|member| member.found.bytes) {
            Some(bytes) if bytes > self.defect.instance.len() => {
                format!("Found by fuzzing, and reduced from {bytes} bytes.")
            }
            _ => "Found by fuzzing.".to_owned(),
        };
        let others: Vec<_> =
            self.asked().map(|(name, cell)| format!("{name} {} ({:.2} s)", cell.result, cell.seconds)).collect();
        if !others.is_empty() {
            let _ = write!(text, " Other solvers and versions, one run each: {}.", others.join(", "));
        }
        text
    }

    fn theory(&self) -> &'static str {
        match self.logic {
            Some("QF_S" | "QF_SLIA") => "Strings",
            Some("QF_BV" | "QF_UFBV") => "Bit-vectors (QF_BV)",
            Some("QF_ABV" | "QF_AUFBV") => "Arrays",
            _ => "Other/Unknown",
        }
    }

    fn target_row(&self) -> Option<&RunRow> {
        self.confirmed.runs.iter().find(|row| matches!(row.step, Step::Confirm(_)))
    }

    fn command(&self) -> &str {
        self.target_row().map_or("", |row| &row.command)
    }

    /// What older versions of the target say of it; none if no older one was asked.
    fn regression(&self) -> Option<Regression> {
        let parsed = |name: &str| SolverSpec::parse(name).ok().filter(|spec| spec.options.is_empty());
        let target = parsed(&self.confirmed.target)?;
        let mut older: Vec<(Version, &Cell)> = self
            .asked()
            .filter_map(|(name, cell)| Some((parsed(name).filter(|spec| spec.name == target.name)?.version?, cell)))
            .filter(|(version, _)| target.version.as_ref().is_some_and(|ours| version < ours))
            .collect();
        older.sort_by(|(a, _), (b, _)| a.cmp(b));
        let last_good = older.iter().rfind(|(_, cell)| cell.verdict == Verdict::Answers);
        let asked: Vec<_> = older.iter().map(|(version, _)| version.as_str()).collect();
        (!asked.is_empty()).then(|| Regression {
            last_good: last_good.map(|(version, cell)| format!("{} ({:.2} s)", version.as_str(), cell.seconds)),
            asked: asked.join(", "),
        })
    }

    /// Other solvers and versions that were asked.
    fn asked(&self) -> impl Iterator<Item = (&str, &Cell)> {
        self.versions.into_iter().flat_map(|matrix| {
            let cells = matrix.rows.first().map_or(&[][..], |row| &row.cells);
            matrix.solvers.iter().map(String::as_str).zip(cells)
        })
    }
}

/// What older versions say.
struct Regression {
    /// The newest that answers, and how soon.
    last_good: Option<String>,
    /// All that were asked.
    asked: String,
}

/// A field as a tracker's form shows it.
fn field(out: &mut String, name: &str, text: &str) -> fmt::Result {
    writeln!(out, "### {name}\n\n{text}\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::matrix::{Measure, Row};
    use crate::triage::report::tests::untried;

    fn confirmed(target: &str) -> Confirmed {
        let run = |step: serde_json::Value, solver: &str, result: &str, seconds: f64| {
            let version = solver.split('@').nth(1);
            json!({
                "step": step, "solver": solver, "version": version, "command": format!("{} instance.smt2", &solver[..2]),
                "seed": null, "limit_seconds": 5.0,
                "timed": {
                    "answer": { "result": result }, "cpu_seconds": seconds, "wall_seconds": seconds,
                    "peak_memory_bytes": 80_500_000
                },
            })
        };
        serde_json::from_value(json!({
            "target": target, "reference": "bitwuzla@0.10.0", "failing": "slow", "answer": { "result": "unsat" },
            "verification": { "agreed": { "by": "cvc5@1.4.2" } },
            "profile": { "seeds": 10, "slow": 9, "gave_up": 0, "answered": 1, "stability": "stable" },
            "settings": {
                "confirm_limit": { "secs": 5, "nanos": 0 }, "search_limit": { "secs": 3, "nanos": 0 },
                "verify_limit": { "secs": 3, "nanos": 0 }, "runs": 3, "seeds": 10
            },
            "runs": [
                run(json!({ "reference": 0 }), "bitwuzla@0.10.0", "unsat", 0.024),
                run(json!({ "reference": 1 }), "bitwuzla@0.10.0", "unsat", 0.026),
                run(json!({ "confirm": 0 }), target, "timeout", 5.01),
                run(json!({ "confirm": 1 }), target, "timeout", 5.0),
                run(json!({ "confirm": 2 }), target, "timeout", 5.02),
            ],
            "contradictions": [],
        }))
        .expect("evidence")
    }

    fn issue(target: &str, family: &str, versions: Option<&Matrix>) -> String {
        let mut defect = untried(1, "001");
        defect.title = format!("{target} gives no answer in 5 s of CPU time; bitwuzla@0.10.0 says unsat in 0.026 s");
        let machine = Machine { processor: "A".to_owned(), cores: 2, system: "Debian 12".to_owned() };
        let confirmed = confirmed(target);
        Issue { defect: &defect, confirmed: &confirmed, machine: &machine, family, logic: Some("QF_BV"), versions }
            .markdown()
    }

    /// What versions made of it: CPU seconds where they answer.
    fn matrix(versions: &[(&str, Option<f64>)]) -> Matrix {
        let cell = |seconds: Option<f64>| Cell {
            result: if seconds.is_some() { "unsat" } else { "timeout" },
            detail: String::new(),
            seconds: seconds.unwrap_or(5.0),
            verdict: if seconds.is_some() { Verdict::Answers } else { Verdict::Slow },
        };
        let row = Row {
            instance: "reduced".to_owned(),
            cells: versions.iter().map(|(_, seconds)| cell(*seconds)).collect(),
            first_bad: None,
            first_good: None,
            regressed: false,
            regressed_on: None,
            contradiction: None,
        };
        Matrix {
            measure: Measure::Time,
            solvers: versions.iter().map(|(name, _)| (*name).to_owned()).collect(),
            limit_seconds: 5.0,
            rows: vec![row],
            left_out: Vec::new(),
            unfinished: 0,
            internal_errors: 0,
        }
    }

    #[test]
    fn z3_is_told_by_its_form() {
        let versions =
            matrix(&[("z3@4.12.2", None), ("z3@4.8.5", Some(0.2)), ("cvc5@1.4.2", Some(0.01)), ("z3@6.0", Some(0.1))]);
        insta::assert_snapshot!(issue("z3@5.4.1", "z3", Some(&versions)), @r#"
        [Performance] z3@5.4.1 gives no answer in 5 s of CPU time; bitwuzla@0.10.0 says unsat in 0.026 s; a QF_BV script of 14 bytes

        ### Performance Issue Type

        Regression (was faster in previous version)

        ### Issue Description

        z3@5.4.1 gives no answer within 5 s of CPU time in 3 of 3 runs; with 9 of 10 other random seeds it comes to no answer in 3 s either. bitwuzla@0.10.0 answers `unsat`, and so does cvc5@1.4.2.

        ### Input Formula

        ```smt2
        (assert true)
        ```

        ### Performance Measurements

        **Current performance:**
        - Time: 5.0 s, 5.0 s, 5.0 s of CPU time until it ended or was stopped
        - Memory: 81 MB at most
        - Command: `z3 instance.smt2`

        **Expected performance:**
        - `unsat`, for which bitwuzla@0.10.0 takes 0.026 s at most

        **System specifications:**
        - A, 2 cores, Debian 12

        ### Z3 Version

        5.4.1

        ### Is this a regression?

        Yes, this is slower than a previous version

        ### Last Working Version (if regression)

        4.8.5 (0.20 s)

        ### Primary Theory

        Bit-vectors (QF_BV)

        ### Solver Configuration

        Command line: `z3 instance.smt2`

        ### Additional Context

        Found by fuzzing, and reduced from 443 bytes. Other solvers and versions, one run each: z3@4.12.2 timeout (5.00 s), z3@4.8.5 unsat (0.20 s), cvc5@1.4.2 unsat (0.01 s), z3@6.0 unsat (0.10 s).
        "#);
    }

    #[test]
    fn what_was_not_measured_is_not_claimed() {
        let silent = issue("z3@5.4.1", "z3", None);
        assert!(silent.contains("### Is this a regression?\n\nI don't know\n"), "{silent}");
        assert!(silent.contains("no older version was asked"), "{silent}");
        // Of other solvers, of newer versions and of the same with options nothing follows.
        let others =
            matrix(&[("cvc5@1.0.3", Some(0.1)), ("z3@6.0", Some(0.1)), ("z3@4.8.5 smt.arith.solver=2", Some(0.1))]);
        assert!(issue("z3@5.4.1", "z3", Some(&others)).contains("regression?\n\nI don't know\n"));
        let always = issue("z3@5.4.1", "z3", Some(&matrix(&[("z3@4.12.2", None), ("z3@4.8.5", None)])));
        assert!(always.contains("No, this has always been slow"), "{always}");
        assert!(always.contains("none of 4.8.5, 4.12.2"), "{always}");
    }

    #[test]
    fn cvc5_is_told_what_its_template_asks_for() {
        insta::assert_snapshot!(issue("cvc5@1.4.2", "cvc5", None), @r#"
        cvc5@1.4.2 gives no answer in 5 s of CPU time; bitwuzla@0.10.0 says unsat in 0.026 s; a QF_BV script of 14 bytes

        **Describe the bug**
        cvc5@1.4.2 gives no answer within 5 s of CPU time in 3 of 3 runs; with 9 of 10 other random seeds it comes to no answer in 3 s either. bitwuzla@0.10.0 answers `unsat`, and so does cvc5@1.4.2.

        ```smt2
        (assert true)
        ```

        - Time: 5.0 s, 5.0 s, 5.0 s of CPU time until it ended or was stopped
        - Memory: 81 MB at most
        - Command: `cv instance.smt2`

        Expected: `unsat`, for which bitwuzla@0.10.0 takes 0.026 s at most

        Found by fuzzing, and reduced from 443 bytes.

        **Command line arguments**: `cv instance.smt2`
        **cvc5 version/commit**: 1.4.2
        **Operating system**: Debian 12

        **`configure.sh` options**
        Not known: a released package, unless you built it yourself.
        "#);
    }

    #[test]
    fn trackers_without_a_template_are_told_the_same() {
        insta::assert_snapshot!(issue("boolector@3.2.4", "boolector", None), @r#"
        boolector@3.2.4 gives no answer in 5 s of CPU time; bitwuzla@0.10.0 says unsat in 0.026 s; a QF_BV script of 14 bytes

        boolector@3.2.4 gives no answer within 5 s of CPU time in 3 of 3 runs; with 9 of 10 other random seeds it comes to no answer in 3 s either. bitwuzla@0.10.0 answers `unsat`, and so does cvc5@1.4.2.

        ```smt2
        (assert true)
        ```

        - Time: 5.0 s, 5.0 s, 5.0 s of CPU time until it ended or was stopped
        - Memory: 81 MB at most
        - Command: `bo instance.smt2`
        - Version: 3.2.4
        - System: A, 2 cores, Debian 12

        Expected: `unsat`, for which bitwuzla@0.10.0 takes 0.026 s at most

        Found by fuzzing, and reduced from 443 bytes.
        "#);
    }
}
