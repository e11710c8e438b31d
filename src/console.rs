//! What a user sees while a campaign or a reduction runs: a live status on a terminal, plain lines elsewhere. The only
//! module that draws. Everything goes to standard error; standard output is for results.

use std::fmt::Write as _;
use std::io::IsTerminal;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::campaign::{Doing, Monitor, Progress};
use crate::config::format_duration;
use crate::evaluate::individual::Evaluated;
use crate::record::format::GenerationRow;

/// Without a terminal, a line is printed after this long even within a generation.
const LONGEST_SILENCE: Duration = Duration::from_mins(1);
/// Plain lines come at most so often, so that a log of a day stays readable.
const LINE_INTERVAL: Duration = Duration::from_secs(10);
/// How often a live status is drawn again when nothing happens.
const TICK: Duration = Duration::from_millis(500);

/// Shows a campaign.
#[derive(Debug)]
pub struct Console {
    view: View,
    state: Mutex<State>,
}

#[derive(Debug)]
enum View {
    /// A terminal: one line of status, one line per job.
    Live { all: MultiProgress, status: ProgressBar, jobs: Vec<ProgressBar> },
    /// A file, a pipe: one line per generation.
    Lines,
    /// Nothing at all.
    Silent,
}

#[derive(Debug, Default)]
struct State {
    /// When the last plain line was written.
    last_line: Option<Instant>,
    /// The last generation's mean t-score, for the status.
    mean_t_score: Option<f64>,
    /// The highest t-score of an evaluation so far, also of the dead.
    best_t_score: f64,
    /// What each job does, and since when.
    doing: Vec<(Doing, Option<Instant>)>,
}

impl Console {
    /// A console for so many jobs; silent if `quiet`.
    pub fn new(jobs: usize, quiet: bool) -> Self {
        let view = if quiet {
            View::Silent
        } else if std::io::stderr().is_terminal() {
            live(jobs)
        } else {
            View::Lines
        };
        let state = State { doing: vec![(Doing::Waiting, None); jobs], ..State::default() };
        Console { view, state: Mutex::new(state) }
    }

    /// A message for the user that stays on the screen.
    pub fn say(&self, message: &str) {
        match &self.view {
            // Drawing can fail only if the terminal is gone, and then nobody misses the message.
            View::Live { all, .. } => drop(all.println(message)),
            View::Lines => eprintln!("{message}"),
            View::Silent => {}
        }
    }

    /// Shows where something long stands: on a terminal in place, elsewhere as a line now and then.
    pub fn status(&self, line: &str) {
        match &self.view {
            View::Live { status, .. } => status.set_message(line.to_owned()),
            View::Lines => {
                let mut state = self.state();
                if state.last_line.is_none_or(|last| last.elapsed() >= LONGEST_SILENCE) {
                    state.last_line = Some(Instant::now());
                    eprintln!("{line}");
                }
            }
            View::Silent => {}
        }
    }

