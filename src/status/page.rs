//! Where runs and hunts stand, on one page.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::ensure;
use serde::Serialize;

use super::{Fuzzing, Hunting, Kind, Newest, Phase, Standing, find};
use crate::config::format_duration;
use crate::number::{counted, grouped};
use crate::shell::quote;

/// Columns that a line may have: a terminal's 80.
const WIDTH: usize = 80;

/// All of them, for scripts.
#[derive(Debug, Serialize)]
struct Report<'a> {
    runs: &'a [Standing],
    running: usize,
    confirmed: u64,
    findings: u64,
}

/// All runs and hunts in these folders, as a page for people, or as JSON.
///
/// # Errors
/// When a folder holds no run and no hunt, or what it holds is damaged.
pub fn page_of(folders: &[PathBuf], json: bool) -> anyhow::Result<String> {
    let mut standings = Vec::new();
    for folder in folders {
        let found = find(folder)?;
        ensure!(!found.is_empty(), "{}: no run and no hunt is in it", folder.display());
        for folder in found {
            standings.extend(Standing::read(&folder)?);
        }
    }
    if !json {
        return Ok(page(&standings));
    }
    let running = standings.iter().filter(|standing| standing.phase == Phase::Running).count();
    let (confirmed, findings) = found_in(&standings);
    Ok(serde_json::to_string_pretty(&Report { runs: &standings, running, confirmed, findings })? + "\n")
}

/// Confirmed performance defects, and findings of hunts, over all.
fn found_in(standings: &[Standing]) -> (u64, u64) {
    let counts = standings.iter().map(|standing| match &standing.kind {
        Kind::Fuzz(run) => (run.confirmed, run.wrong_answers.unwrap_or(0)),
        Kind::Hunt(hunt) => (0, hunt.findings),
    });
    counts.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
}

fn page(standings: &[Standing]) -> String {
    let mut text = String::new();
    for standing in standings {
        text += &block(standing);
        text.push('\n');
    }
    let phases = [Phase::Running, Phase::Finished, Phase::Stopped].map(|phase| {
        let count = standings.iter().filter(|standing| standing.phase == phase).count();
        (count > 0).then(|| format!("{count} {}", phase.name()))
    });
    let phases: Vec<String> = phases.into_iter().flatten().collect();
    let (confirmed, findings) = found_in(standings);
    let defects = counted(confirmed as usize, "defect");
    let findings = counted(findings as usize, "finding");
    text + &phases.join(", ") + &format!(": {defects} confirmed, {findings} of hunts\n")
}

/// What is said of one run or hunt.
fn block(standing: &Standing) -> String {
    let Standing { folder, phase, elapsed_seconds, budget_seconds, .. } = standing;
    let seconds = |seconds: f64| format_duration(Duration::from_secs(seconds as u64));
    let of = budget_seconds.map_or_else(String::new, |budget| format!(" of {}", seconds(budget)));
    let mut lines = vec![format!("{}  {}, {}{of}", folder.display(), phase.name(), seconds(*elapsed_seconds))];
    match &standing.kind {
        Kind::Fuzz(run) => fuzzing(run, *elapsed_seconds, &mut lines),
        Kind::Hunt(hunt) => hunting(hunt, *elapsed_seconds, &mut lines),
    }
    if let Some(Newest { assertion, file, seconds_ago }) = &standing.newest {
        lines.push(shortened(format!("  newest, {} ago: {assertion}", seconds(*seconds_ago as f64))));
        lines.push(format!("  {}", file.display()));
    }
    let folder = quote(&folder.display().to_string());
    let verb = if matches!(standing.kind, Kind::Fuzz(_)) { "fuzz" } else { "hunt" };
    if *phase == Phase::Stopped {
        lines.push(format!("  go on: mulstringfuzz {verb} --resume {folder}"));
    }
    lines.join("\n") + "\n"
}

fn fuzzing(run: &Fuzzing, elapsed: f64, lines: &mut Vec<String>) {
    lines.push(format!("  {} against {}, {}, seed {}", run.target, run.reference, run.variant, run.seed));
    let mut done = vec![
        format!("generation {}", run.generations),
        format!("{}{}", number(run.evaluations, "evaluation"), rate(run.evaluations, elapsed)),
        format!("front of {}", run.front),
        format!("best t-score {:.2}", run.best_t_score),
    ];
    if let Some(covered) = run.lines {
        let new = run.new_lines.map_or_else(String::new, |new| format!(" ({new} in the last 10 generations)"));
        done.push(format!("{}{new}", number(covered, "line")));
    }
    lines.extend(wrapped(&done));
    let mut found = vec![
        format!("{} confirmed", number(run.confirmed, "defect")),
        number(run.candidates, "more candidate"),
        format!("{} refuted", run.refuted),
        format!("{} learned", number(run.patterns, "pattern")),
    ];
    found.extend(run.wrong_answers.map(|count| format!("{} of its hunt", number(count, "finding"))));
    lines.extend(wrapped(&found));
}

