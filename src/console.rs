//! What a user sees while a campaign, a hunt or a reduction runs: a live status on a terminal, plain lines elsewhere. The only
//! module that draws. Everything goes to standard error; standard output is for results.

mod hunting;
mod panel;
mod say;
mod screen;
mod setup;
mod terminal;

use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::campaign::{Doing, Monitor, Progress};
use crate::evaluate::individual::Evaluated;
use crate::record::format::GenerationRow;
pub use hunting::HuntStatus;
use panel::plain_line;
pub use say::{explain_panics, tell};
pub(crate) use say::{progress, say, tells_progress};
use screen::{Screen, Shared};
pub(crate) use setup::SetupStatus;

/// Without a terminal, a line is printed after this long even within a generation.
const LONGEST_SILENCE: Duration = Duration::from_mins(1);
/// Plain lines come at most so often, so that a log of a day stays readable.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Whether standard error, where progress is shown, is a terminal.
pub fn is_terminal() -> bool {
    std::io::stderr().is_terminal()
}

/// Columns of the terminal on standard output; 80 without one.
pub fn columns() -> usize {
    console::Term::stdout().size_checked().map_or(80, |(_, columns)| usize::from(columns))
}

/// Shows a campaign.
#[derive(Debug)]
pub struct Console {
    view: View,
    standing: Shared,
    /// When the last plain line was written.
    last_line: Mutex<Option<Instant>>,
}

#[derive(Debug)]
enum View {
    /// A terminal: a panel of a few lines, or one line of status.
    Live(Screen),
    /// A file, a pipe: one line per generation.
    Lines,
    /// Nothing at all.
    Silent,
}

impl Console {
    /// A console for so many jobs; silent if `quiet`, as is then the progress of what follows the campaign.
    pub fn new(jobs: usize, quiet: bool) -> Self {
        say::set_quiet(quiet);
        let standing = Shared::default();
        standing.lock().begun = vec![None; jobs];
        let view = if quiet {
            View::Silent
        } else if is_terminal() {
            View::Live(Screen::new(standing.clone()))
        } else {
            View::Lines
        };
        Console { view, standing, last_line: Mutex::new(None) }
    }

    /// A message for the user that stays on the screen.
    pub fn say(&self, message: &str) {
        match &self.view {
            View::Live(screen) => screen.say(message),
            View::Lines => say!("{message}"),
            View::Silent => {}
        }
    }

    /// A warning for the user, which also those see who want no progress.
    pub fn warn(&self, message: &str) {
        match &self.view {
            View::Live(screen) => screen.say(message),
            View::Lines | View::Silent => say!("{message}"),
        }
    }

    /// Shows where something long stands: on a terminal in place, elsewhere as a line now and then.
    pub fn status(&self, line: &str) {
        line.clone_into(&mut self.standing.lock().text);
        self.plain_line(LONGEST_SILENCE, || line.to_owned());
    }

    /// Shows how a hunt stands, after this change: on a terminal in place, elsewhere as a line of the log now and then, which is
    /// for who wants to know what is done.
    pub fn hunt(&self, change: impl FnOnce(&mut HuntStatus)) {
        let line = {
            let mut standing = self.standing.lock();
            let (status, at) = standing.hunt.take().unwrap_or_else(|| (HuntStatus::default(), Instant::now()));
            let mut status = status.after(at.elapsed());
            change(&mut status);
            let is_due = matches!(self.view, View::Lines) && self.is_silent_for(LINE_INTERVAL);
            let line = is_due.then(|| status.line());
            standing.hunt = Some((status, Instant::now()));
            line
        };
        self.open_panel();
        if let Some(line) = line {
            tracing::info!("{line}");
        }
    }

    /// Takes the live status off the screen.
    pub fn close(&self) {
        if let View::Live(screen) = &self.view {
            screen.close();
        }
    }

    /// Writes a plain line, where lines are written, and if none was for so long.
    fn plain_line(&self, silence: Duration, line: impl FnOnce() -> String) {
        let View::Lines = &self.view else { return };
        if self.is_silent_for(silence) {
            say!("{}", line());
        }
    }

    /// Whether no plain line was written for so long: then one is written now.
    fn is_silent_for(&self, silence: Duration) -> bool {
        let mut last = self.last_line.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = last.is_none_or(|last| last.elapsed() >= silence);
        if is_due {
            *last = Some(Instant::now());
        }
        is_due
    }

    /// A plain line about the run.
    fn run_line(&self, silence: Duration) {
        self.plain_line(silence, || self.standing.lock().shown().as_ref().map(plain_line).unwrap_or_default());
    }

    fn open_panel(&self) {
        if let View::Live(screen) = &self.view {
            screen.open_panel();
        }
    }
}

impl Monitor for Console {
    fn job(&self, job: usize, doing: Doing) {
        if let Some(begun) = self.standing.lock().begun.get_mut(job) {
            *begun = matches!(doing, Doing::Evaluating(_)).then(Instant::now);
        }
    }

    fn evaluated(&self, evaluated: &Evaluated, progress: &Progress) {
        {
            let mut standing = self.standing.lock();
            standing.best_t_score = standing.best_t_score.max(evaluated.t_score);
            standing.note(*progress);
        }
        self.open_panel();
        self.run_line(LONGEST_SILENCE);
    }

    fn note(&self, text: &str) {
        self.warn(text);
    }

    fn generation(&self, row: &GenerationRow, progress: &Progress) {
        {
            let mut standing = self.standing.lock();
            standing.mean_t_score = Some(row.mean_t_score);
            standing.note(Progress { generation: row.generation, ..*progress });
        }
        self.open_panel();
        self.run_line(LINE_INTERVAL);
    }

    fn confirmation(&self, number: u32, verdict: Option<&str>) {
        self.standing.lock().confirming = verdict.is_none().then_some((number, 0, None));
        if let Some(verdict) = verdict {
            self.say(&format!("candidate {number:03}: {verdict}"));
        }
    }

    fn learning(&self, number: u32, result: Option<&str>) {
        self.standing.lock().learning = result.is_none().then_some(number);
        if let Some(result) = result {
            self.say(&format!("learned of candidate {number:03}: {result}"));
        }
    }

    fn confirmation_run(&self, ended: u32, of: Option<u32>) {
        if let Some((_, runs, all)) = &mut self.standing.lock().confirming {
            (*runs, *all) = (ended, of);
        }
    }
}