    /// Takes the live status off the screen.
    pub fn close(&self) {
        if let View::Live { all, status, jobs } = &self.view {
            status.finish_and_clear();
            jobs.iter().for_each(ProgressBar::finish_and_clear);
            drop(all.clear());
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn live(jobs: usize) -> View {
    let all = MultiProgress::new();
    let bar = |template: &str| {
        let bar = all.add(ProgressBar::new_spinner());
        // A constant template: it is valid, or the plain style serves.
        bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.enable_steady_tick(TICK);
        bar
    };
    let status = bar("{spinner} {wide_msg}");
    let jobs = (0..jobs).map(|_| bar("    {wide_msg}")).collect();
    View::Live { all, status, jobs }
}

impl Monitor for Console {
    fn job(&self, job: usize, doing: Doing) {
        let View::Live { jobs, .. } = &self.view else { return };
        if let Some(slot) = self.state().doing.get_mut(job) {
            *slot = (doing, Some(Instant::now()));
        }
        if let Some(bar) = jobs.get(job) {
            bar.set_message(match doing {
                Doing::Waiting => format!("job {}: waiting for the end of the generation", job + 1),
                Doing::Evaluating(id) => format!("job {}: individual {id}", job + 1),
            });
        }
    }

    fn evaluated(&self, evaluated: &Evaluated, progress: &Progress) {
        let mut state = self.state();
        state.best_t_score = state.best_t_score.max(evaluated.t_score);
        let silent_for = state.last_line.map_or(LONGEST_SILENCE, |last| last.elapsed());
        match &self.view {
            View::Live { status, .. } => {
                status.set_message(status_line(progress, state.best_t_score, state.mean_t_score));
            }
            View::Lines if silent_for >= LONGEST_SILENCE => {
                state.last_line = Some(Instant::now());
                eprintln!("{}", status_line(progress, state.best_t_score, state.mean_t_score));
            }
            View::Lines | View::Silent => {}
        }
    }

    fn note(&self, text: &str) {
        self.say(text);
    }

    fn generation(&self, row: &GenerationRow, progress: &Progress) {
        let mut state = self.state();
        state.mean_t_score = Some(row.mean_t_score);
        let due = state.last_line.is_none_or(|last| last.elapsed() >= LINE_INTERVAL);
        if let (View::Lines, true) = (&self.view, due) {
            state.last_line = Some(Instant::now());
            let shown = Progress { generation: row.generation, ..*progress };
            eprintln!("{}", status_line(&shown, state.best_t_score, state.mean_t_score));
        }
    }

    fn confirmation(&self, number: u32, verdict: Option<&str>) {
        match (verdict, &self.view) {
            (None, View::Live { status, jobs, .. }) => {
                status.set_message(format!("confirming candidate {number:03}"));
                for (job, bar) in jobs.iter().enumerate() {
                    bar.set_message(format!("job {}: runs of candidate {number:03}", job + 1));
                }
            }
            (None, _) => {}
            (Some(verdict), _) => self.say(&format!("candidate {number:03}: {verdict}")),
        }
    }
}

fn status_line(progress: &Progress, best_t_score: f64, mean_t_score: Option<f64>) -> String {
    let minutes = progress.elapsed.as_secs_f64() / 60.0;
    let rate = if minutes > 0.0 { progress.evaluations as f64 / minutes } else { 0.0 };
    let mut line = format!("generation {}", progress.generation);
    let mut add = |text: std::fmt::Arguments<'_>| {
        // Writing into a string cannot fail.
        let _ = line.write_fmt(text);
    };
    if let Some(generations) = progress.generations {
        add(format_args!("/{generations}"));
    }
    add(format_args!(
        ", {} evaluations ({rate:.0}/min), {} defects confirmed of {} candidates",
        progress.evaluations,
        progress.defects,
        progress.defects + progress.candidates
    ));
    add(format_args!(", {} lines, best tScore {best_t_score:.2}", progress.lines_covered));
    if let Some(mean) = mean_t_score {
        add(format_args!(", mean {mean:.2}"));
    }
    match (progress.left, progress.solver_left) {
        (Some(left), _) => add(format_args!(", {} left", seconds(left))),
        (None, Some(left)) => add(format_args!(", {} of solver time left", seconds(left))),
        (None, None) => add(format_args!(", {} so far", seconds(progress.elapsed))),
    }
    line
}

fn seconds(duration: Duration) -> String {
    format_duration(Duration::from_secs(duration.as_secs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_says_what_a_user_wants_to_know() {
        let progress = Progress {
            generation: 3,
            evaluations: 120,
            defects: 4,
            candidates: 2,
            lines_covered: 15_000,
            elapsed: Duration::from_secs(120),
            left: Some(Duration::from_millis(480_400)),
            ..Progress::default()
        };
        assert_eq!(
            status_line(&progress, 9.98, Some(4.5)),
            "generation 3, 120 evaluations (60/min), 4 defects confirmed of 6 candidates, 15000 lines, best tScore 9.98, mean 4.50, 8m left"
        );
        let by_cpu = Progress { left: None, solver_left: Some(Duration::from_secs(90)), ..progress };
        assert!(status_line(&by_cpu, 0.0, None).ends_with("best tScore 0.00, 1m30s of solver time left"));
        let endless = Progress { left: None, generations: Some(10), ..progress };
        assert!(status_line(&endless, 0.0, None).ends_with("best tScore 0.00, 2m so far"));
    }
}
