//! What `fuzz` prints at its end: what came out, where it is, and what to do next.

use std::fs;
use std::io::Write;
use std::path::Path;

use super::Fuzzed;
use crate::number::counted;
use crate::record::format::{Aftermath, Summary};
use crate::record::names;
use crate::report::study::{Distinct, Triaged};
use crate::shell::quote;
use crate::smtlib::printer::first_assertion;

/// Seconds of a run before which a rate would say nothing.
const LEAST_RATED: f64 = 1.0;

/// Distinct defects that are listed one by one.
const MOST_LISTED: usize = 20;

impl Fuzzed {
    /// Prints the summary, as JSON or for people.
    ///
    /// # Errors
    /// When `output` cannot be written.
    pub(crate) fn print(&self, json: bool, output: &mut dyn Write) -> anyhow::Result<()> {
        if json {
            serde_json::to_writer_pretty(&mut *output, &self.summary)?;
            writeln!(output)?;
        } else {
            output.write_all(self.text().as_bytes())?;
        }
        Ok(())
    }

    fn text(&self) -> String {
        let mut lines = vec![self.search(), self.defects()];
        lines.extend(self.learned());
        lines.extend(self.distinct());
        lines.extend(self.each_distinct());
        lines.extend(self.wrong_answers());
        lines.push(self.result_set());
        lines.extend(self.trouble());
        lines.extend(self.next());
        lines.join("\n") + "\n"
    }

    fn search(&self) -> String {
        let Summary { evaluations, generations, evaluations_per_minute, stop_reason, wall_seconds, .. } = &self.summary;
        let scripts = counted(*evaluations as usize, "evaluation");
        let generations = counted(*generations as usize, "generation");
        if let Some(source) = &self.replayed {
            let read = |root: &Path| fs::read(root.join(names::EVALUATIONS)).ok();
            let same = if read(source) == read(&self.root) { "are" } else { "are NOT" };
            return format!("{scripts} in {generations} replayed; they {same} those of {}", source.display());
        }
        let is_rated = *wall_seconds >= LEAST_RATED;
        let rate = if is_rated { format!(", {evaluations_per_minute:.1} per minute") } else { String::new() };
        format!("{scripts} in {generations} after generation 0{rate}; stopped after {wall_seconds:.0} s: {stop_reason}")
    }

    fn defects(&self) -> String {
        let Summary { defects, candidates, refuted, .. } = &self.summary;
        let found = match (*defects as usize, *candidates as usize) {
            (0, 0) => "no candidates".to_owned(),
            (0, candidates) => format!("{}, none confirmed", counted(candidates, "candidate")),
            (defects, 0) => format!("{} confirmed", counted(defects, "defect")),
            (defects, candidates) => {
                let (defects, candidates) = (counted(defects, "defect"), counted(candidates, "more candidate"));
                format!("{defects} confirmed, {candidates} not confirmed")
            }
        };
        format!("{found}, {refuted} refuted")
    }

    fn learned(&self) -> Option<String> {
        let count = Some(self.summary.learned_patterns).filter(|count| *count > 0)?;
        let patterns = counted(count as usize, "pattern");
        Some(format!("learned: {patterns} of what is slow, see {}", self.root.join(names::KNOWN).display()))
    }

    fn distinct(&self) -> Option<String> {
        let Aftermath { distinct_defects, untriaged_defects, triage, .. } = &self.summary.aftermath;
        let distinct = counted((*distinct_defects)? as usize, "distinct defect");
        let untried = match untriaged_defects {
            None | Some(0) => String::new(),
            Some(count) => format!(", {count} of the confirmed not tried: which of them they are is not known"),
        };
        Some(format!("triage: {distinct} confirmed{untried}, see {}", self.root.join(triage.as_ref()?).display()))
    }

