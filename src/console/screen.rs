//! The status on a terminal: lines that are drawn in place.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::hunting::HuntStatus;
use super::panel::{Activity, Shown, panel};
use super::say::say;
use super::terminal::Terminal;
use crate::campaign::Progress;

/// How often the status is drawn again when nothing happens.
const TICK: Duration = Duration::from_millis(500);
/// How often it is drawn in a second at most.
const DRAWS: u8 = 20;

/// What is known of the work, for its status.
#[derive(Debug, Default)]
pub(super) struct Standing {
    /// What is done, of work that has no panel.
    pub(super) text: String,
    /// How a hunt stands, and since when.
    pub(super) hunt: Option<(HuntStatus, Instant)>,
    /// Where a run stands, and since when.
    pub(super) progress: Option<(Progress, Instant)>,
    /// The highest t-score of an evaluation so far.
    pub(super) best_t_score: f64,
    /// The last generation's mean t-score.
    pub(super) mean_t_score: Option<f64>,
    /// When the last new candidate was found.
    pub(super) last_find: Option<Instant>,
    /// Since when each job evaluates.
    pub(super) begun: Vec<Option<Instant>>,
    /// The candidate that is confirmed, the runs that have ended, and their number if it is known.
    pub(super) confirming: Option<(u32, u32, Option<u32>)>,
    /// The candidate of which something is to be learned.
    pub(super) learning: Option<u32>,
}

impl Standing {
    /// Takes in where the run stands now.
    pub(super) fn note(&mut self, progress: Progress) {
        let all = |progress: &Progress| progress.defects + progress.candidates;
        if self.progress.is_some_and(|(before, _)| all(&progress) > all(&before)) {
            self.last_find = Some(Instant::now());
        }
        self.progress = Some((progress, Instant::now()));
        // A confirmation that was cut short has no verdict.
        self.confirming = None;
        self.learning = None;
    }

    /// What is to be shown of a run; none if there is none.
    pub(super) fn shown(&self) -> Option<Shown> {
        let (progress, at) = self.progress?;
        Some(Shown {
            progress,
            age: at.elapsed(),
            best_t_score: self.best_t_score,
            mean_t_score: self.mean_t_score,
            last_find: self.last_find.map(|at| at.elapsed()),
            activity: self.activity(),
        })
    }

    fn activity(&self) -> Activity {
        if let Some((candidate, ended, of)) = self.confirming {
            return Activity::Confirming { candidate, ended, of };
        }
        if let Some(candidate) = self.learning {
            return Activity::Learning { candidate };
        }
        let running = || self.begun.iter().flatten();
        running().min().map_or(Activity::Between, |first| Activity::Evaluating {
            scripts: running().count(),
            longest: first.elapsed(),
        })
    }

    /// A line of the status: of the panel, or of what has none.
    fn line(&self, number: usize) -> String {
        if let Some((hunt, at)) = &self.hunt {
            return hunt.after(at.elapsed()).panel().get(number).cloned().unwrap_or_default();
        }
        match (self.shown(), number) {
            (Some(shown), _) => panel(&shown).get(number).cloned().unwrap_or_default(),
            (None, 0) => self.text.clone(),
            (None, _) => String::new(),
        }
    }
}

/// What many threads know of the work. It is never locked while something draws: drawing locks it.
#[derive(Clone, Debug, Default)]
pub(super) struct Shared(Arc<Mutex<Standing>>);

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, Standing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The lines on a terminal.
#[derive(Debug)]
pub(super) struct Screen {
    all: MultiProgress,
    standing: Shared,
    first: ProgressBar,
    /// The rest of the panel, once there is one.
    rest: OnceLock<Vec<ProgressBar>>,
}

impl Screen {
    /// One line that shows what `standing` holds.
    pub(super) fn new(standing: Shared) -> Self {
        let target = ProgressDrawTarget::term_like_with_hz(Box::new(Terminal::new()), DRAWS);
        let all = MultiProgress::with_draw_target(target);
        let first = line(&all, &standing, 0);
        Screen { all, standing, first, rest: OnceLock::new() }
    }

    /// Makes room for the panel of a run.
    pub(super) fn open_panel(&self) {
        self.rest.get_or_init(|| {
            (1..panel(&Shown::default()).len()).map(|at| line(&self.all, &self.standing, at)).collect()
        });
    }

    /// A message above the status.
    pub(super) fn say(&self, message: &str) {
        if self.first.is_finished() {
            // Without a status below it, what is printed next would stand over a message that is drawn.
            say!("{message}");
        } else {
            // Drawing can fail only if the terminal is gone, and then nobody misses the message.
            drop(self.all.println(message));
        }
    }

    /// Takes the status off the screen.
    pub(super) fn close(&self) {
        // From below, so that nothing is drawn again above what is gone already.
        for bar in self.rest.get().into_iter().flatten().rev().chain([&self.first]) {
            bar.finish_and_clear();
        }
        drop(self.all.clear());
    }
}

/// A line that draws itself anew at each tick.
fn line(all: &MultiProgress, standing: &Shared, number: usize) -> ProgressBar {
    let bar = all.add(ProgressBar::new_spinner());
    let template = if number == 0 { "{spinner} {line}" } else { "  {line}" };
    let standing = standing.clone();
    // A constant template: it is valid, or the plain style serves.
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner());
    bar.set_style(style.with_key("line", move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
        out.write_str(&standing.lock().line(number)).ok();
    }));
    bar.enable_steady_tick(TICK);
    bar
}
