//! Where a run of `fuzz` stands.

use std::path::Path;

use super::{Fuzzing, Kind, Newest, Phase, Standing, newest, since, written};
use crate::config::{Config, Settings};
use crate::record::format::{DefectState, GenerationRow, Summary};
use crate::record::{RecordError, names, read_defects, read_lessons, read_rows, read_summary};

/// Over so many generations the growth of coverage is told.
const RECENT: usize = 10;

pub(super) fn read(folder: &Path) -> Result<Standing, RecordError> {
    let path = folder.join(names::CONFIG);
    let config = Settings::read(&path).and_then(Config::resolve).map_err(|error| RecordError::damaged(&path, error))?;
    let generations: Vec<GenerationRow> = read_rows(&folder.join(names::GENERATIONS))?;
    // A run that goes on keeps the summary of its last stop until it ends.
    let evaluated = generations.last().map_or(0, |last| last.total_evaluations);
    let summary = read_summary(folder)?.filter(|summary| summary.evaluations >= evaluated);
    let phase = Phase::of(folder, summary.as_ref().is_some_and(Summary::is_final));
    let defects = read_defects(folder)?;
    let count = |state| defects.iter().filter(|defect| defect.record.state == state).count() as u64;
    let confirmed = defects.iter().filter(|defect| defect.record.state == DefectState::Confirmed);
    let newest: Option<Newest> = newest(confirmed.map(|defect| {
        let small = defect.folder.join("reduced.smt2");
        if small.is_file() { small } else { defect.folder.join("instance.smt2") }
    }));
    let mut told = Fuzzing {
        target: config.target.clone(),
        reference: config.reference.clone(),
        variant: config.variant.to_string(),
        seed: config.seed,
        confirmed: count(DefectState::Confirmed),
        candidates: count(DefectState::Candidate),
        refuted: count(DefectState::Refuted),
        patterns: read_lessons(folder)?.iter().filter(|lesson| lesson.pattern.is_some()).count() as u64,
        wrong_answers: summary.as_ref().and_then(|summary| summary.aftermath.wrong_answers),
        ..Fuzzing::default()
    };
    if let Some(last) = generations.last() {
        told.generations = last.generation;
        told.evaluations = last.total_evaluations;
        told.best_t_score = last.max_t_score;
        told.front = last.front_size;
        told.solver_seconds = last.solver_seconds;
        told.lines = Some(last.total_lines).filter(|lines| *lines > 0);
        let before = generations.iter().rev().nth(RECENT).map_or(0, |row| row.total_lines);
        told.new_lines = told.lines.filter(|_| generations.len() > RECENT).map(|lines| lines.saturating_sub(before));
    }
    if let Some(summary) = &summary {
        told.evaluations = summary.evaluations;
        told.solver_seconds = summary.solver_core_seconds;
    }
    Ok(Standing {
        folder: folder.to_owned(),
        phase,
        elapsed_seconds: elapsed(folder, phase, summary.as_ref()),
        budget_seconds: config.stop.budget.map(|budget| budget.as_secs_f64()),
        kind: Kind::Fuzz(told),
        newest,
    })
}

/// Elapsed seconds: what the summary says, or between the run's first file and its last sign of life.
fn elapsed(folder: &Path, phase: Phase, summary: Option<&Summary>) -> f64 {
    if let Some(summary) = summary.filter(|_| phase != Phase::Running) {
        return summary.wall_seconds;
    }
    let Some(begun) = written(&folder.join(names::CONFIG)) else { return 0.0 };
    let signs = [names::GENERATIONS, names::EVALUATIONS, names::KNOWN];
    let last = signs.iter().filter_map(|name| written(&folder.join(name))).max();
    let idle = if phase == Phase::Running { 0.0 } else { last.map_or(0.0, |last| since(last).as_secs_f64()) };
    (since(begun).as_secs_f64() - idle).max(0.0)
}