    /// A line for each confirmed distinct defect: its number, its first assertion, and the file of its reduced instance.
    fn each_distinct(&self) -> Vec<String> {
        let folder = self.root.join(names::TRIAGE);
        // A list that cannot be read has been told of before.
        let Some(triaged) = Triaged::list(&folder).ok().flatten() else { return Vec::new() };
        let confirmed: Vec<&Distinct> = triaged.defects.iter().filter(|defect| defect.is_confirmed()).collect();
        let mut lines: Vec<String> = confirmed
            .iter()
            .take(MOST_LISTED)
            .map(|defect| {
                let assertion = first_assertion(&defect.instance);
                let home = |name: &str| self.root.join(names::DEFECTS).join(name).join("reduced.smt2");
                let own = defect.members.iter().map(|member| home(&member.name)).find(|file| file.is_file());
                let cluster = || folder.join(format!("clusters/{:03}/reduced.smt2", defect.number));
                let file = own.unwrap_or_else(cluster);
                format!("  {:03} {assertion} {}", defect.number, file.display())
            })
            .collect();
        let more = confirmed.len().saturating_sub(MOST_LISTED);
        lines.extend((more > 0).then(|| format!("  {more} more in the list")));
        lines
    }

    fn wrong_answers(&self) -> Option<String> {
        let Aftermath { wrong_answers, other_findings, alike_findings, unjudged_suspects, hunt, .. } =
            &self.summary.aftermath;
        let found = match (*wrong_answers)? {
            1 => "1 wrong answer, model or crash".to_owned(),
            count => format!("{count} wrong answers, models or crashes"),
        };
        let some = |count: &Option<u64>| count.filter(|count| *count > 0).map(|count| count as usize);
        let others = some(other_findings).map(|count| format!(", {}", counted(count, "other finding")));
        let alike = some(alike_findings).map(|count| format!(", {count} more probably the same as one of these"));
        let unjudged = some(unjudged_suspects).map(|count| format!(", {} not judged", counted(count, "suspect")));
        let rest = [others, alike, unjudged].into_iter().flatten().collect::<String>();
        Some(format!("hunt: {found}{rest}, see {}", self.root.join(hunt.as_ref()?).display()))
    }

    fn result_set(&self) -> String {
        let Summary { population, mean_t_score, timeouts, mean_complexity, total_lines, .. } = &self.summary;
        let lines = total_lines.map_or_else(String::new, |lines| format!(", {lines} lines covered in all"));
        let timeouts = counted(*timeouts as usize, "timeout");
        format!(
            "result set of {population}: mean t-score {mean_t_score:.3}, {timeouts}, mean complexity {mean_complexity:.1}{lines}"
        )
    }

    /// What the user should look at: scripts that a solver refuses, and faults of ours.
    fn trouble(&self) -> Vec<String> {
        let Summary { invalid, killed, crashed, evaluations, internal_errors, solver_share, .. } = &self.summary;
        let mut lines = Vec::new();
        let refused = invalid.saturating_sub(killed + internal_errors);
        if refused > 0 {
            lines.push(format!("the target refuses {refused} of {evaluations} scripts"));
        }
        if *crashed > 0 {
            lines.push(format!("the target crashes on {crashed} of {evaluations} scripts"));
        }
        if *killed > 0 {
            lines.push(format!(
                "warning: somebody killed the target on {killed} of {evaluations} scripts, which say nothing then"
            ));
        }
        if *internal_errors > 0 {
            let folder = self.root.join(names::INTERNAL_ERRORS);
            let errors = counted(*internal_errors as usize, "internal error");
            lines.push(format!("{errors} of mulstringfuzz itself, please report: {}", folder.display()));
        }
        if self.replayed.is_none() {
            lines.push(format!("solvers took {:.1} % of the CPU time", 100.0 * solver_share));
        }
        lines
    }

