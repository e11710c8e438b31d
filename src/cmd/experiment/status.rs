//! `experiment status`: where each arm of an experiment stands.

use std::io::Write;
use std::time::Duration;

use anyhow::Context;
use serde::Serialize;

use super::Which;
use crate::config::format_duration;
use crate::experiment::{Overview, Phase, Plan, Standing};

/// Say where an experiment stands.
#[derive(Clone, Debug, clap::Args)]
pub struct StatusArgs {
    #[command(flatten)]
    which: Which,
    /// Print every run as JSON
    #[arg(long)]
    json: bool,
}

/// One run, for scripts.
#[derive(Debug, Serialize)]
struct Row {
    index: usize,
    arm: String,
    repeat: u32,
    phase: &'static str,
    running: bool,
    generations: u32,
    evaluations: u64,
    charged_seconds: f64,
    measured: usize,
    result_set: usize,
    fraction: f64,
}

/// Prints the status to `output`.
pub(super) fn run(args: &StatusArgs, output: &mut dyn Write) -> anyhow::Result<()> {
    let folder = args.which.folder()?;
    let overview = Overview::read(&folder)?;
    let printed = if args.json {
        serde_json::to_string_pretty(&rows(&overview))? + "\n"
    } else {
        let plan = folder.plan();
        format!("{} ({}, {})\n{}", plan.title, plan.scale, folder.root().display(), text(&overview, plan))
    };
    output.write_all(printed.as_bytes()).context("cannot write the status")
}

fn rows(overview: &Overview<'_>) -> Vec<Row> {
    let row = |Standing { task, state, fraction }: &Standing<'_>| Row {
        index: task.index,
        arm: task.arm.name.clone(),
        repeat: task.repeat,
        phase: state.phase.name(),
        running: state.running,
        generations: state.generations,
        evaluations: state.evaluations,
        charged_seconds: state.charged_seconds,
        measured: state.measured.0,
        result_set: state.measured.1,
        fraction: *fraction,
    };
    overview.tasks.iter().map(row).collect()
}

/// One line an arm, and the sum.
fn text(overview: &Overview<'_>, plan: &Plan) -> String {
    let width = plan.arm.iter().map(|arm| arm.name.len()).max().unwrap_or(0).max("all".len());
    let head = ["finished", "measuring", "searching", "waiting", "running", "evaluations", "solver time", "done"];
    let mut lines = vec![format!("{:<width$}  {}\n", "arm", head.join("  "))];
    let arms = plan.arm.iter().map(|arm| (arm.name.as_str(), Some(arm.name.as_str()))).chain([("all", None)]);
    for (name, only) in arms {
        let own: Vec<&Standing<'_>> =
            overview.tasks.iter().filter(|standing| only.is_none_or(|only| standing.task.arm.name == only)).collect();
        let phase = |phase: Phase| own.iter().filter(|standing| standing.state.phase == phase).count().to_string();
        let seconds: f64 = own.iter().map(|standing| standing.state.charged_seconds).sum();
        let done: f64 = own.iter().map(|standing| standing.fraction).sum();
        let cells = [
            phase(Phase::Finished),
            phase(Phase::Measuring),
            phase(Phase::Searching),
            phase(Phase::Waiting),
            own.iter().filter(|standing| standing.state.running).count().to_string(),
            own.iter().map(|standing| standing.state.evaluations).sum::<u64>().to_string(),
            format_duration(Duration::from_secs(seconds as u64)),
            format!("{:.0} %", 100.0 * done / own.len().max(1) as f64),
        ];
        let cells: Vec<String> =
            cells.iter().zip(head).map(|(cell, head)| format!("{cell:>width$}", width = head.len())).collect();
        lines.push(format!("{name:<width$}  {}\n", cells.join("  ")));
    }
    lines.concat()
}