fn hunting(hunt: &Hunting, elapsed: f64, lines: &mut Vec<String>) {
    lines.extend(wrapped(&hunt.solvers));
    lines.push(format!(
        "  {}{}, {} ({} probably the same as one of these)",
        number(hunt.instances, "instance"),
        rate(hunt.instances, elapsed),
        number(hunt.findings, "finding"),
        hunt.alike,
    ));
}

/// So many a minute, behind the number.
fn rate(count: u64, elapsed: f64) -> String {
    if elapsed < 1.0 { String::new() } else { format!(" ({:.0}/min)", count as f64 * 60.0 / elapsed) }
}

/// `1 line`, `15,332 lines`.
fn number(count: u64, thing: &str) -> String {
    let counted = counted(count as usize, thing);
    counted.replacen(&count.to_string(), &grouped(&count.to_string(), ','), 1)
}

/// The parts in lines of the terminal's width, with commas between them.
fn wrapped(parts: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if line.chars().count() + part.chars().count() + 3 <= WIDTH => {
                line.push_str(", ");
                line.push_str(part);
            }
            Some(line) => {
                line.push(',');
                lines.push(format!("  {part}"));
            }
            None => lines.push(format!("  {part}")),
        }
    }
    lines
}

/// A line that fits, with `…` where something was cut.
fn shortened(line: String) -> String {
    if line.chars().count() <= WIDTH {
        return line;
    }
    line.chars().take(WIDTH - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fuzz() -> Standing {
        Standing {
            folder: "runs/first".into(),
            phase: Phase::Running,
            elapsed_seconds: 754.2,
            budget_seconds: Some(3600.0),
            kind: Kind::Fuzz(Fuzzing {
                target: "z3str3".into(),
                reference: "cvc4".into(),
                variant: "diverse".into(),
                seed: 1,
                generations: 41,
                evaluations: 1640,
                lines: Some(15_332),
                new_lines: Some(12),
                best_t_score: 1.98,
                front: 7,
                solver_seconds: 700.0,
                confirmed: 1,
                candidates: 61,
                refuted: 0,
                patterns: 4,
                wrong_answers: None,
            }),
            newest: Some(Newest {
                assertion: "(assert (str.in.re \"wwwwSSSS---\" (re.+ (str.to.re (str.++ a a a a a a a a)))))".into(),
                file: "runs/first/defects/012/reduced.smt2".into(),
                seconds_ago: 61,
            }),
        }
    }

    #[test]
    fn a_page_says_of_each_what_a_user_wants_to_know() {
        let hunt = Standing {
            folder: "runs/my hunt".into(),
            phase: Phase::Stopped,
            elapsed_seconds: 60.0,
            budget_seconds: None,
            kind: Kind::Hunt(Hunting {
                solvers: vec!["z3@5.4.1".into(), "cvc5@1.4.2".into()],
                instances: 1,
                solver_seconds: 3.0,
                findings: 1,
                alike: 2,
            }),
            newest: None,
        };
        insta::assert_snapshot!(page(&[fuzz(), hunt]), @r#"
        runs/first  running, 12m34s of 1h
          z3str3 against cvc4, diverse, seed 1
          generation 41, 1,640 evaluations (130/min), front of 7, best t-score 1.98,
          15,332 lines (12 in the last 10 generations)
          1 defect confirmed, 61 more candidates, 0 refuted, 4 patterns learned
          newest, 1m1s ago: (assert (str.in.re "wwwwSSSS---" (re.+ (str.to.re (str.++ a…
          runs/first/defects/012/reduced.smt2

        runs/my hunt  stopped, 1m
          z3@5.4.1, cvc5@1.4.2
          1 instance (1/min), 1 finding (2 probably the same as one of these)
          go on: mulstringfuzz hunt --resume 'runs/my hunt'

        1 running, 1 stopped: 1 defect confirmed, 1 finding of hunts
        "#);
    }

    #[test]
    fn lines_fit_a_terminal() {
        let mut wide = fuzz();
        let Kind::Fuzz(run) = &mut wide.kind else { unreachable!("it is a run") };
        (run.evaluations, run.candidates, run.lines) = (u64::MAX / 2, 12_345_678, Some(1_234_567_890));
        let page = block(&wide);
        assert!(page.lines().all(|line| line.chars().count() <= WIDTH), "{page}");
    }
}