    fn next(&self) -> Vec<String> {
        let root = quote(&self.root.display().to_string());
        let mut lines = vec![format!("results: {}; look: mulstringfuzz report {root}", self.root.display())];
        if self.is_interrupted {
            lines.push(format!("interrupted; go on: mulstringfuzz fuzz --resume {root}"));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary() -> Summary {
        serde_json::from_value(serde_json::json!({
            "variant": "default", "seed": 1, "target": "t", "reference": "r", "evaluations": 63,
            "evaluations_per_minute": 62.6, "generations": 1, "stop_reason": "budget", "population": 40,
            "front_size": 1, "total_lines": null, "mean_lines": null, "mean_t_score": 1.5, "timeouts": 1, "defects": 1,
            "candidates": 7, "refuted": 0, "mean_complexity": 12.0, "hypervolume": null, "invalid": 6, "killed": 3,
            "wall_seconds": 60.2, "solver_core_seconds": 1.0, "total_core_seconds": 1.0, "solver_share": 0.961,
        }))
        .expect("a summary")
    }

    fn fuzzed(summary: &Summary, root: &Path, is_interrupted: bool) -> Fuzzed {
        let (summary, root) = (summary.clone(), root.to_owned());
        Fuzzed { summary, root, replayed: None, is_interrupted, own_wrong_answers: 0 }
    }

    fn text(summary: &Summary, is_interrupted: bool) -> String {
        fuzzed(summary, Path::new("runs/first"), is_interrupted).text()
    }

    #[test]
    fn a_run_says_what_came_out_where_it_is_and_what_to_do_next() {
        let aftermath = Aftermath {
            distinct_defects: Some(1),
            untriaged_defects: Some(3),
            triage: Some("triage/triage.md".into()),
            wrong_answers: Some(2),
            other_findings: Some(1),
            alike_findings: Some(5),
            unjudged_suspects: Some(4),
            hunt: Some("hunt".into()),
        };
        insta::assert_snapshot!(text(&Summary { aftermath, internal_errors: 1, ..summary() }, false), @r"
        63 evaluations in 1 generation after generation 0, 62.6 per minute; stopped after 60 s: budget
        1 defect confirmed, 7 more candidates not confirmed, 0 refuted
        triage: 1 distinct defect confirmed, 3 of the confirmed not tried: which of them they are is not known, see runs/first/triage/triage.md
        hunt: 2 wrong answers, models or crashes, 1 other finding, 5 more probably the same as one of these, 4 suspects not judged, see runs/first/hunt
        result set of 40: mean t-score 1.500, 1 timeout, mean complexity 12.0
        the target refuses 2 of 63 scripts
        warning: somebody killed the target on 3 of 63 scripts, which say nothing then
        1 internal error of mulstringfuzz itself, please report: runs/first/internal-errors
        solvers took 96.1 % of the CPU time
        results: runs/first; look: mulstringfuzz report runs/first
        ");
    }

    #[test]
    fn what_was_found_is_said_by_what_it_is_and_a_rate_only_where_it_says_something() {
        let of = |defects, candidates| text(&Summary { defects, candidates, ..summary() }, false);
        assert!(of(0, 5).contains("\n5 candidates, none confirmed, 0 refuted\n"), "{}", of(0, 5));
        assert!(of(0, 0).contains("\nno candidates, 0 refuted\n"), "{}", of(0, 0));
        assert!(of(2, 0).contains("\n2 defects confirmed, 0 refuted\n"), "{}", of(2, 0));
        let short = text(&Summary { wall_seconds: 0.4, ..summary() }, false);
        assert!(short.starts_with("63 evaluations in 1 generation after generation 0; stopped after 0 s"), "{short}");
    }

    #[test]
    fn a_run_that_was_interrupted_says_how_it_goes_on() {
        insta::assert_snapshot!(text(&summary(), true), @r"
        63 evaluations in 1 generation after generation 0, 62.6 per minute; stopped after 60 s: budget
        1 defect confirmed, 7 more candidates not confirmed, 0 refuted
        result set of 40: mean t-score 1.500, 1 timeout, mean complexity 12.0
        the target refuses 3 of 63 scripts
        warning: somebody killed the target on 3 of 63 scripts, which say nothing then
        solvers took 96.1 % of the CPU time
        results: runs/first; look: mulstringfuzz report runs/first
        interrupted; go on: mulstringfuzz fuzz --resume runs/first
        ");
    }

    #[test]
    fn each_distinct_defect_is_named_with_its_first_assertion_and_its_file() {
        let root = tempfile::tempdir().expect("a folder");
        let defect = |number: usize, is_confirmed: bool| {
            serde_json::json!({
                "number": number, "severity": { "class": 0, "ratio": 0.0, "complexity": 1 }, "members": [],
                "instance": "(declare-fun a () String)\n(assert (= a \"b\"))\n(check-sat)\n",
                "confirmed_by_run": is_confirmed,
            })
        };
        let list =
            serde_json::json!({ "defects": [defect(1, true), defect(2, false)], "dropped": [], "stopped": null });
        let folder = root.path().join(names::TRIAGE);
        fs::create_dir(&folder).expect("a folder");
        fs::write(folder.join("triage.json"), list.to_string()).expect("a file");
        let ended = fuzzed(&summary(), root.path(), false);
        let file = folder.join("clusters/001/reduced.smt2");
        assert_eq!(ended.each_distinct(), [format!("  001 (assert (= a \"b\")) {}", file.display())]);
    }
}
