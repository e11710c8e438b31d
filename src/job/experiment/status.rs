//! Where each arm of an experiment stands.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;

use crate::config::format_duration;
use crate::console::say;
use crate::experiment::slurm::{InQueue, Queue, Stage};
use crate::experiment::{ExperimentFolder, Overview, Phase, Plan, Standing};

/// The experiment, for scripts.
#[derive(Debug, Serialize)]
struct Report<'a> {
    title: &'a str,
    scale: &'a str,
    folder: &'a Path,
    /// The part that is done, 0 to 1.
    fraction: f64,
    /// Estimated; none while no process works, or nothing is done by which to tell.
    seconds_left: Option<u64>,
    runs: Vec<Row>,
}

/// One run, for scripts.
#[derive(Debug, Serialize)]
struct Row {
    index: usize,
    arm: String,
    /// What a hunt hunts for.
    #[serde(skip_serializing_if = "Option::is_none")]
    defect: Option<String>,
    repeat: u32,
    phase: &'static str,
    running: bool,
    generations: u32,
    evaluations: u64,
    charged_seconds: f64,
    measured: usize,
    result_set: usize,
    fraction: f64,
    /// The last job of Slurm that was submitted for it.
    job: Option<String>,
    /// `pending`, `requeued`, `running` or `failed`; none if it was never submitted, is finished, or Slurm is not asked.
    queue: Option<&'static str>,
    /// Slurm's state and reason.
    queue_state: Option<String>,
    restarts: Option<u32>,
    log: Option<PathBuf>,
}

/// Where an experiment stands, in a table for people, or as JSON with every run.
///
/// # Errors
/// A run directory that cannot be read.
pub fn status(folder: &ExperimentFolder, json: bool) -> anyhow::Result<String> {
    let queue = queue(folder);
    let (overview, plan) = (Overview::read(folder)?, folder.plan());
    if !json {
        let text = text(&overview, plan, queue.as_ref());
        return Ok(format!("{} ({}, {})\n{text}", plan.title, plan.scale, folder.root().display()));
    }
    let report = Report {
        title: &plan.title,
        scale: &plan.scale,
        folder: folder.root(),
        fraction: overview.fraction,
        seconds_left: overview.left().map(|left| left.as_secs()),
        runs: rows(&overview, queue.as_ref()),
    };
    Ok(serde_json::to_string_pretty(&report)? + "\n")
}

/// `about 1h47m left`, if that can be told.
pub(crate) fn time_left(overview: &Overview<'_>) -> Option<String> {
    let seconds = overview.left()?.as_secs();
    // It is an estimate: seconds would say more than is known.
    let seconds = if seconds > 60 { seconds.next_multiple_of(60) } else { seconds };
    Some(format!("about {} left", format_duration(Duration::from_secs(seconds))))
}

/// What Slurm says, if jobs were submitted and it can be asked.
fn queue(folder: &ExperimentFolder) -> Option<Queue> {
    Queue::read(folder).unwrap_or_else(|error| {
        say!("the state of the jobs is not known ({error}); what follows is what the run directories say");
        None
    })
}

/// How a run stands in the queue: `pending`, `requeued`, `running`, `failed`.
fn place(standing: &Standing<'_>, entry: &InQueue) -> Option<&'static str> {
    match entry.stage {
        _ if standing.state.phase == Phase::Finished => None,
        Stage::Over => Some("failed"),
        stage => Some(stage.name()),
    }
}

fn rows(overview: &Overview<'_>, queue: Option<&Queue>) -> Vec<Row> {
    let row = |standing: &Standing<'_>| {
        let Standing { task, state, fraction, .. } = standing;
        let entry = queue.and_then(|queue| queue.of_run(&task.to_string()));
        Row {
            index: task.index,
            arm: task.arm.name.clone(),
            defect: task.defect.map(|defect| defect.name.clone()),
            repeat: task.repeat,
            phase: state.phase.name(),
            running: state.running,
            generations: state.generations,
            evaluations: state.evaluations,
            charged_seconds: state.charged_seconds,
            measured: state.measured.0,
            result_set: state.measured.1,
            fraction: *fraction,
            job: entry.map(|entry| entry.job.clone()),
            queue: entry.and_then(|entry| place(standing, entry)),
            queue_state: entry.map(|entry| entry.words.clone()),
            restarts: entry.map(|entry| entry.restarts),
            log: entry.map(|entry| entry.log.clone()),
        }
    };
    overview.tasks.iter().map(row).collect()
}

/// What is said of an arm, whatever runs it. A run that is triaged counts among those that are measured.
const HEAD: [&str; 8] =
    ["finished", "measuring", "searching", "waiting", "running", "evaluations", "solver time", "done"];
