//! The verbs of the command line: one file each, with its arguments and a short `run`.

mod batch;
pub mod check;
pub mod completions;
pub mod convert;
pub mod eval;
pub mod evaluate;
pub mod experiment;
pub mod explain;
pub mod fuzz;
pub mod generate;
pub mod hunt;
pub mod manual;
pub mod matrix;
pub mod mutate;
pub mod output;
pub mod reduce;
pub mod report;
pub mod setup;
pub mod similarity;
pub mod solvers;
pub mod status;
pub mod triage;

use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, filter_fn};
use tracing_subscriber::fmt::layer;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::record::{Journal, TOLD};

/// Lets the library's log through to standard error, warnings and with each `-v` one level more; and to the journal of
/// a run, while there is one.
pub fn log_to_stderr(verbose: u8) {
    let level = match verbose {
        0 => LevelFilter::WARN,
        1 => LevelFilter::INFO,
        2 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    // A message that cannot be written is lost: the library would report that on standard error, and panic if it fails.
    let console = layer().with_target(false).without_time().with_writer(std::io::stderr).log_internal_errors(false);
    let journal = layer().json().with_writer(|| Journal).log_internal_errors(false);
    let untold = filter_fn(move |event| event.target() != TOLD && *event.level() <= level).with_max_level_hint(level);
    let (console, journal) = (console.with_filter(untold), journal.with_filter(level.max(LevelFilter::INFO)));
    tracing_subscriber::registry().with(console).with(journal).init();
}
