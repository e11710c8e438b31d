//! How far the setup of a solver is.

use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::{is_terminal, say};
use crate::solver::profile::SolverSpec;
use crate::solver::provision::{Progress, Step};

/// Without a terminal, every so many compiled objects are worth a line.
const OBJECTS_PER_LINE: usize = 50;

/// Shows one solver's setup on standard error: a bar on a terminal, lines elsewhere.
pub(crate) struct SetupStatus {
    name: String,
    bar: Option<ProgressBar>,
}

impl SetupStatus {
    /// Begins to show the setup of this solver.
    pub(crate) fn new(spec: &SolverSpec) -> Self {
        let name = spec.to_string();
        let bar = is_terminal().then(|| {
            let bar = ProgressBar::new_spinner().with_prefix(name.clone());
            bar.enable_steady_tick(Duration::from_millis(100));
            bar
        });
        SetupStatus { name, bar }
    }

    /// What is told of every step.
    pub(crate) fn progress(&self) -> Progress {
        let (name, bar) = (self.name.clone(), self.bar.clone());
        Arc::new(move |step| match (&bar, step) {
            (Some(bar), Step::Stage(stage)) => bar.set_message(stage.to_owned()),
            (Some(bar), Step::Object { done, total, name }) => {
                if bar.length() != Some(total as u64) {
                    bar.set_style(object_style());
                    bar.set_length(total as u64);
                }
                bar.set_position(done as u64);
                bar.set_message(name.to_owned());
            }
            (None, Step::Stage(stage)) => say!("{name}: {stage}"),
            (None, Step::Object { done, total, .. }) => {
                if done % OBJECTS_PER_LINE == 0 || done == total {
                    say!("{name}: compiled {done} of {total} objects");
                }
            }
        })
    }

    /// Ends with the result in a word.
    pub(crate) fn done(&self, result: &str) {
        match &self.bar {
            Some(bar) => {
                bar.finish_and_clear();
                bar.println(format!("{}: {result}", self.name));
            }
            None => say!("{}: {result}", self.name),
        }
    }
}

/// The bar while objects are compiled; the plain bar if the template were wrong.
fn object_style() -> ProgressStyle {
    ProgressStyle::with_template("{prefix} {bar:30} {pos}/{len} {eta} left  {wide_msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}