/// What is said besides of an arm whose runs are in a queue.
const QUEUE_HEAD: [(&str, &str); 4] =
    [("queued", "pending"), ("requeued", "requeued"), ("on nodes", "running"), ("failed", "failed")];

/// One line an arm, and the sum; then the time left, and the runs that failed.
fn text(overview: &Overview<'_>, plan: &Plan, queue: Option<&Queue>) -> String {
    let width = plan.arms.iter().map(|arm| arm.name.len()).max().unwrap_or(0).max("all".len());
    let queue_head = QUEUE_HEAD.iter().map(|(head, _)| *head).filter(|_| queue.is_some());
    let head: Vec<&str> = HEAD.into_iter().chain(queue_head).collect();
    let mut lines = vec![format!("{:<width$}  {}\n", "arm", head.join("  "))];
    let entry = |standing: &Standing<'_>| queue?.of_run(&standing.task.to_string());
    let with_runs = plan.arms.iter().filter(|arm| arm.union.is_empty()).map(|arm| arm.name.as_str());
    let arms = with_runs.map(|name| (name, Some(name))).chain([("all", None)]);
    for (name, only) in arms {
        let own: Vec<&Standing<'_>> =
            overview.tasks.iter().filter(|standing| only.is_none_or(|only| standing.task.arm.name == only)).collect();
        let mut cells = cells(&own).to_vec();
        if queue.is_some() {
            let places: Vec<_> = own.iter().filter_map(|standing| place(standing, entry(standing)?)).collect();
            let count = |wanted: &str| places.iter().filter(|place| **place == wanted).count().to_string();
            cells.extend(QUEUE_HEAD.iter().map(|(_, wanted)| count(wanted)));
        }
        let cells: Vec<String> =
            cells.iter().zip(&head).map(|(cell, head)| format!("{cell:>width$}", width = head.len())).collect();
        lines.push(format!("{name:<width$}  {}\n", cells.join("  ")));
    }
    lines.extend(time_left(overview).map(|left| left + "\n"));
    for standing in &overview.tasks {
        if let Some(entry) = entry(standing)
            && place(standing, entry) == Some("failed")
        {
            let said = entry.last_words().unwrap_or_else(|| "no log".into());
            let (task, job, log) = (standing.task, &entry.job, entry.log.display());
            lines.push(format!("{task} failed as job {job}: {}; {said}\n    {log}\n", entry.words));
        }
    }
    lines.concat()
}

/// The columns of [`HEAD`] for some runs.
fn cells(runs: &[&Standing<'_>]) -> [String; HEAD.len()] {
    let phase = |phase: Phase| runs.iter().filter(|standing| standing.state.phase == phase).count().to_string();
    let measuring = [Phase::Measuring, Phase::Triaging];
    let seconds: f64 = runs.iter().map(|standing| standing.state.charged_seconds).sum();
    let done: f64 = runs.iter().map(|standing| standing.fraction).sum();
    [
        phase(Phase::Finished),
        runs.iter().filter(|standing| measuring.contains(&standing.state.phase)).count().to_string(),
        phase(Phase::Searching),
        phase(Phase::Waiting),
        runs.iter().filter(|standing| standing.state.running).count().to_string(),
        runs.iter().map(|standing| standing.state.evaluations).sum::<u64>().to_string(),
        format_duration(Duration::from_secs(seconds as u64)),
        format!("{:.0} %", 100.0 * done / runs.len().max(1) as f64),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::TaskState;

    #[test]
    fn the_time_left_stands_below_the_arms() {
        let plan = "title = ''\nreproduces = ''\nbaseline = 'a'\ncompute = []\nscale = 's'\nseed = 1\nrepeats = 2\n\
                    measure-limit = '1s'\nsettings = {}\narm = [{ name = 'a' }]";
        let plan: Plan = toml::from_str(plan).unwrap();
        let nothing = TaskState::of(Path::new("/nonexistent"), Duration::ZERO, false).unwrap();
        let state = TaskState { phase: Phase::Searching, running: true, solver_seconds: 1800.0, ..nothing };
        let standing = |task| Standing { task, state, fraction: 0.25, planned_seconds: 7150.0 };
        let mut overview = Overview { tasks: plan.tasks().map(standing).collect(), fraction: 0.25 };
        insta::assert_snapshot!(text(&overview, &plan, None), @r"
        arm  finished  measuring  searching  waiting  running  evaluations  solver time  done
        a           0          0          2        0        2            0           0s  25 %
        all         0          0          2        0        2            0           0s  25 %
        about 1h30m left
        ");
        overview.tasks.iter_mut().for_each(|standing| standing.state.running = false);
        assert!(!text(&overview, &plan, None).contains("left"), "nobody works");
    }
}
